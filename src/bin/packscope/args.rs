//! Options that several commands share.

use crate::limits::Limits;
use crate::shell::{clock, pretty};
use clap::{Args, ValueEnum};
use packscope::cost::Overhead;
use packscope::error::Result;
use packscope::export::Table;
use packscope::histogram::Overlong;
use packscope::packing::tuple::Heuristic;
use packscope::packing::{Depth, Progress, STEPS, Step};
use serde_json::Value;
use std::ops::ControlFlow;

/// Options of every packing.
#[derive(Args)]
pub struct Rows {
    #[command(flatten)]
    pub room: Room,
    /// Items in a pack at most: 1, 2, 3, … or `unlimited` [default: unlimited; 256 with --limits].
    #[arg(long)]
    pub depth: Option<Depth>,
    /// Items above a limit: truncate, drop, reject, and split with one limit [default: truncate; drop with
    /// --limits].
    #[arg(long)]
    pub overlong: Option<Overlong>,
    /// Items begin at multiples of this many tokens.
    #[arg(long, default_value_t = 1, conflicts_with = "limits")]
    pub align: u32,
    /// Cost of keeping packed items apart: `ipu` (measured), `free`, or a share such as 0.05 [default: ipu; free
    /// with --limits].
    #[arg(long)]
    pub overhead: Option<Overhead>,
    /// Which number of a size decides, with --limits: product, sum, maximum, minimum, nodes, edges, component:3,
    /// weighted:A:B [default: nodes].
    #[arg(long, conflicts_with = "limit")]
    pub heuristic: Option<Heuristic>,
    /// Seconds that `optimal` may take for its plan and proof; about one, counted in steps, when left out.
    #[arg(long, value_parser = positive)]
    time_budget: Option<f64>,
}

/// One limit or several.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Room {
    /// Maximum sequence length: slots in a row.
    #[arg(long)]
    pub limit: Option<u32>,
    /// One limit for each component, such as 222,502 for nodes and edges; `free` for a component without one.
    #[arg(long)]
    pub limits: Option<Limits>,
}

fn positive(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 => Ok(seconds),
        _ => Err("expected seconds above 0, such as 10 or 0.5".to_owned()),
    }
}

impl Rows {
    /// Packs within the time budget; returns the seconds taken, too.
    pub fn timed<T>(&self, pack: impl FnOnce(u64, &mut Progress) -> Result<T>) -> Result<(T, f64)> {
        let start = clock();
        let late = || self.time_budget.is_some_and(|budget| start.elapsed().as_secs_f64() > budget);
        let mut ask = |step| match step {
            Step::Found { .. } if late() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let steps = if self.time_budget.is_some() { u64::MAX } else { STEPS };
        let packed = pack(steps, &mut ask)?;
        Ok((packed, start.elapsed().as_secs_f64()))
    }
}

/// The format of figures.
#[derive(Clone, Copy, ValueEnum)]
pub enum Output {
    Text,
    Json,
}

/// The format of a table.
#[derive(Clone, Copy, ValueEnum)]
pub enum TableOutput {
    Text,
    Markdown,
    Json,
}

impl TableOutput {
    /// The table in this format; JSON has values of its own.
    pub fn print(self, table: &Table, json: impl FnOnce() -> Value) -> String {
        match self {
            Self::Json => pretty(&json()),
            Self::Markdown => table.markdown().trim_end().to_owned(),
            Self::Text => table.text(),
        }
    }
}
