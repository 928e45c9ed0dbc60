//! Histograms of item sizes, which represent the data in all other modules.

mod bins;
mod computed;
mod covering;
mod draw;
mod generated;
mod many;
mod overlong;
mod positions;
mod presets;
mod sizes;
mod spread;
mod summary;

pub use bins::{Band, Bin, Bins};
pub use computed::{Attention, Computation, ComputedSizes, Work};
pub use draw::Draw;
pub use generated::Generated;
pub use many::{Groups, MANY};
pub use overlong::fits;
pub use overlong::{ClippedHistogram, FREE, Overlong, is_free};
pub use positions::Positions;
pub use presets::Preset;
pub use sizes::Sizes;
pub use spread::Spread;
pub use summary::Summary;

use crate::error::{Error, Result};

/// The size of one item: a length (K = 1), or (nodes, edges) (K = 2).
pub type Size<const K: usize> = [u32; K];

/// Counts of items by size, ascending, without zeros: of lengths (K = 1), or of several components at once.
///
/// ```
/// use packscope_core::Histogram;
///
/// let lengths = Histogram::from_lengths([(512, 3), (12, 40), (512, 1)])?;
/// assert_eq!(lengths.entries(), [([12], 40), ([512], 4)]);
/// assert_eq!((lengths.items(), lengths.total()), (44, [2528]));
/// let graphs = Histogram::from_counts([([30, 64], 5), ([2, 2], 1)])?; // (nodes, edges)
/// assert_eq!(graphs.max(), [30, 64]);
/// # Ok::<(), packscope_core::Error>(())
/// ```
///
/// Invariants: sizes are distinct and ascending, the first component of every size is at least 1, every count is at
/// least 1, there is at least one entry, and the totals fit into `u64`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram<const K: usize> {
    entries: Vec<(Size<K>, u64)>,
    items: u64,
    total: [u64; K],
    max: Size<K>,
    /// Items, and the sum of their first components, before every [`STRIDE`](many::STRIDE)th entry but the first.
    below: Vec<[u64; 2]>,
}

