//! Efficiency against depth: how full rows are, by the maximum number of items in one.

mod axis;
mod labels;

use super::xy::{Axis, Shape, Stroke, Upright, Xy};
use super::{
    Area, Chart, EndName, EndNames, Frame, Look, Pen, Point, Scale, Strokes, Table,
    end_names::LINE, label_width,
};
use axis::EfficiencyAxis;
use packscope::packing::Depth;
use packscope::{order, words};

/// One algorithm at every depth.
#[derive(Debug, Clone, PartialEq)]
pub struct AlgorithmCurve {
    /// The short name of the algorithm.
    pub name: &'static str,
    /// Efficiency in [0, 1] at each depth; `None` while it is unknown.
    pub values: Vec<Option<f64>>,
}

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The depths, in order; evenly spaced whatever their values.
    pub depths: Vec<Depth>,
    /// The algorithms; the index of an algorithm gives the pattern of its dashes.
    pub curves: Vec<AlgorithmCurve>,
    /// The efficiency that no plan exceeds, at each depth; may be empty.
    pub bound: Vec<Option<f64>>,
    /// Index of the chosen curve.
    pub chosen: Option<usize>,
    /// Index of the chosen depth.
    pub depth: Option<usize>,
    /// The scale of the efficiency; on [`Scale::Log`] each step has a tenth of the padding.
    pub scale: Scale,
    /// The name of the axis of depths; empty for none.
    pub caption: &'static str,
}

/// A spot is the index of a depth.
impl Chart for Input {
    fn draw(&self, pen: &mut Pen) {
        let (plane, _) = self.xy(pen.frame).draw(pen);
        if let Some(area) = labels::free_above(self, &self.axis(pen.frame), &plane) {
            labels::write_key(pen, area);
        }
        // The axis of depths is a little below the plot, clear of the dots of an efficiency at its lower end.
        let theme = pen.theme;
        let plot = Area {
            bottom: plane.plot.bottom + 3.0,
            ..plane.plot
        };
        pen.rule(
            (plot.left, plot.bottom),
            (plot.right + 1.0, plot.bottom),
            1.0,
            theme.ink,
        );
        for (i, depth) in self.depths.iter().enumerate() {
            let (x, chosen) = (plane.x(i as f64), self.depth == Some(i));
            pen.rule((x, plot.bottom), (x, plot.bottom + 5.0), 1.0, theme.ink);
            let colour = if chosen {
                theme.accent
            } else {
                theme.second_ink
            };
            let name = match depth {
                Depth::AtMost(n) => n.to_string(),
                Depth::Unlimited => "∞".to_owned(),
            };
            pen.label(name, (x, plot.bottom + 15.0), 0, colour, chosen);
        }
        if !self.caption.is_empty() {
            pen.note(self.caption, (plot.left, plot.bottom + 34.0), -1);
        }
    }

    fn summary(&self) -> String {
        format!(
            "Efficiency against depth for {} algorithms and the bound.",
            self.curves.len()
        )
    }

    fn table(&self) -> Option<Table> {
        let row = |name: &str, values: &[Option<f64>]| {
            let values = values
                .iter()
                .map(|e| e.map_or_else(|| "–".to_owned(), words::percent));
            std::iter::once(name.to_owned()).chain(values).collect()
        };
        let head = std::iter::once("algorithm".to_owned())
            .chain(self.depths.iter().map(ToString::to_string));
        let curves = self
            .curves
            .iter()
            .map(|curve| row(curve.name, &curve.values));
        let rows = curves.chain([row("no plan is above", &self.bound)]);
        Some(Table::new("Efficiency by depth", head, rows))
    }

    fn plot(&self, frame: &Frame) -> Option<Xy<'_>> {
        Some(self.xy(frame))
    }
}

impl Input {
    fn values(&self) -> impl Iterator<Item = f64> {
        self.curves
            .iter()
            .flat_map(|c| &c.values)
            .chain(&self.bound)
            .flatten()
            .copied()
    }

    /// Returns the points of a curve: indices of depths, and heights on the axis.
    fn points(&self, values: &[Option<f64>], axis: &EfficiencyAxis) -> Vec<Option<Point>> {
        let values = values.iter().take(self.depths.len()).enumerate();
        let point = |(i, value): (usize, &Option<f64>)| Some((i as f64, axis.height((*value)?)));
        values.map(point).collect()
    }

    /// Returns the height below the plot.
    fn below(&self) -> f64 {
        if self.caption.is_empty() { 26.0 } else { 46.0 }
    }

    fn axis(&self, frame: &Frame) -> EfficiencyAxis {
        EfficiencyAxis::new(self, (frame.height - ABOVE - self.below()).max(4.0))
    }

