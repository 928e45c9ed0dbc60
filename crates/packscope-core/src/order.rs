//! A sort and a map for short lists: the standard library's sort and B-tree are compiled anew for every type, some six
//! kilobytes each, which the page would have to load.

use std::cmp::Ordering;

/// A map kept as a sorted vector: O(log n) to look up, O(n) to insert and to remove.
pub use litemap::LiteMap as Map;
/// A set kept as a sorted vector.
pub type Set<T> = Map<T, ()>;

/// Sorts as [`slice::sort_by`] does, stably, in O(n log n); for lists of labels, rows and bins.
pub fn sort_by<T>(items: &mut Vec<T>, mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = order(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    let mut taken: Vec<Option<T>> = std::mem::take(items).into_iter().map(Some).collect();
    items.extend(order.into_iter().filter_map(|at| taken[at].take()));
}

/// As [`sort_by`], by a key.
pub fn sort_by_key<T, U: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> U) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Returns the indices of the items in sorted order.
fn order(n: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}
