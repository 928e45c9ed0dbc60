//! From real numbers to packs that hold every item exactly once. Ours.
//!
//! The least squares hold some lengths too often and others too rarely. Packs are taken back until no length is held
//! too often; the missing items are packed by average target. All packs kept are full, so only the rest can waste
//! slots, and the packs taken back are those with the largest surplus. Keeping a little less than the least squares say
//! leaves the rest more partners: several shares are tried, and the fewest packs win (ties: the larger share).
//!
//! So that no plan has more packs than the published count there is one more: the rounded strategies
//! without the items that do not exist, and average target on the items they miss.
//! Complexity: O(tries · lengths · strategies in use), a few milliseconds.

use super::shapes::{StrategyShape, lengths};
use super::{missing, rounded};
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::packing::average_target;
use crate::plan::{Strategy, packs};

/// Shares of the least squares to keep, from the largest. Lower ones helped one built-in set, by one pack.
const SHARES: [f64; 6] = [1.0, 0.99, 0.98, 0.97, 0.96, 0.95];

/// Returns the best plan of all tries.
pub(super) fn exact(
    mix: &[(StrategyShape, f64)],
    counts: &[u64],
    limit: u32,
    depth: u32,
) -> Result<Vec<Strategy<1>>> {
    let mut best = completed(trimmed(mix, counts), limit, depth)?;
    // From the smallest share, with `<=`: of equal plans, that of the largest share is kept.
    for share in SHARES.into_iter().rev() {
        let plan = completed(cut(mix, counts, share), limit, depth)?;
        if packs(&plan) <= packs(&best) {
            best = plan;
        }
    }
    Ok(best)
}

/// Packs without surplus items, and the items that they lack.
struct PartialPacks {
    plan: Vec<(StrategyShape, u64)>,
    missing: Vec<i128>,
}

/// Takes packs back until no length has a surplus.
fn cut(mix: &[(StrategyShape, f64)], counts: &[u64], share: f64) -> PartialPacks {
    let mut plan = rounded(mix, share);
    let mut missing = missing(&plan, counts);
    // Once through is enough: packs taken back only lower what the plan holds, so that no length
    // gets a surplus again.
    for length in 1..missing.len() {
        while missing[length] < 0 {
            let surplus =
                |shape: &StrategyShape| lengths(shape).map(|l| (-missing[l]).max(0)).sum::<i128>();
            let holds =
                |shape: &StrategyShape| lengths(shape).filter(|l| *l == length).count() as i128;
            let holders = plan
                .iter_mut()
                .filter(|(shape, n)| *n > 0 && holds(shape) > 0);
            let Some((shape, n)) = holders.max_by_key(|(shape, _)| surplus(shape)) else {
                break;
            };
            // Rounded up: so many of these packs have the whole surplus of this length.
            let back = (-missing[length] - 1) / holds(shape) + 1;
            let back = u64::try_from(back).map_or(*n, |back| back.min(*n));
            *n -= back;
            for l in lengths(shape) {
                missing[l] += i128::from(back);
            }
        }
    }
    PartialPacks { plan, missing }
}

/// Removes items that do not exist from the rounded strategies.
fn trimmed(mix: &[(StrategyShape, f64)], counts: &[u64]) -> PartialPacks {
    let mut plan = rounded(mix, 1.0);
    let mut missing = missing(&plan, counts);
    for place in 0..3 {
        // Only some of equal packs may have to give the item up: these are appended, their place empty.
        for i in 0..plan.len() {
            let (mut shape, n) = plan[i];
            let left = &mut missing[shape[place] as usize];
            let out = u64::try_from(-*left).map_or(0, |surplus| surplus.min(n));
            if out > 0 {
                *left += i128::from(out);
                plan[i].1 -= out;
                shape[place] = 0;
                plan.push((shape, out));
            }
        }
    }
    plan.retain(|(shape, _)| *shape != [0; 3]);
    PartialPacks { plan, missing }
}

/// Completes the part with packs of average target for the items that it lacks.
fn completed(part: PartialPacks, limit: u32, depth: u32) -> Result<Vec<Strategy<1>>> {
    let mut plan: Vec<Strategy<1>> = part.plan.iter().map(strategy).collect();
    // No length has a surplus any more, so that none is negative.
    let rest = (0..)
        .zip(&part.missing)
        .map(|(length, n)| (length, u64::try_from(*n).unwrap_or(0)));
    match Histogram::from_lengths(rest) {
        Ok(rest) => plan.extend(average_target::pack(&rest, limit, depth)),
        Err(Error::Empty) => {}
        Err(e) => return Err(e),
    }
    Ok(plan)
}

fn strategy(&(shape, count): &(StrategyShape, u64)) -> Strategy<1> {
    Strategy {
        runs: shape
            .into_iter()
            .filter(|l| *l > 0)
            .map(|l| ([l], 1))
            .collect(),
        count,
    }
}
