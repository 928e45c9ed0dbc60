//! Loaders of graphs.

use super::{Figure, Look, Picture, Place, Sheet, Shown, Side, above, ends, figure, most_used, number};
use crate::api::Query;
use crate::api::trainer::graphs::Figures;
use crate::api::trainer::{self, Wanted};
use crate::error::Result;
use crate::export::{Cell, Table};
use crate::histogram::{FREE, Histogram, Size};
use crate::packing::Progress;
use crate::trainer::graphs::{Graphs, Shape};
use crate::words::{count, mean, percent};

type Answer = trainer::Answer<Graphs>;

/// (name in CSV, name for people).
const COLUMNS: [(&str, &str); 9] = [
    ("batches", "batches"),
    ("above_best", "above best"),
    ("graphs_per_batch", "graphs each"),
    ("padding_share_nodes", "node padding"),
    ("padding_share_edges", "edge padding"),
    ("skipped_share", "skipped"),
    ("repeated_share", "twice"),
    ("largest_nodes", "most nodes"),
    ("largest_edges", "most edges"),
];

/// Returns a row for each loader.
pub fn table(answers: &[Answer]) -> Table {
    super::table(&COLUMNS, answers.iter().map(|answer| (look(answer), answer.figures.as_ref().map(cells))))
}

/// Returns what a loader skips and computes in vain: nothing is, where nothing is padded.
fn look(answer: &Answer) -> Look {
    let f = answer.figures.as_ref();
    let padded = answer.own.shape.is_some_and(|shape| shape.padded);
    let above = f.and_then(|f| if padded { f.above_best.map(|above| above.max(0.0)) } else { Some(0.0) });
    Look::new(&answer.about, answer.advice.as_ref(), f.map(|f| f.skipped_share), above)
}

/// Returns the loader that is used most, in a sentence.
pub fn headline(answers: &[Answer], limits: Size<2>) -> String {
    let limits = format!("limits of {}", in_words(limits));
    let look = most_used::<Graphs>(answers.iter().map(look));
    look.map_or_else(String::new, |look| look.headline("graphs", &limits, false))
}

fn in_words(limits: Size<2>) -> String {
    let [nodes, edges] =
        limits.map(|limit| if limit == FREE { "any number of".to_owned() } else { count(u64::from(limit)) });
    format!("{nodes} nodes and {edges} edges")
}

fn cells(figures: &Figures) -> Vec<Cell> {
    let share = |share: f64| Cell::new(share, percent(share));
    let [nodes, edges] = figures.padding_share.map(|share| Cell::maybe(share, percent));
    let [most_nodes, most_edges] = figures.largest.map(|most| Cell::new(most, count(most)));
    vec![
        Cell::new(figures.batches, number(figures.batches)),
        Cell::maybe(figures.above_best, above),
        Cell::new(figures.graphs_per_batch, mean(figures.graphs_per_batch)),
        nodes,
        edges,
        share(figures.skipped_share),
        share(figures.repeated_share),
        most_nodes,
        most_edges,
    ]
}

/// Answers a page's question about loaders. A library or a setting that does not exist gives a refusal as the answer.
///
/// # Errors
/// [`Error::Cancelled`](crate::error::Error::Cancelled); limits of 0.
pub fn shown(
    wanted: &Wanted,
    limits: Size<2>,
    data: &Histogram<2>,
    progress: &mut Progress,
) -> Result<Shown> {
    let request = trainer::Request::<Graphs> {
        counts: data.entries().to_vec(),
        order: Vec::new(),
        given: limits,
        question: wanted.question(),
        seed: 0,
        seeds: wanted.seeds,
        optimum: false,
    };
    Shown::new(
        wanted,
        request.run(progress).map(|report| report.answers),
        |answers| side(answers, limits),
        |answers| sheet(answers, limits),
    )
}

