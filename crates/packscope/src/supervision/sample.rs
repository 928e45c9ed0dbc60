//! Items of a stream, each as likely, in bounded memory.

use super::{Span, Truncation, checked};
use crate::error::Result;
use crate::rng::Random;

/// An item as it is after it was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SampledItem {
    /// Tokens that are computed.
    pub tokens: u32,
    /// Those of them that bear loss.
    pub supervised: u32,
}

impl SampledItem {
    /// Returns an item of so many tokens, with these spans of supervised ones, at a limit. O(spans).
    pub fn at_limit(tokens: u32, spans: &[Span], limit: u32, truncation: Truncation) -> Self {
        Self {
            tokens: tokens.min(limit),
            supervised: truncation.kept(tokens, spans, limit),
        }
    }
}

/// Items of a stream with their spans: all of them, or, of more than there is room for, some of which each is as likely.
#[derive(Debug, Clone)]
pub struct Sample {
    items: Vec<(u32, Box<[Span]>)>,
    most: usize,
    seen: u64,
    /// Items that are passed over before the next one is taken.
    skip: u64,
    /// The threshold of algorithm L.
    threshold: f64,
    random: Random,
}

impl Sample {
    /// Creates a sample of at most so many items.
    pub fn new(most: usize, seed: u64) -> Self {
        Self {
            items: Vec::new(),
            most: most.max(1),
            seen: 0,
            skip: 0,
            threshold: 1.0,
            random: Random::seeded(seed),
        }
    }

    /// Adds an item of so many tokens, `count` times. O(spans) for each that is taken, of which there are
    /// O(most · log(items / most)): algorithm L of Li 1994, *Reservoir-Sampling Algorithms of Time Complexity
    /// O(n(1+log(N/n)))*.
    ///
    /// # Errors
    /// Those of [`CurveBuilder::add`](super::CurveBuilder::add) about the item.
    pub fn add(&mut self, tokens: u32, spans: &[Span], count: u64) -> Result<()> {
        checked(tokens, spans)?;
        let mut left = count;
        while left > 0 && self.items.len() < self.most {
            self.items.push((tokens, spans.into()));
            self.seen += 1;
            left -= 1;
            if self.items.len() == self.most {
                self.draw();
            }
        }
        while left > self.skip {
            left -= self.skip + 1;
            self.seen += self.skip + 1;
            let at = self.random.below(self.most as u64) as usize;
            self.items[at] = (tokens, spans.into());
            self.draw();
        }
        self.skip -= left;
        self.seen += left;
        Ok(())
    }

    /// Draws the number of items to pass over.
    fn draw(&mut self) {
        let most = self.most as f64;
        self.threshold *= (self.uniform().ln() / most).exp();
        let skip = (self.uniform().ln() / (1.0 - self.threshold).ln()).floor();
        // Beyond 64 bits, and where the threshold has become 0, no other item is taken.
        self.skip = if skip.is_finite() {
            skip as u64
        } else {
            u64::MAX
        };
    }

    /// Returns a number in (0, 1].
    fn uniform(&mut self) -> f64 {
        const STEPS: u64 = 1 << 53;
        (self.random.below(STEPS) + 1) as f64 / STEPS as f64
    }

    /// Returns the number of items that were added.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Whether all items are in the sample.
    pub fn is_whole(&self) -> bool {
        self.seen == self.items.len() as u64
    }

    /// Returns the items, each with its tokens and the spans of those that are supervised.
    pub fn into_items(self) -> Vec<(u32, Box<[Span]>)> {
        self.items
    }

    /// Returns the items at a limit.
    pub fn at_limit(&self, limit: u32, truncation: Truncation) -> Vec<SampledItem> {
        let at = |(tokens, spans): &(u32, Box<[Span]>)| {
            SampledItem::at_limit(*tokens, spans, limit, truncation)
        };
        self.items.iter().map(at).collect()
    }
}
