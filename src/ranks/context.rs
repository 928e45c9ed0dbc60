//! Context parallelism: a sequence that is too long for a rank is shared by several.

use serde::{Deserialize, Serialize};

/// Context parallelism in three ways, on the same steps. Work of a sequence on `n` ranks is its work ÷ n on each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Context {
    /// One size for all sequences, the one that the longest needs.
    pub fixed: Shared,
    /// One size for each sequence: the next power of two of its length ÷ most tokens of a rank.
    pub each: Shared,
    /// One size for each, any whole number: what rounding to powers of two costs is the difference.
    pub exact: Shared,
    /// The sizes of [`each`](Self::each): ranks, share of the sequences, share of the work.
    pub sizes: Vec<(u32, f64, f64)>,
}

/// A way to share sequences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Shared {
    /// The largest number of ranks that share a sequence.
    pub ranks: u32,
    /// Time of a step ÷ mean work of a rank in it, without communication.
    pub factor: f64,
    /// Communication ÷ computation of the mean rank, from a fast link within a node to a network between nodes: see
    /// [`LINKS`].
    pub communication: [f64; 2],
}

/// Operations per second of a rank, and bytes per second of its links, for communication: an H100 at 40 % of its dense
/// peak at 16 bits, NVLink (450 GB/s each way) and a network of 400 Gb/s. Assumptions: no part of the exchange is hidden
/// behind computation.
pub const LINKS: (f64, [f64; 2]) = (0.4 * 989e12, [450e9, 50e9]);
