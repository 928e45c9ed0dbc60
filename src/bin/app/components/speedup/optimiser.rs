//! The effects of packing on the optimiser, such as fewer steps.

use super::PartProps;
use super::field::number;
use crate::components::fold::Folded;
use crate::components::framed;
use packscope::api::speedup::Case;
use packscope::cost::{Method, Regime, Regimes};
use packscope::metrics::{Column, FigureValue};
use packscope::words::capital;
use packscope_page::state::AppState;
use packscope_page::state::speedup::words::{self, Items, REGIMES};
use yew::prelude::*;

#[component]
pub fn Optimiser(props: &PartProps) -> Html {
    let state = &props.state;
    let packed = props
        .cases
        .iter()
        .any(|case| case.work.method == Method::Packed);
    match state.regimes().filter(|_| packed) {
        Some(regimes) => of_packs(props, &regimes),
        None => of_batches(props),
    }
}

fn of_packs(props: &PartProps, regimes: &Regimes) -> Html {
    let items = Items::new(&props.state);
    let [same_items, same_rows] = words::of_choices(regimes, &items);
    html! {
        <Folded
            id="optimiser"
            class="optimiser"
            title={html! { words::of_optimiser(regimes, &items) }}
        >
            { framed(
                [
                    "compare still",
                    "What an update is before packing and after, in two ways",
                ],
                None,
                html! {
                    <>
                        <th><span class="unseen">{ "What is compared" }</span></th>
                        <th scope="col">{ "Before" }</th>
                        <th scope="col">{ format!("Same {}s", items.item) }</th>
                        <th scope="col">{ format!("Same {}s", items.row) }</th>
                    </>
                },
                words::compared(&items)
                    .iter()
                    .map(|(name, column)| row(name, column, regimes)),
            ) }
            <div class="fields">
                { number(props, "beta1", false) }
                { number(props, "beta2", false) }
            </div>
            if let Some(warning) = words::of_untried(regimes, &items) {
                <p class="small">
                    <b>{ warning }</b>
                </p>
            }
            <p class="small">
                { words::of_fewer_steps(regimes, &items) }
            </p>
            <dl class="ways-on">{ for [same_items, same_rows].iter().map(|way| choice(way)) }</dl>
        </Folded>
    }
}

fn row(name: &str, column: &Column<Regime>, regimes: &Regimes) -> Html {
    let all = [&regimes.before, &regimes.same_sequences, &regimes.same_rows];
    let all = all.map(|regime| {
        (column.get)(regime)
            .map(FigureValue::read)
            .unwrap_or_default()
    });
    let cell = |([value, shown], regime): (&[String; 2], &'static str)| {
        // Values that differ from those before packing are highlighted.
        let class = (*shown != all[0][1]).then_some("other");
        html! {
            <td {class}>
                <span data-figure={column.id} data-regime={regime} data-value={value.clone()}>
                    { shown }
                </span>
            </td>
        }
    };
    html! {
        <tr>
            <th scope="row">{ name.to_owned() }</th>
            { for all.iter().zip(REGIMES).map(cell) }
        </tr>
    }
}

/// Draws a remedy such as "The same rows: what to do." with its name as the term.
fn choice(way: &str) -> Html {
    let (name, what) = way.split_once(": ").unwrap_or(("", way));
    html! {
        <div class="small">
            <dt>{ name }</dt>
            <dd>{ capital(what) }</dd>
        </div>
    }
}

/// The panel for batches of inference, which update nothing.
fn of_inference(state: &AppState, case: &Case) -> Html {
    let work = &case.work;
    let each = work.items as f64 / work.batches.max(1) as f64;
    let accelerators = state.speedup.assumptions().accelerators;
    html! {
        <Folded
            id="optimiser"
            class="optimiser"
            title={html! { words::of_passes(work.batches, each) }}
        >
            <p class="small">
                { words::of_asked_batches(work.method, state.view, work.batches, accelerators) }
            </p>
        </Folded>
    }
}

/// The panel for views without packing, where each batch is one update.
fn of_batches(props: &PartProps) -> Html {
    let state = &props.state;
    let priced = state.priced(&props.cases, state.speedup.assumptions().accelerators);
    let Some(case) = state.speedup_case(&props.cases) else {
        return Html::default();
    };
    let Some(e) = priced
        .estimates
        .iter()
        .find(|e| e.method == case.work.method)
    else {
        return Html::default();
    };
    if !state.trains() {
        return of_inference(state, case);
    }
    let each = case.work.items as f64 / e.updates.max(1) as f64;
    html! {
        <Folded
            id="optimiser"
            class="optimiser"
            title={html! { words::of_updates(e.updates, each) }}
        >
            <p class="small">
                { words::of_batches(
                    case.work.method,
                    state.view,
                    case.work.batches,
                    state.speedup.assumptions(),
                ) }
            </p>
            // The figures of the sentence above by themselves, for programs that read the page.
            <p class="unseen">
                <span
                    data-figure="updates"
                    data-regime="batches"
                    data-value={e.updates.to_string()}
                />
                <span
                    data-figure="sequences_per_update"
                    data-regime="batches"
                    data-value={each.to_string()}
                />
            </p>
        </Folded>
    }
}
