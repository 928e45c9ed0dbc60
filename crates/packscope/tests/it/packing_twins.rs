//! Parts of the packing of sequences against plain ones that do the same: item by item, by a scan, or by trying
//! everything.

use packscope::histogram::Histogram;
use packscope::packing::bits::Bits;
use packscope::packing::optimal::fill;
use packscope::packing::{Algorithm, Depth, Task, go_on};
use packscope::plan::{Plan, Strategy};
use packscope::rng::Random;
use std::collections::BTreeMap;

/// The strategies of a plan whose lengths are all multiples of `unit`, counted in units.
fn in_units(plan: &Plan<1>, unit: u32) -> Vec<Strategy<1>> {
    let runs = |s: &Strategy<1>| {
        s.runs
            .iter()
            .map(|&([length], n)| ([length / unit], n))
            .collect()
    };
    plan.strategies()
        .iter()
        .map(|s| Strategy {
            runs: runs(s),
            count: s.count,
        })
        .collect()
}

/// Limits up to 16,384 have a stack for each space, larger ones a map of them: in larger units the packs are the same.
#[test]
fn dense_and_sparse_stacks_give_the_same_groups() {
    let mut random = Random::seeded(3);
    for case in 0..200 {
        let distinct = 1 + random.below(300);
        let lengths: Vec<(u32, u64)> = (0..distinct)
            .map(|_| (1 + random.below(700) as u32, 1 + random.below(90)))
            .collect();
        let depth = if case % 3 == 0 {
            Depth::AtMost(1 + random.below(9) as u32)
        } else {
            Depth::Unlimited
        };
        for algorithm in [Algorithm::Lpfhp, Algorithm::Spfhp] {
            let [one, dense, sparse] = [1, 23, 24].map(|unit| {
                let h =
                    Histogram::from_lengths(lengths.iter().map(|(length, n)| (length * unit, *n)))
                        .unwrap();
                in_units(&algorithm.pack(&h, 700 * unit, depth).unwrap(), unit)
            });
            assert_eq!(one, dense, "{algorithm}: {lengths:?}");
            assert_eq!(dense, sparse, "{algorithm}: {lengths:?}");
        }
    }
}

/// Equal open packs: their number, the slots left and the items in each, and their runs.
#[derive(Clone)]
struct Group {
    count: u64,
    space: u32,
    depth: u32,
    runs: Vec<([u32; 1], u32)>,
}

impl Group {
    /// The first `count` of the packs with one item more.
    fn with(&self, length: u32, count: u64) -> Self {
        let mut runs = self.runs.clone();
        match runs.last_mut() {
            Some(([last], n)) if *last == length => *n += 1,
            _ => runs.push(([length], 1)),
        }
        Self {
            count,
            space: self.space - length,
            depth: self.depth + 1,
            runs,
        }
    }
}

/// Groups by their space, the youngest of a space last.
#[derive(Default)]
struct Open {
    open: BTreeMap<u32, Vec<Group>>,
    closed: Vec<Group>,
}

impl Open {
    fn push(&mut self, group: Group, depth: u32) {
        if group.space == 0 || group.depth == depth {
            self.closed.push(group);
        } else {
            self.open.entry(group.space).or_default().push(group);
        }
    }

    /// Removes the youngest of those with the most space within a range.
    fn pop(&mut self, least: u32, most: u32) -> Option<Group> {
        let stacks = self.open.range_mut(least..=most).rev();
        stacks.map(|(_, stack)| stack).find_map(Vec::pop)
    }
}

/// As published: one item at a turn.
fn one_by_one(histogram: &Histogram<1>, limit: u32, depth: u32) -> Plan<1> {
    let mut open = Open::default();
    for &([length], count) in histogram.entries().iter().rev() {
        let (mut left, mut at_most) = (count, limit);
        while left > 0 {
            let Some(group) = open.pop(length, at_most) else {
                let empty = Group {
                    count: left,
                    space: limit,
                    depth: 0,
                    runs: Vec::new(),
                };
                open.push(empty.with(length, left), depth);
                break;
            };
            at_most = group.space;
            let taken = group.count.min(left);
            let fuller = group.with(length, taken);
            if group.count > taken {
                open.push(
                    Group {
                        count: group.count - taken,
                        ..group
                    },
                    depth,
                );
            }
            left -= taken;
            open.push(fuller, depth);
        }
    }
    let groups = open
        .closed
        .into_iter()
        .chain(open.open.into_values().flatten());
    Plan::new(
        [limit],
        groups.map(|Group { runs, count, .. }| Strategy { runs, count }),
    )
}

