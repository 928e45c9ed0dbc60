//! The strategy matrix: a column for each strategy, most used first, a row for each length; a cell says how
//! often the length is in the pack. Above each column stands how many packs there are of it, below it what
//! stays empty.
//!
//! After the strategy matrix in the blog post on Packed BERT, its figure 4.

mod cells;
mod labels;

use super::{Area, Frame, Scene, painted};
use crate::api::Shape;
use crate::chart::scene::label_width;
use crate::words;
use plotters::prelude::{DrawResult, DrawingBackend};

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// The strategies, most packs first.
    pub shapes: &'a [Shape],
    /// Slots in a pack.
    pub limit: u32,
}

impl Input<'_> {
    /// The lengths that occur, ascending: the rows.
    pub fn lengths(&self) -> Vec<u32> {
        lengths(self.shapes)
    }

    /// Slots of a strategy that stay empty.
    fn empty(&self, shape: &Shape) -> u64 {
        u64::from(self.limit).saturating_sub(shape.used())
    }

    /// The largest number in a cell: times in a pack, and empty slots.
    fn largest(&self) -> (u32, u64) {
        let times = self.shapes.iter().flat_map(|s| &s.runs).map(|(_, n)| *n).max();
        (times.unwrap_or(1), self.shapes.iter().map(|s| self.empty(s)).max().unwrap_or(0))
    }
}

fn lengths(shapes: &[Shape]) -> Vec<u32> {
    let mut lengths: Vec<u32> = shapes.iter().flat_map(|s| &s.runs).map(|(length, _)| *length).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The cells of the lengths.
    pub cells: Area,
    /// The cells of the empty slots.
    pub empty: Area,
    /// The lengths of the rows, from the top: those in the strategies that are drawn.
    pub lengths: Vec<u32>,
    /// Strategies drawn: the most used.
    pub columns: usize,
    /// Width of a column.
    pub column: f64,
    /// Size of the numbers in the cells of lengths; without numbers a fuller colour is a larger number.
    pub times: Option<f64>,
    /// Size of the numbers of empty slots.
    pub rest: Option<f64>,
}

impl Layout {
    /// Height of a row.
    fn row(&self) -> f64 {
        self.empty.height()
    }

    /// One cell of the lengths.
    fn cell(&self, column: usize, row: usize) -> Area {
        let top = self.cells.top + self.row() * row as f64;
        let left = self.cells.left + self.column * column as f64;
        Area { left, top, right: left + self.column, bottom: top + self.row() }
    }

    /// One cell of the empty slots.
    fn below(&self, column: usize) -> Area {
        Area { top: self.empty.top, bottom: self.empty.bottom, ..self.cell(column, 0) }
    }
}

/// Above the cells: a line of words, and the bars with their counts.
const ABOVE: f64 = 66.0;
/// Between the lengths and the empty slots.
const GAP: f64 = 5.0;
/// Below: the ranks of the strategies, and a line of words.
const BELOW: f64 = 42.0;
/// From the names of the rows to the cells.
const MARGIN: f64 = 8.0;
/// Rows are as high as this, or lower where there are many.
const ROW: f64 = 22.0;
/// Lower rows could not be read.
const LOWEST: f64 = 13.0;
/// Rows together are not higher than this, if they need not be.
const TALL: f64 = 540.0;
/// Columns are not wider than this.
const WIDE: f64 = 40.0;
/// Narrower columns could not be told apart.
const NARROW: f64 = 9.0;

/// The height at which every row can be read, on so wide a drawing.
pub fn height(input: &Input, width: f64) -> f64 {
    let columns = columns(input, width - margin(input) - 1.0).min(input.shapes.len());
    let rows = (lengths(&input.shapes[..columns]).len() + 1) as f64;
    ABOVE + GAP + BELOW + rows * (TALL / rows).floor().clamp(LOWEST, ROW)
}

/// Room for the names of the rows.
fn margin(input: &Input) -> f64 {
    let names = input.lengths().into_iter().map(|length| words::count(u64::from(length)));
    let names = names.chain([labels::LENGTH.to_owned(), labels::EMPTY.to_owned()]);
    names.map(|name| label_width(&name, false)).fold(0.0, f64::max).ceil() + MARGIN
}

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    // Whole pixels of the device: every cell is as large as the next.
    let whole = |css: f64| (css * frame.scale).floor().max(1.0) / frame.scale;
    let left = margin(input);
    let columns = columns(input, frame.width - left - 1.0);
    let lengths = lengths(&input.shapes[..columns.min(input.shapes.len())]);
    let row = whole(((frame.height - ABOVE - GAP - BELOW) / (lengths.len() + 1) as f64).min(ROW));
    let column = whole(((frame.width - left - 1.0) / columns.max(1) as f64).min(WIDE));
    let right = left + column * columns as f64;
    let bottom = ABOVE + row * lengths.len() as f64;
    Layout {
        cells: Area { left, top: ABOVE, right, bottom },
        empty: Area { left, top: bottom + GAP, right, bottom: bottom + GAP + row },
        lengths,
        columns,
        column,
        times: size(u64::from(input.largest().0), column),
        rest: size(input.largest().1, column),
    }
}

/// How many strategies there is room for. All of them without numbers are better than some with, and some
/// with numbers better than some without.
fn columns(input: &Input, room: f64) -> usize {
    let all = input.shapes.len();
    let fit = |width: f64| ((room.max(0.0) / width).floor() as usize).max(1);
    let largest = u64::from(input.largest().0);
    if fit(NARROW) >= all { all } else { fit(width(largest, SIZES[1]).max(NARROW)) }
}

/// Sizes of numbers in cells.
const SIZES: [f64; 4] = [12.0, 11.0, 10.0, 9.0];

/// The largest size in which a number fits a cell.
fn size(number: u64, column: f64) -> Option<f64> {
    SIZES.into_iter().find(|size| width(number, *size) <= column)
}

/// Width of a cell with a number.
fn width(number: u64, size: f64) -> f64 {
    number.to_string().len() as f64 * 0.56 * size + 1.5
}

/// The drawing as marks, and where things are.
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let layout = layout(input, frame);
    let mut scene = Scene::default();
    cells::grid(&mut scene, &layout, frame);
    cells::draw(&mut scene, input, &layout, frame);
    cells::bars(&mut scene, input, &layout, frame);
    labels::lengths(&mut scene, &layout, frame);
    labels::ranks(&mut scene, &layout, frame);
    labels::below(&mut scene, input, &layout, frame);
    (scene, layout)
}

/// Draws, and says where things are.
///
/// # Errors
/// What the backend reports.
pub fn draw<DB: DrawingBackend>(backend: &mut DB, input: &Input, frame: &Frame) -> DrawResult<Layout, DB> {
    painted(scene(input, frame), backend, frame)
}
