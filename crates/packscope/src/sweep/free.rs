//! Sweeps with one component limited and the others free.

use super::{Range, SweepResults};
use crate::histogram::{FREE, Size};

/// First tries every limit of every component with the others free, which yields the sizes that these need. Then tries
/// the same limits with the others fixed at the first limit of their range that is at least that size, or at the last
/// limit.
///
/// Source: Krell et al. 2022, *Tuple Packing*, §2.5: "set no limit for all but one components to get a good start".
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Free {
    stages: u32,
}

impl Free {
    pub(super) fn next<const K: usize>(
        &mut self,
        ranges: &[Range; K],
        evaluated: &SweepResults<K>,
    ) -> Option<Vec<Size<K>>> {
        self.stages += 1;
        match self.stages {
            1 => Some(freed(ranges)),
            2 => Some(
                freed(ranges)
                    .iter()
                    // Refused limits have no result, and so no needs.
                    .filter_map(|l| evaluated.at(l))
                    .map(|p| fixed(ranges, p))
                    .collect(),
            ),
            _ => None,
        }
    }
}

fn freed<const K: usize>(ranges: &[Range; K]) -> Vec<Size<K>> {
    let one = |k: usize| {
        ranges[k]
            .values()
            .map(move |limit| std::array::from_fn(|j| if j == k { limit } else { FREE }))
    };
    (0..K).flat_map(one).collect()
}

fn fixed<const K: usize>(ranges: &[Range; K], point: &super::SweepPoint<K>) -> Size<K> {
    std::array::from_fn(|k| match point.limits[k] {
        FREE => ranges[k].at_least(point.needed[k]),
        limit => limit,
    })
}
