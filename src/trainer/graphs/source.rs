//! Graphs one by one in an order.

use crate::error::{Error, Result};
use crate::histogram::{Draw, Histogram, Size};
use crate::packing::{Progress, Step};
use crate::rng::Random;
use crate::trainer::order::Order;

/// The most graphs: more would take minutes, one by one.
const AT_MOST: u64 = 1_000_000_000;
/// Graphs between two calls of the progress callback: some milliseconds.
const STRIDE: u64 = 65_536;

/// Draws graphs, and reports the progress.
pub(super) struct Source<'a, 'p> {
    items: Box<dyn Iterator<Item = Size<2>> + 'a>,
    done: u64,
    of: u64,
    progress: &'a mut Progress<'p>,
}

/// The graphs in an order; nothing is expanded.
pub(super) fn graphs<'a>(
    data: &'a Histogram<2>,
    order: Order<'a, Size<2>>,
) -> Box<dyn Iterator<Item = Size<2>> + 'a> {
    match order {
        Order::Given(items) => Box::new(items.iter().copied()),
        Order::Seed(seed) => {
            let counts = data.entries().iter().map(|(_, n)| *n).collect();
            Box::new(Draw::from_counts(counts, Random::seeded(seed)).map(|entry| data.entries()[entry].0))
        }
    }
}

impl<'a, 'p> Source<'a, 'p> {
    /// # Errors
    /// [`Error::TooManyItems`].
    pub fn new(
        data: &'a Histogram<2>,
        order: Order<'a, Size<2>>,
        progress: &'a mut Progress<'p>,
    ) -> Result<Self> {
        let of = data.items();
        if of > AT_MOST {
            let algorithm = "batches as graph libraries make them";
            return Err(Error::TooManyItems { algorithm, items: of, at_most: AT_MOST });
        }
        Ok(Self { items: graphs(data, order), done: 0, of, progress })
    }

    /// The number of graphs.
    pub fn len(&self) -> u64 {
        self.of
    }

    /// Returns the next graph.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn next(&mut self) -> Result<Option<Size<2>>> {
        if self.done.is_multiple_of(STRIDE)
            && (self.progress)(Step::Done { done: self.done, of: self.of }).is_break()
        {
            return Err(Error::Cancelled);
        }
        self.done += 1;
        Ok(self.items.next())
    }
}
