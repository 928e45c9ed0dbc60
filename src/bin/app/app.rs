//! The page as a whole: state, effects, and the order of its parts.

use crate::address::{first, load, use_address, use_graphs};
use crate::browser;
use crate::components::{
    answer, batches, controls, depths, epoch, graphs, lengths, notices, rows, speedup, strategies, table, top,
};
use crate::engine::{Engine, Opened, Waiting};
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use packscope::histogram::Preset;
use packscope::ingest::Options;
use packscope::state::graphs::{Action as Graphs, asked};
use packscope::state::{Action, AppState, Theme, View};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Blob;
use yew::prelude::*;

/// Milliseconds after which an answer that is not there yet is waited for.
const SLOW: u32 = 250;
/// Milliseconds without a change before a sweep starts by itself.
const SWEEP_REST: u32 = 500;

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
    let (current, compared) = progress(&state);
    let slow = use_slow(compared);
    html! {
        <div class={classes!("page", dragging.then_some("dragging"))}>
            <top::Top state={state.clone()} dispatch={dispatch.clone()} />
            <main class={classes!("frame", slow.then_some("slow"))} data-state={if current { "current" } else { "computing" }}
                data-view={state.view.name()} aria-busy={(!current).to_string()}>
                if state.view == View::Sequences {
                    <Sequences state={rest} {dispatch} {files} {notices} {speedup} />
                } else if state.view == View::Graphs {
                    <graphs::Graphs state={rest} {dispatch} {files} {notices} {speedup} />
                } else {
                    <batches::Batches state={rest} {dispatch} {files} {notices} {speedup} />
                }
            </main>
            <footer class="foot">
                <p><b>{ "Your data stays in this page." }</b>{ " Nothing is uploaded; the page makes no request to any other host." }</p>
                <p>{ "After Krell, Kosec, Perez, Fitzgibbon 2022, " }<i>{ "Efficient Sequence Packing without Cross-contamination" }</i>
                    { "; Krell, Lopez, Anand, Helal, Fitzgibbon 2022, " }<i>{ "Tuple Packing" }</i>
                    { "; Nagarajan, Raghunathan 2023, " }<i>{ "TokenDrop + BucketSampler" }</i>{ "." }</p>
            </footer>
        </div>
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

/// Reads files for a view.
#[hook]
fn use_files(engine: &Rc<Engine>, view: View) -> Files {
    let files = use_memo(view, |view| {
        let (view, opens, rereads) = (*view, Rc::clone(engine), Rc::clone(engine));
        let open = Callback::from(move |(name, blob)| {
            opens.open(Opened { name, blob }, Options::default(), view);
        });
        Files { open, reread: Callback::from(move |options| rereads.reopen(options, view)) }
    });
    (*files).clone()
}

/// Asks the workers whenever the view, its data or its settings have changed.
#[hook]
fn use_following(engine: &Rc<Engine>, state: &Shared, waiting: UseStateSetter<Option<Waiting>>) {
    {
        let engine = Rc::clone(engine);
        use_effect_with(state.view, move |_| {
            // Nobody waits for what is not on screen.
            engine.leave();
            waiting.set(None);
        });
    }
    {
        let (engine, state) = (Rc::clone(engine), state.clone());
        let graphs = &state.graphs;
        let sequences = (state.version(), state.settings.unpriced(), state.is_proven());
        let graphs = (graphs.version(), asked(&graphs.settings), graphs.is_proven());
        let row = state.batch_row();
        let batches = (state.batches_asked(), row, state.is_pictured(row) && state.are_batched());
        use_effect_with((state.view, sequences, graphs, batches), move |_| engine.follow(&state));
    }
    let (engine, state) = (Rc::clone(engine), state.clone());
    let course = (state.graphs.course.run, state.graphs.course.running);
    use_effect_with(course, move |_| engine.follow_sweep(&state));
}

/// A sweep that is little work starts by itself when the hand rests.
#[hook]
fn use_sweep(state: &Shared, dispatch: &Rc<Callback<Action>>) {
    let (graphs, dispatch) = (&state.graphs, Rc::clone(dispatch));
    let due = state.view == View::Graphs && graphs.is_sweep_due();
    use_effect_with((due, graphs.ranges(), asked(&graphs.settings)), move |(due, ..)| {
        let start = move || dispatch.emit(Action::Graphs(Graphs::Start));
        let timer = due.then(|| Timeout::new(SWEEP_REST, start));
        move || drop(timer)
    });
}

/// Whether the answer has kept people waiting: what takes less than this does not flicker.
#[hook]
fn use_slow(current: bool) -> bool {
    let slow = use_state_eq(|| false);
    let set = slow.setter();
    use_effect_with(current, move |current| {
        let timer = if *current {
            set.set(false);
            None
        } else {
            Some(Timeout::new(SLOW, move || set.set(true)))
        };
        move || drop(timer)
    });
    *slow
}

/// The state when the hand last rested: for what stands far down the page and need not follow a slider.
#[hook]
fn use_rested(state: &Shared) -> Shared {
    let kept = use_mut_ref(|| state.clone());
    if state.is_compared() || kept.borrow().answer.is_none() {
        *kept.borrow_mut() = state.clone();
    }
    kept.borrow().clone()
}

/// Files may be dropped anywhere.
#[hook]
fn use_drop(engine: &Rc<Engine>, view: View, dragging: UseStateSetter<bool>) {
    let engine = Rc::clone(engine);
    use_effect_with(view, move |view| {
        let view = *view;
        let options = gloo_events::EventListenerOptions::enable_prevent_default();
        let on = |name, f: Box<dyn Fn(&web_sys::DragEvent)>| {
            EventListener::new_with_options(&browser::window(), name, options, move |e| {
                e.prevent_default();
                f(e.unchecked_ref());
            })
        };
        let (over, leave, end) = (dragging.clone(), dragging.clone(), dragging);
        let listeners = [
            on("dragover", Box::new(move |_| over.set(true))),
            on("dragleave", Box::new(move |_| leave.set(false))),
            on(
                "drop",
                Box::new(move |e| {
                    end.set(false);
                    let file = e.data_transfer().and_then(|d| d.files()).and_then(|f| f.get(0));
                    if let Some(file) = file {
                        let opened = Opened { name: file.name(), blob: file.into() };
                        engine.open(opened, Options::default(), view);
                    }
                }),
            ),
        ];
        move || drop(listeners)
    });
}

/// Esc cancels.
#[hook]
fn use_keys(cancel: Callback<()>) {
    use_effect_with((), move |()| {
        let listener = EventListener::new(&browser::window(), "keydown", move |e| {
            if e.unchecked_ref::<web_sys::KeyboardEvent>().key() == "Escape" {
                cancel.emit(());
            }
        });
        move || drop(listener)
    });
}

/// The theme is an attribute of the root element; the style sheet does the rest.
#[hook]
fn use_theme(theme: Theme) {
    use_effect_with(theme, |theme| {
        let _ = browser::root().set_attribute("data-theme", theme.name());
    });
}
