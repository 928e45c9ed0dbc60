//! Bytes as they come, unpacked where they are packed with gzip.

use crate::error::{Error, Result};
use crate::words::count;
use flate2::write::MultiGzDecoder;
use std::io::Write;

/// What gzip begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Unpacks what is packed.
pub(super) enum Unpacked {
    /// Nothing has come.
    Begin,
    Plain,
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
}

impl Unpacked {
    /// The bytes that these, which follow `at` others, stand for.
    ///
    /// # Errors
    /// [`Error::Input`] when they are damaged.
    pub fn next<'a>(&'a mut self, at: u64, bytes: &'a [u8]) -> Result<std::borrow::Cow<'a, [u8]>> {
        if matches!(self, Self::Begin) {
            *self = match bytes.starts_with(&GZIP) {
                true => Self::Gzip(Box::new(MultiGzDecoder::new(Vec::new()))),
                false => Self::Plain,
            };
        }
        let Self::Gzip(decoder) = self else {
            return Ok(bytes.into());
        };
        decoder.write_all(bytes).map_err(|error| damaged(at, &error))?;
        Ok(std::mem::take(decoder.get_mut()).into())
    }

    /// What is left when the input ends.
    ///
    /// # Errors
    /// [`Error::Input`] when it ends too early.
    pub fn rest(&mut self, at: u64) -> Result<Vec<u8>> {
        let Self::Gzip(decoder) = self else {
            return Ok(Vec::new());
        };
        decoder.try_finish().map_err(|error| damaged(at, &error))?;
        Ok(std::mem::take(decoder.get_mut()))
    }
}

fn damaged(at: u64, error: &std::io::Error) -> Error {
    Error::Input {
        place: format!("byte {}", count(at + 1)),
        message: format!(
            "the gzip data are damaged or end too early ({error}); expected a file that gunzip unpacks"
        ),
    }
}
