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
