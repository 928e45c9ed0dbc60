//! Tokens and attention as the two components, computed from data on screen. Loaded when it is unfolded.

use crate::components::exact::Exact;
use crate::lazy::{self, Draw, Loading, Part, use_part};
use crate::shared::Shared;
use packscope::part;
use packscope::state::graphs::Action;
use yew::prelude::*;

/// What is folded.
static COMPUTED: Part<Draw<Props>> = Part::new(|| Box::pin(load_computed()));

part! { computed:
    fn load_computed() -> Loading<Draw<Props>> {
        Ok(|props| html! { <Opened ..props /> })
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: Shared,
    pub dispatch: Callback<Action>,
}

/// Offers tokens and attention of the loaded sequences and, where pairs are on screen, of groups that share a prompt.
#[component]
pub fn Computed(props: &Props) -> Html {
    let open = use_state_eq(|| false);
    let drawn = use_part(&COMPUTED, *open);
    if props.state.sequences.data.is_none() && !props.state.are_pairs() {
        return Html::default();
    }
    let set = open.setter();
    let ontoggle = Callback::from(move |e: Event| set.set(crate::components::is_open(&e)));
    html! {
        <details class="source" id="computed" {ontoggle}>
            <summary>{ "Tokens and attention" }</summary>
            if *open {
                { match drawn {
                    Ok(draw) => draw(props.clone()),
                    Err(absent) => lazy::failed([Some(absent)]),
                } }
            }
        </details>
    }
}

#[component]
fn Opened(props: &Props) -> Html {
    let responses = use_state_eq(|| 8);
    html! { <>
        <p>{ "Packs of equal tokens differ in attention, the square of each length. A limit of each bounds both." }</p>
        { of_sequences(props) }
        { of_groups(props, &responses) }
    </> }
}

fn of_sequences(props: &Props) -> Html {
    let Some((title, events)) = props.state.attention() else { return Html::default() };
    let label = format!("Of {title}");
    html! { <p>{ button("sequences", &label, events.map_err(|error| error.to_string()), &props.dispatch) }</p> }
}

fn of_groups(props: &Props, responses: &UseStateHandle<u32>) -> Html {
    let typed = {
        let set = responses.setter();
        Callback::from(move |text: String| text.parse().ok().filter(|n| *n > 0).map_or((), |n| set.set(n)))
    };
    let Some(groups) = props.state.groups(**responses) else { return Html::default() };
    let (said, events) = match groups {
        Ok((said, events)) => (said, Ok(events)),
        Err(error) => (String::new(), Err(error.to_string())),
    };
    html! { <>
        <div class="line">
            <label for="responses">{ "Responses that share a prompt" }</label>
            <Exact id="responses" name="Responses that share a prompt" min={1.0} value={responses.to_string()} {typed} />
        </div>
        <p>{ said }{ " " }{ button("groups", "Of these groups", events, &props.dispatch) }</p>
    </> }
}

/// A button that loads computed data, or the reason why there are none.
fn button(
    id: &'static str,
    label: &str,
    events: Result<[Action; 2], String>,
    dispatch: &Callback<Action>,
) -> Html {
    let events = match events {
        Ok(events) => events,
        Err(why) => return html! { <span class="wrong">{ why }</span> },
    };
    let dispatch = dispatch.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        events.clone().into_iter().for_each(|event| dispatch.emit(event))
    });
    html! { <button type="button" class="word" data-compute={id} {onclick}>{ label }</button> }
}
