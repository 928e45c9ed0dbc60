//! Everything that is tested from outside the library, in one binary.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

mod ingest;
mod published;
