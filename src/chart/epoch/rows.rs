//! The rows of both drawings.

use super::Input;
use crate::api::Shape;
use crate::chart::rows::{Alike, Stack};
use crate::chart::{Area, Frame, Rgb, Scene};
use crate::order;

/// The items, longest first, one a row.
pub(super) fn padded(scene: &mut Scene, input: &Input, area: Area, frame: &Frame) {
    let runs: Vec<[(u32, u32); 1]> = input.entries.iter().rev().map(|(l, _)| [(*l, 1)]).collect();
    let counts = input.entries.iter().rev().map(|(_, n)| *n);
    let order = runs.iter().zip(counts).map(|(runs, count)| Alike { runs, count });
    stack(input, area, input.items(), Some(frame.theme.padding)).draw(scene, order, frame);
}

/// The packs, by their first length and then by the others, longest first. Returns the lower edge of the
/// listed ones.
pub(super) fn packed(scene: &mut Scene, input: &Input, area: Area, frame: &Frame) -> f64 {
    let mut order: Vec<&Shape> = input.shapes.iter().collect();
    order::sort_by(&mut order, |a, b| b.runs.cmp(&a.runs));
    let order = order.iter().map(|shape| Alike { runs: &shape.runs, count: shape.count });
    let rest = (!input.shortened).then_some(frame.theme.padding);
    stack(input, area, input.packs(), rest).draw(scene, order, frame)
}

fn stack(input: &Input, area: Area, rows: u64, rest: Option<Rgb>) -> Stack {
    Stack { area, rows, slots: input.limit, limit: input.limit, rest }
}
