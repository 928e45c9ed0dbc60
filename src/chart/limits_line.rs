//! Efficiency of both components against one limit, the other fixed: the best is close to where they cross.

use super::scene::label_width;
use super::{Area, Frame, Point, Scene, axes, painted, ticks};
use crate::words;
use plotters::prelude::{DrawResult, DrawingBackend};

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// (limit, efficiency of each component in [0, 1]), ascending.
    pub points: &'a [(u32, [f64; 2])],
    /// The present limit.
    pub at: u32,
    /// The components: "nodes", "edges".
    pub names: [&'a str; 2],
}

impl Input<'_> {
    fn lowest(&self) -> f64 {
        let values = self.points.iter().flat_map(|(_, efficiency)| *efficiency).filter(|e| e.is_finite());
        values.fold(1.0, f64::min).clamp(0.0, 0.99)
    }
}

/// Where things are, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The inside of the axes.
    pub plot: Area,
    ends: [f64; 2],
    low: f64,
    limits: Vec<u32>,
}

impl Layout {
    fn x(&self, limit: f64) -> f64 {
        let [first, last] = self.ends;
        self.plot.left + (limit - first) / (last - first).max(1.0) * self.plot.width()
    }

    fn y(&self, efficiency: f64) -> f64 {
        let share = (efficiency - self.low) / (1.0 - self.low);
        self.plot.bottom - share.clamp(0.0, 1.0) * self.plot.height()
    }

    /// The limit of the points that is nearest to a place on the plot.
    pub fn at(&self, x: f64, y: f64) -> Option<u32> {
        let distance = |limit: &u32| (self.x(f64::from(*limit)) - x).abs();
        let near = self.limits.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        near.copied().filter(|_| self.plot.grown(12.0).contains(x, y))
    }
}

/// From the plot to the names at its right.
const NAMES: f64 = 8.0;

/// Where things will be; the same as [`scene`] returns.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let lowest = input.lowest();
    let step = ticks::round_step((1.0 - lowest) / 5.0);
    let low = ((lowest / step + 1e-9).floor() * step).max(0.0);
    let widest = input.names.iter().map(|name| label_width(name, false)).fold(0.0, f64::max);
    let left = axes::margin(levels(low, frame.height).iter().map(|(_, text)| text.as_str()));
    let top = 10.0_f64.min(frame.height / 3.0);
    let bottom = (frame.height - axes::BELOW).max(top + 4.0);
    let right = (frame.width - widest - NAMES).max(left + 4.0);
    let plot = Area { left, top, right, bottom };
    let end = |point: Option<&(u32, [f64; 2])>| point.map_or(0.0, |(limit, _)| f64::from(*limit));
    let ends = [end(input.points.first()), end(input.points.last())];
    Layout { plot, ends, low, limits: input.points.iter().map(|(limit, _)| *limit).collect() }
}

/// Efficiencies with a line across, and their labels.
fn levels(low: f64, height: f64) -> Vec<(f64, String)> {
    let step = ticks::round_step((1.0 - low) / (height / 44.0).clamp(1.0, 5.0));
    ticks::every(low, 1.0, step).into_iter().map(|level| (level, words::tick_percent(level))).collect()
}

/// The drawing as marks, and where things are.
pub fn scene(input: &Input, frame: &Frame) -> (Scene, Layout) {
    let layout = layout(input, frame);
    let (plot, theme) = (layout.plot, frame.theme);
    let mut scene = Scene::default();
    for (level, text) in levels(layout.low, frame.height) {
        let y = layout.y(level);
        scene.rule((plot.left, y - 0.5), (plot.right, y - 0.5), 1.0, theme.hairline);
        scene.label(text, (plot.left - 8.0, y), 1, theme.second_ink, false);
    }
    let marked = marker(&mut scene, input, &layout, frame);
    limits(&mut scene, input, &layout, marked, frame);
    for (k, colour) in [(1, theme.ink), (0, theme.accent)] {
        let known = input.points.iter().filter(|(_, efficiency)| efficiency[k].is_finite());
        let line: Vec<Point> = known.map(|(l, e)| (layout.x(f64::from(*l)), layout.y(e[k]))).collect();
        if line.len() > 1 {
            scene.path(line, 2.0, colour);
        }
    }
    names(&mut scene, input, &layout, frame);
    (scene, layout)
}

/// The present limit; returns what its words take up.
fn marker(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) -> Option<Area> {
    let (plot, at) = (layout.plot, f64::from(input.at));
    if input.points.is_empty() || !(layout.ends[0]..=layout.ends[1]).contains(&at) {
        return None;
    }
    let x = layout.x(at);
    scene.rule((x - 0.75, plot.top), (x - 0.75, plot.bottom + 4.0), 1.5, frame.theme.accent);
    let text = axes::label(at);
    let half = label_width(&text, true) / 2.0;
    let middle = x.max(half).min(frame.width - half);
    let y = plot.bottom + 15.0;
    scene.label(text, (middle, y), 0, frame.theme.accent, true);
    Some(Area { left: middle - half, top: y - 8.0, right: middle + half, bottom: y + 8.0 })
}

/// Round limits and both ends, off the present one.
fn limits(scene: &mut Scene, input: &Input, layout: &Layout, marked: Option<Area>, frame: &Frame) {
    let [first, last] = layout.ends;
    let rounds = ticks::whole(first, last, (layout.plot.width() / 64.0).max(1.0));
    let mut used: Vec<Area> = marked.into_iter().collect();
    let ends = (!input.points.is_empty()).then_some([first, last]);
    for limit in ends.into_iter().flatten().chain(rounds) {
        let (x, y) = (layout.x(limit), layout.plot.bottom + 15.0);
        let text = axes::label(limit);
        let half = label_width(&text, false) / 2.0;
        let middle = x.max(half).min(frame.width - half);
        let place =
            Area { left: middle - half - 8.0, top: y - 8.0, right: middle + half + 8.0, bottom: y + 8.0 };
        if !used.iter().any(|other| other.meets(&place)) {
            scene.label(text, (middle, y), 0, frame.theme.second_ink, false);
            used.push(place.grown(-1.0));
        }
    }
}

/// The components at the ends of their lines, kept apart.
fn names(scene: &mut Scene, input: &Input, layout: &Layout, frame: &Frame) {
    let Some((_, last)) = input.points.last() else { return };
    let mut ys = last.map(|efficiency| layout.y(efficiency));
    let (upper, lower) = if ys[0] <= ys[1] { (0, 1) } else { (1, 0) };
    let apart = 14.0 - (ys[lower] - ys[upper]);
    if apart > 0.0 {
        ys[upper] -= apart / 2.0;
        ys[lower] += apart / 2.0;
        let over = (8.0 - ys[upper]).max(0.0);
        ys = ys.map(|y| y + over);
    }
    let colours = [frame.theme.accent, frame.theme.ink];
    for k in [0, 1] {
        scene.label(input.names[k], (layout.plot.right + NAMES, ys[k]), -1, colours[k], false);
    }
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
    let (Some((from, _)), Some((to, _))) = (input.points.first(), input.points.last()) else {
        return format!("Efficiency of {first} and {second} against the limit: nothing is computed yet.");
    };
    let mut words = format!("Efficiency of {first} and {second} at limits from {from} to {to}.");
    if let Some((at, efficiency)) = input.points.iter().find(|(limit, _)| *limit == input.at) {
        let [a, b] = efficiency.map(words::percent);
        words += &format!(" At {at}: {first} {a}, {second} {b}.");
    }
    words
}
