//! The units that are dealt, and the steps that are drawn from them.

use super::{RankUnit, Settings, WorkCoefficients};
use crate::error::Result;
use crate::histogram::{Draw, Histogram};
use crate::packing::{self, Algorithm, Depth, Task, go_on};
use crate::rng::Random;

/// Kinds of units: sequences of a length, or rows of a composition. Ascending by length where they are sequences.
#[derive(Debug)]
pub(super) struct Units {
    /// (length, number) of the sequences of each kind, the longest first.
    pub kinds: Vec<Vec<(u32, u32)>>,
    counts: Vec<u64>,
    /// All units of an epoch.
    pub population: u64,
}

/// Distinct compositions of rows that are kept: packing with a random order has more, of which the first are a sample.
const COMPOSITIONS: usize = 1 << 16;

impl Units {
    /// Returns the units of lengths that fit the limit.
    ///
    /// # Errors
    /// Errors of packing.
    pub fn new(lengths: &Histogram<1>, settings: &Settings) -> Result<Self> {
        let (kinds, counts): (Vec<_>, Vec<_>) = match settings.unit {
            RankUnit::Sequences => lengths
                .lengths()
                .into_iter()
                .map(|(length, count)| (vec![(length, 1)], count))
                .unzip(),
            RankUnit::Rows => {
                let task = Task {
                    seed: settings.seed,
                    listed: COMPOSITIONS,
                    ..Task::new(settings.limit, Depth::Unlimited)
                };
                let known = super::ROW_PACKERS.contains(&settings.algorithm);
                let packed = match settings.algorithm {
                    // Called by itself, because `run_simple` has no greedy and `run` would bring
                    // the solvers.
                    Algorithm::Greedy => packing::greedy(lengths, &task, &mut go_on)?,
                    chosen => {
                        if known { chosen } else { Algorithm::Lpfhp }.run_simple(lengths, &task)?
                    }
                };
                let strategies = packed.listing.plan.strategies();
                let row = |runs: &[([u32; 1], u32)]| {
                    runs.iter().map(|&([length], n)| (length, n)).collect()
                };
                strategies
                    .iter()
                    .map(|strategy| (row(&strategy.runs), strategy.count))
                    .unzip()
            }
        };
        let population = counts.iter().sum();
        Ok(Self {
            kinds,
            counts,
            population,
        })
    }

    /// Returns the work of each kind by a measure.
    pub fn work(&self, cost: WorkCoefficients) -> Vec<f64> {
        let of = |kind: &Vec<(u32, u32)>| {
            kind.iter()
                .map(|&(length, n)| cost.work_of(length) * f64::from(n))
                .sum()
        };
        self.kinds.iter().map(of).collect()
    }

    pub fn tokens(&self) -> Vec<u64> {
        let of = |kind: &Vec<(u32, u32)>| {
            kind.iter()
                .map(|&(length, n)| u64::from(length) * u64::from(n))
                .sum()
        };
        self.kinds.iter().map(of).collect()
    }

    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Draws steps of this many units, one after the other in shuffled epochs: without replacement, until fewer are left
    /// than a step takes. An epoch of less than a step is repeated within it. O(units) for each.
    pub fn steps(&self, units: u64, seed: u64) -> impl Iterator<Item = Vec<u32>> {
        // An epoch that is shorter than a step is repeated, so that a step can still be drawn from
        // one.
        let times = units.div_ceil(self.population.max(1)).max(1);
        let counts: Vec<u64> = self.counts.iter().map(|count| count * times).collect();
        let all = self.population * times;
        let (mut epoch, mut left) = (0, 0);
        let mut draw = Draw::from_counts(Vec::new(), Random::seeded(seed));
        std::iter::repeat_with(move || {
            if left < units {
                draw = Draw::from_counts(counts.clone(), Random::seeded(seed.wrapping_add(epoch)));
                (epoch, left) = (epoch + 1, all);
            }
            left -= units;
            draw.by_ref()
                .take(units as usize)
                .map(|kind| kind as u32)
                .collect()
        })
    }
}
