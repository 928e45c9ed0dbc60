//! Which lengths share a bar.

use crate::order;

/// One bar: lengths `from` to `to` and how many items they have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bin {
    /// Shortest length.
    pub from: u32,
    /// Longest length.
    pub to: u32,
    /// Items.
    pub count: u64,
}

/// Half of the items are to be in bars of at least this many, or chance is all that is seen.
const STEADY: u64 = 100;
/// Bars are not made wider than this many of them allow.
const FEWEST: u32 = 48;

/// Lengths in one bar: the smallest power of two that gives a bar a pixel, and more where the data are
/// sparse. O(distinct × log end).
pub(in crate::chart) fn width(entries: &[(u32, u64)], end: u32, pixels: f64) -> u32 {
    let mut width = 1u32;
    while f64::from(end.div_ceil(width)) > pixels.max(2.0) {
        width *= 2;
    }
    while end / (2 * width) >= FEWEST && typical(&count(entries, end, width)) < STEADY {
        width *= 2;
    }
    width
}

/// The bars that are not empty. Lengths beyond the end are left out.
pub(in crate::chart) fn count(entries: &[(u32, u64)], end: u32, width: u32) -> Vec<Bin> {
    let mut bins: Vec<Bin> = vec![];
    for &(length, count) in entries.iter().filter(|(length, count)| *length <= end && *count > 0) {
        let from = (length.max(1) - 1) / width * width + 1;
        match bins.last_mut() {
            Some(last) if last.from == from => last.count += count,
            _ => bins.push(Bin { from, to: from.saturating_add(width - 1).min(end), count }),
        }
    }
    bins
}

/// The height of the bar that the median item is in.
fn typical(bins: &[Bin]) -> u64 {
    let mut counts: Vec<u64> = bins.iter().map(|bin| bin.count).collect();
    order::sort_by_key(&mut counts, |count| *count);
    let half = counts.iter().sum::<u64>() / 2;
    let mut seen = 0;
    let reached = counts.into_iter().find(|count| {
        seen += count;
        seen > half
    });
    reached.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_data_have_a_bar_for_each_length_until_pixels_run_out() {
        let entries: Vec<_> = (1..=512).map(|l| (l, 1000)).collect();
        assert_eq!(width(&entries, 512, 600.0), 1);
        assert_eq!(width(&entries, 512, 300.0), 2);
        assert_eq!(count(&entries, 512, 512), [Bin { from: 1, to: 512, count: 512_000 }]);
    }

    #[test]
    fn sparse_data_have_wider_bars() {
        let entries: Vec<_> = (0..5000).map(|i| (i * 25 + 1, 1)).collect();
        let width = width(&entries, 131_072, 700.0);
        assert!((1024..=2048).contains(&width), "{width}");
        assert_eq!(count(&entries, 131_072, width).iter().map(|b| b.count).sum::<u64>(), 5000);
    }

    #[test]
    fn bars_never_reach_beyond_the_end() {
        let bins = count(&[(1, 1), (29, 3), (40, 9)], 29, 4);
        assert_eq!(bins, [Bin { from: 1, to: 4, count: 1 }, Bin { from: 29, to: 29, count: 3 }]);
        assert_eq!(width(&[], 1, 0.0), 1);
    }
}
