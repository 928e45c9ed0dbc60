//! Histograms in bins: only the number of items in each range of lengths is known.
//!
//! The displayed figures hold for items spread evenly over the lengths of their bin. Their band is their range over the
//! arrangements of [`Bins::arrangements`]. The sum of all lengths is largest and smallest with all items at the upper
//! or lower edges. The padding of random batches up to their longest item depends on the spread of lengths: with the
//! distribution function F, one batch of b has Σ (1 − F(x)^b) slots a row for Σ (1 − F(x)) tokens, a difference that is
//! concave in each F(x). So it is largest with the bins below some length at their lower edges and those above at their
//! upper ones, with one bin at both, and smallest the other way round. Packing is worst with items just above a
//! half, a third … of the limit, and the others where they add least or fit least.

use super::Histogram;
use serde::{Deserialize, Serialize};

/// Items whose lengths are from `low` to `high`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bin {
    /// The smallest length.
    pub low: u32,
    /// The largest length.
    pub high: u32,
    /// The number of items.
    pub items: u64,
}

// Each spread bin adds at most so many sizes to the histogram that everything is computed from.
/// The maximum number of lengths over which the items of a bin are spread.
const PLACES: u64 = 1 << 14;

// Each turn packs three more histograms to find one band.
/// The maximum number of bins between which arrangements switch from one edge to the other.
const TURNS: usize = 12;

/// The smallest fraction of the limit, as its denominator, above which arrangements place all items that can be there.
const PARTS: u32 = 8;

impl Bin {
    /// Spreads the items evenly over the lengths, always in the same way; few items are as far apart as possible.
    pub fn spread(self) -> impl Iterator<Item = (u32, u64)> {
        let width = u64::from(self.high - self.low) + 1;
        let places = self.places();
        // Counts are differences of rounded running sums, so that they add up to `items` exactly.
        // The product needs 128 bits: `items` alone may take 64.
        let up_to = move |place: u64| {
            (u128::from(self.items) * u128::from(place) / u128::from(places)) as u64
        };
        // The middle of the place's share of the bin.
        let length = move |place: u64| self.low + ((2 * place + 1) * width / (2 * places)) as u32;
        (0..places).map(move |place| (length(place), up_to(place + 1) - up_to(place)))
    }

    /// Returns the number of lengths over which its items are spread.
    pub fn places(self) -> u64 {
        let width = u64::from(self.high - self.low) + 1;
        width.min(self.items).clamp(1, PLACES)
    }

    /// Returns the length in the bin that is the first above a fraction of the limit of these denominators and leaves
    /// most of the limit empty; `None` without such a length.
    fn above_fraction(self, limit: u32, parts: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let lengths = parts
            .map(|part| limit / part + 1)
            .filter(|at| (self.low..=self.high).contains(at));
        lengths.max_by_key(|at| limit % at)
    }

    /// Returns the number of lengths in the bin.
    fn width(self) -> f64 {
        f64::from(self.high - self.low) + 1.0
    }

    /// Returns the length in the bin that leaves most of a limit empty in packs of that length alone: the first above a
    /// half, a third …
    fn wasteful(self, limit: u32) -> u32 {
        // These lengths fall as `part` grows, so none in the bin is missed after the first below
        // it.
        let lengths = (2..4096)
            .map(|part| limit / part + 1)
            .take_while(|at| *at >= self.low);
        lengths
            .filter(|at| *at <= self.high)
            .max_by_key(|at| limit % at)
            .unwrap_or(self.low)
    }
}

/// The smallest and the largest value of a figure.
pub type Band = [f64; 2];

/// A histogram in which the lengths of some items are known only by bins.
#[derive(Debug, Clone, PartialEq)]
pub struct Bins {
    /// Items of known length, as bins of one length, and the others; ascending.
    all: Vec<Bin>,
}

impl Bins {
    /// Creates the bins of a histogram in which the items of `bins` were spread; `None` without bins.
    pub fn new(histogram: &Histogram<1>, bins: &[Bin]) -> Option<Self> {
        // The histogram has the spread items of the bins too. Without these, the items of known
        // length are left.
        let mut left = histogram.lengths();
        for (length, items) in bins.iter().flat_map(|bin| bin.spread()) {
            if let Ok(at) = left.binary_search_by_key(&length, |(length, _)| *length) {
                left[at].1 = left[at].1.saturating_sub(items);
            }
        }
        let known = left.into_iter().map(|(low, items)| Bin {
            low,
            high: low,
            items,
        });
        let mut all: Vec<Bin> = known
            .chain(bins.iter().copied())
            .filter(|bin| bin.items > 0)
            .collect();
        all.sort_unstable_by_key(|bin| (bin.low, bin.high));
        (!bins.is_empty()).then_some(Self { all })
    }

