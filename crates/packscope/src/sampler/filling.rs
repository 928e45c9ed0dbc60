//! Batches under construction.

use super::{Batch, Sink};

/// A batch filled entry by entry; a full one goes to the sink.
#[derive(Debug, Default)]
pub(super) struct BatchFilling {
    batch: Vec<(u32, u32)>,
    size: u32,
}

impl BatchFilling {
    pub(super) fn size(&self) -> u32 {
        self.size
    }

    /// Adds items of an entry, in batches of `most`, which the batch must not have reached.
    #[inline]
    pub(super) fn push(&mut self, entry: u32, mut left: u32, most: u32, sink: &mut Sink) {
        while left > 0 {
            let taken = left.min(most - self.size);
            self.batch.push((entry, taken));
            self.size += taken;
            left -= taken;
            if self.size == most {
                self.flush(sink);
            }
        }
    }

    pub(super) fn flush(&mut self, sink: &mut Sink) {
        if self.size > 0 {
            sink(&Batch::single(&self.batch));
        }
        self.batch.clear();
        self.size = 0;
    }
}

/// A batch of items that arrive one by one. Equal ones are merged now and then, so that memory grows with the distinct
/// sizes, not with the batch.
#[derive(Debug, Default)]
pub(super) struct ArrivalBatch {
    filling: BatchFilling,
    /// The length at which the list is merged.
    room: usize,
}

impl ArrivalBatch {
    /// The shortest list that is merged.
    const ROOM: usize = 1 << 16;

    /// Adds an item of an entry; a batch of `most` goes to the sink.
    #[inline]
    pub(super) fn push(&mut self, entry: u32, most: u32, sink: &mut Sink) {
        if self.filling.batch.len() >= self.room.max(Self::ROOM) {
            self.gather();
        }
        self.filling.push(entry, 1, most, sink);
    }

    pub(super) fn flush(&mut self, sink: &mut Sink) {
        self.filling.flush(sink);
    }

    pub(super) fn into_items(self) -> Vec<(u32, u32)> {
        self.filling.batch
    }

    fn gather(&mut self) {
        let batch = &mut self.filling.batch;
        batch.sort_unstable();
        batch.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += if same { later.1 } else { 0 };
            same
        });
        // Twice what is left, so that all merging together takes time in proportion to the items.
        self.room = 2 * batch.len();
    }
}
