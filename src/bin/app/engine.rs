//! Questions to the workers, answers to the state. Four lanes, so that a slow question never keeps a
//! fast one waiting: the answer on screen, the comparison, what goes item by item, and files.

use crate::lane::{Heard, Job, Lane};
use gloo_timers::callback::Timeout;
use packscope::api::Settings;
use packscope::histogram::Histogram;
use packscope::ingest::{Description, Options};
use packscope::packing::{Algorithm, Depth};
use packscope::state::{Action, Answer, AppState, Point, Source, Ticket};
use packscope::wire::{Ask, Compared, Reply};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use web_sys::Blob;
use yew::Callback;

/// Strategies a report brings to the page; the rest are counted.
const LISTED: u32 = 20_000;
/// Milliseconds without a change before table and curve follow the slider.
const REST: u32 = 60;
/// The same, for what takes long.
const LONG_REST: u32 = 400;

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

/// The lanes.
pub struct Engine {
    live: Lane,
    side: Lane,
    slow: Lane,
    file: Lane,
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
            file: lane(),
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
        let lane = if settings.algorithm.draws_items() { &self.slow } else { &self.live };
        if !state.is_current() {
            lane.ask(job(Ask::Report { settings: settings.clone(), listed: LISTED }));
        }
        let points = points(state);
        let later = |lane: &Lane, rest, points: Vec<(Algorithm, Depth)>| {
            let (lane, job) = (lane.clone(), job(Ask::Compare { settings: settings.clone(), points }));
            Timeout::new(rest, move || lane.ask(job))
        };
        let mut timers = self.timers.borrow_mut();
        timers.clear();
        if !points.is_empty() {
            timers.push(later(&self.side, REST, points));
        }
        let greedy = (Algorithm::Greedy, settings.depth);
        let missing = !state.is_compared() || state.point(greedy.0, greedy.1).is_none();
        if missing && settings.algorithm != Algorithm::Greedy {
            timers.push(later(&self.slow, LONG_REST, vec![greedy]));
        }
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
        self.file.cancel();
    }
}

/// Points of table and curve that are not there yet; those that go item by item are asked for apart.
fn points(state: &AppState) -> Vec<(Algorithm, Depth)> {
    let here = Algorithm::ALL.map(|a| (a, state.settings.depth));
    let depths = state.depths();
    let curves = curves(&state.settings);
    let along = depths.iter().flat_map(|d| curves.iter().map(move |a| (*a, *d)));
    let known = |&(a, d): &(Algorithm, Depth)| state.is_compared() && state.point(a, d).is_some();
    let mut points: Vec<_> =
        here.into_iter().chain(along).filter(|p| !p.0.draws_items() && !known(p)).collect();
    points.sort_unstable();
    points.dedup();
    points
}

/// Algorithms with a curve of efficiency against depth.
pub fn curves(settings: &Settings) -> Vec<Algorithm> {
    let mut curves = vec![Algorithm::AverageTarget, Algorithm::Lpfhp, Algorithm::Spfhp];
    let chosen = settings.algorithm;
    if !curves.contains(&chosen) && chosen.fills_rows() && !chosen.draws_items() && chosen != Algorithm::None
    {
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
        Ask::Report { settings, .. } => settings.algorithm.draws_items(),
        _ => false,
    };
    if let Reply::Progress { done, of } = reply {
        if asked_for {
            let share = Some(done as f64 / of as f64);
            waiting.emit(Some(Waiting { what: what(job, opened), share }));
        }
        return;
    }
    if asked_for {
        waiting.emit(None);
    }
    match (reply, &job.ask) {
        (Reply::Report { report, seconds }, _) => {
            let answer = Answer { ticket: job.ticket, report: *report, seconds };
            dispatch.emit(Action::Answered(Rc::new(answer)));
        }
        (Reply::Compared(points), Ask::Compare { settings, .. }) => {
            dispatch.emit(Action::Compared(
                job.ticket,
                settings.clone(),
                points.into_iter().map(point).collect(),
            ));
        }
        (Reply::Read { counts, description }, Ask::Read(_)) => {
            dispatch.emit(loaded(counts, *description, opened))
        }
        (Reply::Refused(why), Ask::Read(_)) => {
            let name = opened.as_ref().map_or("", |o| o.name.as_str());
            dispatch.emit(Action::Unreadable(format!("{name}: {why}")));
        }
        // The report refuses with the same words.
        (Reply::Refused(_), Ask::Compare { .. }) => {}
        (Reply::Refused(why), _) => dispatch.emit(Action::Refused(job.ticket, why)),
        _ => {}
    }
}

fn what(job: &Job, opened: &Option<Opened>) -> String {
    match (&job.ask, opened) {
        (Ask::Read(_), Some(opened)) => format!("Reading {}", opened.name),
        _ => "Packing item by item".to_owned(),
    }
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
