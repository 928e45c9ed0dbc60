//! The schedulers of training libraries on these sequences.

use super::ways::Props;
use super::{limits, set};
use crate::components::{NONE, entry_of, framed, titled};
use packscope::api::fields::ranks::LIBRARY;
use packscope::api::ranks::LibraryRow;
use packscope_page::state::ranks::findings;
use yew::prelude::*;

/// The table of schedulers; a press on a name deals as it does.
pub fn libraries(props: &Props) -> Html {
    let Some(table) = props
        .table
        .as_ref()
        .filter(|table| !table.libraries.is_empty())
    else {
        return Html::default();
    };
    let now = props.state.ranks_settings();
    let title = findings::of_libraries(&table.libraries, now.waiting);
    let row = |row: &LibraryRow| {
        let (library, chosen) = (row.library, now.library == Some(row.library));
        let choose =
            set(&props.dispatch, LIBRARY.value.id).reform(move |_: MouseEvent| library.to_string());
        let end = row.refusal().unwrap_or(library.source());
        let why = format!("{}: {end}", library.about());
        // 0: after every micro-batch; 1: once a step, as the heads of the columns say.
        let of = |at: usize| {
            let factors = row.factors.as_ref().ok();
            factors.and_then(|factors| limits::waiting(factors[at]))
        };
        let beside = row
            .refusal()
            .map_or_else(|| findings::note(row), str::to_owned);
        html! {
            <tr
                class={classes!(chosen.then_some("chosen"))}
                data-library={library.name()}
                onclick={choose.clone()}
            >
                <th scope="row">
                    <button
                        type="button"
                        class="name"
                        data-why=""
                        aria-description={why}
                        aria-pressed={chosen.to_string()}
                        onclick={choose}
                    >
                        { library.long_name() }
                    </button>
                </th>
                { entry_of("micro_batch", "", of(0), NONE) }
                { entry_of("step", "", of(1), NONE) }
                <td class="remark">{ beside }</td>
            </tr>
        }
    };
    let heads = html! {
        <>
            <th>{ "Scheduler" }</th>
            <th>{ "After every micro-batch" }</th>
            <th>{ "Once a step" }</th>
            <th>{ "Besides" }</th>
        </>
    };
    html! {
        <section class="algorithms" id="schedulers" tabindex="-1">
            <h2>{ titled(&title) }</h2>
            { framed(
                ["compare still of-schedulers", ""],
                Some(props.state.is_dealt()),
                heads,
                table.libraries.iter().map(row),
            ) }
            <p class="small">
                { "Share of the time in which ranks are idle under each scheduler, as its own code is, with the cap on tokens where it has one. Press a name to use it; hover for its source." }
            </p>
        </section>
    }
}
