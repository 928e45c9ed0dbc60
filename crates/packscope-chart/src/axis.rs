//! Axes: the mapping from values to places, the ticks with their labels, and the names.

use super::{Area, LABEL, Pen, Scale, label_width, widest};
use packscope::words;

/// The values along one side of a plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ValueAxis {
    pub ends: [f64; 2],
    /// The places of both ends, in pixels.
    places: [f64; 2],
    scale: Scale,
}

/// A place along an axis, and the label there.
pub(super) type Tick = (f64, String);

/// Distance from the plot to the labels at its left.
pub(super) const BESIDE: f64 = 8.0;
/// Height below the plot that ticks and their labels take up.
pub(super) const BELOW: f64 = 26.0;
/// Minimum distance between the labels of two ticks of [`ValueAxis::count_ticks`].
const APART: f64 = 15.0;
/// The upper end of [`ValueAxis::counts`] is at least this factor above the lower one.
const SPAN: f64 = 4.0;

impl ValueAxis {
    /// Creates an axis along a plot, to the right.
    pub(super) fn across(plot: Area, ends: [f64; 2], scale: Scale) -> Self {
        Self {
            ends,
            places: [plot.left, plot.right],
            scale,
        }
    }

    /// Creates an axis along a plot, upwards.
    pub(super) fn up(plot: Area, ends: [f64; 2], scale: Scale) -> Self {
        Self {
            ends,
            places: [plot.bottom, plot.top],
            scale,
        }
    }

    /// Creates both axes of a plane, linear: to the right and upwards.
    pub(super) fn both(area: Area, [x, y]: [[f64; 2]; 2]) -> [Self; 2] {
        [
            Self::across(area, x, Scale::Linear),
            Self::up(area, y, Scale::Linear),
        ]
    }

    /// Creates an upward logarithmic axis for whole numbers, from a round number ≤ `least` to above `most`.
    pub(super) fn counts(plot: Area, least: f64, most: f64) -> Self {
        let least = if least.is_finite() {
            least.max(1.0)
        } else {
            1.0
        };
        let most = if most.is_finite() {
            most.max(least)
        } else {
            least
        };
        // `log10` of a power of ten may end just below the whole number; the nudge keeps the power
        // in its own decade.
        let round = [5.0, 2.0, 1.0].map(|first| first * 10f64.powf((least + 1e-9).log10().floor()));
        let low = round
            .into_iter()
            .find(|low| *low <= least * (1.0 + 1e-9))
            .unwrap_or(least);
        // Room for a dot at both ends; values that are all alike still need a span.
        Self::up(plot, [low / 1.1, (most * 1.1).max(low * SPAN)], Scale::Log)
    }

