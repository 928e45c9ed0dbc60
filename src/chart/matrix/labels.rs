//! The words round the cells.

use super::{Input, Layout, MARGIN};
use crate::chart::scene::label_width;
use crate::chart::{Frame, Scene, ticks};
use crate::words;

/// What the bars count.
const ROWS: &str = "rows";
/// What the rows are.
pub(super) const LENGTH: &str = "length";
/// What the lowest row is.
pub(super) const EMPTY: &str = "empty";
/// Least distance between the middles of two names of rows.
const LINE: f64 = 12.5;

/// The names of the rows: all, or as many as there is room for.
pub(super) fn lengths(scene: &mut Scene, layout: &Layout, frame: &Frame) {
    let theme = frame.theme;
    let x = layout.cells.left - MARGIN;
    let middle = |top: f64| top + (layout.row() + 1.0) / 2.0;
    scene.label(ROWS, (x, layout.cells.top - 39.0), 1, theme.second_ink, false);
    scene.label(LENGTH, (x, layout.cells.top - 9.0), 1, theme.second_ink, false);
    let step = (LINE / layout.row()).ceil().max(1.0) as usize;
    for (row, length) in layout.lengths.iter().enumerate().step_by(step) {
        let y = middle(layout.cell(0, row).top);
        scene.label(words::count(u64::from(*length)), (x, y), 1, theme.ink, false);
    }
    scene.label(EMPTY, (x, middle(layout.empty.top)), 1, theme.second_ink, false);
}

/// The ranks of the strategies: all, or 1, 5, 10 …
pub(super) fn ranks(scene: &mut Scene, layout: &Layout, frame: &Frame) {
    let widest = label_width(&layout.columns.to_string(), false) + 6.0;
    let step = match ticks::round_step(widest / layout.column) as usize {
        0 | 1 => 1,
        2 => 5,
        step => step,
    };
    let marked = |rank: &usize| rank.is_multiple_of(step) || *rank == 1;
    for rank in (1..=layout.columns).filter(marked) {
        let x = layout.cell(rank - 1, 0).left + (layout.column + 1.0) / 2.0;
        scene.label(rank.to_string(), (x, layout.empty.bottom + 12.0), 0, frame.theme.second_ink, false);
    }
}

/// What the columns are, and how many are not drawn.
pub(super) fn below(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let colour = frame.theme.second_ink;
    let (left, y) = (layout.cells.left, layout.empty.bottom + 31.0);
    let more = input.shapes.len().saturating_sub(layout.columns);
    if more == 0 {
        return scene.label("strategies, most used first", (left, y), -1, colour, false);
    }
    let noun = if more == 1 { "strategy" } else { "strategies" };
    let more = format!("+ {} more {noun}", words::count(more as u64));
    let first = "most used first";
    if label_width(first, false) + label_width(&more, true) + 12.0 < frame.width - left {
        scene.label(first, (left, y), -1, colour, false);
    }
    scene.label(more, (layout.cells.right, y), 1, frame.theme.ink, true);
}
