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
use packscope::api::trainer::{LibraryKind, WindowCurve};
use packscope::export::libraries::Sheet;
use packscope::words::{capital, count, tick_percent};
use packscope_chart::lines::{Input, Line, Quantity};
use packscope_chart::{Look, Scale};
use packscope_page::state::graphs::Action as Graphs;
use packscope_page::state::trainer::Action as Trained;
use packscope_page::state::{Action, AppState};
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
            if is_current {
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
            if is_current {
                { longer(sheet, state, &props.dispatch) }
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

/// The sequences that the limit cuts off or drops, and a press that takes a limit which keeps them.
fn longer(sheet: &Sheet, state: &AppState, dispatch: &Callback<Action>) -> Html {
    let Some((sentence, take)) = state.of_longer(sheet.lost.unwrap_or(0.0)) else {
        return Html::default();
    };
    let take = take.map(|(limit, actions)| {
        let onclick = dispatch.reform(|action: Action| action);
        let press = Callback::from(move |_: MouseEvent| {
            actions.iter().for_each(|a| onclick.emit(a.clone()))
        });
        html! {
            <>
                { " " }
                <button type="button" class="solid" onclick={press}>
                    { format!("Use {}", count(u64::from(limit))) }
                </button>
            </>
        }
    });
    html! { <p class="second" data-longer="">{ tied(&sentence) }{ take }</p> }
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
