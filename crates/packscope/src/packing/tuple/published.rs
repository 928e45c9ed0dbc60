//! Best fit as published: dual longest-pack-first histogram packing (dLPFHP).
//!
//! Items go by (heuristic, size), descending. Each is put into the open pack with the smallest heuristic of its space,
//! from its own heuristic upwards, the oldest first; counts are split; the search starts anew after each find, but then
//! above its own heuristic. Items that fit nowhere open a pack each. A pack is closed when it holds as many items as it
//! may or when the heuristic of its space is 0.
//!
//! Source: Krell et al. 2022, *Tuple Packing*, §2.4 and Listing 2, as their notebook corrects it (graphcore/examples,
//! graph_packing.ipynb). Differences in the packs: the heuristic "minimum" is a minimum, where theirs is the maximum; and
//! sizes that go round the packs of one measure more than 1,024 times fill one after the other. Others: ours finds packs in
//! rows, and uses the given limits when it counts efficiency.
//! Complexity: O((distinct + groups) · rows of open packs) as a rule.

use super::Heuristic;
use super::best_fit::{STEPS_OF_LOOK, STEPS_OF_SIZE};
use super::items::{PlacedSize, SortedItems};
use super::measure::Measure;
use super::open::{OpenTupleGroup, TupleRunArena};
use super::rows::RowIndex;
use crate::bounds::Spend;
use crate::histogram::{Histogram, Size, fits};
use crate::plan::Strategy;

pub(super) fn pack<const K: usize>(
    histogram: &Histogram<K>,
    limits: &Size<K>,
    depth: u32,
    heuristic: Heuristic,
) -> Vec<Strategy<K>> {
    pack_while(histogram, limits, depth, heuristic, &mut |_| true).unwrap_or_default()
}

/// As [`pack`]; `None` once `spend` refuses steps.
pub(super) fn pack_while<const K: usize>(
    histogram: &Histogram<K>,
    limits: &Size<K>,
    depth: u32,
    heuristic: Heuristic,
    spend: &mut Spend,
) -> Option<Vec<Strategy<K>>> {
    let measure = Measure::new(heuristic, limits);
    let items = SortedItems::new(histogram, limits, &measure, measure.leading(limits));
    let measure = items.turned(&measure);
    // Without a limit for the components of the heuristic, no pack is ever full.
    let full = if measure.value(&items.limits) > 0.0 {
        0.0
    } else {
        -1.0
    };
    let mut filling = PublishedFilling {
        measure,
        full,
        depth,
        rows: RowIndex::new(items.limits[0]),
        arena: TupleRunArena::default(),
    };
    for item in &items.items {
        filling.place(item, &items.limits);
        if !spend(STEPS_OF_SIZE + STEPS_OF_LOOK * filling.rows.looked()) {
            return None;
        }
    }
    let PublishedFilling {
        mut rows,
        mut arena,
        ..
    } = filling;
    rows.close_all(&mut arena);
    Some(arena.into_strategies(histogram))
}

/// A size whose measure stays the same goes round the packs of that measure one by one. Billions of
/// such rounds would have no limit: beyond this many, the size fills one pack after the other.
const LONG: u32 = 1024;

struct PublishedFilling<const K: usize> {
    measure: Measure<K>,
    /// The measure of a space at which a pack is closed.
    full: f64,
    depth: u32,
    rows: RowIndex<K>,
    arena: TupleRunArena,
}

impl<const K: usize> PublishedFilling<K> {
    fn place(&mut self, item: &PlacedSize<K>, limits: &Size<K>) {
        let own = self.measure.value(&item.size);
        let (mut left, mut floor) = (item.count, f64::NEG_INFINITY);
        while left > 0 {
            let Some(at) = self.rows.oldest(&item.size, &self.measure, floor) else {
                // As published, one item a pack, even where more would fit.
                let fresh = self.arena.fresh(*limits, left);
                let pack = self.arena.add(&fresh, (&item.size, item.entry), 1, left);
                return self.file(pack);
            };
            let group = self.rows.remove(at);
            let (packs, repeat) = (group.count.min(left), self.repeats(item, &group, left, own));
            if group.count > packs {
                self.rows.push(group.without(packs));
            }
            let pack = self
                .arena
                .add(&group, (&item.size, item.entry), repeat, packs);
            self.file(pack);
            left -= packs * u64::from(repeat);
            // As published: after the first find, only packs above the size's own heuristic are
            // searched.
            floor = own;
        }
    }

    fn file(&mut self, pack: OpenTupleGroup<K>) {
        // As published: by the product, a pack that is full in one component takes nothing more,
        // not even graphs that need only the other.
        if pack.depth == self.depth || self.measure.value(&pack.left) == self.full {
            self.arena.close(&pack);
        } else {
            self.rows.push(pack);
        }
    }

    /// Returns how many searches in a row would find this group again and fill all of it, to skip these: while its
    /// measure falls, it comes before all others that fit.
    fn repeats(&self, item: &PlacedSize<K>, group: &OpenTupleGroup<K>, left: u64, own: f64) -> u32 {
        let most = (left / group.count)
            .min(u64::from(self.depth - group.depth))
            .max(1) as u32;
        let number = |times: u32| self.measure.value(&after(group, item, times));
        let again = |times: u32| {
            let before = after(group, item, times - 1);
            fits(&item.size, &before) && self.measure.value(&before) > own
        };
        let room = item
            .size
            .iter()
            .zip(&group.left)
            .filter(|(s, _)| **s > 0)
            .map(|(s, l)| l / s);
        let (mut low, mut high) = (1, room.fold(most, u32::min));
        while low < high {
            let middle = high - (high - low) / 2;
            if again(middle) {
                low = middle
            } else {
                high = middle - 1
            }
        }
        // Sums fall evenly, maxima and products ever slower, minima ever faster: the ends tell.
        let falls = low > 1 && number(1) < number(0) && number(low) < number(low - 1);
        if falls || low > LONG { low } else { 1 }
    }
}

fn after<const K: usize>(group: &OpenTupleGroup<K>, item: &PlacedSize<K>, times: u32) -> Size<K> {
    std::array::from_fn(|k| group.left[k] - item.size[k] * times)
}
