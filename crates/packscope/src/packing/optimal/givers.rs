//! Assignment of items to places: places of a size hold items of that size and of smaller ones.

use crate::lp::{LpProblem, Pattern};

/// The item of a place that stays empty.
pub(super) const EMPTY: usize = usize::MAX;

/// The items assigned to the places of every row, in portions.
pub(super) struct Givers {
    /// (row of the item, or `EMPTY`; count), the next portion last.
    pub portions: Vec<Vec<(usize, u64)>>,
    /// Items of every row without a place.
    pub wanting: Vec<u64>,
}

/// Places of a row beyond its own items.
struct Spare {
    row: usize,
    free: u64,
    /// Items of other rows that were given places, as (row, count).
    given: Vec<(usize, u64)>,
}

impl Givers {
    /// Assigns places to as many items as possible: their own first, then the nearest spare one. In one component that
    /// is enough; in several, assigned items may have to move for others.
    pub fn new<const K: usize>(
        problem: &LpProblem<K>,
        counts: &[u64],
        used: &[(Pattern, u64)],
    ) -> Self {
        let mut places = vec![0; counts.len()];
        for (pattern, times) in used {
            for &(row, n) in pattern {
                places[row as usize] += u64::from(n) * times;
            }
        }
        let mut spares: Vec<Spare> = Vec::new();
        // Those with places that are free, the row nearest to the present one last.
        let mut open: Vec<usize> = Vec::new();
        let mut wanting = vec![0; counts.len()];
        for (row, (&places, &count)) in places.iter().zip(counts).enumerate() {
            let mut wanted = count.saturating_sub(places);
            while wanted > 0
                // The nearest row before this one is the smallest size that holds the item: larger
                // places stay free for other items.
                && let Some(at) = open
                    .iter()
                    .rposition(|s| problem.holds(spares[*s].row, row))
            {
                wanted -= spares[open[at]].give(row, wanted);
                if spares[open[at]].free == 0 {
                    open.remove(at);
                }
            }
            wanting[row] = wanted;
            if places > count {
                open.push(spares.len());
                spares.push(Spare {
                    row,
                    free: places - count,
                    given: Vec::new(),
                });
            }
        }
        if K > 1 {
            for (row, wanted) in wanting.iter_mut().enumerate() {
                while *wanted > 0
                    && let Some(placed) = make_way(problem, &mut spares, row, *wanted)
                {
                    *wanted -= placed;
                }
            }
        }
        // A row's own items, then items of other rows, then empty places; turned round at the end,
        // because the last portion is dealt first.
        let mut portions: Vec<Vec<(usize, u64)>> = (0..counts.len())
            .map(|row| vec![(row, places[row].min(counts[row]))])
            .collect();
        for spare in spares {
            portions[spare.row].extend(spare.given);
            portions[spare.row].push((EMPTY, spare.free));
        }
        for row in &mut portions {
            row.retain(|p| p.1 > 0);
            row.reverse();
        }
        Self { portions, wanting }
    }
}

impl Spare {
    /// Assigns places to items of a row, as many as are wanted and free; returns their number.
    fn give(&mut self, row: usize, wanted: u64) -> u64 {
        let given = wanted.min(self.free);
        self.free -= given;
        match self.given.iter_mut().find(|(item, _)| *item == row) {
            Some((_, n)) => *n += given,
            None => self.given.push((row, given)),
        }
        given
    }

    fn take_back(&mut self, row: usize, n: u64) {
        if let Some((_, given)) = self.given.iter_mut().find(|(item, _)| *item == row) {
            *given -= n;
            self.free += n;
        }
    }
}

/// Finds places for items of a row by moving others between spare places, along the shortest chain of moves; returns
/// the number placed. O(spares · given).
fn make_way<const K: usize>(
    problem: &LpProblem<K>,
    spares: &mut [Spare],
    row: usize,
    wanted: u64,
) -> Option<u64> {
    // Per spare: the item that would move there, and from which spare.
    let mut reached: Vec<Option<(usize, usize)>> = vec![None; spares.len()];
    let mut queue: Vec<usize> = Vec::new();
    let mut next = 0;
    let visit = |item, from, reached: &mut Vec<Option<(usize, usize)>>, queue: &mut Vec<usize>| {
        for (s, spare) in spares.iter().enumerate() {
            if reached[s].is_none() && problem.holds(spare.row, item) {
                reached[s] = Some((item, from));
                queue.push(s);
            }
        }
    };
    visit(row, EMPTY, &mut reached, &mut queue);
    // Breadth first, so that the first spare with a free place ends one of the shortest chains.
    while spares[*queue.get(next)?].free == 0 {
        let from = queue[next];
        for (item, _) in spares[from].given.iter().filter(|(_, n)| *n > 0) {
            visit(*item, from, &mut reached, &mut queue);
        }
        next += 1;
    }
    let mut chain = Vec::new();
    let mut at = queue[next];
    while at != EMPTY {
        let (item, from) = reached[at]?;
        chain.push((at, item, from));
        at = from;
    }
    let given = |s: usize, item: usize| {
        spares[s]
            .given
            .iter()
            .find(|g| g.0 == item)
            .map_or(0, |g| g.1)
    };
    let movable = chain
        .iter()
        .filter(|(.., from)| *from != EMPTY)
        .map(|&(_, item, from)| given(from, item));
    // Every move of the chain carries the same number: no more than each spare can give up, and
    // than the last one has room for.
    let placed = movable.fold(wanted.min(spares[queue[next]].free), u64::min);
    for (to, item, from) in chain {
        if from != EMPTY {
            spares[from].take_back(item, placed);
        }
        spares[to].give(item, placed);
    }
    Some(placed)
}
