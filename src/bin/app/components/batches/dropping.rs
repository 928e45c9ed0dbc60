//! TokenDrop: which stopwords to drop, and their share of the data.

use super::ControlsProps as Props;
use crate::components::controls::stopwords;
use crate::components::settings::{ChoiceOption, choices};
use crate::components::slider::share;
use packscope::api::batch::{Mode, Settings};
use packscope::api::fields::batches::{DROP, STOPWORDS};
use packscope::sampler::TokenDrop;
use packscope::words::percent;
use packscope_page::state::batches::Action;
use yew::prelude::*;

/// The rate that P3 trains with (Appendix C).
const RATE: f64 = 0.3;

/// The choice of TokenDrop, with the share of stopwords in the data.
pub fn dropping(props: &Props, settings: &Settings) -> Html {
    let now = settings.token_drop;
    let rate = if let TokenDrop::Rate(rate) = now {
        rate
    } else {
        RATE
    };
    let way = |(value, name, about, drop): (&str, &str, &str, TokenDrop)| {
        // By kind alone: with another rate it is the same option, whose field must not be replaced
        // while one types into it.
        let chosen = std::mem::discriminant(&now) == std::mem::discriminant(&drop);
        let more = if chosen && matches!(drop, TokenDrop::Rate(_)) {
            let set = props
                .dispatch
                .reform(|rate| Action::TokenDrop(TokenDrop::Rate(rate)));
            html! {
                <div class="own">
                    { share("dropped", "Rate, %", "percent of the stopwords", rate, &set) }
                </div>
            }
        } else {
            Html::default()
        };
        ChoiceOption {
            value: value.to_owned(),
            name: name.to_owned(),
            figure: String::new(),
            about: about.to_owned(),
            more,
            chosen,
            choose: props.dispatch.reform(move |_| Action::TokenDrop(drop)),
        }
    };
    // A query on its own is always the shortest sequence of its batch.
    let equalised = settings.mode != Mode::RealTime || now == TokenDrop::Equalise;
    let ways = [
        ("off", "Off", "", TokenDrop::Off),
        (
            "rate",
            "A share of the stopwords",
            "Of every sequence, before batching",
            TokenDrop::Rate(rate),
        ),
        (
            "equalise",
            "To the shortest of the batch",
            "As far as stopwords go",
            TokenDrop::Equalise,
        ),
    ];
    let ways = ways
        .into_iter()
        .filter(|way| equalised || way.3 != TokenDrop::Equalise);
    html! {
        <>
            <div class="control-with">
                { choices(DROP.value.id, DROP.label, "", ways.map(way)) }
                { stopword_share(props, settings) }
                <p class="hint">{ advice(settings.mode) }</p>
            </div>
        </>
    }
}

fn advice(mode: Mode) -> &'static str {
    match mode {
        Mode::Training => {
            "The paper drops down to the shortest sequence of the batch, and 30 % in its Table 8; not where grammar is the task (CoLA)."
        }
        Mode::Server | Mode::RealTime => {
            "As in the paper, only for models that were trained with TokenDrop."
        }
    }
}

/// The share of stopwords: as counted in texts, else a field for an assumed one.
fn stopword_share(props: &Props, settings: &Settings) -> Html {
    if let Some(texts) = props
        .state
        .sequences
        .data
        .as_ref()
        .and_then(|d| d.texts.as_ref())
    {
        return html! {
            <p class="hint">
                { format!("Counted: {} of the words are stopwords.", percent(stopwords(texts))) }
            </p>
        };
    }
    if settings.token_drop == TokenDrop::Off {
        return Html::default();
    }
    let set = props
        .dispatch
        .reform(|share: f64| Action::Set(STOPWORDS.value.id, share.to_string()));
    html! {
        <div class="beneath">
            { share(
                STOPWORDS.value.id,
                STOPWORDS.label,
                "percent of each sequence",
                settings.stopword_share,
                &set,
            ) }
            <p class="hint">
                { "An assumption: these data are lengths. Open a text to have them counted." }
            </p>
        </div>
    }
}
