//! The chosen library: a sentence, the most effective change, figures, and the cost against its
//! window.

use super::own::plain;
use super::{acting, chosen, doing};
use crate::components::explained::terms;
use crate::components::figure::{Figure, drawn};
use crate::components::sheets::use_chosen;
use crate::components::take::save::Copy;
use crate::components::unseen::Announce;
use crate::components::{cell, tied};
use crate::shared::{Props, SharedState};
use packscope::advice::{Outcome, Verdict, duration, money};
use packscope::api::trainer::{LibraryKind, WindowCurve};
use packscope::export::libraries::Sheet;
use packscope::words::{about_factor, capital, count, percent, tick_percent};
use packscope_chart::lines::{Input, Line, Quantity};
use packscope_chart::{Look, Scale};
use packscope_page::state::graphs::Action as Graphs;
use packscope_page::state::trainer::Action as Trained;
use packscope_page::state::{Action, AppState, View};
use std::rc::Rc;
use yew::prelude::*;

/// The outcome of the library as a headline, the change that helps most, and figures.
#[component]
pub fn Headline(props: &Props) -> Html {
    let state = &props.state;
    let (opened, is_current) = use_chosen(state);
    let name = chosen(state).unwrap_or_default();
    let waiting = html! {
        <p class="second" role="status">{ format!("{} as {name} does …", doing(state.view)) }</p>
    };
    // A sheet about earlier settings stays until the new one is there.
    let Some(sheet) = opened.first() else {
        return html! {
            <section class="answer of-library" data-state="computing">
                <h1>{ name }</h1>
                { waiting }
            </section>
        };
    };
    let stage = if is_current { "current" } else { "computing" };
    html! {
        <section class="answer of-library" data-state={stage}>
            // Silent while it is computed, so that the new title is announced, not the old one
            // again.
            <Announce words={if is_current { sheet.title.clone() } else { String::new() }} />
            <h1>{ tied(&sheet.title) }{ "." }</h1>
            if is_current && state.view == View::Sequences {
                { verdict(sheet, state, &props.dispatch) }
            } else if is_current {
                { advice(sheet, state, &props.dispatch) }
            } else {
                { waiting }
            }
            if !sheet.figures.is_empty() {
                <dl class="figures">
                    { for sheet.figures.iter().map(|f| cell(
                        &f.name,
                        html! {
                            <span data-figure={f.id.clone()} data-value={f.exact.to_string()}>
                                { &f.shown }
                            </span>
                        },
                        html! { { &f.note } },
                    )) }
                </dl>
                <p class="small">{ format!("Algorithm, as coded: {}.", sheet.about.algorithm) }</p>
            }
        </section>
    }
}

/// The cost in a sentence, with the change as a button, and the lines to paste: those with the
/// change, which are what is advised. A library that refuses the data has no lines that run, but
/// limits at which it takes them.
fn advice(sheet: &Sheet, state: &AppState, dispatch: &Callback<Action>) -> Html {
    let act = acting(state, dispatch);
    let least = sheet.least.map(|given| {
        let (words, action) = match given {
            LibraryKind::Graphs(limits) => {
                let [nodes, edges] = limits.map(|limit| count(u64::from(limit)));
                (
                    format!("{nodes} × {edges}"),
                    Action::Graphs(Graphs::Limits(limits)),
                )
            }
            LibraryKind::Sequences(room) | LibraryKind::Batches(room) => {
                (count(u64::from(room.limit)), Action::Limit(room.limit))
            }
        };
        let onclick = dispatch.reform(move |_: MouseEvent| action.clone());
        html! {
            <>
                { " " }
                <button type="button" class="solid" {onclick}>{ format!("Set {words}") }</button>
            </>
        }
    });
    let change = sheet.change.clone().map(|field| {
        let words = format!("Set {}: {}", field.name, field.value);
        let onclick = act.reform(move |_: MouseEvent| Trained::Set(field.clone()));
        html! {
            <>
                { " " }
                <button type="button" class="solid" {onclick}>{ words }</button>
            </>
        }
    });
    let (lines, words) = match &sheet.change {
        Some(field) if !sheet.changed.is_empty() => (
            &sheet.changed,
            format!("Copy with {}: {}", field.name, field.value),
        ),
        _ => (&sheet.about.lines, "Copy its lines".to_owned()),
    };
    let runs = sheet.lost.is_some() || !sheet.changed.is_empty();
    html! {
        <p class="second" data-change={sheet.change.as_ref().map(|field| field.name.clone())}>
            { terms(&tied(&plain(&sheet.advice))) }
            { change }
            { least }
            if runs && !lines.is_empty() {
                { " " }
                <Copy
                    text={lines.clone()}
                    label={format!("the lines for {}", sheet.about.title)}
                    {words}
                    class="solid"
                />
            }
        </p>
    }
}

/// Characters of a change that its button names.
const FEW_WORDS: usize = 30;