fn sheet(answers: &[Answer], limits: Size<2>) -> Sheet {
    let Some(answer) = answers.first() else { return Sheet::none("there is no loader") };
    let (title, figures) = match (&answer.figures, &answer.own.shape) {
        (Some(f), Some(shape)) => (title(answer, f, shape, limits), figures(answer, f, shape)),
        _ => (String::new(), Vec::new()),
    };
    Sheet::new(&answer.about, answer.advice.as_ref(), title, figures)
}

fn title(answer: &Answer, f: &Figures, shape: &Shape, limits: Size<2>) -> String {
    let name = &answer.about.title;
    let skipped = (f.skipped_share >= 0.0005)
        .then(|| format!("; {} of the graphs are skipped in a pass", percent(f.skipped_share)));
    let skipped = skipped.unwrap_or_default();
    match (shape.padded, f.padding_share) {
        (true, [Some(of_nodes), Some(of_edges)]) => format!(
            "With {name}, {} of the node slots and {} of the edge slots are padding at limits of {}{skipped}",
            percent(of_nodes),
            percent(of_edges),
            in_words(limits)
        ),
        _ => {
            let [most_nodes, most_edges] = f.largest.map(count);
            let batches = count(f.batches.round() as u64);
            format!(
                "{name} makes {batches} batches without padding, the largest of {most_nodes} nodes and {most_edges} edges{skipped}"
            )
        }
    }
}

fn figures(answer: &Answer, f: &Figures, shape: &Shape) -> Vec<Figure> {
    let batches = answer.runs.iter().map(|run| run.tally.batches);
    let spread = match (batches.clone().min(), batches.max()) {
        (Some(least), Some(most)) if least < most => {
            Some(format!("{} to {} by order", count(least), count(most)))
        }
        _ => None,
    };
    let best = f.above_best.map(|share| match share {
        share if share < 0.0005 => "as the best plan found in batches of this size".to_owned(),
        share => format!("{} above the best plan found in batches of this size", above(share)),
    });
    let note = [best, spread].into_iter().flatten().collect::<Vec<_>>().join("; ");
    let mut all = vec![figure("batches", "Batches", f.batches, count(f.batches.round() as u64), note)];
    let names = [("padding_share_nodes", "Node padding"), ("padding_share_edges", "Edge padding")];
    for ((k, (id, name)), share) in (0..).zip(names).zip(f.padding_share) {
        let Some(share) = share else { continue };
        let note = match shape.padded {
            true => format!("of {} slots in a batch", shape.slots[k].map_or_else(String::new, count)),
            false => "room that is not computed".to_owned(),
        };
        all.push(figure(id, name, share, percent(share), note));
    }
    let [nodes, edges] = f.largest.map(count);
    if !shape.padded {
        all.push(figure(
            "largest_nodes",
            "Largest batch",
            f.largest[0] as f64,
            nodes,
            format!("nodes; {edges} edges"),
        ));
    }
    let note = match f.repeated_share {
        0.0 => "not trained in a pass".to_owned(),
        twice => format!("not trained in a pass; {} are trained twice", percent(twice)),
    };
    all.push(figure("skipped_share", "Graphs skipped", f.skipped_share, percent(f.skipped_share), note));
    all
}

fn side(answers: &[Answer], limits: Size<2>) -> Side {
    let place = |answer: &Answer| {
        let f = answer.figures.as_ref()?;
        Some(Place::new(&answer.about, f.skipped_share, f.above_best?.max(0.0)))
    };
    let places: Vec<_> = answers.iter().filter_map(place).collect();
    let ends = ends(&places).map(|ends| {
        format!("At their defaults, {ends} more batches than the best plan found in batches of the same size")
    });
    Side {
        table: table(answers),
        headline: headline(answers, limits),
        picture: Picture {
            x: "graphs skipped".to_owned(),
            y: "batches above the best plan".to_owned(),
            shares: true,
            places,
            sentence: ends.unwrap_or_else(|| "All of them refuse these data".to_owned()),
        },
    }
}
