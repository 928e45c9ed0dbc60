//! Items that take nothing of any limit, such as graphs without edges if nodes are free: they take places only, so that
//! they can be packed last without a loss. The others need P packs; all together need the larger of P and ⌈items /
//! depth⌉.

use crate::histogram::{Histogram, Size};
use crate::plan::Strategy;

/// Sizes with their counts.
type WeightlessItems<const K: usize> = Vec<(Size<K>, u64)>;

/// Separates items that take room in one of the components from those that do not.
pub(super) fn set_apart<const K: usize>(
    histogram: &Histogram<K>,
    components: &[usize],
) -> (WeightlessItems<K>, WeightlessItems<K>) {
    histogram
        .entries()
        .iter()
        .partition(|(size, _)| components.iter().any(|k| size[*k] > 0))
}

/// Gives the items places in the packs while there are any; the others stay in `items`. O(strategies · items).
pub(super) fn add<const K: usize>(
    strategies: Vec<Strategy<K>>,
    items: &mut [(Size<K>, u64)],
    depth: u32,
) -> Vec<Strategy<K>> {
    let mut todo = strategies;
    let mut done = Vec::new();
    while let Some(mut pack) = todo.pop() {
        let mut free = u64::from(depth).saturating_sub(pack.depth());
        for (size, left) in items.iter_mut() {
            let each = free.min(*left / pack.count);
            if each > 0 {
                pack.runs.push((*size, each as u32));
                *left -= each * pack.count;
                free -= each;
            }
            if free > 0 && *left > 0 {
                // `left` is now below the number of these packs: that many take one more each, and
                // the others are looked at again by themselves.
                let others = Strategy {
                    count: pack.count - *left,
                    ..pack.clone()
                };
                pack.count = *left;
                pack.runs.push((*size, 1));
                (*left, free) = (0, free - 1);
                todo.push(others);
            }
        }
        done.push(pack);
    }
    done
}
