//! An index of open packs by their free space.

use super::measure::Measure;
use super::open::{Arena, Group};
use crate::histogram::{Size, fits};
use std::cell::Cell;

/// Open groups in rows by the space left in the first component; inside a row by the space left in the others, then by
/// age. A tree over the rows finds those with enough of the second component.
#[derive(Debug)]
pub(super) struct Rows<const K: usize> {
    rows: Vec<Vec<Group<K>>>,
    tops: Tops,
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

impl<const K: usize> Rows<K> {
    pub fn new(limit: u32) -> Self {
        let mut shift = 0;
        while limit >> shift >= ROWS {
            shift += 1;
        }
        let n = (limit >> shift) as usize + 1;
        Self { rows: vec![Vec::new(); n], tops: Tops::new(n), shift, born: 0, looked: Cell::new(0) }
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
    pub fn push(&mut self, mut group: Group<K>) {
        group.born = self.born;
        self.born += 1;
        let i = self.row(group.left[0]);
        let row = &mut self.rows[i];
        let at = row.partition_point(|g| turned(&g.left) <= turned(&group.left));
        row.insert(at, group);
        if at + 1 == row.len() {
            self.tops.set(i, top(row));
        }
    }

    /// Removes a group.
    pub fn remove(&mut self, (i, at): At) -> Group<K> {
        let row = &mut self.rows[i];
        let group = row.remove(at);
        if at == row.len() {
            self.tops.set(i, top(row));
        }
        group
    }

    /// Returns the group that fits a size and has the smallest measure; among equals one with little left.
    ///
    /// A row cannot beat the best if the measure of the least space needed there does not: measures are monotone.
    pub fn tightest(&self, size: &Size<K>, measure: &Measure<K>) -> Option<At> {
        let mut best: Option<(f64, At)> = None;
        let enough = needed(size);
        let mut from = self.row(size[0]);
        while let Some(i) = self.tops.first(from, enough) {
            self.look();
            let mut corner = *size;
            corner[0] = corner[0].max((i as u32) << self.shift);
            if best.is_some_and(|(least, _)| measure.value(&corner) >= least) {
                break;
            }
            let row = &self.rows[i];
            for (at, group) in row.iter().enumerate().skip(lower(row, size)) {
                if !self.ordered() && best.is_some_and(|(least, _)| raised(&corner, group, measure) >= least)
                {
                    break;
                }
                self.look();
                let number = measure.value(&group.left);
                if fits(size, &group.left) && best.is_none_or(|(least, _)| number < least) {
                    best = Some((number, (i, at)));
                }
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
        let (enough, begin) = (needed(size), self.row(size[0]));
        let mut to = Some(self.row(limits[0]));
        while let Some(i) = to.and_then(|to| self.tops.last(to, enough)).filter(|i| *i >= begin) {
            self.look();
            let mut corner = *limits;
            corner[0] = corner[0].min((((i as u64 + 1) << self.shift) - 1) as u32);
            if best.is_some_and(|(most, _)| measure.value(&corner) <= most) {
                break;
            }
            let row = &self.rows[i];
            for (at, group) in row.iter().enumerate().skip(lower(row, size)).rev() {
                if !self.ordered() && best.is_some_and(|(most, _)| raised(&corner, group, measure) <= most) {
                    break;
                }
                self.look();
                let number = measure.value(&group.left);
                if fits(size, &group.left) && best.is_none_or(|(most, _)| number > most) {
                    best = Some((number, (i, at)));
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
        let enough = needed(size);
        let mut from = self.row(size[0]);
        while let Some(i) = self.tops.first(from, enough) {
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
                let better = best.is_none_or(|(least, born, _)| (number, group.born) < (least, born));
                if better && number > floor && fits(size, &group.left) {
                    best = Some((number, group.born, (i, at)));
                }
            }
            from = i + 1;
        }
        best.map(|(.., at)| at)
    }

    /// Closes all groups; the index is empty afterwards.
    pub fn close_all(&mut self, arena: &mut Arena) {
        for (i, row) in self.rows.iter_mut().enumerate().filter(|(_, row)| !row.is_empty()) {
            row.drain(..).for_each(|group| arena.close(&group));
            self.tops.set(i, top(row));
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
fn lower<const K: usize>(row: &[Group<K>], size: &Size<K>) -> usize {
    row.partition_point(|g| g.left[1 % K] < size[1 % K])
}

/// Returns the measure of a corner, with the second component of a group: a bound for all groups further on in the row.
fn raised<const K: usize>(corner: &Size<K>, group: &Group<K>, measure: &Measure<K>) -> f64 {
    let mut corner = *corner;
    corner[1 % K] = group.left[1 % K];
    measure.value(&corner)
}

/// Returns one more than the largest second component in a row; 0 for an empty row.
fn top<const K: usize>(row: &[Group<K>]) -> u32 {
    row.last().map_or(0, |g| g.left[1 % K].saturating_add(1))
}

/// Returns the least top of a row that may have room for a size.
fn needed<const K: usize>(size: &Size<K>) -> u32 {
    size[1 % K].saturating_add(1)
}

/// Numbers by index, with search for the next one that is large enough: a tree of maxima.
#[derive(Debug)]
struct Tops {
    tree: Vec<u32>,
    leaves: usize,
}

impl Tops {
    fn new(n: usize) -> Self {
        let leaves = n.next_power_of_two();
        Self { tree: vec![0; 2 * leaves], leaves }
    }

    fn set(&mut self, i: usize, value: u32) {
        let mut i = i + self.leaves;
        self.tree[i] = value;
        while i > 1 {
            i /= 2;
            let value = self.tree[2 * i].max(self.tree[2 * i + 1]);
            if self.tree[i] == value {
                break;
            }
            self.tree[i] = value;
        }
    }

    /// Returns the first index from `from` on with at least `value`, which is not 0.
    fn first(&self, from: usize, value: u32) -> Option<usize> {
        if from >= self.leaves {
            return None;
        }
        let mut i = from + self.leaves;
        while self.tree[i] < value {
            i >>= i.trailing_ones();
            if i == 0 {
                return None;
            }
            i += 1;
        }
        while i < self.leaves {
            i = 2 * i + usize::from(self.tree[2 * i] < value);
        }
        Some(i - self.leaves)
    }

    /// Returns the last index up to `to` with at least `value`, which is not 0.
    fn last(&self, to: usize, value: u32) -> Option<usize> {
        let mut i = to + self.leaves;
        while self.tree[i] < value {
            i >>= i.trailing_zeros();
            if i == 1 {
                return None;
            }
            i -= 1;
        }
        while i < self.leaves {
            i = 2 * i + usize::from(self.tree[2 * i + 1] >= value);
        }
        Some(i - self.leaves)
    }
}
