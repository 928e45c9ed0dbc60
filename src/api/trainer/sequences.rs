//! Libraries that pack sequences into rows.

use super::advice::{Nouns, some_shares};
use super::curve::curve;
use super::figures::{Figures, Reference, Spread, reference, whole_context};
use super::pass::{Pass, Task, check};
use super::{Answer, Curve, Run};
use crate::error::Result;
use crate::histogram::Histogram;
use crate::packing::Progress;
use crate::trainer::batches::Room;
use crate::trainer::{Chosen, Cost, Recipe, Sequences, Tally, sampled};
use crate::words::percent;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The part of an answer that only libraries that pack rows have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OfRows {
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
}

impl Pass for Sequences {
    type Item = u32;
    type Data = Histogram<1>;
    type Given = Room;
    type Own = OfRows;
    type Figures = Figures;
    type Tally = Tally;
    const NOUNS: Nouns = ("tokens", "token");
    // Fewer rows are longer, so there is no limit.
    const MORE: f64 = f64::INFINITY;

    fn limits(room: Room) -> u32 {
        room.limit
    }

    fn check(room: Room) -> Result<()> {
        check(room)
    }

    fn data(counts: impl Iterator<Item = (u32, u64)>) -> Result<Histogram<1>> {
        Histogram::from_lengths(counts)
    }

    fn few(data: &Histogram<1>) -> Cow<'_, Histogram<1>> {
        sampled(data)
    }

    fn own(chosen: &Chosen) -> OfRows {
        OfRows { limit: chosen.limit, padded: true, sample: None, spread: None, reference: None }
    }

    fn algorithm(recipe: &Recipe) -> String {
        recipe.block.words()
    }

    /// Uses a sample for recipes that take items one by one, if there are many.
    fn pass(
        task: &Task<Self>,
        (_, recipe): (&Chosen, &Recipe),
        list: bool,
        answer: &mut Answer,
        progress: &mut Progress,
    ) -> Result<()> {
        let own = &mut answer.own;
        own.padded = recipe.padded;
        own.sample = task.samples(recipe).then(|| task.few.items());
        let seeds = task.seeds(recipe.order_free() || own.sample.is_some());
        let runs = seeds.map(|seed| task.run(recipe, seed, progress)).collect::<Result<Vec<Run>>>()?;
        let tally = runs.first().map(|run| &run.tally);
        own.reference = reference(task.data, recipe, tally, task.request.optimum, progress);
        own.spread = Some(Spread::new(&runs));
        let costs: Vec<Cost> = runs.iter().map(|run| task.cost(&run.tally, recipe)).collect();
        let best = own.reference.as_ref().map(|known| (known, known.slots(recipe)));
        answer.figures = Some(Figures::mean(&runs, &costs, best, whole_context(task.data, recipe.shift)));
        answer.runs = runs;
        if list {
            let seed = task.request.seed;
            let (tally, listed) = recipe.list(task.data, task.order(seed), progress)?;
            answer.runs = vec![task.record(recipe, tally, seed)];
            answer.packs = Some(listed);
        }
        Ok(())
    }

    fn now(task: &Task<Self>, recipe: &Recipe, answer: &Answer, _: &mut Progress) -> Result<Option<Cost>> {
        Ok(answer.runs.first().map(|run| task.cost(&run.tally, recipe)))
    }

    fn cost(task: &Task<Self>, recipe: &Recipe, progress: &mut Progress) -> Result<Cost> {
        Ok(task.cost(&task.run(recipe, task.request.seed, progress)?.tally, recipe))
    }

    fn parts(recipe: &Recipe, answer: &Answer) -> Option<Vec<String>> {
        let figures = answer.figures.as_ref()?;
        let mut parts = some_shares([
            (figures.dropped_share, "of the tokens are dropped"),
            (figures.truncated_share, "of the tokens are cut off"),
            (figures.cut_share, "of the tokens do not see the beginning of their sequence"),
        ]);
        parts.push(match figures.computed_above {
            _ if !recipe.padded && !recipe.block.packs() => {
                "nothing is padded, and nothing is packed: each row is one sequence".to_owned()
            }
            Some(above) if above >= 0.00005 => {
                format!("{} more is computed than in the best plan", percent(above))
            }
            _ => "nothing is computed in vain".to_owned(),
        });
        Some(parts)
    }

    fn curve(task: &Task<Self>, chosen: &Chosen, progress: &mut Progress) -> Result<Option<Curve>> {
        curve(task, chosen, progress)
    }
}

impl Task<'_, Sequences> {
    /// Whether a sample is packed: items are taken one by one, and there are many.
    fn samples(&self, recipe: &Recipe) -> bool {
        !recipe.counted() && self.few.items() < self.data.items()
    }

    pub(super) fn run(&self, recipe: &Recipe, seed: u64, progress: &mut Progress) -> Result<Run> {
        recipe.refuse(self.data)?;
        let samples = self.samples(recipe);
        let data = if samples { &*self.few } else { self.data };
        let tally = recipe.run(data, self.order(seed), progress)?;
        let tally = if samples { tally.scaled(self.data.items(), data.items()) } else { tally };
        Ok(self.record(recipe, tally, seed))
    }

    fn record(&self, recipe: &Recipe, tally: Tally, seed: u64) -> Run {
        Run { seed, steps: Some(self.cost(&tally, recipe).steps), tally }
    }

    pub(super) fn cost(&self, tally: &Tally, recipe: &Recipe) -> Cost {
        recipe.cost(tally, self.data.items(), self.request.given.batch)
    }
}
