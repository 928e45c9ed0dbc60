//! The estimated time of an epoch of batches, with the model and the waiting that all estimates share.

use super::{Mode, Report, Settings};
use crate::api::speedup::{Case, curves, estimate, questions, random, sampled, sorted};
use crate::cost::waiting::ACCELERATORS;
use crate::cost::{Assumptions, Overhead, Rates, Workload};
use crate::histogram::Histogram;
use crate::metrics::{EpochFigures, SameSize};
use crate::sampler::Sampler;
use serde::{Deserialize, Serialize};

/// The assumptions of the estimates.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Pricing {
    /// Model, accelerators, and how the training uses them.
    pub assumptions: Assumptions,
    /// The cost of keeping the sequences of a packed row apart.
    pub overhead: Overhead,
}

impl Pricing {
    /// Returns the same for a mode: inference makes one pass, updates nothing and accumulates nothing.
    pub fn for_mode(&self, mode: Mode) -> Self {
        let mut of = *self;
        if mode != Mode::Training {
            of.assumptions.training = of.assumptions.training.inference();
            of.assumptions.accumulation = 1;
        }
        of
    }
}

/// Prices epochs of the same data.
#[derive(Debug)]
pub struct Pricer<'a> {
    lengths: &'a Histogram<1>,
    settings: &'a Settings,
    /// Seconds of random batches of the usual size.
    random: f64,
}

impl<'a> Pricer<'a> {
    /// Prices random batches of the usual size, the baseline of all epochs. `lengths` are those within the limit,
    /// before stopwords are dropped. O(distinct · √items).
    pub fn new(lengths: &'a Histogram<1>, settings: &'a Settings) -> Self {
        let mut pricer = Self {
            lengths,
            settings,
            random: 0.0,
        };
        // The baseline is priced as every epoch is, for which there must be a pricer.
        pricer.random = pricer.seconds(random(lengths, settings.batch_size()));
        pricer
    }

    /// Fills in the estimates. O(distinct · √items), plus [`waiting`](crate::cost::waiting::waiting) if gradients are
    /// accumulated.
    pub fn price(&self, figures: &mut EpochFigures) {
        let settings = self.settings;
        // Batches of one are the same in any order.
        let sampler = if settings.mode == Mode::RealTime {
            Sampler::Sorted
        } else {
            settings.sampler
        };
        let case = sampled(self.lengths, settings.batch_size(), sampler, figures);
        figures.estimated_seconds = self.seconds(case);
        figures.estimated_speedup = self.random / figures.estimated_seconds;
        figures.same_size = Some(self.same_size(figures.sequences_per_step));
    }

    fn same_size(&self, sequences: f64) -> SameSize {
        let sequences = (sequences.round() as u32).max(1);
        let case = random(self.lengths, sequences);
        let work = &case.work;
        let padding_share = work.padding[0] / (work.useful[0] + work.padding[0]);
        let random_speedup = match sequences == self.settings.batch_size() {
            true => 1.0,
            false => self.random / self.seconds(case),
        };
        // Data that were batched before are never refused here.
        let sorted = sorted(self.lengths, sequences).map_or(f64::NAN, |case| self.seconds(case));
        SameSize {
            sequences: u64::from(sequences),
            padding_share,
            random_speedup,
            sorted_speedup: self.random / sorted,
        }
    }

    fn seconds(&self, case: Case) -> f64 {
        let Pricing {
            assumptions,
            overhead,
        } = &self.settings.cost.for_mode(self.settings.mode);
        let workload = Workload::Transformer(assumptions.transformer);
        let rates = Rates::new(&workload, &assumptions.accelerator, &assumptions.training);
        // Fixed costs of a query would hide the effect of dropping: the premise is that time is proportional to tokens.
        if self.settings.mode == Mode::RealTime {
            return rates.first * case.work.useful[0];
        }
        let (batch, seed, cases) = (self.settings.batch_size(), self.settings.seed, [case]);
        // The same numbers of accelerators as in the estimates by method, so that equal questions have equal answers.
        let asked = questions(&cases, &rates, batch, assumptions, &ACCELERATORS, seed);
        // An estimate is made for every place of a slider, and reads two points of the curve at most.
        let crew = cases[0].work.crew(assumptions.accelerators);
        let asked: Vec<_> = asked
            .into_iter()
            .map(|(method, question)| (method, question.around(crew)))
            .collect();
        // Extreme assumptions have no answer; then no waiting is assumed.
        let waits = curves(&asked).unwrap_or_default();
        let estimates = estimate(&cases, &waits, &workload, *overhead, assumptions);
        estimates
            .first()
            .map_or(f64::NAN, |estimate| estimate.seconds)
    }
}

impl Report {
    /// Fills in the estimates of all epochs; batches stay the same. `lengths` as for [`Pricer::new`].
    pub fn price(&mut self, settings: &Settings, lengths: &Histogram<1>) {
        self.settings.cost = settings.cost.clone();
        let own = self.settings.clone();
        let pricer = Pricer::new(lengths, &own);
        self.epochs
            .iter_mut()
            .for_each(|figures| pricer.price(figures));
    }
}
