//! Sequences from the shortest to the longest, each padded to the next of a few lengths. Areas are tokens: what is
//! coloured is filled, what is grey is padding.

use super::{
    Area, BELOW, Chart, Frame, Hues, LABEL, OccupiedAreas, Pen, Point, Scale, Spot, Table,
    ValueAxis, axis, further, label_area,
};
use packscope::shapes::{Shape, padding_share};
use packscope::words::{count, percent, plural, tick_percent};

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// (length, sequences), ascending.
    pub lengths: Vec<(u32, u64)>,
    /// The shapes, ascending.
    pub shapes: Vec<Shape>,
    /// Sequences of a batch of each shape; may be empty.
    pub batches: Vec<u64>,
    /// The colours of lengths.
    pub hues: Hues,
    /// The unit of lengths: "tokens".
    pub unit: String,
}

/// Height above the plot, for the length of the last shape.
const ABOVE: f64 = 20.0;
/// Room at the right, for half of the last tick.
const RIGHT: f64 = 16.0;
/// Distance from a step to its length.
const OVER: f64 = 8.0;

/// A spot is the index of a shape.
impl Chart for Input {
    /// Takes O(width + distinct + shapes) time.
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        let plot = layout.plot;
        pen.grid(plot, &layout.up.round_ticks(30.0));
        let steps = layout.steps(self);
        // Steps first, in grey: what the sequences leave of them is padding.
        for step in &steps {
            pen.rect(*step, pen.theme.padding);
        }
        sequences(pen, self, &layout);
        let outline: Vec<Point> = steps
            .iter()
            .flat_map(|step| [(step.left, step.top), (step.right, step.top)])
            .collect();
        pen.path(outline, 1.5, pen.theme.ink);
        if let Some(step) = pen.frame.hover.and_then(|[at, _]| steps.get(at as usize)) {
            let wide = Area {
                right: step.right.max(step.left + 2.0),
                ..*step
            };
            pen.outline(wide, 1.5, pen.theme.accent);
        }
        names(pen, self, &steps, plot.left);
        pen.baseline(plot);
        let shares = [0.0, 0.25, 0.5, 0.75, 1.0];
        let ticks = layout.along.ticks(shares, tick_percent);
        pen.ticks_below(
            plot,
            &ticks,
            "of the sequences, the shortest first",
            pen.frame.width,
        );
        pen.note(&*self.unit, (0.0, 8.0), -1);
    }

    fn summary(&self) -> String {
        format!(
            "Sequences, the shortest first, each padded to the next of {}: {} is padding.",
            plural(self.shapes.len() as u64, "length"),
            percent(padding_share(&self.shapes))
        )
    }

    fn table(&self) -> Option<Table> {
        let row = |shape: &Shape| {
            let share = padding_share(std::slice::from_ref(shape));
            vec![
                count(u64::from(shape.length)),
                count(shape.items),
                percent(share),
            ]
        };
        let head = ["length", "sequences", "padding"];
        Some(Table::new(
            "Sequences by shape",
            head,
            self.shapes.iter().map(row),
        ))
    }

    fn hit(&self, (x, _): Point, frame: &Frame) -> Option<Spot> {
        let steps = layout(self, frame).steps(self);
        // Steps lie edge to edge, so their right edges ascend.
        let at = steps.partition_point(|step| step.right < x);
        Some([at.min(steps.len().checked_sub(1)?) as u32, 0])
    }

    fn step(&self, from: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        let at = from.map_or(Some(0), |[at, _]| {
            further(at, right + up, self.shapes.len())
        })?;
        (!self.shapes.is_empty()).then_some([at, 0])
    }

    /// Returns words such as "128: 1,234 sequences of 65 to 128 tokens, 12.3 % padding; 64 in a batch."
    fn reading(&self, [at, _]: Spot) -> Option<String> {
        let at = at as usize;
        let shape = self.shapes.get(at)?;
        let least = at
            .checked_sub(1)
            .and_then(|below| self.shapes.get(below))
            .map_or(1, |s| s.length + 1);
        let length = count(u64::from(shape.length));
        let lengths = match least == shape.length {
            true => length.clone(),
            false => format!("{} to {length}", count(u64::from(least))),
        };
        let share = percent(padding_share(std::slice::from_ref(shape)));
        let batch = self
            .batches
            .get(at)
            .map(|batch| format!("; {} in a batch", count(*batch)));
        let items = plural(shape.items, "sequence");
        let unit = &self.unit;
        Some(format!(
            "{length}: {items} of {lengths} {unit}, {share} padding{}.",
            batch.unwrap_or_default()
        ))
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Layout {
    plot: Area,
    /// Shares of the sequences.
    along: ValueAxis,
    /// Lengths.
    up: ValueAxis,
}

impl Layout {
    /// Returns the rectangle of each shape: as wide as its sequences, as high as its length.
    fn steps(&self, input: &Input) -> Vec<Area> {
        let all = input
            .shapes
            .iter()
            .map(|shape| shape.items)
            .sum::<u64>()
            .max(1) as f64;
        let mut below = 0;
        let step = |shape: &Shape| {
            let left = self.along.place_of(below as f64 / all);
            below += shape.items;
            let right = self.along.place_of(below as f64 / all);
            Area {
                left,
                right,
                top: self.up.place_of(f64::from(shape.length)),
                bottom: self.plot.bottom,
            }
        };
        input.shapes.iter().map(step).collect()
    }
}

/// Returns the layout of the drawing in a frame.
fn layout(input: &Input, frame: &Frame) -> Layout {
    let longest = input.shapes.last().map_or(1, |shape| shape.length.max(1));
    let up = |plot| ValueAxis::up(plot, [0.0, f64::from(longest)], Scale::Linear);
    let top = (ABOVE + 14.0).min(frame.height / 3.0);
    let plot = frame.plot(top, BELOW, |plot| {
        [axis::margin(&up(plot).round_ticks(30.0)), RIGHT]
    });
    Layout {
        plot,
        along: ValueAxis::across(plot, [0.0, 1.0], Scale::Linear),
        up: up(plot),
    }
}

/// Draws the tokens: for each column of pixels a sequence, in the colour of its length.
fn sequences(pen: &mut Pen, input: &Input, layout: &Layout) {
    let plot = layout.plot;
    let all: u64 = input.lengths.iter().map(|(_, items)| items).sum();
    // At most one rectangle for each column of pixels, however many lengths there are.
    let columns = plot.width().ceil().max(1.0);
    let mut lengths = input.lengths.iter();
    let (mut length, mut seen) = (0, 0);
    let (mut from, mut drawn) = (plot.left, None);
    let mut bar = |length: u32, left: f64, right: f64| {
        let top = layout.up.place_of(f64::from(length));
        pen.rect(
            Area {
                left,
                right,
                top,
                bottom: plot.bottom,
            },
            pen.theme.lengths[input.hues.step(length)],
        );
    };
    for column in 0..columns as u32 {
        let middle = (f64::from(column) + 0.5) / columns * all as f64;
        while (seen as f64) < middle {
            let Some((next, items)) = lengths.next() else {
                break;
            };
            // The middle of the column is in the sequences of the last length taken.
            (length, seen) = (*next, seen + items);
        }
        if drawn != Some(length) {
            let here = plot.left + plot.width() * f64::from(column) / columns;
            if let Some(before) = drawn {
                bar(before, from, here);
            }
            (from, drawn) = (here, Some(length));
        }
    }
    bar(length, from, plot.right);
}

/// Writes the length of each shape over its step, the longest first, where there is room. The first step may be narrower
/// than its length in digits: they begin where the plot does then, on a plate, as the next step is behind them.
fn names(pen: &mut Pen, input: &Input, steps: &[Area], left: f64) {
    let mut taken = OccupiedAreas::default();
    for (i, (shape, step)) in input.shapes.iter().zip(steps).enumerate().rev() {
        let text = count(u64::from(shape.length));
        // Steps to the left are lower.
        let at = (step.right, step.top - OVER);
        let area = label_area(&text, at, 1, false, LABEL / 2.0);
        // Names end at the right of their step; the first may be moved right, as nothing is left of
        // it.
        let beyond = (left - area.left).max(0.0);
        let (at, area) = (
            (at.0 + beyond, at.1),
            Area {
                left: area.left + beyond,
                right: area.right + beyond,
                ..area
            },
        );
        if (beyond == 0.0 || i == 0) && taken.take(area, 2.0) {
            if beyond > 0.0 {
                pen.rect(area, pen.theme.background);
            }
            pen.label(text, at, 1, pen.theme.ink, false);
        }
    }
}
