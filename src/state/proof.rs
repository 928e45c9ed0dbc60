//! The optimum, which arrives by itself: first a heuristic plan, then a bound, then the proof.

use super::{Answer, AppState, Comparison, Point, Ticket, base, problem};
use crate::api::Settings;
use crate::bounds::{Bound, BoundKind};
use crate::metrics::Figures;
use crate::packing::{Algorithm, Depth};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What an optimum is about: version of the data, and settings without algorithm.
pub type Subject = (u64, Settings);

/// What the search for the optimum has come to, while it goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<S = Settings> {
    pub(super) about: (u64, S),
    /// Packs of the best plan so far.
    pub packs: u64,
    /// Packs no plan can go below.
    pub bound: u64,
}

fn about(ticket: Ticket, settings: &Settings) -> Subject {
    (ticket.data, problem(settings))
}

impl Answer {
    pub(super) fn about(&self) -> Subject {
        about(self.ticket, &self.report.settings)
    }
}

impl AppState {
    /// What the optimum at the present settings is about.
    pub fn subject(&self) -> Subject {
        (self.version(), problem(&self.settings))
    }

    pub(super) fn find(&mut self, ticket: Ticket, settings: &Settings, packs: u64, bound: u64) {
        let about = about(ticket, settings);
        if about == self.subject() {
            self.found = Some(Found { about, packs, bound });
        }
    }

    /// A plan of the search is the answer where the optimum was asked for, and a row of the table.
    pub(super) fn better(&mut self, answer: Rc<Answer>) {
        let settings = &answer.report.settings;
        if answer.about() != self.subject() {
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
        if answer.about() == self.subject() {
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
        self.proven.as_ref().is_some_and(|a| a.about() == self.subject())
    }

    /// Whether a heuristic's answer stands in for the optimum that is being looked for.
    pub fn is_interim(&self) -> bool {
        let stands_in = |a: &Rc<Answer>| {
            a.report.settings.algorithm == Algorithm::AverageTarget && a.about() == self.subject()
        };
        self.settings.algorithm == Algorithm::Optimal && self.answer.as_ref().is_some_and(stands_in)
    }

    /// How far the search for the optimum of the present settings is, while it goes on.
    pub fn searching(&self) -> Option<&Found> {
        self.found.as_ref().filter(|f| f.about == self.subject())
    }

    /// Depths whose optimum is not known yet, the present one apart: the bound of the depth chart.
    pub fn unproven(&self) -> Vec<Depth> {
        let known = |d: &Depth| self.is_compared() && self.point(Algorithm::Optimal, *d).is_some();
        self.depths().into_iter().filter(|d| *d != self.settings.depth && !known(d)).collect()
    }

    /// A bound found for one algorithm holds for all, and one for deep packs holds for shallow ones; the search
    /// for the optimum may know more than all that is finished.
    pub(super) fn share_bounds(&mut self) {
        let Comparison { base: about, points } = &*self.comparison;
        let better = |figures: &Figures, depth| bound_at(depth, points).filter(|b| figures.is_raised_by(*b));
        if let Some(answer) = &mut self.answer {
            let (figures, settings) = (&answer.report.figures, &answer.report.settings);
            if *about == Some((answer.ticket.data, base(settings)))
                && let Some(bound) = better(figures, settings.depth)
            {
                Rc::make_mut(answer).report.figures.raise(bound);
            }
        }
        let raised = points.iter().filter_map(|(key, p)| Some((*key, better(&p.figures, key.1)?)));
        for (key, bound) in raised.collect::<Vec<_>>() {
            if let Some(point) = Rc::make_mut(&mut self.comparison).points.get_mut(&key) {
                point.figures.raise(bound);
            }
        }
        let found = self.searching().map(|f| Bound { packs: f.bound, kind: BoundKind::LinearProgram });
        if let (Some(bound), true) = (found, self.is_current() || self.is_interim())
            && let Some(answer) = self.answer.as_mut().filter(|a| a.report.figures.is_raised_by(bound))
        {
            Rc::make_mut(answer).report.figures.raise(bound);
        }
    }
}

/// The best bound that points give at a depth: one of deeper packs holds for shallower ones, which are fewer
/// to choose from.
fn bound_at(depth: Depth, points: &BTreeMap<(Algorithm, Depth), Point>) -> Option<Bound> {
    let holds = points.iter().filter(|((_, d), _)| *d >= depth).filter_map(|(_, p)| p.figures.bound());
    holds.reduce(|best, b| if b.packs > best.packs { b } else { best })
}
