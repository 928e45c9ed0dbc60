//! `packscope compare`: all algorithms side by side, as on the page.

use crate::table::TableOutput;
use crate::{Input, Rows, sizes, table};
use clap::Args;
use packscope::api::{Problem, Sequences, Settings};
use packscope::error::Result;
use packscope::metrics::Figures;
use packscope::packing::Algorithm;
use packscope::words::{count, efficiency, factor, gap, percent, seconds};
use serde_json::{Value, json};

#[derive(Args)]
pub struct Compare {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub rows: Rows,
    #[arg(long, default_value = "text")]
    pub format: TableOutput,
}

/// One row of the comparison: the algorithm, its figures, its time.
type Row = (Algorithm, Figures, f64);

/// Runs the command; returns what it prints.
pub fn run(compare: &Compare) -> Result<String> {
    if let Some(limits) = &compare.rows.room.limits {
        return sizes::compare(compare, limits);
    }
    let histogram = compare.input.read()?.histogram;
    let settings = compare.rows.settings();
    let prepared = Sequences::prepare(&histogram, &settings)?;
    let mut rows: Vec<Row> = Vec::new();
    for algorithm in Algorithm::ALL {
        let settings = Settings { algorithm, ..settings.clone() };
        match compare.rows.timed(|steps, ask| prepared.pack(&settings, 0, steps, ask)) {
            Ok((packed, taken)) => rows.push((algorithm, prepared.figures(&settings, &packed), taken)),
            // The others can still be compared.
            Err(error) if error.is_too_much() => eprintln!("{error}; left out"),
            Err(error) => return Err(error),
        }
    }
    // As on the page: the least padding first, and below what is no packing.
    rows.sort_by(|(a, f, _), (b, g, _)| {
        let order = b.fills_rows().cmp(&a.fills_rows());
        order.then(f.padding_share().total_cmp(&g.padding_share()))
    });
    let json = Value::Array(rows.iter().map(row_to_json).collect());
    Ok(table::print(compare.format, &HEADS.map(str::to_owned), rows.iter().map(cells).collect(), &json))
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

fn cells((algorithm, f, taken): &Row) -> Vec<String> {
    let none = || "–".to_owned();
    vec![
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
