//! How large the batches are along the training, and with which learning rate: epochs one after the other, as long as
//! they have steps.

mod labels;
mod marks;

use super::log_axis::LogAxis;
use super::scene::label_width;
use super::{Area, Frame, Point, Scene, axes, painted};
use crate::words;
use plotters::prelude::{DrawResult, DrawingBackend};

/// One epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch<'a> {
    /// Sequences of its batches in their order, or of some of them, evenly spaced.
    pub sizes: &'a [u64],
    /// Batches of the epoch.
    pub steps: u64,
    /// The largest batch that its BatchCap allows.
    pub cap: Option<u64>,
    /// The learning rate of each of the sizes, where they follow the size; in proportion to its root.
    pub rates: Option<&'a [f64]>,
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// The epochs.
    pub epochs: &'a [Epoch<'a>],
    /// Which of them is looked at.
    pub chosen: usize,
    /// The learning rate of batches of the usual size; `None` at inference.
    pub rate: Option<f64>,
    /// The batch under the pointer: its epoch, and its place in the epoch's sizes.
    pub hover: Option<(usize, usize)>,
}

impl Input<'_> {
    fn sizes(&self) -> impl Iterator<Item = u64> {
        self.epochs.iter().flat_map(|epoch| epoch.sizes).copied()
    }

    /// Learning rate of a batch of one sequence, where rates follow the sizes.
    fn unit_rate(&self) -> Option<f64> {
        let pairs = self.epochs.iter().filter_map(|epoch| Some((epoch.sizes, epoch.rates?)));
        let mut units = pairs.flat_map(|(sizes, rates)| sizes.iter().zip(rates));
        let (size, rate) = units.find(|(size, rate)| **size > 0 && rate.is_finite() && **rate > 0.0)?;
        Some(rate / (*size as f64).sqrt())
    }
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The inside of the axes.
    pub plot: Area,
    sizes: LogAxis,
    /// Left and right edge of each epoch, and how many points it has.
    epochs: Vec<(f64, f64, usize)>,
}

impl Layout {
    /// The batch at a place: its epoch, and its place in the epoch's sizes.
    pub fn at(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        let inside = self.plot.contains(x, y);
        let found = self.epochs.iter().position(|(_, right, _)| x <= *right).filter(|_| inside)?;
        let (left, right, points) = self.epochs.get(found).filter(|(_, _, points)| *points > 0)?;
        let share = (x - left) / (right - left).max(1e-9);
        Some((found, ((share * *points as f64) as usize).min(points - 1)))
    }

    fn point(&self, epoch: usize, index: usize, size: u64) -> Point {
        let (left, right, points) = self.epochs.get(epoch).copied().unwrap_or((0.0, 0.0, 1));
        let x = left + (right - left) * (index as f64 + 0.5) / points.max(1) as f64;
        (x, self.sizes.y(size as f64))
    }
}

/// A line with the names of the axes, one with those of the epochs.
const ABOVE: f64 = 42.0;
/// Caps beyond so many times the largest batch are not on the plot.
const FAR: f64 = 4.0;
/// Room for the words of the highest cap, as a factor.
const HEAD: f64 = 1.25;

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let top = ABOVE.min(frame.height / 3.0);
    let bottom = (frame.height - axes::BELOW).max(top + 4.0);
    let plot = Area { left: 0.0, top, right: frame.width, bottom };
    let sizes = vertical(input, plot);
    let left = axes::margin(sizes.ticks().iter().map(|(_, text)| text.as_str())).min(frame.width / 2.0);
    let right = labels::rates(input, &sizes).into_iter().map(|(_, text)| label_width(&text, false) + 10.0);
    let right = (frame.width - right.fold(6.0, f64::max)).max(left + 4.0);
    let plot = Area { left, right, ..plot };
    let steps = input.epochs.iter().map(|epoch| epoch.steps).sum::<u64>().max(1) as f64;
    let mut before = 0;
    let mut edge = |steps_of: u64| {
        before += steps_of;
        plot.left + plot.width() * before as f64 / steps
    };
    let mut last = plot.left;
    let epochs = input.epochs.iter().map(|epoch| {
        let left = std::mem::replace(&mut last, edge(epoch.steps));
        (left, last, epoch.sizes.len())
    });
    Layout { plot, sizes: sizes.on(plot), epochs: epochs.collect() }
}

fn vertical(input: &Input, plot: Area) -> LogAxis {
    let least = input.sizes().min().unwrap_or(1) as f64;
    let most = input.sizes().max().unwrap_or(1) as f64;
    let caps = input.epochs.iter().filter_map(|epoch| epoch.cap).map(|cap| cap as f64);
    let cap = caps.filter(|cap| *cap <= most * FAR).fold(0.0, |a, b| f64::max(a, b * HEAD));
    LogAxis::new(plot, least, cap.max(most * HEAD))
}

/// The drawing as marks, and where things are. O(points log points).
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let layout = layout(input, frame);
    let mut scene = Scene::default();
    layout.sizes.grid(&mut scene, frame);
    labels::rate_axis(&mut scene, input, &layout, frame);
    labels::steps(&mut scene, input, &layout, frame);
    marks::points(&mut scene, input, &layout, frame);
    marks::caps(&mut scene, input, &layout, frame);
    labels::caps(&mut scene, input, &layout, frame);
    labels::fixed(&mut scene, input, &layout, frame);
    labels::epochs(&mut scene, input, &layout, frame);
    marks::hover(&mut scene, input, &layout, frame);
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
    let of = input.epochs.iter().enumerate().map(|(i, epoch)| {
        let [least, most] = [epoch.sizes.iter().min(), epoch.sizes.iter().max()].map(|n| *n.unwrap_or(&0));
        let cap = epoch.cap.map_or_else(String::new, |cap| format!(", cap {}", words::count(cap)));
        let steps = words::batches(epoch.steps);
        format!(
            " Epoch {}: {steps}, {} to {} sequences{cap}.",
            i + 1,
            words::count(least),
            words::count(most)
        )
    });
    format!("Sequences in a batch along the training.{}", of.collect::<String>())
}
