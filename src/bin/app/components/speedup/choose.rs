//! The choice of model, accelerator, their number and the batch, with sources.

use crate::components::exact::Exact;
use crate::components::slider::{Slider, slider, whole};
use crate::components::{filtered, list};
use crate::shared::Props;
use packscope::cost::fields::FIELDS;
use packscope::cost::presets::{self, Preset};
use packscope::cost::waiting::{ACCELERATORS, MOST};
use packscope::cost::{Field, Group};
use packscope::state::speedup::{Action, SpeedUpState};
use packscope::state::{self, View};
use packscope::words::count;
use yew::prelude::*;

#[component]
pub fn Choose(props: &Props) -> Html {
    let state = &props.state;
    let speedup = &state.speedup;
    let set = props.dispatch.reform(state::Action::SpeedUp);
    let model = match state.view {
        View::Graphs => Choice::new("cost-gnn", "Model", presets::GNNS, speedup.gnn, Group::Gnn)
            .html(speedup, set.reform(Action::Gnn)),
        _ => {
            let (presets, now) = (presets::TRANSFORMERS, speedup.transformer);
            let choice = Choice::new("cost-model", "Model", presets, now, Group::Transformer);
            choice.html(speedup, set.reform(Action::Transformer))
        }
    };
    let (presets, now) = (presets::ACCELERATORS, speedup.accelerator);
    let accelerator = Choice::new("cost-accelerator", "Accelerator", presets, now, Group::Accelerator);
    let rows = if state.view == View::Graphs { "Packs per batch" } else { "Rows per batch" };
    let accumulation = speedup.assumptions().accumulation;
    html! {
        <div class="choose" role="group" aria-label="Model and accelerators">
            <div>{ model }</div>
            <div>{ accelerator.html(speedup, set.reform(Action::Accelerator)) }</div>
            <div>{ accelerators(speedup.assumptions().accelerators, set.reform(|n| Action::Set("accelerators", f64::from(n)))) }</div>
            <div>
                { number("cost-batch", rows, state.sequences.settings.batch, props.dispatch.reform(state::Action::Batch)) }
                if let Some(said) = state.of_fit() { <p class="small">{ said }</p> }
                { number("cost-accumulation", "Batches per update", accumulation, set.reform(|n: u32| Action::Set("accumulation", f64::from(n)))) }
            </div>
        </div>
    }
}

/// A list of presets, one of which is chosen.
struct Choice<T: 'static> {
    id: &'static str,
    label: &'static str,
    presets: &'static [Preset<T>],
    now: &'static Preset<T>,
    group: Group,
}

impl<T> Choice<T> {
    fn new(
        id: &'static str,
        label: &'static str,
        presets: &'static [Preset<T>],
        now: &'static Preset<T>,
        group: Group,
    ) -> Self {
        Self { id, label, presets, now, group }
    }

    /// The list, the source of the chosen preset, and a button that resets its numbers if any were changed.
    fn html(&self, speedup: &SpeedUpState, set: Callback<&'static Preset<T>>) -> Html {
        let Self { id, label, presets, now, group } = *self;
        let to = filtered(&set, move |id: String| presets::named(presets, &id));
        let all = presets.iter().map(|p| (p.id.into(), p.name.into(), p.id == now.id));
        let is_changed = |field: &&Field| field.group == group && speedup.is_changed(field);
        let changed = FIELDS.iter().filter(is_changed).count();
        html! { <>
            <label for={id}>{ label }</label>{ list(id, all, &to) }
            <details class="source">
                <summary>{ "Source" }</summary>
                <p>{ now.source }{ ". " }{ now.note }</p>
            </details>
            if changed > 0 {
                <p class="hint">
                    { if changed == 1 { "One number changed; ".to_owned() } else { format!("{changed} numbers changed; ") } }
                    <button type="button" class="word" onclick={set.reform(move |_| now)}>{ "as published" }</button>
                </p>
            }
        </> }
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
        moved: set.reform(|power: u32| 1 << power.min(12)),
    })
}

fn number(id: &'static str, label: &'static str, now: u32, set: Callback<u32>) -> Html {
    html! {
        <div class="line">
            <label for={id}>{ label }</label>
            <Exact {id} name={label} value={now.to_string()} max={f64::from(MOST)} typed={whole(&set)} />
        </div>
    }
}
