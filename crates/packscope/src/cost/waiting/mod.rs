//! Waiting: a step of many accelerators takes as long as the slowest.
//!
//! Rows of equal shape lose nothing. If times differ, R accelerators wait for the slowest: on average a step takes
//! E\[max of R\] instead of the mean. The draws of an accelerator (sequences, packs, batches) have a known
//! distribution, so the mean is exact for one draw each, and simulated, from a seed, for many.
//!
//! Source: Krell et al. 2022, *Efficient Sequence Packing without Cross-contamination*, §4.4 and Figure 5, where a
//! batch takes as long as its longest sequence ([`Crew::Parallel`]). On today's kernels times add up ([`Crew::Added`]).

mod balance;
mod simulate;

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The numbers of accelerators of a curve: powers of 2 from 1 to 4,096.
pub const ACCELERATORS: [u32; 13] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

/// The standard error at which a simulation stops: it affects only the third digit of a factor.
const ERROR: f64 = 0.005;

/// The largest number of accelerators with an answer.
pub const MOST: u32 = 4096;

/// The draws of an accelerator: units of the first and second component, and their frequency (a count or a share).
/// Copies share the data.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Population(Rc<Vec<([f64; 2], f64)>>);

impl PartialEq for Population {
    fn eq(&self, other: &Self) -> bool {
        // Copies share their data, so that most comparisons end here.
        Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Population {
    /// Creates a population from units and their frequencies; those with a frequency of 0 are left out.
    pub fn new(draws: impl IntoIterator<Item = ([f64; 2], f64)>) -> Self {
        Self(Rc::new(
            draws
                .into_iter()
                .filter(|(_, often)| *often > 0.0)
                .collect(),
        ))
    }

    /// Returns the longest of `draws` draws from (units, frequency), ascending: P(longest ≤ l) = P(≤ l)^draws.
    pub fn longest_of(draws: u32, ascending: &[([f64; 2], f64)]) -> Self {
        let all: f64 = ascending.iter().map(|(_, often)| often).sum();
        let (mut below, mut before) = (0.0, 0.0);
        Self::new(ascending.iter().map(|&(units, often)| {
            below += often;
            let up_to = power(below / all, draws);
            let share = up_to - before;
            before = up_to;
            (units, share)
        }))
    }

    /// Returns the number of draws; 1 if frequencies are shares.
    pub fn size(&self) -> f64 {
        self.0.iter().map(|(_, often)| often).sum()
    }

    /// Returns the times of the draws, ascending, with their frequencies.
    fn times(&self, weights: [f64; 2]) -> Vec<(f64, f64)> {
        let time = |units: &[f64; 2]| units[0] * weights[0] + units[1] * weights[1];
        let mut times: Vec<_> = self
            .0
            .iter()
            .map(|(units, often)| (time(units), *often))
            .collect();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        times
    }
}

/// How the work of a step is distributed over the accelerators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crew {
    /// Each makes this many draws; their times add up.
    Added(u32),
    /// Each makes this many draws, which run side by side; the longest decides.
    Parallel(u32),
    /// This many draws for each are distributed, the longest first, each to the accelerator with the least work.
    Balanced(u32),
    /// The population is sorted by time and taken in order: a step takes consecutive entries.
    Neighbours,
}

impl Crew {
    /// Returns whether waiting is simulated, where one run answers for all numbers of accelerators.
    fn is_simulated(self) -> bool {
        matches!(self, Self::Added(draws) | Self::Balanced(draws) if draws > 1)
    }
}

/// The length of steps at one number of accelerators.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WaitingPoint {
    /// Accelerators.
    pub accelerators: u32,
    /// Mean time of a step, divided by the mean time of an accelerator's work; 1 without waiting.
    pub factor: f64,
    /// Standard error of the factor; 0 if it is exact.
    pub error: f64,
}

/// A question about waiting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WaitingQuestion {
    /// The population drawn from.
    pub population: Population,
    /// The distribution of work over accelerators.
    pub crew: Crew,
    /// Seconds for a unit of each component.
    pub weights: [f64; 2],
    /// Numbers of accelerators, ascending.
    pub accelerators: Vec<u32>,
    /// Seed of the simulation.
    pub seed: u64,
}

impl WaitingQuestion {
    /// Leaves out all numbers of accelerators but the two around `accelerators`, or the nearest: those that an answer
    /// there is read from. A simulated question stays whole, as its answers depend on each other. O(numbers).
    #[must_use]
    pub fn around(mut self, accelerators: u32) -> Self {
        if !self.crew.is_simulated() {
            let after = self.accelerators.partition_point(|r| *r < accelerators);
            self.accelerators.truncate(after + 1);
            self.accelerators.drain(..after.saturating_sub(1));
        }
        self
    }
}

