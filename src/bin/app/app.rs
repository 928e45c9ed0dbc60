//! The page as a whole: state, effects, and the order of its parts.

use crate::address::{use_address, use_graphs};
use crate::arrows::use_arrows;
use crate::components::{
    answer, below, case, controls, epoch, explained, frame, learn, lengths, notices, pin, plot_out,
    rooms, share, side_by_side, speedup, supervision, take, tokens, trainer,
};
use crate::engine::{Engine, WaitProgress};
use crate::flick::use_flicks;
use crate::hooks::{
    use_assigning, use_drop, use_files, use_keys, use_lesson, use_looks, use_once, use_opened,
    use_rested, use_slow, use_sweep, use_sweeping, use_visible,
};
use crate::lazy::{self, Absent, DrawPart, missing, use_part};
use crate::near_viewport::{use_far, use_printing};
use crate::parts::{ADVICE, BATCHES, BELOW, FILES, GRAPHS, LEARN, Lessons, RANKS, SPEEDUP};
use crate::pinned::use_pins;
use crate::shared::{Props, SharedState, ViewProps};
use crate::storage::use_storage;
use crate::store::{RenderStates, Store};
use crate::watchdog::use_watch;
use packscope_page::state::{Action, AppState, Tab, View};
use std::rc::Rc;
use yew::prelude::*;

#[component]
pub fn App() -> Html {
    let waiting = use_state_eq(|| None::<WaitProgress>);
    let dragging = use_state_eq(|| false);
    let (watch, lost) = use_watch();
    let update = use_force_update();
    let store = use_memo((), |()| {
        let waiting = waiting.setter();
        let waiting = Callback::from(move |progress| waiting.set(progress));
        Store::new(update, &watch, waiting)
    });
    let dispatch = use_memo((), |()| store.dispatcher());
    let engine = Rc::clone(&store.engine);
    let RenderStates { state, rest } = store.shown();
    {
        let store = Rc::clone(&store);
        // Before other effects, as a new view ends the work of the one before.
        use_effect(move || store.ask());
    }
    use_effects(&engine, &state, &dispatch);
    let view = state.view;
    let files = use_files(&engine, view);
    let tokens = tokens::use_tokens(&dispatch, &watch);
    let files = tokens::use_opening(&tokens, files, &state);
    use_drop(files.open.clone(), dragging.setter());
    let cancel = use_hands(&engine, &waiting, &dispatch, &tokens);
    let pins = Rc::clone(&dispatch);
    let dispatch = (*dispatch).clone();
    let supervision = supervision::use_supervision(&engine, &tokens, &state, &dispatch, &watch);
    let notices = html! {
        <>
            <notices::Notices
                state={state.clone()} dispatch={dispatch.clone()} waiting={(*waiting).clone()}
                {cancel} files={files.clone()} lost={lost.clone()} {watch} />
            { tokens.panel() }
        </>
    };
    let (ask, open) = use_lesson(&engine, &dispatch);
    use_pins(&state, &pins, &ask);
    let lessons = use_part(&LEARN, view == View::Learn);
    let tool = use_tool(view);
    let (current, compared) = progress(&state, lessons.as_ref().ok());
    let speedup = use_lower(&engine, &tokens, &state, &dispatch, current);
    let slow = use_slow(compared, &state);
    let at = stage(current, lost.is_some());
    use_opened(at != "computing");
    let now = plot_out::use_now(&state);
    let shown = ViewProps {
        state: rest,
        dispatch: dispatch.clone(),
        files,
        notices,
        supervision,
        speedup,
    };
    let body = match view {
        View::Sequences => html! { <Sequences ..shown /> },
        View::Learn => lessons.map_or_else(missing, |lessons| {
            (lessons.draw)(learn::Props {
                state: shown.state,
                dispatch: shown.dispatch,
                ask,
                open,
                notices: shown.notices,
            })
        }),
        View::Graphs | View::Batches | View::Ranks => tool.map_or_else(missing, |draw| draw(shown)),
    };
    rooms::note(&state, &dispatch);
    html! {
        <ContextProvider<plot_out::Now> context={now}>
            <div
                class={classes!(
                    "page", dragging.then_some("dragging"), state.embed.then_some("embed")
                )}
                data-hidden={hidden_words(&state)}
            >
                if state.embed {
                    { share::embedded(&state) }
                } else {
                    <frame::Top state={state.clone()} dispatch={dispatch.clone()} />
                }
                <main
                    id="main" tabindex="-1"
                    class={classes!(
                        if view == View::Learn { "lesson" } else { "frame" },
                        slow.then_some("slow")
                    )}
                    data-state={at} data-view={state.view.name()} data-room={state.room.name()}
                    aria-busy={(at == "computing").to_string()}
                >
                    { body }
                    <explained::Explained />
                    if !state.embed {
                        { frame::foot(&state, &dispatch) }
                    }
                </main>
            </div>
        </ContextProvider<plot_out::Now>>
    }
}

