//! Items in the order in which they are placed.

use super::measure::Measure;
use crate::histogram::{Histogram, Size, is_free};

/// A size, ready to be placed.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedSize<const K: usize> {
    /// Slots that it takes of a pack; 0 in components without a limit.
    pub size: Size<K>,
    /// Its entry in the histogram.
    pub entry: u32,
    /// The number of items.
    pub count: u64,
}

/// Items, the most difficult first.
#[derive(Debug)]
pub(super) struct SortedItems<const K: usize> {
    pub items: Vec<PlacedSize<K>>,
    /// The smallest value of each component among an item and those after it; one more for the end.
    least: Vec<Size<K>>,
    pub limits: Size<K>,
    /// The component exchanged with the first, by which rows are indexed.
    axis: usize,
}

impl<const K: usize> SortedItems<K> {
    /// Sorts by the measure, descending; ties by the size, descending. `axis` becomes the first component.
    pub fn new(
        histogram: &Histogram<K>,
        limits: &Size<K>,
        order: &Measure<K>,
        axis: usize,
    ) -> Self {
        let entries = histogram.entries();
        // Numbers of at least 0 are in the order of their bits.
        let key = |(i, (size, _)): (u32, &(Size<K>, u64))| (order.value(size).to_bits(), i);
        let mut keys: Vec<(u64, u32)> = (0..).zip(entries).map(key).collect();
        keys.sort_unstable();
        let items: Vec<PlacedSize<K>> = keys
            .into_iter()
            .rev()
            .map(|(_, entry)| {
                let (size, count) = entries[entry as usize];
                PlacedSize {
                    size: exchanged(limited(&size, limits), axis),
                    entry,
                    count,
                }
            })
            .collect();
        // One more entry than items, which no space is below: nothing is left to fit.
        let mut least = vec![[u32::MAX; K]; items.len() + 1];
        for (i, item) in items.iter().enumerate().rev() {
            least[i] = std::array::from_fn(|k| least[i + 1][k].min(item.size[k]));
        }
        Self {
            items,
            least,
            limits: exchanged(limited(limits, limits), axis),
            axis,
        }
    }

    /// Sets the number of items of each entry.
    pub fn keep(&mut self, counts: &[u64]) {
        self.items
            .iter_mut()
            .for_each(|item| item.count = counts[item.entry as usize]);
    }

    /// Returns a measure for spaces with components in the order used here.
    pub fn turned(&self, measure: &Measure<K>) -> Measure<K> {
        measure.swapped(0, self.axis)
    }

    /// Whether none of the items from `from` on can fit a space, judged by each component alone.
    pub fn none_fits(&self, from: usize, left: &Size<K>) -> bool {
        self.least[from].iter().zip(left).any(|(s, l)| s > l)
    }
}

/// Returns a size, or limits, with 0 in components without a limit: there everything fits.
pub(super) fn limited<const K: usize>(size: &Size<K>, limits: &Size<K>) -> Size<K> {
    std::array::from_fn(|k| if is_free::<K>(limits[k]) { 0 } else { size[k] })
}

fn exchanged<const K: usize>(mut size: Size<K>, axis: usize) -> Size<K> {
    size.swap(0, axis);
    size
}
