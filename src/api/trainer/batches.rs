//! Requests about the batches that training libraries make today: one sampler with its settings, or all side by side.

use super::about::{About, Which};
use super::advice::{self, Advice, some_shares};
use super::figures::{mean, part};
use super::{Arrival, Seeded, counted, taken};
use crate::api::Query;
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Overlong};
use crate::packing::Progress;
use crate::sampler::{self, Buckets, Counts, HwCap, Sampler};
use crate::trainer::batches::{Batches, Recipe, Room, Tally};
use crate::trainer::{Chosen, Cost};
use crate::words::{count, percent};
use serde::{Deserialize, Serialize};

/// Sequences, and what is asked about their batches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// (length, number of sequences), in any order.
    pub counts: Vec<(u32, u64)>,
    /// The lengths of all sequences in their order, instead of the counts; empty where the order is not known.
    pub order: Vec<u32>,
    /// The maximum length, and the sequences of a batch.
    pub room: Room,
    /// The samplers.
    pub which: Which,
    /// The first of the seeds that stand for the order of arrival.
    pub seed: u64,
    /// How many seeds; at least 1.
    pub seeds: u32,
}

/// The outcomes of samplers on the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Of each sampler that was asked for.
    pub answers: Vec<Answer>,
    /// Of samplers to compare with, on the same data with the first seed: random batches, sorted ones, and batches up to
    /// as many slots as the others get.
    pub beside: Vec<(Sampler, Figures)>,
}

/// The outcome of a sampler on the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The sampler at its settings.
    pub about: About,
    /// Figures, as means over the runs.
    pub figures: Option<Figures>,
    /// The outcome of each seed: one where the order does not matter or is known.
    pub runs: Vec<Run>,
    /// Its cost, and the single change that helps most, where one sampler was asked about and its batches were not.
    pub advice: Option<Advice>,
    /// The batches, as the lengths in each, where they were asked for.
    pub packs: Option<Vec<Vec<u32>>>,
}

/// The outcome of one seed: where the sequences went.
pub type Run = Seeded<Tally>;

/// Means over runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Batches.
    pub batches: f64,
    /// Sequences in a batch.
    pub sequences_per_batch: f64,
    /// The fewest and the most in any run.
    pub size: (u64, u64),
    /// Slots of all batches.
    pub slots: f64,
    /// Share of the slots without a token.
    pub padding_share: f64,
    /// Slots of the largest batch of any run.
    pub largest_slots: u64,
    /// Batches that exceed the configured size.
    pub above: f64,
    /// Share of all tokens that is cut off before.
    pub truncated_share: f64,
    /// Share of all tokens that is left out with whole sequences.
    pub dropped_share: f64,
    /// Sequences that are left out.
    pub dropped_sequences: f64,
}

impl Query for Request {
    type Report = Report;

    fn run(&self, progress: &mut Progress) -> Result<Report> {
        if self.room.limit == 0 {
            return Err(Error::ZeroLimit);
        }
        if self.room.batch == 0 {
            return Err(Error::ZeroBatch);
        }
        let counts = self.counts.iter().map(|(length, n)| ([*length], *n));
        let data = counted(counts, self.order.iter().map(|length| [*length]))?;
        let answers = self.which.each::<Batches, _>(
            self.room,
            progress,
            |chosen, list, progress| self.answer(&data, chosen, list, progress),
            |chosen, answer, progress| {
                answer.advice = self.advice(&data, chosen, answer, progress)?;
                Ok(())
            },
        )?;
        Ok(Report { answers, beside: self.beside(&data, progress)? })
    }
}

