//! All algorithms at the current settings; a press on a row chooses one.

use crate::components::explained::{terms, why};
use crate::components::settings::{computing, left_out, proof};
use crate::components::{NONE, Order, PENDING, entry, entry_of, framed, sorting};
use crate::shared::CompareProps;
use packscope::api::Settings;
use packscope::metrics::FigureValue::Real;
use packscope::metrics::{Column, Figures, SECONDS};
use packscope::order;
use packscope::packing::Algorithm;
use packscope::words::{count, factor, gap, percent};
use packscope_page::query::ComparisonRow;
use packscope_page::state::{Action, AppState, Baseline, findings};
use yew::prelude::*;

#[component]
pub fn Table(props: &CompareProps) -> Html {
    let order = use_state_eq(|| Order::Padding);
    let state = &props.state;
    let mut rows: Vec<(Algorithm, Option<&ComparisonRow<Settings>>)> = Algorithm::ALL
        .into_iter()
        .map(|a| (a, state.sequences.row((a, state.sequences.settings.depth))))
        .collect();
    order::sort_by(&mut rows, |(a, p), (b, q)| {
        let key = |p: &Option<&ComparisonRow<Settings>>| match (p, *order) {
            // Rows without figures come last.
            (None, _) => f64::INFINITY,
            (Some(p), Order::Time) => p.seconds,
            (Some(p), _) => p.figures.padding_share(),
        };
        // Sorted batches are not packing, so they come last.
        let sorted = a.fills_rows().cmp(&b.fills_rows()).reverse();
        match *order {
            Order::Name => a.long_name().cmp(b.long_name()),
            _ => sorted.then(key(p).total_cmp(&key(q))),
        }
    });
    let head = |name, by, class| sorting(&order, name, by, class);
    let stale = !state.sequences.is_compared();
    html! {
        <section class="algorithms" id="algorithms" tabindex="-1">
            <h2>
                { terms(&super::tied(
                    &findings::of_algorithms(state)
                        .unwrap_or_else(|| "All algorithms at these settings".to_owned()),
                )) }
            </h2>
            { framed(
                ["compare", ""],
                Some(!stale),
                html! {
                    <>
                        { head("Algorithm", Order::Name, "") }
                        <th>{ terms("Packs") }</th>
                        { head("Padding", Order::Padding, "") }
                        <th class="extra">{ terms("Efficiency") }</th>
                        <th class="extra">{ terms("Packing factor") }</th>
                        <th class="extra">{ terms("Overhead") }</th>
                        <th class="extra">{ terms("Speed-up") }</th>
                        { head("Time", Order::Time, "time") }
                        <th>{ terms("Gap to bound") }</th>
                    </>
                },
                rows.into_iter().map(|(a, p)| row(props, state, a, p)),
            ) }
            <p class="small">
                { terms(
                    "Sorting is not packing: it shortens rows instead of filling them, in batches of ",
                ) }
                { count(u64::from(state.sequences.settings.batch)) }
                { terms(&format!(
                    ", and the shuffle is lost. Speed-up is {} ÷ (1 + overhead). Times are of this page, on this machine.",
                    speedup_words(state)
                )) }
            </p>
        </section>
    }
}

fn row(
    props: &CompareProps,
    state: &AppState,
    algorithm: Algorithm,
    point: Option<&ComparisonRow<Settings>>,
) -> Html {
    let chosen = state.sequences.settings.algorithm == algorithm;
    let choose = props.dispatch.reform(move |_| Action::Algorithm(algorithm));
    // A row that is being computed says so; a dash means that nothing will be computed.
    let refused = algorithm.refuses(state.sequences.settings.limit);
    let coming = point.is_none() && !refused && !state.is_left_out(algorithm);
    let nothing = if coming { PENDING } else { NONE };
    let f = point.map(|p| &p.figures);
    let cell = |column: Column<Figures>| entry(&column, "extra", f, nothing);
    let speedup = f
        .and_then(|f| state.compared_with()?.realised_speedup(f))
        .map(|s| Real(s, factor).read());
    html! {
        <tr
            data-algorithm={algorithm.name()}
            class={classes!(chosen.then_some("chosen"))}
            onclick={choose.clone()}
        >
            <th scope="row">
                <button
                    type="button"
                    class="name"
                    aria-pressed={chosen.to_string()}
                    onclick={choose.clone()}
                >
                    { algorithm.long_name() }
                </button>
                { proof(state.sequences.proof((algorithm, state.sequences.settings.depth))) }
            </th>
            if refused {
                <td data-refused="">
                    { why(NONE, "It lists every shape of row, which are too many at this limit.") }
                </td>
                { padding(None) }
            } else if state.is_left_out(algorithm) {
                { left_out(algorithm == Algorithm::Optimal, &choose) }
            } else if coming {
                { computing() }
            } else {
                { entry(&Figures::PACKS, "", f, nothing) }
                { padding(f.map(|f| f.padding_share())) }
            }
            { cell(Figures::EFFICIENCY) }
            { cell(Figures::FACTOR_ALONE) }
            { cell(Figures::OVERHEAD) }
            { entry_of(state.baseline.speedup(), "extra", speedup, nothing) }
            { entry(&SECONDS, "time", point.map(|p| &p.seconds), nothing) }
            { f.and_then(gap_cell).unwrap_or_else(|| html! { <td>{ nothing }</td> }) }
        </tr>
    }
}

/// Names the numerator of the speed-up.
fn speedup_words(state: &AppState) -> &'static str {
    match state.baseline {
        Baseline::Limit => "packing factor",
        Baseline::Batches => "padded slots ÷ packed ones",
    }
}

fn gap_cell(f: &Figures) -> Option<Html> {
    let (share, bound) = (f.gap?, f.bound()?);
    let above = match f.packs - bound.packs {
        0 => "No plan needs fewer rows".to_owned(),
        n => format!(
            "{} rows more than the {} that every plan needs",
            count(n),
            count(bound.packs)
        ),
    };
    let known = format!("{above}: {}.", bound.kind.words());
    Some(html! {
        <td data-figure="gap" data-value={share.to_string()}>{ why(gap(share), &known) }</td>
    })
}

/// The share of padding, with a bar whose full width is 100 %.
pub fn padding(share: Option<f64>) -> Html {
    let Some(share) = share else {
        return html! { <td>{ NONE }</td> };
    };
    html! {
        <td class="padding" data-figure="padding_share" data-value={share.to_string()}>
            // SVG, since a bar of CSS would need a style attribute, which the content security
            // policy forbids.
            <svg width="100%" height="12" aria-hidden="true">
                // However small a share is, it has a line to be seen.
                <rect class="pad" width={format!("{:.3}%", (share * 100.0).max(0.7))} height="12" />
            </svg>
            <span>{ percent(share) }</span>
        </td>
    }
}
