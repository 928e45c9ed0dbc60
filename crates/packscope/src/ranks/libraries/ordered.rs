//! Lists from which items are taken in any order, without moving the items behind: a library that
//! reads its whole list for each item is followed here in few steps.

use std::ops::Add;

/// Bins in order of creation, each with its tokens and its work, of which the one with the least work that has room is found.
#[derive(Debug)]
pub(super) struct Bins<T> {
    /// The places of the leaves, a power of two; node n has the children 2n and 2n + 1.
    leaves: usize,
    /// The least tokens and the least work below each node.
    least: Vec<[T; 2]>,
    /// The value in place of a bin that is not there.
    none: T,
}

impl<T: Copy + PartialOrd + Add<Output = T>> Bins<T> {
    /// Returns no bins, with places for `most`; `none` is above all sums.
    pub fn new(most: usize, none: T) -> Self {
        let leaves = most.next_power_of_two();
        Self {
            leaves,
            least: vec![[none; 2]; 2 * leaves],
            none,
        }
    }

    /// Sets the tokens and the work of a bin. O(log bins).
    pub fn set(&mut self, bin: usize, sums: [T; 2]) {
        let mut node = self.leaves + bin;
        self.least[node] = sums;
        while node > 1 {
            node /= 2;
            let [left, right] = [self.least[2 * node], self.least[2 * node + 1]];
            self.least[node] = [least(left[0], right[0]), least(left[1], right[1])];
        }
    }

    /// Returns the tokens and the work of a bin.
    pub fn load_of(&self, bin: usize) -> [T; 2] {
        self.least[self.leaves + bin]
    }

    /// Returns the bin with the least work with `work` added, of those whose tokens with `tokens` are within `most`: of
    /// equals the first, where all up to `enough` are equal. Usually O(log bins).
    pub fn lightest_bin(&self, tokens: T, most: T, work: T, enough: T) -> Option<(T, usize)> {
        let time = |node: usize| {
            let [used, weight] = self.least[node];
            let has_room = used < self.none && used + tokens <= most;
            has_room.then(|| {
                if weight + work < enough {
                    enough
                } else {
                    weight + work
                }
            })
        };
        let mut best: Option<(T, usize)> = None;
        // Nodes with the first bin below each and the number of its bins.
        let mut open = vec![(1, 0, self.leaves)];
        while let Some((node, from, bins)) = open.pop() {
            let Some(own) = time(node) else { continue };
            if best.is_some_and(|(least, bin)| own > least || own == least && from > bin) {
                continue;
            }
            if bins == 1 {
                best = Some((own, from));
                continue;
            }
            let half = bins / 2;
            let [left, right] = [(2 * node, from, half), (2 * node + 1, from + half, half)];
            // The last is looked at first: the one with less work, of equals the left.
            match (time(2 * node), time(2 * node + 1)) {
                (Some(a), Some(b)) if b < a => open.extend([left, right]),
                _ => open.extend([right, left]),
            }
        }
        best
    }
}

fn least<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// Items in a fixed order, some of which were taken.
#[derive(Debug)]
pub(super) struct RemainingOrdered {
    /// For each place a place at or behind it, and one at or before it, with nothing but taken items in between.
    next: Vec<u32>,
    before: Vec<u32>,
    /// Items that were not taken.
    pub number: usize,
}

impl RemainingOrdered {
    pub fn new(number: usize) -> Self {
        // One more at both ends, which are never taken.
        let all: Vec<u32> = (0..number as u32 + 2).collect();
        Self {
            next: all.clone(),
            before: all,
            number,
        }
    }

    /// Returns the first item from this place on.
    pub fn from(&mut self, place: usize) -> Option<usize> {
        let found = root(&mut self.next, place + 1);
        (found + 1 < self.next.len()).then(|| found - 1)
    }

    /// Returns the last item before this place.
    pub fn before(&mut self, place: usize) -> Option<usize> {
        root(&mut self.before, place).checked_sub(1)
    }

    pub fn take(&mut self, place: usize) {
        self.next[place + 1] = place as u32 + 2;
        self.before[place + 1] = place as u32;
        self.number -= 1;
    }

    /// Whether an item was not taken.
    pub fn has(&self, place: usize) -> bool {
        self.next[place + 1] as usize == place + 1
    }
}

/// Returns the place to which others point, and shortens the way there.
fn root(to: &mut [u32], mut place: usize) -> usize {
    while to[place] as usize != place {
        to[place] = to[to[place] as usize];
        place = to[place] as usize;
    }
    place
}
