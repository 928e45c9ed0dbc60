//! Training libraries on the data on screen: the chosen one as the answer, with its own settings,
//! and all side by side. The view of sequences has libraries that pack, that of batches has
//! samplers, and that of graphs has loaders. Answers consist of words and numbers, so that one part
//! shows them all.

mod all;
mod judged;
mod one;
mod own;
mod shown;

use super::fold::{Fold, use_room_fold};
use super::sheets::{use_chosen, use_sheets};
use super::{rooms, titled};
use crate::lazy::{self, Absent, DrawPart, LazyPart, PartLoad, use_part};
use crate::plot::use_in_view;
use crate::shared::{Props, SharedState};
use own::{Values, library_panel, values};
use packscope::api::fields::ranks::LIBRARY;
use packscope::api::trainer::LibraryKind;
use packscope::trainer::PackingLibraries;
use packscope::trainer::batches::SamplerLibraries;
use packscope::trainer::graphs::GraphLibraries;
use packscope_page::part;
use packscope_page::state::trainer::{Action as Trained, Choice, library_names};
use packscope_page::state::{Action, AppState, View};
use yew::prelude::*;

static TRAINER: LazyPart<Parts> = LazyPart::new(|| Box::pin(load_trainer()));

#[derive(Clone, Copy)]
struct Parts {
    headline: DrawPart<Props>,
    own: DrawPart<Props>,
    all: DrawPart<Props>,
}

part! { trainer:
    fn load_trainer() -> PartLoad<Parts> {
        Ok(Parts {
            headline: |props| html! { <one::Headline ..props /> },
            own: |props| html! { <Own ..props /> },
            all: |props| html! { <All ..props /> },
        })
    }
}

/// Returns a callback that dispatches actions on the libraries of the view on screen.
fn acting(state: &AppState, dispatch: &Callback<Action>) -> Callback<Trained> {
    let view = state.view;
    dispatch.reform(move |action| Action::Trainer(view, action))
}

/// Returns the displayed name of the chosen library; `None` if there is none, or none of this name.
pub fn chosen(state: &AppState) -> Option<&'static str> {
    let id = state.libraries(state.view).choice.library.as_deref()?;
    library_names(state.view)
        .iter()
        .find(|(other, _)| *other == id)
        .map(|(_, title)| *title)
}

/// Returns the headline of the chosen library, which says what it does with the data and the one
/// setting to change, and its settings; without a library, the view's own headline and no settings.
#[hook]
pub fn use_library(
    state: &SharedState,
    dispatch: &Callback<Action>,
    own: Html,
) -> (Html, Option<Html>) {
    let name = chosen(state);
    let parts = use_part(&TRAINER, name.is_some());
    // Behind the hook, which must run in every rendering.
    let Some(name) = name else { return (own, None) };
    let props = Props {
        state: state.clone(),
        dispatch: dispatch.clone(),
    };
    let (headline, settings) = match parts {
        Ok(parts) => ((parts.headline)(props.clone()), (parts.own)(props)),
        // The name at once, in the place of the headline to come.
        Err(Absent::Coming) => (
            html! {
                <section class="answer of-library" data-state="computing">
                    <h1>{ name }{ " …" }</h1>
                </section>
            },
            Html::default(),
        ),
        Err(absent) => (lazy::failed([Some(absent)]), Html::default()),
    };
    (headline, Some(settings))
}

/// All libraries, folded until they are wanted.
#[component]
pub fn Trainer(props: &Props) -> Html {
    let Fold { open, ontoggle } = use_room_fold("trainer");
    let state = &props.state;
    html! {
        <details class="panel trainer" id="trainer" data-state={stage(state)} {open} {ontoggle}>
            <summary>
                <h2>{ titled(title(state.view)) }</h2>
            </summary>
            if open {
                <Unfolded ..props.clone() />
            }
        </details>
    }
}

/// All libraries, asked about while they are in view.
#[component]
fn Unfolded(props: &Props) -> Html {
    let node = use_node_ref();
    use_in_view(
        &node,
        0.0,
        acting(&props.state, &props.dispatch).reform(Trained::InView),
    );
    let content = match use_part(&TRAINER, true) {
        Ok(parts) => (parts.all)(props.clone()),
        Err(absent) => lazy::missing(absent),
    };
    html! { <div ref={node}>{ content }</div> }
}

