//! Statements about trainers that pack by themselves, checked by counting.

use crate::common::{built_in, expanded};
use packscope::histogram::{Histogram, Overlong};
use packscope::packing::{Algorithm, Depth};
use packscope::rng::Random;

/// Rows that packing in windows of 1,000 examples in random order costs for each window.
fn lost(name: &str, limit: u32) -> f64 {
    let lengths = built_in(name)
        .fit([limit], Overlong::Truncate)
        .unwrap()
        .histogram;
    let pack = |h: &Histogram<1>| {
        Algorithm::BestFitDecreasing
            .pack(h, limit, Depth::Unlimited)
            .unwrap()
            .packs() as f64
    };
    let mut items = expanded(&lengths);
    let mut random = Random::seeded(1);
    for i in (1..items.len()).rev() {
        items.swap(i, random.below(i as u64 + 1) as usize);
    }
    // Whole windows alone: the rest of the data is one of another size.
    items.truncate(items.len() / 1000 * 1000);
    let of = |items: &[u32]| Histogram::from_lengths(items.iter().map(|l| (*l, 1))).unwrap();
    let windows = items.chunks(1000);
    let count = windows.len() as f64;
    (windows.map(|window| pack(&of(window))).sum::<f64>() - pack(&of(&items))) / count
}

/// The share that is said of these packs follows: rows lost in a window / rows of a window.
#[test]
fn a_window_of_a_thousand_examples_costs_a_part_of_a_row() {
    let mut all = Vec::new();
    for (name, limits) in [
        ("alpaca_5000", &[512, 1024, 8192][..]),
        ("gsm8k_train", &[512, 2048]),
        ("glue_cola", &[128, 512]),
        ("glue_sst2", &[128]),
        ("glue_stsb", &[128]),
    ] {
        all.extend(
            limits
                .iter()
                .map(|limit| (name, *limit, lost(name, *limit))),
        );
    }
    let said = packscope::export::snippet::WINDOW_LOSS;
    assert!(
        all.iter().all(|(.., lost)| (0.25..0.65).contains(lost)),
        "{all:?}"
    );
    let mean = all.iter().map(|(.., lost)| lost).sum::<f64>() / all.len() as f64;
    assert!((mean - said).abs() < 0.1, "{mean}: {all:?}");
}
