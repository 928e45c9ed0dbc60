//! Efficiency against depth: how much the rows are filled, by how many items may share one.

mod axis;
mod curves;
mod labels;

use super::{Area, Frame, Scale, Scene, painted};
use crate::chart::scene::label_width;
use crate::packing::Depth;
use crate::words;
use axis::Vertical;
use plotters::prelude::{DrawResult, DrawingBackend};

/// One algorithm at every depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve<'a> {
    /// Its short name.
    pub name: &'a str,
    /// Efficiency in [0, 1] at each depth; `None` where it is not known (yet).
    pub values: &'a [Option<f64>],
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// The depths, in order; evenly spaced whatever they are.
    pub depths: &'a [Depth],
    /// The algorithms; the place in the list gives the pattern of the dashes.
    pub curves: &'a [Curve<'a>],
    /// The efficiency that no plan exceeds, at each depth; may be empty.
    pub bound: &'a [Option<f64>],
    /// Index of the chosen curve.
    pub chosen: Option<usize>,
    /// Index of the chosen depth.
    pub depth: Option<usize>,
    /// Index of the depth under the pointer.
    pub hover: Option<usize>,
    /// How the efficiency is drawn; [`Scale::Log`] has a tenth of the padding at each step.
    pub scale: Scale,
    /// What stands below the axis; empty for nothing.
    pub caption: &'a str,
}

impl Input<'_> {
    /// Every efficiency that is drawn.
    fn values(&self) -> impl Iterator<Item = f64> {
        self.curves.iter().flat_map(|c| c.values).chain(self.bound).flatten().copied()
    }

    /// The chosen curve's efficiency at the chosen depth.
    fn needle(&self) -> Option<f64> {
        *self.curves.get(self.chosen?)?.values.get(self.depth?)?
    }
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The inside of the axes.
    pub plot: Area,
    /// The horizontal position of each depth.
    pub xs: Vec<f64>,
}

impl Layout {
    /// The index of the depth that is nearest to a horizontal position.
    pub fn index_at(&self, x: f64) -> Option<usize> {
        let distance = |i: &usize| (self.xs[*i] - x).abs();
        (0..self.xs.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    measured(input, frame).0
}

/// The drawing as marks, and where things are.
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let (layout, vertical) = measured(input, frame);
    let mut scene = Scene::default();
    axis::draw(&mut scene, input, &vertical, &layout, frame);
    curves::bound(&mut scene, input, &vertical, &layout, frame);
    labels::no_plan(&mut scene, input, &vertical, &layout, frame);
    curves::needle(&mut scene, input, &layout, frame);
    curves::draw(&mut scene, input, &vertical, &layout, frame);
    labels::names(&mut scene, input, &vertical, &layout, frame);
    labels::needle(&mut scene, input, &layout, frame);
    (scene, layout)
}

/// Draws, and says where things are.
///
/// # Errors
/// What the backend reports.
pub fn draw<DB: DrawingBackend>(backend: &mut DB, input: &Input, frame: &Frame) -> DrawResult<Layout, DB> {
    painted(scene(input, frame), backend, frame)
}

fn measured(input: &Input, frame: &Frame) -> (Layout, Vertical) {
    let below = if input.caption.is_empty() { 26.0 } else { 46.0 };
    let mut plot =
        Area { left: 0.0, top: 28.0, right: frame.width, bottom: (frame.height - below).max(60.0) };
    let ticks = Vertical::new(input, plot).ticks();
    let widest = ticks.iter().map(|t| label_width(&words::tick_percent(*t), false)).fold(0.0, f64::max);
    plot.left = widest + 10.0;
    // Only now is it known which curves coincide, and so which names stand together.
    let mut layout = Layout { plot, xs: spaced(plot, input.depths.len()) };
    let vertical = Vertical::new(input, plot);
    plot.right = (frame.width - labels::margin(input, &vertical, &layout, frame)).max(plot.left + 20.0);
    layout = Layout { plot, xs: spaced(plot, input.depths.len()) };
    (layout, Vertical::new(input, plot))
}

fn spaced(plot: Area, count: usize) -> Vec<f64> {
    let step = plot.width() / count.saturating_sub(1).max(1) as f64;
    (0..count).map(|i| plot.left + step * i as f64).collect()
}
