//! The cost of limits: quantities against the limit, one above the other over one axis, so that they are weighed together.

use super::{
    Area, BELOW, Chart, Frame, LABEL, Look, OccupiedAreas, Pen, Point, Rgb, Scale, Spot, Table,
    Theme, Tick, ValueAxis, axis, centred, further, label_area, label_width,
};
use packscope::words::{about, about_percent, count, percent, significant, tick_percent};
use std::borrow::Cow;

/// A quantity at each limit.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitQuantity {
    /// Its name, with its unit.
    pub name: Cow<'static, str>,
    /// Its value at each limit; `None` where there is none.
    pub values: Vec<Option<f64>>,
    /// The kind of its values.
    pub measure: Measure,
}

/// The kind of values, which decides how they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Shares that are known.
    Share,
    /// Shares that are estimated.
    AboutShare,
    /// Numbers that are estimated.
    About,
}

impl Measure {
    fn label(self, value: f64) -> String {
        match self {
            Self::Share => percent(value),
            Self::AboutShare => about_percent(value),
            Self::About => about(value),
        }
    }

    /// Writes a round value of an axis.
    fn tick(self, value: f64) -> String {
        if self == Self::About {
            significant(value, 3)
        } else {
            tick_percent(value)
        }
    }
}

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The limits, ascending.
    pub limits: Vec<u32>,
    /// The quantities, from above; each has as many values as there are limits.
    pub quantities: Vec<LimitQuantity>,
    /// The present limit.
    pub present: u32,
    /// The recommended limit, if another is.
    pub better: Option<u32>,
    /// Limits with a name, such as those that hold 99 % of the sequences.
    pub marks: Vec<(&'static str, u32)>,
    /// The unit of limits.
    pub unit: String,
}

/// A spot is the index of a limit.
impl Chart for Input {
    /// Takes O(limits · quantities) time.
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        for (quantity, (plot, up)) in self.quantities.iter().zip(&layout.plots) {
            pen.grid(*plot, &ticks(up, quantity, plot.height()));
            pen.note(&*quantity.name, (plot.left, plot.top - 9.0), -1);
        }
        let mut taken = marks(pen, self, &layout);
        for (quantity, (plot, up)) in self.quantities.iter().zip(&layout.plots) {
            // Limits without a value are skipped: the line goes on to the next one.
            let known = self.limits.iter().zip(&quantity.values);
            let points: Vec<Point> = known
                .filter_map(|(limit, y)| Some((layout.x(*limit), up.place_of((*y)?))))
                .collect();
            pen.line(&points, Look::Ink);
            let value = |limit: u32| {
                let at = self.limits.iter().position(|other| *other == limit)?;
                quantity.values.get(at).copied().flatten()
            };
            let chosen = self.chosen(pen.theme).into_iter();
            let chosen: Vec<_> = chosen
                .filter_map(|(limit, c)| Some((limit, c, value(limit)?)))
                .collect();
            // Both dots take their places before any words: a value covers neither of them.
            for (limit, colour, value) in &chosen {
                let at = (layout.x(*limit), up.place_of(*value));
                pen.dot(at, 4.0, *colour);
                taken.0.push(Area::around(at, 5.0, 5.0));
            }
            for (limit, colour, value) in chosen {
                let ((x, y), text) = (
                    (layout.x(limit), up.place_of(value)),
                    quantity.measure.label(value),
                );
                let away = label_width(&text, true) + 9.0;
                // To the left of the present limit and to the right of the other, if there is room.
                let [left, right] = [x - away >= plot.left, x + away <= pen.frame.width];
                let before = if limit == self.present {
                    left || !right
                } else {
                    left && !right
                };
                let middle = if before { -0.5 } else { 0.5 } * (away + 9.0);
                let (x, y) = (x + middle, y - 10.0);
                // Above the plot stands the name of the quantity.
                let y = y.max(up.place_of(up.ends[1]) + 7.0);
                let area = label_area(&text, (x, y), 0, true, LABEL / 2.0);
                if area.left >= 0.0 && area.right <= pen.frame.width && taken.take(area, 3.0) {
                    // Lines of the grid and of limits would cross the words.
                    pen.rect(area, pen.theme.background);
                    pen.label(text, (x, y), 0, colour, true);
                }
            }
        }
        let Some((plot, _)) = layout.plots.last() else {
            return;
        };
        pen.baseline(*plot);
        let [low, high] = layout.along.ends;
        let powers = (low.ceil() as u32..=high.floor() as u32).map(f64::from);
        let along = layout
            .along
            .ticks(powers, |power| count(power.exp2() as u64));
        pen.ticks_below(
            *plot,
            &along,
            &format!("limit, {}", self.unit),
            pen.frame.width,
        );
    }

    fn table(&self) -> Option<Table> {
        let row = |(at, limit): (usize, &u32)| {
            let value = |quantity: &LimitQuantity| {
                let value = quantity.values.get(at).copied().flatten();
                value.map_or_else(|| "–".to_owned(), |value| quantity.measure.label(value))
            };
            let first = count(u64::from(*limit));
            std::iter::once(first)
                .chain(self.quantities.iter().map(value))
                .collect()
        };
        let head =
            std::iter::once("limit").chain(self.quantities.iter().map(|quantity| &*quantity.name));
        Some(Table::new(
            "What limits cost",
            head,
            self.limits.iter().enumerate().map(row),
        ))
    }

    fn hit(&self, (x, _): Point, frame: &Frame) -> Option<Spot> {
        let layout = layout(self, frame);
        let distance = |at: &usize| (layout.x(self.limits[*at]) - x).abs();
        let near = (0..self.limits.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some([near as u32, 0])
    }

    /// Starts at the present limit.
    fn step(&self, _: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        let now = self
            .limits
            .iter()
            .position(|limit| *limit == self.present)
            .unwrap_or(0);
        Some([further(now as u32, right + up, self.limits.len())?, 0])
    }
}

