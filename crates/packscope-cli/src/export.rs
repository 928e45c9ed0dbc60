//! `packscope export`: plan, figures, tables and lines to paste, as the page gives them, and lengths; and `packscope
//! assign`.

mod assign;
mod made;
mod snippet;

pub use assign::{Assign, run as run_assign};

use crate::args::Rows;
use crate::input::Input;
use crate::options;
use crate::output::Output;
use crate::shell::about;
use clap::{Args, Subcommand, ValueEnum};
use made::AnyPlan;
use packscope::api::fields::{graphs, sequences};
use packscope::error::Result;
use packscope::export::{self, Table};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Export {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// The plan: JSON as docs/PLAN.md says, or CSV.
    Plan(Plan),
    /// The headline figures.
    Figures(Figures),
    /// All algorithms side by side.
    Table(Figures),
    /// Lines to paste into a training, written from these settings.
    Snippet(snippet::Snippet),
    /// Lines that make the table of lengths and counts where the data live.
    Count(snippet::Count),
    /// The length of each sequence on a line of its own, in random order, for mock data: Megatron-LM's `{"mode":"file"}`.
    Lengths(Lengths),
}

/// Data whose lengths are listed.
#[derive(Args)]
struct Lengths {
    #[command(flatten)]
    input: Input,
    /// Which random order: who reads the file takes lengths as they come.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    to: To,
}

/// Data and settings of a packing.
#[derive(Args)]
pub struct PackingArgs {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub rows: Rows,
    #[arg(long, help = options::describe_both(&sequences::ALGORITHM, &graphs::ALGORITHM))]
    pub algorithm: Option<String>,
    #[arg(long, help = options::help(&sequences::SEED), default_value_t = 0, conflicts_with = "limits")]
    pub seed: u64,
    /// The name of the data; the name of the file when left out.
    #[arg(long)]
    pub name: Option<String>,
}

#[derive(Args)]
struct Plan {
    #[command(flatten)]
    packing: PackingArgs,
    #[arg(long, default_value = "json")]
    format: PlanForm,
    #[command(flatten)]
    to: To,
}

#[derive(Clone, Copy, ValueEnum)]
enum PlanForm {
    Json,
    Csv,
}

#[derive(Args)]
struct Figures {
    #[command(flatten)]
    packing: PackingArgs,
    #[arg(long, default_value = "csv")]
    format: TableForm,
    #[command(flatten)]
    to: To,
}

#[derive(Clone, Copy, ValueEnum)]
enum TableForm {
    Csv,
    Markdown,
}

impl TableForm {
    fn text(self, table: &Table) -> String {
        match self {
            Self::Csv => table.csv(),
            Self::Markdown => table.markdown(),
        }
    }
}

/// Destination of the output.
#[derive(Args)]
pub struct To {
    /// The file to write; standard output when left out.
    #[arg(long)]
    out: Option<PathBuf>,
}

impl To {
    fn open(&self) -> Result<Output> {
        Output::open(self.out.as_deref())
    }

    /// Returns the name of the destination for errors.
    fn place(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new("standard output"))
    }

    /// Writes pieces of text as they come.
    fn write(&self, pieces: impl FnOnce(&mut dyn FnMut(&str))) -> Result<String> {
        // The writers of plans take a callback that cannot fail, so the first error is kept.
        let (mut out, mut written) = (self.open()?, Ok(()));
        pieces(&mut |text| {
            if written.is_ok() {
                written = out.write_all(text.as_bytes());
            }
        });
        written.map_err(|error| about(self.place(), &error))?;
        out.finish().map(|()| String::new())
    }

    fn text(&self, text: &str) -> Result<String> {
        self.write(|out| out(text))
    }
}

pub fn run(export: &Export) -> Result<String> {
    match &export.what {
        What::Plan(plan) => {
            let made = AnyPlan::new(&plan.packing)?;
            plan.to.write(|out| match plan.format {
                PlanForm::Json => made.json(out),
                PlanForm::Csv => made.csv(out),
            })
        }
        What::Figures(figures) => figures.to.text(
            &figures
                .format
                .text(&AnyPlan::new(&figures.packing)?.figures()),
        ),
        What::Table(table) => table
            .to
            .text(&table.format.text(&made::algorithms(&table.packing)?)),
        What::Snippet(snippet) => snippet::run(snippet),
        What::Count(count) => snippet::count(count),
        What::Lengths(Lengths { input, seed, to }) => {
            let read = input.read()?;
            to.write(|out| export::lengths(&read.histogram, *seed, out))
        }
    }
}
