//! Which batches are drawn, where, and how.

use super::{Column, Input, Layout};
use crate::chart::rows::{Alike, Stack};
use crate::chart::{Area, Frame, Scene};

/// A batch is to be this high on average, or its rows are not seen: then batches are left out.
const SEEN: f64 = 7.0;
/// Batches at least this high have a gap below them.
const GAP_SEEN: f64 = 4.0;
/// Rows are no higher than this.
const HIGHEST: f64 = 14.0;

/// A batch and its place, without the gap below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Block {
    /// Its place among the batches of the column.
    pub index: usize,
    /// As wide as its rows.
    pub area: Area,
}

/// Of how many batches of the epoch one is drawn, in each column: as few are left out as can be.
pub(super) fn strides(input: &Input, height: f64) -> [u64; 2] {
    [0, 1].map(|k| {
        let column = &input.columns[k];
        let high = height * share(input, k) / column.steps.max(1) as f64;
        let enough = if high > 0.0 { (SEEN / high).ceil() as u64 } else { 1 };
        let every = column.every.max(1);
        enough.div_ceil(every).saturating_mul(every).max(every)
    })
}

/// The batches of a column that are drawn.
pub(super) fn chosen(input: &Input, k: usize, stride: u64) -> Vec<usize> {
    let column = &input.columns[k];
    if let Some(first) = input.first {
        return (0..column.batches.len().min(first)).collect();
    }
    let step = usize::try_from(stride / column.every.max(1)).unwrap_or(usize::MAX).max(1);
    (0..column.batches.len()).step_by(step).collect()
}

/// How high a column is, of the height there is: rows in proportion.
fn share(input: &Input, k: usize) -> f64 {
    let most = input.columns.iter().map(|column| column.rows).max().unwrap_or(0).max(1);
    input.columns[k].rows as f64 / most as f64
}

fn rows(column: &Column, chosen: &[usize]) -> f64 {
    let rows = chosen.iter().filter_map(|i| column.batches.get(*i)).map(|batch| batch.height() as f64);
    rows.sum::<f64>().max(1.0)
}

/// Pixels of a row in each column: the batches that are drawn stand for the whole epoch, or rows are equally high.
pub(super) fn scales(input: &Input, chosen: &[Vec<usize>; 2], height: f64) -> [f64; 2] {
    let rows = [0, 1].map(|k| rows(&input.columns[k], &chosen[k]));
    match input.first {
        Some(_) => [(height / rows[0].max(rows[1])).min(HIGHEST); 2],
        None => [0, 1].map(|k| height * share(input, k) / rows[k]).map(|scale| scale.min(HIGHEST)),
    }
}

/// One below the other.
pub(super) fn place(input: &Input, k: usize, chosen: &[usize], scale: f64, area: Area) -> Vec<Block> {
    let mut bottom = area.top;
    let mut blocks = Vec::with_capacity(chosen.len());
    for (index, batch) in chosen.iter().filter_map(|i| Some((*i, input.columns[k].batches.get(*i)?))) {
        let top = bottom;
        bottom += batch.height() as f64 * scale;
        let slots = f64::from(batch.width) / f64::from(input.limit.max(1));
        let right = area.left + area.width() * slots.min(1.0);
        blocks.push(Block { index, area: Area { left: area.left, top, right, bottom } });
    }
    blocks
}

/// The rows of each batch, longest first, on the grey of its slots.
pub(super) fn draw(scene: &mut Scene, input: &Input, k: usize, blocks: &[Block], frame: &Frame) {
    for Block { index, area } in blocks {
        let Some(batch) = input.columns[k].batches.get(*index) else { continue };
        let gap = if area.height() >= GAP_SEEN { 1.0 } else { 0.0 };
        let stack = Stack {
            area: Area { bottom: area.bottom - gap, ..*area },
            rows: batch.height(),
            slots: batch.width,
            limit: input.limit,
            rest: Some(frame.theme.padding),
        };
        let rows = batch.rows.iter().map(|row| Alike { runs: &row.runs, count: u64::from(row.count) });
        stack.draw(scene, rows, frame);
    }
}

/// The batch under the pointer, in an outline.
pub(super) fn hover(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let Some((k, index)) = input.hover else { return };
    let block = layout.blocks.get(k).and_then(|blocks| blocks.iter().find(|block| block.index == index));
    if let Some(Block { area, .. }) = block {
        let Area { left, top, right, bottom } = *area;
        let inside = Area { left: left.max(0.0), top: top - 1.5, right: right + 1.5, bottom: bottom + 0.5 };
        scene.outline(inside, 1.5, frame.theme.ink);
    }
}
