//! LLaMA-Factory's truncation: the limit is shared between prompt and response of each turn.
//!
//! Source: `infer_seqlen` in `src/llamafactory/data/processor/processor_utils.py`, called for turn after turn by
//! `_encode_data_example` in `supervised.py` with what is left of `cutoff_len` (0.9.5). A turn of `source` and `target`
//! tokens takes all that is left, or all that it has, whichever is less; so the tokens before a turn do not depend on how
//! earlier turns were cut, and its own curve is only moved by them.

use super::Span;

/// A turn: what it is after in its item, its prompt and its response.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    /// Tokens of the turns before.
    pub before: u32,
    pub source: u32,
    pub target: u32,
}

/// Returns the turns of an item: each span with what stands between it and the one before.
pub(super) fn turns(spans: &[Span]) -> impl Iterator<Item = Turn> + '_ {
    let ends = std::iter::once(0).chain(spans.iter().map(|span| span.end));
    spans.iter().zip(ends).map(|(span, before)| Turn {
        before,
        source: span.start - before,
        target: span.end - span.start,
    })
}

impl Turn {
    /// The largest room at which prompt and response are both cut.
    pub fn both(self) -> u64 {
        2 * u64::from(self.source.min(self.target))
    }

    /// Returns the tokens of the response where both are cut. In floats, as Python divides: the products are not always
    /// what whole numbers would give.
    pub fn proportional(self, room: u64) -> u64 {
        let (source, target) = (f64::from(self.source), f64::from(self.target));
        (room as f64 * (target / (source + target))) as u64
    }

    /// Returns the tokens of the response that are kept where so many tokens are left for the turn.
    fn kept(self, room: u32) -> u32 {
        let Self { source, target, .. } = self;
        let [twice_target, twice_source] = [target, source].map(|n| 2 * u64::from(n));
        let most = if twice_target < u64::from(room) {
            room
        } else if twice_source < u64::from(room) {
            room - source
        } else {
            self.proportional(u64::from(room)) as u32
        };
        most.min(target)
    }
}

/// Returns the supervised tokens that are kept of an item.
pub(super) fn kept(spans: &[Span], limit: u32) -> u32 {
    turns(spans)
        .take_while(|turn| turn.before < limit)
        .map(|turn| turn.kept(limit - turn.before))
        .sum()
}
