//! Tests of the command line from outside, in one binary.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

use packscope_test_support as common;

mod advise;
mod cli;
mod cli_batch;
mod cli_files;
mod cli_readme;
mod cli_speedup;
mod computed;
mod export;
mod fields;
mod ingest_open;
mod ingest_text;
mod open;
mod printed;
mod ranks;
mod shapes;
mod sources;
mod supervise;
mod tokens;
mod trainer_cli;
mod ways_out;
