//! The strategy matrix: a column for each strategy, most used first, and a row for each length; a cell has the number
//! of times that the length is in the pack. The number of packs is above each column, and the number of empty slots
//! below it.
//!
//! After the strategy matrix in the blog post on Packed BERT, its figure 4.

use super::{Area, Chart, Frame, Hues, Pen, Rgb, axis, label_width, mix, widest};
use packscope::api::PackShape;
use packscope::words;

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The strategies, most packs first.
    pub shapes: Vec<PackShape>,
    /// Slots in a pack.
    pub limit: u32,
    /// The colours of lengths.
    pub hues: Hues,
}

impl Input {
    /// Returns the lengths that occur, ascending: the rows.
    pub fn lengths(&self) -> Vec<u32> {
        lengths(&self.shapes)
    }

    /// Returns the empty slots of a strategy.
    fn empty(&self, shape: &PackShape) -> u64 {
        u64::from(self.limit).saturating_sub(shape.used())
    }

    /// Returns the largest numbers in cells: times in a pack, and empty slots.
    fn largest(&self) -> (u32, u64) {
        let times = self
            .shapes
            .iter()
            .flat_map(|s| &s.runs)
            .map(|(_, n)| *n)
            .max();
        (
            times.unwrap_or(1),
            self.shapes.iter().map(|s| self.empty(s)).max().unwrap_or(0),
        )
    }
}

fn lengths(shapes: &[PackShape]) -> Vec<u32> {
    let mut lengths: Vec<u32> = shapes
        .iter()
        .flat_map(|s| &s.runs)
        .map(|(length, _)| *length)
        .collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

impl Chart for Input {
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        grid(pen, &layout);
        cells(pen, self, &layout);
        bars(pen, self, &layout);
        rows(pen, &layout);
        ranks(pen, &layout);
        below(pen, self, &layout);
    }

    /// Returns the height at which every row is legible.
    fn height(&self, width: f64) -> f64 {
        // Fewer columns may have fewer lengths, and so need less height.
        let columns = columns(self, width - margin(self) - 1.0).min(self.shapes.len());
        let rows = (lengths(&self.shapes[..columns]).len() + 1) as f64;
        ABOVE + GAP + BELOW + rows * (TALL / rows).floor().clamp(LOWEST, ROW)
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The cells of the lengths.
    pub cells: Area,
    /// The cells of the empty slots.
    pub empty: Area,
    /// The lengths of the rows, from the top: those of the strategies that are drawn.
    pub lengths: Vec<u32>,
    /// Number of strategies drawn, the most used first.
    pub columns: usize,
    /// Width of a column.
    pub column: f64,
    /// Font size of the numbers in the cells of lengths; without numbers, a fuller colour is a larger number.
    pub times: Option<f64>,
    /// Font size of the numbers of empty slots.
    pub rest: Option<f64>,
}

impl Layout {
    fn row(&self) -> f64 {
        self.empty.height()
    }

    /// Returns the area of a cell of the lengths.
    fn cell(&self, column: usize, row: usize) -> Area {
        let left = self.cells.left + self.column * column as f64;
        Area::sized(
            (left, self.cells.top + self.row() * row as f64),
            self.column,
            self.row(),
        )
    }

    /// Returns the area of a cell of the empty slots.
    fn below(&self, column: usize) -> Area {
        Area {
            top: self.empty.top,
            bottom: self.empty.bottom,
            ..self.cell(column, 0)
        }
    }
}

/// Height above the cells: a line of words, and the bars with their counts.
const ABOVE: f64 = 66.0;
/// Distance between the lengths and the empty slots.
const GAP: f64 = 5.0;
/// Height below the cells: the ranks of the strategies, and a line of words.
const BELOW: f64 = 42.0;
/// Distance from the names of the rows to the cells.
const MARGIN: f64 = 8.0;
/// Height of rows, unless there are too many.
const ROW: f64 = 22.0;
/// Minimum height of a legible row.
const LOWEST: f64 = 13.0;
/// Maximum height of all rows together, unless they would be illegible.
const TALL: f64 = 540.0;
/// Maximum width of a column.
const WIDE: f64 = 40.0;
/// Minimum width at which columns can be told apart.
const NARROW: f64 = 9.0;

/// Returns the room for the names of the rows.
fn margin(input: &Input) -> f64 {
    // Of all strategies, though fewer may be drawn: their number depends on the width that is left.
    let names = input
        .lengths()
        .into_iter()
        .map(|length| words::count(u64::from(length)));
    let names = names.chain([LENGTH.to_owned(), EMPTY.to_owned()]);
    widest(names, false).ceil() + MARGIN
}

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    // Whole device pixels make all cells equally large.
    let whole = |css: f64| (css * frame.scale).floor().max(1.0) / frame.scale;
    let left = margin(input);
    // A pixel is for the last line of the grid, which is drawn beyond the cells.
    let columns = columns(input, frame.width - left - 1.0);
    let lengths = lengths(&input.shapes[..columns.min(input.shapes.len())]);
    let row = whole(((frame.height - ABOVE - GAP - BELOW) / (lengths.len() + 1) as f64).min(ROW));
    let column = whole(((frame.width - left - 1.0) / columns.max(1) as f64).min(WIDE));
    let right = left + column * columns as f64;
    let bottom = ABOVE + row * lengths.len() as f64;
    Layout {
        cells: Area {
            left,
            top: ABOVE,
            right,
            bottom,
        },
        empty: Area {
            left,
            top: bottom + GAP,
            right,
            bottom: bottom + GAP + row,
        },
        lengths,
        columns,
        column,
        times: size(u64::from(input.largest().0), column),
        rest: size(input.largest().1, column),
    }
}

