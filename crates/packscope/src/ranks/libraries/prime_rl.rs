//! prime-rl: rows of first-fit decreasing, dealt by Karmarkar–Karp and better by swaps. Source:
//! PrimeIntellect-ai/prime-rl@559b447 src/prime_rl/trainer/batch.py `prepare_batch`, `balanced_partition`.

use super::skyrl::in_order;
use super::{Assignment, Scheduler, SchedulerTask, capped, longest_first, stops};
use crate::error::Result;
use crate::packing::differencing;
use crate::ranks::Weight;
use crate::words::plural;

/// Packs the step, halves the heaviest rows until ranks divide their number, and deals them by operations.
pub(super) fn assign(lengths: &[u32], task: &SchedulerTask) -> Result<Assignment> {
    let cap = capped(Scheduler::PrimeRl, task)?;
    let ranks = task.ranks as usize;
    // Longer samples are cut to the cap.
    let most = u32::try_from(cap).unwrap_or(u32::MAX);
    let lengths: Vec<u32> = lengths.iter().map(|length| (*length).min(most)).collect();
    // `_packing_cost_coeffs` counts as slime does.
    let cost = Weight::Slime.cost(&task.model);
    let work: Vec<f64> = lengths.iter().map(|length| cost.work_of(*length)).collect();
    let weigh = |bin: &[u32]| bin.iter().map(|at| work[*at as usize]).sum::<f64>();
    let mut bins = in_order(&longest_first(&lengths), &lengths, cap);
    let target = bins.len().next_multiple_of(ranks).max(ranks);
    while ranks > 1 && bins.len() < target {
        let several = (0..bins.len()).filter(|at| bins[*at].len() > 1);
        // Of equals the last.
        let heaviest = several.max_by(|a, b| weigh(&bins[*a]).total_cmp(&weigh(&bins[*b])));
        let Some(heaviest) = heaviest else { break };
        let [left, right] = halves(&bins[heaviest], &work);
        bins[heaviest] = left;
        bins.push(right);
    }
    if bins.len() < target {
        let ranks = plural(u64::from(task.ranks), "rank");
        let reason = format!(
            "there are fewer sequences than {ranks}: it repeats one that counts for nothing, which is not simulated"
        );
        return Err(stops(Scheduler::PrimeRl, reason));
    }
    let weights: Vec<f64> = bins.iter().map(|bin| weigh(bin)).collect();
    let mut dealt = differencing::parts(&weights, ranks, true);
    dealt.iter_mut().for_each(|part| part.sort_unstable());
    refine(&weights, &mut dealt);
    let micro_batches =
        |rank: &Vec<u32>| rank.iter().map(|at| bins[*at as usize].clone()).collect();
    Ok(Assignment::training_all(
        dealt.iter().map(micro_batches).collect(),
    ))
}

/// `split_by_workload`: the heaviest first, to the half with less work, of equals to the left.
fn halves(bin: &[u32], work: &[f64]) -> [Vec<u32>; 2] {
    let mut order = bin.to_vec();
    order.sort_by(|a, b| work[*b as usize].total_cmp(&work[*a as usize]));
    let (mut halves, mut sums) = ([Vec::new(), Vec::new()], [0.0; 2]);
    for at in order {
        let half = usize::from(sums[0] > sums[1]);
        halves[half].push(at);
        sums[half] += work[at as usize];
    }
    halves
}

/// A swap between two parts, and the loads that they have after it.
#[derive(Clone, Copy)]
struct Swap {
    parts: [usize; 2],
    places: [usize; 2],
    loads: [f64; 2],
}

/// The heaviest and the lightest part, and how far they are apart beside them.
struct Loads(Vec<f64>);

impl Loads {
    /// Returns the heaviest and the lightest load beside two parts, of the three heaviest and the three lightest: two of them
    /// may be swapped, so that one is left.
    fn beside(&self, ends: &[usize], parts: [usize; 2]) -> [f64; 2] {
        let others = ends.iter().filter(|at| !parts.contains(at));
        others.fold([f64::MIN, f64::MAX], |[most, least], at| {
            [most.max(self.0[*at]), least.min(self.0[*at])]
        })
    }

    /// Returns the three lightest and the three heaviest parts.
    fn ends(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by(|a, b| self.0[*a].total_cmp(&self.0[*b]));
        let last = order.len().saturating_sub(3);
        (0..order.len())
            .filter(|at| *at < 3 || *at >= last)
            .map(|at| order[at])
            .collect()
    }
}

