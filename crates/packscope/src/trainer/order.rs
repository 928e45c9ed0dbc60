//! Items in an order.

use crate::error::{Error, Result};
use crate::histogram::{Draw, Histogram, Size};
use crate::packing::{Progress, Step};
use crate::rng::Random;

/// The order in which sequences (or graphs: sizes of two components) reach the library.
#[derive(Debug, Clone, Copy)]
pub enum Order<'a, T = u32> {
    /// As given, after any shuffling.
    Given(&'a [T]),
    /// Drawn from the counts in a random order with this seed.
    Seed(u64),
}

/// The items in an order, one by one; nothing is expanded.
pub(super) enum OrderedItems<'a, T, const K: usize> {
    Given(std::slice::Iter<'a, T>),
    Drawn(&'a Histogram<K>, Box<Draw>, fn(Size<K>) -> T),
}

impl<'a, T, const K: usize> OrderedItems<'a, T, K> {
    pub fn new(data: &'a Histogram<K>, order: Order<'a, T>, of: fn(Size<K>) -> T) -> Self {
        match order {
            Order::Given(items) => Self::Given(items.iter()),
            Order::Seed(seed) => {
                let counts = data.entries().iter().map(|(_, n)| *n).collect();
                Self::Drawn(
                    data,
                    // Without replacement, from the counts that are left: memory goes by distinct
                    // sizes.
                    Box::new(Draw::from_counts(counts, Random::seeded(seed))),
                    of,
                )
            }
        }
    }
}

/// Returns the lengths in an order.
pub(super) fn lengths<'a>(data: &'a Histogram<1>, order: Order<'a>) -> OrderedItems<'a, u32, 1> {
    OrderedItems::new(data, order, |[length]| length)
}

impl<T: Copy, const K: usize> Iterator for OrderedItems<'_, T, K> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self {
            Self::Given(items) => items.next().copied(),
            Self::Drawn(data, draw, of) => draw.next().map(|entry| of(data.entries()[entry].0)),
        }
    }
}

/// The maximum number of items: more would take minutes, one by one.
const AT_MOST: u64 = 1_000_000_000;
/// Items between two calls of the progress callback: some milliseconds.
const STRIDE: u64 = 65_536;

/// Refuses more than 10⁹ items.
///
/// # Errors
/// [`Error::TooManyItems`].
pub(super) fn bounded(items: u64, algorithm: &'static str) -> Result<()> {
    if items <= AT_MOST {
        Ok(())
    } else {
        Err(Error::TooManyItems {
            algorithm,
            items,
            at_most: AT_MOST,
        })
    }
}

/// Reports the progress once every [`STRIDE`] items.
///
/// # Errors
/// [`Error::Cancelled`].
#[inline]
pub(super) fn tell(done: u64, of: u64, progress: &mut Progress) -> Result<()> {
    // At 0, too: a caller sees that work begins, and can stop it.
    let stops = done.is_multiple_of(STRIDE) && progress(Step::Done { done, of }).is_break();
    if stops { Err(Error::Cancelled) } else { Ok(()) }
}
