//! The figures of many algorithms and depths: table and curve.

use super::{AppState, Point, Ticket, base};
use crate::api::Settings;
use crate::cost::{self, Overhead};
use crate::packing::{Algorithm, Depth};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Figures of many algorithms and depths, all for the same data and the same `base`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// Data version and settings, with algorithm and depth set aside.
    pub(super) base: Option<(u64, Settings)>,
    /// The figures.
    pub points: BTreeMap<(Algorithm, Depth), Point>,
}

impl AppState {
    pub(super) fn compare(
        &mut self,
        ticket: Ticket,
        settings: Settings,
        points: Vec<((Algorithm, Depth), Point)>,
    ) {
        let base = (ticket.data, base(&settings));
        if ticket.data != self.version() || base.1 != self::base(&self.settings) {
            return;
        }
        let base = Some(base);
        let mut comparison =
            if self.comparison.base == base { (*self.comparison).clone() } else { Comparison::default() };
        comparison.base = base;
        let known =
            points.into_iter().filter(|((algorithm, _), _)| self.is_batched_so(*algorithm, &settings));
        comparison.points.extend(known);
        self.comparison = Rc::new(comparison);
        self.adopt();
        self.share_bounds();
        self.price_points();
    }

    /// The answer is a point of the comparison too, where both are about the same.
    pub(super) fn adopt(&mut self) {
        let Some(answer) = &self.answer else { return };
        let settings = &answer.report.settings;
        let so = self.is_batched_so(settings.algorithm, settings);
        if so && self.comparison.base == Some((answer.ticket.data, base(settings))) {
            let key = (settings.algorithm, settings.depth);
            let point = Point { figures: answer.report.figures.clone(), seconds: answer.seconds };
            Rc::make_mut(&mut self.comparison).points.entry(key).or_insert(point);
        }
    }

    pub(super) fn reprice(&mut self, overhead: Overhead) {
        self.settings.overhead = overhead;
        if let Some(answer) = &mut self.answer {
            cost::price(&mut Rc::make_mut(answer).report.figures, overhead);
        }
        self.price_points();
    }

    fn price_points(&mut self) {
        for point in Rc::make_mut(&mut self.comparison).points.values_mut() {
            cost::price(&mut point.figures, self.settings.overhead);
        }
    }

    /// Whether table and curve are about the present data and settings.
    pub fn is_compared(&self) -> bool {
        self.comparison.base == Some((self.version(), base(&self.settings)))
    }

    /// The figures of an algorithm at a depth, if known for the present settings.
    pub fn point(&self, algorithm: Algorithm, depth: Depth) -> Option<&Point> {
        self.comparison.points.get(&(algorithm, depth))
    }
}
