//! `packscope shapes`: the lengths of few static shapes, and the padding of each method to choose them.

use crate::args::FigureFormat;
use crate::input::Input;
use crate::options::{self, ParsedOptions as Options, ShapeOptions};
use crate::shell::pretty;
use clap::Args;
use packscope::api::fields::shapes as fields;
use packscope::api::fields::{batches, sequences};
use packscope::api::shapes::{GivenShapes, Settings, batch};
use packscope::error::{Error, Result};
use packscope::export::Table;
use packscope::export::shapes::{For, lines};
use packscope::histogram::{Histogram, Overlong};
use packscope::shapes::{self, Shape, ShapeMethod, padding_share};
use packscope::words::{count, percent};
use serde::Serialize;
use serde_json::json;

#[derive(Args)]
pub struct Shapes {
    #[command(flatten)]
    input: Input,
    #[arg(long, help = options::help(&sequences::LIMIT) + " [default: the longest]", value_parser = crate::limits::parse_limit)]
    limit: Option<u32>,
    #[arg(long, help = options::help(&batches::OVERLONG), default_value_t = Overlong::default())]
    overlong: Overlong,
    #[command(flatten)]
    given: Options<ShapeOptions>,
    /// Write the shapes as settings or code instead: xla (NumPy), lhotse, nemo, vllm-gaudi, or list. All but list need
    /// --tokens.
    #[arg(long = "for", value_name = "LIBRARY", conflicts_with = "format")]
    of: Option<For>,
    #[arg(long, default_value = "text")]
    format: FigureFormat,
}

/// Shapes, and the result of padding to them.
#[derive(Serialize)]
struct ShapeWay {
    method: &'static str,
    #[serde(skip)]
    title: &'static str,
    lengths: Vec<u32>,
    padding_tokens: u64,
    padding_share: f64,
    shapes: Vec<ShapeRow>,
}

#[derive(Serialize)]
struct ShapeRow {
    #[serde(flatten)]
    shape: Shape,
    padding_share: f64,
    /// Sequences of a batch, if its slots are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<u64>,
}

impl ShapeWay {
    fn new(method: Option<ShapeMethod>, shapes: &[Shape], tokens: Option<u64>) -> Result<Self> {
        let padding = shapes::padding(shapes);
        let row = |shape: &Shape| ShapeRow {
            shape: *shape,
            padding_share: padding_share(std::slice::from_ref(shape)),
            batch: tokens.map(|tokens| batch(shape, tokens)),
        };
        Ok(Self {
            method: method.map_or("given", ShapeMethod::name),
            title: method.map_or("As given", ShapeMethod::long_name),
            lengths: shapes.iter().map(|shape| shape.length).collect(),
            // Padding is counted in 128 bits; JSON has 64.
            padding_tokens: u64::try_from(padding).map_err(|_| Error::TooLarge {
                what: "the padding",
            })?,
            padding_share: padding_share(shapes),
            shapes: shapes.iter().map(row).collect(),
        })
    }
}

pub fn run(command: &Shapes) -> Result<String> {
    let settings = command.given.onto(fields::ALL, Settings::default())?;
    let read = command.input.read()?;
    // The longest sequence by default, so that nothing is cut.
    let limit = command.limit.unwrap_or(read.histogram.max()[0]);
    let lengths = read.histogram.fit([limit], command.overlong)?.histogram;
    // A batch must have room for the longest sequence, whatever the shapes.
    if let Some(tokens) = settings
        .tokens
        .filter(|tokens| *tokens < u64::from(lengths.max()[0]))
    {
        return Err(Error::Budget {
            tokens,
            longest: lengths.max()[0],
        });
    }
    if let Some(of) = command.of {
        let name = command
            .input
            .files
            .first()
            .map(|file| file.display().to_string())
            .unwrap_or_default();
        return written_shapes(of, &name, &lengths, &settings);
    }
    // Fails before the others are computed if lengths are to be given and are not.
    choose(&lengths, &settings, settings.method)?;
    let mut all = Vec::new();
    for method in ShapeMethod::ALL {
        all.push((Some(method), choose(&lengths, &settings, Some(method))?));
    }
    if !settings.given.is_empty() {
        all.push((None, choose(&lengths, &settings, None)?));
    }
    // Without a match the first is shown; `choose` above has refused a method without lengths.
    let shown = all
        .iter()
        .position(|(method, _)| *method == settings.method)
        .unwrap_or_default();
    let ways = all
        .iter()
        .map(|(method, shapes)| ShapeWay::new(*method, shapes, settings.tokens));
    let ways: Vec<ShapeWay> = ways.collect::<Result<_>>()?;
    Ok(match command.format {
        FigureFormat::Json => pretty(&json!({ "ways": ways, "read": read.description.account() })),
        FigureFormat::Text => to_text(&ways, shown),
    })
}

/// Returns the shapes of a method, or the given ones.
fn choose(
    lengths: &Histogram<1>,
    settings: &Settings,
    method: Option<ShapeMethod>,
) -> Result<Vec<Shape>> {
    match method {
        Some(method) => {
            shapes::choose(lengths, settings.shapes as usize, method, settings.multiple)
        }
        None if settings.given.is_empty() => {
            let message =
                "the method “given” needs lengths, such as --lengths 128,256,512".to_owned();
            Err(Error::Input {
                place: "--method".to_owned(),
                message,
            })
        }
        None => Ok(GivenShapes::new(lengths, &settings.given)?.shapes),
    }
}

/// Writes the shapes of the chosen method for a library.
fn written_shapes(
    of: For,
    name: &str,
    lengths: &Histogram<1>,
    settings: &Settings,
) -> Result<String> {
    let shapes = choose(lengths, settings, settings.method)?;
    let tokens = match (settings.tokens, of) {
        (Some(tokens), _) => tokens,
        // A list names no batches, so any number of slots will do.
        (None, For::List) => 0,
        (None, _) => {
            let message = "the batch of each shape needs the slots of a batch: --tokens".to_owned();
            return Err(Error::Input {
                place: format!("--for {of}"),
                message,
            });
        }
    };
    let batches: Vec<u64> = shapes.iter().map(|shape| batch(shape, tokens)).collect();
    Ok(lines(of, name, &shapes, &batches)
        .text
        .trim_end()
        .to_owned())
}

fn to_text(all: &[ShapeWay], shown: usize) -> String {
    let list = |lengths: &[u32]| {
        lengths
            .iter()
            .map(u32::to_string)
            .collect::<Vec<_>>()
            .join(",")
    };
    let ways = all.iter().map(|way| {
        let shapes = way.lengths.len().to_string();
        vec![
            way.title.to_owned(),
            shapes,
            percent(way.padding_share),
            list(&way.lengths),
        ]
    });
    let ways = Table::of_words(["way", "shapes", "padding", "lengths"], ways).text();
    let way = &all[shown];
    let rows = way.shapes.iter().map(|row| {
        let mut cells = vec![
            count(u64::from(row.shape.length)),
            count(row.shape.items),
            percent(row.padding_share),
        ];
        cells.extend(row.batch.map(count));
        cells
    });
    let batch = way
        .shapes
        .iter()
        .any(|row| row.batch.is_some())
        .then_some("a batch");
    let head = ["length", "sequences", "padding"].into_iter().chain(batch);
    format!(
        "{ways}\n\n{}, one by one:\n\n{}",
        way.title,
        Table::of_words(head, rows).text()
    )
}
