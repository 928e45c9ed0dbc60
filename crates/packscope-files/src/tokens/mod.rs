//! Exact lengths of texts: their numbers of tokens under the tokenizer of a model.
//!
//! A tokenizer is read from the `tokenizer.json` of Hugging Face's `tokenizers`, whose own code counts, so that lengths
//! equal `len(tokenizer.encode(text).ids)`. Truncation and padding in the file are switched off: packing handles long
//! sequences.
//!
//! Records are lines of text, JSON values (JSON Lines or an array) or rows of a table (CSV, TSV, semicolons),
//! optionally gzip. A [`Template`] selects the fields to count, and the text between them. Line breaks inside a cell
//! are read as `\n`, as in Python's text files; lines with only white space are not records.
//!
//! Conversations can be counted as the model sees them (feature `chat`): rendered by its chat template, as
//! `apply_chat_template` does.
//!
//! Without a tokenizer, [`estimate`] finds lengths from the characters of texts, with their band.
//!
//! Code that needs the tokenizers themselves is behind the feature `tokenizer`.

mod characters;
#[cfg(feature = "chat")]
mod chat;
mod columns;
mod counter;
#[cfg(feature = "tokenizer")]
mod counting;
mod fields;
#[cfg(feature = "tokenizer")]
mod files;
mod look;
mod measure;
mod options;
pub mod supervised;
mod template;
#[cfg(feature = "tokenizer")]
mod tokenizer;
#[cfg(feature = "tokenizer")]
mod trust;
mod walk;
mod writer;

pub use characters::Characters;
#[cfg(feature = "chat")]
pub use chat::{Chat, Roles, SupervisedText, each_message};
pub use counter::{CountProgress, Counter, count, estimate, for_each_record};
pub use look::look;
pub use measure::TextMeasure;
pub use options::{
    CountOptions, FilePreview, Preview, TOKENIZER, TextField, TokenizerDescription, is_tokenizer,
    may_be_tokenizer,
};
pub use template::{Template, TemplatePiece};
#[cfg(feature = "tokenizer")]
pub use tokenizer::Tokenizer;
pub use writer::{RecordWriter, SpecialTokens};
