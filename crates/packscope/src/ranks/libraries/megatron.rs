//! Megatron-LM: packs dealt in turn, or a group of ranks for each sequence. Source: NVIDIA/Megatron-LM@d2e7ec5b
//! megatron/core/datasets/data_schedule.py, data_schedule_utils.py.

use super::ordered::Bins;
use super::{Assignment, Scheduler, SchedulerTask, capped, longest_first, split_singles, stops};
use crate::error::Result;
use crate::words::{count, plural};

/// `DpBalancedScheduler`: next-fit in order of arrival; then the last sequences of the last packs
/// become packs of their own, until each rank has the same number. Despite its name nothing is
/// balanced.
pub(super) fn dp_balanced(lengths: &[u32], task: &SchedulerTask) -> Result<Assignment> {
    let (cap, ranks) = (
        capped(Scheduler::MegatronDpBalanced, task)?,
        task.ranks as usize,
    );
    let (mut packs, mut open, mut used) = (Vec::new(), Vec::new(), 0u64);
    for (at, &length) in lengths.iter().enumerate() {
        // As in their loop: before a first sequence above the cap, an empty pack is closed, and counts.
        if used + u64::from(length) > cap {
            packs.push(std::mem::take(&mut open));
            used = 0;
        }
        open.push(at as u32);
        used += u64::from(length);
    }
    if !open.is_empty() {
        packs.push(open);
    }
    let (sources, target) = ((0..packs.len()).rev(), packs.len().next_multiple_of(ranks));
    if !split_singles(&mut packs, sources, target) {
        let given = plural(lengths.len() as u64, "sequence");
        let reason =
            format!("{given} do not give each rank the same number of packs, which it needs");
        return Err(stops(Scheduler::MegatronDpBalanced, reason));
    }
    Ok(Assignment::training_all(super::in_turn(packs, task.ranks)))
}

/// The slack of the cap on the work of a rank: `_DYNAMIC_CP_WORKLOAD_CAP_DELTA`.
const SLACK: f64 = 0.05;

/// A group of consecutive ranks that share their sequences.
#[derive(Debug)]
struct RankGroup {
    first: usize,
    size: usize,
    sequences: Vec<u32>,
}

/// Groups of one size: their numbers, and the tokens and the work of a rank of each, Σ L² ÷ ranks.
#[derive(Debug)]
struct Class {
    numbers: Vec<usize>,
    sums: Bins<f64>,
}

/// A micro-batch that is being made: groups in order of creation, which is the order of their ranks.
struct OpenMicroBatch<'a> {
    lengths: &'a [u32],
    ranks: usize,
    most: f64,
    least: usize,
    groups: Vec<RankGroup>,
    /// The groups of 1, 2, 4 … ranks that share a sequence, and of the least number of ranks times these.
    classes: Vec<(usize, Class)>,
    /// The ranks that are used: groups take them from the first on.
    used: usize,
    /// The work of the slowest rank.
    slowest: f64,
}

impl<'a> OpenMicroBatch<'a> {
    fn new(lengths: &'a [u32], ranks: usize, most: f64, least: usize) -> Self {
        // Where few ranks are enough for a sequence it is shared by the least, and else by a power of two.
        let doubled = |from: usize| std::iter::successors(Some(from), |size| Some(size * 2));
        let mut sizes: Vec<usize> = [1, least]
            .into_iter()
            .flat_map(|from| doubled(from).take_while(|size| *size <= ranks))
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        let class = |size: usize| {
            (
                size,
                Class {
                    numbers: Vec::new(),
                    // More groups of a size than this never fit into the ranks.
                    sums: Bins::new(ranks / size, f64::INFINITY),
                },
            )
        };
        let classes = sizes.into_iter().map(class).collect();
        Self {
            lengths,
            ranks,
            most,
            least,
            groups: Vec::new(),
            classes,
            used: 0,
            slowest: 0.0,
        }
    }

    fn length(&self, at: u32) -> f64 {
        f64::from(self.lengths[at as usize])
    }

    /// `dcp_gpus_needed`: the next power of two of length ÷ most tokens of a rank, or the least.
    fn needed(&self, length: f64) -> usize {
        let mut ranks = 1;
        while ranks as f64 * self.most < length {
            ranks *= 2;
        }
        ranks.max(self.least)
    }

    fn put(&mut self, at: u32, size: usize, place: GroupPlace) {
        let length = self.length(at);
        let Some((_, class)) = self.classes.iter_mut().find(|(own, _)| *own == size) else {
            return;
        };
        let in_class = match place {
            GroupPlace::In(in_class) => in_class,
            GroupPlace::New => {
                class.numbers.push(self.groups.len());
                self.groups.push(RankGroup {
                    first: self.used,
                    size,
                    sequences: Vec::new(),
                });
                self.used += size;
                // A bin that was never set counts as not there.
                class.sums.set(class.numbers.len() - 1, [0.0; 2]);
                class.numbers.len() - 1
            }
        };
        self.groups[class.numbers[in_class]].sequences.push(at);
        let [tokens, work] = class.sums.load_of(in_class);
        let (tokens, work) = (
            tokens + length / size as f64,
            work + length * length / size as f64,
        );
        class.sums.set(in_class, [tokens, work]);
        self.slowest = self.slowest.max(work);
    }

