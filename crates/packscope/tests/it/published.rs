//! Pack counts of the published code, to the last pack. Source: graphcore/examples@3cc8f81, run unmodified on
//! the histograms of `static/datasets`; see the `meta` part of `tests/data/golden_lengths.json`.

use crate::common::built_in;
use packscope::bounds;
use packscope::packing::{Algorithm, Depth};
use serde_json::Value;

fn golden() -> serde_json::Map<String, Value> {
    let text = include_str!("../../../../tests/data/golden_lengths.json");
    let all: Value = serde_json::from_str(text).unwrap();
    all["lengths"].as_object().unwrap().clone()
}

fn check(name: &str, set: &Value, algorithm: Algorithm, key: &str, depth: &str) {
    let want = &set[key][depth];
    let depth = depth.replace("max", "unlimited").parse().unwrap();
    let limit = set["L"].as_u64().unwrap() as u32;
    let histogram = built_in(name);
    let plan = algorithm.pack(&histogram, limit, depth).unwrap();
    assert_eq!(
        plan.packs(),
        want["packs"].as_u64().unwrap(),
        "{name} {key} {depth:?}"
    );
    assert_eq!(
        plan.max_depth(),
        want["max_depth"].as_u64().unwrap(),
        "{name} {key} {depth:?}"
    );
    if let Some(strategies) = want["n_strategies"].as_u64() {
        assert_eq!(
            plan.strategies().len() as u64,
            strategies,
            "{name} {key} {depth:?}"
        );
    }
    assert!(bounds::best(&histogram, limit, depth.get()).packs <= plan.packs());
}

#[test]
fn spfhp_and_lpfhp_give_the_published_pack_counts() {
    let golden = golden();
    assert_eq!(golden.len(), 20);
    for (name, set) in &golden {
        for (algorithm, key) in [(Algorithm::Spfhp, "spfhp"), (Algorithm::Lpfhp, "lpfhp")] {
            for depth in set[key].as_object().unwrap().keys() {
                check(name, set, algorithm, key, depth);
            }
        }
    }
}

#[test]
fn first_and_best_fit_decreasing_give_the_classical_pack_counts() {
    for (name, set) in &golden() {
        let want = set["ffd"]["packs"].as_u64().unwrap();
        let limit = set["L"].as_u64().unwrap() as u32;
        for algorithm in [Algorithm::FirstFitDecreasing, Algorithm::BestFitDecreasing] {
            let plan = algorithm
                .pack(&built_in(name), limit, Depth::Unlimited)
                .unwrap();
            assert_eq!(plan.packs(), want, "{name} {algorithm:?}");
        }
    }
}
