//! Buckets by the quantiles of a log-normal distribution: `DynamicBatchSampler` of SpeechBrain.
//!
//! The quantiles are scaled so that the last is the largest size of a batch; batches of a bucket have as many sequences
//! of its upper length as fit into that size. Lengths of the data do not matter. O(sequences · log buckets).

use super::SequenceSource;
use super::tally::{OpenBatch, SamplerBatchBuilder};
use crate::error::Result;
use crate::packing::Progress;

/// Upper ends of buckets, and the sequences of a batch in each bucket and above all of them.
pub(super) struct WarpedBuckets {
    ends: Vec<f64>,
    sizes: Vec<u64>,
}

impl WarpedBuckets {
    pub fn new(slots: u64, buckets: u32, most: Option<u32>) -> Self {
        // Quantiles strictly between 0 and 1: that of 1 is infinite.
        let of = f64::from(buckets) + 1.0;
        let quantiles: Vec<f64> = (1..=buckets)
            .map(|k| quantile(f64::from(k) / of).exp())
            .collect();
        // Scaled to the largest size, whatever the lengths of the data: most fall into few buckets.
        let last = quantiles.last().copied().unwrap_or(1.0);
        let ends: Vec<f64> = quantiles
            .iter()
            .map(|quantile| quantile * slots as f64 / last)
            .collect();
        let most = most.map_or(u64::MAX, u64::from);
        let size = |end: &f64| ((slots as f64 / end) as u64).max(1).min(most);
        // Above the last end a sequence is larger than a batch may be, and alone.
        let sizes = ends.iter().map(size).chain([1]).collect();
        Self { ends, sizes }
    }

    pub fn run(
        &self,
        drop_last: bool,
        source: &SequenceSource,
        made: &mut SamplerBatchBuilder,
        progress: &mut Progress,
    ) -> Result<()> {
        let mut buckets: Vec<OpenBatch> = self.sizes.iter().map(|_| made.open()).collect();
        source.for_each_sequence(progress, |length| {
            let at = self.ends.partition_point(|end| *end < f64::from(length));
            let open = &mut buckets[at];
            open.add(length, 1);
            if open.sequences >= self.sizes[at] {
                made.close(open);
            }
        })?;
        for mut open in buckets {
            if drop_last {
                made.drop(&open);
            } else {
                made.close(&mut open);
            }
        }
        Ok(())
    }
}

/// Returns the quantile of the standard normal distribution, for probabilities that are not extreme: Newton's method on
/// a series, to machine precision.
fn quantile(probability: f64) -> f64 {
    let mut x = 0.0;
    // Far more than Newton's steps, limited to 1, need.
    for _ in 0..60 {
        let density = (-x * x / 2.0f64).exp() / std::f64::consts::TAU.sqrt();
        // Φ(x) = ½ + φ(x) · Σ x²ᵏ⁺¹ / (1 · 3 · … · (2k + 1)): Abramowitz and Stegun, 26.2.11.
        let (mut term, mut sum, mut odd): (f64, f64, f64) = (x, x, 1.0);
        while term.abs() > 1e-18 {
            odd += 2.0;
            term *= x * x / odd;
            sum += term;
        }
        let step = (0.5 + density * sum - probability) / density;
        // In the tails, the tangent overshoots.
        x -= step.clamp(-1.0, 1.0);
        if step.abs() < 1e-15 {
            break;
        }
    }
    x
}
