//! Simulated steps, dealt and timed in many ways: the same steps for all.

use super::units::Units;
use super::{Assignment, Cost, Dealing, Dealt, Library, Loads, Settings, Waiting, Weight, bound, deal, step};
use crate::error::{Error, Result};
use crate::histogram::Histogram;

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

    /// Returns the standard error of the factor, as of a ratio of means; 0 for one step.
    pub fn error(&self) -> f64 {
        let (n, factor) = (self.steps.len() as f64, self.factor());
        let all: f64 = self.steps.iter().map(|[_, mean]| mean).sum();
        let squares: f64 = self.steps.iter().map(|[time, mean]| (time - factor * mean).powi(2)).sum();
        if n > 1.0 { (squares * n / (n - 1.0)).sqrt() / all } else { 0.0 }
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
        Ok(Self { settings, units, work, steps })
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

    /// Deals a step. `weights` are those of the kinds by the weight of the way, which libraries do not need.
    ///
    /// # Errors
    /// Where a library stops.
    pub fn split(&self, way: Way, step: &[u32], weights: &[f64]) -> Result<Split> {
        let settings = self.settings;
        Ok(match way {
            Way::By(dealing, _) => {
                Split::By(deal(dealing, &Self::of_step(step, weights), settings.ranks, settings.size()))
            }
            Way::As(library) => Split::As(library.assign(&self.lengths(step), &library.task(settings))?),
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

    /// Returns the times of these steps where ranks wait after every micro-batch, once a step, and never.
    ///
    /// # Errors
    /// Where a library stops; [`Error::AllDropped`] where it trains no sequence of any step.
    pub fn times(&self, way: Way, steps: &[Vec<u32>]) -> Result<[Times; 3]> {
        let (weights, mut times) = (self.weights(way), [(); 3].map(|()| Times::default()));
        for step in steps {
            let loads = self.loads(&self.split(way, step, &weights)?, step);
            let mean = loads.mean();
            for (times, waiting) in times.iter_mut().zip(Waiting::ALL) {
                times.steps.push([loads.time(waiting), mean]);
            }
        }
        if times[0].steps.iter().all(|[_, mean]| *mean == 0.0) {
            return Err(Error::AllDropped);
        }
        Ok(times)
    }

    /// Returns the factor of a way with the waiting of the settings.
    ///
    /// # Errors
    /// As [`Simulation::times`].
    pub fn factor(&self, way: Way) -> Result<f64> {
        Ok(self.times(way, &self.steps)?[place(self.settings.waiting)].factor())
    }

    /// Returns the bounds as factors: where ranks wait after every micro-batch, once a step, and never.
    pub fn bounds(&self) -> [f64; 3] {
        let mut sums = [Times::default(), Times::default()];
        for step in &self.steps {
            let work = Self::of_step(step, &self.work);
            let mean = work.iter().sum::<f64>() / f64::from(self.settings.ranks);
            let bounds = bound(&work, self.settings.ranks, self.settings.size());
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
