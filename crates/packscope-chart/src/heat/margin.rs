//! The distribution of one component along an edge of the map.

use super::Entry;
use crate::{Area, Pen, Point, axis};

/// Counts of one component's sizes: bin i holds sizes above i × width, up to (i + 1) × width.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Margin {
    width: u32,
    end: f64,
    counts: Vec<u64>,
}

/// Minimum width of a bin in pixels.
const NARROW: f64 = 1.5;

impl Margin {
    /// Creates bins that hold whole steps of the sizes. O(entries + pixels).
    pub(super) fn new(
        entries: &[Entry],
        component: usize,
        step: u32,
        end: f64,
        pixels: f64,
    ) -> Self {
        let each = pixels.max(1.0) / end * f64::from(step);
        // Sizes end below 4.29 · 10⁹, the largest `u32`.
        let width = (axis::round_step((NARROW / each).max(1.0)) * f64::from(step)).min(4e9) as u32;
        let mut counts = vec![0u64; ((end / f64::from(width)).ceil() as usize).max(1)];
        for (size, count) in entries {
            if let Some(slot) = counts.get_mut((size[component].saturating_sub(1) / width) as usize)
            {
                *slot = slot.saturating_add(*count);
            }
        }
        Self { width, end, counts }
    }

    /// Returns the size that this share of the items does not exceed, rounded up to the end of its bin.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        let total: f64 = self.counts.iter().map(|n| *n as f64).sum();
        let mut seen = 0.0;
        let at = self.counts.iter().position(|n| {
            seen += *n as f64;
            seen >= share * total
        });
        f64::from(self.width) * (at.unwrap_or(0) + 1) as f64
    }

    /// Returns the outline from end to end: the place along the axis in [0, 1], and the height in [0, 1].
    fn steps(&self) -> Vec<Point> {
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1) as f64;
        let along = |i: usize| (i as f64 * f64::from(self.width) / self.end).min(1.0);
        let mut steps = vec![(0.0, 0.0)];
        for (i, n) in self.counts.iter().enumerate() {
            let high = *n as f64 / most;
            steps.extend([(along(i), high), (along(i + 1), high)]);
        }
        steps.push((1.0, 0.0));
        steps
    }

    /// Returns the lowest place, in [0, 1], where a share of the axis has only counts below a twenty-fifth of the
    /// largest, so that words fit beside it.
    pub(super) fn quiet(&self, share: f64) -> Option<f64> {
        let most = self.counts.iter().copied().max().unwrap_or(0);
        let steps = (share * self.end / f64::from(self.width)).ceil() as usize;
        let low = |from: &usize| {
            self.counts[*from..]
                .iter()
                .take(steps)
                .all(|n| *n <= most / 25)
        };
        let last = self.counts.len().checked_sub(steps)?;
        // Only beyond the most frequent size: below it the curve still rises.
        let mode = self.counts.iter().position(|n| *n == most)?;
        let from = (mode.min(last)..=last).find(low)?;
        Some(from as f64 * f64::from(self.width) / self.end)
    }

    /// Draws the distribution upwards from the lower edge of an area, or to the right from the left edge.
    pub(super) fn draw(&self, pen: &mut Pen, area: Area, upwards: bool) {
        let at = |(along, high): Point| {
            let (x, y) = if upwards {
                (along, high)
            } else {
                (high, along)
            };
            (
                area.left + x * area.width(),
                area.bottom - y * area.height(),
            )
        };
        pen.polygon(
            self.steps().into_iter().map(at).collect(),
            pen.theme.marginal,
        );
    }
}
