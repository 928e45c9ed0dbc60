//! Efficiency of both components against one limit, with the other fixed: the best limit is close to the crossing.

use super::xy::{Axis, Shape, Stroke, Upright, Xy};
use super::{
    Area, Chart, EndName, EndNames, Frame, Look, OccupiedAreas, Pen, Table, axis, centred,
    end_names::LINE, label_width, singular, widest,
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

    fn xy(&self, frame: &Frame) -> Xy<'_> {
        let values = || self.points.iter().flat_map(|(_, efficiency)| *efficiency);
        // Where everything is full the axis still needs a span.
        let lowest = values().filter(|e| e.is_finite()).fold(1.0, f64::min);
        let lowest = lowest.clamp(0.0, 0.99);
        let step = axis::round_step((1.0 - lowest) / 5.0);
        let low = ((lowest / step + 1e-9).floor() * step).max(0.0);
        let up = Axis::linear([low, 1.0], |up| {
            up.even_ticks(36.0, [1.0, 5.0], |level, _| words::tick_percent(level))
        });
        // The component whose limit varies is painted over the other.
        let looks = [(1, Look::Ink), (0, Look::Accent)];
        let line = |(k, look): (usize, Look)| {
            let points = self
                .points
                .iter()
                .map(|(limit, e)| (f64::from(*limit), e[k]));
            let known = points.filter(|(_, efficiency)| efficiency.is_finite());
            Shape::Line(known.map(Some).collect(), look)
        };
        let name = |(k, look): (usize, Look)| {
            let (limit, last) = self.points.last()?;
            Some(EndName {
                lines: vec![(self.names[k].clone(), frame.colour(look), false)],
                margins: [-0.5; 2],
                end: (f64::from(*limit), last[k]),
            })
        };
        let present = self.present().map(|limit| Upright {
            beyond: [0.0, 4.0],
            ..Upright::new(limit, Stroke::Rule(1.5), frame.theme.accent)
        });
        let named = looks.into_iter().rev().filter_map(name).collect();
        let [first, last] = self.ends().unwrap_or_default();
        let limits = || self.points.iter().map(|(limit, _)| *limit);
        Xy {
            above: 10.0,
            // Widths are estimates.
            right: widest(&self.names, false) + NAMES + 3.0,
            uprights: present.into_iter().collect(),
            names: Some((EndNames::new(NAMES, [9.0, LINE]), named)),
            stops: limits()
                .map(|at| (f64::from(at), [at, self.at[1]]))
                .collect(),
            // The present limit may be between two that were tried: keys begin at the lower one.
            present: limits().rposition(|limit| limit <= self.at[0]).or(Some(0)),
            reach: 12.0,
            ..Xy::new(
                Axis::linear([first, last.max(first + 1.0)], |_| Vec::new()),
                vec![(up, looks.map(line).into())],
            )
        }
    }

    /// Returns the first and the last limit.
    fn ends(&self) -> Option<[f64; 2]> {
        let [first, last] = [self.points.first()?, self.points.last()?];
        Some([first, last].map(|(limit, _)| f64::from(*limit)))
    }

    /// Returns the present limit, if it is on the axis: that is as long as what was tried.
    fn present(&self) -> Option<f64> {
        let [first, last] = self.ends()?;
        Some(f64::from(self.at[0])).filter(|limit| (first..=last).contains(limit))
    }
}

/// A spot is both limits.
impl Chart for Input {
    fn draw(&self, pen: &mut Pen) {
        let (plane, _) = self.xy(pen.frame).draw(pen);
        let (plot, ends) = (plane.plot, self.ends());
        let [from, to] = ends.unwrap_or_default();
        let rounds = axis::whole(from, to, (plot.width() / 64.0).max(1.0));
        let others = ends.into_iter().flatten().chain(rounds);
        let mut taken = OccupiedAreas::default();
        // The present limit comes first, then both ends: round limits near them give way.
        let present = self.present().map(|limit| (limit, true));
        for (limit, bold) in present
            .into_iter()
            .chain(others.map(|limit| (limit, false)))
        {
            let text = axis::label(limit);
            let half = label_width(&text, bold) / 2.0;
            let x = centred(plane.x(limit), half, [0.0, pen.frame.width]);
            let at = (x, plot.bottom + 15.0);
            let apart = if bold { 0.0 } else { 7.0 };
            if taken.take(Area::around(at, half, 8.0).grown(apart), 1.0) {
                let colour = if bold {
                    pen.theme.accent
                } else {
                    pen.theme.second_ink
                };
                pen.label(text, at, 0, colour, bold);
            }
        }
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

    fn plot(&self, frame: &Frame) -> Option<Xy<'_>> {
        Some(self.xy(frame))
    }
}

/// Distance from the plot to the names at its right.
const NAMES: f64 = 8.0;
