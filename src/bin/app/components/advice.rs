//! Advice above the drawings of a view: the judge's verdict on training without a library, or on ranks, with buttons
//! that apply it; and what graphs with counted attention are recommended.

use crate::components::explained::terms;
use crate::components::table::padding;
use crate::components::{NONE, cell, entry_of, framed, tied};
use crate::shared::Props;
use packscope::advice::{Outcome, Ruling, Verdict, duration, money};
use packscope::words::{about_factor, capital, percent, singular_unit};
use packscope_page::state::{Action, Advice, AppState, Press, Tab, View};
use std::rc::Rc;
use yew::prelude::*;

/// The verdict on training without a library. While the next one is weighed, the last stays, without its buttons.
#[component]
pub fn OfTraining(props: &Props) -> Html {
    let Props { state, dispatch } = props;
    let last = use_mut_ref(|| None::<(u64, Rc<Verdict>)>);
    let version = state.judged_version();
    let verdict = match state.verdict() {
        Some(Ok(verdict)) => {
            last.replace(Some((version, Rc::clone(verdict))));
            Some((Rc::clone(verdict), true))
        }
        Some(Err(why)) => {
            return html! {
                <>{ printed(state) }<p class="advice" data-advice="taken">{ tied(&capital(why)) }{ "." }</p></>
            };
        }
        None => {
            // A verdict on other data would be wrong in every figure.
            let last = last.borrow();
            let same = last.as_ref().filter(|(of, _)| *of == version);
            same.map(|(_, verdict)| (Rc::clone(verdict), false))
        }
    };
    html! {
        <>
            { printed(state) }
            if matches!(state.room, Tab::Compare | Tab::Cost) {
                { verdict.as_ref().map(|(verdict, _)| rows(state, verdict)) }
            }
            { verdict.map_or_else(empty, |(verdict, is_known)| judged(state, &verdict, is_known, dispatch)) }
        </>
    }
}

/// Now, then, and the best of all that was tried, as the first rows of a room that compares: at the same tokens a step, so that
/// the hours are those of the sentence.
fn rows(state: &AppState, verdict: &Verdict) -> Html {
    let unit = state.judged_unit();
    let with = |name: &str, outcome: &Outcome| format!("{name}: {}", outcome.change.words);
    let now = verdict.now.as_ref();
    let now = now.map(|of| ("now", "Now".to_owned(), of, "as set"));
    let then = verdict.then.as_ref();
    let then = then.map(|of| ("then", with("Then", of), of, "advised"));
    let ruling = verdict.best.as_ref().map(|best| best.ruling.words(&unit));
    let best = verdict
        .best
        .as_ref()
        .filter(|best| best.ruling != Ruling::Advised);
    let best = best.map(|best| {
        let of = &best.outcome;
        let why = ruling.as_deref().unwrap_or_default();
        ("best", with("Best tried", of), of, why)
    });
    let row = |(id, name, of, why): (&'static str, String, &Outcome, &str)| {
        let figure = |id, value: f64, shown: String| {
            entry_of(id, "", Some([value.to_string(), shown]), NONE)
        };
        html! {
            <tr data-outcome={id} class={classes!((id == "then").then_some("chosen"))}>
                <th scope="row">
                    { terms(&tied(&capital(&name))) }
                    <small>{ format!(" · {why}") }</small>
                </th>
                { padding(Some(of.padding_share)) }
                { figure("lost", of.lost_share, percent(of.lost_share)) }
                { figure("seconds", of.hours * 3600.0, tied(&duration(of.hours * 3600.0))) }
                { figure("money", of.money, money(of.money)) }
            </tr>
        }
    };
    // Inference has no epochs.
    let is_pass = state.view == View::Batches && !state.trains();
    let heads = html! {
        <>
            <th>{ "At the same step" }</th>
            <th>{ terms("Padding") }</th>
            <th>{ "Lost" }</th>
            <th>{ if is_pass { "A pass" } else { "An epoch" } }</th>
            <th>{ "It costs" }</th>
        </>
    };
    let all = [now, then, best];
    framed(
        [
            "compare still of-verdict",
            "Now, then, and the best of all that was tried",
        ],
        Some(true),
        heads,
        all.into_iter().flatten().map(row),
    )
}

/// An empty line of the same height, which the style sheet gives it, so that nothing below moves when the advice comes.
fn empty() -> Html {
    html! { <p class="advice" /> }
}

/// The verdict on ranks; until it is known, an empty line of the same height.
pub fn of_ranks(verdict: Option<&Verdict>, state: &AppState, dispatch: &Callback<Action>) -> Html {
    let Some(verdict) = verdict else {
        return empty();
    };
    let presses = state.ranks_presses(verdict);
    sentence(verdict, (true, verdict.then.is_none()), presses, dispatch)
}

