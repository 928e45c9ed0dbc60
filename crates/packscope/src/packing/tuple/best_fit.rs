//! Best fit, and first fit, decreasing: items in the order of a heuristic, each into the pack that the heuristic of the
//! space left prefers, as many at once as fit.
//!
//! Source: Krell et al. 2022, *Tuple Packing*, §2.4 (longest- and shortest-pack-first). Differences: a size is repeated
//! in a pack, new or old, as long as it fits and there are items; a pack is closed when none of the sizes still to come
//! fits, and not when its heuristic is 0; every pack keeps to the given limits.
//! Complexity: O(distinct · (log distinct + rows of open packs)), independent of the number of items.

use super::Heuristic;
use super::items::{PlacedSize, SortedItems};
use super::measure::Measure;
use super::open::TupleRunArena;
use super::rows::RowIndex;
use crate::bounds::Spend;
use crate::histogram::{Histogram, Size};
use crate::plan::Strategy;

/// Steps of a look at a pack or a row of packs.
pub(super) const STEPS_OF_LOOK: u64 = 4;
/// Steps that every size costs in addition.
pub(super) const STEPS_OF_SIZE: u64 = 1000;
/// In a hurry, all open packs are closed after this many sizes.
const HURRY: usize = 512;

/// The choice among the packs that fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// The one with the smallest measure of its free space: best fit.
    Tightest,
    /// The one with the largest: first fit as the paper calls it.
    Loosest,
}

/// The fixed parameters of a plan.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules<const K: usize> {
    pub depth: u32,
    /// The measure of a pack's free space.
    pub fit: Measure<K>,
    pub choice: Choice,
}

/// Packs by best fit with one heuristic for items and for spaces.
pub(super) fn pack<const K: usize>(
    histogram: &Histogram<K>,
    limits: &Size<K>,
    depth: u32,
    heuristic: Heuristic,
) -> Vec<Strategy<K>> {
    with(
        histogram,
        limits,
        depth,
        (heuristic, Choice::Tightest),
        &mut |_| true,
    )
    .into_strategies(histogram)
}

/// Packs by a choice of packs, with one heuristic for items and for spaces, in a hurry once `spend` refuses steps: the plan
/// has every item then too, in more packs.
pub(super) fn with<const K: usize>(
    histogram: &Histogram<K>,
    limits: &Size<K>,
    depth: u32,
    (heuristic, choice): (Heuristic, Choice),
    spend: &mut Spend,
) -> TupleRunArena {
    let fit = Measure::new(heuristic, limits);
    let items = SortedItems::new(histogram, limits, &fit, fit.leading(limits));
    fill(
        &items,
        &Rules { depth, fit, choice },
        TupleRunArena::default(),
        spend,
    )
}

/// Adds packs for all items to the present ones. Once `spend` refuses steps, packs stay open for a few sizes only.
pub(super) fn fill<const K: usize>(
    items: &SortedItems<K>,
    rules: &Rules<K>,
    arena: TupleRunArena,
    spend: &mut Spend,
) -> TupleRunArena {
    let rules = Rules {
        fit: items.turned(&rules.fit),
        ..*rules
    };
    let mut filling = BestFitFilling {
        items,
        rules,
        rows: RowIndex::new(items.limits[0]),
        arena,
    };
    let mut hurries = false;
    for (i, item) in items.items.iter().enumerate() {
        filling.place(i, item);
        hurries = hurries || !spend(STEPS_OF_SIZE + STEPS_OF_LOOK * filling.rows.looked());
        // With fewer open packs there is less to look at: those closed stay emptier, but every item
        // is packed.
        if hurries && i % HURRY == 0 {
            filling.rows.close_all(&mut filling.arena);
        }
    }
    let BestFitFilling {
        mut rows,
        mut arena,
        ..
    } = filling;
    rows.close_all(&mut arena);
    arena
}

struct BestFitFilling<'a, const K: usize> {
    items: &'a SortedItems<K>,
    rules: Rules<K>,
    rows: RowIndex<K>,
    arena: TupleRunArena,
}

impl<const K: usize> BestFitFilling<'_, K> {
    fn place(&mut self, i: usize, item: &PlacedSize<K>) {
        let mut left = item.count;
        while left > 0 {
            let at = match self.rules.choice {
                Choice::Tightest => self.rows.tightest(&item.size, &self.rules.fit),
                Choice::Loosest => {
                    self.rows
                        .loosest(&item.size, &self.items.limits, &self.rules.fit)
                }
            };
            let open = at.map(|at| self.rows.remove(at));
            let (room, depth) = open
                .as_ref()
                .map_or((self.items.limits, 0), |g| (g.left, g.depth));
            // At least 1: the pack was found with room for the size, and an empty pack has room for
            // every size.
            let repeat = repeats(item, &room, self.rules.depth - depth, left);
            // Packs that take the same number of items; a remainder is placed by the next round.
            let wanted = left / u64::from(repeat);
            let group = open.unwrap_or_else(|| self.arena.fresh(room, wanted));
            let packs = group.count.min(wanted);
            let filled = self
                .arena
                .add(&group, (&item.size, item.entry), repeat, packs);
            if group.count > packs {
                self.rows.push(group.without(packs));
            }
            left -= packs * u64::from(repeat);
            if filled.depth == self.rules.depth || self.items.none_fits(i + 1, &filled.left) {
                self.arena.close(&filled);
            } else {
                self.rows.push(filled);
            }
        }
    }
}

/// Returns how often a size fits into a pack, at most the number of items.
fn repeats<const K: usize>(item: &PlacedSize<K>, room: &Size<K>, places: u32, count: u64) -> u32 {
    let most = u64::from(places).min(count) as u32;
    item.size
        .iter()
        .zip(room)
        .filter(|(s, _)| **s > 0)
        .fold(most, |r, (s, l)| r.min(l / s))
}
