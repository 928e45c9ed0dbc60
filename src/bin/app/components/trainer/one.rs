//! One library: its settings under their own names, what they cost, and lines to paste.

use super::chosen;
use super::own::{choose, own, plain, values};
use crate::components::explained::terms;
use crate::components::{cell, figure, tied};
use crate::plot::{Draw, Plot};
use crate::shared::Props;
use packscope::api::trainer::{Curve, Shown};
use packscope::chart::lines::{self, Input, Line, Quantity};
use packscope::chart::{Frame, Look, Scale};
use packscope::state::Action;
use packscope::state::trainer::{Action as Trained, Choice};
use packscope::trainer::{LIBRARIES, Library, Sequences};
use packscope::words::{capital, count, percent, plural, tick_percent};
use std::rc::Rc;
use yew::prelude::*;

/// The choice of a library, and what it does.
#[component]
pub fn One(props: &Props) -> Html {
    let state = &props.state;
    let library = chosen(state);
    let all = LIBRARIES.iter().map(|library| (library.id, library.title));
    html! {
        <div class="of-one">
            { choose(all, library.map(|library| library.id), &props.dispatch.reform(Action::Trainer)) }
            if let Some(library) = library {
                { of_library(props, library) }
            } else {
                <p class="small">{ format!("{} libraries pack, batch or cut sequences in ways of their own. Choose yours: its settings have its own names, its algorithm is the one in its code, not in its documentation.", LIBRARIES.len()) }</p>
            }
        </div>
    }
}

/// Draws the outcome of the chosen library, or that it is being computed.
fn of_library(props: &Props, library: &'static Library) -> Html {
    match props.state.trainer.shown(library.id) {
        Some(shown) => outcome(props, shown),
        None => html! { <p class="wait" role="status">{ "Packing as it does …" }</p> },
    }
}

/// The settings of the chosen library, lines to paste, and where it was read.
#[component]
pub fn Own(props: &Props) -> Html {
    let state = &props.state;
    let Choice { library, settings } = &state.trainer.choice;
    let values =
        library.as_deref().and_then(|id| values::<Sequences>(id, state.sequences.settings.limit, settings));
    values.map_or_else(Html::default, |values| own(&values, &props.dispatch.reform(Action::Trainer)))
}

/// The sentence, the change that mends most, and the figures.
fn outcome(props: &Props, shown: &Shown) -> Html {
    let change = shown.change.clone().map(|field| {
        let words = format!("Set {}: {}", field.name, field.value);
        let onclick =
            props.dispatch.reform(move |_: MouseEvent| Action::Trainer(Trained::Set(field.clone())));
        html! { <>{ " " }<button type="button" class="solid" {onclick}>{ words }</button></> }
    });
    html! { <>
        <p class="advice" data-change={shown.change.as_ref().map(|field| field.name.clone())}>
            if let Some(advice) = &shown.advice { { terms(&tied(&plain(advice))) } }
            { change }
        </p>
        if let Some(f) = &shown.figures {
            <dl class="figures of-trainer">
                { cell("Rows", figure("trainer_rows", f.rows, count(f.rows.round() as u64)), html! { below_rows(shown) }) }
                { cell("Padding", figure("trainer_padding", f.padding_share, percent(f.padding_share)), html! { if shown.padded { { "of the slots" } } else { { "room that is not computed" } } }) }
                { cell("Tokens lost", figure("trainer_lost", f.lost_share(), percent(f.lost_share())), html! { lost(f.truncated_share, f.dropped_share) }) }
                { cell("Cut apart", figure("trainer_cut", f.cut_share, percent(f.cut_share)), html! { cut(f.cut_sequences, f.mean_pieces) }) }
            </dl>
            <p class="small">{ format!("Algorithm, as coded: {}.", shown.algorithm) }</p>
        }
        if let Some(curve) = shown.curve.as_ref().filter(|curve| curve.points.len() > 2) {
            <Window curve={Rc::new(curve.clone())} state={props.state.clone()} />
        }
    </> }
}

fn below_rows(shown: &Shown) -> String {
    let above = shown.figures.as_ref().and_then(|f| Some((f.above_best?, !shown.padded && f.most <= 1.0)));
    let above = above.map(|(above, alone)| match above {
        _ if alone => "one sequence each, none padded".to_owned(),
        above if above < 0.0005 => "as the best plan".to_owned(),
        above => format!("{} above the best plan", percent(above)),
    });
    let (least, most) = shown.rows;
    let spread = (least < most).then(|| format!("{} to {} by order", count(least), count(most)));
    let steps =
        shown.figures.as_ref().map(|f| format!("{} on one device", plural(f.steps.round() as u64, "step")));
    [above, spread, steps].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn lost(truncated: f64, dropped: f64) -> String {
    match (truncated > 0.0, dropped > 0.0) {
        (false, false) => "nothing is thrown away".to_owned(),
        (true, false) => "cut off".to_owned(),
        (false, true) => "dropped with their sequences".to_owned(),
        (true, true) => format!("{} cut off, {} dropped", percent(truncated), percent(dropped)),
    }
}

fn cut(sequences: f64, pieces: f64) -> String {
    if sequences == 0.0 {
        return "every sequence stays in one row".to_owned();
    }
    format!("{} in {pieces:.1} pieces each", plural(sequences.round() as u64, "sequence"))
}

#[derive(Clone, Properties)]
struct WindowProps {
    curve: Rc<Curve>,
    state: crate::shared::Shared,
}

impl PartialEq for WindowProps {
    fn eq(&self, other: &Self) -> bool {
        self.curve == other.curve && self.state.theme == other.state.theme
    }
}

/// The cost against the window.
#[component]
fn Window(props: &WindowProps) -> Html {
    let curve = Rc::clone(&props.curve);
    let draw: Rc<Draw> = use_memo(Rc::clone(&curve), |curve| {
        let curve = Rc::clone(curve);
        let draw: Draw = Rc::new(move |frame: &Frame| with(&curve, |input| lines::scene(input, frame).0));
        draw
    });
    let title = curve.sentence();
    let compared = format!("above the best plan known: {}", curve.compared());
    let label = format!("{}, by {}, at {} sizes. {title}.", capital(&compared), curve.of, curve.points.len());
    html! {
        <div class="window">
            <h3>{ tied(&title) }</h3>
            <p class="caption">{ format!("{compared}; by {}", curve.of) }</p>
            <Plot name="window" title={title.clone()} theme={props.state.theme} class="tall-window" {label} draw={(*draw).clone()} />
        </div>
    }
}

/// Calls `f` with the plot's input.
fn with<T>(curve: &Curve, f: impl FnOnce(&Input) -> T) -> T {
    let points: Vec<(f64, f64)> =
        curve.points.iter().map(|p| ((p.size.max(1) as f64).log2(), p.above_best)).collect();
    let most = points.iter().map(|(_, y)| *y).fold(0.02, f64::max);
    let range = [points.first().map_or(0.0, |p| p.0), points.last().map_or(1.0, |p| p.0).max(1.0)];
    f(&Input {
        x: Quantity {
            name: &curve.of,
            range,
            scale: Scale::Linear,
            label: |v| if v.fract() == 0.0 { count(v.exp2() as u64) } else { String::new() },
        },
        y: Quantity { name: "", range: [0.0, most], scale: Scale::Linear, label: tick_percent },
        lines: vec![Line { name: "", points, look: Look::Accent }],
        needle: Some(((curve.now.max(1) as f64).log2(), format!("now {}", count(curve.now)))),
        dots: Vec::new(),
    })
}
