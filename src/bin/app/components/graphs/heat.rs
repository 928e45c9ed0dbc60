//! The heat map of graphs by size: hovering reads a cell, dragging the corner sets the limits.

use super::Props;
use crate::components::figure::{Figure, Keys, drawn};
use crate::components::{choice, titled};
use crate::plot::CanvasSize;
use crate::pointer::At;
use packscope::ingest::ItemWords;
use packscope::words::{count, percent};
use packscope_chart::Grip;
use packscope_chart::heat::{self, Cell, Input};
use packscope_page::state::GraphState;
use packscope_page::state::graphs::{Action, findings};
use std::rc::Rc;
use yew::prelude::*;

#[component]
pub fn Heat(props: &Props) -> Html {
    let hover = use_state_eq(|| None::<Cell>);
    // The axes are fixed while a corner is dragged.
    let ends = use_state_eq(|| None::<[u32; 2]>);
    let state = &props.state.graphs;
    // Shared with the drawing, as every step of a drag makes one.
    let entries = use_memo(state.version(), |_| {
        state.data.as_ref().map(|d| Rc::from(d.histogram.entries()))
    });
    let marks = use_memo(state.version(), |_| state.coverings());
    let key = (state.version(), state.limits(), state.linear_colours, *ends);
    let chart = use_memo(key, |_| {
        map(state, (*entries).clone()?, *ends, &marks).map(Rc::new)
    });
    let Some(chart) = (*chart).clone() else {
        return Html::default();
    };
    let onpoint = {
        let (chart, hover) = (Rc::clone(&chart), hover.setter());
        Callback::from(move |at: Option<At<CanvasSize>>| {
            hover.set(
                at.and_then(|(x, y, room)| heat::layout(&chart, &room.measure()).cell_at(x, y)),
            );
        })
    };
    let ondrag = props
        .dispatch
        // A grip of both limits is the corner; of one, an edge.
        .reform(|(held, [first, second]): (Grip, [u32; 2])| match held {
            [true, true] => Action::Limits([first, second]),
            [true, false] => Action::Limit(0, first),
            [false, _] => Action::Limit(1, second),
        });
    let onpick = props.dispatch.reform(Action::Limits);
    let onhold = {
        let (limits, maxima) = (state.limits(), state.maxima());
        Callback::from(move |held: bool| {
            ends.set(held.then(|| [0, 1].map(|k| limits[k].max(maxima[k]))));
        })
    };
    let keys = Keys::Act(props.dispatch.reform(Action::Step));
    let linear = state.linear_colours;
    let set = |linear| {
        props
            .dispatch
            .reform(move |_| Action::LinearColours(linear))
    };
    let title = findings::of_sizes(state);
    html! {
        <section class="heat">
            <h2>{ titled(&title) }</h2>
            <div class="caption">
                <p>{ readout(state, *hover) }</p>
                { choice(
                    "Scale of colours",
                    &[("linear", linear, set(true)), ("log", !linear, set(false))],
                ) }
            </div>
            <Figure
                name="sizes"
                {title}
                theme={props.state.theme}
                class="tall-heat"
                chart={drawn(&chart)}
                {keys}
                // A cell is found again by its smallest sizes.
                hover={hover.map(|cell| cell.from)}
                {onpoint}
                {onpick}
                {ondrag}
                {onhold}
            />
        </section>
    }
}

/// Describes the cell under the pointer, or gives a hint.
fn readout(state: &GraphState, cell: Option<Cell>) -> String {
    let Some(cell) = cell else {
        return "drag the corner, press a mark, or use the arrow keys".to_owned();
    };
    let items = state.data.as_ref().map_or(1, |d| d.histogram.items());
    let range = |k: usize| match (cell.from[k], cell.to[k]) {
        (from, to) if from == to => count(u64::from(from)),
        (from, to) => format!("{}–{}", count(u64::from(from)), count(u64::from(to))),
    };
    let share = percent(cell.count as f64 / items as f64);
    let names = state.words();
    let [first, second] = names.names();
    format!(
        "{} {first}, {} {second}: {}, {share}",
        range(0),
        range(1),
        names.count(cell.count)
    )
}

fn map(
    state: &GraphState,
    entries: Rc<[([u32; 2], u64)]>,
    ends: Option<[u32; 2]>,
    marks: &[(&'static str, [u32; 2])],
) -> Option<Input> {
    let ItemWords {
        components: names,
        items,
        ..
    } = state.words();
    let (limits, log) = (state.limits(), !state.linear_colours);
    let mean = state.data.as_ref()?.histogram.mean_size();
    Some(Input {
        entries,
        limits,
        ends,
        names,
        items,
        mean,
        log,
        marks: marks.to_vec(),
    })
}
