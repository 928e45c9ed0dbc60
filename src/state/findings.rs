//! Findings in words, computed from the data: the page's headline and the titles of its plots.

use super::{AppState, Baseline, PaddedBaseline};
use packscope::api::{Report, Settings};
use packscope::histogram::{Histogram, Overlong};
use packscope::order;
use packscope::packing::{Algorithm, Depth};
use packscope::words::{capital, count, percent, plural, singular_unit};

/// Shares with a word of their own; the word is used within one percentage point.
const WORDS: [(f64, &str); 9] = [
    (0.1, "a tenth"),
    (0.2, "a fifth"),
    (0.25, "a quarter"),
    (1.0 / 3.0, "a third"),
    (0.5, "half"),
    (2.0 / 3.0, "two thirds"),
    (0.75, "three quarters"),
    (0.8, "four fifths"),
    (0.9, "nine tenths"),
];

/// Returns a share as the beginning of a sentence: "Half", "A third", or "62.4 %".
pub fn share_in_words(share: f64) -> String {
    capital(&part_in_words(share))
}

/// Returns a share within a sentence: "half", "a third", or "62.4 %".
pub fn part_in_words(share: f64) -> String {
    // The shares of two words are more than two points apart, so that at most one is near.
    let near = WORDS.iter().find(|(s, _)| (share - s).abs() < 0.01);
    near.map_or_else(|| percent(share), |(_, word)| (*word).to_owned())
}

/// Returns the sentence about tokens, or other units, lost to the limit, with a space after it; empty if none are lost.
pub fn of_waste(report: &Report, unit: &str) -> String {
    let (lost, kept) = (
        report.figures.waste_tokens[0],
        report.figures.real_tokens[0],
    );
    let share = percent(lost as f64 / (lost as f64 + kept as f64));
    let limit = count(u64::from(report.settings.limit));
    match report.settings.overlong {
        _ if lost == 0 => String::new(),
        Overlong::Drop => {
            format!("{share} of the {unit} are dropped, in sequences above {limit}. ")
        }
        _ => format!("{share} of the {unit} are cut off at {limit}. "),
    }
}

/// Returns the beginning of the headline, up to the word "padding": names the baseline.
pub fn of_baseline(
    settings: &Settings,
    baseline: Baseline,
    padded: &PaddedBaseline,
    unit: &str,
) -> String {
    let share = part_in_words(padded.padding_share);
    match baseline {
        Baseline::Limit => {
            format!(
                "Padded to {}, {share} of every batch is ",
                plural(u64::from(settings.limit), singular_unit(unit))
            )
        }
        Baseline::Batches => {
            let batch = count(u64::from(settings.batch));
            format!(
                "In random batches of {batch}, padded to their longest, {share} of the slots are "
            )
        }
    }
}

pub fn of_other_baseline(settings: &Settings, other: Baseline, padded: &PaddedBaseline) -> String {
    let share = percent(padded.padding_share);
    match other {
        Baseline::Limit => format!("Padded to the limit it would be {share}."),
        Baseline::Batches => {
            let batch = count(u64::from(settings.batch));
            format!(
                "In random batches of {batch}, each padded to its longest, it would be {share}."
            )
        }
    }
}

/// Returns the subject and verb for the packed sequences: all of them, their pieces, or those that the limit leaves.
pub fn of_data(report: &Report, unit: &str) -> String {
    match report.overlong_items {
        _ if report.figures.waste_tokens[0] > 0 => "What is left takes".to_owned(),
        0 => "The same data takes".to_owned(),
        n => format!(
            "The same {unit}, {} split, take",
            plural(n, "longer sequence")
        ),
    }
}

/// Returns the sentence about the lower bound at this limit and depth, up to the figure.
pub fn of_optimum(settings: &Settings, unit: &str) -> String {
    let tokens = plural(u64::from(settings.limit), singular_unit(unit));
    match settings.depth {
        Depth::Unlimited => format!("No plan with rows of {tokens} can do better"),
        Depth::AtMost(1) => "No plan with one sequence a row can do better".to_owned(),
        Depth::AtMost(d) => {
            format!(
                "No plan with at most {} sequences in a row of {tokens} can do better",
                count(u64::from(d))
            )
        }
    }
}