    /// Whether a value is on the axis.
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.ends[0]..=self.ends[1]).contains(&value)
    }

    /// Returns the place of a value, continuing the axis beyond both ends.
    pub(super) fn beyond(&self, value: f64) -> f64 {
        self.place(self.share(value))
    }

    /// Returns the place of a value; that of the nearer end for a value beyond it.
    pub(super) fn place_of(&self, value: f64) -> f64 {
        self.place(self.share(value).clamp(0.0, 1.0))
    }

    fn share(&self, value: f64) -> f64 {
        let [low, high] = self.ends;
        match self.scale {
            Scale::Linear => (value - low) / (high - low),
            // 0 has no logarithm. Its share is far below 0 instead, which `place_of` clamps.
            Scale::Log => (value.max(1e-300) / low).ln() / (high / low).ln(),
        }
    }

    fn place(&self, share: f64) -> f64 {
        self.places[0] + (self.places[1] - self.places[0]) * share
    }

    /// Returns the length in pixels.
    fn length(&self) -> f64 {
        (self.places[1] - self.places[0]).abs()
    }

    /// Returns the value at a place, also beyond the ends.
    pub(super) fn value(&self, place: f64) -> f64 {
        let ([low, high], [from, to]) = (self.ends, self.places);
        // Axes upwards run against the pixels, hence the sign. A plot without a pixel divides by 1.
        let share = (place - from) / (to - from).abs().max(1.0).copysign(to - from);
        match self.scale {
            Scale::Linear => low + (high - low) * share,
            Scale::Log => low * (high / low).powf(share),
        }
    }

    /// Returns ticks at the given values.
    pub(super) fn ticks(
        &self,
        values: impl IntoIterator<Item = f64>,
        label: impl Fn(f64) -> String,
    ) -> Vec<Tick> {
        values
            .into_iter()
            .map(|value| (self.beyond(value), label(value)))
            .collect()
    }

    /// Returns ticks at round whole numbers, at least about this many pixels apart.
    pub(super) fn round_ticks(&self, apart: f64) -> Vec<Tick> {
        let most = self.length() / apart;
        self.ticks(whole(self.ends[0], self.ends[1], most.max(1.0)), label)
    }

    /// Returns ticks at powers of ten, those for whose labels there is room.
    pub(super) fn decade_ticks(&self, label: impl Fn(f64) -> String) -> Vec<Tick> {
        let [low, high] = self.ends;
        let first = low.max(1e-12).log10().ceil() as i32;
        // A range that ends at a power of ten has its tick, whatever the last digit of the power.
        let powers = (first..first + 40).map(|power| 10f64.powi(power));
        let all: Vec<f64> = powers.take_while(|value| *value <= high * 1.0001).collect();
        let every = (all.len() as f64 * 44.0 / self.length().max(1.0))
            .ceil()
            .max(1.0) as usize;
        self.ticks(all.into_iter().step_by(every), label)
    }

    /// Returns ticks at multiples of a round step, about this many pixels apart, from about the first to the second of
    /// two numbers of them. The label is made of the value and the step.
    pub(super) fn even_ticks(
        &self,
        apart: f64,
        [least, most]: [f64; 2],
        label: impl Fn(f64, f64) -> String,
    ) -> Vec<Tick> {
        let [low, high] = self.ends;
        let step = round_step((high - low) / (self.length() / apart).clamp(least, most));
        self.ticks(every(low, high, step), |value| label(value, step))
    }

    /// Returns ticks at 1, 2, 5, 10, 20 … if there is room, else at powers of ten.
    pub(super) fn count_ticks(&self) -> Vec<Tick> {
        // Pixels of a factor of ten, on an axis upwards: its lower end has the larger place.
        let decade = (self.places[0] - self.places[1]) / (self.ends[1] / self.ends[0]).log10();
        // 1 and 2 are the closest pair of a decade, as are 5 and 10.
        let digits: &[f64] = if decade * 2f64.log10() >= APART {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let every = (APART / decade.max(0.1)).ceil().clamp(1.0, 20.0) as usize;
        let powers = (0..20).step_by(every).map(|power| 10f64.powi(power));
        let values = powers.flat_map(|power| digits.iter().map(move |digit| digit * power));
        self.ticks(values.filter(|value| self.holds(*value)), label)
    }
}

/// Writes the whole number nearest to a value, at least 0, with separators of thousands.
pub(super) fn label(value: f64) -> String {
    words::count(value.round().max(0.0) as u64)
}

/// Returns the width of labels at the left of a plot.
pub(super) fn margin<T>(ticks: &[(T, String)]) -> f64 {
    widest(ticks.iter().map(|(_, text)| text), false).ceil() + BESIDE
}

