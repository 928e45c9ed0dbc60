//! The choice of sampler, and the settings of the chosen one.

use super::ControlsProps as Props;
use super::epochs::rate;
use crate::components::exact::Exact;
use crate::components::explained::{quiet, terms};
use crate::components::settings::{ChoiceOption, choices, switch};
use crate::components::slider::{optional, real};
use crate::components::{NONE, PENDING};
use packscope::api::batch::{BatchCap, Mode, Settings};
use packscope::api::fields::batches::{CAP, GROUP, MERGING, SAMPLER, TOKENS, WIDTH};
use packscope::sampler::{Sampler, mega_of};
use packscope::words::{count, percent};
use packscope_page::state::AppState;
use packscope_page::state::batches::{Action, SamplerRow};
use yew::prelude::*;

/// The choice of sampler, each with its padding in the epoch shown.
pub fn samplers(props: &Props, settings: &Settings) -> Html {
    let way = |sampler: Sampler| {
        let chosen = settings.sampler == sampler;
        ChoiceOption {
            value: sampler.name().to_owned(),
            name: sampler.long_name().to_owned(),
            figure: padding(&props.state, row(settings, sampler)),
            about: sampler.about().to_owned(),
            more: if chosen {
                own_panel(props, settings)
            } else {
                Html::default()
            },
            chosen,
            choose: props.dispatch.reform(move |_| Action::Sampler(sampler)),
        }
    };
    choices(
        SAMPLER.value.id,
        SAMPLER.label,
        "padding",
        Sampler::ALL.map(way),
    )
}

fn row(settings: &Settings, sampler: Sampler) -> SamplerRow {
    SamplerRow {
        sampler,
        // Other samplers have one row in the table, whatever the switch says.
        merging: (sampler == Sampler::Bucket).then_some(settings.merging),
    }
}

/// The padding of a row on these data, perhaps with earlier settings; `…` until it is computed, `–`
/// if it is refused.
fn padding(state: &AppState, row: SamplerRow) -> String {
    match state
        .batched(row)
        .filter(|b| b.ticket.data == state.sequences.version())
        .map(|b| b.outcome)
    {
        None => PENDING.to_owned(),
        Some(Err(_)) => NONE.to_owned(),
        Some(Ok(_)) => state
            .epoch_figures(row)
            .map_or_else(|| PENDING.to_owned(), |f| percent(f.padding_share)),
    }
}

fn own_panel(props: &Props, settings: &Settings) -> Html {
    let merging = props
        .dispatch
        .reform(|on| Action::Set(MERGING.value.id, if on { "on" } else { "off" }.to_owned()));
    let inner = match settings.sampler {
        Sampler::LengthGrouped => grouped(props, settings),
        Sampler::TokenBudget => budget(props, settings),
        Sampler::BucketByLength => width(props, settings),
        Sampler::Bucket => html! {
            <>
                { switch(
                    MERGING.value.id,
                    MERGING.label,
                    "Residual batch merging (RBM): residual batches become fewer and larger, with more padding",
                    settings.merging,
                    &merging,
                ) }
                { width(props, settings) }
                if settings.mode == Mode::Training {
                    { cap(props, settings) }
                }
            </>
        },
        Sampler::Random | Sampler::Sorted | Sampler::Packed => return Html::default(),
    };
    html! { <div class="own">{ inner }</div> }
}

/// A field for a number of a sampler, with its default as placeholder.
fn field(
    id: &'static str,
    label: &'static str,
    unit: &str,
    (value, usual): (String, String),
    typed: Callback<String>,
) -> Html {
    html! {
        <div class="line">
            <label for={id}>{ terms(label) }</label>
            <Exact {id} name={format!("{label}, {unit}")} {value} placeholder={usual} {typed} />
        </div>
    }
}

fn text<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(String::new, |n| n.to_string())
}

fn grouped(props: &Props, settings: &Settings) -> Html {
    let items = props
        .state
        .sequences
        .data
        .as_ref()
        .map_or(0, |d| d.histogram.items());
    let usual = mega_of(items, settings.batch);
    html! {
        <>
            { field(
                GROUP.value.id,
                GROUP.label,
                GROUP.unit,
                (text(settings.mega), usual.to_string()),
                optional(&props.dispatch.reform(Action::Mega)),
            ) }
            <small>{ format!("Empty: {usual}, the rule of Hugging Face.") }</small>
        </>
    }
}

fn budget(props: &Props, settings: &Settings) -> Html {
    let usual = u64::from(settings.batch) * u64::from(settings.limit);
    html! {
        <>
            { field(
                TOKENS.value.id,
                TOKENS.label,
                TOKENS.unit,
                (text(settings.tokens), usual.to_string()),
                optional(&props.dispatch.reform(Action::Tokens)),
            ) }
            <small>
                { format!(
                    "Padding counts. Empty: {} × {} = {}.",
                    count(settings.batch.into()),
                    count(settings.limit.into()),
                    count(usual)
                ) }
            </small>
        </>
    }
}

fn width(props: &Props, settings: &Settings) -> Html {
    // The default follows sampler, TokenDrop and HWCap: it is the width of settings without one.
    let own = Settings {
        bucket_width: None,
        ..settings.clone()
    };
    let usual = own
        .width()
        .map_or_else(|| "as HWCap".to_owned(), |width| width.to_string());
    let hint = match settings.sampler {
        Sampler::Bucket => {
            "Empty, as in the paper: 1 without TokenDrop, with it 5, the rows of its table."
        }
        _ => "Empty: the rows of the table.",
    };
    html! {
        <>
            { field(
                WIDTH.value.id,
                WIDTH.label,
                WIDTH.unit,
                (text(settings.bucket_width), usual),
                optional(&props.dispatch.reform(Action::Width)),
            ) }
            <small>{ quiet(hint) }</small>
        </>
    }
}

/// The most epochs whose caps are listed.
const WRITTEN: u32 = 5;

fn cap(props: &Props, settings: &Settings) -> Html {
    let on = props
        .dispatch
        .reform(|on: bool| Action::BatchCap(on.then(BatchCap::default)));
    let switch = |about: &str| {
        switch(
            CAP.value.id,
            CAP.label,
            about,
            settings.batch_cap.is_some(),
            &on,
        )
    };
    let Some(now) = settings.batch_cap else {
        return switch("Small batches first");
    };
    let base = props
        .dispatch
        .reform(move |base| Action::BatchCap(Some(BatchCap { base, ..now })));
    let scaled = move |scaling| Action::BatchCap(Some(BatchCap { scaling, ..now }));
    let scaling = real(1.0..=100.0, &props.dispatch.reform(scaled));
    let caps = (0..settings.runs().min(WRITTEN))
        .filter_map(|e| settings.cap_of(e))
        .map(count);
    let mut caps: Vec<String> = caps.collect();
    caps.extend((settings.runs() > WRITTEN).then(|| "…".to_owned()));
    html! {
        <>
            { switch(&format!("Largest batch by epoch: {}", caps.join(", "))) }
            <div class="inner">
                { field(
                    "cap-base",
                    "First epoch",
                    CAP.unit,
                    (text(now.base), settings.batch.to_string()),
                    optional(&base),
                ) }
                <div class="line">
                    <label for="cap-scaling">{ terms("Growth per epoch") }</label>
                    <Exact
                        id="cap-scaling"
                        name="Growth of BatchCap from epoch to epoch"
                        max=100.0
                        step="any"
                        value={rate(now.scaling)}
                        typed={scaling}
                    />
                </div>
            </div>
        </>
    }
}
