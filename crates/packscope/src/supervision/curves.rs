//! Supervised tokens at every limit, from differences.

use super::shared::{self, Turn};
use super::{Span, Truncation, checked};
use crate::error::{Error, Result};
use crate::histogram::Overlong;
use serde::{Deserialize, Serialize};

/// The largest limit that curves tell apart, a mebitoken. Larger limits are answered as this one, unless all items are
/// within.
pub const MOST_LIMIT: u32 = 1 << 20;

/// The changes from one limit to the next. Arithmetic wraps: sums of differences are exact, as no curve exceeds 64 bits.
#[derive(Debug, Clone, Copy, Default)]
struct Change {
    /// How much the slope of the kept tokens changes, from this limit to the next one on.
    slope: u64,
    /// How much the kept tokens change at this limit, beside the slope.
    step: u64,
    /// Items of which this is the smallest limit that leaves a supervised token.
    first: u64,
    /// Supervised tokens of items of this length.
    whole: u64,
    /// Items of this length.
    items: u64,
}

/// Makes [`Curves`] from items, one after the other. Memory for one record of five numbers for each limit up to the
/// longest item, however many items there are.
#[derive(Debug, Clone)]
pub struct CurveBuilder {
    truncation: Truncation,
    changes: Vec<Change>,
    items: u64,
    tokens: u64,
    supervised: u64,
    longest: u32,
}

impl CurveBuilder {
    /// Creates a builder of curves for items that are cut in this way.
    pub fn new(truncation: Truncation) -> Self {
        Self {
            truncation,
            changes: vec![Change::default(); 2],
            items: 0,
            tokens: 0,
            supervised: 0,
            longest: 0,
        }
    }

    /// Adds an item of so many tokens, `count` times. O(spans); of [`Truncation::Shared`] O(spans + supervised tokens), since
    /// shares of the limit are rounded at each limit.
    ///
    /// # Errors
    /// [`Error::ZeroSize`] for an item without tokens; [`Error::Setting`] for spans that are not in order, empty, or beyond
    /// the item; [`Error::TooLarge`] when the tokens of all exceed 64 bits.
    pub fn add(&mut self, tokens: u32, spans: &[Span], count: u64) -> Result<()> {
        checked(tokens, spans)?;
        let supervised: u64 = spans.iter().map(|s| u64::from(s.end - s.start)).sum();
        // Supervised tokens and items are no more than tokens.
        let total = u64::from(tokens).checked_mul(count);
        let total = total.and_then(|total| self.tokens.checked_add(total));
        self.tokens = total.ok_or(Error::TooLarge {
            what: "the number of tokens",
        })?;
        self.supervised += supervised * count;
        self.items += count;
        self.longest = self.longest.max(tokens);
        let top = self.longest.min(MOST_LIMIT) as usize + 2;
        if self.changes.len() < top {
            self.changes.resize(top, Change::default());
        }
        if let Some(change) = self
            .changes
            .get_mut(tokens as usize)
            .filter(|_| tokens <= MOST_LIMIT)
        {
            change.whole += supervised * count;
            change.items += count;
        }
        match self.truncation {
            Truncation::Right => self.add_cut(spans.iter().cloned(), count),
            // The last tokens, from the end.
            Truncation::Left => {
                let mirrored = spans.iter().rev();
                self.add_cut(mirrored.map(|s| tokens - s.end..tokens - s.start), count);
            }
            Truncation::Shared => self.add_shared(spans, count),
        }
        Ok(())
    }

    /// Adds the spans of an item of which the first tokens are kept.
    fn add_cut(&mut self, spans: impl Iterator<Item = Span>, count: u64) {
        let mut first = true;
        for span in spans {
            if first {
                self.change(u64::from(span.start) + 1, |change| change.first += count);
                first = false;
            }
            self.slope(u64::from(span.start), u64::from(span.end), count);
        }
    }

    /// Adds the turns of an item, each of which gets a share of what the turns before it leave.
    fn add_shared(&mut self, spans: &[Span], count: u64) {
        let mut first = u64::MAX;
        for turn in shared::turns(spans) {
            first = first.min(self.add_turn(turn, count));
        }
        self.change(first, |change| change.first += count);
    }

