//! Requests about what graph libraries do with data today: one loader with its settings, or all side by side.

use super::about::{About, Which};
use super::advice::{self, Advice, some_shares};
use super::figures::{mean, part};
use super::{Arrival, Seeded, counted, taken};
use crate::api::Query;
use crate::error::Result;
use crate::histogram::{Histogram, Overlong, Size};
use crate::packing::tuple::{self, Algorithm, Heuristic};
use crate::packing::{Depth, Progress};
use crate::trainer::graphs::{Graphs, Outcome, Recipe, Shape, Tally};
use crate::trainer::{Chosen, Field};
use crate::words::{count, percent};
use serde::{Deserialize, Serialize};

/// Graphs, and what is asked about them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// ((nodes, edges), number of graphs), in any order.
    pub counts: Vec<(Size<2>, u64)>,
    /// All graphs in their order, instead of the counts; empty where the order is not known.
    pub order: Vec<Size<2>>,
    /// Slots of a batch for nodes and for edges; [`FREE`](crate::histogram::FREE) for none.
    pub limits: Size<2>,
    /// The loaders.
    pub which: Which,
    /// The first of the seeds that stand for the order of arrival.
    pub seed: u64,
    /// How many seeds; at least 1.
    pub seeds: u32,
    /// Whether batches are compared with the best plan that a search finds, otherwise with that of a short search.
    pub optimum: bool,
}

/// The outcome of a loader on the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The loader at its settings.
    pub about: About,
    /// The size of a batch, of the first seed.
    pub shape: Option<Shape>,
    /// Figures, as means over the runs.
    pub figures: Option<Figures>,
    /// The outcome of each seed: one where the order does not matter or is known.
    pub runs: Vec<Run>,
    /// Its cost, and the single change that helps most, where one loader was asked about and its batches were not.
    pub advice: Option<Advice>,
    /// Packs of the best plan that is known for all graphs that fit a batch of this size, and graphs that do not.
    pub best: Option<(u64, u64)>,
    /// The batches, as the (nodes, edges) of their graphs, where they were asked for.
    pub packs: Option<Vec<Vec<Size<2>>>>,
}

/// The outcome of one seed: where the graphs went.
pub type Run = Seeded<Tally>;

/// Means over runs; pairs are of nodes and edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Batches with a graph.
    pub batches: f64,
    /// Share of batches above the best plan for as many graphs, in batches of the same size.
    pub above_best: Option<f64>,
    /// Graphs in a batch.
    pub graphs_per_batch: f64,
    /// Slots of all batches; those in use where a component is not limited.
    pub slots: [f64; 2],
    /// Share of the slots that is empty; `None` where a component is not limited.
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

impl Query for Request {
    type Report = Vec<Answer>;

    fn run(&self, progress: &mut Progress) -> Result<Vec<Answer>> {
        let data = counted(self.counts.iter().copied(), self.order.iter().copied())?;
        self.which.each::<Graphs, _>(
            self.limits,
            progress,
            |chosen, list, progress| self.answer(&data, chosen, list, progress),
            |chosen, answer, progress| {
                answer.advice = self.advice(&data, chosen, answer, progress)?;
                Ok(())
            },
        )
    }
}

impl Request {
    fn arrival(&self) -> Arrival<'_, Size<2>> {
        Arrival { order: &self.order, seed: self.seed, seeds: self.seeds }
    }

    fn answer(
        &self,
        data: &Histogram<2>,
        chosen: &Chosen<Graphs>,
        list: bool,
        progress: &mut Progress,
    ) -> Result<Answer> {
        let mut answer = Answer {
            about: About::new(chosen),
            shape: None,
            figures: None,
            runs: Vec::new(),
            advice: None,
            best: None,
            packs: None,
        };
        let outcomes = chosen.recipe().and_then(|recipe| {
            answer.about.algorithm = recipe.words();
            self.outcomes(&recipe, data, list, progress)
        });
        let mut outcomes = match taken(outcomes)? {
            Ok(outcomes) => outcomes,
            Err(why) => {
                answer.about.refused = Some(why);
                return Ok(answer);
            }
        };
        let Some(shape) = outcomes.first().map(|first| first.1.shape) else { return Ok(answer) };
        if list {
            answer.packs = outcomes.first_mut().map(|first| std::mem::take(&mut first.1.listed));
        }
        answer.about.lines = with_number(chosen, &shape).lines();
        answer.best = self.best(data, &shape, progress)?;
        answer.shape = Some(shape);
        answer.runs = outcomes.into_iter().map(|(seed, made)| Run { seed, tally: made.tally }).collect();
        answer.figures = Some(Figures::mean(&answer.runs, &shape, answer.best));
        Ok(answer)
    }

    fn outcomes(
        &self,
        recipe: &Recipe,
        data: &Histogram<2>,
        list: bool,
        progress: &mut Progress,
    ) -> Result<Vec<(u64, Outcome)>> {
        let seeds = self.arrival().seeds(list || recipe.order_free());
        let one = |seed| Ok((seed, recipe.run(data, self.arrival().by(seed), seed, list, progress)?));
        seeds.map(one).collect()
    }

    fn advice(
        &self,
        data: &Histogram<2>,
        chosen: &Chosen<Graphs>,
        answer: &Answer,
        progress: &mut Progress,
    ) -> Result<Option<Advice>> {
        let padded = answer.shape.is_some_and(|shape| shape.padded);
        let now = answer.runs.first().map(|run| run.tally.cost(padded));
        let run = |recipe: &Recipe| {
            let made = recipe.run(data, self.arrival().first(), self.seed, false, progress)?;
            Ok(made.tally.cost(made.shape.padded))
        };
        let parts = answer.figures.as_ref().zip(answer.shape).map(|(figures, shape)| parts(figures, &shape));
        let cost = advice::cost(&answer.about, parts);
        advice::of_batches(chosen, now, run, &cost, ("graphs", "node and edge"))
    }

    /// Returns packs of this size, and graphs that are too large for it.
    fn best(
        &self,
        data: &Histogram<2>,
        shape: &Shape,
        progress: &mut Progress,
    ) -> Result<Option<(u64, u64)>> {
        let limits = shape.limits();
        let Ok(fitted) = data.fit(limits, Overlong::Drop) else { return Ok(None) };
        let task = tuple::Task::new(limits, Depth::Unlimited, Heuristic::Product);
        let algorithm = if self.optimum { Algorithm::Optimal } else { Algorithm::Search };
        let packed = taken(algorithm.run(&fitted.histogram, &task, progress))?.ok();
        Ok(packed.map(|packed| (packed.plan.packs(), fitted.overlong_items)))
    }
}

