//! An index of open packs by their free space.

use super::measure::Measure;
use super::open::{OpenTupleGroup, TupleRunArena};
use crate::histogram::{Size, fits};
use std::cell::Cell;

/// Open groups in rows by the space left in the first component; inside a row by the space left in the others, then by
/// age. A tree over the rows finds those that may have enough of all others.
#[derive(Debug)]
pub(super) struct RowIndex<const K: usize> {
    rows: Vec<Vec<OpenTupleGroup<K>>>,
    tops: Tops<K>,
    /// Spaces of the first component that differ only in these low bits share a row.
    shift: u32,
    born: u32,
    /// Groups and rows that were looked at so far.
    looked: Cell<u64>,
}

/// The most rows: more would take longer to build than to use.
const ROWS: u32 = 1 << 16;

/// The position of a group: its row, and its index there.
pub(super) type At = (usize, usize);

impl<const K: usize> RowIndex<K> {
    pub fn new(limit: u32) -> Self {
        let mut shift = 0;
        while limit >> shift >= ROWS {
            shift += 1;
        }
        let n = (limit >> shift) as usize + 1;
        Self {
            rows: vec![Vec::new(); n],
            tops: Tops::new(n),
            shift,
            born: 0,
            looked: Cell::new(0),
        }
    }

    /// Returns how many groups and rows were looked at since this was asked last.
    pub fn looked(&self) -> u64 {
        self.looked.take()
    }

    /// Notes that another group or row is looked at.
    fn look(&self) {
        self.looked.set(self.looked.get() + 1);
    }

    /// Adds a group, the youngest of all. O(log rows + groups in the row).
    pub fn push(&mut self, mut group: OpenTupleGroup<K>) {
        group.born = self.born;
        self.born += 1;
        let i = self.row(group.left[0]);
        let row = &mut self.rows[i];
        let at = row.partition_point(|g| turned(&g.left) <= turned(&group.left));
        row.insert(at, group);
        // Up to two components, only the last group of a row decides its top: see `Top::of_row`.
        if K > 2 || at + 1 == row.len() {
            self.tops.set(i, Top::of_row(row));
        }
    }

    pub fn remove(&mut self, (i, at): At) -> OpenTupleGroup<K> {
        let row = &mut self.rows[i];
        let group = row.remove(at);
        if K > 2 || at == row.len() {
            self.tops.set(i, Top::of_row(row));
        }
        group
    }

    /// Returns the group that fits a size and has the smallest measure; among equals one with little left.
    ///
    /// A row cannot beat the best if the measure of the least space needed there does not: measures are monotone.
    pub fn tightest(&self, size: &Size<K>, measure: &Measure<K>) -> Option<At> {
        let mut best: Option<(f64, At)> = None;
        let enough = Top::of(size);
        let mut from = self.row(size[0]);
        while let Some(i) = self.tops.first_index_with(from, &enough) {
            self.look();
            let mut corner = *size;
            corner[0] = corner[0].max((i as u32) << self.shift);
            // No pack in this row or after it has a smaller measure, as measures are monotone.
            if best.is_some_and(|(least, _)| measure.value(&corner) >= least) {
                break;
            }
            let row = &self.rows[i];
            for (at, group) in row.iter().enumerate().skip(lower(row, size)) {
                if !self.ordered()
                    && best.is_some_and(|(least, _)| raised(&corner, group, measure) >= least)
                {
                    break;
                }
                self.look();
                if fits(size, &group.left) {
                    let number = measure.value(&group.left);
                    if best.is_none_or(|(least, _)| number < least) {
                        best = Some((number, (i, at)));
                    }
                }
                // The measure ascends in the row: the first that fits is the tightest.
                if self.ordered() {
                    break;
                }
            }
            from = i + 1;
        }
        best.map(|(_, at)| at)
    }