    /// Adds a turn, and returns the smallest limit that leaves a token of it.
    fn add_turn(&mut self, turn: Turn, count: u64) -> u64 {
        let before = u64::from(turn.before);
        let (source, target) = (u64::from(turn.source), u64::from(turn.target));
        let both = turn.both();
        let shares = turn.proportional(both);
        let mut first = None;
        for kept in 1..=shares {
            // The least room whose share is so large; by a rounding of floats it may be one more than of fractions.
            let mut room = (kept * (source + target)).div_ceil(target);
            while turn.proportional(room) < kept {
                room += 1;
            }
            first.get_or_insert(room);
            self.change(before + room, |change| {
                change.step = change.step.wrapping_add(count);
            });
        }
        // Beyond, one of the two is whole: the response, or the prompt, beside which the response grows.
        let room = both + 1;
        let rest = if 2 * target < room {
            target
        } else {
            (room - source).min(target)
        };
        self.change(before + room, |change| {
            let step = rest.wrapping_sub(shares).wrapping_mul(count);
            change.step = change.step.wrapping_add(step);
        });
        if rest < target {
            self.slope(before + room, before + source + target, count);
        }
        before + first.unwrap_or(room)
    }

    /// Lets the kept tokens grow by `count` with each limit from one to another.
    fn slope(&mut self, from: u64, to: u64, count: u64) {
        self.change(from, |change| {
            change.slope = change.slope.wrapping_add(count)
        });
        self.change(to, |change| change.slope = change.slope.wrapping_sub(count));
    }

    /// Changes the record of a limit, unless it is beyond all that are told apart.
    fn change(&mut self, limit: u64, by: impl FnOnce(&mut Change)) {
        let at = usize::try_from(limit).ok();
        if let Some(change) = at.and_then(|at| self.changes.get_mut(at)) {
            by(change);
        }
    }

    /// Ends the input. O(longest item).
    pub fn finish(self) -> Curves {
        let top = self.longest.min(MOST_LIMIT) as usize;
        let mut limits = Vec::with_capacity(top + 1);
        let (mut slope, mut at) = (0u64, AtLimit::default());
        let (mut left, mut longer) = (self.items, self.items);
        for (limit, change) in (0..=self.longest).zip(&self.changes[..=top]) {
            left -= change.first;
            longer -= change.items;
            at = AtLimit {
                kept: at.kept.wrapping_add(slope).wrapping_add(change.step),
                untrained: left,
                whole: at.whole + change.whole,
                whole_tokens: at.whole_tokens + u64::from(limit) * change.items,
                longer,
            };
            slope = slope.wrapping_add(change.slope);
            limits.push(at);
        }
        Curves {
            truncation: self.truncation,
            items: self.items,
            tokens: self.tokens,
            supervised: self.supervised,
            longest: self.longest,
            limits,
        }
    }
}

/// The figures of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct AtLimit {
    kept: u64,
    untrained: u64,
    whole: u64,
    whole_tokens: u64,
    longer: u64,
}

/// Supervised tokens and items without any, at every limit. Each figure is a look-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Curves {
    truncation: Truncation,
    items: u64,
    tokens: u64,
    supervised: u64,
    longest: u32,
    limits: Vec<AtLimit>,
}

/// The slots that are computed in an epoch, by what is in them.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Composition {
    /// Slots without a token.
    pub padding: f64,
    /// Tokens that bear no loss.
    pub prompts: f64,
    /// Tokens that bear loss.
    pub responses: f64,
}

impl Composition {
    /// Returns all slots.
    pub fn slots(&self) -> f64 {
        self.padding + self.prompts + self.responses
    }

    /// Returns the share of the slots that so many of them are; 0 without slots.
    pub fn share(&self, part: f64) -> f64 {
        part / self.slots().max(1.0)
    }
}

impl Curves {
    /// Returns the way in which items are cut.
    pub fn truncation(&self) -> Truncation {
        self.truncation
    }

    /// Returns the number of items.
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Returns the tokens of all items.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Returns the supervised tokens of all items.
    pub fn supervised(&self) -> u64 {
        self.supervised
    }

    /// Returns the length of the longest item; 0 without items.
    pub fn longest(&self) -> u32 {
        self.longest
    }

