//! Figures of runs, and their baselines.

use super::Run;
use crate::bounds;
use crate::histogram::Histogram;
use crate::packing::{Algorithm, Depth, Progress, Task};
use crate::trainer::{PassCost, Recipe, RowTally};
use crate::words::percent;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// Means over the runs of a library, each in another order of arrival.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Rows of a pass.
    pub rows: f64,
    /// Steps of one device in a pass.
    pub steps: f64,
    /// Rows beyond the fewest known for as many tokens as are trained, as a share of the fewest; `None` if nothing is
    /// trained.
    pub above_best: Option<f64>,
    /// Rows beyond the lower bound, likewise.
    pub above_bound: Option<f64>,
    /// Share of computed slots beyond the best plan for as many tokens; `None` if nothing is trained.
    pub computed_above: Option<f64>,
    /// Share of the computed slots without a token; 0 where rows are not padded.
    pub padding_share: f64,
    /// Share of the room in rows without a token: padding, or where rows are not padded room that costs nothing.
    pub unfilled_share: f64,
    /// Share of the rows that are longer than the limit: they need more memory than it stands for.
    pub exceeding_share: f64,
    /// Tokens of the longest of these rows; 0 if there is none.
    pub longest_row: f64,
    /// Tokens of the data, as the library counts lengths.
    pub tokens: f64,
    /// Tokens that are trained in a pass.
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
    /// Mean pieces of a cut sequence.
    pub mean_pieces: f64,
    /// Mean number of tokens of its own sequence that a trained token sees, including itself.
    pub mean_context: f64,
    /// The same mean if every sequence were trained whole.
    pub whole_context: f64,
    /// The most sequences in a row.
    pub most: f64,
}

impl Figures {
    /// Returns the means of runs; `best` is the best plan, and its slots for each token.
    pub(super) fn mean(
        runs: &[Run],
        costs: &[PassCost],
        best: Option<(&Reference, f64)>,
        (padded, whole_context): (bool, f64),
    ) -> Self {
        let reference = best.map(|(known, _)| known);
        let computed =
            |(_, slots): (_, f64)| self::mean(costs.iter().map(|cost| cost.excess_over(slots)));
        let mean = |of: &dyn Fn(&RowTally) -> f64| mean(runs.iter().map(|run| of(&run.tally)));
        let share =
            |of: &dyn Fn(&RowTally) -> u64| mean(&|t| of(t) as f64 / (t.tokens().max(1)) as f64);
        let rows = mean(&|t| t.rows as f64);
        Self {
            rows,
            // Libraries that pack always have steps; only batches leave them out.
            steps: self::mean(runs.iter().map(|run| run.steps.unwrap_or(0) as f64)),
            above_best: reference.and_then(|known| known.excess_rows(known.rows, runs)),
            above_bound: reference.and_then(|known| known.excess_rows(known.bound, runs)),
            computed_above: best
                .filter(|_| costs.iter().all(|cost| cost.slots > 0.0))
                .map(computed),
            padding_share: if padded {
                mean(&RowTally::unfilled_share)
            } else {
                0.0
            },
            unfilled_share: mean(&RowTally::unfilled_share),
            exceeding_share: mean(&|t| part(t.exceeding_rows, t.rows)),
            longest_row: mean(&|t| f64::from(t.longest_row)),
            tokens: mean(&|t| t.tokens() as f64),
            real_tokens: mean(&|t| t.real_tokens as f64),
            truncated_share: share(&|t| t.truncated_tokens),
            dropped_share: share(&|t| t.dropped_tokens),
            cut_share: share(&|t| t.cut_tokens),
            truncated_sequences: mean(&|t| t.truncated_sequences as f64),
            dropped_sequences: mean(&|t| t.dropped_sequences as f64),
            cut_sequences: mean(&|t| t.cut_sequences as f64),
            mean_pieces: mean(&RowTally::mean_pieces),
            mean_context: mean(&RowTally::mean_context),
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

/// Returns the share of a part in a whole; 0 if the whole is 0.
pub(super) fn part(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// Returns the shares above 0, each followed by its words.
pub(super) fn some_shares<const N: usize>(shares: [(f64, &str); N]) -> Vec<String> {
    let some = shares.into_iter().filter(|(share, _)| *share > 0.0);
    some.map(|(share, words)| format!("{} {words}", percent(share)))
        .collect()
}

/// Returns the mean number of tokens of its own sequence that a token sees, including itself, if all are whole.
pub(super) fn whole_context(data: &Histogram<1>, shift: u32) -> f64 {
    let (mut sum, mut tokens) = (0.0, 0.0);
    for &([length], n) in data.entries() {
        let (length, n) = (f64::from(length - length.min(shift)), n as f64);
        sum += length * (length + 1.0) / 2.0 * n;
        tokens += length * n;
    }
    if tokens > 0.0 { sum / tokens } else { 0.0 }
}

/// How much the order of arrival changes.
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
        let ends = |of: fn(&RowTally) -> u64| {
            let values = || runs.iter().map(|run| of(&run.tally));
            (values().min().unwrap_or(0), values().max().unwrap_or(0))
        };
        let average = mean(runs.iter().map(|run| run.tally.rows as f64));
        let squares: f64 = runs
            .iter()
            .map(|run| (run.tally.rows as f64 - average).powi(2))
            .sum();
        let deviation = if runs.len() < 2 {
            0.0
        } else {
            (squares / (runs.len() - 1) as f64).sqrt()
        };
        Self {
            rows: ends(|tally| tally.rows),
            rows_deviation: deviation,
            lost_tokens: ends(RowTally::lost_tokens),
        }
    }
}

/// The fewest rows known for the sequences that a library packs, with the same slots and cap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Rows of the best plan known: from the best fast algorithm, or from the search if requested; for a library that
    /// cuts sequences, rows without any unused slot.
    pub rows: u64,
    /// The algorithm, by its name on the command line; `None` for a library that cuts sequences.
    pub algorithm: Option<String>,
    /// Lower bound on the rows of any plan.
    pub bound: u64,
    /// Rows of the best plan that a search finds; `None` unless requested.
    pub optimum: Option<u64>,
    /// Tokens in these rows; a library that throws rows away trains fewer.
    pub tokens: u64,
}

impl Reference {
    /// Returns the slots of the best plan for each of its tokens: at least one, even if rows exceed their capacity.
    pub(super) fn slots(&self, recipe: &Recipe) -> f64 {
        (self.rows as f64 * f64::from(recipe.capacity) / (self.tokens as f64).max(1.0)).max(1.0)
    }

