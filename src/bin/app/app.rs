//! The page as a whole: state, effects, and the order of its parts.

use crate::address::{first, load, use_address, use_graphs};
use crate::components::{
    answer, batches, controls, depths, epoch, explained, graphs, learn, lengths, notices, rows, speedup,
    strategies, table, top,
};
use crate::engine::{Engine, Waiting};
use crate::hooks::{
    use_drop, use_files, use_following, use_keys, use_lesson, use_rested, use_slow, use_sweep, use_theme,
    use_title,
};
use packscope::histogram::Preset;
use packscope::ingest::Options;
use packscope::learn::Chapter;
use packscope::state::{Action, AppState, View};
use std::rc::Rc;
use web_sys::Blob;
use yew::prelude::*;

/// Something shared that is equal only to itself: what a drawing or a part of the page depends on.
pub struct Same<T: ?Sized>(pub Rc<T>);

impl<T: ?Sized> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T: ?Sized> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: ?Sized> std::ops::Deref for Same<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// The state as parts of the page are given it: whatever happens makes another, and comparing plans item
/// by item would take longer than drawing them.
pub type Shared = Same<AppState>;

impl Shared {
    /// Whether both show the same answer.
    pub fn same_answer(&self, other: &Self) -> bool {
        self.answer.clone().map(Same) == other.answer.clone().map(Same)
    }

    /// Whether both compare the same algorithms, with the same one chosen.
    pub fn same_comparison(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.comparison, &other.comparison)
            && self.settings.depth == other.settings.depth
            && self.settings.algorithm == other.settings.algorithm
            && self.is_compared() == other.is_compared()
    }
}

/// The state, and the state as all but Speed-up is given it: an assumption that moves renders nothing else.
struct Store {
    state: Shared,
    rest: Shared,
}

impl Reducible for Store {
    type Action = Action;
    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let assumed = matches!(action, Action::SpeedUp(_));
        let state = Same(Rc::new(self.state.reduce(action)));
        // An accelerator may bring a measured overhead with it, and a step of a sampler costs what it costs there: other
        // figures rest on these.
        let priced = |s: &Shared| {
            let step = (s.view == View::Batches).then(|| s.step_cost());
            ([s.settings.overhead, s.graphs.settings.overhead], step)
        };
        let alike = assumed && priced(&state) == priced(&self.rest);
        let rest = if alike { self.rest.clone() } else { state.clone() };
        Rc::new(Self { state, rest })
    }
}

/// What every part of the page is given.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub state: Shared,
    /// Changes it.
    pub dispatch: Callback<Action>,
}

/// Given to parts that only the answer and the colours change: a moved slider alone does not render them.
#[derive(Clone, Properties)]
pub struct AnswerProps {
    /// The state.
    pub state: Shared,
}

impl PartialEq for AnswerProps {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.state, &other.state);
        a.same_answer(b)
            && a.theme == b.theme
            && a.searching() == b.searching()
            && a.is_proven() == b.is_proven()
    }
}

/// Given to parts that only the comparison changes.
#[derive(Clone, Properties)]
pub struct CompareProps {
    /// The state.
    pub state: Shared,
    /// Changes it.
    pub dispatch: Callback<Action>,
}

impl PartialEq for CompareProps {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.state, &other.state);
        a.same_comparison(b) && a.theme == b.theme && a.log_padding == b.log_padding
    }
}

/// Files that visitors open.
#[derive(Clone, PartialEq)]
pub struct Files {
    /// Reads a file.
    pub open: Callback<(String, Blob)>,
    /// Reads the file at hand another way.
    pub reread: Callback<Options>,
}

