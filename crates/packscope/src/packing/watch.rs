//! The published algorithms step by step: every decision, and the packs after it.
//!
//! The decisions are recorded by the algorithms themselves, not by a copy of them. For small data: each step holds all
//! groups of packs, O(steps × groups).

use super::open::Placement;
use super::{Algorithm, Depth, Task, check, lpfhp, spfhp};
use crate::error::{Error, Result};
use crate::histogram::Histogram;

/// A decision and its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedStep {
    /// The sequences that were placed, and the packs that took them.
    pub decision: Decision,
    /// The index of the group that the decision made.
    pub at: usize,
    /// All packs after it, in the order in which they were opened; equal ones form a group.
    pub groups: Vec<EqualPacks>,
}

/// The placement of sequences of a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The length, tokens.
    pub length: u32,
    /// Sequences of this length left before, including these.
    pub left: u64,
    /// The packs they were put into.
    pub place: PackPlace,
    /// Number of packs that took some.
    pub packs: u64,
    /// Number of sequences that each of these took.
    pub times: u32,
    /// Slots that each has left afterwards.
    pub space: u32,
    /// The reason why these packs take no more, if they are closed.
    pub closed: Option<CloseReason>,
}

/// Packs that take sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackPlace {
    /// None fits: new packs are opened.
    New,
    /// A group of open packs, which is split if it has more packs than are needed.
    Open {
        /// Packs in it.
        packs: u64,
        /// Slots that each had left.
        space: u32,
    },
}

/// The reason why a pack takes no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseReason {
    /// It has no free slot.
    Full,
    /// It is at the depth limit.
    Deep,
}

/// Equal packs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EqualPacks {
    /// (length, times), in the order of placement.
    pub runs: Vec<(u32, u32)>,
    /// Number of packs.
    pub count: u64,
    /// Slots that each has left.
    pub space: u32,
    /// The reason why they take no more, if they are closed.
    pub closed: Option<CloseReason>,
}

impl Decision {
    /// Returns the number of sequences placed.
    pub fn placed_sequences(&self) -> u64 {
        self.packs * u64::from(self.times)
    }
}

/// Runs [`Algorithm::Spfhp`] or [`Algorithm::Lpfhp`], and returns their decisions, step by step. The last step has
/// their plan.
///
/// # Errors
/// As [`Algorithm::run`]; [`Error::UnknownName`] for other algorithms.
pub fn watch(
    algorithm: Algorithm,
    histogram: &Histogram<1>,
    limit: u32,
    depth: Depth,
) -> Result<Vec<WatchedStep>> {
    check(histogram, &Task::new(limit, depth))?;
    let deepest = depth.get();
    let mut notes = Notes {
        deepest,
        ids: Vec::new(),
        steps: Vec::new(),
    };
    match algorithm {
        Algorithm::Spfhp => spfhp::pack_watched(histogram, limit, deepest, &mut |p| notes.take(&p)),
        Algorithm::Lpfhp => lpfhp::pack_watched(histogram, limit, deepest, &mut |p| notes.take(&p)),
        other => {
            return Err(Error::UnknownName {
                kind: "algorithm to watch",
                name: other.name().to_owned(),
                expected: "spfhp, lpfhp".to_owned(),
            });
        }
    };
    Ok(notes.steps)
}

/// The steps so far.
struct Notes {
    deepest: u32,
    /// The engine's ids of the groups of the last step.
    ids: Vec<u32>,
    steps: Vec<WatchedStep>,
}

impl Notes {
    fn take(&mut self, placed: &Placement) {
        let Placement {
            length,
            left,
            from,
            to,
        } = *placed;
        let times = to.depth - from.depth;
        let closed = match to.space {
            0 => Some(CloseReason::Full),
            _ if to.depth == self.deepest => Some(CloseReason::Deep),
            _ => None,
        };
        // Each step has all groups, so that a watcher may go back and forth among them.
        let mut groups = self
            .steps
            .last()
            .map_or_else(Vec::new, |step| step.groups.clone());
        let found = self
            .ids
            .iter()
            // All empty packs have the same id, which is that of no group.
            .position(|id| from.depth > 0 && *id == from.id());
        let mut runs = found
            .and_then(|i| groups.get(i))
            .map_or_else(Vec::new, |g| g.runs.clone());
        runs.push((length, times));
        let fuller = EqualPacks {
            runs,
            count: to.count,
            space: to.space,
            closed,
        };
        let at = found.unwrap_or(groups.len());
        match groups.get_mut(at).filter(|group| group.count > to.count) {
            // Those that took some, then those that did not.
            Some(rest) => {
                rest.count -= to.count;
                groups.insert(at, fuller);
                self.ids.insert(at, to.id());
            }
            None if found.is_some() => {
                groups[at] = fuller;
                self.ids[at] = to.id();
            }
            None => {
                groups.push(fuller);
                self.ids.push(to.id());
            }
        }
        let place = match found {
            Some(_) => PackPlace::Open {
                packs: from.count,
                space: from.space,
            },
            None => PackPlace::New,
        };
        let decision = Decision {
            length,
            left,
            place,
            packs: to.count,
            times,
            space: to.space,
            closed,
        };
        self.steps.push(WatchedStep {
            decision,
            at,
            groups,
        });
    }
}