/// Returns the number of strategies that fit. All of them without numbers are better than some with numbers, and some
/// with numbers better than some without.
fn columns(input: &Input, room: f64) -> usize {
    let all = input.shapes.len();
    let fit = |width: f64| ((room.max(0.0) / width).floor() as usize).max(1);
    let largest = u64::from(input.largest().0);
    if fit(NARROW) >= all {
        all
    } else {
        fit(width(largest, SIZES[1]).max(NARROW))
    }
}

/// Font sizes of numbers in cells.
const SIZES: [f64; 4] = [12.0, 11.0, 10.0, 9.0];

/// Returns the largest font size in which a number fits a cell.
fn size(number: u64, column: f64) -> Option<f64> {
    SIZES
        .into_iter()
        .find(|size| width(number, *size) <= column)
}

/// Returns the width of a cell with a number.
fn width(number: u64, size: f64) -> f64 {
    number.to_string().len() as f64 * 0.56 * size + 1.5
}

/// Height of the longest bar.
const BAR: f64 = 40.0;
/// Minimum share of its colour, for the smallest number.
const PALEST: f64 = 0.5;
/// Distance from a bar to its count.
const COUNT: f64 = 9.0;

/// Draws lines between all rows and all columns.
fn grid(pen: &mut Pen, layout: &Layout) {
    if layout.columns == 0 {
        return;
    }
    let colour = pen.theme.hairline;
    for (area, rows) in [(layout.cells, layout.lengths.len()), (layout.empty, 1)] {
        for row in 0..=rows {
            let y = area.top + layout.row() * row as f64;
            pen.rule((area.left, y), (area.right + 1.0, y), 1.0, colour);
        }
        for column in 0..=layout.columns {
            let x = area.left + layout.column * column as f64;
            pen.rule((x, area.top), (x, area.bottom), 1.0, colour);
        }
    }
}

/// Draws the number of times that each length is in each strategy, and the empty slots.
fn cells(pen: &mut Pen, input: &Input, layout: &Layout) {
    let theme = pen.theme;
    let (times, empty) = input.largest();
    for (column, shape) in input.shapes.iter().take(layout.columns).enumerate() {
        for (length, n) in &shape.runs {
            // Cannot fail: the rows are the lengths of the strategies that are drawn.
            let Ok(row) = layout.lengths.binary_search(length) else {
                continue;
            };
            let colours = (
                theme.length_colour(*length, input.hues),
                theme.on_length(*length, input.hues),
            );
            let numbers = [u64::from(*n), u64::from(times)];
            cell(
                pen,
                layout.cell(column, row),
                numbers,
                layout.times,
                colours,
            );
        }
        let rest = input.empty(shape);
        if rest > 0 {
            cell(
                pen,
                layout.below(column),
                [rest, empty],
                layout.rest,
                (theme.padding, theme.ink),
            );
        }
    }
}

