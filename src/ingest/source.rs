//! Bytes that are at hand in any order.

use crate::error::Result;

/// A file of the browser, of the shell, or memory: formats that have their table of contents at the end are read from
/// one, and so is whatever is read twice.
pub trait Source {
    /// Number of bytes; `u64::MAX` where it is not known yet, as of a pipe.
    fn size(&self) -> u64;

    /// `length` bytes from a place on; fewer where the source ends.
    ///
    /// # Errors
    /// When the bytes cannot be had, in words for the visitor.
    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>>;
}

/// The same, asked again where a source gives less than there is.
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
