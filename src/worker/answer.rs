//! What a worker's answer comes to, where parts of the worker may be missing.

use super::post::send;
use crate::error::Error;
use crate::split::Missing;
use crate::wire::Reply;
use std::future::Future;

/// The reason why there is no answer.
pub enum Failed {
    /// A part could not be loaded.
    Missing,
    /// The engine or the reader refuses.
    Refused(Error),
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

/// A reply to a question, or the reason why there is none.
pub type Answer = Result<Reply, Failed>;

/// Sends an answer once it is there.
pub fn send_when_ready(answer: impl Future<Output = Answer> + 'static) {
    wasm_bindgen_futures::spawn_local(async {
        send(&match answer.await {
            Ok(reply) => reply,
            Err(Failed::Missing) => Reply::Missing,
            Err(Failed::Refused(error)) => Reply::Refused(error.to_string()),
        });
    });
}
