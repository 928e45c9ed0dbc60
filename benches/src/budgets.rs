//! Searches for the optimum by a budget: the seconds that were asked for against those taken, of 200 cases.

use crate::{DATASETS, set};
use packscope::histogram::{Histogram, Overlong, Preset, Size};
use packscope::packing::tuple::{self, Heuristic};
use packscope::packing::{Algorithm, Depth, PATIENCE, Progress, Step, Task, steps};
use std::ops::ControlFlow;

const CASES: usize = 200;
const DEPTHS: [Depth; 5] = [
    Depth::AtMost(2),
    Depth::AtMost(3),
    Depth::AtMost(4),
    Depth::AtMost(8),
    Depth::Unlimited,
];

/// A generator of numbers, the same everywhere.
struct Draws(u64);

impl Draws {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// One line per case, `BUDGET components kind asked taken`, seconds, and one that sums up: `BUDGETS p50 p95 most`, taken ÷
/// asked. `now` gives milliseconds.
pub fn report(now: &dyn Fn() -> f64) -> String {
    let (mut lines, mut shares) = (String::new(), Vec::new());
    for case in 0..CASES {
        // Seconds: most cases have little time, for all of them are to end.
        let asked = match case % 20 {
            0..=10 => 0.2,
            11..=17 => 1.0,
            _ => 5.0,
        };
        let mut draws = Draws(case as u64);
        let depth = DEPTHS[draws.below(5) as usize];
        // By turns real, random and hostile; of one, two and three components.
        let (kind, components) = (case % 3, 1 + case / 3 % 3);
        let taken = match components {
            1 => one(now, kind, case, depth, asked, &mut draws),
            2 => several::<2>(now, kind, depth, asked, &mut draws),
            _ => several::<3>(now, kind, depth, asked, &mut draws),
        };
        shares.push(taken / asked);
        let kind = ["real", "random", "hostile"][kind];
        lines += &format!("BUDGET {components} {kind} {depth} {asked} {taken:.3}\n");
    }
    shares.sort_by(f64::total_cmp);
    let at = |share: f64| shares[((shares.len() - 1) as f64 * share).round() as usize];
    lines + &format!("BUDGETS {:.3} {:.3} {:.3}\n", at(0.5), at(0.95), at(1.0))
}

/// Seconds that a search takes which ends by its steps, or by the clock where the machine is slow.
fn timed(now: &dyn Fn() -> f64, asked: f64, pack: impl FnOnce(u64, &mut Progress)) -> f64 {
    let start = now();
    let mut ask = |step: Step| match step {
        Step::Found { .. } if now() - start > asked * 1e3 * PATIENCE => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    pack(steps(asked), &mut ask);
    (now() - start) / 1e3
}

fn one(
    now: &dyn Fn() -> f64,
    kind: usize,
    case: usize,
    depth: Depth,
    asked: f64,
    draws: &mut Draws,
) -> f64 {
    let (histogram, limit) = match kind {
        0 => {
            let id = DATASETS[case / 3 % DATASETS.len()].0;
            let limit = Preset::find(id).unwrap().limit();
            (
                set(id).fit([limit], Overlong::Truncate).unwrap().histogram,
                limit,
            )
        }
        _ => {
            let ([limit], sizes) = sizes::<1>(kind, draws);
            (Histogram::from_counts(sizes).unwrap(), limit)
        }
    };
    timed(now, asked, |steps, ask| {
        Algorithm::Optimal
            .run(
                &histogram,
                &Task {
                    steps,
                    ..Task::new(limit, depth)
                },
                ask,
            )
            .unwrap();
    })
}

fn several<const K: usize>(
    now: &dyn Fn() -> f64,
    kind: usize,
    depth: Depth,
    asked: f64,
    draws: &mut Draws,
) -> f64 {
    let (limits, sizes) = sizes::<K>(kind, draws);
    let histogram = Histogram::from_counts(sizes).unwrap();
    let task = tuple::TupleTask {
        steps: 0,
        ..tuple::TupleTask::new(limits, depth, Heuristic::Product)
    };
    timed(now, asked, |steps, ask| {
        tuple::TupleAlgorithm::Optimal
            .run(&histogram, &tuple::TupleTask { steps, ..task }, ask)
            .unwrap();
    })
}

/// Limits and sizes with their counts. Real: components that go together, as nodes and edges do. Random: each for itself.
/// Hostile: a hundred thousand sizes, or three to a pack with nothing to fill up with.
fn sizes<const K: usize>(kind: usize, draws: &mut Draws) -> (Size<K>, Vec<(Size<K>, u64)>) {
    let many = [200, 2_000, 20_000, 100_000][draws.below(if kind == 2 { 4 } else { 2 }) as usize];
    let limit = [512, 4_096, 65_536, 1 << 20][draws.below(4) as usize];
    let tight = kind == 2 && draws.below(2) == 0;
    let size = |draws: &mut Draws| {
        let first = if tight {
            limit / 4 + 1 + draws.below(limit / 12)
        } else {
            1 + draws.below(limit) * draws.below(limit) / limit
        };
        std::array::from_fn(|k| match (k, kind) {
            (0, _) => first as u32,
            (_, 0) => (first + draws.below(first / 4 + 1)).min(limit) as u32,
            _ => 1 + draws.below(limit) as u32,
        })
    };
    let sizes = (0..many)
        .map(|_| (size(draws), 1 + draws.below(1_000)))
        .collect();
    ([limit as u32; K], sizes)
}
