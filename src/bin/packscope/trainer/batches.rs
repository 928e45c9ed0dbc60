//! Samplers that make batches: `packscope trainer --batches`.

use super::text::{csv, lines_of, refusals, side, spread};
use super::{Form, Trainer};
use crate::shell::pretty;
use packscope::api::Query;
use packscope::api::trainer;
use packscope::error::Result;
use packscope::export::libraries::batches::{headline, table};
use packscope::packing::go_on;
use packscope::trainer::batches::{Batches, Room};
use packscope::words::{count, mean, percent, plural};
use serde_json::{Value, json};

type Report = trainer::Report<Batches>;
type Answer = trainer::Answer<Batches>;

/// Runs the command on batches; returns the text that it prints.
pub fn run(command: &Trainer) -> Result<String> {
    let room = Room { limit: command.limit.unwrap_or(0), batch: command.batch };
    let question = command.question::<Batches>(room)?;
    let (counts, order, read) = command.data()?;
    let request = command.request::<Batches>(counts, order, room, question);
    let report = request.run(&mut go_on)?;
    Ok(match (command.format, command.library.is_some()) {
        (Form::Json, one) => {
            let answers: Value = report.answers.iter().map(|answer| json!(answer)).collect();
            let beside: Value = report
                .beside
                .iter()
                .map(|(sampler, figures)| json!({ "sampler": sampler.name(), "figures": figures }))
                .collect();
            pretty(&match one {
                true => json!({ "read": read, "answer": answers[0], "beside": beside }),
                false => json!({ "read": read, "answers": answers, "beside": beside }),
            })
        }
        (Form::Csv, _) => csv(&table(&report)),
        (Form::Text, true) => report.answers.iter().map(|answer| one(answer, room)).collect(),
        (Form::Text, false) => all(&report, room),
    })
}

/// Returns what one sampler does.
fn one(answer: &Answer, room: Room) -> String {
    lines_of::<Batches>(&answer.about, None, figures(answer, room), &answer.advice)
}

fn figures(answer: &Answer, room: Room) -> Vec<(&'static str, String)> {
    let Some(figures) = &answer.figures else { return Vec::new() };
    let spread = spread(&answer.runs.iter().map(|run| run.tally.batches).collect::<Vec<_>>());
    let (least, most) = figures.size;
    let mut lines = vec![
        ("batches", format!("{}{spread}", mean(figures.batches))),
        (
            "sequences",
            format!("{} in a batch, {} to {}", mean(figures.sequences_per_batch), count(least), count(most)),
        ),
        ("padding", percent(figures.padding_share)),
        ("slots", mean(figures.slots)),
        (
            "largest",
            format!(
                "{} slots; {} of {} tokens have {}",
                count(figures.largest_slots),
                plural(u64::from(room.batch), "sequence"),
                count(u64::from(room.limit)),
                count(room.slots())
            ),
        ),
        ("truncated", format!("{} of the tokens", percent(figures.truncated_share))),
        (
            "dropped",
            format!(
                "{} of the tokens, {}",
                percent(figures.dropped_share),
                plural(figures.dropped_sequences.round() as u64, "sequence")
            ),
        ),
    ];
    if figures.above > 0.0 {
        lines.push(("too large", format!("{} batches have more slots than is set", mean(figures.above))));
    }
    lines
}

/// Returns all samplers side by side.
fn all(report: &Report, room: Room) -> String {
    let refused = refusals(report.answers.iter().map(|answer| &answer.about));
    let notes = format!(
        "tokens that are cut off or left out. Every batch has {}, or as many slots as so many of {} tokens: {}; the best plan \
         is sorted.",
        plural(u64::from(room.batch), "sequence"),
        count(u64::from(room.limit)),
        count(room.slots())
    );
    side(&headline(report, room), table(report), &notes, &refused)
}
