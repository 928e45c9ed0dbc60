//! A sweep over limits: points are packed on lanes of their own, in parts so small that the first appear at once.

use crate::browser;
use crate::due::{self, PendingKind};
use crate::job_queue::{Job, JobOutcome, JobQueue};
use crate::watchdog::{Watch, WatchMessage};
use gloo_timers::callback::Timeout;
use packscope::api::tuple::Settings;
use packscope::histogram::Sizes;
use packscope::order::Set;
use packscope::sweep::{Sweep, SweepPoint};
use packscope_page::query::{Answer, Query, SweepQuery};
use packscope_page::state::graphs::Action as Graphs;
use packscope_page::state::{Action, GraphState, Ticket};
use packscope_page::wire::{WorkerRequest, WorkerResponse};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::hint::black_box;
use std::rc::{Rc, Weak};
use yew::Callback;

/// Limits sent to a lane at once; it returns those that it had no time for.
const PART: usize = 24;
/// Milliseconds between two updates of the sweep on screen.
const PICTURE: f64 = 60.0;
/// Milliseconds before the lanes start in advance.
const REST: u32 = 700;

/// The runner of sweeps, as the rest of the page sees it.
pub trait Sweeps {
    /// Starts the lanes in advance, once more urgent work is done.
    fn warm(&self);
    /// Starts and stops sweeps, and checks of doubtful points, to match the state.
    fn follow(self: Rc<Self>, state: &GraphState, checks: bool);
}

type Create = fn(Callback<Action>, &Watch) -> Rc<dyn Sweeps>;

thread_local! {
    /// Creates the runner of sweeps, once the part of the page with that code is loaded.
    static CREATE: Cell<Option<Create>> = const { Cell::new(None) };
}

/// Enables sweeps; called by the part of the page that shows them.
pub fn enable() {
    let create: Create = |dispatch, watch| Runner::new(dispatch, watch);
    // `black_box` keeps the compiler from calling the function directly, which would load it with the page.
    CREATE.set(Some(black_box(create)));
}

pub fn is_enabled() -> bool {
    CREATE.get().is_some()
}

/// Returns a new runner of sweeps; `None` before the part that shows them is loaded.
pub(super) fn create(dispatch: &Callback<Action>, watch: &Watch) -> Option<Rc<dyn Sweeps>> {
    Some(CREATE.get()?(dispatch.clone(), watch))
}

struct Runner {
    queues: Vec<JobQueue>,
    running: RefCell<Option<RunningSweep>>,
    dispatch: Callback<Action>,
    warming: RefCell<Option<Timeout>>,
}

struct RunningSweep {
    run: u64,
    version: u64,
    /// The sweep; `None` while points of a finished sweep are checked.
    sweep: Option<Sweep<2>>,
    settings: Settings,
    items: Sizes,
    /// Limits that a lane returned undone, and limits to check.
    again: VecDeque<[u32; 2]>,
    /// Limits whose check has started.
    asked: Set<[u32; 2]>,
    busy: Vec<bool>,
    /// Points that are not on screen yet.
    points: Vec<SweepPoint<2>>,
    shown_at: f64,
    trouble: Option<String>,
    picture: Option<Timeout>,
}

impl Runner {
    /// Creates two or three lanes that start when needed.
    fn new(dispatch: Callback<Action>, watch: &Watch) -> Rc<Self> {
        let cores = browser::window().navigator().hardware_concurrency();
        // Lanes call the runner, which owns them: a strong reference would keep both for ever.
        Rc::new_cyclic(|runner: &Weak<Self>| {
            let queue = |at| {
                let runner = runner.clone();
                JobQueue::new(watch, move |job: &Job, heard| {
                    if let Some(runner) = runner.upgrade() {
                        runner.on_outcome(at, job, heard);
                    }
                })
            };
            Self {
                // At most as many as there may be workers at a time: see `room`.
                queues: (0..cores.clamp(2.0, 3.0) as usize).map(queue).collect(),
                running: RefCell::default(),
                dispatch,
                warming: RefCell::default(),
            }
        })
    }