fn title(view: View) -> &'static str {
    match view {
        View::Graphs => "What does each loader do with these graphs?",
        View::Batches => "What does each sampler do with these sequences?",
        View::Sequences | View::Ranks | View::Learn => "What does each library do with these data?",
    }
}

/// Returns whether the sheets in view are known, requested, or not wanted yet.
fn stage(state: &AppState) -> &'static str {
    match (
        state.libraries(state.view).seen,
        state.trainer_wanted().is_some(),
    ) {
        (false, _) => "none",
        (true, true) => "computing",
        (true, false) => "current",
    }
}

/// Returns the word for the work of the libraries of a view.
fn doing(view: View) -> &'static str {
    if view == View::Sequences {
        "Trying what helps in each library"
    } else {
        "Batching as each of them does"
    }
}

/// Returns the chosen library with its settings.
fn settings(state: &AppState) -> Option<Values> {
    let Choice { library, settings } = &state.libraries(state.view).choice;
    let id = library.as_deref()?;
    match state.library_limits(state.view)? {
        LibraryKind::Sequences(room) => values::<PackingLibraries>(id, room.limit, settings),
        LibraryKind::Batches(room) => values::<SamplerLibraries>(id, room, settings),
        LibraryKind::Graphs(limits) => values::<GraphLibraries>(id, limits, settings),
    }
}

/// The settings of the chosen library with its lines, and its cost against its window.
#[component]
fn Own(props: &Props) -> Html {
    let state = &props.state;
    let (opened, is_current) = use_chosen(state);
    let Some(mut of) = settings(state) else {
        return Html::default();
    };
    let sheet = opened.first();
    // The number of graphs in a batch is known only after packing: the code in the sheet contains
    // it.
    if let Some(sheet) = sheet.filter(|sheet| is_current && !sheet.about.lines.is_empty()) {
        of.lines.clone_from(&sheet.about.lines);
    }
    html! {
        <section class="trainer of-one" id="own">
            if let Some(sheet) = sheet {
                { one::window(state, sheet) }
            }
            { library_panel(&of, &acting(state, &props.dispatch)) }
            if state.view == View::Sequences {
                { to_ranks(props) }
            }
        </section>
    }
}

/// The way to the view of ranks, where this library balances their work.
fn to_ranks(props: &Props) -> Html {
    let Some(scheduler) = props.state.scheduler_of_library() else {
        return Html::default();
    };
    let setting = Action::Ranks(LIBRARY.value.id, scheduler.to_string());
    let words = format!(
        "How {} balances the work of several GPUs →",
        scheduler.long_name()
    );
    rooms::to_view(View::Ranks, setting, &words, &props.dispatch)
}

#[component]
fn All(props: &Props) -> Html {
    let (state, view) = (&props.state, props.state.view);
    let side = use_sheets(state.answers_of_all(view));
    let library = state.libraries(view).choice.library.as_deref();
    let given = state.library_limits(view).filter(|_| !side.is_empty());
    html! {
        <>
            <div class="pair even">
                <p class="small">{ introduction(view, library_names(view).len()) }</p>
                <all::Compared
                    state={state.clone()}
                    dispatch={props.dispatch.clone()}
                    sheets={side.clone()}
                />
            </div>
            if view == View::Sequences {
                if !state.libraries(view).beside.is_empty() {
                    { judged::table(state, &acting(state, &props.dispatch)) }
                }
            } else if let Some(given) = given {
                { all::table(
                    given,
                    (&side, &state.uncompared(view)),
                    (library_names(view), library),
                    &acting(state, &props.dispatch),
                ) }
            }
        </>
    }
}

fn introduction(view: View, libraries: usize) -> String {
    let ways = match view {
        View::Graphs => "loaders of graph libraries fill batches",
        View::Batches => "samplers of training libraries sort, bucket and batch sequences",
        _ => "libraries pack, batch or cut sequences",
    };
    format!(
        "{libraries} {ways} in ways of their own. Settings have the library's own names; the algorithm is the one in its code, not in its documentation. A press on a name makes it the library of the answer."
    )
}
