//! Speed-up upwards, accelerators to the right.

use super::{Input, Layout};
use crate::chart::scene::label_width;
use crate::chart::{Frame, Scene, axes, ticks};
use crate::cost::waiting::{ACCELERATORS, MOST};
use crate::words;

/// Between the ticks of speed-ups, at least.
const APART: f64 = 40.0;
/// More than this above the lower end, so that equal values are no zigzag.
const SPAN: f64 = 0.25;
/// Numbers of accelerators with a label: every third power.
const NAMED: usize = 3;

/// Speed-ups at the ends: from padded rows, or from nothing where a method is slower than they are.
pub(super) fn ends(input: &Input) -> (f64, f64) {
    // What two digits do not tell from padded rows is no reason to begin further down.
    let low = if input.values().any(|value| value < 0.995) { 0.0 } else { 1.0 };
    let most = input.values().fold(low, f64::max).min(1e9);
    (low, (most + 0.04 * (most - low)).max(1.0).max(low + SPAN))
}

/// Speed-ups with a line across, and their labels.
pub(super) fn levels(low: f64, high: f64, height: f64) -> Vec<(f64, String)> {
    let step = ticks::round_step((high - low) / (height / APART).clamp(1.0, 6.0));
    let digits = (-step.log10().floor()).clamp(0.0, 3.0) as usize;
    ticks::every(low, high, step).into_iter().map(|level| (level, format!("{level:.digits$}×"))).collect()
}

/// Lines across; the one of padded rows in ink; powers of two below.
pub(super) fn draw(scene: &mut Scene, layout: &Layout, frame: &Frame) {
    let (plot, theme) = (layout.plot, frame.theme);
    let levels = levels(layout.low, layout.high, plot.height());
    let levels: Vec<_> = levels.into_iter().map(|(level, text)| (layout.y(level), text)).collect();
    for (y, _) in &levels {
        scene.rule((plot.left, y - 0.5), (plot.right, y - 0.5), 1.0, theme.hairline);
    }
    axes::beside(scene, plot, &levels, frame);
    scene.rule((plot.left, plot.bottom), (plot.right, plot.bottom), 1.0, theme.second_ink);
    let padded = layout.y(1.0) - 0.5;
    scene.rule((plot.left, padded), (plot.right, padded), 1.0, theme.second_ink);
    for n in ACCELERATORS {
        let x = layout.x(n) - 0.5;
        scene.rule((x, plot.bottom), (x, plot.bottom + 3.0), 1.0, theme.second_ink);
    }
    let label = |n: u32| (layout.x(n), words::count(u64::from(n)));
    let ticks: Vec<_> = ACCELERATORS.into_iter().step_by(NAMED).map(label).collect();
    // The handle of the needle says the unit; here only where no number gives way to it.
    let (last, unit) = (label(MOST), "accelerators");
    let end = last.0 + label_width(&last.1, false) / 2.0 + 12.0 + label_width(unit, false);
    let unit = if end <= frame.width { unit } else { "" };
    axes::below(scene, plot, &ticks, unit, end.min(frame.width), frame);
}
