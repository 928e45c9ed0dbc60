//! Tests of the page from outside, in one binary.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

use packscope_test_support as common;

mod advice;
mod architecture;
mod batches_fair;
mod configuration;
mod fields;
mod heard;
mod learn;
mod load;
mod number;
mod pin;
mod sentences;
mod shapes;
mod share;
mod state;
mod state_attention;
mod state_background;
mod state_batches;
mod state_files;
mod state_graphs;
mod state_pace;
mod state_ranks;
mod state_speedup;
mod state_speedup_words;
mod state_suited;
mod state_supervision;
mod state_tokens;
mod state_wanted;
mod trainer_kinds;
mod trainer_state;
mod understood;
mod wire;
