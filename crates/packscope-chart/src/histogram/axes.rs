//! The axes: counts upwards, lengths to the right.

use super::{Across, BarPlaces, Bin, Input, Layout};
use crate::{Area, BESIDE, Pen, Scale, ValueAxis, axis, label_width, widest};
use packscope::{order, words};
use std::cmp::Reverse;
use std::f64::consts::LN_2;

/// The horizontal axis: lengths.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Horizontal {
    /// The lengths, or shares of the width.
    axis: ValueAxis,
    placed: Option<BarPlaces>,
}

impl Horizontal {
    pub(super) fn new(plot: Area, ends: [f64; 2], across: &Across) -> Self {
        let (scale, ends, placed) = match across {
            Across::Linear => (Scale::Linear, ends, None),
            Across::Log => (Scale::Log, ends, None),
            Across::Placed(placed) => (Scale::Linear, [0.0, 1.0], Some(placed.clone())),
        };
        Self {
            axis: ValueAxis::across(plot, ends, scale),
            placed,
        }
    }

    /// Returns the place of a length; that of the nearer end for a length beyond it.
    pub(super) fn place_of(&self, length: f64) -> f64 {
        self.axis.place_of(
            self.placed
                .as_ref()
                .map_or(length, |placed| placed.0.share(length)),
        )
    }

    /// Returns the length at a place.
    pub(super) fn length(&self, x: f64) -> f64 {
        let value = self.axis.value(x);
        self.placed
            .as_ref()
            .map_or(value, |placed| placed.0.length(value))
    }

    pub(super) fn is_placed(&self) -> bool {
        self.placed.is_some()
    }

    pub(super) fn note(&self) -> &'static str {
        self.placed.as_ref().map_or("", |placed| placed.0.note())
    }
}

/// The vertical axis: the heights of counts, and the bars that are cut.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CountAxis {
    axis: ValueAxis,
    /// The counts with a line across.
    ticks: Vec<u64>,
    /// Bars with more than this tower over the rest.
    pub cut: Option<u64>,
}

/// Maximum number of bars that are cut.
const TOWERS: usize = 3;
/// A bar towers over the rest if it is this many times as high as the next.
const TOWERING: u64 = 3;
/// The count at the baseline of a logarithmic axis, so that a single item is seen.
const LOG_BASE: f64 = 0.5;

impl CountAxis {
    /// Creates an axis whose highest bar stays `head` pixels below the upper edge.
    pub(super) fn new(bins: &[Bin], scale: Scale, plot: Area, head: f64) -> Self {
        let mut counts: Vec<u64> = bins.iter().map(|bin| bin.height).collect();
        order::sort_by_key(&mut counts, |count| Reverse(*count));
        let cut = match scale {
            Scale::Linear => cut(&counts),
            Scale::Log => None,
        };
        let highest = counts
            .into_iter()
            .find(|c| cut.is_none_or(|cut| *c <= cut))
            .unwrap_or(1) as f64;
        // The axis is longer than the highest bar, by the share of the height that stays free. On a
        // logarithmic axis a longer axis is a power instead of a multiple.
        let room = plot.height() / (plot.height() - head.max(8.0)).max(1.0);
        let ends = match scale {
            Scale::Linear => [0.0, highest * room],
            Scale::Log => [
                LOG_BASE,
                LOG_BASE * (highest.max(1.0) / LOG_BASE).powf(room),
            ],
        };
        Self {
            axis: ValueAxis::up(plot, ends, scale),
            ticks: counts_with_lines(ends[1], scale, plot),
            cut,
        }
    }

    /// Returns the upper end of a bar.
    pub(super) fn y(&self, count: u64) -> f64 {
        self.axis.place_of(count as f64)
    }

    pub(super) fn is_cut(&self, bin: &Bin) -> bool {
        self.cut.is_some_and(|cut| bin.height > cut)
    }

    /// Returns the width of the widest label.
    pub(super) fn label_width(&self) -> f64 {
        widest(self.ticks.iter().map(|n| words::short(*n)), false)
    }
}