#[test]
fn turns_taken_at_once_make_the_same_packs() {
    let mut random = Random::seeded(7);
    for case in 0..300 {
        let limit = [5_000, 20_000, 60_000][case % 3];
        let mut of = |from: u64, below: u64| from + random.below(below);
        let long = (0..of(1, 4))
            .map(|_| (of(500, 4_000) as u32, of(1, 5)))
            .collect::<Vec<_>>();
        let short = (0..of(1, 3))
            .map(|_| (of(1, 6) as u32, of(1, 30_000)))
            .collect::<Vec<_>>();
        let depth = if case % 4 == 0 {
            Depth::AtMost(of(1, 5_000) as u32)
        } else {
            Depth::Unlimited
        };
        let histogram = Histogram::from_lengths(long.into_iter().chain(short)).unwrap();
        let plan = Algorithm::Spfhp.pack(&histogram, limit, depth).unwrap();
        assert_eq!(
            plan,
            one_by_one(&histogram, limit, depth.get()),
            "case {case}"
        );
    }
}

#[test]
fn sorted_batches_equal_batches_of_a_sorted_list() {
    let h = Histogram::from_counts([([3], 5), ([4], 1), ([9], 3), ([10], 2)]).unwrap();
    let list = [3u64, 3, 3, 3, 3, 4, 9, 9, 9, 10, 10];
    for batch in 1..13 {
        let want: u64 = list
            .chunks(batch)
            .map(|b| b[b.len() - 1] * b.len() as u64)
            .sum();
        let task = Task {
            batch: batch as u32,
            ..Task::new(10, Depth::Unlimited)
        };
        assert_eq!(
            Algorithm::Sort
                .run(&h, &task, &mut go_on)
                .map(|packed| packed.slots),
            Ok(want)
        );
    }
}

#[test]
fn what_is_found_among_bits_is_what_a_scan_finds() {
    let mut random = Random::seeded(11);
    for n in [0, 1, 63, 64, 65, 4096, 5000, 300_000] {
        let mut bits = Bits::ones(n);
        let mut plain = vec![true; n];
        assert_eq!(
            (bits.first_from(0), bits.last_before(n)),
            ((n > 0).then_some(0), n.checked_sub(1))
        );
        for round in 0..200 {
            for _ in 0..n / 40 {
                let (at, there) = (
                    random.below(n as u64) as usize,
                    random.below(4 + round) == 0,
                );
                bits.set(at, there);
                plain[at] = there;
            }
            let at = random.below(n as u64 + 1) as usize;
            assert_eq!(bits.first_from(at), (at..n).find(|i| plain[*i]));
            assert_eq!(bits.last_before(at), (0..at).rev().find(|i| plain[*i]));
        }
        (0..n).for_each(|at| bits.set(at, false));
        assert_eq!((bits.first_from(0), bits.last_before(n)), (None, None));
    }
}

/// The fullest a room can be made, by trying everything.
fn fullest(left: &[(u32, u64)], room: u32, places: u32) -> u32 {
    let Some((&(length, count), rest)) = left.split_first() else {
        return 0;
    };
    let most = (room / length).min(places).min(count as u32);
    (0..=most)
        .map(|k| k * length + fullest(rest, room - k * length, places - k))
        .max()
        .unwrap_or(0)
}

#[test]
fn packs_are_filled_as_far_as_they_can_be() {
    let mut random = Random::seeded(6);
    for _ in 0..400 {
        let items = |random: &mut Random| (1 + random.below(15) as u32, 1 + random.below(6));
        let mut left: Vec<(u32, u64)> = (0..1 + random.below(5))
            .map(|_| items(&mut random))
            .collect();
        left.sort_unstable_by(|a, b| b.cmp(a));
        left.dedup_by_key(|l| l.0);
        let (limit, depth) = (
            left[0].0 + random.below(50) as u32,
            1 + random.below(9) as u32,
        );
        let sizes: Vec<([u32; 1], u64)> = left.iter().map(|(length, n)| ([*length], *n)).collect();
        for pack in fill::pack(&sizes, limit, depth, &mut |_| true).unwrap() {
            assert_eq!(
                (pack.count, pack.runs[0]),
                (1, ([left[0].0], 1)),
                "the longest first"
            );
            let room = limit - left[0].0;
            left[0].1 -= 1;
            let rest = &pack.runs[1..];
            let used: u32 = rest.iter().map(|([l], n)| l * n).sum();
            assert_eq!(
                used,
                fullest(&left, room, depth - 1),
                "{left:?} {room} {depth}"
            );
            assert!(pack.depth() <= u64::from(depth));
            for ([length], n) in rest {
                left.iter_mut().find(|l| l.0 == *length).unwrap().1 -= u64::from(*n);
            }
            left.retain(|l| l.1 > 0);
        }
        assert!(left.is_empty(), "{left:?}");
        assert_eq!(fill::pack(&sizes, limit, depth, &mut |_| false), None);
    }
}
