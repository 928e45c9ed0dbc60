//! All samplers side by side; a press on a row chooses one.

use super::real_time;
use crate::components::explained::{quiet, terms, why};
use crate::components::table::padding;
use crate::components::{NONE, Order, PENDING, entry, entry_of, framed, sorting, tied, titled};
use crate::shared::{Same, SharedState};
use packscope::api::batch::{Mode, SERVER_MEASUREMENTS, ServerMeasurement};
use packscope::metrics::{Column, EpochFigures, SECONDS};
use packscope::order::{self, Map};
use packscope::words::count;
use packscope_page::state::AppState;
use packscope_page::state::batches::{Action, SamplerRow, findings};
use yew::prelude::*;

type PricedRows = Map<SamplerRow, EpochFigures>;

#[derive(Clone, PartialEq, Properties)]
pub struct TableProps {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    /// All rows with their estimates.
    pub priced: Same<PricedRows>,
}

/// The comparison of samplers, or of dropping rates for queries one by one.
#[component]
pub fn Table(props: &TableProps) -> Html {
    match props.state.batch_settings().mode {
        Mode::RealTime => {
            html! {
                <real_time::Table state={props.state.clone()} dispatch={props.dispatch.clone()} />
            }
        }
        _ => html! { <Samplers ..props.clone() /> },
    }
}

#[component]
fn Samplers(props: &TableProps) -> Html {
    let order = use_state_eq(|| Order::Padding);
    let (state, unit) = (&props.state, props.state.sequences.unit());
    let current = state.are_batched();
    // Until all rows are computed, the last title stays, dimmed. No state, as it changes while
    // rendering.
    let title = use_mut_ref(|| None::<String>);
    if current {
        *title.borrow_mut() = findings::of_samplers(state);
    }
    let title = title
        .borrow()
        .clone()
        .unwrap_or_else(|| "All samplers at these settings".to_owned());
    let head = |name, by, class| sorting(&order, name, by, class);
    let priced = &props.priced;
    let training = state.batch_settings().mode == Mode::Training;
    let [steps, a_step] = if training {
        ["Steps", "a step"]
    } else {
        ["Batches", "a batch"]
    };
    html! {
        <section class="algorithms" id="algorithms" tabindex="-1">
            <h2>{ titled(&title) }</h2>
            { framed(
                ["compare of-samplers", ""],
                Some(current),
                html! {
                    <>
                        { head("Sampler", Order::Name, "") }
                        { head("Padding", Order::Padding, "") }
                        { head(steps, Order::Count, "") }
                        <th class="sizes">
                            { why(
                                format!("Sequences {a_step}"),
                                "Of the smallest, the median and the largest batch.",
                            ) }
                        </th>
                        <th class="extra">{ terms("Mean") }</th>
                        <th class="extra">
                            { why(
                                format!("Real {unit}"),
                                &format!("Real {unit} {a_step}, on average."),
                            ) }
                        </th>
                        <th class="extra">
                            { why(
                                "Largest",
                                "Slots of the largest batch: what memory is needed for.",
                            ) }
                        </th>
                        { head("Estimated speed-up", Order::SpeedUp, "estimated") }
                        <th class="alike">
                            { why(
                                "Random as large",
                                &format!(
                                    "Estimated speed-up of random batches of as many sequences {a_step} as this sampler has on average: what a larger step alone gives."
                                ),
                            ) }
                        </th>
                        <th class="alike">
                            { why(
                                "Sorted as large",
                                &format!(
                                    "The same of sorted batches of as many sequences {a_step}, which have the least padding at that size, but for a last batch that is short."
                                ),
                            ) }
                        </th>
                        { head("Time", Order::Time, "time") }
                    </>
                },
                sorted(state, priced, *order)
                    .into_iter()
                    .map(|row| line(props, priced, row)),
            ) }
            { small_print(state, training) }
            if !training {
                { server_measurements() }
            }
        </section>
    }
}

fn small_print(state: &AppState, training: bool) -> Html {
    html! {
        <p class="small">
            { format!(
                "Sequences: smallest – median – largest batch. Real {} are means, ",
                state.sequences.unit()
            ) }
            { "the largest batch is in slots. The speed-up is estimated against random batches without dropping, as the headline says; beside it, what random and sorted batches of as many sequences would reach: compare at equal size. Times are of this page, on this machine. " }
            { tied(&findings::of_machines(state, state.batch_settings().mode)) }
            { " " }
            if let Some(words) = findings::of_parts(state) {
                <b>{ tied(&words) }</b>
                { " " }
            }
            if training {
                { "Sorted batches come in order of length and are the same in every epoch: no shuffle is left. Length-grouped batches and those of a token budget keep part of it." }
            }
        </p>
    }
}

