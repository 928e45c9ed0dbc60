//! What the time of an epoch is spent on, for each method: stacked bars on one scale of time.
//!
//! Useful work has colours of the length scale, padding is grey. What is neither has no colour of its own: keeping
//! packed items apart is hatched, overhead is an empty box, waiting is hatched in ink.

mod fill;
mod names;
mod rows;

use super::{Area, Frame, Point, Scene, painted};
use crate::cost;
use plotters::prelude::{DrawResult, DrawingBackend};
pub use rows::Row;

/// Parts of a bar.
const PARTS: usize = 6;
/// Beside names and ends of bars.
const GAP: f64 = 10.0;

/// One method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Seconds of an epoch; `None` where the accelerator has no kernels for the method.
    pub parts: Option<cost::Parts>,
    /// What stands at the end of the bar: "2.1 h · 1.92×"; where there is none, why.
    pub text: &'a str,
}

/// A part of a bar: its place in the list of methods, and what the part is called.
pub type Part = (usize, &'static str);

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// The methods from above, the padded one first.
    pub bars: &'a [Bar<'a>],
    /// What the parts are called, in the order of [`cost::Parts::named`]; see [`names`].
    pub names: [&'static str; PARTS],
    /// The chosen method.
    pub chosen: Option<usize>,
    /// The part under the pointer.
    pub hover: Option<Part>,
}

/// What the parts are called: in batches of graphs the work is on nodes and edges.
pub fn names(graphs: bool) -> [&'static str; PARTS] {
    let mut names = cost::Parts::default().named().map(|(name, _)| name);
    if graphs {
        [names[0], names[1]] = ["nodes", "edges"];
    }
    names
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The methods, from above.
    pub rows: Vec<Row>,
    names: [&'static str; PARTS],
    labels: Vec<names::Label>,
}

/// Parts narrower than this have as much room for the pointer, taken from wider neighbours.
const REACH: f64 = 7.0;

impl Layout {
    /// The method at a place: in its row, bar or not.
    pub fn bar_at(&self, (x, y): Point) -> Option<usize> {
        self.rows.iter().position(|row| row.area.contains(x, y))
    }

    /// The part at a place; one too narrow to be met has the room beside it.
    pub fn part_at(&self, (x, y): Point) -> Option<Part> {
        let (method, row) =
            self.rows.iter().enumerate().find(|(_, row)| row.bar.grown(3.0).contains(x, y))?;
        let distance = |part: &Area| match part.width() {
            width if width >= REACH => part.contains(x, part.top).then_some(REACH),
            width => {
                let off = (x - f64::midpoint(part.left, part.right)).abs();
                (width > 0.0 && off <= REACH / 2.0).then_some(off)
            }
        };
        let near = row.parts.iter().enumerate().filter_map(|(part, area)| Some((part, distance(area)?)));
        let (part, _) = near.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((method, self.names[part]))
    }
}

/// The height at which every bar can be read, on so wide a drawing.
pub fn height(input: &Input, width: f64) -> f64 {
    rows::measured(input, width).0.last().map_or(0.0, |row| row.area.bottom)
}

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let (mut rows, labels) = rows::measured(input, frame.width);
    let natural = rows.last().map_or(0.0, |row| row.area.bottom);
    if natural > frame.height {
        rows.iter_mut().for_each(|row| row.flattened(frame.height / natural));
    }
    Layout { rows, labels, names: input.names }
}

/// The drawing as marks, and where things are. O(methods).
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let layout = layout(input, frame);
    let mut scene = Scene::default();
    for (bar, row) in input.bars.iter().zip(&layout.rows) {
        fill::parts(&mut scene, bar, row, frame);
    }
    names::methods(&mut scene, input, &layout, frame);
    names::parts(&mut scene, &layout, frame);
    fill::hover(&mut scene, input, &layout, frame);
    (scene, layout)
}

/// Draws, and says where things are.
///
/// # Errors
/// What the backend reports.
pub fn draw<DB: DrawingBackend>(backend: &mut DB, input: &Input, frame: &Frame) -> DrawResult<Layout, DB> {
    painted(scene(input, frame), backend, frame)
}
