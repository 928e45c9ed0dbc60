//! Accelerators with many draws: their totals are simulated once, for all numbers of accelerators.

use super::{ERROR, WaitingPoint};
use crate::rng::Random;

/// Groups of totals; the spread of their answers gives the error.
const GROUPS: usize = 12;
/// The maximum number of groups: more are added until the error is small.
const MOST_GROUPS: usize = 48;
/// Totals of a group: twice the number of accelerators, since the largest of all has no spread to give an error.
const TOTALS: usize = 2 * super::MOST as usize;
/// The maximum number of simulated draws of a total: beyond it, the spread follows the square root.
const DRAWS: u32 = 128;

/// Draws from a distribution, in constant time on average: a guide leads to a nearby index (Chen and Asau 1974, *On
/// generating random variates from an empirical distribution*).
pub(super) struct Dice {
    /// Times, ascending.
    times: Vec<f64>,
    /// Cumulative share of the draws, up to each time.
    up_to: Vec<f64>,
    /// For evenly spaced shares, the first index whose cumulative share is larger.
    guide: Vec<u32>,
}

impl Dice {
    pub fn new(times: &[(f64, f64)]) -> Self {
        let all: f64 = times.iter().map(|(_, often)| often).sum();
        let mut below = 0.0;
        let up_to = times.iter().map(|(_, often)| {
            below += often;
            below / all
        });
        let up_to: Vec<f64> = up_to.collect();
        let (steps, mut place) = (up_to.len(), 0);
        let guide = (0..steps).map(|step| {
            let share = step as f64 / steps as f64;
            // Shares ascend with the steps, so that each search begins where the one before ended.
            place += up_to[place..]
                .iter()
                .take_while(|up_to| **up_to <= share)
                .count();
            place as u32
        });
        Self {
            guide: guide.collect(),
            up_to,
            times: times.iter().map(|(time, _)| *time).collect(),
        }
    }

    /// Returns the index of a random draw among the times.
    pub fn place(&self, random: &mut Random) -> usize {
        // 53 bits, which a float holds exactly.
        let share = (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
        let last = self.up_to.len() - 1;
        let mut place = self.guide[((share * self.guide.len() as f64) as usize).min(last)] as usize;
        while place < last && self.up_to[place] <= share {
            place += 1;
        }
        // Rounding may have led one step too far.
        while place > 0 && self.up_to[place - 1] > share {
            place -= 1;
        }
        place.min(last)
    }

    pub fn time(&self, place: usize) -> f64 {
        self.times[place]
    }
}

/// Returns factors for these numbers of accelerators, each at most [`TOTALS`].
///
/// From n totals, the mean of the largest of R is the mean over all choices of R of them, which is unbiased and never
/// falls with R. O(distinct + draws + totals · (log totals + accelerators)).
pub(super) fn points(
    times: &[(f64, f64)],
    draws: u32,
    accelerators: &[u32],
    seed: u64,
) -> Vec<WaitingPoint> {
    let dice = Dice::new(times);
    let mut random = Random::seeded(seed);
    let mut factors: Vec<Vec<f64>> = vec![Vec::new(); accelerators.len()];
    loop {
        // As many again as there are: 12, then 24, then 48 in all.
        for _ in 0..factors.first().map_or(0, Vec::len).max(GROUPS) {
            let totals = totals(&dice, draws, &mut random);
            let mean = totals.iter().sum::<f64>() / totals.len() as f64;
            for (factors, accelerators) in factors.iter_mut().zip(accelerators) {
                factors.push(largest(&totals, *accelerators) / mean);
            }
        }
        let points = accelerators
            .iter()
            .zip(&factors)
            .map(|(r, factors)| of_groups(*r, factors));
        let points: Vec<WaitingPoint> = points.collect();
        let small = points.iter().all(|point| point.error < ERROR);
        if small
            || factors
                .first()
                .is_none_or(|factors| factors.len() >= MOST_GROUPS)
        {
            return points;
        }
    }
}

/// Returns the mean of independent answers, and its standard error.
pub(super) fn of_groups(accelerators: u32, factors: &[f64]) -> WaitingPoint {
    let n = factors.len() as f64;
    let factor = factors.iter().sum::<f64>() / n;
    // Never 0: both callers bring at least four answers.
    let spread = factors
        .iter()
        .map(|f| (f - factor) * (f - factor))
        .sum::<f64>()
        / (n - 1.0);
    WaitingPoint {
        accelerators,
        factor: factor.max(1.0),
        error: (spread / n).sqrt(),
    }
}

/// Returns simulated totals of accelerators, ascending.
fn totals(dice: &Dice, draws: u32, random: &mut Random) -> Vec<f64> {
    let simulated = draws.min(DRAWS);
    let mut totals: Vec<f64> = (0..TOTALS)
        .map(|_| (0..simulated).map(|_| dice.time(dice.place(random))).sum())
        .collect();
    totals.sort_by(f64::total_cmp);
    if simulated < draws {
        let mean = totals.iter().sum::<f64>() / TOTALS as f64;
        let often = f64::from(draws) / f64::from(simulated);
        // As the sum of more draws: its mean grows with their number, its spread with the root of
        // it.
        totals
            .iter_mut()
            .for_each(|total| *total = mean * often + (*total - mean) * often.sqrt());
    }
    totals
}

/// Returns the mean of the largest of `of` totals, over all choices.
fn largest(ascending: &[f64], of: u32) -> f64 {
    let n = ascending.len();
    let of = (of as usize).min(n);
    // The i-th (from 1) is the largest in C(i − 1, of − 1) of C(n, of) choices.
    let (mut share, mut mean) = (of as f64 / n as f64, 0.0);
    for i in (of..=n).rev() {
        mean += share * ascending[i - 1];
        // The rest is below the precision of a float.
        if share < 1e-20 {
            break;
        }
        share *= (i - of) as f64 / (i - 1).max(1) as f64;
    }
    mean
}
