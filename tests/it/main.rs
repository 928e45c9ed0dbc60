//! Everything that is tested from outside the library, in one binary.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

mod api;
mod common;
mod packing;
mod published;
