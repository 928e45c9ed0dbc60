//! Loaders of graphs: `packscope trainer --limits`.

use super::text::{csv, lines_of, refusals, side, spread};
use super::{Form, Known, Trainer};
use crate::limits::Limits;
use crate::shell::pretty;
use crate::sizes::{Sizes, read_sizes};
use packscope::api::Query;
use packscope::api::trainer;
use packscope::error::{Error, Result};
use packscope::export::libraries::above;
use packscope::export::libraries::graphs::{headline, table};
use packscope::histogram::Size;
use packscope::ingest::Account;
use packscope::packing::go_on;
use packscope::trainer::graphs::Graphs;
use packscope::words::{count, mean, percent};
use serde_json::{Value, json};

type Answer = trainer::Answer<Graphs>;

/// Runs the command on graphs; returns the text that it prints.
pub fn run(command: &Trainer, limits: &Limits) -> Result<String> {
    let limits = <[u32; 2]>::try_from(limits.0.as_slice())
        .map_err(|_| Error::Components { limits: limits.0.len(), components: 2 })?;
    let question = command.question::<Graphs>(limits)?;
    let (counts, order, read) = data(command)?;
    let answers = command.request::<Graphs>(counts, order, limits, question).run(&mut go_on)?.answers;
    Ok(match (command.format, command.library.is_some()) {
        (Form::Json, one) => {
            let answers: Value = answers.iter().map(|answer| json!(answer)).collect();
            pretty(&match one {
                true => json!({ "read": read, "answer": answers[0] }),
                false => json!({ "read": read, "answers": answers }),
            })
        }
        (Form::Csv, _) => csv(&table(&answers)),
        (Form::Text, true) => answers.iter().map(one).collect(),
        (Form::Text, false) => all(&answers, limits),
    })
}

/// Counts, the order if it is asked for, and how both were read.
type Data = (Vec<(Size<2>, u64)>, Vec<Size<2>>, Account);

fn data(command: &Trainer) -> Result<Data> {
    let (counts, order, read) = match command.order {
        Known::Random => {
            command.listed()?;
            let Sizes { histogram, read, .. } = read_sizes::<2>(&command.input)?;
            (histogram.entries().to_vec(), Vec::new(), read)
        }
        Known::File => {
            let (order, read) = command.in_order::<2>(command.input.sizes())?;
            (Vec::new(), order, read)
        }
    };
    command.few_enough(order.len() as u64 + counts.iter().map(|(_, n)| n).sum::<u64>())?;
    Ok((counts, order, read))
}

/// Returns what one loader does.
fn one(answer: &Answer) -> String {
    lines_of::<Graphs>(&answer.about, None, figures(answer), &answer.advice)
}

fn figures(answer: &Answer) -> Vec<(&'static str, String)> {
    let (Some(figures), Some(shape)) = (&answer.figures, &answer.own.shape) else { return Vec::new() };
    let spread = spread(&answer.runs.iter().map(|run| run.tally.batches).collect::<Vec<_>>());
    let slots = |slots: Option<u64>| slots.map_or_else(|| "any number of".to_owned(), count);
    let [nodes, edges] = shape.slots.map(slots);
    let mut lines = vec![("batch", format!("{nodes} nodes, {edges} edges"))];
    lines.push(("batches", format!("{}{spread}", mean(figures.batches))));
    if let (Some(share), Some((packs, alone))) = (figures.above_best, answer.own.best) {
        let alone =
            if alone == 0 { String::new() } else { format!(" and {} too large for it", count(alone)) };
        lines.push((
            "above best",
            format!("{} (a plan in batches of this size: {}{alone})", above(share), count(packs)),
        ));
    }
    let (least, most) = answer.runs.iter().fold((u64::MAX, 0), |(least, most), run| {
        (least.min(run.tally.depth.0), most.max(run.tally.depth.1))
    });
    lines.push((
        "graphs",
        format!("{} in a batch, {} to {}", mean(figures.graphs_per_batch), count(least), count(most)),
    ));
    let computed = if shape.padded { "" } else { " of the room, which is not computed" };
    let [of_nodes, of_edges] =
        figures.padding_share.map(|share| share.map_or_else(|| "not limited".to_owned(), percent));
    lines.push(("padding", format!("nodes {of_nodes}, edges {of_edges}{computed}")));
    let [largest_nodes, largest_edges] = figures.largest.map(count);
    lines.push(("largest", format!("{largest_nodes} nodes, {largest_edges} edges in a batch")));
    let [lost_nodes, lost_edges] = figures.lost_share.map(percent);
    lines.push((
        "skipped",
        format!(
            "{} of the graphs, {lost_nodes} of the nodes, {lost_edges} of the edges",
            percent(figures.skipped_share)
        ),
    ));
    if figures.repeated_share > 0.0 {
        lines.push(("twice", format!("{} of the graphs", percent(figures.repeated_share))));
    }
    for (name, value, words) in [
        ("too large", figures.above, "batches are larger than they are to be"),
        ("empty", figures.empty, "batches have no graph"),
    ] {
        if value > 0.0 {
            lines.push((name, format!("{} {words}", mean(value))));
        }
    }
    lines
}

/// Returns all loaders side by side.
fn all(answers: &[Answer], limits: Size<2>) -> String {
    let refused = refusals(answers.iter().map(|answer| &answer.about));
    let notes = "graphs that are not trained in a pass. The best plan has batches of the same size.";
    side(&headline(answers, limits), table(answers), notes, &refused)
}
