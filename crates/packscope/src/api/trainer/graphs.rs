//! Loaders of graphs.

pub use super::figures::GraphFigures as Figures;
use super::figures::{mean, part, some_shares};
use super::pass::{Nouns, Pass, PassTask};
use super::presentation::{LOADING, Presentation};
use super::{LibraryAnswer, LibraryKind, Run, refusal_of};
use crate::error::Result;
use crate::histogram::{Histogram, Overlong, Size};
use crate::packing::tuple::{self, Heuristic, TupleAlgorithm};
use crate::packing::{Depth, Progress, go_on};
use crate::trainer::graphs::{
    GraphBatchShape, GraphLibraries, GraphPassOutcome, GraphRecipe, GraphTally,
};
use crate::trainer::{LibrarySettings, PassCost, SettingValue};
use crate::words::{count, percent};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The part of an answer that only loaders of graphs have.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoaderDetails {
    /// The size of a batch, with the first seed.
    pub shape: Option<GraphBatchShape>,
    /// Packs of the best plan known for the graphs that fit a batch of this size, and the number of other graphs.
    pub best: Option<(u64, u64)>,
    /// The smallest limits at which a library that refuses these takes every graph.
    pub least: Option<Size<2>>,
}

impl LoaderDetails {
    /// Whether batches are filled up to their size.
    pub(super) fn is_padded(&self) -> bool {
        self.shape.is_some_and(|shape| shape.padded)
    }
}

impl Pass for GraphLibraries {
    type Item = Size<2>;
    type Data = Histogram<2>;
    /// Slots of a batch for nodes and for edges; [`FREE`](crate::histogram::FREE) for no limit.
    type RequestLimits = Size<2>;
    type Own = LoaderDetails;
    type Figures = Figures;
    type Tally = GraphTally;
    const NOUNS: Nouns = ("graphs", "node and edge");
    // Less padding with many more steps is not advised, as for batches of sequences.
    const MORE: f64 = 1.1;
    const PRESENTATION: &'static Presentation<Self> = &LOADING;

    fn limits(limits: Size<2>) -> Size<2> {
        limits
    }

    fn kind(limits: Size<2>) -> LibraryKind {
        LibraryKind::Graphs(limits)
    }

    fn data(counts: impl Iterator<Item = (Size<2>, u64)>) -> Result<Histogram<2>> {
        Histogram::from_counts(counts)
    }

    fn few(data: &Histogram<2>) -> Cow<'_, Histogram<2>> {
        Cow::Borrowed(data)
    }

    fn own(_: &LibrarySettings<Self>) -> LoaderDetails {
        LoaderDetails::default()
    }

    fn algorithm(recipe: &GraphRecipe) -> String {
        recipe.words()
    }

    fn pass(
        task: &PassTask<Self>,
        (chosen, recipe): (&LibrarySettings<Self>, &GraphRecipe),
        list: bool,
        answer: &mut LibraryAnswer<Self>,
        progress: &mut Progress,
    ) -> Result<()> {
        let one = |seed| {
            Ok((
                seed,
                recipe.run(task.data, task.order(seed), seed, list, progress)?,
            ))
        };
        let made = task
            .seeds(list || recipe.order_free())
            .map(one)
            .collect::<Result<Vec<_>>>();
        // One more run, with one graph in a batch, so that the refusal can name limits that are
        // taken.
        if made.is_err() {
            let seed = task.request.seed;
            let least = recipe.least(task.data, task.order(seed), seed, &mut go_on);
            answer.own.least = least.ok().flatten();
        }
        let mut made = made?;
        let Some((_, first)) = made.first_mut() else {
            return Ok(());
        };
        let shape = first.shape;
        answer.packs = list.then(|| std::mem::take(&mut first.listed));
        // Libraries know no word for "as many as fit": the lines need the number that was found.
        answer.about.lines = with_number(chosen, &shape).lines();
        answer.own = LoaderDetails {
            shape: Some(shape),
            best: best(task, &shape, progress)?,
            least: None,
        };
        let run = |(seed, made): (u64, GraphPassOutcome)| Run {
            seed,
            steps: None,
            tally: made.tally,
        };
        answer.runs = made.into_iter().map(run).collect();
        answer.figures = Some(Figures::mean(&answer.runs, &shape, answer.own.best));
        Ok(())
    }

    fn now(
        _: &PassTask<Self>,
        _: &GraphRecipe,
        answer: &LibraryAnswer<Self>,
        _: &mut Progress,
    ) -> Result<Option<PassCost>> {
        let padded = answer.own.is_padded();
        Ok(answer.runs.first().map(|run| run.tally.cost(padded)))
    }

    fn cost(
        task: &PassTask<Self>,
        recipe: &GraphRecipe,
        progress: &mut Progress,
    ) -> Result<PassCost> {
        let seed = task.request.seed;
        let made = recipe.run(task.data, task.order(seed), seed, false, progress)?;
        Ok(made.tally.cost(made.shape.padded))
    }

    fn parts(_: &GraphRecipe, answer: &LibraryAnswer<Self>) -> Option<Vec<String>> {
        let (figures, shape) = answer.figures.as_ref().zip(answer.own.shape)?;
        let mut parts = match (shape.padded, figures.padding_share) {
            (true, [Some(nodes), Some(edges)]) => vec![format!(
                "{} of the node slots and {} of the edge slots are padding",
                percent(nodes),
                percent(edges)
            )],
            _ => {
                let [nodes, edges] = figures.largest.map(count);
                vec![format!(
                    "nothing is padded, the largest batch has {nodes} nodes and {edges} edges"
                )]
            }
        };
        parts.extend(some_shares([
            (figures.skipped_share, "of the graphs are skipped in a pass"),
            (
                figures.repeated_share,
                "of the graphs are trained twice in a pass",
            ),
        ]));
        Some(parts)
    }
}

