//! The work of an epoch by every method, counted from the histogram and the packs.

use super::Case;
use crate::api::PackShape;
use crate::cost::waiting::Population;
use crate::cost::{Method, Work};
use crate::error::Result;
use crate::histogram::{Histogram, Size};
use crate::metrics::{EpochFigures, ExpectedPadding, Figures};
use crate::packing::go_on;
use crate::sampler::{Buckets, EpochTally, EpochTask, HwCap, Sampler};

/// The packs of a report.
#[derive(Debug, Clone, Copy)]
pub struct PackWork<'a> {
    /// Figures of the whole plan.
    pub figures: &'a Figures,
    /// Its strategies, possibly not all.
    pub shapes: &'a [PackShape],
}

/// Counts the work on sequences by every method. No length is above the limit; `batch` is the rows of an accelerator.
/// O(distinct · √items + shapes).
///
/// # Errors
/// As [`Sampler::run`].
pub fn sequences(
    lengths: &Histogram<1>,
    limit: u32,
    batch: u32,
    packs: Option<PackWork>,
) -> Result<Vec<Case>> {
    let count = PricedSequences::new(lengths, batch);
    let mut cases = vec![count.padded(limit), count.random(), count.sorted()?];
    // Shortened rows are not packs.
    if let Some(packs) = packs.filter(|packs| packs.figures.lower_bound.is_some()) {
        cases.extend(count.packed(limit, packs));
    }
    cases.extend(count.unpadded());
    Ok(cases)
}

/// Counts the work on sequences in batches: in random order (the baseline), padded, sorted, by a sampler, and without
/// padding. O(distinct · √items).
///
/// # Errors
/// As [`sequences`].
pub fn batches(
    lengths: &Histogram<1>,
    limit: u32,
    batch: u32,
    chosen: Option<(Sampler, &EpochFigures)>,
) -> Result<Vec<Case>> {
    let count = PricedSequences::new(lengths, batch);
    let mut cases = vec![count.random(), count.padded(limit)];
    // The sorted batches as chosen, possibly without stopwords.
    let sorted = chosen.filter(|(sampler, _)| *sampler == Sampler::Sorted);
    cases.push(match sorted {
        Some((sampler, figures)) => count.batched(sampler, figures),
        None => count.sorted()?,
    });
    let other = chosen.filter(|(sampler, _)| !matches!(sampler, Sampler::Random | Sampler::Sorted));
    cases.extend(other.map(|(sampler, figures)| count.batched(sampler, figures)));
    cases.extend(count.unpadded());
    Ok(cases)
}

/// Counts the work on rows of packs whose sequences a mask keeps apart. O(distinct).
pub fn mask_work(lengths: &Histogram<1>, limit: u32, batch: u32, figures: &Figures) -> Work {
    let [masked, _] = PricedSequences::new(lengths, batch).packed(
        limit,
        PackWork {
            figures,
            shapes: &[],
        },
    );
    masked.work
}

/// Counts the work on random batches: every figure is a mean over all orders. O(distinct · √items).
pub fn random(lengths: &Histogram<1>, batch: u32) -> Case {
    PricedSequences::new(lengths, batch).random()
}

/// Counts the work on sorted batches. O(distinct).
///
/// # Errors
/// As [`sequences`].
pub fn sorted(lengths: &Histogram<1>, batch: u32) -> Result<Case> {
    PricedSequences::new(lengths, batch).sorted()
}

/// Counts the work on an epoch of a sampler; `lengths` are the lengths before stopwords are dropped. O(distinct).
pub fn sampled(
    lengths: &Histogram<1>,
    batch: u32,
    sampler: Sampler,
    figures: &EpochFigures,
) -> Case {
    PricedSequences::new(lengths, batch).batched(sampler, figures)
}

/// Lengths, and the figures that all methods share.
struct PricedSequences<'a> {
    lengths: &'a Histogram<1>,
    batch: u32,
    /// Tokens, and pairs of tokens of one sequence.
    useful: [f64; 2],
}

impl<'a> PricedSequences<'a> {
    fn new(lengths: &'a Histogram<1>, batch: u32) -> Self {
        let squares = lengths
            .entries()
            .iter()
            .map(|&([l], n)| f64::from(l) * f64::from(l) * n as f64);
        Self {
            lengths,
            batch: batch.max(1),
            useful: [lengths.total()[0] as f64, squares.sum()],
        }
    }

