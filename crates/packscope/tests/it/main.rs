//! Tests of the library from outside, in one binary.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

use packscope_test_support as common;

mod advice;
mod api;
mod batches;
mod batches_figures;
mod batches_published;
mod batches_twins;
mod bins;
mod bounds;
mod calibration;
mod computed;
mod examples;
mod export;
mod export_table;
mod lp;
mod nnlshp;
mod optimal;
mod optimal_tuple;
mod packing;
mod packing_twins;
mod published;
mod quality;
mod ranks;
mod ranks_published;
mod rounding;
mod speedup;
mod speedup_assumptions;
mod speedup_waiting;
mod supervision;
mod sweep;
mod tokens;
mod trainer;
mod trainer_advice;
mod trainer_batches;
mod trainer_blocks;
mod trainer_docs;
mod trainer_figures;
mod trainer_graphs;
mod trainer_installed;
mod trainer_lines;
mod trainers;
mod tuple;
mod tuple_twins;
mod watch;