/// Returns packs of this size, and the number of graphs that are too large for it.
fn best(
    task: &PassTask<GraphLibraries>,
    shape: &GraphBatchShape,
    progress: &mut Progress,
) -> Result<Option<(u64, u64)>> {
    let limits = shape.limits();
    let Ok(fitted) = task.data.fit(limits, Overlong::Drop) else {
        return Ok(None);
    };
    let of = tuple::TupleTask::new(limits, Depth::Unlimited, Heuristic::Product);
    let algorithm = if task.request.optimum {
        TupleAlgorithm::Optimal
    } else {
        TupleAlgorithm::Search
    };
    let packed = refusal_of(algorithm.run(&fitted.histogram, &of, progress))?.ok();
    Ok(packed.map(|packed| (packed.plan.packs(), fitted.overlong_items)))
}

/// Replaces the word for the number of graphs that fit by that number.
fn with_number(
    chosen: &LibrarySettings<GraphLibraries>,
    shape: &GraphBatchShape,
) -> LibrarySettings<GraphLibraries> {
    let mut chosen = chosen.clone();
    for SettingValue { name, value } in chosen.fields() {
        if let (true, Some(graphs)) = (value == "fits", shape.graphs) {
            // A number is always accepted in place of the word, up to a million.
            let _ = chosen.set(&name, &graphs.min(1_000_000).to_string());
        }
    }
    chosen
}

impl Figures {
    fn mean(
        runs: &[Run<GraphLibraries>],
        shape: &GraphBatchShape,
        best: Option<(u64, u64)>,
    ) -> Self {
        let mean = |of: &dyn Fn(&GraphTally) -> f64| mean(runs.iter().map(|run| of(&run.tally)));
        let of_all =
            |of: &dyn Fn(&GraphTally) -> u64| mean(&|t| part(of(t), t.graphs + t.skipped_graphs));
        let each = |of: &dyn Fn(&GraphTally, usize) -> f64| [0, 1].map(|k| mean(&|t| of(t, k)));
        let above_best = best.and_then(|(packs, alone)| {
            let some = packs > 0 && runs.iter().all(|run| run.tally.graphs > 0);
            let above = |t: &GraphTally| {
                // A graph that does not fit a batch of this size has its own batch, unless it is skipped.
                let fewest = packs as f64
                    * part(
                        t.graphs,
                        t.graphs + t.skipped_graphs - alone.min(t.skipped_graphs),
                    );
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
            largest: [0, 1].map(|k| {
                runs.iter()
                    .map(|run| run.tally.largest[k])
                    .max()
                    .unwrap_or(0)
            }),
        }
    }
}
