//! The lines: the bound, the algorithms, the needle.

use super::axis::Vertical;
use super::{Input, Layout};
use crate::chart::scene::PATTERNS;
use crate::chart::theme::mix;
use crate::chart::{Frame, Point, Rgb, Scene};

/// Distance of the strokes of a hatch.
const HATCH: f64 = 6.0;

/// The parts of a curve where neighbouring depths have values.
pub(super) fn parts(values: &[Option<f64>], vertical: &Vertical, layout: &Layout) -> Vec<Vec<Point>> {
    let points: Vec<Option<Point>> =
        layout.xs.iter().zip(values).map(|(x, v)| v.map(|v| (*x, vertical.y(v)))).collect();
    points
        .split(Option::is_none)
        .filter(|p| !p.is_empty())
        .map(|p| p.iter().flatten().copied().collect())
        .collect()
}

/// The bound, hatched on the side that no plan reaches.
pub(super) fn bound(scene: &mut Scene, input: &Input, vertical: &Vertical, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    for part in parts(input.bound, vertical, layout) {
        for (from, to) in hatch(&part) {
            scene.path(vec![from, to], 1.0, mix(theme.second_ink, theme.background, 0.5));
        }
        scene.path(part, 1.0, theme.second_ink);
    }
}

/// Short strokes along a line, to its left (upwards where it runs to the right).
fn hatch(line: &[Point]) -> Vec<(Point, Point)> {
    let (mut strokes, mut next) = (vec![], HATCH / 2.0);
    for pair in line.windows(2) {
        let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let length = dx.hypot(dy).max(1e-9);
        let (dx, dy) = (dx / length, dy / length);
        while next <= length {
            let (x, y) = (pair[0].0 + dx * next, pair[0].1 + dy * next);
            strokes.push(((x, y), (x + 6.0 * dy + 3.5 * dx, y - 6.0 * dx + 3.5 * dy)));
            next += HATCH;
        }
        next -= length;
    }
    strokes
}

/// The chosen depth, and the one under the pointer.
pub(super) fn needle(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let plot = layout.plot;
    let mut line = |index: Option<usize>, width: f64, colour: Rgb| {
        if let Some(x) = index.and_then(|i| layout.xs.get(i)) {
            let x = x - width / 2.0;
            scene.rule((x, plot.top - 10.0), (x, plot.bottom + 8.0), width, colour);
        }
    };
    line(input.hover.filter(|i| input.depth != Some(*i)), 1.0, frame.theme.second_ink);
    line(input.depth, 1.2, frame.theme.accent);
}

/// The curves; the chosen one last and in the accent.
pub(super) fn draw(scene: &mut Scene, input: &Input, vertical: &Vertical, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    for (i, curve) in input.curves.iter().enumerate().filter(|(i, _)| input.chosen != Some(*i)) {
        for part in parts(curve.values, vertical, layout) {
            // A single depth has no line, but it has a place.
            if part.len() == 1 {
                scene.disc(part[0], 2.5, theme.second_ink);
            }
            scene.dashed(&part, PATTERNS[i % PATTERNS.len()], 1.5, theme.second_ink);
        }
        for at in [input.depth, input.hover].into_iter().flatten() {
            if let Some((x, v)) = layout.xs.get(at).zip(curve.values.get(at).copied().flatten()) {
                scene.dot((*x, vertical.y(v)), 3.0, theme.second_ink, &theme);
            }
        }
    }
    if let Some(curve) = input.chosen.and_then(|i| input.curves.get(i)) {
        chosen(scene, curve.values, input, vertical, layout, frame);
    }
}

fn chosen(
    scene: &mut Scene,
    values: &[Option<f64>],
    input: &Input,
    vertical: &Vertical,
    layout: &Layout,
    frame: &Frame,
) {
    let accent = frame.theme.accent;
    for part in parts(values, vertical, layout) {
        scene.path(part, 2.0, accent);
    }
    for (i, (x, value)) in layout.xs.iter().zip(values).enumerate() {
        if let Some(value) = value {
            let radius = if input.depth == Some(i) || input.hover == Some(i) { 5.0 } else { 2.5 };
            scene.dot((*x, vertical.y(*value)), radius, accent, &frame.theme);
        }
    }
}
