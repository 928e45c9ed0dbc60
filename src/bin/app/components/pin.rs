//! The pinned result beside the one on screen: A, B, and their difference.

use super::titled;
use crate::shared::Shared;
use packscope::state::pin::{self, Comparison, Difference};
use packscope::state::{Action, AppState, View, graphs};
use yew::prelude::*;

/// Properties of [`Pinned`].
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub state: Shared,
    /// Dispatches actions.
    pub dispatch: Callback<Action>,
}

/// A button that pins the result on screen, or the comparison with the pinned one.
#[component]
pub fn Pinned(props: &Props) -> Html {
    let state = &props.state;
    let press = |one: pin::Action, two: pin::Action<2>| {
        let action = match state.view {
            View::Graphs => Action::Graphs(graphs::Action::Pin(two)),
            _ => Action::Pin(one),
        };
        props.dispatch.reform(move |_: MouseEvent| action.clone())
    };
    let button = |words: &str, onclick: Callback<MouseEvent>| {
        html! { <button type="button" class="word" {onclick}>{ words }</button> }
    };
    let keep = || press(pin::Action::Keep, pin::Action::Keep);
    let Some(against) = against(state) else {
        let there = if state.view == View::Graphs {
            state.graphs.answer.is_some()
        } else {
            state.sequences.answer.is_some()
        };
        return match there {
            true => {
                html! { <p class="pin">{ button("Pin this", keep()) }{ " to compare the next result with it." }</p> }
            }
            false => Html::default(),
        };
    };
    html! {
        <section class="pinned" aria-label="Compared with the pinned result" data-pinned={if against.figures.is_empty() { "computing" } else { "known" }}>
            <h2>{ titled(&title(&against)) }</h2>
            { table(&against) }
            <p class="more">
                { button("Swap A and B", press(pin::Action::Swap, pin::Action::Swap)) }
                { button("Go back to A", press(pin::Action::Back, pin::Action::Back)) }
                { button("Pin this instead", keep()) }
                { button("Unpin", press(pin::Action::Drop, pin::Action::Drop)) }
            </p>
        </section>
    }
}

fn against(state: &AppState) -> Option<Comparison> {
    match state.view {
        View::Sequences => state.against(),
        View::Graphs => state.graphs.against(),
        View::Batches | View::Learn => None,
    }
}

/// The title: the differences in padding and packs.
fn title(against: &Comparison) -> String {
    let of = |name: &str| against.figures.iter().find(|d| d.figure == name);
    match (of("padding_share"), of("packs")) {
        _ if against.same_data && against.settings.is_empty() => "This is what you have pinned".to_owned(),
        (Some(padding), Some(packs)) if against.same_data => {
            format!(
                "Against A: {} {}, padding {}",
                packs.words,
                packs.label.to_ascii_lowercase(),
                padding.words
            )
        }
        (Some(padding), _) => format!("Against A, which is about other data: padding {}", padding.words),
        _ => "The pinned result is computed".to_owned(),
    }
}

fn table(against: &Comparison) -> Html {
    let data = against.data.clone().map(|data| data.unwrap_or_else(|| "…".to_owned()));
    let row = |name: &str, [a, b]: &[String; 2], apart: Html| {
        html! { <tr><th scope="row">{ name }</th><td>{ a }</td><td>{ b }</td><td>{ apart }</td></tr> }
    };
    html! {
        <div class="scroll"><table class="compare still">
            <thead><tr><th scope="col"><span class="unseen">{ "What is compared" }</span></th><th scope="col">{ "A, pinned" }</th><th scope="col">{ "B, on screen" }</th><th scope="col">{ "difference" }</th></tr></thead>
            <tbody>
                { row("Data", &data, if against.same_data { Html::default() } else { html! { "other data" } }) }
                { for against.settings.iter().map(|(name, both)| row(name, both, Html::default())) }
                { for against.figures.iter().map(|d| row(d.label, &d.shown, difference(d))) }
            </tbody>
        </table></div>
    }
}

/// B − A, and a word on which is better, never by colour alone.
fn difference(d: &Difference) -> Html {
    html! {
        <span data-figure={format!("difference_{}", d.figure)} data-value={d.value().to_string()}>
            { &d.words }{ " " }<small>{ d.verdict.word() }</small>
        </span>
    }
}

/// The difference of a figure of the headline; nothing while nothing is pinned.
pub fn apart(against: Option<&Comparison>, figure: &str) -> Html {
    let Some(d) = against.and_then(|a| a.figures.iter().find(|d| d.figure == figure)) else {
        return Html::default();
    };
    html! {
        <span class="apart" data-apart={d.figure}>{ &d.words }{ ", " }{ d.verdict.word() }</span>
    }
}
