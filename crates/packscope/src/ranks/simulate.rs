//! Simulated steps, dealt and timed in many ways: the same steps for all.

use super::deal::{deal_in_order, descending};
use super::step::{bound, bound_in_order};
use super::units::Units;
use super::{
    Assignment, Dealing, Loads, Scheduler, Settings, SyncPoint, UnitAssignment, Untrained, Weight,
    WorkCoefficients, deal, step,
};
use crate::error::Result;
use crate::histogram::Histogram;
use std::cell::{OnceCell, RefCell};

/// A way to deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DealingWay {
    By(Dealing, Weight),
    As(Scheduler),
}

#[derive(Debug)]
pub(super) enum Split {
    By(UnitAssignment),
    As(Scheduler, Assignment),
}

pub(super) struct Simulation<'a> {
    pub settings: &'a Settings,
    pub units: Units,
    /// The true work of each kind of unit.
    pub work: Vec<f64>,
    /// The kinds of the units of each step.
    pub steps: Vec<Vec<u32>>,
    /// The units of each step by kind, the last first.
    orders: Vec<Vec<u32>>,
    /// Factors with the waiting of the settings, of ways that were timed.
    known: RefCell<Vec<(DealingWay, f64)>>,
    /// The bounds of each step where all of its units are trained, each on one rank.
    whole: OnceCell<Vec<[f64; 2]>>,
}

/// A way on all steps.
#[derive(Debug, Default)]
pub(super) struct TimedWay {
    /// Times where ranks wait after every micro-batch, once a step, and never.
    pub times: [Times; 3],
    /// The factors that no dealing of the units that it trains gets below, with each of these; where it shares units, also
    /// no sharing.
    pub bounds: [f64; 3],
    /// Work of the heaviest unit that it trains ÷ mean work of a rank, over all steps.
    pub longest: f64,
    /// The sequences that it does not train.
    pub untrained: Untrained,
    /// Share of the work that is padding of micro-batches to their longest.
    pub padding: f64,
}

/// Times of steps.
#[derive(Debug, Default)]
pub(super) struct Times {
    /// Time, and mean work of a rank, of each step.
    pub steps: Vec<[f64; 2]>,
}

impl Times {
    /// Returns the time of all steps ÷ their mean work: 1 without steps.
    pub fn factor(&self) -> f64 {
        let [time, mean] = self
            .steps
            .iter()
            .fold([0.0; 2], |[a, b], [time, mean]| [a + time, b + mean]);
        step::factor(time, mean)
    }

    /// Returns the standard error of the factor, as of a ratio of means; 0 for one step, and where steps differ by rounding.
    pub fn error(&self) -> f64 {
        let (n, factor) = (self.steps.len() as f64, self.factor());
        let all: f64 = self.steps.iter().map(|[_, mean]| mean).sum();
        let squares: f64 = self
            .steps
            .iter()
            .map(|[time, mean]| (time - factor * mean).powi(2))
            .sum();
        let error = if n > 1.0 {
            // Of a ratio of means: deviations of the times from the factor times their means.
            (squares * n / (n - 1.0)).sqrt() / all
        } else {
            0.0
        };
        if error > f64::EPSILON { error } else { 0.0 }
    }

    pub fn factors(&self) -> Vec<f64> {
        self.steps
            .iter()
            .map(|[time, mean]| step::factor(*time, *mean))
            .collect()
    }
}

impl<'a> Simulation<'a> {
    /// Draws the steps. O(units of all steps).
    pub fn new(lengths: &Histogram<1>, settings: &'a Settings) -> Result<Self> {
        let units = Units::new(lengths, settings)?;
        let work = units.work(Weight::Model.cost(&settings.model));
        let steps = units
            .steps(settings.units(), settings.seed)
            .take(settings.steps as usize)
            .collect();
        let mut simulation = Self {
            settings,
            units,
            work,
            steps,
            orders: Vec::new(),
            known: RefCell::default(),
            whole: OnceCell::new(),
        };
        // Where the true work ascends with the kind, its order is that of every weight that ascends
        // too: each step is sorted once, for all ways.
        if simulation.ascends(&simulation.work) {
            let order = |step: &Vec<u32>| descending(&Self::of_step(step, &simulation.work));
            simulation.orders = simulation.steps.iter().map(order).collect();
        }
        Ok(simulation)
    }

    pub fn chosen(&self) -> DealingWay {
        match self.settings.scheduler() {
            Some(library) => DealingWay::As(library),
            None => DealingWay::By(self.settings.dealing, self.settings.weight),
        }
    }

    pub fn cost(&self, weight: Weight) -> WorkCoefficients {
        weight.cost(&self.settings.model)
    }

