//! How good every algorithm is on every built-in set: a table in the tree, so that a change shows in review.

use crate::common::built_in;
use packscope::api::{Prepared, Settings};
use packscope::error::Error;
use packscope::histogram::{Histogram, Preset};
use packscope::metrics::Figures;
use packscope::packing::{Algorithm, Depth, STEPS, go_on};
use std::fmt::Write;

/// Packs of these stand in the table; `none` is the number of items, `greedy` depends on the seed, and
/// `sort` makes no packs.
const ALGORITHMS: [Algorithm; 7] = [
    Algorithm::Optimal,
    Algorithm::Nnlshp,
    Algorithm::AverageTarget,
    Algorithm::Lpfhp,
    Algorithm::BestFitDecreasing,
    Algorithm::FirstFitDecreasing,
    Algorithm::Spfhp,
];

/// Figures of each, `None` where an algorithm refuses the limit.
fn row(histogram: &Histogram<1>, limit: u32, depth: Depth) -> Vec<Option<Figures>> {
    let settings = |algorithm| Settings { limit, depth, algorithm, ..Settings::default() };
    let prepared = Prepared::new(histogram, &settings(Algorithm::Optimal)).unwrap();
    let figures = |algorithm| {
        let settings = settings(algorithm);
        let packed = prepared.pack(&settings, 0, STEPS, &mut go_on);
        match packed {
            Err(Error::TooManyStrategies { .. }) => None,
            packed => Some(prepared.figures(&settings, &packed.unwrap())),
        }
    };
    ALGORITHMS.map(figures).into()
}

fn table() -> String {
    let mut text =
        "# set limit depth | bound kind | packs of each algorithm | gap of the optimum, packs\n".to_owned();
    for preset in Preset::ALL {
        let histogram = built_in(preset.id);
        for depth in [2, 3, 4, 8].map(Depth::AtMost).into_iter().chain([Depth::Unlimited]) {
            let all = row(&histogram, preset.limit(), depth);
            let best = all[0].as_ref().unwrap();
            let bound = best.bound().unwrap();
            write!(
                text,
                "{} {} {depth} | {} {} |",
                preset.id,
                preset.limit(),
                bound.packs,
                bound.kind.name()
            )
            .unwrap();
            for (algorithm, figures) in ALGORITHMS.iter().zip(&all) {
                let packs = figures.as_ref().map_or_else(|| "–".to_owned(), |f| f.packs.to_string());
                write!(text, " {algorithm} {packs}").unwrap();
            }
            writeln!(text, " | {}", best.packs - bound.packs).unwrap();
            // Whatever another algorithm finds, the optimum is no worse.
            assert!(all.iter().flatten().all(|f| best.packs <= f.packs), "{} {depth}", preset.id);
        }
    }
    text
}

#[test]
fn quality_is_as_recorded() {
    let (found, recorded) = (table(), include_str!("../data/quality.snap"));
    let changed = found.lines().zip(recorded.lines()).find(|(a, b)| a != b);
    if found != recorded {
        let file = std::env::temp_dir().join("quality.snap");
        std::fs::write(&file, &found).unwrap();
        panic!("first change: {changed:?}; if it is meant, take over {}", file.display());
    }
}
