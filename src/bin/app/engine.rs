//! Questions to the workers, answers to the state. Five lanes, so that a slow question never keeps a fast
//! one waiting: the answer on screen, the comparison, what takes long, the search for the optimum, and files.

use crate::lane::{Heard, Job, Lane};
use gloo_timers::callback::Timeout;
use packscope::api::{Report, Settings};
use packscope::histogram::Histogram;
use packscope::ingest::{Description, Options};
use packscope::packing::{Algorithm, Depth, Step};
use packscope::state::{Action, Answer, AppState, Point, Source, Subject, Ticket};
use packscope::wire::{Ask, Compared, Reply};
use packscope::words::count;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use web_sys::Blob;
use yew::Callback;

/// Strategies a report brings to the page; the rest are counted.
const LISTED: u32 = 20_000;
/// Milliseconds without a change before table and curve follow the slider.
const REST: u32 = 60;
/// The same, for what takes long, while the optimum is being looked for.
const LONG_REST: u32 = 1500;
/// The same, for the search for the optimum, which ends by itself.
const PROOF_REST: u32 = 200;
/// Seconds of that search: when the optimum is asked for, when it is not, and at the other depths.
const BUDGET: (f64, f64, f64) = (20.0, 5.0, 1.0);

/// What is being waited for.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// What is done, in words.
    pub what: String,
    /// Share done, if known.
    pub share: Option<f64>,
}

/// A file that was read, kept so that it can be read another way.
#[derive(Clone)]
pub struct Opened {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub blob: Blob,
}

/// What the search for the optimum is about.
#[derive(Clone, PartialEq)]
struct Search {
    /// Data and settings.
    about: Subject,
    /// Whether the optimum is what the visitor has chosen.
    asked_for: bool,
    /// Whether only the other depths are left.
    proven: bool,
}

/// The lanes.
pub struct Engine {
    live: Lane,
    side: Lane,
    slow: Lane,
    proof: Lane,
    file: Lane,
    search: RefCell<Option<Search>>,
    number: Cell<u64>,
    timers: RefCell<Vec<Timeout>>,
    opened: Rc<RefCell<Option<Opened>>>,
}

impl Engine {
    /// Starts the workers.
    pub fn new(dispatch: Callback<Action>, waiting: Callback<Option<Waiting>>) -> Self {
        let opened = Rc::new(RefCell::new(None));
        let lane = || {
            let (dispatch, waiting, opened) = (dispatch.clone(), waiting.clone(), Rc::clone(&opened));
            Lane::new(move |job: &Job, heard| hear(job, heard, &dispatch, &waiting, &opened.borrow()))
        };
        let engine = Self {
            live: lane(),
            side: lane(),
            slow: lane(),
            proof: lane(),
            file: lane(),
            search: RefCell::default(),
            number: Cell::new(0),
            timers: RefCell::default(),
            opened,
        };
        engine.live.warm();
        engine
    }

    fn ticket(&self, data: u64) -> Ticket {
        self.number.set(self.number.get() + 1);
        Ticket { data, number: self.number.get() }
    }

    /// Asks for everything the state shows and does not have.
    pub fn follow(self: &Rc<Self>, state: &AppState) {
        let Some(data) = &state.data else { return };
        let job = |ask| Job {
            ticket: self.ticket(data.version),
            ask,
            data: Some(Rc::clone(&data.histogram)),
            file: None,
        };
        let settings = state.settings.clone();
        let chosen = settings.algorithm;
        let report = |settings: Settings| job(Ask::Report { settings, listed: LISTED });
        if chosen == Algorithm::Optimal {
            // Until the optimum is there, the best of the fast ones stands in for it.
            if !state.is_current() && !state.is_interim() {
                self.live.ask(report(Settings { algorithm: Algorithm::AverageTarget, ..settings.clone() }));
            }
        } else if !state.is_current() {
            let lane = if chosen.takes_long() { &self.slow } else { &self.live };
            lane.ask(report(settings.clone()));
        }
        let compare = |points| job(Ask::Compare { settings: settings.clone(), points, budget: 0.0 });
        let later = |lane: &Lane, rest, job: Job| {
            let lane = lane.clone();
            Timeout::new(rest, move || lane.ask(job))
        };
        let mut timers = self.timers.borrow_mut();
        timers.clear();
        let (fast, slow) = points(state);
        if !fast.is_empty() {
            timers.push(later(&self.side, REST, compare(fast)));
        }
        if !slow.is_empty() && (chosen == Algorithm::Optimal || !chosen.takes_long()) {
            // The optimum first: with few cores, one would slow the other down.
            let rest = if state.is_proven() { REST } else { LONG_REST };
            timers.push(later(&self.slow, rest, compare(slow)));
        }
        self.search(state, &mut timers, later, job);
    }

    /// The search for the optimum, first at the present depth, then at the others.
    fn search(
        &self,
        state: &AppState,
        timers: &mut Vec<Timeout>,
        later: impl Fn(&Lane, u32, Job) -> Timeout,
        job: impl Fn(Ask) -> Job,
    ) {
        let asked_for = state.settings.algorithm == Algorithm::Optimal;
        let search = Search { about: state.subject(), asked_for, proven: state.is_proven() };
        if self.search.replace(Some(search.clone())).as_ref() == Some(&search) && self.proof.is_busy() {
            return;
        }
        // What was searched for before is of no use any more, and in the way of what is.
        self.proof.stop();
        let (settings, depths) = (state.settings.clone(), state.unproven());
        let ask = if !search.proven {
            let budget = if asked_for { BUDGET.0 } else { BUDGET.1 };
            Ask::Prove { settings, listed: LISTED, budget }
        } else if !depths.is_empty() {
            let points = depths.into_iter().map(|d| (Algorithm::Optimal, d)).collect();
            Ask::Compare { settings, points, budget: BUDGET.2 }
        } else {
            return;
        };
        timers.push(later(&self.proof, PROOF_REST, job(ask)));
    }

