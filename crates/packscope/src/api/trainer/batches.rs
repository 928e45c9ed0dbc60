//! Samplers that make batches of sequences.

pub use super::figures::BatchFigures as Figures;
use super::figures::{mean, part, some_shares};
use super::pass::{Nouns, Pass, PassTask};
use super::presentation::{Presentation, SAMPLING};
use super::{LibraryAnswer, LibraryKind, Run};
use crate::error::Result;
use crate::histogram::{Histogram, Overlong};
use crate::packing::Progress;
use crate::sampler::{self, Buckets, EpochCounts, HwCap, Sampler};
use crate::trainer::batches::{LibraryLimits, SamplerLibraries, SamplerRecipe, SamplerTally};
use crate::trainer::{LibrarySettings, PassCost, sampled};
use crate::words::{count, percent};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The part of an answer that only samplers have.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SamplerDetails {
    /// Number of sequences in the sample that was batched in place of all, if there are very many; `None`: all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<u64>,
}

impl PassTask<'_, SamplerLibraries> {
    /// Whether a sample is batched: sequences are taken one by one, and there are very many.
    fn samples(&self, recipe: &SamplerRecipe) -> bool {
        let items = self.data.items();
        let many = sampler::simulated_of(items) < items;
        many && !recipe.block.order_free() && self.few.items() < items
    }
}

impl Pass for SamplerLibraries {
    type Item = u32;
    type Data = Histogram<1>;
    type RequestLimits = LibraryLimits;
    type Own = SamplerDetails;
    type Figures = Figures;
    type Tally = SamplerTally;
    const NOUNS: Nouns = ("tokens", "token");
    // Less padding with many more steps is not advised.
    const MORE: f64 = 1.1;
    const PRESENTATION: &'static Presentation<Self> = &SAMPLING;

    fn limits(room: LibraryLimits) -> LibraryLimits {
        room
    }

    fn kind(room: LibraryLimits) -> LibraryKind {
        LibraryKind::Batches(room)
    }

    fn data(counts: impl Iterator<Item = (u32, u64)>) -> Result<Histogram<1>> {
        Histogram::from_lengths(counts)
    }

