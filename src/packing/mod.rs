//! Packing algorithms for one component, all on the histogram. One algorithm, one file.

mod best_fit_decreasing;
mod first_fit_decreasing;
mod lpfhp;
mod none;
mod open;
mod spfhp;

use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::plan::Plan;

/// How many items may share a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Depth {
    /// At most this many; never 0.
    AtMost(u32),
    /// No limit but the pack's capacity.
    Unlimited,
}

impl Depth {
    /// The limit as a number; `u32::MAX` stands for unlimited (no pack can hold more items of size ≥ 1).
    pub fn get(self) -> u32 {
        match self {
            Self::AtMost(d) => d,
            Self::Unlimited => u32::MAX,
        }
    }
}

impl std::str::FromStr for Depth {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        if s == "unlimited" {
            return Ok(Self::Unlimited);
        }
        match s.parse() {
            Ok(0) => Err(Error::ZeroDepth),
            Ok(d) => Ok(Self::AtMost(d)),
            Err(_) => Err(Error::UnknownName {
                kind: "depth",
                name: s.to_owned(),
                expected: "1, 2, 3, …, unlimited".to_owned(),
            }),
        }
    }
}

/// The packing algorithms for one component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    /// One item a pack: the baseline.
    None,
    /// First-fit decreasing.
    FirstFitDecreasing,
    /// Best-fit decreasing.
    BestFitDecreasing,
    /// Shortest-pack-first histogram packing, as published.
    Spfhp,
    /// Longest-pack-first histogram packing, as published.
    Lpfhp,
}

impl Algorithm {
    /// Every algorithm; property tests run over all of them.
    pub const ALL: [Self; 5] =
        [Self::Lpfhp, Self::BestFitDecreasing, Self::FirstFitDecreasing, Self::Spfhp, Self::None];

    /// The name on the command line, in the URL and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::FirstFitDecreasing => "first-fit-decreasing",
            Self::BestFitDecreasing => "best-fit-decreasing",
            Self::Spfhp => "spfhp",
            Self::Lpfhp => "lpfhp",
        }
    }

    /// Packs the histogram into rows of `limit` slots with at most `depth` items each.
    ///
    /// # Errors
    /// [`Error::ZeroLimit`], [`Error::ZeroDepth`], and [`Error::Overlong`] when an item is longer than
    /// the limit: apply [`Histogram::fit`] first.
    pub fn pack(self, histogram: &Histogram<1>, limit: u32, depth: Depth) -> Result<Plan<1>> {
        if limit == 0 {
            return Err(Error::ZeroLimit);
        }
        if depth == Depth::AtMost(0) {
            return Err(Error::ZeroDepth);
        }
        let [largest] = histogram.max();
        if largest > limit {
            let items = histogram.entries().iter().filter(|([l], _)| *l > limit).map(|(_, n)| n).sum();
            return Err(Error::Overlong { items, largest, limit });
        }
        let strategies = match self {
            Self::None => none::pack(histogram),
            Self::FirstFitDecreasing => first_fit_decreasing::pack(histogram, limit, depth.get()),
            Self::BestFitDecreasing => best_fit_decreasing::pack(histogram, limit, depth.get()),
            Self::Spfhp => spfhp::pack(histogram, limit, depth.get()),
            Self::Lpfhp => lpfhp::pack(histogram, limit, depth.get()),
        };
        let plan = Plan::new([limit], strategies);
        plan.validate(histogram, Some(u64::from(depth.get())))?;
        Ok(plan)
    }
}

impl std::str::FromStr for Algorithm {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|a| a.name() == s).ok_or_else(|| Error::UnknownName {
            kind: "algorithm",
            name: s.to_owned(),
            expected: Self::ALL.map(Self::name).join(", "),
        })
    }
}
