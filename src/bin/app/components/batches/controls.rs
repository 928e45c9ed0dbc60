//! The column of controls: limit, batch, sampler with its settings, mode, epochs, token dropping.

use super::{ControlsProps as Props, dropping, epochs, samplers};
use crate::components::exact::Exact;
use crate::components::fold::Column;
use crate::components::settings::{ChoiceOption, choices, limit_of, policy_of};
use crate::components::slider::powers;
use packscope::api::batch::{Mode, Settings};
use packscope::api::fields::batches::{BATCH, LIMIT, MODE, OVERLONG, SEED};
use packscope::histogram::Overlong;
use packscope::sampler::Sampler;
use packscope::words::count;
use packscope_page::state::Action as PageAction;
use packscope_page::state::batches::Action;
use yew::prelude::*;

#[component]
pub fn Controls(props: &Props) -> Html {
    let settings = props.state.batch_settings();
    // Queries one by one need no sampler.
    let arranged = settings.mode != Mode::RealTime;
    // HWCap limits the batch of a bucket; the other samplers have none.
    let buckets = matches!(settings.sampler, Sampler::Bucket | Sampler::BucketByLength);
    let (limit_of, unit) = (
        count(u64::from(settings.limit)),
        props.state.sequences.unit(),
    );
    let batches = match arranged {
        true => format!(
            "{} a batch · {}",
            count(u64::from(settings.batch)),
            settings.sampler.long_name()
        ),
        false => settings.mode.long_name().to_owned(),
    };
    let summary = format!("{limit_of} {unit} · {batches}");
    html! {
        <Column {summary}>
            { limit(props) }
            if arranged {
                { batch(props) }
            }
            if arranged {
                { samplers::samplers(props, &settings) }
            }
            if arranged && buckets {
                <super::hwcap::Cap
                    now={settings.hwcap.clone()}
                    limit={settings.limit}
                    set={props.dispatch.reform(Action::HwCap)}
                />
            }
            { mode(props, &settings) }
            { epochs::epochs(props, &settings) }
            { epochs::learning(props, &settings) }
            { dropping::dropping(props, &settings) }
            { policy(props, &settings) }
            if arranged {
                { seed(props, &settings) }
            }
        </Column>
    }
}

fn limit(props: &Props) -> Html {
    let (value, max) = (
        props.state.sequences.settings.limit,
        props.state.sequences.largest_limit(),
    );
    limit_of(
        LIMIT.value.id,
        LIMIT.label,
        props.state.sequences.unit(),
        (value, max),
        &props.shared.reform(PageAction::Limit),
    )
}

/// The largest power of two on the slider.
const POWERS: u32 = 10;

fn batch(props: &Props) -> Html {
    let batch = props.state.sequences.settings.batch;
    let set = props.shared.reform(PageAction::Batch);
    let slider = powers(
        BATCH.value.id,
        [BATCH.label, BATCH.unit],
        (batch, BATCH.largest_accepted()),
        POWERS,
        &set,
    );
    html! { <section class="control">{ slider }</section> }
}

fn mode(props: &Props, settings: &Settings) -> Html {
    let way = |mode: Mode| ChoiceOption {
        value: mode.name().to_owned(),
        name: mode.long_name().to_owned(),
        figure: String::new(),
        about: mode.about().to_owned(),
        more: Html::default(),
        chosen: settings.mode == mode,
        choose: props
            .dispatch
            .reform(move |_| Action::Set(MODE.value.id, mode.to_string())),
    };
    choices(MODE.value.id, MODE.label, "", Mode::ALL.map(way))
}

fn policy(props: &Props, settings: &Settings) -> Html {
    // The number of stopwords in the parts of a split text is unknown.
    let texts = props
        .state
        .sequences
        .data
        .as_ref()
        .is_some_and(|d| d.texts.is_some());
    let now = settings.overlong;
    let policies = Overlong::ALL
        .into_iter()
        .filter(|p| *p != Overlong::Split || !texts || *p == now);
    let set = props
        .shared
        .reform(|text| PageAction::Set(OVERLONG.value.id, text));
    html! {
        <section class="control">
            { policy_of(OVERLONG.label.to_owned(), policies, now, set) }
        </section>
    }
}

fn seed(props: &Props, settings: &Settings) -> Html {
    let typed = props
        .shared
        .reform(|text| PageAction::Set(SEED.value.id, text));
    let next = settings.seed.wrapping_add(1);
    let another = typed.reform(move |_: MouseEvent| next.to_string());
    html! {
        <section class="control">
            <div class="line">
                <label for={SEED.value.id}>{ SEED.label }</label>
                <Exact
                    id={SEED.value.id}
                    name={SEED.label}
                    min=0.0
                    value={settings.seed.to_string()}
                    {typed}
                />
            </div>
            <p class="hint">
                { "Shuffle seed · " }
                <button type="button" class="word" onclick={another}>{ "reshuffle" }</button>
            </p>
        </section>
    }
}
