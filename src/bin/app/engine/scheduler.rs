//! Questions that the state wants answered, asked lane by lane; and those that lessons and estimates ask themselves.

use super::{Engine, next_ticket};
use crate::browser;
use crate::due::{self, PendingKind};
use crate::job_queue::{self, Job};
use gloo_timers::callback::Timeout;
use packscope_page::query::{Query, Request};
use packscope_page::state::{AppState, Lane, PendingQuery, View, speedup};
use packscope_page::wire::WorkerRequest;
use std::cell::RefCell;
use std::rc::Rc;

/// The queue of a lane and its last question, which is not repeated for the same or a narrower want, even if it was lost.
pub(super) struct LaneScheduler {
    pub(super) queue: job_queue::JobQueue,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    last: Option<PendingQuery>,
    cancelled: bool,
    /// The time at which a delayed question is sent, as [`browser::milliseconds`]; 0 if there is
    /// none.
    due: f64,
    timer: Option<Timeout>,
}

impl LaneScheduler {
    pub(super) fn new(queue: job_queue::JobQueue) -> Self {
        Self {
            queue,
            state: RefCell::default(),
        }
    }

    fn hold(&self) {
        let mut state = self.state.borrow_mut();
        (state.timer, state.due) = (None, 0.0);
    }

    /// Cancels the work at the visitor's request; the same question is not repeated.
    fn cancel(&self, lane: Lane) {
        self.hold();
        if matches!(
            lane,
            Lane::Slow
                | Lane::Proof
                | Lane::Drawn
                | Lane::Rows
                | Lane::Trainer
                | Lane::Advice
                | Lane::Proofs
        ) {
            self.state.borrow_mut().cancelled = true;
            self.queue.cancel();
        }
    }

    /// Forgets the last question, so that it may be asked again.
    fn forget(&self) {
        self.state.take();
    }

    fn stop(&self) {
        self.forget();
        self.queue.stop();
    }

    /// Whether the question was cancelled or lost, and so must not be repeated.
    fn is_over(&self) -> bool {
        self.state.borrow().cancelled || self.queue.has_lost()
    }

    /// Whether the want differs from the last question, or needs it sooner.
    fn is_new(&self, want: &PendingQuery) -> bool {
        let (is_over, state) = (self.is_over(), self.state.borrow());
        let is_asked = state.last.as_ref().is_some_and(|last| match is_over {
            // A cancelled or lost question answers nothing, so a narrower one that it covered is
            // new.
            true => last.is_same(want),
            false => last.covers(want),
        });
        !is_asked || browser::milliseconds() + f64::from(want.rest) < state.due
    }

    /// Asks the question, after the pause that the want prescribes.
    fn ask(&self, want: &PendingQuery, job: Job) {
        match want.lane {
            // The previous search is obsolete, and would block this one.
            Lane::Proof => self.queue.stop(),
            // The lost question was about other settings.
            Lane::Slow => self.queue.forgive(),
            _ => {}
        }
        let mut state = State {
            last: Some(want.clone()),
            ..State::default()
        };
        if want.rest > 0 {
            state.due = browser::milliseconds() + f64::from(want.rest);
            let queue = self.queue.clone();
            state.timer = Some(due::after(PendingKind::Pausing, want.rest, move || {
                queue.ask(job)
            }));
            self.state.replace(state);
        } else {
            self.state.replace(state);
            self.queue.ask(job);
        }
    }

    /// Ends unwanted work. While background work is off (`works` is false), a cancelled question stays cancelled.
    fn end(&self, lane: Lane, works: bool) {
        match lane {
            // Background work is off while the tab is hidden, too: coming back must not start again
            // what was cancelled.
            Lane::Slow | Lane::Proof if !works && self.is_over() => self.hold(),
            Lane::Slow if works => {
                self.queue.forgive();
                self.forget();
            }
            Lane::Slow | Lane::Proof | Lane::Trainer => self.stop(),
            _ => self.forget(),
        }
    }
}

