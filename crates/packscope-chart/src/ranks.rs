//! The work of each rank in one step, stacked by micro-batch, with the waiting of all for the slowest.
//!
//! Colour is the longest sequence of a micro-batch, and waiting is hatched in ink, as in the parts of an epoch.

use super::{
    Area, BELOW, Chart, EndName, EndNames, Frame, Hues, Pen, Point, Scale, Spot, Table, Tick,
    ValueAxis, axis, further, mix, widest,
};
use packscope::api::ranks::SyncPoint;
use packscope::words;

/// Data and settings of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The work of each micro-batch of every rank; that of a step is 1 on average over the ranks.
    pub works: Vec<Vec<f64>>,
    /// The longest sequence of each of them.
    pub longest: Vec<Vec<u32>>,
    /// The tokens of every rank.
    pub tokens: Vec<u64>,
    /// When they wait.
    pub waiting: SyncPoint,
    /// The colours of lengths.
    pub hues: Hues,
    /// The unit of lengths, in the plural.
    pub unit: String,
}

/// A spot is the index of a rank, and 0.
impl Chart for Input {
    /// Takes O(ranks · micro-batches) time.
    fn draw(&self, pen: &mut Pen) {
        let layout = layout(self, pen.frame);
        let plot = layout.plot;
        pen.grid(plot, &levels(&layout.works));
        if self.waiting != SyncPoint::Never {
            let top = layout.works.place_of(self.end());
            // All of the step is hatched, and bars cover the time that ranks work.
            pen.hatched(
                &Area { top, ..plot },
                1.0,
                mix(pen.theme.ink, pen.theme.background, 0.55),
            );
        }
        bars(pen, self, &layout);
        marks(pen, self, &layout);
        below(pen, self, &layout);
        if let Some([rank, _]) = pen.frame.hover {
            let column = layout.column(rank);
            pen.outline(
                Area {
                    top: layout.works.place_of(self.ends(rank)),
                    ..column
                }
                .grown(2.0),
                2.0,
                pen.theme.ink,
            );
        }
    }

    fn summary(&self) -> String {
        format!(
            "Work of {} in one step, the mean being 1: the slowest has {}.",
            words::plural(self.works.len() as u64, "rank"),
            words::factor(
                self.works
                    .iter()
                    .map(|works| work(works))
                    .fold(0.0, f64::max)
            )
        )
    }

    fn table(&self) -> Option<Table> {
        let row = |(rank, works): (usize, &Vec<f64>)| {
            vec![
                words::count(rank as u64 + 1),
                words::factor(work(works)),
                words::count(self.tokens.get(rank).copied().unwrap_or(0)),
                words::percent(self.idle(works)),
            ]
        };
        let head = ["rank", "work ÷ mean", &self.unit, "idle"];
        Some(Table::new(
            "One step, by rank",
            head,
            self.works.iter().enumerate().map(row),
        ))
    }

    /// Returns the slowest of the ranks at a place.
    fn hit(&self, (x, y): Point, frame: &Frame) -> Option<Spot> {
        let layout = layout(self, frame);
        let place = (x - layout.plot.left) / layout.plot.width() * layout.columns as f64;
        let inside = layout.plot.grown(2.0).contains(x, y);
        let columns = layout.columns.min(self.works.len()).checked_sub(1)?;
        inside.then(|| {
            [
                self.slowest(layout.ranks_of((place.max(0.0) as usize).min(columns))),
                0,
            ]
        })
    }

    fn step(&self, from: Option<Spot>, [right, up]: [i32; 2], _: &Frame) -> Option<Spot> {
        let Some([rank, _]) = from else {
            return (!self.works.is_empty()).then_some([0, 0]);
        };
        Some([further(rank, right + up, self.works.len())?, 0])
    }

    fn reading(&self, [rank, _]: Spot) -> Option<String> {
        let at = rank as usize;
        let works = self.works.get(at)?;
        let longest = self
            .longest
            .get(at)
            .and_then(|lengths| lengths.iter().max())
            .copied()
            .unwrap_or(0);
        let waits = match self.idle(works) {
            idle if idle > 0.0005 => format!("idle {} of the step", words::percent(idle)),
            _ if self.waiting == SyncPoint::Never => "waits for nobody".to_owned(),
            _ => "the others wait for it".to_owned(),
        };
        Some(format!(
            "Rank {} of {}: {} the mean work, {} {}, the longest sequence {}; {waits}.",
            words::count(u64::from(rank) + 1),
            words::count(self.works.len() as u64),
            words::factor(work(works)),
            words::count(self.tokens.get(at).copied().unwrap_or(0)),
            self.unit,
            words::count(u64::from(longest)),
        ))
    }
}

