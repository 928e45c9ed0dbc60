//! Lines over two axes, linear or logarithmic, with names at their ends: for lessons without a drawing of their own.

use super::{
    Area, BELOW, Chart, EndName, EndNames, Frame, Look, Pen, Point, Scale, Spot, ValueAxis, axis,
    end_names::LINE, fitted, further, widest,
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
        let theme = pen.theme;
        let layout = layout(self, pen.frame);
        let plot = layout.plot;
        pen.grid(
            plot,
            &layout.y.ticks(self.y.ticks(plot.height()), self.y.label),
        );
        // Keep the name clear of the uppermost tick.
        pen.name_above(
            Area {
                top: plot.top - 5.0,
                ..plot
            },
            &self.y.name,
        );
        pen.baseline(plot);
        let along = layout.x.ticks(self.x.ticks(plot.width()), self.x.label);
        pen.ticks_below(plot, &along, &self.x.name, pen.frame.width);
        for line in &self.lines {
            let points: Vec<Point> = line.points.iter().map(|at| layout.point(*at)).collect();
            pen.line(&points, line.look);
        }
        if let Some((value, words)) = &self.needle {
            let x = layout.x(*value);
            pen.needle((x, 9.0), plot.bottom + 5.0, theme.accent);
            pen.label_beside(words, (x, 8.0), 12.0, theme.accent);
        }
        for Dot { at, name, look } in &self.dots {
            let at = layout.point(*at);
            pen.dot(at, 4.0, pen.colour(*look));
            pen.label_beside(name, at, 10.0, theme.ink);
        }
        names(pen, self, &layout);
    }

    fn hit(&self, (x, _): Point, frame: &Frame) -> Option<Spot> {
        let (value, points) = (layout(self, frame).value(x), &self.lines.first()?.points);
        let distance = |at: &usize| (points[*at].0 - value).abs();
        let near = (0..points.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some([near as u32, 0])
    }

    /// Starts at the corner of the needle, or at the first.
    fn step(&self, _: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        let points = &self.lines.first()?.points;
        // Without a needle there is nothing to move.
        let (at, _) = self.needle.as_ref()?;
        let now = points.iter().position(|(x, _)| x == at).unwrap_or(0);
        Some([further(now as u32, right + up, points.len())?, 0])
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The plot within its axes.
    pub plot: Area,
    x: ValueAxis,
    y: ValueAxis,
}

const ABOVE: f64 = 26.0;
/// Distance from the end of a line to its name.
const GAP: f64 = 8.0;
/// Maximum share of the width for names.
const NAMES: f64 = 0.36;

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

    fn ticks(&self, length: f64) -> Vec<f64> {
        let [low, high] = self.range;
        match self.scale {
            Scale::Linear => {
                let step = axis::round_step((high - low) / (length / 60.0).clamp(2.0, 10.0));
                axis::every(low, high, step)
            }
            Scale::Log => {
                let first = low.max(1e-12).log10().ceil() as i32;
                // A range that ends at a power of ten has its tick, whatever the last digit of the
                // power.
                let powers = (first..first + 40).map(|power| 10f64.powi(power));
                let all: Vec<f64> = powers.take_while(|value| *value <= high * 1.0001).collect();
                let every = (all.len() as f64 * 44.0 / length.max(1.0)).ceil().max(1.0) as usize;
                all.into_iter().step_by(every).collect()
            }
        }
    }
}

impl Layout {
    /// Returns the place of a value on the axis to the right, in CSS pixels; that of the nearer
    /// end for a value beyond it.
    pub fn x(&self, value: f64) -> f64 {
        self.x.place_of(value)
    }

    /// Returns the place of a value on the axis upwards, in CSS pixels; that of the nearer end
    /// for a value beyond it.
    pub fn y(&self, value: f64) -> f64 {
        self.y.place_of(value)
    }

    /// Returns the value of the axis to the right at a place, or at the nearer end of the plot.
    pub fn value(&self, x: f64) -> f64 {
        self.x.value(x.min(self.plot.right).max(self.plot.left))
    }

    pub(super) fn point(&self, (x, y): (f64, f64)) -> Point {
        (self.x(x), self.y(y))
    }
}

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let labels: Vec<_> = input
        .y
        .ticks(frame.height)
        .into_iter()
        .map(|v| (v, (input.y.label)(v)))
        .collect();
    // In bold, as any of them may be the accent.
    let names = widest(input.lines.iter().map(|line| &line.name), true);
    let right = if names > 0.0 {
        (names + GAP + 6.0).min(frame.width * NAMES)
    } else {
        12.0
    };
    let plot = frame.plot(ABOVE, BELOW + 2.0, |_| [axis::margin(&labels), right]);
    let (x, y) = (&input.x, &input.y);
    Layout {
        plot,
        x: ValueAxis::across(plot, x.range, x.scale),
        y: ValueAxis::up(plot, y.range, y.scale),
    }
}

/// Writes names at the ends of the lines, moved apart.
fn names(pen: &mut Pen, input: &Input, layout: &Layout) {
    let x = layout.plot.right + GAP;
    let name = |line: &Line| {
        let (end, bold) = (
            layout.point(*line.points.last()?),
            line.look == Look::Accent,
        );
        let text = fitted(&line.name, pen.frame.width - x, bold);
        Some(EndName {
            lines: vec![(text, pen.colour(line.look), bold)],
            margins: [0.0; 2],
            end,
        })
    };
    let names = input
        .lines
        .iter()
        .filter(|line| !line.name.is_empty())
        .filter_map(name)
        .collect();
    let within = [0.0, layout.plot.bottom + LINE / 2.0];
    EndNames {
        x,
        within,
        first_line: false,
        strokes: None,
    }
    .write(pen, names);
}
