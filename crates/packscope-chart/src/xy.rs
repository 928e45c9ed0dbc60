//! The plot over two axes: one pane, or several above each other that share the axis to the right.
//!
//! A drawing describes its plot as an [`Xy`], in the units of its data. What no other drawing has it adds with the
//! pen, at the places of the [`Plane`].

use super::{
    Area, BELOW, EndName, EndNames, Frame, LABEL, Look, OccupiedAreas, Pen, Point, Rgb, Scale,
    Spot, Tick, ValueAxis, axis, centred, fitting, further, label_area, label_width, runs,
};
use std::borrow::Cow;

/// A plot, in the units of its data.
pub struct Xy<'a> {
    /// Height above the panes.
    pub(super) above: f64,
    /// Height below the panes.
    pub(super) below: f64,
    /// Width at the right of the panes.
    pub(super) right: f64,
    /// The axis to the right.
    pub(super) x: Axis<'a>,
    /// The colour of the line below the panes, and the name of the axis to the right; `None` for an axis that the drawing
    /// adds. Then no axis has ticks.
    pub(super) baseline: Option<(Rgb, Cow<'a, str>)>,
    /// The axes upwards and the contents of the panes, from above. Contents are painted in their order.
    pub(super) panes: Vec<(Axis<'a>, Vec<Shape>)>,
    /// Lines up through all panes. Areas are painted below them, lines and dots above.
    pub(super) uprights: Vec<Upright>,
    /// The arrangement of the names at the right of the first pane, and the names; they end in its units.
    pub(super) names: Option<(EndNames, Vec<EndName>)>,
    /// Values along the axis to the right that the pointer and keys find, ascending, with their spots.
    pub(super) stops: Vec<(f64, Spot)>,
    /// The index of the stop from which keys begin; without one they find nothing.
    pub(super) present: Option<usize>,
    /// Distance from the plot within which the pointer finds a stop.
    pub(super) reach: f64,
}

type Ticks<'a> = Box<dyn Fn(&ValueAxis) -> Vec<Tick> + 'a>;

/// A quantity along one side of a pane.
pub(super) struct Axis<'a> {
    pub ends: [f64; 2],
    pub scale: Scale,
    /// Returns the ticks of the axis in its place.
    pub ticks: Ticks<'a>,
}

impl<'a> Axis<'a> {
    /// Creates a linear axis.
    pub(super) fn linear(ends: [f64; 2], ticks: impl Fn(&ValueAxis) -> Vec<Tick> + 'a) -> Self {
        let ticks = Box::new(ticks);
        Self {
            ends,
            scale: Scale::Linear,
            ticks,
        }
    }
}

/// A part of the contents of a pane. Values that are missing interrupt lines and areas.
pub(super) enum Shape {
    /// A line through points.
    Line(Vec<Option<Point>>, Look),
    /// A dot: place, radius, colour.
    Dot(Point, f64, Rgb),
    /// The area between two lines; nothing where the line between them hides it.
    Band(Vec<Option<[Point; 2]>>, Rgb),
    /// A line that no plan crosses, hatched on the side beyond it.
    Bound(Vec<Option<Point>>),
    /// A bar between two values along the axis to the right, and its height.
    Bar([f64; 2], f64, Rgb),
    /// A line across at a value with a meaning of its own.
    Level(f64, Rgb),
}

/// A line up through all panes.
pub(super) struct Upright {
    /// Its value along the axis to the right.
    pub x: f64,
    pub stroke: Stroke,
    pub colour: Rgb,
    /// How far it reaches above the panes, and below them.
    pub beyond: [f64; 2],
    /// Words above the panes, or beside the handle of a needle, and shorter ones for where they do not fit.
    pub words: Vec<String>,
    /// Heights above the panes for the words, the best first. Words without a free one are left out.
    pub lanes: &'static [f64],
}

/// The stroke of a line upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stroke {
    /// A line of this thickness; its words are in bold.
    Rule(f64),
    Dotted,
    /// A bound, hatched at its left.
    Bound,
    /// A line with a handle.
    Needle,
}

impl Upright {
    /// Creates a line from the upper to the lower end of the panes, without words.
    pub(super) fn new(x: f64, stroke: Stroke, colour: Rgb) -> Self {
        Self {
            x,
            stroke,
            colour,
            beyond: [0.0; 2],
            words: Vec::new(),
            lanes: &[],
        }
    }

    /// Creates the line at the current setting, with a handle and words beside it.
    pub(super) fn needle(x: f64, words: Vec<String>, frame: &Frame) -> Self {
        Self {
            beyond: [0.0, 5.0],
            words,
            ..Self::new(x, Stroke::Needle, frame.theme.accent)
        }
    }
}