impl<const K: usize> Histogram<K> {
    /// Builds a histogram from counts by size, in any order; equal sizes are summed, zero counts left out. O(n log n).
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::ZeroSize`] when an item's first component is 0,
    /// [`Error::TooLarge`] when a total does not fit into 64 bits.
    pub fn from_counts(counts: impl IntoIterator<Item = (Size<K>, u64)>) -> Result<Self> {
        let mut entries: Vec<(Size<K>, u64)> =
            counts.into_iter().filter(|(_, count)| *count > 0).collect();
        if entries.iter().any(|(size, _)| size[0] == 0) {
            return Err(Error::ZeroSize);
        }
        entries.sort_unstable_by_key(|(size, _)| *size);
        let mut overflow = false;
        // `dedup_by` passes the later element first, and removes it.
        entries.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                let sum = first.1.checked_add(later.1);
                overflow |= sum.is_none();
                // Checked after the pass: the closure cannot return an error.
                first.1 = sum.unwrap_or(u64::MAX);
            }
            same
        });
        if overflow {
            return Err(Error::TooLarge {
                what: "the number of items",
            });
        }
        Self::from_sorted(entries)
    }

    /// Takes entries that are sorted, distinct and without zeros, and does not check that.
    fn from_sorted(entries: Vec<(Size<K>, u64)>) -> Result<Self> {
        if entries.is_empty() {
            return Err(Error::Empty);
        }
        let (mut items, mut total, mut max) = (0u64, [0u64; K], [0; K]);
        let mut below = Vec::new();
        for (at, (size, count)) in entries.iter().enumerate() {
            if at > 0 && at.is_multiple_of(many::STRIDE) {
                below.push([items, total[0]]);
            }
            items = items.checked_add(*count).ok_or(Error::TooLarge {
                what: "the number of items",
            })?;
            for ((sum, max), s) in total.iter_mut().zip(&mut max).zip(size) {
                *max = (*max).max(*s);
                *sum = u64::from(*s)
                    .checked_mul(*count)
                    .and_then(|t| sum.checked_add(t))
                    .ok_or(Error::TooLarge {
                        what: if K == 1 {
                            "the number of tokens"
                        } else {
                            "the sum of a component"
                        },
                    })?;
            }
        }
        Ok(Self {
            entries,
            items,
            total,
            max,
            below,
        })
    }

    /// Returns the sizes with their counts, ascending.
    pub fn entries(&self) -> &[(Size<K>, u64)] {
        &self.entries
    }

    /// Returns the number of items.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Returns the sum of the sizes of all items, per component (tokens, or nodes and edges).
    pub fn total(&self) -> [u64; K] {
        self.total
    }

    /// Returns the number of distinct sizes.
    pub fn distinct(&self) -> usize {
        self.entries.len()
    }

    /// Returns the largest value of each component.
    pub fn max(&self) -> Size<K> {
        self.max
    }

    /// Returns the mean size, per component. Always finite, as there is at least one item.
    pub fn mean_size(&self) -> [f64; K] {
        self.total.map(|total| total as f64 / self.items as f64)
    }

    /// Returns the histogram of one component, without items of size 0; `None` if no other is left, or there is no such
    /// component.
    pub fn marginal(&self, component: usize) -> Option<Histogram<1>> {
        if component >= K {
            return None;
        }
        let sizes = self
            .entries
            .iter()
            .map(|&(size, count)| (size[component], count));
        Histogram::from_lengths(sizes.filter(|(size, _)| *size > 0)).ok()
    }
}

impl Histogram<1> {
    /// Builds a histogram from (length, count), as [`from_counts`](Self::from_counts) does.
    ///
    /// ```
    /// use packscope_core::Histogram;
    ///
    /// // From lengths one by one: equal ones are added up.
    /// let histogram = Histogram::from_lengths([12, 300, 12].map(|length| (length, 1)))?;
    /// assert_eq!(histogram.entries(), [([12], 2), ([300], 1)]);
    /// # Ok::<(), packscope_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_counts`](Self::from_counts).
    pub fn from_lengths(counts: impl IntoIterator<Item = (u32, u64)>) -> Result<Self> {
        Self::from_counts(counts.into_iter().map(|(length, count)| ([length], count)))
    }

    /// Returns each length with a second size of 0. O(distinct).
    pub fn with_zero(&self) -> Histogram<2> {
        let entries = self
            .entries
            .iter()
            .map(|&([length], count)| ([length, 0], count))
            .collect();
        // The sums before each stride are of the first component, and stay true.
        let (total, max) = ([self.total[0], 0], [self.max[0], 0]);
        Histogram {
            entries,
            items: self.items,
            total,
            max,
            below: self.below.clone(),
        }
    }

    /// Returns the entries as (length, count), ascending.
    pub fn lengths(&self) -> Vec<(u32, u64)> {
        self.entries
            .iter()
            .map(|&([length], count)| (length, count))
            .collect()
    }

    /// Returns the lengths, largest first, and their counts.
    pub fn rows(&self) -> (Vec<u32>, Vec<u64>) {
        self.entries
            .iter()
            .rev()
            .map(|&([length], count)| (length, count))
            .unzip()
    }

    /// Returns the smallest length that at least a share `q` (0 to 1) of the items does not exceed. O(log distinct).
    pub fn quantile(&self, q: f64) -> u32 {
        let rank = ((q.clamp(0.0, 1.0) * self.items as f64).ceil() as u64).max(1);
        let skipped = self.below.partition_point(|[items, _]| *items < rank);
        let mut seen = skipped.checked_sub(1).map_or(0, |at| self.below[at][0]);
        for ([length], count) in &self.entries[skipped * many::STRIDE..] {
            seen += count;
            if seen >= rank {
                return *length;
            }
        }
        // Reached only where `items` as a float rounds up, beyond 2^53 items.
        self.max[0]
    }

    /// Returns the mean length in tokens. Always finite, as there is at least one item.
    pub fn mean(&self) -> f64 {
        self.total[0] as f64 / self.items as f64
    }
}
