//! Which tokens of each record bear loss, from the files that trainings have: lengths of prompts and responses, `labels` with
//! −100, masks, and texts that a tokenizer counts.
//!
//! [`found`] looks at the beginning of a file and says which of its fields tell; [`read`] goes through it, and calls back with
//! the tokens of each record and the spans of those that are supervised. Nothing is kept of a record.
//!
//! ```
//! use packscope_files::tokens::supervised::{self, ReadOptions};
//!
//! let file: &[u8] = b"{\"input_ids\":[1,2,3,4],\"labels\":[-100,-100,3,4],\"source\":\"a\"}\n";
//! let options = ReadOptions { source: Some("source".to_owned()), ..ReadOptions::default() };
//! let labels = supervised::found(&file, &options)?.unwrap();
//! let mut items = Vec::new();
//! supervised::read(&file, &options, &labels, None, &mut supervised::go_on, &mut |item| {
//!     items.push((item.tokens, item.spans.to_vec(), item.source.unwrap_or("").to_owned()));
//!     Ok(())
//! })?;
//! assert_eq!(items, [(4, vec![2..4], "a".to_owned())]);
//! # Ok::<(), packscope_core::error::Error>(())
//! ```

#[cfg(feature = "parquet")]
mod columns;
#[cfg(feature = "chat")]
mod count;
mod record;

#[cfg(feature = "parquet")]
pub use columns::{found_in_columns, read_columns};
#[cfg(feature = "chat")]
pub use count::count_text;

use super::CountOptions;
use super::columns::TableHeader;
use crate::ingest::parts::{self, LOOKED_AT, Place, RawRecord, Raws, Stream, Tally};
use crate::ingest::{
    Column, Delimiter, Description, Format, Ingested, PromptAndResponse, Source, Why,
};
use packscope_core::error::Result;
use record::{FieldValues, Wanted};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{ControlFlow, Range};

/// The fields of a record that tell which of its tokens bear loss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Labels {
    /// The lengths of a prompt and its response, as numbers or as lists of tokens: the response bears loss.
    Pair {
        /// The field of the prompt.
        prompt: String,
        /// The field of the response.
        response: String,
    },
    /// A list with an element for each token, −100 where it bears no loss.
    Ignored {
        /// The field, mostly `labels`.
        labels: String,
    },
    /// A list with an element for each token, 0 or false where it bears no loss.
    Mask {
        /// The field, such as `loss_mask`.
        mask: String,
    },
    /// Texts, which a tokenizer has to count.
    Texts,
}

impl fmt::Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pair { prompt, response } => {
                write!(f, "\"{response}\" after \"{prompt}\"")
            }
            Self::Ignored { labels } => write!(f, "\"{labels}\", where it is not −100"),
            Self::Mask { mask } => write!(f, "\"{mask}\", where it is not 0"),
            Self::Texts => f.write_str("texts"),
        }
    }
}

/// Options of reading. `default()` detects everything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The format; detected if `None`.
    pub format: Option<Format>,
    /// The delimiter of a table; detected if `None`.
    pub delimiter: Option<Delimiter>,
    /// Whether the first row of a table names its columns; detected if `None`.
    pub header: Option<bool>,
    /// The field that names where a record is from; `None` if nobody asks.
    pub source: Option<String>,
    /// The number of records to read from the beginning.
    pub sample: Option<u64>,
}

impl ReadOptions {
    /// Returns these options, with the format and the delimiter that the name of a file stands for where none is given.
    #[must_use]
    pub fn or_those_of(self, name: &str) -> Self {
        let named = CountOptions::from_name(name);
        Self {
            format: self.format.or(named.format),
            delimiter: self.delimiter.or(named.delimiter),
            ..self
        }
    }
}

/// A record that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SupervisedRecord<'a> {
    /// Its tokens, 1 or more.
    pub tokens: u32,
    /// Those that bear loss, in order and apart.
    pub spans: &'a [Range<u32>],
    /// Where it is from, if asked for; an empty text where the record does not say.
    pub source: Option<&'a str>,
}

/// Counts the tokens of the texts of a record from its JSON, and those that bear loss; or says why it has none.
pub type CountText<'c> = dyn Fn(&[u8]) -> std::result::Result<(u64, Vec<Range<u32>>), String> + 'c;

/// Receives the bytes read and the bytes in total, and decides whether to go on.
pub type SupervisedProgress<'p> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'p;

/// Receives records in order.
pub type SupervisedVisitor<'v> = dyn FnMut(SupervisedRecord<'_>) -> Result<()> + 'v;

