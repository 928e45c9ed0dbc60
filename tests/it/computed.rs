//! Components computed from lengths: against item-by-item computing, both limits held by the items themselves, and an
//! assignment that the original file can be packed by.

use crate::cli::{json, packscope};
use crate::common::{built_in, histograms};
use packscope::error::Error;
use packscope::histogram::{Computation, Histogram, Work};
use packscope::packing::Depth;
use packscope::packing::go_on;
use packscope::packing::tuple::{Algorithm, Heuristic, Task};
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
            true => (computation.of(&of).unwrap(), computation.shared_and_apart(&of).unwrap()),
            false => {
                let (computation, of) = (Computation::Attention, lengths(&firsts));
                (computation.of(&of).unwrap(), computation.shared_and_apart(&of).unwrap())
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
        let computed = Computation::Attention.of(&all).unwrap();
        let limit = computed.limit(tokens);
        for algorithm in [Algorithm::BestFit, Algorithm::FirstFit, Algorithm::Optimal] {
            let task = Task::new([tokens, limit], Depth::Unlimited, Heuristic::Component(0));
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
        let Some((first, rest)) = left.split_first() else { return packs.len() };
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
        let all: Vec<u32> = (0..4).map(|at| code / 7u32.pow(at) % 7).filter(|length| *length > 0).collect();
        if all.is_empty() || !all.is_sorted() {
            continue;
        }
        let computed = Computation::Attention.of(&lengths(&all)).unwrap();
        assert_eq!(computed.unit, 1);
        for attention in [computed.limit(8), 36, 40] {
            let limits = [8, attention];
            let task = Task::new(limits, Depth::Unlimited, Heuristic::Component(0));
            let Ok(packed) = Algorithm::Optimal.run(&computed.histogram, &task, &mut go_on) else {
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
    for text in ["", "L2", "shared-prompt", "shared-prompt:0", "shared-prompt:65537", "shared-prompt:-1"] {
        let error = text.parse::<Computation>().unwrap_err().to_string();
        assert!(error.contains("expected attention, or shared-prompt with"), "{error}");
    }
    let of = Computation::SharedPrompt(0).of(&pairs(&[[3, 4]]));
    assert!(matches!(of, Err(Error::Setting { .. })), "{of:?}");
    let of = Computation::Attention.of(&pairs(&[[3, 4]]));
    assert!(matches!(of, Err(Error::Components { limits: 1, components: 2 })), "{of:?}");
    let of = Computation::SharedPrompt(1 << 16).of(&pairs(&[[1, 1 << 17]]));
    assert!(matches!(of, Err(Error::TooLarge { .. })), "{of:?}");
    // The longest that there can be.
    let longest = Computation::Attention.of(&lengths(&[u32::MAX - 1])).unwrap();
    assert_eq!((longest.unit, longest.histogram.max()[1]), (1 << 44, 1 << 20));
    assert_eq!(longest.names()[1], "attention ÷ 17592186044416");
    // A response of nothing is a prompt alone.
    let none = Computation::SharedPrompt(8).of(&pairs(&[[10, 0]])).unwrap();
    assert_eq!(none.histogram.entries(), [([10, 100], 1)]);
}

/// At the limit that is proposed, the best packs found are hardly more than by tokens alone, and more even.
#[test]
fn the_limit_evens_packs_out_for_few_more_rows() {
    for (name, tokens, rows, even) in
        [("gsm8k_train", 2048, 1.01, 1.12), ("arxiv_summarization_llama2", 16_384, 1.01, 1.12)]
    {
        let computed = Computation::Attention.of(&built_in(name)).unwrap();
        let pack = |limit| {
            let task = Task::new([tokens, limit], Depth::Unlimited, Heuristic::Component(0));
            Algorithm::Optimal.run(&computed.histogram, &task, &mut go_on).unwrap().plan
        };
        let (both, alone) = (pack(computed.limit(tokens)), pack(packscope::histogram::FREE));
        let [of_both, of_alone] = [&both, &alone].map(|plan| plan.unevenness()[1]);
        assert!(of_both < even && of_alone > of_both + 0.15, "{name}: {of_both} {of_alone}");
        assert!((both.packs() as f64) < alone.packs() as f64 * rows, "{name}");
    }
    // Where one sequence has more than any full pack, no limit helps, and that is said.
    let computed = Computation::Attention.of(&built_in("mooncake_conversation")).unwrap();
    assert!(computed.bound(131_072) > 3.0);
    assert_eq!(computed.limit(131_072), computed.histogram.max()[1]);
}

const LENGTHS: &str = "static/datasets/glue_wnli.csv";

#[test]
fn described_and_packed_on_the_command_line() {
    let args = ["describe", LENGTHS, "--compute", "attention", "--limits", "512,free", "--format", "json"];
    let described = json(&args, "");
    let computed = &described["computed"];
    assert_eq!((&computed["computation"], &computed["unit"]), (&"attention".into(), &1.into()));
    assert_eq!(computed["shared"], computed["apart"]);
    assert_eq!(described["components"][1]["name"], "attention");
    // Attention has no slots that could be padding.
    let padding = [0, 1].map(|k| &described["components"][k]["padding_share"]);
    assert!(padding[0].is_f64() && padding[1].is_null(), "{described}");
    let limit = computed["limits"][1].as_u64().unwrap();
    let limits = format!("512,{limit}");
    let args = ["pack", LENGTHS, "--compute", "attention", "--limits", &limits, "--algorithm", "optimal"];
    let packed = json(&[&args[..], &["--format", "json"]].concat(), "");
    let attention = &packed["attention"];
    let [even, uneven] =
        ["largest_to_mean", "largest_to_mean_by_tokens"].map(|of| attention[of].as_f64().unwrap());
    assert!(even < uneven && even < 1.2, "{attention}");
    assert_eq!(attention["packs"], packed["packs"]);
    let text = String::from_utf8(packscope(&args, "").stdout).unwrap();
    assert!(text.lines().last().unwrap().starts_with("attention    the largest of "), "{text}");
    let padding = text.lines().find(|line| line.starts_with("padding")).unwrap();
    assert!(padding.contains("tokens ") && !padding.contains("attention"), "{text}");

    let pairs = "prompt_tokens,response_tokens\n1000,2000\n300,4000\n500,800\n";
    let args = ["describe", "-", "--compute", "shared-prompt:8"];
    let computed = json(&[&args[..], &["--format", "json"]].concat(), pairs)["computed"].take();
    assert_eq!(computed["shared"], serde_json::json!({ "tokens": 56_200, "pairs": 224_060_000 }));
    assert_eq!(computed["apart"], serde_json::json!({ "tokens": 68_800, "pairs": 233_440_000 }));
    let text = String::from_utf8(packscope(&args, pairs).stdout).unwrap();
    assert!(text.contains("shared       56,200 tokens instead of 68,800: 18.3 % saved"), "{text}");
    assert!(text.contains("\nattention of groups ÷ ") && text.contains(" Attention has no slots."), "{text}");
}

/// Rows of an assignment: for each pack the numbers of its items.
fn assigned(args: &[&str]) -> BTreeMap<u64, Vec<usize>> {
    let out = packscope(&[&["assign"], args].concat(), "");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let mut packs: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for line in String::from_utf8(out.stdout).unwrap().lines().skip(1) {
        let cells: Vec<u64> = line.split(',').take(2).map(|cell| cell.parse().unwrap()).collect();
        packs.entry(cells[1]).or_default().push(cells[0] as usize);
    }
    packs
}

/// The assignment names records of the file as it is, whose own sums hold both limits; packed anew, and from a plan.
#[test]
fn an_assignment_is_of_the_records_of_the_file() {
    let folder = std::env::temp_dir().join(format!("packscope-computed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let all: Vec<[u32; 2]> = (0..200u32).map(|i| [40 + i * 37 % 900, 10 + i * 91 % 1700]).collect();
    let write = |name: &str, lines: Vec<String>| std::fs::write(path(name), lines.join("\n") + "\n").unwrap();
    write("lengths.txt", all.iter().map(|pair| pair[0].to_string()).collect());
    let rows = all.iter().map(|[p, r]| format!("{p},{r}"));
    write("pairs.csv", std::iter::once("prompt,response".to_owned()).chain(rows).collect());
    for (file, compute, tokens, responses) in
        [("lengths.txt", "attention", 2000, 1u32), ("pairs.csv", "shared-prompt:4", 9000, 4)]
    {
        let (file, limit) = (path(file), tokens.to_string() + ",free");
        let told =
            json(&["describe", &file, "--compute", compute, "--limits", &limit, "--format", "json"], "");
        let computed = &told["computed"];
        let (unit, limit) = (computed["unit"].as_u64().unwrap(), computed["limits"][1].as_u64().unwrap());
        let limits = format!("{tokens},{limit}");
        let args = [file.as_str(), "--compute", compute, "--limits", &limits];
        let plan = path("plan.json");
        let made = packscope(&[&["export", "plan"], &args[..], &["--out", &plan]].concat(), "");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let packs = assigned(&args);
        assert_eq!(packs, assigned(&[&args[..], &["--plan", &plan]].concat()));
        let mut seen: Vec<usize> = packs.values().flatten().copied().collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..all.len()).collect::<Vec<_>>());
        for items in packs.values() {
            let own = |at: &usize| if compute == "attention" { [all[*at][0], 0] } else { all[*at] };
            let of = || items.iter().map(own);
            let sum: u32 = of().map(|[p, r]| p + responses * r).sum();
            let attention: u128 = of().map(|[p, r]| looked_at(p, r, responses)).sum();
            assert!(sum <= tokens && attention <= u128::from(unit * limit), "{items:?}");
        }
        let array = path("packs.npy");
        let args = [&args[..], &["--plan", &plan, "--format", "npy", "--out", &array]].concat();
        assert!(packscope(&[&["assign"], &args[..]].concat(), "").status.success());
        assert!(std::fs::metadata(&array).unwrap().len() > 800);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn components_are_computed_only_where_packs_have_two_limits() {
    let two = "expected them where packs keep to two limits";
    let cut = "expected drop or reject";
    for (args, message) in [
        (&["pack", LENGTHS, "--limit", "512"][..], two),
        (&["batch", LENGTHS, "--limit", "128"], two),
        (&["shapes", LENGTHS, "--shapes", "4"], two),
        (&["ranks", LENGTHS, "--limit", "128"], two),
        (&["speedup", LENGTHS, "--limits", "512,20000"], two),
        (&["trainer", LENGTHS, "--limits", "512,20000"], two),
        (&["export", "lengths", LENGTHS], two),
        (&["export", "snippet", LENGTHS, "--limits", "512,20000", "--tool", "numpy"], two),
        (&["pack", LENGTHS, "--limits", "512"], "1 limit for data with 2 components"),
        (&["pack", LENGTHS, "--limits", "512,20000,3"], "3 limits for data with 2 components"),
        (&["pack", LENGTHS, "--limits", "512,20000", "--size-columns", "length,count"], "1 limit for data"),
        (&["pack", LENGTHS, "--limits", "512,20000", "--overlong", "truncate"], cut),
    ] {
        let out = packscope(&[args, &["--compute", "attention"]].concat(), "");
        let error = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
    // What has two limits takes them.
    for args in [
        &["compare", LENGTHS, "--limits", "512,30000"][..],
        &["sweep", LENGTHS, "--limits", "256:512:128,16000:32000:8000"],
        &["export", "table", LENGTHS, "--limits", "512,30000"],
        &["export", "figures", LENGTHS, "--limits", "512,30000"],
    ] {
        let out = packscope(&[args, &["--compute", "attention"]].concat(), "");
        let (text, error) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        assert!(out.status.success() && text.contains("attention"), "{args:?}: {text}{error}");
        assert!(!text.contains("slots_attention") && !text.contains("padding_tokens_attention"), "{text}");
    }
}
