//! What is timed, natively and in the browser: packing Wikipedia, from the histogram to the recounted plan.
#![allow(missing_docs, reason = "no library for others")]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a benchmark measures, and may fail")]

use packscope::histogram::Histogram;
use packscope::packing::{Algorithm, Depth, Task, go_on};

/// (algorithm, depth), each timed on Wikipedia at 512.
pub const CASES: [(Algorithm, Depth); 9] = [
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

pub fn wikipedia() -> Histogram<1> {
    let csv = include_str!("../../static/datasets/wikipedia_bert_512.csv");
    let row = |line: &str| {
        let (length, count) = line.split_once(',').unwrap();
        ([length.parse().unwrap()], count.parse().unwrap())
    };
    Histogram::from_counts(csv.lines().skip(1).map(row)).unwrap()
}

/// Median milliseconds of one packing with its recount; `now` gives milliseconds.
///
/// A clock in a browser ticks every 0.1 ms: short work is done many times between two looks at it.
pub fn median(now: &dyn Fn() -> f64, algorithm: Algorithm, depth: Depth) -> f64 {
    let histogram = wikipedia();
    let pack = || assert!(algorithm.run(&histogram, &task(depth), &mut go_on).unwrap().listing.packs > 0);
    let once = |times: u32| {
        let start = now();
        (0..times).for_each(|_| pack());
        (now() - start) / f64::from(times)
    };
    // Long enough for the browser's optimising compiler to have taken over.
    let warm = now();
    while now() - warm < 300.0 {
        pack();
    }
    let estimate = once(3).max(0.001);
    let times = (10.0 / estimate).ceil().clamp(1.0, 500.0) as u32;
    let mut samples: Vec<f64> = (0..if estimate > 100.0 { 5 } else { 31 }).map(|_| once(times)).collect();
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn task(depth: Depth) -> Task {
    // Item-by-item packing keeps no plan here, as on the page's table.
    Task { listed: 0, ..Task::new(512, depth) }
}

/// One line per case: `name depth milliseconds`.
pub fn report(now: &dyn Fn() -> f64) -> String {
    let line = |(a, d): &(Algorithm, Depth)| format!("BENCH {a} {d} {:.5}\n", median(now, *a, *d));
    CASES.iter().map(line).collect()
}
