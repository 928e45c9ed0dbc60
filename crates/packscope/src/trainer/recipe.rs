//! A library as a block and its parameters.

use crate::histogram::Overlong;
use crate::words::{count, plural};
use serde::{Deserialize, Serialize};

/// How a library packs: the block, and the steps before and after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// The algorithm that makes rows of sequences, with its own parameters.
    pub block: Block,
    /// Slots in a row, tokens.
    pub capacity: u32,
    /// The shortest sequence that is taken, tokens: others are dropped.
    pub least: u32,
    /// The longest sequence that is taken, tokens: the rest follows `overlong`. Above the capacity where the block
    /// cuts, or where rows can exceed it.
    pub longest: u32,
    /// The policy for sequences above `longest`.
    pub overlong: Overlong,
    /// Tokens by which each sequence is shorter in its row, for inputs that end before the last label.
    pub shift: u32,
    /// Each sequence takes a multiple of this many slots, but never more than the row.
    pub align: u32,
    /// The sequences that are packed together.
    pub window: Window,
    /// The most sequences in a row.
    pub cap: u32,
    /// Slots of a row that are never filled, beside its capacity.
    pub spare: u32,
    /// Whether rows are padded to the capacity; if not, unused room costs nothing but makes steps uneven.
    pub padded: bool,
    /// Rows that a device takes in a step.
    pub step: DeviceStep,
    /// Whether the last step of a pass is left out where it is not full: its sequences, or its rows.
    pub whole_steps: bool,
    /// Trial orders that are packed first: rows beyond the fewest of these trials are not trained.
    pub trials: u32,
}

impl Recipe {
    /// Creates a recipe with rows of `limit` slots: truncating, in one window, without a cap or alignment, padded.
    pub fn new(block: Block, limit: u32) -> Self {
        Self {
            block,
            capacity: limit,
            least: 1,
            longest: limit,
            overlong: Overlong::Truncate,
            shift: 0,
            align: 1,
            window: Window::Whole,
            cap: u32::MAX,
            spare: 0,
            padded: true,
            step: DeviceStep::Asked,
            whole_steps: false,
            trials: 0,
        }
    }

    /// Creates the same for a block that cuts: no sequence is too long.
    pub fn cutting(block: Block, limit: u32) -> Self {
        Self {
            longest: u32::MAX,
            ..Self::new(block, limit)
        }
    }

    /// Creates the same where a sequence above the limit is trained whole, in a row that exceeds it.
    pub fn exceeding(block: Block, limit: u32) -> Self {
        Self {
            padded: false,
            ..Self::cutting(block, limit)
        }
    }

    /// Whether rows can have more tokens than their capacity.
    pub fn exceeds(&self) -> bool {
        // Blocks that cut have no longest: `cutting` sets it to the largest number.
        self.longest > self.capacity && !self.block.cuts()
    }

    /// Whether rows do not depend on the order of arrival.
    pub fn order_free(&self) -> bool {
        let alone = matches!(
            self.block,
            // In larger batches the longest of a batch pads the others, and the order makes the
            // batches.
            Block::Alone { batch: 1, .. } | Block::Flat | Block::Padded
        );
        // Sorting removes the order within a window; which sequences share a window is left to it.
        let any = self.window == Window::Whole && self.block.sorts()
            || alone
            || matches!(self.block, Block::Pieces { .. });
        // Which ones come last, and are left out, is decided by the order.
        any && !self.whole_steps
    }

    /// Returns the batch that a pass must fill for its last part to be trained, in words; `None` if all of it is.
    pub fn whole_batch(&self) -> Option<String> {
        let of = |rows: u32| {
            format!(
                "{} of {} tokens",
                plural(u64::from(rows), "row"),
                count(u64::from(self.capacity))
            )
        };
        match (self.block, self.step) {
            // ModernBERT ends a pass at the first batch of which a row is empty, whatever waits.
            (Block::Buffer { rows, .. }, _) => Some(of(rows)),
            (_, DeviceStep::Items(items)) if self.whole_steps => {
                Some(plural(u64::from(items), "sequence"))
            }
            (_, DeviceStep::Rows(rows)) if self.whole_steps => Some(of(rows)),
            _ => None,
        }
    }
}