/// The page.
#[component]
pub fn App() -> Html {
    let store = use_reducer(|| {
        let state = Same(Rc::new(first()));
        Store { rest: state.clone(), state }
    });
    let waiting = use_state_eq(|| None::<Waiting>);
    let dragging = use_state_eq(|| false);
    let dispatch = {
        let dispatcher = store.dispatcher();
        use_memo((), |()| Callback::from(move |action| dispatcher.dispatch(action)))
    };
    let engine = {
        let (dispatch, waiting) = ((*dispatch).clone(), waiting.setter());
        use_memo((), |()| Rc::new(Engine::new(dispatch, Callback::from(move |w| waiting.set(w)))))
    };
    let (state, rest) = (store.state.clone(), store.rest.clone());
    use_following(&engine, &state, waiting.setter());
    use_sweep(&state, &dispatch);
    use_address(&state, &dispatch);
    use_graphs(&state, &dispatch);
    let view = state.view;
    use_drop(&engine, view, dragging.setter());
    use_theme(state.theme);
    use_title(&state);

    let files = use_files(&engine, view);
    let cancel = {
        let (engine, waiting, dispatch) = (Rc::clone(&engine), waiting.setter(), Rc::clone(&dispatch));
        Callback::from(move |()| {
            engine.cancel();
            waiting.set(None);
            dispatch.emit(Action::Cancelled);
        })
    };
    use_keys(cancel.clone());
    let dispatch = (*dispatch).clone();
    let notices = html! {
        <notices::Notices state={state.clone()} dispatch={dispatch.clone()} waiting={(*waiting).clone()} {cancel} />
    };
    let ask = {
        let engine = Rc::clone(&engine);
        use_memo((), |()| Callback::from(move |asked: Rc<_>| engine.ask_waiting(&asked)))
    };
    let speedup =
        html! { <speedup::SpeedUp state={state.clone()} dispatch={dispatch.clone()} ask={(*ask).clone()} /> };
    let (ask_lesson, hand) = use_lesson(&engine, &dispatch);
    let (current, compared) = progress(&state);
    let slow = use_slow(compared);
    let frame = if view == View::Learn { "lesson" } else { "frame" };
    let hidden = state.learn.hidden.iter().cloned().collect::<Vec<_>>().join(" ");
    html! {
        <div class={classes!("page", dragging.then_some("dragging"))} data-hidden={hidden}>
            <top::Top state={state.clone()} dispatch={dispatch.clone()} />
            <main class={classes!(frame, slow.then_some("slow"))} data-state={if current { "current" } else { "computing" }}
                data-view={state.view.name()} aria-busy={(!current).to_string()}>
                if state.view == View::Sequences {
                    <Sequences state={rest} {dispatch} {files} {notices} {speedup} />
                } else if state.view == View::Graphs {
                    <graphs::Graphs state={rest} {dispatch} {files} {notices} {speedup} />
                } else if state.view == View::Learn {
                    <learn::Lessons state={rest} {dispatch} ask={ask_lesson} open={hand} {notices} />
                } else {
                    <batches::Batches state={rest} {dispatch} {files} {notices} {speedup} />
                }
            </main>
            { foot() }
            <explained::Explained />
        </div>
    }
}

/// What is below every view.
fn foot() -> Html {
    html! {
        <footer class="foot">
            <p><b>{ "Your data stays in this page." }</b>{ " Nothing is uploaded; the page makes no request to any other host." }</p>
            <p>{ "After Krell, Kosec, Perez, Fitzgibbon 2022, " }<i>{ "Efficient Sequence Packing without Cross-contamination" }</i>
                { "; Krell, Lopez, Anand, Helal, Fitzgibbon 2022, " }<i>{ "Tuple Packing" }</i>
                { "; Nagarajan, Raghunathan 2023, " }<i>{ "TokenDrop + BucketSampler" }</i>{ "." }</p>
        </footer>
    }
}

/// Whether the answer on screen is about the present settings, and whether all that belongs to it is there.
fn progress(state: &AppState) -> (bool, bool) {
    match state.view {
        View::Sequences => {
            (state.is_current(), (state.is_current() || state.is_interim()) && state.is_compared())
        }
        View::Graphs => {
            let graphs = &state.graphs;
            (graphs.is_current(), (graphs.is_current() || graphs.is_interim()) && graphs.is_compared())
        }
        View::Batches => {
            // Rows of the table say for themselves whether they are there.
            let current = state.is_pictured(state.batch_row());
            (current, current)
        }
        View::Learn => {
            let chapter = Chapter::named(&state.learn.chapter);
            let current = chapter.unanswered(&chapter.here(&state.learn)).is_empty();
            (current, current)
        }
    }
}

/// What a view is given.
#[derive(Clone, Properties)]
pub struct ViewProps {
    /// The state, perhaps with older assumptions of Speed-up.
    pub state: Shared,
    /// Changes it.
    pub dispatch: Callback<Action>,
    /// Reads files.
    pub files: Files,
    /// What went wrong, and what is waited for.
    pub notices: Html,
    /// What it saves on accelerators.
    pub speedup: Html,
}

impl PartialEq for ViewProps {
    /// Markup cannot be compared: a view is gone through each time, and its parts say whether they have changed.
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

/// The view of sequences.
#[component]
fn Sequences(props: &ViewProps) -> Html {
    let hover = use_state_eq(|| None::<u32>);
    let ViewProps { state, dispatch, files: Files { open, reread }, notices, speedup } = props.clone();
    let rested = use_rested(&state);
    let pick = use_memo(dispatch.clone(), |dispatch| {
        let dispatch = dispatch.clone();
        Callback::from(move |preset: &'static Preset| load(preset, Some(preset.limit()), dispatch.clone()))
    });
    let onhover = {
        let hover = hover.setter();
        use_memo((), |()| Callback::from(move |length| hover.set(length)))
    };
    let (pick, onhover) = ((*pick).clone(), (*onhover).clone());
    html! { <>
        <answer::Headline state={state.clone()} />
        <controls::Controls state={state.clone()} dispatch={dispatch.clone()} {open} {reread} {pick} />
        <div class="body">
            { notices }
            <div class="pair">
                <lengths::Lengths state={state.clone()} dispatch={dispatch.clone()} hover={*hover} onhover={onhover.clone()} />
                <epoch::Epoch state={state.clone()} />
            </div>
            <div class="pair">
                <rows::Rows state={state.clone()} hover={*hover} {onhover} />
                <depths::Depths state={state.clone()} dispatch={dispatch.clone()} />
            </div>
            <table::Table state={state.clone()} {dispatch} />
            <strategies::Strategies state={rested} />
            { speedup }
        </div>
    </> }
}
