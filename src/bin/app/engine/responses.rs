//! Workers' answers, turned into actions on the state.

use super::contents::show;
use super::{OpenedFiles, WaitProgress, Work};
use crate::files::{OpenFiles, save_text};
use crate::job_queue::{Job, JobOutcome};
use packscope::api::queries::{Answer, HeldRequest, TimedAnswer};
use packscope::api::{Finding, PackingSettings, Question};
use packscope::packing::{Algorithm, PATIENCE, Step};
use packscope::words::count;
use packscope_page::state::graphs;
use packscope_page::state::{Action, CachedAnswer, StudyUpdate, Ticket};
use packscope_page::wire::{PartResponse, Responses, WorkerRequest, WorkerResponse};
use std::cell::RefCell;
use std::rc::Rc;
use yew::Callback;

pub fn dispatch_reply(
    job: &Job,
    heard: JobOutcome,
    dispatch: &Callback<Action>,
    waiting: &Callback<Option<WaitProgress>>,
    files: &Rc<RefCell<OpenedFiles>>,
) {
    // Cloned, as `show` and the arm for refused files borrow `files` again below.
    let opened = &files.borrow().read.clone();
    let reply = match heard {
        JobOutcome::Reply(reply) => reply,
        JobOutcome::Lost(_) => return lost(job, dispatch, waiting),
    };
    let asked_for = asked_for(&job.ask);
    // The progress goes away with the last reply to a question, but stays between its parts.
    match reply {
        WorkerResponse::Progress(step) if asked_for => waiting.emit(Some(wait(job, step, opened))),
        _ if asked_for && !reply.continues() => waiting.emit(None),
        _ => {}
    }
    let ticket = job.ticket;
    // The order of the arms matters: a proof is a request of `Each` too, and must not enter the
    // state as an answer.
    let action = match (reply, &job.ask) {
        (WorkerResponse::Lengths(finding), WorkerRequest::Lengths(q)) => {
            Some(lengths(update_of(ticket, q, finding)))
        }
        (WorkerResponse::Further(PartResponse::Graphs(finding)), WorkerRequest::Graphs(q)) => {
            Some(graphs(update_of(ticket, q, finding)))
        }
        (reply, WorkerRequest::Lengths(q)) => {
            finding_in_reply(reply, q).map(|finding| lengths(update_of(ticket, q, finding)))
        }
        (reply, WorkerRequest::Graphs(q)) => {
            finding_in_reply(reply, q).map(|finding| graphs(update_of(ticket, q, finding)))
        }
        (WorkerResponse::Further(PartResponse::Each(each)), ask) if is_proof(ask) => {
            certified(each.answers, &files.borrow().proof)
        }
        (WorkerResponse::Refused(why), ask) if is_proof(ask) => Some(Action::Unreadable(why)),
        (
            WorkerResponse::Further(PartResponse::Each(Responses { first, answers, .. })),
            WorkerRequest::Each(asked),
        ) => Some(cached_answers(ticket, asked.iter().skip(first), answers)),
        (WorkerResponse::Refused(why), WorkerRequest::Each(asked)) => {
            let refused = asked.iter().map(|_| TimedAnswer {
                outcome: Err(why.clone()),
                seconds: 0.0,
            });
            Some(cached_answers(ticket, asked.iter(), refused.collect()))
        }
        (WorkerResponse::Unread(why, asked), WorkerRequest::Files(_)) => {
            if let Some(read) = &mut files.borrow_mut().read {
                read.asked = asked;
            }
            let name = opened.as_ref().map_or("", |o| o.name.as_str());
            Some(Action::Unreadable(format!("{name}: {why}")))
        }
        (WorkerResponse::Further(PartResponse::Read(contents)), WorkerRequest::Files(_)) => {
            return show(*contents, files, dispatch);
        }
        _ => None,
    };
    if let Some(action) = action {
        dispatch.emit(action);
    }
}

/// Hides the progress; earlier results stay, and the page reports the failure.
fn lost(job: &Job, dispatch: &Callback<Action>, waiting: &Callback<Option<WaitProgress>>) {
    if asked_for(&job.ask) {
        waiting.emit(None);
    }
    match &job.ask {
        // The state counts on a search until it hears that it stopped; other lost questions leave
        // nothing open.
        WorkerRequest::Lengths(q @ Question::Prove { .. }) => {
            dispatch.emit(lengths(update_of(job.ticket, q, Finding::Stopped)));
        }
        WorkerRequest::Graphs(q @ Question::Prove { .. }) => {
            dispatch.emit(graphs(update_of(job.ticket, q, Finding::Stopped)));
        }
        _ => {}
    }
}

