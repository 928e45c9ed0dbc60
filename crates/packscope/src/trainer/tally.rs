//! An account of all tokens of a pass: trained, truncated or dropped.

use serde::{Deserialize, Serialize};

/// Rows and tokens of one pass over the data. All tokens are accounted for: `real_tokens` + `truncated_tokens` +
/// `dropped_tokens` are the tokens of the data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowTally {
    /// Rows that are trained, padded or not.
    pub rows: u64,
    /// Slots of these rows: tokens, with padding or unused room.
    pub slots: u64,
    /// Tokens that are trained.
    pub real_tokens: u64,
    /// Tokens cut off truncated sequences, whose beginning is trained.
    pub truncated_tokens: u64,
    /// Sequences of which a part was cut off and thrown away.
    pub truncated_sequences: u64,
    /// Tokens thrown away with whole sequences, or with rows that are left over.
    pub dropped_tokens: u64,
    /// Sequences of which nothing is trained.
    pub dropped_sequences: u64,
    /// Sequences that are trained in several pieces.
    pub cut_sequences: u64,
    /// Pieces of the cut sequences, at least two of each.
    pub pieces: u64,
    /// Tokens outside the first piece of a cut sequence, which do not see its beginning.
    pub cut_tokens: u64,
    /// The most sequences, or pieces, in a row.
    pub most: u64,
    /// Rows with more tokens than their capacity.
    // JSON of earlier versions lacks these two.
    #[serde(default)]
    pub exceeding_rows: u64,
    /// Tokens of the longest of these rows; 0 if there is none.
    #[serde(default)]
    pub longest_row: u32,
    /// Sum over the trained tokens of their context: the tokens of the same piece up to and including the token.
    #[serde(with = "wide")]
    pub context: u128,
}

impl RowTally {
    /// Returns the tokens of the data, which no step of a library changes: trained, truncated and
    /// dropped.
    pub fn tokens(&self) -> u64 {
        self.real_tokens + self.truncated_tokens + self.dropped_tokens
    }

    /// Returns the tokens that are not trained: cut off, or thrown away with their sequence.
    pub fn lost_tokens(&self) -> u64 {
        self.truncated_tokens + self.dropped_tokens
    }

    /// Returns this account of a sample of `n` sequences, scaled to `of` sequences.
    pub fn scaled(&self, of: u64, n: u64) -> Self {
        let scale = |count: u64| {
            let scaled = u128::from(count) * u128::from(of) / u128::from(n.max(1));
            u64::try_from(scaled).unwrap_or(u64::MAX)
        };
        Self {
            rows: scale(self.rows),
            slots: scale(self.slots),
            real_tokens: scale(self.real_tokens),
            truncated_tokens: scale(self.truncated_tokens),
            truncated_sequences: scale(self.truncated_sequences),
            dropped_tokens: scale(self.dropped_tokens),
            dropped_sequences: scale(self.dropped_sequences),
            cut_sequences: scale(self.cut_sequences),
            pieces: scale(self.pieces),
            cut_tokens: scale(self.cut_tokens),
            // Extremes do not grow with the number of sequences.
            most: self.most,
            exceeding_rows: scale(self.exceeding_rows),
            longest_row: self.longest_row,
            // In floats: the product can exceed 128 bits.
            context: (self.context as f64 * of as f64 / n.max(1) as f64) as u128,
        }
    }

    /// Returns the share of the slots without a token, whether they are computed or not.
    pub fn unfilled_share(&self) -> f64 {
        share(self.slots.saturating_sub(self.real_tokens), self.slots)
    }

    /// Returns the mean number of tokens of its own sequence that a trained token sees, including itself.
    pub fn mean_context(&self) -> f64 {
        if self.real_tokens == 0 {
            0.0
        } else {
            self.context as f64 / self.real_tokens as f64
        }
    }

