//! Workers' answers, turned into actions on the state.

use super::contents::show;
use super::{OpenedFiles, WaitProgress, Work};
use crate::files::{OpenFiles, save_text};
use crate::job_queue::{Job, JobOutcome};
use packscope::api::PackingSettings;
use packscope::packing::{Algorithm, PATIENCE, Step};
use packscope::words::count;
use packscope_page::query::{Answer, Finding, Query, Question, TimedAnswer};
use packscope_page::state::graphs::{self, GraphUpdate};
use packscope_page::state::learn::LessonAnswer;
use packscope_page::state::{Action, CachedAnswer, StudyEvent, StudyUpdate, Ticket};
use packscope_page::wire::{Answers, WorkerRequest, WorkerResponse};
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
    let reply = match heard {
        JobOutcome::Reply(reply) => reply,
        JobOutcome::Lost(_) => return lost(job, dispatch, waiting),
    };
    // Cloned, as the arm for refused files borrows `files` again.
    let opened = &files.borrow().read.clone();
    // The progress goes away with the last reply to a question, but stays between its parts.
    if is_waited_for(&job.ask) {
        match &reply {
            WorkerResponse::Progress(step) => waiting.emit(Some(wait(job, *step, opened))),
            reply if !reply.continues() => waiting.emit(None),
            _ => {}
        }
    }
    match reply {
        WorkerResponse::Answers(answers) => {
            let emit = |action| dispatch.emit(action);
            actions(job, answers, &files.borrow().proof)
                .into_iter()
                .for_each(emit);
        }
        WorkerResponse::Refused(why) => {
            let emit = |action| dispatch.emit(action);
            refused(job, &why).into_iter().for_each(emit);
        }
        WorkerResponse::Progress(Step::Found { packs, bound }) => {
            tell_search(job, dispatch, SearchEvent::Found { packs, bound });
        }
        WorkerResponse::Read(contents) => show(*contents, files, dispatch),
        WorkerResponse::Unread(why, asked) => {
            if let Some(read) = &mut files.borrow_mut().read {
                read.asked = asked;
            }
            let name = opened.as_ref().map_or("", |o| o.name.as_str());
            dispatch.emit(Action::Unreadable(format!("{name}: {why}")));
        }
        _ => {}
    }
}

/// Returns the actions where the worker refuses all questions of a job.
fn refused(job: &Job, why: &str) -> Vec<Action> {
    let refused = TimedAnswer {
        outcome: Err(why.to_owned()),
        seconds: 0.0,
    };
    let answers = match &job.ask {
        WorkerRequest::Queries(requests) => vec![refused; requests.len()],
        _ => Vec::new(),
    };
    let answers = Answers {
        first: 0,
        answers,
        more: false,
    };
    actions(job, answers, "")
}

/// Returns the actions of answers to the questions of a job; a certificate is saved under this name instead.
fn actions(
    job: &Job,
    Answers {
        first,
        answers,
        more,
    }: Answers,
    proof: &str,
) -> Vec<Action> {
    let WorkerRequest::Queries(requests) = &job.ask else {
        return Vec::new();
    };
    let names = job.names.iter().skip(first);
    let requests = requests.iter().skip(first);
    if !job.names.is_empty() {
        let answer = |((name, request), answered): ((&String, &_), TimedAnswer)| {
            let request = Clone::clone(request);
            (name.clone(), LessonAnswer { request, answered })
        };
        let answers = names.zip(requests).zip(answers).map(answer).collect();
        return vec![Action::LessonAnswered(answers)];
    }
    let (mut actions, mut known) = (Vec::new(), Vec::new());
    for (request, answered) in requests.zip(answers) {
        match &request.query {
            Query::Sequences(question) => {
                let finding = |answer| match answer {
                    Answer::Sequences(finding) => Some(finding),
                    _ => None,
                };
                let update = update_of(job.ticket, question, answered, finding, more);
                actions.extend(update.map(Action::Heard));
            }
            Query::Graphs(question) => {
                let finding = |answer| match answer {
                    Answer::Graphs(finding) => Some(finding),
                    _ => None,
                };
                let update = update_of(job.ticket, question, answered, finding, more);
                actions.extend(update.map(|update| Action::Graphs(graphs::Action::Heard(update))));
            }
            query if query.is_proof() => actions.extend(certified(answered, proof)),
            query => known.push(CachedAnswer {
                ticket: job.ticket,
                query: query.clone(),
                answered,
            }),
        }
    }
    // Together, so that the page renders once.
    if !known.is_empty() {
        actions.push(Action::Answered(known));
    }
    actions
}

