//! Packs of graphs, and of other items of several components.

use crate::make::{byte, counts, depth, others, overhead, overlong, pick, size};
use crate::sequences::{STEPS, figures, refused};
use arbitrary::Unstructured;
use packscope::api::fields;
use packscope::api::tuple::{Report, Settings, TupleRequest};
use packscope::api::{Problem, TupleItems, run};
use packscope::error::Result;
use packscope::histogram::{FREE, Histogram, Overlong, Size};
use packscope::packing::tuple::{Heuristic, TupleAlgorithm};
use packscope::packing::{Depth, go_on};
use std::collections::BTreeMap;

/// A request of one to three components: as with sequences.
pub fn graphs(bytes: &[u8]) {
    let mut u = Unstructured::new(bytes);
    match byte(&mut u) % 8 {
        0 => of::<1>(&mut u),
        1 => of::<3>(&mut u),
        _ => of::<2>(&mut u),
    }
}

/// How graphs are packed.
pub fn settings<const K: usize>(u: &mut Unstructured<'_>) -> Settings {
    let weights = [byte(u), byte(u), byte(u)].map(f64::from);
    let heuristic = match byte(u) % 11 {
        9 => Heuristic::Component(2),
        10 if weights.iter().any(|w| *w > 0.0) => Heuristic::Weighted(weights),
        i => Heuristic::ALL[usize::from(i) % 9],
    };
    let limit = |u: &mut Unstructured<'_>| match byte(u) {
        255 => 0,
        254 => FREE,
        _ => size(u),
    };
    let by_hand = [
        "nodes",
        "edges",
        "depth",
        "algorithm",
        "heuristic",
        "overlong",
        "overhead",
    ];
    #[allow(clippy::needless_update, reason = "there are no others yet")]
    Settings {
        algorithm: pick(u, &TupleAlgorithm::ALL),
        limits: (0..K).map(|_| limit(u)).collect(),
        depth: if byte(u) == 0 {
            Depth::AtMost(256)
        } else {
            depth(u)
        },
        heuristic,
        overlong: overlong(u),
        overhead: overhead(u),
        ..others(u, fields::graphs::VALUES, &by_hand)
    }
}

fn of<const K: usize>(u: &mut Unstructured<'_>) {
    let settings = settings::<K>(u);
    let mut counts = counts::<K>(u, u64::MAX);
    // Best fit with many heuristics is of the order of the square of the sizes.
    counts.truncate(300);
    let report = answer(&counts, &settings);
    assert_eq!(report, answer(&counts, &settings), "the same request twice");
    match report {
        Ok(report) => judge(&counts, &report),
        Err(error) => refused(&error),
    }
}

fn answer<const K: usize>(counts: &[(Size<K>, u64)], settings: &Settings) -> Result<Report> {
    let listed = u32::MAX;
    if settings.algorithm != TupleAlgorithm::Optimal {
        let counts = counts.iter().map(|(size, n)| (size.to_vec(), *n)).collect();
        return run(
            &TupleRequest {
                counts,
                settings: settings.clone(),
                listed,
            },
            &mut go_on,
        );
    }
    let histogram = Histogram::from_counts(counts.iter().copied())?;
    let prepared = TupleItems::prepare(&histogram, settings)?;
    let packed = prepared.pack(settings, listed, STEPS, &mut go_on)?;
    Ok(prepared.report(settings, packed, listed))
}

fn judge<const K: usize>(counts: &[(Size<K>, u64)], report: &Report) {
    let (s, f) = (&report.settings, &report.figures);
    let mut wanted: BTreeMap<Vec<u32>, u128> = BTreeMap::new();
    for (size, n) in counts.iter().filter(|(_, n)| *n > 0) {
        let fits = size
            .iter()
            .zip(&s.limits)
            .all(|(size, limit)| size <= limit);
        let size: Vec<u32> = match s.overlong {
            _ if fits => size.to_vec(),
            Overlong::Truncate => size
                .iter()
                .zip(&s.limits)
                .map(|(size, limit)| *size.min(limit))
                .collect(),
            // One component alone can be split: the pieces are counted by the engine.
            Overlong::Split => return figures(f),
            _ => continue,
        };
        *wanted.entry(size).or_default() += u128::from(*n);
    }
    let kept = match s.algorithm {
        TupleAlgorithm::NodesOnly => 0..1,
        TupleAlgorithm::EdgesOnly => (K - 1).min(1)..(K - 1).min(1) + 1,
        _ => 0..K,
    };
    let mut placed: BTreeMap<Vec<u32>, u128> = BTreeMap::new();
    let mut packs = 0u128;
    for shape in &report.strategies {
        for k in kept.clone().filter(|k| s.limits[*k] != FREE || K == 1) {
            let runs = shape.runs.iter();
            let used: u128 = runs
                .map(|(size, times)| u128::from(size[k]) * u128::from(*times))
                .sum();
            assert!(
                used <= u128::from(s.limits[k]),
                "{shape:?} in {:?}",
                s.limits
            );
        }
        let depth: u64 = shape.runs.iter().map(|(_, times)| u64::from(*times)).sum();
        assert!(
            depth <= u64::from(s.depth.get()) && shape.count > 0,
            "{shape:?}"
        );
        for (size, times) in &shape.runs {
            *placed.entry(size.clone()).or_default() +=
                u128::from(*times) * u128::from(shape.count);
        }
        packs += u128::from(shape.count);
    }
    assert_eq!(placed, wanted, "every item once");
    assert_eq!((packs, report.unlisted_packs), (u128::from(f.packs), 0));
    assert!(
        f.lower_bound
            .is_some_and(|bound| (1..=f.packs).contains(&bound)),
        "{f:?}"
    );
    figures(f);
}
