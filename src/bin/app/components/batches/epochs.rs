//! The number of epochs, the epoch shown, and the learning rate.

use super::ControlsProps as Props;
use crate::components::exact::{Exact, entered};
use crate::components::filtered;
use crate::components::settings::switch;
use crate::components::slider::{Slider, real, slider, whole};
use packscope::api::batch::{LearningRate, Mode, Settings};
use packscope::api::fields::batches::{EPOCHS, RATE, RATES};
use packscope::sampler::Sampler;
use packscope_page::state::batches::Action;
use std::ops::Bound;
use yew::prelude::*;

/// The most epochs on the slider.
const USUAL: u32 = 10;

/// The number of epochs and the epoch shown; nothing outside training.
pub fn epochs(props: &Props, settings: &Settings) -> Html {
    if settings.mode != Mode::Training {
        return Html::default();
    }
    let set = props.dispatch.reform(|epochs: u32| {
        Action::Set(
            EPOCHS.value.id,
            epochs.clamp(1, EPOCHS.largest_accepted()).to_string(),
        )
    });
    let all = slider(Slider {
        id: EPOCHS.value.id,
        label: EPOCHS.label.to_owned(),
        unit: EPOCHS.unit.to_owned(),
        value: settings.epochs.to_string(),
        most: EPOCHS.largest_accepted(),
        at: (settings.epochs.min(USUAL), [1, USUAL]),
        marks: (1..=USUAL).map(|e| e.to_string()).collect(),
        typed: whole(&set),
        moved: set,
    });
    html! { <section class="control">{ all }{ epochs_view(props, settings) }</section> }
}

fn epochs_view(props: &Props, settings: &Settings) -> Html {
    let (shown, runs) = (props.state.shown_epoch() + 1, settings.runs());
    let oninput = filtered(&props.dispatch, |e: InputEvent| {
        // Epochs are shown from 1, and counted from 0.
        entered::<u32>(&e)?.checked_sub(1).map(Action::Epoch)
    });
    let of = format!("{shown} of {runs}");
    html! {
        <div class="beneath">
            <div class="line">
                <label for="epoch">{ "Epoch shown" }</label>
                // An `output` is read out at each change unless told otherwise; the slider says its
                // value itself.
                <output for="epoch" aria-live="off">{ &of }</output>
            </div>
            <input
                id="epoch"
                type="range"
                min="1"
                max={runs.to_string()}
                value={shown.to_string()}
                // Not hidden, so that the controls below stay where they are.
                disabled={runs == 1}
                aria-valuetext={of}
                {oninput}
            />
        </div>
    }
}

/// Formats a rate: as `3e-5` below 0.01, else in full.
pub fn rate(rate: f64) -> String {
    if rate < 0.01 {
        format!("{rate:e}")
    } else {
        rate.to_string()
    }
}

/// The learning rate, and the switch that modulates it by batch; nothing outside training.
pub fn learning(props: &Props, settings: &Settings) -> Html {
    if settings.mode != Mode::Training {
        return Html::default();
    }
    let now = settings.learning_rate;
    let positive = (Bound::Excluded(0.0), Bound::Unbounded);
    let typed = real(
        positive,
        &props
            .dispatch
            .reform(move |base| Action::LearningRate(LearningRate { base, ..now })),
    );
    let modulated = props
        .dispatch
        .reform(move |modulated| Action::LearningRate(LearningRate { modulated, ..now }));
    // The batch that the rate is for: the base of BatchCap where it has one.
    let usual = settings
        .batch_cap
        .and_then(|cap| cap.base)
        .unwrap_or(settings.batch);
    html! {
        <section class="control">
            <div class="line">
                <label for={RATE.value.id}>{ RATE.label }</label>
                <Exact
                    id={RATE.value.id}
                    name={RATE.label}
                    min=0.0
                    // Any step would refuse some rates, such as 3e-5.
                    step="any"
                    value={rate(now.base)}
                    {typed}
                />
            </div>
            if settings.sampler == Sampler::Bucket {
                { switch(
                    "modulated",
                    RATES.label,
                    &format!(
                        "Rate × √(sequences / {usual}), batch by batch (learning-rate modulation, LRM)"
                    ),
                    now.modulated,
                    &modulated,
                ) }
            } else {
                <p class="hint">{ "The same for every batch." }</p>
            }
        </section>
    }
}
