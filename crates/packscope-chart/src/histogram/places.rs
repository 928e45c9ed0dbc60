//! Axes of lengths that follow the data, or show a part of them.

use super::bins::{self, Bin, FEWEST, STEADY, Width, count_between, typical};
use super::{BarPlaces, Places};
use crate::axis;
use packscope::histogram::Spread;
use std::rc::Rc;

/// The share of an even axis that follows the number of items; the rest follows the logarithm of the length, so that
/// lengths without items have width too, and a limit can be set among the longest.
const ITEMS: f64 = 0.75;
/// The number of items between two knots is this part of all, at most.
const PARTS: u64 = 256;
/// Width of a bar of an even axis, in pixels.
const WIDE: f64 = 4.0;
/// The factor to which the heights of its bars are scaled.
const FACTOR: f64 = 1.1;

/// Returns an axis of these items from `first` to `last`: a part of the axis that ends at `end`, or all of it.
/// O(entries).
pub fn places(
    spread: Spread,
    entries: &[(u32, u64)],
    end: u32,
    [first, last]: [u32; 2],
) -> BarPlaces {
    let last = last.clamp(1, end.max(1));
    let mut axis = LengthAxis {
        spread,
        knots: Vec::new(),
        ends: [first.clamp(1, last), last],
        values: [0.0, 1.0],
    };
    if spread == Spread::Even {
        axis.knots = knots(entries, end.max(1));
    }
    axis.values = axis.edges().map(|edge| axis.value(edge));
    BarPlaces(Rc::new(axis))
}

/// Returns an even axis up to `end` as knots (logarithm of a length, share of the width), both ascending. Between them
/// the logarithm is proportional to the width.
fn knots(entries: &[(u32, u64)], end: u32) -> Vec<[f64; 2]> {
    let within = || entries.iter().filter(|(length, _)| *length <= end);
    let items = within().map(|(_, n)| n).sum::<u64>().max(1);
    let first = within().next().map_or(1, |(length, _)| (*length).max(1));
    let [low, high] = [f64::from(first) - 0.5, f64::from(end) + 0.5];
    let mut knots: Vec<[f64; 2]> = Vec::new();
    let mut last = 0.0;
    let mut put = |edge: f64, below: u64| {
        // Knots ascend strictly: `between` divides by their distances.
        if edge > last {
            let share = (1.0 - ITEMS) * (edge / low).ln() / (high / low).ln();
            knots.push([edge.ln(), ITEMS * below as f64 / items as f64 + share]);
            last = edge;
        }
    };
    put(low, 0);
    let (mut below, mut kept) = (0, 0);
    for &(length, count) in within() {
        // A frequent length gets a knot at either edge, so that its share of the width is its own.
        if below + count - kept >= items.div_ceil(PARTS) {
            put(f64::from(length) - 0.5, below);
            put(f64::from(length) + 0.5, below + count);
            kept = below + count;
        }
        below += count;
    }
    put(high, below);
    knots
}

#[derive(Debug)]
struct LengthAxis {
    spread: Spread,
    /// The knots of an even axis.
    knots: Vec<[f64; 2]>,
    /// The first and the last length.
    ends: [u32; 2],
    /// The values at both ends; places are proportional to values.
    values: [f64; 2],
}

impl LengthAxis {
    /// Returns the ends of the axis, where bars end.
    fn edges(&self) -> [f64; 2] {
        [f64::from(self.ends[0]) - 0.5, f64::from(self.ends[1]) + 0.5]
    }

    fn value(&self, length: f64) -> f64 {
        match self.spread {
            Spread::Linear => length,
            Spread::Log => length.max(0.1).ln(),
            Spread::Even => self.between(length.max(0.1).ln(), [0, 1]),
        }
    }

