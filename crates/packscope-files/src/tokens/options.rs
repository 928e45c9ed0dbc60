//! Options of counting, and descriptions of tokenizers and files before anything is counted.

use super::template::Template;
use crate::ingest::{Delimiter, Format, MESSAGES};
use packscope_core::words::count;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Options of counting. `default()` detects everything, and counts special tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountOptions {
    /// The format; detected if `None`.
    pub format: Option<Format>,
    /// The delimiter of a table; detected if `None`.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row of a table names its columns; detected if `None`.
    pub header: Option<bool>,
    /// The text to count in each record; if `None`, the fields with text in the first record, each on a line.
    pub template: Option<Template>,
    /// Whether special tokens such as `[CLS]` are counted, as they are by default in `encode`.
    pub special: bool,
    /// The number of records to read from the beginning; a shorter result is labelled as a sample.
    pub sample: Option<u64>,
}

impl Default for CountOptions {
    fn default() -> Self {
        Self {
            format: None,
            delimiter: None,
            header: None,
            template: None,
            special: true,
            sample: None,
        }
    }
}

impl CountOptions {
    /// Returns the options that follow from the name of a file, with or without `.gz`; the default
    /// ones for other names.
    pub fn from_name(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        // Compression says nothing of the format within.
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let (format, delimiter) = match name.rsplit('.').next() {
            Some("txt" | "text" | "md") => (Some(Format::Text), None),
            Some("jsonl" | "ndjson") => (Some(Format::JsonLines), None),
            Some("csv") => (Some(Format::Table), None),
            Some("tsv" | "tab") => (Some(Format::Table), Some(Delimiter::Tab)),
            _ => (None, None),
        };
        Self {
            format,
            delimiter,
            ..Self::default()
        }
    }
}

/// The usual name of a tokenizer's file.
pub const TOKENIZER: &str = "tokenizer.json";

/// Names of tokenizer files. Only the first is supported; the others lead to a message.
const NAMES: [&str; 9] = [
    TOKENIZER,
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    "tokenizer.model",
    "spiece.model",
    "sentencepiece.bpe.model",
];

/// Whether a file may belong to a tokenizer, by its name alone.
pub fn may_be_tokenizer(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".json") || name.ends_with(".tiktoken") || NAMES.contains(&name.as_str())
}

/// Whether a file belongs to a tokenizer, by its name and its first bytes (4 KiB are enough).
pub fn is_tokenizer(name: &str, head: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    if NAMES.contains(&name.as_str()) || name.ends_with(".tiktoken") {
        return true;
    }
    let head = String::from_utf8_lossy(head);
    let is_object = head
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('{');
    let keys = [
        "\"added_tokens\"",
        "\"pre_tokenizer\"",
        "\"normalizer\"",
        "\"truncation\"",
    ];
    // Two of the keys, as the head may end before the model, which is last and large.
    let found = keys.iter().filter(|key| head.contains(**key)).count();
    is_object && (found > 1 || (name.ends_with(TOKENIZER) && head.contains("\"model\"")))
}

/// A tokenizer in figures, for descriptions and notes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenizerDescription {
    /// Kind of the model: `WordPiece`, `BPE`, `Unigram`, `WordLevel`.
    pub model: String,
    /// Tokens in its vocabulary, including added ones.
    pub vocabulary: u64,
    /// Special tokens added to a text.
    pub added: u64,
    /// Special tokens added to a pair of texts.
    pub added_to_pair: u64,
    /// Settings of the file that are switched off because they would change lengths: `truncation to 512 tokens`.
    pub switched_off: Vec<String>,
}

impl fmt::Display for TokenizerDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, vocabulary of {}",
            self.model,
            count(self.vocabulary)
        )
    }
}

/// A field of records that holds text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextField {
    /// Its name in templates; empty if the whole record is text.
    pub name: String,
    /// The content in the first record, shortened.
    pub example: String,
}

/// The tokens of the first record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// Number of tokens.
    pub tokens: u64,
    /// The first tokens, as they are in the text; special tokens by their names.
    pub pieces: Vec<String>,
}

/// The contents of a file, from its beginning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePreview {
    /// The format; plain numbers are not texts.
    pub format: Format,
    /// The delimiter of a table.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row names the columns of a table.
    pub header: Option<bool>,
    /// The fields with text.
    pub fields: Vec<TextField>,
    /// The default template.
    pub template: Template,
    /// The first record under the given options, or the reason why it cannot be counted.
    pub preview: Result<Preview, String>,
}

impl FilePreview {
    /// Whether there are texts to count, not numbers or a table of numbers.
    pub fn is_text(&self) -> bool {
        self.format != Format::Numbers && !self.fields.is_empty()
    }

    /// Whether the records are conversations, which a model sees as its chat template writes them.
    pub fn are_conversations(&self) -> bool {
        let has = |name: &str| self.fields.iter().any(|field| field.name == name);
        let is_message =
            |field: &TextField| MESSAGES.iter().any(|list| field.name.starts_with(list));
        self.fields.iter().any(is_message) || (has("instruction") && has("output"))
    }
}
