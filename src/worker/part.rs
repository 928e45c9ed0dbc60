//! Reasons why a part of a worker has no answer.

use super::post::{PostedReply, outdated};
use crate::split::MissingPart;
use crate::wire::{Encoded, WorkerResponse, decode};
use packscope::error::{Error, Result};
use serde::de::DeserializeOwned;

/// The reason why there is no answer.
pub enum PartError {
    /// A part could not be loaded.
    Missing,
    /// The engine returned an error.
    Refused(Error),
    /// The message is of another version of the page.
    Outdated,
}

impl PartError {
    /// Returns the reply to the page.
    ///
    /// # Errors
    /// The error of the engine.
    pub fn reply_of(answer: std::result::Result<PostedReply, Self>) -> Result<PostedReply> {
        match answer {
            Ok(reply) => Ok(reply),
            Err(Self::Missing) => Ok(WorkerResponse::Missing),
            Err(Self::Outdated) => Ok(outdated()),
            Err(Self::Refused(error)) => Err(error),
        }
    }
}

impl From<MissingPart> for PartError {
    fn from(_: MissingPart) -> Self {
        Self::Missing
    }
}

impl From<Error> for PartError {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

/// Decodes a question in the part of the worker that answers it.
///
/// # Errors
/// [`PartError::Outdated`] if the bytes are no such question.
pub fn decoded<T: DeserializeOwned>(encoded: &Encoded) -> std::result::Result<T, PartError> {
    decode(encoded).map_err(|_| PartError::Outdated)
}
