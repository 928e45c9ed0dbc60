//! What a token weighs.

use super::{Reader, figure};
use packscope::rng::Random;
use packscope_page::learn::data::pairs;
use packscope_page::state::learn::Prediction;

/// Puts a list in the order of an epoch.
fn shuffled<T>(mut list: Vec<T>, random: &mut Random) -> Vec<T> {
    for at in (1..list.len()).rev() {
        list.swap(at, random.below(at as u64 + 1) as usize);
    }
    list
}

/// Best-fit decreasing, row by row: the supervised tokens of each row.
fn rows(of: Vec<[u32; 2]>) -> Vec<u32> {
    let mut of: Vec<[u32; 2]> = of.into_iter().map(|[p, r]| [p + r, r]).collect();
    of.sort_by_key(|[tokens, _]| std::cmp::Reverse(*tokens));
    let mut rows: Vec<[u32; 2]> = Vec::new();
    for [tokens, supervised] in of {
        let fits = (0..rows.len()).filter(|at| rows[*at][0] >= tokens);
        let at = fits
            .min_by_key(|at| (rows[*at][0], *at))
            .unwrap_or_else(|| {
                rows.push([8192, 0]);
                rows.len() - 1
            });
        rows[at] = [rows[at][0] - tokens, rows[at][1] + supervised];
    }
    rows.into_iter().map(|[_, supervised]| supervised).collect()
}

/// The fullest micro-batch of the median step by the emptiest.
pub fn ratio(of_row: usize, of_step: usize, packed: bool) -> f64 {
    let mut random = Random::seeded(0);
    let items = shuffled(pairs(), &mut random);
    let supervised = if packed {
        let rows = rows(items);
        shuffled(rows, &mut random)
    } else {
        items.into_iter().map(|[_, response]| response).collect()
    };
    let batches: Vec<u32> = supervised
        .chunks(of_row)
        .map(|batch| batch.iter().sum())
        .collect();
    let mut ratios: Vec<f64> = batches
        .chunks_exact(of_step)
        .map(|step| f64::from(*step.iter().max().unwrap()) / f64::from(*step.iter().min().unwrap()))
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len().div_ceil(2) - 1]
}

#[test]
fn weights_are_those_of_the_micro_batches() {
    let mut reader = Reader::opens("weights");
    reader.predicts("packed-tokens", Some(Prediction::Skipped));
    for packed in [0, 1] {
        reader.moves("packed", &[packed]);
        for (rows, accumulation) in [(0, 2), (1, 3), (2, 1)] {
            reader.moves("rows", &[rows]);
            reader.moves("accumulation", &[accumulation]);
            let found = figure(&reader.sees(), "ratio").unwrap();
            let known = ratio(1 << rows, 2 << accumulation, packed == 1);
            assert!(
                (found - known).abs() < 1e-9,
                "{packed} {rows} {accumulation}: {found} {known}"
            );
            assert_eq!(figure(&reader.sees(), "ratio_micro_batch"), Some(found));
        }
    }
    reader.moves("mean", &[2]);
    assert_eq!(reader.sees().finding, "In each step all tokens weigh alike");
}

#[test]
fn larger_micro_batches_are_more_alike() {
    let mut reader = Reader::opens("weights");
    assert!(!reader.sees().is_done());
    // Another mean, and other updates, are no answer.
    reader.moves("mean", &[2]);
    assert!(!reader.sees().is_done());
    reader.moves("mean", &[0]);
    reader.moves("rows", &[4]);
    assert!(!reader.sees().is_done());
    reader.moves("accumulation", &[0]);
    assert!(
        reader.sees().almost().contains("half as many rows"),
        "{:?}",
        reader.sees().conditions
    );
    reader.moves("rows", &[3]);
    reader.moves("accumulation", &[1]);
    assert!(reader.sees().is_done(), "{:?}", reader.sees().conditions);
    reader.moves("rows", &[2]);
    reader.moves("accumulation", &[2]);
    assert!(!reader.sees().is_done());
}
