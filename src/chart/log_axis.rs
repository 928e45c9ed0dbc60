//! A logarithmic axis of whole numbers, upwards.

use super::axes::{self, Tick};
use super::{Area, Frame, Scene};

/// Between the labels of two ticks, at least.
const APART: f64 = 15.0;
/// The upper end is at least so many times the lower one.
const SPAN: f64 = 4.0;

/// Where numbers are on a plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LogAxis {
    plot: Area,
    low: f64,
    high: f64,
}

impl LogAxis {
    /// From a round number that is not above the one to a little more than the other.
    pub(super) fn new(plot: Area, least: f64, most: f64) -> Self {
        let least = if least.is_finite() { least.max(1.0) } else { 1.0 };
        let most = if most.is_finite() { most.max(least) } else { least };
        let round = [5.0, 2.0, 1.0].map(|first| first * 10f64.powf((least + 1e-9).log10().floor()));
        let low = round.into_iter().find(|low| *low <= least * (1.0 + 1e-9)).unwrap_or(least);
        Self { plot, low: low / 1.1, high: (most * 1.1).max(low * SPAN) }
    }

    /// The same numbers on another plot.
    pub(super) fn on(self, plot: Area) -> Self {
        Self { plot, ..self }
    }

    /// Whether a number is on the plot.
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Where it is, or the nearer end.
    pub(super) fn y(&self, value: f64) -> f64 {
        let share = (value.max(self.low) / self.low).ln() / (self.high / self.low).ln();
        self.plot.bottom - share.clamp(0.0, 1.0) * self.plot.height()
    }

    /// 1, 2, 5, 10, 20 … as far as there is room, else powers of ten.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let decade = self.plot.height() / (self.high / self.low).log10();
        let digits: &[f64] = if decade * 2f64.log10() >= APART { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let every = (APART / decade.max(0.1)).ceil().clamp(1.0, 20.0) as usize;
        let powers = (0..20).step_by(every).map(|power| 10f64.powi(power));
        let values = powers.flat_map(|power| digits.iter().map(move |digit| digit * power));
        values.filter(|value| self.holds(*value)).map(|value| (self.y(value), axes::label(value))).collect()
    }

    /// Lines across with their numbers at the left.
    pub(super) fn grid(&self, scene: &mut Scene, frame: &Frame) {
        let Area { left, right, .. } = self.plot;
        let ticks = self.ticks();
        for (y, _) in &ticks {
            scene.rule((left, y - 0.5), (right, y - 0.5), 1.0, frame.theme.hairline);
        }
        axes::beside(scene, self.plot, &ticks, frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(least: f64, most: f64, height: f64) -> LogAxis {
        LogAxis::new(Area { left: 0.0, top: 0.0, right: 100.0, bottom: height }, least, most)
    }

    fn labels(axis: &LogAxis) -> Vec<String> {
        axis.ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_have_room() {
        assert_eq!(labels(&axis(5.0, 64.0, 200.0)), ["5", "10", "20", "50"]);
        assert_eq!(labels(&axis(1.0, 2525.0, 100.0)), ["1", "10", "100", "1,000"]);
        assert_eq!(labels(&axis(64.0, 64.0, 200.0)), ["50", "100", "200"]);
        assert!(labels(&axis(f64::NAN, f64::INFINITY, 0.0)).len() < 4);
    }

    #[test]
    fn equal_factors_are_equally_far() {
        let axis = axis(1.0, 1000.0, 300.0);
        let [a, b, c] = [5.0, 50.0, 500.0].map(|value| axis.y(value));
        assert!((a - b - (b - c)).abs() < 1e-9 && a > b);
        assert_eq!(axis.y(0.0), 300.0);
    }
}