/// The published figures of queries in batches, which depend on no setting.
fn server_measurements() -> Html {
    let line = |row: &ServerMeasurement| {
        let [without, with] = row.scores.map(|score| format!("{score:.2}"));
        html! {
            <tr>
                <th scope="row">{ row.name }</th>
                // As many digits as are published.
                <td>{ format!("{:.1}\u{a0}%", 100.0 * row.padding) }</td>
                <td>{ format!("{:.1}×", row.times) }</td>
                <td>{ without }</td>
                <td>{ with }</td>
            </tr>
        }
    };
    html! {
        <>
            <p class="small">
                { "As the paper measured it: Roberta-base on one RTX 2080 Ti, mean scores over nine tasks of GLUE and SQuAD (Table 3). Whoever drops words in queries trains with dropped words. Its 40.1 % looks like its estimate of padding, not like a count: see “Padding is counted” under the differences." }
            </p>
            { framed(
                ["compare still servers", "Queries in batches, as the paper measured them"],
                None,
                html! {
                    <>
                        <th>{ "Batches of queries" }</th>
                        <th scope="col">{ terms("Padding") }</th>
                        <th scope="col">{ "Times as fast" }</th>
                        <th scope="col">{ "Score, trained on all words" }</th>
                        <th scope="col">{ "Score, trained with dropping" }</th>
                    </>
                },
                SERVER_MEASUREMENTS.iter().map(line),
            ) }
        </>
    }
}

fn sorted(state: &AppState, priced: &PricedRows, order: Order) -> Vec<SamplerRow> {
    let mut rows = state.batch_rows();
    let key = |row: SamplerRow| match (priced.get(&row), order) {
        // Seconds are known with the batches, before these are priced.
        (_, Order::Time) => state.batched(row).map_or(f64::INFINITY, |b| b.seconds),
        // Rows without figures come last.
        (None, _) => f64::INFINITY,
        (Some(f), Order::Count) => f.batches as f64,
        // The largest first.
        (Some(f), Order::SpeedUp) => -f.estimated_speedup,
        (Some(f), _) => f.padding_share,
    };
    match order {
        Order::Name => order::sort_by_key(&mut rows, |row| findings::name_of(*row)),
        _ => order::sort_by(&mut rows, |a, b| key(*a).total_cmp(&key(*b))),
    }
    rows
}

fn line(props: &TableProps, priced: &PricedRows, row: SamplerRow) -> Html {
    let state = &props.state;
    let (chosen, current) = (state.batch_row() == row, state.is_batched(row));
    let choose = props.dispatch.reform(move |_| Action::Choose(row));
    let batched = state.batched(row);
    let refused = batched
        .filter(|_| current)
        .and_then(|b| b.outcome.err())
        .cloned();
    let f = priced.get(&row);
    // A row without figures is about other data, and so is its time.
    let seconds = f.and(batched).map(|b| b.seconds);
    let nothing = if refused.is_some() { NONE } else { PENDING };
    let cell = |column: Column<EpochFigures>, class| entry(&column, class, f, nothing);
    let class = classes!(chosen.then_some("chosen"), (!current).then_some("older"));
    let merging = row.merging.map(|on| if on { "on" } else { "off" });
    html! {
        // The key keeps the element of a row, and its focus, when rows are reordered.
        <tr
            key={findings::name_of(row)}
            data-sampler={row.sampler.name()}
            data-merging={merging}
            {class}
            onclick={choose.clone()}
        >
            <th scope="row">
                <button
                    type="button"
                    class="name"
                    data-why=""
                    aria-description={refused.unwrap_or_else(|| findings::about(row).to_owned())}
                    aria-pressed={chosen.to_string()}
                    onclick={choose}
                >
                    { quiet(findings::name_of(row)) }
                </button>
            </th>
            { f.map_or_else(|| html! { <td>{ nothing }</td> }, |f| padding(Some(f.padding_share))) }
            { cell(EpochFigures::BATCHES, "") }
            { entry_of("batch_size_quantiles", "sizes", f.map(sizes), nothing) }
            { cell(EpochFigures::SEQUENCES, "extra") }
            { cell(EpochFigures::TOKENS, "extra") }
            { cell(EpochFigures::LARGEST, "extra") }
            { cell(EpochFigures::SPEEDUP, "estimated") }
            { cell(EpochFigures::RANDOM, "alike") }
            { cell(EpochFigures::SORTED, "alike") }
            { entry(&SECONDS, "time", seconds.as_ref(), nothing) }
        </tr>
    }
}

/// The number of sequences in the smallest, median and largest batch; a single number if they are
/// equal.
fn sizes(f: &EpochFigures) -> [String; 2] {
    let sizes = f.batch_sizes([0.0, 0.5, 1.0]);
    let exact = sizes.map(|n| n.to_string()).join(",");
    [
        exact,
        if sizes[0] == sizes[2] {
            count(sizes[0])
        } else {
            sizes.map(count).join(" – ")
        },
    ]
}
