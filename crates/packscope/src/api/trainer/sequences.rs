//! Libraries that pack sequences into rows.

use super::curve::curve;
use super::figures::{Figures, Reference, Spread, some_shares, whole_context};
use super::pass::{Nouns, Pass, PassTask};
use super::presentation::{PACKING, Presentation};
use super::{LibraryAnswer, LibraryKind, Run, WindowCurve};
use crate::error::Result;
use crate::histogram::{Histogram, Overlong};
use crate::packing::Progress;
use crate::trainer::batches::LibraryLimits;
use crate::trainer::{
    Block, LibrarySettings, PackingLibraries, PassCost, Recipe, RowTally, sampled,
};
use crate::words::{factor, percent};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The number of buffers of an endless loader that are filled, and the most passes for that:
/// emptying the last buffer then changes next to nothing.
const BUFFERS: u64 = 50;
const PASSES: u64 = 1000;

/// The part of an answer that only libraries that pack rows have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowsDetails {
    /// The maximum sequence length, tokens.
    pub limit: u32,
    /// Whether rows are padded to their length; if not, unused room costs nothing but makes steps uneven.
    pub padded: bool,
    /// Number of sequences in the sample that was packed in place of all, if there are many; `None`: all were packed.
    pub sample: Option<u64>,
    /// The spread of the runs.
    pub spread: Option<Spread>,
    /// The fewest rows known for the same sequences.
    pub reference: Option<Reference>,
    /// The smallest limit found at which the library takes the data, and no row is longer than it; `None` where it does
    /// so at this one, or at none that was tried.
    pub least: Option<u32>,
}

impl Pass for PackingLibraries {
    type Item = u32;
    type Data = Histogram<1>;
    type RequestLimits = LibraryLimits;
    type Own = RowsDetails;
    type Figures = Figures;
    type Tally = RowTally;
    const NOUNS: Nouns = ("tokens", "token");
    // A row costs by its slots, and more rows are shorter ones: their number is no cost of its own.
    const MORE: f64 = f64::INFINITY;
    const PRESENTATION: &'static Presentation<Self> = &PACKING;

    fn limits(room: LibraryLimits) -> u32 {
        room.limit
    }

    fn kind(room: LibraryLimits) -> LibraryKind {
        LibraryKind::Sequences(room)
    }

    fn data(counts: impl Iterator<Item = (u32, u64)>) -> Result<Histogram<1>> {
        Histogram::from_lengths(counts)
    }

    fn few(data: &Histogram<1>) -> Cow<'_, Histogram<1>> {
        sampled(data)
    }

    fn own(chosen: &LibrarySettings) -> RowsDetails {
        RowsDetails {
            limit: chosen.limit,
            padded: true,
            sample: None,
            spread: None,
            reference: None,
            least: None,
        }
    }

    fn algorithm(recipe: &Recipe) -> String {
        recipe.block.words()
    }

    /// Uses a sample for recipes that take items one by one, if there are many.
    fn pass(
        task: &PassTask<Self>,
        (chosen, recipe): (&LibrarySettings, &Recipe),
        list: bool,
        answer: &mut LibraryAnswer,
        progress: &mut Progress,
    ) -> Result<()> {
        let recipe = &task.recipe(recipe);
        let own = &mut answer.own;
        own.padded = recipe.padded;
        own.sample = task.samples(recipe).then(|| task.few.items());
        let seeds = task.seeds(recipe.order_free() || own.sample.is_some());
        let runs = seeds
            .map(|seed| task.run(recipe, seed, progress))
            .collect::<Result<Vec<Run>>>()?;
        let tally = runs.first().map(|run| &run.tally);
        own.reference =
            task.references
                .of(task.data, recipe, tally, task.request.optimum, progress);
        own.spread = Some(Spread::new(&runs));
        let costs: Vec<PassCost> = runs
            .iter()
            .map(|run| task.cost(&run.tally, recipe))
            .collect();
        let best = own
            .reference
            .as_ref()
            .map(|known| (known, known.slots(recipe)));
        let whole = whole_context(task.data, recipe.shift);
        answer.figures = Some(Figures::mean(&runs, &costs, best, (recipe.padded, whole)));
        // Data that are taken, but in rows that need more memory than the limit stands for.
        if runs.iter().any(|run| run.tally.exceeding_rows > 0) {
            own.least = least(chosen, task.data);
        }
        answer.runs = runs;
        if list {
            let seed = task.request.seed;
            // A list is of all sequences, even where a sample was packed for the figures.
            let (tally, listed) = recipe.list(task.data, task.order(seed), progress)?;
            answer.runs = vec![task.record(recipe, tally, seed)];
            answer.packs = Some(listed);
        }
        Ok(())
    }

    fn refused(task: &PassTask<Self>, chosen: &LibrarySettings, answer: &mut LibraryAnswer) {
        answer.own.least = least(chosen, task.data);
    }

    fn now(
        task: &PassTask<Self>,
        recipe: &Recipe,
        answer: &LibraryAnswer,
        _: &mut Progress,
    ) -> Result<Option<PassCost>> {
        Ok(answer.runs.first().map(|run| task.cost(&run.tally, recipe)))
    }

    fn cost(task: &PassTask<Self>, recipe: &Recipe, progress: &mut Progress) -> Result<PassCost> {
        Ok(task.cost(
            &task.run(recipe, task.request.seed, progress)?.tally,
            recipe,
        ))
    }

    fn parts(recipe: &Recipe, answer: &LibraryAnswer) -> Option<Vec<String>> {
        let figures = answer.figures.as_ref()?;
        let dropped = match recipe
            .whole_batch()
            // Where longer sequences are truncated, all that is dropped is left over at the end.
            .filter(|_| recipe.overlong == Overlong::Truncate)
        {
            Some(batch) => {
                format!("of the tokens are left over: they do not fill a last batch, of {batch}")
            }
            None => "of the tokens are dropped".to_owned(),
        };
        let longer = figures.longest_row / f64::from(recipe.capacity);
        let mut parts: Vec<String> = (figures.exceeding_share > 0.0)
            .then(|| {
                let share = percent(figures.exceeding_share);
                format!(
                    "{share} of the rows are longer than the limit, the longest {}",
                    factor(longer)
                )
            })
            .into_iter()
            .collect();
        parts.extend(some_shares([
            (figures.dropped_share, dropped.as_str()),
            (figures.truncated_share, "of the tokens are cut off"),
            (
                figures.cut_share,
                "of the tokens do not see the beginning of their sequence",
            ),
        ]));
        parts.extend(match figures.computed_above {
            _ if figures.real_tokens == 0.0 => None,
            // Nothing is computed in vain here, but rows of one sequence are no merit, either.
            _ if !recipe.padded && !recipe.block.packs() => Some(
                "nothing is padded, and nothing is packed: each row is one sequence".to_owned(),
            ),
            // From where `percent` has digits.
            Some(above) if above >= 0.00005 => Some(format!(
                "{} more slots are computed than the best plan of the same tokens needs",
                percent(above)
            )),
            _ if figures.exceeding_share > 0.0 => None,
            _ => Some("nothing is computed in vain".to_owned()),
        });
        Some(parts)
    }

    fn curve(
        task: &PassTask<Self>,
        chosen: &LibrarySettings,
        progress: &mut Progress,
    ) -> Result<Option<WindowCurve>> {
        curve(task, chosen, progress)
    }
}

