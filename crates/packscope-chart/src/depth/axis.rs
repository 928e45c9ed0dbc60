//! The axis of efficiency, upwards.

use super::Input;
use crate::{LABEL, Scale, axis};

/// Efficiencies closer to 1 than this are drawn as 1: one row in a hundred million.
const FULL: f64 = 1e-8;
/// Ticks of the logarithmic axis: padding of a half, a tenth, a hundredth …
const COARSE: [f64; 10] = [1.0, 0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
/// More ticks, for a narrow range.
const DENSE: [f64; 16] = [
    1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3, 5e-4, 1e-4,
];

/// The axis of efficiency. A height is the efficiency, or −log10(1 − efficiency).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EfficiencyAxis {
    scale: Scale,
    /// The length in pixels.
    length: f64,
    pub low: f64,
    pub high: f64,
    /// The height of an efficiency of 1, which would be infinite on the logarithmic axis.
    full: f64,
}

impl EfficiencyAxis {
    pub(super) fn new(input: &Input, length: f64) -> Self {
        let mut axis = Self {
            scale: input.scale,
            length,
            low: 0.0,
            high: 1.0,
            full: 1.0,
        };
        match input.scale {
            Scale::Linear => axis.fit_linear(input),
            Scale::Log => axis.fit_log(input),
        }
        axis
    }

    /// Fits a linear axis from a round percentage below the lowest value to 100 %.
    fn fit_linear(&mut self, input: &Input) {
        // Where all rows are full the axis still needs a span.
        let lowest = input.values().fold(1.0, f64::min).clamp(0.0, 0.999);
        let step = axis::round_step((1.0 - lowest) / 6.0);
        // A value on a tick is not below it, whatever its last digit.
        self.low = ((lowest / step + 1e-9).floor() * step).max(0.0);
    }

    /// Fits a logarithmic axis to the values, widened if they are so close that no tick is among them.
    fn fit_log(&mut self, input: &Input) {
        // Values of 1 would be infinitely high. They get a place of their own above the others:
        // `full`.
        let heights = || input.values().filter(|e| 1.0 - e > FULL).map(height);
        let (low, high) = (
            heights().fold(f64::INFINITY, f64::min),
            heights().fold(0.0, f64::max),
        );
        (self.low, self.high) = if low.is_finite() {
            (low, high)
        } else {
            (0.0, 2.0)
        };
        if self.ticks().len() < 2 {
            let dense = || DENSE.iter().map(|padding| -padding.log10());
            // To the ticks around the values, at most up to a tenth of the padding of the upper
            // one.
            self.low = dense().filter(|h| *h <= low).fold(0.0, f64::max);
            self.high = dense()
                .filter(|h| *h >= high)
                .fold(9.0, f64::min)
                .min(self.low.max(high) + 1.0);
        }
        let span = (self.high - self.low).max(0.1);
        self.full = self.high + 0.25 * span;
        let has_full = input.values().any(|e| 1.0 - e <= FULL);
        self.high = if has_full {
            self.full
        } else {
            self.high + 0.08 * span
        };
        self.low = (self.low - 0.03 * span).max(0.0);
    }

    /// Returns the height of an efficiency.
    pub(super) fn height(&self, efficiency: f64) -> f64 {
        match self.scale {
            Scale::Linear => efficiency,
            Scale::Log if 1.0 - efficiency <= FULL => self.full,
            Scale::Log => height(efficiency),
        }
    }

    /// Returns the pixels from one efficiency up to another.
    pub(super) fn distance(&self, one: f64, other: f64) -> f64 {
        (self.height(other) - self.height(one)) / (self.high - self.low) * self.length
    }

    /// Returns the ticks with room for their labels, from the highest down.
    fn spread(&self, ticks: &[f64]) -> Vec<f64> {
        let mut kept: Vec<f64> = vec![];
        for tick in ticks.iter().rev() {
            if kept
                .last()
                .is_none_or(|last| self.distance(*tick, *last) >= LABEL + 12.0)
            {
                kept.push(*tick);
            }
        }
        kept.reverse();
        kept
    }

    /// Returns the efficiencies with a line across.
    pub(super) fn ticks(&self) -> Vec<f64> {
        if self.scale == Scale::Linear {
            let step = axis::round_step((1.0 - self.low) / 6.0);
            let count = ((1.0 - self.low) / step + 1e-6).floor() as u32;
            return (0..=count)
                // Counted down from 1, which sums of the step may miss by a digit.
                .map(|i| 1.0 - step * f64::from(count - i))
                .collect();
        }
        let within = |paddings: &[f64]| -> Vec<f64> {
            let heights = paddings
                .iter()
                .map(|padding| (-padding.log10(), 1.0 - padding));
            heights
                .filter(|(h, _)| (self.low - 1e-9..=self.high + 1e-9).contains(h))
                .map(|(_, e)| e)
                .collect()
        };
        // By fewer than three coarse ticks the scale could not be read: then denser ones are tried.
        let mut ticks = within(&COARSE);
        if ticks.len() < 3 {
            ticks = self.spread(&within(&DENSE));
        }
        // Ticks just below 100 % give way to its label.
        if self.full <= self.high {
            ticks.retain(|e| height(*e) < self.full - 0.1 * (self.full - self.low));
            ticks.push(1.0);
        }
        ticks
    }
}

fn height(efficiency: f64) -> f64 {
    -(1.0 - efficiency.clamp(0.0, 1.0)).max(FULL).log10()
}
