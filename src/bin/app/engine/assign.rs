//! Assignments of items of the visitor's files, and of texts whose tokens were counted, to the packs of a plan, by a
//! worker that reads the files again.

use super::{Engine, WaitProgress, Work, next_ticket};
use crate::components::tokens::CountedFile;
use crate::files::{AssignRequest, OpenFiles, save};
use crate::job_queue::{Job, JobOutcome, JobQueue};
use crate::watchdog::Watch;
use js_sys::{Array, Uint8Array};
use packscope::ingest::Options;
use packscope::packing::Step;
use packscope_page::state::{Action, View};
use packscope_page::wire::{Assign, FileRequest, TokenizerRequest, WorkerRequest, WorkerResponse};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Blob;
use yew::Callback;

/// Bytes passed to the browser at once, which may keep them outside memory.
const PART: usize = 4 << 20;

#[derive(Default)]
struct AssignedOutput {
    name: String,
    blobs: Array,
    pieces: Vec<u8>,
}

impl AssignedOutput {
    fn piece(&mut self, bytes: &[u8]) {
        self.pieces.extend_from_slice(bytes);
        if self.pieces.len() >= PART {
            self.flush();
        }
    }

    fn flush(&mut self) {
        // `Uint8Array::from` copies: wasm memory may move, and the blob must not refer to it.
        let parts = Array::of1(&Uint8Array::from(self.pieces.as_slice()));
        if let Ok(blob) = Blob::new_with_u8_array_sequence(&parts) {
            self.blobs.push(&blob);
        }
        self.pieces.clear();
    }
}

pub struct Assigner {
    queue: JobQueue,
    written: Rc<RefCell<AssignedOutput>>,
}

impl Assigner {
    /// Creates a lane whose worker starts with the first question.
    pub fn new(
        dispatch: &Callback<Action>,
        waiting: &Callback<Option<WaitProgress>>,
        watch: &Watch,
    ) -> Self {
        let written = Rc::<RefCell<AssignedOutput>>::default();
        let (dispatch, waiting, file) = (dispatch.clone(), waiting.clone(), Rc::clone(&written));
        let queue = JobQueue::reader(watch, move |_: &Job, heard| {
            on_outcome(heard, &dispatch, &waiting, &file)
        });
        Self { queue, written }
    }

    pub fn cancel(&self) {
        self.queue.cancel();
    }

    fn start_output(&self, name: String) {
        // Pieces of an earlier assignment that is still running would be written into the new file.
        self.cancel();
        self.written.replace(AssignedOutput {
            name,
            ..AssignedOutput::default()
        });
    }
}

impl Engine {
    /// Whether the files shown in a view are those of this name.
    pub fn has(&self, view: View, name: &str) -> bool {
        let files = self.files.borrow();
        files.shown[usize::from(view == View::Graphs)]
            .as_ref()
            .is_some_and(|opened| opened.name == name)
    }

    /// Returns the files shown in the view of sequences, if they are of this name.
    pub fn shown(&self, name: &str) -> Option<OpenFiles> {
        let files = self.files.borrow();
        files.shown[0].clone().filter(|opened| opened.name == name)
    }

    /// Assigns the items of the files shown in a view to packs, and saves the result.
    pub fn assign(&self, asked: AssignRequest, options: Options, view: View) {
        let pairs = view == View::Graphs;
        let Some(files) = self.files.borrow().shown[usize::from(pairs)].clone() else {
            return;
        };
        let (names, files): (Vec<_>, Vec<_>) = files.files.into_iter().unzip();
        let AssignRequest {
            plan,
            form,
            items,
            name,
        } = asked;
        self.assigner.start_output(name);
        let ask = WorkerRequest::Files(FileRequest {
            options,
            pairs,
            names,
            assign: Some(Assign { plan, form, items }),
            estimate: false,
        });
        self.assigner.queue.ask(Job {
            files,
            ..Job::new(next_ticket(0), ask)
        });
    }

    /// Assigns texts whose tokens were counted to packs, and saves the result; the texts are tokenised again.
    pub fn assign_texts(&self, asked: AssignRequest, texts: CountedFile) {
        let AssignRequest {
            plan,
            form,
            items,
            name,
        } = asked;
        let CountedFile {
            tokenizer,
            options,
            both,
            ..
        } = texts;
        self.assigner.start_output(name);
        let ask = WorkerRequest::Tokens(
            tokenizer,
            TokenizerRequest::Assign(options, Assign { plan, form, items }),
        );
        self.assigner.queue.ask(Job {
            files: vec![both],
            ..Job::new(next_ticket(0), ask)
        });
    }
}

fn on_outcome(
    heard: JobOutcome,
    dispatch: &Callback<Action>,
    waiting: &Callback<Option<WaitProgress>>,
    written: &RefCell<AssignedOutput>,
) {
    let refused = match heard {
        JobOutcome::Reply(WorkerResponse::Piece(bytes)) => {
            return written.borrow_mut().piece(&bytes);
        }
        JobOutcome::Reply(WorkerResponse::Progress(step)) => {
            let share = match step {
                Step::Done { done, of } => Some(done as f64 / of as f64),
                Step::Found { .. } => None,
            };
            // The search for the optimum reports `Step::Found`; an assignment never does.
            let (what, most) = ("Assigning items to packs".to_owned(), f64::INFINITY);
            let work = Work::Saving;
            return waiting.emit(Some(WaitProgress {
                what,
                share,
                most,
                work,
                number: 0,
                stopped: false,
            }));
        }
        JobOutcome::Reply(WorkerResponse::Assigned(_)) => {
            let mut written = written.borrow_mut();
            written.flush();
            save(&written.name, &written.blobs);
            None
        }
        JobOutcome::Reply(WorkerResponse::Refused(why)) => Some(why),
        JobOutcome::Reply(_) => return,
        JobOutcome::Lost(_) => {
            // If the visitor asks again, it starts anew under the same name.
            let name = std::mem::take(&mut written.borrow_mut().name);
            written.replace(AssignedOutput {
                name,
                ..AssignedOutput::default()
            });
            return waiting.emit(None);
        }
    };
    waiting.emit(None);
    if let Some(why) = refused {
        dispatch.emit(Action::Unreadable(why));
    }
    written.replace(AssignedOutput::default());
}