    /// Returns a value of each unit of a step.
    pub fn of_step<T: Copy>(step: &[u32], of_kind: &[T]) -> Vec<T> {
        step.iter().map(|kind| of_kind[*kind as usize]).collect()
    }

    /// Returns the length of each unit of a step: its longest sequence.
    pub fn lengths(&self, step: &[u32]) -> Vec<u32> {
        step.iter()
            .map(|kind| {
                self.units.kinds[*kind as usize]
                    .first()
                    .map_or(0, |run| run.0)
            })
            .collect()
    }

    /// Whether each kind weighs more than the one before, as sequences do by every weight: one order is that of all.
    fn ascends(&self, weights: &[f64]) -> bool {
        weights.is_sorted_by(|a, b| a < b)
    }

    /// Deals a step. `weights` are the weights of the kinds by which the way deals, which libraries
    /// do not need; `order` is the order of the units by them, where it is known.
    ///
    /// # Errors
    /// Where a library stops.
    pub fn split(
        &self,
        way: DealingWay,
        step: &[u32],
        weights: &[f64],
        order: Option<&[u32]>,
    ) -> Result<Split> {
        let (ranks, size) = (self.settings.ranks, self.settings.size());
        Ok(match way {
            DealingWay::By(dealing, _) => {
                let weights = Self::of_step(step, weights);
                Split::By(match order.filter(|_| dealing.is_sorted()) {
                    Some(order) => deal_in_order(dealing, &weights, order, ranks, size),
                    None => deal(dealing, &weights, ranks, size),
                })
            }
            DealingWay::As(library) => Split::As(
                library,
                library.assign(&self.lengths(step), &library.task(self.settings))?,
            ),
        })
    }

    /// Returns the work of a step on each rank, with the padding of a library.
    pub fn loads(&self, split: &Split, step: &[u32]) -> Loads {
        let work = || Self::of_step(step, &self.work);
        match split {
            Split::By(dealt) => Loads::of_assignment(dealt, &work(), self.settings.ranks),
            Split::As(library, assignment) => {
                let cost = self.cost(Weight::Model);
                let slots = library.slots(&self.lengths(step), assignment);
                let padded = slots.map(|slots| {
                    slots
                        .into_iter()
                        .map(|slots| cost.work_of(slots))
                        .collect::<Vec<_>>()
                });
                Loads::assigned(assignment, &padded.unwrap_or_else(work))
            }
        }
    }

    /// Returns the weights of the kinds by which a way deals.
    pub fn weights(&self, way: DealingWay) -> Vec<f64> {
        match way {
            DealingWay::By(_, weight) => self.units.work(self.cost(weight)),
            DealingWay::As(_) => Vec::new(),
        }
    }

    /// Times a way on all steps.
    ///
    /// # Errors
    /// Where a library stops, or trains no sequence of any step.
    pub fn times(&self, way: DealingWay) -> Result<TimedWay> {
        let weights = self.weights(way);
        let orders = if self.ascends(&weights) {
            &self.orders[..]
        } else {
            &[]
        };
        let (mut timed, mut bounds) = (TimedWay::default(), [(); 2].map(|()| Times::default()));
        let (mut sums, mut heaviest, mut padded, mut all) = ([[0u64; 2]; 3], 0.0, 0.0, 0.0);
        for (at, step) in self.steps.iter().enumerate() {
            let split = self.split(way, step, &weights, orders.get(at).map(Vec::as_slice))?;
            let loads = self.loads(&split, step);
            let trained = self.trained(at, &split, &loads);
            for (times, waiting) in timed.times.iter_mut().zip(SyncPoint::ALL) {
                times.steps.push([loads.time(waiting), trained.mean]);
            }
            bounds
                .iter_mut()
                .zip(trained.bounds)
                .for_each(|(times, bound)| times.steps.push([bound, trained.mean]));
            for (sums, more) in sums.iter_mut().zip(trained.counts) {
                sums.iter_mut()
                    .zip(more)
                    .for_each(|(sum, more)| *sum += more);
            }
            heaviest += trained.heaviest;
            // Loads have the padding of libraries that pad; the mean of what is trained has not.
            padded += loads.mean();
            all += trained.mean;
        }
        let shares = |of: [u64; 2]| [0, 1].map(|at| of[at] as f64 / sums[0][at].max(1) as f64);
        timed.untrained = Untrained {
            dropped: shares(sums[1]),
            left: shares(sums[2]),
        };
        if let (true, DealingWay::As(library)) = (all == 0.0, way) {
            return Err(library.idle(self.settings, sums[1] == sums[0]));
        }
        let [micro_batch, step] = bounds.map(|times| times.factor());
        // If ranks never wait, the mean work itself is the bound.
        timed.bounds = [micro_batch, step, 1.0];
        timed.longest = if all > 0.0 { heaviest / all } else { 0.0 };
        timed.padding = if padded > all {
            1.0 - all / padded
        } else {
            0.0
        };
        let factor = timed.times[place(self.settings.waiting)].factor();
        self.known.borrow_mut().push((way, factor));
        Ok(timed)
    }

