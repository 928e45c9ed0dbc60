//! Questions to workers, and their answers for the state. If an answer takes less time than a
//! message, the page computes it itself: see [`inline`]. Each [`state::Lane`] has a lane of its
//! own, so that a slow question never delays a fast one; files, assignments and sweeps have further
//! lanes.

mod assign;
mod contents;
pub mod inline;
mod responses;
mod scheduler;
pub mod sweep;

use crate::files::OpenFiles;
use crate::job_queue::{Job, JobQueue};
use crate::watchdog::Watch;
use packscope::error::ChoiceNeeded;
use packscope::ingest::Options;
use packscope_page::state::{self, Action, AppState, Ticket, View};
use packscope_page::wire::{self, WorkerRequest};
use responses::dispatch_reply;
use scheduler::LaneScheduler;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use yew::Callback;

/// Progress of an answer that the visitor waits for.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitProgress {
    /// The work, in words.
    pub what: String,
    /// The share done, if known.
    pub share: Option<f64>,
    /// The most seconds that it takes in all; infinite if unknown.
    pub most: f64,
    pub work: Work,
    pub number: u64,
    pub stopped: bool,
}

/// The kind of work, which decides how it goes on after it was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// The search for the optimum, which keeps its plan and its bound.
    Search,
    /// Another answer that the state wants.
    Answer,
    Files,
    Saving,
}

/// The opened files: those read last, even if they were refused, and those shown in the two views (sequences, graphs);
/// and the file name of the certificate that was requested.
#[derive(Default)]
struct OpenedFiles {
    read: Option<OpenFiles>,
    shown: [Option<OpenFiles>; 2],
    proof: String,
}

pub struct Engine {
    /// The lanes of the state's questions, by [`state::Lane`].
    lanes: [LaneScheduler; state::Lane::ALL.len()],
    file: JobQueue,
    assigner: assign::Assigner,
    /// The runner of sweeps, once the view of graphs is loaded.
    sweeps: OnceCell<Rc<dyn sweep::Sweeps>>,
    dispatch: Callback<Action>,
    watch: Watch,
    files: Rc<RefCell<OpenedFiles>>,
    /// The message about work that the visitor waits for.
    shown: Rc<RefCell<Option<WaitProgress>>>,
    waiting: Callback<Option<WaitProgress>>,
}

impl Engine {
    pub fn new(
        dispatch: Callback<Action>,
        waiting: Callback<Option<WaitProgress>>,
        watch: &Watch,
    ) -> Self {
        let files = Rc::<RefCell<OpenedFiles>>::default();
        let shown = Rc::<RefCell<Option<WaitProgress>>>::default();
        let waiting = {
            let shown = Rc::clone(&shown);
            Callback::from(move |now: Option<WaitProgress>| {
                shown.borrow_mut().clone_from(&now);
                waiting.emit(now);
            })
        };
        let lane = |lane: state::Lane| {
            let (dispatch, waiting, files) = (dispatch.clone(), waiting.clone(), Rc::clone(&files));
            let listen =
                move |job: &Job, heard| dispatch_reply(job, heard, &dispatch, &waiting, &files);
            LaneScheduler::new(if lane.is_background() {
                JobQueue::background(watch, listen)
            } else {
                JobQueue::new(watch, listen)
            })
        };
        let file = {
            let (dispatch, waiting, files) = (dispatch.clone(), waiting.clone(), Rc::clone(&files));
            JobQueue::reader(watch, move |job: &Job, heard| {
                dispatch_reply(job, heard, &dispatch, &waiting, &files)
            })
        };
        Self {
            lanes: state::Lane::ALL.map(lane),
            file,
            assigner: assign::Assigner::new(&dispatch, &waiting, watch),
            sweeps: OnceCell::new(),
            dispatch: dispatch.clone(),
            watch: watch.clone(),
            files,
            shown,
            waiting,
        }
    }

    pub fn follow_sweep(&self, state: &AppState) {
        if let Some(sweeps) = self.sweeps() {
            sweeps.follow(&state.graphs, state.may_check());
        }
    }

    fn sweeps(&self) -> Option<Rc<dyn sweep::Sweeps>> {
        if self.sweeps.get().is_none() {
            // The cell is empty, as was just seen, so setting it cannot fail.
            let _ = self.sweeps.set(sweep::create(&self.dispatch, &self.watch)?);
        }
        self.sweeps.get().cloned()
    }

    /// Reads files for a view, and drops a read in progress.
    pub fn open(&self, file: OpenFiles, options: Options, view: View) {
        let (names, blobs) = file.files.iter().cloned().unzip();
        let estimate = file.estimate;
        let read = OpenFiles {
            options: options.clone(),
            asked: ChoiceNeeded::default(),
            ..file
        };
        self.files.borrow_mut().read = Some(read);
        // Reading cannot be interrupted: the lane ends the worker of the old files.
        self.file.cancel();
        self.close();
        let asked = wire::FileRequest {
            estimate,
            options,
            pairs: view == View::Graphs,
            names,
            assign: None,
        };
        self.file.ask(Job {
            files: blobs,
            // Files have no version of data yet: the state gives them one when it takes them.
            ..Job::new(next_ticket(0), WorkerRequest::Files(asked))
        });
    }

    pub fn reopen(&self, options: Options, view: View) {
        let shown = self.files.borrow().shown[usize::from(view == View::Graphs)].clone();
        if let Some(file) = shown {
            self.open(file.without_estimate(), options, view);
        }
    }

    /// Returns the files that were read last, even if they were refused.
    pub fn last_read(&self) -> Option<OpenFiles> {
        self.files.borrow().read.clone()
    }

    /// Cancels work that the newly opened view does not need, except the reading of a file.
    pub fn leave(&self, opened: View) {
        self.leave_lanes(opened);
        self.shown.take();
    }

    /// Cancels every long computation, and returns the one that the visitor waited for; `None` if that was cancelled
    /// before.
    pub fn cancel(&self) -> Option<WaitProgress> {
        self.cancel_lanes();
        self.file.cancel();
        self.assigner.cancel();
        // A second Escape only takes the message away.
        let stopped = self.shown.take().filter(|now| !now.stopped);
        let stopped = stopped.map(|now| WaitProgress {
            stopped: true,
            ..now
        });
        self.shown.borrow_mut().clone_from(&stopped);
        stopped
    }

    /// Closes the message that work was cancelled.
    fn close(&self) {
        if self.shown.borrow().as_ref().is_some_and(|now| now.stopped) {
            self.waiting.emit(None);
        }
    }
}

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

/// Returns the ticket of the next question about this version of the data.
fn next_ticket(data: u64) -> Ticket {
    // One count for all lanes: of two answers about the same data the state keeps the one with the
    // higher number.
    ASKED.set(ASKED.get() + 1);
    Ticket {
        data,
        number: ASKED.get(),
    }
}
