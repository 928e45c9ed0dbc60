//! Next-fit decreasing: the longest first, each into the one open pack, or into a new one where it has no room.
//!
//! Source: Johnson 1973; at most 1.691 times the fewest packs (Baker and Coffman 1981). Complexity: O(distinct).

use crate::histogram::Histogram;
use crate::plan::Strategy;

/// Returns one strategy for all full packs of a length, and one for each pack of several lengths.
pub(super) fn pack(histogram: &Histogram<1>, limit: u32, depth: u32) -> Vec<Strategy<1>> {
    let mut strategies = Vec::new();
    let mut open = Strategy { runs: Vec::new(), count: 1 };
    let (mut room, mut places) = (limit, depth);
    for &([length], mut count) in histogram.entries().iter().rev() {
        let fit = |room: u32, places: u32| (room / length).min(places);
        let first = u64::from(fit(room, places)).min(count) as u32;
        if first > 0 {
            open.runs.push(([length], first));
            (room, places, count) = (room - first * length, places - first, count - u64::from(first));
        }
        if count > 0 {
            let each = fit(limit, depth);
            let (full, rest) = (count / u64::from(each), (count % u64::from(each)) as u32);
            if full > 0 {
                strategies.push(Strategy { runs: vec![([length], each)], count: full });
            }
            strategies.push(std::mem::replace(&mut open, Strategy { runs: Vec::new(), count: 1 }));
            (room, places) = (limit - rest * length, depth - rest);
            if rest > 0 {
                open.runs.push(([length], rest));
            }
        }
    }
    strategies.push(open);
    strategies.retain(|strategy| !strategy.runs.is_empty());
    strategies
}
