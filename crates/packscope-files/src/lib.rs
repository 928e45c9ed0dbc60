//! Reads the sizes of training data: bytes of a file become a [`Histogram`](packscope_core::Histogram), whatever wrote
//! the file.
//!
//! | | |
//! |---|---|
//! | [`ingest`] | tables, numbers, JSON, JSON Lines, edge lists, plain text, gzip, ZIP, NumPy, TU folders; with `parquet` also Parquet, Arrow, indices of Megatron and fairseq, and zstd |
//! | [`config`] | configurations of trainings: library, limit, batch and packing |
//! | [`formula`] | small formulae over the fields of a record |
//! | [`tokens`] | records as templates; with `tokenizer`, texts counted with the tokenizer of a model, and with `chat`, conversations rendered by its chat template |
//!
//! Nothing here opens a file: callers hand in bytes, readers or names, so that the same code runs in a browser. A file
//! whose lengths are in doubt is refused with the choices that there are.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

pub mod config;
pub mod formula;
pub mod ingest;
pub mod tokens;
