//! The rows themselves: for each line of device pixels the row that is there, O(height).

use super::Input;
use crate::api::Shape;
use crate::chart::{Area, Frame, Rgb, Scene};
use std::cmp::Reverse;

/// Rows at least this high have gaps between their items.
const ITEMS_SEEN: f64 = 5.0;

/// Where rows are stacked, and how many there is room for.
struct Stack {
    area: Area,
    rows: u64,
}

/// The items, longest first, one a row.
pub(super) fn padded(scene: &mut Scene, input: &Input, area: Area, frame: &Frame) {
    let shapes: Vec<Shape> =
        input.entries.iter().rev().map(|&(l, n)| Shape { runs: vec![(l, 1)], count: n }).collect();
    let order: Vec<&Shape> = shapes.iter().collect();
    let to = Stack { area, rows: input.items() };
    stack(scene, &order, input, Some(frame.theme.padding), &to, frame);
}

/// The packs, by their first length and then by the others, longest first. Returns the lower edge of the
/// listed ones.
pub(super) fn packed(scene: &mut Scene, input: &Input, area: Area, frame: &Frame) -> f64 {
    let mut order: Vec<&Shape> = input.shapes.iter().collect();
    order.sort_by_key(|shape| Reverse(&shape.runs));
    let rest = (!input.shortened).then_some(frame.theme.padding);
    stack(scene, &order, input, rest, &Stack { area, rows: input.packs() }, frame)
}

/// Draws rows from the top down; returns where they end.
fn stack(
    scene: &mut Scene,
    order: &[&Shape],
    input: &Input,
    rest: Option<Rgb>,
    to: &Stack,
    frame: &Frame,
) -> f64 {
    let area = to.area;
    let rows = to.rows.max(1) as f64;
    let (first, last) = (frame.device(area.top), frame.device(area.bottom));
    let lines = f64::from((last - first).max(1));
    let css = |line: i32| f64::from(line) / frame.scale;
    let (mut seen, mut top) = (0u64, first);
    for shape in order {
        seen += shape.count;
        // A line of pixels shows the row at its middle, so a shape ends where its last such line does.
        let end = first + (seen as f64 / rows * lines).round() as i32;
        if end > top {
            // A pixel more, which the next row covers: an image that is scaled shows no seams.
            let area = Area { top: css(top), bottom: css((end + 1).min(last)), ..area };
            row(scene, shape, input.limit, area, rest, frame);
            if area.height() / shape.count as f64 >= ITEMS_SEEN {
                gaps(scene, shape, input.limit, Area { bottom: css(end), ..area }, frame);
            }
            top = end;
        }
    }
    css(top)
}

/// Rows of one shape: its items, then what is left. Each part reaches to the end of the last and is
/// covered by the next, so that there are no seams.
fn row(scene: &mut Scene, shape: &Shape, limit: u32, area: Area, rest: Option<Rgb>, frame: &Frame) {
    let x = |slots: u64| area.left + area.width() * slots as f64 / f64::from(limit.max(1));
    let used = shape.used();
    let right = x(used).min(area.right);
    if used < u64::from(limit) {
        let left = (right - 1.0 / frame.scale).max(area.left);
        scene.rect(Area { left, ..area }, rest.unwrap_or(frame.theme.background));
    }
    let (mut at, mut last) = (0, None);
    for &(length, times) in &shape.runs {
        let colour = frame.theme.length_colour(length, limit);
        if last != Some(colour) {
            scene.rect(Area { left: x(at), right, ..area }, colour);
        }
        at += u64::from(length) * u64::from(times);
        last = Some(colour);
    }
}

/// Where rows are high enough to be seen one by one: lines between items and between rows.
fn gaps(scene: &mut Scene, shape: &Shape, limit: u32, area: Area, frame: &Frame) {
    let (ground, height) = (frame.theme.background, area.height() / shape.count as f64);
    let items = shape.runs.iter().flat_map(|&(l, n)| (0..n).map(move |_| u64::from(l)));
    let mut at = 0;
    for length in items {
        at += length;
        let x = area.left + area.width() * at as f64 / f64::from(limit.max(1));
        if x < area.right - 1.0 {
            scene.rule((x, area.top), (x, area.bottom), 1.0, ground);
        }
    }
    for i in 1..=shape.count {
        let y = area.top + height * i as f64 - 1.0;
        scene.rule((area.left, y), (area.right, y), 1.0, ground);
    }
}
