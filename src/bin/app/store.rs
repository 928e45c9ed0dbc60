//! The state of the page, and the loop around it: an action makes the next state, whose questions are answered at once
//! where that takes less time than a message, and otherwise asked once the page is rendered.

use crate::address::{begin_entry, initial_state};
use crate::engine::{Engine, WaitProgress, inline};
use crate::shared::{Same, SharedState};
use crate::watchdog::Watch;
use packscope_page::query::Query;
use packscope_page::state::{Action, Lane, PendingQuery, View};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use yew::functional::UseForceUpdateHandle;
use yew::prelude::*;

/// The state, and the copy that all parts except Speed-up render from: a change of an assumption renders only Speed-up.
#[derive(Clone)]
pub struct RenderStates {
    pub state: SharedState,
    /// The state of the parts outside Speed-up: older than `state` by changes of assumptions alone.
    pub rest: SharedState,
}

pub struct Store {
    shown: RefCell<RenderStates>,
    asked: RefCell<Option<EngineDemand>>,
    pub engine: Rc<Engine>,
    hide_progress: Callback<Option<WaitProgress>>,
    update: UseForceUpdateHandle,
}

/// The questions that were handed to the engine, with the parts of the state that decide which of them run.
#[derive(PartialEq)]
struct EngineDemand {
    view: View,
    works: bool,
    is_on: bool,
    resumed: u32,
    queries: Vec<PendingQuery>,
}

impl Store {
    /// Creates the store with the state of the address.
    pub fn new(
        update: UseForceUpdateHandle,
        watch: &Watch,
        waiting: Callback<Option<WaitProgress>>,
    ) -> Rc<Self> {
        let mut state = initial_state();
        if let Some(answer) = inline::answer(&state) {
            state = state.reduce(answer);
        }
        let state = Same(Rc::new(state));
        Rc::new_cyclic(|store: &Weak<Self>| Self {
            shown: RefCell::new(RenderStates {
                rest: state.clone(),
                state: state.clone(),
            }),
            asked: RefCell::default(),
            engine: Rc::new(Engine::new(dispatcher(store), waiting.clone(), watch)),
            hide_progress: waiting,
            update,
        })
    }

    pub fn shown(&self) -> RenderStates {
        self.shown.borrow().clone()
    }

    /// Returns a callback that applies an action and renders the page.
    pub fn dispatcher(self: &Rc<Self>) -> Callback<Action> {
        dispatcher(&Rc::downgrade(self))
    }

    fn dispatch(&self, action: Action) {
        let is_assumed = is_assumption(&action);
        let shown = self.shown();
        let mut state = shown.state.reduce(action);
        begin_entry(&state);
        // Answered here, so that a setting and its answer appear in the same frame.
        if let Some(answer) = inline::answer(&state) {
            state = state.reduce(answer);
        }
        let state = Same(Rc::new(state));
        // `rest` keeps its address, by which properties are compared: no part outside Speed-up is rendered.
        let is_same = is_assumed && priced(&state) == priced(&shown.rest);
        let rest = if is_same { shown.rest } else { state.clone() };
        self.shown.replace(RenderStates { state, rest });
        self.update.force_update();
    }

    /// Hands the questions of the state to the engine, where they differ from those before: an action that changes no
    /// question, such as the theme, asks nothing. Called after each rendering, so that several actions at once ask once.
    pub fn ask(&self) {
        let state = &self.shown().state;
        let background = state.background;
        let next = EngineDemand {
            view: state.view,
            works: background.works(),
            is_on: background.on,
            resumed: background.resumed,
            queries: state.wanted(),
        };
        let last = self.asked.borrow_mut().take();
        let differs = |of: fn(&EngineDemand, &EngineDemand) -> bool| {
            last.as_ref().is_none_or(|last| of(last, &next))
        };
        if differs(|a, b| a.view != b.view) {
            // Nobody waits for answers that are off screen.
            self.engine.leave(state.view);
            self.hide_progress.emit(None);
        }
        if differs(|a, b| a.is_on != b.is_on) {
            // A visitor who turns it on wants the work, whatever was stopped before.
            self.engine.resume(Lane::is_background);
        }
        if differs(|a, b| a.resumed != b.resumed) {
            self.engine.resume(|_| true);
        }
        if differs(|a, b| a != b) {
            self.engine.follow(state, &next.queries);
        }
        self.asked.replace(Some(next));
    }
}

/// Returns a callback that applies actions as long as the store is there, which owns the engine that has the callback.
fn dispatcher(store: &Weak<Store>) -> Callback<Action> {
    let store = store.clone();
    Callback::from(move |action| {
        if let Some(store) = store.upgrade() {
            store.dispatch(action);
        }
    })
}

/// Whether an action changes nothing but an assumption of Speed-up, or an answer about one.
fn is_assumption(action: &Action) -> bool {
    match action {
        Action::SpeedUp(_) => true,
        Action::Answered(answers) => answers
            .iter()
            .all(|known| matches!(known.query, Query::Waiting(_))),
        _ => false,
    }
}

/// Returns the only figures outside Speed-up that depend on assumptions: an accelerator may set a measured overhead, the
/// headline of batches is an estimate, and the work of ranks is that of the model.
fn priced(s: &SharedState) -> impl PartialEq + use<> {
    let step = matches!(s.view, View::Batches | View::Ranks).then(|| s.batch_pricing());
    (
        [s.sequences.settings.overhead, s.graphs.settings.overhead],
        step,
    )
}