    fn work(&self, method: Method, rows: u64, slots: [f64; 2]) -> Work {
        Work {
            method,
            items: self.lengths.items(),
            rows,
            // A last batch that is not full is one, too.
            batches: rows.div_ceil(u64::from(self.batch)),
            depth: 1,
            useful: self.useful,
            // Rounding can make the difference slightly negative.
            padding: [0, 1].map(|k| (slots[k] - self.useful[k]).max(0.0)),
            between: 0.0,
            largest: f64::from(self.batch) * f64::from(self.lengths.max()[0]),
        }
    }

    fn padded(&self, limit: u32) -> Case {
        let (rows, slots) = (self.lengths.items(), f64::from(limit));
        let work = self.work(
            Method::Padded,
            rows,
            [slots, slots * slots].map(|s| s * rows as f64),
        );
        Case::plain(Work {
            largest: f64::from(self.batch) * slots,
            ..work
        })
    }

    /// Counts batches in random order: every figure is a mean over all orders.
    fn random(&self) -> Case {
        let mean = ExpectedPadding::random(self.lengths, self.batch);
        let method = Method::Batched(Sampler::Random);
        let ascending: Vec<_> = self
            .lengths
            .entries()
            .iter()
            .map(|&([l], n)| (self.shape(l), n as f64))
            .collect();
        Case {
            work: self.work(
                method,
                self.lengths.items(),
                [mean.slots, mean.squared_slots],
            ),
            // A batch is as wide as its longest sequence, so that its time follows the longest of
            // `batch` draws.
            population: Some(Population::longest_of(self.batch, &ascending)),
        }
    }

    /// Returns the units of a batch whose rows have `width` tokens.
    fn shape(&self, width: u32) -> [f64; 2] {
        let (rows, width) = (f64::from(self.batch), f64::from(width));
        [rows * width, rows * width * width]
    }

    fn sorted(&self) -> Result<Case> {
        let (items, limit) = (self.lengths.with_zero(), self.lengths.max()[0]);
        // Sorted batches read the number of sequences only; the task asks for the rest.
        let task = EpochTask {
            batch: self.batch,
            limit,
            seed: 0,
            epoch: 0,
            mega: 1,
            tokens: 0,
            buckets: Buckets::new(HwCap::default(), None, limit),
            cap: None,
            merging: false,
            simulated: u64::MAX,
        };
        let mut tally = EpochTally::new(&items, false, false);
        Sampler::Sorted.run(&items, &task, &mut |batch| tally.take(batch), &mut go_on)?;
        let figures = EpochFigures::new(0, &tally.finish(None).0, 0)?;
        Ok(self.batched(Sampler::Sorted, &figures))
    }

    fn batched(&self, sampler: Sampler, figures: &EpochFigures) -> Case {
        // The data do not say where tokens are dropped, so all lengths lose the same share.
        let kept = figures.real_tokens as f64 / self.useful[0];
        let useful = [figures.real_tokens as f64, self.useful[1] * kept * kept];
        let slots = [figures.slots as f64, figures.squared_slots];
        let padding = [0, 1].map(|k| (slots[k] - useful[k]).max(0.0));
        // Rows of packs: pairs of different sequences cannot be distinguished from those with padding.
        let (padding, between) = match sampler {
            Sampler::Packed => {
                // As if all rows were equally full: pairs with an empty slot are all but the square
                // of the share in use.
                let empty = slots[1] * (1.0 - (useful[0] / slots[0]) * (useful[0] / slots[0]));
                (
                    [padding[0], empty.min(padding[1])],
                    (padding[1] - empty).max(0.0),
                )
            }
            _ => (padding, 0.0),
        };
        let work = Work {
            items: figures.items,
            batches: figures.batches,
            useful,
            padding,
            between,
            depth: if sampler == Sampler::Packed { 2 } else { 1 },
            largest: figures.largest_slots as f64,
            ..self.work(Method::Batched(sampler), figures.items, slots)
        };
        let shapes = figures.shapes.iter().map(|shape| {
            let (slots, width) = (shape.slots as f64, f64::from(shape.width));
            ([slots, slots * width], shape.batches as f64)
        });
        Case {
            work,
            population: Some(Population::new(shapes)),
        }
    }

