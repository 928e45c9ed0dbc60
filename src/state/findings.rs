//! What is to be seen, in words computed from the data: the page's headline and the titles of its plots.

use super::AppState;
use crate::api::Report;
use crate::histogram::Histogram;
use crate::packing::{Algorithm, Depth};
use crate::words::{capital, count, percent};

/// Shares people have a word for; used within one percent point.
const WORDS: [(f64, &str); 9] = [
    (0.1, "A tenth"),
    (0.2, "A fifth"),
    (0.25, "A quarter"),
    (1.0 / 3.0, "A third"),
    (0.5, "Half"),
    (2.0 / 3.0, "Two thirds"),
    (0.75, "Three quarters"),
    (0.8, "Four fifths"),
    (0.9, "Nine tenths"),
];

/// "Half", "A third", or "62.4 %": a share as the beginning of a sentence.
pub fn share_in_words(share: f64) -> String {
    let near = WORDS.iter().find(|(s, _)| (share - s).abs() < 0.01);
    near.map_or_else(|| percent(share), |(_, word)| (*word).to_owned())
}

/// "one", "two" … "sixteen", then digits.
pub fn number_in_words(n: u64) -> String {
    const WORDS: [&str; 17] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
    ];
    WORDS.get(n as usize).map_or_else(|| count(n), |word| (*word).to_owned())
}

/// Title of the histogram: how many fill the row, and the median.
pub fn of_lengths(histogram: &Histogram<1>, limit: u32) -> String {
    let median = count(u64::from(histogram.quantile(0.5)));
    let from = histogram.entries().partition_point(|([l], _)| *l < limit);
    let full: u64 = histogram.entries()[from..].iter().map(|(_, n)| n).sum();
    let share = full as f64 / histogram.items() as f64;
    if share >= 0.01 {
        return format!(
            "{:.0} % of the sequences fill the row; half have {median} tokens or fewer",
            share * 100.0
        );
    }
    let room = f64::from(limit) / f64::from(histogram.quantile(0.5));
    if room >= 2.0 {
        format!("Half of the sequences have {median} tokens or fewer: a row has room for {room:.0} of them")
    } else {
        format!("Half of the sequences have {median} tokens or fewer, of {}", count(u64::from(limit)))
    }
}

/// Title of the packs: how many rows hold one, two, three sequences.
pub fn of_rows(report: &Report) -> String {
    let packs = report.figures.packs.max(1) as f64;
    let mut shares: Vec<(u64, f64)> =
        report.packs_by_depth.iter().map(|&(d, n)| (d, n as f64 / packs)).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    let Some(((depth, share), others)) = shares.split_first() else {
        return "No row yet".to_owned();
    };
    let sequences = if *depth == 1 { "sequence" } else { "sequences" };
    let mut title = format!("{} of the rows hold {} {sequences}", whole(*share), number_in_words(*depth));
    for (depth, share) in others.iter().filter(|(_, share)| *share >= 0.01).take(2) {
        title += &format!(", {} {}", whole(*share), number_in_words(*depth));
    }
    title
}

fn whole(share: f64) -> String {
    if share > 0.995 && share < 1.0 { "Over 99 %".to_owned() } else { format!("{:.0} %", share * 100.0) }
}

/// Title of the depth chart: the smallest depth that leaves hardly more padding than any number would.
pub fn of_depths(state: &AppState, algorithm: Algorithm) -> Option<String> {
    let padding = |depth| Some(state.point(algorithm, depth)?.figures.padding_share());
    let best = padding(Depth::Unlimited)?;
    let depths = state.depths();
    let enough = depths.iter().find(|d| padding(**d).is_some_and(|p| p <= best * 1.1 + 0.001))?;
    Some(match enough {
        Depth::AtMost(1) => "Packing gains nothing here".to_owned(),
        Depth::AtMost(d) => format!("{} per row is enough", capital(&number_in_words(u64::from(*d)))),
        Depth::Unlimited => "Every further sequence per row still helps".to_owned(),
    })
}

/// Title of the table: the best of the heuristics against the bound.
pub fn of_algorithms(state: &AppState) -> Option<String> {
    let depth = state.settings.depth;
    let rows = state.comparison.points.iter().filter(|((a, d), _)| *d == depth && a.fills_rows());
    let best = rows.min_by_key(|(_, p)| p.figures.packs)?.1;
    let bound = best.figures.lower_bound?;
    let left = percent(best.figures.padding_share());
    let at = match depth {
        Depth::AtMost(d) => format!("At depth {d}"),
        Depth::Unlimited => "At any depth".to_owned(),
    };
    Some(if best.figures.packs == bound {
        format!("{at} the best heuristic leaves {left} padding, and no plan can do better")
    } else {
        let slots = best.figures.slots[0] as f64 / best.figures.packs as f64 * bound as f64;
        let possible = percent((1.0 - best.figures.real_tokens[0] as f64 / slots).max(0.0));
        format!("{at} the best heuristic leaves {left} padding; the bound would allow {possible}")
    })
}
