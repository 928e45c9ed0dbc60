//! Few sequences that stand for many.

use crate::histogram::Histogram;
use std::borrow::Cow;

/// Number of sequences below which all are packed.
const ALL: u64 = 1_000_000;
/// The sequences of a sample: more than a hundred windows of a thousand.
const FEW: u64 = 1 << 17;

/// Returns the data, or, of a million sequences or more, a sample of 131,072 with every length in proportion, rounded
/// to whole numbers. Nothing is random. O(distinct).
pub fn sampled<const K: usize>(data: &Histogram<K>) -> Cow<'_, Histogram<K>> {
    let of = data.items();
    if of <= ALL {
        return Cow::Borrowed(data);
    }
    // Rounded are the running totals, not the counts: they add up to `FEW`, and lengths too rare
    // for a place of their own are represented together. In 128 bits, as items times 2¹⁷ can exceed
    // 64.
    let part =
        |items: u64| (u128::from(items) * u128::from(FEW) + u128::from(of) / 2) / u128::from(of);
    let mut seen = 0;
    let few = data.entries().iter().map(|&(size, n)| {
        let before = part(seen);
        seen += n;
        (size, (part(seen) - before) as u64)
    });
    Histogram::from_counts(few).map_or(Cow::Borrowed(data), Cow::Owned)
}
