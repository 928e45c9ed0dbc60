//! Packs filled one by one to the last slot that can be reached: the end game of [`super::dive`].
//!
//! A pack begins with the longest item left. Of all ways to fill the rest of it as far as possible, the one
//! with the longest items is taken: short items are the ones that fill later packs. With enough of them
//! hardly a slot is lost.
//!
//! Source: minimum bin slack, Gupta and Ho 1999; Fleszar and Hindi 2002, who begin with the longest item.
//! Complexity: O(packs · distinct · limit · repeats); for some hundred packs.

use crate::plan::Strategy;

/// More items than any pack here holds.
const NEVER: u16 = u16::MAX / 2;

/// The largest table: 32 MiB.
const ENTRIES: u64 = 1 << 24;

/// Packs the items, (length, how many) with the longest first. `spend` is asked with the steps of each
/// pack; `None` when it refuses, or when the table would be too large.
pub(super) fn pack(
    items: &[(u32, u64)],
    limit: u32,
    depth: u32,
    spend: &mut dyn FnMut(u64) -> bool,
) -> Option<Vec<Strategy<1>>> {
    let mut left: Vec<(u32, u64)> = items.iter().copied().filter(|(_, n)| *n > 0).collect();
    if (u64::from(limit) + 1) * (left.len() as u64 + 1) > ENTRIES {
        return None;
    }
    let mut plan = Vec::new();
    while let Some(&(longest, _)) = left.first() {
        left[0].1 -= 1;
        let room = (limit - longest) as usize;
        let places = (depth - 1).min(u32::from(NEVER) - 1) as u16;
        let mut runs = vec![([longest], 1)];
        // Eight entries of the table a step: they are done in lanes.
        if !spend((room + 1) as u64 * left.len() as u64 / 8) {
            return None;
        }
        fill(&mut left, room, places, &mut runs);
        plan.push(Strategy { runs, count: 1 });
        left.retain(|(_, n)| *n > 0);
    }
    Some(plan)
}

/// Takes items that fill the room as far as `places` of them can.
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
        let most = (sum / length).min(usize::from(places)).min(usize::try_from(*count).unwrap_or(usize::MAX));
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

/// The fewest items with one more length to choose from, up to as many as there are.
fn add(here: &mut [u16], after: &[u16], (length, count): (u32, u64), places: u16) {
    here.copy_from_slice(after);
    let length = length as usize;
    let most = ((here.len() - 1) / length).min(usize::from(places)) as u64;
    for k in 1..=most.min(count) {
        let shift = length * k as usize;
        for (here, after) in here[shift..].iter_mut().zip(after) {
            *here = (*here).min(*after + k as u16);
        }
    }
}
