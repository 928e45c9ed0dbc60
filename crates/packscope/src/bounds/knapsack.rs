//! The most that a single pack can be worth, when every size has a worth: the heart of every bound by duals,
//! and of column generation.
//!
//! Dynamic programmes over the room that is used. Under a depth limit there is a level for every number of
//! items, where items come largest first, so that a level of k items ends at k times the largest. Without
//! a limit that binds there is one level, and what is worth no more than smaller sizes together is left out.
//!
//! Source: Gilmore and Gomory 1963; Kellerer, Pferschy and Pisinger 2004, *Knapsack Problems*, §8.
//! Complexity: O(depth · distinct · limit), O(distinct · limit) without a depth limit.

use std::ops::{Add, Sub};

/// Whole numbers that worths are counted in.
pub(crate) trait Worth:
    Copy + Ord + Default + Add<Output = Self> + Sub<Output = Self>
{
    /// Less than anything that can be reached, however much is added to it.
    const LEAST: Self;
}

impl Worth for i32 {
    const LEAST: Self = i32::MIN / 2;
}
impl Worth for i64 {
    const LEAST: Self = i64::MIN / 2;
}

/// Asked before each part of a computation, with the steps that it takes; `false` stops it.
pub(crate) type Spend<'a> = dyn FnMut(u64) -> bool + 'a;

/// The largest number of table entries.
const ENTRIES: u64 = 1 << 23;

/// Tables of the best worth within every room.
#[derive(Debug)]
pub(crate) struct KnapsackTables<T> {
    /// Sizes, largest first.
    lengths: Vec<u32>,
    limit: u32,
    /// Items at most; `None` where the room ends first.
    depth: Option<u32>,
    worths: Vec<T>,
    /// Level k − 1: the best of at most k items; all levels but the last, of which only one entry counts.
    levels: Vec<Vec<T>>,
    /// Rows that are worth more than smaller ones together, where there is no depth limit.
    kept: Vec<u32>,
    /// Per level and room: 1 + the row of an item that the best pack begins with; 0 if not known
    /// yet.
    first: Vec<Vec<u32>>,
}

impl<T: Worth> KnapsackTables<T> {
    /// Tables for these sizes, largest first, none above the limit; `None` when they would be too large.
    pub fn new(lengths: &[u32], limit: u32, depth: u32) -> Option<Self> {
        let smallest = *lengths.last()?;
        // A depth that even items of the smallest size cannot exceed within the limit does not
        // bind.
        let depth = Some(depth).filter(|d| *d < limit / smallest);
        let levels = depth.map_or(1, |d| d.max(2) - 1) as usize;
        let size = limit as usize + 1;
        if size as u64 * levels as u64 > ENTRIES {
            return None;
        }
        Some(Self {
            lengths: lengths.to_vec(),
            limit,
            depth,
            worths: Vec::new(),
            levels: vec![vec![T::default(); size]; levels],
            kept: Vec::new(),
            first: vec![vec![0; size]; levels],
        })
    }

    /// Fills the tables for these worths; returns the most that one pack is worth, `None` when stopped.
    pub fn solve(&mut self, worths: &[T], spend: &mut Spend) -> Option<T> {
        self.worths.clear();
        self.worths.extend_from_slice(worths);
        self.first.iter_mut().for_each(|level| level.fill(0));
        match self.depth {
            None => self.fill_unlimited(spend)?,
            Some(depth) => self.fill_levels(depth, spend)?,
        }
        (0..self.lengths.len()).map(|i| self.through(i)).max()
    }

    /// The most that a pack is worth that holds an item of row `i`.
    pub fn through(&self, i: usize) -> T {
        self.worths[i] + self.rest((self.limit - self.lengths[i]) as usize)
    }

    fn rest(&self, room: usize) -> T {
        if self.depth == Some(1) {
            T::default()
        } else {
            self.levels[self.levels.len() - 1][room]
        }
    }

    fn fill_unlimited(&mut self, spend: &mut Spend) -> Option<()> {
        let table = &mut self.levels[0];
        table.fill(T::default());
        self.kept.clear();
        for (i, (&length, &worth)) in self.lengths.iter().zip(&self.worths).enumerate().rev() {
            let length = length as usize;
            if worth <= table[length] {
                continue;
            }
            self.kept.push(i as u32);
            if !spend((table.len() - length) as u64) {
                return None;
            }
            // Blocks of one length do not overlap, so that they can be done in lanes.
            let mut start = length;
            while start < table.len() {
                let end = (start + length).min(table.len());
                let (before, here) = table.split_at_mut(start);
                raise(&mut here[..end - start], &before[start - length..], worth);
                start = end;
            }
        }
        Some(())
    }

