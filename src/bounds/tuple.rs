//! Bounds for several components: what one component, or a mixture of them, needs alone.
//!
//! A mixture is a *surrogate*: shares of the limits, weighted with weights that add up to 1, are at most 1 in any pack.
//! Its items are sizes of one component, for which Martello and Toth's bound, a dual feasible function, is valid.
//!
//! Source: Caprara and Toth 2001, *Lower bounds and algorithms for the 2-dimensional vector packing problem*.

use super::{Bound, BoundKind, martello_toth};
use crate::histogram::{FREE, Histogram, Size};

/// Weights are multiples of one over this.
const PARTS: u32 = 8;
/// The limit of a surrogate: shares are rounded down to multiples of one over this, so that no pack exceeds it.
const ROOM: u32 = 1 << 20;

/// The best of the cheap bounds for packs under several limits. `depth` is the most items a pack may hold. The
/// simplest argument wins a tie. O(distinct · log distinct) for every mixture: 9 of two components, 45 of three.
pub fn best<const K: usize>(histogram: &Histogram<K>, limits: &Size<K>, depth: u32) -> Bound {
    let items = Bound { packs: histogram.items().div_ceil(u64::from(depth.max(1))), kind: BoundKind::Items };
    let limited: Vec<usize> = (0..K).filter(|k| limits[*k] != FREE).collect();
    let mut best = items;
    for &k in &limited {
        let tokens = histogram.total()[k].div_ceil(u64::from(limits[k].max(1)));
        best = better(best, Bound { packs: tokens, kind: BoundKind::Tokens });
    }
    for &k in &limited {
        if let Some(marginal) = histogram.marginal(k) {
            let packs = martello_toth(&marginal, limits[k]);
            best = better(best, Bound { packs, kind: BoundKind::MartelloToth });
        }
    }
    if limited.len() > 1 {
        let mut weights = [0; K];
        mixtures(&limited, PARTS, &mut weights, &mut |weights| {
            if let Some(mixed) = surrogate(histogram, limits, weights) {
                let packs = martello_toth(&mixed, ROOM);
                best = better(best, Bound { packs, kind: BoundKind::Surrogate });
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
    let Some((first, others)) = among.split_first() else { return };
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

/// Weighted shares of the limits, as sizes in a pack of [`ROOM`].
fn surrogate<const K: usize>(
    histogram: &Histogram<K>,
    limits: &Size<K>,
    weights: &[u32; K],
) -> Option<Histogram<1>> {
    let mixed = |size: &Size<K>| {
        // Rounded down component by component, in whole numbers: no sum can exceed the room.
        let part = |k: usize| match u64::from(weights[k]) * u64::from(ROOM / PARTS) {
            0 => 0,
            room => room * u64::from(size[k]) / u64::from(limits[k].max(1)),
        };
        (0..K).map(part).sum::<u64>() as u32
    };
    let sizes = histogram.entries().iter().map(|(size, count)| (mixed(size), *count));
    Histogram::from_lengths(sizes.filter(|(size, _)| *size > 0)).ok()
}
