//! Workers that do not answer: one message for all lanes, with a button that asks again.

use packscope_page::query::Query;
use packscope_page::wire::{FileRequest, TokenizerRequest, WorkerRequest};
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// Milliseconds of silence after which a worker may be gone. Long computations are normal, so the worker is not ended.
pub const SILENCE: f64 = 20_000.0;

/// The reason why a worker does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It did not start, or a part of it could not be loaded.
    Missing,
    /// It ended during its work, usually for lack of memory.
    Ended,
    /// It ended because of a bug.
    Mistake,
    /// It has been silent for [`SILENCE`].
    Silent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchMessage {
    /// The event, its consequence, and the remedy.
    pub words: String,
    /// The label of the button that asks again, where that helps.
    pub again: Option<&'static str>,
}

impl WatchMessage {
    pub fn new(trouble: Trouble, ask: &WorkerRequest) -> Self {
        let words = words(trouble, reads(ask));
        // Several files are named by the first of them, as elsewhere.
        let words = match ask {
            WorkerRequest::Files(FileRequest { names, .. }) if !names.is_empty() => {
                format!("{}: {words}", names[0])
            }
            _ => words.to_owned(),
        };
        let again = match (ask, trouble) {
            // These can be started again in the panel that shows them.
            (
                WorkerRequest::Tokens(
                    _,
                    TokenizerRequest::About
                    | TokenizerRequest::Look(_)
                    | TokenizerRequest::Count(_),
                ),
                _,
            ) => None,
            _ if sweeps(ask) => None,
            (_, Trouble::Silent) => Some("Start it again"),
            _ => Some("Try again"),
        };
        Self { words, again }
    }
}

/// Whether the question is for a worker that reads files.
fn reads(ask: &WorkerRequest) -> bool {
    matches!(ask, WorkerRequest::Files(_) | WorkerRequest::Tokens(..))
}

fn sweeps(ask: &WorkerRequest) -> bool {
    matches!(ask, WorkerRequest::Queries(asked) if asked.iter().any(|r| matches!(r.query, Query::Sweep(_))))
}

fn words(trouble: Trouble, reads: bool) -> &'static str {
    match (trouble, reads) {
        (Trouble::Missing, false) => {
            "What computes could not be loaded; is the connection gone? What is on screen stays."
        }
        (Trouble::Missing, true) => {
            "What reads files could not be loaded; is the connection gone? What is on screen stays."
        }
        (Trouble::Ended, false) => {
            "The computation ended before its time, most likely because the browser has no memory left for it. \
             What is on screen stays; other settings may take less."
        }
        (Trouble::Ended, true) => {
            "Reading ended before its time, most likely because the file takes more memory than the browser has. \
             What is on screen stays; a part of the file, or a table of lengths with their counts, takes less."
        }
        (Trouble::Mistake, false) => {
            "The computation failed by a mistake of this page. What is on screen stays; other settings may work."
        }
        (Trouble::Mistake, true) => {
            "Reading failed by a mistake of this page. What is on screen stays; the file in another format may work."
        }
        (Trouble::Silent, _) => {
            "No answer for 20 seconds. It may still be computing, or the browser may have ended it."
        }
    }
}

struct PendingRequest {
    lane: usize,
    reads: bool,
    message: WatchMessage,
    again: Rc<dyn Fn()>,
}

#[derive(Clone)]
pub struct Watch(Rc<WatchState>);

impl PartialEq for Watch {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

struct WatchState {
    silent: RefCell<Vec<PendingRequest>>,
    tell: Callback<Option<WatchMessage>>,
}

impl Watch {
    /// Creates a watch that reports the newest trouble with files, else the newest of any kind, or `None` once there is
    /// none: who has opened a file waits for it, and a computation that fails beside it is no news.
    pub fn new(tell: Callback<Option<WatchMessage>>) -> Self {
        Self(Rc::new(WatchState {
            silent: RefCell::default(),
            tell,
        }))
    }

    /// Records that a lane could not answer a question; `again` asks it again.
    pub fn note(
        &self,
        lane: usize,
        trouble: Trouble,
        ask: &WorkerRequest,
        again: impl Fn() + 'static,
    ) {
        // A sweep that has failed reports that itself.
        if sweeps(ask) && trouble != Trouble::Silent {
            return;
        }
        {
            let mut silent = self.0.silent.borrow_mut();
            // A lane has one question at a time: newer trouble replaces the older.
            silent.retain(|other| other.lane != lane);
            let message = WatchMessage::new(trouble, ask);
            silent.push(PendingRequest {
                lane,
                reads: reads(ask),
                message,
                again: Rc::new(again),
            });
        }
        self.tell();
    }

    /// Forgets a lane that has answered or whose question was dropped.
    pub fn forget(&self, lane: usize) {
        let before = self.0.silent.borrow().len();
        self.0
            .silent
            .borrow_mut()
            .retain(|other| other.lane != lane);
        if self.0.silent.borrow().len() < before {
            self.tell();
        }
    }

    /// Asks all recorded questions again.
    pub fn again(&self) {
        // Taken first: asking again may report trouble at once, which adds to the list.
        let silent = self.0.silent.take();
        self.tell();
        silent
            .iter()
            .filter(|asked| asked.message.again.is_some())
            .for_each(|asked| (asked.again)());
    }

    pub fn close(&self) {
        self.0.silent.take();
        self.tell();
    }

    fn tell(&self) {
        let silent = self.0.silent.borrow();
        // The last of those that are equal.
        let shown = silent
            .iter()
            .max_by_key(|asked| asked.reads)
            .map(|asked| asked.message.clone());
        self.0.tell.emit(shown);
    }
}

/// Returns the page's watch and its current message.
#[hook]
pub fn use_watch() -> (Watch, Option<WatchMessage>) {
    let message = use_state_eq(|| None::<WatchMessage>);
    let set = message.setter();
    let watch = use_memo((), |()| {
        Watch::new(Callback::from(move |message| set.set(message)))
    });
    ((*watch).clone(), (*message).clone())
}
