//! Other packers on the same sequences: crates here, Python's in `benches/peers.py`. They are given a list of sequences
//! and say which share a pack; so do we for this comparison, from the list to the pack of every sequence.

use crate::median_of;
use bin_packing::one_d::{CutDemand1D, OneDAlgorithm, OneDOptions, OneDProblem, Stock1D, solve_1d};
use packscope::api::{Settings, run_on};
use packscope::export::{Assigner, Document};
use packscope::histogram::{Histogram, Preset};
use packscope::packing::{Algorithm, go_on};
use packscope::rng::Random;
use seqpacker::{PackStrategy, Packer};
use std::fmt::Write;

/// Sequences of Wikipedia: as many as each kind of packer can be given. Those that copy the tokens are given fewer, and
/// those that look through all open packs for each sequence fewer still.
const ITEMS: [usize; 3] = [1_000_000, 100_000, 10_000];
const LIMIT: u32 = 512;

/// Writes the lists of lengths into a folder, and times all packers of Rust: lines
/// `PEER who algorithm items milliseconds packs`.
pub fn report(now: &dyn Fn() -> f64, folder: &std::path::Path) -> String {
    let mut lines = String::new();
    for items in ITEMS {
        let lengths = sample(items);
        let text: String = lengths.iter().map(|length| format!("{length}\n")).collect();
        std::fs::write(folder.join(format!("items-{items}.txt")), text).unwrap();
        let mut time = |who: &str, algorithm: &str, pack: &dyn Fn() -> usize| {
            let packs = pack();
            let median = median_of(now, &|| assert_eq!(pack(), packs));
            writeln!(lines, "PEER {who} {algorithm} {items} {median:.3} {packs}").unwrap();
        };
        for algorithm in [Algorithm::BestFitDecreasing, Algorithm::Optimal] {
            time("packscope", algorithm.name(), &|| ours(&lengths, algorithm));
        }
        let wide: Vec<usize> = lengths.iter().map(|length| *length as usize).collect();
        for strategy in ["obfd", "obfdp", "bfd", "ffd", "mffd"] {
            time("seqpacker", strategy, &|| seqpacker(&wide, strategy));
        }
        if items == ITEMS[2] {
            time("bin-packing", "first-fit-decreasing", &|| {
                bin_packing(&lengths, OneDAlgorithm::FirstFitDecreasing)
            });
            time("bin-packing", "best-fit-decreasing", &|| {
                bin_packing(&lengths, OneDAlgorithm::BestFitDecreasing)
            });
        }
    }
    lines
}

/// So many sequences, as long as those of Wikipedia, in a random order.
fn sample(items: usize) -> Vec<u32> {
    let all = crate::set(Preset::FIRST.id);
    let every = all.items() as f64 / items as f64;
    let (mut lengths, mut seen) = (Vec::with_capacity(items), 0);
    for &([length], count) in all.entries() {
        seen += count;
        let wanted = (seen as f64 / every).round() as usize;
        lengths.resize(wanted.max(lengths.len()), length);
    }
    let mut random = Random::seeded(1);
    (1..lengths.len())
        .rev()
        .for_each(|i| lengths.swap(i, random.below(i as u64 + 1) as usize));
    lengths
}

/// From the list to the pack of every sequence.
fn ours(lengths: &[u32], algorithm: Algorithm) -> usize {
    let mut counts = vec![0u64; LIMIT as usize + 1];
    lengths
        .iter()
        .for_each(|length| counts[*length as usize] += 1);
    let counts = counts
        .iter()
        .zip(0..)
        .filter(|(count, _)| **count > 0)
        .map(|(count, length)| (length, *count));
    let settings = Settings {
        limit: LIMIT,
        algorithm,
        ..Settings::default()
    };
    let report = run_on(
        &Histogram::from_lengths(counts).unwrap(),
        &settings,
        u32::MAX,
        &mut go_on,
    )
    .unwrap();
    let mut assigner = Assigner::new(&Document::of_sequences(&report, "").unwrap(), None).unwrap();
    let mut packs = Vec::with_capacity(lengths.len());
    for length in lengths {
        assigner
            .place([*length], &mut |placed| packs.push(placed.pack))
            .unwrap();
    }
    assigner.finish().unwrap();
    1 + *packs.iter().max().unwrap() as usize
}

fn seqpacker(lengths: &[usize], strategy: &str) -> usize {
    let strategy = PackStrategy::from_short_name(strategy).unwrap();
    Packer::new(LIMIT as usize)
        .with_strategy(strategy)
        .pack_lengths(lengths)
        .unwrap()
        .packs
        .len()
}

fn bin_packing(lengths: &[u32], algorithm: OneDAlgorithm) -> usize {
    let demand = |(i, length): (usize, &u32)| CutDemand1D {
        name: i.to_string(),
        length: *length,
        quantity: 1,
    };
    let stock = Stock1D {
        name: String::new(),
        length: LIMIT,
        kerf: 0,
        trim: 0,
        cost: 1.0,
        available: None,
    };
    let problem = OneDProblem {
        stock: vec![stock],
        demands: lengths.iter().enumerate().map(demand).collect(),
    };
    solve_1d(
        problem,
        OneDOptions {
            algorithm,
            ..OneDOptions::default()
        },
    )
    .unwrap()
    .stock_count
}
