//! Progress of the reading, and forwarding of its records to callbacks.

use super::input::{File, ReadProgress, RecordVisitor};
use super::side_by_side::Crew;
use super::tally::Tally;
use std::cell::RefCell;
use std::rc::Rc;

/// Records to be forwarded: their sizes one after the other, and their counts.
type PendingRecords = Rc<RefCell<(Vec<u32>, Vec<u64>)>>;

/// Progress through all files.
pub(super) struct Course<'p> {
    progress: &'p mut ReadProgress<'p>,
    each: Option<&'p mut RecordVisitor<'p>>,
    /// Who reads tables side by side.
    pub crew: Option<&'p dyn Crew>,
    /// Shared with the tally, whose callback must be `'static`, while `each` is borrowed.
    waiting: PendingRecords,
    components: usize,
    of: u64,
    /// Bytes of the files before the present one.
    before: u64,
    stopped: Option<u64>,
}

impl<'p> Course<'p> {
    pub fn new(files: &[File<'_>], progress: &'p mut ReadProgress<'p>) -> Self {
        // A pipe has a size of `u64::MAX`; the sum must not overflow.
        let of = files
            .iter()
            .fold(0, |sum: u64, file| sum.saturating_add(file.source.size()));
        Self {
            progress,
            each: None,
            crew: None,
            waiting: PendingRecords::default(),
            components: 1,
            of,
            before: 0,
            stopped: None,
        }
    }

    /// Sets the callback for every record.
    pub fn telling(self, each: &'p mut RecordVisitor<'p>) -> Self {
        Self {
            each: Some(each),
            ..self
        }
    }

    /// Sets who reads tables side by side.
    #[cfg(feature = "parquet")]
    pub fn shared(self, crew: &'p dyn Crew) -> Self {
        Self {
            crew: Some(crew),
            ..self
        }
    }

    /// Begins a file, with the bytes in the files before it.
    pub fn begin(&mut self, before: u64) {
        self.before = before;
    }

    /// Collects the records that this tally counts, for the next [`tell`](Self::tell).
    pub fn listen<const K: usize>(&mut self, tally: &mut Tally<K>) {
        // Without a callback, records are not collected: there may be ten million.
        if self.each.is_none() {
            return;
        }
        let waiting = Rc::clone(&self.waiting);
        self.components = K;
        tally.tell(move |size, count| {
            let (sizes, counts) = &mut *waiting.borrow_mut();
            sizes.extend(size);
            counts.push(count);
        });
    }

    /// Passes the collected records to the callback.
    pub fn tell(&mut self) {
        let Some(each) = &mut self.each else { return };
        let (sizes, counts) = &mut *self.waiting.borrow_mut();
        // Sizes of all components lie in one list, so that no record allocates.
        for (size, count) in sizes.chunks_exact(self.components).zip(counts.iter()) {
            each(size, *count);
        }
        sizes.clear();
        counts.clear();
    }

    /// Reports a position, in bytes of the file; returns whether to end the reading early.
    pub fn reached(&mut self, position: u64) -> bool {
        let done = (self.before + position).min(self.of);
        // At the end there is nothing left to stop.
        if (self.progress)(done, self.of).is_break() && done < self.of {
            self.stopped = Some(done);
        }
        self.is_stopped()
    }

    /// Whether the reading was ended early.
    pub fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Returns the bytes read before an early end, and the bytes in total.
    pub fn stopped(&self) -> Option<(u64, u64)> {
        self.stopped.map(|read| (read, self.of))
    }
}
