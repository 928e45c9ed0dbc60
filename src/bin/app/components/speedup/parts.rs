//! The parts of an epoch's time, by method: stacked bars on one scale.

use super::{PricedProps, on};
use crate::components::figure::{Figure, Fitted, Keys, drawn, use_hover};
use crate::components::titled;
use crate::components::unseen::behind;
use packscope::cost::accuracy::banded;
use packscope::cost::{Estimate, TimeParts as Spent};
use packscope::words::about_duration;
use packscope_chart::parts::{self, Bar, Input};
use packscope_page::state::speedup::findings::{self, name_of};
use packscope_page::state::{AppState, View};
use yew::prelude::*;

#[component]
pub fn Parts(props: &PricedProps) -> Html {
    let (state, estimates) = (&props.state, &props.now.estimates);
    let (hover, onhover) = use_hover();
    let chart = use_memo(input(state, estimates), Clone::clone);
    // A finger does not hover: a tap reads a part.
    let onpick = onhover.reform(Some);
    let title = findings::of_parts(state, estimates).unwrap_or_default();
    let under = hover.and_then(|[bar, part]| {
        // Parts are in the same order whatever their times.
        let (name, _) = Spent::default().named()[part as usize];
        findings::of_share(state, estimates.get(bar as usize)?, name)
    });
    let run = findings::a_run(state);
    let label = format!(
        "What {run} is spent on by {} methods, {}. {title}.",
        chart.bars.len(),
        on(state)
    );
    let hint = "Press a part, or use the arrow keys, to read it. Grey is padding.";
    html! {
        <section class="parts">
            <h2>{ titled(&title) }</h2>
            <div class="caption">
                <p>{ format!("time of {run} {}", on(state)) }</p>
                if !props.waited {
                    <span>{ "simulating who waits …" }</span>
                }
            </div>
            <Fitted class="bars" chart={drawn(&chart)}>
                <Figure
                    name="time"
                    {title}
                    theme={state.theme}
                    class="filled"
                    {label}
                    chart={drawn(&chart)}
                    keys={Keys::Point}
                    {hover}
                    {onhover}
                    {onpick}
                />
            </Fitted>
            <p class="small told" aria-live="polite">
                { under.map_or_else(|| hint.to_owned(), |s| format!("{s}.")) }
            </p>
            { table(state, estimates) }
        </section>
    }
}

fn input(state: &AppState, estimates: &[Estimate]) -> Input {
    let bar = |e: &Estimate| {
        let text = match e.possible {
            true => format!("{} · {}", about_duration(e.seconds), banded(e)),
            false => "not where shapes are fixed".to_owned(),
        };
        Bar {
            name: name_of(e.method, state.view),
            parts: e.possible.then_some(e.parts),
            text,
        }
    };
    let mut names = parts::names(state.view == View::Graphs);
    if state.view != View::Graphs {
        names[0] = "tokens";
    }
    let chosen = estimates
        .iter()
        .position(|e| e.method == state.speedup_chosen());
    Input {
        bars: estimates.iter().map(bar).collect(),
        names,
        chosen,
    }
}

fn table(state: &AppState, estimates: &[Estimate]) -> Html {
    let parts = Spent::default().named();
    let head = parts.iter().map(|(part, _)| findings::of_part(state, part));
    let head = std::iter::once("method".to_owned()).chain(head);
    let row = |e: &Estimate| {
        let times = e
            .parts
            .named()
            .into_iter()
            .map(|(_, seconds)| about_duration(seconds));
        std::iter::once(name_of(e.method, state.view).to_owned())
            .chain(times)
            .collect()
    };
    behind(
        &format!("Parts of {} {}", findings::a_run(state), on(state)),
        head,
        estimates.iter().map(row),
    )
}
