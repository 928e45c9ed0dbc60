//! Packs filled one by one to the last slot that can be reached: the end game of [`super::dive`].
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
const NEVER: u16 = u16::MAX / 2;

/// The largest table: 32 MiB.
const ENTRIES: u64 = 1 << 24;

/// Packs the items, (size, count) with the longest first. `spend` is called with the steps of each pack; `None` when it
/// refuses, or if the table would be too large.
pub(super) fn pack(
    items: &[(Size<1>, u64)],
    limit: u32,
    depth: u32,
    spend: &mut dyn FnMut(u64) -> bool,
) -> Option<Vec<Strategy<1>>> {
    let mut left: Vec<(u32, u64)> =
        items.iter().filter(|(_, n)| *n > 0).map(|&([length], n)| (length, n)).collect();
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
    let Some(mut sum) = (0..width).rev().find(|s| fewest[*s] <= places) else { return };
    let mut places = places;
    for (i, (length, count)) in left.iter_mut().enumerate() {
        let after = &fewest[width * (i + 1)..width * (i + 2)];
        let length = *length as usize;
        let most = most(sum, length, *count, places);
        let fits = |k: &usize| usize::from(after[sum - k * length]) + k <= usize::from(places);
        let Some(taken) = (0..=most).rev().find(fits) else { continue };
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
    let mut left = most(here.len() - 1, length, count, places);
    let mut piece = 1;
    while left > 0 {
        let items = piece.min(left);
        add_once(here, length * items, items as u16);
        left -= items;
        piece *= 2;
    }
}

/// Returns how often a length can be in one pack.
fn most(room: usize, length: usize, count: u64, places: u16) -> usize {
    (room / length).min(usize::from(places)).min(usize::try_from(count).unwrap_or(usize::MAX))
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
    let pieces = |&(length, count): &(u32, u64)| match most(room, length as usize, count, places) {
        0 => 1,
        most => u64::from(most.ilog2()) + 2,
    };
    left.iter().map(pieces).sum::<u64>() * (room as u64 + 1) / 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Random;

    /// The fullest a room can be made, by trying everything.
    fn fullest(left: &[(u32, u64)], room: u32, places: u16) -> u32 {
        let Some((&(length, count), rest)) = left.split_first() else { return 0 };
        let most = most(room as usize, length as usize, count, places) as u32;
        (0..=most)
            .map(|k| k * length + fullest(rest, room - k * length, places - k as u16))
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn rooms_are_filled_as_far_as_they_can_be() {
        let mut random = Random::seeded(6);
        for _ in 0..400 {
            let items = |random: &mut Random| (1 + random.below(15) as u32, 1 + random.below(6));
            let mut left: Vec<(u32, u64)> = (0..1 + random.below(5)).map(|_| items(&mut random)).collect();
            left.sort_unstable_by(|a, b| b.cmp(a));
            left.dedup_by_key(|l| l.0);
            let (room, places) = (random.below(50) as u32, random.below(8) as u16);
            let (mut rest, mut runs) = (left.clone(), Vec::new());
            fill(&mut rest, room as usize, places, &mut runs);
            let used: u32 = runs.iter().map(|([l], n)| l * n).sum();
            assert_eq!(used, fullest(&left, room, places), "{left:?} {room} {places}");
            assert!(runs.iter().map(|(_, n)| n).sum::<u32>() <= u32::from(places));
            let taken = left.iter().zip(&rest).map(|(a, b)| u64::from(a.0) * (a.1 - b.1)).sum::<u64>();
            assert_eq!(taken, u64::from(used));
        }
    }
}
