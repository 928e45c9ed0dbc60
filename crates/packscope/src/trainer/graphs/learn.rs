//! The size that random batches meet with a probability: `learn_fit_or_skip_size_constraints` of TF-GNN.
//!
//! A sample of batches is drawn from the first graphs. Nodes and edges each have 1,000 candidates, quantiles of the
//! sizes of these batches: the less a component varies relative to the other, the nearer its candidates are to the
//! maximum. The result is the smallest pair of candidates that the requested share of new batches meets. Where we
//! differ: another random generator. Complexity: O(sample · graphs of a batch).

use crate::error::{Error, Result};
use crate::histogram::Size;
use crate::packing::{Progress, Step};
use crate::rng::Random;

/// Candidates for the size: `num_thresholds` of the source.
const THRESHOLDS: usize = 1000;

/// The graphs from which sizes are learned.
pub(super) struct Learner<'g> {
    /// The first graphs of the data.
    pub graphs: &'g [Size<2>],
    /// Number of batches drawn, and of graphs in the buffer from which they are drawn.
    pub sample: u32,
    /// The share of batches that should fit.
    pub ratio: f64,
    pub seed: u64,
}

/// Draws graphs from a buffer that is refilled from the data, over and over.
struct ShuffleBuffer<'g> {
    graphs: &'g [Size<2>],
    buffer: Vec<Size<2>>,
    next: usize,
    random: Random,
}

impl<'g> ShuffleBuffer<'g> {
    fn new(graphs: &'g [Size<2>], room: usize, random: Random) -> Self {
        let buffer = graphs.iter().copied().cycle().take(room).collect();
        Self {
            graphs,
            buffer,
            next: room % graphs.len().max(1),
            random,
        }
    }

    fn draw(&mut self) -> Size<2> {
        let at = self.random.below_u32(self.buffer.len() as u32) as usize;
        let drawn = std::mem::replace(&mut self.buffer[at], self.graphs[self.next]);
        self.next = (self.next + 1) % self.graphs.len();
        drawn
    }
}

impl Learner<'_> {
    /// Returns the nodes and edges allowed in batches of `batch` graphs.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn room(&self, batch: u64, progress: &mut Progress) -> Result<[u64; 2]> {
        let mut shuffle = ShuffleBuffer::new(
            self.graphs,
            self.sample as usize,
            // Each number of graphs has draws of its own, whatever was tried before it.
            Random::seeded(self.seed ^ batch.rotate_left(32)),
        );
        let candidates = candidates(&self.batches(&mut shuffle, batch, progress)?);
        // Pairs descend: a batch meets all of them before the first that is too small for it, and
        // is counted at that index.
        let mut meets = vec![0u64; THRESHOLDS + 1];
        for sizes in self.batches(&mut shuffle, batch, progress)? {
            let to = |k: usize| candidates.partition_point(|pair| pair[k] >= sizes[k]);
            meets[to(0).min(to(1))] += 1;
        }
        let wanted = self.ratio * f64::from(self.sample);
        let mut met = 0;
        for (at, pair) in candidates.iter().enumerate().rev() {
            met += meets[at + 1];
            if met as f64 >= wanted {
                return Ok(*pair);
            }
        }
        Ok(candidates[0])
    }

    /// Draws batches; returns nodes and edges of each.
    fn batches(
        &self,
        shuffle: &mut ShuffleBuffer,
        batch: u64,
        progress: &mut Progress,
    ) -> Result<Vec<[u64; 2]>> {
        let mut sums = Vec::with_capacity(self.sample as usize);
        let of = u64::from(self.sample);
        for done in 0..of {
            // About once for every 65,536 graphs.
            if (done * batch) % 65_536 < batch && progress(Step::Done { done, of }).is_break() {
                return Err(Error::Cancelled);
            }
            let mut sum = [0; 2];
            for _ in 0..batch {
                let graph = shuffle.draw();
                (0..2).for_each(|k| sum[k] += u64::from(graph[k]));
            }
            sums.push(sum);
        }
        Ok(sums)
    }

    /// Returns the largest number of graphs, at most `items`, for which batches are allowed no more than the limits,
    /// and the nodes and edges allowed; `None` if even one graph is too many.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn largest_batch_within(
        &self,
        limits: [u64; 2],
        items: u64,
        progress: &mut Progress,
    ) -> Result<Option<(u64, [u64; 2])>> {
        let top = items + 1;
        let (mut low, mut high, mut best) = (0, top, None);
        let mut number = self.guess(limits).clamp(1, items);
        let mut step = (number / 16).max(1);
        while high - low > 1 {
            // Each number has draws of its own, so that a larger one can fit where a smaller one
            // did not: the search ends at one of several borders.
            let room = self.room(number, progress)?;
            if room[0] <= limits[0] && room[1] <= limits[1] {
                (low, best) = (number, Some((number, room)));
            } else {
                high = number;
            }
            // Wider steps from the guess until it lies between two, then bisection.
            number = match (low, high) {
                (0, _) => high.saturating_sub(step).max(1),
                (_, high) if high == top => (low + step).min(top - 1),
                _ => low + (high - low) / 2,
            };
            step *= 2;
        }
        Ok(best)
    }

    /// Estimates the number of graphs that fit, as if their sum were distributed normally.
    fn guess(&self, limits: [u64; 2]) -> u64 {
        let of = |k: usize| {
            let sizes = self.graphs.iter().map(|graph| u64::from(graph[k]));
            let mean =
                sizes.clone().map(|size| size as f64).sum::<f64>() / self.graphs.len() as f64;
            // The quantile of 99 % of the normal distribution: the default of the share that is to
            // fit.
            let spread = 2.33 * deviation(sizes);
            // n · mean + √n · spread = limit
            let root =
                ((spread * spread + 4.0 * mean * limits[k] as f64).sqrt() - spread) / (2.0 * mean);
            if mean > 0.0 {
                (root * root) as u64
            } else {
                u64::MAX
            }
        };
        of(0).min(of(1))
    }
}

/// Returns the pairs of sizes, the largest first.
fn candidates(batches: &[[u64; 2]]) -> Vec<[u64; 2]> {
    // In 32 bits, as TensorFlow computes: rounding decides which candidate an index names.
    let spread = [0, 1].map(|k| deviation(batches.iter().map(|sizes| sizes[k])) as f32);
    let widest = spread[0].max(spread[1]);
    let sorted = [0, 1].map(|k| {
        let mut sizes: Vec<u64> = batches.iter().map(|sizes| sizes[k]).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    });
    let step = batches.len() as f64 / THRESHOLDS as f64;
    let pair = |t: usize| {
        [0, 1].map(|k| {
            let importance = if widest > 0.0 {
                spread[k] / widest
            } else {
                0.0
            };
            sorted[k][((t as f64 * step) as f32 * importance) as usize]
        })
    };
    (0..THRESHOLDS).map(pair).collect()
}

fn deviation(sizes: impl ExactSizeIterator<Item = u64> + Clone) -> f64 {
    // Of the sample as a whole, divided by n, as numpy's `std`.
    let n = sizes.len().max(1) as f64;
    let mean = sizes.clone().map(|size| size as f64).sum::<f64>() / n;
    (sizes.map(|size| (size as f64 - mean).powi(2)).sum::<f64>() / n).sqrt()
}
