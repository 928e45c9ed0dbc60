//! How good every algorithm is on every built-in set: a table in the tree, so that a change shows in review.

use crate::common::built_in;
use packscope::api::{self, Settings};
use packscope::histogram::Preset;
use packscope::packing::{Algorithm, Depth, go_on};
use std::fmt::Write;

/// Packs of these stand in the table; `none` is the number of items, `greedy` depends on the seed, and
/// `sort` makes no packs.
const ALGORITHMS: [Algorithm; 5] = [
    Algorithm::AverageTarget,
    Algorithm::Lpfhp,
    Algorithm::BestFitDecreasing,
    Algorithm::FirstFitDecreasing,
    Algorithm::Spfhp,
];

fn table() -> String {
    let mut text =
        "# set limit depth | bound kind | packs of each algorithm | gap of the best, percent\n".to_owned();
    for preset in Preset::ALL {
        let histogram = built_in(preset.id);
        for depth in [2, 3, 4, 8].map(Depth::AtMost).into_iter().chain([Depth::Unlimited]) {
            let settings = Settings { limit: preset.limit, ..Settings::default() };
            let points = ALGORITHMS.map(|a| (a, depth));
            let mut all = Vec::new();
            api::compare(&histogram, &settings, &points, &mut go_on, &mut |_, _, figures| all.push(figures))
                .unwrap();
            let kind = serde_json::to_string(&all[0].bound_kind).unwrap();
            write!(text, "{} {} {depth} | ", preset.id, preset.limit).unwrap();
            write!(text, "{} {} |", all[0].lower_bound.unwrap(), kind.trim_matches('"')).unwrap();
            for (algorithm, figures) in ALGORITHMS.iter().zip(&all) {
                write!(text, " {algorithm} {}", figures.packs).unwrap();
            }
            let gap = all.iter().filter_map(|f| f.gap).fold(f64::INFINITY, f64::min);
            writeln!(text, " | {:.3}", gap * 100.0).unwrap();
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