/// Rows that a device takes in a step, before gradients are accumulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeviceStep {
    /// The number of rows in the request: the library has no such setting.
    Asked,
    /// This many rows, whatever is in them.
    Rows(u32),
    /// The rows of this many sequences.
    Items(u32),
}

/// The sequences that are packed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Window {
    /// All sequences at once.
    Whole,
    /// This many at a time, not counting dropped sequences.
    Items(u64),
    /// This many at a time in the order of arrival, counting dropped sequences.
    Arrivals(u64),
    /// This many pieces at a time, after longer sequences have been split.
    Pieces(u64),
}

/// Which open row takes a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fit {
    /// The first with room, in the order in which rows were opened.
    First,
    /// The fullest with room; of equals, the first.
    Best,
}

/// Policies for the last row where it is not full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Last {
    /// It is trained, padded or shorter than others.
    Kept,
    /// It is thrown away, with the tokens in it.
    Dropped,
}

/// The algorithms that libraries are built of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Block {
    /// No packing: one sequence a row, padded to the longest of a batch in the order of arrival.
    Alone {
        /// Sequences in a batch, of which the longest pads the others.
        batch: u32,
        /// A batch is padded to a multiple of so many slots.
        multiple: u32,
    },
    /// No packing and no padding: each sequence takes its own length.
    Flat,
    /// No packing: one sequence a row, padded to its end.
    Padded,
    /// The sequences of a window in ascending order, a micro-batch of them in a row: padded to the longest, as many as
    /// the capacity holds.
    Sorted {
        /// A micro-batch is padded to a multiple of so many slots.
        multiple: u32,
        /// But to no more than the longest of the window, padded to this multiple.
        width: u32,
    },
    /// One row is open; a sequence that does not fit closes it.
    NextFit,
    /// In the order of arrival, into the first row with room.
    FirstFit,
    /// Longest first, into the first row with room: the same rows as filling one after the other with the longest that
    /// fits.
    FirstFitDecreasing,
    /// Longest first, into the fullest row with room.
    BestFitDecreasing {
        /// Whether the last row of a window goes on in the next.
        carried: bool,
    },
    /// Longest first, into the emptiest row, if it has room.
    LeastLoaded {
        /// Whether the last row of a window goes on in the next.
        carried: bool,
    },
    /// Longest first, into the row with the fewest sequences that has room.
    FewestItems {
        /// Whether parts that are balanced by Karmarkar and Karp come first, as few as could hold the tokens; longest first
        /// remains where one of them does not keep to the capacity.
        differencing: bool,
    },
    /// Modified first-fit decreasing as NeMo RL has it.
    Mffd,
    /// Some rows are open; the first sequence that fits nowhere closes them all.
    OpenRows {
        /// Number of open rows.
        rows: u32,
        /// The rule by which one of them takes a sequence.
        fit: Fit,
    },
    /// Documents end to end, cut wherever a row ends.
    Concatenate {
        /// Policy for the last row of each window.
        last: Last,
        /// Whether a row needs the token after it, as the label of its last token.
        label: bool,
        /// Full rows at the end of each window that are thrown away.
        lost: u32,
    },
    /// Takes the longest sequence of a buffer that fits; if none fits, the shortest is cropped.
    Crop {
        /// The fewest sequences in the buffer while there are more to read.
        size: u32,
        /// Sequences that are read at a time.
        chunk: u32,
    },
    /// Takes the longest sequence of a buffer that fits; if none fits, the rest of the row stays empty.
    FromBuffer {
        /// Sequences in the buffer.
        size: u32,
    },
    /// Cuts each document into pieces of powers of two, longest first; shorter pieces are thrown away.
    Pieces {
        /// The shortest piece.
        least: u32,
    },
    /// A batch of sequences at a time into a fixed number of rows; rows left over wait for the next batch.
    Ratio {
        /// Rows of a batch.
        rows: u32,
        /// Sequences of a batch; `None`: the most for which nothing is left over in a trial.
        items: Option<u32>,
        /// The most rows that wait.
        leftover: u32,
    },
    /// Parts that are balanced by Karmarkar and Karp.
    KarmarkarKarp {
        /// Whether parts have equal work, and are added until all keep to the capacity; otherwise they have equal
        /// tokens, are as many as the rows of first fit, and can exceed the capacity.
        keeps: bool,
    },
    /// One row is open; a sequence that does not fit closes it, topped up with the shortest of the next ones.
    TopUp {
        /// Number of next sequences that are considered.
        ahead: u32,
    },
    /// A batch of rows takes sequences of a buffer by best fit; those that fit nowhere wait for the next batch.
    Buffer {
        /// Rows of a batch.
        rows: u32,
        /// The most sequences that wait.
        size: u32,
        /// Sequences that are read at a time.
        chunk: u32,
    },
}

