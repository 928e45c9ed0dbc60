//! Answers, as the state is told of them.

use super::{Files, Opened, Waiting};
use crate::lane::{Heard, Job};
use packscope::api::any::{Report, Request};
use packscope::histogram::Histogram;
use packscope::ingest::Description;
use packscope::packing::tuple::Algorithm as Tuple;
use packscope::packing::{Algorithm, Step};
use packscope::state::batches::{self, Batched};
use packscope::state::graphs::{self, Row};
use packscope::state::learn::{self, Answered};
use packscope::state::pin;
use packscope::state::speedup::{self, Waited};
use packscope::state::{Action, Answer, FileGroup, Point, Source, Ticket, Told};
use packscope::wire::{Ask, Compared, Counts, Finding, Question, Reply};
use packscope::words::count;
use std::cell::RefCell;
use std::rc::Rc;
use yew::Callback;

/// Passes on what a lane has heard.
pub fn hear(
    job: &Job,
    heard: Heard,
    dispatch: &Callback<Action>,
    waiting: &Callback<Option<Waiting>>,
    files: &RefCell<Files>,
) {
    let opened = &files.borrow().read.clone();
    let reply = match heard {
        Heard::Reply(reply) => reply,
        Heard::Lost(_) => return lost(job, dispatch, waiting),
    };
    let asked_for = asked_for(&job.ask);
    match reply {
        Reply::Progress(step) if asked_for => waiting.emit(Some(wait(job, step, opened))),
        _ if asked_for && !reply.continues() => waiting.emit(None),
        _ => {}
    }
    let ticket = job.ticket;
    let lengths = |told| Action::Told(told);
    let graphs = |told| Action::Graphs(graphs::Action::Told(told));
    let action = match (reply, &job.ask) {
        (Reply::Lengths(f), Ask::Lengths(q)) => told(ticket, q, f, |row| row).map(lengths),
        (Reply::Graphs(f), Ask::Graphs(q)) => told(ticket, q, f, row).map(graphs),
        (Reply::Progress(step), Ask::Lengths(q)) => found(ticket, q, step).map(lengths),
        (Reply::Progress(step), Ask::Graphs(q)) => found(ticket, q, step).map(graphs),
        (Reply::Refused(why), Ask::Lengths(q)) => refused(ticket, q, why, asked_for).map(lengths),
        (Reply::Refused(why), Ask::Graphs(q)) => refused(ticket, q, why, asked_for).map(graphs),
        (Reply::Batches { settings, outcome, seconds, .. }, Ask::Batches(_)) => {
            let outcome = outcome.map(Rc::from);
            let batched = Batched { ticket, settings: *settings, outcome, seconds };
            Some(Action::Batches(batches::Action::Told(batched)))
        }
        (Reply::Refused(why), Ask::Batches(asked)) => {
            for (settings, _) in asked {
                let (settings, outcome) = (settings.clone(), Err(why.clone()));
                let batched = Batched { ticket, settings, outcome, seconds: 0.0 };
                dispatch.emit(Action::Batches(batches::Action::Told(batched)));
            }
            None
        }
        (Reply::Waited(curves), Ask::Waiting(asked)) => {
            let waited = Waited { ticket, asked: Rc::new(asked.clone()), curves };
            Some(Action::SpeedUp(speedup::Action::Waited(Rc::new(waited))))
        }
        (Reply::Any(answers), Ask::Any(asked)) => Some(answered(asked, answers)),
        (Reply::Refused(why), Ask::Any(asked)) => Some(answered(asked, vec![(Err(why), 0.0); asked.len()])),
        (Reply::Refused(why), Ask::Read { .. }) => {
            let name = opened.as_ref().map_or("", |o| o.name.as_str());
            Some(Action::Unreadable(format!("{name}: {why}")))
        }
        (Reply::Read { counts, description, each }, Ask::Read { .. }) => {
            return read((counts, *description, each), files, dispatch);
        }
        _ => None,
    };
    if let Some(action) = action {
        dispatch.emit(action);
    }
}

