//! The names people read.

use packscope::packing::tuple::{Algorithm, Heuristic};
use packscope::state::graphs::{Row, Words};
use packscope::words::capital;

/// The name of an algorithm.
pub fn long_name(algorithm: Algorithm, words: &Words) -> String {
    let name = match algorithm {
        Algorithm::Optimal => "Optimal",
        Algorithm::Search => "Search",
        Algorithm::BestFit => "Best fit",
        Algorithm::FirstFit => "First fit",
        Algorithm::BestFitPublished => "Best fit, as published",
        Algorithm::NodesOnly => return capital(&format!("{} only", words.short(0))),
        Algorithm::EdgesOnly => return capital(&format!("{} only", words.short(1))),
        Algorithm::None => "None",
    };
    name.to_owned()
}

/// What it does, in a line.
pub fn about(algorithm: Algorithm, words: &Words) -> String {
    let free = |k: usize| format!("{} have no limit", capital(&words.components[k]));
    let about = match algorithm {
        Algorithm::Optimal => "The fewest packs, with a bound",
        Algorithm::Search => "Many heuristics, and average target",
        Algorithm::BestFit => "Largest first, into the tightest pack",
        Algorithm::FirstFit => "Largest first, into the loosest pack",
        Algorithm::BestFitPublished => "Tuple packing, Krell et al. 2022",
        Algorithm::NodesOnly => return free(1),
        Algorithm::EdgesOnly => return free(0),
        Algorithm::None => return format!("One {} per row", words.item),
    };
    about.to_owned()
}

/// The name of a heuristic.
pub fn short_name(heuristic: Heuristic, words: &Words) -> String {
    match heuristic {
        Heuristic::Component(k @ 0..=1) => words.short(usize::from(k)).to_owned(),
        Heuristic::Weighted([a, b, _]) => format!("weighted {a} : {b}"),
        other => other.to_string(),
    }
}

/// What a heuristic takes for large.
pub fn of_heuristic(heuristic: Heuristic, words: &Words) -> String {
    let [first, second] = [words.short(0), words.short(1)];
    match heuristic {
        Heuristic::Product => format!("{first} × {second}"),
        Heuristic::Sum => format!("{first} + {second}"),
        Heuristic::Maximum => "the larger of both".to_owned(),
        Heuristic::Minimum => "the smaller of both".to_owned(),
        Heuristic::Component(0) => format!("most {} first", words.components[0]),
        Heuristic::Component(_) => format!("most {} first", words.components[1]),
        Heuristic::Weighted([a, b, _]) => format!("{a} × {first} + {b} × {second}"),
        Heuristic::Shares => format!("{first} and {second} as shares of their limits"),
        Heuristic::LargestShare => "the larger of these shares".to_owned(),
        Heuristic::Squares => "these shares squared".to_owned(),
    }
}

/// The name of a row.
pub fn of_row(row: Row, words: &Words) -> String {
    let name = long_name(row.algorithm, words);
    match row.heuristic {
        Some(heuristic) => format!("{name}, {}", short_name(heuristic, words)),
        None => name,
    }
}
