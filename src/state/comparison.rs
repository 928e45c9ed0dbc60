//! The figures of algorithms, depths and heuristics beside the chosen ones: table and curve.

use super::study::{SearchSubject, Study, StudyAnswer, Ticket};
use crate::query::ComparisonRow;
use packscope::api::PackingSettings;
use packscope::bounds::{Bound, BoundKind};
use packscope::cost;
use packscope::packing::Depth;
use std::rc::Rc;

/// Rows about the same data and the same [shared settings](PackingSettings::shared).
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonTable<S: PackingSettings> {
    /// Version of the data, and the settings that all rows share.
    about: Option<SearchSubject<S>>,
    rows: Vec<ComparisonRow<S>>,
}

impl<S: PackingSettings> Default for ComparisonTable<S> {
    fn default() -> Self {
        Self::new(None)
    }
}

impl<S: PackingSettings> ComparisonTable<S> {
    fn new(about: Option<SearchSubject<S>>) -> Self {
        Self {
            about,
            rows: Vec::new(),
        }
    }

    pub fn rows(&self) -> &[ComparisonRow<S>] {
        &self.rows
    }

    pub fn row(&self, row: S::Row) -> Option<&ComparisonRow<S>> {
        self.rows.iter().find(|r| r.row == row)
    }

    fn put(&mut self, row: ComparisonRow<S>) {
        match self.rows.iter_mut().find(|r| r.row == row.row) {
            Some(old) => *old = row,
            None => self.rows.push(row),
        }
    }

    /// Returns depths with the lower bounds found at them.
    fn bounds(&self) -> Vec<(Depth, Bound)> {
        let Some((_, shared)) = &self.about else {
            return Vec::new();
        };
        let kept = self.rows.iter().filter(|r| S::keeps_limits(r.row));
        kept.filter_map(|r| Some((shared.with_row(r.row).depth(), r.figures.bound()?)))
            .collect()
    }
}

impl<S: PackingSettings> StudyAnswer<S> {
    /// Returns the answer as a row of the comparison.
    pub(super) fn row(&self) -> ComparisonRow<S> {
        let row = self.report.settings.row();
        ComparisonRow {
            row,
            figures: self.report.figures.clone(),
            seconds: self.seconds,
        }
    }
}

/// Whether two settings pack a row alike.
fn pack_alike<S: PackingSettings>(a: &S, b: &S, row: S::Row) -> bool {
    a.with_row(row).deciding() == b.with_row(row).deciding()
}

impl<S: PackingSettings, const K: usize> Study<S, K> {
    fn compared(&self) -> Option<SearchSubject<S>> {
        Some((self.version(), self.settings.shared()))
    }

    pub(super) fn compare(&mut self, ticket: Ticket, settings: &S, rows: Vec<ComparisonRow<S>>) {
        let about = Some((ticket.data, settings.shared()));
        // The answer is late: data or settings have changed since.
        if about != self.compared() {
            return;
        }
        if self.comparison.about != about {
            // The first rows about new settings replace the table, with what came early for them.
            let early = std::mem::take(&mut self.early);
            self.comparison = if early.about == about {
                early
            } else {
                Rc::new(ComparisonTable::new(about))
            };
        }
        let comparison = Rc::make_mut(&mut self.comparison);
        // A row may read settings that are not shared, as sorted rows read the batch.
        let alike = rows
            .into_iter()
            .filter(|r| pack_alike(settings, &self.settings, r.row));
        alike.for_each(|row| comparison.put(row));
        self.adopt_answer();
        self.share_bounds();
        self.price_rows();
    }

