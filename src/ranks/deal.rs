//! Dealing: which rank of a step gets which unit of work.

use crate::names::names;
use serde::{Deserialize, Serialize};

/// A way to deal the units of a step to ranks. Deterministic: ties go by the position of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dealing {
    /// As they come: each rank takes its number of consecutive units.
    #[default]
    AsDrawn,
    /// Sorted, then dealt forwards and backwards in turn.
    Snake,
    /// The heaviest first, each to the rank with the least work (LPT).
    Greedy,
    /// The largest differencing method for any number of units of a rank.
    KarmarkarKarp,
    /// The largest differencing method with the same number of units for each rank.
    EqualSize,
    /// Sorted, then dealt so that ranks have units of like weight at the same time.
    Groups,
}

names! { Dealing, "dealing";
    AsDrawn: "as-drawn", "as they come", "As they come", "Consecutive units, unsorted", "the baseline";
    Snake: "snake", "back and forth", "Back and forth", "Sorted, dealt forwards and backwards in turn", "the usual draft order";
    Greedy: "greedy", "heaviest first", "Heaviest first (LPT)", "The heaviest first, to the rank with the least work", "Graham 1969, Bounds on multiprocessing timing anomalies";
    KarmarkarKarp: "karmarkar-karp", "Karmarkar–Karp", "Karmarkar–Karp", "Largest differences cancelled; ranks differ in number", "Karmarkar and Karp 1982; verl, karmarkar_karp";
    EqualSize: "equal-size", "Karmarkar–Karp of equal size", "Karmarkar–Karp, equal size", "The same with as many for each rank", "Michiels et al. 2003, balanced largest differencing; verl, equal_size=True";
    Groups: "groups", "sorting into groups", "Sorted into groups", "Units of like weight at the same time", "folklore; group_by_length of Transformers";
}
