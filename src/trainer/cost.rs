//! Cost and losses of a pass: one definition for libraries of every kind, by which their settings are compared.

use super::recipe::{Recipe, Step};
use super::tally::{Tally, share};
use serde::{Deserialize, Serialize};

/// The cost of one pass over the data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Share of all tokens, or graphs, that is not trained: cut off, dropped, or left over at the end.
    pub lost_share: f64,
    /// Slots that are computed for each token, or each node and edge, that is trained; 0 where none is. What is padded counts
    /// its padding, what is not padded has none.
    pub slots: f64,
    /// Share of all tokens that is trained without the beginning of its sequence.
    pub cut_share: f64,
    /// Rows, or batches.
    pub rows: u64,
    /// Steps of one device, at the batch that the library uses.
    pub steps: u64,
    /// Whether rows hold several sequences; `false` for batches.
    pub packs: bool,
}

/// The least share of all tokens, of the slots for each token, and of the rows, that is worth naming.
const TOKENS: f64 = 0.0005;
const SLOTS: f64 = 0.005;
const ROWS: f64 = 0.1;

impl Cost {
    /// Returns the share of all tokens that comes back with a change to these settings; negative if it loses more.
    pub fn regained(&self, now: &Self) -> f64 {
        now.lost_share - self.lost_share
    }

    /// Returns the share of the slots for each token that the change saves; negative if it takes more.
    pub fn saved(&self, now: &Self) -> f64 {
        if now.slots > 0.0 && self.slots > 0.0 { 1.0 - self.slots / now.slots } else { 0.0 }
    }

    /// Returns the share of all tokens that are cut apart by the change, beyond those that come back.
    fn torn(&self, now: &Self) -> f64 {
        (self.cut_share - now.cut_share - self.regained(now).max(0.0)).max(0.0)
    }

    /// Returns what the change is worth: the tokens that come back and the slots that are saved, less half of what it cuts apart.
    pub fn worth(&self, now: &Self) -> f64 {
        self.regained(now) + self.saved(now) - self.torn(now) / 2.0
    }

    /// Returns the share of the rows that packing saves where nothing was packed and nothing padded.
    pub fn fuller(&self, now: &Self) -> Option<f64> {
        let fewer = 1.0 - share(self.rows, now.rows);
        let same = self.saved(now).abs() < SLOTS && self.torn(now) < TOKENS;
        (self.packs && !now.packs && fewer >= ROWS && same).then_some(fewer)
    }

    /// Whether more tokens are lost than is worth naming.
    pub fn loses(&self, now: &Self) -> bool {
        self.regained(now) <= -TOKENS
    }

    /// Whether enough tokens come back to be named.
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

    /// Whether a change to these settings helps enough to be named, and loses nothing for it.
    pub fn helps(&self, now: &Self) -> bool {
        let (regains, saves) = (self.regains(now), self.saves(now));
        let worth = self.worth(now) >= if regains { TOKENS } else { SLOTS };
        !self.loses(now) && ((regains || saves) && worth || self.fuller(now).is_some())
    }

    /// The lower, the better the change: by its worth in thousandths, then by what it cuts apart in hundredths.
    pub fn rank(&self, now: &Self) -> (i64, i64) {
        let worth = self.worth(now) + self.fuller(now).unwrap_or(0.0);
        (-(worth * 1000.0).round() as i64, (self.cut_share * 100.0).round() as i64)
    }

    /// Returns the share by which more is computed than in a plan of so many slots for each token; never less than 0.
    pub fn above(&self, slots: f64) -> f64 {
        if slots > 0.0 { (self.slots / slots - 1.0).max(0.0) } else { 0.0 }
    }
}

/// The cost of batches: nothing is packed, and nothing cut apart.
pub(super) fn unpacked(lost: u64, of: u64, slots: f64, batches: u64) -> Cost {
    Cost { lost_share: share(lost, of), slots, cut_share: 0.0, rows: batches, steps: batches, packs: false }
}

impl Recipe {
    /// Returns the cost of a pass over so many sequences. `asked` are the rows of a step where the library leaves that open.
    pub fn cost(&self, tally: &Tally, sequences: u64, asked: u32) -> Cost {
        let computed = if self.padded { tally.slots } else { tally.real_tokens };
        let steps = match self.step {
            Step::Asked => tally.rows.div_ceil(u64::from(asked.max(1))),
            Step::Rows(rows) => tally.rows.div_ceil(u64::from(rows.max(1))),
            Step::Items(items) => {
                sequences.saturating_sub(tally.dropped_sequences).div_ceil(u64::from(items.max(1)))
            }
        };
        Cost {
            lost_share: share(tally.lost_tokens(), tally.tokens()),
            slots: share(computed, tally.real_tokens),
            cut_share: share(tally.cut_tokens, tally.tokens()),
            rows: tally.rows,
            steps,
            packs: self.block.packs(),
        }
    }
}