    /// Adds the answer to the comparison, or to the early rows if the comparison is about other settings.
    pub(super) fn adopt_answer(&mut self) {
        let Some(answer) = &self.answer else { return };
        let (settings, row) = (&answer.report.settings, answer.report.settings.row());
        let about = Some((answer.ticket.data, settings.shared()));
        if !pack_alike(settings, &self.settings, row) {
            return;
        }
        if self.comparison.about != about {
            // Only the newest settings are of interest: rows about others before them go.
            if self.early.about != about {
                self.early = Rc::new(ComparisonTable::new(about));
            }
            Rc::make_mut(&mut self.early).put(answer.row());
        } else if self.comparison.row(row).is_none() {
            Rc::make_mut(&mut self.comparison).put(answer.row());
        }
    }

    /// Drops rows that the present settings pack differently from the settings before.
    pub(super) fn forget_rows(&mut self, before: &S) {
        for rows in [&mut self.comparison, &mut self.early] {
            Rc::make_mut(rows)
                .rows
                .retain(|r| pack_alike(before, &self.settings, r.row));
        }
    }

    pub(super) fn price_rows(&mut self) {
        for row in &mut Rc::make_mut(&mut self.comparison).rows {
            cost::price(&mut row.figures, self.settings.overhead());
        }
    }

    /// Whether the comparison is about the present data and settings.
    pub fn is_compared(&self) -> bool {
        self.comparison.about == self.compared()
    }

    /// Whether the figures of a row are known for the present settings, perhaps before the rest of the table.
    pub fn is_answered(&self, row: S::Row) -> bool {
        let present = self.compared();
        [&self.comparison, &self.early]
            .iter()
            .any(|rows| rows.about == present && rows.row(row).is_some())
    }

    /// Returns the figures of a row for the present settings if known, else for earlier ones.
    pub fn row(&self, row: S::Row) -> Option<&ComparisonRow<S>> {
        self.comparison.row(row)
    }

    /// Raises lower bounds: a bound of one algorithm holds for all that keep the limits, and one for deep packs holds
    /// for shallow ones. A running search may know a better bound than all finished rows.
    pub(super) fn share_bounds(&mut self) {
        let searched = self.searching().map(|f| Bound {
            packs: f.bound,
            kind: BoundKind::LinearProgram,
        });
        let mut bounds = self.comparison.bounds();
        if self.is_compared() {
            bounds.extend(searched.map(|bound| (self.settings.depth(), bound)));
        }
        // Deeper packs hold all that shallow ones do, so that they need no more rows: their bound
        // holds for both.
        let best = |depth| {
            best(
                bounds
                    .iter()
                    .filter(|(d, _)| *d >= depth)
                    .map(|(_, bound)| *bound),
            )
        };
        let ComparisonTable { about, rows } = &*self.comparison;
        let depth = |row| {
            about
                .as_ref()
                .map(|(_, shared)| shared.with_row(row).depth())
        };
        let raised = rows
            .iter()
            .enumerate()
            // Packs that ignore a limit may be fewer than any bound.
            .filter(|(_, r)| S::keeps_limits(r.row))
            .filter_map(|(at, r)| {
                Some((
                    at,
                    best(depth(r.row)?).filter(|bound| r.figures.is_raised_by(*bound))?,
                ))
            });
        // Found before anything changes: a change copies the table, which earlier states share.
        let raised: Vec<(usize, Bound)> = raised.collect();
        if let Some(answer) = &self.answer
            && S::keeps_limits(answer.report.settings.row())
        {
            let settings = &answer.report.settings;
            let compared = self.comparison.about == Some((answer.ticket.data, settings.shared()));
            let known = best(settings.depth()).filter(|_| compared);
            let searched = searched.filter(|_| answer.subject() == self.subject());
            // The function, not the closure of this name.
            self.raise_answer(self::best(known.into_iter().chain(searched)));
        }
        if !raised.is_empty() {
            let rows = &mut Rc::make_mut(&mut self.comparison).rows;
            raised
                .into_iter()
                .for_each(|(at, bound)| rows[at].figures.raise(bound));
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

fn best(bounds: impl Iterator<Item = Bound>) -> Option<Bound> {
    bounds.reduce(|best, bound| {
        if bound.packs > best.packs {
            bound
        } else {
            best
        }
    })
}
