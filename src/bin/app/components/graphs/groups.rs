//! Groups of responses that share the prompt of a pair, folded: what sharing saves, and packs of
//! them.

use crate::components::exact::Exact;
use crate::components::explained::terms;
use crate::components::fold::{Fold, use_room_fold};
use crate::components::slider::whole;
use crate::shared::SharedState;
use packscope::words::count;
use packscope_page::state::Action;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    /// Dispatches actions on the whole page.
    pub dispatch: Callback<Action>,
}

/// The panel: the number of responses in a group, what sharing saves, and the button that packs
/// groups.
#[component]
pub fn Groups(props: &Props) -> Html {
    let Fold { open, ontoggle } = use_room_fold("groups");
    let responses = use_state_eq(|| 8);
    let (state, n) = (props.state.clone(), *responses);
    let saving = use_memo((state.graphs.version(), n), |_| state.graphs.saving(n));
    let typed = {
        let set = responses.setter();
        whole(&Callback::from(move |n: u32| set.set(n)))
    };
    let dispatch = props.dispatch.clone();
    let pack = move |_: MouseEvent| {
        state
            .groups(n)
            .into_iter()
            .for_each(|action| dispatch.emit(action))
    };
    html! {
        <details class="panel" id="groups" {open} {ontoggle}>
            <summary>
                <h2>{ "Responses that share their prompt" }</h2>
            </summary>
            <p class="small">
                { terms(
                    "Several responses to one prompt are drawn in reinforcement learning. Where attention lets them share it, a group computes its prompt once; here each pair is a prompt with its response.",
                ) }
            </p>
            <div class="two">
                <div>
                    <label for="responses">{ "Responses of a group" }</label>
                    <Exact
                        id="responses"
                        class="field"
                        name="Responses of a group"
                        min=1.0
                        value={n.to_string()}
                        {typed}
                    />
                </div>
            </div>
            <p>
                { match &*saving { Ok(said) => said.clone(), Err(error) => error.to_string() } }
                { " " }
                if saving.is_ok() {
                    <button type="button" class="solid" onclick={Callback::from(pack)}>
                        { format!("Pack groups of {}", count(u64::from(n))) }
                    </button>
                }
            </p>
        </details>
    }
}
