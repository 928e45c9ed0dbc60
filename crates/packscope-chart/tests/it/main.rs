//! Tests of the drawings from outside, in one binary.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

use packscope_test_support as common;

mod chart;
mod very_many;
