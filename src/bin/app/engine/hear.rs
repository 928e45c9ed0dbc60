//! Workers' answers, turned into actions on the state.

use super::{Files, Waiting};
use crate::files::Opened;
use crate::lane::{Heard, Job};
use packscope::api::any::{Report, Request};
use packscope::api::limits::practical;
use packscope::api::trainer::{Asked, Given};
use packscope::api::{Finding, Packing, Question};
use packscope::histogram::Histogram;
use packscope::ingest::Description;
use packscope::packing::{Algorithm, Step};
use packscope::state::batches::{self, Batched};
use packscope::state::graphs;
use packscope::state::learn::{self, Answered};
use packscope::state::pin;
use packscope::state::speedup::{self, Waited};
use packscope::state::trainer;
use packscope::state::{Action, FileGroup, Heard as Found, Source, Ticket, View};
use packscope::wire::{Ask, Counts, Reply};
use packscope::words::count;
use std::cell::RefCell;
use std::rc::Rc;
use yew::Callback;

/// Dispatches the message of a lane.
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
    let action = match (reply, &job.ask) {
        (Reply::Lengths(finding), Ask::Lengths(q)) => Some(lengths(found(ticket, q, finding))),
        (Reply::Graphs(finding), Ask::Graphs(q)) => Some(graphs(found(ticket, q, finding))),
        (reply, Ask::Lengths(q)) => said(reply, q).map(|finding| lengths(found(ticket, q, finding))),
        (reply, Ask::Graphs(q)) => said(reply, q).map(|finding| graphs(found(ticket, q, finding))),
        (Reply::Batches { settings, outcome, seconds, .. }, Ask::Batches(_)) => {
            let outcome = outcome.map(Rc::from);
            let batched = Batched { ticket, settings: *settings, outcome, seconds };
            Some(Action::Batches(batches::Action::Heard(batched)))
        }
        (Reply::Refused(why), Ask::Batches(asked)) => {
            for (settings, _) in asked {
                let (settings, outcome) = (settings.clone(), Err(why.clone()));
                let batched = Batched { ticket, settings, outcome, seconds: 0.0 };
                dispatch.emit(Action::Batches(batches::Action::Heard(batched)));
            }
            None
        }
        (Reply::Waited(curves), Ask::Waiting(asked)) => {
            let waited = Waited { ticket, asked: Rc::new(asked.clone()), curves };
            Some(Action::SpeedUp(speedup::Action::Waited(Rc::new(waited))))
        }
        (Reply::AtLimits(points), Ask::Limits(settings, _)) => {
            Some(Action::AtLimits(ticket.data, Box::new(settings.clone()), points))
        }
        (Reply::Trainer(sealed), Ask::Trainer(asked)) => Some(trained(ticket, asked, sealed)),
        (Reply::Any(answers), Ask::Any(asked)) => Some(answered(asked, answers)),
        (Reply::Refused(why), Ask::Any(asked)) => Some(answered(asked, vec![(Err(why), 0.0); asked.len()])),
        (Reply::Unread(why, asked), Ask::Read { .. }) => {
            if let Some(read) = &mut files.borrow_mut().read {
                read.asked = asked;
            }
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

/// Ends the waiting; earlier results stay, and the page reports the failure.
fn lost(job: &Job, dispatch: &Callback<Action>, waiting: &Callback<Option<Waiting>>) {
    if asked_for(&job.ask) {
        waiting.emit(None);
    }
    match &job.ask {
        Ask::Lengths(q @ Question::Prove { .. }) => {
            dispatch.emit(lengths(found(job.ticket, q, Finding::Stopped)));
        }
        Ask::Graphs(q @ Question::Prove { .. }) => {
            dispatch.emit(graphs(found(job.ticket, q, Finding::Stopped)));
        }
        _ => {}
    }
}

fn lengths(found: Found) -> Action {
    Action::Heard(found)
}

fn graphs(found: graphs::Heard) -> Action {
    Action::Graphs(graphs::Action::Heard(found))
}

fn found<S: Packing>(ticket: Ticket, question: &Question<S>, finding: Finding<S>) -> Found<S> {
    Found { ticket, question: question.clone(), finding }
}

/// Returns the finding in a reply that is the same for all questions.
fn said<S: Packing>(reply: Reply, question: &Question<S>) -> Option<Finding<S>> {
    match (reply, question) {
        // The progress of other questions is about other depths: nothing shows it, and the state need not follow it.
        (Reply::Progress(Step::Found { packs, bound }), Question::Prove { .. }) => {
            Some(Finding::Found { packs, bound })
        }
        (Reply::Refused(why), _) => Some(Finding::Refused(why)),
        _ => None,
    }
}

/// Returns the action for the answers to a lesson's questions, by name, or to the one about a pinned result.
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

/// Returns the action for the figures of a pinned result.
fn pinned(request: &Request, outcome: Result<Report, String>) -> Action {
    let asked = Box::new(request.clone());
    match outcome {
        Ok(Report::Sequences(report)) => Action::Pin(pin::Action::Figures(asked, Box::new(report.figures))),
        Ok(Report::Graphs(report)) => {
            Action::Graphs(graphs::Action::Pin(pin::Action::Figures(asked, Box::new(report.figures))))
        }
        Ok(_) => Action::Unreadable("The pinned result cannot be had: it is about other data.".to_owned()),
        Err(why) => Action::Unreadable(format!("The pinned result cannot be had: {why}")),
    }
}

/// Returns the action for an answer about a library.
fn trained(ticket: Ticket, asked: &Asked, sealed: Vec<u8>) -> Action {
    let view = match asked.given {
        Given::Sequences(_) => View::Sequences,
        Given::Batches(_) => View::Batches,
        Given::Graphs(_) => View::Graphs,
    };
    Action::Trainer(view, trainer::Action::Answered(ticket.data, asked.clone(), sealed.into()))
}

/// Whether the visitor waits for the answer, unlike for a row of the table.
fn asked_for(ask: &Ask) -> bool {
    match ask {
        Ask::Read { .. } => true,
        Ask::Batches(asked) => asked.iter().any(|(_, drawn)| *drawn),
        Ask::Lengths(question) => question.is_waited_for(),
        Ask::Graphs(question) => question.is_waited_for(),
        _ => false,
    }
}

fn wait(job: &Job, step: Step, opened: &Option<Opened>) -> Waiting {
    let what = match (step, &job.ask, opened) {
        (Step::Found { packs, bound }, ask, _) => format!(
            "Looking for the optimum: {} {} so far, and no plan has fewer than {}",
            count(packs),
            if matches!(ask, Ask::Graphs(_)) { "packs" } else { "rows" },
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

/// Dispatches the data of files that were read.
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
            let limit = practical(&h);
            Action::Loaded(source, Rc::new(h), Some(limit))
        }),
        Counts::Texts(counts) => Histogram::from_counts(counts).map(|h| {
            let limit = h.marginal(0).map(|lengths| practical(&lengths));
            Action::LoadedTexts(source, Rc::new(h), limit)
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

/// Groups the data of several files; `None` for a single one.
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
