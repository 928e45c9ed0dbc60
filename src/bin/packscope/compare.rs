//! `packscope compare`: all algorithms side by side, as on the page.

use crate::{Input, Rows, clock, pretty};
use clap::{Args, ValueEnum};
use packscope::api;
use packscope::error::Result;
use packscope::metrics::Figures;
use packscope::packing::{Algorithm, go_on};
use packscope::words::{count, efficiency, factor, gap, percent, seconds};
use serde_json::{Value, json};

#[derive(Args)]
pub struct Compare {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    rows: Rows,
    #[arg(long, default_value = "text")]
    format: TableOutput,
}

#[derive(Clone, Copy, ValueEnum)]
enum TableOutput {
    Text,
    Markdown,
    Json,
}

/// One row of the comparison: the algorithm, its figures, its time.
type Row = (Algorithm, Figures, f64);

/// Runs the command; returns what it prints.
pub fn run(compare: &Compare) -> Result<String> {
    let histogram = compare.input.read()?.histogram;
    let settings = compare.rows.settings();
    let points = Algorithm::ALL.map(|a| (a, settings.depth));
    let mut rows: Vec<Row> = Vec::new();
    let mut start = clock();
    api::compare(&histogram, &settings, &points, &mut go_on, &mut |a, _, figures| {
        rows.push((a, figures, start.elapsed().as_secs_f64()));
        start = clock();
    })?;
    // As on the page: the least padding first, and below what is no packing.
    rows.sort_by(|(a, f, _), (b, g, _)| {
        let order = b.fills_rows().cmp(&a.fills_rows());
        order.then(f.padding_share().total_cmp(&g.padding_share()))
    });
    Ok(match compare.format {
        TableOutput::Json => pretty(&Value::Array(rows.iter().map(row_to_json).collect())),
        TableOutput::Markdown => markdown(&rows),
        TableOutput::Text => columns(&rows),
    })
}

fn row_to_json((algorithm, figures, taken): &Row) -> Value {
    let mut row = json!(figures);
    row["algorithm"] = json!(algorithm);
    row["seconds"] = json!(taken);
    row
}

const HEADS: [&str; 9] = [
    "algorithm",
    "packs",
    "padding",
    "efficiency",
    "packing factor",
    "overhead",
    "speed-up",
    "time",
    "gap to bound",
];

fn cells((algorithm, f, taken): &Row) -> [String; 9] {
    let none = || "–".to_owned();
    [
        algorithm.to_string(),
        count(f.packs),
        percent(f.padding_share()),
        efficiency(f.efficiency[0]),
        format!("{:.3}", f.packing_factor),
        f.overhead.map_or_else(none, percent),
        f.realised_speedup.map_or_else(none, factor),
        seconds(*taken),
        f.gap.map_or_else(none, gap),
    ]
}

fn markdown(rows: &[Row]) -> String {
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let heads = line(&HEADS.map(str::to_owned));
    let rule = format!("|---|{}", "---:|".repeat(HEADS.len() - 1));
    let rows = rows.iter().map(|row| line(&cells(row)));
    [heads, rule].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

/// The first column to the left, the others to the right, as wide as their contents.
fn columns(rows: &[Row]) -> String {
    let all: Vec<[String; 9]> =
        std::iter::once(HEADS.map(str::to_owned)).chain(rows.iter().map(cells)).collect();
    let width = |i: usize| all.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
    let line = |row: &[String; 9]| {
        let pad = |i: usize, text: &String| match i {
            0 => format!("{text:<w$}", w = width(0)),
            _ => format!("{text:>w$}", w = width(i)),
        };
        row.iter().enumerate().map(|(i, text)| pad(i, text)).collect::<Vec<_>>().join("  ")
    };
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}
