//! Pack counts of the published code, to the last pack. Source: graphcore/examples@3cc8f81, run unmodified on
//! the histograms of `static/datasets`; see the `meta` part of `tests/data/golden_lengths.json`.

use packscope::bounds;
use packscope::histogram::Histogram;
use packscope::packing::{Algorithm, Depth};
use serde_json::Value;

fn load(name: &str) -> Histogram<1> {
    let path = format!("{}/static/datasets/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let (length, count) = line.split_once(',').unwrap();
        ([length.parse().unwrap()], count.parse().unwrap())
    });
    Histogram::from_counts(rows).unwrap()
}

fn golden() -> serde_json::Map<String, Value> {
    let text = include_str!("../data/golden_lengths.json");
    let all: Value = serde_json::from_str(text).unwrap();
    all["lengths"].as_object().unwrap().clone()
}

fn check(name: &str, set: &Value, algorithm: Algorithm, key: &str, depth: &str) {
    let want = &set[key][depth];
    let depth = depth.replace("max", "unlimited").parse().unwrap();
    let limit = set["L"].as_u64().unwrap() as u32;
    let histogram = load(name);
    let plan = algorithm.pack(&histogram, limit, depth).unwrap();
    assert_eq!(plan.packs(), want["packs"].as_u64().unwrap(), "{name} {key} {depth:?}");
    assert_eq!(plan.max_depth(), want["max_depth"].as_u64().unwrap(), "{name} {key} {depth:?}");
    if let Some(strategies) = want["n_strategies"].as_u64() {
        assert_eq!(plan.strategies().len() as u64, strategies, "{name} {key} {depth:?}");
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
            let plan = algorithm.pack(&load(name), limit, Depth::Unlimited).unwrap();
            assert_eq!(plan.packs(), want, "{name} {algorithm:?}");
        }
    }
}