    /// Returns the group that fits a size and has the largest measure; among equals one with much left.
    pub fn loosest(&self, size: &Size<K>, limits: &Size<K>, measure: &Measure<K>) -> Option<At> {
        let mut best: Option<(f64, At)> = None;
        let (enough, begin) = (Top::of(size), self.row(size[0]));
        let mut to = Some(self.row(limits[0]));
        while let Some(i) = to
            .and_then(|to| self.tops.last_index_with(to, &enough))
            .filter(|i| *i >= begin)
        {
            self.look();
            let mut corner = *limits;
            // In 64 bits, because the end of the last row overflows 32 with limits near 2³².
            corner[0] = corner[0].min((((i as u64 + 1) << self.shift) - 1) as u32);
            if best.is_some_and(|(most, _)| measure.value(&corner) <= most) {
                break;
            }
            let row = &self.rows[i];
            for (at, group) in row.iter().enumerate().skip(lower(row, size)).rev() {
                if !self.ordered()
                    && best.is_some_and(|(most, _)| raised(&corner, group, measure) <= most)
                {
                    break;
                }
                self.look();
                if fits(size, &group.left) {
                    let number = measure.value(&group.left);
                    if best.is_none_or(|(most, _)| number > most) {
                        best = Some((number, (i, at)));
                    }
                }
                if self.ordered() {
                    break;
                }
            }
            to = i.checked_sub(1);
        }
        best.map(|(_, at)| at)
    }

    /// Returns the group that fits a size and has the smallest measure above `floor`; among equals the oldest.
    pub fn oldest(&self, size: &Size<K>, measure: &Measure<K>, floor: f64) -> Option<At> {
        let mut best: Option<(f64, u32, At)> = None;
        let enough = Top::of(size);
        let mut from = self.row(size[0]);
        while let Some(i) = self.tops.first_index_with(from, &enough) {
            self.look();
            let mut corner = *size;
            corner[0] = corner[0].max((i as u32) << self.shift);
            if best.is_some_and(|(least, ..)| measure.value(&corner) > least) {
                break;
            }
            let row = &self.rows[i];
            for (at, group) in row.iter().enumerate().skip(lower(row, size)) {
                if best.is_some_and(|(least, ..)| raised(&corner, group, measure) > least) {
                    break;
                }
                self.look();
                let number = measure.value(&group.left);
                let better =
                    best.is_none_or(|(least, born, _)| (number, group.born) < (least, born));
                if better && number > floor && fits(size, &group.left) {
                    best = Some((number, group.born, (i, at)));
                }
            }
            from = i + 1;
        }
        best.map(|(.., at)| at)
    }

    /// Closes all groups; the index is empty afterwards.
    pub fn close_all(&mut self, arena: &mut TupleRunArena) {
        for (i, row) in self
            .rows
            .iter_mut()
            .enumerate()
            .filter(|(_, row)| !row.is_empty())
        {
            row.drain(..).for_each(|group| arena.close(&group));
            self.tops.set(i, Top::of_row(row));
        }
    }

    fn row(&self, left: u32) -> usize {
        (left >> self.shift) as usize
    }

    /// Whether measures ascend inside a row.
    fn ordered(&self) -> bool {
        K == 1 || K == 2 && self.shift == 0
    }
}

/// Returns the key of the order inside a row: the second component first.
fn turned<const K: usize>(left: &Size<K>) -> Size<K> {
    let mut left = *left;
    left.rotate_left(1);
    left
}

/// Returns the first position in a row with enough of the second component.
fn lower<const K: usize>(row: &[OpenTupleGroup<K>], size: &Size<K>) -> usize {
    row.partition_point(|g| g.left[1 % K] < size[1 % K])
}

/// Returns the measure of a corner, with the second component of a group: a bound for all groups further on in the row.
fn raised<const K: usize>(
    corner: &Size<K>,
    group: &OpenTupleGroup<K>,
    measure: &Measure<K>,
) -> f64 {
    let mut corner = *corner;
    corner[1 % K] = group.left[1 % K];
    measure.value(&corner)
}

/// The most room that packs have left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Top<const K: usize> {
    /// One more than the largest of each component; 0 without packs, and for the component by which rows are indexed.
    most: Size<K>,
    /// Of three components and more: see [`JointMaxima`].
    both: JointMaxima,
}

/// The smaller of the second and the third component at each of the [`WEIGHTS`], at most: much of both is rare where
/// packs have much of one or the other.
type JointMaxima = [u64; WEIGHTS.len()];

/// Powers of two by which the second and the third component are weighted before they are compared: for most ratios of
/// the two, one makes them equal within a factor of two.
const WEIGHTS: [(u32, u32); 5] = [(4, 0), (2, 0), (0, 0), (0, 2), (0, 4)];

