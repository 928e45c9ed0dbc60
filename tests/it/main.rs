//! Everything that is tested from outside the library, in one binary.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

#[cfg(feature = "state")]
mod advice;
mod api;
mod architecture;
mod batches;
#[cfg(feature = "state")]
mod batches_fair;
mod batches_figures;
mod batches_published;
mod batches_twins;
#[cfg(feature = "files")]
mod bins;
mod bounds;
#[cfg(feature = "plot")]
mod calibration;
mod chart;
#[cfg(feature = "chat")]
mod chats;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod cli_batch;
mod cli_files;
#[cfg(feature = "cli")]
mod cli_readme;
#[cfg(feature = "cli")]
mod cli_speedup;
mod common;
mod computed;
mod examples;
#[cfg(feature = "files")]
mod export;
mod export_table;
#[cfg(feature = "state")]
mod fields;
#[cfg(feature = "files")]
mod formula;
#[cfg(feature = "state")]
mod heard;
mod histogram;
#[cfg(feature = "files")]
mod ingest;
#[cfg(feature = "files")]
mod ingest_columns;
#[cfg(feature = "parquet")]
mod ingest_computed;
#[cfg(feature = "files")]
mod ingest_dialects;
#[cfg(feature = "files")]
mod ingest_held;
#[cfg(feature = "parquet")]
mod ingest_hostile;
#[cfg(feature = "parquet")]
mod ingest_index;
#[cfg(feature = "files")]
mod ingest_open;
#[cfg(feature = "files")]
mod ingest_refused;
mod ingest_reports;
#[cfg(feature = "files")]
mod ingest_text;
#[cfg(feature = "files")]
mod ingest_totals;
#[cfg(all(feature = "plot", feature = "state"))]
mod learn;
#[cfg(feature = "state")]
mod load;
mod lp;
mod nnlshp;
mod number;
#[cfg(feature = "cli")]
mod odd;
mod optimal;
mod optimal_tuple;
mod order;
mod packing;
mod packing_twins;
#[cfg(feature = "state")]
mod pin;
mod published;
mod quality;
mod ranks;
mod ranks_published;
#[cfg(all(feature = "plot", feature = "state"))]
mod rounding;
mod sentences;
#[cfg(all(feature = "cli", feature = "wire"))]
mod shapes;
#[cfg(feature = "state")]
mod share;
#[cfg(all(feature = "cli", feature = "plot", feature = "state"))]
mod sources;
mod speedup;
mod speedup_assumptions;
mod speedup_waiting;
#[cfg(feature = "state")]
mod state;
#[cfg(feature = "state")]
mod state_attention;
#[cfg(feature = "state")]
mod state_background;
#[cfg(feature = "state")]
mod state_batches;
#[cfg(feature = "state")]
mod state_files;
#[cfg(feature = "state")]
mod state_graphs;
#[cfg(feature = "state")]
mod state_pace;
#[cfg(all(feature = "state", feature = "wire"))]
mod state_ranks;
#[cfg(feature = "state")]
mod state_speedup;
#[cfg(feature = "state")]
mod state_speedup_words;
#[cfg(feature = "state")]
mod state_suited;
#[cfg(feature = "state")]
mod state_tokens;
#[cfg(feature = "state")]
mod state_wanted;
#[cfg(all(feature = "files", unix))]
mod suggested;
mod sweep;
#[cfg(feature = "files")]
mod templates;
#[cfg(feature = "tokenizer")]
mod tokens;
mod trainer;
mod trainer_advice;
mod trainer_batches;
mod trainer_blocks;
#[cfg(feature = "cli")]
mod trainer_cli;
mod trainer_docs;
mod trainer_graphs;
mod trainer_installed;
mod trainer_kinds;
mod trainer_lines;
mod trainer_state;
#[cfg(feature = "files")]
mod trainers;
mod tuple;
mod tuple_twins;
mod very_many;
mod watch;
#[cfg(feature = "wire")]
mod wire;
mod words;
