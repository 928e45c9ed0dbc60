//! From patterns with exchanges to strategies: places of a size are given to items of that size or shorter.

use crate::lp::Pattern;
use crate::plan::Strategy;

/// Items that are left when patterns have been used so often, places that are left over counting for
/// shorter items. `counts` and rows are of sizes largest first.
pub(super) fn left_over(counts: &[u64], used: &[(Pattern, u64)]) -> Vec<u64> {
    let places = places(counts.len(), used);
    let mut spare = 0u64;
    let rest = counts.iter().zip(places).map(|(&count, places)| {
        let places = places + spare;
        spare = places.saturating_sub(count);
        count.saturating_sub(places)
    });
    rest.collect()
}

fn places(rows: usize, used: &[(Pattern, u64)]) -> Vec<u64> {
    let mut places = vec![0; rows];
    for (pattern, times) in used {
        for &(row, n) in pattern {
            places[row as usize] += u64::from(n) * times;
        }
    }
    places
}

/// Strategies in which every place holds an item of its size or the next shorter one that needs it; places
/// that nobody needs stay empty. A row stands once in a pattern. O(runs + rows) more strategies than patterns.
pub(super) fn strategies(lengths: &[u32], counts: &[u64], used: &[(Pattern, u64)]) -> Vec<Strategy<1>> {
    let mut givers = Givers::new(counts, used);
    let mut strategies = Vec::new();
    for (pattern, times) in used {
        let mut left = *times;
        while left > 0 {
            // As many equal packs as the shortest supply of one of their places allows.
            let mut together = left;
            for &(row, n) in pattern {
                together = together.min(givers.alike(row as usize, u64::from(n)));
            }
            let mut runs = Vec::new();
            for &(row, n) in pattern {
                givers.take(row as usize, u64::from(n), together, &mut runs);
            }
            let runs: Vec<_> = runs.into_iter().map(|(row, n)| ([lengths[row]], n)).collect();
            if !runs.is_empty() {
                strategies.push(Strategy { runs, count: together });
            }
            left -= together;
        }
    }
    strategies
}

/// For the places of every row: the items they are given, in portions.
struct Givers {
    /// (row of the item, or `EMPTY`; how many), the next portion last.
    portions: Vec<Vec<(usize, u64)>>,
}

const EMPTY: usize = usize::MAX;

impl Givers {
    fn new(counts: &[u64], used: &[(Pattern, u64)]) -> Self {
        let places = places(counts.len(), used);
        let mut portions = vec![Vec::new(); counts.len()];
        // Spare places of larger rows, the row nearest to the present one last.
        let mut spare: Vec<(usize, u64)> = Vec::new();
        for (row, (&places, &count)) in places.iter().zip(counts).enumerate() {
            let own = places.min(count);
            let mut wanted = count - own;
            portions[row].push((row, own));
            while wanted > 0
                && let Some((from, there)) = spare.pop()
            {
                let given = wanted.min(there);
                portions[from].push((row, given));
                wanted -= given;
                if there > given {
                    spare.push((from, there - given));
                }
            }
            if places > own {
                spare.push((row, places - own));
            }
        }
        for (row, left) in spare {
            portions[row].push((EMPTY, left));
        }
        for row in &mut portions {
            row.retain(|p| p.1 > 0);
            row.reverse();
        }
        Self { portions }
    }

    /// How many packs with `n` places of a row can be given the same items.
    fn alike(&self, row: usize, n: u64) -> u64 {
        self.portions[row].last().map_or(u64::MAX, |(_, left)| (left / n).max(1))
    }

    /// Items for `n` places of a row in each of `packs` packs; where portions end, of one pack.
    fn take(&mut self, row: usize, n: u64, packs: u64, runs: &mut Vec<(usize, u32)>) {
        let mut wanted = n * packs;
        while wanted > 0
            && let Some((item, left)) = self.portions[row].last_mut()
        {
            let given = wanted.min(*left);
            if *item != EMPTY {
                runs.push((*item, (given / packs) as u32));
            }
            *left -= given;
            wanted -= given;
            if *left == 0 {
                self.portions[row].pop();
            }
        }
    }
}
