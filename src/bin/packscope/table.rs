//! A comparison as text, Markdown or JSON.

use crate::pretty;
use clap::ValueEnum;
use serde_json::Value;

/// How a table is printed.
#[derive(Clone, Copy, ValueEnum)]
pub enum TableOutput {
    Text,
    Markdown,
    Json,
}

/// The table in the form asked for; `json` is printed as it is.
pub fn print(output: TableOutput, heads: &[String], rows: Vec<Vec<String>>, json: &Value) -> String {
    let all: Vec<Vec<String>> = std::iter::once(heads.to_vec()).chain(rows).collect();
    match output {
        TableOutput::Json => pretty(json),
        TableOutput::Markdown => markdown(&all),
        TableOutput::Text => columns(&all),
    }
}

fn markdown(rows: &[Vec<String>]) -> String {
    let mut lines: Vec<_> = rows.iter().map(|cells| format!("| {} |", cells.join(" | "))).collect();
    let columns = rows.first().map_or(1, Vec::len);
    lines.insert(1.min(lines.len()), format!("|---|{}", "---:|".repeat(columns - 1)));
    lines.join("\n")
}

/// The first column to the left, the others to the right, as wide as their contents; the heads come first.
pub fn columns(rows: &[Vec<String>]) -> String {
    let width =
        |i: usize| rows.iter().filter_map(|row| row.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
    let line = |row: &Vec<String>| {
        let pad = |i: usize, text: &String| match i {
            0 => format!("{text:<w$}", w = width(0)),
            _ => format!("{text:>w$}", w = width(i)),
        };
        row.iter().enumerate().map(|(i, text)| pad(i, text)).collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
