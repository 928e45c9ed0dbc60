//! The weights by which libraries balance, against the work of the model.

use super::{Props, limits};
use crate::components::explained::why;
use crate::components::{entry_of, framed, titled};
use packscope::api::fields::ranks::WEIGHT;
use packscope::api::ranks::WeightRow;
use packscope::words::{factor, percent};
use packscope_page::state::ranks::findings;
use yew::prelude::*;

/// The table of weights; a press on a row balances by it.
pub fn weights(props: &Props) -> Html {
    let rows = &props.report.weights;
    let Some(title) = findings::of_weights(&props.state, rows) else {
        return Html::default();
    };
    let row = |row: &WeightRow| {
        let (weight, chosen) = (
            row.weight,
            props.settings.weight == row.weight && !props.settings.dealing.is_blind(),
        );
        let choose = props
            .set(WEIGHT.value.id)
            .reform(move |_: MouseEvent| weight.to_string());
        let of = |value: f64, words: fn(f64) -> String| Some([value.to_string(), words(value)]);
        html! {
            <tr
                class={classes!(chosen.then_some("chosen"))}
                data-weight={weight.name()}
                onclick={choose.clone()}
            >
                <th scope="row">
                    <button
                        type="button"
                        class="name"
                        data-why=""
                        aria-description={weight.about()}
                        aria-pressed={chosen.to_string()}
                        onclick={choose}
                    >
                        { weight.long_name() }
                    </button>
                </th>
                { entry_of("misplaced", "", of(row.misplaced, percent), "") }
                { entry_of("longest", "", of(row.longest, factor), "") }
                { entry_of("idle", "", limits::waiting(row.factor), "") }
            </tr>
        }
    };
    // Units that are dealt as they come are weighed by nothing; the factors are then of dealing the
    // heaviest first.
    let by = if props.settings.dealing.is_blind() {
        "Idle, heaviest first"
    } else {
        "Idle"
    };
    let heads = html! {
        <>
            <th>{ "Balanced by" }</th>
            <th>
                { why(
                    "Misplaced",
                    "Share of all work that the weight gives to other sequences or rows than the model does.",
                ) }
            </th>
            <th>
                { why(
                    "Longest",
                    "How much heavier the weight takes the longest to be than it is.",
                ) }
            </th>
            <th>
                { why(
                    by,
                    "Share of the time in which ranks are idle where sequences or rows are assigned by this weight.",
                ) }
            </th>
        </>
    };
    html! {
        <section class="algorithms" id="weights" tabindex="-1">
            <h2>{ titled(&title) }</h2>
            { framed(["compare still", ""], None, heads, rows.iter().map(row)) }
        </section>
    }
}
