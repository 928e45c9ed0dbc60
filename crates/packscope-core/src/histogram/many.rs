//! Histograms of very many sizes: answers without a walk through all of them, and fewer sizes that represent all where
//! that is accurate enough. A walk through a million sizes takes milliseconds, too long for every part of a page that
//! follows a slider.

use super::{Histogram, Overlong, Size};
use crate::error::{Error, Result};

/// Distance between the entries whose sums are kept.
pub(super) const STRIDE: usize = 1024;
/// Up to this many distinct sizes, everything is computed from all of them.
pub const MANY: usize = 1 << 14;
/// The maximum number of ranges in [`Groups`]: the bars of the widest chart.
const RANGES: u32 = 1 << 13;

type Entry = (Size<1>, u64);

/// Lengths in few entries: see [`Histogram::grouped`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// Lengths in a range: a power of two. Ranges end at its multiples.
    pub width: u32,
    /// (length, items), ascending.
    pub entries: Vec<(u32, u64)>,
}

impl Histogram<1> {
    /// Returns the number of items of at most this length. O(log distinct).
    pub fn items_within(&self, length: u32) -> u64 {
        self.within(length)[0]
    }

    /// Returns the tokens of the items of at most this length. O(log distinct).
    pub fn tokens_within(&self, length: u32) -> u64 {
        self.within(length)[1]
    }

    /// Whether more than half of the items have at most an eighth of the longest length, so that a drawing to scale
    /// shows little. O(log distinct).
    pub fn is_long_tailed(&self) -> bool {
        self.items_within(self.max()[0] / 8) > self.items() / 2
    }

    fn within(&self, length: u32) -> [u64; 2] {
        let end = self.end_of(length);
        // One less than the number of whole strides: the sums before the first entry are not kept.
        let skipped = (end / STRIDE).min(self.below.len());
        let [mut items, mut tokens] = skipped.checked_sub(1).map_or([0; 2], |at| self.below[at]);
        // No sum can overflow: the constructor has checked the totals.
        for &([length], count) in &self.entries[skipped * STRIDE..end] {
            items += count;
            tokens += u64::from(length) * count;
        }
        [items, tokens]
    }

    /// Returns the number of entries of at most this length.
    fn end_of(&self, length: u32) -> usize {
        self.entries.partition_point(|([l], _)| *l <= length)
    }

    /// Applies the policy as [`fit`](Self::fit) does, for estimates. With up to [`MANY`] distinct lengths the result is
    /// the same; otherwise it has at most [`MANY`] + 1 lengths, each representing its neighbours. Items and the longest
    /// length are exact; tokens, and means of random batches, are within a relative error of 1e-4. O(distinct).
    ///
    /// # Errors
    /// As [`fit`](Self::fit).
    pub fn fit_roughly(&self, limit: u32, policy: Overlong) -> Result<Self> {
        let end = self.end_of(limit);
        if self.distinct() <= MANY || limit == 0 || policy == Overlong::Reject {
            return Ok(self.fit([limit], policy)?.histogram);
        }
        if policy == Overlong::Split && end < self.distinct() {
            // `pieces` takes a count for each length up to the limit, many more than sorting few
            // lengths.
            let sparse = limit as usize / 8 > self.distinct();
            let pieces = if sparse {
                self.fit([limit], policy)?.histogram.entries
            } else {
                self.pieces(limit)
            };
            return Self::from_counts(coarse(&pieces));
        }
        let mut counts = coarse(&self.entries[..end]);
        if policy == Overlong::Truncate {
            counts.push(([limit], self.items - self.items_within(limit)));
        }
        if counts.is_empty() {
            Err(Error::AllDropped)
        } else {
            Self::from_counts(counts)
        }
    }

    /// Returns the pieces of all items, without sorting them. O(distinct + limit).
    fn pieces(&self, limit: u32) -> Vec<Entry> {
        // A piece has at least one token, so there are no more pieces than tokens, whose number fits.
        let mut counts = vec![0; limit as usize + 1];
        for &([length], count) in &self.entries {
            counts[limit as usize] += count * u64::from(length / limit);
            counts[(length % limit) as usize] += count;
        }
        let pieces = (0..=limit).zip(counts).skip(1);
        pieces
            .filter(|(_, count)| *count > 0)
            .map(|(length, count)| ([length], count))
            .collect()
    }