/// Returns the smallest of some limits at which a library takes the data, and no row is longer than it: the longest
/// sequence, and powers of two, which some libraries want.
fn least(chosen: &LibrarySettings, data: &Histogram<1>) -> Option<u32> {
    let [longest] = data.max();
    // OLMo-core refuses all others.
    let powers = [chosen.limit, longest].map(u32::checked_next_power_of_two);
    let takes = |limit: &u32| {
        let mut other = chosen.clone();
        other.limit = *limit;
        let recipe = other.recipe();
        *limit > chosen.limit
            && recipe.is_ok_and(|recipe| {
                recipe.refuse(data).is_ok() && (longest <= *limit || !recipe.exceeds())
            })
    };
    powers
        .into_iter()
        .flatten()
        .chain([longest])
        .filter(takes)
        .min()
}

impl PassTask<'_, PackingLibraries> {
    /// Whether a sample is packed: items are taken one by one, and there are many.
    pub(super) fn samples(&self, recipe: &Recipe) -> bool {
        !recipe.is_computed_from_counts() && self.few.items() < self.data.items()
    }

    /// Returns the recipe for these data: without leaving out a last step where a sample is packed.
    /// Of all the sequences that step is next to nothing; of the sample it would seem to be much.
    fn recipe<'r>(&self, recipe: &'r Recipe) -> Cow<'r, Recipe> {
        if recipe.whole_steps && self.few.items() < self.data.items() {
            return Cow::Owned(Recipe {
                whole_steps: false,
                ..recipe.clone()
            });
        }
        Cow::Borrowed(recipe)
    }

    pub(super) fn run(&self, recipe: &Recipe, seed: u64, progress: &mut Progress) -> Result<Run> {
        // Of all data, not of the sample, which may lack the one that is too long.
        recipe.refuse(self.data)?;
        let recipe = &*self.recipe(recipe);
        let samples = self.samples(recipe);
        let data = if samples { &*self.few } else { self.data };
        // The library goes on without an end, so that one pass is a part of many.
        let tally = match self.endless(recipe) {
            Some((many, passes)) => {
                let tally = recipe
                    .run(&many, self.order(seed), progress)?
                    .scaled(1, passes);
                // The remainder of the division is trained, too, in rows that are full.
                let real_tokens = self.data.total()[0].saturating_sub(tally.lost_tokens());
                let rows = real_tokens.div_ceil(u64::from(recipe.capacity));
                RowTally {
                    real_tokens,
                    rows,
                    slots: real_tokens,
                    ..tally
                }
            }
            None => recipe.run(data, self.order(seed), progress)?,
        };
        let tally = if samples {
            tally.scaled(self.data.items(), data.items())
        } else {
            tally
        };
        Ok(self.record(recipe, tally, seed))
    }

    /// Returns many passes over few sequences, and their number, for a loader that goes over from one pass into the next:
    /// in one alone its buffer would be emptied at the end, and less would be cropped.
    fn endless(&self, recipe: &Recipe) -> Option<(Histogram<1>, u64)> {
        let Block::Crop { size, .. } = recipe.block else {
            return None;
        };
        let passes = (BUFFERS * u64::from(size))
            .div_ceil(self.data.items().max(1))
            .min(PASSES);
        if passes < 2 || !self.request.order.is_empty() {
            return None;
        }
        let many = self
            .data
            .entries()
            .iter()
            // No overflow: all of them are about as many as `BUFFERS` buffers hold.
            .map(|&([length], n)| (length, n * passes));
        Some((Histogram::from_lengths(many).ok()?, passes))
    }

    fn record(&self, recipe: &Recipe, tally: RowTally, seed: u64) -> Run {
        Run {
            seed,
            steps: Some(self.cost(&tally, recipe).steps),
            tally,
        }
    }

    pub(super) fn cost(&self, tally: &RowTally, recipe: &Recipe) -> PassCost {
        recipe.cost(tally, self.data.items(), self.request.given.batch)
    }
}
