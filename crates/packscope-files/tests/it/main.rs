//! Tests of the readers from outside, in one binary.
#![allow(clippy::unwrap_used, reason = "a test may panic: that is how it fails")]

#[path = "../../../../tests/wasm/chats.rs"]
mod chat_families;
mod chats;
mod config;
mod estimates;
mod formula;
mod ingest;
mod ingest_columns;
mod ingest_computed;
mod ingest_dialects;
mod ingest_held;
mod ingest_hostile;
mod ingest_index;
mod ingest_offers;
mod ingest_open;
mod ingest_refused;
mod ingest_reports;
mod ingest_shared;
mod ingest_text;
mod ingest_totals;
mod odd;
mod suggested;
mod supervised_columns;
mod templates;
mod units;

use packscope_files::tokens;
