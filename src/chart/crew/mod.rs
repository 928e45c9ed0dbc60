//! The speed-up of each method over the number of accelerators, which wait for each other.

mod axis;
mod curves;
mod labels;

use super::{Area, Frame, Point, Scene, axes, painted};
use crate::cost::waiting::{ACCELERATORS, MOST};
use plotters::prelude::{DrawResult, DrawingBackend};

/// Where the needle's handle is.
const HANDLE: f64 = 9.0;

/// One method at every number of accelerators.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Speed-up against padded rows at each of [`ACCELERATORS`]; what is missing or not finite is not drawn.
    pub values: &'a [f64],
    /// Standard error of each, where waiting was simulated; may be empty.
    pub errors: &'a [f64],
}

impl Curve<'_> {
    /// The value at any number of accelerators, on the line between its neighbours.
    fn at(&self, accelerators: u32) -> Option<f64> {
        let place = power(accelerators);
        let value = |i: f64| self.values.get(i as usize).copied().filter(|value| value.is_finite());
        let (low, high) = (value(place.floor())?, value(place.ceil())?);
        Some(low + (high - low) * place.fract())
    }
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// The methods; the place in the list gives the pattern of the dashes.
    pub curves: &'a [Curve<'a>],
    /// The chosen method.
    pub chosen: Option<usize>,
    /// The present number of accelerators.
    pub accelerators: u32,
    /// The number under the pointer.
    pub hover: Option<u32>,
}

impl Input<'_> {
    /// Every speed-up that is drawn.
    fn values(&self) -> impl Iterator<Item = f64> {
        let values = self.curves.iter().flat_map(|curve| curve.values.iter().take(ACCELERATORS.len()));
        values.copied().filter(|value| value.is_finite())
    }
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The inside of the axes.
    pub plot: Area,
    low: f64,
    high: f64,
}

impl Layout {
    /// The number of accelerators nearest to a place on the plot or at its edges: for a press.
    pub fn accelerators_at(&self, (x, y): Point) -> Option<u32> {
        let room = Area { top: 0.0, ..self.plot.grown(14.0) };
        room.contains(x, y).then(|| self.nearest(x))
    }

    /// The number of accelerators nearest to a horizontal position, wherever that is: for a drag.
    pub fn nearest(&self, x: f64) -> u32 {
        let distance = |n: &u32| (self.x(*n) - x).abs();
        ACCELERATORS.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(1)
    }

    fn x(&self, accelerators: u32) -> f64 {
        self.plot.left + power(accelerators) / power(MOST) * self.plot.width()
    }

    fn y(&self, speedup: f64) -> f64 {
        let share = (speedup - self.low) / (self.high - self.low);
        self.plot.bottom - share.clamp(0.0, 1.0) * self.plot.height()
    }
}

/// As a power of two.
fn power(accelerators: u32) -> f64 {
    f64::from(accelerators.clamp(1, MOST)).log2()
}

/// The line with the needle's handle.
const ABOVE: f64 = 28.0;

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let (low, high) = axis::ends(input);
    let top = ABOVE.min(frame.height / 3.0);
    let bottom = (frame.height - axes::BELOW).max(top + 4.0);
    let ticks = axis::levels(low, high, bottom - top);
    let left = axes::margin(ticks.iter().map(|(_, text)| text.as_str())).min(frame.width / 2.0);
    let right = (frame.width - labels::margin(input, frame)).max(left + 4.0);
    Layout { plot: Area { left, top, right, bottom }, low, high }
}

/// The drawing as marks, and where things are. O(methods).
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let layout = layout(input, frame);
    let mut scene = Scene::default();
    axis::draw(&mut scene, &layout, frame);
    curves::bands(&mut scene, input, &layout, frame);
    curves::needle(&mut scene, input, &layout, frame);
    curves::draw(&mut scene, input, &layout, frame);
    labels::names(&mut scene, input, &layout, frame);
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
