//! The most that a single pack can be worth under several limits: what
//! [`KnapsackTables`](super::knapsack::KnapsackTables) is for one.
//!
//! A dynamic programme over all rooms: a row for every combination of all components but the last, and in it a
//! value for every room in the last one. A depth limit that binds is one more component, of which every item has 1.
//! Rows are filled one after the other, each from the rows that its items leave: a row and the values in hand stay
//! close, and an item that is worth no more than smaller ones together is left out of all later rows.
//!
//! Source: Gilmore and Gomory 1965; Kellerer, Pferschy and Pisinger 2004, *Knapsack Problems*, §9.
//! Complexity: O(distinct · Π limits / gcds), one more factor of depth where it binds.

use super::knapsack::{Spend, Worth};
use crate::histogram::{FREE, Size};

/// The largest number of table entries.
const ENTRIES: u64 = 1 << 23;
/// Values that are worked out together.
const LANES: usize = 16;

/// Tables of the best worth within every room.
#[derive(Debug)]
pub(crate) struct GridTables<T> {
    /// The rooms of all components but the last, each plus 1.
    outer: Vec<usize>,
    /// The room of the last component, plus 1.
    width: usize,
    /// Entries of a row: `pad` places that cannot be reached, then the rooms, then some to spare.
    stride: usize,
    pad: usize,
    /// Per item: its size in the outer components, in the last, and how far back the rows it leaves are.
    items: Vec<GridItem>,
    worths: Vec<T>,
    table: Vec<T>,
    /// Items that are worth more than smaller ones together.
    kept: Vec<u32>,
}

#[derive(Debug)]
struct GridItem {
    outer: Vec<usize>,
    last: usize,
    row: usize,
}

impl<T: Worth> GridTables<T> {
    /// Tables for these sizes, none above the limits. Components that are free, or never fuller than another, take
    /// no place. `None` when the tables would be too large, or when an item takes no room at all.
    pub fn new<const K: usize>(sizes: &[Size<K>], limits: &Size<K>, depth: u32) -> Option<Self> {
        let binding = binding(sizes, limits);
        let mut parts: Vec<(usize, Vec<usize>)> = binding
            .iter()
            .map(|k| units(sizes, *k, limits[*k]))
            .collect();
        // The widest component last, where values are worked out together.
        parts.sort_by_key(|(room, _)| *room);
        let most = |(room, units): &(usize, Vec<usize>)| {
            units.iter().min().map_or(0, |least| {
                if *least == 0 {
                    usize::MAX
                } else {
                    room / least
                }
            })
        };
        // More items than the depth may fit by their sizes: then the depth is a limit like the
        // others.
        if parts.iter().map(most).min()? > depth as usize {
            parts.insert(0, (depth as usize, vec![1; sizes.len()]));
        }
        // An item that takes nothing would fit for ever.
        let takes_room = |i: usize| parts.iter().any(|(_, units)| units[i] > 0);
        if !(0..sizes.len()).all(takes_room) {
            return None;
        }
        let (room, lasts) = parts.pop()?;
        let outer: Vec<usize> = parts.iter().map(|(room, _)| room + 1).collect();
        let pad = lasts.iter().copied().max().unwrap_or(0);
        let stride = pad + (room + 1).next_multiple_of(LANES);
        let rows = outer
            .iter()
            .try_fold(1usize, |rows, n| rows.checked_mul(*n))?;
        if rows.checked_mul(stride)? as u64 > ENTRIES {
            return None;
        }
        let item = |i: usize| {
            let sizes: Vec<usize> = parts.iter().map(|(_, units)| units[i]).collect();
            GridItem {
                row: index(&outer, &sizes),
                outer: sizes,
                last: lasts[i],
            }
        };
        Some(Self {
            items: (0..sizes.len()).map(item).collect(),
            width: room + 1,
            worths: Vec::new(),
            table: vec![T::default(); rows * stride],
            kept: Vec::new(),
            outer,
            stride,
            pad,
        })
    }

