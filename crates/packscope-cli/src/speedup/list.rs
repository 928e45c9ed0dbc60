//! `packscope speedup --list`: all presets and fields, with sources.

use super::assumed::{SpeedupAssumptions, displayed_value};
use super::preset_to_json;
use crate::args::TableOutput;
use crate::shell::pretty;
use packscope::cost::presets::{ACCELERATORS, GNNS, Preset, TRANSFORMERS};
use packscope::cost::{CostField, FieldUnit, fields::FIELDS};
use packscope::export::Table;
use serde_json::{Value, json};

pub fn print(format: TableOutput, assumed: &SpeedupAssumptions) -> String {
    let chosen = &assumed.chosen;
    let tables = [
        presets("--model", TRANSFORMERS, chosen.transformer),
        presets("--model with --limits", GNNS, chosen.gnn),
        presets("--accelerator", ACCELERATORS, chosen.accelerator),
        fields(assumed),
    ];
    let printed = |table: &Table| match format {
        // Words are aligned to the left; `print` aligns for numbers.
        TableOutput::Text => table.text_of_words(),
        _ => format.print(table, || Value::Null),
    };
    match format {
        TableOutput::Json => pretty(&to_json(assumed)),
        _ => tables.iter().map(printed).collect::<Vec<_>>().join("\n\n"),
    }
}

fn to_json(assumed: &SpeedupAssumptions) -> Value {
    let field = |field: &CostField| {
        let value = (field.get)(&assumed.assumptions);
        // `value` is in the plain unit; divided by `scale` it is the number that is displayed.
        let (unit, scale) = field.unit.displayed_unit();
        json!({
            "id": field.id, "label": field.label, "about": field.about(), "value": value, "range": field.range,
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
    let taken = |p: &Preset<T>| if p.id == chosen.id { " (taken)" } else { "" };
    let table = Table::of("", presets).words(option, |p| p.id.to_owned());
    table
        .words("name", |p| format!("{}{}", p.name, taken(p)))
        .words("source", |p| p.source().to_owned())
        .table
}

fn fields(assumed: &SpeedupAssumptions) -> Table {
    let changed = |field: &CostField| {
        if assumed.is_changed(field) {
            " (changed)"
        } else {
            ""
        }
    };
    Table::of("", FIELDS)
        .words("--set", |field| field.id.to_owned())
        .words("value", |field| {
            format!("{}{}", assumed.value(field), changed(field))
        })
        .words("unit", |field| field.unit.displayed_unit().0.to_owned())
        .words("range", range)
        .words("what it is", |field| {
            format!("{}. {}", field.label, field.about())
        })
        .table
}

fn range(field: &CostField) -> String {
    match field.unit {
        FieldUnit::Switch => "yes, no".to_owned(),
        FieldUnit::Choice(names) => names.join(", "),
        unit => field
            .range
            .map(|end| displayed_value(end, unit))
            .join(" to "),
    }
}