    /// Ends the running sweep or check, and starts the one that the state asks for if it is `due`.
    fn restart(&self, state: &GraphState, due: bool) {
        if self.running.take().is_some_and(|r| r.busy.contains(&true)) {
            for queue in &self.queues {
                // `stop` ends the worker, so that nothing of the old sweep delays the new one; the
                // next worker starts at once.
                queue.stop();
                queue.warm();
            }
        }
        let course = &state.course;
        // `swept` has the ranges of the sweep on screen, which a check needs too.
        let (true, Some(data), Some(ranges)) = (due, &state.data, course.swept) else {
            return;
        };
        *self.running.borrow_mut() = Some(RunningSweep {
            run: course.run,
            version: data.version,
            sweep: course.running.then(|| Sweep::new(course.method, ranges)),
            settings: state.sweep_settings(),
            items: data.sizes(),
            again: VecDeque::new(),
            asked: Set::new(),
            busy: vec![false; self.queues.len()],
            points: Vec::new(),
            shown_at: 0.0,
            trouble: None,
            picture: None,
        });
    }

    /// Gives every idle lane a job, and shows the points so far.
    fn feed(self: &Rc<Self>) {
        for (at, queue) in self.queues.iter().enumerate() {
            let job = self
                .running
                .borrow_mut()
                .as_mut()
                .and_then(|running| running.job(at));
            if let Some(job) = job {
                queue.ask(job);
            }
        }
        self.picture();
    }

    fn on_outcome(self: &Rc<Self>, at: usize, job: &Job, heard: JobOutcome) {
        let outcome = match heard {
            JobOutcome::Reply(WorkerResponse::Answers(answers)) => answers
                .answers
                .into_iter()
                .next()
                .map(|answered| answered.outcome),
            JobOutcome::Reply(WorkerResponse::Refused(why)) => Some(Err(why)),
            JobOutcome::Reply(_) => None,
            JobOutcome::Lost(trouble) => Some(Err(WatchMessage::new(trouble, &job.ask).words)),
        };
        let Some(Ok(Answer::Sweep(tried))) = outcome else {
            // The visitor did not ask for a check, so its failure is not reported.
            let mut running = self.running.borrow_mut();
            if running.as_ref().is_some_and(|r| r.sweep.is_none()) {
                *running = None;
                return;
            }
            drop(running);
            let Some(Err(why)) = outcome else { return };
            return self
                .dispatch
                .emit(Action::Graphs(Graphs::Unswept(job.ticket.number, why)));
        };
        if let Some(running) = self
            .running
            .borrow_mut()
            .as_mut()
            // The number of a sweep's ticket is its run: replies to an earlier run are dropped.
            .filter(|r| r.run == job.ticket.number)
        {
            running.take(at, job, tried);
        }
        self.feed();
    }

    /// Shows the points so far, at most once per [`PICTURE`].
    fn picture(self: &Rc<Self>) {
        let action = {
            let mut running = self.running.borrow_mut();
            let Some(r) = running.as_mut() else { return };
            let over = !r.busy.contains(&true);
            // A check shows nothing until it has a point: the finished sweep stays on screen.
            if r.sweep.is_none() && r.points.is_empty() {
                return;
            }
            let since = browser::milliseconds() - r.shown_at;
            // Nothing new, or a timer is already set to show it.
            if !over && (r.points.is_empty() || r.picture.is_some()) {
                return;
            }
            // Every update of the state renders the view: points that arrive meanwhile wait for the
            // next one.
            if !over && since < PICTURE {
                let runner = Rc::clone(self);
                let show = move || {
                    if let Some(r) = runner.running.borrow_mut().as_mut() {
                        r.picture = None;
                    }
                    runner.picture();
                };
                r.picture = Some(due::after(
                    PendingKind::Pausing,
                    (PICTURE - since) as u32 + 1,
                    show,
                ));
                return;
            }
            r.shown_at = browser::milliseconds();
            let points = std::mem::take(&mut r.points);
            let none = r
                .sweep
                .as_ref()
                .is_some_and(|sweep| sweep.points().is_empty());
            match r.trouble.take() {
                _ if r.sweep.is_none() => Graphs::Checked(r.run, points),
                Some(why) if over && none => Graphs::Unswept(r.run, why),
                _ => Graphs::Swept(r.run, points, over),
            }
        };
        self.dispatch.emit(Action::Graphs(action));
    }
}

