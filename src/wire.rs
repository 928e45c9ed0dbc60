//! Messages between the page and its workers, as postcard bytes. Both ends are built from this file.

use crate::api::held::{Answered, Request};
use crate::api::tuple;
use crate::api::{self, Finding, Question};
use crate::error::Asked;
use crate::export;
use crate::histogram::{Size, Sizes};
use crate::ingest::{Counted, Description, Options, Read};
use crate::packing::Step;
use crate::tokens;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Counts of items by size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Counts {
    /// Sequences: (length, number of items).
    Lengths(Vec<(u32, u64)>),
    /// Texts: (length and stopwords, number of items).
    Texts(Vec<(Size<2>, u64)>),
    /// Graphs: (nodes and edges, number of items).
    Graphs(Vec<(Size<2>, u64)>),
}

impl From<&Counted> for Counts {
    fn from(counted: &Counted) -> Self {
        match counted {
            Counted::Lengths(h) => Self::Lengths(h.lengths()),
            Counted::Texts(h) => Self::Texts(h.entries().to_vec()),
            Counted::Graphs(h) => Self::Graphs(h.entries().to_vec()),
        }
    }
}

impl From<Read> for Reply {
    fn from(read: Read) -> Self {
        let each = read.each.iter().map(|(name, counted)| (name.clone(), counted.into())).collect();
        Self::Read { counts: (&read.counted).into(), description: Box::new(read.description), each }
    }
}

impl From<&Sizes> for Counts {
    fn from(sizes: &Sizes) -> Self {
        match sizes {
            Sizes::Lengths(h) => Self::Lengths(h.lengths()),
            Sizes::Texts(h) => Self::Texts(h.entries().to_vec()),
            Sizes::Graphs(h) => Self::Graphs(h.entries().to_vec()),
        }
    }
}

/// A question to a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Data for the following questions.
    Data(Counts),
    /// A question about packs of sequences.
    Lengths(Question<api::Settings>),
    /// A question about packs of graphs.
    Graphs(Question<tuple::Settings>),
    /// Requests with one answer each.
    Each(Vec<Request>),
    /// A request to read the files attached to the message, or to assign their items.
    Files {
        /// The options of the reader.
        options: Options,
        /// Whether numbers without names are sizes of two components, as in the view of graphs.
        pairs: bool,
        /// The names of the files, in order.
        names: Vec<String>,
        /// The plan to which items are assigned; `None` to read the files.
        assign: Option<Assign>,
    },
    /// A request about the tokenizer attached to the message, and the file of texts that follows it in one blob.
    Tokens(TokenizerPart, OfTokens),
}

/// A request about a tokenizer and texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum OfTokens {
    /// A description of the tokenizer.
    About,
    /// A description of the texts; without a template, the usual one is found.
    Look(tokens::Options),
    /// The number of their tokens.
    Count(tokens::Options),
    /// The assignment of the texts, with the options with which their tokens were counted.
    Assign(tokens::Options, Assign),
}

/// A plan, to whose packs items are assigned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Assign {
    /// The plan, as JSON: see [`export::Document`].
    pub plan: String,
    /// The format of the assignment.
    pub form: export::Form,
    /// The number of items read before.
    pub items: u64,
}

/// A tokenizer at the beginning of a blob.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenizerPart {
    /// Number of the tokenizer, by which a worker recognises the one that it holds.
    pub version: u64,
    /// Name of its file.
    pub name: String,
    /// Size of its file in bytes.
    pub size: u64,
}

/// A message from a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// The worker has started, and listens.
    Ready,
    /// Progress of the computation.
    Progress(Step),
    /// Answer to [`Ask::Lengths`].
    Lengths(Finding<api::Settings>),
    /// Answer to [`Ask::Graphs`].
    Graphs(Finding<tuple::Settings>),
    /// Answer to [`Ask::Each`]: some of its requests, in order.
    Each {
        /// The index of the first of these requests.
        first: usize,
        /// The answers to these requests.
        answers: Vec<Answered>,
        /// Whether more follow.
        more: bool,
    },
    /// Answer to [`Ask::Files`].
    Read {
        /// The counts of all files.
        counts: Counts,
        /// The interpretation of the files, and the skipped records.
        description: Box<Description>,
        /// The counts of each file by name, if there are several.
        each: Vec<(String, Counts)>,
    },
    /// Answer to [`OfTokens::About`].
    Tokenizer(tokens::About),
    /// Answer to [`OfTokens::Look`].
    TokensLooked(Box<tokens::Looked>),
    /// Answer to [`OfTokens::Count`]: all lengths, or those so far.
    TokensCounted {
        /// Bytes read.
        done: u64,
        /// Bytes of the file.
        of: u64,
        /// Tokens so far.
        tokens: u64,
        /// (length, number of sequences).
        counts: Vec<(u32, u64)>,
        /// The interpretation of the file, and the skipped records.
        description: Box<Description>,
        /// Whether more follow.
        more: bool,
    },
    /// A part of an assignment; more follow.
    Piece(Vec<u8>),
    /// The end of an assignment.
    Assigned(export::Assigned),
    /// The engine or the reader refuses, with a message for the visitor.
    Refused(String),
    /// Answer to [`Ask::Files`] that refuses the files, with a message for the visitor and the available choices.
    Unread(String, Asked),
    /// A part of the worker needed for the question could not be loaded.
    Missing,
}

impl Reply {
    /// Whether more replies to the same question follow.
    pub fn continues(&self) -> bool {
        matches!(self, Self::Progress(_) | Self::Piece(_))
            || matches!(self, Self::Each { more: true, .. } | Self::TokensCounted { more: true, .. })
            || matches!(self, Self::Lengths(finding) if finding.continues())
            || matches!(self, Self::Graphs(finding) if finding.continues())
    }
}

/// Encodes a message.
///
/// # Errors
/// An error if a message cannot be written, which would be a bug.
pub fn encode(message: &impl Serialize) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_allocvec(message)
}

/// Decodes a message.
///
/// # Errors
/// An error if the bytes are no such message, for example because page and worker differ in version.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, postcard::Error> {
    postcard::from_bytes(bytes)
}
