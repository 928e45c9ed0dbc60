//! Packs filled one by one to the last slot that can be reached: the end game of `dive`.
//!
//! A pack begins with the longest item left. Of all ways to fill the rest of it as far as possible, the one
//! with the longest items is taken: short items are the ones that fill later packs. With enough of them
//! hardly a slot is lost.
//!
//! Source: minimum bin slack, Gupta and Ho 1999; Fleszar and Hindi 2002, who begin with the longest item.
//! Complexity: O(packs · distinct · limit · log repeats); for some hundred packs.

use crate::histogram::Size;
use crate::plan::Strategy;

/// More items than any pack here can hold.
// Half of the range, so that the items of a piece can be added without overflow.
const NEVER: u16 = u16::MAX / 2;

/// The largest table: 32 MiB.
const ENTRIES: u64 = 1 << 24;

/// Packs the items, (size, count) with the longest first. `spend` is called with the steps of each pack; `None` when it
/// refuses, or if the table would be too large. Public for tests: a search keeps its packs only where they are better.
pub fn pack(
    items: &[(Size<1>, u64)],
    limit: u32,
    depth: u32,
    spend: &mut dyn FnMut(u64) -> bool,
) -> Option<Vec<Strategy<1>>> {
    let mut left: Vec<(u32, u64)> = items
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|&([length], n)| (length, n))
        .collect();
    if (u64::from(limit) + 1) * (left.len() as u64 + 1) > ENTRIES {
        return None;
    }
    let mut plan = Vec::new();
    while let Some(&(longest, _)) = left.first() {
        left[0].1 -= 1;
        let room = (limit - longest) as usize;
        let places = (depth - 1).min(u32::from(NEVER) - 1) as u16;
        let mut runs = vec![([longest], 1)];
        if !spend(steps(&left, room, places)) {
            return None;
        }
        fill(&mut left, room, places, &mut runs);
        plan.push(Strategy { runs, count: 1 });
        left.retain(|(_, n)| *n > 0);
    }
    Some(plan)
}

/// Takes at most `places` items that fill as much of the room as possible.
fn fill(left: &mut [(u32, u64)], room: usize, places: u16, runs: &mut Vec<([u32; 1], u32)>) {
    // fewest[i][s]: the fewest items from the i-th on with exactly s slots.
    let width = room + 1;
    let mut fewest = vec![NEVER; width * (left.len() + 1)];
    fewest[width * left.len()] = 0;
    for i in (0..left.len()).rev() {
        let (here, after) = fewest[width * i..].split_at_mut(width);
        add(&mut here[..width], &after[..width], left[i], places);
    }
    // A sum of 0 takes no item, so that there always is one.
    let Some(mut sum) = (0..width).rev().find(|s| fewest[*s] <= places) else {
        return;
    };
    let mut places = places;
    for (i, (length, count)) in left.iter_mut().enumerate() {
        let after = &fewest[width * (i + 1)..width * (i + 2)];
        let length = *length as usize;
        let most = most_copies(sum, length, *count, places);
        let fits = |k: &usize| usize::from(after[sum - k * length]) + k <= usize::from(places);
        let Some(taken) = (0..=most).rev().find(fits) else {
            continue;
        };
        if taken > 0 {
            runs.push(([length as u32], taken as u32));
            *count -= taken as u64;
            sum -= taken * length;
            places -= taken as u16;
        }
    }
}

/// Updates the fewest items for one more length, up to its count: pieces of 1, 2, 4, … items make up every number.
fn add(here: &mut [u16], after: &[u16], (length, count): (u32, u64), places: u16) {
    here.copy_from_slice(after);
    let length = length as usize;
    let mut left = most_copies(here.len() - 1, length, count, places);
    let mut piece = 1;
    while left > 0 {
        let items = piece.min(left);
        add_once(here, length * items, items as u16);
        left -= items;
        piece *= 2;
    }
}

/// Returns how often a length can be in one pack.
fn most_copies(room: usize, length: usize, count: u64, places: u16) -> usize {
    (room / length)
        .min(usize::from(places))
        .min(usize::try_from(count).unwrap_or(usize::MAX))
}

/// Updates the fewest items for a piece that is taken or not. Blocks of its slots, from the end, do not overlap their
/// sources, so that they can be vectorised.
fn add_once(here: &mut [u16], slots: usize, items: u16) {
    let mut end = here.len();
    while end > slots {
        let start = end.saturating_sub(slots).max(slots);
        let (before, now) = here.split_at_mut(start);
        for (now, before) in now[..end - start].iter_mut().zip(&before[start - slots..]) {
            *now = (*now).min(*before + items);
        }
        end = start;
    }
}

/// Returns the steps of [`fill`]: eight entries of the table each, as they are vectorised.
fn steps(left: &[(u32, u64)], room: usize, places: u16) -> u64 {
    let pieces =
        |&(length, count): &(u32, u64)| match most_copies(room, length as usize, count, places) {
            0 => 1,
            most => u64::from(most.ilog2()) + 2,
        };
    left.iter().map(pieces).sum::<u64>() * (room as u64 + 1) / 8
}
