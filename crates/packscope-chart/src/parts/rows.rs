//! The places of rows, of their bars, and of the parts of bars.

use super::names::{self, PartLabel};
use super::{Bar, GAP, Input, PARTS};
use crate::{Area, label_width, widest};

/// Drawings narrower than this have the names of methods above their bars.
const NARROW: f64 = 520.0;
/// Room for the needle of the chosen method.
pub(super) const NEEDLE: f64 = 10.0;
/// Maximum share of the width for names.
const NAMES: f64 = 0.34;
/// Height of a bar, of the name above it, of the names of its parts, and between rows.
const BAR: f64 = 20.0;
const NAME: f64 = 18.0;
const LABELS: f64 = 17.0;
const BETWEEN: f64 = 10.0;
/// Height above the first row, for the outline of a part.
const EDGE: f64 = 2.0;
/// Larger numbers of seconds are drawn as this.
const MOST: f64 = 1e300;

/// The row of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The whole row: words, bar, and half of the space to its neighbours.
    pub area: Area,
    /// The bar; its width is 0 if the method has none.
    pub bar: Area,
    /// The parts of the bar, in order; the width of some may be 0.
    pub parts: [Area; PARTS],
    /// The place of the method's name: its left edge, in the middle of its height.
    pub(super) name: (f64, f64),
    /// Width available for the name.
    pub(super) room: f64,
}

impl Row {
    /// Multiplies all heights by a factor.
    pub(super) fn flattened(&mut self, by: f64) {
        for area in [&mut self.area, &mut self.bar]
            .into_iter()
            .chain(&mut self.parts)
        {
            (area.top, area.bottom) = (area.top * by, area.bottom * by);
        }
        self.name.1 *= by;
    }
}

/// Returns the seconds of the parts; zeros if there is no bar.
pub(super) fn seconds(bar: &Bar) -> [f64; PARTS] {
    let clean = |seconds: f64| {
        // Not-a-number is not above 0 either. Six of the largest still add up to a finite number.
        if seconds > 0.0 {
            seconds.min(MOST)
        } else {
            0.0
        }
    };
    bar.parts.map_or([0.0; PARTS], |parts| {
        parts.named().map(|(_, seconds)| clean(seconds))
    })
}

/// Returns the rows at their preferred heights, with the names of parts. O(methods).
pub(super) fn measured(input: &Input, width: f64) -> (Vec<Row>, Vec<PartLabel>) {
    let beside = width >= NARROW;
    let room = if beside {
        widest(input.bars.iter().map(|bar| bar.name), true).min(width * NAMES)
    } else {
        width - NEEDLE
    };
    let left = NEEDLE + if beside { room.ceil() + GAP } else { 0.0 };
    let scale = scale(input, width - left);
    // Places along the bars come first: which bars bear names of parts, and so need more height,
    // depends on them.
    let across: Vec<[Area; PARTS]> = input
        .bars
        .iter()
        .map(|bar| along(left, scale, bar))
        .collect();
    let labels = names::place_names(&across, input.names, left, width);
    let mut top = 0.0;
    let row = |(i, parts): (usize, [Area; PARTS])| {
        let named = if labels.iter().any(|label| label.bar == i) {
            LABELS
        } else {
            0.0
        };
        let head = named + if beside { 0.0 } else { NAME };
        let begin = if i == 0 { EDGE } else { BETWEEN / 2.0 };
        let above = top + begin + head;
        let area = Area {
            left: 0.0,
            top,
            right: width,
            bottom: above + BAR + BETWEEN / 2.0,
        };
        let name = if beside {
            above + BAR / 2.0
        } else {
            top + begin + NAME / 2.0
        };
        top = area.bottom;
        let parts = parts.map(|part| Area {
            top: above,
            bottom: above + BAR,
            ..part
        });
        let bar = Area {
            right: parts[PARTS - 1].right,
            ..parts[0]
        };
        Row {
            area,
            bar,
            parts,
            name: (NEEDLE, name),
            room,
        }
    };
    let rows = across.iter().copied().enumerate().map(row).collect();
    (rows, labels)
}

/// Returns the pixels of a second: as many as leave every bar room for the words at its end.
fn scale(input: &Input, room: f64) -> f64 {
    let of = |(i, bar): (usize, &Bar)| {
        // The longest bar need not bind: a shorter one may have longer words behind it.
        let words = label_width(&bar.text, input.chosen == Some(i)) + GAP;
        (room - words).max(8.0) / seconds(bar).iter().sum::<f64>()
    };
    let scale = input
        .bars
        .iter()
        .enumerate()
        .map(of)
        .filter(|scale| scale.is_finite());
    scale.fold(f64::INFINITY, f64::min)
}

/// Returns the parts side by side, with no height yet.
fn along(left: f64, scale: f64, bar: &Bar) -> [Area; PARTS] {
    let mut at = left;
    seconds(bar).map(|seconds| {
        let left = at;
        // If no bar has any seconds, there is no scale.
        at += if seconds > 0.0 { seconds * scale } else { 0.0 };
        Area {
            left,
            top: 0.0,
            right: at,
            bottom: 0.0,
        }
    })
}
