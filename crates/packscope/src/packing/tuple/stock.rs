//! Items not packed yet, indexed by size.

use super::items::limited;
use super::measure::Measure;
use crate::histogram::{Histogram, Size, fits};
use crate::packing::bits::Bits;

/// Sizes in rows of equal first component, ascending: the part that stays fixed while plans are made.
#[derive(Debug)]
pub(super) struct Stock<const K: usize> {
    /// Slots that an item takes of a pack, 0 in components without a limit. Ascending.
    pub sizes: Vec<Size<K>>,
    /// Entries of the histogram.
    pub entries: Vec<u32>,
    counts: Vec<u64>,
    /// Slots of a pack: 0 in components without a limit.
    pub limits: Size<K>,
    /// The first component of each row.
    firsts: Vec<u32>,
    /// The start of each row, and the end.
    begins: Vec<usize>,
    /// The largest second component in a row and all rows before it.
    most: Vec<u32>,
    /// The smallest second component in a row and all rows after it.
    least: Vec<u32>,
}

/// The items of a stock that are left.
#[derive(Debug)]
pub(super) struct RemainingStock<'s, const K: usize> {
    pub stock: &'s Stock<K>,
    pub counts: Vec<u64>,
    items: u64,
    total: [u64; K],
    /// A bit for every size with items left, and for every row with one.
    there: Bits,
    rows: Bits,
    /// Rows examined.
    pub steps: u64,
}

impl<const K: usize> Stock<K> {
    pub fn new(histogram: &Histogram<K>, limits: &Size<K>) -> Self {
        let mut rows: Vec<(Size<K>, u32, u64)> = (0..)
            .zip(histogram.entries())
            .map(|(i, (size, count))| (limited(size, limits), i, *count))
            .collect();
        rows.sort_unstable();
        let (mut firsts, mut begins) = (Vec::<u32>::new(), Vec::new());
        for (i, (size, ..)) in rows.iter().enumerate() {
            if firsts.last() != Some(&size[0]) {
                firsts.push(size[0]);
                begins.push(i);
            }
        }
        begins.push(rows.len());
        let sizes: Vec<Size<K>> = rows.iter().map(|(size, ..)| *size).collect();
        // With one component, `1 % K` is that component: the index stays valid for every K.
        let second = |i: usize| sizes[i][1 % K];
        let mut most: Vec<u32> = begins[1..].iter().map(|end| second(end - 1)).collect();
        let mut least: Vec<u32> = begins[..firsts.len()]
            .iter()
            .map(|begin| second(*begin))
            .collect();
        (1..most.len()).for_each(|row| most[row] = most[row].max(most[row - 1]));
        (1..least.len())
            .rev()
            .for_each(|row| least[row - 1] = least[row - 1].min(least[row]));
        let entries = rows.iter().map(|(_, entry, _)| *entry).collect();
        let counts = rows.iter().map(|(.., count)| *count).collect();
        Self {
            sizes,
            entries,
            counts,
            limits: limited(limits, limits),
            firsts,
            begins,
            most,
            least,
        }
    }

    /// Returns the indices of the sizes, the largest first.
    pub fn order(&self, measure: &Measure<K>) -> Vec<usize> {
        let mut keys: Vec<(f64, usize)> = self
            .sizes
            .iter()
            .map(|s| measure.value(s))
            .zip(0..)
            .collect();
        keys.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        keys.into_iter().map(|(_, i)| i).collect()
    }

    fn row_of(&self, i: usize) -> usize {
        self.firsts.partition_point(|f| *f < self.sizes[i][0])
    }

    /// Returns the end of the sizes of a row whose second component is at most `second`.
    fn end(&self, row: usize, second: u32) -> usize {
        let (begin, end) = (self.begins[row], self.begins[row + 1]);
        if K == 1 {
            end
        } else {
            begin + self.sizes[begin..end].partition_point(|s| s[1] <= second)
        }
    }
}

impl<'s, const K: usize> RemainingStock<'s, K> {
    pub fn new(stock: &'s Stock<K>) -> Self {
        let mut total = [0; K];
        for (size, count) in stock.sizes.iter().zip(&stock.counts) {
            total
                .iter_mut()
                .zip(size)
                .for_each(|(t, s)| *t += u64::from(*s) * count);
        }
        Self {
            stock,
            counts: stock.counts.clone(),
            items: stock.counts.iter().sum(),
            total,
            there: Bits::ones(stock.sizes.len()),
            rows: Bits::ones(stock.firsts.len()),
            steps: 0,
        }
    }

    /// Returns the mean size; `None` if nothing is left.
    pub fn mean(&self) -> Option<[f64; K]> {
        (self.items > 0).then(|| self.total.map(|t| t as f64 / self.items as f64))
    }

    /// Returns a lower bound of the packs for the items left: ⌈total / limit⌉.
    pub fn needs(&self) -> u64 {
        let limits = self.stock.limits.map(|l| u64::from(l.max(1)));
        self.total
            .iter()
            .zip(limits)
            .map(|(t, l)| t.div_ceil(l))
            .max()
            .unwrap_or(0)
    }

    pub fn take(&mut self, i: usize, count: u64) {
        self.counts[i] -= count;
        self.items -= count;
        self.total
            .iter_mut()
            .zip(self.stock.sizes[i])
            .for_each(|(t, s)| *t -= u64::from(s) * count);
        if self.counts[i] == 0 {
            self.there.set(i, false);
            let row = self.stock.row_of(i);
            let begin = self.stock.begins[row];
            if self.below(begin, self.stock.begins[row + 1]).is_none() {
                self.rows.set(row, false);
            }
        }
    }