impl Block {
    /// Whether the block sorts its input, so that the order within a window does not matter.
    pub fn sorts(self) -> bool {
        matches!(
            self,
            Self::FirstFitDecreasing
                | Self::BestFitDecreasing { .. }
                | Self::LeastLoaded { .. }
                | Self::Mffd
        )
    }

    /// Whether the block cuts sequences at the ends of rows, so that none is too long.
    pub fn cuts(self) -> bool {
        matches!(
            self,
            Self::Concatenate { .. } | Self::Crop { .. } | Self::Pieces { .. }
        )
    }

    /// Whether a window takes a time quadratic in its sequences.
    pub fn is_quadratic(self) -> bool {
        matches!(
            self,
            Self::Mffd | Self::KarmarkarKarp { .. } | Self::FewestItems { .. }
        )
    }

    /// Whether the block packs at all.
    pub fn packs(self) -> bool {
        !matches!(self, Self::Alone { .. } | Self::Flat | Self::Padded)
    }

    /// Returns the algorithm in words.
    pub fn words(self) -> String {
        match self {
            Self::Alone { batch, multiple: 1 } => {
                format!("no packing: padded to the longest of {batch}")
            }
            Self::Alone { batch: 1, multiple } => {
                format!("no packing: padded to a multiple of {multiple}")
            }
            Self::Alone { batch, multiple } => {
                format!(
                    "no packing: padded to the longest of {batch}, and to a multiple of {multiple}"
                )
            }
            Self::Flat => "no packing and no padding".to_owned(),
            Self::Padded => "no packing: padded to the limit".to_owned(),
            Self::Sorted { .. } => "sorted, padded to the longest of a micro-batch".to_owned(),
            Self::NextFit => "next fit: one open row".to_owned(),
            Self::FirstFit => "first fit in the order of arrival".to_owned(),
            Self::FirstFitDecreasing => "first-fit decreasing".to_owned(),
            Self::BestFitDecreasing { .. } => "best-fit decreasing".to_owned(),
            Self::LeastLoaded { .. } => "longest first, into the emptiest row".to_owned(),
            Self::FewestItems { differencing: true } => {
                "balanced parts (Karmarkar and Karp)".to_owned()
            }
            Self::FewestItems { .. } => "longest first, into the row with the fewest".to_owned(),
            Self::Mffd => "modified first-fit decreasing".to_owned(),
            Self::OpenRows { rows: 1, .. } => "next fit: one open row".to_owned(),
            Self::OpenRows {
                rows,
                fit: Fit::First,
            } => format!("first fit into {rows} open rows"),
            Self::OpenRows {
                rows,
                fit: Fit::Best,
            } => format!("best fit into {rows} open rows"),
            Self::Concatenate { .. } => "concatenate and cut".to_owned(),
            Self::Crop { size, .. } => {
                format!("best fit from a buffer of {size}, cropping where none fits")
            }
            Self::FromBuffer { size } => format!("best fit from a buffer of {size}"),
            Self::Pieces { .. } => "pieces of powers of two".to_owned(),
            Self::Ratio {
                rows,
                items: Some(items),
                ..
            } => format!("{items} sequences into {rows} rows"),
            Self::Ratio {
                rows, items: None, ..
            } => format!("as many sequences as fit into {rows} rows"),
            Self::KarmarkarKarp { .. } => "balanced parts (Karmarkar and Karp)".to_owned(),
            Self::TopUp { ahead } => {
                format!("next fit, topped up with the shortest of the next {ahead}")
            }
            Self::Buffer { size, .. } => format!("best fit from a buffer of {size}"),
        }
    }
}
