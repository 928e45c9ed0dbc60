//! What an epoch takes: the work of a method, priced.

use super::{Assumptions, Method, Overhead, Rates, Work};
use serde::{Deserialize, Serialize};

/// An estimate, never a measurement: seconds of an epoch on all accelerators, and what they are made of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The method.
    pub method: Method,
    /// Whether the accelerator can do it: see [`Accelerator::dynamic`](super::Accelerator::dynamic).
    pub possible: bool,
    /// Seconds of the epoch.
    pub seconds: f64,
    /// Padded seconds / these.
    pub speedup: f64,
    /// Real tokens (nodes) per second, all accelerators together.
    pub tokens_per_second: f64,
    /// Parts of the seconds.
    pub parts: Parts,
    /// Steps of an accelerator: batches one after another.
    pub steps: u64,
    /// Updates of the weights.
    pub updates: u64,
    /// Standard error of the seconds, where waiting was simulated.
    pub error: f64,
}

/// Seconds by what they are spent on; together they are the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Parts {
    /// Work on real tokens one by one; on nodes.
    pub linear: f64,
    /// Attention between tokens of the same sequence; work on edges.
    pub attention: f64,
    /// Work on slots that carry nothing.
    pub padding: f64,
    /// Keeping packed items apart: attention that is masked away, a slower kernel, masks and losses.
    pub masking: f64,
    /// What steps and updates cost beside their work.
    pub overhead: f64,
    /// Waiting for the slowest accelerator.
    pub waiting: f64,
}

impl Parts {
    /// All of them with their names, in the order in which they are drawn.
    pub fn named(&self) -> [(&'static str, f64); 6] {
        [
            ("linear", self.linear),
            ("attention", self.attention),
            ("padding", self.padding),
            ("masking", self.masking),
            ("overhead", self.overhead),
            ("waiting", self.waiting),
        ]
    }

    /// Their sum.
    pub fn sum(&self) -> f64 {
        self.named().iter().map(|(_, seconds)| seconds).sum()
    }
}

/// How long accelerators wait: the factor of [`waiting`](super::waiting), and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wait {
    /// Mean time of a step / mean time of an accelerator's work.
    pub factor: f64,
    /// Standard error of it.
    pub error: f64,
}

impl Wait {
    /// Nobody waits.
    pub const NONE: Self = Self { factor: 1.0, error: 0.0 };
}

/// Prices works; the first, padded, is what the others are compared with. O(works).
///
/// With fewer batches than accelerators some of these have nothing to do and are left out. A last step that has batches
/// for some of the accelerators only counts as its share of a step, as in an epoch whose rest goes on into the next.
pub fn estimates(
    works: &[(Work, Wait)],
    rates: &Rates,
    overhead: Overhead,
    assumptions: &Assumptions,
) -> Vec<Estimate> {
    let priced = works.iter().map(|(work, wait)| price(work, *wait, rates, overhead, assumptions));
    let mut estimates: Vec<Estimate> = priced.collect();
    if let Some(padded) = estimates.first().map(|padded| padded.seconds) {
        estimates.iter_mut().for_each(|e| e.speedup = padded / e.seconds);
    }
    estimates
}

fn price(work: &Work, wait: Wait, rates: &Rates, overhead: Overhead, assumptions: &Assumptions) -> Estimate {
    let batches = work.batches.max(1);
    let crew = u64::from(assumptions.accelerators.max(1)).min(batches);
    let steps = batches.div_ceil(crew);
    let updates = steps.div_ceil(u64::from(assumptions.accumulation.max(1)));
    let mut parts = work_parts(work, rates, overhead);
    for part in
        [&mut parts.linear, &mut parts.attention, &mut parts.padding, &mut parts.masking, &mut parts.overhead]
    {
        *part /= crew as f64;
    }
    let busy = parts.sum();
    parts.waiting = busy * (wait.factor - 1.0);
    // A last step that is not full counts as its share, here as in the work.
    let accumulation = f64::from(assumptions.accumulation.max(1));
    parts.overhead += (rates.step + rates.update / accumulation) * batches as f64 / crew as f64;
    let seconds = parts.sum();
    Estimate {
        method: work.method,
        possible: assumptions.accelerator.dynamic || work.method.is_fixed(),
        seconds,
        speedup: 1.0,
        tokens_per_second: work.useful[0] / seconds,
        parts,
        steps,
        updates,
        error: busy * wait.error,
    }
}

/// Seconds of one accelerator that does all the work alone.
fn work_parts(work: &Work, rates: &Rates, overhead: Overhead) -> Parts {
    let [first, pair] = rates.weights(work.method.is_masked());
    // Kernels that skip what lies between items have nothing to mask; a row of one item needs no mask.
    let share = if work.method.is_masked() { overhead.at_depth(work.depth) } else { 0.0 };
    let [all_first, all_second] = work.computed();
    Parts {
        linear: first * work.useful[0],
        attention: pair.min(rates.second) * work.useful[1],
        padding: first * work.padding[0] + pair * work.padding[1],
        masking: (pair - rates.second).max(0.0) * work.useful[1]
            + pair * work.between
            + share * (first * all_first + pair * all_second),
        overhead: rates.pack * work.rows as f64,
        waiting: 0.0,
    }
}
