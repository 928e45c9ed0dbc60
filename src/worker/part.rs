//! Reasons why a part of a worker has no answer.

use super::post::{Sent, outdated};
use crate::split::Missing;
use crate::wire::{Reply, Sealed, decode};
use packscope::error::{Error, Result};
use serde::de::DeserializeOwned;

/// The reason why there is no answer.
pub enum Failed {
    /// A part could not be loaded.
    Missing,
    /// The engine returned an error.
    Refused(Error),
    /// The message is of another version of the page.
    Outdated,
}

impl Failed {
    /// Returns the reply to the page.
    ///
    /// # Errors
    /// The error of the engine.
    pub fn told(answer: std::result::Result<Sent, Self>) -> Result<Sent> {
        match answer {
            Ok(reply) => Ok(reply),
            Err(Self::Missing) => Ok(Reply::Missing),
            Err(Self::Outdated) => Ok(outdated()),
            Err(Self::Refused(error)) => Err(error),
        }
    }
}

impl From<Missing> for Failed {
    fn from(_: Missing) -> Self {
        Self::Missing
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

/// Opens a question in the part of the worker that answers it.
///
/// # Errors
/// [`Failed::Outdated`] if the bytes are no such question.
pub fn opened<T: DeserializeOwned>(sealed: &Sealed) -> std::result::Result<T, Failed> {
    decode(sealed).map_err(|_| Failed::Outdated)
}
