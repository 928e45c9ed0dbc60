//! The names of the methods.

use crate::names::names;
use serde::{Deserialize, Serialize};

/// A method to choose the limits to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SweepMethod {
    /// Every combination.
    Grid,
    /// All limits in proportion until one component is efficient; then the others are refined.
    Proportional,
    /// One component limited and the others free; then these are fixed at the sizes that they needed.
    Free,
    /// Derivative-free search.
    Search,
}

names! { SweepMethod, "sweep method";
    Grid: "grid", "Grid", "every combination of the limits, first a coarse picture, then a fine one";
    Proportional: "proportional", "Proportional", "all limits in proportion until one component is efficient, then the others one by one";
    Free: "free", "Free", "a limit for one component, the others fixed at what its packs need";
    Search: "search", "Search", "a search that looks closer where efficiency is high";
}