impl Engine {
    /// Asks each new question that the state wants, and ends work that it no longer wants.
    pub fn follow(&self, state: &AppState, wants: &[PendingQuery]) {
        // Starting a worker takes longer than the first points of a sweep, so its lanes are warmed
        // while the visitor reads.
        let works = state.background.works();
        if works && state.view == View::Graphs && state.graphs.data.is_some() {
            self.sweeps().iter().for_each(|sweeps| sweeps.warm());
        }
        for (lane, scheduler) in self.lanes() {
            match wants.iter().find(|want| want.lane == lane) {
                Some(want) if scheduler.is_new(want) => {
                    // A new answer on these lanes makes the message that work was cancelled
                    // obsolete.
                    if matches!(lane, Lane::Live | Lane::Proof | Lane::Drawn) {
                        self.close();
                    }
                    scheduler.ask(want, about(state, want.data, want.queries.clone()));
                }
                Some(_) => {}
                None => scheduler.end(lane, works),
            }
        }
    }

    fn lanes(&self) -> impl Iterator<Item = (Lane, &LaneScheduler)> {
        Lane::ALL.into_iter().zip(&self.lanes)
    }

    pub(super) fn leave_lanes(&self, opened: View) {
        for (lane, scheduler) in self.lanes() {
            match lane {
                // Live and Side answer sooner than a new worker starts, and a certificate is saved
                // whatever is on screen.
                Lane::Live | Lane::Side | Lane::Proofs => scheduler.forget(),
                // A chapter asks its questions when it is rendered, which is before this call.
                Lane::Lessons if opened == View::Learn => scheduler.forget(),
                _ => scheduler.stop(),
            }
        }
    }

    pub(super) fn cancel_lanes(&self) {
        self.lanes()
            .for_each(|(lane, scheduler)| scheduler.cancel(lane));
    }

    /// Allows cancelled work of these lanes to start again.
    pub fn resume(&self, lanes: fn(Lane) -> bool) {
        self.close();
        for (_, scheduler) in self.lanes().filter(|(lane, _)| lanes(*lane)) {
            if scheduler.state.borrow().cancelled {
                scheduler.forget();
            }
        }
    }

    /// Asks a lesson's requests, each under its name; they replace requests that still wait.
    pub fn ask_lesson(&self, asked: Vec<(String, Request)>) {
        let (names, requests) = asked.into_iter().unzip();
        let job = Job {
            names,
            ..Job::new(next_ticket(0), WorkerRequest::Queries(requests))
        };
        self.lanes[Lane::Lessons as usize].queue.ask(job);
    }

    /// Saves the certificate of the optimum on screen as a file of this name; its proof is computed again.
    pub fn certify(&self, state: &AppState, name: String) {
        let (sequences, graphs) = (
            state.sequences.answer.as_ref(),
            state.graphs.answer.as_ref(),
        );
        let query = match state.view {
            View::Graphs => {
                graphs.map(|answer| Query::CertifyGraphs(answer.report.settings.clone()))
            }
            _ => sequences.map(|answer| Query::CertifySequences(answer.report.settings.clone())),
        };
        // The version belongs to the data of the request: with another one the worker would prove a
        // plan of other data.
        let version = if state.view == View::Graphs {
            state.graphs.version()
        } else {
            state.sequences.version()
        };
        let Some(query) = query else { return };
        self.files.borrow_mut().proof = name;
        self.lanes[Lane::Proofs as usize]
            .queue
            .ask(about(state, version, vec![query]));
    }

    /// Asks for the simulated waiting of accelerators; this replaces a question that still waits.
    pub fn ask_waiting(&self, asked: Rc<speedup::WaitingQuestions>) {
        let ask = WorkerRequest::Queries(vec![Query::Waiting(asked).into()]);
        self.lanes[Lane::Waiting as usize]
            .queue
            .ask(Job::new(next_ticket(0), ask));
    }
}

/// Returns the job of questions about this version of the data.
fn about(state: &AppState, version: u64, queries: Vec<Query>) -> Job {
    let requests = queries.into_iter().map(Request::from).collect();
    Job {
        data: state.sizes(version),
        curves: state.curves_of(version),
        ..Job::new(next_ticket(version), WorkerRequest::Queries(requests))
    }
}
