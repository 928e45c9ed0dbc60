//! How much a token, and a sequence, weighs in the loss.
//!
//! A loss is a mean, and libraries take it over different sets: over the supervised tokens of a micro-batch, of all
//! micro-batches of a rank in a step (`num_items_in_batch` of transformers), of all ranks, or over each sequence first.
//! Where the sets differ in size, so do the weights of their tokens: with a mean over each micro-batch, a token beside few
//! others counts for many. [`of_epoch`] draws an epoch of steps, and says how unequal each [`Reduction`] makes tokens and
//! sequences.
//!
//! ```
//! use packscope::supervision::SampledItem;
//! use packscope::supervision::weights::{Reduction, Steps, of_epoch};
//!
//! // Two micro-batches of one sequence, with 10 and 90 supervised tokens.
//! let items = [10, 90].map(|supervised| SampledItem { tokens: 100, supervised });
//! let steps = Steps { rows: 1, accumulation: 2, ..Steps::default() };
//! let epoch = of_epoch(&items, &steps)?;
//! assert_eq!(epoch.of(Reduction::MicroBatch).within_step.most, 9.0);
//! assert_eq!(epoch.of(Reduction::Step).within_step.most, 1.0);
//! # Ok::<(), packscope::Error>(())
//! ```

use super::SampledItem;
use crate::error::{Error, Result};
use crate::names::names;
use crate::rng::Random;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The set over which a loss is a mean, before gradients of micro-batches and ranks are averaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reduction {
    /// The supervised tokens of a micro-batch: `cross_entropy` with `reduction="mean"`, divided by the accumulation.
    MicroBatch,
    /// Those of all micro-batches of a rank in a step, averaged over ranks.
    Rank,
    /// Those of all micro-batches and ranks of a step.
    Step,
    /// The supervised tokens of each sequence, then the sequences of a micro-batch.
    Sequence,
}

names! { Reduction, "reduction";
    MicroBatch: "micro-batch", "mean over a micro-batch";
    Rank: "rank", "mean over a rank's step";
    Step: "step", "mean over the whole step";
    Sequence: "sequence", "mean over each sequence";
}

impl Reduction {
    /// Returns the libraries that take it, as their code was read, with its place.
    pub const fn taken_by(self) -> &'static str {
        match self {
            Self::MicroBatch => {
                "Megatron-LM as installed (calculate_per_token_loss off), loops of one's own with loss / accumulation"
            }
            Self::Rank => "transformers with average_tokens_across_devices=False",
            Self::Step => {
                "transformers' Trainer as installed (num_items_in_batch), so TRL, axolotl, LLaMA-Factory, ms-swift; \
                 Megatron-LM with --calculate-per-token-loss"
            }
            Self::Sequence => "verl with loss_agg_mode=seq-mean-token-mean, GRPO as published",
        }
    }
}

/// The steps of an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Steps {
    /// Rows of a micro-batch of one rank: sequences, or packed rows.
    pub rows: u32,
    /// Micro-batches of a rank before the weights are updated.
    pub accumulation: u32,
    /// Ranks that train side by side.
    pub ranks: u32,
    /// The slots of a row into which sequences are packed by best-fit decreasing, as TRL does; `None`: a sequence a row.
    pub packed: Option<u32>,
    /// The seed of the order; `None`: the order of the items.
    pub seed: Option<u64>,
}

impl Default for Steps {
    fn default() -> Self {
        Self {
            rows: 8,
            accumulation: 1,
            ranks: 1,
            packed: None,
            seed: Some(0),
        }
    }
}

impl Steps {
    /// Whether a step has no rows.
    fn has_none(&self) -> bool {
        [self.rows, self.accumulation, self.ranks].contains(&0)
    }

    /// Returns the micro-batches of a step, of all ranks.
    fn micro_batches(&self) -> usize {
        self.accumulation as usize * self.ranks as usize
    }
}

/// The supervised tokens of a sequence, and how much each of them weighs in its step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighed {
    /// The micro-batch of the sequence, by its place in the step.
    pub micro_batch: usize,
    /// Supervised tokens.
    pub supervised: u32,
    /// The weight of each of them.
    pub weight: f64,
}

/// How far weights lie apart, as multiples of their mean.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Spread {
    /// The least weight.
    pub least: f64,
    /// The weight below which a twentieth lies.
    pub low: f64,
    /// The weight above which a twentieth lies.
    pub high: f64,
    /// The largest weight.
    pub most: f64,
    /// Standard deviation over mean.
    pub variation: f64,
}

