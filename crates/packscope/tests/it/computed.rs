//! Components computed from lengths: against item-by-item computing, both limits held by the items themselves, and an
//! assignment that the original file can be packed by.

use crate::common::{built_in, histograms};
use packscope::error::Error;
use packscope::histogram::{Computation, Histogram, Work};
use packscope::packing::Depth;
use packscope::packing::go_on;
use packscope::packing::tuple::{Heuristic, TupleAlgorithm, TupleTask};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn lengths(all: &[u32]) -> Histogram<1> {
    Histogram::from_lengths(all.iter().map(|length| (*length, 1))).unwrap()
}

fn pairs(all: &[[u32; 2]]) -> Histogram<2> {
    Histogram::from_counts(all.iter().map(|pair| (*pair, 1))).unwrap()
}

/// The pairs of tokens that attention looks at, token by token: each sees its own prompt and response.
fn looked_at(prompt: u32, response: u32, responses: u32) -> u128 {
    let [p, r, n] = [prompt, response, responses].map(u128::from);
    // Both ways: within the prompt; between prompt and responses; within each response.
    p * p + n * (2 * p * r) + n * (r * r)
}

proptest! {
    #[test]
    fn computed_components_are_those_of_each_item(
        all in prop::collection::vec((1u32..=1 << 20, 0u32..=1 << 14), 1..40),
        responses in 1u32..100,
        sharing in any::<bool>(),
    ) {
        let all: Vec<[u32; 2]> = all.into_iter().map(|(a, b)| [a, b]).collect();
        let firsts: Vec<u32> = all.iter().map(|pair| pair[0]).collect();
        let (computation, of) = (Computation::SharedPrompt(responses), pairs(&all));
        let (computed, [shared, apart]) = match sharing {
            true => (computation.compute(&of).unwrap(), computation.shared_and_apart(&of).unwrap()),
            false => {
                let (computation, of) = (Computation::Attention, lengths(&firsts));
                (computation.compute(&of).unwrap(), computation.shared_and_apart(&of).unwrap())
            }
        };
        let work = |[p, r]: [u32; 2]| match sharing {
            true => (u128::from(p) + u128::from(r) * u128::from(responses), looked_at(p, r, responses)),
            false => (u128::from(p), looked_at(p, 0, 1)),
        };
        let unit = u128::from(computed.unit);
        let most = all.iter().map(|pair| work(*pair).1).max().unwrap();
        prop_assert!(computed.unit.is_power_of_two() && most <= unit << 20);
        prop_assert!(unit == 1 || most > unit << 19);
        let mut want: BTreeMap<[u32; 2], u64> = BTreeMap::new();
        let mut sum = Work::default();
        for pair in &all {
            let (tokens, pairs) = work(*pair);
            let size = [tokens as u32, pairs.div_ceil(unit) as u32];
            let one = if sharing { pair.as_slice() } else { &pair[..1] };
            prop_assert_eq!(computed.size(one).unwrap(), size);
            *want.entry(size).or_default() += 1;
            sum = Work { tokens: sum.tokens + tokens, pairs: sum.pairs + pairs };
        }
        prop_assert_eq!(computed.histogram.entries(), want.into_iter().collect::<Vec<_>>());
        prop_assert_eq!(shared, sum);
        let n = u128::from(responses);
        let alone = |pair: &[u32; 2]| pair.map(u128::from).iter().sum::<u128>();
        if sharing {
            prop_assert_eq!(apart.tokens, all.iter().map(|pair| n * alone(pair)).sum::<u128>());
            prop_assert_eq!(apart.pairs, all.iter().map(|pair| n * alone(pair) * alone(pair)).sum::<u128>());
            prop_assert!(shared.tokens <= apart.tokens && shared.pairs <= apart.pairs);
            prop_assert!(responses > 1 || shared == apart);
        } else {
            prop_assert_eq!(shared, apart);
        }
        // No more than one unit an item is rounding.
        let units = u128::from(computed.histogram.total()[1]) * unit;
        prop_assert!(units >= sum.pairs && units < sum.pairs + unit * all.len() as u128);
    }

    #[test]
    fn packs_hold_both_limits_of_the_sequences_themselves(all in histograms(64, 12, 8), tokens in 64u32..200) {
        let computed = Computation::Attention.compute(&all).unwrap();
        let limit = computed.limit(tokens);
        for algorithm in [TupleAlgorithm::BestFit, TupleAlgorithm::FirstFit, TupleAlgorithm::Optimal] {
            let task = TupleTask::new([tokens, limit], Depth::Unlimited, Heuristic::Component(0));
            let plan = algorithm.run(&computed.histogram, &task, &mut go_on).unwrap().plan;
            plan.validate(&computed.histogram, None).unwrap();
            for strategy in plan.strategies() {
                let lengths = || strategy.sizes().map(|size| u64::from(size[0]));
                prop_assert!(lengths().sum::<u64>() <= u64::from(tokens));
                prop_assert!(lengths().map(|l| l * l).sum::<u64>() <= u64::from(limit) * computed.unit);
            }
            let [even, uneven] = plan.unevenness();
            prop_assert!(even >= 1.0 - 1e-12 && uneven >= computed.bound(tokens) - 1e-9);
        }
    }
}

