//! Assignments of items of the visitor's files, and of texts whose tokens were counted, to the packs of a plan, by a
//! worker that reads the files again.

use super::{Engine, Waiting, Work, next_ticket};
use crate::components::tokens::Counted;
use crate::files::{Assigning, save};
use crate::lane::{Heard, Job, Lane};
use crate::watch::Watch;
use js_sys::{Array, Uint8Array};
use packscope::ingest::Options;
use packscope::packing::Step;
use packscope_page::state::{Action, View};
use packscope_page::wire::{Ask, Assign, Files, OfTokens, Reply};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Blob;
use yew::Callback;

/// Bytes passed to the browser at once, which may keep them outside memory.
const PART: usize = 4 << 20;

/// The output so far.
#[derive(Default)]
struct Written {
    name: String,
    blobs: Array,
    pieces: Vec<u8>,
}

impl Written {
    fn piece(&mut self, bytes: &[u8]) {
        self.pieces.extend_from_slice(bytes);
        if self.pieces.len() >= PART {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let parts = Array::of1(&Uint8Array::from(self.pieces.as_slice()));
        if let Ok(blob) = Blob::new_with_u8_array_sequence(&parts) {
            self.blobs.push(&blob);
        }
        self.pieces.clear();
    }
}

pub struct Assigner {
    lane: Lane,
    written: Rc<RefCell<Written>>,
}

impl Assigner {
    /// Creates a lane whose worker starts with the first question.
    pub fn new(dispatch: &Callback<Action>, waiting: &Callback<Option<Waiting>>, watch: &Watch) -> Self {
        let written = Rc::<RefCell<Written>>::default();
        let (dispatch, waiting, file) = (dispatch.clone(), waiting.clone(), Rc::clone(&written));
        let lane = Lane::reader(watch, move |_: &Job, heard| hear(heard, &dispatch, &waiting, &file));
        Self { lane, written }
    }

    pub fn cancel(&self) {
        self.lane.cancel();
    }

    /// Starts an output file of this name.
    fn begin(&self, name: String) {
        self.cancel();
        self.written.replace(Written { name, ..Written::default() });
    }
}

impl Engine {
    /// Whether the files shown in a view are those of this name.
    pub fn has(&self, view: View, name: &str) -> bool {
        let files = self.files.borrow();
        files.shown[usize::from(view == View::Graphs)].as_ref().is_some_and(|opened| opened.name == name)
    }

    /// Assigns the items of the files shown in a view to packs, and saves the result.
    pub fn assign(&self, asked: Assigning, options: Options, view: View) {
        let pairs = view == View::Graphs;
        let Some(files) = self.files.borrow().shown[usize::from(pairs)].clone() else { return };
        let (names, files): (Vec<_>, Vec<_>) = files.files.into_iter().unzip();
        let Assigning { plan, form, items, name } = asked;
        self.assigner.begin(name);
        let ask = Ask::Files(Files { options, pairs, names, assign: Some(Assign { plan, form, items }) });
        self.assigner.lane.ask(Job { ticket: next_ticket(0), ask, data: None, files });
    }

    /// Assigns texts whose tokens were counted to packs, and saves the result; the texts are tokenised again.
    pub fn assign_texts(&self, asked: Assigning, texts: Counted) {
        let Assigning { plan, form, items, name } = asked;
        let Counted { tokenizer, options, both, .. } = texts;
        self.assigner.begin(name);
        let ask = Ask::Tokens(tokenizer, OfTokens::Assign(options, Assign { plan, form, items }));
        self.assigner.lane.ask(Job { ticket: next_ticket(0), ask, data: None, files: vec![both] });
    }
}

fn hear(
    heard: Heard,
    dispatch: &Callback<Action>,
    waiting: &Callback<Option<Waiting>>,
    written: &RefCell<Written>,
) {
    let refused = match heard {
        Heard::Reply(Reply::Piece(bytes)) => return written.borrow_mut().piece(&bytes),
        Heard::Reply(Reply::Progress(step)) => {
            let share = match step {
                Step::Done { done, of } => Some(done as f64 / of as f64),
                Step::Found { .. } => None,
            };
            let (what, most) = ("Assigning items to packs".to_owned(), f64::INFINITY);
            let work = Work::Saving;
            return waiting.emit(Some(Waiting { what, share, most, work, number: 0, stopped: false }));
        }
        Heard::Reply(Reply::Assigned(_)) => {
            let mut written = written.borrow_mut();
            written.flush();
            save(&written.name, &written.blobs);
            None
        }
        Heard::Reply(Reply::Refused(why)) => Some(why),
        Heard::Reply(_) => return,
        Heard::Lost(_) => {
            // If the visitor asks again, it starts anew under the same name.
            let name = std::mem::take(&mut written.borrow_mut().name);
            written.replace(Written { name, ..Written::default() });
            return waiting.emit(None);
        }
    };
    waiting.emit(None);
    if let Some(why) = refused {
        dispatch.emit(Action::Unreadable(why));
    }
    written.replace(Written::default());
}
