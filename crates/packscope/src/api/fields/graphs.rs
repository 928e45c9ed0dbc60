//! Settings of packing graphs and pairs. `{items}`, `{first}` … are placeholders for the names in the data.

use super::{
    Accepts, DEPTHS, MOST, OVERHEADS, SettingAccess, SettingField, depth, fields, overhead, put,
};
use crate::api::tuple::Settings;
use crate::histogram::Overlong;
use crate::packing::tuple::{Heuristic, TupleAlgorithm};
use crate::words::count;
use Accepts::{Names, NamesOr, Whole};

/// The largest limit: the largest number of 32 bits means no limit.
const LARGEST: u64 = MOST - 1;

/// The default algorithm for an immediate answer.
pub const QUICK: TupleAlgorithm = TupleAlgorithm::BestFit;

/// The names of [`Overlong::UNSPLIT`].
const POLICIES: [&str; 3] = [
    Overlong::Drop.name(),
    Overlong::Truncate.name(),
    Overlong::Reject.name(),
];

fn limit(s: &Settings, k: usize) -> u32 {
    s.limits.get(k).copied().unwrap_or(1)
}

fn put_limit(s: &mut Settings, k: usize, text: &str) -> bool {
    s.limits.get_mut(k).is_some_and(|limit| put(limit, text))
}

fields! { Settings;
    NODES: "nodes", "limits", "Limit of {nodes}", "{Node} limit", "{nodes}", Whole(1, LARGEST), true,
        "Slots of a pack for the first component.", [get |s| limit(s, 0).to_string(), put |s, text| put_limit(s, 0, text)], |s| count(limit(s, 0).into());
    EDGES: "edges", "limits", "Limit of {edges}", "{Edge} limit", "{edges}", Whole(1, LARGEST), true,
        "Slots of a pack for the second component.", [get |s| limit(s, 1).to_string(), put |s, text| put_limit(s, 1, text)], |s| count(limit(s, 1).into());
    DEPTH: "depth", "depth", "Depth", "{Items} per pack", "{items}", DEPTHS, true,
        "At most this many {items} share a row.", [depth], |s| depth(s.depth);
    ALGORITHM: "algorithm", "algorithm", "Algorithm", "Algorithm", "", Names(&TupleAlgorithm::NAMES), true,
        "How {items} are packed.", [algorithm], |s| s.algorithm.long_name().to_owned();
    HEURISTIC: "heuristic", "heuristic", "Heuristic", "Heuristic: what is large", "", NamesOr(&Heuristic::NAMES, "component:3, weighted:A:B"), true,
        "Which number of a size decides.", [heuristic], |s| if s.algorithm.has_heuristic() { s.heuristic.to_string() } else { "–".to_owned() };
    OVERLONG: "overlong", "overlong", "Above a limit", "{Items} above a limit", "", Names(&POLICIES), false,
        "What is done with {items} above a limit.", [overlong];
    OVERHEAD: "overhead", "overhead", "Overhead", "Overhead per step, %", "", OVERHEADS, false,
        "Cost of keeping packed {items} apart, measured on an IPU, none, or a share of a step.", [overhead], |s| overhead(s.overhead);
}