    fn fill_levels(&mut self, depth: u32, spend: &mut Spend) -> Option<()> {
        self.fill_first();
        for k in 2..depth as usize {
            let (before, from) = self.levels.split_at_mut(k - 1);
            let (before, table) = (&before[k - 2], &mut from[0]);
            table.clone_from(before);
            for (&length, &worth) in self.lengths.iter().zip(&self.worths) {
                if worth <= T::default() {
                    continue;
                }
                let length = length as usize;
                // A pack of k items, of which this is the longest, has at most k times its length;
                // `climb` fills the rest.
                let end = (length.saturating_mul(k) + 1).min(table.len());
                if !spend((end - length) as u64) {
                    return None;
                }
                raise(&mut table[length..end], before, worth);
            }
            climb(table);
        }
        Some(())
    }

    /// One item: the most worth of those that fit.
    fn fill_first(&mut self) {
        let (table, first) = (&mut self.levels[0], &mut self.first[0]);
        table.fill(T::default());
        for (i, (&length, &worth)) in self.lengths.iter().zip(&self.worths).enumerate() {
            if worth > table[length as usize] {
                table[length as usize] = worth;
                first[length as usize] = i as u32 + 1;
            }
        }
        for room in 1..table.len() {
            if table[room] <= table[room - 1] {
                table[room] = table[room - 1];
                first[room] = first[room - 1];
            }
        }
    }

    /// The best pack with an item of row `i`: rows with how often, largest first.
    pub fn pattern(&mut self, i: usize) -> Vec<(u32, u32)> {
        let mut rows = vec![i as u32];
        let mut room = (self.limit - self.lengths[i]) as usize;
        let mut level = if self.depth == Some(1) {
            0
        } else {
            self.levels.len()
        };
        while level > 0
            && let Some(row) = self.first_of(level - 1, room)
        {
            rows.push(row);
            room -= self.lengths[row as usize] as usize;
            level -= usize::from(self.depth.is_some());
        }
        with_multiplicity(rows)
    }

    /// An item that the best within a room begins with; found once, then remembered.
    fn first_of(&mut self, level: usize, room: usize) -> Option<u32> {
        let best = self.levels[level][room];
        if best <= T::default() {
            return None;
        }
        if self.first[level][room] == 0 {
            let fits = |i: &usize| self.lengths[*i] as usize <= room;
            let rest = |room: usize| match (self.depth, level) {
                (None, _) => self.levels[0][room],
                (_, 0) => T::default(),
                _ => self.levels[level - 1][room],
            };
            let begins =
                |i: &usize| self.worths[*i] + rest(room - self.lengths[*i] as usize) == best;
            let found = match self.depth {
                None => self
                    .kept
                    .iter()
                    .map(|i| *i as usize)
                    .filter(fits)
                    .find(begins),
                _ => {
                    let from = self.lengths.partition_point(|l| *l as usize > room);
                    (from..self.lengths.len()).find(begins)
                }
            };
            self.first[level][room] = found? as u32 + 1;
        }
        Some(self.first[level][room] - 1)
    }
}

/// Rows with how often each occurs, ascending.
pub(super) fn with_multiplicity(mut rows: Vec<u32>) -> Vec<(u32, u32)> {
    rows.sort_unstable();
    let mut pattern = Vec::<(u32, u32)>::new();
    for row in rows {
        match pattern.last_mut() {
            Some((last, n)) if *last == row => *n += 1,
            _ => pattern.push((row, 1)),
        }
    }
    pattern
}

/// `here` becomes at least `before` plus the worth, place by place.
fn raise<T: Worth>(here: &mut [T], before: &[T], worth: T) {
    for (here, before) in here.iter_mut().zip(before) {
        let with = *before + worth;
        *here = if with > *here { with } else { *here };
    }
}

/// More room is never worth less.
fn climb<T: Worth>(table: &mut [T]) {
    let mut best = T::default();
    for entry in table {
        best = best.max(*entry);
        *entry = best;
    }
}