fn work(works: &[f64]) -> f64 {
    works.iter().sum()
}

impl Input {
    /// Returns when each micro-batch begins if all wait after each: the sum of the largest before it, and the end.
    fn begins(&self) -> Vec<f64> {
        let batches = self.works.iter().map(Vec::len).max().unwrap_or(0);
        let largest = |at: usize| {
            self.works
                .iter()
                // A rank with fewer micro-batches does not take part in the last ones.
                .filter_map(|works| works.get(at))
                .copied()
                .fold(0.0, f64::max)
        };
        let mut begins = vec![0.0];
        for at in 0..batches {
            begins.push(begins[at] + largest(at));
        }
        begins
    }

    fn end(&self) -> f64 {
        match self.waiting {
            SyncPoint::MicroBatch => self.begins().last().copied().unwrap_or(1.0),
            SyncPoint::Step | SyncPoint::Never => self
                .works
                .iter()
                .map(|works| work(works))
                .fold(0.0, f64::max),
        }
    }

    /// Returns when the last micro-batch of a rank ends.
    fn ends(&self, rank: u32) -> f64 {
        let Some(works) = self.works.get(rank as usize) else {
            return 0.0;
        };
        match (self.waiting, works.last()) {
            (SyncPoint::MicroBatch, Some(last)) => self.begins()[works.len() - 1] + last,
            _ => work(works),
        }
    }

    /// Returns the share of the step in which a rank waits.
    fn idle(&self, works: &[f64]) -> f64 {
        if self.waiting == SyncPoint::Never {
            0.0
        } else {
            (1.0 - work(works) / self.end().max(1e-300)).max(0.0)
        }
    }

    /// Returns the rank with the most work of a range that is not empty.
    fn slowest(&self, range: std::ops::Range<usize>) -> u32 {
        let most = range.max_by(|a, b| work(&self.works[*a]).total_cmp(&work(&self.works[*b])));
        most.unwrap_or(0) as u32
    }
}

/// The layout of the drawing, in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The area inside the axes.
    pub plot: Area,
    /// The number of columns; fewer than ranks where these would be narrower than `NARROWEST`.
    pub columns: usize,
    ranks: usize,
    works: ValueAxis,
}

impl Layout {
    /// Returns the ranks that share a column.
    fn ranks_of(&self, column: usize) -> std::ops::Range<usize> {
        column * self.ranks / self.columns..(column + 1) * self.ranks / self.columns
    }

    /// Returns the area of the column of a rank.
    fn column(&self, rank: u32) -> Area {
        self.column_area(
            // The inverse of `ranks_of`: the last column that begins with this rank or before it.
            ((rank as usize + 1) * self.columns)
                .div_ceil(self.ranks.max(1))
                .saturating_sub(1),
        )
    }

    fn column_area(&self, column: usize) -> Area {
        let step = self.plot.width() / self.columns as f64;
        let left = self.plot.left + step * column as f64;
        // Columns that are wide enough are told apart by a gap.
        let gap = if step >= 4.0 {
            (step * 0.2).clamp(1.0, 6.0)
        } else {
            0.0
        };
        Area {
            left: left + gap / 2.0,
            right: left + step - gap / 2.0,
            ..self.plot
        }
    }
}

/// Width of the narrowest column.
const NARROWEST: f64 = 2.0;
/// Height above the plot, for the highest name.
const ABOVE: f64 = 20.0;
/// Minimum distance between ticks of work.
const APART: f64 = 40.0;
/// Distance from the plot to the names at its right.
const GAP: f64 = 8.0;

/// Returns the layout of the drawing in a frame.
pub fn layout(input: &Input, frame: &Frame) -> Layout {
    let axis = |plot| ValueAxis::up(plot, [0.0, (input.end() * 1.02).max(1.1)], Scale::Linear);
    let names = widest(names(input).iter().map(|(_, name)| name), true).ceil() + GAP;
    let plot = frame.plot(ABOVE, BELOW, |plot| {
        [axis::margin(&levels(&axis(plot))), names]
    });
    let ranks = input.works.len();
    // Thousands of ranks share columns, each drawn as the slowest of its ranks: for that one all
    // wait.
    let columns = ranks.min((plot.width() / NARROWEST) as usize).max(1);
    Layout {
        plot,
        columns,
        ranks,
        works: axis(plot),
    }
}