    fn packed(&self, limit: u32, packs: PackWork) -> [Case; 2] {
        let rows = packs.figures.packs;
        let (slots, row) = (packs.figures.slots[0] as f64, f64::from(limit));
        // Attention without a mask: every token of a row with every other, of its own sequence
        // (useful), of another (between), or with empty slots (padding).
        let used = self.pairs_of_packs(rows, packs.shapes);
        let all = rows as f64 * row * row;
        let largest = f64::from(self.batch) * row;
        let work = self.work(Method::Packed, rows, [slots, 0.0]);
        let between = (used - self.useful[1]).max(0.0);
        let padding = [work.padding[0], (all - used).max(0.0)];
        let packed = Work {
            depth: packs.figures.max_depth,
            padding,
            between,
            largest,
            ..work
        };
        let blocks = packed.in_blocks();
        // Packs that are not listed are left out: those that are stand for them.
        let draws = packs.shapes.iter().map(|shape| {
            let squares: f64 = shape
                .runs
                .iter()
                .map(|&(l, n)| f64::from(l) * f64::from(l) * f64::from(n))
                .sum();
            ([row, squares], shape.count as f64)
        });
        [
            Case::plain(packed),
            Case {
                work: blocks,
                population: Some(Population::new(draws)),
            },
        ]
    }

    /// Returns the pairs of tokens in the same row, of one sequence or of two.
    ///
    /// Lengths of aligned packs are rounded up: the excess over real tokens is padding, in the same proportion in all
    /// packs. Unlisted packs share the tokens outside the listed ones in equal parts.
    fn pairs_of_packs(&self, rows: u64, shapes: &[PackShape]) -> f64 {
        let (mut packs, mut tokens, mut pairs) = (0, 0.0, 0.0);
        for shape in shapes {
            let (used, count) = (shape.used() as f64, shape.count as f64);
            packs += shape.count;
            tokens += used * count;
            pairs += used * used * count;
        }
        let real = if tokens > self.useful[0] {
            self.useful[0] / tokens
        } else {
            1.0
        };
        let left = (self.useful[0] - tokens).max(0.0);
        let unlisted = if rows > packs {
            left * left / (rows - packs) as f64
        } else {
            0.0
        };
        pairs * real * real + unlisted
    }

    fn unpadded(&self) -> [Case; 2] {
        let draw =
            |&([l], n): &(Size<1>, u64)| ([f64::from(l), f64::from(l) * f64::from(l)], n as f64);
        let population = Some(Population::new(self.lengths.entries().iter().map(draw)));
        [Method::Unpadded, Method::Balanced].map(|method| Case {
            work: self.work(method, self.lengths.items(), self.useful),
            population: population.clone(),
        })
    }
}

/// Counts the work on graphs by every method; without `packs`, only by the methods without padding. No size exceeds the
/// limits; `batch` is the number of packs of an accelerator. O(distinct).
pub fn graphs(graphs: &Histogram<2>, batch: u32, packs: Option<&Figures>) -> Vec<Case> {
    let (batch, items) = (batch.max(1), graphs.items());
    let useful = graphs.total().map(|n| n as f64);
    let work = |method, rows: u64, depth, slots: [f64; 2]| Work {
        method,
        items,
        rows,
        batches: rows.div_ceil(u64::from(batch)),
        depth,
        useful,
        padding: [0, 1].map(|k| (slots[k] - useful[k]).max(0.0)),
        between: 0.0,
        // All packs have the same slots: the mean is the largest.
        largest: slots[0] / rows as f64 * f64::from(batch),
    };
    let mut cases = Vec::new();
    if let Some(figures) = packs {
        let slots = |k: usize| {
            figures
                .slots
                .get(k)
                .map_or(useful[k], |slots| *slots as f64)
        };
        let alone = |k: usize| match figures.baseline_efficiency.get(k) {
            Some(share) if *share > 0.0 => useful[k] / share,
            // Without any edge, rows are as wide as those of the packs.
            _ => slots(k) / figures.packs as f64 * items as f64,
        };
        cases.push(Case::plain(work(
            Method::Padded,
            items,
            1,
            [alone(0), alone(1)],
        )));
        let packed = work(
            Method::Packed,
            figures.packs,
            figures.max_depth,
            [slots(0), slots(1)],
        );
        cases.push(Case::plain(packed));
    }
    let draws = graphs
        .entries()
        .iter()
        .map(|(size, n)| (size.map(f64::from), *n as f64));
    let population = Some(Population::new(draws));
    let largest = f64::from(batch) * f64::from(graphs.max()[0]);
    let bare = |method| {
        let work = Work {
            largest,
            ..work(method, items, 1, useful)
        };
        Case {
            work,
            population: population.clone(),
        }
    };
    cases.extend([Method::Unpadded, Method::Balanced].map(bare));
    cases
}
