//! The rows themselves: for each line of device pixels the row that is there, O(height).

use super::Input;
use crate::api::Shape;
use crate::chart::{Area, Frame, Rgb, Scene};
use std::cmp::Reverse;

/// Rows at least this high have gaps between their items.
const ITEMS_SEEN: f64 = 5.0;

/// The items, longest first, one a row.
pub(super) fn padded(scene: &mut Scene, input: &Input, area: Area, frame: &Frame) {
    let shapes: Vec<Shape> =
        input.entries.iter().rev().map(|&(l, n)| Shape { runs: vec![(l, 1)], count: n }).collect();
    let order: Vec<&Shape> = shapes.iter().collect();
    stack(scene, &order, input, area, input.items(), frame);
}

/// The packs, by their first length and then by the others, longest first. Returns the lower edge of the
/// listed ones.
pub(super) fn packed(scene: &mut Scene, input: &Input, area: Area, frame: &Frame) -> f64 {
    let mut order: Vec<&Shape> = input.shapes.iter().collect();
    order.sort_by_key(|shape| Reverse(&shape.runs));
    stack(scene, &order, input, area, input.packs(), frame)
}

/// Draws rows from the top down; returns where they end.
fn stack(scene: &mut Scene, order: &[&Shape], input: &Input, area: Area, rows: u64, frame: &Frame) -> f64 {
    let rows = rows.max(1) as f64;
    let (first, last) = (frame.device(area.top), frame.device(area.bottom));
    let lines = f64::from((last - first).max(1));
    let css = |line: i32| f64::from(line) / frame.scale;
    let (mut seen, mut top) = (0u64, first);
    for shape in order {
        seen += shape.count;
        // A line of pixels shows the row at its middle, so a shape ends where its last such line does.
        let end = first + (seen as f64 / rows * lines).round() as i32;
        if end > top {
            let height = area.height() / rows;
            row(scene, shape, input, Area { top: css(top), bottom: css(end), ..area }, height, frame);
            top = end;
        }
    }
    css(top)
}

/// Rows of one shape: its items, then padding.
fn row(scene: &mut Scene, shape: &Shape, input: &Input, area: Area, height: f64, frame: &Frame) {
    let x = |slots: u64| area.left + area.width() * slots as f64 / f64::from(input.limit.max(1));
    if shape.used() < u64::from(input.limit) {
        scene.rect(area, frame.theme.padding);
    }
    let mut segment = |from: u64, to: u64, colour: Rgb| {
        scene.rect(Area { left: x(from), right: x(to).min(area.right), ..area }, colour);
    };
    let (mut from, mut to, mut last) = (0, 0, None);
    for &(length, times) in &shape.runs {
        let colour = frame.theme.length_colour(length, input.limit);
        if last.is_some_and(|last| last != colour) {
            segment(from, to, last.unwrap_or(colour));
            from = to;
        }
        to += u64::from(length) * u64::from(times);
        last = Some(colour);
    }
    if let Some(colour) = last {
        segment(from, to, colour);
    }
    if height >= ITEMS_SEEN {
        gaps(scene, shape, &x, area, height, frame);
    }
}

/// Where rows are high enough to be seen one by one: lines between items and between rows.
fn gaps(scene: &mut Scene, shape: &Shape, x: &dyn Fn(u64) -> f64, area: Area, height: f64, frame: &Frame) {
    let ground = frame.theme.background;
    let items = shape.runs.iter().flat_map(|&(l, n)| (0..n).map(move |_| u64::from(l)));
    let mut at = 0;
    for length in items {
        at += length;
        if x(at) < area.right - 1.0 {
            scene.rule((x(at), area.top), (x(at), area.bottom), 1.0, ground);
        }
    }
    let mut y = area.top + height;
    while y < area.bottom + 0.5 {
        scene.rule((area.left, y - 1.0), (area.right, y - 1.0), 1.0, ground);
        y += height;
    }
}
