//! A worker that answers one question at a time; of the questions that wait, only the newest is kept.
//!
//! A worker is ended to cancel its work, and when a newer question has waited too long. The next worker then takes its
//! place, as it does after a crash. A question that was lost with its worker is not repeated until the visitor asks for
//! it: it might end the next worker too. Nothing here blocks.

mod messages;
mod room;

use crate::browser;
use crate::due::{self, PendingKind, PendingWork};
use crate::watchdog::{SILENCE, Trouble, Watch};
use gloo_timers::callback::Timeout;
use js_sys::{Array, Uint8Array};
use messages::{data_message, message};
use packscope::advice::SharedCurves;
use packscope::histogram::Sizes;
use packscope_page::state::Ticket;
use packscope_page::wire::{WorkerRequest, WorkerResponse};
use room::make_use_of_room;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, ErrorEvent, Event, MessageEvent, Worker, WorkerOptions, WorkerType};

/// Milliseconds that a newer question waits before the busy worker is ended. Starting one takes 100 to 200.
const PATIENCE: f64 = 300.0;

#[derive(Clone)]
pub struct Job {
    /// The ticket returned with every answer.
    pub ticket: Ticket,
    pub ask: WorkerRequest,
    /// The names under which a lesson asks its questions; empty for others.
    pub names: Vec<String>,
    /// The data of the question, identified by the version in the ticket; `None` for files.
    pub data: Option<Sizes>,
    /// Which of their tokens bear loss, where that is known.
    pub curves: Option<SharedCurves>,
    pub files: Vec<Blob>,
}

impl Job {
    /// Creates a job without data, files and names.
    pub fn new(ticket: Ticket, ask: WorkerRequest) -> Self {
        Self {
            ticket,
            ask,
            names: Vec::new(),
            data: None,
            curves: None,
            files: Vec::new(),
        }
    }
}

/// A message of a queue to the page.
pub enum JobOutcome {
    Reply(WorkerResponse),
    /// The worker has ended without an answer; the visitor is told why.
    Lost(Trouble),
}

type Listener = Rc<dyn Fn(&Job, JobOutcome)>;

/// One worker at a time, with the question that it answers and the one that waits.
#[derive(Clone)]
pub struct JobQueue(Rc<QueueState>);

/// The kind of work of a queue, which decides how it shares the workers.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// It answers questions that the visitor waits for.
    Answers,
    /// It reads files that the visitor waits for.
    Reads,
    /// It does work that nobody waits for, and leaves the last free worker to other queues.
    Background,
    /// It reads files, and its worker keeps a tokenizer: that worker lives until the queue is dropped.
    Remembers,
}

impl Role {
    fn reads_files(self) -> bool {
        matches!(self, Self::Reads | Self::Remembers)
    }
}

struct QueueState {
    role: Role,
    watch: Watch,
    listener: Listener,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    worker: Option<RunningJob>,
    /// The number of the worker, so that late messages of an ended worker are ignored.
    generation: u32,
    ready: bool,
    /// Messages that arrived and are not decoded, the oldest first: some arrive before the code that handles them.
    unread: VecDeque<Uint8Array>,
    /// The version of the data in the worker.
    knows: u64,
    /// The tokens of these data that bear loss, as the worker knows them.
    curves: Option<SharedCurves>,
    flying: Option<(Job, f64)>,
    waiting: Option<Job>,
    /// The question whose worker ended before answering it.
    lost: Option<Job>,
    /// The time of the worker's last message, or of the last question.
    heard: f64,
    /// Marks the page as busy while there is a question.
    asked: Option<PendingWork>,
    /// The timer that checks whether the worker still answers.
    alarm: Option<Timeout>,
    /// The timer that ends an idle worker.
    rest: Option<Timeout>,
}