    fn xy(&self, frame: &Frame) -> Xy<'_> {
        let (theme, axis) = (frame.theme, self.axis(frame));
        let names = labels::names(self, &axis, &[], frame);
        let widest = names.iter().map(EndName::width).fold(0.0, f64::max);
        // Whether the key needs room is known only once the room is.
        let widest = widest.max(label_width(labels::NO_PLAN[1], false));
        let mut shapes = vec![Shape::Bound(self.points(&self.bound, &axis))];
        let mut order: Vec<usize> = (0..self.curves.len()).collect();
        // `false` sorts first: the chosen curve is painted over the others.
        order::sort_by_key(&mut order, |i| self.chosen == Some(*i));
        for i in order {
            self.add_curve(i, &axis, frame, &mut shapes);
        }
        let up = Axis::linear([axis.low, axis.high], move |up| {
            let ticks = axis.ticks().into_iter();
            ticks
                .map(|e| (up.beyond(axis.height(e)), words::tick_percent(e)))
                .collect()
        });
        // By their order, not by their values: an unlimited depth has none.
        let last = self.depths.len().saturating_sub(1).max(1) as f64;
        let within = |i: &usize| *i < self.depths.len();
        let pointed = pointed(frame)
            .filter(|i| self.depth != Some(*i))
            .filter(within);
        let upright = |i: usize, width, colour| Upright {
            beyond: [10.0, 8.0],
            ..Upright::new(i as f64, Stroke::Rule(width), colour)
        };
        let pointed = pointed.map(|i| upright(i, 1.0, theme.second_ink));
        let chosen = self.depth.filter(within).map(|i| Upright {
            words: self.figure(i).into_iter().collect(),
            lanes: &[19.0],
            ..upright(i, 1.2, theme.accent)
        });
        let depths = 0..self.depths.len() as u32;
        let mut xy = Xy {
            above: ABOVE,
            below: self.below(),
            // Widths are estimates: in the widest fonts a name is a few pixels longer.
            right: (widest + GAP + 7.0).min(frame.width * 0.4),
            uprights: pointed.into_iter().chain(chosen).collect(),
            stops: depths.map(|i| (f64::from(i), [i, 0])).collect(),
            present: self.depth.or(Some(0)),
            ..Xy::new(
                Axis::linear([0.0, last], |_| Vec::new()),
                vec![(up, shapes)],
            )
        };
        let free = labels::free_above(self, &axis, &xy.plane(frame));
        // If the drawing has no room for the key, the name of the bound includes it; not on a phone.
        let named = if free.is_none() && frame.width >= 400.0 {
            labels::names(self, &axis, &labels::NO_PLAN, frame)
        } else {
            names
        };
        let beside = EndNames {
            first_line: true,
            strokes: Some(Strokes {
                from: 4.0,
                least: LINE * 0.6,
                at_edge: true,
                colour: theme.hairline,
            }),
            ..EndNames::new(GAP, [4.0, 10.0])
        };
        xy.names = Some((beside, named));
        xy
    }

    /// Adds a curve with its dots: the chosen one has them at every depth, others at the needle and at the pointer.
    fn add_curve(&self, i: usize, axis: &EfficiencyAxis, frame: &Frame, shapes: &mut Vec<Shape>) {
        let points = self.points(&self.curves[i].values, axis);
        let chosen = self.chosen == Some(i);
        let look = Look::of_curve(i, chosen);
        let marked = |i: usize| self.depth == Some(i) || pointed(frame) == Some(i);
        let dot = |(i, at): (usize, Option<Point>)| {
            let radius = match (chosen, marked(i)) {
                (true, true) => 5.0,
                (true, false) => 2.5,
                (false, true) => 3.0,
                (false, false) => return None,
            };
            Some(Shape::Dot(at?, radius, frame.colour(look)))
        };
        shapes.push(Shape::Line(points.clone(), look));
        shapes.extend(points.into_iter().enumerate().filter_map(dot));
    }

    /// Returns "89.48 % at depth 3", if the chosen curve has a value at that depth.
    fn figure(&self, depth: usize) -> Option<String> {
        let value = (*self.curves.get(self.chosen?)?.values.get(depth)?)?;
        let at = match self.depths.get(depth)? {
            Depth::AtMost(n) => format!("at depth {n}"),
            Depth::Unlimited => "with no limit on depth".to_owned(),
        };
        Some(format!("{} {at}", words::efficiency(value)))
    }
}

/// Height above the plot, with the figure at the needle.
const ABOVE: f64 = 28.0;
/// Distance from the end of a line to its name.
const GAP: f64 = 12.0;

fn pointed(frame: &Frame) -> Option<usize> {
    frame.hover.map(|[at, _]| at as usize)
}
