//! Requests about what graph libraries do with data today: one loader with its settings, or all side by side.

use super::about::{About, Which};
use super::advice::{self, Advice, Outcome as Tried};
use super::batches::MORE;
use crate::api::Query;
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Overlong, Size};
use crate::packing::tuple::{self, Algorithm, Heuristic};
use crate::packing::{Depth, Progress, Step};
use crate::trainer::graphs::{Graphs, Outcome, Recipe, Shape, Tally};
use crate::trainer::{Chosen, Field, Order};
use crate::words::{capital, count, percent};
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
    /// Whether batches are compared with the best plan that a search finds, else with that of a short one.
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
    /// Its cost, and the setting that mends most, where one loader was asked about and its batches were not.
    pub advice: Option<Advice>,
    /// Packs of the best plan that is known for all graphs that fit a batch of this size, and graphs that do not.
    pub best: Option<(u64, u64)>,
    /// The batches, as the (nodes, edges) of their graphs, where they were asked for.
    pub packs: Option<Vec<Vec<Size<2>>>>,
}

/// The outcome of one seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The seed.
    pub seed: u64,
    /// Where the graphs went.
    pub tally: Tally,
}

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
        let data = match self.order.is_empty() {
            true => Histogram::from_counts(self.counts.iter().copied())?,
            false => Histogram::from_counts(self.order.iter().map(|size| (*size, 1)))?,
        };
        let (chosen, list) = self.which.chosen::<Graphs>(self.limits)?;
        let of = chosen.len() as u64;
        let mut answers = Vec::new();
        for (done, chosen) in (0..).zip(&chosen) {
            // The progress of one of several is none of the whole.
            let mut within = |step| progress(if of == 1 { step } else { Step::Done { done, of } });
            let mut answer = self.answer(&data, chosen, list, &mut within)?;
            if matches!(self.which, Which::One { .. }) && !list {
                answer.advice = self.advice(&data, chosen, &answer, progress)?;
            }
            answers.push(answer);
        }
        Ok(answers)
    }
}

impl Request {
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
        let mut outcomes = match outcomes {
            Ok(outcomes) => outcomes,
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            // Limits or data that this library does not take; others may.
            Err(error) => {
                answer.about.refused = Some(error.to_string());
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
        let one = !self.order.is_empty() || list || recipe.order_free();
        let seeds = if one { 1 } else { u64::from(self.seeds.max(1)) };
        let one = |at: u64| {
            let seed = self.seed.wrapping_add(at);
            Ok((seed, recipe.run(data, self.order(seed), seed, list, progress)?))
        };
        (0..seeds).map(one).collect()
    }

    /// Returns the order of a seed, or the one that is known.
    fn order(&self, seed: u64) -> Order<'_, Size<2>> {
        if self.order.is_empty() { Order::Seed(seed) } else { Order::Given(&self.order[..]) }
    }

    fn advice(
        &self,
        data: &Histogram<2>,
        chosen: &Chosen<Graphs>,
        answer: &Answer,
        progress: &mut Progress,
    ) -> Result<Option<Advice>> {
        let padded = answer.shape.is_some_and(|shape| shape.padded);
        let now = answer.runs.first().map(|run| &run.tally);
        let tried = advice::each(chosen, |recipe| {
            let made = recipe.run(data, self.order(self.seed), self.seed, false, progress)?;
            // Less padding by many more steps is no advice.
            let many = now.is_some_and(|now| made.tally.batches as f64 > now.batches as f64 * MORE);
            Ok((!many).then(|| outcome(&made.tally, made.shape.padded)))
        })?;
        let now = now.map(|tally| outcome(tally, padded));
        Ok(advice::judged(now, tried, &cost(answer), ("graphs", "node and edge")))
    }

    /// Returns packs of this size, and graphs that are too large for it.
    fn best(
        &self,
        data: &Histogram<2>,
        shape: &Shape,
        progress: &mut Progress,
    ) -> Result<Option<(u64, u64)>> {
        let limits = shape.limits();
        let fitted = match data.fit(limits, Overlong::Drop) {
            Ok(fitted) => fitted,
            Err(_) => return Ok(None),
        };
        let task = tuple::Task::new(limits, Depth::Unlimited, Heuristic::Product);
        let algorithm = if self.optimum { Algorithm::Optimal } else { Algorithm::Search };
        match algorithm.run(&fitted.histogram, &task, progress) {
            Ok(packed) => Ok(Some((packed.plan.packs(), fitted.overlong_items))),
            Err(Error::Cancelled) => Err(Error::Cancelled),
            Err(_) => Ok(None),
        }
    }
}

/// Room that is left costs nothing where nothing is padded.
fn outcome(tally: &Tally, padded: bool) -> Tried {
    let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
    let slots = [0, 1].map(|k| share(tally.slots[k], tally.real[k]));
    Tried {
        lost_share: share(tally.skipped_graphs, tally.graphs + tally.skipped_graphs),
        slots: if padded { (slots[0] + slots[1]) / 2.0 } else { 1.0 },
        cut_share: 0.0,
    }
}

/// Returns what the settings cost, in a sentence.
fn cost(answer: &Answer) -> String {
    if let Some(refused) = &answer.about.refused {
        return format!("It refuses these data: {refused}.");
    }
    let (Some(figures), Some(shape)) = (&answer.figures, &answer.shape) else { return String::new() };
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
    for (share, fate) in [(figures.skipped_share, "skipped"), (figures.repeated_share, "trained twice")] {
        if share > 0.0 {
            parts.push(format!("{} of the graphs are {fate} in a pass", percent(share)));
        }
    }
    format!("{}.", capital(&parts.join(", ")))
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
        let mean = |of: &dyn Fn(&Tally) -> f64| {
            runs.iter().map(|run| of(&run.tally)).sum::<f64>() / runs.len().max(1) as f64
        };
        let share = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
        let of_all = |of: &dyn Fn(&Tally) -> u64| mean(&|t| share(of(t), t.graphs + t.skipped_graphs));
        let each = |of: &dyn Fn(&Tally, usize) -> f64| [0, 1].map(|k| mean(&|t| of(t, k)));
        let above_best = best.and_then(|(packs, alone)| {
            let some = packs > 0 && runs.iter().all(|run| run.tally.graphs > 0);
            let above = |t: &Tally| {
                // What does not fit a batch of this size has one of its own, unless it is skipped.
                let fewest =
                    packs as f64 * share(t.graphs, t.graphs + t.skipped_graphs - alone.min(t.skipped_graphs));
                t.batches as f64 / (fewest + alone.saturating_sub(t.skipped_graphs) as f64) - 1.0
            };
            some.then(|| mean(&above))
        });
        let padding = each(&|t, k| t.padding_share()[k]);
        Self {
            batches: mean(&|t| t.batches as f64),
            above_best,
            graphs_per_batch: mean(&|t| share(t.graphs + t.repeated_graphs, t.batches)),
            slots: each(&|t, k| t.slots[k] as f64),
            padding_share: [0, 1].map(|k| shape.slots[k].map(|_| padding[k])),
            skipped_share: of_all(&|t| t.skipped_graphs),
            lost_share: each(&|t, k| share(t.skipped[k], t.all()[k])),
            repeated_share: of_all(&|t| t.repeated_graphs),
            above: mean(&|t| t.above as f64),
            empty: mean(&|t| t.empty as f64),
            largest: [0, 1].map(|k| runs.iter().map(|run| run.tally.largest[k]).max().unwrap_or(0)),
        }
    }
}