/// Returns the names of the figures that lessons hide until they are predicted, for the style sheet to select by.
fn hidden_words(state: &AppState) -> String {
    let hidden: Vec<_> = state.learn.hidden.keys().map(String::as_str).collect();
    hidden.join(" ")
}

/// Returns the part of a view that is loaded on demand.
#[hook]
fn use_tool(view: View) -> Result<DrawPart<ViewProps>, Absent> {
    let part = match view {
        View::Graphs => Some(&GRAPHS),
        View::Batches => Some(&BATCHES),
        View::Ranks => Some(&RANKS),
        View::Sequences | View::Learn => None,
    };
    // A hook has to run in every rendering, so views without a part name one that they do not want.
    use_part(part.unwrap_or(&GRAPHS), part.is_some())
}

#[hook]
fn use_effects(engine: &Rc<Engine>, state: &SharedState, dispatch: &Rc<Callback<Action>>) {
    use_sweeping(engine, state);
    use_sweep(state, dispatch);
    use_visible(dispatch);
    // Before `use_address`, which replaces the default graphs by those that an address names.
    use_graphs(state, dispatch);
    use_address(state, dispatch);
    use_storage(state, dispatch);
    use_looks(state);
}

/// Returns the state of the answer: on screen, lost, or being computed. Tests, and programs that
/// capture the page, read it from `data-state`.
fn stage(current: bool, lost: bool) -> &'static str {
    match (current, lost) {
        (true, _) => "current",
        (false, true) => "stopped",
        (false, false) => "computing",
    }
}

/// Listens for keys and for printing; returns the callback that cancels every long computation, as Escape does.
#[hook]
fn use_hands(
    engine: &Rc<Engine>,
    waiting: &UseStateHandle<Option<WaitProgress>>,
    dispatch: &Callback<Action>,
    tokens: &tokens::Tokens,
) -> Callback<()> {
    let (engine, waiting, dispatch) = (Rc::clone(engine), waiting.setter(), dispatch.clone());
    let counting = tokens.cancel();
    let cancel = Callback::from(move |()| {
        // The panel of tokens has a lane of its own, which the engine does not know.
        counting.emit(());
        waiting.set(engine.cancel());
        dispatch.emit(Action::Cancelled);
    });
    use_keys(cancel.clone());
    use_arrows();
    use_flicks();
    use_printing();
    cancel
}

/// Returns the lower part of each tool: estimates, which load when scrolled near, and exports.
#[hook]
fn use_lower(
    engine: &Rc<Engine>,
    tokens: &tokens::Tokens,
    state: &SharedState,
    dispatch: &Callback<Action>,
    current: bool,
) -> Html {
    let ask = {
        let engine = Rc::clone(engine);
        use_memo((), |()| {
            Callback::from(move |asked: Rc<_>| engine.ask_waiting(asked))
        })
    };
    let assign = use_assigning(engine, tokens, state);
    let certify = {
        let (engine, state) = (Rc::clone(engine), state.clone());
        Callback::from(move |name| engine.certify(&state, name))
    };
    // The placeholder, and with it the loading of the part, waits for the first answer.
    let settled = use_once(current && state.view != View::Learn);
    let speedup = match use_far(&SPEEDUP, "50%") {
        // Ranks have a room of cost of their own.
        _ if !state.room.shows(Tab::Cost) || state.view == View::Ranks => Html::default(),
        Ok(draw) => draw(speedup::Props {
            state: state.clone(),
            dispatch: dispatch.clone(),
            ask: (*ask).clone(),
        }),
        Err(room) if settled => room,
        Err(_) => Html::default(),
    };
    html! {
        <>
            { speedup }
            <take::Take state={state.clone()} dispatch={dispatch.clone()} {assign} {certify} />
        </>
    }
}

