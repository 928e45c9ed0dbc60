//! The assumptions of the estimates; every number can be changed.

use super::PartProps;
use super::field::number;
use crate::components::fold::{Fold, use_fold};
use packscope::cost::fields::{CostField, FIELDS, FieldGroup};
use packscope::cost::presets::Preset;
use packscope::words::plural;
use packscope_page::state::View;
use packscope_page::state::speedup::Action;
use yew::prelude::*;

/// Numbers that are shown where they matter most instead: among the controls above and in the bill.
const ELSEWHERE: [&str; 3] = ["accelerators", "accumulation", "power"];

/// Numbers that do not count in inference.
const OF_TRAINING: [&str; 2] = ["passes", "update-bytes"];

#[component]
pub fn Assumptions(props: &PartProps) -> Html {
    let state = &props.state;
    let (model, gnn) = (state.speedup.transformer, state.speedup.gnn);
    let (group, name, source) = match state.view {
        View::Graphs => (FieldGroup::Gnn, gnn.name, sourced(gnn)),
        _ => (FieldGroup::Transformer, model.name, sourced(model)),
    };
    let accelerator = state.speedup.accelerator;
    let changed = FIELDS
        .iter()
        .filter(|field| state.speedup.is_changed(field))
        .count() as u64;
    let Fold { open, ontoggle } = use_fold("assumptions");
    let reset = props.dispatch.reform(|_| Action::Reset);
    html! {
        <details class="panel assumptions" id="assumptions" {open} {ontoggle}>
            <summary>
                <h2>{ "Every number the estimates rest on" }</h2>
                if changed > 0 {
                    <span class="small">{ format!("{} changed", plural(changed, "number")) }</span>
                }
            </summary>
            <p class="small">
                { "Change any of them: all estimates follow at once, and nothing is packed again. " }
                <button type="button" class="word" onclick={reset}>{ "Reset" }</button>
            </p>
            { fields(props, group, &format!("Model: {name}"), &source) }
            { fields(
                props,
                FieldGroup::Accelerator,
                &format!("Accelerator: {}", accelerator.name),
                &sourced(accelerator),
            ) }
            { fields(
                props,
                FieldGroup::Training,
                if state.trains() {
                    "Training"
                } else {
                    "Inference"
                },
                "Assumptions; what each rests on stands below it.",
            ) }
            <p class="small">
                {
                    if state.trains() {
                        "The number of accelerators, accumulated batches, the decays, price and power stand above, where they matter."
                    } else {
                        "The number of accelerators, price and power stand above, where they matter. A pass is made once, and nothing is updated."
                    }
                }
            </p>
        </details>
    }
}

/// Returns the source of a preset's numbers, with its note.
fn sourced<T>(preset: &Preset<T>) -> String {
    format!(
        "Source: {}. {}",
        preset.source().trim_end_matches('.'),
        preset.note()
    )
}

fn fields(props: &PartProps, group: FieldGroup, title: &str, source: &str) -> Html {
    let trains = props.state.trains();
    let here = |field: &&CostField| {
        let counts = trains || !OF_TRAINING.contains(&field.id);
        field.group == group && counts && !ELSEWHERE.contains(&field.id)
    };
    html! {
        <fieldset class="group">
            <legend>{ title }</legend>
            <p class="small">{ source }</p>
            <div class="fields">
                { for FIELDS.iter().filter(here).map(|field| number(props, field.id, true)) }
            </div>
        </fieldset>
    }
}
