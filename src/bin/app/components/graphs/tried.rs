//! The limits that a sweep has tried, as a table.

use super::Props;
use crate::components::{framed, use_open};
use crate::shared::Same;
use packscope::api::PackingSettings;
use packscope::order;
use packscope::sweep::SweepPoint;
use packscope::words::{capital, count, percent};
use packscope_page::state::graphs::{Action, findings, row_name};
use std::rc::Rc;
use yew::prelude::*;

/// The most rows shown.
const ROWS: usize = 200;

#[component]
pub fn Tried(props: &Props) -> Html {
    let (open, ontoggle) = use_open();
    let names = props.state.graphs.words();
    let points = Same(Rc::clone(&props.state.graphs.course.points));
    // Sorted only while it is unfolded: points stream in during a sweep.
    let shown = use_memo((points.clone(), open), |_| {
        if open {
            best_first(&points)
        } else {
            Vec::new()
        }
    });
    if points.is_empty() {
        return Html::default();
    }
    let state = &props.state.graphs;
    let fast = match state.is_sweep_checked() {
        true => "best fit".to_owned(),
        false => row_name(&state.words(), state.sweep_settings().row()),
    };
    let with = |limits| {
        if state.course.is_checked(limits) {
            "search".to_owned()
        } else {
            fast.clone()
        }
    };
    let row = |p: &SweepPoint<2>| {
        let limits = p.limits;
        let take = props.dispatch.reform(move |_| Action::Limits(limits));
        html! {
            <tr onclick={take.clone()}>
                <th scope="row">
                    <button type="button" class="name" onclick={take}>
                        { findings::limits(limits) }
                    </button>
                </th>
                <td>{ count(p.packs) }</td>
                <td>{ percent(p.efficiency[0]) }</td>
                <td>{ percent(p.efficiency[1]) }</td>
                <td>{ percent(p.harmonic) }</td>
                <td>{ with(limits) }</td>
            </tr>
        }
    };
    html! {
        <details class="source tried" {ontoggle}>
            <summary>{ "What was tried" }</summary>
            if open {
                { framed(
                    ["compare", ""],
                    None,
                    html! {
                        <>
                            <th>{ "Limits" }</th>
                            <th>{ "Packs" }</th>
                            <th>{ capital(names.short(0)) }</th>
                            <th>{ capital(names.short(1)) }</th>
                            <th>{ "Mean" }</th>
                            <th>{ "Packed with" }</th>
                        </>
                    },
                    shown.iter().map(row),
                ) }
                if points.len() > ROWS {
                    <p>{ format!("The best {ROWS} of {}.", count(points.len() as u64)) }</p>
                }
            }
        </details>
    }
}

fn best_first(points: &[SweepPoint<2>]) -> Vec<SweepPoint<2>> {
    let mut sorted = points.to_vec();
    order::sort_by(&mut sorted, |a, b| b.harmonic.total_cmp(&a.harmonic));
    sorted.truncate(ROWS);
    sorted
}