struct RunningJob {
    worker: Worker,
    // The closures must live as long as the worker calls them.
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(Event)>,
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        // A message that is already on its way would call a closure that is freed with this value.
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl JobQueue {
    /// Creates a queue whose worker starts with its first question, or with [`JobQueue::warm`].
    pub fn new(watch: &Watch, listener: impl Fn(&Job, JobOutcome) + 'static) -> Self {
        Self::create(Role::Answers, watch, Rc::new(listener))
    }

    pub fn reader(watch: &Watch, listener: impl Fn(&Job, JobOutcome) + 'static) -> Self {
        Self::create(Role::Reads, watch, Rc::new(listener))
    }

    /// Creates a queue for work that nobody waits for, which leaves the last free worker to other queues.
    pub fn background(watch: &Watch, listener: impl Fn(&Job, JobOutcome) + 'static) -> Self {
        Self::create(Role::Background, watch, Rc::new(listener))
    }

    /// Creates a queue whose worker reads files, and keeps the tokenizer that it received.
    pub fn remembering(watch: &Watch, listener: impl Fn(&Job, JobOutcome) + 'static) -> Self {
        Self::create(Role::Remembers, watch, Rc::new(listener))
    }

    fn create(role: Role, watch: &Watch, listener: Listener) -> Self {
        let inner = QueueState {
            role,
            watch: watch.clone(),
            listener,
            state: RefCell::default(),
        };
        let queue = Self(Rc::new(inner));
        room::enter(&queue);
        queue
    }

    /// Starts the worker before it is needed, if there is room for it.
    pub fn warm(&self) {
        if self.0.state.borrow().worker.is_none() {
            self.start();
        }
    }

    fn number(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }

    fn note(&self, trouble: Trouble, ask: &WorkerRequest) {
        let queue = self.clone();
        self.0
            .watch
            .note(self.number(), trouble, ask, move || queue.again());
    }

    /// Asks a question, which replaces an older one that still waits.
    pub fn ask(&self, job: Job) {
        let overdue = {
            let mut state = self.0.state.borrow_mut();
            (state.waiting, state.lost, state.rest) = (Some(job), None, None);
            state
                .flying
                .as_ref()
                .is_some_and(|(_, since)| browser::milliseconds() - since > PATIENCE)
        };
        // The busy worker is ended only for a question of the same queue, whose answer makes the old
        // one useless.
        if overdue {
            self.start();
        }
        self.warm();
        self.send_next();
        self.listen();
        self.report();
    }

    /// Asks the unanswered question again.
    pub fn again(&self) {
        let (silent, job) = {
            let mut state = self.0.state.borrow_mut();
            // The listener is called without a borrow of the state: it may ask the next question,
            // which borrows it.
            let silent = state.flying.take().map(|(job, _)| job);
            let job = state
                .waiting
                .take()
                .or_else(|| silent.clone())
                .or_else(|| state.lost.take());
            (silent, job)
        };
        if let Some(silent) = silent {
            (self.0.listener)(&silent, JobOutcome::Lost(Trouble::Silent));
        }
        if let Some(job) = job {
            self.start();
            self.ask(job);
        }
    }

    /// Cancels the work, and starts a fresh worker if there was any.
    pub fn cancel(&self) {
        self.forgive();
        let busy = {
            let mut state = self.0.state.borrow_mut();
            state.waiting = None;
            state.flying.is_some()
        };
        if busy {
            self.start();
        }
        self.report();
    }

    pub fn is_busy(&self) -> bool {
        let state = self.0.state.borrow();
        state.flying.is_some() || state.waiting.is_some()
    }

    /// Updates whether the page is busy with this queue's question.
    fn report(&self) {
        // The new mark is made before the old one is dropped, so that the page never looks idle in
        // between.
        let asked = self.is_busy().then(|| PendingWork::new(PendingKind::Asked));
        self.0.state.borrow_mut().asked = asked;
        due::notify_change();
    }

    /// Whether the last question was lost with its worker.
    pub fn has_lost(&self) -> bool {
        self.0.state.borrow().lost.is_some()
    }

    /// Cancels the work; a new worker starts with the next question.
    pub fn stop(&self) {
        self.forgive();
        let was_busy = {
            let mut state = self.0.state.borrow_mut();
            state.waiting = None;
            state.flying.take().is_some()
        };
        if was_busy {
            self.end();
            make_use_of_room();
        }
        self.report();
    }

    /// Forgets the lost question, and the message about it.
    pub fn forgive(&self) {
        self.0.state.borrow_mut().lost = None;
        self.0.watch.forget(self.number());
    }

    /// Starts a fresh worker in place of the current one, whose question is dropped.
    fn start(&self) {
        self.end();
        let generation = {
            let mut state = self.0.state.borrow_mut();
            (state.flying, state.heard) = (None, browser::milliseconds());
            state.generation
        };
        // Without room, the queue waits until another worker becomes idle.
        if !self.finds_room() {
            return;
        }
        self.load_code(generation);
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let Ok(worker) = Worker::new_with_options(&browser::worker_url(), &options) else {
            return self.lose(generation, Trouble::Missing);
        };
        let (queue, failed) = (self.clone(), self.clone());
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |e: MessageEvent| {
            queue.receive(generation, &e)
        });
        let on_error =
            Closure::<dyn Fn(Event)>::new(move |e: Event| failed.lose(generation, failed.why(&e)));
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        self.0.state.borrow_mut().worker = Some(RunningJob {
            worker,
            _on_message: on_message,
            _on_error: on_error,
        });
    }

