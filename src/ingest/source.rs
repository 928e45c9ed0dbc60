//! Random access to bytes.

use crate::error::Result;

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