impl Request {
    fn arrival(&self) -> Arrival<'_, u32> {
        Arrival { order: &self.order, seed: self.seed, seeds: self.seeds }
    }

    fn answer(
        &self,
        data: &Histogram<1>,
        chosen: &Chosen<Batches>,
        list: bool,
        progress: &mut Progress,
    ) -> Result<Answer> {
        let about = About::new(chosen);
        let mut answer = Answer { about, figures: None, runs: Vec::new(), advice: None, packs: None };
        let runs = chosen.recipe().and_then(|recipe| {
            answer.about.algorithm = recipe.block.words().to_owned();
            let run = |seed: u64| {
                let (tally, listed) = recipe.run(data, self.arrival().by(seed), seed, list, progress)?;
                Ok((Run { seed, tally }, listed))
            };
            let seeds = self.arrival().seeds(list || recipe.block.order_free());
            seeds.map(run).collect::<Result<Vec<_>>>()
        });
        match taken(runs)? {
            Ok(runs) => {
                let (runs, mut listed): (Vec<Run>, Vec<_>) = runs.into_iter().unzip();
                answer.packs = if list { listed.pop() } else { None };
                answer.figures = Some(Figures::mean(&runs));
                answer.runs = runs;
            }
            Err(why) => answer.about.refused = Some(why),
        }
        Ok(answer)
    }

    fn advice(
        &self,
        data: &Histogram<1>,
        chosen: &Chosen<Batches>,
        answer: &Answer,
        progress: &mut Progress,
    ) -> Result<Option<Advice>> {
        // Of many sequences few stand for all.
        let few = self.arrival().few(data);
        let mut run = |recipe: &Recipe| -> Result<Cost> {
            Ok(recipe.run(&few, self.arrival().first(), self.seed, false, progress)?.0.cost())
        };
        let now = match answer.runs.first() {
            Some(first) if few.items() == data.items() => Some(first.tally.cost()),
            Some(_) => Some(run(&chosen.recipe()?)?),
            None => None,
        };
        let cost = advice::cost(&answer.about, answer.figures.as_ref().map(parts));
        advice::of_batches(chosen, now, run, &cost, ("tokens", "token"))
    }

    /// Returns the samplers to compare with.
    fn beside(&self, data: &Histogram<1>, progress: &mut Progress) -> Result<Vec<(Sampler, Figures)>> {
        let Room { limit, batch } = self.room;
        let fitted = data.fit([limit], Overlong::Truncate)?;
        let items = fitted.histogram.with_zero();
        let task = sampler::Task {
            batch,
            limit,
            seed: self.seed,
            epoch: 0,
            mega: 1,
            tokens: self.room.slots(),
            buckets: Buckets::new(HwCap::default(), None, limit),
            cap: None,
            merging: false,
        };
        let one = |sampler: Sampler| {
            let mut sums = sampler::Tally::new(&items, false, false);
            sampler.run(&items, &task, &mut |batch| sums.take(batch), progress)?;
            Ok((sampler, Figures::new(&sums.finish(None).0, fitted.waste_tokens[0])))
        };
        [Sampler::Random, Sampler::Sorted, Sampler::TokenBudget].into_iter().map(one).collect()
    }
}

/// Returns what the settings cost, as parts of a sentence.
fn parts(figures: &Figures) -> Vec<String> {
    let mut parts = vec![format!("{} of the slots are padding", percent(figures.padding_share))];
    parts.extend(some_shares([
        (figures.truncated_share, "of the tokens are cut off"),
        (figures.dropped_share, "of the tokens are left out"),
    ]));
    if figures.above > 0.0 {
        let [above, all] = [figures.above, figures.batches].map(|n| count(n.round().max(1.0) as u64));
        parts.push(format!("{above} of {all} batches exceed the size that is set"));
    }
    parts
}

impl Figures {
    fn mean(runs: &[Run]) -> Self {
        let mean = |of: &dyn Fn(&Tally) -> f64| mean(runs.iter().map(|run| of(&run.tally)));
        let tallies = || runs.iter().map(|run| &run.tally);
        Self {
            batches: mean(&|t| t.batches as f64),
            sequences_per_batch: mean(&|t| part(t.sequences, t.batches)),
            size: (
                tallies().map(|t| t.size.0).min().unwrap_or(0),
                tallies().map(|t| t.size.1).max().unwrap_or(0),
            ),
            slots: mean(&|t| t.slots as f64),
            padding_share: mean(&Tally::padding_share),
            largest_slots: tallies().map(|t| t.largest_slots).max().unwrap_or(0),
            above: mean(&|t| t.above as f64),
            truncated_share: mean(&|t| part(t.truncated_tokens, t.tokens())),
            dropped_share: mean(&|t| part(t.dropped_tokens, t.tokens())),
            dropped_sequences: mean(&|t| t.dropped_sequences as f64),
        }
    }

    /// The figures of a sampler that leaves nothing out.
    fn new(counts: &Counts, truncated: u64) -> Self {
        let real = counts.real_tokens as f64;
        let sizes = || counts.sizes.keys().copied();
        Self {
            batches: counts.batches as f64,
            sequences_per_batch: counts.items as f64 / counts.batches.max(1) as f64,
            size: (sizes().next().unwrap_or(0), sizes().next_back().unwrap_or(0)),
            slots: counts.slots as f64,
            padding_share: 1.0 - real / (counts.slots as f64).max(1.0),
            largest_slots: counts.largest_slots,
            above: 0.0,
            truncated_share: truncated as f64 / (real + truncated as f64).max(1.0),
            dropped_share: 0.0,
            dropped_sequences: 0.0,
        }
    }
}
