//! Cost and losses of a pass: one definition for libraries of every kind, by which their settings are compared.

use super::recipe::{DeviceStep, Recipe};
use super::tally::{RowTally, share};
use serde::{Deserialize, Serialize};

/// The cost of one pass over the data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PassCost {
    /// Share of all tokens, or graphs, that is not trained: cut off, dropped, or left over at the end.
    pub lost_share: f64,
    /// Slots computed per trained token, or node and edge, with padding if the library pads; 0 if nothing is trained.
    pub slots: f64,
    /// Share of all tokens that is trained without the beginning of its sequence.
    pub cut_share: f64,
    /// Rows, or batches, of a pass.
    pub rows: u64,
    /// Steps of one device, at the library's batch size.
    pub steps: u64,
    /// Whether rows hold several sequences; `false` for batches.
    pub packs: bool,
}

// Without these, a change that is better only by rounding was advised, with nothing that it gains.
/// The smallest differences worth naming: in tokens, as a share of all; in slots per token; in rows.
const TOKENS: f64 = 0.0005;
const SLOTS: f64 = 0.005;
const ROWS: f64 = 0.1;

impl PassCost {
    /// Returns the share of all tokens that a change from `now` to this recovers; negative if it loses more.
    pub fn regained(&self, now: &Self) -> f64 {
        now.lost_share - self.lost_share
    }

    /// Returns the share of the slots per token that the change saves; negative if it takes more.
    pub fn saved(&self, now: &Self) -> f64 {
        if now.slots > 0.0 && self.slots > 0.0 {
            1.0 - self.slots / now.slots
        } else {
            0.0
        }
    }

    /// Returns the share of all tokens that the change cuts apart, beyond those that it recovers.
    fn torn(&self, now: &Self) -> f64 {
        (self.cut_share - now.cut_share - self.regained(now).max(0.0)).max(0.0)
    }

    /// Returns the value of the change: the tokens recovered and the slots saved, less half of the tokens cut apart.
    pub fn worth(&self, now: &Self) -> f64 {
        self.regained(now) + self.saved(now) - self.torn(now) / 2.0
    }

    /// Returns the share of the rows that packing saves, if nothing was packed or padded before.
    pub fn fuller(&self, now: &Self) -> Option<f64> {
        let fewer = 1.0 - share(self.rows, now.rows);
        let same = self.saved(now).abs() < SLOTS && self.torn(now) < TOKENS;
        // Fewer rows of the same slots are named only where a row was a sequence before: elsewhere
        // slots tell.
        (self.packs && !now.packs && fewer >= ROWS && same).then_some(fewer)
    }

    /// Whether more tokens are lost than is worth naming.
    pub fn loses(&self, now: &Self) -> bool {
        self.regained(now) <= -TOKENS
    }

    /// Whether enough tokens are recovered to be named.
    pub fn regains(&self, now: &Self) -> bool {
        self.regained(now) >= TOKENS
    }

    /// Whether enough slots are saved to be named.
    pub fn saves(&self, now: &Self) -> bool {
        self.saved(now) >= SLOTS
    }

    /// Whether more tokens are cut apart than before, enough to be named.
    pub fn tears(&self, now: &Self) -> bool {
        self.cut_share - now.cut_share >= SLOTS
    }

    /// Whether the change helps enough to be named, and loses no tokens for it.
    pub fn helps(&self, now: &Self) -> bool {
        let (regains, saves) = (self.regains(now), self.saves(now));
        let worth = self.worth(now) >= if regains { TOKENS } else { SLOTS };
        !self.loses(now) && ((regains || saves) && worth || self.fuller(now).is_some())
    }

    /// Returns a rank, lower for better changes: by value in thousandths, then by tokens cut apart in hundredths. Fewer
    /// rows of as many slots save steps alone, so that they count a tenth of tokens and slots.
    pub fn rank(&self, now: &Self) -> (i64, i64) {
        // With full weight, Axolotl, which drops more than half of the tokens of ShareGPT at 4,096,
        // was told to pack instead of to truncate.
        let worth = self.worth(now) + self.fuller(now).unwrap_or(0.0) / 10.0;
        (
            -(worth * 1000.0).round() as i64,
            (self.cut_share * 100.0).round() as i64,
        )
    }

    /// Returns the share of slots computed beyond a plan of `slots` slots per token; never less than 0.
    pub fn excess_over(&self, slots: f64) -> f64 {
        if slots > 0.0 {
            (self.slots / slots - 1.0).max(0.0)
        } else {
            0.0
        }
    }
}

/// Returns the cost of batches: nothing is packed, and nothing cut apart.
pub(super) fn unpacked(lost: u64, of: u64, slots: f64, batches: u64) -> PassCost {
    PassCost {
        lost_share: share(lost, of),
        slots,
        cut_share: 0.0,
        rows: batches,
        steps: batches,
        packs: false,
    }
}

impl Recipe {
    /// Returns the cost of a pass over `sequences` sequences. `asked` is the number of rows in a
    /// step, for libraries that have no setting for it.
    pub fn cost(&self, tally: &RowTally, sequences: u64, asked: u32) -> PassCost {
        // Room in rows that are not padded is not computed. Counted as a cost, it led to advice to
        // cut documents (TRL's `wrapped`) for nothing.
        let computed = if self.padded {
            tally.slots
        } else {
            tally.real_tokens
        };
        let steps = match self.step {
            DeviceStep::Asked => tally.rows.div_ceil(u64::from(asked.max(1))),
            DeviceStep::Rows(rows) => tally.rows.div_ceil(u64::from(rows.max(1))),
            DeviceStep::Items(items) => sequences
                .saturating_sub(tally.dropped_sequences)
                .div_ceil(u64::from(items.max(1))),
        };
        PassCost {
            lost_share: share(tally.lost_tokens(), tally.tokens()),
            slots: share(computed, tally.real_tokens),
            cut_share: share(tally.cut_tokens, tally.tokens()),
            rows: tally.rows,
            steps,
            packs: self.block.packs(),
        }
    }
}