    /// Returns the mean share of rows above `rows`, for as many tokens.
    fn excess_rows(&self, rows: u64, runs: &[Run]) -> Option<f64> {
        let above = |run: &Run| {
            let tally = &run.tally;
            let share = tally.real_tokens as f64 / self.tokens as f64;
            tally.rows as f64 / (rows as f64 * share) - 1.0
        };
        let some = rows > 0 && self.tokens > 0 && runs.iter().all(|run| run.tally.real_tokens > 0);
        // Scaled by trained tokens: losing tokens at the ends of rows makes no plan better than the best.
        some.then(|| mean(runs.iter().map(above)))
    }
}

/// The fast algorithms, of which the best is taken.
const FAST: [Algorithm; 4] = [
    Algorithm::BestFitDecreasing,
    Algorithm::Lpfhp,
    Algorithm::AverageTarget,
    Algorithm::FirstFitDecreasing,
];

/// Distinct lengths above which average-target is left out: it looks at the lengths around the mean for every pack, which
/// took 93 % of four minutes on a million lengths. The bound beside the plan tells what that costs.
const MANY: usize = 200_000;

/// Baselines of one request: most libraries pack the same sequences into rows of the same length.
#[derive(Debug, Default)]
pub(super) struct References {
    // Making the same plan anew for each library was four fifths of the time of all of them.
    kept: RefCell<Vec<CachedReference>>,
}

#[derive(Debug)]
struct CachedReference {
    items: Histogram<1>,
    task: Task,
    search: bool,
    best: Option<Reference>,
}

/// The most baselines that are kept, each with its sequences.
const KEPT: usize = 8;

impl References {
    /// Returns the baseline for the rows of a recipe; `None` if no sequence is left. `search`: whether it is the best
    /// plan that [`Algorithm::Optimal`] finds.
    pub fn of(
        &self,
        data: &Histogram<1>,
        recipe: &Recipe,
        tally: Option<&RowTally>,
        search: bool,
        progress: &mut Progress,
    ) -> Option<Reference> {
        if recipe.block.cuts() {
            // Concatenated, any tokens fill rows to the last slot: the best plan, and the bound.
            let tokens = tally?.real_tokens;
            let rows = tokens.div_ceil(u64::from(recipe.capacity));
            return Some(Reference {
                rows,
                algorithm: None,
                bound: rows,
                optimum: None,
                tokens,
            });
        }
        let (items, tokens) = recipe.fitted(data)?;
        let depth = if recipe.cap == u32::MAX {
            Depth::Unlimited
        } else {
            Depth::AtMost(recipe.cap)
        };
        let task = Task::new(recipe.capacity, depth);
        let same = |kept: &&CachedReference| {
            kept.task == task && kept.search == search && kept.items == items
        };
        let kept = self
            .kept
            .borrow()
            .iter()
            .find(same)
            .map(|kept| kept.best.clone());
        let best = kept.unwrap_or_else(|| {
            let best = best(&items, task, search, progress);
            let mut all = self.kept.borrow_mut();
            if all.len() == KEPT {
                all.remove(0);
            }
            all.push(CachedReference {
                items,
                task,
                search,
                best: best.clone(),
            });
            best
        })?;
        // Aligned sequences may have fewer tokens in as many slots.
        Some(Reference { tokens, ..best })
    }
}

/// Returns the fewest rows known for these items; `tokens` are not known here.
fn best(
    items: &Histogram<1>,
    task: Task,
    search: bool,
    progress: &mut Progress,
) -> Option<Reference> {
    let packs = |algorithm: Algorithm| {
        Some((
            algorithm.run_simple(items, &task).ok()?.listing.packs,
            algorithm,
        ))
    };
    let is_fast =
        |algorithm: &Algorithm| items.distinct() <= MANY || *algorithm != Algorithm::AverageTarget;
    let (rows, algorithm) = FAST
        .into_iter()
        .filter(is_fast)
        .filter_map(packs)
        // The first of equals, so that the name of the algorithm is the same each time.
        .min_by_key(|(rows, _)| *rows)?;
    let bound = bounds::best(items, task.limit, task.depth.get()).packs;
    let name = |algorithm: Algorithm| Some(algorithm.name().to_owned());
    let known = Reference {
        rows,
        algorithm: name(algorithm),
        bound,
        optimum: None,
        tokens: 0,
    };
    if !search {
        return Some(known);
    }
    let packed = Algorithm::Optimal.run(items, &task, progress).ok()?;
    // A search that was stopped may have found less than the fast algorithms.
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

/// Means over the runs of a sampler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BatchFigures {
    /// Batches of a pass that are trained.
    pub batches: f64,
    /// Sequences in a batch.
    pub sequences_per_batch: f64,
    /// The fewest and the most sequences in a batch of any run.
    pub size: (u64, u64),
    /// Slots of all batches.
    pub slots: f64,
    /// Share of the slots without a token.
    pub padding_share: f64,
    /// Slots of the largest batch of any run.
    pub largest_slots: u64,
    /// Batches that exceed the configured size.
    pub above: f64,
    /// Share of all tokens that is cut off by truncation.
    pub truncated_share: f64,
    /// Share of all tokens that is left out with whole sequences.
    pub dropped_share: f64,
    /// Sequences that are left out.
    pub dropped_sequences: f64,
}

/// Means over the runs of a loader; pairs are of nodes and edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphFigures {
    /// Batches with a graph.
    pub batches: f64,
    /// Share of batches above the best plan for as many graphs, in batches of the same size.
    pub above_best: Option<f64>,
    /// Graphs in a batch.
    pub graphs_per_batch: f64,
    /// Slots of all batches; for a component without a limit, the slots in use.
    pub slots: [f64; 2],
    /// Share of empty slots; `None` for a component without a limit.
    pub padding_share: [Option<f64>; 2],
    /// Share of the graphs that is not trained in a pass.
    pub skipped_share: f64,
    /// Share of the nodes, and of the edges, that is not trained in a pass.
    pub lost_share: [f64; 2],
    /// Share of the graphs that is trained twice in a pass.
    pub repeated_share: f64,
    /// Batches above their slots.
    pub above: f64,
    /// Batches without a graph.
    pub empty: f64,
    /// The most nodes, and the most edges, of a batch in any run.
    pub largest: [u64; 2],
}
