//! How many items there are of each length, with the limit as a needle to drag.

mod axes;
mod bars;
pub(super) mod bins;
mod labels;

pub use bins::Bin;

use super::{Area, Frame, Scale, Scene, painted};
use crate::words;
use axes::Vertical;
use plotters::prelude::{DrawResult, DrawingBackend};

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// (length, items), ascending.
    pub entries: &'a [(u32, u64)],
    /// The limit; longer items are drawn pale.
    pub limit: u32,
    /// Last length of the axis, so that it can stay while the limit is dragged; else the longest item
    /// or the limit, whichever is longer.
    pub end: Option<u32>,
    /// How the counts are drawn.
    pub scale: Scale,
    /// The length under the pointer.
    pub hover: Option<u32>,
    /// Lengths to point out, such as those in the pack under the pointer.
    pub lit: &'a [u32],
    /// What the items are called: "sequences".
    pub items: &'a str,
    /// What lengths are counted in: "tokens".
    pub unit: &'a str,
}

impl Input<'_> {
    fn end(&self) -> u32 {
        let longest = self.entries.last().map_or(1, |(length, _)| *length);
        self.end.unwrap_or(longest.max(self.limit)).max(1)
    }

    fn total(&self) -> u64 {
        self.entries.iter().map(|(_, n)| n).sum()
    }
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The inside of the axes.
    pub plot: Area,
    /// Last length of the axis.
    pub end: u32,
    /// Lengths in one bar.
    pub bin: u32,
    /// The bars, ascending; none is empty.
    pub bins: Vec<Bin>,
    /// The middle of the limit's handle.
    pub handle: (f64, f64),
}

impl Layout {
    /// The horizontal middle of a length.
    pub fn x_of(&self, length: u32) -> f64 {
        self.edge(f64::from(length))
    }

    /// The length at a horizontal position; the nearest one outside the plot.
    pub fn length_at(&self, x: f64) -> u32 {
        let share = (x - self.plot.left) / self.plot.width().max(1.0);
        (share * f64::from(self.end) + 0.5).round().clamp(1.0, f64::from(self.end)) as u32
    }

    /// The bar that a length is counted in; `None` where there are no items.
    pub fn bin_of(&self, length: u32) -> Option<&Bin> {
        let at = self.bins.partition_point(|bin| bin.to < length);
        self.bins.get(at).filter(|bin| bin.from <= length)
    }

    /// What a bar counts: "sequences of each length", "sequences per 512 tokens".
    pub fn caption(&self, items: &str, unit: &str) -> String {
        match self.bin {
            1 => format!("{items} of each length"),
            n => format!("{items} per {} {unit}", words::count(u64::from(n))),
        }
    }

    /// Where a length is on the axis; length l takes up l − ½ to l + ½, the axis ½ to the end + ½.
    fn edge(&self, length: f64) -> f64 {
        self.plot.left + (length - 0.5) / f64::from(self.end) * self.plot.width()
    }

    /// Left and right edge of a bar.
    fn sides(&self, bin: &Bin) -> (f64, f64) {
        (self.edge(f64::from(bin.from) - 0.5), self.edge(f64::from(bin.to.min(self.end)) + 0.5))
    }
}

/// Space round the plot: the needle's handle above, the lengths below, room for half a handle at the right.
const ABOVE: f64 = 30.0;
const BELOW: f64 = 28.0;
const RIGHT: f64 = 14.0;

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    measured(input, frame).0
}

/// The drawing as marks, and where things are.
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let (layout, vertical) = measured(input, frame);
    let mut scene = Scene::default();
    axes::grid(&mut scene, &vertical, &layout, frame);
    bars::draw(&mut scene, input, &vertical, &layout, frame);
    axes::lengths(&mut scene, input, &layout, frame);
    labels::towers(&mut scene, input, &vertical, &layout, frame);
    labels::limit(&mut scene, input, &layout, frame);
    (scene, layout)
}

/// Draws, and says where things are.
///
/// # Errors
/// What the backend reports.
pub fn draw<DB: DrawingBackend>(backend: &mut DB, input: &Input, frame: &Frame) -> DrawResult<Layout, DB> {
    painted(scene(input, frame), backend, frame)
}

/// The bars are as many as there is width for, and the width depends on the labels of their heights: so
/// the plot is measured twice, first with labels of an ordinary width.
fn measured(input: &Input, frame: &Frame) -> (Layout, Vertical) {
    let end = input.end();
    let mut plot = Area {
        left: 40.0,
        top: ABOVE.min(frame.height / 3.0),
        right: (frame.width - RIGHT).max(60.0),
        bottom: (frame.height - BELOW).max(frame.height / 2.0),
    };
    let bin = bins::width(input.entries, end, plot.width());
    let bins = bins::count(input.entries, end, bin);
    let first = Vertical::new(&bins, input.scale, plot, 0.0);
    plot.left = (first.label_width() + 8.0).min(plot.right - 20.0);
    let mut layout = Layout { plot, end, bin, bins, handle: (0.0, 0.0) };
    layout.handle = (labels::needle(input, &layout), 11.0);
    let head = labels::headroom(input, &first, &layout);
    let vertical = Vertical::new(&layout.bins, input.scale, plot, head);
    (layout, vertical)
}
