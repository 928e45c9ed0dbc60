//! The batches of one epoch to scale, for two samplers side by side. Each batch is a block as high as its number of
//! rows and as wide as its longest row, with the padding of its rows in grey.

use super::{
    Alike, Area, Chart, Frame, Hues, Pen, Point, Spot, Stack, Table, columns, fitting, further,
    label_width,
};
use packscope::sampler::Drawn;
use packscope::words;

/// The batches of one sampler.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column<'a> {
    /// The name of the sampler: "Random".
    pub name: &'a str,
    /// Batches in the order of the epoch.
    pub batches: &'a [Drawn],
    /// One batch in this many of the epoch is listed.
    pub every: u64,
    /// Batches of the epoch.
    pub steps: u64,
    /// Rows of the epoch: its sequences, or its packs.
    pub rows: u64,
    /// Share of the slots of the epoch that is padding, in [0, 1].
    pub padding: f64,
}

/// Data and settings of the drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Input<'a> {
    /// The columns at the left and at the right, for the same sequences.
    pub columns: [Column<'a>; 2],
    /// The maximum length, in slots: the width of a column.
    pub limit: u32,
    /// The colours of lengths.
    pub hues: Hues,
    /// Draws only this many batches of each column, so that single ones can be seen; the whole epoch if `None`.
    pub first: Option<usize>,
    /// The unit of lengths: "tokens".
    pub unit: &'a str,
}

/// A spot is a column, and the index of a batch in it.
impl Chart for Input<'_> {
    /// Takes O(height + batches) time.
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        for (k, blocks) in layout.blocks.iter().enumerate() {
            draw(pen, self, k, blocks);
        }
        hover(pen, &layout);
        heads(pen, self, &layout);
        for area in layout.areas {
            pen.slots(area, self.limit, self.unit);
        }
        notes(pen, self, &layout);
    }

    fn summary(&self) -> String {
        let of = self.columns.map(|column| {
            format!(
                "{}: {}, {} padding",
                column.name,
                words::batches(column.steps),
                words::percent(column.padding)
            )
        });
        format!(
            "The batches of a pass over the data, one below the other. {}.",
            of.join(". ")
        )
    }

    fn table(&self) -> Option<Table> {
        let row = |column: Column| {
            let [steps, rows] = [column.steps, column.rows].map(words::count);
            vec![
                column.name.to_owned(),
                steps,
                rows,
                words::percent(column.padding),
            ]
        };
        let head = ["sampler", "batches", "rows", "padding"];
        Some(Table::new(
            "The batches of a pass over the data",
            head,
            self.columns.into_iter().map(row),
        ))
    }

    fn hit(&self, (x, y): Point, frame: &Frame) -> Option<Spot> {
        let layout = layout(self, frame);
        let column = layout.areas.iter().position(|area| area.contains(x, y))?;
        let blocks = layout.blocks.get(column)?;
        // Blocks lie one below the other, so their lower edges ascend.
        let below = blocks.partition_point(|block| block.area.bottom < y);
        blocks
            .get(below)
            .map(|block| [column, block.index].map(|at| at as u32))
    }

    /// Starts at the first batch of the second column.
    fn step(&self, from: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        let Some([column, batch]) = from else {
            return Some([1, 0]);
        };
        let column = further(column, right, self.columns.len())?;
        let all = self.columns[column as usize].batches.len();
        Some([
            column,
            further(batch, -up, self.first.map_or(all, |first| all.min(first)))?,
        ])
    }

    /// Returns words such as "Batch 13: 64 sequences of 5 to 61 tokens, 47.0 % padding."
    fn reading(&self, [column, index]: Spot) -> Option<String> {
        let Column { batches, every, .. } = self.columns.get(column as usize)?;
        let (batch, unit) = (batches.get(index as usize)?, self.unit);
        let runs = || {
            batch
                .rows
                .iter()
                .flat_map(|row| row.runs.iter().map(|(length, n)| (*length, *n, row.count)))
        };
        let ends = [runs().map(|(l, ..)| l).min(), runs().map(|(l, ..)| l).max()];
        let [shortest, longest] = ends.map(|end| words::count(u64::from(end.unwrap_or(0))));
        // Tokens of the batch, in 64 bits: rows and lengths have 32 each.
        let real: u64 = runs()
            .map(|(l, n, rows)| u64::from(l) * u64::from(n) * u64::from(rows))
            .sum();
        let slots = batch.height() as f64 * f64::from(batch.width);
        let padding = words::percent(1.0 - real as f64 / slots.max(1.0));
        // If only a sample is listed, the index says nothing about the place in the epoch.
        let name = match every {
            1 => format!("Batch {}", words::count(u64::from(index) + 1)),
            every => format!("One of {} batches", words::count(*every)),
        };
        let of = if shortest == longest {
            longest
        } else {
            format!("{shortest} to {longest}")
        };
        let size = words::plural(batch.size(), "sequence");
        Some(format!("{name}: {size} of {of} {unit}, {padding} padding."))
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The columns, as wide as the limit.
    pub areas: [Area; 2],
    /// One batch in this many of the epoch is drawn, per column, if the drawing is of the whole epoch.
    strides: [u64; 2],
    blocks: [Vec<Block>; 2],
}

