//! The optimum, which arrives by itself: first a heuristic plan, then a bound, then the proof.

use super::{Answer, AppState, Comparison, Point, Ticket, base};
use crate::api::{Settings, bound_at};
use crate::bounds::{Bound, BoundKind};
use crate::packing::{Algorithm, Depth};
use std::rc::Rc;

/// What the search for the optimum has come to, while it goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Version of the data, and settings without algorithm.
    about: (u64, Settings, Depth),
    /// Packs of the best plan so far.
    pub packs: u64,
    /// Packs no plan can go below.
    pub bound: u64,
}

impl AppState {
    /// What optima depend on: data, settings, depth.
    fn about(&self, ticket: Ticket, settings: &Settings) -> (u64, Settings, Depth) {
        (ticket.data, base(settings), settings.depth)
    }

    fn present(&self) -> (u64, Settings, Depth) {
        (self.version(), base(&self.settings), self.settings.depth)
    }

    pub(super) fn find(&mut self, ticket: Ticket, settings: &Settings, packs: u64, bound: u64) {
        let about = self.about(ticket, settings);
        if about == self.present() {
            self.found = Some(Found { about, packs, bound });
        }
    }

    /// A plan of the search is the answer where the optimum was asked for, and a row of the table.
    pub(super) fn better(&mut self, answer: Rc<Answer>) {
        let settings = &answer.report.settings;
        if self.about(answer.ticket, settings) != self.present() {
            return;
        }
        let point = Point { figures: answer.report.figures.clone(), seconds: answer.seconds };
        let key = (Algorithm::Optimal, settings.depth);
        self.compare(answer.ticket, settings.clone(), vec![(key, point)]);
        if self.settings.algorithm == Algorithm::Optimal {
            self.show(answer);
        }
    }

    /// The search is over.
    pub(super) fn prove(&mut self, answer: Rc<Answer>) {
        if self.about(answer.ticket, &answer.report.settings) == self.present() {
            self.found = None;
            self.proven = Some(Rc::clone(&answer));
            self.better(answer);
        }
    }

    /// The plan that was proven is the answer as soon as it is asked for.
    pub(super) fn adopt_proven(&mut self) {
        if self.settings.algorithm == Algorithm::Optimal
            && !self.is_current()
            && let Some(proven) = self.proven.clone().filter(|_| self.is_proven())
        {
            self.show(proven);
        }
    }

    /// Whether the search for the optimum at the present settings is over, with whatever gap.
    pub fn is_proven(&self) -> bool {
        let about = |a: &Rc<Answer>| self.about(a.ticket, &a.report.settings);
        self.proven.as_ref().is_some_and(|a| about(a) == self.present())
    }

    /// Whether a heuristic's answer stands in for the optimum that is being looked for.
    pub fn is_interim(&self) -> bool {
        let stands_in = |a: &Rc<Answer>| {
            a.report.settings.algorithm == Algorithm::AverageTarget
                && self.about(a.ticket, &a.report.settings) == self.present()
        };
        self.settings.algorithm == Algorithm::Optimal && self.answer.as_ref().is_some_and(stands_in)
    }

    /// How far the search for the optimum of the present settings is, while it goes on.
    pub fn searching(&self) -> Option<&Found> {
        self.found.as_ref().filter(|f| f.about == self.present())
    }

    /// Depths whose optimum is not known yet, the present one apart: the bound of the depth chart.
    pub fn unproven(&self) -> Vec<Depth> {
        let known = |d: &Depth| self.is_compared() && self.point(Algorithm::Optimal, *d).is_some();
        self.depths().into_iter().filter(|d| *d != self.settings.depth && !known(d)).collect()
    }

    /// A bound found for one algorithm holds for all, and one for deep packs holds for shallow ones.
    pub(super) fn share_bounds(&mut self) {
        let Comparison { base: about, points } = &*self.comparison;
        let bound = |depth: Depth| bound_at(depth, points.iter().map(|((_, d), point)| (*d, &point.figures)));
        let better = |known: Option<u64>, bound: Bound| known.is_some_and(|b| b < bound.packs);
        if let Some(answer) = &mut self.answer {
            let settings = &answer.report.settings;
            if *about == Some((answer.ticket.data, base(settings)))
                && let Some(bound) = bound(settings.depth)
                && better(answer.report.figures.lower_bound, bound)
            {
                Rc::make_mut(answer).report.figures.raise(bound);
            }
        }
        let raised: Vec<((Algorithm, Depth), Bound)> = points
            .iter()
            .filter_map(|(key, point)| {
                bound(key.1).filter(|b| better(point.figures.lower_bound, *b)).map(|b| (*key, b))
            })
            .collect();
        for (key, bound) in raised {
            if let Some(point) = Rc::make_mut(&mut self.comparison).points.get_mut(&key) {
                point.figures.raise(bound);
            }
        }
        self.raise_by_search();
    }

    /// The search for the optimum may know more than all that is finished.
    fn raise_by_search(&mut self) {
        let Some(bound) = self.searching().map(|f| f.bound) else { return };
        if self.is_current() || self.is_interim() {
            let Some(answer) = &mut self.answer else { return };
            if answer.report.figures.lower_bound.is_some_and(|b| b < bound) {
                let bound = Bound { packs: bound, kind: BoundKind::LinearProgram };
                Rc::make_mut(answer).report.figures.raise(bound);
            }
        }
    }
}