impl Pen<'_> {
    /// Draws ticks below a plot, from left to right, with the name of the axis; the name ends at `end`, and ticks keep
    /// clear of it.
    pub(super) fn ticks_below(&mut self, plot: Area, ticks: &[Tick], name: &str, end: f64) {
        let y = plot.bottom + 15.0;
        let mut free = end;
        if !name.is_empty() {
            self.note(name, (end, y), 1);
            free = end - label_width(name, false) - 10.0;
        }
        let mut used = f64::NEG_INFINITY;
        for (x, text) in ticks {
            // Ticks between those with labels are shorter.
            let high = if text.is_empty() { 3.0 } else { 5.0 };
            self.rule(
                (x - 0.5, plot.bottom),
                (x - 0.5, plot.bottom + high),
                1.0,
                self.theme.second_ink,
            );
            if text.is_empty() {
                continue;
            }
            let half = label_width(text, false) / 2.0;
            // A label at the left edge of the drawing would be cut.
            let middle = x.max(half);
            if middle - half >= used && middle + half <= free {
                self.note(text, (middle, y), 0);
                used = middle + half + 8.0;
            }
        }
    }

    /// Draws ticks at the left of a plot, from below upwards.
    pub(super) fn ticks_beside(&mut self, plot: Area, ticks: &[Tick]) {
        let mut used = f64::INFINITY;
        for (y, text) in ticks {
            self.rule(
                (plot.left - 5.0, y - 0.5),
                (plot.left, y - 0.5),
                1.0,
                self.theme.second_ink,
            );
            // Ticks come from below upwards: a label that would touch the one below is left out,
            // its tick stays.
            if y + LABEL / 2.0 <= used {
                self.note(text, (plot.left - BESIDE, *y), 1);
                used = y - LABEL;
            }
        }
    }

    /// Draws lines across a plot, with their ticks at its left.
    pub(super) fn grid(&mut self, plot: Area, ticks: &[Tick]) {
        // A line extends downwards from its place, so half a pixel up centres it on the value.
        for (y, _) in ticks {
            self.rule(
                (plot.left, y - 0.5),
                (plot.right, y - 0.5),
                1.0,
                self.theme.hairline,
            );
        }
        self.ticks_beside(plot, ticks);
    }

    /// Draws a line across a plot, with a label at the left, `above` its value, but without a tick.
    pub(super) fn level(&mut self, plot: Area, y: f64, above: f64, label: String) {
        self.rule(
            (plot.left, y - above),
            (plot.right, y - above),
            1.0,
            self.theme.hairline,
        );
        self.note(label, (plot.left - BESIDE, y), 1);
    }

    pub(super) fn baseline(&mut self, plot: Area) {
        self.rule(
            (plot.left, plot.bottom),
            (plot.right, plot.bottom),
            1.0,
            self.theme.ink,
        );
    }

    /// Draws an axis of slots from 0 to a limit, along the lower edge of rows.
    pub(super) fn slots(&mut self, area: Area, limit: u32, unit: &str) {
        self.baseline(area);
        let end = format!("{} {unit}", words::count(u64::from(limit)));
        let y = area.bottom + 14.0;
        if label_width(&end, false) + 16.0 <= area.width() {
            self.note("0", (area.left, y), -1);
        }
        self.note(end, (area.right, y), 1);
    }

    /// Draws the name of a vertical axis above it: over the labels if it fits there.
    pub(super) fn name_above(&mut self, plot: Area, name: &str) {
        let (right, y) = (plot.left - BESIDE, plot.top - 10.0);
        let fits = label_width(name, false) <= right;
        self.note(
            name,
            (if fits { right } else { 0.0 }, y),
            if fits { 1 } else { -1 },
        );
    }
}

/// Returns the smallest of 1, 2, 5, 10, 20, 50 … that is at least `least`.
pub(super) fn round_step(least: f64) -> f64 {
    // An axis without a span asks for a step of 0, which has no logarithm.
    let power = 10f64.powf(least.max(1e-12).log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|s| s * power)
        // A step that is round already stays as it is, whatever its last digit.
        .find(|s| *s >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// Returns round whole numbers from `low` to `high`, at most about `most` of them.
pub(super) fn whole(low: f64, high: f64, most: f64) -> Vec<f64> {
    let step = round_step(((high - low) / most.max(1.0)).max(1.0));
    every(low, high, step)
}

/// Returns the multiples of a step from `low` to `high`.
pub(super) fn every(low: f64, high: f64, step: f64) -> Vec<f64> {
    // Each is a product: sums of 0.1 would drift off the ticks. Ends that are multiples count,
    // whatever their last digit. The number is bounded because an end may be infinite.
    let first = (low / step - 1e-9).ceil();
    (0..200)
        .map(|i| (first + f64::from(i)) * step)
        .take_while(|v| *v <= high + step * 1e-9)
        .collect()
}

/// Returns the step of an axis of lengths from 1 to `end` with at most `most` ticks: a power of two (or three times
/// one) if the end is a multiple of 32, as most limits are, else 1, 2, 5, 10 …
pub(super) fn length_step(end: u32, most: f64) -> u32 {
    let least = (f64::from(end) / most.max(1.0)).max(1.0);
    if !end.is_multiple_of(32) {
        return round_step(least).min(f64::from(u32::MAX)) as u32;
    }
    // Steps that divide the end put a tick at the limit itself.
    let fits = |step: &u32| f64::from(*step) >= least && end.is_multiple_of(*step);
    (0..31)
        .map(|k| 1u32 << k)
        .find(fits)
        .or_else(|| (0..30).map(|k| 3u32 << k).find(fits))
        .unwrap_or(end)
}
