//! Length-aware samplers: batches of items, padded to their longest, computed on the histogram. One sampler, one file.
//!
//! Packing fills a fixed rectangle; a sampler changes the rectangle. Items come from a histogram of (length,
//! stopwords): the second component is the number of tokens that may be dropped, 0 if unknown. Batches go to a sink one
//! by one and are never kept, so that memory does not grow with the items.

mod bucket;
mod bucket_by_length;
mod drop;
mod filling;
mod hwcap;
mod length_grouped;
mod packed;
mod random;
mod sorted;
mod stream;
mod tally;
mod token_budget;

pub use drop::TokenDrop;
pub(crate) use drop::share_of;
pub use hwcap::{Buckets, CapBucket, HwCap, MemoryModel};
pub(crate) use length_grouped::GroupBuilder;
pub use length_grouped::mega_of;
pub use stream::simulated_of;
pub use tally::{Drawn, EpochCounts, EpochTally, Picture, PictureRow};

use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::names::names;
use crate::packing::Progress;
use serde::{Deserialize, Serialize};

/// A way to make batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sampler {
    /// Shuffled, a fixed number of items.
    Random,
    /// In order of length, a fixed number of items.
    Sorted,
    /// Shuffled; large groups sorted inside.
    LengthGrouped,
    /// A shuffled stream, collected in buckets.
    BucketByLength,
    /// Items of similar length, up to a number of slots.
    TokenBudget,
    /// Buckets with a cap each, residual batches merged.
    Bucket,
    /// Rows of the packing engine, a fixed number of them.
    Packed,
}

impl Sampler {
    /// Whether the number of items differs from batch to batch by design.
    pub fn varies(self) -> bool {
        matches!(
            self,
            Self::BucketByLength | Self::TokenBudget | Self::Bucket
        )
    }

    /// Whether training sees the sequences in an order that changes.
    pub fn keeps_shuffle(self) -> bool {
        self != Self::Sorted
    }

    /// Whether batches are made in order of length and shuffled afterwards.
    pub(crate) fn shuffles(self) -> bool {
        matches!(self, Self::TokenBudget | Self::Bucket)
    }

    /// Makes the batches of one epoch, each item in exactly one, and passes them to `sink` in the order of the epoch
    /// ([`Sampler::TokenBudget`] and [`Sampler::Bucket`]: before they are shuffled). The same task gives the same
    /// batches on every machine. Of more items than [`EpochTask::simulated`] in random order, a part of the batches stands for
    /// all. O(items) at most; length-grouped O(items · log group). Memory: O(distinct) and a
    /// batch; a group (length-grouped), the open batches of all buckets (bucket-by-length), or the strategies (packed).
    ///
    /// # Errors
    /// [`Error::ZeroBatch`]; [`Error::Budget`] if a row does not fit the token budget; [`Error::TooManyItems`] for more
    /// than 10⁹ draws, where batches are huge; errors of packing for packed rows; [`Error::Cancelled`].
    pub fn run(
        self,
        items: &Histogram<2>,
        task: &EpochTask,
        sink: &mut Sink,
        progress: &mut Progress,
    ) -> Result<()> {
        if task.batch == 0 {
            return Err(Error::ZeroBatch);
        }
        match self {
            Self::Random => random::run(items, task, sink, progress),
            Self::Sorted => sorted::run(items, task, sink),
            Self::LengthGrouped => length_grouped::run(items, task, sink, progress),
            Self::BucketByLength => bucket_by_length::run(items, task, sink, progress),
            Self::TokenBudget => token_budget::run(items, task, sink),
            Self::Bucket => bucket::run(items, task, sink, progress),
            Self::Packed => packed::run(items, task, sink, progress),
        }
    }
}

names! { Sampler, "sampler";
    Random: "random", "random order", "Random", "Shuffled; padded to each batch's longest", "the baseline";
    Sorted: "sorted", "sorting", "Sorted", "In order of length: never shuffled", "Krell et al. 2022, Table 1";
    LengthGrouped: "length-grouped", "length-grouping", "Length-grouped", "Shuffled; groups sorted (Hugging Face)", "LengthGroupedSampler of Hugging Face Transformers";
    BucketByLength: "bucket-by-length", "bucketing by length", "Bucket by length", "A full bucket is a batch (tf.data)", "bucket_by_sequence_length of tf.data";
    TokenBudget: "token-budget", "a token budget", "Token budget", "Like lengths, up to a number of slots", "--max-tokens of fairseq";
    Bucket: "bucket", "BucketSampler", "BucketSampler", "As large as memory allows", "Nagarajan and Raghunathan 2023, TokenDrop + BucketSampler";
    Packed: "packed", "packing", "Packed rows", "Rows filled by the packing engine", "Krell et al. 2022";
}

/// The parameters of a sampler for one epoch.
#[derive(Debug, Clone, PartialEq)]
pub struct EpochTask {
    /// Items (packed: rows) in a batch, for samplers with a fixed number.
    pub batch: u32,
    /// Slots of a packed row.
    pub limit: u32,
    /// The seed of the order of the items.
    pub seed: u64,
    /// The epoch, from 0; each has a different order.
    pub epoch: u32,
    /// Length-grouped: batches in a sorted group.
    pub mega: u32,
    /// Token budget: the most slots of a batch.
    pub tokens: u64,
    /// Buckets, each with its largest batch.
    pub buckets: Buckets,
    /// Bucket: the largest batch of this epoch, in addition to the caps of the buckets.
    pub cap: Option<u32>,
    /// Bucket: whether the rest of the buckets is merged into larger batches.
    pub merging: bool,
    /// Items that are simulated, about, where their order is random: of an epoch with more, whole batches, each an
    /// example of others. See [`simulated_of`].
    pub simulated: u64,
}

/// One batch, or several equal ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Batch<'a> {
    /// (index into the entries of the histogram, number of items), in any order; an index may occur again.
    pub items: &'a [(u32, u32)],
    /// For packed rows, the end of each row in `items`, and the slots of every row.
    pub packs: Option<(&'a [usize], u32)>,
    /// Number of such batches.
    pub times: u64,
    /// Whether the other batches were not simulated, so that this is but an example of them.
    pub example: bool,
}

impl<'a> Batch<'a> {
    /// Creates a single batch.
    pub fn single(items: &'a [(u32, u32)]) -> Self {
        Self {
            items,
            packs: None,
            times: 1,
            example: false,
        }
    }

    /// Returns the number of items in one batch.
    pub fn size(&self) -> u64 {
        self.items.iter().map(|(_, n)| u64::from(*n)).sum()
    }
}

/// A callback that receives batches.
pub type Sink<'a> = dyn FnMut(&Batch) + 'a;