    fn on_reply(&self, generation: u32, reply: Option<WorkerResponse>) {
        let Some(reply) = reply else {
            return self.lose(generation, Trouble::Missing);
        };
        let job = {
            let mut state = self.0.state.borrow_mut();
            if state.generation != generation {
                return;
            }
            match reply {
                WorkerResponse::Ready => {
                    state.ready = true;
                    None
                }
                WorkerResponse::Missing => {
                    drop(state);
                    return self.lose(generation, Trouble::Missing);
                }
                // More replies follow: the question stays in flight, and the queue sends no other.
                _ if reply.continues() => state.flying.as_ref().map(|(job, _)| job.clone()),
                _ => state.flying.take().map(|(job, _)| job),
            }
        };
        if let Some(job) = job {
            self.0.watch.forget(self.number());
            (self.0.listener)(&job, JobOutcome::Reply(reply));
        }
        self.send_next();
        self.listen();
        self.report();
        self.end_idle_worker();
    }

    /// Returns the reason why a worker has ended, as far as it is known.
    fn why(&self, event: &Event) -> Trouble {
        let says = |words| {
            event
                .dyn_ref::<ErrorEvent>()
                .is_some_and(|e| e.message().contains(words))
        };
        // A worker that does not load and one that runs out of memory raise the same event: one
        // that was ready had loaded. The text of a panic comes from the hook in `worker::listen`.
        match self.0.state.borrow().ready || says("memory") {
            _ if says("panicked") => Trouble::Mistake,
            true => Trouble::Ended,
            false => Trouble::Missing,
        }
    }

    fn lose(&self, generation: u32, trouble: Trouble) {
        let lost = {
            let mut state = self.0.state.borrow_mut();
            if state.generation != generation {
                return;
            }
            // A new worker starts only with the next question: one that cannot start would be restarted forever.
            (state.worker, state.ready, state.knows) = (None, false, 0);
            state.lost = state
                .flying
                .take()
                .map(|(job, _)| job)
                // A worker that does not start has no question in flight; then the waiting one is
                // lost.
                .or_else(|| state.waiting.take());
            state.lost.clone()
        };
        if let Some(job) = lost {
            (self.0.listener)(&job, JobOutcome::Lost(trouble));
            self.note(trouble, &job.ask);
        }
        self.report();
        make_use_of_room();
    }

    /// Restarts the watch for a silent worker.
    fn listen(&self) {
        self.0.state.borrow_mut().heard = browser::milliseconds();
        self.set_alarm(SILENCE);
    }

    fn set_alarm(&self, after: f64) {
        let mut state = self.0.state.borrow_mut();
        if state.alarm.is_none() && (state.flying.is_some() || state.waiting.is_some()) {
            let queue = self.clone();
            state.alarm = Some(due::aside(after.ceil() as u32, move || queue.look()));
        }
    }

    /// Reports a worker that has been silent for [`SILENCE`].
    fn look(&self) {
        let (silent, asked) = {
            let mut state = self.0.state.borrow_mut();
            state.alarm = None;
            let asked = state
                .flying
                .as_ref()
                .map(|(job, _)| job)
                .or(state.waiting.as_ref());
            // A queue that waits for room has no worker that could be silent.
            let silent = if state.worker.is_some() {
                browser::milliseconds() - state.heard
            } else {
                0.0
            };
            (silent, asked.map(|job| job.ask.clone()))
        };
        match asked {
            Some(ask) if silent >= SILENCE => self.note(Trouble::Silent, &ask),
            _ => self.set_alarm(SILENCE - silent),
        }
    }

    fn send_next(&self) {
        let mut state = self.0.state.borrow_mut();
        if !state.ready || state.flying.is_some() {
            return;
        }
        let Some(job) = state.waiting.take() else {
            return;
        };
        if let Some(data) = job.data.as_ref().filter(|_| state.knows != job.ticket.data) {
            // The data go ahead of the question, once: the worker keeps them for the questions that
            // follow.
            state.send(data_message(data), &[]);
            (state.knows, state.curves) = (job.ticket.data, None);
        }
        if job.curves.is_some() && job.curves != state.curves {
            let curves = job.curves.clone();
            let bytes = curves.and_then(|curves| message(&WorkerRequest::Curves(curves)));
            state.send(bytes, &[]);
            state.curves.clone_from(&job.curves);
        }
        state.send(message(&job.ask), &job.files);
        state.flying = Some((job, browser::milliseconds()));
    }
}

impl State {
    /// Sends a message, whose buffer is transferred to the worker; sends nothing if encoding failed.
    fn send(&self, message: Option<Uint8Array>, files: &[Blob]) {
        if let (Some(running), Some(bytes)) = (&self.worker, message) {
            let message = Array::of1(&bytes);
            for file in files {
                message.push(file);
            }
            let _ = running
                .worker
                .post_message_with_transfer(&message, &Array::of1(&bytes.buffer()));
        }
    }
}