    /// Returns the part of a step that a way trains, of the split that it made.
    fn trained(&self, at: usize, split: &Split, loads: &Loads) -> TrainedShare {
        let step = &self.steps[at];
        let mut work = Self::of_step(step, &self.work);
        let heaviest = |work: &[f64]| work.iter().copied().fold(0.0, f64::max);
        let Split::As(library, assignment) = split else {
            let (mean, heaviest) = (loads.mean(), heaviest(&work));
            return TrainedShare {
                mean,
                heaviest,
                bounds: self.whole()[at],
                ..TrainedShare::default()
            };
        };
        let lengths = self.lengths(step);
        let count = |of: &[u32]| {
            [
                of.len() as u64,
                of.iter().map(|at| u64::from(lengths[*at as usize])).sum(),
            ]
        };
        let all = [
            lengths.len() as u64,
            lengths.iter().map(|length| u64::from(*length)).sum(),
        ];
        let counts = [all, count(&assignment.dropped), count(&assignment.left)];
        let is_whole = counts[1..] == [[0; 2]; 2];
        assignment
            .dropped
            .iter()
            .chain(&assignment.left)
            .for_each(|at| work[*at as usize] = 0.0);
        let mean = work.iter().sum::<f64>() / f64::from(self.settings.ranks);
        let bounds = match (library.shares(), is_whole) {
            // Ranks that share sequences may share them evenly, so that only the mean bounds them.
            (true, _) => [mean; 2],
            (false, true) => self.whole()[at],
            (false, false) => bound(&work, self.settings.ranks, self.settings.size()),
        };
        TrainedShare {
            counts,
            mean,
            heaviest: heaviest(&work),
            bounds,
        }
    }

    /// Returns the factor of a way with the waiting of the settings; each way is timed once.
    ///
    /// # Errors
    /// As [`Simulation::times`].
    pub fn factor(&self, way: DealingWay) -> Result<f64> {
        // The parts of a report ask for the same ways again and again.
        let known = self
            .known
            .borrow()
            .iter()
            .find(|(other, _)| *other == way)
            .map(|(_, factor)| *factor);
        match known {
            Some(factor) => Ok(factor),
            None => Ok(self.times(way)?.times[place(self.settings.waiting)].factor()),
        }
    }

    /// Returns the bounds of each step where all of its units are trained, each on one rank.
    fn whole(&self) -> &[[f64; 2]] {
        self.whole.get_or_init(|| {
            let of = |(at, step): (usize, &Vec<u32>)| {
                let (work, ranks, size) = (
                    Self::of_step(step, &self.work),
                    self.settings.ranks,
                    self.settings.size(),
                );
                match self.orders.get(at) {
                    Some(order) => bound_in_order(&work, order, ranks, size),
                    None => bound(&work, ranks, size),
                }
            };
            self.steps.iter().enumerate().map(of).collect()
        })
    }

    /// Returns the factors that no dealing of all units, each whole, gets below: where ranks wait after every micro-batch,
    /// and once a step.
    pub fn bounds(&self) -> [f64; 2] {
        let mean = |step: &Vec<u32>| {
            Self::of_step(step, &self.work).iter().sum::<f64>() / f64::from(self.settings.ranks)
        };
        let means: Vec<f64> = self.steps.iter().map(mean).collect();
        [0, 1].map(|at| {
            let steps = self
                .whole()
                .iter()
                .zip(&means)
                .map(|(bounds, mean)| [bounds[at], *mean])
                .collect();
            Times { steps }.factor()
        })
    }
}

/// The part of a step that a way trains.
#[derive(Debug, Default)]
struct TrainedShare {
    /// Sequences and tokens: all, those that are dropped, and those that are left.
    counts: [[u64; 2]; 3],
    /// Mean work of a rank, without padding.
    mean: f64,
    heaviest: f64,
    /// The bounds, as [`bound()`] returns them.
    bounds: [f64; 2],
}

/// Returns the place of a waiting in [`SyncPoint::ALL`].
pub(super) fn place(waiting: SyncPoint) -> usize {
    SyncPoint::ALL
        .iter()
        .position(|one| *one == waiting)
        .unwrap_or_default()
}