/// Returns what the settings cost, as parts of a sentence.
fn parts(figures: &Figures, shape: &Shape) -> Vec<String> {
    let mut parts = match (shape.padded, figures.padding_share) {
        (true, [Some(nodes), Some(edges)]) => vec![format!(
            "{} of the node slots and {} of the edge slots are padding",
            percent(nodes),
            percent(edges)
        )],
        _ => {
            let [nodes, edges] = figures.largest.map(count);
            vec![format!("nothing is padded, the largest batch has {nodes} nodes and {edges} edges")]
        }
    };
    parts.extend(some_shares([
        (figures.skipped_share, "of the graphs are skipped in a pass"),
        (figures.repeated_share, "of the graphs are trained twice in a pass"),
    ]));
    parts
}

/// Puts the number of graphs that fit in place of the word for it.
fn with_number(chosen: &Chosen<Graphs>, shape: &Shape) -> Chosen<Graphs> {
    let mut chosen = chosen.clone();
    for Field { name, value } in chosen.fields() {
        if let (true, Some(graphs)) = (value == "fits", shape.graphs) {
            // A number is always accepted in place of the word, up to a million.
            let _ = chosen.set(&name, &graphs.min(1_000_000).to_string());
        }
    }
    chosen
}

impl Figures {
    fn mean(runs: &[Run], shape: &Shape, best: Option<(u64, u64)>) -> Self {
        let mean = |of: &dyn Fn(&Tally) -> f64| mean(runs.iter().map(|run| of(&run.tally)));
        let of_all = |of: &dyn Fn(&Tally) -> u64| mean(&|t| part(of(t), t.graphs + t.skipped_graphs));
        let each = |of: &dyn Fn(&Tally, usize) -> f64| [0, 1].map(|k| mean(&|t| of(t, k)));
        let above_best = best.and_then(|(packs, alone)| {
            let some = packs > 0 && runs.iter().all(|run| run.tally.graphs > 0);
            let above = |t: &Tally| {
                // What does not fit a batch of this size has one of its own, unless it is skipped.
                let fewest =
                    packs as f64 * part(t.graphs, t.graphs + t.skipped_graphs - alone.min(t.skipped_graphs));
                t.batches as f64 / (fewest + alone.saturating_sub(t.skipped_graphs) as f64) - 1.0
            };
            some.then(|| mean(&above))
        });
        let padding = each(&|t, k| t.padding_share()[k]);
        Self {
            batches: mean(&|t| t.batches as f64),
            above_best,
            graphs_per_batch: mean(&|t| part(t.graphs + t.repeated_graphs, t.batches)),
            slots: each(&|t, k| t.slots[k] as f64),
            padding_share: [0, 1].map(|k| shape.slots[k].map(|_| padding[k])),
            skipped_share: of_all(&|t| t.skipped_graphs),
            lost_share: each(&|t, k| part(t.skipped[k], t.all()[k])),
            repeated_share: of_all(&|t| t.repeated_graphs),
            above: mean(&|t| t.above as f64),
            empty: mean(&|t| t.empty as f64),
            largest: [0, 1].map(|k| runs.iter().map(|run| run.tally.largest[k]).max().unwrap_or(0)),
        }
    }
}
