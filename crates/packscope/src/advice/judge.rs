//! The rules: which candidate is the advice.

use super::outcome::{Considered, Effort, LOSS, Outcome, Ruling};
use super::words::{duration, money};
use crate::words::percent;
use std::cmp::Ordering;

/// The share of tokens lost above which a limit is advice.
pub(super) const MUCH: f64 = 0.02;
/// The share of tokens that a candidate may lose beyond those of now: it is named, and paid for in the charge.
pub(super) const LITTLE: f64 = 0.005;
/// The least gain that is worth a change.
const WORTH: f64 = 0.01;
/// Charges that differ by less are equal: half a percent is below what estimates tell apart.
const TIE: f64 = 0.005;

/// The present settings, as the judge sees them.
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

/// Whether time, money and losses of two candidates are the same as they are written.
fn is_written_alike(one: &Outcome, other: &Outcome) -> bool {
    let written = |of: &Outcome| {
        let bill = [duration(of.hours * 3600.0), money(of.money)];
        (bill, percent(of.lost_share))
    };
    written(one) == written(other)
}

/// Whether one candidate keeps another from being the advice. Of one kind, it is better by half a percent; of two kinds, the
/// larger change has to be worth a percent that shows in the figures, and the smaller one is better otherwise.
fn beats(now: Now, one: &Outcome, other: &Outcome) -> bool {
    if matches!(now, Now::Stops) && (one.loses_more(other) || other.loses_more(one)) {
        return other.loses_more(one);
    }
    let is_worth = |larger: &Outcome, smaller: &Outcome| {
        larger.charge < smaller.charge * (1.0 - WORTH) && !is_written_alike(larger, smaller)
    };
    match one.change.effort.cmp(&other.change.effort) {
        Ordering::Less => !is_worth(other, one),
        Ordering::Equal => one.charge < other.charge * (1.0 - TIE),
        Ordering::Greater => is_worth(one, other),
    }
}

/// Returns the place of the best candidate that keeps to the rules: the smallest change that no other one beats.
pub(super) fn best(now: Now, all: &[Outcome], torn: bool) -> Option<usize> {
    best_among(now, all, torn, |_| true)
}

/// Returns the share of the tokens that is lost by the best candidate so far, by what is set where none is better, or all of
/// them where nothing runs.
pub(super) fn lost_so_far(now: Now, all: &[Outcome]) -> f64 {
    match (best(now, all, false), now) {
        (Some(at), _) => all[at].lost_share,
        (None, Now::Runs(now)) => now.lost_share,
        (None, Now::Stops) => 1.0,
    }
}

/// As [`best`], of those candidates alone that are asked for.
fn best_among(
    now: Now,
    all: &[Outcome],
    torn: bool,
    asked: impl Fn(&Outcome) -> bool,
) -> Option<usize> {
    let keep: Vec<(usize, &Outcome)> = all
        .iter()
        .enumerate()
        .filter(|(_, then)| asked(then) && broken(now, then, torn).is_none() && is_worth(now, then))
        .collect();
    let first = |(_, a): &(usize, &Outcome), (_, b): &(usize, &Outcome)| {
        let smaller = a.change.rank().cmp(&b.change.rank());
        smaller.then(better(now, a, b))
    };
    let unbeaten = keep
        .iter()
        .filter(|(_, then)| !keep.iter().any(|(_, other)| beats(now, other, then)))
        .copied();
    // Three kinds that are half a percent apart each can beat one another in a circle, of which the charge decides.
    let best = unbeaten.min_by(first).or_else(|| {
        keep.iter()
            .copied()
            .min_by(|(_, a), (_, b)| better(now, a, b))
    });
    best.map(|(at, _)| at)
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

/// Returns the place of the best candidate whose change is of a smaller kind than that of the advice, where that is more
/// than settings.
fn lighter(now: Now, all: &[Outcome], advised: usize) -> Option<usize> {
    let effort = all[advised].change.effort;
    if effort <= Effort::Settings {
        return None;
    }
    best_among(now, all, false, |then| then.change.effort < effort)
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

/// All candidates with their rulings, and the places of two of them.
pub(super) struct Judged {
    pub considered: Vec<Considered>,
    /// The advice.
    pub advised: Option<usize>,
    /// The best candidate of those that change less.
    pub lighter: Option<usize>,
}

/// Judges all candidates.
pub(super) fn judged(now: Now, all: Vec<Outcome>) -> Judged {
    let (advised, torn) = chosen(now, &all);
    let lighter = advised.and_then(|at| lighter(now, &all, at));
    let ruled = all.into_iter().enumerate().map(|(at, outcome)| {
        let ruling = match broken(now, &outcome, torn) {
            _ if advised == Some(at) => Ruling::Advised,
            Some(broken) => broken,
            None if !is_worth(now, &outcome) => Ruling::Little,
            None => Ruling::Beaten,
        };
        Considered { ruling, outcome }
    });
    Judged {
        considered: ruled.collect(),
        advised,
        lighter,
    }
}