/// Draws a filled cell with its number, or in a colour that is fuller the larger the number is within its kind.
fn cell(
    pen: &mut Pen,
    area: Area,
    [n, most]: [u64; 2],
    size: Option<f64>,
    (ground, ink): (Rgb, Rgb),
) {
    let inside = Area {
        left: area.left + 1.0,
        top: area.top + 1.0,
        ..area
    };
    // Lower rows have no room for digits.
    let Some(size) = size.filter(|_| area.height() >= 11.0) else {
        let share = PALEST + (1.0 - PALEST) * n as f64 / most.max(1) as f64;
        return pen.rect(inside, mix(ground, pen.theme.background, share));
    };
    pen.rect(inside, ground);
    pen.text(n.to_string(), inside.middle(), 0, (size, false), ink);
}

/// Draws the number of packs of each strategy as a bar: with all counts if they fit, or only with the first.
fn bars(pen: &mut Pen, input: &Input, layout: &Layout) {
    let theme = pen.theme;
    let foot = layout.cells.top - 5.0;
    let shapes = input.shapes.iter().take(layout.columns);
    // Strategies come with the most packs first.
    let most = input.shapes.first().map_or(1, |s| s.count).max(1) as f64;
    let fits = |count: u64| label_width(&words::short(count), false) <= layout.column;
    let all = shapes.clone().all(|s| fits(s.count));
    for (column, shape) in shapes.enumerate() {
        let height = (BAR * shape.count as f64 / most).max(1.0);
        let Area { left, right, .. } = layout.cell(column, 0);
        let inset = ((right - left) * 0.16).max(1.0);
        let bar = Area {
            left: left + inset,
            top: foot - height,
            right: right + 1.0 - inset,
            bottom: foot,
        };
        pen.rect(bar, theme.second_ink);
        let y = bar.top - COUNT;
        if all {
            pen.note(
                words::short(shape.count),
                (f64::midpoint(left, right + 1.0), y),
                0,
            );
        } else if column == 0 {
            pen.note(words::count(shape.count), (bar.left, y), -1);
        }
    }
}

const LENGTH: &str = "length";
const EMPTY: &str = "empty";
/// Minimum distance between the middles of two names of rows.
const LINE: f64 = 12.5;

/// Writes the names of the rows: all, or as many as fit.
fn rows(pen: &mut Pen, layout: &Layout) {
    let x = layout.cells.left - MARGIN;
    let middle = |top: f64| top + (layout.row() + 1.0) / 2.0;
    pen.note("rows", (x, layout.cells.top - 39.0), 1);
    pen.note(LENGTH, (x, layout.cells.top - 9.0), 1);
    let step = (LINE / layout.row()).ceil().max(1.0) as usize;
    for (row, length) in layout.lengths.iter().enumerate().step_by(step) {
        let y = middle(layout.cell(0, row).top);
        pen.label(
            words::count(u64::from(*length)),
            (x, y),
            1,
            pen.theme.ink,
            false,
        );
    }
    pen.note(EMPTY, (x, middle(layout.empty.top)), 1);
}

/// Writes the ranks of the strategies: all, or 1, 5, 10 …
fn ranks(pen: &mut Pen, layout: &Layout) {
    let widest = label_width(&layout.columns.to_string(), false) + 6.0;
    let step = match axis::round_step(widest / layout.column) as usize {
        0 | 1 => 1,
        2 => 5,
        step => step,
    };
    let marked = |rank: &usize| rank.is_multiple_of(step) || *rank == 1;
    for rank in (1..=layout.columns).filter(marked) {
        let x = layout.cell(rank - 1, 0).left + (layout.column + 1.0) / 2.0;
        pen.note(rank.to_string(), (x, layout.empty.bottom + 12.0), 0);
    }
}

/// Writes the name of the columns, and how many are not drawn.
fn below(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (left, y) = (layout.cells.left, layout.empty.bottom + 31.0);
    let more = input.shapes.len().saturating_sub(layout.columns);
    if more == 0 {
        return pen.note("strategies, most used first", (left, y), -1);
    }
    let noun = if more == 1 { "strategy" } else { "strategies" };
    let more = format!("+ {} more {noun}", words::count(more as u64));
    let first = "most used first";
    if label_width(first, false) + label_width(&more, true) + 12.0 < pen.frame.width - left {
        pen.note(first, (left, y), -1);
    }
    pen.label(more, (layout.cells.right, y), 1, pen.theme.ink, true);
}
