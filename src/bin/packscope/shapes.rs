//! `packscope shapes`: the lengths of few static shapes, and the padding of each method to choose them.

use crate::args::Output;
use crate::input::Input;
use crate::shell::pretty;
use clap::Args;
use packscope::error::{Error, Result};
use packscope::export::Table;
use packscope::histogram::Histogram;
use packscope::shapes::{self, Method, Shape};
use packscope::words::{count, percent};
use serde::Serialize;
use serde_json::json;

#[derive(Args)]
pub struct Shapes {
    #[command(flatten)]
    input: Input,
    /// The most shapes, each of which is compiled: 1 to 256.
    #[arg(long, default_value_t = 16)]
    shapes: usize,
    /// Lengths to judge beside those that are found, such as 128,256,512.
    #[arg(long, value_delimiter = ',', value_parser = crate::limits::one)]
    lengths: Vec<u32>,
    /// Slots of a batch, for the sequences that a batch of each shape has room for.
    #[arg(long)]
    tokens: Option<u64>,
    #[arg(long, default_value = "text")]
    format: Output,
}

/// Lengths, and the result of padding to them.
#[derive(Serialize)]
struct Judged {
    method: &'static str,
    lengths: Vec<u32>,
    padding_tokens: u64,
    padding_share: f64,
    shapes: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    shape: Shape,
    padding_share: f64,
    /// Sequences of a batch, if its slots are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<u64>,
}

impl Judged {
    fn new(
        method: &'static str,
        lengths: &Histogram<1>,
        chosen: Vec<u32>,
        tokens: Option<u64>,
    ) -> Result<Self> {
        let shapes = shapes::judge(lengths, &chosen)?;
        let padding: u128 = shapes.iter().map(Shape::padding).sum();
        let share = |padding: u128, tokens: u128| padding as f64 / ((padding + tokens) as f64).max(1.0);
        let real = shapes.iter().map(|shape| u128::from(shape.tokens)).sum();
        let row = |shape: &Shape| Row {
            shape: *shape,
            padding_share: share(shape.padding(), u128::from(shape.tokens)),
            batch: tokens.map(|tokens| tokens / u64::from(shape.length)),
        };
        Ok(Self {
            method,
            padding_tokens: u64::try_from(padding).map_err(|_| Error::TooLarge { what: "the padding" })?,
            padding_share: share(padding, real),
            shapes: shapes.iter().map(row).collect(),
            lengths: chosen,
        })
    }
}

/// Runs the command; returns the text that it prints.
pub fn run(command: &Shapes) -> Result<String> {
    let read = command.input.read()?;
    let lengths = &read.histogram;
    if let Some(tokens) = command.tokens.filter(|tokens| *tokens < u64::from(lengths.max()[0])) {
        return Err(Error::Budget { tokens, longest: lengths.max()[0] });
    }
    let mut all = Vec::new();
    for method in Method::ALL {
        let chosen = shapes::choose(lengths, command.shapes, method)?;
        all.push(Judged::new(method.name(), lengths, chosen, command.tokens)?);
    }
    if !command.lengths.is_empty() {
        all.push(Judged::new("given", lengths, command.lengths.clone(), command.tokens)?);
    }
    Ok(match command.format {
        Output::Json => pretty(&json!({ "ways": all, "read": read.description.account() })),
        Output::Text => to_text(&all),
    })
}

fn to_text(all: &[Judged]) -> String {
    let list = |lengths: &[u32]| lengths.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let ways = all.iter().map(|way| {
        let method = way.method.parse::<Method>().map_or("As given", Method::long_name);
        vec![method.to_owned(), way.lengths.len().to_string(), percent(way.padding_share), list(&way.lengths)]
    });
    let ways = Table::of_words(["way", "shapes", "padding", "lengths"], ways).text();
    let rows = all[0].shapes.iter().map(|row| {
        let batch = row.batch.map(count).unwrap_or_default();
        vec![count(u64::from(row.shape.length)), count(row.shape.items), percent(row.padding_share), batch]
    });
    let head =
        ["length", "sequences", "padding", if all[0].shapes[0].batch.is_some() { "a batch" } else { "" }];
    format!("{ways}\n\nWith the least padding:\n\n{}", Table::of_words(head, rows).text())
}
