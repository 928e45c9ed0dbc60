//! Notes on slips in the paper, beside the parts that they concern.

use crate::components::explained::terms;
use yew::prelude::*;

/// The note beside the table.
pub fn of_table() -> Html {
    html! {
        <div class="note">
            <p><b>{ "The paper’s “minimum” is the maximum." }</b>{ " In its public code the " }{ terms("heuristic") }{ " of that name is written as" }</p>
            <p><code>{ "min: lambda x, y: max(x, y)" }</code></p>
            <p>{ "so its row repeats the row of “maximum”. Here the minimum is the true one, for best fit as published too." }</p>
            <details class="source">
                <summary>{ "Other limits in its tables" }</summary>
                <p>{ "For PCQM4Mv2 the paper gives limits of 20 nodes and 54 edges. Its Table 1 and most rows of Table 2 fit 51 and 118 instead, and the row “node base” fits 20: these rows cannot be compared with each other." }</p>
                <p>{ "The name first fit stands in the paper for what places a graph into the loosest pack, which is worst fit elsewhere. It is called first fit here as well." }</p>
            </details>
        </div>
    }
}

/// The note beside the sweep.
pub fn of_sweep() -> Html {
    html! {
        <p class="small">
            <b>{ "Against the limits asked for." }</b>
            { " Where no pack reaches a limit, the paper’s code lowers it before it divides. At 222 × 1,000 that makes 89.8 % of what is 62.2 %, with the same packs. Here a slot that was asked for counts." }
        </p>
    }
}
