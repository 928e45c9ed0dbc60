//! An account of all sequences of a pass: trained, truncated or left out.

use crate::trainer::cost::{PassCost, unpacked};
use crate::trainer::tally::share;
use serde::{Deserialize, Serialize};

/// Batches of one pass over the data. All tokens are accounted for: `real_tokens` + `truncated_tokens` +
/// `dropped_tokens` are the tokens of the data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplerTally {
    /// Batches that are trained.
    pub batches: u64,
    /// Sequences in these batches.
    pub sequences: u64,
    /// Slots of the batches: the number of sequences of each times its longest.
    pub slots: u64,
    /// Tokens that are trained.
    pub real_tokens: u64,
    /// Tokens cut off truncated sequences.
    pub truncated_tokens: u64,
    /// Sequences that are truncated.
    pub truncated_sequences: u64,
    /// Tokens of sequences that are left out.
    pub dropped_tokens: u64,
    /// Sequences that are left out.
    pub dropped_sequences: u64,
    /// The fewest and the most sequences in a batch.
    pub size: (u64, u64),
    /// Slots of the largest batch.
    pub largest_slots: u64,
    /// Batches larger than their maximum size.
    pub above: u64,
}

impl SamplerTally {
    /// Returns the tokens of the data.
    pub fn tokens(&self) -> u64 {
        self.real_tokens + self.truncated_tokens + self.dropped_tokens
    }

    /// Returns this account of a sample of `n` sequences, scaled to `of` sequences.
    pub fn scaled(&self, of: u64, n: u64) -> Self {
        let scale = |count: u64| {
            let scaled = u128::from(count) * u128::from(of) / u128::from(n.max(1));
            u64::try_from(scaled).unwrap_or(u64::MAX)
        };
        Self {
            batches: scale(self.batches),
            sequences: scale(self.sequences),
            slots: scale(self.slots),
            real_tokens: scale(self.real_tokens),
            truncated_tokens: scale(self.truncated_tokens),
            truncated_sequences: scale(self.truncated_sequences),
            dropped_tokens: scale(self.dropped_tokens),
            dropped_sequences: scale(self.dropped_sequences),
            above: scale(self.above),
            // The fewest, the most and the largest do not grow with the number of batches.
            ..self.clone()
        }
    }

    /// Returns the cost of the batches.
    pub fn cost(&self) -> PassCost {
        let lost = self.truncated_tokens + self.dropped_tokens;
        unpacked(
            lost,
            self.tokens(),
            share(self.slots, self.real_tokens),
            self.batches,
        )
    }

    /// Returns the share of the slots without a token.
    pub fn padding_share(&self) -> f64 {
        if self.slots == 0 {
            0.0
        } else {
            (self.slots - self.real_tokens) as f64 / self.slots as f64
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct OpenBatch {
    pub sequences: u64,
    pub longest: u32,
    pub tokens: u64,
    /// The lengths, where batches are listed.
    lengths: Option<Vec<u32>>,
}

impl OpenBatch {
    /// Adds `times` sequences of a length.
    pub fn add(&mut self, length: u32, times: u32) {
        self.sequences += u64::from(times);
        self.longest = self.longest.max(length);
        self.tokens += u64::from(length) * u64::from(times);
        if let Some(lengths) = &mut self.lengths {
            lengths.extend((0..times).map(|_| length));
        }
    }

    /// Moves the contents of another batch into this one.
    pub fn take(&mut self, other: &mut Self) {
        self.sequences += std::mem::take(&mut other.sequences);
        self.longest = self.longest.max(std::mem::take(&mut other.longest));
        self.tokens += std::mem::take(&mut other.tokens);
        if let (Some(lengths), Some(others)) = (&mut self.lengths, &mut other.lengths) {
            lengths.append(others);
        }
    }

    /// Returns the slots after adding `more` sequences of a length.
    pub fn slots_with(&self, more: u64, length: u32) -> u64 {
        (self.sequences + more) * u64::from(self.longest.max(length))
    }
}

/// Batches as they are made.
pub(super) struct SamplerBatchBuilder {
    tally: SamplerTally,
    slots: Option<u64>,
    listed: Option<Vec<Vec<u32>>>,
}

impl SamplerBatchBuilder {
    pub fn new(slots: Option<u64>, list: bool) -> Self {
        Self {
            tally: SamplerTally::default(),
            slots,
            listed: list.then(Vec::new),
        }
    }

    pub fn open(&self) -> OpenBatch {
        OpenBatch {
            lengths: self.listed.is_some().then(Vec::new),
            ..OpenBatch::default()
        }
    }

    /// Counts `times` sequences, each truncated by `tokens` tokens.
    pub fn truncated(&mut self, tokens: u32, times: u64) {
        self.tally.truncated_tokens += u64::from(tokens) * times;
        self.tally.truncated_sequences += if tokens > 0 { times } else { 0 };
    }

    /// Counts a batch and empties it, unless it is empty already.
    pub fn close(&mut self, open: &mut OpenBatch) {
        let open = std::mem::replace(open, self.open());
        if open.sequences == 0 {
            return;
        }
        let tally = &mut self.tally;
        let slots = open.slots_with(0, 0);
        // The first batch: 0 would stay the fewest.
        tally.size.0 = if tally.batches == 0 {
            open.sequences
        } else {
            tally.size.0.min(open.sequences)
        };
        tally.size.1 = tally.size.1.max(open.sequences);
        tally.batches += 1;
        tally.sequences += open.sequences;
        tally.slots += slots;
        tally.real_tokens += open.tokens;
        tally.largest_slots = tally.largest_slots.max(slots);
        tally.above += u64::from(self.slots.is_some_and(|most| slots > most));
        if let (Some(listed), Some(lengths)) = (&mut self.listed, open.lengths) {
            listed.push(lengths);
        }
    }

    /// Counts the sequences of a batch as left out.
    pub fn drop(&mut self, open: &OpenBatch) {
        // Its slots are not counted: no batch is computed.
        self.tally.dropped_sequences += open.sequences;
        self.tally.dropped_tokens += open.tokens;
    }

    /// Returns the account, and the batches that were listed.
    pub fn finish(self) -> (SamplerTally, Vec<Vec<u32>>) {
        (self.tally, self.listed.unwrap_or_default())
    }
}
