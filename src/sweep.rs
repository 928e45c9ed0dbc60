//! Which limits to try: the points of a sweep, one after another or many at once. A sweep asks and is told; it
//! never packs, so that the points can be packed anywhere.
//!
//! Source: Krell et al. 2022, *Tuple Packing* (arXiv 2209.06354), §2.5.

use crate::histogram::Size;
use serde::{Deserialize, Serialize};

/// What came out at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point<const K: usize> {
    /// The limits that were tried.
    pub limits: Size<K>,
    /// Packs at these limits.
    pub packs: u64,
    /// Real tokens / slots per component, against these limits.
    pub efficiency: [f64; K],
    /// Harmonic mean of the efficiencies.
    pub harmonic: f64,
}

/// Limits from, to and in steps, for one component: `222:444:10`, the end included where a step meets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// The first limit, at least 1.
    pub from: u32,
    /// No limit is above this one.
    pub to: u32,
    /// The distance of two limits, at least 1.
    pub step: u32,
}

/// How limits are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Every combination.
    Grid,
    /// All limits in proportion until one component is efficient, then the others refined.
    Proportional,
    /// One component free, then fixed at what it needed.
    Free,
    /// Derivative-free search.
    Search,
}

/// A sweep in progress: [`ask`](Self::ask) for limits, pack, [`tell`](Self::tell).
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep<const K: usize> {
    ranges: [Range; K],
    asked: u64,
    points: Vec<Point<K>>,
}

impl<const K: usize> Sweep<K> {
    /// A sweep that has not begun.
    pub fn new(_method: Method, ranges: [Range; K]) -> Self {
        Self { ranges, asked: 0, points: Vec::new() }
    }

    /// The next limits to try. `None` when it is done, or when it has to be told more before it can go on.
    pub fn ask(&mut self) -> Option<Size<K>> {
        let mut rest = self.asked;
        let mut limits = [0; K];
        for (limit, range) in limits.iter_mut().zip(&self.ranges) {
            let steps = u64::from((range.to - range.from) / range.step) + 1;
            *limit = range.from + (rest % steps) as u32 * range.step;
            rest /= steps;
        }
        if rest > 0 {
            return None;
        }
        self.asked += 1;
        Some(limits)
    }

    /// Takes in what came out. The order does not matter.
    pub fn tell(&mut self, point: Point<K>) {
        self.points.push(point);
    }

    /// Whether everything was asked and told.
    pub fn is_done(&self) -> bool {
        Some(self.points.len() as u64) == self.expected()
    }

    /// Points of the whole sweep, where that is known beforehand.
    pub fn expected(&self) -> Option<u64> {
        Some(self.ranges.iter().map(|r| u64::from((r.to - r.from) / r.step) + 1).product())
    }

    /// Every point that was tried, in the order told.
    pub fn points(&self) -> &[Point<K>] {
        &self.points
    }
}
