//! Efficiency against depth: how full rows are, by the maximum number of items in one.

mod axis;
mod labels;

use super::{Area, Chart, Frame, Look, Pen, Point, Scale, Spot, Table, further, runs, widest};
use axis::EfficiencyAxis;
use packscope::packing::Depth;
use packscope::words;

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
        let layout = layout(self, pen.frame);
        axis::draw(pen, self, &layout);
        bound(pen, self, &layout);
        labels::no_plan(pen, self, &layout);
        needle(pen, self, &layout);
        curves(pen, self, &layout);
        labels::names(pen, self, &layout);
        labels::needle(pen, self, &layout);
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

    fn hit(&self, (x, _): Point, frame: &Frame) -> Option<Spot> {
        let layout = layout(self, frame);
        let distance = |i: &usize| (layout.xs[*i] - x).abs();
        let near = (0..layout.xs.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some([near as u32, 0])
    }

    /// Starts at the chosen depth.
    fn step(&self, _: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        Some([
            further(
                self.depth.unwrap_or(0) as u32,
                right + up,
                self.depths.len(),
            )?,
            0,
        ])
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

    /// Returns the chosen curve's efficiency at the chosen depth.
    fn needle(&self) -> Option<f64> {
        *self.curves.get(self.chosen?)?.values.get(self.depth?)?
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The area inside the axes.
    pub plot: Area,
    /// The horizontal position of each depth.
    pub xs: Vec<f64>,
    vertical: EfficiencyAxis,
}

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let below = if input.caption.is_empty() { 26.0 } else { 46.0 };
    let mut plot = Area {
        top: 28.0,
        bottom: (frame.height - below).max(60.0),
        ..frame.area()
    };
    // Ticks depend on the height alone, so they are known before the width that their labels take.
    let ticks = EfficiencyAxis::new(input, plot).ticks();
    plot.left = widest(ticks.into_iter().map(words::tick_percent), false) + 10.0;
    // Only now is it known which curves coincide, and so which names stand together.
    let names = labels::margin(input, &spaced(input, plot), frame);
    plot.right = (frame.width - names).max(plot.left + 20.0);
    spaced(input, plot)
}

/// Places depths evenly along a plot.
fn spaced(input: &Input, plot: Area) -> Layout {
    // By their order, not by their values: an unlimited depth has none.
    let step = plot.width() / input.depths.len().saturating_sub(1).max(1) as f64;
    let xs = (0..input.depths.len())
        .map(|i| plot.left + step * i as f64)
        .collect();
    Layout {
        plot,
        xs,
        vertical: EfficiencyAxis::new(input, plot),
    }
}

/// Returns the parts of a curve in which neighbouring depths have values.
fn parts(values: &[Option<f64>], layout: &Layout) -> Vec<Vec<Point>> {
    runs(
        layout
            .xs
            .iter()
            .zip(values)
            .map(|(x, value)| value.map(|value| (*x, layout.vertical.y(value)))),
    )
}

/// Draws the bound, hatched on the side that no plan reaches.
fn bound(pen: &mut Pen, input: &Input, layout: &Layout) {
    for part in parts(&input.bound, layout) {
        pen.bound(part);
    }
}

fn pointed(pen: &Pen) -> Option<usize> {
    pen.frame.hover.map(|[at, _]| at as usize)
}

/// Draws the chosen depth, and the one under the pointer.
fn needle(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (plot, theme) = (layout.plot, pen.theme);
    let hover = pointed(pen).filter(|i| input.depth != Some(*i));
    for (index, width, colour) in [
        // The chosen depth is painted over the one under the pointer.
        (hover, 1.0, theme.second_ink),
        (input.depth, 1.2, theme.accent),
    ] {
        if let Some(x) = index.and_then(|i| layout.xs.get(i)) {
            let x = x - width / 2.0;
            pen.rule((x, plot.top - 10.0), (x, plot.bottom + 8.0), width, colour);
        }
    }
}

/// Draws the curves, the chosen one last and in the accent, with a dot at every depth.
fn curves(pen: &mut Pen, input: &Input, layout: &Layout) {
    let dot = |values: &[Option<f64>], i: usize| {
        Some((
            *layout.xs.get(i)?,
            layout.vertical.y(values.get(i).copied().flatten()?),
        ))
    };
    let hover = pointed(pen);
    for (i, curve) in input
        .curves
        .iter()
        .enumerate()
        // The chosen one comes after the loop, above all others.
        .filter(|(i, _)| input.chosen != Some(*i))
    {
        for part in parts(&curve.values, layout) {
            pen.curve(&part, Look::Dashed(i));
        }
        for at in [input.depth, hover]
            .into_iter()
            .flatten()
            .filter_map(|i| dot(&curve.values, i))
        {
            pen.dot(at, 3.0, pen.theme.second_ink);
        }
    }
    let Some(curve) = input.chosen.and_then(|i| input.curves.get(i)) else {
        return;
    };
    for part in parts(&curve.values, layout) {
        pen.line(&part, Look::Accent);
    }
    for (i, at) in (0..layout.xs.len()).filter_map(|i| Some((i, dot(&curve.values, i)?))) {
        let radius = if input.depth == Some(i) || hover == Some(i) {
            5.0
        } else {
            2.5
        };
        pen.dot(at, radius, pen.theme.accent);
    }
}
