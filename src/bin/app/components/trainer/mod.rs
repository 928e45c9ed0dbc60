//! Training libraries on the sequences on screen: the chosen one with its own settings, and all side by side.

mod all;
mod one;

use super::titled;
use crate::lazy::{self, Draw, Loading, Part, use_part};
use crate::plot::{IN_VIEW, use_in_view};
use crate::shared::Props;
use packscope::part;
use packscope::state::trainer::Action as Trained;
use packscope::state::{Action, AppState};
use packscope::trainer::Library;
use yew::prelude::*;

/// Libraries that train.
static TRAINER: Part<Draw<Props>> = Part::new(|| Box::pin(load_trainer()));

part! { trainer:
    fn load_trainer() -> Loading<Draw<Props>> {
        Ok(|props| html! { <Loaded ..props /> })
    }
}

/// The place of the part, which is loaded when it comes into view.
#[component]
pub fn Trainer(props: &Props) -> Html {
    let node = use_node_ref();
    use_in_view(&node, IN_VIEW, props.dispatch.reform(|seen| Action::Trainer(Trained::InView(seen))));
    let state = &props.state;
    let ever = crate::hooks::use_once(state.trainer.seen);
    let content = match use_part(&TRAINER, ever) {
        Ok(draw) => draw(props.clone()),
        Err(absent) => html! { <><h2>{ titled(TITLE) }</h2>{ lazy::failed([Some(absent)]) }</> },
    };
    html! { <section class="trainer" id="trainer" tabindex="-1" ref={node} data-state={stage(state)}>{ content }</section> }
}

/// The title until a library is chosen.
const TITLE: &str = "What does your trainer do with these data?";

/// Whether what is in view is known, asked for, or not wanted yet.
fn stage(state: &AppState) -> &'static str {
    match (state.trainer.seen, state.trainer_wanted()) {
        (false, _) => "none",
        (true, Some(_)) => "computing",
        (true, None) => "current",
    }
}

/// The library that is chosen, if there is one of this name.
fn chosen(state: &AppState) -> Option<&'static Library> {
    Library::named(state.trainer.library.as_deref()?).ok()
}

/// The part: choice, the chosen library, all of them.
#[component]
pub fn Loaded(props: &Props) -> Html {
    let state = &props.state;
    let library = chosen(state);
    let shown = library.and_then(|library| Some((library, state.trainer.shown(library.id)?)));
    let title =
        shown.map_or_else(|| TITLE.to_owned(), |(library, shown)| state.of_trainer(library.title, shown));
    let unknown = state.trainer.library.as_deref().filter(|_| library.is_none());
    html! { <>
        <h2>{ titled(&title) }</h2>
        <div class="pair even">
            <one::One state={state.clone()} dispatch={props.dispatch.clone()} />
            <all::Beside state={state.clone()} dispatch={props.dispatch.clone()} />
        </div>
        <one::Own state={state.clone()} dispatch={props.dispatch.clone()} />
        <all::Table state={state.clone()} dispatch={props.dispatch.clone()} />
        if let Some(name) = unknown {
            <p class="hint" role="alert">{ format!("The address names the library “{}”, which is none of those below.", name.chars().take(40).collect::<String>()) }</p>
        }
    </> }
}
