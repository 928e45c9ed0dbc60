//! The cost of limits: quantities against the limit, one above the other over one axis, so that they are weighed together.

use super::xy::{Axis, Shape, Stroke, Upright, Xy};
use super::{Area, Chart, Frame, LABEL, Look, Pen, Rgb, Table, Theme, label_area, label_width};
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
        let (plane, mut taken) = self.xy(pen.frame).draw(pen);
        for (quantity, (plot, up)) in self.quantities.iter().zip(&plane.panes) {
            pen.note(&*quantity.name, (plot.left, plot.top - 9.0), -1);
            let chosen = self.chosen(pen.theme).into_iter();
            let place = |value: f64, limit| (plane.x(log(limit)), up.place_of(value));
            let chosen: Vec<_> = chosen
                .filter_map(|(limit, colour)| Some((limit, colour, self.value(quantity, limit)?)))
                .collect();
            // Both dots take their places before any words: a value covers neither of them.
            let dots = chosen.iter().map(|(limit, _, value)| place(*value, *limit));
            taken.0.extend(dots.map(|at| Area::around(at, 5.0, 5.0)));
            for (limit, colour, value) in chosen {
                let ((x, y), text) = (place(value, limit), quantity.measure.label(value));
                let away = label_width(&text, true) + 9.0;
                // To the left of the present limit and to the right of the other, if there is room.
                let [left, right] = [x - away >= plot.left, x + away <= pen.frame.width];
                let before = if limit == self.present {
                    left || !right
                } else {
                    left && !right
                };
                let middle = if before { -0.5 } else { 0.5 } * (away + 9.0);
                // Above the plot stands the name of the quantity.
                let at = (x + middle, (y - 10.0).max(plot.top + 7.0));
                let area = label_area(&text, at, 0, true, LABEL / 2.0);
                if area.left >= 0.0 && area.right <= pen.frame.width && taken.take(area, 3.0) {
                    // Lines of the grid and of limits would cross the words.
                    pen.rect(area, pen.theme.background);
                    pen.label(text, at, 0, colour, true);
                }
            }
        }
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

    fn plot(&self, frame: &Frame) -> Option<Xy<'_>> {
        Some(self.xy(frame))
    }
}

/// Returns the place of a limit along the axis. Limits are mostly powers of two: the axis is of binary logarithms, and has
/// a tick at each of them.
fn log(limit: u32) -> f64 {
    f64::from(limit.max(1)).log2()
}

impl Input {
    fn xy(&self, frame: &Frame) -> Xy<'_> {
        let theme = frame.theme;
        let pane = |quantity| self.pane(quantity, theme);
        let chosen = self.chosen(theme).into_iter().map(|(limit, colour)| {
            let word = if limit == self.present {
                "now"
            } else {
                "recommended"
            };
            Upright {
                words: vec![format!("{word} {}", count(u64::from(limit)))],
                // The second line is for the recommended one where both are near.
                lanes: &[42.0, 26.0],
                ..Upright::new(log(limit), Stroke::Rule(1.5), colour)
            }
        });
        let named = self.marks.iter().map(|(name, limit)| Upright {
            words: vec![(*name).to_owned()],
            lanes: &[26.0],
            ..Upright::new(log(*limit), Stroke::Dotted, theme.second_ink)
        });
        let limits = || (0..).zip(&self.limits);
        let [first, last] = [self.limits.first(), self.limits.last()]
            .map(|limit| limit.map_or(0.0, |limit| log(*limit)));
        let along = Axis::linear([first, last.max(first + 1.0)], |along| {
            let powers = along.ends[0].ceil() as u32..=along.ends[1].floor() as u32;
            along.ticks(powers.map(f64::from), |power| count(power.exp2() as u64))
        });
        Xy {
            above: 52.0,
            // For half of the last label.
            right: 30.0,
            baseline: Some((theme.ink, format!("limit, {}", self.unit).into())),
            uprights: chosen.chain(named).collect(),
            stops: limits().map(|(i, limit)| (log(*limit), [i, 0])).collect(),
            present: limits()
                .position(|(_, limit)| *limit == self.present)
                .or(Some(0)),
            ..Xy::new(along, self.quantities.iter().map(pane).collect())
        }
    }

    fn pane<'a>(&'a self, quantity: &'a LimitQuantity, theme: Theme) -> (Axis<'a>, Vec<Shape>) {
        let most = quantity
            .values
            .iter()
            .flatten()
            .copied()
            .fold(0.0, f64::max);
        let most = if most > 0.0 { most * 1.1 } else { 1.0 };
        let up = Axis::linear([0.0, most], |up| {
            up.even_ticks(30.0, [1.0, 4.0], |value, _| quantity.measure.tick(value))
        });
        // Limits without a value are skipped: the line goes on to the next one.
        let all = self.limits.iter().zip(&quantity.values);
        let points = all.filter_map(|(limit, y)| Some(Some((log(*limit), (*y)?))));
        let line = Shape::Line(points.collect(), Look::Ink);
        let dot = |(limit, colour)| {
            let at = (log(limit), self.value(quantity, limit)?);
            Some(Shape::Dot(at, 4.0, colour))
        };
        let dots = self.chosen(theme).into_iter().filter_map(dot);
        (up, std::iter::once(line).chain(dots).collect())
    }

    /// Returns the present limit, and the recommended one if it is another, with their colours.
    fn chosen(&self, theme: Theme) -> Vec<(u32, Rgb)> {
        let better = self.better.map(|better| (better, theme.ink));
        std::iter::once((self.present, theme.accent))
            .chain(better)
            .collect()
    }

    fn value(&self, quantity: &LimitQuantity, limit: u32) -> Option<f64> {
        let at = self.limits.iter().position(|other| *other == limit)?;
        quantity.values.get(at).copied().flatten()
    }
}
