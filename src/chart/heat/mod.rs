//! How many items there are of each pair of sizes, with both limits as a corner to drag.

mod grid;
mod inset;
mod labels;
mod limits;
mod margin;
mod measure;

pub use grid::{Cell, Map};

use super::{Area, Frame, Point, Scene, axes, both, painted};
use crate::words;
use margin::Margin;
use plotters::prelude::{DrawResult, DrawingBackend};

/// Height of a line of words.
const LINE: f64 = 17.0;

/// A pair of sizes and how many items have it.
type Entry = ([u32; 2], u64);

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// (sizes, items), in any order.
    pub entries: &'a [Entry],
    /// The limits.
    pub limits: [u32; 2],
    /// Sizes that the axes are to reach at least, so that they can stay while a limit is dragged; else the
    /// largest size or the limit, whichever is larger. Both with a twentieth more.
    pub ends: Option<[u32; 2]>,
    /// What the sizes count: "nodes", "edges".
    pub names: [&'a str; 2],
    /// What the items are called: "graphs".
    pub items: &'a str,
    /// The average item.
    pub mean: [f64; 2],
    /// Colours in equal factors instead of equal differences.
    pub log: bool,
    /// A size in the cell under the pointer, such as [`Cell::from`].
    pub hover: Option<[u32; 2]>,
}

impl Input<'_> {
    fn largest(&self) -> [u32; 2] {
        std::array::from_fn(|k| self.entries.iter().map(|(size, _)| size[k]).max().unwrap_or(1).max(1))
    }

    fn total(&self) -> u64 {
        self.entries.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }
}

/// What a pointer can take hold of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corner {
    /// The corner: both limits.
    Both,
    /// The line of the first limit.
    First,
    /// The line of the second limit.
    Second,
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The inside of the axes.
    pub map: Map,
    /// The crowded corner, enlarged, where there is one and room for it.
    pub inset: Option<Map>,
    /// The middle of the corner's handle.
    pub corner: Point,
    largest: [u32; 2],
    margins: [Margin; 2],
    /// Where the distributions are drawn; the second only if there is room.
    above: Area,
    right: Option<Area>,
}

/// How near to a line a pointer takes hold of it.
const REACH: f64 = 12.0;

impl Layout {
    /// The limits at a place, also outside: at least 1, at most twice the largest sizes.
    pub fn limits_at(&self, x: f64, y: f64) -> [u32; 2] {
        let values = self.map.values(x, y);
        let most = |k: usize| f64::from(self.largest[k].saturating_mul(2));
        std::array::from_fn(|k| values[k].round().clamp(1.0, most(k)) as u32)
    }

    /// What can be taken hold of there.
    pub fn near_corner(&self, x: f64, y: f64) -> Option<Corner> {
        let (dx, dy) = (x - self.corner.0, y - self.corner.1);
        let Area { left, bottom, .. } = self.map.area;
        // The lines of the limits run from the axes to the corner.
        let first = dx.abs() <= REACH && dy >= -REACH && y <= bottom + REACH;
        let second = dy.abs() <= REACH && dx <= REACH && x >= left - REACH;
        let hidden = self.inset.as_ref().is_some_and(|inset| inset.area.contains(x, y));
        match (first, second) {
            (true, true) => Some(Corner::Both),
            _ if hidden => None,
            (true, false) => Some(Corner::First),
            (false, true) => Some(Corner::Second),
            (false, false) => None,
        }
    }

    /// The cell with items at a place, in the inset too.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<Cell> {
        let inset = self.inset.as_ref().filter(|inset| inset.area.contains(x, y));
        inset.unwrap_or(&self.map).cell_at(x, y)
    }
}

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    measure::layout(input, frame)
}

/// The drawing as marks, and where things are. O(entries + pixels).
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let layout = layout(input, frame);
    let mut scene = Scene::default();
    limits::ground(&mut scene, input, &layout, frame);
    labels::axes(&mut scene, input, &layout, frame);
    labels::margins(&mut scene, input, &layout, frame);
    cells(&mut scene, input, &layout.map, frame);
    limits::average(&mut scene, input, &layout.map, frame);
    labels::grey(&mut scene, input, &layout, frame);
    limits::lines(&mut scene, &layout, frame);
    inset::draw(&mut scene, input, &layout, frame);
    labels::colours(&mut scene, input, &layout, frame);
    limits::corner(&mut scene, input, &layout, frame);
    labels::hover(&mut scene, input, &layout, frame);
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
    let [first, second] = input.names;
    let [mean, largest] = [input.mean.map(words::mean), input.largest().map(axis_label)];
    format!(
        "Heat map of {} {} by {first} and {second}. On average {} {first} and {} {second}, at most {} and {}. \
         The limits are {}.",
        words::count(input.total()),
        input.items,
        mean[0],
        mean[1],
        largest[0],
        largest[1],
        both(input.limits, input.names),
    )
}

fn axis_label(size: u32) -> String {
    axes::label(f64::from(size))
}

/// The cells, each in the colour of its count.
fn cells(scene: &mut Scene, input: &Input, map: &Map, frame: &Frame) {
    let most = map.most();
    for cell in &map.cells {
        scene.rect(map.cell_area(cell.from), frame.theme.heat(share(cell.count, most, input.log)));
    }
}

/// A count as a share of the largest, in [0, 1].
fn share(count: u64, most: u64, log: bool) -> f64 {
    match log {
        _ if count >= most => 1.0,
        true => (count as f64).ln().max(0.0) / (most as f64).ln(),
        false => count as f64 / most as f64,
    }
}