    /// Returns the mean number of pieces of a sequence that is cut; 0 where none is.
    pub fn mean_pieces(&self) -> f64 {
        share(self.pieces, self.cut_sequences)
    }
}

/// Returns the share of a part in a whole; 0 if the whole is 0.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// Returns the sum of 1 to `length`.
pub(super) fn triangle(length: u32) -> u128 {
    u128::from(length) * (u128::from(length) + 1) / 2
}

/// JSON has no whole numbers of 128 bits; the nearest float is enough for a mean.
mod wide {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(*value as f64)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        Ok(f64::deserialize(deserializer)? as u128)
    }
}

/// Rows as they are made.
#[derive(Debug, Default)]
pub(super) struct RowBuilder {
    /// The account so far.
    pub tally: RowTally,
    /// The rows as lists of lengths, if they are wanted.
    pub listed: Option<Vec<Vec<u32>>>,
    /// Tokens beyond the capacity, in rows that exceed it.
    pub excess: u64,
}

impl RowBuilder {
    /// Whether rows are listed, so that their contents must be kept.
    pub fn lists(&self) -> bool {
        self.listed.is_some()
    }

    /// Counts a row of `depth` items, without its slots.
    pub fn row(&mut self, depth: u32, items: impl FnOnce() -> Vec<u32>) {
        self.tally.rows += 1;
        self.tally.most = self.tally.most.max(u64::from(depth));
        if let Some(listed) = &mut self.listed {
            listed.push(items());
        }
    }

    /// Counts `times` rows, and the tokens by which they exceed their capacity, if they do.
    pub fn exceed(&mut self, used: u32, capacity: u32, times: u64) {
        if used > capacity {
            self.excess += u64::from(used - capacity) * times;
            self.tally.exceeding_rows += times;
            self.tally.longest_row = self.tally.longest_row.max(used);
        }
    }

    /// Counts a piece of a sequence as trained.
    pub fn trained(&mut self, length: u32, times: u64) {
        self.tally.real_tokens += u64::from(length) * times;
        self.tally.context += triangle(length) * u128::from(times);
    }

    /// Counts a whole sequence, so far counted as trained, as left over.
    pub fn left_over(&mut self, length: u32) {
        self.tally.real_tokens -= u64::from(length);
        self.tally.context -= triangle(length);
        self.tally.dropped_tokens += u64::from(length);
        self.tally.dropped_sequences += 1;
    }

    /// Counts `times` sequences that are not taken: too short, or after the last step. Empty ones do not count as dropped.
    pub fn left_out(&mut self, length: u32, times: u64) {
        self.tally.dropped_tokens += u64::from(length) * times;
        self.tally.dropped_sequences += times * u64::from(length > 0);
    }

    /// Keeps the first `kept` listed rows; the sequences of the others are left over.
    pub fn keep(&mut self, kept: u64) {
        // Every length in a row must be a whole sequence: no library that leaves rows out cuts any.
        // Slots are not taken back, as `Recipe::run` derives them from the rows that are left.
        let Some(listed) = &mut self.listed else {
            return;
        };
        let kept = usize::try_from(kept)
            .unwrap_or(usize::MAX)
            .min(listed.len());
        let rest = listed.split_off(kept);
        self.tally.rows -= rest.len() as u64;
        self.tally.most = listed.iter().map(|row| row.len() as u64).max().unwrap_or(0);
        rest.into_iter()
            .flatten()
            .for_each(|length| self.left_over(length));
    }

    /// Counts `times` sequences that are trained in several pieces.
    pub fn cut(&mut self, pieces: u64, not_first: u64, times: u64) {
        self.tally.cut_sequences += times;
        self.tally.pieces += pieces * times;
        self.tally.cut_tokens += not_first * times;
    }
}

impl RowTally {
    /// Whether a block has counted slots by itself, as where rows differ.
    pub(super) fn slots_known(&self) -> bool {
        self.slots > 0
    }
}
