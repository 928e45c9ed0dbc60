//! A batch that is being filled.

use super::{Batch, Sink};

/// Items are added one kind after the other; what is full is handed on.
#[derive(Debug, Default)]
pub(super) struct Filling {
    batch: Vec<(u32, u32)>,
    size: u32,
}

impl Filling {
    /// Items in it.
    pub(super) fn size(&self) -> u32 {
        self.size
    }

    /// So many items more of an entry, in batches of `most`, which the batch must not have reached.
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

    /// Hands on what there is.
    pub(super) fn flush(&mut self, sink: &mut Sink) {
        if self.size > 0 {
            sink(&Batch::one(&self.batch));
        }
        self.batch.clear();
        self.size = 0;
    }
}

/// A batch of items that come one by one. Alike ones are put together now and then, so that memory grows with the distinct
/// sizes, not with the batch.
#[derive(Debug, Default)]
pub(super) struct Collected {
    filling: Filling,
    /// How long the list may become.
    room: usize,
}

impl Collected {
    /// What is put together in one go at least.
    const ROOM: usize = 1 << 16;

    /// One item more of an entry; a batch of `most` is handed on.
    #[inline]
    pub(super) fn push(&mut self, entry: u32, most: u32, sink: &mut Sink) {
        if self.filling.batch.len() >= self.room.max(Self::ROOM) {
            self.gather();
        }
        self.filling.push(entry, 1, most, sink);
    }

    /// Hands on what there is.
    pub(super) fn flush(&mut self, sink: &mut Sink) {
        self.filling.flush(sink);
    }

    /// What there is.
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
        self.room = 2 * batch.len();
    }
}