fn update_of<S: PackingSettings>(
    ticket: Ticket,
    question: &Question<S>,
    answered: TimedAnswer,
    finding: impl FnOnce(Answer) -> Option<Finding<S>>,
    more: bool,
) -> Option<StudyUpdate<S>> {
    let seconds = answered.seconds;
    let event = match answered.outcome.map(finding) {
        Ok(Some(Finding::Report(report))) => StudyEvent::Report {
            report,
            seconds,
            more,
        },
        Ok(Some(Finding::Rows(rows))) => StudyEvent::Rows(rows),
        Ok(None) => return None,
        Err(why) => StudyEvent::Refused(why),
    };
    Some(StudyUpdate {
        ticket,
        question: question.clone(),
        event,
    })
}

/// Saves a certificate under this name; if there is none, returns the action that shows the reason.
fn certified(answered: TimedAnswer, name: &str) -> Option<Action> {
    match answered.outcome {
        Ok(Answer::CertifySequences(proof) | Answer::CertifyGraphs(proof)) => {
            save_text(name, &proof);
            None
        }
        Ok(_) => None,
        Err(why) => Some(Action::Unreadable(why)),
    }
}

/// Hides the progress; earlier results stay, and the page reports the failure.
fn lost(job: &Job, dispatch: &Callback<Action>, waiting: &Callback<Option<WaitProgress>>) {
    if is_waited_for(&job.ask) {
        waiting.emit(None);
    }
    // The state counts on a search until it hears that it stopped; other lost questions leave nothing open.
    tell_search(job, dispatch, SearchEvent::Stopped);
}

#[derive(Clone, Copy)]
enum SearchEvent {
    Found { packs: u64, bound: u64 },
    Stopped,
}

impl SearchEvent {
    fn of<S: PackingSettings>(self) -> StudyEvent<S> {
        match self {
            Self::Found { packs, bound } => StudyEvent::Found { packs, bound },
            Self::Stopped => StudyEvent::Stopped,
        }
    }
}

/// Dispatches an event of a search; nothing for other questions, whose progress is not in the state.
fn tell_search(job: &Job, dispatch: &Callback<Action>, event: SearchEvent) {
    let ticket = job.ticket;
    match query(&job.ask) {
        Some(Query::Sequences(question @ Question::Prove { .. })) => {
            let (question, event) = (question.clone(), event.of());
            dispatch.emit(Action::Heard(StudyUpdate {
                ticket,
                question,
                event,
            }));
        }
        Some(Query::Graphs(question @ Question::Prove { .. })) => {
            let (question, event) = (question.clone(), event.of());
            let update = GraphUpdate {
                ticket,
                question,
                event,
            };
            dispatch.emit(Action::Graphs(graphs::Action::Heard(update)));
        }
        _ => {}
    }
}

/// Returns the first question of a message.
fn query(ask: &WorkerRequest) -> Option<&Query> {
    match ask {
        WorkerRequest::Queries(requests) => requests.first().map(|request| &request.query),
        _ => None,
    }
}

/// Whether the visitor waits for the answer, as for a file, but not for a row of the table.
fn is_waited_for(ask: &WorkerRequest) -> bool {
    match ask {
        WorkerRequest::Queries(requests) => requests.iter().any(|r| r.query.is_waited_for()),
        WorkerRequest::Files(_) => true,
        _ => false,
    }
}

fn wait(job: &Job, step: Step, opened: &Option<OpenFiles>) -> WaitProgress {
    let query = query(&job.ask);
    let is_proof = query.is_some_and(Query::is_proof);
    let what = match (step, query, opened) {
        _ if is_proof => "Finding the proof once more".to_owned(),
        (Step::Found { packs, bound }, query, _) => format!(
            "Looking for the optimum: {} {} so far, and no plan has fewer than {}",
            count(packs),
            if matches!(query, Some(Query::Graphs(_))) {
                "packs"
            } else {
                "rows"
            },
            count(bound)
        ),
        (_, None, Some(opened)) => format!("Reading {}", opened.name),
        (_, Some(Query::Sequences(Question::Report { settings, .. })), _)
            if settings.algorithm == Algorithm::Nnlshp =>
        {
            "Solving non-negative least squares".to_owned()
        }
        (_, Some(Query::Batches(..)), _) => "Batching sequence by sequence".to_owned(),
        (_, Some(Query::Graphs(_)), _) => "Trying many heuristics".to_owned(),
        _ => "Packing item by item".to_owned(),
    };
    let share = match step {
        // The certificate of an optimum is found by a search whose end is not known.
        Step::Done { done, of } if !is_proof => Some(done as f64 / of as f64),
        _ => None,
    };
    let (most, work) = match query {
        _ if is_proof => (f64::INFINITY, Work::Saving),
        Some(
            Query::Sequences(Question::Prove { budget, .. })
            | Query::Graphs(Question::Prove { budget, .. }),
        ) => (*budget * PATIENCE, Work::Search),
        None => (f64::INFINITY, Work::Files),
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
