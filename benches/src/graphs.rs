//! Packs under two limits: single evaluations, a sweep over limits, and the optimum of every set.

use crate::{median_of, timed_once};
use packscope::api::tuple::{Settings, evaluate};
use packscope::bounds;
use packscope::histogram::{Generated, Histogram, Size};
use packscope::packing::tuple::{Heuristic, TupleAlgorithm, TuplePackingResult, TupleTask};
use packscope::packing::{Depth, Step, go_on};
use std::ops::ControlFlow;

const DATASETS: [(&str, &str); 11] = crate::datasets! {
    "ogbg_molhiv" "mol_muv" "mol_qm9" "mol_qm9_allatoms_graph" "mol_zinc250k" "tu_mutag" "tu_proteins" "tu_dd"
    "tu_collab" "tu_reddit_binary" "cpython311_function_ast"
};

const PER_PACK: Depth = Depth::AtMost(256);
/// Seconds that a search for an optimum may take.
const BUDGET: f64 = 10.0;
const NODES: Heuristic = Heuristic::Component(0);

fn set(id: &str) -> Histogram<2> {
    let csv = DATASETS.iter().find(|(name, _)| *name == id).unwrap().1;
    Histogram::from_built_in(csv).unwrap()
}

/// Sets with their limits for single evaluations: one that was published, and two as large as they come.
fn large() -> [(&'static str, Histogram<2>, Size<2>, Depth); 4] {
    let code = || Generated::Code.histogram().unwrap();
    [
        ("ogbg_molhiv", set("ogbg_molhiv"), [222, 502], PER_PACK),
        ("code2-like", code(), [36_123, 36_122], PER_PACK),
        ("code2-like", code(), [36_123, 36_122], Depth::Unlimited),
        (
            "ppa-like",
            Generated::Ppa.histogram().unwrap(),
            [300, 36_138],
            PER_PACK,
        ),
    ]
}

/// One line per case: `GRAPHS set limits depth algorithm first median packs bound`, times in milliseconds.
pub fn report(now: &dyn Fn() -> f64) -> String {
    let mut lines = String::new();
    for (name, histogram, limits, depth) in large() {
        for algorithm in [
            TupleAlgorithm::BestFit,
            TupleAlgorithm::FirstFit,
            TupleAlgorithm::BestFitPublished,
            TupleAlgorithm::Search,
        ] {
            // As published, it is quadratic in the packs.
            if algorithm == TupleAlgorithm::BestFitPublished && name != "ogbg_molhiv" {
                continue;
            }
            let bound = bounds::tuple::best(&histogram, &limits, depth.get()).packs;
            let task = TupleTask::new(limits, depth, NODES);
            let run = || {
                algorithm
                    .run(&histogram, &task, &mut go_on)
                    .unwrap()
                    .plan
                    .packs()
            };
            let (first, packs) = timed_once(now, &run);
            let median = median_of(now, &|| assert!(run() > 0));
            lines += &line(
                name,
                limits,
                depth,
                algorithm.name(),
                (first, median),
                (packs, bound),
            );
        }
    }
    lines + &grid(now)
}

/// The limits 222 to 444 in 40 steps and 502 to 1,004 in 60: one `evaluate` each, by one thread.
fn grid(now: &dyn Fn() -> f64) -> String {
    let histogram = set("ogbg_molhiv");
    let settings = Settings {
        algorithm: TupleAlgorithm::BestFit,
        heuristic: NODES,
        ..Settings::default()
    };
    let run = || {
        let mut fewest = u64::MAX;
        for step in 0..2400 {
            let limits = [222 + (step % 40) * 222 / 39, 502 + (step / 40) * 502 / 59];
            fewest = fewest.min(evaluate(&histogram, &settings, limits).unwrap().packs);
        }
        fewest
    };
    let (first, packs) = timed_once(now, &run);
    let (median, _) = timed_once(now, &run);
    line(
        "ogbg_molhiv, 2,400 limits",
        [444, 1004],
        PER_PACK,
        "best-fit",
        (first, median),
        (packs, packs),
    )
}

/// Optima at the largest sizes and at twice those.
pub fn optima(now: &dyn Fn() -> f64) -> String {
    let mut lines = String::new();
    for (id, _) in DATASETS {
        let histogram = set(id);
        for times in [1, 2] {
            let limits = histogram.max().map(|m| m * times);
            let (first, packed) = optimum(now, &histogram, limits);
            let again = if first > 1e3 { 0 } else { 4 };
            let mut samples: Vec<f64> = (0..again)
                .map(|_| optimum(now, &histogram, limits).0)
                .chain([first])
                .collect();
            samples.sort_by(f64::total_cmp);
            let found = (packed.plan.packs(), packed.bound.unwrap().packs);
            lines += &line(
                id,
                limits,
                PER_PACK,
                "optimal",
                (first, samples[samples.len() / 2]),
                found,
            );
        }
    }
    lines
}

fn optimum(
    now: &dyn Fn() -> f64,
    histogram: &Histogram<2>,
    limits: Size<2>,
) -> (f64, TuplePackingResult<2>) {
    let start = now();
    let mut ask = |step| match step {
        Step::Found { .. } if now() - start > BUDGET * 1e3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let task = TupleTask {
        steps: u64::MAX,
        ..TupleTask::new(limits, PER_PACK, NODES)
    };
    let packed = TupleAlgorithm::Optimal
        .run(histogram, &task, &mut ask)
        .unwrap();
    (now() - start, packed)
}

fn line(
    set: &str,
    [a, b]: Size<2>,
    depth: Depth,
    algorithm: &str,
    (first, median): (f64, f64),
    (packs, bound): (u64, u64),
) -> String {
    let set = set.replace(' ', "~");
    format!("GRAPHS {set} {a},{b} {depth} {algorithm} {first:.4} {median:.4} {packs} {bound}\n")
}