/// Every choice of up to four lengths from 1 to 6, in packs of up to 8 tokens: no fewer packs hold both limits.
#[test]
fn tiny_sets_take_as_few_packs_as_trying_all_of_them() {
    /// The fewest packs of these lengths, by trying every pack for each.
    fn fewest(left: &[u32], packs: &mut Vec<[u32; 2]>, limits: [u32; 2]) -> usize {
        let Some((first, rest)) = left.split_first() else {
            return packs.len();
        };
        let size = [*first, first * first];
        let mut least = usize::MAX;
        for at in 0..=packs.len() {
            let is_new = at == packs.len();
            if is_new {
                packs.push([0; 2]);
            }
            let sum = [packs[at][0] + size[0], packs[at][1] + size[1]];
            if (0..2).all(|k| sum[k] <= limits[k]) {
                let before = std::mem::replace(&mut packs[at], sum);
                least = least.min(fewest(rest, packs, limits));
                packs[at] = before;
            }
            if is_new {
                packs.pop();
            }
        }
        least
    }
    let mut tried = 0;
    for code in 0..7u32.pow(4) {
        let all: Vec<u32> = (0..4)
            .map(|at| code / 7u32.pow(at) % 7)
            .filter(|length| *length > 0)
            .collect();
        if all.is_empty() || !all.is_sorted() {
            continue;
        }
        let computed = Computation::Attention.compute(&lengths(&all)).unwrap();
        assert_eq!(computed.unit, 1);
        for attention in [computed.limit(8), 36, 40] {
            let limits = [8, attention];
            let task = TupleTask::new(limits, Depth::Unlimited, Heuristic::Component(0));
            let Ok(packed) = TupleAlgorithm::Optimal.run(&computed.histogram, &task, &mut go_on)
            else {
                panic!("{all:?} within {limits:?}")
            };
            assert_eq!(
                packed.plan.packs(),
                fewest(&all, &mut Vec::new(), limits) as u64,
                "{all:?} {limits:?}"
            );
            tried += 1;
        }
    }
    assert!(tried > 300, "{tried}");
}

#[test]
fn computations_are_named_and_refused_in_words() {
    for computation in [Computation::Attention, Computation::SharedPrompt(8)] {
        assert_eq!(computation.to_string().parse(), Ok(computation));
    }
    for text in [
        "",
        "L2",
        "shared-prompt",
        "shared-prompt:0",
        "shared-prompt:65537",
        "shared-prompt:-1",
    ] {
        let error = text.parse::<Computation>().unwrap_err().to_string();
        assert!(
            error.contains("expected attention, or shared-prompt with"),
            "{error}"
        );
    }
    let of = Computation::SharedPrompt(0).compute(&pairs(&[[3, 4]]));
    assert!(matches!(of, Err(Error::Setting { .. })), "{of:?}");
    let of = Computation::Attention.compute(&pairs(&[[3, 4]]));
    assert!(
        matches!(
            of,
            Err(Error::Components {
                limits: 1,
                components: 2
            })
        ),
        "{of:?}"
    );
    let of = Computation::SharedPrompt(1 << 16).compute(&pairs(&[[1, 1 << 17]]));
    assert!(matches!(of, Err(Error::TooLarge { .. })), "{of:?}");
    // The longest that there can be.
    let longest = Computation::Attention
        .compute(&lengths(&[u32::MAX - 1]))
        .unwrap();
    assert_eq!(
        (longest.unit, longest.histogram.max()[1]),
        (1 << 44, 1 << 20)
    );
    assert_eq!(longest.names()[1], "attention ÷ 17592186044416");
    // A response of nothing is a prompt alone.
    let none = Computation::SharedPrompt(8)
        .compute(&pairs(&[[10, 0]]))
        .unwrap();
    assert_eq!(none.histogram.entries(), [([10, 100], 1)]);
}

/// At the limit that is proposed, the best packs found are hardly more than by tokens alone, and more even.
#[test]
fn the_limit_evens_packs_out_for_few_more_rows() {
    for (name, tokens, rows, even) in [
        ("gsm8k_train", 2048, 1.01, 1.12),
        ("arxiv_summarization_llama2", 16_384, 1.01, 1.12),
    ] {
        let computed = Computation::Attention.compute(&built_in(name)).unwrap();
        let pack = |limit| {
            let task = TupleTask::new([tokens, limit], Depth::Unlimited, Heuristic::Component(0));
            TupleAlgorithm::Optimal
                .run(&computed.histogram, &task, &mut go_on)
                .unwrap()
                .plan
        };
        let (both, alone) = (
            pack(computed.limit(tokens)),
            pack(packscope::histogram::FREE),
        );
        let [of_both, of_alone] = [&both, &alone].map(|plan| plan.unevenness()[1]);
        assert!(
            of_both < even && of_alone > of_both + 0.15,
            "{name}: {of_both} {of_alone}"
        );
        assert!(
            (both.packs() as f64) < alone.packs() as f64 * rows,
            "{name}"
        );
    }
    // Where one sequence has more than any full pack, no limit helps, and that is said.
    let computed = Computation::Attention
        .compute(&built_in("mooncake_conversation"))
        .unwrap();
    assert!(computed.bound(131_072) > 3.0);
    assert_eq!(computed.limit(131_072), computed.histogram.max()[1]);
}