/// Returns whether the answer on screen is for the current settings, and whether all of its parts are there.
fn progress(state: &AppState, lessons: Option<&Lessons>) -> (bool, bool) {
    match state.view {
        View::Sequences => (
            state.sequences.is_current(),
            (state.sequences.is_current() || state.sequences.is_interim())
                && state.sequences.is_compared(),
        ),
        View::Graphs => {
            let graphs = &state.graphs;
            (
                graphs.is_current(),
                (graphs.is_current() || graphs.is_interim()) && graphs.is_compared(),
            )
        }
        View::Batches => {
            // Missing rows of the table are marked as such. Where the engine refuses, older figures stay on screen.
            let row = state.batch_row();
            let current = state.is_pictured(row) && state.batch_report(row).is_some();
            (current, current)
        }
        View::Ranks => [state.is_ranked(); 2].into(),
        View::Learn => [lessons.is_some_and(|lessons| (lessons.current)(&state.learn)); 2].into(),
    }
}

#[component]
fn Sequences(props: &ViewProps) -> Html {
    let hover = use_state_eq(|| None::<u32>);
    let ViewProps {
        state,
        dispatch,
        files,
        notices,
        supervision: [lost, trains],
        speedup,
    } = props.clone();
    let rested = use_rested(&state);
    let onhover = {
        let hover = hover.setter();
        use_memo((), |()| Callback::from(move |length| hover.set(length)))
    };
    let onhover = (*onhover).clone();
    let apart = match use_part(&FILES, state.files.is_some()) {
        Ok(draw) => draw(side_by_side::Props {
            state: state.clone(),
            dispatch: dispatch.clone(),
        }),
        Err(absent) => lazy::failed([Some(absent)]),
    };
    let settled = use_once(state.sequences.is_current());
    let advice = match use_part(&ADVICE, settled) {
        Ok(draw) => draw(Props {
            state: state.clone(),
            dispatch: dispatch.clone(),
        }),
        // The class has a least height: what is below stays in place when the advice comes.
        Err(Absent::Coming) => html! { <p class="advice" /> },
        Err(absent) => lazy::failed([Some(absent)]),
    };
    let (answers, room, pick) = (
        state.room.shows(Tab::Answer),
        state.room,
        case::use_pick(&dispatch),
    );
    let own = html! { <answer::Headline state={state.clone()} /> };
    let (headline, settings) = trainer::use_library(&state, &dispatch, own);
    let below = match use_far(&BELOW, "0px") {
        _ if room == Tab::Cost => Html::default(),
        Ok(draw) => draw(below::Props {
            state: state.clone(),
            rested,
            dispatch: dispatch.clone(),
            hover: *hover,
            onhover: onhover.clone(),
        }),
        Err(placeholder) if settled => placeholder,
        Err(_) => Html::default(),
    };
    html! {
        <>
            { case::case(&state, &dispatch, case::lengths(&state, &files, pick)) }
            { headline }
            <controls::Controls state={state.clone()} dispatch={dispatch.clone()} />
            <div class="body">
                { rooms::line(&state, &dispatch) }
                { notices }
                { lost }
                { apart }
                <pin::Pins state={state.clone()} dispatch={dispatch.clone()} />
                if settings.is_none() {
                    { advice }
                }
                if answers {
                    <div class="pair">
                        <lengths::Lengths
                            state={state.clone()}
                            dispatch={dispatch.clone()}
                            hover={*hover}
                            onhover={onhover}
                        />
                        <epoch::Epoch state={state.clone()} />
                    </div>
                    { settings.unwrap_or_default() }
                    { trains }
                }
                { below }
                { speedup }
            </div>
        </>
    }
}