    /// Returns the lengths up to `end` for a chart: each length with its items if there are up to [`MANY`]; otherwise
    /// at most 8,192 ranges, each with the items of its most frequent length and, at two other lengths, half of its
    /// other items. Bars that span a power of two lengths, at most 8,192 of them up to `end`, are as high as with all
    /// lengths. O(distinct).
    pub fn grouped(&self, end: u32) -> Groups {
        let within = &self.entries[..self.end_of(end)];
        let mut width = 1;
        while within.len() > MANY && end.div_ceil(width) > RANGES {
            width *= 2;
        }
        let mut entries = Vec::with_capacity(within.len().min(MANY));
        // Ranges end at multiples of the width, hence − 1: length 8 is in the range 1 to 8.
        for range in within.chunk_by(|a, b| (a.0[0] - 1) / width == (b.0[0] - 1) / width) {
            put_range(range, &mut entries);
        }
        Groups { width, entries }
    }

    /// Returns the entries of groups, but exact lengths in the range with `length`, so that longer items can be
    /// counted.
    pub fn apart(&self, groups: &Groups, length: u32) -> Vec<(u32, u64)> {
        let Groups { width, entries } = groups;
        let before = length.saturating_sub(1) / width * width;
        let after = before.saturating_add(*width);
        let ends = [before, after];
        let [from, to] = ends.map(|end| entries.partition_point(|(l, _)| *l <= end));
        let own = &self.entries[self.end_of(before)..self.end_of(after)];
        let mut all = entries[..from].to_vec();
        all.extend(own.iter().map(|&([l], n)| (l, n)));
        all.extend_from_slice(&entries[to..]);
        all
    }
}

/// Adds the most frequent length of a range, and the other items at two lengths.
fn put_range(range: &[Entry], out: &mut Vec<(u32, u64)>) {
    let last = range.len().saturating_sub(1);
    if last < 3 {
        out.extend(range.iter().map(|&([l], n)| (l, n)));
        return;
    }
    let (mut most, mut all) = (0, 0);
    for (at, (_, count)) in range.iter().enumerate() {
        all += count;
        if *count >= range[most].1 {
            most = at;
        }
    }
    let rest = all - range[most].1;
    // In two halves, so that neither exceeds the most frequent length of a bar.
    let (low, high) = (usize::from(most == 0), last - usize::from(most == last));
    let mut parts = vec![(low, rest / 2), (high, rest - rest / 2)];
    // Keeps the three in ascending order.
    parts.insert(
        usize::from(most > low) + usize::from(most > high),
        (most, range[most].1),
    );
    out.extend(parts.iter().map(|&(at, count)| (range[at].0[0], count)));
}

/// Returns at most [`MANY`] entries for all of these, ascending: a mean for neighbours within the cells of a grid.
/// Cells are so small that the largest length is close to the mean: some thousandths of the longest, and finer towards
/// the shortest and the longest.
fn coarse(entries: &[Entry]) -> Vec<Entry> {
    let longest = entries.last().map_or(0, |([l], _)| *l);
    if entries.len() <= MANY {
        return entries.to_vec();
    }
    let bits = |length: u32| u32::BITS - length.leading_zeros();
    // Limits the number of entries to MANY for any lengths.
    let fine = if bits(longest) <= 28 { 13 } else { 12 };
    let cell = |length: u32| {
        let near = bits(length)
            .saturating_sub(fine - 3)
            .min(bits(longest - length).saturating_sub(4));
        let shift = near.min(bits(longest).saturating_sub(fine));
        (shift, length >> shift)
    };
    let mut groups = Vec::with_capacity(MANY);
    // Excess of the tokens of the groups so far over their rounded lengths.
    let mut owed = 0.0;
    for group in entries.chunk_by(|a, b| cell(a.0[0]) == cell(b.0[0])) {
        let (mut items, mut tokens) = (0, 0.0);
        for &([length], count) in group {
            items += count;
            tokens += f64::from(length) * count as f64;
        }
        let [shortest, longest] = [group[0].0[0], group[group.len() - 1].0[0]];
        owed += tokens;
        // What rounding took from the groups before is added here, so tokens stay exact to one
        // length.
        let mean = ((owed / items as f64 + 0.5) as u32).clamp(shortest, longest);
        owed -= f64::from(mean) * items as f64;
        groups.push(([mean], items));
    }
    groups
}
