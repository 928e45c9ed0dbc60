//! Items dealt to a number of parts of about equal weight: the largest differencing method (Karmarkar and Karp 1982; with
//! parts of equal size Michiels et al. 2003, *Performance ratios for the differencing method*).

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

/// Items of a part, as a list through [`MergingLists::next`].
#[derive(Debug, Clone, Copy)]
struct Set {
    sum: f64,
    items: u32,
    first: u32,
    last: u32,
}

impl Set {
    /// Compares by sum, number of items, first item, as verl does.
    fn order(&self, other: &Self) -> Ordering {
        self.sum
            .total_cmp(&other.sum)
            .then(self.items.cmp(&other.items))
            .then(self.first.cmp(&other.first))
    }
}

/// A partial solution: its sets that are not empty, largest first.
#[derive(Debug)]
struct State {
    sets: VecDeque<Set>,
    spread: f64,
}

impl State {
    fn new(sets: VecDeque<Set>, parts: usize) -> Self {
        let most = sets.front().map_or(0.0, |set| set.sum);
        let least = if sets.len() < parts {
            0.0
        } else {
            sets.back().map_or(0.0, |set| set.sum)
        };
        Self {
            sets,
            spread: most - least,
        }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for State {}

impl PartialOrd for State {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for State {
    /// The state with the largest spread is the next; of equals the one with the largest set.
    fn cmp(&self, other: &Self) -> Ordering {
        let first = || self.sets[0].order(&other.sets[0]);
        self.spread.total_cmp(&other.spread).then_with(first)
    }
}

/// Lists of items that grow together.
struct MergingLists {
    next: Vec<u32>,
    parts: usize,
}

// The end of a list: no item has this number.
const END: u32 = u32::MAX;

impl MergingLists {
    fn join(&mut self, to: &mut Set, from: Set) {
        self.next[to.last as usize] = from.first;
        *to = Set {
            sum: to.sum + from.sum,
            items: to.items + from.items,
            last: from.last,
            ..*to
        };
    }

    /// Merges the largest set of one with the smallest of the other, and so on. O(parts log parts); where `b` is a single
    /// item, O(log parts) and a move of the sets above it or below it, whichever are fewer.
    fn merge(&mut self, mut a: VecDeque<Set>, b: &[Set]) -> State {
        let full = a.len();
        if let [one] = b {
            let mut one = *one;
            // The largest set meets the smallest. While there are fewer sets than parts the
            // smallest is an empty one, which is not stored.
            if full == self.parts
                && let Some(mut least) = a.pop_back()
            {
                self.join(&mut least, one);
                one = least;
            }
            a.insert(
                a.partition_point(|set| set.order(&one) == Ordering::Greater),
                one,
            );
            return State::new(a, self.parts);
        }
        for (j, &set) in b.iter().enumerate() {
            // The j-th largest of `b` meets the j-th smallest of `a`; the smallest of `a` are the
            // empty sets that it does not store.
            let opposite = self.parts - 1 - j;
            if opposite < full {
                let mut joined = a[opposite];
                self.join(&mut joined, set);
                a[opposite] = joined;
            } else {
                a.push_back(set);
            }
        }
        // An unstable sort is deterministic here: no two sets have the same first item.
        a.make_contiguous().sort_unstable_by(|x, y| y.order(x));
        State::new(a, self.parts)
    }

    /// Writes the number of its set to each item.
    fn write(&self, sets: &VecDeque<Set>, part: &mut [u32]) {
        for (number, set) in (0..).zip(sets) {
            let mut item = set.first;
            while item != END {
                part[item as usize] = number;
                item = self.next[item as usize];
            }
        }
    }
}

/// Returns the items of each part, ascending, the heaviest part first: see [`partition`].
pub fn parts(weights: &[f64], parts: usize, equal: bool) -> Vec<Vec<u32>> {
    let mut items = vec![Vec::new(); parts.max(1)];
    let part = partition(weights, parts, equal);
    (0..)
        .zip(part)
        .for_each(|(item, part)| items[part as usize].push(item));
    items
}

/// The sets that are merged next.
enum Next {
    One(Set),
    Many(VecDeque<Set>),
}

/// Single items, the next one last, and merged states.
struct PendingItems {
    singles: Vec<Set>,
    states: BinaryHeap<State>,
}

impl PendingItems {
    fn next(&mut self) -> Option<Next> {
        let before = |one: &Set, state: &State| {
            let order = one
                .sum
                .total_cmp(&state.spread)
                .then_with(|| one.order(&state.sets[0]));
            order == Ordering::Greater
        };
        // All of them in one heap would be a state for every item; single items are sorted once
        // instead.
        match (self.singles.last(), self.states.peek()) {
            (Some(one), Some(state)) if !before(one, state) => {}
            (Some(_), _) => return self.singles.pop().map(Next::One),
            (None, _) => {}
        }
        self.states.pop().map(|state| Next::Many(state.sets))
    }
}

/// Returns the part of each item, from 0 for the part with the largest sum. With `equal`, parts differ by at most one in
/// their number of items. The partition is that of verl 1dda039, `karmarkar_karp` in `verl/utils/seqlen_balancing.py`,
/// which takes `equal` only for a number of items that the parts divide.
///
/// O(items · (log items + parts)) at worst. Weights must not be negative.
pub fn partition(weights: &[f64], parts: usize, equal: bool) -> Vec<u32> {
    let parts = parts.max(1);
    if parts == 1 {
        return vec![0; weights.len()];
    }
    // Items of no weight make the number divisible, and are dropped at the end.
    let items = if equal {
        weights.len().next_multiple_of(parts)
    } else {
        weights.len()
    };
    let weight = |item: u32| weights.get(item as usize).copied().unwrap_or(0.0);
    // Bits of floats from 0 on, as whole numbers, are in the order of the floats.
    let mut order: Vec<(u64, u32)> = (0..items as u32)
        .map(|item| (weight(item).to_bits(), item))
        .collect();
    order.sort_unstable();
    let single = |&(bits, item): &(u64, u32)| Set {
        sum: f64::from_bits(bits),
        items: 1,
        first: item,
        last: item,
    };
    let mut waiting = PendingItems {
        singles: Vec::new(),
        states: BinaryHeap::new(),
    };
    if equal {
        // Each state starts with one item for every part, so that every merge adds as many to each
        // part.
        let chunk =
            |chunk: &[(u64, u32)]| State::new(chunk.iter().rev().map(single).collect(), parts);
        waiting.states.extend(order.chunks(parts).map(chunk));
    } else {
        waiting.singles = order.iter().map(single).collect();
    }
    let mut merging = MergingLists {
        next: vec![END; items],
        parts,
    };
    let mut part = vec![0; items];
    while let Some(a) = waiting.next() {
        let a = match a {
            Next::One(set) => VecDeque::from([set]),
            Next::Many(sets) => sets,
        };
        let state = match waiting.next() {
            Some(Next::One(set)) => merging.merge(a, &[set]),
            Some(Next::Many(mut sets)) => merging.merge(a, sets.make_contiguous()),
            None => {
                merging.write(&a, &mut part);
                break;
            }
        };
        waiting.states.push(state);
    }
    part.truncate(weights.len());
    part
}
