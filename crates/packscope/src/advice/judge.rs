//! The rules: which candidate is the advice.

use super::outcome::{Considered, LOSS, Outcome, Ruling};
use std::cmp::Ordering;

/// The share of tokens lost above which a limit is advice.
pub(super) const MUCH: f64 = 0.02;
/// The share of tokens that a candidate may lose beyond those of now: it is named, and paid for in the charge.
pub(super) const LITTLE: f64 = 0.005;
/// The least gain that is worth a change.
const WORTH: f64 = 0.01;
/// Charges that differ by less are equal: half a percent is below what estimates tell apart.
const TIE: f64 = 0.005;

/// What is set now, as the judge sees it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Now<'a> {
    /// It runs, with this outcome.
    Runs(&'a Outcome),
    /// It does not run: the library refuses the data, or the memory does not hold a batch.
    Stops,
}

/// Returns the rule that a candidate breaks, if it breaks one. `torn`: whether sequences may be cut apart to recover
/// tokens that would be lost.
fn broken(now: Now, then: &Outcome, torn: bool) -> Option<Ruling> {
    if !then.fits {
        return Some(Ruling::Memory);
    }
    if !then.shuffles {
        return Some(Ruling::Unshuffled);
    }
    if !then.keeps_step {
        return Some(Ruling::Step);
    }
    let Now::Runs(now) = now else {
        return None;
    };
    if then.lost_share > now.lost_share + LITTLE {
        return Some(Ruling::Loses);
    }
    // A document that is cut apart is better than one that is cut off, if nothing else changes.
    let recovered = now.lost_share - then.lost_share;
    let pays =
        torn && then.cut_share <= now.cut_share + recovered + LOSS && then.apart >= now.apart;
    (then.tears_more(now) && !pays).then_some(Ruling::Tears)
}

/// Whether a candidate is better than what is set by enough to be named.
fn is_worth(now: Now, then: &Outcome) -> bool {
    match now {
        Now::Runs(now) => then.charge <= now.charge * (1.0 - WORTH),
        Now::Stops => true,
    }
}

/// Compares by charge; where nothing runs so far, by the tokens lost first.
fn better(now: Now, one: &Outcome, other: &Outcome) -> Ordering {
    let lost = match now {
        Now::Stops if one.loses_more(other) => Ordering::Greater,
        Now::Stops if other.loses_more(one) => Ordering::Less,
        _ => Ordering::Equal,
    };
    lost.then(one.charge.total_cmp(&other.charge))
}

/// Returns the place of the best candidate that keeps to the rules: of those within half a percent of the least charge,
/// the smallest change.
pub(super) fn best(now: Now, all: &[Outcome], torn: bool) -> Option<usize> {
    let keep = || {
        all.iter()
            .enumerate()
            .filter(|(_, then)| broken(now, then, torn).is_none())
    };
    let (_, least) = keep().min_by(|(_, a), (_, b)| better(now, a, b))?;
    let tied = keep().filter(|(_, then)| {
        then.charge <= least.charge * (1.0 + TIE)
            && (matches!(now, Now::Runs(_)) || !then.loses_more(least))
    });
    let smallest = tied.min_by(|(_, a), (_, b)| {
        a.change
            .rank()
            .cmp(&b.change.rank())
            .then(better(now, a, b))
    });
    smallest
        .filter(|(_, then)| is_worth(now, then))
        .map(|(at, _)| at)
}

/// Returns the place of the advice among candidates. Sequences are cut apart only where no other candidate keeps the loss
/// small, and only those that would be cut off otherwise.
fn chosen(now: Now, all: &[Outcome]) -> (Option<usize>, bool) {
    let whole = best(now, all, false);
    let lost = |at: Option<usize>| match (at.and_then(|at| all.get(at)), now) {
        (Some(then), _) => then.lost_share,
        (None, Now::Runs(now)) => now.lost_share,
        (None, Now::Stops) => 0.0,
    };
    if lost(whole) <= MUCH {
        return (whole, false);
    }
    match best(now, all, true) {
        Some(torn) => (Some(torn), true),
        None => (whole, false),
    }
}

/// Returns the candidate that loses fewest tokens of those that fit, keep the shuffle and cut no more apart, where it loses
/// less than a plan by a percent of the tokens: of those that lose at most 2 %, the one of the least charge.
pub(super) fn keeps_most<'a>(plan: &Outcome, all: &'a [Considered]) -> Option<&'a Outcome> {
    let keep = all.iter().map(|one| &one.outcome).filter(|then| {
        then.fits
            && then.shuffles
            && then.keeps_step
            && !then.tears_more(plan)
            && then.lost_share <= plan.lost_share - WORTH
    });
    keep.min_by(|a, b| {
        let lost = |of: &Outcome| of.lost_share.max(MUCH);
        lost(a)
            .total_cmp(&lost(b))
            .then(a.charge.total_cmp(&b.charge))
    })
}

/// Returns all candidates with their rulings, and the place of the advice.
pub(super) fn judged(now: Now, all: Vec<Outcome>) -> (Vec<Considered>, Option<usize>) {
    let (advised, torn) = chosen(now, &all);
    let ruled = all.into_iter().enumerate().map(|(at, outcome)| {
        let ruling = match broken(now, &outcome, torn) {
            _ if advised == Some(at) => Ruling::Advised,
            Some(broken) => broken,
            None if !is_worth(now, &outcome) => Ruling::Little,
            None => Ruling::Beaten,
        };
        Considered { ruling, outcome }
    });
    (ruled.collect(), advised)
}
