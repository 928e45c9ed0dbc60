//! The time of an epoch by its parts, for each method: stacked bars on one time scale.
//!
//! Useful work has colours of the length scale, and padding is grey. Other parts have no colour of their own: keeping
//! packed items apart is hatched, overhead is an empty box, and waiting is hatched in ink.

mod names;
mod rows;

use super::{Area, Chart, Frame, Pen, Point, Spot, further, mix};
use packscope::cost;
pub use rows::Row;

/// Number of parts of a bar.
const PARTS: usize = 6;
/// Distance between bars and the words beside them.
const GAP: f64 = 10.0;

/// One method.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// The name of the method.
    pub name: &'static str,
    /// Seconds of an epoch; `None` where the accelerator has no kernels for the method.
    pub parts: Option<cost::TimeParts>,
    /// The words at the end of the bar, such as "2.1 h · 1.92×"; the reason if there is no bar.
    pub text: String,
}

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The methods from the top, the padded one first.
    pub bars: Vec<Bar>,
    /// The names of the parts, in the order of [`cost::TimeParts::named`]; see [`names()`].
    pub names: [&'static str; PARTS],
    /// The index of the chosen method.
    pub chosen: Option<usize>,
}

/// The index of the part that is padding.
const PADDING: u32 = 2;

/// A spot is the index of a method, and that of a part in the order of [`cost::TimeParts::named`].
impl Chart for Input {
    /// Takes O(methods) time.
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        for (bar, row) in self.bars.iter().zip(&layout.rows) {
            parts(pen, bar, row);
        }
        names::methods(pen, self, &layout);
        names::parts(pen, &layout);
        hover(pen, &layout);
    }

    /// Returns the part at a place; parts too narrow to be hit also have the room beside them.
    fn hit(&self, (x, y): Point, frame: &Frame) -> Option<Spot> {
        let layout = layout(self, frame);
        let (method, row) = layout
            .rows
            .iter()
            .enumerate()
            .find(|(_, row)| row.bar.grown(3.0).contains(x, y))?;
        // A part that the pointer is on counts as farther than a narrow one nearby, which it would
        // never hit.
        let distance = |part: &Area| match part.width() {
            width if width >= REACH => part.contains(x, part.top).then_some(REACH),
            width => {
                let off = (x - f64::midpoint(part.left, part.right)).abs();
                (width > 0.0 && off <= REACH / 2.0).then_some(off)
            }
        };
        let near = row
            .parts
            .iter()
            .enumerate()
            .filter_map(|(part, area)| Some((part, distance(area)?)));
        let (part, _) = near.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some([method as u32, part as u32])
    }

    /// Starts at the padding of the first method.
    fn step(&self, from: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        let Some([bar, part]) = from else {
            return Some([0, PADDING]);
        };
        Some([
            further(bar, -up, self.bars.len())?,
            further(part, right, PARTS)?,
        ])
    }

    /// Returns the height at which every bar is legible.
    fn height(&self, width: f64) -> f64 {
        rows::measured(self, width)
            .0
            .last()
            .map_or(0.0, |row| row.area.bottom)
    }
}

/// Returns the names of the parts; for graphs, the work is on nodes and edges.
pub fn names(graphs: bool) -> [&'static str; PARTS] {
    let mut names = cost::TimeParts::default().named().map(|(name, _)| name);
    if graphs {
        [names[0], names[1]] = ["nodes", "edges"];
    }
    names
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The methods, from the top.
    pub rows: Vec<Row>,
    labels: Vec<names::PartLabel>,
}

/// Parts narrower than this are given as much room for the pointer, taken from wider neighbours.
const REACH: f64 = 7.0;

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let (mut rows, labels) = rows::measured(input, frame.width);
    // A canvas that is lower than the rows need shows all of them, flattened.
    let natural = rows.last().map_or(0.0, |row| row.area.bottom);
    if natural > frame.height {
        rows.iter_mut()
            .for_each(|row| row.flattened(frame.height / natural));
    }
    Layout { rows, labels }
}

/// Colour steps of the length scale for work on tokens, for attention, and behind the hatch of masking.
const LINEAR: usize = 6;
const ATTENTION: usize = 4;
const LIGHT: usize = 0;
/// Parts narrower than this are not drawn.
const LEAST: f64 = 0.25;

/// Draws the parts of a bar from left to right.
fn parts(pen: &mut Pen, bar: &Bar, row: &Row) {
    if bar.parts.is_none() {
        return;
    }
    let theme = pen.theme;
    for (kind, area) in row
        .parts
        .iter()
        .enumerate()
        .filter(|(_, area)| area.width() >= LEAST)
    {
        // The parts in the order of `TimeParts::named`: linear, attention, padding, masking,
        // overhead, waiting.
        match kind {
            0 => pen.rect(*area, theme.lengths[LINEAR]),
            1 => pen.rect(*area, theme.lengths[ATTENTION]),
            2 => pen.rect(*area, theme.padding),
            3 => {
                // The ink of the first colour step keeps strokes visible in every theme.
                let (light, dark) = (theme.lengths[LIGHT], theme.on_length(1, 8));
                pen.rect(*area, light);
                pen.hatched(area, -1.0, mix(dark, light, 0.6));
                pen.outline(joined(area), 1.0, theme.ink);
            }
            4 => pen.outline(joined(area), 1.0, theme.ink),
            _ => {
                pen.hatched(area, 1.0, theme.ink);
                pen.outline(joined(area), 1.0, theme.ink);
            }
        }
    }
    // Where the epoch begins.
    pen.rule(
        (row.bar.left, row.bar.top - 2.0),
        (row.bar.left, row.bar.bottom + 2.0),
        1.0,
        theme.ink,
    );
}

/// Returns the area with the last pixel of the part before, so that two outlines share a line.
fn joined(area: &Area) -> Area {
    Area {
        left: area.left - 1.0,
        ..*area
    }
}

/// Outlines the part under the pointer.
fn hover(pen: &mut Pen, layout: &Layout) {
    let part = |[method, part]: Spot| {
        layout
            .rows
            .get(method as usize)?
            .parts
            .get(part as usize)
            .copied()
    };
    if let Some(area) = pen
        .frame
        .hover
        .and_then(part)
        .filter(|area| area.width() >= LEAST)
    {
        pen.outline(area.grown(2.0), 2.0, pen.theme.ink);
    }
}
