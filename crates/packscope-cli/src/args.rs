//! Options that several commands share.

use crate::limits::{self, Limits};
use crate::options::{self, PackingOptions, ParsedOptions};
use crate::shell::{clock, pretty};
use clap::{Args, ValueEnum};
use packscope::api::fields::sequences;
use packscope::error::Result;
use packscope::export::Table;
use packscope::packing::{self, PATIENCE, Progress, STEPS, Step};
use serde_json::Value;
use std::ops::ControlFlow;

/// Options of every packing.
#[derive(Args)]
pub struct Rows {
    #[command(flatten)]
    pub room: Room,
    #[command(flatten)]
    pub given: ParsedOptions<PackingOptions>,
    /// Seconds that `optimal` may take for its plan and proof, counted in steps so that every machine answers alike; the
    /// steps of two when left out.
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    time_budget: Option<f64>,
}

/// One limit or several.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Room {
    #[arg(long, help = options::help(&sequences::LIMIT), value_parser = limits::parse_limit)]
    pub limit: Option<u32>,
    /// One limit for each component, such as 222,502 for nodes and edges; `free` for a component without one.
    #[arg(long)]
    pub limits: Option<Limits>,
}

fn positive(text: &str) -> std::result::Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && f64::is_finite(seconds) => Ok(seconds),
        _ => Err("expected seconds above 0, such as 10 or 0.5".to_owned()),
    }
}

impl Rows {
    /// Packs within the time budget, which is counted in steps; returns the result with the seconds
    /// taken.
    pub fn timed<T>(&self, pack: impl FnOnce(u64, &mut Progress) -> Result<T>) -> Result<(T, f64)> {
        let start = clock();
        let late = || {
            self.time_budget
                .is_some_and(|budget| start.elapsed().as_secs_f64() > PATIENCE * budget)
        };
        // Only once there is a plan: a slow machine must not end without one.
        let mut ask = |step| match step {
            Step::Found { .. } if late() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        // Steps and not seconds, so that every machine answers alike; `late` is for much slower
        // ones.
        let steps = self.time_budget.map_or(STEPS, packing::steps);
        let packed = pack(steps, &mut ask)?;
        Ok((packed, start.elapsed().as_secs_f64()))
    }
}

/// The format of figures.
#[derive(Clone, Copy, ValueEnum)]
pub enum FigureFormat {
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
    /// Returns the table as text in this format; JSON is made from separate values.
    pub fn print(self, table: &Table, json: impl FnOnce() -> Value) -> String {
        match self {
            Self::Json => pretty(&json()),
            Self::Markdown => table.markdown().trim_end().to_owned(),
            Self::Text => table.text(),
        }
    }
}