    fn at(&self, limit: u32) -> AtLimit {
        match self.limits.get(limit as usize) {
            Some(at) => *at,
            // All are whole, though the last limits of the curve may not be kept.
            None if limit >= self.longest => AtLimit {
                kept: self.supervised,
                untrained: self.unsupervised(),
                whole: self.supervised,
                whole_tokens: self.tokens,
                longer: 0,
            },
            None => self.limits.last().copied().unwrap_or_default(),
        }
    }

    /// Returns the items that have no supervised token at all. Of items beyond [`MOST_LIMIT`] those count too that have none
    /// within it.
    pub fn unsupervised(&self) -> u64 {
        self.limits.last().map_or(0, |at| at.untrained)
    }

    /// Returns the supervised tokens that are kept where longer items are cut off at the limit: F(L).
    pub fn kept(&self, limit: u32) -> u64 {
        self.at(limit).kept
    }

    /// Returns the items that have no supervised token left at the limit, or never had one: G(L). They train nothing.
    pub fn untrained(&self, limit: u32) -> u64 {
        self.at(limit).untrained
    }

    /// Returns the items that are longer than the limit.
    pub fn longer(&self, limit: u32) -> u64 {
        self.at(limit).longer
    }

    /// Returns the tokens, supervised or not, that are kept where longer items are cut off at the limit.
    pub fn tokens_kept(&self, limit: u32) -> u64 {
        let at = self.at(limit);
        // Exact: what longer items keep is part of what they have.
        at.whole_tokens + u64::from(limit) * at.longer
    }

    /// Returns the supervised tokens that train at a limit under a policy for longer items; those that are to be refused
    /// count as cut off.
    pub fn trained(&self, limit: u32, overlong: Overlong) -> u64 {
        match overlong {
            Overlong::Truncate | Overlong::Reject => self.kept(limit),
            Overlong::Drop => self.at(limit).whole,
            Overlong::Split => self.supervised,
        }
    }

    /// Returns the share of the supervised tokens that a limit loses under a policy; 0 without supervised tokens.
    pub fn lost_share(&self, limit: u32, overlong: Overlong) -> f64 {
        share(
            self.supervised - self.trained(limit, overlong),
            self.supervised,
        )
    }

    /// Returns the share of all tokens that a limit loses under a policy, beside which the other is to be seen.
    pub fn tokens_lost_share(&self, limit: u32, overlong: Overlong) -> f64 {
        share(
            self.tokens - self.tokens_under(limit, overlong),
            self.tokens,
        )
    }

    /// Returns the tokens, supervised or not, that a limit keeps under a policy.
    fn tokens_under(&self, limit: u32, overlong: Overlong) -> u64 {
        match overlong {
            Overlong::Truncate | Overlong::Reject => self.tokens_kept(limit),
            Overlong::Drop => self.at(limit).whole_tokens,
            Overlong::Split => self.tokens,
        }
    }

    /// Returns what so many slots hold in which an epoch is computed at a limit under a policy. O(1).
    pub fn composition(&self, slots: f64, limit: u32, overlong: Overlong) -> Composition {
        let tokens = self.tokens_under(limit, overlong) as f64;
        let responses = self.trained(limit, overlong) as f64;
        Composition {
            // Expected slots of random batches are sums of floats.
            padding: (slots - tokens).max(0.0),
            prompts: tokens - responses,
            responses,
        }
    }

    /// Returns the share of items that train nothing at a limit.
    pub fn untrained_share(&self, limit: u32) -> f64 {
        share(self.untrained(limit), self.items)
    }

    /// Returns the share of the supervised tokens that is lost where a limit cuts a share of the tokens off and drops another,
    /// as training libraries report them: what the limit cuts off or drops by itself has its exact share; what goes beyond,
    /// such as a rest that fills no batch, is drawn without regard to supervision.
    pub fn lost_of(&self, limit: u32, cut_off: f64, dropped: f64) -> f64 {
        let part = |tokens: f64, overlong: Overlong| {
            let all = self.tokens_lost_share(limit, overlong);
            let own = tokens.min(all);
            let exact = if all > 0.0 {
                self.lost_share(limit, overlong) * own / all
            } else {
                0.0
            };
            exact + (tokens - own)
        };
        (part(cut_off, Overlong::Truncate) + part(dropped, Overlong::Drop)).min(1.0)
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
