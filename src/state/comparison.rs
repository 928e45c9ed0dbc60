//! The figures of algorithms, depths and heuristics beside the chosen ones: table and curve.

use super::study::{Answer, Study, Ticket};
use crate::api::{Compared, Packing};
use crate::bounds::{Bound, BoundKind};
use crate::cost;
use crate::packing::Depth;
use std::rc::Rc;

/// Rows about the same data and the same [shared settings](Packing::shared).
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison<S: Packing> {
    /// Version of the data, and the settings that all rows share.
    about: Option<(u64, S)>,
    rows: Vec<Compared<S>>,
    /// Answers about other settings than the rows, kept until the comparison for those settings replaces the rows.
    early: Option<Early<S>>,
}

/// Version of the data and shared settings, and rows about them.
type Early<S> = ((u64, S), Vec<Compared<S>>);

impl<S: Packing> Default for Comparison<S> {
    fn default() -> Self {
        Self { about: None, rows: Vec::new(), early: None }
    }
}

impl<S: Packing> Comparison<S> {
    /// Returns the rows, in order of arrival.
    pub fn rows(&self) -> &[Compared<S>] {
        &self.rows
    }

    /// Returns the figures of a row.
    pub fn row(&self, row: S::Row) -> Option<&Compared<S>> {
        self.rows.iter().find(|r| r.row == row)
    }

    fn put(&mut self, row: Compared<S>) {
        match self.rows.iter_mut().find(|r| r.row == row.row) {
            Some(old) => *old = row,
            None => self.rows.push(row),
        }
    }

    fn put_early(&mut self, about: (u64, S), row: Compared<S>) {
        let (subject, rows) = self.early.get_or_insert_with(|| (about.clone(), Vec::new()));
        if *subject != about {
            (*subject, *rows) = (about, Vec::new());
        }
        rows.retain(|r| r.row != row.row);
        rows.push(row);
    }

    /// Returns depths with the lower bounds found at them.
    fn bounds(&self) -> Vec<(Depth, Bound)> {
        let Some((_, shared)) = &self.about else { return Vec::new() };
        let kept = self.rows.iter().filter(|r| S::keeps_limits(r.row));
        kept.filter_map(|r| Some((shared.with_row(r.row).depth(), r.figures.bound()?))).collect()
    }
}

impl<S: Packing> Answer<S> {
    /// Returns the answer as a row of the comparison.
    pub(super) fn row(&self) -> Compared<S> {
        let row = self.report.settings.row();
        Compared { row, figures: self.report.figures.clone(), seconds: self.seconds }
    }
}

impl<S: Packing, const K: usize> Study<S, K> {
    /// Adds rows computed for these settings.
    pub(super) fn compare(&mut self, ticket: Ticket, settings: &S, rows: Vec<Compared<S>>) {
        let about = (ticket.data, settings.shared());
        if about != (self.version(), self.settings.shared()) {
            return;
        }
        let present = self.settings.clone();
        let comparison = Rc::make_mut(&mut self.comparison);
        if comparison.about.as_ref() != Some(&about) {
            let early = comparison.early.take().filter(|(subject, _)| *subject == about);
            let rows = early.map_or_else(Vec::new, |(_, rows)| rows);
            *comparison = Comparison { about: Some(about), rows, early: None };
        }
        let same = |row: S::Row| settings.with_row(row).deciding() == present.with_row(row).deciding();
        rows.into_iter().filter(|r| same(r.row)).for_each(|row| comparison.put(row));
        self.adopt_answer();
        self.share_bounds();
        self.price_rows();
    }

    /// Adds the answer to the comparison; to the early rows where it is about other settings.
    pub(super) fn adopt_answer(&mut self) {
        let Some(answer) = &self.answer else { return };
        let settings = &answer.report.settings;
        let about = (answer.ticket.data, settings.shared());
        if settings.deciding() != self.settings.with_row(settings.row()).deciding() {
            return;
        }
        if self.comparison.about.as_ref() != Some(&about) {
            Rc::make_mut(&mut self.comparison).put_early(about, answer.row());
        } else if self.row(settings.row()).is_none() {
            Rc::make_mut(&mut self.comparison).put(answer.row());
        }
    }