/// A [`SupervisedProgress`] that always goes on.
pub fn go_on(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Fields of labels, masks and texts, the likeliest first.
const LABELS: [&str; 3] = ["labels", "label_ids", "target_ids"];
const MASKS: [&str; 8] = [
    "loss_mask",
    "loss_masks",
    "assistant_masks",
    "assistant_mask",
    "completion_mask",
    "response_mask",
    "train_mask",
    "labels_mask",
];
const TEXTS: [&str; 6] = [
    "messages",
    "conversations",
    "prompt",
    "completion",
    "instruction",
    "output",
];
/// Where the tokens themselves are.
const TOKENS: [&str; 3] = ["input_ids", "tokens", "token_ids"];
/// Fields that name where a record is from, the likeliest first.
pub const SOURCES: [&str; 8] = [
    "source",
    "dataset",
    "subset",
    "source_dataset",
    "dataset_name",
    "origin",
    "domain",
    "file",
];

/// Returns the fields that tell which tokens of the records of a file bear loss, from its first records; `None` if none does.
///
/// # Errors
/// [`Error::Input`](packscope_core::error::Error::Input) when the file is binary, damaged or empty.
pub fn found(source: &dyn Source, options: &ReadOptions) -> Result<Option<Labels>> {
    Ok(labels_among(&first_fields(source, options)?))
}

/// Returns the field that names where records are from, by the names that such fields have; `None` if there is none.
///
/// # Errors
/// Those of [`found`].
pub fn source_field(source: &dyn Source, options: &ReadOptions) -> Result<Option<String>> {
    Ok(source_among(&first_fields(source, options)?))
}

fn source_among(fields: &[(String, FieldKind)]) -> Option<String> {
    let is_there = |name: &&&str| {
        fields
            .iter()
            .any(|(field, kind)| field == *name && *kind == FieldKind::Text)
    };
    SOURCES.iter().find(is_there).map(|name| (*name).to_owned())
}

/// Whether a file is Parquet or Arrow, whose columns `found_in_columns` looks at.
///
/// # Errors
/// When its first bytes cannot be read.
pub fn is_columnar(source: &dyn Source) -> Result<bool> {
    parts::is_columnar(source)
}

/// Whether a file that was read as this description says may tell which of its tokens bear loss, by the names of its fields;
/// [`found`] looks at the file.
pub fn may_tell(description: &Description) -> bool {
    let names = description.columns.iter().flatten();
    let names: Vec<&str> = names
        .map(|name| name.strip_suffix("_ids").unwrap_or(name))
        .collect();
    let is_told = |name: &&str| LABELS.contains(name) || MASKS.contains(name);
    names.iter().any(is_told) || PromptAndResponse::of(&names).is_some()
}

/// What a field of the first record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldKind {
    Number,
    List,
    /// A list of objects, such as messages.
    Objects,
    Text,
    Other,
}

fn labels_among(fields: &[(String, FieldKind)]) -> Option<Labels> {
    let is = |name: &str, kind: FieldKind| {
        fields
            .iter()
            .any(|(field, of)| field == name && *of == kind)
    };
    let list = |names: &[&str]| {
        names
            .iter()
            .find(|name| is(name, FieldKind::List))
            .map(|name| (*name).to_owned())
    };
    // Labels of one class for a whole text, or masks of messages, are no lists beside tokens.
    let has_tokens = list(&TOKENS).is_some();
    let has_texts = TEXTS.iter().any(|name| is(name, FieldKind::Objects));
    if let Some(labels) = list(&LABELS).filter(|_| has_tokens || !has_texts) {
        return Some(Labels::Ignored { labels });
    }
    if let Some(mask) = list(&MASKS).filter(|_| has_tokens || !has_texts) {
        return Some(Labels::Mask { mask });
    }
    let counted =
        |(_, kind): &&(String, FieldKind)| matches!(kind, FieldKind::Number | FieldKind::List);
    let names: Vec<&str> = fields
        .iter()
        .filter(counted)
        .map(|(name, _)| name.as_str())
        .collect();
    // Lists of tokens are named after them: prompt_ids.
    let plain: Vec<&str> = names
        .iter()
        .map(|name| name.strip_suffix("_ids").unwrap_or(name))
        .collect();
    if let Some(pair) = PromptAndResponse::of(&plain) {
        let named = |of: &str| {
            plain
                .iter()
                .position(|name| *name == of)
                .map(|at| names[at].to_owned())
        };
        if let (Some(prompt), Some(response)) = (named(&pair.prompt), named(&pair.response)) {
            return Some(Labels::Pair { prompt, response });
        }
    }
    let has = |name: &str| is(name, FieldKind::Text) || is(name, FieldKind::Objects);
    let are_texts = is("messages", FieldKind::Objects)
        || is("conversations", FieldKind::Objects)
        || has("prompt") && has("completion")
        || has("instruction") && has("output");
    are_texts.then_some(Labels::Texts)
}

/// Returns the fields of the first record, or the columns of a table by what is in its first row.
fn first_fields(source: &dyn Source, options: &ReadOptions) -> Result<Vec<(String, FieldKind)>> {
    let mut fields = None;
    each_record(source, options, &mut go_on, &mut |record, names, _| {
        if fields.is_none() {
            fields = Some(record::kinds(record, names));
        }
        Ok(ControlFlow::Break(()))
    })?;
    Ok(fields.unwrap_or_default())
}

