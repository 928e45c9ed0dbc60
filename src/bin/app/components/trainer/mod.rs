//! Training libraries on the data on screen: the chosen one with its own settings, and all side by side. The view of
//! sequences has libraries that pack, that of batches has samplers, and that of graphs has loaders. Answers consist of
//! words and numbers, so that one part shows them all.

mod all;
mod one;
mod own;

use super::titled;
use crate::lazy::{self, Draw, Loading, Part, use_part};
use crate::plot::{IN_VIEW, use_in_view};
use crate::shared::{Props, Same};
use own::{choose, own, values};
use packscope::api::trainer::Given;
use packscope::export::libraries::Sheet;
use packscope::part;
use packscope::state::trainer::{Action as Trained, Choice, Sealed};
use packscope::state::{Action, AppState, View};
use packscope::trainer::batches::{Batches, SAMPLERS};
use packscope::trainer::graphs::{Graphs, LOADERS};
use packscope::trainer::{LIBRARIES, Sequences};
use packscope::wire::decode;
use std::rc::Rc;
use yew::prelude::*;

/// The part on training libraries, loaded on demand.
static TRAINER: Part<Draw<Props>> = Part::new(|| Box::pin(load_trainer()));

part! { trainer:
    fn load_trainer() -> Loading<Draw<Props>> {
        Ok(|props| html! { <Loaded ..props /> })
    }
}

/// Returns a callback that dispatches actions on the libraries of the view on screen.
fn acting(state: &AppState, dispatch: &Callback<Action>) -> Callback<Trained> {
    let view = state.view;
    dispatch.reform(move |action| Action::Trainer(view, action))
}

/// The container of the part, which is loaded when it comes into view.
#[component]
pub fn Trainer(props: &Props) -> Html {
    let node = use_node_ref();
    use_in_view(&node, IN_VIEW, acting(&props.state, &props.dispatch).reform(Trained::InView));
    let state = &props.state;
    let ever = crate::hooks::use_once(state.libraries(state.view).seen);
    let content = match use_part(&TRAINER, ever) {
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

/// Returns whether the sheets in view are known, requested, or not wanted yet.
fn stage(state: &AppState) -> &'static str {
    match (state.libraries(state.view).seen, state.trainer_wanted().is_some()) {
        (false, _) => "none",
        (true, true) => "computing",
        (true, false) => "current",
    }
}

/// The libraries of a view, by id and displayed name.
fn named(view: View) -> Vec<(&'static str, &'static str)> {
    match view {
        View::Graphs => LOADERS.iter().map(|library| (library.id, library.title)).collect(),
        View::Batches => SAMPLERS.iter().map(|library| (library.id, library.title)).collect(),
        _ => LIBRARIES.iter().map(|library| (library.id, library.title)).collect(),
    }
}

/// Returns the word for the work of the libraries of a view.
fn doing(view: View) -> &'static str {
    if view == View::Sequences { "Packing" } else { "Batching" }
}

/// Decodes answers: returns the sheets of their own libraries, then those for comparison.
#[hook]
fn use_opened(sealed: Vec<Sealed>) -> Same<Vec<Sheet>> {
    Same(use_memo(sealed, |sealed| {
        let (mut sheets, mut beside) = (Vec::new(), Vec::new());
        for answer in sealed.iter().filter_map(|sealed| decode::<Vec<Sheet>>(sealed).ok()) {
            let mut answer = answer.into_iter();
            sheets.extend(answer.next());
            // The sheets for comparison are the same in every answer.
            beside = answer.collect();
        }
        sheets.append(&mut beside);
        sheets
    }))
}

/// The part: the choice, the chosen library, and all libraries.
#[component]
pub fn Loaded(props: &Props) -> Html {
    let state = &props.state;
    let (view, act) = (state.view, acting(state, &props.dispatch));
    let all = named(view);
    let Choice { library, settings } = &state.libraries(view).choice;
    let chosen = library.as_deref().filter(|id| all.iter().any(|(other, _)| other == id));
    let answer = state.of_chosen(view).filter(|_| chosen.is_some());
    let opened = use_opened(answer.into_iter().map(|(sealed, _)| Rc::clone(sealed)).collect());
    let side = use_opened(state.of_all(view));
    let (sheet, is_current) = (opened.first(), answer.is_some_and(|(_, is_current)| is_current));
    let given = state.given(view);
    let of = chosen.zip(given).and_then(|(id, given)| match given {
        Given::Sequences(room) => values::<Sequences>(id, room.limit, settings),
        Given::Batches(room) => values::<Batches>(id, room, settings),
        Given::Graphs(limits) => values::<Graphs>(id, limits, settings),
    });
    let of = of.map(|mut of| {
        // The number of graphs in a batch is known only after packing: the code in the sheet contains it.
        if let Some(sheet) = sheet.filter(|sheet| is_current && !sheet.about.lines.is_empty()) {
            of.lines.clone_from(&sheet.about.lines);
        }
        of
    });
    html! { <>
        <h2>{ titled(sheet.map_or(title(view), |sheet| &sheet.title)) }</h2>
        <div class="pair even">
            <div class="of-one">
                { choose(all.iter().copied(), chosen, &act) }
                if let (Some(sheet), true) = (sheet, chosen.is_some()) {
                    { one::outcome(state, sheet, is_current, &act) }
                } else if chosen.is_some() {
                    <p class="wait" role="status">{ doing(view) }{ " as it does …" }</p>
                } else {
                    <p class="small">{ introduction(view, all.len()) }</p>
                }
            </div>
            <all::Compared state={state.clone()} dispatch={props.dispatch.clone()} sheets={side.clone()} />
        </div>
        if let Some(of) = &of { { own(of, &act) } }
        if let Some(given) = given.filter(|_| !side.is_empty()) {
            { all::table(given, (&side, &state.uncompared(view)), (&all, chosen), &act) }
        }
        { unknown(library.as_deref().filter(|_| chosen.is_none())) }
    </> }
}

fn introduction(view: View, libraries: usize) -> String {
    match view {
        View::Graphs => format!(
            "{libraries} loaders of graph libraries fill batches in ways of their own. Choose yours: its settings have its own names, its algorithm is the one in its code. The limits are those above."
        ),
        View::Batches => format!(
            "{libraries} samplers of training libraries sort, bucket and batch sequences in ways of their own. Choose yours: its settings have its own names, its algorithm is the one in its code. Limit and batch are those above."
        ),
        _ => format!(
            "{libraries} libraries pack, batch or cut sequences in ways of their own. Choose yours: its settings have its own names, its algorithm is the one in its code, not in its documentation."
        ),
    }
}

/// Reports that the address names an unknown library.
fn unknown(name: Option<&str>) -> Html {
    let Some(name) = name else { return Html::default() };
    let name: String = name.chars().take(40).collect();
    html! { <p class="hint" role="alert">{ format!("The address names the library “{name}”, which is none of those below.") }</p> }
}
