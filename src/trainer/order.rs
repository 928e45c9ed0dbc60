//! Items in an order.

use crate::histogram::{Draw, Histogram};
use crate::rng::Random;

/// The order in which sequences (or graphs: sizes of two components) reach the library.
#[derive(Debug, Clone, Copy)]
pub enum Order<'a, T = u32> {
    /// As given, after any shuffling.
    Given(&'a [T]),
    /// Drawn from the counts in random order: a seed stands for the order that nobody knows.
    Seed(u64),
}

/// The lengths in an order, one by one; nothing is expanded.
pub(super) enum Items<'a> {
    Given(std::slice::Iter<'a, u32>),
    Drawn(&'a Histogram<1>, Box<Draw>),
}

impl<'a> Items<'a> {
    pub fn new(data: &'a Histogram<1>, order: Order<'a>) -> Self {
        match order {
            Order::Given(items) => Self::Given(items.iter()),
            Order::Seed(seed) => {
                let counts = data.entries().iter().map(|(_, n)| *n).collect();
                Self::Drawn(data, Box::new(Draw::from_counts(counts, Random::seeded(seed))))
            }
        }
    }
}

impl Iterator for Items<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match self {
            Self::Given(items) => items.next().copied(),
            Self::Drawn(data, draw) => draw.next().map(|entry| data.entries()[entry].0[0]),
        }
    }
}
