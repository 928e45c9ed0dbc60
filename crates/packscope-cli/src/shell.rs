//! Clock, files and JSON of the command line.

use packscope::error::Error;
use serde_json::Value;
use std::path::Path;

/// Returns an error about a file or stream.
pub fn about(place: &Path, error: &std::io::Error) -> Error {
    Error::Input {
        place: place.display().to_string(),
        message: error.to_string(),
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "a shell measures; the engine has no clock"
)]
pub fn clock() -> std::time::Instant {
    std::time::Instant::now()
}

/// Formats JSON over several lines.
pub fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
