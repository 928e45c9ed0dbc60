//! Packs as rectangles along the diagonal: the first component to the right, the second upwards.

use super::Props;
use crate::components::figure::{Figure, Fitted, Keys, drawn, use_hover};
use crate::components::unseen::hidden;
use packscope::api::tuple::{Report, TupleShape};
use packscope::ingest::ItemWords;
use packscope_chart::Chart;
use packscope_chart::diagonal::{self, Input, Pack};
use packscope_page::state::GraphState;
use packscope_page::state::graphs::findings;
use std::rc::Rc;
use yew::prelude::*;

/// The most packs drawn, besides the average graph.
const SQUARES: usize = 8;
/// The most strategies among which the drawn packs are chosen.
const AMONG: usize = 3000;

#[component]
pub fn Packs(props: &Props) -> Html {
    let (hover, onhover) = use_hover();
    let state = &props.state.graphs;
    // By ticket: strategies are too many to be compared.
    let chart = use_memo(state.answer.as_ref().map(|a| a.ticket), |_| {
        squares(state).map(Rc::new)
    });
    let (Some(answer), Some(chart)) = (&state.answer, &*chart) else {
        return Html::default();
    };
    let [first, second] = &chart.names;
    let under = hover.and_then(|at| chart.reading(at));
    let words = state.words();
    let grey = if words.attention.is_some() {
        "is below the limits"
    } else {
        "stays empty"
    };
    let hint = || format!("{first} to the right, {second} upwards; grey {grey}");
    let title = findings::of_packs(&answer.report.figures, &words);
    html! {
        <section class="diagonal">
            <h2>{ crate::components::titled(&title) }</h2>
            <div class="caption">
                <p>{ under.unwrap_or_else(hint) }</p>
            </div>
            <Fitted class="tall-packs" chart={drawn(chart)}>
                <Figure
                    name="packs"
                    {title}
                    theme={props.state.theme}
                    class="filled"
                    chart={drawn(chart)}
                    keys={Keys::Point}
                    {hover}
                    {onhover}
                    // The container is as high as the drawing, so its table stands below.
                    bare=true
                />
            </Fitted>
            { chart.table().map(hidden) }
        </section>
    }
}

fn squares(state: &GraphState) -> Option<Input> {
    let (report, data) = (&state.answer.as_ref()?.report, state.data.as_ref()?);
    let strategies: Vec<_> = report
        .strategies
        .iter()
        .take(AMONG)
        .map(|s| (sizes(s), s.count))
        .collect();
    let pack = |i: usize| {
        strategies.get(i).map(|(sizes, n)| Pack {
            sizes: sizes.clone(),
            count: *n,
        })
    };
    let ItemWords {
        components: names,
        items,
        ..
    } = state.words();
    Some(Input {
        packs: diagonal::choose(&strategies, SQUARES)
            .into_iter()
            .filter_map(pack)
            .collect(),
        limits: limits(report),
        unpacked: Some((data.histogram.mean_size(), report.figures.items)),
        names,
        items,
    })
}

/// The slots of a pack in each component: the limit, or the largest sum if there is none.
fn limits(report: &Report) -> [u32; 2] {
    let f = &report.figures;
    std::array::from_fn(|k| {
        let slots = f.slots.get(k).copied().unwrap_or(1) / f.packs.max(1);
        u32::try_from(slots).unwrap_or(u32::MAX).max(1)
    })
}

/// The sizes of the items of a pack, one by one.
fn sizes(shape: &TupleShape) -> Vec<[u32; 2]> {
    let size = |s: &[u32]| {
        [
            s.first().copied().unwrap_or(0),
            s.get(1).copied().unwrap_or(0),
        ]
    };
    shape
        .runs
        .iter()
        .flat_map(|(s, times)| std::iter::repeat_n(size(s), *times as usize))
        .collect()
}