/// Draws the verdict on training without a library.
fn judged(
    state: &AppState,
    verdict: &Verdict,
    is_known: bool,
    dispatch: &Callback<Action>,
) -> Html {
    let presses = if is_known {
        state.presses(verdict)
    } else {
        Vec::new()
    };
    let is_taken = is_known && state.is_taken(verdict);
    sentence(verdict, (is_known, is_taken), presses, dispatch)
}

/// Draws a verdict: now and then in a sentence, its price, and buttons that apply it, or the smaller change.
fn sentence(
    verdict: &Verdict,
    (is_known, is_taken): (bool, bool),
    presses: Vec<Press>,
    dispatch: &Callback<Action>,
) -> Html {
    let stage = match (is_known, is_taken) {
        (false, _) => "early",
        (true, true) => "taken",
        (true, false) => "open",
    };
    // The advice stands out of the sentence, as most look for it alone.
    let then = verdict.then.as_ref().and_then(|then| {
        let with = format!("With {}", then.change.words);
        let (now, rest) = verdict.sentence.split_once(&with)?;
        Some((now, with, rest))
    });
    let sentence = match then {
        Some((now, with, rest)) => html! {
            <>{ terms(&tied(now)) }<b>{ terms(&tied(&with)) }</b>{ tied(rest) }</>
        },
        None => html! { { terms(&tied(&verdict.sentence)) } },
    };
    let set = is_taken && verdict.then.is_some();
    html! {
        <p class="advice" data-advice={stage}>
            { sentence }
            if set {
                <b>{ " That is set." }</b>
            }
            { " " }
            { terms(&tied(&verdict.notes.join(" "))) }
            { for presses.into_iter().map(|press| button(press, dispatch)) }
        </p>
    }
}

/// Hours, money and lost tokens of now and then; nothing unless there are both. `unit`: the unit of lengths, plural.
pub fn now_and_then(Verdict { now, then, .. }: &Verdict, unit: &str) -> Html {
    let Some((now, then)) = now.as_ref().zip(then.as_ref()) else {
        return Html::default();
    };
    let figure = |id: &'static str, of: fn(&Outcome) -> f64, shown: fn(f64) -> String| {
        let value = |id: String, outcome| {
            html! {
                <span data-figure={id} data-value={of(outcome).to_string()}>
                    { tied(&shown(of(outcome))) }
                </span>
            }
        };
        html! {
            <>
                { value(format!("now_{id}"), now) }
                { " → " }
                { value(format!("then_{id}"), then) }
            </>
        }
    };
    let [least, most] = then.band.map(about_factor);
    html! {
        <dl class="figures now-then">
            { cell("An epoch", figure("seconds", |o| o.hours * 3600.0, duration),
                html! { format!("estimated: {} the speed for each {} ({least} to {most})", about_factor(then.speedup), singular_unit(unit)) }) }
            { cell("It costs", figure("money", |o| o.money, money), html! { "all accelerators together" }) }
            { cell(&format!("{} that are lost", capital(unit)), figure("lost", |o| o.lost_share, percent), html! { "cut off, dropped, or left over" }) }
        </dl>
    }
}

/// One press may take several settings, such as a limit and the batch that fits it.
fn button(Press { label, actions }: Press, dispatch: &Callback<Action>) -> Html {
    let dispatch = dispatch.clone();
    let act = move |_: MouseEvent| {
        actions
            .iter()
            .cloned()
            .for_each(|action| dispatch.emit(action))
    };
    html! {
        <>
            { " " }
            <button type="button" class="solid" onclick={Callback::from(act)}>{ label }</button>
        </>
    }
}

/// Draws the data and the settings for printing, where the controls are hidden.
pub fn printed(state: &AppState) -> Html {
    let line = state.caption().map(|caption| caption.line());
    html! { <p class="printed">{ line }</p> }
}

/// Draws a recommendation; until it is known, an empty line of the same height.
pub fn advised(advice: Option<Advice>, dispatch: &Callback<Action>) -> Html {
    let Some(Advice {
        setting,
        reason,
        take,
        press,
    }) = advice
    else {
        return empty();
    };
    let (state, begin) = match take.is_empty() {
        false => ("open", "Recommended: "),
        true => ("taken", "Nothing to change: "),
    };
    let taking = (!take.is_empty()).then(|| Press {
        label: press.to_owned(),
        actions: take,
    });
    html! {
        <p class="advice" data-advice={state}>
            <b>{ begin }</b>
            <b>{ terms(&tied(&setting)) }</b>
            { ". " }
            { terms(&tied(&reason)) }
            { for taking.into_iter().map(|press| button(press, dispatch)) }
        </p>
    }
}