    /// Fills the tables for these worths; returns the most that one pack is worth, `None` when stopped.
    pub fn solve(&mut self, worths: &[T], spend: &mut Spend) -> Option<T> {
        self.worths.clear();
        self.worths.extend_from_slice(worths);
        self.kept.clear();
        let mut order: Vec<u32> = (0..self.items.len() as u32)
            .filter(|i| worths[*i as usize] > T::default())
            .collect();
        // Smaller ones begin first: an item is kept only if it is worth more than smaller ones
        // together.
        order.sort_by_key(|i| (self.items[*i as usize].row, self.items[*i as usize].last));
        let mut begins = order.into_iter().peekable();
        let mut at = vec![0; self.outer.len()];
        let mut active: Vec<(usize, T)> = Vec::new();
        for row in 0..self.table.len() / self.stride {
            self.begin_row(row, &at);
            active.clear();
            active.extend(self.kept.iter().map(|i| *i as usize).filter_map(|i| {
                let item = &self.items[i];
                let fits = item.outer.iter().zip(&at).all(|(size, room)| size <= room);
                fits.then(|| {
                    (
                        (row - item.row) * self.stride + self.pad - item.last,
                        worths[i],
                    )
                })
            }));
            if !spend((active.len() * self.width) as u64) {
                return None;
            }
            self.fill_row(row, &active);
            while let Some(i) = begins.next_if(|i| self.items[*i as usize].row == row) {
                self.keep(row, i);
            }
            advance(&mut at, &self.outer);
        }
        (0..self.items.len()).map(|i| self.through(i)).max()
    }

    /// A row is worth at least what the rows with less room are.
    fn begin_row(&mut self, row: usize, at: &[usize]) {
        let start = row * self.stride;
        let (before, here) = self.table.split_at_mut(start);
        let here = &mut here[..self.stride];
        // The pad before a row stands for room below 0: whoever reads it must lose.
        here.fill(T::LEAST);
        here[self.pad..self.pad + self.width].fill(T::default());
        let mut back = 1;
        for (room, n) in at.iter().zip(&self.outer).rev() {
            if *room > 0 {
                let less = &before[start - back * self.stride..][..self.stride];
                here.iter_mut()
                    .zip(less)
                    .for_each(|(here, less)| *here = (*here).max(*less));
            }
            back *= n;
        }
    }

    /// The best of all items that leave an earlier row. `active`: where the row they leave begins, and their worth.
    fn fill_row(&mut self, row: usize, active: &[(usize, T)]) {
        let start = row * self.stride + self.pad;
        // An item of no size in the outer components leaves this very row, which is then filled from its beginning.
        let (away, within): (Vec<_>, Vec<_>) = active
            .iter()
            .partition(|(from, _)| *from < row * self.stride);
        let (before, here) = self.table.split_at_mut(row * self.stride);
        let here = &mut here[self.pad..self.stride];
        for (block, values) in here.chunks_exact_mut(LANES).enumerate() {
            let mut best = [T::default(); LANES];
            best.copy_from_slice(values);
            for &(from, worth) in &away {
                let source = &before[from + block * LANES..][..LANES];
                for lane in 0..LANES {
                    let with = source[lane] + worth;
                    best[lane] = if with > best[lane] { with } else { best[lane] };
                }
            }
            values.copy_from_slice(&best);
        }
        // Places beyond the last room were computed with their lanes; left there, they would grow
        // from row to row.
        here[self.width..].fill(T::LEAST);
        for place in start..start + self.width {
            for &(from, worth) in &within {
                let with = self.table[from + place - start] + worth;
                self.table[place] = self.table[place].max(with);
            }
        }
    }

