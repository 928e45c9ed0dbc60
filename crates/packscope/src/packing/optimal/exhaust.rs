//! The last gap of small data: every plan of fewer packs is tried, until one is found or none is left.
//!
//! Pack after pack begins with the largest item left and is filled in every way to which no item left could be added;
//! that is enough, because items may move from later packs into an earlier one with room for them. A branch ends where
//! the packs left cannot hold the items left: their sizes, their number, or their worth by the certificate of the
//! relaxation. It also ends where the same items were left before.
//!
//! Source: bin completion, Martello and Toth 1990, §8.5, and Korf 2002. Complexity: exponential; the steps end it.

use super::Incumbent;
use crate::bounds::{Certificate, Spend};
use crate::histogram::{FREE, Size, fits, is_free};
use crate::lp::{Budget, LpProblem, Pattern};
use crate::plan::Strategy;
use std::collections::BTreeMap;

/// The most packs of a plan that is searched, one by one.
const PACKS: u64 = 64;
/// The most fillings of one pack, and the most sets of items left that are remembered.
const FILLINGS: usize = 1 << 13;
const REMEMBERED: usize = 1 << 16;

/// Steps of a first attempt, some milliseconds, and of the last one.
pub(in crate::packing) const FIRST: u64 = 1 << 22;
pub(in crate::packing) const LAST: u64 = 1 << 28;

/// Closes the gap between the best plan and its bound where few packs are left to be tried, within `steps`.
pub(in crate::packing) fn close<const K: usize>(
    best: &mut Incumbent<K>,
    problem: &LpProblem<K>,
    steps: u64,
    budget: &mut Budget,
) {
    if best.packs > PACKS {
        return;
    }
    let mut left = steps;
    let mut spend = |taken: u64| {
        left = left.saturating_sub(taken);
        left > 0 && budget.spend(taken)
    };
    let mut search = ExhaustiveSearch::new(problem, best.certificate.as_ref());
    // What is remembered as impossible stays so for the next number of packs: it depends on items
    // left and packs left alone.
    while !best.proven() {
        let packs = best.bound.packs;
        match search.place(packs, &mut spend) {
            Some(true) => best.offer(search.strategies()),
            Some(false) => best.exhausted(packs),
            None => return,
        }
    }
}

struct ExhaustiveSearch<'p, const K: usize> {
    problem: &'p LpProblem<K>,
    /// Worth per row, and the most that a pack is worth.
    worths: Vec<i64>,
    most: i64,
    /// Items of every row that are in no pack yet.
    left: Vec<u64>,
    packs: Vec<Pattern>,
    /// Items left, and the most packs that are known not to hold them.
    failed: BTreeMap<Vec<u64>, u64>,
}

impl<'p, const K: usize> ExhaustiveSearch<'p, K> {
    fn new(problem: &'p LpProblem<K>, certificate: Option<&Certificate<K>>) -> Self {
        // A certificate has a worth for every row, in the same order.
        let worths = certificate.map_or(Vec::new(), |c| {
            c.worths.iter().map(|(_, worth)| *worth).collect()
        });
        let most = certificate.map_or(0, |c| c.most);
        let (left, packs, failed) = (problem.counts.clone(), Vec::new(), BTreeMap::new());
        Self {
            problem,
            worths,
            most,
            left,
            packs,
            failed,
        }
    }

    /// Places the items left in at most `packs` packs; returns whether that is possible, `None`
    /// when `spend` refuses.
    fn place(&mut self, packs: u64, spend: &mut Spend) -> Option<bool> {
        let Some(first) = self.left.iter().position(|n| *n > 0) else {
            return Some(true);
        };
        if !self.may_fit(packs)
            || self
                .failed
                .get(&self.left)
                .is_some_and(|known| packs <= *known)
        {
            return Some(false);
        }
        for filling in self.fillings(first, spend)? {
            filling
                .iter()
                .for_each(|&(row, n)| self.left[row as usize] -= u64::from(n));
            self.packs.push(filling);
            if self.place(packs - 1, spend)? {
                return Some(true);
            }
            let filling = self.packs.pop()?;
            filling
                .iter()
                .for_each(|&(row, n)| self.left[row as usize] += u64::from(n));
        }
        if self.failed.len() < REMEMBERED {
            self.failed.insert(self.left.clone(), packs);
        }
        Some(false)
    }

