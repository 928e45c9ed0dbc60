//! Graphs one by one in an order.

use crate::error::Result;
use crate::histogram::{Histogram, Size};
use crate::packing::Progress;
use crate::trainer::order::{Order, OrderedItems, bounded, tell};

/// Draws graphs, and reports the progress.
pub(super) struct GraphSource<'a, 'p> {
    items: OrderedItems<'a, Size<2>, 2>,
    done: u64,
    of: u64,
    progress: &'a mut Progress<'p>,
}

/// Returns the graphs in an order.
pub(super) fn graphs<'a>(
    data: &'a Histogram<2>,
    order: Order<'a, Size<2>>,
) -> OrderedItems<'a, Size<2>, 2> {
    OrderedItems::new(data, order, |size| size)
}

impl<'a, 'p> GraphSource<'a, 'p> {
    /// # Errors
    /// [`TooManyItems`](crate::error::Error::TooManyItems).
    pub fn new(
        data: &'a Histogram<2>,
        order: Order<'a, Size<2>>,
        progress: &'a mut Progress<'p>,
    ) -> Result<Self> {
        let of = data.items();
        bounded(of, "batches as graph libraries make them")?;
        Ok(Self {
            items: graphs(data, order),
            done: 0,
            of,
            progress,
        })
    }

    pub fn len(&self) -> u64 {
        self.of
    }

    /// Returns the next graph.
    ///
    /// # Errors
    /// [`Cancelled`](crate::error::Error::Cancelled).
    pub fn next(&mut self) -> Result<Option<Size<2>>> {
        tell(self.done, self.of, self.progress)?;
        self.done += 1;
        Ok(self.items.next())
    }
}
