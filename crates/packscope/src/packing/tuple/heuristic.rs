//! Heuristics that turn a size of several components into a priority.

use super::measure::Measure;
use crate::accepts::number;
use crate::error::{Error, Result};
use crate::histogram::Size;
use crate::names::as_text;
use serde::{Deserialize, Serialize};

/// The most components a heuristic can weigh.
pub const MAX_COMPONENTS: usize = 3;

/// The priority of a size; larger ones are placed earlier.
///
/// Source: Krell et al. 2022, *Tuple Packing*, §2.3. The public code computes its "minimum" as the maximum; here
/// it is the minimum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Heuristic {
    /// The product of the components.
    Product,
    /// Their sum.
    Sum,
    /// The largest component.
    Maximum,
    /// The smallest component.
    Minimum,
    /// One component, from 0.
    Component(u8),
    /// A weighted sum; weights are finite, at least 0, and not all 0.
    Weighted([f64; MAX_COMPONENTS]),
    /// The sum of the components as shares of their limits: for limits of different magnitude.
    Shares,
    /// The largest of these shares, which counts only the component that is scarce in this item or space.
    LargestShare,
    /// The sum of the squares of these shares: between the two.
    Squares,
}

impl Heuristic {
    /// The heuristics of the paper.
    pub const PUBLISHED: [Self; 6] = [
        Self::Product,
        Self::Sum,
        Self::Maximum,
        Self::Minimum,
        Self::Component(0),
        Self::Component(1),
    ];

    /// The heuristics without parameters, the published ones first: the rows of tables.
    pub const ALL: [Self; 9] = [
        Self::Product,
        Self::Sum,
        Self::Maximum,
        Self::Minimum,
        Self::Component(0),
        Self::Component(1),
        Self::Shares,
        Self::LargestShare,
        Self::Squares,
    ];

    /// The names of [`ALL`](Self::ALL), in the same order.
    pub const NAMES: [&'static str; 9] = [
        "product",
        "sum",
        "maximum",
        "minimum",
        "nodes",
        "edges",
        "shares",
        "largest-share",
        "squares",
    ];

    /// Returns a short name, with `{first}` and `{second}` for the names of the components.
    pub fn short_name(self) -> String {
        match self {
            Self::Component(0) => "{first}".to_owned(),
            Self::Component(1) => "{second}".to_owned(),
            Self::Weighted([a, b, _]) => format!("weighted {a} : {b}"),
            other => other.to_string(),
        }
    }

    /// Returns a description of the measure, with `{first}`, `{second}`, `{nodes}` and `{edges}` for the names of the
    /// components.
    pub fn about(self) -> String {
        let about = match self {
            Self::Product => "{first} × {second}",
            Self::Sum => "{first} + {second}",
            Self::Maximum => "the larger of both",
            Self::Minimum => "the smaller of both",
            Self::Component(0) => "most {nodes} first",
            Self::Component(_) => "most {edges} first",
            Self::Weighted([a, b, _]) => return format!("{a} × {{first}} + {b} × {{second}}"),
            Self::Shares => "{first} and {second} as shares of their limits",
            Self::LargestShare => "the larger of these shares",
            Self::Squares => "these shares squared",
        };
        about.to_owned()
    }

    /// Whether it is a weighted sum.
    pub fn is_weighted(&self) -> bool {
        matches!(self, Self::Weighted(_))
    }

    /// Returns the priority of a size under given limits. Components without a limit do not count, unless the heuristic
    /// names one. Exact for whole-number heuristics below 2⁵³; never NaN.
    pub fn value<const K: usize>(self, size: &Size<K>, limits: &Size<K>) -> f64 {
        Measure::new(self, limits).value(size)
    }
}

impl std::fmt::Display for Heuristic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            // A third weight of 0 is not written, so that weights of two components read as they
            // were typed.
            Self::Weighted([a, b, 0.0]) => write!(f, "weighted:{a}:{b}"),
            Self::Weighted([a, b, c]) => write!(f, "weighted:{a}:{b}:{c}"),
            // The first two components have names of their own.
            Self::Component(k @ 2..) => write!(f, "component:{}", k + 1),
            named => {
                let at = Self::ALL.iter().position(|heuristic| heuristic == named);
                f.write_str(at.map_or("", |at| Self::NAMES[at]))
            }
        }
    }
}

as_text! { Heuristic }

impl std::str::FromStr for Heuristic {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        let named = Self::NAMES
            .iter()
            .position(|name| *name == s)
            .map(|at| Self::ALL[at]);
        named
            .or_else(|| component(s))
            .or_else(|| weighted(s))
            .ok_or_else(|| Error::UnknownName {
                kind: "heuristic",
                name: s.to_owned(),
                expected: Self::NAMES.join(", ") + ", component:3, weighted:A:B with A, B ≥ 0",
            })
    }
}

fn component(s: &str) -> Option<Heuristic> {
    let k: u8 = s.strip_prefix("component:")?.parse().ok()?;
    (1..=MAX_COMPONENTS as u8)
        .contains(&k)
        .then(|| Heuristic::Component(k - 1))
}

fn weighted(s: &str) -> Option<Heuristic> {
    let mut weights = [0.0; MAX_COMPONENTS];
    let mut given = 0;
    for part in s.strip_prefix("weighted:")?.split(':') {
        *weights.get_mut(given)? = number(part).filter(|w| w.is_finite() && *w >= 0.0)?;
        given += 1;
    }
    // A single weight would be a single component.
    (given > 1 && weights.iter().any(|w| *w > 0.0)).then_some(Heuristic::Weighted(weights))
}
