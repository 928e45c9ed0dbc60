//! What a visitor decides, and what is told of a tokenizer and of a file before anything is counted.

use super::template::Template;
use crate::ingest::{Delimiter, Format};
use crate::words::count;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How texts are counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The format; found from the beginning of the input when left out.
    pub format: Option<Format>,
    /// What separates the cells of a table; the same.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row of a table names its columns; the same.
    pub header: Option<bool>,
    /// What is counted of each record; when left out, the fields of the first record that hold text, a line each.
    pub template: Option<Template>,
    /// Whether special tokens such as `[CLS]` are counted, as they are by `encode` unless it is told otherwise.
    pub special: bool,
    /// Only so many records from the beginning; what comes of it is labelled as a sample.
    pub sample: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self { format: None, delimiter: None, header: None, template: None, special: true, sample: None }
    }
}

impl Options {
    /// What the name of a file says about how it is laid out.
    pub fn of(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let (format, delimiter) = match name.rsplit('.').next() {
            Some("txt" | "text" | "md") => (Some(Format::Text), None),
            Some("jsonl" | "ndjson") => (Some(Format::JsonLines), None),
            Some("csv") => (Some(Format::Table), None),
            Some("tsv" | "tab") => (Some(Format::Table), Some(Delimiter::Tab)),
            _ => (None, None),
        };
        Self { format, delimiter, ..Self::default() }
    }
}

/// What the file of a tokenizer is usually called.
pub const TOKENIZER: &str = "tokenizer.json";

/// Files of tokenizers by their names. Only the first can be counted with; what the others are is told to who brings
/// one.
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

/// Whether a file may be one of a tokenizer, from its name alone.
pub fn may_be_tokenizer(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".json") || name.ends_with(".tiktoken") || NAMES.contains(&name.as_str())
}

/// Whether a file is one of a tokenizer, from its name and its first bytes (of which 4 KiB will do).
pub fn is_tokenizer(name: &str, head: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    if NAMES.contains(&name.as_str()) || name.ends_with(".tiktoken") {
        return true;
    }
    let head = String::from_utf8_lossy(head);
    let is_object = head.trim_start_matches('\u{feff}').trim_start().starts_with('{');
    let keys = ["\"added_tokens\"", "\"pre_tokenizer\"", "\"normalizer\"", "\"truncation\""];
    let found = keys.iter().filter(|key| head.contains(**key)).count();
    is_object && (found > 1 || (name.ends_with(TOKENIZER) && head.contains("\"model\"")))
}

/// What a tokenizer is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Kind of the model: `WordPiece`, `BPE`, `Unigram`, `WordLevel`.
    pub model: String,
    /// Tokens in its vocabulary, the added ones included.
    pub vocabulary: u64,
    /// Special tokens that are added to a text.
    pub added: u64,
    /// Special tokens that are added to a pair of texts.
    pub added_to_pair: u64,
    /// What the file asks for and is switched off, as it would change lengths: `truncation to 512 tokens`.
    pub switched_off: Vec<String>,
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, vocabulary of {}", self.model, count(self.vocabulary))
    }
}

/// A field of records that holds text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name as templates have it; empty where the whole record is text.
    pub name: String,
    /// What the first record has in it, shortened.
    pub example: String,
}

/// The tokens of the first record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// How many there are.
    pub tokens: u64,
    /// The first of them, as they stand in the text; special tokens by their names.
    pub pieces: Vec<String>,
}

/// What a file holds, from its beginning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    /// How it is laid out; plain numbers are no texts.
    pub format: Format,
    /// What separates the cells, in a table.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row names the columns, in a table.
    pub header: Option<bool>,
    /// The fields with text.
    pub fields: Vec<Field>,
    /// What is counted unless something else is chosen.
    pub template: Template,
    /// The first record with what the options ask for, or why it cannot be counted.
    pub preview: Result<Preview, String>,
}

impl Looked {
    /// Whether there are texts to count; numbers are none, nor is a table of them.
    pub fn is_text(&self) -> bool {
        self.format != Format::Numbers && !self.fields.is_empty()
    }
}