impl<const K: usize> Top<K> {
    const NONE: Self = Self {
        most: [0; K],
        both: [0; WEIGHTS.len()],
    };

    /// Returns the top of a space, or of the least space that has room for a size.
    fn of(left: &Size<K>) -> Self {
        let most = std::array::from_fn(|k| {
            if k == 0 && K > 1 {
                0
            } else {
                left[k].saturating_add(1)
            }
        });
        let [second, third] = [left[1 % K], left[2 % K]].map(u64::from);
        let both = if K > 2 {
            WEIGHTS.map(|(a, b)| (second << a).min(third << b))
        } else {
            Self::NONE.both
        };
        Self { most, both }
    }

    /// Returns the top of a row.
    fn of_row(row: &[OpenTupleGroup<K>]) -> Self {
        match row.last() {
            // The second component ascends in the row.
            Some(last) if K < 3 => Self::of(&last.left),
            _ => row
                .iter()
                .map(|group| Self::of(&group.left))
                .fold(Self::NONE, |a, b| Self {
                    most: larger(&a.most, &b.most),
                    both: larger(&a.both, &b.both),
                }),
        }
    }
}

fn larger<T: Copy + Ord, const N: usize>(a: &[T; N], b: &[T; N]) -> [T; N] {
    std::array::from_fn(|k| a[k].max(b[k]))
}

/// Tops by index, with search for the next one that is large enough: a tree of maxima.
#[derive(Debug)]
struct Tops<const K: usize> {
    most: Vec<Size<K>>,
    /// Empty for one and two components, which stay small.
    both: Vec<JointMaxima>,
    leaves: usize,
}

impl<const K: usize> Tops<K> {
    fn new(n: usize) -> Self {
        let leaves = n.next_power_of_two();
        let both = if K > 2 {
            vec![Top::<K>::NONE.both; 2 * leaves]
        } else {
            Vec::new()
        };
        Self {
            most: vec![Top::<K>::NONE.most; 2 * leaves],
            both,
            leaves,
        }
    }

    fn set(&mut self, i: usize, top: Top<K>) {
        let mut i = i + self.leaves;
        self.most[i] = top.most;
        if K > 2 {
            self.both[i] = top.both;
        }
        while i > 1 {
            i /= 2;
            let most = larger(&self.most[2 * i], &self.most[2 * i + 1]);
            let mut same = self.most[i] == most;
            self.most[i] = most;
            if K > 2 {
                let both = larger(&self.both[2 * i], &self.both[2 * i + 1]);
                same &= self.both[i] == both;
                self.both[i] = both;
            }
            if same {
                break;
            }
        }
    }

    /// Whether a node may have an index with at least `needed`.
    #[inline]
    fn has(&self, i: usize, needed: &Top<K>) -> bool {
        let enough = || {
            needed
                .both
                .iter()
                .zip(&self.both[i])
                .all(|(need, has)| need <= has)
        };
        fits(&needed.most, &self.most[i]) && (K < 3 || enough())
    }

    /// Returns the first index from `from` on with at least `needed`.
    fn first_index_with(&self, from: usize, needed: &Top<K>) -> Option<usize> {
        if from >= self.leaves {
            return None;
        }
        let mut i = from + self.leaves;
        loop {
            if !self.has(i, needed) {
                // Trailing ones are right children: up past them, then to the next subtree on the
                // right.
                i >>= i.trailing_ones();
                if i == 0 {
                    return None;
                }
                i += 1;
            } else if i < self.leaves {
                i *= 2;
            } else {
                return Some(i - self.leaves);
            }
        }
    }

    /// Returns the last index up to `to` with at least `needed`.
    fn last_index_with(&self, to: usize, needed: &Top<K>) -> Option<usize> {
        let mut i = to + self.leaves;
        loop {
            if !self.has(i, needed) {
                // Trailing zeros are left children: up past them, then to the next subtree on the
                // left.
                i >>= i.trailing_zeros();
                if i == 1 {
                    return None;
                }
                i -= 1;
            } else if i < self.leaves {
                i = 2 * i + 1;
            } else {
                return Some(i - self.leaves);
            }
        }
    }
}
