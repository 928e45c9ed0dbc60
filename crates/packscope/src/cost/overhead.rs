//! The cost of keeping the items of a pack apart: masks, position ids, loss per item.

use crate::accepts::number;
use crate::error::{Error, Result};
use crate::names::as_text;

/// Extra time per step, relative to the same step without it.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Overhead {
    /// Measured on the Graphcore IPU for BERT: Krell et al. 2022, *Efficient Sequence Packing without
    /// Cross-contamination*, Table 1.
    Ipu,
    /// None: a kernel that never computes attention between items. Estimates of packs under a mask then use the rate of
    /// the accelerator's masked kernel.
    #[default]
    Free,
    /// A custom figure, at least 0 (0.05: 5 % longer).
    Own(f64),
}

/// (depth, measured overhead). Linear between two depths, constant beyond the last.
// The fifth column of the table; there in per cent.
const IPU: [(u64, f64); 6] = [
    (1, 0.0),
    (2, 0.04283),
    (3, 0.04287),
    (4, 0.04294),
    (8, 0.04481),
    (16, 0.04477),
];

impl Overhead {
    /// Returns the overhead of packs with at most `depth` items; 0 with one item a pack. Measured values are
    /// interpolated linearly between depths, and constant beyond the last.
    pub fn at_depth(self, depth: u64) -> f64 {
        match self {
            // First of all, because a pack of one item needs no mask whatever the overhead.
            _ if depth <= 1 => 0.0,
            Self::Free => 0.0,
            Self::Own(share) => share,
            Self::Ipu => measured(depth),
        }
    }
}

fn measured(depth: u64) -> f64 {
    IPU.windows(2)
        .find(|pair| depth <= pair[1].0)
        .map_or(IPU[IPU.len() - 1].1, |pair| {
            let ((d0, o0), (d1, o1)) = (pair[0], pair[1]);
            o0 + (o1 - o0) * (depth - d0) as f64 / (d1 - d0) as f64
        })
}

impl std::fmt::Display for Overhead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ipu => f.write_str("ipu"),
            Self::Free => f.write_str("free"),
            Self::Own(share) => share.fmt(f),
        }
    }
}

as_text! { Overhead }

/// The largest accepted overhead: beyond a hundred times the work, comparisons are meaningless.
const MOST: f64 = 100.0;

impl std::str::FromStr for Overhead {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        let own = || number(s).filter(|o| (0.0..=MOST).contains(o));
        match s {
            "ipu" => Ok(Self::Ipu),
            "free" => Ok(Self::Free),
            _ => own().map(Self::Own).ok_or_else(|| Error::UnknownName {
                kind: "overhead",
                name: s.to_owned(),
                expected: "ipu, free, or a share from 0 to 100 such as 0.05".to_owned(),
            }),
        }
    }
}
