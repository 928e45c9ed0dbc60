//! The pack of this chapter: its sequences, their attention, and their weights in the loss.

use crate::learn::ChapterContext;

/// Slots of a pack.
pub const SLOTS: u32 = 16;
/// Illustrative losses of the sequences: here the short ones are hard.
const LOSSES: [f64; 4] = [0.4, 0.9, 1.6, 2.4];
/// The loss of the sequence that fills the other pack of the batch by itself.
const OTHER: f64 = 0.3;

/// The kind of mean that the loss of a batch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossMean {
    Sequences,
    Packs,
    Tokens,
}

impl LossMean {
    /// The means, in the order of the knob.
    pub const ALL: [Self; 3] = [Self::Sequences, Self::Packs, Self::Tokens];
}

/// The measures that keep sequences of a pack apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeparationMeasures {
    pub masked: bool,
    /// Whether a token attends only to itself and to earlier ones.
    pub causal: bool,
    pub restarts: bool,
    /// The kind of mean that the loss is.
    pub mean: LossMean,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Index of its sequence.
    pub sequence: usize,
    /// Position in the sequence, from 0.
    pub place: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LossPart {
    /// Index in the chapter; `None` for the sequence in the other pack.
    pub sequence: Option<usize>,
    pub length: u32,
    /// Loss of the model on this sequence.
    pub loss: f64,
    /// Weight in the loss of the batch.
    pub weight: f64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// Lengths of all sequences, packed or not.
    pub lengths: Vec<u32>,
    /// Token of each slot; `None` for padding.
    pub slots: Vec<Option<Token>>,
    /// Indices of the packed sequences, in order.
    pub inside: Vec<usize>,
    pub kept: SeparationMeasures,
}

impl Pack {
    /// Packs the sequences in order as set by the knobs, leaving out sequences that do not fit.
    pub fn new(here: &ChapterContext<'_>) -> Self {
        let lengths = here.numbers("lengths");
        let (mut slots, mut inside) = (Vec::new(), Vec::new());
        for (sequence, length) in lengths.iter().enumerate() {
            // Not the end: a later, shorter sequence may still fit.
            if slots.len() as u32 + length <= SLOTS {
                slots.extend((0..*length).map(|place| Some(Token { sequence, place })));
                inside.push(sequence);
            }
        }
        slots.resize(SLOTS as usize, None);
        let kept = SeparationMeasures {
            masked: here.number("mask") == 0,
            causal: here.number("sight") == 1,
            restarts: here.number("positions") == 0,
            mean: LossMean::ALL
                .get(here.number("loss") as usize)
                .copied()
                .unwrap_or(LossMean::Sequences),
        };
        Self {
            lengths,
            slots,
            inside,
            kept,
        }
    }

    pub fn used(&self) -> u32 {
        self.slots.iter().flatten().count() as u32
    }

    pub fn token(&self, slot: usize) -> Option<Token> {
        self.slots.get(slot).copied().flatten()
    }

    /// Returns whether two slots hold tokens of the same sequence; `None` if the first does not attend to the second.
    pub fn looks(&self, from: usize, at: usize) -> Option<bool> {
        let together = self.token(from)?.sequence == self.token(at)?.sequence;
        // The two masks are independent: one separates sequences, the other hides later tokens.
        let seen = (together || !self.kept.masked) && !(self.kept.causal && at > from);
        seen.then_some(together)
    }

    /// Counts the pairs of a token and one it attends to: of the same sequence, and of different ones. O(slots²).
    pub fn pairs(&self) -> [u64; 2] {
        let all = (0..self.slots.len()).flat_map(|from| self.sees_own_sequence(from));
        all.fold([0, 0], |[own, others], together| {
            if together {
                [own + 1, others]
            } else {
                [own, others + 1]
            }
        })
    }

    /// Returns, for each slot that a slot attends to, whether it belongs to the same sequence.
    pub fn sees_own_sequence(&self, from: usize) -> Vec<bool> {
        (0..self.slots.len())
            .filter_map(|at| self.looks(from, at))
            .collect()
    }

    /// Returns the position id of a slot, and whether it is the token's position in its sequence.
    pub fn position(&self, slot: usize) -> Option<(u32, bool)> {
        let token = self.token(slot)?;
        let id = if self.kept.restarts {
            token.place
        } else {
            slot as u32
        };
        Some((id, id == token.place))
    }

    /// Counts the tokens with a wrong position id.
    pub fn misplaced(&self) -> usize {
        (0..self.slots.len())
            .filter_map(|slot| self.position(slot))
            .filter(|(_, right)| !right)
            .count()
    }

    /// Returns the parts of the loss of a batch of two packs: this one, and one with a single sequence.
    pub fn parts(&self) -> Vec<LossPart> {
        let n = self.inside.len() as f64 + 1.0;
        let used = f64::from(self.used().max(1));
        let weight = |length: u32, tokens: f64| {
            match self.kept.mean {
                LossMean::Sequences => 1.0 / n,
                // The mean over a pack's tokens, then the mean of two packs: hence the half.
                LossMean::Packs => f64::from(length) / tokens / 2.0,
                LossMean::Tokens => f64::from(length) / (used + f64::from(SLOTS)),
            }
        };
        let other = LossPart {
            sequence: None,
            length: SLOTS,
            loss: OTHER,
            weight: weight(SLOTS, f64::from(SLOTS)),
        };
        let part = |sequence: &usize| {
            let length = self.lengths[*sequence];
            LossPart {
                sequence: Some(*sequence),
                length,
                loss: LOSSES[*sequence],
                weight: weight(length, used),
            }
        };
        self.inside.iter().map(part).chain([other]).collect()
    }

    pub fn with_measures(&self, change: impl FnOnce(&mut SeparationMeasures)) -> Self {
        let mut other = self.clone();
        change(&mut other.kept);
        other
    }

    pub fn loss(&self) -> f64 {
        self.parts()
            .iter()
            .map(|part| part.weight * part.loss)
            .sum()
    }

    /// Whether all sequences are packed and no slot is left.
    pub fn is_full(&self) -> bool {
        self.inside.len() == self.lengths.len() && self.used() == SLOTS
    }

    /// Whether the pack is one long sequence and all others of one token: the fewest pairs across sequences in a full
    /// pack, since Σ length² is greatest there.
    pub fn is_least_mixed(&self) -> bool {
        let ones = self.lengths.iter().filter(|length| **length == 1).count();
        self.is_full() && ones + 1 == self.lengths.len()
    }
}
