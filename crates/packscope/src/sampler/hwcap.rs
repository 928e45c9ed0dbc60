//! HWCap: the most rows of a length that fit on an accelerator.
//!
//! Source: Nagarajan, Raghunathan 2023, *TokenDrop + BucketSampler*, §2.2: a cap for each bucket, found by profiling.
//! The default is the table in their code (Roberta-base, RTX 2080 Ti with 11 GB), whose last rows differ from the
//! paper's (50, not 64: Table 6). The paper says that memory grows with the square of the length, but in its own table
//! slots fall from 12,625 to 5,000 and rise again to 6,500: memory is nearly proportional to the length.

use crate::accepts::number;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Rows of the table in the code of the paper: one for every 5 tokens.
const PUBLISHED: [u32; 26] = [
    2525, 1250, 800, 575, 450, 350, 300, 250, 225, 175, 150, 125, 125, 125, 100, 100, 75, 75, 75,
    50, 50, 50, 50, 50, 50, 50,
];
/// Tokens between two rows of that table, and the default width of buckets.
const WIDTH: u32 = 5;

/// The largest batch as a function of its longest item.
///
/// The default is the table in the code of Nagarajan and Raghunathan 2023, *TokenDrop + BucketSampler*: RoBERTa base on
/// an RTX 2080 Ti of 11 GB, measured up to 130 tokens, and 6,500 slots beyond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum HwCap {
    /// (largest length of the row, items), ascending; beyond the last row the number of slots stays constant.
    Table(Vec<(u32, u32)>),
    /// A model of the memory of a row.
    Memory(MemoryModel),
}

/// Memory as a function of the length L of a row: `linear · L + quadratic · L²` bytes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MemoryModel {
    /// Bytes for each token of a row.
    pub linear: f64,
    /// Bytes for each pair of tokens of a row.
    pub quadratic: f64,
    /// Bytes free for a batch.
    pub bytes: f64,
}

impl Default for HwCap {
    fn default() -> Self {
        Self::Table((1..).map(|i| i * WIDTH).zip(PUBLISHED).collect())
    }
}

impl HwCap {
    /// Returns the most items of this length in a batch, at least 1. O(log rows).
    pub fn batch_at(&self, length: u32) -> u32 {
        match self {
            Self::Table(rows) => {
                let row = rows.partition_point(|(longest, _)| *longest < length);
                let beyond = || {
                    let (longest, cap) = rows.last().copied().unwrap_or((1, 1));
                    (u64::from(longest) * u64::from(cap) / u64::from(length.max(1))) as u32
                };
                rows.get(row).map_or_else(beyond, |(_, cap)| *cap).max(1)
            }
            Self::Memory(m) => {
                let length = f64::from(length.max(1));
                // A cast from float saturates; at least 1 row, however large the model.
                ((m.bytes / (m.linear * length + m.quadratic * length * length)) as u32).max(1)
            }
        }
    }

    /// Checks the values.
    ///
    /// # Errors
    /// [`Error::HwCap`] when lengths do not ascend, caps grow with the length or are 0, or bytes are not valid amounts.
    pub fn check(&self) -> Result<()> {
        let wrong = match self {
            Self::Table(rows) => {
                let pairs = || rows.iter().zip(rows.iter().skip(1));
                if rows.is_empty() {
                    Some("it has no row")
                } else if rows[0].0 == 0 || pairs().any(|(a, b)| a.0 >= b.0) {
                    Some("lengths must ascend from 1")
                } else if rows.iter().any(|(_, cap)| *cap == 0) {
                    Some("a batch has at least one row")
                } else if pairs().any(|(a, b)| a.1 < b.1) {
                    Some("a batch of longer rows cannot be larger")
                } else {
                    None
                }
            }
            Self::Memory(m) => {
                let amount = |x: f64| x.is_finite() && x >= 0.0;
                let given = [m.linear, m.quadratic, m.bytes].into_iter().all(amount);
                (!given || m.bytes == 0.0 || m.linear + m.quadratic == 0.0)
                    .then_some("bytes must be numbers above 0")
            }
        };
        wrong.map_or(Ok(()), |wrong| Err(Error::HwCap { wrong }))
    }
}

/// Written as `5:2525,10:1250,…`, or `memory:LINEAR,QUADRATIC,BYTES`.
impl std::fmt::Display for HwCap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Table(rows) => {
                let rows: Vec<String> = rows
                    .iter()
                    .map(|(length, cap)| format!("{length}:{cap}"))
                    .collect();
                f.write_str(&rows.join(","))
            }
            Self::Memory(m) => write!(f, "memory:{},{},{}", m.linear, m.quadratic, m.bytes),
        }
    }
}

