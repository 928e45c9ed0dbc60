//! Speed-up: the time of an epoch on accelerators, by method. [`cases`](sequences) count the work once; [`estimate`]
//! prices it whenever an assumption changes, and never packs.

mod cases;
mod report;

pub use cases::{PackWork, batches, graphs, mask_work, random, sampled, sequences, sorted};
pub use report::{PricedEstimates, Report, Settings, SpeedupRequest};

use crate::cost::waiting::{self, Crew, Population, WaitingPoint, WaitingQuestion};
use crate::cost::{
    Assumptions, Estimate, Method, Overhead, Rates, RowExecution, Wait, Work, Workload, estimates,
};
use crate::error::Result;
use crate::sampler::Sampler;
use serde::{Deserialize, Serialize};

/// A method on the loaded data: its work, and the distribution of an accelerator's load where loads differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The work of an epoch: tokens and pairs of tokens, useful, padding and between sequences.
    pub work: Work,
    /// Sequences, packs or batches by their units; `None` where all are equal.
    pub population: Option<Population>,
}

/// Waiting under one method: a factor for each number of accelerators.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WaitingCurve {
    /// The method whose accelerators wait.
    pub method: Method,
    /// Numbers of accelerators, ascending.
    pub points: Vec<WaitingPoint>,
}

impl WaitingCurve {
    /// Returns the factor at a number of accelerators, interpolated linearly over the logarithm between known points;
    /// outside their range, the factor of the nearest point; 1 without points.
    pub fn wait_at(&self, accelerators: u32) -> Wait {
        let after = self
            .points
            .partition_point(|p| p.accelerators < accelerators);
        let known = |i: usize| {
            self.points.get(i).map(|p| Wait {
                factor: p.factor,
                error: p.error,
            })
        };
        match (
            after.checked_sub(1).and_then(|i| self.points.get(i)),
            self.points.get(after),
        ) {
            (Some(low), Some(high)) if high.accelerators != accelerators => {
                // Over the logarithm, as known points double.
                let [from, at, to] = [low.accelerators, accelerators, high.accelerators].map(log2);
                let share = (at - from) / (to - from);
                let between = |a: f64, b: f64| a + (b - a) * share;
                Wait {
                    factor: between(low.factor, high.factor),
                    error: between(low.error, high.error),
                }
            }
            (_, Some(_)) => known(after).unwrap_or(Wait::NONE),
            // Without points the index wraps, and `get` finds nothing.
            _ => known(self.points.len().wrapping_sub(1)).unwrap_or(Wait::NONE),
        }
    }
}

/// Returns the binary logarithm of a whole number from 1, digit by digit: unlike `log2` the same on every machine.
fn log2(n: u32) -> f64 {
    let whole = n.max(1).ilog2();
    let (mut rest, mut log, mut digit) = (
        f64::from(n.max(1)) / f64::from(1u32 << whole),
        f64::from(whole),
        0.5,
    );
    // Forty binary digits, or 1e-12: finer than any factor is simulated.
    for _ in 0..40 {
        rest *= rest;
        if rest >= 2.0 {
            rest /= 2.0;
            log += digit;
        }
        digit /= 2.0;
    }
    log
}

impl Case {
    /// Returns a case whose batches are all equal.
    pub fn plain(work: Work) -> Self {
        Self {
            work,
            population: None,
        }
    }

    /// Returns the question about waiting, for batches of `batch` rows; `None` if no accelerator waits.
    pub fn question(
        &self,
        rates: &Rates,
        batch: u32,
        assumptions: &Assumptions,
        accelerators: &[u32],
        seed: u64,
    ) -> Option<WaitingQuestion> {
        let population = self.population.clone()?;
        let (batch, batches) = (batch.max(1), assumptions.accumulation.max(1));
        let rows = batch.saturating_mul(batches);
        let crew = match (self.work.method, assumptions.rows) {
            // These come in order of length, so the batches of a step are alike; others come shuffled.
            (Method::Batched(Sampler::Sorted | Sampler::LengthGrouped), _) => Crew::Neighbours,
            (Method::Batched(_), _) => Crew::Added(batches),
            (Method::Balanced, _) => Crew::Balanced(rows),
            (Method::Unpadded, RowExecution::Parallel) => Crew::Parallel(rows),
            _ => Crew::Added(rows),
        };
        let weights = rates.weights(self.work.method.is_masked());
        Some(WaitingQuestion {
            population,
            crew,
            weights,
            accelerators: accelerators.to_vec(),
            seed,
        })
    }
}

/// Returns the questions about waiting, with their methods.
pub fn questions(
    cases: &[Case],
    rates: &Rates,
    batch: u32,
    assumptions: &Assumptions,
    accelerators: &[u32],
    seed: u64,
) -> Vec<(Method, WaitingQuestion)> {
    let asked = |case: &Case| {
        Some((
            case.work.method,
            case.question(rates, batch, assumptions, accelerators, seed)?,
        ))
    };
    cases.iter().filter_map(asked).collect()
}

/// Answers [`questions`].
///
/// # Errors
/// As [`waiting`](waiting::waiting).
pub fn curves(questions: &[(Method, WaitingQuestion)]) -> Result<Vec<WaitingCurve>> {
    let curve = |(method, question): &(Method, WaitingQuestion)| {
        Ok(WaitingCurve {
            method: *method,
            points: waiting::waiting(question)?,
        })
    };
    questions.iter().map(curve).collect()
}

/// Prices the cases at the accelerators of the assumptions; without a curve, no accelerator waits. O(cases).
pub fn estimate(
    cases: &[Case],
    curves: &[WaitingCurve],
    workload: &Workload,
    overhead: Overhead,
    assumptions: &Assumptions,
) -> Vec<Estimate> {
    let rates = Rates::new(workload, &assumptions.accelerator, &assumptions.training);
    let wait = |case: &Case| {
        let curve = curves.iter().find(|curve| curve.method == case.work.method);
        curve.map_or(Wait::NONE, |curve| {
            // Fewer batches than accelerators: only those with a batch wait.
            curve.wait_at(case.work.crew(assumptions.accelerators))
        })
    };
    let works: Vec<_> = cases.iter().map(|case| (case.work, wait(case))).collect();
    estimates(&works, &rates, overhead, assumptions)
}