/// Nothing is waited for any more; what was found stays, and the page says what happened.
fn lost(job: &Job, dispatch: &Callback<Action>, waiting: &Callback<Option<Waiting>>) {
    if asked_for(&job.ask) {
        waiting.emit(None);
    }
    match &job.ask {
        Ask::Lengths(Question::Prove { .. }) => dispatch.emit(Action::Told(Told::Stopped)),
        Ask::Graphs(Question::Prove { .. }) => {
            dispatch.emit(Action::Graphs(graphs::Action::Told(Told::Stopped)));
        }
        _ => {}
    }
}

/// Answers to the questions of a lesson, under their names; or to the one about a result that is pinned.
fn answered(asked: &[(String, Request)], mut answers: Vec<(Result<Report, String>, f64)>) -> Action {
    if let [(name, request)] = asked
        && name == pin::ASKED
        && let Some((outcome, _)) = answers.pop()
    {
        return pinned(request, outcome);
    }
    let answers = asked.iter().cloned().zip(answers);
    let answered =
        answers.map(|((name, request), (outcome, seconds))| (name, Answered { request, outcome, seconds }));
    Action::Learn(learn::Action::Answered(answered.collect()))
}

/// The figures of a result that is pinned.
fn pinned(request: &Request, outcome: Result<Report, String>) -> Action {
    let asked = Box::new(request.clone());
    match outcome {
        Ok(Report::Sequences(report)) => Action::Pin(pin::Action::Told(asked, Box::new(report.figures))),
        Ok(Report::Graphs(report)) => {
            Action::Graphs(graphs::Action::Pin(pin::Action::Told(asked, Box::new(report.figures))))
        }
        Ok(_) => Action::Unreadable("The pinned result cannot be had: it is about other data.".to_owned()),
        Err(why) => Action::Unreadable(format!("The pinned result cannot be had: {why}")),
    }
}

fn row((algorithm, heuristic): (Tuple, Option<packscope::packing::tuple::Heuristic>)) -> Row {
    Row { algorithm, heuristic }
}

/// Whether the visitor waits for it; a row of the table may come when it comes.
fn asked_for(ask: &Ask) -> bool {
    match ask {
        Ask::Read { .. } => true,
        Ask::Batches(asked) => asked.iter().any(|(_, drawn)| *drawn),
        Ask::Lengths(Question::Report { settings, .. }) => settings.algorithm.takes_long(),
        Ask::Lengths(Question::Prove { settings, .. }) => settings.algorithm == Algorithm::Optimal,
        Ask::Graphs(Question::Report { settings, .. }) => settings.algorithm.takes_long(),
        Ask::Graphs(Question::Prove { settings, .. }) => settings.algorithm == Tuple::Optimal,
        _ => false,
    }
}

/// What the state is told of a finding: `W` rows on the way, `K` rows of the state.
fn told<S: Clone, R, W, K>(
    ticket: Ticket,
    question: &Question<S, W>,
    finding: Finding<R, W>,
    row: impl Fn(W) -> K,
) -> Option<Told<S, R, K>> {
    let answer = |report: Box<R>, seconds| Rc::new(Answer { ticket, report: *report, seconds });
    let point = |c: Compared<W>| (row(c.row), Point { figures: c.figures, seconds: c.seconds });
    match (finding, question) {
        (Finding::Report { report, seconds }, Question::Prove { .. }) => {
            Some(Told::Proven(answer(report, seconds)))
        }
        (Finding::Report { report, seconds }, _) => Some(Told::Answered(answer(report, seconds))),
        (Finding::Better { report, seconds }, _) => Some(Told::Better(answer(report, seconds))),
        (Finding::Points(points) | Finding::Compared(points), Question::Compare { settings, .. }) => {
            Some(Told::Compared(ticket, settings.clone(), points.into_iter().map(point).collect()))
        }
        _ => None,
    }
}

