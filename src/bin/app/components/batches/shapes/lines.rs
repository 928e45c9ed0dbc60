//! The chosen shapes as settings of libraries and as code.

use super::ShownShapes;
use crate::components::choice;
use crate::components::take::save::{Copy, save_button};
use packscope::api::shapes::batch;
use packscope::export::shapes::{For, lines};
use yew::prelude::*;

#[component]
pub fn Lines(props: &ShownShapes) -> Html {
    let of = use_state_eq(|| For::Lhotse);
    let (shapes, slots) = (props.chosen(), props.state.shape_slots());
    let batches: Vec<u64> = shapes.iter().map(|shape| batch(shape, slots)).collect();
    let data = props
        .state
        .sequences
        .data
        .as_ref()
        .map_or("", |data| data.source.title());
    let written = lines(*of, data, shapes, &batches);
    let button = |one: For| {
        let set = of.setter();
        (
            one.long_name(),
            one == *of,
            Callback::from(move |_: MouseEvent| set.set(one)),
        )
    };
    let text = written.text.clone();
    html! {
        <>
            <p>{ choice("Lines for", &For::ALL.map(button)) }</p>
            <p class="small">{ written.note }</p>
            <p class="actions">
                <Copy
                    text={written.text.clone()}
                    label={format!("the lines for {}", of.long_name())}
                />
                { save_button("Save", written.file.to_owned(), move || text.clone()) }
            </p>
            <pre
                class="snippet"
                tabindex="0"
                data-snippet={of.name()}
                aria-label={format!("Lines for {}", of.long_name())}
            >
                <code>{ &written.text }</code>
            </pre>
        </>
    }
}
