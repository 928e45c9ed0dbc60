//! `packscope speedup --list`: everything that can be chosen or changed, with sources.

use super::assumed::{Assumed, shown};
use super::preset_to_json;
use crate::pretty;
use crate::table::{self, TableOutput};
use packscope::cost::presets::{ACCELERATORS, GNNS, Preset, TRANSFORMERS};
use packscope::cost::{Field, Unit, fields::FIELDS};
use serde_json::{Value, json};

/// Heads and rows.
type Table = (Vec<String>, Vec<Vec<String>>);

/// Prints the presets and all fields.
pub fn print(format: TableOutput, assumed: &Assumed) -> String {
    let chosen = &assumed.chosen;
    let tables = [
        presets("--model", TRANSFORMERS, chosen.transformer),
        presets("--model with --limits", GNNS, chosen.gnn),
        presets("--accelerator", ACCELERATORS, chosen.accelerator),
        fields(assumed),
    ];
    let printed = |(heads, rows): &Table| match format {
        TableOutput::Text => left(heads, rows),
        _ => table::print(format, heads, rows.clone(), &Value::Null),
    };
    match format {
        TableOutput::Json => pretty(&to_json(assumed)),
        _ => tables.iter().map(printed).collect::<Vec<_>>().join("\n\n"),
    }
}

fn to_json(assumed: &Assumed) -> Value {
    let field = |field: &Field| {
        let value = (field.get)(&assumed.assumptions);
        let (unit, scale) = field.unit.shown();
        json!({
            "id": field.id, "label": field.label, "about": field.about, "value": value, "range": field.range,
            "unit": unit, "scale": scale, "whole": field.whole, "changed": assumed.is_changed(field),
        })
    };
    json!({
        "models": TRANSFORMERS.iter().map(preset_to_json).collect::<Vec<_>>(),
        "models_for_graphs": GNNS.iter().map(preset_to_json).collect::<Vec<_>>(),
        "accelerators": ACCELERATORS.iter().map(preset_to_json).collect::<Vec<_>>(),
        "fields": FIELDS.iter().map(field).collect::<Vec<_>>(),
    })
}

fn presets<T>(option: &str, presets: &'static [Preset<T>], chosen: &Preset<T>) -> Table {
    let row = |p: &Preset<T>| {
        let taken = if p.id == chosen.id { " (taken)" } else { "" };
        vec![p.id.to_owned(), format!("{}{taken}", p.name), p.source.to_owned()]
    };
    ([option, "name", "source"].map(str::to_owned).to_vec(), presets.iter().map(row).collect())
}

fn fields(assumed: &Assumed) -> Table {
    let row = |field: &Field| {
        let changed = if assumed.is_changed(field) { " (changed)" } else { "" };
        let value = format!("{}{changed}", assumed.value(field));
        let unit = field.unit.shown().0.to_owned();
        vec![field.id.to_owned(), value, unit, range(field), format!("{}. {}", field.label, field.about)]
    };
    (
        ["--set", "value", "unit", "range", "what it is"].map(str::to_owned).to_vec(),
        FIELDS.iter().map(row).collect(),
    )
}

fn range(field: &Field) -> String {
    match field.unit {
        Unit::Switch => "yes, no".to_owned(),
        unit => field.range.map(|end| shown(end, unit)).join(" to "),
    }
}

/// Columns of words: all to the left.
fn left(heads: &[String], rows: &[Vec<String>]) -> String {
    let all = || std::iter::once(heads).chain(rows.iter().map(Vec::as_slice));
    let width = |i: usize| all().filter_map(|row| row.get(i)).map(|c| c.chars().count()).max().unwrap_or(0);
    let line = |row: &[String]| {
        let padded = row.iter().enumerate().map(|(i, text)| format!("{text:<w$}", w = width(i)));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    all().map(line).collect::<Vec<_>>().join("\n")
}
