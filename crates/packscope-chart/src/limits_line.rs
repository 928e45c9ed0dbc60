//! Efficiency of both components against one limit, with the other fixed: the best limit is close to the crossing.

use super::{
    Area, BELOW, Chart, EndName, EndNames, Frame, OccupiedAreas, Pen, Point, Rgb, Scale, Spot,
    Table, Tick, ValueAxis, axis, centred, end_names::LINE, further, label_width, singular, widest,
};
use packscope::words;

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// (limit, efficiency of each component in [0, 1]), ascending.
    pub points: Vec<(u32, [f64; 2])>,
    /// The present limit of the first component, and the fixed limit of the other.
    pub at: [u32; 2],
    /// The names of the components: "nodes", "edges".
    pub names: [String; 2],
}

impl Input {
    /// Returns a caption in words.
    pub fn caption(&self) -> String {
        let (one, other) = (
            singular(&self.names[0]),
            words::count(u64::from(self.at[1])),
        );
        format!(
            "efficiency against the {one} limit, at {other} {}",
            self.names[1]
        )
    }

    fn lowest(&self) -> f64 {
        let values = self
            .points
            .iter()
            .flat_map(|(_, efficiency)| *efficiency)
            .filter(|e| e.is_finite());
        // Where everything is full the axis still needs a span.
        values.fold(1.0, f64::min).clamp(0.0, 0.99)
    }
}

/// A spot is both limits.
impl Chart for Input {
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        for (y, text) in levels(&layout.up, pen.frame.height) {
            pen.level(layout.plot, y, 0.5, text);
        }
        let marked = marker(pen, self, &layout);
        limits(pen, &layout, marked);
        // The component whose limit varies is painted over the other.
        for (k, colour) in [(1, pen.theme.ink), (0, pen.theme.accent)] {
            let known = self
                .points
                .iter()
                .filter(|(_, efficiency)| efficiency[k].is_finite());
            let line: Vec<Point> = known
                .map(|(limit, e)| (layout.x(*limit), layout.up.place_of(e[k])))
                .collect();
            if line.len() > 1 {
                pen.path(line, 2.0, colour);
            }
        }
        names(pen, self, &layout);
    }

    fn summary(&self) -> String {
        let [first, second] = &self.names;
        let (Some((from, _)), Some((to, _))) = (self.points.first(), self.points.last()) else {
            return format!(
                "Efficiency of {first} and {second} against the limit: nothing is computed yet."
            );
        };
        let mut words =
            format!("Efficiency of {first} and {second} at limits from {from} to {to}.");
        if let Some((at, efficiency)) = self.points.iter().find(|(limit, _)| *limit == self.at[0]) {
            let [a, b] = efficiency.map(words::percent);
            words += &format!(" At {at}: {first} {a}, {second} {b}.");
        }
        words
    }

    fn table(&self) -> Option<Table> {
        let row = |(limit, efficiency): &(u32, [f64; 2])| {
            let [first, second] = efficiency.map(words::percent);
            vec![words::count(u64::from(*limit)), first, second]
        };
        let [first, second] = &self.names;
        let head = [&format!("{} limit", singular(first)), first, second];
        Some(Table::new(
            self.caption(),
            head,
            self.points.iter().map(row),
        ))
    }

    fn hit(&self, (x, y): Point, frame: &Frame) -> Option<Spot> {
        let layout = layout(self, frame);
        let distance = |limit: &u32| (layout.x(*limit) - x).abs();
        let near = layout
            .limits
            .iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        Some([
            *near.filter(|_| layout.plot.grown(12.0).contains(x, y))?,
            self.at[1],
        ])
    }

    fn step(&self, _: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        // The present limit may be between two that were tried: keys begin at the lower one.
        let near = self
            .points
            .iter()
            .rposition(|(limit, _)| *limit <= self.at[0])
            .unwrap_or(0);
        let to = further(near as u32, right + up, self.points.len())?;
        Some([self.points[to as usize].0, self.at[1]])
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The area inside the axes.
    pub plot: Area,
    along: ValueAxis,
    up: ValueAxis,
    limits: Vec<u32>,
}

impl Layout {
    fn x(&self, limit: u32) -> f64 {
        self.along.beyond(f64::from(limit))
    }
}

