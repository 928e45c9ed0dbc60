//! Figures of runs, and what they are compared with.

use super::Run;
use crate::bounds;
use crate::histogram::Histogram;
use crate::packing::{Algorithm, Depth, Progress, Task, go_on};
use crate::trainer::{Cost, Recipe, Tally};
use serde::{Deserialize, Serialize};

/// Means over runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Rows.
    pub rows: f64,
    /// Steps.
    pub steps: f64,
    /// Rows in excess of the fewest known for as many tokens as are trained, relative to those; `None` where nothing is
    /// trained.
    pub above_best: Option<f64>,
    /// The same above the bound.
    pub above_bound: Option<f64>,
    /// Share by which more slots are computed than in the best plan for as many tokens; `None` where nothing is trained.
    pub computed_above: Option<f64>,
    /// Share of the slots without a token.
    pub padding_share: f64,
    /// Tokens of the data, as the library counts lengths.
    pub tokens: f64,
    /// Tokens that are trained.
    pub real_tokens: f64,
    /// Share of all tokens that is cut off and thrown away.
    pub truncated_share: f64,
    /// Share of all tokens that is thrown away with whole sequences or rows.
    pub dropped_share: f64,
    /// Share of all tokens that is trained without the beginning of its sequence.
    pub cut_share: f64,
    /// Sequences that are truncated.
    pub truncated_sequences: f64,
    /// Sequences of which nothing is trained.
    pub dropped_sequences: f64,
    /// Sequences that are trained in several pieces.
    pub cut_sequences: f64,
    /// Mean pieces of these.
    pub mean_pieces: f64,
    /// Mean tokens of its own sequence that a trained token sees, with itself.
    pub mean_context: f64,
    /// The same if every sequence were trained whole.
    pub whole_context: f64,
    /// The most sequences in a row.
    pub most: f64,
}

impl Figures {
    /// `best` is the best plan, and its slots for each token.
    pub(super) fn mean(
        runs: &[Run],
        costs: &[Cost],
        best: Option<(&Reference, f64)>,
        whole_context: f64,
    ) -> Self {
        let reference = best.map(|(known, _)| known);
        let computed = |(_, slots): (_, f64)| self::mean(costs.iter().map(|cost| cost.above(slots)));
        let mean = |of: &dyn Fn(&Tally) -> f64| mean(runs.iter().map(|run| of(&run.tally)));
        let share = |of: &dyn Fn(&Tally) -> u64| mean(&|t| of(t) as f64 / (t.tokens().max(1)) as f64);
        let rows = mean(&|t| t.rows as f64);
        Self {
            rows,
            steps: self::mean(runs.iter().map(|run| run.steps.unwrap_or(0) as f64)),
            above_best: reference.and_then(|known| known.above(known.rows, runs)),
            above_bound: reference.and_then(|known| known.above(known.bound, runs)),
            computed_above: best.filter(|_| costs.iter().all(|cost| cost.slots > 0.0)).map(computed),
            padding_share: mean(&Tally::padding_share),
            tokens: mean(&|t| t.tokens() as f64),
            real_tokens: mean(&|t| t.real_tokens as f64),
            truncated_share: share(&|t| t.truncated_tokens),
            dropped_share: share(&|t| t.dropped_tokens),
            cut_share: share(&|t| t.cut_tokens),
            truncated_sequences: mean(&|t| t.truncated_sequences as f64),
            dropped_sequences: mean(&|t| t.dropped_sequences as f64),
            cut_sequences: mean(&|t| t.cut_sequences as f64),
            mean_pieces: mean(&Tally::mean_pieces),
            mean_context: mean(&Tally::mean_context),
            whole_context,
            most: mean(&|t| t.most as f64),
        }
    }

    /// Returns the share of all tokens that is not trained.
    pub fn lost_share(&self) -> f64 {
        self.truncated_share + self.dropped_share
    }
}

pub(super) fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len().max(1) as f64;
    values.sum::<f64>() / n
}

/// Returns a part of a whole, 0 of nothing.
pub(super) fn part(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Returns the mean number of tokens of its own sequence that a token sees, with itself, where all are whole.
pub(super) fn whole_context(data: &Histogram<1>, shift: u32) -> f64 {
    let (mut sum, mut tokens) = (0.0, 0.0);
    for &([length], n) in data.entries() {
        let (length, n) = (f64::from(length - length.min(shift)), n as f64);
        sum += length * (length + 1.0) / 2.0 * n;
        tokens += length * n;
    }
    if tokens > 0.0 { sum / tokens } else { 0.0 }
}

/// How far runs lie apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Fewest and most rows.
    pub rows: (u64, u64),
    /// Sample standard deviation of the rows; 0 for a single run.
    pub rows_deviation: f64,
    /// Fewest and most tokens that are not trained.
    pub lost_tokens: (u64, u64),
}