/// Returns a factor for each number of accelerators. O(distinct · log draws) for each if it is exact. Otherwise it is
/// simulated until the standard error is below half a percent: [`Crew::Added`] takes up to 1.3 · 10⁷ draws, and at most
/// four times as many; [`Crew::Balanced`] 1.3 · 10⁵ for each number of accelerators, and at most 32 times as many.
///
/// # Errors
/// [`Error::Empty`] for a population that is empty, or whose mean time is not positive and finite; [`Error::Setting`]
/// for a number of accelerators outside 1 to [`MOST`]; [`Error::ZeroBatch`] for no draws.
pub fn waiting(question: &WaitingQuestion) -> Result<Vec<WaitingPoint>> {
    let (times, mean) = checked(question)?;
    let WaitingQuestion {
        crew,
        accelerators,
        seed,
        ..
    } = question;
    Ok(match crew {
        // With one draw for each, the largest decides regardless of the distribution.
        Crew::Balanced(1) => exact(&times, 1, mean, accelerators),
        Crew::Balanced(draws) => balance::points(&times, *draws, accelerators, *seed),
        Crew::Added(1) => exact(&times, 1, mean, accelerators),
        Crew::Parallel(draws) => exact(&times, *draws, mean, accelerators),
        Crew::Added(draws) => simulate::points(&times, *draws, accelerators, *seed),
        Crew::Neighbours => neighbours(&times, mean, accelerators),
    })
}

/// As [`waiting`], but always simulated, with times that add up: a check of the exact answers.
///
/// # Errors
/// As [`waiting`].
pub fn simulated(question: &WaitingQuestion, draws: u32) -> Result<Vec<WaitingPoint>> {
    let (times, _) = checked(&WaitingQuestion {
        crew: Crew::Added(draws),
        ..question.clone()
    })?;
    Ok(simulate::points(
        &times,
        draws,
        &question.accelerators,
        question.seed,
    ))
}

/// Returns the times of the draws, ascending, and their mean, of a valid question.
fn checked(question: &WaitingQuestion) -> Result<(Vec<(f64, f64)>, f64)> {
    let WaitingQuestion {
        population,
        crew,
        weights,
        accelerators,
        ..
    } = question;
    let draws = match *crew {
        Crew::Added(draws) | Crew::Parallel(draws) | Crew::Balanced(draws) => draws,
        Crew::Neighbours => 1,
    };
    if let Some(wrong) = accelerators.iter().find(|r| !(1..=MOST).contains(*r)) {
        return Err(Error::Setting {
            what: "number of accelerators",
            given: wrong.to_string(),
            expected: "1 to 4,096",
        });
    }
    if draws == 0 {
        return Err(Error::ZeroBatch);
    }
    let times = population.times(*weights);
    let all: f64 = times.iter().map(|(_, often)| often).sum();
    let mean = times.iter().map(|(time, often)| time * often).sum::<f64>() / all;
    // In this form, because NaN is neither: no draws give 0 / 0.
    if times.is_empty() || !(mean > 0.0 && mean.is_finite()) {
        return Err(Error::Empty);
    }
    Ok((times, mean))
}

/// Computes E\[max of R · draws\] from the distribution function F: the maximum is at most t with F(t)^(R · draws).
fn exact(times: &[(f64, f64)], draws: u32, mean: f64, accelerators: &[u32]) -> Vec<WaitingPoint> {
    let all: f64 = times.iter().map(|(_, often)| often).sum();
    let point = |&accelerators: &u32| {
        let (mut below, mut before, mut slowest) = (0.0, 0.0, 0.0);
        for (time, often) in times {
            below += often;
            let up_to = power(power(below / all, draws), accelerators);
            slowest += time * (up_to - before);
            before = up_to;
        }
        // A rounded sum can be slightly below 1.
        WaitingPoint {
            accelerators,
            factor: (slowest / before / mean).max(1.0),
            error: 0.0,
        }
    };
    accelerators.iter().map(point).collect()
}

/// Returns the waiting of draws in order: each run of R makes a step, whose last draw is the slowest; an incomplete
/// last step waits for its own last one. O(distinct) for each number of accelerators.
fn neighbours(times: &[(f64, f64)], mean: f64, accelerators: &[u32]) -> Vec<WaitingPoint> {
    let all: f64 = times.iter().map(|(_, often)| often).sum();
    let point = |&accelerators: &u32| {
        let crew = f64::from(accelerators);
        let (mut dealt, mut slowest) = (0.0f64, 0.0);
        for (time, often) in times {
            // Steps whose last draw is among these.
            let before = (dealt / crew).floor();
            dealt += often;
            slowest += time * ((dealt / crew).floor() - before) * crew;
        }
        let rest = all - (all / crew).floor() * crew;
        slowest += times.last().map_or(0.0, |(time, _)| time * rest);
        WaitingPoint {
            accelerators,
            factor: (slowest / all / mean).max(1.0),
            error: 0.0,
        }
    };
    accelerators.iter().map(point).collect()
}

/// Computes x^n by squaring: the same on every machine, unlike `powf`.
fn power(x: f64, n: u32) -> f64 {
    let (mut product, mut square, mut left) = (1.0, x, n);
    while left > 0 {
        if left & 1 == 1 {
            product *= square;
        }
        square *= square;
        left >>= 1;
    }
    product
}