    /// Whether the items left may fit: neither their sizes nor their number nor their worth needs
    /// more packs.
    fn may_fit(&self, packs: u64) -> bool {
        let all = |of: &dyn Fn(usize) -> i128| -> i128 {
            self.left
                .iter()
                .enumerate()
                .map(|(row, n)| i128::from(*n) * of(row))
                .sum()
        };
        let within = |taken: i128, room: i128| taken <= i128::from(packs) * room;
        let sized = |k: usize| {
            let room = self.problem.limits[k];
            is_free::<K>(room)
                || within(
                    all(&|row| i128::from(self.problem.sizes[row][k])),
                    i128::from(room),
                )
        };
        (0..K).all(sized)
            && within(all(&|_| 1), i128::from(self.problem.depth))
            && (self.most == 0
                || within(
                    all(&|row| i128::from(self.worths[row])),
                    i128::from(self.most),
                ))
    }

    /// Returns the ways to fill a pack that begins with an item of the row, those that take most of the worth first.
    fn fillings(&self, first: usize, spend: &mut Spend) -> Option<Vec<Pattern>> {
        let mut found = Vec::new();
        let room = take(&self.problem.limits, &self.problem.sizes[first], 1);
        let begun = vec![(first as u32, 1)];
        self.fill(
            first,
            (room, self.problem.depth - 1),
            begun,
            &mut found,
            spend,
        )?;
        let worth = |filling: &Pattern| {
            let of = |row: u32| {
                self.worths
                    .get(row as usize)
                    .map_or(0, |worth| i128::from(*worth))
            };
            filling
                .iter()
                .map(|&(row, n)| of(row) * i128::from(n))
                .sum::<i128>()
        };
        // As found, those with the largest items come first.
        found.sort_by_cached_key(|filling| std::cmp::Reverse(worth(filling)));
        Some(found)
    }

    /// Adds every way to go on with items from a row on to which nothing can be added.
    fn fill(
        &self,
        from: usize,
        (room, places): (Size<K>, u32),
        pack: Pattern,
        found: &mut Vec<Pattern>,
        spend: &mut Spend,
    ) -> Option<()> {
        let taken = |row: usize| {
            pack.iter()
                .find(|p| p.0 as usize == row)
                .map_or(0, |p| u64::from(p.1))
        };
        let can = |row: &usize| {
            places > 0 && self.left[*row] > taken(*row) && fits(&self.problem.sizes[*row], &room)
        };
        if !spend(8 * self.left.len() as u64) || found.len() >= FILLINGS {
            return None;
        }
        // All rows count, those before `from` too: only a pack that nothing fits into is kept.
        if !(0..self.left.len()).any(|row| can(&row)) {
            found.push(pack);
            return Some(());
        }
        for row in (from..self.left.len()).filter(can) {
            let size = &self.problem.sizes[row];
            let here = u32::try_from(self.left[row] - taken(row)).unwrap_or(u32::MAX);
            for n in (1..=most_that_fit(&room, size).min(places).min(here)).rev() {
                let mut pack = pack.clone();
                match pack.last_mut() {
                    Some((last, times)) if *last as usize == row => *times += n,
                    _ => pack.push((row as u32, n)),
                }
                self.fill(
                    row + 1,
                    (take(&room, size, n), places - n),
                    pack,
                    found,
                    spend,
                )?;
            }
        }
        Some(())
    }

    /// Returns the packs of the plan that was found.
    fn strategies(&self) -> Vec<Strategy<K>> {
        let runs = |pack: &Pattern| {
            pack.iter()
                .map(|&(row, n)| (self.problem.sizes[row as usize], n))
                .collect()
        };
        self.packs
            .iter()
            .map(|pack| Strategy {
                runs: runs(pack),
                count: 1,
            })
            .collect()
    }
}

/// Returns the room that `n` items of a size leave.
fn take<const K: usize>(room: &Size<K>, size: &Size<K>, n: u32) -> Size<K> {
    std::array::from_fn(|k| {
        if is_free::<K>(room[k]) {
            FREE
        } else {
            room[k] - size[k] * n
        }
    })
}

/// Returns the most items of a size in a room.
fn most_that_fit<const K: usize>(room: &Size<K>, size: &Size<K>) -> u32 {
    let by = |k: usize| {
        if is_free::<K>(room[k]) {
            None
        } else {
            room[k].checked_div(size[k])
        }
    };
    (0..K).filter_map(by).min().unwrap_or(u32::MAX)
}
