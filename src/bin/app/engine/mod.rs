//! Questions to the workers, answers to the state. Five lanes, so that a slow question never keeps a fast
//! one waiting: the answer on screen, the comparison, what takes long, the search for the optimum, and files.
//! Batches, sweeps and waiting have lanes of their own.

mod assign;
mod background;
mod batches;
mod graphs;
mod hear;
mod learn;
mod sweep;
mod waiting;

use crate::lane::{Heard, Job, Lane};
use crate::watch::Watch;
use gloo_timers::callback::Timeout;
use hear::hear;
use packscope::api::Settings;
use packscope::ingest::Options;
use packscope::packing::{Algorithm, Depth};
use packscope::state::{Action, AppState, Data, Ticket, View};
use packscope::wire::{Ask, Items, Question, Reply};
use packscope::words::count;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use web_sys::Blob;
use yew::Callback;

/// Strategies a report brings to the page; the rest are counted.
const LISTED: u32 = 20_000;
/// Milliseconds without a change before table and curve follow the slider.
const REST: u32 = 60;

/// What is being waited for.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// What is done, in words.
    pub what: String,
    /// Share done, if known.
    pub share: Option<f64>,
}

/// Files with their names.
pub type Brought = Vec<(String, Blob)>;

/// Files that were read, kept so that they can be read another way.
#[derive(Clone)]
pub struct Opened {
    /// What they are called.
    pub name: String,
    /// Their names and contents.
    pub files: Brought,
}

impl From<Brought> for Opened {
    fn from(files: Brought) -> Self {
        let first = files.first().map_or("", |(name, _)| name.as_str());
        let name = match files.len() {
            0 | 1 => first.to_owned(),
            n => format!("{first} and {} more", count(n as u64 - 1)),
        };
        Self { name, files }
    }
}

/// Files: the one that was read last, whatever came of it, and the ones that are shown: sequences, and graphs.
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
    /// Files that the reader leaves to another worker.
    parquet: Lane,
    /// Batches of the chosen sampler and of the random one; those of the others.
    batches: Lane,
    others: Lane,
    /// How long accelerators wait.
    waiting: Lane,
    /// What lessons ask.
    lesson: Lane,
    assigner: assign::Assigner,
    sweep: Rc<sweep::Runner>,
    background: background::Background,
    number: Cell<u64>,
    timers: RefCell<Vec<Timeout>>,
    files: Rc<RefCell<Files>>,
}

impl Engine {
    /// Starts the workers.
    pub fn new(dispatch: Callback<Action>, waiting: Callback<Option<Waiting>>, watch: &Watch) -> Self {
        let files = Rc::<RefCell<Files>>::default();
        let lane = || {
            let (dispatch, waiting, files) = (dispatch.clone(), waiting.clone(), Rc::clone(&files));
            Lane::new(watch, move |job: &Job, heard| hear(job, heard, &dispatch, &waiting, &files))
        };
        let reader = |worker| {
            let (dispatch, waiting, files) = (dispatch.clone(), waiting.clone(), Rc::clone(&files));
            move |needed: Option<Lane>| {
                Lane::of(worker, watch, move |job: &Job, heard| match (heard, &needed) {
                    (Heard::Reply(Reply::Needs(_)), Some(lane)) => lane.ask(job.clone()),
                    (heard, _) => hear(job, heard, &dispatch, &waiting, &files),
                })
            }
        };
        let parquet = reader("reader-parquet")(None);
        let file = reader("reader")(Some(parquet.clone()));
        let engine = Self {
            live: lane(),
            side: lane(),
            slow: lane(),
            proof: lane(),
            file,
            parquet,
            batches: lane(),
            others: lane(),
            waiting: lane(),
            lesson: lane(),
            assigner: assign::Assigner::new(&dispatch, &waiting, watch),
            sweep: sweep::Runner::new(dispatch.clone(), watch),
            background: background::Background::default(),
            number: Cell::new(0),
            timers: RefCell::default(),
            files,
        };
        engine.live.warm();
        engine
    }

    fn ticket(&self, data: u64) -> Ticket {
        self.number.set(self.number.get() + 1);
        Ticket { data, number: self.number.get() }
    }

    /// Asks for everything the state shows and does not have.
    pub fn follow(&self, state: &AppState) {
        // What was lost of these was about other settings, and may not be asked for again.
        [&self.slow, &self.proof].into_iter().for_each(Lane::forgive);
        self.resume();
        match state.view {
            View::Sequences => self.follow_sequences(state),
            View::Graphs => self.follow_graphs(&state.graphs),
            View::Batches => self.follow_batches(state),
            // A chapter asks by itself.
            View::Learn => {}
        }
    }

