//! The choice of model, accelerator, their number and the batch, with sources.

use crate::components::exact::Exact;
use crate::components::slider::{Slider, slider, whole};
use crate::components::{filtered, list};
use crate::shared::Props;
use packscope::cost::fields::FIELDS;
use packscope::cost::presets::{self, Preset};
use packscope::cost::waiting::{ACCELERATORS, MOST};
use packscope::cost::{CostField, FieldGroup};
use packscope::words::count;
use packscope_page::state::speedup::{Action, SpeedUpState};
use packscope_page::state::{self, View};
use yew::prelude::*;

#[component]
pub fn Choose(props: &Props) -> Html {
    let state = &props.state;
    let speedup = &state.speedup;
    let set = props.dispatch.reform(state::Action::SpeedUp);
    let model = match state.view {
        View::Graphs => about(
            speedup,
            FieldGroup::Gnn,
            ("Model", speedup.gnn),
            &set.reform(Action::Gnn),
            Html::default(),
        ),
        _ => {
            let now = ("Model", speedup.transformer);
            about(
                speedup,
                FieldGroup::Transformer,
                now,
                &set.reform(Action::Transformer),
                Html::default(),
            )
        }
    };
    let accelerator = {
        let (now, set) = (speedup.accelerator, set.reform(Action::Accelerator));
        let to = filtered(&set, |id: String| {
            presets::named(presets::ACCELERATORS, &id)
        });
        let all = presets::ACCELERATORS
            .iter()
            .map(|p| (p.id.into(), p.name.into(), p.id == now.id));
        let all = html! {
            <>
                <label for="cost-accelerator">{ "Accelerator" }</label>
                { list("cost-accelerator", all, &to) }
            </>
        };
        about(speedup, FieldGroup::Accelerator, ("", now), &set, all)
    };
    let rows = if state.view == View::Graphs {
        "Packs per batch"
    } else {
        "Rows per batch"
    };
    let accumulation = speedup.assumptions().accumulation;
    html! {
        <div class="choose" role="group" aria-label="Model and accelerators">
            <div>{ model }</div>
            <div>{ accelerator }</div>
            <div>
                { accelerators(
                    speedup.assumptions().accelerators,
                    set.reform(|n| Action::Set("accelerators", f64::from(n))),
                ) }
            </div>
            <div>
                { number(
                    "cost-batch",
                    rows,
                    state.rows_of_batch(),
                    props.dispatch.reform(state::Action::Batch),
                ) }
                { fit(props) }
                // In inference nothing is updated.
                if state.trains() {
                    { number(
                        "cost-accumulation",
                        "Batches per update",
                        accumulation,
                        set.reform(|n: u32| Action::Set("accumulation", f64::from(n))),
                    ) }
                }
            </div>
        </div>
    }
}

/// Whether the batch fits the memory; if not, a button that takes one that does.
fn fit(props: &Props) -> Html {
    let Some((sentence, take)) = props.state.of_fit() else {
        return Html::default();
    };
    if take.is_empty() {
        return html! { <p class="small">{ sentence }</p> };
    }
    let dispatch = props.dispatch.clone();
    let act = move |_: MouseEvent| {
        take.iter()
            .cloned()
            .for_each(|action| dispatch.emit(action))
    };
    html! {
        <p class="misfit" role="status">
            { sentence }
            { " " }
            <button type="button" class="solid" onclick={Callback::from(act)}>
                { "Fit the batch" }
            </button>
        </p>
    }
}

/// A preset under its name or its list, with its source, and a button that resets its numbers if
/// any were changed.
fn about<T>(
    speedup: &SpeedUpState,
    group: FieldGroup,
    (label, now): (&'static str, &'static Preset<T>),
    set: &Callback<&'static Preset<T>>,
    all: Html,
) -> Html {
    let is_changed = |field: &&CostField| field.group == group && speedup.is_changed(field);
    let changed = FIELDS.iter().filter(is_changed).count();
    html! {
        <>
            // Accelerators have a list with a label of its own.
            if label.is_empty() {
                { all }
            } else {
                <p>
                    <b>{ label }</b>
                </p>
                <p>{ now.name }</p>
            }
            <details class="source">
                <summary>{ "Source" }</summary>
                <p>{ now.source() }{ ". " }{ now.note() }</p>
            </details>
            if changed > 0 {
                <p class="hint">
                    {
                        if changed == 1 {
                            "One number changed; ".to_owned()
                        } else {
                            format!("{changed} numbers changed; ")
                        }
                    }
                    <button type="button" class="word" onclick={set.reform(move |_| now)}>
                        { "as published" }
                    </button>
                </p>
            }
        </>
    }
}

/// The number of accelerators: powers of two on the slider, any number when typed.
fn accelerators(now: u32, set: Callback<u32>) -> Html {
    let last = ACCELERATORS.len() as u32 - 1;
    slider(Slider {
        id: "cost-accelerators",
        label: "Accelerators".to_owned(),
        unit: "at work on each step".to_owned(),
        value: now.to_string(),
        most: MOST,
        at: (now.max(1).ilog2().min(last), [0, last]),
        marks: [1, 8, 64, 512, MOST].map(|n| count(u64::from(n))).to_vec(),
        typed: whole(&set),
        moved: set.reform(move |power: u32| 1 << power.min(last)),
    })
}

fn number(id: &'static str, label: &'static str, now: u32, set: Callback<u32>) -> Html {
    html! {
        <div class="line">
            <label for={id}>{ label }</label>
            <Exact
                {id}
                name={label}
                value={now.to_string()}
                max={f64::from(MOST)}
                typed={whole(&set)}
            />
        </div>
    }
}
