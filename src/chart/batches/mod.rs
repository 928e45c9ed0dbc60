//! The batches of one epoch to scale, of two samplers side by side: each a block as high as its rows are many and as
//! wide as its longest row, what is left of its rows in grey.

mod blocks;
mod labels;

use super::{Area, Frame, Scene, painted};
use crate::sampler::Drawn;
use crate::words;
use blocks::Block;
use plotters::prelude::{DrawResult, DrawingBackend};

/// The batches of one sampler.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column<'a> {
    /// What it is called: "Random".
    pub name: &'a str,
    /// Batches in the order of the epoch.
    pub batches: &'a [Drawn],
    /// Of how many batches of the epoch each is one.
    pub every: u64,
    /// Batches of the epoch.
    pub steps: u64,
    /// Rows of the epoch: its sequences, or its packs.
    pub rows: u64,
    /// Share of the slots of the epoch that is padding, in [0, 1].
    pub padding: f64,
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// At the left and at the right; of the same sequences.
    pub columns: [Column<'a>; 2],
    /// The maximum length: slots that a column is wide.
    pub limit: u32,
    /// Only so many batches of each, so that single ones can be seen; else the whole epoch.
    pub first: Option<usize>,
    /// The batch under the pointer: its column, and its place in the column's batches.
    pub hover: Option<(usize, usize)>,
    /// What lengths are counted in: "tokens".
    pub unit: &'a str,
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The columns, as wide as the limit.
    pub areas: [Area; 2],
    /// Of how many batches of the epoch one is drawn, where it is the whole epoch.
    strides: [u64; 2],
    blocks: [Vec<Block>; 2],
}

impl Layout {
    /// The batch at a place: its column, and its place in the column's batches.
    pub fn at(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        let column = self.areas.iter().position(|area| area.contains(x, y))?;
        let blocks = self.blocks.get(column)?;
        let below = blocks.partition_point(|block| block.area.bottom < y);
        blocks.get(below).map(|block| (column, block.index))
    }

    /// Batches that are drawn of a column.
    pub fn shown(&self, column: usize) -> usize {
        self.blocks.get(column).map_or(0, Vec::len)
    }
}

/// Below the columns: slots, and how many batches are shown.
const BELOW: f64 = 42.0;
/// Between the columns.
const GUTTER: f64 = 28.0;
/// Wider would be a wall.
const WIDEST: f64 = 360.0;

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let width = ((frame.width - GUTTER) / 2.0).clamp(20.0, WIDEST);
    let top = labels::heads_height(input, width);
    let height = (frame.height - BELOW - top).max(20.0);
    let strides = blocks::strides(input, height);
    let chosen = [0, 1].map(|k| blocks::chosen(input, k, strides[k]));
    let scales = blocks::scales(input, &chosen, height);
    let mut areas = [0.0, width + GUTTER].map(|left| Area { left, top, right: left + width, bottom: top });
    let blocks = [0, 1].map(|k| blocks::place(input, k, &chosen[k], scales[k], areas[k]));
    for (area, blocks) in areas.iter_mut().zip(&blocks) {
        area.bottom = blocks.last().map_or(top, |block| block.area.bottom);
    }
    Layout { areas, strides, blocks }
}

/// The drawing as marks, and where things are. O(height + batches).
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let layout = layout(input, frame);
    let mut scene = Scene::default();
    for (k, blocks) in layout.blocks.iter().enumerate() {
        blocks::draw(&mut scene, input, k, blocks, frame);
    }
    blocks::hover(&mut scene, input, &layout, frame);
    labels::heads(&mut scene, input, &layout, frame);
    labels::axes(&mut scene, input, &layout, frame);
    labels::notes(&mut scene, input, &layout, frame);
    (scene, layout)
}

/// Draws, and says where things are.
///
/// # Errors
/// What the backend reports.
pub fn draw<DB: DrawingBackend>(backend: &mut DB, input: &Input, frame: &Frame) -> DrawResult<Layout, DB> {
    painted(scene(input, frame), backend, frame)
}

/// The drawing in words.
pub fn summary(input: &Input) -> String {
    let of = input.columns.map(|column| {
        format!(
            "{}: {}, {} padding",
            column.name,
            words::batches(column.steps),
            words::percent(column.padding)
        )
    });
    format!("The batches of one epoch, one below the other. {}.", of.join(". "))
}
