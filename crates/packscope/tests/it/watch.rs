//! The published algorithms step by step: the steps that they report are the ones that they take.

use crate::common::histograms;
use packscope::histogram::Histogram;
use packscope::packing::watch::{CloseReason, EqualPacks, PackPlace, WatchedStep, watch};
use packscope::packing::{Algorithm, Depth};
use packscope::plan;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Tokens that packs hold, by length.
fn held(groups: &[EqualPacks]) -> BTreeMap<u32, u64> {
    let mut held = BTreeMap::new();
    for group in groups {
        for (length, times) in &group.runs {
            *held.entry(*length).or_default() += u64::from(*times) * group.count;
        }
    }
    held
}

fn check(steps: &[WatchedStep], histogram: &Histogram<1>, limit: u32, depth: Depth) {
    let mut before: Vec<EqualPacks> = Vec::new();
    let mut left: BTreeMap<u32, u64> = histogram.lengths().into_iter().collect();
    for step in steps {
        let d = step.decision;
        assert_eq!(left[&d.length], d.left);
        assert!(d.packs > 0 && d.times > 0 && d.placed_sequences() <= d.left);
        *left.get_mut(&d.length).unwrap() -= d.placed_sequences();
        // Nothing is lost, nothing comes from nowhere.
        let mut expected = held(&before);
        *expected.entry(d.length).or_default() += d.placed_sequences();
        assert_eq!(held(&step.groups), expected);
        let packs = |groups: &[EqualPacks]| groups.iter().map(|g| g.count).sum::<u64>();
        let opened = if d.place == PackPlace::New {
            d.packs
        } else {
            0
        };
        assert_eq!(packs(&step.groups), packs(&before) + opened);
        for group in &step.groups {
            let used = group.runs.iter().map(|(l, n)| l * n).sum::<u32>();
            let deep = group.runs.iter().map(|(_, n)| n).sum::<u32>();
            assert_eq!(used + group.space, limit);
            assert!(deep <= depth.get());
            let closed = match group.space {
                0 => Some(CloseReason::Full),
                _ if deep == depth.get() => Some(CloseReason::Deep),
                _ => None,
            };
            assert_eq!(group.closed, closed);
        }
        let made = &step.groups[step.at];
        assert_eq!(
            (made.count, made.space, made.closed),
            (d.packs, d.space, d.closed)
        );
        assert_eq!(made.runs.last(), Some(&(d.length, d.times)));
        if let PackPlace::Open { packs, space } = d.place {
            assert!(packs >= d.packs && space >= d.length);
            let from = before
                .iter()
                .find(|g| g.runs == made.runs[..made.runs.len() - 1] && g.count == packs);
            assert!(from.is_some_and(|g| g.space == space && g.closed.is_none()));
        }
        before.clone_from(&step.groups);
    }
    assert!(left.values().all(|n| *n == 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn steps_conserve_items_and_end_in_the_plan(
        h in histograms(40, 10, 60), more in 0..30u32, depth in prop_oneof![(1..6u32).prop_map(Depth::AtMost), Just(Depth::Unlimited)]
    ) {
        let limit = h.max()[0] + more;
        for algorithm in [Algorithm::Spfhp, Algorithm::Lpfhp] {
            let steps = watch(algorithm, &h, limit, depth).unwrap();
            check(&steps, &h, limit, depth);
            let of = |g: &EqualPacks| plan::Strategy { runs: g.runs.iter().map(|(l, n)| ([*l], *n)).collect(), count: g.count };
            let last: Vec<_> = steps.last().unwrap().groups.iter().map(of).collect();
            let plan = algorithm.pack(&h, limit, depth).unwrap();
            prop_assert_eq!(plan::Plan::new([limit], last), plan);
        }
    }
}

#[test]
fn a_published_defect_is_seen() {
    // 100 items of 64 in 512 give 100 packs; 13 suffice.
    let h = Histogram::from_lengths([(64, 100)]).unwrap();
    let packs = |algorithm| {
        let steps = watch(algorithm, &h, 512, Depth::Unlimited).unwrap();
        steps
            .last()
            .unwrap()
            .groups
            .iter()
            .map(|g| g.count)
            .sum::<u64>()
    };
    assert_eq!(
        [packs(Algorithm::Spfhp), packs(Algorithm::Lpfhp)],
        [100, 13]
    );
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let h = Histogram::from_lengths([(6, 1)]).unwrap();
    assert!(watch(Algorithm::Optimal, &h, 10, Depth::Unlimited).is_err());
    assert!(watch(Algorithm::Spfhp, &h, 5, Depth::Unlimited).is_err());
    assert!(watch(Algorithm::Lpfhp, &h, 10, Depth::AtMost(0)).is_err());
}