impl Spread {
    pub(super) fn new(runs: &[Run]) -> Self {
        let ends = |of: fn(&Tally) -> u64| {
            let values = || runs.iter().map(|run| of(&run.tally));
            (values().min().unwrap_or(0), values().max().unwrap_or(0))
        };
        let average = mean(runs.iter().map(|run| run.tally.rows as f64));
        let squares: f64 = runs.iter().map(|run| (run.tally.rows as f64 - average).powi(2)).sum();
        let deviation = if runs.len() < 2 { 0.0 } else { (squares / (runs.len() - 1) as f64).sqrt() };
        Self {
            rows: ends(|tally| tally.rows),
            rows_deviation: deviation,
            lost_tokens: ends(Tally::lost_tokens),
        }
    }
}

/// The fewest rows that are known for the sequences that a library packs, of the same slots, with the same cap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Rows of the best plan known: of the best fast algorithm, or of the search where it was asked for; where sequences are
    /// cut, of rows without any room left.
    pub rows: u64,
    /// The algorithm, by its name on the command line; `None` where sequences are cut.
    pub algorithm: Option<String>,
    /// Rows that no plan can go below.
    pub bound: u64,
    /// Rows of the best plan that a search finds; `None` where it was not asked for.
    pub optimum: Option<u64>,
    /// Tokens in these rows: a library that throws rows away trains fewer.
    pub tokens: u64,
}

impl Reference {
    /// Returns the slots of the best plan for each of its tokens: no fewer than one, also where rows exceed their capacity.
    pub(super) fn slots(&self, recipe: &Recipe) -> f64 {
        (self.rows as f64 * f64::from(recipe.capacity) / (self.tokens as f64).max(1.0)).max(1.0)
    }

    /// Returns the mean share of rows above so many, for as many tokens.
    fn above(&self, rows: u64, runs: &[Run]) -> Option<f64> {
        let above = |run: &Run| {
            let tally = &run.tally;
            let share = tally.real_tokens as f64 / self.tokens as f64;
            tally.rows as f64 / (rows as f64 * share) - 1.0
        };
        let some = rows > 0 && self.tokens > 0 && runs.iter().all(|run| run.tally.real_tokens > 0);
        // What is lost at the ends of rows makes no plan better than the best.
        some.then(|| mean(runs.iter().map(above)))
    }
}

/// Algorithms of which the best is taken: fast ones.
const FAST: [Algorithm; 4] =
    [Algorithm::BestFitDecreasing, Algorithm::Lpfhp, Algorithm::AverageTarget, Algorithm::FirstFitDecreasing];

/// Returns what the rows of a recipe are compared with; `None` where nothing is left. `search`: with the best plan that
/// [`Algorithm::Optimal`] finds.
pub(super) fn reference(
    data: &Histogram<1>,
    recipe: &Recipe,
    tally: Option<&Tally>,
    search: bool,
    progress: &mut Progress,
) -> Option<Reference> {
    if recipe.block.cuts() {
        let tokens = tally?.real_tokens;
        let rows = tokens.div_ceil(u64::from(recipe.capacity));
        return Some(Reference { rows, algorithm: None, bound: rows, optimum: None, tokens });
    }
    let (items, tokens) = recipe.fitted(data)?;
    let depth = if recipe.cap == u32::MAX { Depth::Unlimited } else { Depth::AtMost(recipe.cap) };
    let task = Task::new(recipe.capacity, depth);
    let packs = |algorithm: Algorithm| {
        Some((algorithm.run_simple(&items, &task, &mut go_on).ok()?.listing.packs, algorithm))
    };
    let (rows, algorithm) = FAST.into_iter().filter_map(packs).min_by_key(|(rows, _)| *rows)?;
    let bound = bounds::best(&items, recipe.capacity, recipe.cap).packs;
    let name = |algorithm: Algorithm| Some(algorithm.name().to_owned());
    let known = Reference { rows, algorithm: name(algorithm), bound, optimum: None, tokens };
    if !search {
        return Some(known);
    }
    let packed = Algorithm::Optimal.run(&items, &task, progress).ok()?;
    let optimum = packed.listing.packs.min(rows);
    let bound = packed.bound.map_or(bound, |found| found.packs.max(bound));
    Some(Reference {
        rows: optimum,
        bound,
        optimum: Some(optimum),
        algorithm: name(Algorithm::Optimal),
        ..known
    })
}