/// Returns a number as a word up to "sixteen", then in digits.
pub fn number_in_words(n: u64) -> String {
    const WORDS: [&str; 17] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
    ];
    WORDS
        .get(n as usize)
        .map_or_else(|| count(n), |word| (*word).to_owned())
}

/// Returns the title of the histogram: the sequences that fill the row, and the median.
pub fn of_lengths(histogram: &Histogram<1>, limit: u32, unit: &str) -> String {
    let median = count(u64::from(histogram.quantile(0.5)));
    // Longer sequences are among them: cut to the limit, they fill the row too.
    let full = histogram.items() - histogram.items_within(limit.saturating_sub(1));
    let share = full as f64 / histogram.items() as f64;
    if share >= 0.01 {
        return format!(
            "{:.0} % of the sequences fill the row; half have {median} {unit} or fewer",
            share * 100.0
        );
    }
    let room = f64::from(limit) / f64::from(histogram.quantile(0.5));
    if room >= 2.0 {
        format!(
            "Half of the sequences have {median} {unit} or fewer: a row has room for {room:.0} of them"
        )
    } else {
        format!(
            "Half of the sequences have {median} {unit} or fewer, of {}",
            count(u64::from(limit))
        )
    }
}

/// Returns the title of the packs: the rows that hold one, two, three sequences.
pub fn of_rows(report: &Report) -> String {
    let packs = report.figures.packs.max(1) as f64;
    let mut shares: Vec<(u64, f64)> = report
        .packs_by_depth
        .iter()
        .map(|&(d, n)| (d, n as f64 / packs))
        .collect();
    // The depth of most rows comes first in the sentence.
    order::sort_by(&mut shares, |a, b| b.1.total_cmp(&a.1));
    let Some(((depth, share), others)) = shares.split_first() else {
        return "No row yet".to_owned();
    };
    let sequences = if *depth == 1 { "sequence" } else { "sequences" };
    let mut title = format!(
        "{} of the rows hold {} {sequences}",
        whole(*share),
        number_in_words(*depth)
    );
    for (depth, share) in others.iter().filter(|(_, share)| *share >= 0.01).take(2) {
        title += &format!(", {} {}", whole(*share), number_in_words(*depth));
    }
    title
}

pub fn whole(share: f64) -> String {
    // Rounded, this would say that none is left.
    if share > 0.995 && share < 1.0 {
        "Over 99 %".to_owned()
    } else {
        format!("{:.0} %", share * 100.0)
    }
}

/// Returns the title of the depth chart: the smallest depth with hardly more padding than unlimited depth.
pub fn of_depths(state: &AppState, algorithm: Algorithm) -> Option<String> {
    let padding = |depth| {
        Some(
            state
                .sequences
                .row((algorithm, depth))?
                .figures
                .padding_share(),
        )
    };
    let best = padding(Depth::Unlimited)?;
    let depths = state.sequences.depths();
    let enough = depths
        .iter()
        // A tenth more padding is hardly more, nor is a tenth of a percentage point where there is
        // almost none.
        .find(|d| padding(**d).is_some_and(|p| p <= best * 1.1 + 0.001))?;
    Some(match enough {
        Depth::AtMost(1) => "Packing gains nothing here".to_owned(),
        Depth::AtMost(d) => format!(
            "{} per row is enough",
            capital(&number_in_words(u64::from(*d)))
        ),
        Depth::Unlimited => "Every further sequence per row still helps".to_owned(),
    })
}

/// Returns the title of the table: the best heuristic against the optimum, or against the lower bound.
pub fn of_algorithms(state: &AppState) -> Option<String> {
    let depth = state.sequences.settings.depth;
    let rows = state.sequences.comparison.rows().iter();
    let rows =
        rows.filter(|r| r.row.1 == depth && r.row.0.fills_rows() && r.row.0 != Algorithm::Optimal);
    let best = rows.min_by_key(|row| row.figures.packs)?;
    let bound = best.figures.lower_bound?;
    let left = percent(best.figures.padding_share());
    let at = match depth {
        Depth::AtMost(d) => format!("At depth {d}"),
        Depth::Unlimited => "With no limit on depth".to_owned(),
    };
    let optimum = state
        .sequences
        .row((Algorithm::Optimal, depth))
        .map(|p| &p.figures);
    Some(match optimum {
        _ if best.figures.packs == bound => {
            format!("{at} the best heuristic leaves {left} padding, and no plan can do better")
        }
        Some(f) if f.packs == bound => {
            let possible = percent(f.padding_share());
            let other = match left == possible {
                true => format!("has {} rows more", count(best.figures.packs - f.packs)),
                false => left,
            };
            format!(
                "{at} the optimum, proven, leaves {possible} padding; the best heuristic {other}"
            )
        }
        _ => {
            // As many slots as the best heuristic has in each row, in as few rows as the bound
            // allows.
            let slots = best.figures.slots[0] as f64 / best.figures.packs as f64 * bound as f64;
            let possible = percent((1.0 - best.figures.real_tokens[0] as f64 / slots).max(0.0));
            format!(
                "{at} the best heuristic leaves {left} padding; the bound would allow {possible}"
            )
        }
    })
}