    fn follow_sequences(&self, state: &AppState) {
        let Some(data) = &state.data else { return };
        let settings = state.settings.clone();
        let chosen = settings.algorithm;
        let report = |settings: Settings| self.lengths(data, Question::Report { settings, listed: LISTED });
        if chosen == Algorithm::Optimal {
            // Until the optimum is there, the best of the fast ones stands in for it.
            if !state.is_current() && !state.is_interim() {
                self.live.ask(report(Settings { algorithm: Algorithm::AverageTarget, ..settings.clone() }));
            }
        } else if !state.is_current() {
            let lane = if chosen.takes_long() { &self.slow } else { &self.live };
            lane.ask(report(settings.clone()));
        }
        let mut timers = self.timers.borrow_mut();
        timers.clear();
        let (points, _) = points(state);
        if !points.is_empty() {
            let compare = Question::Compare { settings, points, budget: 0.0 };
            timers.push(later(&self.side, REST, self.lengths(data, compare)));
        }
    }

    fn lengths(&self, data: &Data, question: Question<Settings, (Algorithm, Depth)>) -> Job {
        let (ticket, ask) = (self.ticket(data.version), Ask::Lengths(question));
        Job { ticket, ask, data: Some(items(data)), files: Vec::new() }
    }

    /// Starts and ends sweeps, as the state has it.
    pub fn follow_sweep(&self, state: &AppState) {
        self.sweep.follow(&state.graphs);
    }

    /// Reads a file for a view, replacing one that is being read.
    pub fn open(&self, file: Opened, options: Options, view: View) {
        let (names, blobs) = file.files.iter().cloned().unzip();
        self.files.borrow_mut().read = Some(file);
        self.file.cancel();
        self.parquet.cancel();
        let ask = Ask::Read { options, pairs: view == View::Graphs, names };
        self.file.ask(Job { ticket: self.ticket(0), ask, data: None, files: blobs });
    }

    /// Reads the file that a view shows another way.
    pub fn reopen(&self, options: Options, view: View) {
        let shown = self.files.borrow().shown[usize::from(view == View::Graphs)].clone();
        if let Some(file) = shown {
            self.open(file, options, view);
        }
    }

    /// Ends what is not asked for any more when a view is opened. A file is read on.
    pub fn leave(&self, opened: View) {
        self.timers.borrow_mut().clear();
        self.background.clear();
        self.slow.stop();
        self.proof.stop();
        self.batches.stop();
        self.others.stop();
        self.waiting.stop();
        // A chapter asks as soon as it is drawn, which is before this.
        if opened != View::Learn {
            self.lesson.stop();
        }
    }

    /// Stops what takes long.
    pub fn cancel(&self) {
        self.timers.borrow_mut().clear();
        self.background.cancel();
        self.slow.cancel();
        self.proof.cancel();
        self.file.cancel();
        self.parquet.cancel();
        self.batches.cancel();
        self.others.cancel();
        self.assigner.cancel();
    }
}

/// The sequences that are loaded, as workers are told of them.
fn items(data: &Data) -> Items {
    match &data.texts {
        Some(texts) => Items::Texts(Rc::clone(texts)),
        None => Items::Lengths(Rc::clone(&data.histogram)),
    }
}

fn later(lane: &Lane, rest: u32, job: Job) -> Timeout {
    let lane = lane.clone();
    Timeout::new(rest, move || lane.ask(job))
}

/// Algorithms and depths.
type Points = Vec<(Algorithm, Depth)>;

/// Points of table and curve that are not there yet: those that take a moment, and those that take long.
/// Optima are looked for apart.
fn points(state: &AppState) -> (Points, Points) {
    let here = Algorithm::ALL.map(|a| (a, state.settings.depth));
    let depths = state.depths();
    let curves = curves(&state.settings);
    let along = depths.iter().flat_map(|d| curves.iter().map(move |a| (*a, *d)));
    let known = |&(a, d): &(Algorithm, Depth)| state.is_compared() && state.point(a, d).is_some();
    let along = along.filter(|(a, _)| !a.takes_long());
    let mut points: Points =
        here.into_iter().chain(along).filter(|p| p.0 != Algorithm::Optimal && !known(p)).collect();
    points.retain(|(a, _)| !a.refuses(state.settings.limit));
    points.sort_unstable();
    points.dedup();
    points.into_iter().partition(|(a, _)| !a.takes_long())
}

/// Algorithms with a curve of efficiency against depth.
pub fn curves(settings: &Settings) -> Vec<Algorithm> {
    let mut curves = vec![Algorithm::AverageTarget, Algorithm::Lpfhp, Algorithm::Spfhp];
    let chosen = settings.algorithm;
    let has_curve = chosen == Algorithm::Optimal || !chosen.takes_long();
    if !curves.contains(&chosen) && chosen.fills_rows() && has_curve && chosen != Algorithm::None {
        curves.push(chosen);
    }
    curves
}