/// Parses the displayed form, and tables of two columns: (largest length, items) on each line, with or without a
/// header.
impl std::str::FromStr for HwCap {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        const EXPECTED: Error = Error::HwCap {
            wrong: "it cannot be read",
        };
        // Tables of some programs begin with a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        let numbers = |text: &str| -> Option<Vec<f64>> {
            text.split(',').map(|n| number(n.trim())).collect()
        };
        let cap = if let Some(memory) = text.trim().strip_prefix("memory:") {
            match numbers(memory).as_deref() {
                Some(&[linear, quadratic, bytes]) => Self::Memory(MemoryModel {
                    linear,
                    quadratic,
                    bytes,
                }),
                _ => return Err(EXPECTED),
            }
        } else {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let rows = if text.contains(':') {
                lines
                    .flat_map(|line| line.split(','))
                    .map(|row| pair(row, ':'))
                    .collect::<Option<_>>()
            } else {
                // A number with a sign is refused, not silently skipped as a header.
                let is_head = |line: &&str| {
                    line.starts_with(|c: char| c.is_alphabetic() || "\"#_".contains(c))
                };
                let skip = usize::from(lines.clone().next().as_ref().is_some_and(is_head));
                lines.skip(skip).map(|line| pair(line, ',')).collect()
            };
            Self::Table(rows.ok_or(EXPECTED)?)
        };
        cap.check()?;
        Ok(cap)
    }
}

fn pair(text: &str, separator: char) -> Option<(u32, u32)> {
    let (length, cap) = text.split_once(separator)?;
    Some((length.trim().parse().ok()?, cap.trim().parse().ok()?))
}

/// A range of lengths, and its largest batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapBucket {
    /// The longest length in it.
    pub longest: u32,
    /// The most items in a batch.
    pub cap: u32,
}

/// A division of lengths: the triplets (shortest, longest, HWCap) of TokenDrop + BucketSampler, upper edges included.
///
/// The paper writes half-open buckets up to 128, which exclude sequences of exactly 128 tokens (314 of 2,490 in RTE);
/// here every length has a bucket.
#[derive(Debug, Clone, PartialEq)]
pub struct Buckets {
    hwcap: HwCap,
    /// Lengths in a bucket; `None` for buckets that follow the rows of the table.
    width: Option<u32>,
    limit: u32,
}

impl Buckets {
    /// Creates buckets for lengths up to the limit: `width` tokens wide, or one per row of the table, or 5 tokens wide
    /// for [`HwCap::Memory`].
    pub fn new(hwcap: HwCap, width: Option<u32>, limit: u32) -> Self {
        Self {
            hwcap,
            width: width.map(|w| w.max(1)),
            limit,
        }
    }

    /// Returns the bucket of a length. O(log rows).
    pub fn bucket_of(&self, length: u32) -> CapBucket {
        self.ending(self.edge(length))
    }

    /// Returns the bucket of a length if upper edges belong to the next bucket (tf.data): `longest` is then excluded.
    pub fn half_open(&self, length: u32) -> CapBucket {
        self.ending(self.edge(length.saturating_add(1)))
    }

    fn ending(&self, edge: u32) -> CapBucket {
        CapBucket {
            longest: edge,
            // No item is longer than the limit, so that the last bucket counts as no wider.
            cap: self.hwcap.batch_at(edge.min(self.limit)),
        }
    }

    /// Returns the first upper edge that is not below the length.
    fn edge(&self, length: u32) -> u32 {
        let multiple = |from: u32, width: u32| {
            // `from` is 0, or the last row of the table, which is below the length.
            let steps = (length - from).div_ceil(width);
            u64::from(from) + u64::from(steps) * u64::from(width)
        };
        let edge = match (&self.hwcap, self.width) {
            (_, Some(width)) => multiple(0, width),
            (HwCap::Memory(_), None) => multiple(0, WIDTH),
            (HwCap::Table(rows), None) => {
                let row = rows.partition_point(|(longest, _)| *longest < length);
                let last = |back: usize| {
                    rows.iter()
                        .rev()
                        .nth(back)
                        .map_or(0, |(longest, _)| *longest)
                };
                // Beyond the table, buckets go on as wide as its last row.
                rows.get(row).map_or_else(
                    || multiple(last(0), (last(0) - last(1)).max(1)),
                    |(longest, _)| u64::from(*longest),
                )
            }
        };
        u32::try_from(edge).unwrap_or(u32::MAX)
    }
}
