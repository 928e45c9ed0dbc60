//! Twelve sequences in batches of three: as they come or sorted, with rows of one width or of several.

use crate::learn::prose::figure;
use crate::learn::{ChapterContext, ChapterPart, ChapterTable, End, Ends, Knob, KnobKind};
use packscope::histogram::Histogram;
use packscope::words::{count, mean, percent};

/// Slots of the full width.
const SLOTS: u32 = 64;
/// Sequences in a batch.
const BATCH: usize = 3;

pub const ORDER: Knob = Knob {
    name: "order",
    label: "Order",
    kind: KnobKind::Words(&["as they come", "sorted"]),
    start: &[0],
};

/// The length to which rows are padded.
pub const WIDTH: Knob = Knob {
    name: "width",
    label: "Rows as long as",
    kind: KnobKind::Words(&["the longest of the batch", "the longest of all"]),
    start: &[0],
};

/// The lengths, initially those of the first chapter.
pub const LENGTHS: Knob = Knob {
    name: "lengths",
    label: "Length, tokens",
    kind: KnobKind::Numbers {
        least: 1,
        most: SLOTS,
    },
    start: &[14, 30, 9, 22, 48, 12, 17, 26, 11, 19, 8, 36],
};

#[derive(Debug, Clone, PartialEq)]
struct Batch {
    items: Vec<usize>,
    width: u32,
    real: u64,
}

impl Batch {
    fn slots(&self) -> u64 {
        u64::from(self.width) * self.items.len() as u64
    }

    fn mean(&self) -> f64 {
        self.real as f64 / self.items.len().max(1) as f64
    }
}

/// The batches as arranged by the reader.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrangedBatches {
    batches: Vec<Batch>,
    sorted: bool,
    one_width: bool,
}

impl ArrangedBatches {
    pub fn new(here: &ChapterContext<'_>) -> Self {
        let lengths = here.numbers(LENGTHS.name);
        let [sorted, one_width] = [ORDER, WIDTH].map(|knob| here.number(knob.name) == 1);
        let mut order: Vec<usize> = (0..lengths.len()).collect();
        if sorted {
            order.sort_by_key(|i| lengths[*i]);
        }
        let longest = |items: &[usize]| items.iter().map(|i| lengths[*i]).max().unwrap_or(1);
        let widest = longest(&order);
        let batch = |items: &[usize]| Batch {
            items: items.to_vec(),
            width: if one_width { widest } else { longest(items) },
            real: items.iter().map(|i| u64::from(lengths[*i])).sum(),
        };
        Self {
            batches: order.chunks(BATCH).map(batch).collect(),
            sorted,
            one_width,
        }
    }

    fn slots(&self) -> u64 {
        self.batches.iter().map(Batch::slots).sum()
    }

    fn padding(&self) -> f64 {
        let real: u64 = self.batches.iter().map(|b| b.real).sum();
        1.0 - real as f64 / self.slots().max(1) as f64
    }

    /// Counts the distinct row widths, which are the shapes, since all batches have equally many rows.
    fn shapes(&self) -> usize {
        // A histogram stands in for a set: it counts distinct values, and is in the program
        // already.
        let widths = self.batches.iter().map(|b| ([b.width], 1));
        Histogram::<1>::from_counts(widths).map_or(0, |widths| widths.distinct())
    }

    pub fn finding(&self) -> String {
        let share = percent(self.padding());
        if self.one_width {
            return format!("In rows of one length ~{share}~ is padding, sorted or not");
        }
        if !self.sorted {
            return format!("As they come, batches are ~{share}~ padding");
        }
        let shapes = match self.shapes() {
            1 => "all batches have one shape".to_owned(),
            n if n == self.batches.len() => "no two batches have the same shape".to_owned(),
            n => format!("batches have {n} shapes"),
        };
        format!("Sorted, ~{share}~ is padding, and {shapes}")
    }

    /// Returns the rows with draggable ends.
    pub fn rows(&self) -> ChapterPart {
        let mut rows = Vec::new();
        for batch in &self.batches {
            for (i, index) in (0..).zip(&batch.items) {
                rows.push(End {
                    index: *index,
                    padded: batch.width,
                    // A gap before each batch, but not above the first.
                    apart: i == 0 && !rows.is_empty(),
                });
            }
        }
        let label = "Twelve sequences in batches of three".to_owned();
        ChapterPart::Ends(Ends {
            label,
            knob: LENGTHS.name,
            slots: SLOTS,
            rows,
        })
    }

    pub fn table(&self) -> ChapterPart {
        let row = |(i, b): (usize, &Batch)| {
            let padding = 1.0 - b.real as f64 / b.slots().max(1) as f64;
            let shape = format!("{} × {}", b.items.len(), b.width);
            vec![
                format!("Step {}", i + 1),
                shape,
                count(b.slots()),
                percent(padding),
                mean(b.mean()),
            ]
        };
        ChapterPart::Table(ChapterTable {
            label: "The batches".to_owned(),
            head: ["", "shape", "slots", "padding", "mean length"]
                .map(str::to_owned)
                .to_vec(),
            rows: self.batches.iter().enumerate().map(row).collect(),
            chosen: None,
        })
    }

    pub fn prices(&self) -> String {
        let slots = || self.batches.iter().map(Batch::slots);
        let means = || self.batches.iter().map(Batch::mean);
        let [least, most] = [slots().min().unwrap_or(1), slots().max().unwrap_or(1)];
        let ratio = most as f64 / least.max(1) as f64;
        let waiting = figure("slowest_step", ratio, &format!("{ratio:.1}"));
        let [low, high] = [
            means().fold(f64::MAX, f64::min),
            means().fold(0.0, f64::max),
        ];
        let [low, high] = [
            figure("least_mean", low, &mean(low)),
            figure("most_mean", high, &mean(high)),
        ];
        let steps = if least == most {
            format!(
                "The slowest step works on {waiting} times as many as the fastest: nobody waits."
            )
        } else {
            format!(
                "The slowest step works on {waiting} times as many as the fastest, and accelerators that work side by \
                 side <accelerators>wait for it</>."
            )
        };
        format!(
            "All steps together are {} slots, {} of them [padding]. {steps} Steps see lengths of {low} to {high} on \
             average.",
            figure("slots", self.slots(), &count(self.slots())),
            figure("padding", self.padding(), &percent(self.padding())),
        )
    }
}
