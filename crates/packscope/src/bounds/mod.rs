//! Lower bounds: packs that no plan can go below. They judge the packing algorithms, and depend on none of them.

mod certificate;
mod grid;
mod knapsack;
mod pricing;
pub mod tuple;

pub use certificate::Certificate;
pub use certificate::dual_bound;
pub(crate) use grid::binding;
pub(crate) use knapsack::Spend;
pub(crate) use pricing::PackPricing;
pub use pricing::most_valuable_pack;

use crate::histogram::Histogram;

/// Where a bound comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoundKind {
    /// ⌈tokens / limit⌉.
    Tokens,
    /// ⌈items / depth⌉.
    Items,
    /// Martello and Toth's L2.
    MartelloToth,
    /// The fewest packs of at most two items: for depth 2 this is the optimum.
    Pairs,
    /// Martello and Toth's L2 of a mixture of several components.
    Surrogate,
    /// The linear relaxation, proven by a [`Certificate`].
    LinearProgram,
    /// Every plan of fewer packs was tried, which small data allow.
    Exhaustion,
}

impl BoundKind {
    /// Returns the argument in one line, for a reader.
    pub fn words(self) -> &'static str {
        match self {
            Self::Tokens => "all tokens ÷ the limit, rounded up: not even full rows would be fewer",
            Self::Items => "all sequences ÷ the depth, rounded up",
            Self::MartelloToth => {
                "Martello and Toth's bound: long sequences that cannot share a row"
            }
            Self::Surrogate => "Martello and Toth's bound for a weighted mean of the components",
            Self::Pairs => {
                "the fewest rows of at most two: the longest with the shortest, if they fit"
            }
            Self::LinearProgram => {
                "even the LP relaxation needs this many rows, checked in exact integers"
            }
            Self::Exhaustion => "every way to use fewer rows was tried, and none holds all of it",
        }
    }

    /// Returns the name of the argument as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Items => "items",
            Self::MartelloToth => "martello-toth",
            Self::Pairs => "pairs",
            Self::Surrogate => "surrogate",
            Self::LinearProgram => "linear-program",
            Self::Exhaustion => "exhaustion",
        }
    }
}

/// A number of packs no plan can go below, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Bound {
    /// The number of packs that no plan can go below.
    pub packs: u64,
    /// The argument that proves it.
    pub kind: BoundKind,
}

/// The best of the cheap bounds. `depth` is the most items a pack may hold. O(distinct).
pub fn best(histogram: &Histogram<1>, limit: u32, depth: u32) -> Bound {
    let tokens = Bound {
        packs: tokens(histogram, limit),
        kind: BoundKind::Tokens,
    };
    let items = Bound {
        packs: histogram.items().div_ceil(u64::from(depth.max(1))),
        kind: BoundKind::Items,
    };
    let l2 = Bound {
        packs: martello_toth(histogram, limit),
        kind: BoundKind::MartelloToth,
    };
    let pairs = (depth == 2).then(|| Bound {
        packs: pairs(histogram, limit),
        kind: BoundKind::Pairs,
    });
    // The simplest argument wins a tie.
    [items, l2].into_iter().chain(pairs).fold(
        tokens,
        |best, b| if b.packs > best.packs { b } else { best },
    )
}

/// ⌈tokens / limit⌉. O(1).
pub fn tokens(histogram: &Histogram<1>, limit: u32) -> u64 {
    histogram.total()[0].div_ceil(u64::from(limit.max(1)))
}

/// Returns Martello and Toth's L2. For each threshold t, items longer than limit − t need a pack
/// each and share it with no item of length t or more; items longer than half the limit need a pack
/// each; all other items of length t or more have to fit into the room that these leave, or into
/// further packs.
///
/// Source: Martello and Toth 1990, *Knapsack Problems*, §8.3. Valid for every depth. O(distinct).
pub fn martello_toth(histogram: &Histogram<1>, limit: u32) -> u64 {
    let entries = histogram.entries();
    let prefix = prefix_sums(entries);
    let half = entries.partition_point(|([l], _)| u64::from(*l) < u64::from(limit) / 2 + 1);
    let end = entries.len();
    let capacity = u128::from(limit);
    // Of those longer than limit/2 each needs a pack.
    let alone = prefix[end].0 - prefix[half].0;
    let (mut best, mut high) = (alone, end);
    for (low, ([t], _)) in entries[..half].iter().enumerate() {
        // Sizes in [t, limit/2], in (limit/2, limit − t], and above limit − t, of which there are ever more.
        while high > half && entries[high - 1].0[0] > limit - t {
            high -= 1;
        }
        let middle = prefix[high].0 - prefix[half].0;
        // Never below 0: none of these sizes is above the limit.
        let middle_room = capacity * middle - (prefix[high].1 - prefix[half].1);
        let small = prefix[half].1 - prefix[low].1;
        // Divided only where the quotient counts: divisions of 128 bits take longer than all else.
        let excess = small.saturating_sub(middle_room);
        if excess > (best - alone) * capacity {
            best = alone + excess.div_ceil(capacity);
        }
    }
    u64::try_from(best).unwrap_or(u64::MAX)
}

/// Returns the fewest packs of at most two items each, exactly: the longest item left goes with the
/// shortest one if the two fit, else alone. An item that could share a pack with the longest could
/// share one with any other, so that nothing is lost. O(distinct). Items longer than the limit
/// count as packs of their own.
pub fn pairs(histogram: &Histogram<1>, limit: u32) -> u64 {
    let fits = |a: u32, b: u32| u64::from(a) + u64::from(b) <= u64::from(limit);
    let mut left = histogram.lengths();
    let (mut short, mut packs) = (0, 0u64);
    while let Some(&(length, n)) = left.last() {
        let last = left.len() - 1;
        if short >= last {
            // One length is left: it pairs with itself or not at all.
            packs += if fits(length, length) {
                n.div_ceil(2)
            } else {
                n
            };
            break;
        }
        let (partner, there) = left[short];
        let together = if fits(length, partner) {
            n.min(there)
        } else {
            0
        };
        packs += if together == 0 { n } else { together };
        left[last].1 = if together == 0 { 0 } else { n - together };
        left[short].1 -= together;
        short += usize::from(left[short].1 == 0);
        if left[last].1 == 0 {
            left.pop();
        }
    }
    packs
}

/// (items, tokens) of the entries before each index.
fn prefix_sums(entries: &[([u32; 1], u64)]) -> Vec<(u128, u128)> {
    let mut sums = vec![(0, 0)];
    let (mut items, mut tokens) = (0, 0);
    for ([length], count) in entries {
        items += u128::from(*count);
        tokens += u128::from(*length) * u128::from(*count);
        sums.push((items, tokens));
    }
    sums
}
