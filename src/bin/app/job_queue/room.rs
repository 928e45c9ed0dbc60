//! The number of workers at a time, and the end of idle ones.

use super::{JobQueue, QueueState, Role};
use crate::due;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// The most workers at a time: more take memory, and few machines have enough cores for them beside the page.
const WORKERS: usize = 3;
/// Milliseconds without a question after which a worker is ended to free its memory.
const IDLE: u32 = 20_000;

thread_local! {
    static QUEUES: RefCell<Vec<Weak<QueueState>>> = const { RefCell::new(Vec::new()) };
}

fn all_queues() -> Vec<JobQueue> {
    QUEUES.with_borrow(|queues| {
        queues
            .iter()
            .filter_map(Weak::upgrade)
            .map(JobQueue)
            .collect()
    })
}

/// Starts the workers of queues that have waited for room.
pub(super) fn make_use_of_room() {
    let waits = |queue: &JobQueue| {
        let state = queue.0.state.borrow();
        state.worker.is_none() && state.waiting.is_some()
    };
    all_queues()
        .iter()
        .filter(|queue| waits(queue))
        .for_each(JobQueue::warm);
}

pub(super) fn enter(queue: &JobQueue) {
    QUEUES.with_borrow_mut(|queues| {
        queues.retain(|queue| queue.strong_count() > 0);
        queues.push(Rc::downgrade(&queue.0));
    });
}

impl JobQueue {
    /// Whether a worker may run for this queue. If all workers are in use, an idle one is ended to make room: that of
    /// the queue created last, since queues that answer interactive questions are created first, and starting a worker
    /// takes longer than answering.
    pub(super) fn finds_room(&self) -> bool {
        let others: Vec<Self> = all_queues()
            .into_iter()
            .filter(|queue| !Rc::ptr_eq(&queue.0, &self.0) && queue.has_worker())
            .collect();
        let (busy, idle): (Vec<_>, Vec<_>) = others
            .iter()
            .partition(|queue| queue.is_busy() || queue.0.role == Role::Remembers);
        // Background work counts as one more, which keeps the last place for a queue that somebody
        // waits for.
        if busy.len() + usize::from(self.0.role == Role::Background) >= WORKERS {
            return false;
        }
        if others.len() >= WORKERS
            && let Some(idle) = idle.last()
        {
            idle.end();
        }
        true
    }

    fn has_worker(&self) -> bool {
        self.0.state.borrow().worker.is_some()
    }

    /// Ends the worker when it has had no question for [`IDLE`].
    pub(super) fn end_idle_worker(&self) {
        if self.is_busy() {
            return;
        }
        if self.0.role != Role::Remembers {
            let queue = self.clone();
            let end = move || {
                if !queue.is_busy() {
                    queue.end()
                }
            };
            self.0.state.borrow_mut().rest = Some(due::aside(IDLE, end));
        }
        make_use_of_room();
    }

    /// Ends the worker; a new one starts with the next question.
    pub(super) fn end(&self) {
        let mut state = self.0.state.borrow_mut();
        (state.worker, state.ready, state.knows) = (None, false, 0);
        // Messages that its worker has sent belong to no question any more; the generation tells
        // later ones apart.
        state.unread.clear();
        state.generation += 1;
    }
}
