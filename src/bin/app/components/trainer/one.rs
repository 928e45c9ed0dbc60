//! The chosen library: a sentence, the most effective change, figures, and the cost against its
//! window.

use super::own::plain;
use super::{chosen, doing};
use crate::components::advice::now_and_then;
use crate::components::answer::to_scale;
use crate::components::explained::terms;
use crate::components::figure::{Figure, drawn};
use crate::components::sheets::use_chosen;
use crate::components::take::save::Copy;
use crate::components::unseen::Announce;
use crate::components::{cell, tied};
use crate::shared::{Props, SharedState};
use packscope::advice::{Outcome, Verdict};
use packscope::api::trainer::WindowCurve;
use packscope::export::libraries::Sheet;
use packscope::words::{capital, count, tick_percent};
use packscope_chart::lines::{Input, Line, Quantity};
use packscope_chart::{Look, Scale};
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
                { verdict(sheet, state, &props.dispatch) }
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
            { slots_of(known) }
            { now_and_then(known, &state.judged_unit()) }
            if !known.notes.is_empty() {
                <p class="small">{ terms(&tied(&plain(&known.notes.join(" ")))) }</p>
            }
        </>
    }
}

/// Draws the slots of an epoch now and with the advice; nothing where there is no padding to see.
fn slots_of(known: &Verdict) -> Html {
    let epochs = [&known.now, &known.then].into_iter().flatten();
    // Half a percent of the width of a phone is two pixels.
    if !epochs.clone().any(|of| of.padding_share > 0.005) {
        return Html::default();
    }
    let epochs: Vec<_> = epochs.map(|of| [of.trained_tokens, of.slots]).collect();
    to_scale("Slots of an epoch, now and with the advice", &epochs)
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
