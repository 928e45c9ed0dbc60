//! Sequences of a step distributed over accelerators by cost, as in reinforcement learning with Σ (c · L + L²).

use super::simulate::{Dice, of_groups};
use super::{ERROR, WaitingPoint};
use crate::rng::Random;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Approximate number of simulated draws for each number of accelerators; at least this many steps.
const DRAWS: u64 = 1 << 17;
const STEPS: u64 = 4;
/// The simulation is extended up to this many times until the error is small.
const ROUNDS: u64 = 32;
/// The maximum number of simulated draws of a step: more do not change the imbalance that is left.
const ITEMS: u32 = 1 << 18;

/// Returns factors for these numbers of accelerators: steps are drawn and distributed, the longest first, each to the
/// accelerator with the least work (Graham 1969, *Bounds on multiprocessing timing anomalies*: at most 4/3 of the
/// best). More accelerators may wait less, until single draws are too long for any of them.
pub(super) fn points(
    times: &[(f64, f64)],
    draws: u32,
    accelerators: &[u32],
    seed: u64,
) -> Vec<WaitingPoint> {
    let dice = Dice::new(times);
    let of = |&accelerators: &u32| {
        // A stream of draws for each number, so that its answer does not depend on the others asked
        // for.
        let mut random = Random::seeded(seed ^ u64::from(accelerators));
        let dealt = draws.min((ITEMS / accelerators).max(1));
        let items = u64::from(accelerators) * u64::from(dealt);
        let steps = (DRAWS / items).clamp(STEPS, 64);
        // What stays uneven is about one short draw, however many are dealt: as a share of the mean
        // it falls with their number.
        let share = f64::from(dealt) / f64::from(draws);
        let most = (ROUNDS * DRAWS / items).max(steps);
        let mut factors: Vec<f64> = Vec::new();
        loop {
            let more = (factors.len() as u64).max(steps);
            factors.extend((0..more).map(|_| step(&dice, items, accelerators, &mut random)));
            let point = of_groups(accelerators, &factors);
            let error = point.error * share;
            if error < ERROR || factors.len() as u64 >= most {
                return WaitingPoint {
                    factor: 1.0 + (point.factor - 1.0) * share,
                    error,
                    ..point
                };
            }
        }
    };
    accelerators.iter().map(of).collect()
}

/// Returns the time of one step / the mean work of an accelerator.
fn step(dice: &Dice, items: u64, accelerators: u32, random: &mut Random) -> f64 {
    let mut drawn: Vec<usize> = (0..items).map(|_| dice.place(random)).collect();
    // By place, because places are in the order of the times.
    drawn.sort_unstable_by_key(|place| Reverse(*place));
    let mut loads: BinaryHeap<Reverse<Load>> =
        (0..accelerators).map(|_| Reverse(Load(0.0))).collect();
    for place in drawn {
        // `peek_mut` moves the load down once, where a pop and a push would search twice.
        if let Some(mut least) = loads.peek_mut() {
            least.0.0 += dice.time(place);
        }
    }
    let (slowest, all) = loads.iter().fold(
        (0.0, 0.0),
        |(most, all): (f64, f64), Reverse(Load(load))| (most.max(*load), all + load),
    );
    slowest / (all / f64::from(accelerators))
}

/// Seconds, in order.
#[derive(Clone, Copy, PartialEq)]
struct Load(f64);

impl Eq for Load {}

impl PartialOrd for Load {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Load {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
