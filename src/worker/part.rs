//! Reasons why a worker has no answer.

use crate::split::MissingPart;
use crate::wire::WorkerResponse;
use packscope::error::Error;

/// The reason why there is no answer.
pub enum PartError {
    /// A part could not be loaded.
    Missing,
    /// The reader returned an error.
    Refused(Error),
}

impl From<PartError> for WorkerResponse {
    fn from(error: PartError) -> Self {
        match error {
            PartError::Missing => Self::Missing,
            PartError::Refused(error) => Self::Refused(error.to_string()),
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
