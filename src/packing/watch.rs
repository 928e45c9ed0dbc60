//! The published algorithms at work: every decision, and the packs as they stand after it.
//!
//! It is the algorithms themselves that tell, not a copy of them. For small data: each step holds all groups of
//! packs, O(steps × groups).

use super::open::Placed;
use super::{Algorithm, Depth, Task, check, lpfhp, spfhp};
use crate::error::{Error, Result};
use crate::histogram::Histogram;

/// A decision and what it led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What was decided.
    pub decision: Decision,
    /// Which of the groups the decision made.
    pub at: usize,
    /// All packs after it, in the order in which they were opened; alike ones are a group.
    pub groups: Vec<Packs>,
}

/// Where sequences of a length go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The length, tokens.
    pub length: u32,
    /// Sequences of it that had no pack before, these among them.
    pub left: u64,
    /// The packs they were put into.
    pub place: Place,
    /// How many packs took some.
    pub packs: u64,
    /// How many each of these took.
    pub times: u32,
    /// Slots that each has left now.
    pub space: u32,
    /// Why these packs take no more, if they do not.
    pub closed: Option<Closed>,
}

/// Packs that take sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// None fits: these are opened.
    New,
    /// A group of open packs, which is split if it has more packs than are needed.
    Open {
        /// Packs in it.
        packs: u64,
        /// Slots that each had left.
        space: u32,
    },
}

/// Why a pack takes no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closed {
    /// No slot is left.
    Full,
    /// It holds as many sequences as it may.
    Deep,
}

/// Packs that are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packs {
    /// (length, times), in the order in which they were put there.
    pub runs: Vec<(u32, u32)>,
    /// How many packs.
    pub count: u64,
    /// Slots that each has left.
    pub space: u32,
    /// Why they take no more, if they do not.
    pub closed: Option<Closed>,
}

impl Decision {
    /// How many sequences were placed.
    pub fn placed(&self) -> u64 {
        self.packs * u64::from(self.times)
    }
}

/// Runs [`Algorithm::Spfhp`] or [`Algorithm::Lpfhp`], and says what they decided, step by step. The last step has
/// their plan.
///
/// # Errors
/// As [`Algorithm::run`]; [`Error::UnknownName`] for other algorithms, which do not tell.
pub fn watch(algorithm: Algorithm, histogram: &Histogram<1>, limit: u32, depth: Depth) -> Result<Vec<Step>> {
    check(histogram, &Task::new(limit, depth))?;
    let deepest = depth.get();
    let mut notes = Notes { deepest, ids: Vec::new(), steps: Vec::new() };
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

/// What has been told so far.
struct Notes {
    deepest: u32,
    /// What the engine knows the groups of the last step by.
    ids: Vec<u32>,
    steps: Vec<Step>,
}

impl Notes {
    fn take(&mut self, placed: &Placed) {
        let Placed { length, left, from, to } = *placed;
        let times = to.depth - from.depth;
        let closed = match to.space {
            0 => Some(Closed::Full),
            _ if to.depth == self.deepest => Some(Closed::Deep),
            _ => None,
        };
        let mut groups = self.steps.last().map_or_else(Vec::new, |step| step.groups.clone());
        let found = self.ids.iter().position(|id| from.depth > 0 && *id == from.id());
        let mut runs = found.and_then(|i| groups.get(i)).map_or_else(Vec::new, |g| g.runs.clone());
        runs.push((length, times));
        let fuller = Packs { runs, count: to.count, space: to.space, closed };
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
            Some(_) => Place::Open { packs: from.count, space: from.space },
            None => Place::New,
        };
        let decision = Decision { length, left, place, packs: to.count, times, space: to.space, closed };
        self.steps.push(Step { decision, at, groups });
    }
}