/// Returns the levels of work with a line across, and their labels.
fn levels(axis: &ValueAxis) -> Vec<Tick> {
    let height = axis.beyond(0.0) - axis.beyond(axis.ends[1]);
    let step = axis::round_step(axis.ends[1] / (height / APART).clamp(1.0, 6.0));
    let digits = (-step.log10().floor()).clamp(0.0, 3.0) as usize;
    let label = |level: f64| {
        if level == 0.0 {
            "0".to_owned()
        } else {
            format!("{level:.digits$}×")
        }
    };
    axis.ticks(axis::every(0.0, axis.ends[1], step), label)
}

/// Returns the works that have a name at the right: the end of the step, and the mean.
fn names(input: &Input) -> [(f64, String); 2] {
    let end = input.end();
    let word = if input.waiting == SyncPoint::MicroBatch {
        "step"
    } else {
        "slowest"
    };
    [
        (end, format!("{word} {}", words::factor(end))),
        (1.0, "mean 1".to_owned()),
    ]
}

/// Draws a column for each rank, or for the slowest of those that share one.
fn bars(pen: &mut Pen, input: &Input, layout: &Layout) {
    let begins = input.begins();
    for at in 0..layout.columns.min(layout.ranks) {
        let column = layout.column_area(at);
        let rank = input.slowest(layout.ranks_of(at)) as usize;
        let mut from = 0.0;
        for (i, work) in input.works[rank].iter().enumerate() {
            if input.waiting == SyncPoint::MicroBatch {
                from = begins[i];
            }
            let [bottom, top] = [from, from + work].map(|work| layout.works.place_of(work));
            let longest = input
                .longest
                .get(rank)
                .and_then(|lengths| lengths.get(i))
                .copied()
                .unwrap_or(0);
            let colour = pen.theme.length_colour(longest, input.hues);
            pen.rect(
                Area {
                    top,
                    bottom,
                    ..column
                },
                colour,
            );
            // Micro-batches are told apart where they are high enough.
            if bottom - top >= 4.0 && column.width() >= 3.0 {
                pen.rule(
                    (column.left, bottom - 1.0),
                    (column.right, bottom - 1.0),
                    1.0,
                    pen.theme.background,
                );
            }
            from += work;
        }
    }
}

/// Marks the ends of micro-batches, the end of the step and the mean across the plot, the rank that all wait for, and
/// names them at the right.
fn marks(pen: &mut Pen, input: &Input, layout: &Layout) {
    let (plot, theme) = (layout.plot, pen.theme);
    let across = |pen: &mut Pen, work: f64, width: f64, colour| {
        let y = layout.works.place_of(work) - width / 2.0;
        pen.rule((plot.left, y), (plot.right, y), width, colour);
    };
    if input.waiting == SyncPoint::MicroBatch {
        let begins = input.begins();
        // Only lines that can be told apart.
        let high = (plot.height() / begins.len() as f64) >= 6.0;
        let inner = begins
            .iter()
            .skip(1)
            .take(begins.len().saturating_sub(2))
            .filter(|_| high);
        inner.for_each(|work| across(pen, *work, 1.0, mix(theme.accent, theme.background, 0.6)));
    }
    pen.baseline(plot);
    let [end, mean] = names(input);
    across(pen, mean.0, 1.0, theme.ink);
    across(pen, end.0, 1.5, theme.accent);
    if input.waiting == SyncPoint::Step && !input.works.is_empty() {
        let Area { left, right, .. } = layout.column(input.slowest(0..input.works.len()));
        pen.rule(
            (left - 1.0, plot.bottom),
            (right + 1.0, plot.bottom),
            4.0,
            theme.accent,
        );
    }
    let name = |(work, name): (f64, String), colour, bold| EndName {
        lines: vec![(name, colour, bold)],
        margins: [0.0, 2.0],
        end: (plot.right, layout.works.place_of(work)),
    };
    let names = vec![name(end, theme.accent, true), name(mean, theme.ink, false)];
    EndNames {
        first_line: true,
        ..EndNames::new(GAP, [ABOVE, 0.0])
    }
    .write(pen, plot, names);
}

/// Draws the numbers of the ranks below the plot.
fn below(pen: &mut Pen, input: &Input, layout: &Layout) {
    let ranks = input.works.len() as f64;
    let axis = ValueAxis::across(layout.plot, [0.5, ranks + 0.5], Scale::Linear);
    let mut ticks = axis.round_ticks(48.0);
    // Round numbers are multiples of their step, so that the first rank mostly has none.
    if ticks.first().is_none_or(|(_, label)| label != "1") {
        ticks.insert(0, (axis.place_of(1.0), "1".to_owned()));
    }
    pen.ticks_below(layout.plot, &ticks, "rank", pen.frame.width);
}
