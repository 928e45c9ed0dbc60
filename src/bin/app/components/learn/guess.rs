//! A question whose answer the reader predicts: choices, a button to commit, and the answer.

use super::NamedPrediction;
use packscope_page::learn::Guess;
use packscope_page::state::learn::Prediction;
use web_sys::HtmlElement;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The question, its choices and its answer.
    pub guess: Guess,
    pub asked: Html,
    /// The answer as shown; empty until it is revealed.
    pub reveal: Html,
    /// The prediction of the reader, once committed.
    pub prediction: Option<Prediction>,
    /// Commits a prediction, or withdraws it.
    pub predicts: Callback<NamedPrediction>,
}

#[component]
pub fn Question(props: &Props) -> Html {
    let Props {
        guess,
        asked,
        reveal,
        prediction,
        predicts,
    } = props;
    let place = use_node_ref();
    let picked = use_state_eq(|| None::<u32>);
    let id = guess.id;
    let tell = {
        let (place, predicts) = (place.clone(), predicts.clone());
        move |prediction: Option<Prediction>| {
            predicts.emit((id, prediction));
            // The pressed button is gone, so the focus moves to the question, from where Tab
            // continues.
            if let Some(place) = place.cast::<HtmlElement>() {
                let _ = place.focus();
            }
        }
    };
    let open = prediction.is_none();
    let made = match prediction {
        Some(Prediction::Made(made)) => Some(*made),
        Some(Prediction::Skipped) => None,
        None => *picked,
    };
    let choices = (0..guess.choices.len()).map(|index| {
        let onchange = {
            let picked = picked.setter();
            Callback::from(move |_: Event| picked.set(Some(index as u32)))
        };
        choice(guess, index, made == Some(index as u32), open, onchange)
    });
    let name = format!("guess-{id}");
    html! {
        <div
            ref={place}
            class="guess"
            tabindex="-1"
            role="group"
            aria-labelledby={name.clone()}
            data-guess={id}
            data-told={(!open).to_string()}
        >
            <fieldset disabled={!open}>
                <legend id={name}>
                    <b>{ "Predict" }</b>
                    { " " }
                    { asked.clone() }
                </legend>
                <div class="guesses">{ for choices }</div>
            </fieldset>
            { buttons(open, *picked, tell) }
            <p class="told" role="status">{ revealed_answer(guess, open, reveal) }</p>
        </div>
    }
}

/// A choice; once the answer is revealed, it says whether it was the reader's, and whether it is
/// the nearest.
fn choice(guess: &Guess, index: usize, made: bool, open: bool, onchange: Callback<Event>) -> Html {
    let nearest = !open && guess.nearest() == Some(index);
    let mark = match (nearest, made && !open) {
        (true, true) => ", yours and the nearest",
        (true, false) => ", the nearest",
        (false, true) => ", yours",
        (false, false) => "",
    };
    html! {
        <label class={classes!(nearest.then_some("nearest"))}>
            <input
                type="radio"
                name={guess.id}
                value={index.to_string()}
                checked={made}
                {onchange}
            />
            { " " }
            // A number stays on the line of its unit.
            { guess.choice(index).replace(' ', "\u{a0}") }
            { mark }
        </label>
    }
}

fn buttons(
    open: bool,
    picked: Option<u32>,
    tell: impl Fn(Option<Prediction>) + Clone + 'static,
) -> Html {
    let press = |prediction: Option<Prediction>| {
        let tell = tell.clone();
        Callback::from(move |_: MouseEvent| tell(prediction))
    };
    if !open {
        return html! {
            <p class="commit">
                <button type="button" class="word" onclick={press(None)}>
                    { "Predict again" }
                </button>
            </p>
        };
    }
    let commit = press(picked.map(Prediction::Made));
    html! {
        <p class="commit">
            <button type="button" class="solid" disabled={picked.is_none()} onclick={commit}>
                { "Commit" }
            </button>
            <button type="button" class="word" onclick={press(Some(Prediction::Skipped))}>
                { "Show without guessing" }
            </button>
        </p>
    }
}

/// The answer to a committed question; a message while the engine still computes.
fn revealed_answer(guess: &Guess, open: bool, reveal: &Html) -> Html {
    match (open, guess.answer) {
        (true, _) => Html::default(),
        (false, None) => html! { { "The engine is computing the answer." } },
        (false, Some(_)) => reveal.clone(),
    }
}