    /// Returns the size and the place that keep the slowest rank fastest: of equals the smallest group, an older one first.
    fn place(&self, at: u32, cap: f64) -> Option<(usize, GroupPlace)> {
        let (length, free) = (self.length(at), self.ranks - self.used);
        let needed = self.needed(length);
        let sizes = std::iter::successors(Some(needed), |size| Some(size * 2))
            .take_while(|size| *size <= self.ranks);
        let mut best: Option<(f64, (usize, GroupPlace))> = None;
        let mut offer = |time: f64, place| {
            if time <= cap && best.is_none_or(|(least, _)| time < least) {
                best = Some((time, place));
            }
            time <= self.slowest
        };
        for size in sizes {
            let (own, tokens) = (length * length / size as f64, length / size as f64);
            let class = self
                .classes
                .iter()
                .find(|(of, _)| *of == size)
                .map(|(_, class)| class);
            let found = class.and_then(|class| {
                class
                    .sums
                    .lightest_bin(tokens, self.most, own, self.slowest)
            });
            // None can be faster than the slowest rank that there is.
            if found.is_some_and(|(time, in_class)| offer(time, (size, GroupPlace::In(in_class))))
                || free >= size && offer(self.slowest.max(own), (size, GroupPlace::New))
            {
                break;
            }
        }
        best.map(|(_, place)| place)
    }

    /// Doubles the first of the smallest groups that still lies within the ranks when doubled;
    /// returns `false` if there is none.
    ///
    /// # Errors
    /// If the groups behind it, which move on, would lie beyond the last rank: Megatron-LM stops
    /// with an `IndexError`.
    fn expand(&mut self) -> Result<bool> {
        let Some(least) = self.groups.iter().map(|group| group.size).min() else {
            return Ok(false);
        };
        let size = (2 * least).min(self.ranks);
        let more = size - least;
        let fits = |group: &RankGroup| group.size == least && group.first + size <= self.ranks;
        let Some(number) = self.groups.iter().position(fits) else {
            return Ok(false);
        };
        if self.used + more > self.ranks {
            let ranks = count(self.ranks as u64);
            let reason =
                format!("on {ranks} ranks, no power of two, it stops here with an IndexError");
            return Err(stops(Scheduler::MegatronDynamicCp, reason));
        }
        self.groups[number].size = size;
        self.used += more;
        self.groups[number + 1..]
            .iter_mut()
            .for_each(|group| group.first += more);
        Ok(true)
    }
}

/// Where a sequence is put, among the groups of a size.
#[derive(Clone, Copy)]
enum GroupPlace {
    In(usize),
    New,
}

/// `DefaultDynamicCPScheduler`: micro-batch by micro-batch from the longest sequences left, each on the ranks that keep
/// the slowest one fastest, as `next_hdp_group_packing_aware` places them. Work is L² ÷ ranks. O(sequences · log² ranks)
/// for each micro-batch.
pub(super) fn dynamic_cp(lengths: &[u32], task: &SchedulerTask) -> Result<Assignment> {
    let library = Scheduler::MegatronDynamicCp;
    let (most, ranks, least) = (
        capped(library, task)? as f64,
        task.ranks as usize,
        task.least as usize,
    );
    let mut all = Assignment::training_all(vec![Vec::new(); ranks]);
    let mut left = longest_first(lengths);
    while let Some(&longest) = left.first() {
        let mut open = OpenMicroBatch::new(lengths, ranks, most, least);
        let length = open.length(longest);
        let needed = open.needed(length);
        if needed > ranks {
            let [needed, ranks] = [needed, ranks].map(|ranks| count(ranks as u64));
            let longest = plural(u64::from(lengths[longest as usize]), "token");
            let reason = format!(
                "a sequence of {longest} needs {needed} of {ranks} ranks; raise the cap on tokens"
            );
            return Err(stops(library, reason));
        }
        // The work L² ÷ ranks of the longest on the L ÷ most ranks that it needs, with the slack.
        let cap = length * most * (1.0 + SLACK);
        open.put(longest, needed, GroupPlace::New);
        let (mut later, mut refused) = (Vec::new(), None);
        for &at in &left[1..] {
            // Where none of this length had a place, no other has.
            let placed = if refused == Some(lengths[at as usize]) {
                None
            } else {
                open.place(at, cap)
            };
            match placed {
                Some((size, place)) => open.put(at, size, place),
                None => {
                    refused = Some(lengths[at as usize]);
                    later.push(at);
                }
            }
        }
        while open.used < ranks {
            if !open.expand()? {
                // No group can grow: the micro-batch is made anew, as one group of all ranks.
                (open.groups, later) = on_all(&open, &left);
                open.used = ranks;
            }
        }
        for group in &open.groups {
            let members = all.ranks[group.first..group.first + group.size].iter_mut();
            members.for_each(|rank| rank.push(group.sequences.clone()));
        }
        left = later;
    }
    Ok(all)
}

/// Returns one group of all ranks with the sequences that fit it, the longest first, and the others.
fn on_all(open: &OpenMicroBatch, left: &[u32]) -> (Vec<RankGroup>, Vec<u32>) {
    let mut group = RankGroup {
        first: 0,
        size: open.ranks,
        sequences: Vec::new(),
    };
    let (mut later, mut tokens) = (Vec::new(), 0.0);
    for &at in left {
        let own = open.length(at) / open.ranks as f64;
        if tokens + own <= open.most {
            tokens += own;
            group.sequences.push(at);
        } else {
            later.push(at);
        }
    }
    (vec![group], later)
}
