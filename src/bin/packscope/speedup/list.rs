//! `packscope speedup --list`: all presets and fields, with sources.

use super::assumed::{Assumed, shown};
use super::preset_to_json;
use crate::args::TableOutput;
use crate::shell::pretty;
use packscope::cost::presets::{ACCELERATORS, GNNS, Preset, TRANSFORMERS};
use packscope::cost::{Field, Unit, fields::FIELDS};
use packscope::export::Table;
use serde_json::{Value, json};

/// Prints the presets and all fields.
pub fn print(format: TableOutput, assumed: &Assumed) -> String {
    let chosen = &assumed.chosen;
    let tables = [
        presets("--model", TRANSFORMERS, chosen.transformer),
        presets("--model with --limits", GNNS, chosen.gnn),
        presets("--accelerator", ACCELERATORS, chosen.accelerator),
        fields(assumed),
    ];
    let printed = |table: &Table| match format {
        TableOutput::Text => table.text_of_words(),
        _ => format.print(table, || Value::Null),
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
    Table::of_words([option, "name", "source"], presets.iter().map(row))
}

fn fields(assumed: &Assumed) -> Table {
    let row = |field: &Field| {
        let changed = if assumed.is_changed(field) { " (changed)" } else { "" };
        let value = format!("{}{changed}", assumed.value(field));
        let unit = field.unit.shown().0.to_owned();
        vec![field.id.to_owned(), value, unit, range(field), format!("{}. {}", field.label, field.about)]
    };
    Table::of_words(["--set", "value", "unit", "range", "what it is"], FIELDS.iter().map(row))
}

fn range(field: &Field) -> String {
    match field.unit {
        Unit::Switch => "yes, no".to_owned(),
        Unit::Choice(names) => names.join(", "),
        unit => field.range.map(|end| shown(end, unit)).join(" to "),
    }
}
