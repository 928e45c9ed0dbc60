//! One epoch to scale: every row as it is padded, beside every row as it is packed. Both have the same
//! rows in a pixel: half the height is half the steps.

mod labels;
mod rows;

use super::{Area, Frame, Scene, painted};
use crate::api::Shape;
use plotters::prelude::{DrawResult, DrawingBackend};

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// (length, items), ascending; none longer than the limit.
    pub entries: &'a [(u32, u64)],
    /// Slots in a row.
    pub limit: u32,
    /// The packs, in any order.
    pub shapes: &'a [Shape],
    /// Packs whose shape is not among them.
    pub unlisted: u64,
    /// Share of the slots that is padding with one item a row, in [0, 1].
    pub padded: f64,
    /// Share of the slots that is padding in the packs.
    pub packed: f64,
    /// What the packs are called: "Packed", or "Sorted" for sorted batches.
    pub name: &'a str,
    /// Rows end with their items instead of being padded to the limit, as in sorted batches.
    pub shortened: bool,
    /// What lengths are counted in: "tokens".
    pub unit: &'a str,
}

impl Input<'_> {
    /// Rows with one item each.
    fn items(&self) -> u64 {
        self.entries.iter().map(|(_, n)| n).sum()
    }

    /// Rows as packed.
    fn packs(&self) -> u64 {
        self.shapes.iter().map(|s| s.count).sum::<u64>() + self.unlisted
    }
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    /// The rows with one item each.
    pub padded: Area,
    /// The rows as packed.
    pub packed: Area,
    /// Rows in one CSS pixel of height.
    pub rows_per_pixel: f64,
}

/// Two lines of words above, one below, and the gutter between the two.
const ABOVE: f64 = 42.0;
const BELOW: f64 = 24.0;
const GUTTER: f64 = 28.0;
/// Wider would be a wall.
const WIDEST: f64 = 360.0;

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let width = ((frame.width - GUTTER) / 2.0).clamp(20.0, WIDEST);
    let bottom = (frame.height - BELOW).max(ABOVE + 20.0);
    // Sorted batches can have as many rows as there are items; never more.
    let rows = input.items().max(input.packs()).max(1) as f64;
    let height = bottom - ABOVE;
    let tall = |rows_there: u64| ABOVE + height * rows_there as f64 / rows;
    let column = |left: f64, bottom: f64| Area { left, top: ABOVE, right: left + width, bottom };
    Layout {
        padded: column(0.0, tall(input.items())),
        packed: column(width + GUTTER, tall(input.packs())),
        rows_per_pixel: rows / height,
    }
}

/// The drawing as marks, and where things are.
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let layout = layout(input, frame);
    let mut scene = Scene::default();
    rows::padded(&mut scene, input, layout.padded, frame);
    let listed = rows::packed(&mut scene, input, layout.packed, frame);
    labels::heads(&mut scene, input, &layout, frame);
    labels::axis(&mut scene, input, &layout, frame);
    labels::padding(&mut scene, input, &layout, frame);
    labels::unlisted(&mut scene, input, listed, &layout, frame);
    labels::saved(&mut scene, input, &layout, frame);
    (scene, layout)
}

/// Draws, and says where things are.
///
/// # Errors
/// What the backend reports.
pub fn draw<DB: DrawingBackend>(backend: &mut DB, input: &Input, frame: &Frame) -> DrawResult<Layout, DB> {
    painted(scene(input, frame), backend, frame)
}
