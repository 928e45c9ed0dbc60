//! Average target: the best packer for small depths that takes milliseconds.
//!
//! Longest-first packers fill a row with one long and one short item and then meet the depth limit with room left.
//! Here a pack begins with the longest length left; with `k` places and `R` slots left, the next item is the longest
//! of at most ⌈θ·R/k⌉ slots, so that the remaining places can still fill the row, or, if there is none, the longest
//! that fits; the last place takes the longest that fits. The pattern is repeated as often as the counts allow.
//! Sixteen values of θ are tried, and LPFHP; the fewest packs win (ties: LPFHP, then the smaller θ).
//!
//! Source: ours; related to the bin-centric heuristics of Fleszar and Hindi 2002 and the minimum bin slack of Gupta
//! and Ho 1999. At larger depths, plans with targets hold at most 64 items a pack. Complexity: O(16 · distinct · depth
//! · log distinct) in practice, independent of the number of items.

use super::bits::Bits;
use super::lpfhp;
use crate::histogram::Histogram;
use crate::plan::{Strategy, packs};

/// The number of values of θ, from 0.70 to 1.00.
const THETAS: u32 = 16;
/// The largest depth at which the target is of use; beyond it, it is below every length.
const DEEPEST: u32 = 64;

pub(super) fn pack(histogram: &Histogram<1>, limit: u32, depth: u32) -> Vec<Strategy<1>> {
    pack_while(histogram, limit, depth, &mut || true)
}

/// Packs with as many targets as `go_on` allows, which is asked before each.
pub(super) fn pack_while(
    histogram: &Histogram<1>,
    limit: u32,
    depth: u32,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Strategy<1>> {
    let mut best = lpfhp::pack(histogram, limit, depth);
    if depth == 1 {
        return best;
    }
    let mut fewest = packs(&best);
    for i in (0..THETAS).take_while(|_| go_on()) {
        // Whole numbers, so that every machine has the same targets.
        let theta = 700 + 300 * i / (THETAS - 1);
        let plan = with_target(histogram, limit, depth.min(DEEPEST), theta);
        if packs(&plan) < fewest {
            fewest = packs(&plan);
            best = plan;
        }
    }
    best
}

/// Packs with one θ, in thousandths.
fn with_target(histogram: &Histogram<1>, limit: u32, depth: u32, theta: u32) -> Vec<Strategy<1>> {
    let mut left = RemainingItems::new(histogram);
    let mut plan = Vec::new();
    while let Some(longest) = left.longest(u32::MAX) {
        let pattern = left.pattern(longest, limit, depth, theta);
        let packs = left.take(&pattern);
        let runs = pattern
            .iter()
            .map(|&(at, n)| (left.entries[at].0, n))
            .collect();
        plan.push(Strategy { runs, count: packs });
    }
    plan
}

/// Items not packed yet.
struct RemainingItems<'h> {
    entries: &'h [([u32; 1], u64)],
    counts: Vec<u64>,
    /// The entries with items left beyond the current pattern.
    present: Bits,
}

impl<'h> RemainingItems<'h> {
    fn new(histogram: &'h Histogram<1>) -> Self {
        let entries = histogram.entries();
        let counts = entries.iter().map(|(_, n)| *n).collect();
        Self {
            entries,
            counts,
            present: Bits::ones(entries.len()),
        }
    }

    /// Returns the entry of the longest length of at most `size` slots.
    fn longest(&self, size: u32) -> Option<usize> {
        let end = self.entries.partition_point(|([l], _)| *l <= size);
        self.present.last_before(end)
    }

    /// Returns the entries of one pack with their multiplicities, each at most the number left.
    fn pattern(&mut self, first: usize, limit: u32, depth: u32, theta: u32) -> Vec<(usize, u32)> {
        let mut pattern = Vec::<(usize, u32)>::new();
        let (mut room, mut places) = (limit, depth);
        let mut next = Some(first);
        while let Some(at) = next {
            // Never below 0: `first` fits an empty pack, and all others were chosen to fit the
            // room.
            room -= self.entries[at].0[0];
            places -= 1;
            let used = match pattern.iter_mut().find(|(entry, _)| *entry == at) {
                Some((_, n)) => {
                    *n += 1;
                    *n
                }
                None => {
                    pattern.push((at, 1));
                    1
                }
            };
            // For this pattern, a length is used up once the pattern holds all of its items; `take`
            // sets the bits by what is really left.
            self.present.set(at, self.counts[at] > u64::from(used));
            next = match places {
                0 => None,
                1 => self.longest(room),
                k => self
                    .longest(target(room, k, theta))
                    .or_else(|| self.longest(room)),
            };
        }
        pattern
    }

    /// Packs the pattern as often as possible; returns how often.
    fn take(&mut self, pattern: &[(usize, u32)]) -> u64 {
        // At least 1: no length is in the pattern more often than there are items of it.
        let times = pattern
            .iter()
            .map(|&(at, n)| self.counts[at] / u64::from(n))
            .min()
            .unwrap_or(0);
        for &(at, n) in pattern {
            self.counts[at] -= times * u64::from(n);
            self.present.set(at, self.counts[at] > 0);
        }
        times
    }
}

/// Returns ⌈θ·room / places⌉, at most the room.
fn target(room: u32, places: u32, theta: u32) -> u32 {
    // In 64 bits, because a room times a thousand overflows 32.
    let exact = (u64::from(room) * u64::from(theta)).div_ceil(u64::from(places) * 1000);
    u32::try_from(exact).map_or(room, |t| t.min(room))
}
