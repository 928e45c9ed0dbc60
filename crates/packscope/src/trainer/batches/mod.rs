//! Samplers of training libraries that make batches of sequences, each padded to its longest.
//!
//! A sampler is a [`Library`] of the kind [`SamplerLibraries`]; its settings give a [`SamplerRecipe`], and
//! [`SamplerRecipe::run`] draws sequences in an order and returns what becomes of them ([`SamplerTally`]).

mod buckets;
mod by_size;
mod elements;
mod grouped;
mod libraries;
mod rebalanced;
mod tally;
mod warped;

pub use libraries::SAMPLERS;
pub use tally::SamplerTally;

use super::library::{Library, LibraryFamily, LibrarySettings};
use super::order::{Order, bounded, lengths, tell};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;
use rebalanced::RebalancedStep;
use serde::{Deserialize, Serialize};
use tally::SamplerBatchBuilder;

/// Libraries that make batches of sequences.
#[derive(Debug, Clone, PartialEq)]
pub enum SamplerLibraries {}

/// The limits that every sampler is given, and every library that packs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryLimits {
    /// The maximum sequence length, tokens: longer ones are truncated.
    pub limit: u32,
    /// Sequences of a batch; for samplers limited by size, the size is this many sequences of the maximum length. For
    /// packing libraries without such a setting, rows of a step.
    pub batch: u32,
}

impl LibraryLimits {
    /// Returns the slots of a batch of the longest sequences.
    pub fn slots(self) -> u64 {
        u64::from(self.limit) * u64::from(self.batch)
    }
}

impl LibraryFamily for SamplerLibraries {
    type Limits = LibraryLimits;
    type Recipe = SamplerRecipe;
    const ALL: &'static [&'static Library<Self>] = SAMPLERS;

    fn is_zero(room: LibraryLimits) -> bool {
        room.limit == 0 || room.batch == 0
    }

    fn words(chosen: &LibrarySettings<Self>) -> Vec<(&'static str, u64)> {
        let LibraryLimits { limit, batch } = chosen.limit;
        vec![
            ("limit", u64::from(limit)),
            ("batch", u64::from(batch)),
            ("slots", chosen.limit.slots()),
        ]
    }
}

/// How a library makes batches of sequences: an algorithm, and the length that sequences are cut
/// to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SamplerRecipe {
    /// The algorithm, with its own parameters.
    pub block: SamplerBlock,
    /// The length to which sequences are truncated before batching, tokens.
    pub limit: u32,
}

/// The algorithms. The size of a batch is the number of its sequences times the longest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum SamplerBlock {
    /// The sequences of a step in groups of alike cost, one for each rank and accumulated batch: Hugging Face.
    Rebalanced {
        /// Sequences in a batch, on average.
        batch: u32,
        /// Batches of a rank in a step.
        accumulated: u32,
        /// Ranks.
        ranks: u32,
        /// Whether a last step that is not full is left out.
        drop_last: bool,
    },
    /// Shuffled, then groups of batches sorted inside: Hugging Face.
    Grouped {
        /// Sequences in a batch.
        batch: u32,
        /// Batches that are accumulated before a step.
        accumulated: u32,
    },
    /// In order of length, up to a size, and in multiples: fairseq.
    BySize {
        /// The largest size.
        tokens: u64,
        /// Batches of at least this many sequences have a multiple of it.
        multiple: u32,
    },
    /// A buffer in buckets of equal total length, or evenly spaced; a batch ends before it would be too large: lhotse,
    /// NeMo's speech collections.
    Buckets {
        /// The largest size, slots; only the last sequence of a batch can exceed it.
        slots: u64,
        /// Buckets, at most.
        buckets: u32,
        /// Sequences in the buffer.
        buffer: u64,
        /// Number of first sequences, from which buckets are estimated.
        sample: u64,
        /// Buckets are evenly spaced up to this length, and longer sequences are left out; `None` for equal totals.
        evenly_to: Option<f64>,
        /// The length at which a sequence counts twice, with a quadratic term; `None` to count lengths as they are.
        quadratic: Option<f64>,
        /// Whether batches that are not full are left out.
        drop_last: bool,
    },
    /// In order of length; a batch ends after it is too large: ESPnet.
    Elements {
        /// The size after which a batch ends.
        bins: u64,
        /// The fewest sequences in a batch.
        least: u32,
        /// Whether the last batch is left out.
        drop_last: bool,
    },
    /// Buckets by quantiles of a distribution, each with a number of sequences: SpeechBrain.
    Warped {
        /// The largest size.
        slots: u64,
        /// Buckets, whatever the lengths of the data are.
        buckets: u32,
        /// The most sequences in a batch.
        most: Option<u32>,
        /// Whether batches that are not full are left out.
        drop_last: bool,
    },
}