    /// Drops rows that the present settings decide differently.
    pub(super) fn forget_rows(&mut self, before: &S) {
        let same = |row: S::Row| before.with_row(row).deciding() == self.settings.with_row(row).deciding();
        let comparison = Rc::make_mut(&mut self.comparison);
        comparison.rows.retain(|r| same(r.row));
        comparison.early.iter_mut().for_each(|(_, rows)| rows.retain(|r| same(r.row)));
    }

    pub(super) fn price_rows(&mut self) {
        for row in &mut Rc::make_mut(&mut self.comparison).rows {
            cost::price(&mut row.figures, self.settings.overhead());
        }
    }

    /// Whether the comparison is about the present data and settings.
    pub fn is_compared(&self) -> bool {
        self.comparison.about.as_ref() == Some(&(self.version(), self.settings.shared()))
    }

    /// Whether the figures of a row are known for the present settings, perhaps before the rest of the table.
    pub fn is_answered(&self, row: S::Row) -> bool {
        if self.is_compared() {
            return self.row(row).is_some();
        }
        let about = (self.version(), self.settings.shared());
        let early = self.comparison.early.as_ref().filter(|(subject, _)| *subject == about);
        early.is_some_and(|(_, rows)| rows.iter().any(|r| r.row == row))
    }

    /// Returns the figures of a row for the present settings if known, else for earlier ones.
    pub fn row(&self, row: S::Row) -> Option<&Compared<S>> {
        self.comparison.row(row)
    }

    /// Raises lower bounds: a bound of one algorithm holds for all that keep the limits, and one for deep packs holds
    /// for shallow ones. A running search may know a better bound than all finished rows.
    pub(super) fn share_bounds(&mut self) {
        let searched = self.searching().map(|f| Bound { packs: f.bound, kind: BoundKind::LinearProgram });
        let mut bounds = self.comparison.bounds();
        if self.is_compared() {
            bounds.extend(searched.map(|bound| (self.settings.depth(), bound)));
        }
        let best = |depth| best(bounds.iter().filter(|(d, _)| *d >= depth).map(|(_, bound)| *bound));
        let Comparison { about, rows, .. } = &*self.comparison;
        let depth = |row| about.as_ref().map(|(_, shared)| shared.with_row(row).depth());
        let raised = rows.iter().enumerate().filter(|(_, r)| S::keeps_limits(r.row)).filter_map(|(at, r)| {
            Some((at, best(depth(r.row)?).filter(|bound| r.figures.is_raised_by(*bound))?))
        });
        let raised: Vec<(usize, Bound)> = raised.collect();
        if let Some(answer) = &self.answer
            && S::keeps_limits(answer.report.settings.row())
        {
            let settings = &answer.report.settings;
            let compared = self.comparison.about == Some((answer.ticket.data, settings.shared()));
            let known = best(settings.depth()).filter(|_| compared);
            let searched = searched.filter(|_| answer.subject() == self.subject());
            self.raise_answer(self::best(known.into_iter().chain(searched)));
        }
        if !raised.is_empty() {
            let rows = &mut Rc::make_mut(&mut self.comparison).rows;
            raised.into_iter().for_each(|(at, bound)| rows[at].figures.raise(bound));
        }
    }

    fn raise_answer(&mut self, bound: Option<Bound>) {
        if let Some(answer) = &mut self.answer
            && let Some(bound) = bound.filter(|bound| answer.report.figures.is_raised_by(*bound))
        {
            Rc::make_mut(answer).report.figures.raise(bound);
        }
    }
}

/// Returns the bound with the most packs.
fn best(bounds: impl Iterator<Item = Bound>) -> Option<Bound> {
    bounds.reduce(|best, bound| if bound.packs > best.packs { bound } else { best })
}
