//! The names of the methods.

use crate::error::{Error, Result, named};
use serde::{Deserialize, Serialize};

/// How limits are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Every combination.
    Grid,
    /// All limits in proportion until one component is efficient, then the others refined.
    Proportional,
    /// One component limited and the others free, then these fixed at what was needed.
    Free,
    /// Derivative-free search.
    Search,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 4] = [Self::Grid, Self::Proportional, Self::Free, Self::Search];

    /// The name on the command line, in the URL and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Proportional => "proportional",
            Self::Free => "free",
            Self::Search => "search",
        }
    }

    /// What it does, in one line.
    pub fn about(self) -> &'static str {
        match self {
            Self::Grid => "every combination of the limits, first a coarse picture, then a fine one",
            Self::Proportional => {
                "all limits in proportion until one component is efficient, then the others one by one"
            }
            Self::Free => "a limit for one component, the others fixed at what its packs need",
            Self::Search => "a search that looks closer where efficiency is high",
        }
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Method {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        named("sweep method", s, &Self::ALL, Self::name)
    }
}
