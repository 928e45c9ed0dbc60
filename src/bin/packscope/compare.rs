//! `packscope compare`: all algorithms side by side, as on the page.

use crate::{Input, Rows, pretty};
use clap::{Args, ValueEnum};
use packscope::api::{Prepared, Settings};
use packscope::error::{Error, Result};
use packscope::metrics::Figures;
use packscope::packing::Algorithm;
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
    let prepared = Prepared::new(&histogram, &settings)?;
    let mut rows: Vec<Row> = Vec::new();
    for algorithm in Algorithm::ALL {
        let settings = Settings { algorithm, ..settings.clone() };
        match compare.rows.pack(&prepared, &settings, 0) {
            Ok((packed, taken)) => rows.push((algorithm, prepared.figures(&settings, &packed), taken)),
            // The others can still be compared.
            Err(error @ (Error::TooManyItems { .. } | Error::TooManyStrategies { .. })) => {
                eprintln!("{error}; left out");
            }
            Err(error) => return Err(error),
        }
    }
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