    /// Returns the other number of the knots at one of their numbers; that of the nearer end beyond them.
    fn between(&self, value: f64, [from, to]: [usize; 2]) -> f64 {
        // There are at least two knots: half a length before the first length, and half a one after
        // the end.
        let last = self.knots.len() - 1;
        let at = self
            .knots
            .partition_point(|knot| knot[from] < value)
            .clamp(1, last);
        let [a, b] = [self.knots[at - 1], self.knots[at]];
        let part = ((value - a[from]) / (b[from] - a[from])).clamp(0.0, 1.0);
        a[to] + (b[to] - a[to]) * part
    }

    /// Returns the bars of an even axis, about equally wide.
    fn even_bars(&self, entries: &[(u32, u64)], pixels: f64) -> Vec<Bin> {
        let count = |bars: u32| {
            let mut at = 0;
            count_between(entries, self.edges(), FACTOR, &mut || {
                at += 1;
                self.length(f64::from(at) / f64::from(bars))
            })
        };
        // Bars are equally wide on the screen, not in factors; the factor only scales their
        // heights.
        let mut bars = (pixels / WIDE).max(1.0) as u32;
        while bars / 2 >= FEWEST && typical(&count(bars)) < STEADY {
            bars /= 2;
        }
        count(bars)
    }

    /// Returns the bars of a linear axis, the first of which begins where the axis does.
    fn linear_bars(&self, entries: &[(u32, u64)], pixels: f64) -> (Width, Vec<Bin>) {
        // Lengths are counted from the first one on the axis, so that `bins` begins its bars there.
        let [before, end] = [self.ends[0] - 1, self.ends[1] - self.ends[0] + 1];
        let within = entries.iter().filter(|(length, _)| *length > before);
        let moved: Vec<(u32, u64)> = within.map(|(length, n)| (length - before, *n)).collect();
        let width = bins::width(&moved, end, pixels);
        let mut bars = bins::count(&moved, end, width);
        bars.iter_mut()
            .for_each(|bar| (bar.from, bar.to) = (bar.from + before, bar.to + before));
        (Width::Lengths(width), bars)
    }
}

impl Places for LengthAxis {
    fn ends(&self) -> [u32; 2] {
        self.ends
    }

    fn share(&self, length: f64) -> f64 {
        let [low, high] = self.values;
        (self.value(length) - low) / (high - low).max(f64::MIN_POSITIVE)
    }

    fn length(&self, share: f64) -> f64 {
        let [low, high] = self.values;
        let value = low + (high - low) * share;
        match self.spread {
            Spread::Linear => value,
            Spread::Log => value.exp(),
            Spread::Even => self.between(value, [1, 0]).exp(),
        }
    }

    fn bars(&self, entries: &[(u32, u64)], pixels: f64) -> (Width, Vec<Bin>) {
        match self.spread {
            Spread::Linear => self.linear_bars(entries, pixels),
            Spread::Log => {
                let factor = bins::factor(entries, self.edges(), pixels);
                (
                    Width::Factor(factor),
                    bins::count_by(entries, self.edges(), factor),
                )
            }
            Spread::Even => (Width::Factor(FACTOR), self.even_bars(entries, pixels)),
        }
    }

    fn ticks(&self, most: f64) -> Vec<u32> {
        let most = most.max(1.0) as u32;
        let at = |k: u32| self.length(f64::from(k) / f64::from(most));
        let round = |k: u32| {
            let gap = at(k) - at(k - 1);
            // Where equal steps are not equal differences, coarse numbers would bring neighbours
            // together.
            let step = axis::round_step(if self.spread == Spread::Linear {
                gap
            } else {
                gap / 4.0
            })
            .max(1.0);
            ((at(k) / step).round() * step) as u32
        };
        // Rounding brings some too close to each other.
        let mut free = f64::NEG_INFINITY;
        let mut has_room = |length: &u32| {
            let share = self.share(f64::from(*length));
            let room = share >= free && (self.ends[0]..=self.ends[1]).contains(length);
            free = if room {
                share + 0.75 / f64::from(most)
            } else {
                free
            };
            room
        };
        (1..=most)
            .map(round)
            .filter(|length| has_room(length))
            .collect()
    }

    fn note(&self) -> &'static str {
        if self.spread == Spread::Even {
            ", wider where more are"
        } else {
            ""
        }
    }
}