impl Sweeps for Runner {
    fn warm(&self) {
        let queues = self.queues.clone();
        self.warming.borrow_mut().get_or_insert_with(|| {
            due::after(PendingKind::Pausing, REST, move || {
                queues.iter().for_each(JobQueue::warm)
            })
        });
    }

    fn follow(self: Rc<Self>, state: &GraphState, checks: bool) {
        let course = &state.course;
        let doubtful: &[_] = if checks { &course.doubtful } else { &[] };
        let sweeps = course.running;
        let due = (sweeps || !doubtful.is_empty()).then_some((course.run, sweeps));
        let under_way = self
            .running
            .borrow()
            .as_ref()
            .map(|r| (r.run, r.sweep.is_some()));
        if under_way != due {
            self.restart(state, due.is_some());
        }
        if let Some(running) = self
            .running
            .borrow_mut()
            .as_mut()
            .filter(|r| r.sweep.is_none())
        {
            running.check(doubtful);
        }
        if under_way != due || !sweeps {
            self.feed();
        }
    }
}

impl RunningSweep {
    /// Replaces the limits to check, except for those whose check has started.
    fn check(&mut self, doubtful: &[[u32; 2]]) {
        self.again = doubtful
            .iter()
            .filter(|limits| !self.asked.contains_key(*limits))
            .copied()
            .collect();
    }

    /// Returns the next job of a lane; `None` if it is busy or there is nothing to do now.
    fn job(&mut self, at: usize) -> Option<Job> {
        if self.busy[at] {
            return None;
        }
        // A check runs the slow algorithm, which takes a worker's whole time for one point.
        let part = if self.sweep.is_some() { PART } else { 1 };
        let next = || {
            self.again
                .pop_front()
                .or_else(|| self.sweep.as_mut()?.ask())
        };
        let limits: Vec<_> = std::iter::from_fn(next).take(part).collect();
        if limits.is_empty() {
            return None;
        }
        self.busy[at] = true;
        if self.sweep.is_none() {
            limits.iter().for_each(|limits| {
                self.asked.insert(*limits, ());
            });
        }
        let ticket = Ticket {
            data: self.version,
            number: self.run,
        };
        let query = Query::Sweep(SweepQuery {
            settings: self.settings.clone(),
            limits,
            thorough: self.sweep.is_none(),
            all: false,
        });
        Some(Job {
            data: Some(self.items.clone()),
            ..Job::new(ticket, WorkerRequest::Queries(vec![query.into()]))
        })
    }

    fn take(
        &mut self,
        at: usize,
        job: &Job,
        tried: Vec<([u32; 2], Result<SweepPoint<2>, String>)>,
    ) {
        self.busy[at] = false;
        if let WorkerRequest::Queries(asked) = &job.ask
            && let Some(Query::Sweep(SweepQuery { limits, .. })) = asked.first().map(|r| &r.query)
        {
            // A worker answers in order and stops when its time is over, so the rest of the list is
            // what it did not try.
            self.again.extend(limits.iter().skip(tried.len()));
        }
        for (limits, tried) in tried {
            match tried {
                Ok(point) => {
                    if let Some(sweep) = &mut self.sweep {
                        sweep.tell(point);
                    }
                    self.points.push(point);
                }
                Err(why) => {
                    if let Some(sweep) = &mut self.sweep {
                        sweep.refuse(limits);
                    }
                    self.trouble = Some(why);
                }
            }
        }
    }
}
