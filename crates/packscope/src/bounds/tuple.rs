//! Bounds for several components: what one component, or a mixture of them, needs alone.
//!
//! A mixture is a *surrogate*: shares of the limits, weighted with weights that add up to 1, are at most 1 in any pack.
//! Its items are sizes of one component, for which Martello and Toth's bound, a dual feasible function, is valid.
//!
//! Source: Caprara and Toth 2001, *Lower bounds and algorithms for the 2-dimensional vector packing problem*.

use super::{Bound, BoundKind, martello_toth};
use crate::histogram::{Histogram, Size, is_free};

/// Weights are multiples of one over this.
const PARTS: u32 = 8;
/// The limit of a surrogate: shares are rounded down to multiples of one over this, so that no pack exceeds it.
const ROOM: u32 = 1 << 20;
/// Shares are counted in ranges of this width to see whether a mixture can prove more than is known.
const WIDTH: u32 = 1 << 10;

/// The best of the cheap bounds for packs under several limits. `depth` is the most items a pack may hold. The
/// simplest argument wins a tie. O(distinct) for every mixture, 7 of two components and 42 of three, and
/// O(distinct · log distinct) for those that may prove more than the ones before.
pub fn best<const K: usize>(histogram: &Histogram<K>, limits: &Size<K>, depth: u32) -> Bound {
    let items = Bound {
        packs: histogram.items().div_ceil(u64::from(depth.max(1))),
        kind: BoundKind::Items,
    };
    let limited: Vec<usize> = (0..K).filter(|k| !is_free::<K>(limits[*k])).collect();
    let mut best = items;
    for &k in &limited {
        let tokens = histogram.total()[k].div_ceil(u64::from(limits[k].max(1)));
        best = better(
            best,
            Bound {
                packs: tokens,
                kind: BoundKind::Tokens,
            },
        );
    }
    for &k in &limited {
        if let Some(marginal) = histogram.marginal(k) {
            let packs = martello_toth(&marginal, limits[k]);
            best = better(
                best,
                Bound {
                    packs,
                    kind: BoundKind::MartelloToth,
                },
            );
        }
    }
    if limited.len() > 1 {
        let mut weights = [0; K];
        mixtures(&limited, PARTS, &mut weights, &mut |weights| {
            let mixed = surrogate(histogram, limits, weights);
            // Sorting takes most of the time, and few mixtures are better than the best bound so
            // far.
            if at_most(&mixed, histogram.items()) > best.packs
                && let Ok(mixed) = Histogram::from_lengths(mixed)
            {
                let packs = martello_toth(&mixed, ROOM);
                best = better(
                    best,
                    Bound {
                        packs,
                        kind: BoundKind::Surrogate,
                    },
                );
            }
        });
    }
    best
}

/// The larger of two bounds; the first one wins a tie.
fn better(a: Bound, b: Bound) -> Bound {
    if b.packs > a.packs { b } else { a }
}

/// Every way to share out the parts among two or more of the components.
fn mixtures<const K: usize>(
    among: &[usize],
    parts: u32,
    weights: &mut [u32; K],
    tell: &mut dyn FnMut(&[u32; K]),
) {
    let Some((first, others)) = among.split_first() else {
        return;
    };
    if others.is_empty() {
        weights[*first] = parts;
        if weights.iter().filter(|w| **w > 0).count() > 1 {
            tell(weights);
        }
        return;
    }
    for part in 0..=parts {
        weights[*first] = part;
        mixtures(others, parts - part, weights, tell);
    }
}

/// Weighted shares of the limits, as (size in a pack of [`ROOM`], items), in the order of the histogram.
fn surrogate<const K: usize>(
    histogram: &Histogram<K>,
    limits: &Size<K>,
    weights: &[u32; K],
) -> Vec<(u32, u64)> {
    let mixed = |size: &Size<K>| {
        // Rounded down component by component, in whole numbers: no sum can exceed the room.
        let part = |k: usize| match u64::from(weights[k]) * u64::from(ROOM / PARTS) {
            0 => 0,
            room => room * u64::from(size[k]) / u64::from(limits[k].max(1)),
        };
        (0..K).map(part).sum::<u64>() as u32
    };
    let sizes = histogram
        .entries()
        .iter()
        .map(|(size, count)| (mixed(size), *count));
    // Items without a share need no room in the mixture.
    sizes.filter(|(size, _)| *size > 0).collect()
}

/// A number of packs that [`martello_toth`] does not exceed for these sizes in packs of `ROOM`. Every threshold within
/// a range is given all small items of the range, and no room beside items that it may count as alone. `items` is the
/// number of all items. O(distinct), without sorting. Public for tests: that it is close shows in the time alone.
#[doc(hidden)]
pub fn at_most(sizes: &[(u32, u64)], items: u64) -> u64 {
    const RANGES: usize = (ROOM / WIDTH) as usize;
    // Beyond this, sums of sizes might not fit into 64 bits.
    if items > u64::MAX / u64::from(ROOM) {
        return u64::MAX;
    }
    let mut small = [0u64; RANGES / 2 + 1];
    let mut beside = [0u64; RANGES + 1];
    let mut alone = 0;
    for &(size, count) in sizes {
        let range = ((size / WIDTH) as usize).min(RANGES);
        if size > ROOM / 2 {
            alone += count;
            beside[range] += u64::from(ROOM.saturating_sub(size)) * count;
        } else {
            small[range] += u64::from(size) * count;
        }
    }
    let (mut tokens, mut room, mut most) = (0, 0, 0);
    for (range, small) in small.iter().enumerate().rev() {
        // Large items of these ranges share their packs, whichever threshold of the range it is.
        room += beside[RANGES - range - 2];
        tokens += small;
        most = most.max(tokens.saturating_sub(room));
    }
    alone + most.div_ceil(u64::from(ROOM))
}