/// The weight of a token in the emptiest micro-batch, as a multiple of one in the fullest of the same step.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct WithinStep {
    /// Of half of the steps it is more.
    pub median: f64,
    /// The largest of all steps.
    pub most: f64,
}

/// The weights under one reduction.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Weights {
    /// The set over which the loss is a mean.
    pub reduction: Reduction,
    /// Weights of supervised tokens in the epoch.
    pub tokens: Spread,
    /// Weights of sequences that train.
    pub sequences: Spread,
    /// Tokens of one step beside each other.
    pub within_step: WithinStep,
}

/// The weights of an epoch.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Epoch {
    /// Updates of the weights. What is left of the items is no full step.
    pub steps: u64,
    /// Micro-batches of all steps and ranks.
    pub micro_batches: u64,
    /// Those without a supervised token: a mean over them divides 0 by 0.
    pub empty: u64,
    /// For each reduction, in the order of [`Reduction::ALL`].
    pub weights: Vec<Weights>,
}

impl Epoch {
    /// Returns the weights under a reduction.
    pub fn of(&self, reduction: Reduction) -> Weights {
        // All are there: `of_epoch` makes one of each.
        let found = self.weights.iter().find(|of| of.reduction == reduction);
        found.copied().unwrap_or(Weights {
            reduction,
            tokens: Spread::default(),
            sequences: Spread::default(),
            within_step: WithinStep::default(),
        })
    }
}

/// Draws an epoch and returns its weights under each reduction. Where the items are fewer than those of a step, they are
/// one. O(n log n).
///
/// # Errors
/// [`Error::Empty`] without items that train; [`Error::ZeroBatch`] without rows, micro-batches or ranks.
pub fn of_epoch(items: &[SampledItem], steps: &Steps) -> Result<Epoch> {
    if steps.has_none() {
        return Err(Error::ZeroBatch);
    }
    let batches = micro_batches(items, steps);
    let of_step = steps.micro_batches();
    let whole = batches.len() / of_step * of_step;
    let whole = if whole == 0 { batches.len() } else { whole };
    let taken = &batches[..whole];
    let all = || taken.iter().flatten();
    if all().all(|item| item.supervised == 0) {
        return Err(Error::Empty);
    }
    let weights = Reduction::ALL
        .into_iter()
        .map(|reduction| weights(reduction, taken, steps))
        .collect();
    Ok(Epoch {
        steps: taken.chunks(of_step).len() as u64,
        micro_batches: taken.len() as u64,
        empty: taken.iter().filter(|batch| supervised(batch) == 0).count() as u64,
        weights,
    })
}

/// Returns the micro-batches of an epoch, each with its sequences.
fn micro_batches(items: &[SampledItem], steps: &Steps) -> Vec<Vec<SampledItem>> {
    let mut random = steps.seed.map(Random::seeded);
    let mut items = items.to_vec();
    if let Some(random) = &mut random {
        shuffle(&mut items, random);
    }
    let Some(slots) = steps.packed else {
        return items
            .chunks(steps.rows as usize)
            .map(<[_]>::to_vec)
            .collect();
    };
    let mut rows = packed(items, slots);
    if let Some(random) = &mut random {
        shuffle(&mut rows, random);
    }
    rows.chunks(steps.rows as usize)
        .map(<[_]>::concat)
        .collect()
}

fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for at in (1..list.len()).rev() {
        list.swap(at, random.below(at as u64 + 1) as usize);
    }
}

/// Packs items into rows, the longest first, each into the fullest row that takes it, of several the earliest.
fn packed(mut items: Vec<SampledItem>, slots: u32) -> Vec<Vec<SampledItem>> {
    items.sort_by_key(|item| Reverse(item.tokens));
    let mut rows: Vec<Vec<SampledItem>> = Vec::new();
    let mut open: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for item in items {
        let room = open.range(item.tokens..).next().map(|(room, _)| *room);
        let (row, room) = match room.and_then(|room| Some((take(&mut open, room)?, room))) {
            Some(found) => found,
            None => {
                rows.push(Vec::new());
                (rows.len() - 1, slots.max(item.tokens))
            }
        };
        rows[row].push(item);
        open.entry(room - item.tokens).or_default().push(row);
    }
    rows
}

/// Takes the earliest of the rows with so much room.
fn take(open: &mut BTreeMap<u32, Vec<usize>>, room: u32) -> Option<usize> {
    let rows = open.get_mut(&room)?;
    let earliest = (0..rows.len()).min_by_key(|at| rows[*at])?;
    let row = rows.swap_remove(earliest);
    if rows.is_empty() {
        open.remove(&room);
    }
    Some(row)
}