    /// Reads a file, replacing one that is being read.
    pub fn open(&self, name: String, blob: Blob, options: Options) {
        *self.opened.borrow_mut() = Some(Opened { name, blob: blob.clone() });
        self.file.cancel();
        self.file.ask(Job { ticket: self.ticket(0), ask: Ask::Read(options), data: None, file: Some(blob) });
    }

    /// Reads the file at hand another way.
    pub fn reopen(&self, options: Options) {
        let opened = self.opened.borrow().clone();
        if let Some(opened) = opened {
            self.open(opened.name, opened.blob, options);
        }
    }

    /// Stops what takes long.
    pub fn cancel(&self) {
        self.timers.borrow_mut().clear();
        self.slow.cancel();
        self.proof.cancel();
        self.file.cancel();
    }
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

fn hear(
    job: &Job,
    heard: Heard,
    dispatch: &Callback<Action>,
    waiting: &Callback<Option<Waiting>>,
    opened: &Option<Opened>,
) {
    let reply = match heard {
        Heard::Reply(reply) => reply,
        Heard::Lost => {
            Reply::Refused("the computation failed and was restarted; please report this".to_owned())
        }
    };
    // Only what the visitor has asked for is waited for; a row of the table may come when it comes.
    let asked_for = match &job.ask {
        Ask::Read(_) => true,
        Ask::Report { settings, .. } => settings.algorithm.takes_long(),
        Ask::Prove { settings, .. } => settings.algorithm == Algorithm::Optimal,
        _ => false,
    };
    if let Reply::Progress(step) = reply {
        if let (Step::Found { packs, bound }, Ask::Prove { settings, .. }) = (step, &job.ask) {
            dispatch.emit(Action::Found(job.ticket, settings.clone(), packs, bound));
        }
        if asked_for {
            waiting.emit(Some(wait(job, step, opened)));
        }
        return;
    }
    if asked_for && !reply.continues() {
        waiting.emit(None);
    }
    let answer =
        |report: Box<Report>, seconds| Rc::new(Answer { ticket: job.ticket, report: *report, seconds });
    let compared = |settings: &Settings, points: Vec<Compared>| {
        Action::Compared(job.ticket, settings.clone(), points.into_iter().map(point).collect())
    };
    match (reply, &job.ask) {
        (Reply::Report { report, seconds }, Ask::Prove { .. }) => {
            dispatch.emit(Action::Proven(answer(report, seconds)));
        }
        (Reply::Report { report, seconds }, _) => dispatch.emit(Action::Answered(answer(report, seconds))),
        (Reply::Better { report, seconds }, _) => dispatch.emit(Action::Better(answer(report, seconds))),
        (Reply::Compared(points), Ask::Compare { settings, .. }) => dispatch.emit(compared(settings, points)),
        (Reply::Point(one), Ask::Compare { settings, .. }) => dispatch.emit(compared(settings, vec![*one])),
        (Reply::Read { counts, description }, Ask::Read(_)) => {
            dispatch.emit(loaded(counts, *description, opened))
        }
        (Reply::Refused(why), Ask::Read(_)) => {
            let name = opened.as_ref().map_or("", |o| o.name.as_str());
            dispatch.emit(Action::Unreadable(format!("{name}: {why}")));
        }
        // The report refuses with the same words.
        (Reply::Refused(_), Ask::Compare { .. }) => {}
        (Reply::Refused(_), Ask::Prove { .. }) => dispatch.emit(Action::Stopped),
        (Reply::Refused(why), _) => dispatch.emit(Action::Refused(job.ticket, why)),
        _ => {}
    }
}

fn wait(job: &Job, step: Step, opened: &Option<Opened>) -> Waiting {
    let what = match (step, &job.ask, opened) {
        (Step::Found { packs, bound }, ..) => format!(
            "Looking for the optimum: {} rows so far, and no plan has fewer than {}",
            count(packs),
            count(bound)
        ),
        (_, Ask::Read(_), Some(opened)) => format!("Reading {}", opened.name),
        (_, Ask::Report { settings, .. }, _) if settings.algorithm == Algorithm::Nnlshp => {
            "Solving non-negative least squares".to_owned()
        }
        _ => "Packing item by item".to_owned(),
    };
    let share = match step {
        Step::Done { done, of } => Some(done as f64 / of as f64),
        Step::Found { .. } => None,
    };
    Waiting { what, share }
}

fn point(c: Compared) -> ((Algorithm, Depth), Point) {
    ((c.algorithm, c.depth), Point { figures: c.figures, seconds: c.seconds })
}

fn loaded(counts: Vec<(u32, u64)>, description: Description, opened: &Option<Opened>) -> Action {
    match Histogram::from_lengths(counts) {
        Ok(histogram) => {
            let name = opened.as_ref().map_or_else(String::new, |o| o.name.clone());
            let limit = histogram.max()[0];
            Action::Loaded(
                Source::Own { name, description: Rc::new(description) },
                Rc::new(histogram),
                Some(limit),
            )
        }
        Err(error) => Action::Unreadable(error.to_string()),
    }
}