    /// Takes in an item that begins in this row, if it is worth more than what is there.
    fn keep(&mut self, row: usize, i: u32) {
        let (item, worth) = (&self.items[i as usize], self.worths[i as usize]);
        let start = row * self.stride + self.pad;
        if worth <= self.table[start + item.last] {
            return;
        }
        self.kept.push(i);
        for room in item.last..self.width {
            // In the first row, an item may be there several times.
            let rest = if row == 0 {
                start + room - item.last
            } else {
                self.pad + room - item.last
            };
            let with = self.table[rest] + worth;
            self.table[start + room] = self.table[start + room].max(with);
        }
    }

    /// The most that a pack is worth that holds item `i`.
    pub fn through(&self, i: usize) -> T {
        self.worths[i] + self.table[self.room_left_by(i)]
    }

    /// Where the room is that item `i` leaves in an empty pack.
    fn room_left_by(&self, i: usize) -> usize {
        let item = &self.items[i];
        let full = self.table.len() / self.stride - 1;
        (full - item.row) * self.stride + self.pad + self.width - 1 - item.last
    }

    /// The best pack with an item `i`: items with how often, in ascending order.
    pub fn pattern(&self, i: usize) -> Vec<(u32, u32)> {
        let mut found = vec![i as u32];
        let mut place = self.room_left_by(i);
        while self.table[place] > T::default()
            && let Some((next, rest)) = self.begins(place)
        {
            found.push(next);
            place = rest;
        }
        super::knapsack::with_multiplicity(found)
    }

    /// An item that the best within a room begins with, and the room it leaves.
    fn begins(&self, place: usize) -> Option<(u32, usize)> {
        let (row, room) = (place / self.stride, place % self.stride - self.pad);
        let at = coordinates(&self.outer, row);
        let best = self.table[place];
        self.kept.iter().find_map(|&i| {
            let item = &self.items[i as usize];
            let fits =
                item.last <= room && item.outer.iter().zip(&at).all(|(size, room)| size <= room);
            let rest = fits.then(|| place - item.row * self.stride - item.last)?;
            (self.table[rest] + self.worths[i as usize] == best).then_some((i, rest))
        })
    }
}

/// Returns the components whose limit can end a pack. Left out are free ones, those of which no
/// item may have anything (a share of 0 is none), and those of which no item takes a larger share
/// than of another component.
pub(crate) fn binding<const K: usize>(sizes: &[Size<K>], limits: &Size<K>) -> Vec<usize> {
    let share = |k: usize, j: usize, size: &Size<K>| u64::from(size[k]) * u64::from(limits[j]);
    let within = |k: usize, j: usize| {
        sizes
            .iter()
            .all(|size| share(k, j, size) <= share(j, k, size))
    };
    let mut binding: Vec<usize> = (0..K).filter(|k| !matches!(limits[*k], 0 | FREE)).collect();
    // From the last one on: of two components with equal shares throughout, the first one stays.
    for k in (0..K).rev() {
        if binding.iter().any(|j| *j != k && within(k, *j)) {
            binding.retain(|j| *j != k);
        }
    }
    binding
}

/// A component in units of the greatest common divisor of its sizes: the room, and the items.
fn units<const K: usize>(sizes: &[Size<K>], k: usize, limit: u32) -> (usize, Vec<usize>) {
    let unit = sizes.iter().fold(0, |unit, size| gcd(unit, size[k])).max(1);
    (
        (limit / unit) as usize,
        sizes.iter().map(|size| (size[k] / unit) as usize).collect(),
    )
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The row with these coordinates, the last one running fastest.
fn index(outer: &[usize], at: &[usize]) -> usize {
    outer.iter().zip(at).fold(0, |row, (n, c)| row * n + c)
}

fn coordinates(outer: &[usize], mut row: usize) -> Vec<usize> {
    let mut at = vec![0; outer.len()];
    for (c, n) in at.iter_mut().zip(outer).rev() {
        *c = row % n;
        row /= n;
    }
    at
}

fn advance(at: &mut [usize], outer: &[usize]) {
    for (c, n) in at.iter_mut().zip(outer).rev() {
        *c += 1;
        if *c < *n {
            return;
        }
        *c = 0;
    }
}
