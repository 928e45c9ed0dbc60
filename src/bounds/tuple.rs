//! Bounds for several components: what one component, or a mixture of them, needs alone.

use super::{Bound, BoundKind, martello_toth};
use crate::histogram::{FREE, Histogram, Size};

/// The best of the cheap bounds for packs under several limits. `depth` is the most items a pack may hold.
/// O(K · distinct · log distinct).
pub fn best<const K: usize>(histogram: &Histogram<K>, limits: &Size<K>, depth: u32) -> Bound {
    let items = Bound { packs: histogram.items().div_ceil(u64::from(depth.max(1))), kind: BoundKind::Items };
    (0..K).filter(|k| limits[*k] != FREE).fold(items, |best, k| {
        let tokens = histogram.total()[k].div_ceil(u64::from(limits[k].max(1)));
        let mut best = better(best, Bound { packs: tokens, kind: BoundKind::Tokens });
        if let Some(marginal) = histogram.marginal(k) {
            let packs = martello_toth(&marginal, limits[k]);
            best = better(best, Bound { packs, kind: BoundKind::MartelloToth });
        }
        best
    })
}

/// The larger of two bounds; the first one wins a tie.
fn better(a: Bound, b: Bound) -> Bound {
    if b.packs > a.packs { b } else { a }
}