impl Layout {
    /// Returns the number of batches that are drawn in a column.
    pub fn drawn_batches(&self, column: usize) -> usize {
        self.blocks.get(column).map_or(0, Vec::len)
    }
}

/// Height below the columns: the axis of slots, and the number of batches shown.
const BELOW: f64 = 42.0;

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let (lefts, width) = columns(frame);
    let top = heads_height(input, width);
    let height = (frame.height - BELOW - top).max(20.0);
    let strides = strides(input, height);
    let chosen = [0, 1].map(|k| chosen(input, k, strides[k]));
    let scales = scales(input, &chosen, height);
    let mut areas = lefts.map(|left| Area::sized((left, top), width, 0.0));
    let blocks = [0, 1].map(|k| place(input, k, &chosen[k], scales[k], areas[k]));
    for (area, blocks) in areas.iter_mut().zip(&blocks) {
        area.bottom = blocks.last().map_or(top, |block| block.area.bottom);
    }
    Layout {
        areas,
        strides,
        blocks,
    }
}

/// Minimum average height of a batch, so that its rows can be seen; batches are left out to reach it.
const SEEN: f64 = 7.0;
/// Batches at least this high have a gap below them.
const GAP_SEEN: f64 = 4.0;
/// Maximum height of a row.
const HIGHEST: f64 = 14.0;

/// A batch and its area, without the gap below it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Block {
    /// The index of the batch in the column.
    pub index: usize,
    /// The area, as wide as the longest row.
    pub area: Area,
}

/// Returns the stride between drawn batches in each column, so that as few as possible are left out.
fn strides(input: &Input, height: f64) -> [u64; 2] {
    [0, 1].map(|k| {
        let column = &input.columns[k];
        // Each column by itself: few batches beside many are all drawn.
        let high = height * share(input, k) / column.steps.max(1) as f64;
        let enough = if high > 0.0 {
            (SEEN / high).ceil() as u64
        } else {
            1
        };
        // The list may be a sample of the epoch already: a stride is a multiple of its own.
        let every = column.every.max(1);
        enough.div_ceil(every).saturating_mul(every).max(every)
    })
}

/// Returns the indices of the batches of a column that are drawn, ascending.
fn chosen(input: &Input, k: usize, stride: u64) -> Vec<usize> {
    let column = &input.columns[k];
    if let Some(first) = input.first {
        return (0..column.batches.len().min(first)).collect();
    }
    // In the browser `usize` has 32 bits, and an epoch may have more batches.
    let step = usize::try_from(stride / column.every.max(1))
        .unwrap_or(usize::MAX)
        .max(1);
    (0..column.batches.len()).step_by(step).collect()
}

/// Returns the share of the height that a column takes up, in proportion to its rows.
fn share(input: &Input, k: usize) -> f64 {
    // Packed rows are fewer than sequences: the column with the most rows fills the height.
    let most = input
        .columns
        .iter()
        .map(|column| column.rows)
        .max()
        .unwrap_or(0)
        .max(1);
    input.columns[k].rows as f64 / most as f64
}

fn rows(column: &Column, chosen: &[usize]) -> f64 {
    let rows = chosen
        .iter()
        .filter_map(|i| column.batches.get(*i))
        .map(|batch| batch.height() as f64);
    rows.sum::<f64>().max(1.0)
}

/// Returns the pixels of a row in each column: drawn batches stand for the whole epoch, or rows are equally high.
fn scales(input: &Input, chosen: &[Vec<usize>; 2], height: f64) -> [f64; 2] {
    // If every batch that is drawn stands for several, the scale makes the height that of the
    // epoch; of the first batches alone, rows have one height in both columns so that they can be
    // compared.
    let rows = [0, 1].map(|k| rows(&input.columns[k], &chosen[k]));
    match input.first {
        Some(_) => [(height / rows[0].max(rows[1])).min(HIGHEST); 2],
        None => [0, 1]
            .map(|k| height * share(input, k) / rows[k])
            .map(|scale| scale.min(HIGHEST)),
    }
}

