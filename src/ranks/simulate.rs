//! Simulated steps, dealt and timed in many ways: the same steps for all.

use super::bound::{self, bound};
use super::deal::{deal_in_order, descending};
use super::units::Units;
use super::{Assignment, Cost, Dealing, Dealt, Library, Loads, Settings, Waiting, Weight, deal, step};
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use std::cell::RefCell;

/// A way to deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// By a weight.
    By(Dealing, Weight),
    /// As a library does.
    As(Library),
}

/// A step that was dealt.
#[derive(Debug)]
pub(super) enum Split {
    By(Dealt),
    As(Assignment),
}

/// Steps to simulate.
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
    known: RefCell<Vec<(Way, f64)>>,
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
        let [time, mean] = self.steps.iter().fold([0.0; 2], |[a, b], [time, mean]| [a + time, b + mean]);
        step::factor(time, mean)
    }

    /// Returns the standard error of the factor, as of a ratio of means; 0 for one step, and where steps differ by rounding.
    pub fn error(&self) -> f64 {
        let (n, factor) = (self.steps.len() as f64, self.factor());
        let all: f64 = self.steps.iter().map(|[_, mean]| mean).sum();
        let squares: f64 = self.steps.iter().map(|[time, mean]| (time - factor * mean).powi(2)).sum();
        let error = if n > 1.0 { (squares * n / (n - 1.0)).sqrt() / all } else { 0.0 };
        if error > f64::EPSILON { error } else { 0.0 }
    }

    /// Returns the factor of each step.
    pub fn factors(&self) -> Vec<f64> {
        self.steps.iter().map(|[time, mean]| step::factor(*time, *mean)).collect()
    }
}

impl<'a> Simulation<'a> {
    /// Draws the steps. O(units of all steps).
    pub fn new(lengths: &Histogram<1>, settings: &'a Settings) -> Result<Self> {
        let units = Units::new(lengths, settings)?;
        let work = units.work(Weight::Model.cost(&settings.model));
        let steps = units.steps(settings.units(), settings.seed).take(settings.steps as usize).collect();
        let mut simulation =
            Self { settings, units, work, steps, orders: Vec::new(), known: RefCell::default() };
        if simulation.ascends(&simulation.work) {
            let order = |step: &Vec<u32>| descending(&Self::of_step(step, &simulation.work));
            simulation.orders = simulation.steps.iter().map(order).collect();
        }
        Ok(simulation)
    }

    /// Returns the way of the settings.
    pub fn chosen(&self) -> Way {
        match self.settings.scheduler() {
            Some(library) => Way::As(library),
            None => Way::By(self.settings.dealing, self.settings.weight),
        }
    }

    pub fn cost(&self, weight: Weight) -> Cost {
        weight.cost(&self.settings.model)
    }

    /// Returns a value of each unit of a step.
    pub fn of_step<T: Copy>(step: &[u32], of_kind: &[T]) -> Vec<T> {
        step.iter().map(|kind| of_kind[*kind as usize]).collect()
    }

    /// Returns the length of each unit of a step: its longest sequence.
    pub fn lengths(&self, step: &[u32]) -> Vec<u32> {
        step.iter().map(|kind| self.units.kinds[*kind as usize].first().map_or(0, |run| run.0)).collect()
    }

    /// Whether each kind weighs more than the one before, as sequences do by every weight: one order is that of all.
    fn ascends(&self, weights: &[f64]) -> bool {
        weights.is_sorted_by(|a, b| a < b)
    }

    /// Deals a step. `weights` are those of the kinds by the weight of the way, which libraries do not need; `order` is
    /// that of the units by them, where it is known.
    ///
    /// # Errors
    /// Where a library stops.
    pub fn split(&self, way: Way, step: &[u32], weights: &[f64], order: Option<&[u32]>) -> Result<Split> {
        let (ranks, size) = (self.settings.ranks, self.settings.size());
        Ok(match way {
            Way::By(dealing, _) => {
                let weights = Self::of_step(step, weights);
                Split::By(match order.filter(|_| dealing.is_sorted()) {
                    Some(order) => deal_in_order(dealing, &weights, order, ranks, size),
                    None => deal(dealing, &weights, ranks, size),
                })
            }
            Way::As(library) => Split::As(library.assign(&self.lengths(step), &library.task(self.settings))?),
        })
    }

    pub fn loads(&self, split: &Split, step: &[u32]) -> Loads {
        let work = Self::of_step(step, &self.work);
        match split {
            Split::By(dealt) => Loads::of(dealt, &work, self.settings.ranks),
            Split::As(assignment) => Loads::assigned(assignment, &work),
        }
    }

    /// Returns the weights of the kinds by which a way deals.
    pub fn weights(&self, way: Way) -> Vec<f64> {
        match way {
            Way::By(_, weight) => self.units.work(self.cost(weight)),
            Way::As(_) => Vec::new(),
        }
    }

    /// Returns the times of the steps where ranks wait after every micro-batch, once a step, and never.
    ///
    /// # Errors
    /// Where a library stops; [`Error::AllDropped`] where it trains no sequence of any step.
    pub fn times(&self, way: Way) -> Result<[Times; 3]> {
        let (weights, mut times) = (self.weights(way), [(); 3].map(|()| Times::default()));
        let orders = if self.ascends(&weights) { &self.orders[..] } else { &[] };
        for (at, step) in self.steps.iter().enumerate() {
            let order = orders.get(at).map(Vec::as_slice);
            let loads = self.loads(&self.split(way, step, &weights, order)?, step);
            let mean = loads.mean();
            for (times, waiting) in times.iter_mut().zip(Waiting::ALL) {
                times.steps.push([loads.time(waiting), mean]);
            }
        }
        if times[0].steps.iter().all(|[_, mean]| *mean == 0.0) {
            return Err(Error::AllDropped);
        }
        let factor = times[place(self.settings.waiting)].factor();
        self.known.borrow_mut().push((way, factor));
        Ok(times)
    }

    /// Returns the factor of a way with the waiting of the settings; each way is timed once.
    ///
    /// # Errors
    /// As [`Simulation::times`].
    pub fn factor(&self, way: Way) -> Result<f64> {
        let known = self.known.borrow().iter().find(|(other, _)| *other == way).map(|(_, factor)| *factor);
        match known {
            Some(factor) => Ok(factor),
            None => Ok(self.times(way)?[place(self.settings.waiting)].factor()),
        }
    }

    /// Returns the bounds as factors: where ranks wait after every micro-batch, once a step, and never.
    pub fn bounds(&self) -> [f64; 3] {
        let mut sums = [Times::default(), Times::default()];
        for (at, step) in self.steps.iter().enumerate() {
            let (work, ranks, size) =
                (Self::of_step(step, &self.work), self.settings.ranks, self.settings.size());
            let mean = work.iter().sum::<f64>() / f64::from(ranks);
            let bounds = match self.orders.get(at) {
                Some(order) => bound::in_order(&work, order, ranks, size),
                None => bound(&work, ranks, size),
            };
            sums.iter_mut().zip(bounds).for_each(|(times, bound)| times.steps.push([bound, mean]));
        }
        let [micro_batch, step] = sums.map(|times| times.factor());
        [micro_batch, step, 1.0]
    }
}

/// Returns the place of a waiting in [`Waiting::ALL`].
pub(super) fn place(waiting: Waiting) -> usize {
    Waiting::ALL.iter().position(|one| *one == waiting).unwrap_or_default()
}
