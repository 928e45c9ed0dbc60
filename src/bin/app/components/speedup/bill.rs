//! Money and energy of an epoch, or of a pass over the data, with what is saved against padded
//! rows.

use super::PartProps;
use super::field::number;
use crate::components::fold::Folded;
use crate::components::{figure, framed};
use packscope::words::{capital, plural};
use packscope_page::state::speedup::findings::{a_run, baseline, name_of};
use packscope_page::state::speedup::words::{self, BillRow};
use yew::prelude::*;

#[component]
pub fn Bill(props: &PartProps) -> Html {
    let state = &props.state;
    let accelerators = state.speedup.assumptions().accelerators;
    let priced = state.priced(&props.cases, accelerators);
    let Some(method) = state
        .speedup_case(&props.cases)
        .map(|case| case.work.method)
    else {
        return Html::default();
    };
    let place = priced.estimates.iter().position(|e| e.method == method);
    // The first estimate is of padded rows, with which all others are compared.
    let Some((padded, bill)) = priced
        .bills
        .first()
        .zip(place.and_then(|at| priced.bills.get(at)))
    else {
        return Html::default();
    };
    html! {
        <Folded
            id="bill"
            class="bill"
            title={html! { words::of_bill(method, state.view, state.trains(), padded, bill) }}
        >
            <div class="fields">
                { number(props, "price", false) }
                { number(props, "power", false) }
            </div>
            { framed(
                [
                    "compare still",
                    &format!(
                        "What {} costs, estimated: {}, with this method, and what is saved",
                        a_run(state),
                        baseline(state)
                    ),
                ],
                None,
                html! {
                    <>
                        <th>{ format!("{}, estimated", capital(a_run(state))) }</th>
                        <th scope="col">{ capital(baseline(state)) }</th>
                        <th scope="col">{ name_of(method, state.view) }</th>
                        <th scope="col">{ "Saved" }</th>
                    </>
                },
                words::due(padded, bill).iter().map(row),
            ) }
            <p class="small">
                { format!("On {}. ", plural(u64::from(accelerators), "accelerator")) }
                { "The price is an example: type your own, in any currency; money is in the same. The power is the maker’s maximum for the accelerator alone: in use it draws less, and the rest of the machine and its cooling come on top." }
            </p>
        </Folded>
    }
}

fn row(due: &BillRow) -> Html {
    let [padded, bill, saved] = due.in_words();
    html! {
        <tr>
            <th scope="row">{ &due.name }</th>
            <td>{ padded }</td>
            <td>{ bill }</td>
            <td class="other">{ figure(due.figure, due.values[2], saved) }</td>
        </tr>
    }
}
