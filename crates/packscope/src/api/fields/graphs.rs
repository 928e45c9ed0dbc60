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

// Split is missing: half a graph is no graph (`Overlong::UNSPLIT`).
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
    NODES {
        id: "nodes",
        option: "limits",
        name: "Limit of {nodes}",
        label: "{Node} limit",
        unit: "{nodes}",
        accepts: Whole(1, LARGEST),
        always: true,
        about: "Slots of a pack for the first component.",
        place: [get |s| limit(s, 0).to_string(), put |s, text| put_limit(s, 0, text)],
        words: |s| count(limit(s, 0).into()),
    }
    EDGES {
        id: "edges",
        option: "limits",
        name: "Limit of {edges}",
        label: "{Edge} limit",
        unit: "{edges}",
        accepts: Whole(1, LARGEST),
        always: true,
        about: "Slots of a pack for the second component.",
        place: [get |s| limit(s, 1).to_string(), put |s, text| put_limit(s, 1, text)],
        words: |s| count(limit(s, 1).into()),
    }
    DEPTH {
        id: "depth",
        option: "depth",
        name: "Depth",
        label: "{Items} per pack",
        unit: "{items}",
        accepts: DEPTHS,
        always: true,
        about: "At most this many {items} share a row.",
        place: [depth],
        words: |s| depth(s.depth),
    }
    ALGORITHM {
        id: "algorithm",
        option: "algorithm",
        name: "Algorithm",
        label: "Algorithm",
        unit: "",
        accepts: Names(&TupleAlgorithm::NAMES),
        always: true,
        about: "How {items} are packed.",
        place: [algorithm],
        words: |s| s.algorithm.long_name().to_owned(),
    }
    HEURISTIC {
        id: "heuristic",
        option: "heuristic",
        name: "Heuristic",
        label: "Heuristic: what is large",
        unit: "",
        accepts: NamesOr(&Heuristic::NAMES, "component:3, weighted:A:B"),
        always: true,
        about: "Which number of a size decides.",
        place: [heuristic],
        words: |s| if s.algorithm.has_heuristic() { s.heuristic.to_string() } else { "–".to_owned() },
    }
    OVERLONG {
        id: "overlong",
        option: "overlong",
        name: "Above a limit",
        label: "{Items} above a limit",
        unit: "",
        accepts: Names(&POLICIES),
        always: false,
        about: "What is done with {items} above a limit.",
        place: [overlong],
    }
    OVERHEAD {
        id: "overhead",
        option: "overhead",
        name: "Overhead",
        label: "Overhead per step, %",
        unit: "",
        accepts: OVERHEADS,
        always: false,
        about: "Cost of keeping packed {items} apart, measured on an IPU, none, or a share of a step.",
        place: [overhead],
        words: |s| overhead(s.overhead),
    }
}