fn lengths(found: StudyUpdate) -> Action {
    Action::Heard(found)
}

fn graphs(found: graphs::GraphUpdate) -> Action {
    Action::Graphs(graphs::Action::Heard(found))
}

fn update_of<S: PackingSettings>(
    ticket: Ticket,
    question: &Question<S>,
    finding: Finding<S>,
) -> StudyUpdate<S> {
    StudyUpdate {
        ticket,
        question: question.clone(),
        finding,
    }
}

/// Returns the finding in a reply whose form does not depend on the question.
fn finding_in_reply<S: PackingSettings>(
    reply: WorkerResponse,
    question: &Question<S>,
) -> Option<Finding<S>> {
    match (reply, question) {
        // The progress of other questions is not shown, so that it need not enter the state.
        (WorkerResponse::Progress(Step::Found { packs, bound }), Question::Prove { .. }) => {
            Some(Finding::Found { packs, bound })
        }
        (WorkerResponse::Refused(why), _) => Some(Finding::Refused(why)),
        _ => None,
    }
}

fn cached_answers<'a>(
    ticket: Ticket,
    asked: impl Iterator<Item = &'a HeldRequest>,
    answers: Vec<TimedAnswer>,
) -> Action {
    let known = |(request, answered): (&HeldRequest, _)| CachedAnswer {
        ticket,
        request: request.clone(),
        answered,
    };
    Action::Answered(asked.zip(answers).map(known).collect())
}

/// Saves a certificate under this name; if there is none, returns the action that shows the reason.
fn certified(mut answers: Vec<TimedAnswer>, name: &str) -> Option<Action> {
    match answers.pop()?.outcome {
        Ok(Answer::Certificate(proof)) => save_text(name, &proof),
        Ok(_) => {}
        Err(why) => return Some(Action::Unreadable(why)),
    }
    None
}

fn is_proof(ask: &WorkerRequest) -> bool {
    matches!(ask, WorkerRequest::Each(asked) if matches!(asked[..], [HeldRequest::CertifyLengths(_) | HeldRequest::CertifyGraphs(_)]))
}

/// Whether the visitor waits for the answer, as for a file, but not for a row of the table.
fn asked_for(ask: &WorkerRequest) -> bool {
    match ask {
        WorkerRequest::Files(_) => true,
        _ if is_proof(ask) => true,
        WorkerRequest::Each(asked) => asked
            .iter()
            // Batches listed for the picture are those of the chosen sampler, the headline of the
            // view.
            .any(|request| matches!(request, HeldRequest::Batches(_, true))),
        WorkerRequest::Lengths(question) => question.is_waited_for(),
        WorkerRequest::Graphs(question) => question.is_waited_for(),
        _ => false,
    }
}

fn wait(job: &Job, step: Step, opened: &Option<OpenFiles>) -> WaitProgress {
    let what = match (step, &job.ask, opened) {
        (_, ask, _) if is_proof(ask) => "Finding the proof once more".to_owned(),
        (Step::Found { packs, bound }, ask, _) => format!(
            "Looking for the optimum: {} {} so far, and no plan has fewer than {}",
            count(packs),
            if matches!(ask, WorkerRequest::Graphs(_)) {
                "packs"
            } else {
                "rows"
            },
            count(bound)
        ),
        (_, WorkerRequest::Files(_), Some(opened)) => format!("Reading {}", opened.name),
        (_, WorkerRequest::Lengths(Question::Report { settings, .. }), _)
            if settings.algorithm == Algorithm::Nnlshp =>
        {
            "Solving non-negative least squares".to_owned()
        }
        (_, WorkerRequest::Each(_), _) => "Batching sequence by sequence".to_owned(),
        (_, WorkerRequest::Graphs(_), _) => "Trying many heuristics".to_owned(),
        _ => "Packing item by item".to_owned(),
    };
    let share = match step {
        // The certificate of an optimum is found by a search whose end is not known.
        Step::Done { done, of } if !is_proof(&job.ask) => Some(done as f64 / of as f64),
        _ => None,
    };
    let (most, work) = match &job.ask {
        ask if is_proof(ask) => (f64::INFINITY, Work::Saving),
        WorkerRequest::Lengths(Question::Prove { budget, .. })
        | WorkerRequest::Graphs(Question::Prove { budget, .. }) => {
            (*budget * PATIENCE, Work::Search)
        }
        WorkerRequest::Files(_) => (f64::INFINITY, Work::Files),
        _ => (f64::INFINITY, Work::Answer),
    };
    WaitProgress {
        what,
        share,
        most,
        work,
        number: job.ticket.number,
        stopped: false,
    }
}
