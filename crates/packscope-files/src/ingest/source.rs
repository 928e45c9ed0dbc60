//! Random access to bytes.

use packscope_core::error::Result;
use std::cell::RefCell;

/// A file of the browser or of the shell, or memory. Formats with their table of contents at the end need it, and so
/// does reading twice.
pub trait Source {
    /// Returns the number of bytes; `u64::MAX` if not known yet, as for a pipe.
    fn size(&self) -> u64;

    /// Reads `length` bytes from `at` on; fewer at the end of the source.
    ///
    /// # Errors
    /// When the bytes cannot be read, with a message for the visitor.
    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>>;

    /// Returns the number of bytes to read at once, if all are wanted: 4 MiB unless reads take long. A reader holds as many.
    fn at_once(&self) -> usize {
        4 << 20
    }
}

/// Reads `length` bytes from `at` on, repeating reads that return fewer; fewer only at the end of the source.
///
/// # Errors
/// Those of [`Source::read`].
pub(super) fn whole(source: &dyn Source, at: u64, length: usize) -> Result<Vec<u8>> {
    let mut bytes = source.read(at, length)?;
    while bytes.len() < length {
        let more = source.read(at + bytes.len() as u64, length - bytes.len())?;
        if more.is_empty() {
            break;
        }
        bytes.extend(more);
    }
    Ok(bytes)
}

/// Bytes that [`Ahead`] reads at once; longer reads go to the source directly.
const AHEAD: usize = 256 << 10;

/// A source that reads ahead, for sources whose every read takes long: the files of an archive are
/// read in very many small reads.
#[derive(Debug, Clone)]
pub struct Ahead<S> {
    source: S,
    /// The bytes that were read last, and where they begin.
    block: RefCell<(u64, Vec<u8>)>,
}

impl<S: Source> Ahead<S> {
    /// Reads ahead in a source, 256 KiB at a time. Nothing is read yet.
    pub fn new(source: S) -> Self {
        Self {
            source,
            block: RefCell::default(),
        }
    }

    /// Returns the source without reading ahead.
    pub fn inner(&self) -> &S {
        &self.source
    }
}

impl<S: Source> Source for Ahead<S> {
    fn size(&self) -> u64 {
        self.source.size()
    }

    fn at_once(&self) -> usize {
        self.source.at_once()
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        if length >= AHEAD {
            return self.source.read(at, length);
        }
        let end = at.saturating_add(length as u64).min(self.size());
        let holds =
            |(from, bytes): &(u64, Vec<u8>)| *from <= at && end <= from + bytes.len() as u64;
        if !holds(&self.block.borrow()) {
            let bytes = self.source.read(at, AHEAD)?;
            self.block.replace((at, bytes));
        }
        let (from, bytes) = &*self.block.borrow();
        // Fewer than were asked for, if the source gives fewer at once; callers use `whole`.
        Ok(bytes
            .iter()
            .skip((at - from) as usize)
            .take(length)
            .copied()
            .collect())
    }
}

impl Source for &[u8] {
    fn size(&self) -> u64 {
        (**self).size()
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        (**self).read(at, length)
    }
}

impl Source for [u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        let from = usize::try_from(at).unwrap_or(usize::MAX).min(self.len());
        Ok(self[from..from.saturating_add(length).min(self.len())].to_vec())
    }
}
