//! The work of accelerators in a step: drawn at random, seeded by the step, for every way of making rows.

use super::{LIMIT, Way};
use packscope::api::Shape;
use packscope::rng::Random;

/// Consecutive slots of one sequence or of padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Number of slots.
    pub slots: u32,
    /// Whether it is padding.
    pub grey: bool,
    /// Whether a row ends with it.
    pub ends: bool,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    /// The work of each accelerator.
    pub lanes: Vec<Vec<Piece>>,
}

/// Returns the number of slots of a lane.
pub fn slots(lane: &[Piece]) -> u64 {
    lane.iter().map(|piece| u64::from(piece.slots)).sum()
}

impl Step {
    /// Returns the slots of the slowest accelerator.
    pub fn slowest(&self) -> u64 {
        self.lanes.iter().map(|lane| slots(lane)).max().unwrap_or_default()
    }

    /// Returns the mean number of slots of an accelerator.
    pub fn mean(&self) -> f64 {
        self.lanes.iter().map(|lane| slots(lane)).sum::<u64>() as f64 / self.lanes.len().max(1) as f64
    }
}

/// Draws a step of `crew` accelerators with `rows` rows each. O(crew · rows · log distinct).
pub fn step(way: Way, [crew, rows]: [u64; 2], counts: &[(u32, u64)], packs: &[Shape], seed: u32) -> Step {
    let mut random = Random::seeded(u64::from(seed));
    let lengths = Urn::new(counts.iter().map(|(_, n)| *n));
    let shapes = Urn::new(packs.iter().map(|shape| shape.count));
    let length =
        |random: &mut Random| lengths.draw(random).and_then(|i| counts.get(i)).map_or(LIMIT, |c| c.0);
    let lanes = match way {
        Way::Dealt => dealt(crew, (0..crew * rows).map(|_| length(&mut random)).collect()),
        _ => {
            let mut row = || match way {
                Way::Packed => {
                    shapes.draw(&mut random).and_then(|i| packs.get(i)).map_or_else(Vec::new, pack)
                }
                Way::Padded => filled(vec![length(&mut random)]),
                _ => vec![Piece { slots: length(&mut random), grey: false, ends: true }],
            };
            (0..crew).map(|_| (0..rows).flat_map(|_| row()).collect()).collect()
        }
    };
    Step { lanes }
}

/// Deals rows out, longest first, each to the accelerator with the least work.
fn dealt(crew: u64, mut lengths: Vec<u32>) -> Vec<Vec<Piece>> {
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    let mut lanes = vec![Vec::new(); crew as usize];
    let mut loads: std::collections::BTreeSet<(u64, usize)> = (0..lanes.len()).map(|i| (0, i)).collect();
    for length in lengths {
        let Some((load, lane)) = loads.pop_first() else { break };
        lanes[lane].push(Piece { slots: length, grey: false, ends: true });
        loads.insert((load + u64::from(length), lane));
    }
    lanes
}

fn pack(shape: &Shape) -> Vec<Piece> {
    filled(shape.runs.iter().flat_map(|(length, n)| std::iter::repeat_n(*length, *n as usize)).collect())
}

/// Returns a row of these lengths, padded to the limit.
fn filled(lengths: Vec<u32>) -> Vec<Piece> {
    let left = LIMIT.saturating_sub(lengths.iter().sum());
    let mut row: Vec<Piece> =
        lengths.into_iter().map(|slots| Piece { slots, grey: false, ends: false }).collect();
    if left > 0 {
        row.push(Piece { slots: left, grey: true, ends: false });
    }
    if let Some(last) = row.last_mut() {
        last.ends = true;
    }
    row
}

/// Draws indices in proportion to counts.
struct Urn {
    up_to: Vec<u64>,
}

impl Urn {
    fn new(counts: impl Iterator<Item = u64>) -> Self {
        let mut all = 0;
        let up_to = counts.map(|n| {
            all += n;
            all
        });
        Self { up_to: up_to.collect() }
    }

    fn draw(&self, random: &mut Random) -> Option<usize> {
        let at = random.below(*self.up_to.last()?);
        Some(self.up_to.partition_point(|up_to| *up_to <= at))
    }
}