/// Goes through the records of a source, optionally gzip, and calls `each` with the tokens of every one and the spans of those
/// that bear loss. `count` is needed for [`Labels::Texts`]. O(bytes) time, memory for one record.
///
/// # Errors
/// Errors of `each`; [`Error::Input`](packscope_core::error::Error::Input) where the bytes cannot be read, a table lacks a column, or no record is usable.
pub fn read(
    source: &dyn Source,
    options: &ReadOptions,
    labels: &Labels,
    count: Option<&CountText<'_>>,
    progress: &mut SupervisedProgress<'_>,
    each: &mut SupervisedVisitor<'_>,
) -> Result<Ingested> {
    let wanted = Wanted::new(labels, options.source.as_deref());
    let mut spans = Vec::new();
    let tally = each_record(
        source,
        options,
        progress,
        &mut |record, names, (place, tally)| {
            let values = match (labels, count) {
                (Labels::Texts, Some(count)) => wanted.counted(record, names, count, &mut spans),
                (Labels::Texts, None) => Err(Why::Refused(
                    "these are texts; expected a tokenizer, which counts them".to_owned(),
                )),
                _ => wanted.values(record, names, &mut spans),
            };
            match values {
                Ok(FieldValues { tokens, source }) => {
                    let asked = options.source.as_ref().map(|_| source.as_ref());
                    let item = SupervisedRecord {
                        tokens,
                        spans: &spans,
                        source: asked,
                    };
                    each(item)?;
                    tally.add([tokens], 1);
                    Ok(match tally.is_full() {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    })
                }
                Err(why) => {
                    tally.problem(place, record::begun(record), why);
                    Ok(ControlFlow::Continue(()))
                }
            }
        },
    )?;
    let mut read = tally.finish()?;
    read.description.sizes = labels.columns();
    Ok(read)
}

impl Labels {
    /// Returns the value of an element whose token bears no loss; `None` where no list tells.
    fn ignored(&self) -> Option<f64> {
        match self {
            Self::Ignored { .. } => Some(-100.0),
            Self::Mask { .. } => Some(0.0),
            Self::Pair { .. } | Self::Texts => None,
        }
    }

    /// Returns the names of the fields that tell.
    fn names(&self) -> Vec<&String> {
        match self {
            Self::Pair { prompt, response } => vec![prompt, response],
            Self::Ignored { labels: name } | Self::Mask { mask: name } => vec![name],
            Self::Texts => Vec::new(),
        }
    }

    /// Returns the columns that are read.
    fn columns(&self) -> Vec<Column> {
        self.names()
            .into_iter()
            .map(|name| Column::Name(name.clone()))
            .collect()
    }
}

/// Receives a record, the names of the columns of a table, and the place with the account of the reading; decides whether to
/// go on.
type RecordHandler<'h> =
    dyn FnMut(RawRecord<'_>, &[String], (Place, &mut Tally<1>)) -> Result<ControlFlow<()>> + 'h;

/// Bytes read at once.
const CHUNK: usize = 256 << 10;

fn each_record(
    source: &dyn Source,
    options: &ReadOptions,
    progress: &mut SupervisedProgress<'_>,
    handle: &mut RecordHandler<'_>,
) -> Result<Tally<1>> {
    let of = source.size();
    let mut stream = Stream::open(source, None)?;
    let looked_at = stream.head().len().min(LOOKED_AT);
    let complete = stream.is_complete() && looked_at == stream.head().len();
    let head = &stream.head()[..looked_at];
    let mut raws = Raws::new(head, complete, options.format, options.delimiter)?;
    let mut tally = Tally::new();
    options
        .sample
        .into_iter()
        .for_each(|records| tally.want(records));
    tally.description.format = raws.format;
    tally.description.delimiter = (raws.format == Format::Table).then_some(raws.delimiter);
    let mut reading = Reading {
        columns: TableHeader::new(options.header),
        tally,
        ended: false,
        handle,
    };
    let (mut skip, mut buffer) = (raws.mark, vec![0; CHUNK]);
    while !reading.ended {
        let read = stream.next(&mut buffer)?;
        if read == 0 {
            raws.finish(|(place, what)| reading.record(place, what));
            break;
        }
        reading.tally.description.bytes += read as u64;
        let from = skip.min(read);
        skip -= from;
        raws.push(&buffer[from..read], |(place, what)| {
            reading.record(place, what)
        });
        reading.tally.check()?;
        if progress(stream.position(), of).is_break() {
            break;
        }
    }
    reading.tally.check()?;
    Ok(reading.tally)
}

/// The reading of a source.
struct Reading<'h, 'r> {
    columns: TableHeader,
    tally: Tally<1>,
    /// Whether nobody wants further records.
    ended: bool,
    handle: &'h mut RecordHandler<'r>,
}

impl Reading<'_, '_> {
    fn record(&mut self, place: Place, what: std::result::Result<RawRecord<'_>, (&[u8], Why)>) {
        if self.ended {
            return;
        }
        let raw = match what {
            Ok(RawRecord::Row(row)) if self.columns.are_unknown() && self.columns.learn(row) => {
                return;
            }
            Ok(raw) => raw,
            Err((text, why)) => return self.tally.problem(place, text, why),
        };
        match (self.handle)(raw, self.columns.names(), (place, &mut self.tally)) {
            Ok(flow) => self.ended = flow.is_break(),
            Err(error) => {
                self.tally.fail(error);
                self.ended = true;
            }
        }
    }
}
