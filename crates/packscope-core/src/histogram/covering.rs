//! Limits that hold a share of the items.

use super::{Histogram, Size};

impl<const K: usize> Histogram<K> {
    /// Returns the smallest limits of one rank that hold at least a share (0 to 1) of the items. The limits of rank n are
    /// the n-th smallest size of each component; an item is held if it is within all of them. With one component they are
    /// its [`quantile`](Histogram::quantile). O(distinct log distinct).
    ///
    /// ```
    /// use packscope_core::Histogram;
    /// // Nine small graphs, and one with many edges.
    /// let graphs = Histogram::from_counts([([4, 6], 9), ([5, 90], 1)])?;
    /// assert_eq!((graphs.covering(0.9), graphs.covering(1.0)), ([4, 6], [5, 90]));
    /// # Ok::<(), packscope_core::Error>(())
    /// ```
    pub fn covering(&self, share: f64) -> Size<K> {
        let needed = ((share.clamp(0.0, 1.0) * self.items as f64).ceil() as u64).max(1);
        // In each component: (size, items with a smaller one), ascending.
        let margins: [Vec<(u32, u64)>; K] = std::array::from_fn(|k| {
            let mut sizes: Vec<_> = self
                .entries
                .iter()
                .map(|(size, count)| (size[k], *count))
                .collect();
            sizes.sort_unstable();
            let mut below = 0;
            // Equal sizes follow each other; `dedup` below keeps the first, whose sum has only
            // smaller ones.
            for (_, count) in &mut sizes {
                below += std::mem::replace(count, below);
            }
            sizes.dedup_by_key(|(size, _)| *size);
            sizes
        });
        let smaller = |k: usize, size: u32| {
            let at = margins[k].partition_point(|(other, _)| *other < size);
            margins[k].get(at).map_or(0, |(_, below)| *below)
        };
        // Limits of rank n hold the items with fewer than n smaller ones in every component.
        let below = |size: &Size<K>| (0..K).map(|k| smaller(k, size[k])).max().unwrap_or(0);
        let mut ranks: Vec<_> = self
            .entries
            .iter()
            .map(|(size, count)| (below(size), *count))
            .collect();
        ranks.sort_unstable();
        let mut held = 0;
        let enough = ranks.into_iter().find(|(_, count)| {
            held += count;
            held >= needed
        });
        let rank = enough.map_or(0, |(below, _)| below);
        std::array::from_fn(|k| {
            let end = margins[k].partition_point(|(_, below)| *below <= rank);
            end.checked_sub(1).map_or(0, |at| margins[k][at].0)
        })
    }
}
