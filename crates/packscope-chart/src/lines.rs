//! Lines over two axes, linear or logarithmic, with names at their ends: for lessons without a drawing of their own.

use super::xy::{Axis, Plane, Shape, Upright, Xy};
use super::{
    Area, BELOW, Chart, EndName, EndNames, Frame, Look, Pen, Scale, Tick, ValueAxis,
    end_names::LINE, label_width, widest,
};
use packscope::words;
use std::borrow::Cow;

/// The quantity along an axis: its name, its range, and how its numbers are written.
#[derive(Debug, Clone)]
pub struct Quantity {
    /// The name of the quantity.
    pub name: Cow<'static, str>,
    /// The least and the largest value.
    pub range: [f64; 2],
    /// The scale of the axis.
    pub scale: Scale,
    /// The format of its numbers.
    pub label: fn(f64) -> String,
}

/// A line through points, in the units of the axes.
#[derive(Debug, Clone)]
pub struct Line {
    /// The name of the line; empty for none.
    pub name: Cow<'static, str>,
    /// The corners of the line, from left to right.
    pub points: Vec<(f64, f64)>,
    /// The look of the line.
    pub look: Look,
}

/// Data and settings of the drawing.
#[derive(Debug, Clone)]
pub struct Input {
    /// The axis to the right.
    pub x: Quantity,
    /// The axis upwards.
    pub y: Quantity,
    /// The lines, each painted over those before.
    pub lines: Vec<Line>,
    /// The place of a needle, with the words beside it.
    pub needle: Option<(f64, String)>,
    /// The dots, painted over the lines and the needle.
    pub dots: Vec<Dot>,
}

/// A dot with words beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Dot {
    /// The place of the dot, in the units of the axes.
    pub at: (f64, f64),
    /// The words beside the dot; empty for none.
    pub name: String,
    /// The look of the dot.
    pub look: Look,
}

/// A spot is the index of a corner in the first line.
impl Chart for Input {
    /// Takes O(points) time.
    fn draw(&self, pen: &mut Pen) {
        let (plane, _) = self.xy(pen.frame).draw(pen);
        // Keep the name clear of the uppermost tick.
        let below_name = Area {
            top: plane.plot.top - 5.0,
            ..plane.plot
        };
        let wide = label_width(&self.y.name, false);
        // A needle at the left stands where the name would: the name then goes to the right, if the needle's words leave
        // room.
        let is_covered = self.needle.as_ref().is_some_and(|(at, words)| {
            let x = plane.x(*at);
            let end = x + HANDLE + label_width(words, true);
            wide > plane.plot.left && x - HANDLE < wide && end < plane.plot.right - wide
        });
        if is_covered {
            let at = (below_name.right, below_name.top - HANDLE);
            pen.note(&*self.y.name, at, 1);
        } else {
            pen.name_above(below_name, &self.y.name);
        }
        for Dot { at, name, look } in &self.dots {
            let at = plane.point(*at);
            pen.dot(at, 4.0, pen.colour(*look));
            pen.label_beside(name, at, 10.0, pen.theme.ink);
        }
    }

    fn plot(&self, frame: &Frame) -> Option<Xy<'_>> {
        Some(self.xy(frame))
    }
}

const ABOVE: f64 = 26.0;
/// Half the width of a needle's handle, with a gap.
const HANDLE: f64 = 10.0;
/// Distance from the end of a line to its name.
const GAP: f64 = 8.0;
/// Maximum share of the width for names.
const NAMES: f64 = 0.36;

impl Input {
    fn xy(&self, frame: &Frame) -> Xy<'_> {
        // In bold, as any of them may be the accent.
        let widest = widest(self.lines.iter().map(|line| &line.name), true);
        let right = if widest > 0.0 {
            (widest + GAP + 6.0).min(frame.width * NAMES)
        } else {
            12.0
        };
        let shape =
            |line: &Line| Shape::Line(line.points.iter().copied().map(Some).collect(), line.look);
        let name = |line: &Line| {
            let bold = line.look == Look::Accent;
            Some(EndName {
                lines: vec![(line.name.to_string(), frame.colour(line.look), bold)],
                margins: [0.0; 2],
                end: *line.points.last()?,
            })
        };
        let named = self.lines.iter().filter(|line| !line.name.is_empty());
        let beside = EndNames::new(GAP, [ABOVE, LINE / 2.0]);
        let needle = self.needle.iter();
        let corners = self.lines.first().map_or(&[][..], |line| &line.points);
        let corner_of = |at: f64| corners.iter().position(|(x, _)| *x == at).unwrap_or(0);
        let pane = (self.y.axis(), self.lines.iter().map(shape).collect());
        Xy {
            above: ABOVE,
            below: BELOW + 2.0,
            right,
            baseline: Some((frame.theme.ink, (&*self.x.name).into())),
            uprights: needle
                .map(|(at, words)| Upright::needle(*at, vec![words.clone()], frame))
                .collect(),
            names: Some((beside, named.filter_map(name).collect())),
            stops: (0..).zip(corners).map(|(i, (x, _))| (*x, [i, 0])).collect(),
            present: self.needle.as_ref().map(|(at, _)| corner_of(*at)),
            ..Xy::new(self.x.axis(), vec![pane])
        }
    }
}

/// Returns the places of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Plane {
    input.xy(frame).plane(frame)
}

impl Quantity {
    /// Creates an axis of binary logarithms of whole numbers, labelled with the number itself at powers of two.
    pub fn doubling(name: Cow<'static, str>, range: [f64; 2]) -> Self {
        // Values are logarithms here. Between powers of two the number would be no whole one.
        let label = |v: f64| {
            if v.fract() == 0.0 {
                words::count(v.exp2() as u64)
            } else {
                String::new()
            }
        };
        Self {
            name,
            range,
            scale: Scale::Linear,
            label,
        }
    }

    pub(super) fn axis(&self) -> Axis<'_> {
        let ticks = |axis: &ValueAxis| -> Vec<Tick> {
            match self.scale {
                Scale::Linear => axis.even_ticks(60.0, [2.0, 10.0], |v, _| (self.label)(v)),
                Scale::Log => axis.decade_ticks(self.label),
            }
        };
        Axis {
            ends: self.range,
            scale: self.scale,
            ticks: Box::new(ticks),
        }
    }
}
