//! The items of a request in the order in which they reach a library.

use crate::error::{Error, Result};
use crate::histogram::{Histogram, Size};
use crate::trainer::{Order, sampled};
use crate::words::count;
use std::borrow::Cow;

/// The order of the items: known, or drawn by each of several seeds.
pub(super) struct Arrival<'a, Z> {
    /// The items in their order; empty where it is not known.
    pub order: &'a [Z],
    /// The first seed.
    pub seed: u64,
    /// How many seeds; 0 is taken as 1.
    pub seeds: u32,
}

impl<'a, Z> Arrival<'a, Z> {
    /// Returns the order of a seed, or the one that is known.
    pub fn by(&self, seed: u64) -> Order<'a, Z> {
        if self.order.is_empty() { Order::Seed(seed) } else { Order::Given(self.order) }
    }

    /// Returns the order of the first seed, or the one that is known.
    pub fn first(&self) -> Order<'a, Z> {
        self.by(self.seed)
    }

    /// Returns the data, or a sample of many where the order is not known.
    pub fn few<'d, const K: usize>(&self, data: &'d Histogram<K>) -> Cow<'d, Histogram<K>> {
        if self.order.is_empty() { sampled(data) } else { Cow::Borrowed(data) }
    }

    /// Returns the seeds: one where the order is known, or `one` is enough.
    pub fn seeds(&self, one: bool) -> impl Iterator<Item = u64> + use<Z> {
        let (first, one) = (self.seed, one || !self.order.is_empty());
        (0..if one { 1 } else { u64::from(self.seeds.max(1)) }).map(move |at| first.wrapping_add(at))
    }
}

/// Returns the histogram of counts, or of the items in their order where that is known.
pub(super) fn counted<const K: usize>(
    counts: impl Iterator<Item = (Size<K>, u64)>,
    order: impl ExactSizeIterator<Item = Size<K>>,
) -> Result<Histogram<K>> {
    match order.len() {
        0 => Histogram::from_counts(counts),
        _ => Histogram::from_counts(order.map(|size| (size, 1))),
    }
}

/// Returns what a library makes of data, or why it refuses them or its settings: others may take them.
///
/// # Errors
/// [`Error::Cancelled`].
pub(super) fn taken<T>(made: Result<T>) -> Result<Result<T, String>> {
    match made {
        Err(Error::Cancelled) => Err(Error::Cancelled),
        // The library has no other policy: whoever asks has a limit.
        Err(Error::Overlong { items, largest, limit, .. }) => Ok(Err(format!(
            "{} items are larger than the limit of {}: expected a limit of {} or more",
            count(items),
            count(u64::from(limit)),
            count(u64::from(largest))
        ))),
        other => Ok(other.map_err(|error| error.to_string())),
    }
}
