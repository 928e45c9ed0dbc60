//! The names people read.

use packscope::packing::tuple::{Algorithm, Heuristic};
use packscope::state::graphs::Row;

/// The name of an algorithm.
pub fn long_name(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Optimal => "Optimal",
        Algorithm::Search => "Search",
        Algorithm::BestFit => "Best fit",
        Algorithm::FirstFit => "First fit",
        Algorithm::BestFitPublished => "Best fit, as published",
        Algorithm::NodesOnly => "Nodes only",
        Algorithm::EdgesOnly => "Edges only",
        Algorithm::None => "None",
    }
}

/// What it does, in a line.
pub fn about(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Optimal => "The fewest packs, with a bound",
        Algorithm::Search => "Many heuristics, and average target",
        Algorithm::BestFit => "Largest first, into the tightest pack",
        Algorithm::FirstFit => "Largest first, into the loosest pack",
        Algorithm::BestFitPublished => "Tuple packing, Krell et al. 2022",
        Algorithm::NodesOnly => "Edges have no limit",
        Algorithm::EdgesOnly => "Nodes have no limit",
        Algorithm::None => "One graph per row",
    }
}

/// What a heuristic takes for large.
pub fn of_heuristic(heuristic: Heuristic) -> &'static str {
    match heuristic {
        Heuristic::Product => "nodes × edges",
        Heuristic::Sum => "nodes + edges",
        Heuristic::Maximum => "the larger of both",
        Heuristic::Minimum => "the smaller of both",
        Heuristic::Component(0) => "most nodes first",
        Heuristic::Component(_) => "most edges first",
        Heuristic::Weighted(_) => "a weighted sum",
        Heuristic::Shares => "nodes and edges as shares of their limits",
        Heuristic::LargestShare => "the larger of these shares",
        Heuristic::Squares => "these shares squared",
    }
}

/// The name of a row.
pub fn of_row(row: Row) -> String {
    let name = long_name(row.algorithm);
    row.heuristic.map_or_else(|| name.to_owned(), |h| format!("{name}, {h}"))
}