/// The weights of a part's rows: in the part's order, which decides between equal swaps, and by size.
struct Rows {
    weights: Vec<f64>,
    rising: Vec<f64>,
}

impl Rows {
    fn new(weights: Vec<f64>) -> Self {
        let mut rising = weights.clone();
        rising.sort_by(f64::total_cmp);
        Self { weights, rising }
    }

    /// Returns a copy with another weight at a place.
    fn with(&self, place: usize, weight: f64) -> Self {
        let mut weights = self.weights.clone();
        weights[place] = weight;
        Self::new(weights)
    }
}

/// Two parts whose rows may be swapped, and the heaviest and lightest load beside them.
struct Pair {
    loads: [f64; 2],
    beside: [f64; 2],
}

impl Pair {
    /// Returns the loads after one part's row is swapped for the other's.
    fn after(&self, one: f64, other: f64) -> [f64; 2] {
        [self.loads[0] - one + other, self.loads[1] - other + one]
    }

    /// Returns the heaviest load of all and its distance to the lightest.
    fn score(&self, after: [f64; 2]) -> [f64; 2] {
        let most = after[0].max(after[1]).max(self.beside[0]);
        [most, most - after[0].min(after[1]).min(self.beside[1])]
    }

    /// Returns the best score that a row can have with any of others, of which the first load rises and the second falls: it
    /// is beside the place where they cross.
    fn best_with(&self, one: f64, rising: &[f64]) -> [f64; 2] {
        let crossing = rising.partition_point(|other| {
            let after = self.after(one, *other);
            after[0] < after[1]
        });
        let nearest = &rising[crossing.saturating_sub(1)..(crossing + 1).min(rising.len())];
        let scores = nearest
            .iter()
            .map(|other| self.score(self.after(one, *other)));
        scores.fold([f64::MAX; 2], |[most, spread], [a, b]| {
            [most.min(a), spread.min(b)]
        })
    }
}

/// `_refine_by_swapping`: the swap of two rows that lowers the heaviest load most, or else the distance to the lightest, until
/// none does. Only swaps with a heaviest or a lightest part can.
fn refine(weights: &[f64], parts: &mut [Vec<u32>]) {
    let weights_of =
        |part: &Vec<u32>| -> Vec<f64> { part.iter().map(|at| weights[*at as usize]).collect() };
    let mut loads = Loads(
        parts
            .iter()
            .map(|part| weights_of(part).iter().sum())
            .collect(),
    );
    let mut rows: Vec<Rows> = parts
        .iter()
        .map(|part| Rows::new(weights_of(part)))
        .collect();
    while let Some(swap) = best_swap(&loads, &rows) {
        let ([left, right], [a, b]) = (swap.parts, swap.places);
        let (one, other) = (parts[left][a], parts[right][b]);
        (parts[left][a], parts[right][b]) = (other, one);
        rows[left] = rows[left].with(a, weights[other as usize]);
        rows[right] = rows[right].with(b, weights[one as usize]);
        [loads.0[left], loads.0[right]] = swap.loads;
    }
}

/// Returns the first of the best swaps, if one is better than none. Pairs and rows that cannot have a better one than is known
/// are passed over: there are many rounds, each over all swaps.
fn best_swap(loads: &Loads, rows: &[Rows]) -> Option<Swap> {
    let most = loads.0.iter().copied().fold(f64::MIN, f64::max);
    let least = loads.0.iter().copied().fold(f64::MAX, f64::min);
    let ends = loads.ends();
    let is_end = |at: usize| loads.0[at] == most || loads.0[at] == least;
    let (mut best, mut best_score) = (None, [most, most - least]);
    for left in 0..rows.len() {
        for right in left + 1..rows.len() {
            if !is_end(left) && !is_end(right) {
                continue;
            }
            let pair = Pair {
                loads: [loads.0[left], loads.0[right]],
                beside: loads.beside(&ends, [left, right]),
            };
            if [pair.beside[0], pair.beside[0] - pair.beside[1]] >= best_score {
                continue;
            }
            for (place, one) in rows[left].weights.iter().enumerate() {
                if pair.best_with(*one, &rows[right].rising) >= best_score {
                    continue;
                }
                for (other_place, other) in rows[right].weights.iter().enumerate() {
                    let after = pair.after(*one, *other);
                    let score = pair.score(after);
                    if score < best_score {
                        let swap = Swap {
                            parts: [left, right],
                            places: [place, other_place],
                            loads: after,
                        };
                        (best, best_score) = (Some(swap), score);
                    }
                }
            }
        }
    }
    best
}
