//! Packs as rectangles along the diagonal (Krell et al. 2022, *Tuple Packing*, figure 4): each item uses up
//! some of both limits, and only what remains at the right and at the top is padding.

mod choose;
mod squares;

pub use choose::choose;

use super::{Area, Frame, Scene, both, painted, singular};
use crate::words;
use plotters::prelude::{DrawResult, DrawingBackend};

/// One kind of pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// Its items, in the order they are laid out.
    pub sizes: Vec<[u32; 2]>,
    /// Packs of this kind.
    pub count: u64,
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// The packs.
    pub packs: &'a [Pack],
    /// The limits.
    pub limits: [u32; 2],
    /// The average item and the number of items, for a first square with that item alone.
    pub unpacked: Option<([f64; 2], u64)>,
    /// What the sizes count: "nodes", "edges".
    pub names: [&'a str; 2],
    /// What the items are called: "graphs".
    pub items: &'a str,
    /// Pack and item under the pointer.
    pub hover: Option<(usize, usize)>,
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The square of the average item.
    pub unpacked: Option<Area>,
    /// The square of each pack.
    pub squares: Vec<Area>,
    corners: Vec<Vec<[f64; 2]>>,
}

impl Layout {
    /// Pack and item at a place.
    pub fn at(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        let pack = self.squares.iter().position(|square| square.contains(x, y))?;
        let square = self.squares[pack];
        let across = (x - square.left) / square.width().max(1.0);
        let up = (square.bottom - y) / square.height().max(1.0);
        let corners = self.corners.get(pack)?;
        let item = corners.partition_point(|corner| corner[0] <= across).saturating_sub(1);
        let [low, high] = [corners.get(item)?, corners.get(item + 1)?];
        (low[1]..=high[1]).contains(&up).then_some((pack, item))
    }
}

/// Between squares, at the least.
const GAP: f64 = 14.0;
/// Below a square: two lines of words and some space.
const WORDS: f64 = 40.0;
const BELOW: f64 = WORDS + 14.0;
/// Larger squares would show no more.
const LARGEST: f64 = 190.0;

/// How many squares stand side by side, how large they are, and what is between them.
fn columns(width: f64) -> (usize, f64, f64) {
    let (columns, gap) = match width {
        w if w < 260.0 => (2, GAP),
        w if w < 520.0 => (3, GAP),
        w if w < 700.0 => (4, 20.0),
        w if w < 1100.0 => (5, 28.0),
        _ => (6, 34.0),
    };
    let side = (width - 1.0 - gap * (columns - 1) as f64) / columns as f64;
    (columns, side.clamp(8.0, LARGEST), gap)
}

/// The height that so many squares take up, the one of the average item counted.
pub fn height_for(width: f64, squares: usize) -> f64 {
    let (columns, side, _) = columns(width);
    (squares.div_ceil(columns).max(1) as f64 * (side + BELOW) - (BELOW - WORDS)).ceil()
}

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let (columns, side, gap) = columns(frame.width);
    let square = |i: usize| {
        let (left, top) = ((side + gap) * (i % columns) as f64, (side + BELOW) * (i / columns) as f64);
        Area { left, top, right: left + side, bottom: top + side }
    };
    let first = usize::from(input.unpacked.is_some());
    Layout {
        unpacked: input.unpacked.map(|_| square(0)),
        squares: (0..input.packs.len()).map(|i| square(first + i)).collect(),
        corners: input.packs.iter().map(|pack| corners(&pack.sizes, input.limits)).collect(),
    }
}

/// Where items end as shares of the limits, from the origin on: one more than there are items.
fn corners(sizes: &[[u32; 2]], limits: [u32; 2]) -> Vec<[f64; 2]> {
    let mut sum = [0u64; 2];
    let mut corners = vec![[0.0; 2]];
    corners.extend(sizes.iter().map(|size| {
        sum = std::array::from_fn(|k| sum[k].saturating_add(u64::from(size[k])));
        std::array::from_fn(|k| (sum[k] as f64 / f64::from(limits[k].max(1))).min(1.0))
    }));
    corners
}

/// The drawing as marks, and where things are. O(items).
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let layout = layout(input, frame);
    let mut scene = Scene::default();
    squares::unpacked(&mut scene, input, &layout, frame);
    for i in 0..input.packs.len() {
        squares::pack(&mut scene, input, &layout, i, frame);
    }
    squares::hover(&mut scene, input, &layout, frame);
    (scene, layout)
}

/// Draws, and says where things are.
///
/// # Errors
/// What the backend reports.
pub fn draw<DB: DrawingBackend>(backend: &mut DB, input: &Input, frame: &Frame) -> DrawResult<Layout, DB> {
    painted(scene(input, frame), backend, frame)
}

/// What a pack uses of each limit.
fn used(pack: &Pack) -> [u64; 2] {
    std::array::from_fn(|k| pack.sizes.iter().map(|size| u64::from(size[k])).sum())
}

/// The drawing in words.
pub fn summary(input: &Input) -> String {
    let mut words =
        format!("Packs of at most {}, each item a step along the diagonal.", both(input.limits, input.names));
    for pack in input.packs {
        let [first, second] = used(pack).map(words::count);
        words += &format!(
            " {}, {}: {first} {}, {second} {}.",
            words::plural(pack.sizes.len() as u64, singular(input.items)),
            times(pack.count),
            input.names[0],
            input.names[1]
        );
    }
    words
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{} times", words::count(count)) }
}