fn counts_with_lines(top: f64, scale: Scale, plot: Area) -> Vec<u64> {
    match scale {
        Scale::Linear => {
            let lines = (plot.height() / 48.0).max(1.0);
            let step = (axis::round_step(top / lines) as u64).max(1);
            (0..=(top as u64) / step).map(|i| i * step).collect()
        }
        Scale::Log => (0..19)
            .map(|k| 10u64.pow(k))
            .take_while(|n| *n as f64 <= top)
            .collect(),
    }
}

/// Returns the count above which bars tower over the rest, given the counts in descending order.
fn cut(counts: &[u64]) -> Option<u64> {
    // Of few bars none is an exception. The most that can be cut comes first: two towers of like
    // height are no exception to each other, but both are to the rest.
    let few = TOWERS.min(counts.len() / 8);
    (1..=few)
        .rev()
        .map(|k| (counts[k - 1], counts[k]))
        .find(|(a, b)| *a > b * TOWERING)
        .map(|(_, b)| b)
}

/// Draws lines across, with their counts at the left.
pub(super) fn grid(pen: &mut Pen, layout: &Layout) {
    for n in &layout.vertical.ticks {
        let (y, label) = (layout.vertical.y(*n), words::short(*n));
        if *n > 0 {
            pen.level(layout.plot, y, 0.0, label);
        } else {
            pen.note(label, (layout.plot.left - BESIDE, y), 1);
        }
    }
}

/// Draws the baseline with ticks at round lengths; the last one has the unit.
pub(super) fn lengths(pen: &mut Pen, input: &Input, layout: &Layout) {
    let plot = layout.plot;
    pen.baseline(plot);
    let widest = label_width(&words::count(u64::from(layout.end)), false);
    let (first, ticks) = (
        layout.start,
        ticks(&input.across, layout, plot.width() / (widest + 22.0)),
    );
    // Its label has the unit and ends with the drawing, so that its width decides what else has
    // room.
    let last = ticks.last().copied().unwrap_or(layout.end);
    let words = format!("{} {}", words::count(u64::from(last)), input.unit);
    let wide = label_width(&words, false);
    let right = (layout.x_of(last) + wide / 2.0).min(pen.frame.width);
    for length in std::iter::once(first).chain(ticks.into_iter().filter(|length| *length > first)) {
        let x = layout.x_of(length);
        pen.rule((x, plot.bottom), (x, plot.bottom + 5.0), 1.0, pen.theme.ink);
        let text = words::count(u64::from(length));
        let half = label_width(&text, false) / 2.0;
        let beside = label_width(&words::count(u64::from(first)), false) / 2.0 + 8.0;
        // The first round length may be too close to 1, and the last label is longer than the others.
        let clear = x - half > layout.x_of(first) + beside && x + half + 8.0 < right - wide;
        if length == first || (clear && length != last) {
            pen.note(text, (x, plot.bottom + 15.0), 0);
        }
    }
    pen.note(words, (right, plot.bottom + 15.0), 1);
}

/// Returns round lengths, at most about `most`: multiples of one, or powers of two on a logarithmic axis.
fn ticks(across: &Across, layout: &Layout, most: f64) -> Vec<u32> {
    let (start, end) = (layout.start, layout.end);
    match across {
        Across::Linear => {
            let step = axis::length_step(end, most).max(1);
            (1..=end / step).map(|i| i * step).collect()
        }
        Across::Placed(placed) => placed.0.ticks(most),
        Across::Log => {
            let doublings = (f64::from(end) / f64::from(start)).ln() / LN_2;
            let every = (doublings / most.max(1.0)).ceil().clamp(1.0, 31.0) as u32;
            // Powers are counted back from the largest one, since limits are usually powers of two.
            let (mut length, mut ticks) = (1 << end.ilog2(), Vec::new());
            // `every` is at least 1 and `start` too, so that shifting ends this loop.
            while length >= start {
                ticks.insert(0, length);
                length >>= every;
            }
            ticks
        }
    }
}
