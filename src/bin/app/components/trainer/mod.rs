//! Training libraries on the data on screen: the chosen one with its own settings, and all side by side. On the view of
//! sequences those that pack, on that of batches samplers, on that of graphs loaders.

mod all;
mod kinds;
mod one;
mod own;

use super::titled;
use crate::lazy::{self, Draw, Loading, Part, use_part};
use crate::plot::{IN_VIEW, use_in_view};
use crate::shared::Props;
use packscope::part;
use packscope::state::trainer::Action as Trained;
use packscope::state::{Action, AppState, View};
use packscope::trainer::Library;
use yew::prelude::*;

/// Libraries that train.
static TRAINER: Part<Draw<Props>> = Part::new(|| Box::pin(load_trainer()));

part! { trainer:
    fn load_trainer() -> Loading<Draw<Props>> {
        Ok(|props| html! { <Loaded ..props /> })
    }
}

/// Samplers and loaders.
static KINDS: Part<Draw<Props>> = Part::new(|| Box::pin(load_kinds()));

part! { kinds:
    fn load_kinds() -> Loading<Draw<Props>> {
        Ok(|props| html! { <kinds::Kinds ..props /> })
    }
}

/// Dispatches events of the libraries of the view on screen.
fn acting(props: &Props) -> Callback<Trained> {
    let view = props.state.view;
    props.dispatch.reform(move |action| match view {
        View::Sequences => Action::Trainer(action),
        view => Action::Kind(view, action),
    })
}

/// Whether the part is in view.
fn seen(state: &AppState) -> bool {
    state.kind(state.view).map_or(state.trainer.seen, |kind| kind.seen)
}

/// The place of the part, which is loaded when it comes into view.
#[component]
pub fn Trainer(props: &Props) -> Html {
    let node = use_node_ref();
    use_in_view(&node, IN_VIEW, acting(props).reform(Trained::InView));
    let state = &props.state;
    let ever = crate::hooks::use_once(seen(state));
    // The view of an instance never changes.
    let part = if state.view == View::Sequences { &TRAINER } else { &KINDS };
    let content = match use_part(part, ever) {
        Ok(draw) => draw(props.clone()),
        Err(absent) => html! { <><h2>{ titled(title(state.view)) }</h2>{ lazy::failed([Some(absent)]) }</> },
    };
    html! { <section class="trainer" id="trainer" tabindex="-1" ref={node} data-state={stage(state)}>{ content }</section> }
}

/// The title until a library is chosen.
fn title(view: View) -> &'static str {
    match view {
        View::Graphs => "What does your loader do with these graphs?",
        View::Batches => "What does your sampler do with these sequences?",
        View::Sequences | View::Learn => "What does your trainer do with these data?",
    }
}

/// Whether what is in view is known, asked for, or not wanted yet.
fn stage(state: &AppState) -> &'static str {
    match (seen(state), state.trainer_wanted().is_some() || state.kind_wanted().is_some()) {
        (false, _) => "none",
        (true, true) => "computing",
        (true, false) => "current",
    }
}

/// The library that is chosen, if there is one of this name.
fn chosen(state: &AppState) -> Option<&'static Library> {
    Library::named(state.trainer.choice.library.as_deref()?).ok()
}

/// The part: choice, the chosen library, all of them.
#[component]
pub fn Loaded(props: &Props) -> Html {
    let state = &props.state;
    let library = chosen(state);
    let shown = library.and_then(|library| Some((library, state.trainer.shown(library.id)?)));
    let words = shown.map_or_else(
        || title(state.view).to_owned(),
        |(library, shown)| state.of_trainer(library.title, shown),
    );
    html! { <>
        <h2>{ titled(&words) }</h2>
        <div class="pair even">
            <one::One state={state.clone()} dispatch={props.dispatch.clone()} />
            <all::Compared state={state.clone()} dispatch={props.dispatch.clone()} />
        </div>
        <one::Own state={state.clone()} dispatch={props.dispatch.clone()} />
        <all::Table state={state.clone()} dispatch={props.dispatch.clone()} />
        { unknown(state.trainer.choice.library.as_deref().filter(|_| library.is_none())) }
    </> }
}

/// Says that no library has the name that an address has.
fn unknown(name: Option<&str>) -> Html {
    let Some(name) = name else { return Html::default() };
    let name: String = name.chars().take(40).collect();
    html! { <p class="hint" role="alert">{ format!("The address names the library “{name}”, which is none of those below.") }</p> }
}
