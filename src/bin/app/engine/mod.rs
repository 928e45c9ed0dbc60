//! Questions to the workers, answers to the state. What takes less time than a message is answered in the page: see
//! [`here`]. Five lanes, so that a slow question never delays a fast one: the
//! answer on screen, the comparison, slow algorithms, the search for the optimum, and files. Batches, sweeps and
//! waiting have lanes of their own.

mod assign;
mod background;
mod batches;
mod certify;
mod hear;
pub mod here;
mod learn;
mod study;
pub mod sweep;
mod waiting;

use crate::due::{self, Due};
use crate::files::Opened;
use crate::lane::{Job, Lane};
use crate::watch::Watch;
use gloo_timers::callback::Timeout;
use hear::hear;
use packscope::error::Asked;
use packscope::ingest::Options;
use packscope::state::{Action, AppState, Ticket, View};
use packscope::wire::Ask;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use yew::Callback;

/// The most strategies that a report lists for the page; the rest are counted.
const LISTED: u32 = 20_000;
/// The same while a hand moves a slider over data of more than [`DISTINCT`] sizes, of which each row may have a shape of
/// its own: what is drawn needs few of them, and the rest follow when the hand rests.
const GLANCED: u32 = 500;
/// The most distinct sizes of data that are packed in the page, and whose strategies are listed at every step.
const DISTINCT: usize = 10_000;
/// Milliseconds without a change before table and curve follow the slider.
const REST: u32 = 60;
/// The same for tables that take long: computed at every step, they would delay the answer.
const LONGEST_REST: u32 = 400;

/// Progress of an answer that the visitor waits for.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// The work, in words.
    pub what: String,
    /// The share done, if known.
    pub share: Option<f64>,
}

/// Opened files: the last one read, even in vain, and those shown in the two views (sequences, graphs).
#[derive(Default)]
struct Files {
    read: Option<Opened>,
    shown: [Option<Opened>; 2],
}

/// The lanes.
pub struct Engine {
    live: Lane,
    side: Lane,
    slow: Lane,
    proof: Lane,
    file: Lane,
    /// Reader of files that need the Parquet worker.
    /// Batches of the chosen sampler and of the random one; those of the others.
    batches: Lane,
    others: Lane,
    /// Simulation of waiting accelerators.
    waiting: Lane,
    /// Questions of lessons, and about other limits.
    lesson: Lane,
    /// Questions about libraries that train.
    trainer: Lane,
    assigner: assign::Assigner,
    certifier: certify::Certifier,
    /// The runner of sweeps, once the view of graphs is loaded.
    sweeps: OnceCell<Rc<dyn sweep::Sweeps>>,
    dispatch: Callback<Action>,
    watch: Watch,
    background: background::Background,
    timers: RefCell<Vec<Timeout>>,
    files: Rc<RefCell<Files>>,
}

impl Engine {
    /// Creates the lanes.
    pub fn new(dispatch: Callback<Action>, waiting: Callback<Option<Waiting>>, watch: &Watch) -> Self {
        let files = Rc::<RefCell<Files>>::default();
        let lane = || {
            let (dispatch, waiting, files) = (dispatch.clone(), waiting.clone(), Rc::clone(&files));
            Lane::new(watch, move |job: &Job, heard| hear(job, heard, &dispatch, &waiting, &files))
        };
        let background = || {
            let (dispatch, waiting, files) = (dispatch.clone(), waiting.clone(), Rc::clone(&files));
            Lane::background(watch, move |job: &Job, heard| hear(job, heard, &dispatch, &waiting, &files))
        };
        let file = {
            let (dispatch, waiting, files) = (dispatch.clone(), waiting.clone(), Rc::clone(&files));
            Lane::reader(watch, move |job: &Job, heard| hear(job, heard, &dispatch, &waiting, &files))
        };
        Self {
            live: lane(),
            side: lane(),
            slow: background(),
            proof: background(),
            file,
            batches: lane(),
            others: lane(),
            waiting: lane(),
            lesson: lane(),
            trainer: lane(),
            assigner: assign::Assigner::new(&dispatch, &waiting, watch),
            certifier: certify::Certifier::new(&dispatch, &waiting, watch),
            sweeps: OnceCell::new(),
            dispatch: dispatch.clone(),
            watch: watch.clone(),
            background: background::Background::default(),
            timers: RefCell::default(),
            files,
        }
    }

    /// Asks for everything that the state shows and lacks.
    pub fn follow(&self, state: &AppState) {
        // Lost questions of these lanes were about other settings and may be asked again.
        [&self.slow, &self.proof].into_iter().for_each(Lane::forgive);
        self.resume();
        match state.view {
            View::Sequences => self.follow_study(&state.sequences, state.sequences.unknown_rows()),
            View::Graphs => self.follow_study(&state.graphs, state.graphs.unknown_rows()),
            View::Batches => self.follow_batches(state),
            // A chapter asks by itself.
            View::Learn => {}
        }
    }

    /// Starts and stops sweeps to match the state.
    pub fn follow_sweep(&self, state: &AppState) {
        if let Some(sweeps) = self.sweeps() {
            sweeps.follow(&state.graphs, state.may_check());
        }
    }

    fn sweeps(&self) -> Option<Rc<dyn sweep::Sweeps>> {
        if self.sweeps.get().is_none() {
            let _ = self.sweeps.set(sweep::create(&self.dispatch, &self.watch)?);
        }
        self.sweeps.get().cloned()
    }

    /// Reads a file for a view and drops a read in progress.
    pub fn open(&self, file: Opened, options: Options, view: View) {
        let (names, blobs) = file.files.iter().cloned().unzip();
        let read = Opened { options: options.clone(), asked: Asked::default(), ..file };
        self.files.borrow_mut().read = Some(read);
        self.file.cancel();
        let ask = Ask::Read { options, pairs: view == View::Graphs, names };
        self.file.ask(Job { ticket: next_ticket(0), ask, data: None, files: blobs });
    }

    /// Reads the file of a view again with other options.
    pub fn reopen(&self, options: Options, view: View) {
        let shown = self.files.borrow().shown[usize::from(view == View::Graphs)].clone();
        if let Some(file) = shown {
            self.open(file, options, view);
        }
    }

    /// Returns the files that were read last, even in vain.
    pub fn last(&self) -> Option<Opened> {
        self.files.borrow().read.clone()
    }

    /// Cancels work that the newly opened view does not need, except the reading of a file.
    pub fn leave(&self, opened: View) {
        self.timers.borrow_mut().clear();
        self.background.clear();
        self.slow.stop();
        self.proof.stop();
        self.batches.stop();
        self.others.stop();
        self.waiting.stop();
        self.trainer.stop();
        // A chapter asks as soon as it is drawn, which is before this.
        if opened != View::Learn {
            self.lesson.stop();
        }
    }

    /// Cancels every long computation.
    pub fn cancel(&self) {
        self.timers.borrow_mut().clear();
        self.background.cancel();
        self.slow.cancel();
        self.proof.cancel();
        self.file.cancel();
        self.batches.cancel();
        self.others.cancel();
        self.trainer.cancel();
        self.assigner.cancel();
        self.certifier.cancel();
    }
}

thread_local! {
    /// The number of questions so far.
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

/// Returns the ticket of the next question about this version of the data.
fn next_ticket(data: u64) -> Ticket {
    ASKED.set(ASKED.get() + 1);
    Ticket { data, number: ASKED.get() }
}

fn later(lane: &Lane, rest: u32, job: Job) -> Timeout {
    let lane = lane.clone();
    due::after(Due::Pausing, rest, move || lane.ask(job))
}