impl SamplerBlock {
    /// Returns the algorithm in words.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Rebalanced { .. } => "steps in batches of alike cost",
            Self::Grouped { .. } => "shuffled groups, sorted inside",
            Self::BySize { .. } => "sorted, up to a size, in multiples",
            Self::Buckets { .. } => "a buffer in buckets, up to a size",
            Self::Elements { .. } => "sorted, closed above a size",
            Self::Warped { .. } => "log-normal buckets, a number in each",
        }
    }

    /// Whether batches do not depend on the order.
    pub fn order_free(&self) -> bool {
        matches!(self, Self::BySize { .. } | Self::Elements { .. })
    }

    /// Returns the size that batches should not exceed; `None` where their number of sequences is fixed.
    pub fn slots(&self) -> Option<u64> {
        match *self {
            Self::Rebalanced { .. } | Self::Grouped { .. } => None,
            Self::BySize { tokens: slots, .. }
            | Self::Buckets { slots, .. }
            | Self::Elements { bins: slots, .. }
            | Self::Warped { slots, .. } => Some(slots),
        }
    }
}

impl SamplerRecipe {
    /// Makes the batches of one pass over sequences in this order. `data` are the counts of all sequences, even if the
    /// order is given; `seed` is for random numbers other than the order; `list` keeps the batches as their lengths.
    /// O(sequences · log buckets), memory: the buffer and the open batches.
    ///
    /// # Errors
    /// [`Input`](crate::error::Error::Input) where the library refuses data or settings;
    /// [`TooManyItems`](crate::error::Error::TooManyItems) from 10⁹ on; [`Cancelled`](crate::error::Error::Cancelled).
    pub fn run(
        &self,
        data: &Histogram<1>,
        order: Order,
        seed: u64,
        list: bool,
        progress: &mut Progress,
    ) -> Result<(SamplerTally, Vec<Vec<u32>>)> {
        bounded(data.items(), "batches as libraries make them")?;
        let mut made = SamplerBatchBuilder::new(self.block.slots(), list);
        // From the counts, for all algorithms at once: truncation does not depend on the order.
        for &([length], n) in data.entries() {
            made.truncated(length.saturating_sub(self.limit), n);
        }
        let source = SequenceSource {
            data,
            order,
            limit: self.limit,
        };
        match self.block {
            SamplerBlock::Rebalanced {
                batch,
                accumulated,
                ranks,
                drop_last,
            } => {
                let step = RebalancedStep {
                    batch,
                    accumulated,
                    ranks,
                    drop_last,
                };
                rebalanced::run(step, &source, &mut made, progress)?;
            }
            SamplerBlock::Grouped { batch, accumulated } => {
                grouped::run(batch, accumulated, &source, &mut made, progress)?;
            }
            SamplerBlock::BySize { tokens, multiple } => {
                by_size::run(tokens, u64::from(multiple), &source, &mut made, progress)?;
            }
            SamplerBlock::Buckets { .. } => {
                buckets::run(&self.block, &source, seed, &mut made, progress)?
            }
            SamplerBlock::Elements {
                bins,
                least,
                drop_last,
            } => {
                elements::run(
                    bins,
                    u64::from(least),
                    drop_last,
                    &source,
                    &mut made,
                    progress,
                )?;
            }
            SamplerBlock::Warped {
                slots,
                buckets,
                most,
                drop_last,
            } => {
                let sampler = warped::WarpedBuckets::new(slots, buckets, most);
                sampler.run(drop_last, &source, &mut made, progress)?;
            }
        }
        Ok(made.finish())
    }
}

/// Sequences in an order, truncated.
struct SequenceSource<'a> {
    data: &'a Histogram<1>,
    order: Order<'a>,
    limit: u32,
}

impl SequenceSource<'_> {
    fn items(&self) -> impl Iterator<Item = u32> {
        let limit = self.limit;
        lengths(self.data, self.order).map(move |length| length.min(limit))
    }

    /// Calls back for every sequence in the order.
    fn for_each_sequence(&self, progress: &mut Progress, take: impl FnMut(u32)) -> Result<()> {
        watched(self.items(), self.data.items(), progress, take)
    }

    /// Calls back for every sequence in order of length.
    fn ascending(&self, progress: &mut Progress, take: impl FnMut(u32)) -> Result<()> {
        // Entries ascend; none is expanded. Truncated ones stay last, all at the limit.
        let all = self.data.entries().iter();
        let all = all.flat_map(|&([length], n)| (0..n).map(move |_| length.min(self.limit)));
        watched(all, self.data.items(), progress, take)
    }
}

fn watched(
    items: impl Iterator<Item = u32>,
    of: u64,
    progress: &mut Progress,
    mut take: impl FnMut(u32),
) -> Result<()> {
    for (done, length) in (0..).zip(items) {
        tell(done, of, progress)?;
        take(length);
    }
    Ok(())
}
