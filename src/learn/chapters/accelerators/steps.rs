//! The work of accelerators in a step: drawn at random, seeded by the step, for every way of making rows.

use super::{LIMIT, RowLayout};
use packscope::api::PackShape;
use packscope::rng::Random;

/// Consecutive slots of one sequence or of padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotRun {
    pub slots: u32,
    /// Whether it is padding.
    pub grey: bool,
    /// Whether a row ends with it.
    pub ends: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AcceleratorStep {
    pub lanes: Vec<Vec<SlotRun>>,
}

pub fn slots(lane: &[SlotRun]) -> u64 {
    lane.iter().map(|piece| u64::from(piece.slots)).sum()
}

impl AcceleratorStep {
    pub fn slowest(&self) -> u64 {
        self.lanes
            .iter()
            .map(|lane| slots(lane))
            .max()
            .unwrap_or_default()
    }

    pub fn mean(&self) -> f64 {
        self.lanes.iter().map(|lane| slots(lane)).sum::<u64>() as f64
            / self.lanes.len().max(1) as f64
    }
}

/// Draws a step of `crew` accelerators with `rows` rows each. O(crew · rows · log distinct).
pub fn step(
    way: RowLayout,
    [crew, rows]: [u64; 2],
    counts: &[(u32, u64)],
    packs: &[PackShape],
    seed: u32,
) -> AcceleratorStep {
    // Seeded by the step: stepping back, and a link to a step, show the same rows.
    let mut random = Random::seeded(u64::from(seed));
    let lengths = Urn::new(counts.iter().map(|(_, n)| *n));
    let shapes = Urn::new(packs.iter().map(|shape| shape.count));
    let length = |random: &mut Random| {
        lengths
            .draw(random)
            .and_then(|i| counts.get(i))
            .map_or(LIMIT, |c| c.0)
    };
    let lanes = match way {
        RowLayout::Dealt => dealt(
            crew,
            (0..crew * rows).map(|_| length(&mut random)).collect(),
        ),
        _ => {
            let mut row = || match way {
                RowLayout::Packed => shapes
                    .draw(&mut random)
                    .and_then(|i| packs.get(i))
                    .map_or_else(Vec::new, pack),
                RowLayout::Padded => filled(vec![length(&mut random)]),
                _ => vec![SlotRun {
                    slots: length(&mut random),
                    grey: false,
                    ends: true,
                }],
            };
            (0..crew)
                .map(|_| (0..rows).flat_map(|_| row()).collect())
                .collect()
        }
    };
    AcceleratorStep { lanes }
}

/// Deals rows out, longest first, each to the accelerator with the least work.
fn dealt(crew: u64, mut lengths: Vec<u32>) -> Vec<Vec<SlotRun>> {
    // Longest processing time first: short rows at the end level out what long ones left uneven.
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    let mut lanes = vec![Vec::new(); crew as usize];
    let mut loads: std::collections::BTreeSet<(u64, usize)> =
        (0..lanes.len()).map(|i| (0, i)).collect();
    for length in lengths {
        // A set ordered by load, with the lane to tell equal loads apart. It is never empty: each
        // lane goes back in.
        let Some((load, lane)) = loads.pop_first() else {
            break;
        };
        lanes[lane].push(SlotRun {
            slots: length,
            grey: false,
            ends: true,
        });
        loads.insert((load + u64::from(length), lane));
    }
    lanes
}

fn pack(shape: &PackShape) -> Vec<SlotRun> {
    filled(
        shape
            .runs
            .iter()
            .flat_map(|(length, n)| std::iter::repeat_n(*length, *n as usize))
            .collect(),
    )
}

/// Returns a row of these lengths, padded to the limit.
fn filled(lengths: Vec<u32>) -> Vec<SlotRun> {
    let left = LIMIT.saturating_sub(lengths.iter().sum());
    let mut row: Vec<SlotRun> = lengths
        .into_iter()
        .map(|slots| SlotRun {
            slots,
            grey: false,
            ends: false,
        })
        .collect();
    if left > 0 {
        row.push(SlotRun {
            slots: left,
            grey: true,
            ends: false,
        });
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
        Self {
            up_to: up_to.collect(),
        }
    }

    fn draw(&self, random: &mut Random) -> Option<usize> {
        let at = random.below(*self.up_to.last()?);
        // The first cumulative count above the number drawn; `<=`, as the number counts from 0.
        Some(self.up_to.partition_point(|up_to| *up_to <= at))
    }
}