/// Returns the title of the strategies: the number of them that make up half of all rows.
pub fn of_strategies(report: &Report) -> String {
    let (packs, listed) = (report.figures.packs, report.strategies.len());
    let of = match report.figures.strategies {
        Some(all) => count(all),
        None => format!("more than {}", count(listed as u64)),
    };
    // Of shapes that are not listed it is not known whether they differ.
    let distinct = report.unlisted_packs == 0 && report.figures.strategies == Some(listed as u64);
    match carrying_half(report) {
        None if packs == 0 => "No row yet".to_owned(),
        _ if distinct && listed == 1 => "All rows have the same shape".to_owned(),
        _ if distinct && listed as u64 == packs => "No two rows have the same shape".to_owned(),
        Some((1, share)) => format!(
            "One of {of} row shapes carries {} of all rows",
            percent(share)
        ),
        Some((n, _)) => format!("{} of {of} row shapes carry half of all rows", count(n)),
        None => {
            let share = percent(1.0 - report.unlisted_packs as f64 / packs as f64);
            format!(
                "The {} row shapes in the list carry {share} of all rows",
                count(listed as u64)
            )
        }
    }
}

/// Returns the smallest number of strategies, most used first, with at least half of all packs, and their share of the
/// packs; `None` if the listed strategies have fewer.
pub fn carrying_half(report: &Report) -> Option<(u64, f64)> {
    let packs = report.figures.packs;
    let mut carried = 0;
    let n = report.strategies.iter().position(|shape| {
        carried += shape.count;
        // Half of no packs is 0, which no strategy is to carry.
        carried >= packs.div_ceil(2) && carried > 0
    })?;
    Some((n as u64 + 1, carried as f64 / packs as f64))
}

/// Returns a sentence about the strategies after the first `shown`, with their rows: "638 more shapes have 31.2 % of
/// all rows"; `None` where there are none.
pub fn of_other_strategies(report: &Report, shown: usize) -> Option<String> {
    let packs = report.figures.packs;
    let rest = packs
        - report
            .strategies
            .iter()
            .take(shown)
            .map(|s| s.count)
            .sum::<u64>();
    let share = percent(rest as f64 / packs.max(1) as f64);
    let listed = report.strategies.len().saturating_sub(shown) as u64;
    match report
        .figures
        .strategies
        .map(|all| all.saturating_sub(shown as u64))
    {
        _ if rest == 0 => None,
        Some(1) => Some(format!("One more shape has {share} of all rows.")),
        Some(more) => Some(format!(
            "{} more shapes have {share} of all rows.",
            count(more)
        )),
        None if listed == 0 => Some(format!(
            "Shapes that are not listed have {share} of all rows."
        )),
        None => Some(format!(
            "More than {} other shapes have {share} of all rows.",
            count(listed)
        )),
    }
}

/// The largest limit, and the maximum number of strategies, of a legible strategy matrix.
pub const MATRIX: (u32, usize) = (64, 90);

/// Returns the reason why the strategy matrix is not drawn; `None` where it is.
pub fn why_no_matrix(report: &Report) -> Option<String> {
    let (limit, strategies) = MATRIX;
    if !report.settings.algorithm.fills_rows() {
        Some("Sorting is not packing: there is no strategy matrix.".to_owned())
    } else if report.settings.limit > limit {
        Some(format!(
            "The strategy matrix is drawn for limits up to {limit}."
        ))
    } else if report.unlisted_packs > 0 || report.strategies.len() > strategies {
        Some(format!(
            "The strategy matrix is drawn for up to {strategies} shapes."
        ))
    } else {
        None
    }
}
