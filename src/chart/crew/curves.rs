//! The lines with their errors, and the needle.

use super::{Curve, HANDLE, Input, Layout};
use crate::chart::scene::PATTERNS;
use crate::chart::theme::mix;
use crate::chart::{Frame, Mark, Point, Rgb, Scene};
use crate::cost::waiting::ACCELERATORS;
use crate::order;

/// Bands nowhere higher than this are within the line.
const BAND: f64 = 2.0;

/// The parts of a line where neighbours have values, moved by so many errors.
fn parts(curve: &Curve, errors: f64, layout: &Layout) -> Vec<Vec<Point>> {
    let point = |(i, n): (usize, u32)| {
        let value = curve.values.get(i).copied().filter(|value| value.is_finite())?;
        let error = curve.errors.get(i).copied().filter(|error| error.is_finite()).unwrap_or(0.0);
        Some((layout.x(n), layout.y(value + errors * error)))
    };
    let points: Vec<Option<Point>> = ACCELERATORS.into_iter().enumerate().map(point).collect();
    let runs = points.split(Option::is_none).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().flatten().copied().collect()).collect()
}

/// Where the lines end at the right.
pub(super) fn end(curve: &Curve, layout: &Layout) -> Option<Point> {
    parts(curve, 0.0, layout).last()?.last().copied()
}

/// One standard error to each side.
pub(super) fn bands(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    for (i, curve) in input.curves.iter().enumerate().filter(|(_, curve)| !curve.errors.is_empty()) {
        let chosen = input.chosen == Some(i);
        let colour = if chosen { mix(theme.accent, theme.background, 0.2) } else { theme.hairline };
        for (above, below) in parts(curve, 1.0, layout).into_iter().zip(parts(curve, -1.0, layout)) {
            let high = above.iter().zip(&below).map(|(a, b)| b.1 - a.1).fold(0.0, f64::max);
            if high > BAND && above.len() > 1 {
                scene
                    .marks
                    .push(Mark::Polygon(above.into_iter().chain(below.into_iter().rev()).collect(), colour));
            }
        }
    }
}

/// The number under the pointer, and the present one with its handle.
pub(super) fn needle(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let (plot, theme) = (layout.plot, frame.theme);
    if let Some(n) = input.hover.filter(|n| *n != input.accelerators) {
        let x = layout.x(n) - 0.5;
        scene.rule((x, plot.top), (x, plot.bottom + 3.0), 1.0, theme.second_ink);
    }
    let x = layout.x(input.accelerators);
    scene.needle((x, HANDLE), plot.bottom + 5.0, theme.accent);
}

/// The lines, the chosen one last, each with a dot at the needle.
pub(super) fn draw(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    let chosen = |i: usize| input.chosen == Some(i);
    let mut order: Vec<usize> = (0..input.curves.len()).collect();
    order::sort_by_key(&mut order, |i| chosen(*i));
    for i in order {
        let curve = &input.curves[i];
        let (pattern, width, colour) = look(i, chosen(i), frame);
        for part in parts(curve, 0.0, layout) {
            // A single number has no line, but it has a place.
            if part.len() == 1 {
                scene.disc(part[0], 2.5, colour);
            }
            scene.dashed(&part, pattern, width, colour);
        }
        for n in [input.hover, Some(input.accelerators)].into_iter().flatten() {
            if let Some(value) = curve.at(n) {
                let radius = if chosen(i) { 4.5 } else { 3.0 };
                scene.dot((layout.x(n), layout.y(value)), radius, colour, &theme);
            }
        }
    }
}

/// Dashes, thickness and colour of a line.
fn look(i: usize, chosen: bool, frame: &Frame) -> (&'static [f64], f64, Rgb) {
    if chosen {
        (&[], 2.0, frame.theme.accent)
    } else {
        (PATTERNS[i % PATTERNS.len()], 1.5, frame.theme.second_ink)
    }
}