/// Height between two panes, for the name of the lower one.
const BETWEEN: f64 = 24.0;
/// Height of the handle of a needle.
const HANDLE: f64 = 9.0;
/// Distance from the handle of a needle to its words.
const GAP: f64 = 12.0;
/// Bands that are nowhere higher than this are hidden by their line.
const BAND: f64 = 2.0;

/// The places of a plot, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Plane {
    /// The area of the first pane.
    pub plot: Area,
    pub(super) along: ValueAxis,
    pub(super) panes: Vec<(Area, ValueAxis)>,
}

impl Plane {
    /// Returns the place of a value on the axis to the right; that of the nearer end for a value beyond it.
    pub fn x(&self, value: f64) -> f64 {
        self.along.place_of(value)
    }

    /// Returns the place of a value on the axis upwards of the first pane; that of the nearer end for a value beyond
    /// it.
    pub fn y(&self, value: f64) -> f64 {
        let up = self.panes.first();
        up.map_or(self.plot.bottom, |(_, up)| up.place_of(value))
    }

    /// Returns the value of the axis to the right at a place, or at the nearer end of the plot.
    pub fn value(&self, x: f64) -> f64 {
        self.along.value(x.min(self.plot.right).max(self.plot.left))
    }

    pub(super) fn point(&self, (x, y): Point) -> Point {
        (self.x(x), self.y(y))
    }
}

impl<'a> Xy<'a> {
    /// Creates a plot without a line below it, without names, and without anything to point at.
    pub(super) fn new(x: Axis<'a>, panes: Vec<(Axis<'a>, Vec<Shape>)>) -> Self {
        Self {
            above: 28.0,
            below: BELOW,
            right: 12.0,
            x,
            baseline: None,
            panes,
            uprights: Vec::new(),
            names: None,
            stops: Vec::new(),
            present: None,
            reach: f64::INFINITY,
        }
    }

    /// Returns the places of the plot in a frame.
    pub(super) fn plane(&self, frame: &Frame) -> Plane {
        let many = self.panes.len().max(1) as f64;
        let up = |area, axis: &Axis| ValueAxis::up(area, axis.ends, axis.scale);
        let pane = |all: Area, at: usize| {
            let high = ((all.height() - BETWEEN * (many - 1.0)) / many).max(1.0);
            let top = all.top + at as f64 * (high + BETWEEN);
            Area::sized((all.left, top), all.width(), high)
        };
        // The widest labels set the left edge of all panes, which share an axis.
        let labels = |all: Area| {
            let of = |(y, _): &(Axis, _)| axis::margin(&(y.ticks)(&up(pane(all, 0), y)));
            self.panes.iter().map(of).fold(0.0, f64::max)
        };
        let above = self.above.min(frame.height / 3.0);
        let all = frame.plot(above, self.below, |all| [labels(all), self.right]);
        let panes = self.panes.iter().enumerate();
        let panes = panes.map(|(at, (y, _))| (pane(all, at), up(pane(all, at), y)));
        Plane {
            plot: pane(all, 0),
            along: ValueAxis::across(all, self.x.ends, self.x.scale),
            panes: panes.collect(),
        }
    }

    /// Draws the plot. Returns its places, and the areas of the words above the panes.
    pub(super) fn draw(&self, pen: &mut Pen) -> (Plane, OccupiedAreas) {
        let plane = self.plane(pen.frame);
        let panes = || self.panes.iter().zip(&plane.panes);
        for ((y, _), (area, up)) in panes() {
            let ticks = (y.ticks)(up);
            if self.baseline.is_some() {
                pen.grid(*area, &ticks);
            } else {
                let ticks = ticks.into_iter();
                ticks.for_each(|(y, text)| pen.level(*area, y, 0.5, text));
            }
        }
        if let (Some((colour, name)), Some((last, _))) = (&self.baseline, plane.panes.last()) {
            let (left, right) = ((last.left, last.bottom), (last.right, last.bottom));
            pen.rule(left, right, 1.0, *colour);
            pen.ticks_below(*last, &(self.x.ticks)(&plane.along), name, pen.frame.width);
        }
        let contents = |pen: &mut Pen, over: bool| {
            for ((_, shapes), (area, up)) in panes() {
                shapes
                    .iter()
                    .filter(|shape| matches!(shape, Shape::Line(..) | Shape::Dot(..)) == over)
                    .for_each(|shape| shape.draw(pen, *area, &plane.along, up));
            }
        };
        contents(pen, false);
        let taken = self.draw_uprights(pen, &plane);
        contents(pen, true);
        if let Some((names, all)) = &self.names {
            let placed = all.iter().map(|name| EndName {
                end: plane.point(name.end),
                ..name.clone()
            });
            names.write(pen, plane.plot, placed.collect());
        }
        (plane, taken)
    }

    /// Draws the lines upwards with their words; returns the areas of the words.
    fn draw_uprights(&self, pen: &mut Pen, plane: &Plane) -> OccupiedAreas {
        let mut taken = OccupiedAreas::default();
        for upright in &self.uprights {
            let (x, colour, [over, under]) = (plane.x(upright.x), upright.colour, upright.beyond);
            for (k, (area, _)) in plane.panes.iter().enumerate() {
                let over = if k == 0 { over } else { 0.0 };
                let last = k + 1 == plane.panes.len();
                let bottom = area.bottom + if last { under } else { 0.0 };
                let ends = [(x, area.top - over), (x, bottom)];
                match upright.stroke {
                    Stroke::Rule(width) => {
                        let [from, to] = ends.map(|(x, y)| (x - width / 2.0, y));
                        pen.rule(from, to, width, colour);
                    }
                    Stroke::Dotted => pen.dashed(&ends, &[2.0, 3.0], 1.0, colour),
                    // Upwards, so that the hatch is at the left.
                    Stroke::Bound => pen.bound(vec![ends[1], ends[0]]),
                    Stroke::Needle => pen.needle((x, HANDLE), bottom, colour),
                }
            }
            let bold = matches!(upright.stroke, Stroke::Rule(_) | Stroke::Needle);
            let width = pen.frame.width;
            let room = x.max(width - x) - GAP;
            let words = fitting(&upright.words, room, bold).or(upright.words.last());
            let Some(words) = words else { continue };
            if upright.stroke == Stroke::Needle {
                pen.label_beside(words, (x, HANDLE - 1.0), GAP, colour);
                continue;
            }
            let half = label_width(words, bold) / 2.0;
            let x = centred(x, half, [0.0, width]);
            let lanes = upright.lanes.iter().map(|lane| (x, plane.plot.top - lane));
            let free =
                { lanes }.find(|at| taken.take(label_area(words, *at, 0, bold, LABEL / 2.0), 3.0));
            if let Some(at) = free {
                pen.label(words, at, 0, colour, bold);
            }
        }
        taken
    }

    /// Returns the spot nearest to a horizontal position.
    pub(super) fn nearest(&self, x: f64, frame: &Frame) -> Option<Spot> {
        let along = self.plane(frame).along;
        let distance = |value: f64| (along.beyond(value) - x).abs();
        let near = self.stops.iter();
        let near = near.min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)));
        near.map(|(_, spot)| *spot)
    }

    /// Returns the spot nearest to a place within reach.
    pub(super) fn hit(&self, (x, y): Point, frame: &Frame) -> Option<Spot> {
        let plane = self.plane(frame);
        let last = plane.panes.last().map_or(plane.plot, |(area, _)| *area);
        // What stands above the plot belongs to it.
        let room = Area {
            top: (plane.plot.top - self.reach).min(0.0),
            ..last.grown(self.reach)
        };
        self.nearest(x, frame).filter(|_| room.contains(x, y))
    }

    /// Returns the spot that arrow keys lead to from the present one.
    pub(super) fn step(&self, [right, up]: [i32; 2]) -> Option<Spot> {
        let to = further(self.present? as u32, right + up, self.stops.len())?;
        Some(self.stops[to as usize].1)
    }
}

