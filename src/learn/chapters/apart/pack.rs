//! The pack in hand: what is in it, who looks at whom, and how much each sequence counts in the loss.

use crate::learn::Here;

/// Slots of a pack.
pub const SLOTS: u32 = 16;
/// What a model might lose on each sequence: short ones are the hard ones here.
const LOSSES: [f64; 4] = [0.4, 0.9, 1.6, 2.4];
/// And on the sequence that fills the other pack of the batch by itself.
const OTHER: f64 = 0.3;

/// How a pack is kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Whether the attention mask is on.
    pub masked: bool,
    /// Whether a token looks only at those before it, and at itself.
    pub causal: bool,
    /// Whether position ids start again with every sequence.
    pub restarts: bool,
    /// Whether the loss is averaged over sequences instead of packs.
    pub by_sequence: bool,
}

/// A slot that holds a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its sequence, from 0.
    pub sequence: usize,
    /// Its place in the sequence, from 0.
    pub place: u32,
}

/// A sequence in the loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// Its number in the chapter, from 0; `None` for the one in the other pack.
    pub sequence: Option<usize>,
    /// Its tokens.
    pub length: u32,
    /// What the model loses on it.
    pub loss: f64,
    /// Its share of the loss of the batch.
    pub weight: f64,
}

/// A pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// Lengths of all sequences, whether they are in it or not.
    pub lengths: Vec<u32>,
    /// What each slot holds; `None` for padding.
    pub slots: Vec<Option<Token>>,
    /// Sequences in it, in order.
    pub inside: Vec<usize>,
    /// How it is kept apart.
    pub kept: Kept,
}

impl Pack {
    /// As the knobs stand: in order, without those that have no room left.
    pub fn of(here: &Here<'_>) -> Self {
        let lengths = here.numbers("lengths");
        let (mut slots, mut inside) = (Vec::new(), Vec::new());
        for (sequence, length) in lengths.iter().enumerate() {
            if slots.len() as u32 + length <= SLOTS {
                slots.extend((0..*length).map(|place| Some(Token { sequence, place })));
                inside.push(sequence);
            }
        }
        slots.resize(SLOTS as usize, None);
        let kept = Kept {
            masked: here.number("mask") == 0,
            causal: here.number("sight") == 1,
            restarts: here.number("positions") == 0,
            by_sequence: here.number("loss") == 0,
        };
        Self { lengths, slots, inside, kept }
    }

    /// Tokens in it.
    pub fn used(&self) -> u32 {
        self.slots.iter().flatten().count() as u32
    }

    /// What is at a slot, from 0.
    pub fn token(&self, slot: usize) -> Option<Token> {
        self.slots.get(slot).copied().flatten()
    }

    /// Whether one slot looks at another, and if so whether they belong together.
    pub fn looks(&self, from: usize, at: usize) -> Option<bool> {
        let together = self.token(from)?.sequence == self.token(at)?.sequence;
        let seen = (together || !self.kept.masked) && !(self.kept.causal && at > from);
        seen.then_some(together)
    }

    /// Pairs of a token and one that it looks at: of the same sequence, and of another. O(slots²).
    pub fn pairs(&self) -> [u64; 2] {
        let all = (0..self.slots.len()).flat_map(|from| self.seen(from));
        all.fold(
            [0, 0],
            |[own, others], together| if together { [own + 1, others] } else { [own, others + 1] },
        )
    }

    /// What a slot looks at: whether each belongs to it.
    pub fn seen(&self, from: usize) -> Vec<bool> {
        (0..self.slots.len()).filter_map(|at| self.looks(from, at)).collect()
    }

    /// The position id of a slot, and whether it is the token's own place.
    pub fn position(&self, slot: usize) -> Option<(u32, bool)> {
        let token = self.token(slot)?;
        let id = if self.kept.restarts { token.place } else { slot as u32 };
        Some((id, id == token.place))
    }

    /// Tokens with a position id that is not their place.
    pub fn misplaced(&self) -> usize {
        (0..self.slots.len()).filter_map(|slot| self.position(slot)).filter(|(_, right)| !right).count()
    }

    /// The sequences of a batch of two packs, this one and one of a single sequence.
    pub fn parts(&self) -> Vec<Part> {
        let n = self.inside.len() as f64 + 1.0;
        let used = f64::from(self.used().max(1));
        let weight = |length: u32, of: f64| {
            if self.kept.by_sequence { 1.0 / n } else { f64::from(length) / of / 2.0 }
        };
        let other =
            Part { sequence: None, length: SLOTS, loss: OTHER, weight: weight(SLOTS, f64::from(SLOTS)) };
        let part = |sequence: &usize| {
            let length = self.lengths[*sequence];
            Part { sequence: Some(*sequence), length, loss: LOSSES[*sequence], weight: weight(length, used) }
        };
        self.inside.iter().map(part).chain([other]).collect()
    }

    /// The same pack, kept apart in another way.
    pub fn kept(&self, change: impl FnOnce(&mut Kept)) -> Self {
        let mut other = self.clone();
        change(&mut other.kept);
        other
    }

    /// The loss of the batch.
    pub fn loss(&self) -> f64 {
        self.parts().iter().map(|part| part.weight * part.loss).sum()
    }

    /// Whether all sequences are in it and no slot is left.
    pub fn is_full(&self) -> bool {
        self.inside.len() == self.lengths.len() && self.used() == SLOTS
    }

    /// One long sequence, and all others of one token: the fewest pairs across sequences that a full pack can have,
    /// since Σ length² is greatest there.
    pub fn is_least_mixed(&self) -> bool {
        let ones = self.lengths.iter().filter(|length| **length == 1).count();
        self.is_full() && ones + 1 == self.lengths.len()
    }
}
