//! Reasons why a part of a worker has no answer.

use crate::error::{Error, Result};
use crate::split::Missing;
use crate::wire::Reply;

/// The reason why there is no answer.
pub enum Failed {
    /// A part could not be loaded.
    Missing,
    /// The engine returned an error.
    Refused(Error),
}

impl Failed {
    /// Returns the reply to the page.
    ///
    /// # Errors
    /// The error of the engine.
    pub fn told(answer: std::result::Result<Reply, Self>) -> Result<Reply> {
        match answer {
            Ok(reply) => Ok(reply),
            Err(Self::Missing) => Ok(Reply::Missing),
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