impl Shape {
    fn draw(&self, pen: &mut Pen, area: Area, along: &ValueAxis, up: &ValueAxis) {
        let point = |(x, y): Point| (along.place_of(x), up.place_of(y));
        let parts = |points: &[Option<Point>]| runs(points.iter().map(|at| at.map(point)));
        match self {
            Self::Line(points, look) => {
                let parts = parts(points);
                parts.iter().for_each(|part| pen.curve(part, *look));
            }
            Self::Dot(at, radius, colour) => pen.dot(point(*at), *radius, *colour),
            Self::Band(ends, colour) => {
                // Both lines are split at the same missing values, so that their parts correspond.
                let line = |k: usize| runs(ends.iter().map(|ends| ends.map(|ends| point(ends[k]))));
                for (mut one, other) in line(0).into_iter().zip(line(1)) {
                    let heights = one.iter().zip(&other).map(|(a, b)| (b.1 - a.1).abs());
                    if one.len() > 1 && heights.fold(0.0, f64::max) > BAND {
                        one.extend(other.into_iter().rev());
                        pen.polygon(one, *colour);
                    }
                }
            }
            Self::Bound(points) => parts(points).into_iter().for_each(|part| pen.bound(part)),
            Self::Bar(ends, value, colour) => {
                let [left, right] = ends.map(|end| along.place_of(end));
                let gap = if right - left >= 4.0 { 1.0 } else { 0.0 };
                let bar = Area {
                    left,
                    right: right - gap,
                    top: up.place_of(*value),
                    bottom: area.bottom,
                };
                pen.rect(bar, *colour);
            }
            Self::Level(value, colour) => {
                let y = up.place_of(*value) - 0.5;
                pen.rule((area.left, y), (area.right, y), 1.0, *colour);
            }
        }
    }
}