fn supervised(batch: &[SampledItem]) -> u64 {
    batch.iter().map(|item| u64::from(item.supervised)).sum()
}

fn training(batch: &[SampledItem]) -> u64 {
    batch.iter().filter(|item| item.supervised > 0).count() as u64
}

/// Returns the supervised tokens of the first step with their weights under a reduction, in the order of its micro-batches.
/// All weights of the step add up to 1. O(n log n).
///
/// # Errors
/// Those of [`of_epoch`].
pub fn of_first_step(
    items: &[SampledItem],
    steps: &Steps,
    reduction: Reduction,
) -> Result<Vec<Weighed>> {
    if steps.has_none() {
        return Err(Error::ZeroBatch);
    }
    let batches = micro_batches(items, steps);
    let first = batches.chunks(steps.micro_batches()).next();
    let all = first.map_or_else(Vec::new, |step| weighed(reduction, step, steps));
    if all.is_empty() {
        return Err(Error::Empty);
    }
    Ok(all)
}

/// Returns the items of a step that train, each with the weight of its tokens.
fn weighed(reduction: Reduction, step: &[Vec<SampledItem>], steps: &Steps) -> Vec<Weighed> {
    let of_all: u64 = step.iter().map(|batch| supervised(batch)).sum();
    // Ranks take turns, so that each has micro-batches of a step that is not whole.
    let ranks = (steps.ranks as usize).min(step.len());
    let of_rank = |rank: usize| step.iter().skip(rank).step_by(ranks);
    let mut all = Vec::new();
    for (micro_batch, batch) in step.iter().enumerate() {
        let rank: u64 = of_rank(micro_batch % ranks)
            .map(|batch| supervised(batch))
            .sum();
        let among = match reduction {
            Reduction::MicroBatch => supervised(batch) as f64 * step.len() as f64,
            Reduction::Rank => rank as f64 * ranks as f64,
            Reduction::Step => of_all as f64,
            Reduction::Sequence => training(batch) as f64 * step.len() as f64,
        };
        for item in batch.iter().filter(|item| item.supervised > 0) {
            let weight = match reduction {
                Reduction::Sequence => 1.0 / among / f64::from(item.supervised),
                _ => 1.0 / among,
            };
            all.push(Weighed {
                micro_batch,
                supervised: item.supervised,
                weight,
            });
        }
    }
    all
}

/// Returns the weights of all tokens and sequences of an epoch under a reduction.
fn weights(reduction: Reduction, batches: &[Vec<SampledItem>], steps: &Steps) -> Weights {
    let (mut tokens, mut sequences, mut within) = (Vec::new(), Vec::new(), Vec::new());
    for step in batches.chunks(steps.micro_batches()) {
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        for item in weighed(reduction, step, steps) {
            tokens.push((item.weight, u64::from(item.supervised)));
            sequences.push((item.weight * f64::from(item.supervised), 1));
            (least, most) = (least.min(item.weight), most.max(item.weight));
        }
        if most > 0.0 {
            within.push((most / least, 1));
        }
    }
    within.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    Weights {
        reduction,
        tokens: spread(tokens),
        sequences: spread(sequences),
        within_step: WithinStep {
            median: quantile(&within, 0.5),
            most: within.last().map_or(0.0, |(ratio, _)| *ratio),
        },
    }
}

/// Returns the spread of weights, each with the number of those that have it.
fn spread(mut weights: Vec<(f64, u64)>) -> Spread {
    weights.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let number: f64 = weights.iter().map(|(_, n)| *n as f64).sum();
    let sum: f64 = weights.iter().map(|(w, n)| w * *n as f64).sum();
    let mean = sum / number.max(1.0);
    let squares = weights.iter().map(|(w, n)| (w - mean).powi(2) * *n as f64);
    let deviation = (squares.sum::<f64>() / number.max(1.0)).sqrt();
    let of = |weight: Option<&(f64, u64)>| weight.map_or(0.0, |(w, _)| w / mean);
    Spread {
        least: of(weights.first()),
        low: quantile(&weights, 0.05) / mean,
        high: quantile(&weights, 0.95) / mean,
        most: of(weights.last()),
        variation: deviation / mean,
    }
}

/// Returns the value below which such a share of sorted values lies.
fn quantile(sorted: &[(f64, u64)], share: f64) -> f64 {
    let number: u64 = sorted.iter().map(|(_, n)| n).sum();
    let mut left = (share * number as f64).ceil().max(1.0) as u64;
    for (value, n) in sorted {
        if left <= *n {
            return *value;
        }
        left -= n;
    }
    0.0
}