    /// Returns the last size in a range with items left.
    fn below(&self, begin: usize, end: usize) -> Option<usize> {
        self.there.last_before(end).filter(|last| *last >= begin)
    }

    /// Returns the first size in a range with items left.
    fn first_left_in(&self, begin: usize, end: usize) -> Option<usize> {
        self.there.first_from(begin).filter(|first| *first < end)
    }

    /// Returns the largest size, by a measure, with items left and at most `room`.
    pub fn largest(&mut self, room: &Size<K>, measure: &Measure<K>) -> Option<usize> {
        let stock = self.stock;
        let mut best: Option<(f64, usize)> = None;
        let mut corner = *room;
        let mut end = stock.firsts.partition_point(|f| *f <= room[0]);
        while let Some(row) = self.rows.last_before(end) {
            self.steps += 1;
            corner[0] = stock.firsts[row];
            corner[1 % K] = room[1 % K].min(stock.most[row]);
            // No size in this row or in a row before it measures more: measures are monotone, and
            // `most` covers the rows before.
            if best.is_some_and(|(most, _)| measure.value(&corner) <= most) {
                break;
            }
            // Of up to two components the last one with room is the largest of its row; of three,
            // the third may decide.
            let mut next = self.below(stock.begins[row], stock.end(row, room[1 % K]));
            while let Some(i) = next {
                let number = measure.value(&stock.sizes[i]);
                if fits(&stock.sizes[i], room) && best.is_none_or(|(most, _)| number > most) {
                    best = Some((number, i));
                }
                next = if K <= 2 {
                    None
                } else {
                    self.below(stock.begins[row], i)
                };
            }
            end = row;
        }
        best.map(|(_, i)| i)
    }

    /// Returns the size with items left, at most `room`, that is nearest to a target by weighted distance.
    pub fn nearest(
        &mut self,
        target: &[f64; K],
        room: &Size<K>,
        weights: &[f64; K],
    ) -> Option<usize> {
        let stock = self.stock;
        let far = |size: &Size<K>, components: usize| -> f64 {
            let parts = (0..components).map(|k| weights[k] * (f64::from(size[k]) - target[k]));
            parts.map(|d| d * d).sum()
        };
        let mut best = Nearest {
            far: &far,
            room,
            found: None,
        };
        let middle = stock.firsts.partition_point(|f| f64::from(*f) <= target[0]);
        let end = stock.firsts.partition_point(|f| *f <= room[0]);
        let mut from = middle.min(end);
        while let Some(row) = self.rows.last_before(from) {
            self.steps += 1;
            let reach = [stock.firsts[row], stock.most[row]];
            // If `most`, of this row and all before it, is short of the target, the distance in the
            // second component counts too.
            if best.hopeless(reach, f64::from(reach[1]) < target[1 % K]) {
                break;
            }
            self.look(row, target, &mut best);
            from = row;
        }
        from = middle;
        while let Some(row) = self.rows.first_from(from).filter(|row| *row < end) {
            self.steps += 1;
            let reach = [stock.firsts[row], stock.least[row]];
            // `least` covers this row and all after it: beyond the room, none of them fits.
            if reach[1] > room[1 % K] || best.hopeless(reach, f64::from(reach[1]) > target[1 % K]) {
                break;
            }
            self.look(row, target, &mut best);
            from = row + 1;
        }
        best.found.map(|(_, i)| i)
    }

    /// Searches a row, from the target outwards.
    fn look<F>(&self, row: usize, target: &[f64; K], best: &mut Nearest<F, K>)
    where
        F: Fn(&Size<K>, usize) -> f64,
    {
        let stock = self.stock;
        let begin = stock.begins[row];
        let second = 1 % K;
        let end = stock.end(row, best.room[second]);
        let middle = stock.end(row, target[second] as u32).min(end);
        let mut next = self.below(begin, middle);
        while let Some(i) = next {
            let go_on = best.offer(&stock.sizes[i], i);
            next = if go_on { self.below(begin, i) } else { None };
        }
        next = self.first_left_in(middle, end);
        while let Some(i) = next {
            let go_on = best.offer(&stock.sizes[i], i);
            next = if go_on {
                self.first_left_in(i + 1, end)
            } else {
                None
            };
        }
    }
}

/// The nearest size found so far.
struct Nearest<'a, F, const K: usize> {
    far: &'a F,
    room: &'a Size<K>,
    found: Option<(f64, usize)>,
}

impl<F: Fn(&Size<K>, usize) -> f64, const K: usize> Nearest<'_, F, K> {
    /// Whether the first component alone, or the first two, are as far from the target as the nearest size found.
    fn hopeless(&self, [first, second]: [u32; 2], both: bool) -> bool {
        let mut corner = [first; K];
        corner[1 % K] = if K == 1 { first } else { second };
        self.found
            .is_some_and(|(least, _)| (self.far)(&corner, if both { K.min(2) } else { 1 }) >= least)
    }

    /// Keeps the size if it is nearer; returns whether later ones in the same row may be nearer still.
    fn offer(&mut self, size: &Size<K>, i: usize) -> bool {
        if K > 2 && self.hopeless([size[0], size[1]], true) {
            return false;
        }
        let number = (self.far)(size, K);
        if fits(size, self.room) && self.found.is_none_or(|(least, _)| number < least) {
            self.found = Some((number, i));
        }
        K > 2
    }
}