/// Distance from the plot to the names at its right.
const NAMES: f64 = 8.0;

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let lowest = input.lowest();
    let step = axis::round_step((1.0 - lowest) / 5.0);
    let low = ((lowest / step + 1e-9).floor() * step).max(0.0);
    let up = |plot| ValueAxis::up(plot, [low, 1.0], Scale::Linear);
    let plot = frame.plot(10.0_f64.min(frame.height / 3.0), BELOW, |plot| {
        [
            axis::margin(&levels(&up(plot), frame.height)),
            widest(&input.names, false) + NAMES,
        ]
    });
    let limits: Vec<u32> = input.points.iter().map(|(limit, _)| *limit).collect();
    let [first, last] =
        [limits.first(), limits.last()].map(|end| end.map_or(0.0, |limit| f64::from(*limit)));
    let along = ValueAxis::across(plot, [first, last.max(first + 1.0)], Scale::Linear);
    Layout {
        plot,
        along,
        up: up(plot),
        limits,
    }
}

/// Returns the efficiencies with a line across, and their labels.
fn levels(axis: &ValueAxis, height: f64) -> Vec<Tick> {
    let [low, high] = axis.ends;
    let step = axis::round_step((high - low) / (height / 44.0).clamp(1.0, 5.0));
    axis.ticks(axis::every(low, high, step), words::tick_percent)
}

/// Returns the centre of a label on the axis of limits, and the area that it covers.
fn place(pen: &Pen, layout: &Layout, limit: f64, bold: bool) -> (Point, Area) {
    let half = label_width(&axis::label(limit), bold) / 2.0;
    let x = centred(layout.along.beyond(limit), half, [0.0, pen.frame.width]);
    let at = (x, layout.plot.bottom + 15.0);
    (at, Area::around(at, half, 8.0))
}

/// Draws the present limit; returns the area that its label covers.
fn marker(pen: &mut Pen, input: &Input, layout: &Layout) -> Option<Area> {
    let (plot, accent) = (layout.plot, pen.theme.accent);
    let [first, last] = [layout.limits.first()?, layout.limits.last()?];
    // The axis is as long as what was tried, and the present limit may be beyond it.
    if !(first..=last).contains(&&input.at[0]) {
        return None;
    }
    let x = layout.x(input.at[0]);
    pen.rule(
        (x - 0.75, plot.top),
        (x - 0.75, plot.bottom + 4.0),
        1.5,
        accent,
    );
    let (at, area) = place(pen, layout, f64::from(input.at[0]), true);
    pen.label(axis::label(f64::from(input.at[0])), at, 0, accent, true);
    Some(area)
}

/// Draws round limits and both ends, clear of the present one.
fn limits(pen: &mut Pen, layout: &Layout, marked: Option<Area>) {
    let [first, last] =
        [layout.limits.first(), layout.limits.last()].map(|end| end.map(|l| f64::from(*l)));
    let [from, to] = [first, last].map(Option::unwrap_or_default);
    let rounds = axis::whole(from, to, (layout.plot.width() / 64.0).max(1.0));
    let mut taken = OccupiedAreas(marked.into_iter().collect());
    // Both ends come first: round limits near them give way.
    for limit in first.into_iter().chain(last).chain(rounds) {
        let (at, area) = place(pen, layout, limit, false);
        if taken.take(area.grown(7.0), 1.0) {
            pen.note(axis::label(limit), at, 0);
        }
    }
}

/// Writes the names of the components at the ends of their lines, kept apart.
fn names(pen: &mut Pen, input: &Input, layout: &Layout) {
    let Some((limit, last)) = input.points.last() else {
        return;
    };
    let name = |(k, colour): (usize, Rgb)| {
        let end = (layout.x(*limit), layout.up.place_of(last[k]));
        EndName {
            lines: vec![(input.names[k].clone(), colour, false)],
            margins: [-0.5; 2],
            end,
        }
    };
    let names = [(0, pen.theme.accent), (1, pen.theme.ink)].map(name).into();
    EndNames {
        gap: NAMES,
        beyond: [9.0, LINE],
        first_line: false,
        strokes: None,
    }
    .write(pen, layout.plot, names);
}
