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
mod export;
mod fields;
mod ingest;
#[cfg(feature = "parquet")]
mod ingest_hostile;
mod ingest_open;
mod ingest_text;
#[cfg(feature = "plot")]
mod learn;
mod load;
#[cfg(feature = "cli")]
mod odd;
mod optimal;
mod optimal_tuple;
mod packing;
mod pin;
mod published;
mod quality;
mod share;
mod speedup;
mod speedup_assumptions;
mod speedup_waiting;
mod state;
mod state_background;
mod state_batches;
mod state_graphs;
mod state_speedup;
mod state_speedup_words;
mod state_tokens;
mod sweep;
#[cfg(feature = "tokenizer")]
mod tokens;
mod tuple;
mod watch;
