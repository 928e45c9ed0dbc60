//! Published measurements beside the estimates: a reality check.

use crate::components::explained::why;
use crate::components::fold::Folded;
use crate::components::{framed, tied};
use packscope::cost::accuracy;
use packscope::cost::presets::{Measurement, PUBLISHED};
use packscope::words::factor;
use yew::prelude::*;

/// The panel of measurements, which depends on no setting.
#[component]
pub fn Measured() -> Html {
    html! {
        <Folded id="measured" class="measured" title={html! { accuracy::of_measurements() }}>
            <p class="small">
                <b>{ tied(&accuracy::of_own()) }</b>
                { " The script " }
                <code>{ "tools/measure_speedup" }</code>
                { " in the repository made it, and makes yours: it trains on batches of these lengths on an NVIDIA GPU, by every method, and writes real tokens per second. The rest is published by others. The constants of the estimates are fitted to throughputs of trainings, never to a speed-up, and every source is judged by constants that were fitted again without it. " }
                { accuracy::of_dependent() }
                { " " }
                { tied(&accuracy::of_unseen()) }
                { " Of the times: " }
                { accuracy::of_throughput() }
                { ". All other rows are in " }
                <code>{ "crates/packscope/src/cost/presets/measured.csv" }</code>
                { "." }
            </p>
            { framed(
                [
                    "compare still accuracy",
                    "How far estimates are from measured speed-ups, by constants that were fitted without their source",
                ],
                None,
                html! {
                    <>
                        <th>{ "Source" }</th>
                        <th scope="col">{ "Speed-ups" }</th>
                        <th scope="col">
                            { why("Half within", "The median of |estimated ÷ measured − 1|.") }
                        </th>
                        <th scope="col">
                            { why(
                                "Nine tenths within",
                                "The error that nine of ten do not exceed.",
                            ) }
                        </th>
                    </>
                },
                accuracy::accuracy()
                    .into_iter()
                    .map(|[source, rows, median, ninth]| html! {
                        <tr>
                            <th scope="row">{ source }</th>
                            <td>{ rows }</td>
                            <td>{ median }</td>
                            <td>{ ninth }</td>
                        </tr>
                    }),
            ) }
            <p class="small">
                { "Rows of the IPU are computed from the overheads that the same paper measured, and judge nothing. Single cases:" }
            </p>
            { framed(
                ["compare still measurements", ""],
                None,
                html! {
                    <>
                        <th>{ "What was compared" }</th>
                        <th scope="col">{ "Measured" }</th>
                        <th scope="col">{ "Estimated" }</th>
                        <th scope="col">
                            { why(
                                "Slots",
                                "Slots before, divided by slots after: what counting tokens alone would say.",
                            ) }
                        </th>
                        <th scope="col">{ "Source, and what differs" }</th>
                    </>
                },
                PUBLISHED.iter().enumerate().map(|(i, m)| row(i, m)),
            ) }
        </Folded>
    }
}

/// A row for a measurement; a source or note that equals the previous row's is not repeated.
fn row(i: usize, m: &Measurement) -> Html {
    let before = i.checked_sub(1).and_then(|before| PUBLISHED.get(before));
    // Rows of a source stand one below the other.
    let again = before.is_some_and(|before| (before.source, before.note) == (m.source, m.note));
    let of = |name: &'static str, value: Option<f64>| match value {
        Some(value) => html! {
            <span data-figure={name} data-measurement={m.id} data-value={value.to_string()}>
                // Two decimals, as the measurements have: 1.17 beside 1.15 is what masking costs.
                { factor(value) }
            </span>
        },
        None => why("–", "Too little is published for it."),
    };
    let [from, to] = m.factor;
    html! {
        <tr>
            <th scope="row">
                <b>{ format!("{}, against {}", m.what, m.against) }</b>
                <span>{ format!("{}; {}; {}", m.model, m.data, m.hardware) }</span>
            </th>
            // On a phone the table has no head: each cell begins with its own.
            <td data-head="measured">
                <span
                    data-figure="measured_speedup"
                    data-measurement={m.id}
                    data-value={format!("{from},{to}")}
                >
                    { packscope_page::state::speedup::words::measured(m.factor) }
                </span>
            </td>
            <td data-head="estimated">{ of("estimated_speedup", m.estimated()) }</td>
            <td data-head="slots">{ of("slot_ratio", m.ratio) }</td>
            <td class="said">
                { if again { "As above.".to_owned() } else { format!("{}. {}", m.source, m.note) } }
            </td>
        </tr>
    }
}