    fn few(data: &Histogram<1>) -> Cow<'_, Histogram<1>> {
        sampled(data)
    }

    fn own(_: &LibrarySettings<Self>) -> SamplerDetails {
        SamplerDetails::default()
    }

    fn algorithm(recipe: &SamplerRecipe) -> String {
        recipe.block.words().to_owned()
    }

    fn pass(
        task: &PassTask<Self>,
        (_, recipe): (&LibrarySettings<Self>, &SamplerRecipe),
        list: bool,
        answer: &mut LibraryAnswer<Self>,
        progress: &mut Progress,
    ) -> Result<()> {
        let samples = task.samples(recipe) && !list;
        let (data, of) = (
            if samples { &*task.few } else { task.data },
            task.data.items(),
        );
        // A list is of the data as they are, so that it is never of a sample.
        answer.own.sample = samples.then(|| data.items());
        let run = |seed: u64| {
            let (tally, listed) = recipe.run(data, task.order(seed), seed, list, progress)?;
            let tally = if samples {
                tally.scaled(of, data.items())
            } else {
                tally
            };
            Ok((
                Run {
                    seed,
                    steps: None,
                    tally,
                },
                listed,
            ))
        };
        let runs = task
            .seeds(list || recipe.block.order_free())
            .map(run)
            .collect::<Result<Vec<_>>>()?;
        let (runs, mut listed): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
        answer.packs = if list { listed.pop() } else { None };
        answer.figures = Some(Figures::mean(&runs));
        answer.runs = runs;
        Ok(())
    }

    fn now(
        task: &PassTask<Self>,
        recipe: &SamplerRecipe,
        answer: &LibraryAnswer<Self>,
        progress: &mut Progress,
    ) -> Result<Option<PassCost>> {
        match answer.runs.first() {
            // With a sample, all settings run on it, so that their costs are comparable.
            Some(_) if task.few.items() < task.data.items() => {
                Self::cost(task, recipe, progress).map(Some)
            }
            first => Ok(first.map(|run| run.tally.cost())),
        }
    }

    fn cost(
        task: &PassTask<Self>,
        recipe: &SamplerRecipe,
        progress: &mut Progress,
    ) -> Result<PassCost> {
        let seed = task.request.seed;
        Ok(recipe
            .run(&task.few, task.order(seed), seed, false, progress)?
            .0
            .cost())
    }

    fn parts(_: &SamplerRecipe, answer: &LibraryAnswer<Self>) -> Option<Vec<String>> {
        let figures = answer.figures.as_ref()?;
        let mut parts = vec![format!(
            "{} of the slots are padding",
            percent(figures.padding_share)
        )];
        parts.extend(some_shares([
            (figures.truncated_share, "of the tokens are cut off"),
            (figures.dropped_share, "of the tokens are left out"),
        ]));
        if figures.above > 0.0 {
            let [above, all] =
                [figures.above, figures.batches].map(|n| count(n.round().max(1.0) as u64));
            parts.push(format!(
                "{above} of {all} batches exceed the size that is set"
            ));
        }
        Some(parts)
    }

    fn beside(task: &PassTask<Self>, progress: &mut Progress) -> Result<Vec<(Sampler, Figures)>> {
        let room @ LibraryLimits { limit, batch } = task.request.given;
        let fitted = task.data.fit([limit], Overlong::Truncate)?;
        let items = fitted.histogram.with_zero();
        // The settings that other samplers read have no effect on these three.
        let of = sampler::EpochTask {
            batch,
            limit,
            seed: task.request.seed,
            epoch: 0,
            mega: 1,
            tokens: room.slots(),
            buckets: Buckets::new(HwCap::default(), None, limit),
            cap: None,
            merging: false,
            simulated: sampler::simulated_of(items.items()),
        };
        let one = |sampler: Sampler| {
            let mut sums = sampler::EpochTally::new(&items, false, false);
            sampler.run(&items, &of, &mut |batch| sums.take(batch), progress)?;
            Ok((
                sampler,
                Figures::new(&sums.finish(None).0, fitted.waste_tokens[0]),
            ))
        };
        [Sampler::Random, Sampler::Sorted, Sampler::TokenBudget]
            .into_iter()
            .map(one)
            .collect()
    }
}

impl Figures {
    fn mean(runs: &[Run<SamplerLibraries>]) -> Self {
        let mean = |of: &dyn Fn(&SamplerTally) -> f64| mean(runs.iter().map(|run| of(&run.tally)));
        let tallies = || runs.iter().map(|run| &run.tally);
        Self {
            batches: mean(&|t| t.batches as f64),
            sequences_per_batch: mean(&|t| part(t.sequences, t.batches)),
            size: (
                tallies().map(|t| t.size.0).min().unwrap_or(0),
                tallies().map(|t| t.size.1).max().unwrap_or(0),
            ),
            slots: mean(&|t| t.slots as f64),
            padding_share: mean(&SamplerTally::padding_share),
            largest_slots: tallies().map(|t| t.largest_slots).max().unwrap_or(0),
            above: mean(&|t| t.above as f64),
            truncated_share: mean(&|t| part(t.truncated_tokens, t.tokens())),
            dropped_share: mean(&|t| part(t.dropped_tokens, t.tokens())),
            dropped_sequences: mean(&|t| t.dropped_sequences as f64),
        }
    }

    /// Returns the figures of a sampler that leaves nothing out.
    fn new(counts: &EpochCounts, truncated: u64) -> Self {
        let real = counts.real_tokens as f64;
        let sizes = || counts.sizes.keys().copied();
        Self {
            batches: counts.batches as f64,
            sequences_per_batch: counts.items as f64 / counts.batches.max(1) as f64,
            size: (
                sizes().next().unwrap_or(0),
                sizes().next_back().unwrap_or(0),
            ),
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
