//! Bins: the lengths that share a bar.

use packscope::order;
use std::f64::consts::LN_2;

/// One bar: the lengths from `from` to `to`, and their number of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bin {
    /// Shortest length.
    pub from: u32,
    /// Longest length.
    pub to: u32,
    /// Items.
    pub count: u64,
    /// The height of the bar, in items: its count, or, if bars differ in width, the count at the common width.
    pub height: u64,
}

/// The width of bars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Width {
    /// This many lengths.
    Lengths(u32),
    /// The lengths up to this factor above the shortest.
    Factor(f64),
}

/// Half of the items have to be in bars of at least this many; with fewer, the drawing shows mostly chance.
pub(super) const STEADY: u64 = 100;
/// Bars are not widened so far that there are fewer than this many.
pub(super) const FEWEST: u32 = 48;

/// Returns the lengths in one bar: the smallest power of two that makes a bar a pixel wide, or more if the data are
/// sparse. O(distinct × log end).
pub(crate) fn width(entries: &[(u32, u64)], end: u32, pixels: f64) -> u32 {
    let mut width = 1u32;
    while f64::from(end.div_ceil(width)) > pixels.max(2.0) {
        width *= 2;
    }
    // Widths are doubled, so that bars merge in pairs and edges stay in place.
    while end / (2 * width) >= FEWEST && typical(&count(entries, end, width)) < STEADY {
        width *= 2;
    }
    width
}

/// Returns the non-empty bars. Lengths beyond the end are left out.
pub(crate) fn count(entries: &[(u32, u64)], end: u32, width: u32) -> Vec<Bin> {
    let mut bins: Vec<Bin> = vec![];
    for &(length, count) in entries
        .iter()
        .filter(|(length, count)| *length <= end && *count > 0)
    {
        // Bars begin at 1; items of length 0 are in the first.
        let from = (length.max(1) - 1) / width * width + 1;
        match bins.last_mut() {
            Some(last) if last.from == from => last.count += count,
            _ => bins.push(Bin {
                from,
                to: from.saturating_add(width - 1).min(end),
                count,
                height: 0,
            }),
        }
    }
    bins.iter_mut().for_each(|bin| bin.height = bin.count);
    bins
}

/// Returns the factor of the bars of a logarithmic axis between two ends: a root of two that makes a bar two pixels
/// wide, or more if the data are sparse. O(distinct × log pixels).
pub(super) fn factor(entries: &[(u32, u64)], ends: [f64; 2], pixels: f64) -> f64 {
    let doublings = ((ends[1] / ends[0]).ln() / LN_2).max(0.1);
    let bars = |parts: f64| parts * doublings;
    let steady = |factor| typical(&count_by(entries, ends, factor)) >= STEADY;
    // Square roots give a root of two: a general power function would bring a table of four kilobytes.
    let (mut parts, mut factor) = (256.0, (0..8).fold(2.0, |factor: f64, _| factor.sqrt()));
    while parts > 1.0
        && (bars(parts) > (pixels / 2.0).max(2.0)
            || bars(parts / 2.0) >= f64::from(FEWEST) && !steady(factor))
    {
        parts /= 2.0;
        factor *= factor;
    }
    factor
}

/// Returns the non-empty bars of a logarithmic axis, each of at least one length.
pub(super) fn count_by(entries: &[(u32, u64)], ends: [f64; 2], factor: f64) -> Vec<Bin> {
    let mut edge = ends[0];
    count_between(entries, ends, factor, &mut || {
        edge *= factor;
        edge
    })
}

/// Returns the non-empty bars between two ends, each of at least one length; they end near the edges that `edge`
/// returns one after the other. Bars differ in width, so their height is scaled to the items per factor.
pub(super) fn count_between(
    entries: &[(u32, u64)],
    [start, end]: [f64; 2],
    factor: f64,
    edge: &mut dyn FnMut() -> f64,
) -> Vec<Bin> {
    // Bars end half-way between two lengths.
    let mut next = |low: f64| loop {
        // Edges less than a length apart make no bar of their own, so the next one is taken.
        let high = edge().floor() + 0.5;
        if high > low {
            return high.min(end);
        }
    };
    let (mut low, mut high) = (start, next(start));
    let mut bins: Vec<Bin> = vec![];
    let within = |length: f64| start < length && length < end;
    for &(length, count) in entries
        .iter()
        .filter(|(length, n)| within(f64::from(*length)) && *n > 0)
    {
        while f64::from(length) > high {
            (low, high) = (high, next(high));
        }
        let (from, to) = ((low + 0.5) as u32, (high - 0.5) as u32);
        match bins.last_mut() {
            Some(last) if last.from == from => last.count += count,
            _ => bins.push(Bin {
                from,
                to,
                count,
                height: 0,
            }),
        }
    }
    for bin in &mut bins {
        let [low, high] = [f64::from(bin.from) - 0.5, f64::from(bin.to) + 0.5];
        bin.height = (bin.count as f64 * factor.ln() / (high / low).ln())
            .round()
            .max(1.0) as u64;
    }
    bins
}

/// Returns the height of the bar with the median item.
pub(super) fn typical(bins: &[Bin]) -> u64 {
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
