//! How many workers there are at a time, and when one ends.

use super::{Inner, Lane, Role};
use crate::due;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

/// The most workers at a time: more take memory, and few machines have cores for them beside the page.
const WORKERS: usize = 3;
/// Milliseconds without a question after which a worker is ended, and its memory given back.
const IDLE: u32 = 20_000;

thread_local! {
    static LANES: RefCell<Vec<Weak<Inner>>> = const { RefCell::new(Vec::new()) };
}

/// Returns all lanes.
fn all() -> Vec<Lane> {
    LANES.with_borrow(|lanes| lanes.iter().filter_map(Weak::upgrade).map(Lane).collect())
}

/// Starts workers of lanes that have waited for room.
pub(super) fn make_use_of_room() {
    let waits = |lane: &Lane| {
        let state = lane.0.state.borrow();
        state.worker.is_none() && state.waiting.is_some()
    };
    all().iter().filter(|lane| waits(lane)).for_each(Lane::warm);
}

/// Counts a lane among all.
pub(super) fn enter(lane: &Lane) {
    LANES.with_borrow_mut(|lanes| {
        lanes.retain(|lane| lane.strong_count() > 0);
        lanes.push(Rc::downgrade(&lane.0));
    });
}

impl Lane {
    /// Whether there is room for its worker, which one without a question makes by ending: of several that of the lane made
    /// last, for those that answer to a visitor's hand are made first, and a worker takes longer to start than to answer.
    pub(super) fn finds_room(&self) -> bool {
        let others: Vec<Self> =
            all().into_iter().filter(|lane| !Rc::ptr_eq(&lane.0, &self.0) && lane.has_worker()).collect();
        let (busy, idle): (Vec<_>, Vec<_>) =
            others.iter().partition(|lane| lane.is_busy() || lane.0.role == Role::Remembers);
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
    pub(super) fn rest(&self) {
        if self.is_busy() {
            return;
        }
        if self.0.role != Role::Remembers {
            let lane = self.clone();
            let end = move || {
                if !lane.is_busy() {
                    lane.end()
                }
            };
            self.0.state.borrow_mut().rest = Some(due::aside(IDLE, end));
        }
        make_use_of_room();
    }

    /// Ends the worker; the next one starts with the next question.
    pub(super) fn end(&self) {
        let mut state = self.0.state.borrow_mut();
        (state.worker, state.ready, state.knows) = (None, false, 0);
        state.unread.clear();
        state.generation += 1;
    }
}
