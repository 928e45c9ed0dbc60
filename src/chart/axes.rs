//! Axes of the drawings with two limits: ticks with labels, which give way to each other.

use super::scene::{LABEL, label_width};
use super::{Area, Frame, Scene};
use crate::words;

/// A place along an axis, and what stands there.
pub(super) type Tick = (f64, String);

/// From the plot to the labels at its left.
const BESIDE: f64 = 8.0;
/// Height below the plot that ticks and their labels take up.
pub(super) const BELOW: f64 = 26.0;

/// The labels of whole numbers.
pub(super) fn label(value: f64) -> String {
    words::count(value.round().max(0.0) as u64)
}

/// Room for labels at the left of a plot.
pub(super) fn margin<'a>(labels: impl IntoIterator<Item = &'a str>) -> f64 {
    labels.into_iter().map(|text| label_width(text, false)).fold(0.0, f64::max).ceil() + BESIDE
}

/// Ticks below a plot, left to right; the name of the axis ends at `end`, and ticks leave it room.
pub(super) fn below(scene: &mut Scene, plot: Area, ticks: &[Tick], name: &str, end: f64, frame: &Frame) {
    let theme = frame.theme;
    let y = plot.bottom + 15.0;
    let mut free = end;
    if !name.is_empty() {
        scene.label(name, (end, y), 1, theme.second_ink, false);
        free = end - label_width(name, false) - 10.0;
    }
    let mut used = f64::NEG_INFINITY;
    for (x, text) in ticks {
        scene.rule((x - 0.5, plot.bottom), (x - 0.5, plot.bottom + 5.0), 1.0, theme.second_ink);
        let half = label_width(text, false) / 2.0;
        let middle = x.max(half);
        if middle - half >= used && middle + half <= free {
            scene.label(text, (middle, y), 0, theme.second_ink, false);
            used = middle + half + 8.0;
        }
    }
}

/// Ticks at the left of a plot, from below upwards.
pub(super) fn beside(scene: &mut Scene, plot: Area, ticks: &[Tick], frame: &Frame) {
    let theme = frame.theme;
    let mut used = f64::INFINITY;
    for (y, text) in ticks {
        scene.rule((plot.left - 5.0, y - 0.5), (plot.left, y - 0.5), 1.0, theme.second_ink);
        if y + LABEL / 2.0 <= used {
            scene.label(text, (plot.left - BESIDE, *y), 1, theme.second_ink, false);
            used = y - LABEL;
        }
    }
}

/// Slots from 0 to a limit, along the lower edge of rows.
pub(super) fn slots(scene: &mut Scene, area: Area, limit: u32, unit: &str, frame: &Frame) {
    let theme = frame.theme;
    let Area { left, right, bottom, .. } = area;
    scene.rule((left, bottom), (right, bottom), 1.0, theme.ink);
    let end = format!("{} {unit}", words::count(u64::from(limit)));
    if label_width(&end, false) + 16.0 <= area.width() {
        scene.label("0", (left, bottom + 14.0), -1, theme.second_ink, false);
    }
    scene.label(end, (right, bottom + 14.0), 1, theme.second_ink, false);
}

/// The name of a vertical axis, above it: over the labels if it fits there.
pub(super) fn above(scene: &mut Scene, plot: Area, name: &str, frame: &Frame) {
    let right = plot.left - BESIDE;
    let y = plot.top - 10.0;
    if label_width(name, false) <= right {
        scene.label(name, (right, y), 1, frame.theme.second_ink, false);
    } else {
        scene.label(name, (0.0, y), -1, frame.theme.second_ink, false);
    }
}
