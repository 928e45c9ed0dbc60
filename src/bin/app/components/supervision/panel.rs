//! Of what is computed, how much trains, as bars to scale.

use super::{sources, weights};
use crate::components::{button, list, titled};
use crate::jump;
use crate::shared::Props;
use packscope::supervision::{Composition, Truncation};
use packscope::words::percent;
use packscope_page::state::supervision::Action as Supervising;
use packscope_page::state::{Action, AppState};
use packscope_page::wire::TrainedTurns;
use yew::prelude::*;

/// The panel below the answer, with what each limit and each batch does to the tokens that train.
#[component]
pub fn Panel(props: &Props) -> Html {
    let state = &props.state;
    let (Some(title), Some(found)) = (state.of_computed(), state.supervised()) else {
        return Html::default();
    };
    let by = found.by.clone();
    html! {
        <section class="supervision" id="supervision" tabindex="-1" data-state="current">
            <h2>{ titled(&title) }</h2>
            <p class="small told-by">
                <span>{ format!("Supervised: {}.", found.labels) }</span>
                if let Some(turns) = found.turns {
                    <label>{ "Loss on " } { trained(turns, props) }</label>
                }
                <label>{ "Of longer sequences " } { truncations(props) }</label>
            </p>
            { bars(state) }
            // Else it stands at the head of the view.
            if let Some(lost) = state.of_supervision().filter(|_| !state.loses_supervision()) {
                <p>{ lost }</p>
            }
            if let Some(by) = by {
                <sources::Sources state={state.clone()} dispatch={props.dispatch.clone()} {by} />
            }
            <weights::Panel state={state.clone()} dispatch={props.dispatch.clone()} />
        </section>
    }
}

/// Draws the sentence at the head of the view, where the limit loses much of what trains.
pub fn said(props: &Props) -> Html {
    let state = &props.state;
    let lost = state.of_supervision().filter(|_| state.loses_supervision());
    lost.map_or_else(Html::default, |lost| {
        html! {
            <p class="supervision-lost" data-figure="untrained" data-value={untrained(state)}>
                { lost }
                { " " }
                { button("see which tokens train ↓", Callback::from(|_| jump::go_to("supervision"))) }
            </p>
        }
    })
}

fn untrained(state: &AppState) -> Option<String> {
    let (found, limit) = (state.supervised()?, state.sequences.settings.limit);
    Some(found.curves.0.untrained(limit).to_string())
}

fn trained(now: TrainedTurns, props: &Props) -> Html {
    let option = |turns: TrainedTurns| (turns.name().into(), turns.name().into(), turns == now);
    let set = props.dispatch.clone();
    let set = Callback::from(move |name: String| {
        let chosen = TrainedTurns::EVERY
            .into_iter()
            .find(|turns| turns.name() == name);
        chosen.into_iter().for_each(|turns| {
            set.emit(Action::Supervision(Supervising::Train(turns)));
        });
    });
    list("trained-turns", TrainedTurns::EVERY.map(option), &set)
}

fn truncations(props: &Props) -> Html {
    let now = props.state.truncation();
    let option = |truncation: Truncation| {
        (
            truncation.name().into(),
            truncation.long_name().into(),
            truncation == now,
        )
    };
    let set = props.dispatch.clone();
    let set = Callback::from(move |name: String| {
        if let Ok(truncation) = name.parse() {
            set.emit(Action::Supervision(Supervising::Truncate(truncation)));
        }
    });
    list("truncation", Truncation::ALL.map(option), &set)
}

/// Draws what is computed of padded batches and of packed rows, both to the scale of the larger.
fn bars(state: &AppState) -> Html {
    let Some((padded, packed)) = state.computed_slots() else {
        return Html::default();
    };
    let most = packed.map_or(padded.slots(), |packed| packed.slots().max(padded.slots()));
    let of = &state.sequences.settings;
    let names = [
        format!("random batches of {}, padded to the longest", of.batch),
        format!("packed by {}", of.algorithm.long_name()),
    ];
    let rows = [Some(padded), packed].into_iter().zip(names);
    html! {
        <>
            <dl class="slots-by-kind">
                { for rows.filter_map(|(slots, name)| Some(bar(&name, slots?, most))) }
            </dl>
            <p class="small legend">
                <i class="responses" /> { "responses, which train" }
                <i class="prompts" /> { "prompts" }
                <i class="padding" /> { "padding" }
            </p>
        </>
    }
}

fn bar(name: &str, of: Composition, most: f64) -> Html {
    let parts = [
        ("responses", of.responses),
        ("prompts", of.prompts),
        ("padding", of.padding),
    ];
    let words = parts.map(|(kind, part)| format!("{} {kind}", percent(of.share(part))));
    let mut from = 0.0;
    // Rectangles, since the page allows no style in markup.
    let piece = |(kind, part): (&'static str, f64)| {
        let width = 1000.0 * part / most.max(1.0);
        let x = from;
        from += width;
        html! { <rect class={kind} x={x.to_string()} width={width.to_string()} height="1" /> }
    };
    html! {
        <div>
            <dt>{ name.to_owned() }</dt>
            <dd
                data-responses={of.share(of.responses).to_string()}
                data-padding={of.share(of.padding).to_string()}
            >
                <svg
                    role="img" aria-label={words.join(", ")} viewBox="0 0 1000 1"
                    preserveAspectRatio="none"
                >
                    { for parts.into_iter().map(piece) }
                </svg>
                <span class="small">{ words.join(", ") }</span>
            </dd>
        </div>
    }
}
