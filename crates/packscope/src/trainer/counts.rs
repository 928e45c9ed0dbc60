//! Rows of the whole set from its counts, where the order does not matter.

use super::block::{DocumentPieces, count_rows, padded};
use super::recipe::{Block, Recipe, Window};
use super::tally::RowBuilder;
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Overlong};
use crate::packing::{Algorithm, Depth, Task};
use std::collections::BTreeMap;

/// Counts the rows, and returns `true`, if the recipe does not need an order. O(distinct²) at worst.
///
/// # Errors
/// As [`Algorithm::run`].
pub(super) fn run(recipe: &Recipe, data: &Histogram<1>, rows: &mut RowBuilder) -> Result<bool> {
    if !recipe.is_computed_from_counts() {
        return Ok(false);
    }
    if let Block::Pieces { least } = recipe.block {
        // As `Pieces::new` has it: all pieces are powers of two.
        let longest = 1 << recipe.capacity.ilog2();
        for &([length], n) in data.entries() {
            DocumentPieces::new(length, longest, least).count(rows, n);
        }
        count_rows(rows, recipe.capacity);
        return Ok(true);
    }
    let items = fit(recipe, data, rows);
    if recipe.block.packs() {
        let packed = pack(recipe, &items)?;
        (rows.tally.rows, rows.tally.most) = packed;
    } else {
        rows.tally.rows = items.values().sum();
        rows.tally.slots = match recipe.block {
            // Rows of one width, as in packing: `Recipe::run` derives their slots.
            Block::Padded => 0,
            Block::Alone { multiple, .. } => {
                let slots = items
                    .iter()
                    .map(|(length, n)| padded(*length, multiple).checked_mul(*n));
                let total = slots
                    .into_iter()
                    .try_fold(0_u64, |sum, slots| sum.checked_add(slots?));
                total.ok_or(Error::TooLarge {
                    what: "the number of slots",
                })?
            }
            _ => rows.tally.real_tokens,
        };
        rows.tally.most = u64::from(rows.tally.rows > 0);
    }
    Ok(true)
}

impl Recipe {
    /// Whether rows are computed from the counts, for any number of sequences.
    pub fn is_computed_from_counts(&self) -> bool {
        // Mffd sorts too, but exists only item by item.
        self.order_free() && self.block != Block::Mffd && self.window == Window::Whole
    }

    /// Returns the packed sequences as slots (cut to the longest, aligned), and their tokens; `None` if none is left.
    pub fn fitted(&self, data: &Histogram<1>) -> Option<(Histogram<1>, u64)> {
        let mut rows = RowBuilder::default();
        let items = fit(self, data, &mut rows);
        Some((Histogram::from_lengths(items).ok()?, rows.tally.real_tokens))
    }
}

/// Fits all items to the longest, and counts their tokens; returns slots → items. O(distinct).
fn fit(recipe: &Recipe, data: &Histogram<1>, rows: &mut RowBuilder) -> BTreeMap<u32, u64> {
    // The steps of `Recipe::take`, in its order, for all sequences of a length at once: what is
    // changed here must be changed there. A test of blocks compares the two.
    let mut items = BTreeMap::new();
    let longest = recipe.longest;
    let mut add = |rows: &mut RowBuilder, length: u32, times: u64| {
        rows.trained(length, times);
        // A sequence longer than a row has a row of its own.
        rows.exceed(length, recipe.capacity, times);
        *items
            .entry(recipe.aligned(length).min(recipe.capacity))
            .or_default() += times;
    };
    for &([length], n) in data.entries() {
        let length = length - length.min(recipe.shift);
        if length < recipe.least {
            rows.left_out(length, n);
            continue;
        }
        if length <= longest {
            add(rows, length, n);
            continue;
        }
        let over = u64::from(length - longest);
        match recipe.overlong {
            Overlong::Truncate => {
                rows.tally.truncated_tokens += over * n;
                rows.tally.truncated_sequences += n;
                add(rows, longest, n);
            }
            Overlong::Split => {
                rows.cut(u64::from(length.div_ceil(longest)), over, n);
                add(rows, longest, u64::from(length / longest) * n);
                if !length.is_multiple_of(longest) {
                    add(rows, length % longest, n);
                }
            }
            Overlong::Drop | Overlong::Reject => {
                rows.tally.dropped_tokens += u64::from(length) * n;
                rows.tally.dropped_sequences += n;
            }
        }
    }
    items
}

/// Returns the number of rows, and the most items in one.
fn pack(recipe: &Recipe, items: &BTreeMap<u32, u64>) -> Result<(u64, u64)> {
    let algorithm = match recipe.block {
        Block::LeastLoaded { .. } => return Ok(least_loaded(recipe, items)),
        Block::BestFitDecreasing { .. } => Algorithm::BestFitDecreasing,
        // A block that sorts without a way of its own here would be counted as this one.
        _ => Algorithm::FirstFitDecreasing,
    };
    // Nothing is left where all sequences were dropped, or are too short.
    let Ok(items) = Histogram::from_lengths(items.iter().map(|(length, n)| (*length, *n))) else {
        return Ok((0, 0));
    };
    let depth = if recipe.cap == u32::MAX {
        Depth::Unlimited
    } else {
        Depth::AtMost(recipe.cap)
    };
    let packed = algorithm.run_simple(&items, &Task::new(recipe.capacity, depth))?;
    Ok((packed.listing.packs, packed.listing.max_depth()))
}

/// Packs longest first into the emptiest row, many at a time: rows by (slots taken, items).
fn least_loaded(recipe: &Recipe, items: &BTreeMap<u32, u64>) -> (u64, u64) {
    let Recipe { capacity, cap, .. } = *recipe;
    // Rows that are alike are one entry, so that time goes by distinct lengths, not by sequences.
    // The first entry is the emptiest: where that has no room, none has.
    let mut open = BTreeMap::<(u32, u32), u64>::new();
    let (mut rows, mut most) = (0, 0);
    for (&length, &count) in items.iter().rev() {
        let mut left = count;
        while left > 0 {
            let emptiest = open
                .first_entry()
                .filter(|first| capacity - first.key().0 >= length);
            // One more sequence for each of the emptiest rows; a new row is the emptiest until it
            // has no room, and is filled at once.
            let (used, depth, there) = match emptiest {
                Some(first) => {
                    let ((used, depth), there) = first.remove_entry();
                    (used, depth, there)
                }
                None => {
                    // At most `capacity / length`, so that the products below stay within 32 bits.
                    let each = u64::from((capacity / length).min(cap)).max(1);
                    rows += left.div_ceil(each);
                    let full = left / each;
                    if full > 0 {
                        add(&mut open, (length * each as u32, each as u32), full, cap);
                        most = most.max(each);
                    }
                    let rest = left % each;
                    if rest > 0 {
                        add(&mut open, (length * rest as u32, rest as u32), 1, cap);
                        most = most.max(rest);
                    }
                    break;
                }
            };
            let taken = left.min(there);
            left -= taken;
            add(&mut open, (used + length, depth + 1), taken, cap);
            most = most.max(u64::from(depth) + 1);
            if there > taken {
                add(&mut open, (used, depth), there - taken, cap);
            }
        }
    }
    (rows, most)
}

fn add(open: &mut BTreeMap<(u32, u32), u64>, row: (u32, u32), count: u64, cap: u32) {
    // A row at the cap takes no more, and would stand in the way of emptier ones.
    if row.1 < cap {
        *open.entry(row).or_default() += count;
    }
}
