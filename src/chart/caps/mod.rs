//! How large a batch may be by the length of its longest sequence: what the accelerator has room for, and what the
//! epochs allow.

mod labels;
mod lines;

use super::log_axis::LogAxis;
use super::{Area, Frame, Scene, axes, painted};
use crate::sampler::HwCap;
use crate::words;
use plotters::prelude::{DrawResult, DrawingBackend};

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// The largest batch by length.
    pub hwcap: &'a HwCap,
    /// The table of the paper, where another one is in use.
    pub published: Option<&'a HwCap>,
    /// The maximum length.
    pub limit: u32,
    /// What the epochs are called, and the largest batch of each.
    pub caps: &'a [(String, u64)],
    /// Which epoch is looked at.
    pub chosen: usize,
    /// (length, sequences), ascending.
    pub lengths: &'a [(u32, u64)],
    /// Sequences in the batches of samplers whose size is fixed.
    pub batch: u64,
    /// The length under the pointer.
    pub hover: Option<u32>,
    /// What lengths are counted in: "tokens".
    pub unit: &'a str,
}

impl Input<'_> {
    /// The cap of the chosen epoch.
    fn cap(&self) -> u64 {
        self.caps.get(self.chosen).map_or(u64::MAX, |(_, cap)| *cap)
    }

    /// The largest batch of a length in the chosen epoch.
    pub fn in_force(&self, length: u32) -> u64 {
        u64::from(self.hwcap.at(length)).min(self.cap())
    }
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The inside of the axes.
    pub plot: Area,
    /// Where the lengths of the data are, below it.
    pub data: Area,
    sizes: LogAxis,
    limit: u32,
}

impl Layout {
    /// The length at a horizontal position; the nearest one outside the plot.
    pub fn at(&self, x: f64) -> u32 {
        let share = (x - self.plot.left) / self.plot.width().max(1.0);
        (share * f64::from(self.limit)).ceil().clamp(1.0, f64::from(self.limit.max(1))) as u32
    }

    /// The right edge of a length, which takes up the step before it.
    fn x(&self, length: u32) -> f64 {
        self.plot.left + f64::from(length) / f64::from(self.limit.max(1)) * self.plot.width()
    }
}

/// The line with the name of the axis.
const ABOVE: f64 = 26.0;
/// Height of the lengths of the data, as a share of the drawing.
const DATA: f64 = 0.13;
/// The axis begins at the smallest batch, divided by this.
const FOOT: f64 = 1.6;

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let top = ABOVE.min(frame.height / 4.0);
    let floor = (frame.height - axes::BELOW).max(top + 8.0);
    let bottom = (floor - frame.height * DATA).max(top + 4.0);
    let sizes = vertical(input, Area { left: 0.0, top, right: frame.width, bottom });
    let left = axes::margin(sizes.ticks().iter().map(|(_, text)| text.as_str())).min(frame.width / 2.0);
    let plot = Area { left, top, right: (frame.width - 10.0).max(left + 4.0), bottom };
    let data = Area { top: bottom + 4.0, bottom: floor, ..plot };
    Layout { plot, data, sizes: sizes.on(plot), limit: input.limit }
}

/// From the smallest batch to the largest: what lengths of 1 and of the limit may have, and the caps.
fn vertical(input: &Input, plot: Area) -> LogAxis {
    let tables = [Some(input.hwcap), input.published];
    let ends = tables.into_iter().flatten().flat_map(|table| [table.at(1), table.at(input.limit)]);
    let fixed = [input.batch, input.cap()].into_iter().filter(|size| *size > 0 && *size < u64::MAX);
    let values = || ends.clone().map(f64::from).chain(fixed.clone().map(|size| size as f64));
    let most = f64::from(input.hwcap.at(1)).max(input.batch as f64);
    let least = values().fold(f64::INFINITY, f64::min) / FOOT;
    let most = values().filter(|value| *value <= most * FOOT).fold(most, f64::max);
    LogAxis::new(plot, least, most)
}

/// The drawing as marks, and where things are. O(width log rows + distinct).
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let layout = layout(input, frame);
    let mut scene = Scene::default();
    layout.sizes.grid(&mut scene, frame);
    let bars = lines::data(&mut scene, input, &layout, frame);
    labels::data(&mut scene, &bars, &layout, frame);
    labels::axes(&mut scene, input, &layout, frame);
    lines::hover(&mut scene, input, &layout, frame);
    lines::draw(&mut scene, input, &layout, frame);
    lines::hover_dots(&mut scene, input, &layout, frame);
    labels::names(&mut scene, input, &layout, frame);
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
    let of = |length: u32| words::count(input.in_force(length));
    let [short, long] = [input.limit.div_ceil(4).max(1), input.limit.max(1)];
    let mut words = format!(
        "The largest batch by length: {} sequences of {short} {unit}, {} of {long}",
        of(short),
        of(long),
        unit = input.unit
    );
    if let Some((name, cap)) = input.caps.get(input.chosen) {
        words += &format!("; in {name} at most {}", words::count(*cap));
    }
    words + "."
}