/// Places batches one below the other.
fn place(input: &Input, k: usize, chosen: &[usize], scale: f64, area: Area) -> Vec<Block> {
    let mut bottom = area.top;
    let mut blocks = Vec::with_capacity(chosen.len());
    for (index, batch) in chosen
        .iter()
        .filter_map(|i| Some((*i, input.columns[k].batches.get(*i)?)))
    {
        let top = bottom;
        bottom += batch.height() as f64 * scale;
        let slots = f64::from(batch.width) / f64::from(input.limit.max(1));
        let right = area.left + area.width() * slots.min(1.0);
        blocks.push(Block {
            index,
            area: Area {
                left: area.left,
                top,
                right,
                bottom,
            },
        });
    }
    blocks
}

/// Draws the rows of each batch, longest first, on the grey of its slots.
fn draw(pen: &mut Pen, input: &Input, k: usize, blocks: &[Block]) {
    for Block { index, area } in blocks {
        let Some(batch) = input.columns[k].batches.get(*index) else {
            continue;
        };
        // The gap is cut off the block instead of added, so that heights stay to scale.
        let gap = if area.height() >= GAP_SEEN { 1.0 } else { 0.0 };
        let stack = Stack {
            area: Area {
                bottom: area.bottom - gap,
                ..*area
            },
            rows: batch.height(),
            slots: batch.width,
            hues: input.hues,
            rest: Some(pen.theme.padding),
        };
        let rows = batch.rows.iter().map(|row| Alike {
            runs: &row.runs,
            count: u64::from(row.count),
            end: None,
        });
        stack.draw(pen, rows);
    }
}

/// Outlines the batch under the pointer.
fn hover(pen: &mut Pen, layout: &Layout) {
    let Some([k, index]) = pen.frame.hover.map(|spot| spot.map(|at| at as usize)) else {
        return;
    };
    let block = layout
        .blocks
        .get(k)
        .and_then(|blocks| blocks.iter().find(|block| block.index == index));
    if let Some(Block { area, .. }) = block {
        let Area {
            left,
            top,
            right,
            bottom,
        } = *area;
        let inside = Area {
            left: left.max(0.0),
            top: top - 1.5,
            right: right + 1.5,
            bottom: bottom + 0.5,
        };
        pen.outline(inside, 1.5, pen.theme.ink);
    }
}

/// Height of a line of text.
const LINE: f64 = 17.0;
/// Distance between a word and the edge of its grey.
const CHIP: f64 = 5.0;

fn steps(column: &Column) -> String {
    words::batches(column.steps)
}

fn padding(column: &Column) -> String {
    format!("{} padding", words::percent(column.padding))
}

fn chip_width(column: &Column) -> f64 {
    label_width(&padding(column), true) + 2.0 * CHIP
}

/// Whether steps and padding fit on one line in both columns.
fn on_one_line(input: &Input, width: f64) -> bool {
    let wide = |column: &Column| label_width(&steps(column), false) + 12.0 + chip_width(column);
    input.columns.iter().all(|column| wide(column) <= width)
}

fn heads_height(input: &Input, width: f64) -> f64 {
    let lines = if on_one_line(input, width) { 2.0 } else { 3.0 };
    lines * LINE + 10.0
}

/// Draws the names, the steps, and the share of padding on grey.
fn heads(pen: &mut Pen, input: &Input, layout: &Layout) {
    let theme = pen.theme;
    for (column, area) in input.columns.iter().zip(layout.areas) {
        let (steps, wide) = (steps(column), chip_width(column));
        let (mut left, mut y) = (area.left, 9.0);
        pen.label(column.name, (left, y), -1, theme.ink, true);
        y += LINE;
        pen.note(&steps, (left, y), -1);
        if on_one_line(input, area.width()) {
            left += label_width(&steps, false) + 12.0;
        } else {
            y += LINE;
        }
        pen.rect(
            Area {
                left,
                top: y - 8.5,
                right: left + wide,
                bottom: y + 8.5,
            },
            theme.padding,
        );
        pen.label(padding(column), (left + wide / 2.0, y), 0, theme.ink, true);
    }
}

fn notes(pen: &mut Pen, input: &Input, layout: &Layout) {
    for (k, (column, area)) in input.columns.iter().zip(layout.areas).enumerate() {
        let shown = layout.drawn_batches(k) as u64;
        // A column with all of its batches needs no note.
        if shown == 0 || shown >= column.steps {
            continue;
        }
        let [shown, of] = match input.first {
            None => ["one in".to_owned(), words::count(layout.strides[k])],
            Some(_) => [
                format!("{} of", words::count(shown)),
                words::count(column.steps),
            ],
        };
        let said = [
            format!("{shown} {of} batches shown"),
            format!("{shown} {of} shown"),
        ];
        if let Some(words) = fitting(said, area.width(), false) {
            pen.note(words, (area.left, area.bottom + 14.0 + LINE), -1);
        }
    }
}
