//! How much a token weighs in the loss, by the set over which the loss is a mean.

use crate::components::fold::{Fold, use_fold};
use crate::components::{framed, list};
use crate::shared::Props;
use packscope::supervision::weights::{Epoch, Reduction, Spread};
use packscope::supervision::words;
use packscope::words::about_factor;
use yew::prelude::*;

/// Micro-batches of a step on offer.
const ACCUMULATIONS: [u32; 5] = [1, 2, 4, 8, 16];

/// The panel of weights, folded at first: an epoch is drawn only while it is unfolded, so that a slider does not pay for it.
#[component]
pub fn Panel(props: &Props) -> Html {
    let Fold { open, ontoggle } = use_fold("token-weights");
    html! {
        <details class="panel" id="token-weights" {open} {ontoggle}>
            <summary>
                <h2>{ "How much a token weighs in the loss" }</h2>
            </summary>
            if open {
                <Weights ..props.clone() />
            }
        </details>
    }
}

/// The table of weights, of single and of packed sequences.
#[component]
fn Weights(props: &Props) -> Html {
    let state = &props.state;
    let accumulation = use_state_eq(|| 4u32);
    let of = &state.sequences.settings;
    let found = state.supervised().map(|found| found.curves.clone());
    let weights = {
        let (state, accumulation) = (state.clone(), *accumulation);
        use_memo((found, of.limit, of.batch, accumulation), move |_| {
            state.weights(accumulation)
        })
    };
    let Some([unpacked, packed]) = weights.as_ref() else {
        return html! { <p>{ "Nothing trains at this limit." }</p> };
    };
    let set = accumulation.setter();
    let set = Callback::from(move |text: String| {
        text.parse().into_iter().for_each(|n| set.set(n));
    });
    let option = |n: u32| {
        (
            n.to_string().into(),
            n.to_string().into(),
            n == *accumulation,
        )
    };
    let said = |sentence: String| html! { <p>{ sentence }</p> };
    let worst = unpacked.of(Reduction::MicroBatch).within_step;
    html! {
        <>
            <p class="small told-by">
                <label>
                    { format!("Micro-batches of {} rows; of them a step has ", of.batch) }
                    { list("accumulation", ACCUMULATIONS.map(option), &set) }
                </label>
            </p>
            <p data-figure="within_step" data-value={worst.median.to_string()}>
                { words::within_step(unpacked) }
            </p>
            { table(unpacked, packed) }
            { for words::empty(unpacked, "micro-batches").map(said) }
            { for words::empty(packed, "packed micro-batches").map(said) }
            <p class="small">
                { "In a step: the largest weight of a token over the least, in the median step. Tokens and sequences: where nine tenths of the weights lie, as multiples of their mean. Packed: by best-fit decreasing." }
            </p>
        </>
    }
}

fn table(unpacked: &Epoch, packed: &Epoch) -> Html {
    let spread = |of: &Spread| format!("{}–{}", about_factor(of.low), about_factor(of.high));
    let row = |reduction: Reduction| {
        let (single, filled) = (unpacked.of(reduction), packed.of(reduction));
        html! {
            <tr data-reduction={reduction.name()}>
                <th scope="row">
                    { reduction.long_name() }
                    <span class="small">{ reduction.taken_by() }</span>
                </th>
                <td data-figure="within_step" data-value={single.within_step.median.to_string()}>
                    { about_factor(single.within_step.median) }
                </td>
                <td>{ about_factor(filled.within_step.median) }</td>
                <td>{ spread(&single.tokens) }</td>
                <td>{ spread(&filled.tokens) }</td>
                <td>{ spread(&single.sequences) }</td>
            </tr>
        }
    };
    let heads = [
        "Loss",
        "In a step",
        "if packed",
        "Tokens",
        "if packed",
        "Sequences",
    ];
    framed(
        [
            "compare of-weights",
            "Weights of tokens and sequences in the loss",
        ],
        None,
        html! { { for heads.map(|head| html! { <th>{ head }</th> }) } },
        Reduction::ALL.map(row),
    )
}
