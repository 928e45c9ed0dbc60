//! Workers' answers, turned into actions on the state.

use super::contents::show;
use super::{Files, Waiting, Work};
use crate::files::{Opened, save_text};
use crate::lane::{Heard, Job};
use packscope::api::held::{Answer, Answered, Request};
use packscope::api::{Finding, Packing, Question};
use packscope::packing::{Algorithm, PATIENCE, Step};
use packscope::words::count;
use packscope_page::state::graphs;
use packscope_page::state::{Action, Heard as Found, Known, Ticket};
use packscope_page::wire::{Ask, Each, Further, Reply};
use std::cell::RefCell;
use std::rc::Rc;
use yew::Callback;

/// Dispatches the message of a lane.
pub fn hear(
    job: &Job,
    heard: Heard,
    dispatch: &Callback<Action>,
    waiting: &Callback<Option<Waiting>>,
    files: &Rc<RefCell<Files>>,
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
        (Reply::Further(Further::Graphs(finding)), Ask::Graphs(q)) => Some(graphs(found(ticket, q, finding))),
        (reply, Ask::Lengths(q)) => said(reply, q).map(|finding| lengths(found(ticket, q, finding))),
        (reply, Ask::Graphs(q)) => said(reply, q).map(|finding| graphs(found(ticket, q, finding))),
        (Reply::Further(Further::Each(each)), ask) if is_proof(ask) => {
            certified(each.answers, &files.borrow().proof)
        }
        (Reply::Refused(why), ask) if is_proof(ask) => Some(Action::Unreadable(why)),
        (Reply::Further(Further::Each(Each { first, answers, .. })), Ask::Each(asked)) => {
            Some(known(ticket, asked.iter().skip(first), answers))
        }
        (Reply::Refused(why), Ask::Each(asked)) => {
            let refused = asked.iter().map(|_| Answered { outcome: Err(why.clone()), seconds: 0.0 });
            Some(known(ticket, asked.iter(), refused.collect()))
        }
        (Reply::Unread(why, asked), Ask::Files(_)) => {
            if let Some(read) = &mut files.borrow_mut().read {
                read.asked = asked;
            }
            let name = opened.as_ref().map_or("", |o| o.name.as_str());
            Some(Action::Unreadable(format!("{name}: {why}")))
        }
        (Reply::Further(Further::Read(contents)), Ask::Files(_)) => return show(*contents, files, dispatch),
        _ => None,
    };
    if let Some(action) = action {
        dispatch.emit(action);
    }
}

/// Hides the progress; earlier results stay, and the page reports the failure.
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

/// Returns the finding in a reply whose form does not depend on the question.
fn said<S: Packing>(reply: Reply, question: &Question<S>) -> Option<Finding<S>> {
    match (reply, question) {
        // The progress of other questions is not shown, so that it need not enter the state.
        (Reply::Progress(Step::Found { packs, bound }), Question::Prove { .. }) => {
            Some(Finding::Found { packs, bound })
        }
        (Reply::Refused(why), _) => Some(Finding::Refused(why)),
        _ => None,
    }
}

/// Returns the action for the answers to these requests.
fn known<'a>(ticket: Ticket, asked: impl Iterator<Item = &'a Request>, answers: Vec<Answered>) -> Action {
    let known = |(request, answered): (&Request, _)| Known { ticket, request: request.clone(), answered };
    Action::Answered(asked.zip(answers).map(known).collect())
}

/// Saves a certificate under this name; if there is none, returns the action that shows the reason.
fn certified(mut answers: Vec<Answered>, name: &str) -> Option<Action> {
    match answers.pop()?.outcome {
        Ok(Answer::Certificate(proof)) => save_text(name, &proof),
        Ok(_) => {}
        Err(why) => return Some(Action::Unreadable(why)),
    }
    None
}

/// Whether a question asks for a certificate.
fn is_proof(ask: &Ask) -> bool {
    matches!(ask, Ask::Each(asked) if matches!(asked[..], [Request::CertifyLengths(_) | Request::CertifyGraphs(_)]))
}

/// Whether the visitor waits for the answer, as for a file, but not for a row of the table.
fn asked_for(ask: &Ask) -> bool {
    match ask {
        Ask::Files(_) => true,
        _ if is_proof(ask) => true,
        Ask::Each(asked) => asked.iter().any(|request| matches!(request, Request::Batches(_, true))),
        Ask::Lengths(question) => question.is_waited_for(),
        Ask::Graphs(question) => question.is_waited_for(),
        _ => false,
    }
}

fn wait(job: &Job, step: Step, opened: &Option<Opened>) -> Waiting {
    let what = match (step, &job.ask, opened) {
        (_, ask, _) if is_proof(ask) => "Finding the proof once more".to_owned(),
        (Step::Found { packs, bound }, ask, _) => format!(
            "Looking for the optimum: {} {} so far, and no plan has fewer than {}",
            count(packs),
            if matches!(ask, Ask::Graphs(_)) { "packs" } else { "rows" },
            count(bound)
        ),
        (_, Ask::Files(_), Some(opened)) => format!("Reading {}", opened.name),
        (_, Ask::Lengths(Question::Report { settings, .. }), _)
            if settings.algorithm == Algorithm::Nnlshp =>
        {
            "Solving non-negative least squares".to_owned()
        }
        (_, Ask::Each(_), _) => "Batching sequence by sequence".to_owned(),
        (_, Ask::Graphs(_), _) => "Trying many heuristics".to_owned(),
        _ => "Packing item by item".to_owned(),
    };
    let share = match step {
        Step::Done { done, of } if !is_proof(&job.ask) => Some(done as f64 / of as f64),
        _ => None,
    };
    let (most, work) = match &job.ask {
        ask if is_proof(ask) => (f64::INFINITY, Work::Saving),
        Ask::Lengths(Question::Prove { budget, .. }) | Ask::Graphs(Question::Prove { budget, .. }) => {
            (*budget * PATIENCE, Work::Search)
        }
        Ask::Files(_) => (f64::INFINITY, Work::Files),
        _ => (f64::INFINITY, Work::Answer),
    };
    Waiting { what, share, most, work, number: job.ticket.number, stopped: false }
}
