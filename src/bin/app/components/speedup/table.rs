//! Every method at the chosen number of accelerators, with its description.

use super::PricedProps;
use crate::components::explained::{terms, why};
use crate::components::fold::{Fold, use_room_fold};
use crate::components::{framed, titled};
use packscope::cost::accuracy::banded;
use packscope::cost::{Estimate, Memory};
use packscope::words::{self, about_duration, about_percent, capital, count};
use packscope_page::state::speedup::findings::{self, about, name_of};
use packscope_page::state::{AppState, View};
use yew::prelude::*;

#[component]
pub fn Table(props: &PricedProps) -> Html {
    let (state, now) = (&props.state, &props.now);
    let Fold { open, ontoggle } = use_room_fold("methods");
    let title = findings::of_methods(state, &now.estimates).unwrap_or_default();
    let nodes = &state.graphs.words().components[0];
    let unit = if state.view == View::Graphs {
        nodes
    } else {
        "tokens"
    };
    html! {
        <details class="panel algorithms" id="methods" {open} {ontoggle}>
            <summary>
                <h2>{ titled(&title) }</h2>
            </summary>
            { framed(
                ["compare of-methods", ""],
                // Until the waiting is simulated for these settings, estimates are those of earlier
                // ones.
                Some(props.waited),
                html! {
                    <>
                        <th>{ "Method" }</th>
                        <th>
                            { terms(if state.trains() {
                                "Epoch, estimated"
                            } else {
                                "Pass over the data, estimated"
                            }) }
                        </th>
                        <th>
                            { why(
                                "Speed-up",
                                "Estimated, against padded; in brackets its band: see Measured on GPUs for what bands held.",
                            ) }
                        </th>
                        <th class="extra">{ format!("Real {unit} a second") }</th>
                        <th class="extra">
                            { why(
                                if state.trains() { "Steps" } else { "Batches" },
                                "Batches that an accelerator takes one after another.",
                            ) }
                        </th>
                        <th>
                            { why(
                                "Memory",
                                "Of an accelerator: state of the weights, and activations of the largest batch.",
                            ) }
                        </th>
                    </>
                },
                now.estimates
                    .iter()
                    .zip(&now.memory)
                    .map(|(e, memory)| line(state, e, memory)),
            ) }
            <p class="small methods">
                {
                    for now.estimates
                        .iter()
                        .map(|e| html! {
                            <>
                                <b>{ name_of(e.method, state.view) }</b>
                                { ": " }
                                { about(e.method, state.view) }
                                { ". " }
                            </>
                        })
                }
            </p>
        </details>
    }
}

/// The explanation of methods that are not possible.
const FIXED: &str = "The shapes of this accelerator are fixed: batches of other lengths, and kernels that skip what lies between sequences, are not possible.";

fn line(state: &AppState, e: &Estimate, memory: &Memory) -> Html {
    let name = name_of(e.method, state.view);
    let chosen = e.method == state.speedup_chosen();
    let class = classes!(
        chosen.then_some("chosen"),
        (!e.possible).then_some("impossible")
    );
    // The reason as an explanation, and for screen readers in brackets.
    let name = match e.possible {
        true => html! { name },
        false => {
            html! {
                <>
                    { why(name, FIXED) }
                    <span class="unseen">{ " (not where shapes are fixed)" }</span>
                </>
            }
        }
    };
    let time = about_duration(e.seconds);
    let time = spread(e).map_or_else(|| html! { &time }, |spread| why(&time, &spread));
    let cell = |figure: &'static str, class: &'static str, value: f64, shown: String| {
        html! {
            <td
                {class}
                data-figure={figure}
                data-method={e.method.name()}
                data-value={value.to_string()}
            >
                { shown }
            </td>
        }
    };
    html! {
        <tr key={e.method.name()} data-method={e.method.name()} {class}>
            <th scope="row">
                <span class="name">{ name }</span>
            </th>
            <td
                data-figure="estimated_seconds"
                data-method={e.method.name()}
                data-value={e.seconds.to_string()}
            >
                { time }
            </td>
            { cell("estimated_speedup", "", e.speedup, banded(e)) }
            { cell(
                "tokens_per_second",
                "extra",
                e.tokens_per_second,
                words::about(e.tokens_per_second),
            ) }
            <td class="extra">{ count(e.steps) }</td>
            <td
                data-figure="memory_share"
                data-method={e.method.name()}
                data-value={memory.share.to_string()}
            >
                { why(needed(memory.share), &memory_uses(state, memory)) }
            </td>
        </tr>
    }
}

/// Returns the standard error of simulated waiting in words; `None` if there is none.
fn spread(e: &Estimate) -> Option<String> {
    (e.error > 0.0).then(|| {
        format!(
            "± {}: standard error of simulated waiting.",
            about_duration(e.error)
        )
    })
}

fn needed(share: f64) -> String {
    if share > 1.0 {
        format!("{}: does not fit", about_percent(share))
    } else {
        about_percent(share)
    }
}

fn memory_uses(state: &AppState, memory: &Memory) -> String {
    let bytes = |bytes: f64| format!("{} GB", words::about(bytes / 1e9));
    let all = bytes(state.speedup.assumptions().accelerator.memory);
    let slots = if state.view == View::Graphs {
        "nodes"
    } else {
        "slots"
    };
    capital(&format!(
        "{} for weights and optimiser, {} for activations, of {all}; about {} {slots} have room. Temporary buffers are left out.",
        bytes(memory.state),
        bytes(memory.activations),
        words::about(memory.most_slots),
    ))
}
