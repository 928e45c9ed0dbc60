//! A bound that carries its proof, in whole numbers.

use super::{Bound, BoundKind, PackPricing};
use crate::histogram::{Histogram, Size};

/// A worth, which is a scaled dual value, for every size. No pack can be worth more than `most`; so all items
/// together, which are worth Σ count·worth, need at least ⌈Σ count·worth / most⌉ packs.
///
/// The bound can be verified in integer arithmetic alone: find the most that a pack within
/// limits and depth is worth (a knapsack), and divide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate<const K: usize> {
    /// (size, worth), largest first: one for every size of the histogram.
    pub worths: Vec<(Size<K>, i64)>,
    /// The most that the items of one pack are worth.
    pub most: i64,
    /// Packs no plan can go below.
    pub packs: u64,
}

impl<const K: usize> Certificate<K> {
    /// The bound that these worths prove: finds the most that one pack is worth, exactly. `worths` belong
    /// to the sizes of the histogram, largest first; those below zero count as zero.
    ///
    /// `None` when the tables would be too large, when `spend` refuses, or when nothing is worth anything.
    /// The time is that of the knapsack: O(depth · distinct · Π limits). Public for tests: searches prove with few worths.
    #[doc(hidden)]
    pub fn new(
        histogram: &Histogram<K>,
        limits: &Size<K>,
        depth: u32,
        worths: &[i64],
        spend: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Self> {
        let (sizes, counts): (Vec<_>, Vec<_>) = histogram.entries().iter().rev().copied().unzip();
        // A worth below zero only lowers the sum; 0 is as valid and proves more.
        let worths: Vec<i64> = worths.iter().map(|w| (*w).max(0)).collect();
        let most = PackPricing::new(&sizes, limits, depth)?.solve(&worths, spend)?;
        let packs = dual_bound(&counts, &worths, most)?;
        Some(Self {
            worths: sizes.into_iter().zip(worths).collect(),
            most,
            packs,
        })
    }

    /// As [`Self::new`], where the most that a pack is worth is known.
    pub(crate) fn with_most_worth(
        histogram: &Histogram<K>,
        worths: &[i64],
        most: i64,
        packs: u64,
    ) -> Self {
        let sizes = histogram.entries().iter().rev().map(|(size, _)| *size);
        let worths = sizes.zip(worths.iter().copied()).collect();
        Self {
            worths,
            most,
            packs,
        }
    }

    /// Returns the same proof for items of other sizes: each is worth what its image is worth, or
    /// nothing if there is no such size here.
    pub(crate) fn spread<const L: usize>(
        &self,
        histogram: &Histogram<L>,
        image: impl Fn(&Size<L>) -> Size<K>,
    ) -> Certificate<L> {
        let worth = |size: &Size<L>| {
            // The worths are by size, descending, so that the comparison is turned round.
            let at = self
                .worths
                .binary_search_by(|(known, _)| image(size).cmp(known));
            at.map_or(0, |at| self.worths[at].1)
        };
        let sizes = histogram.entries().iter().rev().map(|(size, _)| *size);
        let worths = sizes.map(|size| (size, worth(&size))).collect();
        Certificate {
            worths,
            most: self.most,
            packs: self.packs,
        }
    }

    /// Returns the bound without its proof.
    pub fn bound(&self) -> Bound {
        Bound {
            packs: self.packs,
            kind: BoundKind::LinearProgram,
        }
    }
}

/// Returns ⌈Σ count·worth / most⌉, below which no plan has packs if no pack is worth more than `most`; `None` where
/// nothing is worth anything.
pub fn dual_bound(counts: &[u64], worths: &[i64], most: i64) -> Option<u64> {
    let sum: i128 = counts
        .iter()
        .zip(worths)
        .map(|(n, w)| i128::from(*n) * i128::from(*w))
        .sum();
    if most <= 0 {
        return None;
    }
    u64::try_from((sum + i128::from(most) - 1) / i128::from(most)).ok()
}
