//! The chosen library: a sentence, the most effective change, figures, and the cost against its window.

use super::doing;
use super::own::plain;
use crate::components::explained::terms;
use crate::components::figure::{Figure, drawn};
use crate::components::{cell, tied};
use crate::shared::Shared;
use packscope::api::trainer::Curve;
use packscope::chart::lines::{Input, Line, Quantity};
use packscope::chart::{Look, Scale};
use packscope::export::libraries::Sheet;
use packscope::state::trainer::Action as Trained;
use packscope::words::{capital, count, tick_percent};
use std::rc::Rc;
use yew::prelude::*;

/// The sentence, the most effective change, and the figures.
pub fn outcome(state: &Shared, sheet: &Sheet, is_current: bool, act: &Callback<Trained>) -> Html {
    let change = sheet.change.clone().filter(|_| is_current).map(|field| {
        let words = format!("Set {}: {}", field.name, field.value);
        let onclick = act.reform(move |_: MouseEvent| Trained::Set(field.clone()));
        html! { <>{ " " }<button type="button" class="solid" {onclick}>{ words }</button></> }
    });
    html! { <>
        if is_current {
            <p class="advice" data-change={sheet.change.as_ref().map(|field| field.name.clone())}>{ terms(&tied(&plain(&sheet.advice))) }{ change }</p>
        } else {
            <p class="wait" role="status">{ doing(state.view) }{ " as it does …" }</p>
        }
        if !sheet.figures.is_empty() {
            <dl class="figures of-trainer">
                { for sheet.figures.iter().map(|f| cell(&f.name, html! { <span data-figure={f.id.clone()} data-value={f.exact.to_string()}>{ &f.shown }</span> }, html! { { &f.note } })) }
            </dl>
            <p class="small">{ format!("Algorithm, as coded: {}.", sheet.about.algorithm) }</p>
        }
        if let Some(curve) = sheet.curve.as_ref().filter(|curve| curve.points.len() > 2) {
            <Window curve={Rc::new(curve.clone())} state={state.clone()} />
        }
    </> }
}

#[derive(Clone, Properties)]
struct WindowProps {
    curve: Rc<Curve>,
    state: Shared,
}

impl PartialEq for WindowProps {
    fn eq(&self, other: &Self) -> bool {
        self.curve == other.curve && self.state.theme == other.state.theme
    }
}

#[component]
fn Window(props: &WindowProps) -> Html {
    let curve = &props.curve;
    let chart = use_memo(Rc::clone(curve), |curve| input(curve));
    let title = curve.sentence();
    let compared = format!("above the best plan known: {}", curve.compared());
    let label = format!("{}, by {}, at {} sizes. {title}.", capital(&compared), curve.of, curve.points.len());
    html! {
        <div class="window">
            <h3>{ tied(&title) }</h3>
            <p class="caption">{ format!("{compared}; by {}", curve.of) }</p>
            <Figure name="window" {title} theme={props.state.theme} class="tall-window" {label} chart={drawn(&chart)} />
        </div>
    }
}

fn input(curve: &Curve) -> Input {
    let log = |size: u64| (size.max(1) as f64).log2();
    let points: Vec<(f64, f64)> = curve.points.iter().map(|p| (log(p.size), p.above_best)).collect();
    let most = points.iter().map(|(_, y)| *y).fold(0.02, f64::max);
    let range = [points.first().map_or(0.0, |p| p.0), points.last().map_or(1.0, |p| p.0).max(1.0)];
    Input {
        x: Quantity::doubling(curve.of.clone().into(), range),
        y: Quantity { name: "".into(), range: [0.0, most], scale: Scale::Linear, label: tick_percent },
        lines: vec![Line { name: "".into(), points, look: Look::Accent }],
        needle: Some((log(curve.now), format!("now {}", count(curve.now)))),
        dots: Vec::new(),
    }
}