    /// Returns histograms with the items spread evenly, with all at their lower edges, with all at the upper ones, with
    /// all at the lengths that waste most of the limit, and with those that can be there just above a fraction of the
    /// limit and the others at either edge or spread; if `thorough`, also with the bins below a length at one
    /// edge and those above at the other, for lengths between the bins.
    pub fn arrangements(&self, limit: u32, thorough: bool) -> Vec<Histogram<1>> {
        let count = self.all.len();
        let even = Histogram::from_lengths(self.all.iter().flat_map(|bin| bin.spread()));
        let wasteful = self.arranged(|_, bin| [bin.wasteful(limit); 2]);
        let mut all: Vec<_> = even
            .into_iter()
            .chain(self.edges(count, 0))
            .chain(self.edges(0, 0))
            .collect();
        all.extend(wasteful);
        all.extend(self.above_fractions(limit));
        for turn in (0..count)
            .step_by(count.div_ceil(TURNS).max(1))
            .filter(|_| thorough)
        {
            all.extend(self.edges(turn, 0));
            all.extend(self.edges(turn, 1));
            all.extend(self.arranged(|at, bin| {
                if at > turn {
                    [bin.low; 2]
                } else {
                    [bin.high; 2]
                }
            }));
        }
        all
    }

    /// Returns histograms with all items that can be there just above a fraction of the limit: a half, a third …, one of
    /// them alone, or any from a half down to it. All others are at their lower edges, spread, or at their upper edges.
    fn above_fractions(&self, limit: u32) -> Vec<Histogram<1>> {
        let mut all = Vec::new();
        // A half alone is also the first of those from a half down.
        let ranges =
            (2..=PARTS).flat_map(|part| [Some(part..=part), (part > 2).then_some(2..=part)]);
        for range in ranges.flatten() {
            let places: Vec<Option<u32>> = self
                .all
                .iter()
                .map(|bin| bin.above_fraction(limit, range.clone()))
                .collect();
            if places
                .iter()
                .zip(&self.all)
                .all(|(place, bin)| place.is_none_or(|_| bin.low == bin.high))
            {
                continue;
            }
            all.extend(self.arranged(|at, bin| [places[at].unwrap_or(bin.low); 2]));
            all.extend(self.arranged(|at, bin| [places[at].unwrap_or(bin.high); 2]));
            let spread = self.all.iter().zip(&places).flat_map(|(bin, place)| {
                let one = place.map(|at| Bin {
                    low: at,
                    high: at,
                    items: bin.items,
                });
                one.unwrap_or(*bin).spread()
            });
            all.extend(Histogram::from_lengths(spread).ok());
        }
        all
    }

    /// Returns the bins before `turn` at their lower edges, the next `halved` at both, the others at the upper ones.
    fn edges(&self, turn: usize, halved: usize) -> Option<Histogram<1>> {
        self.arranged(|at, bin| match at {
            at if at < turn => [bin.low; 2],
            at if at < turn + halved => [bin.low, bin.high],
            _ => [bin.high; 2],
        })
    }

    fn arranged(&self, places: impl Fn(usize, &Bin) -> [u32; 2]) -> Option<Histogram<1>> {
        // Halves that differ by the odd item keep the number of items exact.
        let halves = |(at, bin): (usize, &Bin)| {
            let [first, second] = places(at, bin);
            [(first, bin.items.div_ceil(2)), (second, bin.items / 2)]
        };
        // Totals that overflow 64 bits at the upper edges have no band.
        Histogram::from_lengths(self.all.iter().enumerate().flat_map(halves)).ok()
    }

    /// Returns the bands of figures over the arrangements; arrangements that `figures` refuses are left out.
    pub fn bands<const N: usize>(
        &self,
        limit: u32,
        thorough: bool,
        figures: impl FnMut(&Histogram<1>) -> Option<[f64; N]>,
    ) -> [Band; N] {
        // Without an accepted arrangement the band stays empty: its ends are infinite.
        let mut bands = [[f64::INFINITY, f64::NEG_INFINITY]; N];
        for values in self
            .arrangements(limit, thorough)
            .iter()
            .filter_map(figures)
        {
            for ([least, most], value) in bands.iter_mut().zip(values) {
                (*least, *most) = (least.min(value), most.max(value));
            }
        }
        bands
    }

    /// Returns the mean width of the items' bins / the mean length: near or above a half, figures are rough.
    pub fn coarseness(&self) -> f64 {
        let sum = |of: fn(&Bin) -> f64| {
            self.all
                .iter()
                .map(|bin| bin.items as f64 * of(bin))
                .sum::<f64>()
        };
        sum(|bin| {
            if bin.low == bin.high {
                0.0
            } else {
                bin.width()
            }
        }) / sum(|bin| f64::midpoint(f64::from(bin.low), f64::from(bin.high)))
    }

    /// Returns the last bins that hold at most a hundredth of the items, if they span more than half of all lengths:
    /// their number, their items, and their smallest and largest length.
    pub fn thin(&self) -> Option<(u64, u64, [u32; 2])> {
        let items: u64 = self.all.iter().map(|bin| bin.items).sum();
        let mut held = 0;
        let thin: Vec<&Bin> = self
            .all
            .iter()
            .rev()
            .take_while(|bin| {
                held += bin.items;
                // 64 bits would overflow from 2^64 / 100 items on.
                u128::from(held) * 100 <= u128::from(items)
            })
            .collect();
        let (first, last) = (thin.last()?, thin.first()?);
        let is_wide = thin.iter().any(|bin| bin.low < bin.high);
        let span = last.high - first.low;
        let whole = last.high - self.all[0].low;
        let sum = thin.iter().map(|bin| bin.items).sum();
        (is_wide && span > whole / 2).then_some((thin.len() as u64, sum, [first.low, last.high]))
    }
}