/// How far the search for the optimum is.
fn found<S: Clone, R, W, K>(ticket: Ticket, question: &Question<S, W>, step: Step) -> Option<Told<S, R, K>> {
    match (step, question) {
        (Step::Found { packs, bound }, Question::Prove { settings, .. }) => {
            Some(Told::Found(ticket, settings.clone(), packs, bound))
        }
        _ => None,
    }
}

fn refused<S: Clone, R, W, K>(
    ticket: Ticket,
    question: &Question<S, W>,
    why: String,
    asked_for: bool,
) -> Option<Told<S, R, K>> {
    match question {
        // The report refuses with the same words.
        Question::Compare { .. } => None,
        Question::Prove { .. } if !asked_for => Some(Told::Stopped),
        Question::Prove { settings, .. } | Question::Report { settings, .. } => {
            Some(Told::Refused(ticket, settings.clone(), why))
        }
    }
}

fn wait(job: &Job, step: Step, opened: &Option<Opened>) -> Waiting {
    let what = match (step, &job.ask, opened) {
        (Step::Found { packs, bound }, ..) => format!(
            "Looking for the optimum: {} rows so far, and no plan has fewer than {}",
            count(packs),
            count(bound)
        ),
        (_, Ask::Read { .. }, Some(opened)) => format!("Reading {}", opened.name),
        (_, Ask::Lengths(Question::Report { settings, .. }), _)
            if settings.algorithm == Algorithm::Nnlshp =>
        {
            "Solving non-negative least squares".to_owned()
        }
        (_, Ask::Batches(_), _) => "Batching sequence by sequence".to_owned(),
        (_, Ask::Graphs(_), _) => "Trying many heuristics".to_owned(),
        _ => "Packing item by item".to_owned(),
    };
    let share = match step {
        Step::Done { done, of } => Some(done as f64 / of as f64),
        Step::Found { .. } => None,
    };
    Waiting { what, share }
}

/// Data that were read.
fn read(
    (counts, description, each): (Counts, Description, Vec<(String, Counts)>),
    files: &RefCell<Files>,
    dispatch: &Callback<Action>,
) {
    let opened = files.borrow().read.clone();
    let name = opened.as_ref().map_or_else(String::new, |o| o.name.clone());
    let source = Source::Own { name: name.clone(), description: Rc::new(description) };
    let are_graphs = matches!(counts, Counts::Graphs(_));
    let loaded = match counts {
        Counts::Lengths(counts) => Histogram::from_lengths(counts).map(|h| {
            let limit = h.max()[0];
            Action::Loaded(source, Rc::new(h), Some(limit))
        }),
        Counts::Texts(counts) => Histogram::from_counts(counts).map(|h| {
            let [limit, _] = h.max();
            Action::LoadedTexts(source, Rc::new(h), Some(limit))
        }),
        Counts::Graphs(counts) => Histogram::from_counts(counts)
            .map(|h| Action::Graphs(graphs::Action::Loaded(source, Rc::new(h), [true; 2]))),
    };
    match loaded {
        Ok(loaded) => {
            files.borrow_mut().shown[usize::from(are_graphs)] = opened;
            dispatch.emit(loaded.clone());
            if !are_graphs {
                dispatch.emit(Action::Files(group(name, each, loaded)));
            }
        }
        Err(error) => dispatch.emit(Action::Unreadable(error.to_string())),
    }
}

/// The files, where there were several.
fn group(name: String, each: Vec<(String, Counts)>, all: Action) -> Option<Rc<FileGroup>> {
    let lengths = |counts| match counts {
        Counts::Lengths(counts) => Histogram::from_lengths(counts).ok(),
        Counts::Texts(counts) => {
            Histogram::from_counts(counts).ok().and_then(|h: Histogram<2>| h.marginal(0))
        }
        Counts::Graphs(_) => None,
    };
    let each: Vec<_> =
        each.into_iter().filter_map(|(name, counts)| Some((name, Rc::new(lengths(counts)?)))).collect();
    (each.len() > 1).then(|| Rc::new(FileGroup { name, each, all: Box::new(all) }))
}