impl Input {
    /// Returns the present limit, and the recommended one if it is another, with their colours.
    fn chosen(&self, theme: Theme) -> Vec<(u32, Rgb)> {
        let better = self.better.map(|better| (better, theme.ink));
        std::iter::once((self.present, theme.accent))
            .chain(better)
            .collect()
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
struct Layout {
    /// The area of each quantity, with its axis upwards.
    plots: Vec<(Area, ValueAxis)>,
    along: ValueAxis,
}

impl Layout {
    fn x(&self, limit: u32) -> f64 {
        self.along.place_of(f64::from(limit.max(1)).log2())
    }
}

/// Height above the first quantity: a line for chosen limits, one for others with a name, and its own name.
const ABOVE: f64 = 52.0;
/// Height of the name of every other quantity.
const NAME: f64 = 24.0;
/// Room at the right, for half of the last label.
const RIGHT: f64 = 30.0;

/// Returns the layout of the drawing in a frame.
fn layout(input: &Input, frame: &Frame) -> Layout {
    let many = input.quantities.len().max(1) as f64;
    let up = |quantity: &LimitQuantity, plot| {
        let most = quantity
            .values
            .iter()
            .flatten()
            .copied()
            .fold(0.0, f64::max);
        ValueAxis::up(
            plot,
            [0.0, if most > 0.0 { most * 1.1 } else { 1.0 }],
            Scale::Linear,
        )
    };
    let high = |whole: Area| ((whole.height() - NAME * (many - 1.0)) / many).max(1.0);
    // The widest labels set the left edge of all plots, which share their axis of limits.
    let labels = |whole: Area| {
        let of = |quantity: &LimitQuantity| {
            axis::margin(&ticks(&up(quantity, whole), quantity, high(whole)))
        };
        input.quantities.iter().map(of).fold(0.0, f64::max)
    };
    let whole = frame.plot(ABOVE.min(frame.height / 3.0), BELOW, |whole| {
        [labels(whole), RIGHT]
    });
    let plot = |at: usize| {
        let top = whole.top + at as f64 * (high(whole) + NAME);
        Area {
            top,
            bottom: top + high(whole),
            ..whole
        }
    };
    let plots = input
        .quantities
        .iter()
        .enumerate()
        .map(|(at, q)| (plot(at), up(q, plot(at))))
        .collect();
    // Limits are mostly powers of two: the axis is of binary logarithms, and has a tick at each of
    // them.
    let log = |limit: Option<&u32>| limit.map_or(0.0, |limit| f64::from((*limit).max(1)).log2());
    let [first, last] = [log(input.limits.first()), log(input.limits.last())];
    Layout {
        plots,
        along: ValueAxis::across(whole, [first, last.max(first + 1.0)], Scale::Linear),
    }
}

/// Returns a few ticks of a quantity.
fn ticks(up: &ValueAxis, quantity: &LimitQuantity, height: f64) -> Vec<Tick> {
    let [low, high] = up.ends;
    let step = axis::round_step((high - low) / (height / 30.0).clamp(1.0, 4.0));
    up.ticks(axis::every(low, high, step), |value| {
        quantity.measure.tick(value)
    })
}

/// Draws lines at limits with a name, the present and the recommended one first; returns the places of their names.
fn marks(pen: &mut Pen, input: &Input, layout: &Layout) -> OccupiedAreas {
    let (mut taken, theme) = (OccupiedAreas::default(), pen.theme);
    let Some(top) = layout.plots.first().map(|(plot, _)| plot.top) else {
        return taken;
    };
    let ends = [0.0, pen.frame.width];
    for (limit, colour) in input.chosen(theme) {
        let x = layout.x(limit);
        for (plot, _) in &layout.plots {
            pen.rule((x - 0.75, plot.top), (x - 0.75, plot.bottom), 1.5, colour);
        }
        let word = if limit == input.present {
            "now"
        } else {
            "recommended"
        };
        let text = format!("{word} {}", count(u64::from(limit)));
        let x = centred(x, label_width(&text, true) / 2.0, ends);
        // The second line is for the recommended one where both are near.
        let places =
            [42.0, 26.0].map(|above| label_area(&text, (x, top - above), 0, true, LABEL / 2.0));
        if let Some(area) = places.into_iter().find(|area| taken.take(*area, 3.0)) {
            pen.label(
                text,
                (x, f64::midpoint(area.top, area.bottom)),
                0,
                colour,
                true,
            );
        }
    }
    for (name, limit) in &input.marks {
        let x = layout.x(*limit);
        for (plot, _) in &layout.plots {
            pen.dashed(
                &[(x, plot.top), (x, plot.bottom)],
                &[2.0, 3.0],
                1.0,
                theme.second_ink,
            );
        }
        taken.label(pen, name, (x, top - 26.0), ends, theme.second_ink, false);
    }
    taken
}