/// The judge's verdict: now and then in a sentence, three figures of both, a press that applies the advice, and the lines
/// to paste of then; those of now where nothing is to be changed.
fn verdict(sheet: &Sheet, state: &AppState, dispatch: &Callback<Action>) -> Html {
    let known = match state.verdict() {
        Some(Ok(known)) => known,
        Some(Err(why)) => return html! { <p class="second">{ tied(&capital(why)) }{ "." }</p> },
        None => {
            return html! {
                <p class="second" role="status">{ "Weighing the changes that there are …" }</p>
            };
        }
    };
    let press = known.then.as_ref().map(|then| {
        let (dispatch, actions) = (dispatch.clone(), state.applied(then));
        let onclick = Callback::from(move |_: MouseEvent| {
            actions.iter().for_each(|a| dispatch.emit(a.clone()))
        });
        html! {
            <>
                { " " }
                <button type="button" class="solid" {onclick}>{ set_words(then) }</button>
            </>
        }
    });
    let (lines, words) = match (&known.then, &known.now) {
        (Some(then), _) => (
            then.change.lines.as_str(),
            "Copy its lines with the change".to_owned(),
        ),
        (None, Some(_)) => (sheet.about.lines.as_str(), "Copy its lines".to_owned()),
        // Lines of now would stop.
        (None, None) => ("", String::new()),
    };
    html! {
        <>
            <p class="second" data-verdict="">
                { terms(&tied(&plain(&known.sentence))) }
                { press }
                if !lines.is_empty() {
                    { " " }
                    <Copy
                        text={lines.to_owned()}
                        label={format!("the lines for {}", sheet.about.title)}
                        {words}
                        class="solid"
                    />
                }
            </p>
            { now_and_then(known) }
            if !known.notes.is_empty() {
                <p class="small">{ terms(&tied(&plain(&known.notes.join(" ")))) }</p>
            }
        </>
    }
}

/// Returns the words of the press that applies a change: its own where they are few.
fn set_words(then: &Outcome) -> String {
    let words = plain(&then.change.words);
    if words.chars().count() <= FEW_WORDS {
        format!("Set {words}")
    } else {
        "Set all of this".to_owned()
    }
}

/// Hours, money and lost tokens of now and then; nothing unless there are both.
fn now_and_then(Verdict { now, then, .. }: &Verdict) -> Html {
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
                html! { format!("estimated: {} the speed for each token ({least} to {most})", about_factor(then.speedup)) }) }
            { cell("It costs", figure("money", |o| o.money, money), html! { "all accelerators together" }) }
            { cell("Tokens that are lost", figure("lost", |o| o.lost_share, percent), html! { "cut off, dropped, or left over" }) }
        </dl>
    }
}

/// The cost against the library's window; nothing if it has none.
pub fn window(state: &SharedState, sheet: &Sheet) -> Html {
    let curve = sheet.curve.clone().filter(|curve| curve.points.len() > 2);
    curve.map_or_else(
        Html::default,
        |curve| html! { <Window curve={Rc::new(curve)} state={state.clone()} /> },
    )
}

#[derive(Clone, Properties)]
struct WindowProps {
    curve: Rc<WindowCurve>,
    state: SharedState,
}

impl PartialEq for WindowProps {
    fn eq(&self, other: &Self) -> bool {
        // Of the state only the theme is drawn.
        self.curve == other.curve && self.state.theme == other.state.theme
    }
}

#[component]
fn Window(props: &WindowProps) -> Html {
    let curve = &props.curve;
    let chart = use_memo(Rc::clone(curve), |curve| input(curve));
    let title = curve.sentence();
    let compared = format!("above the best plan known: {}", curve.compared());
    let label = format!(
        "{}, by {}, at {} sizes. {title}.",
        capital(&compared),
        curve.of,
        curve.points.len()
    );
    html! {
        <div class="window">
            <h3>{ tied(&title) }</h3>
            <p class="caption">{ format!("{compared}; by {}", curve.of) }</p>
            <Figure
                name="window"
                {title}
                theme={props.state.theme}
                class="tall-window"
                {label}
                chart={drawn(&chart)}
            />
        </div>
    }
}

fn input(curve: &WindowCurve) -> Input {
    let log = |size: u64| (size.max(1) as f64).log2();
    let points: Vec<(f64, f64)> = curve
        .points
        .iter()
        .map(|p| (log(p.size), p.above_best))
        .collect();
    // 2 % at least, or differences by rounding would fill the drawing.
    let most = points.iter().map(|(_, y)| *y).fold(0.02, f64::max);
    let range = [
        points.first().map_or(0.0, |p| p.0),
        points.last().map_or(1.0, |p| p.0).max(1.0),
    ];
    Input {
        x: Quantity::doubling(curve.of.clone().into(), range),
        y: Quantity {
            name: "".into(),
            range: [0.0, most],
            scale: Scale::Linear,
            label: tick_percent,
        },
        lines: vec![Line {
            name: "".into(),
            points,
            look: Look::Accent,
        }],
        needle: Some((log(curve.now), format!("now {}", count(curve.now)))),
        dots: Vec::new(),
    }
}
