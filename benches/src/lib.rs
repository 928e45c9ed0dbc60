//! The work that is timed, natively and in the browser: packing Wikipedia, from the histogram to the recounted plan,
//! the search for the optimum on every built-in set, graphs, batches, ranks, and estimates of speed-up.
#![allow(missing_docs, reason = "no library for others")]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a benchmark measures, and may fail"
)]

pub mod batches;
pub mod budgets;
pub mod graphs;
#[cfg(not(target_arch = "wasm32"))]
pub mod peers;
pub mod ranks;
pub mod speedup;

use packscope::histogram::{Histogram, Overlong, Preset};
use packscope::packing::{Algorithm, Depth, PackingResult, Step, Task, go_on};
use std::ops::ControlFlow;

macro_rules! datasets {
    ($($id:literal)*) => {
        [$(($id, include_str!(concat!("../../static/datasets/", $id, ".csv")))),*]
    };
}
use datasets;

/// A browser has no files: the counts are compiled in.
const DATASETS: [(&str, &str); 20] = datasets! {
    "wikipedia_bert_512" "squad_1_1_bert_384" "alpaca_5000" "gsm8k_train" "lima_train_chatml"
    "t0_train_50k_2048" "arxiv_summarization_llama2" "sharegpt_8k_llama2" "azure_llm_trace_conv"
    "mooncake_conversation" "librispeech_devclean_audio_40ms" "librispeech_devclean_text_bert"
    "mol_qm9_allatoms_len" "geom_drugs_allatoms_len" "protein_ecoli_proteome" "glue_cola" "glue_rte"
    "glue_sst2" "glue_stsb" "glue_wnli"
};

const UNLIMITED: Depth = Depth::Unlimited;
/// Optima: depths of Wikipedia with the seconds they may take, and depths of all other sets.
const OF_WIKIPEDIA: [(Depth, f64); 6] = [
    (Depth::AtMost(2), 10.0),
    (Depth::AtMost(3), 10.0),
    (Depth::AtMost(4), 2.0),
    (Depth::AtMost(8), 2.0),
    (Depth::AtMost(16), 2.0),
    (UNLIMITED, 10.0),
];
const OF_OTHERS: [(Depth, f64); 2] = [(Depth::AtMost(3), 10.0), (UNLIMITED, 10.0)];

/// (algorithm, depth), each timed on Wikipedia at 512.
pub const CASES: [(Algorithm, Depth); 10] = [
    (Algorithm::Nnlshp, Depth::AtMost(3)),
    (Algorithm::AverageTarget, Depth::AtMost(3)),
    (Algorithm::AverageTarget, Depth::Unlimited),
    (Algorithm::Spfhp, Depth::AtMost(3)),
    (Algorithm::Spfhp, Depth::Unlimited),
    (Algorithm::Lpfhp, Depth::AtMost(3)),
    (Algorithm::Lpfhp, Depth::Unlimited),
    (Algorithm::BestFitDecreasing, Depth::Unlimited),
    (Algorithm::FirstFitDecreasing, Depth::Unlimited),
    (Algorithm::Greedy, Depth::Unlimited),
];

fn set(id: &str) -> Histogram<1> {
    Histogram::from_built_in(DATASETS.iter().find(|(name, _)| *name == id).unwrap().1).unwrap()
}

/// Median milliseconds of one packing with its recount; `now` gives milliseconds.
pub fn median(now: &dyn Fn() -> f64, algorithm: Algorithm, depth: Depth) -> f64 {
    let histogram = set(Preset::FIRST.id);
    median_of(now, &|| {
        assert!(
            algorithm
                .run(&histogram, &task(depth), &mut go_on)
                .unwrap()
                .listing
                .packs
                > 0
        )
    })
}

/// Milliseconds of one run, and what it gives.
fn timed_once<T>(now: &dyn Fn() -> f64, run: &dyn Fn() -> T) -> (f64, T) {
    let start = now();
    let found = run();
    (now() - start, found)
}

/// Median milliseconds of one run.
///
/// A clock in a browser ticks every 0.1 ms: short work is done many times between two looks at it.
fn median_of(now: &dyn Fn() -> f64, run: &dyn Fn()) -> f64 {
    let once =
        |times: u32| timed_once(now, &|| (0..times).for_each(|_| run())).0 / f64::from(times);
    // Long enough for the browser's optimising compiler to have taken over.
    let warm = now();
    while now() - warm < 300.0 {
        run();
    }
    let estimate = once(3).max(0.001);
    let times = (10.0 / estimate).ceil().clamp(1.0, 500.0) as u32;
    let mut samples: Vec<f64> = (0..if estimate > 100.0 { 5 } else { 31 })
        .map(|_| once(times))
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn task(depth: Depth) -> Task {
    // Item-by-item packing keeps no plan here, as on the page's table.
    Task {
        listed: 0,
        ..Task::new(512, depth)
    }
}

/// One line per case: `name depth milliseconds`.
pub fn report(now: &dyn Fn() -> f64) -> String {
    let line = |(a, d): &(Algorithm, Depth)| format!("BENCH {a} {d} {:.5}\n", median(now, *a, *d));
    CASES.iter().map(line).collect::<String>()
        + &graphs::optima(now)
        + &graphs::report(now)
        + &batches::report(now)
        + &speedup::report(now)
        + &budgets::report(now)
}

/// One line per optimum: `OPTIMUM set limit depth first median packs bound`, times in milliseconds. The first
/// time is that of a visitor, whose browser compiles meanwhile.
pub fn optima(now: &dyn Fn() -> f64) -> String {
    let mut lines = String::new();
    for (id, _) in DATASETS {
        let limit = Preset::find(id).unwrap().limit();
        let depths = if id == Preset::FIRST.id {
            &OF_WIKIPEDIA[..]
        } else {
            &OF_OTHERS
        };
        for &(depth, seconds) in depths {
            lines += &optimum(now, id, limit, depth, seconds);
        }
    }
    lines
}

fn optimum(now: &dyn Fn() -> f64, id: &str, limit: u32, depth: Depth, seconds: f64) -> String {
    // The usual limit of some sets cuts their longest sequences.
    let histogram = set(id).fit([limit], Overlong::Truncate).unwrap().histogram;
    let task = Task {
        steps: u64::MAX,
        ..Task::new(limit, depth)
    };
    let solve = || -> (f64, PackingResult) {
        let start = now();
        let mut ask = |step| match step {
            Step::Found { .. } if now() - start > seconds * 1e3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let packed = Algorithm::Optimal.run(&histogram, &task, &mut ask).unwrap();
        (now() - start, packed)
    };
    let (first, packed) = solve();
    let again = if first > 1e3 { 0 } else { 4 };
    let mut times: Vec<f64> = (0..again).map(|_| solve().0).chain([first]).collect();
    times.sort_by(f64::total_cmp);
    let (packs, bound) = (packed.listing.packs, packed.bound.unwrap().packs);
    format!(
        "OPTIMUM {id} {limit} {depth} {first:.3} {:.3} {packs} {bound}\n",
        times[times.len() / 2]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_packed_at_its_limit() {
        for (id, _) in DATASETS {
            let limit = Preset::find(id).unwrap().limit();
            let line = optimum(&|| 0.0, id, limit, UNLIMITED, -1.0);
            assert!(
                line.starts_with(&format!("OPTIMUM {id} {limit} ")),
                "{line}"
            );
        }
    }
}
