//! Everything that is tested from outside the library, in one binary.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

mod api;
mod architecture;
mod batches;
mod batches_figures;
mod batches_published;
mod batches_twins;
#[cfg(feature = "plot")]
mod chart;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod cli_batch;
#[cfg(feature = "cli")]
mod cli_speedup;
mod common;
mod ingest;
mod ingest_text;
#[cfg(feature = "plot")]
mod learn;
mod optimal;
mod optimal_tuple;
mod packing;
mod published;
mod quality;
mod speedup;
mod speedup_assumptions;
mod speedup_waiting;
mod state;
mod state_batches;
mod state_graphs;
mod state_speedup;
mod state_speedup_words;
mod sweep;
mod tuple;
mod watch;
