//! How well both kinds of slots are filled, by both limits: a map that fills in while it is computed.

mod field;
mod labels;
mod marks;

use super::{Area, Frame, Point as Place, Scene, axes, both_short, painted, singular};
use crate::words;
pub use field::Field;
use plotters::prelude::{DrawResult, DrawingBackend};

/// Limits that were tried, and what came of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The limits.
    pub limits: [u32; 2],
    /// Packs under them.
    pub packs: u64,
    /// Harmonic mean of both components' efficiencies, in [0, 1].
    pub harmonic: f64,
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// The limits tried per component, ascending; for points that are no grid those that occur.
    pub axes: [&'a [u32]; 2],
    /// Whether every limit of the one component is tried with every one of the other: cells instead of dots.
    pub grid: bool,
    /// What is known so far, in the order in which it was tried.
    pub points: &'a [Point],
    /// The current limits.
    pub adopted: Option<[u32; 2]>,
    /// Limits with the highest efficiency.
    pub best: Option<[u32; 2]>,
    /// The smallest limits that are good enough.
    pub smallest: Option<[u32; 2]>,
    /// Limits that no smaller ones equal, ascending.
    pub front: &'a [[u32; 2]],
    /// The limits under the pointer.
    pub hover: Option<[u32; 2]>,
    /// What the sizes count: "nodes", "edges".
    pub names: [&'a str; 2],
}

impl Input<'_> {
    fn point(&self, limits: [u32; 2]) -> Option<&Point> {
        self.points.iter().find(|point| point.limits == limits && point.harmonic.is_finite())
    }

    fn known(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|point| point.harmonic).filter(|e| e.is_finite())
    }
}

/// The efficiencies that have the first and the last colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// This and less is darkest.
    pub low: f64,
    /// The highest.
    pub high: f64,
    /// Whether some are lower than the first.
    pub cut: bool,
}

impl Range {
    /// From the lowest to the highest, but not from less than 0.7 of the highest.
    fn of(input: &Input) -> Option<Self> {
        let high = input.known().fold(f64::NEG_INFINITY, f64::max);
        let low = input.known().fold(f64::INFINITY, f64::min);
        let from = low.max(0.7 * high);
        high.is_finite().then_some(Self { low: from, high, cut: low < from })
    }

    /// Where an efficiency is in it, in [0, 1].
    fn share(&self, efficiency: f64) -> f64 {
        if self.high > self.low {
            ((efficiency - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
        } else {
            1.0
        }
    }
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The inside of the axes with its scales.
    pub field: Field,
    /// The colours' range; `None` before the first point.
    pub range: Option<Range>,
    colours: Area,
    dots: Vec<[u32; 2]>,
}

/// How near to a dot a pointer is on it.
const REACH: f64 = 12.0;

impl Layout {
    /// The limits at a place: of the cell there, known already or not, or of the nearest dot.
    pub fn at(&self, x: f64, y: f64) -> Option<[u32; 2]> {
        if self.field.grid {
            return self.field.cell_at(x, y);
        }
        let distance = |limits: &[u32; 2]| {
            let at = self.field.point(*limits);
            (at.0 - x).hypot(at.1 - y)
        };
        let near = self.dots.iter().map(|limits| (distance(limits), limits));
        let nearest = near.filter(|(d, _)| *d <= REACH).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, limits)| *limits)
    }
}

/// Narrower drawings have their scale of colours below.
const NARROW: f64 = 520.0;

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let wide = frame.width >= NARROW;
    let last = input.axes[1].last().copied().unwrap_or(0);
    // The axis goes a little beyond the last limit.
    let left = axes::margin([axes::label(f64::from(last) * 1.1).as_str()]).min(frame.width / 2.0);
    let top = 22.0_f64.min(frame.height / 4.0);
    let below = if wide { axes::BELOW } else { axes::BELOW + 40.0 };
    let bottom = (frame.height - below).max(top + 4.0);
    let right = (frame.width - if wide { 92.0 } else { 8.0 }).max(left + 4.0);
    let plot = Area { left, top, right, bottom };
    let colours = if wide {
        Area { left: right + 22.0, right: right + 32.0, ..plot }
    } else {
        Area { top: bottom + axes::BELOW + 10.0, bottom: bottom + axes::BELOW + 18.0, ..plot }
    };
    let field = Field::new(input, plot);
    let dots = if input.grid { vec![] } else { input.points.iter().map(|point| point.limits).collect() };
    Layout { field, range: Range::of(input), colours, dots }
}

/// The drawing as marks, and where things are. O(points).
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let layout = layout(input, frame);
    let mut scene = Scene::default();
    field::draw(&mut scene, input, &layout, frame);
    labels::axes(&mut scene, input, &layout, frame);
    let corners = labels::corners(&mut scene, input, &layout, frame);
    marks::front(&mut scene, input, &layout, frame);
    marks::hover(&mut scene, input, &layout, frame);
    marks::named(&mut scene, input, &layout, &corners, frame);
    labels::colours(&mut scene, &layout, frame);
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
    let [first, second] = input.names.map(singular);
    let of = input.axes[0].len() * input.axes[1].len();
    let mut words = format!("Harmonic efficiency by {first} limit and {second} limit: ");
    words += &match input.points.len() {
        0 => "nothing is computed yet.".to_owned(),
        n if input.grid && n < of => {
            format!("{} of {} limits so far.", words::count(n as u64), words::count(of as u64))
        }
        n => format!("{} limits.", words::count(n as u64)),
    };
    let named =
        [("Best", input.best), ("Smallest that is good enough", input.smallest), ("Adopted", input.adopted)];
    for (name, limits) in named.into_iter().filter_map(|(name, limits)| Some((name, limits?))) {
        words += &match input.point(limits) {
            Some(point) => format!(
                " {name}: {} with {} in {}.",
                both_short(limits),
                words::percent(point.harmonic),
                words::plural(point.packs, "pack")
            ),
            None => format!(" {name}: {}.", both_short(limits)),
        };
    }
    words
}
