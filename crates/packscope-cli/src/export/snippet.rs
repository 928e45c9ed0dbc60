//! `packscope export snippet` and `packscope export count`: lines to paste.

use super::made::AnyPlan;
use super::{PackingArgs, To};
use crate::output::say;
use clap::Args;
use packscope::api::batch;
use packscope::api::fields::batches;
use packscope::cost::Assumptions;
use packscope::error::{Error, Result};
use packscope::export::snippet::{
    self, DataLocation, SizeColumn, SnippetContext, SnippetSetting, Tool,
};

#[derive(Args)]
pub struct Snippet {
    #[command(flatten)]
    packing: PackingArgs,
    /// pytorch, trl, nemo, axolotl, optimiser, numpy, polars, duckdb, spark; with --limits pyg, dgl, jraph, optimiser, numpy,
    /// polars, duckdb, spark; batches by bucket-sampler, length-grouped, bucket-by-length, token-budget, packed.
    #[arg(long)]
    tool: Tool,
    /// The file of the plan that the lines read.
    #[arg(long, default_value = "plan.json")]
    plan_file: String,
    /// Rows of an accelerator in a step, before packing.
    #[arg(long, default_value_t = 64)]
    batch: u32,
    /// Accelerators.
    #[arg(long, default_value_t = Assumptions::default().accelerators)]
    accelerators: u32,
    /// Batches of an accelerator before the weights are updated.
    #[arg(long, default_value_t = 1)]
    accumulation: u32,
    #[command(flatten)]
    to: To,
}

pub fn run(command: &Snippet) -> Result<String> {
    let assumptions = Assumptions {
        accelerators: command.accelerators,
        accumulation: command.accumulation,
        ..Assumptions::default()
    };
    let packing = &command.packing;
    // The lines read sizes from the data, where nothing is computed.
    packing.input.uncomputed()?;
    let of = |setting, data: &str| {
        let context = SnippetContext {
            data,
            plan: &command.plan_file,
            setting,
            batch: command.batch,
            assumptions: &assumptions,
            lives: &DataLocation::default(),
        };
        note(&snippet::snippet_for(&context, command.tool)?, &command.to)
    };
    // Samplers need no plan, so nothing is read.
    if let Some(sampler) = command.tool.sampler() {
        let usual = batch::Settings::default();
        let limit = packing.rows.room.limit.unwrap_or(usual.limit);
        let settings = batch::Settings {
            limit,
            sampler,
            batch: command.batch,
            ..packing.rows.given.onto(batches::ALL, usual)?
        };
        return of(
            SnippetSetting::Batches {
                settings: &settings,
            },
            packing.name.as_deref().unwrap_or("sequences"),
        );
    }
    match &AnyPlan::new(packing)? {
        AnyPlan::Sequences { document, settings, .. } => {
            let figures = &document.about.figures;
            of(SnippetSetting::Sequences { settings, figures }, &document.about.data)
        }
        AnyPlan::Graphs { document, settings, .. } => {
            let figures = &document.about.figures;
            of(SnippetSetting::Graphs { settings, figures }, &document.about.data)
        }
        AnyPlan::Triples { .. } => Err(Error::Input {
            place: "--limits".to_owned(),
            message: "lines to paste are written for lengths, and for two components; `assign --format csv` lists the \
                      places of items of three"
                .to_owned(),
        }),
    }
}

/// Writes the lines to the file, the notes to standard error.
fn note(snippet: &snippet::Snippet, to: &To) -> Result<String> {
    snippet.notes.iter().for_each(|note| say(note));
    to.text(&snippet.text)
}

#[derive(Args)]
pub struct Count {
    /// duckdb, polars, spark or datasets.
    #[arg(long)]
    tool: String,
    /// Where the data are: files, with `*`; JSON Lines by its name, else Parquet.
    #[arg(long, default_value = "data/*.parquet")]
    path: String,
    /// The column of token ids, whose number is the length.
    #[arg(long, default_value = "input_ids")]
    ids: String,
    /// The column of lengths, instead.
    #[arg(long, conflicts_with = "ids")]
    length: Option<String>,
    /// The column of text, instead, with a tokenizer: a name, or a tokenizer.json.
    #[arg(long, conflicts_with_all = ["ids", "length"], requires = "tokenizer")]
    text: Option<String>,
    /// The tokenizer.
    #[arg(long)]
    tokenizer: Option<String>,
    /// The columns of nodes and edges, instead.
    #[arg(long, value_delimiter = ',', conflicts_with_all = ["ids", "length", "text"])]
    sizes: Vec<String>,
    #[command(flatten)]
    to: To,
}

pub fn count(command: &Count) -> Result<String> {
    if !matches!(command.sizes.len(), 0 | 2) {
        return Err(Error::Components {
            limits: 2,
            components: command.sizes.len(),
        });
    }
    let column = match (&command.sizes[..], &command.text, &command.length) {
        ([nodes, edges], ..) => SizeColumn::Graph(nodes.clone(), edges.clone()),
        (_, Some(text), _) => {
            SizeColumn::Text(text.clone(), command.tokenizer.clone().unwrap_or_default())
        }
        (_, _, Some(length)) => SizeColumn::Length(length.clone()),
        _ => SizeColumn::Ids(command.ids.clone()),
    };
    let lives = DataLocation {
        path: command.path.clone(),
        column,
    };
    // The engine's names of these tools have a prefix, apart from tools for plans.
    let tool: Tool = format!("count-{}", command.tool).parse()?;
    match snippet::counts(&lives)
        .into_iter()
        .find(|snippet| snippet.tool == tool)
    {
        Some(snippet) => note(&snippet, &command.to),
        // Tools are known here, so it is one that cannot count this column.
        None => Err(Error::UnknownName {
            kind: "tool for text",
            name: command.tool.clone(),
            expected: "polars, spark, datasets".to_owned(),
        }),
    }
}
