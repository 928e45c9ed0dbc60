//! The page as a whole: state, effects, and the order of its parts.

use crate::browser;
use crate::components::{answer, controls, depths, epoch, lengths, notices, rows, strategies, table, top};
use crate::engine::{Engine, Waiting};
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use packscope::histogram::{Histogram, Preset};
use packscope::ingest::Options;
use packscope::state::{Action, AppState, DataName, Source, Theme, data_of, has_limit};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;
use yew::prelude::*;

/// The first data, so that the page opens with an answer and not with a request.
const FIRST: &str = include_str!("../../../static/datasets/wikipedia_bert_512.csv");
/// Milliseconds after which an answer that is not there yet is waited for.
const SLOW: u32 = 250;
/// Milliseconds without a change before the address follows: browsers limit how often it may change.
const REST: u32 = 200;

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

impl Reducible for Shared {
    type Action = Action;
    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(Self(Rc::new(self.0.reduce(action))))
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

/// The page.
#[component]
pub fn App() -> Html {
    let store = use_reducer(|| Same(Rc::new(first())));
    let waiting = use_state_eq(|| None::<Waiting>);
    let hover = use_state_eq(|| None::<u32>);
    let dragging = use_state_eq(|| false);
    let dispatch = {
        let dispatcher = store.dispatcher();
        use_memo((), |()| Callback::from(move |action| dispatcher.dispatch(action)))
    };
    let engine = {
        let (dispatch, waiting) = ((*dispatch).clone(), waiting.setter());
        use_memo((), |()| Rc::new(Engine::new(dispatch, Callback::from(move |w| waiting.set(w)))))
    };
    let state = (*store).clone();
    use_following(&engine, &state);
    use_address(&state, &dispatch);
    use_drop(&engine, dragging.setter());
    use_theme(state.theme);

    let open = {
        let engine = Rc::clone(&engine);
        Callback::from(move |(name, blob)| engine.open(name, blob, Options::default()))
    };
    let reread = {
        let engine = Rc::clone(&engine);
        Callback::from(move |options| engine.reopen(options))
    };
    let cancel = {
        let (engine, waiting, dispatch) = (Rc::clone(&engine), waiting.setter(), Rc::clone(&dispatch));
        Callback::from(move |()| {
            engine.cancel();
            waiting.set(None);
            dispatch.emit(Action::Stopped);
        })
    };
    use_keys(cancel.clone());
    let pick = {
        let dispatch = (*dispatch).clone();
        Callback::from(move |preset: &'static Preset| load(preset, Some(preset.limit()), dispatch.clone()))
    };
    let dispatch = (*dispatch).clone();
    let onhover = {
        let hover = hover.setter();
        Callback::from(move |length| hover.set(length))
    };
    let answered = state.is_current() || state.is_interim();
    let rested = use_rested(&state);
    let slow = use_slow(answered && state.is_compared());
    let current = if state.is_current() { "current" } else { "computing" };
    html! {
        <div class={classes!("page", dragging.then_some("dragging"))}>
            <top::Top state={state.clone()} dispatch={dispatch.clone()} />
            <main class={classes!("frame", slow.then_some("slow"))} data-state={current} aria-busy={(!state.is_current()).to_string()}>
                <answer::Headline state={state.clone()} />
                <controls::Controls state={state.clone()} dispatch={dispatch.clone()} {open} {reread} {pick} />
                <div class="body">
                    <notices::Notices state={state.clone()} dispatch={dispatch.clone()} waiting={(*waiting).clone()} {cancel} />
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
                </div>
            </main>
            <footer class="foot">
                <p><b>{ "Your data stays in this page." }</b>{ " Nothing is uploaded; the page makes no request to any other host." }</p>
                <p>{ "After Krell, Kosec, Perez, Fitzgibbon 2022, " }<i>{ "Efficient Sequence Packing without Cross-contamination" }</i>{ "." }</p>
            </footer>
        </div>
    }
}

/// What the address says, with the first data if they are the ones it names.
fn first() -> AppState {
    let hash = browser::hash();
    let state = AppState::default().reduce(Action::Navigate(hash.clone()));
    match named(&hash) {
        Some(preset) if preset != Preset::FIRST => state,
        _ => match Histogram::from_built_in(FIRST) {
            Some(histogram) => {
                let limit = limit_of(&hash, Preset::FIRST);
                let state =
                    state.reduce(Action::Loaded(Source::Preset(Preset::FIRST), Rc::new(histogram), limit));
                match data_of(&hash) {
                    DataName::Own => state.reduce(Action::Unreadable(OWN.to_owned())),
                    DataName::Named(_) if named(&hash).is_none() => {
                        state.reduce(Action::Unreadable(UNKNOWN.to_owned()))
                    }
                    _ => state,
                }
            }
            None => state,
        },
    }
}

const OWN: &str = "This link was made with a file of its sender, which does not travel in the link. These are the \
                   settings of the link, on Wikipedia.";
const UNKNOWN: &str =
    "This link names data that this page does not have. These are its settings, on Wikipedia.";

fn named(hash: &str) -> Option<&'static Preset> {
    match data_of(hash) {
        DataName::Named(name) => Preset::find(name),
        _ => None,
    }
}

/// The usual limit of the data, where the hash names none.
fn limit_of(hash: &str, preset: &Preset) -> Option<u32> {
    (!has_limit(hash)).then_some(preset.limit())
}

thread_local! {
    /// Counts loads, so that of two data sets chosen quickly the later one stays.
    static LOADS: Cell<u64> = const { Cell::new(0) };
}

fn load(preset: &'static Preset, limit: Option<u32>, dispatch: Callback<Action>) {
    let load = LOADS.get() + 1;
    LOADS.set(load);
    wasm_bindgen_futures::spawn_local(async move {
        let histogram =
            if preset == Preset::FIRST { Histogram::from_built_in(FIRST) } else { fetch(preset.id).await };
        if LOADS.get() == load {
            dispatch.emit(match histogram {
                Some(histogram) => Action::Loaded(Source::Preset(preset), Rc::new(histogram), limit),
                None => Action::Unreadable(format!(
                    "{} could not be loaded; is the connection gone?",
                    preset.title
                )),
            });
        }
    });
}

async fn fetch(id: &str) -> Option<Histogram<1>> {
    let request = browser::window().fetch_with_str(&format!("datasets/{id}.csv"));
    let response: Response = JsFuture::from(request).await.ok()?.dyn_into().ok()?;
    let text = JsFuture::from(response.text().ok().filter(|_| response.ok())?).await.ok()?;
    Histogram::from_built_in(&text.as_string()?)
}

/// Asks the workers whenever data or settings have changed.
#[hook]
fn use_following(engine: &Rc<Engine>, state: &Shared) {
    let engine = Rc::clone(engine);
    let asked = state.settings.unpriced();
    let state = state.clone();
    use_effect_with((state.version(), asked, state.is_proven()), move |_| engine.follow(&state));
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

/// State → address, address → state.
#[hook]
fn use_address(state: &Shared, dispatch: &Rc<Callback<Action>>) {
    let hash = state.data.as_ref().map(|_| state.hash());
    use_effect_with(hash, |hash| {
        let timer = hash.clone().map(|hash| Timeout::new(REST, move || browser::set_hash(&hash)));
        move || drop(timer)
    });
    let dispatch = Rc::clone(dispatch);
    use_effect_with((), move |()| {
        let hash = browser::hash();
        if let Some(preset) = named(&hash).filter(|p| *p != Preset::FIRST) {
            load(preset, limit_of(&hash, preset), (*dispatch).clone());
        }
        // Only for addresses typed or followed: our own changes do not raise this event.
        let listener = EventListener::new(&browser::window(), "hashchange", move |_| {
            let hash = browser::hash();
            dispatch.emit(Action::Navigate(hash.clone()));
            if let Some(preset) = named(&hash) {
                load(preset, limit_of(&hash, preset), (*dispatch).clone());
            }
        });
        move || drop(listener)
    });
}

/// Files may be dropped anywhere.
#[hook]
fn use_drop(engine: &Rc<Engine>, dragging: UseStateSetter<bool>) {
    let engine = Rc::clone(engine);
    use_effect_with((), move |()| {
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
                        engine.open(file.name(), file.into(), Options::default());
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
