//! Tests of the sizes from outside, in one binary.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

mod histogram;
mod order;
mod words;
