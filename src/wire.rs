//! Messages between the page and its workers, as postcard bytes. Both ends are built from this file.

use crate::api::limits::AtLimit;
use crate::api::speedup::Curve;
use crate::api::tuple;
use crate::api::{self, Finding, Question, any, batch, trainer};
use crate::cost::{self, Method};
use crate::error::Asked;
use crate::export;
use crate::histogram::{Size, Sizes};
use crate::ingest::{Counted, Description, Options, Read};
use crate::packing::Step;
use crate::sweep::Point;
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
    /// A request for packs of graphs at other limits.
    Sweep {
        /// The settings of the packing.
        settings: tuple::Settings,
        /// The limits to try. Those that there is no time for come back unanswered.
        limits: Vec<Size<2>>,
        /// Whether to pack with the algorithm of the settings even where it takes long; otherwise the best of the fast
        /// heuristics replaces it.
        thorough: bool,
    },
    /// A request for batches of sequences with each of these settings, and whether to include some for drawing.
    Batches(Vec<(batch::Settings, bool)>),
    /// A request for the sequences at each of these limits.
    Limits(api::Settings, Vec<u32>),
    /// A request for the proof of the optimum of sequences.
    CertifyLengths(api::Settings),
    /// A request for the proof of the optimum of graphs.
    CertifyGraphs(tuple::Settings),
    /// A question about a library that trains.
    Trainer(trainer::Asked),
    /// Questions about the waiting of accelerators, by method.
    Waiting(Vec<(Method, cost::waiting::Question)>),
    /// Requests that include their data, each under a name for the page.
    Any(Vec<(String, any::Request)>),
    /// A request to read the files attached to the message.
    Read {
        /// The options of the reader.
        options: Options,
        /// Whether numbers without names are sizes of two components, as in the view of graphs.
        pairs: bool,
        /// The names of the files, in order.
        names: Vec<String>,
    },
    /// A request to describe the tokenizer attached to the message.
    Tokenizer(TokenizerPart),
    /// A request to describe the file of texts that follows the tokenizer in one blob.
    TokensLook {
        /// The tokenizer.
        tokenizer: TokenizerPart,
        /// The options of counting; without a template the usual one is found.
        options: tokens::Options,
    },
    /// A request to count the tokens of that file.
    TokensCount {
        /// The tokenizer.
        tokenizer: TokenizerPart,
        /// The options of counting.
        options: tokens::Options,
    },
    /// A request to assign the records of that file to the packs of a plan.
    TokensAssign {
        /// The tokenizer.
        tokenizer: TokenizerPart,
        /// The options with which they were counted.
        options: tokens::Options,
        /// The plan, as JSON: see [`export::Document`].
        plan: String,
        /// The format of the assignment.
        form: export::Form,
        /// The number of records counted.
        items: u64,
    },
    /// A request to assign the items of the attached files to the packs of a plan.
    Assign {
        /// The options with which the files were read before.
        options: Options,
        /// Whether numbers without names are sizes of two components.
        pairs: bool,
        /// The names of the files, in order.
        names: Vec<String>,
        /// The plan, as JSON: see [`export::Document`].
        plan: String,
        /// The format of the assignment.
        form: export::Form,
        /// The seed of a shuffled numbering of the packs.
        seed: Option<u64>,
        /// The number of items read before.
        items: u64,
    },
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
    /// It has started and listens.
    Ready,
    /// Progress of the computation.
    Progress(Step),
    /// Answer to [`Ask::Lengths`].
    Lengths(Finding<api::Settings>),
    /// Answer to [`Ask::Graphs`].
    Graphs(Finding<tuple::Settings>),
    /// Answer to [`Ask::Sweep`]: the first of the limits, as many as there was time for, each with its point or the
    /// reason why there is none.
    Swept(Vec<(Size<2>, Result<Point<2>, String>)>),
    /// Answer to [`Ask::Batches`]: one of its settings, and whether more follow.
    Batches {
        /// The settings.
        settings: Box<batch::Settings>,
        /// The report, or the reason why there is none.
        outcome: Result<Box<batch::Report>, String>,
        /// Seconds taken.
        seconds: f64,
        /// Whether more follow.
        more: bool,
    },
    /// Answer to [`Ask::Limits`]: those at which something is left.
    AtLimits(Vec<AtLimit>),
    /// Answer to [`Ask::CertifyLengths`] and [`Ask::CertifyGraphs`]: the proof as JSON.
    Certificate(String),
    /// Answer to [`Ask::Trainer`]: [`export::libraries::Sheet`]s as [`encode`] writes them, since only one part of the page
    /// reads them.
    Trainer(Vec<u8>),
    /// Answer to [`Ask::Waiting`].
    Waited(Vec<Curve>),
    /// Answer to [`Ask::Any`], in the same order: each report, or the reason why there is none, and the seconds taken.
    Any(Vec<(Result<any::Report, String>, f64)>),
    /// Answer to [`Ask::Read`].
    Read {
        /// The counts of all files.
        counts: Counts,
        /// The interpretation of the files, and the skipped records.
        description: Box<Description>,
        /// The counts of each file by name, if there are several.
        each: Vec<(String, Counts)>,
    },
    /// Answer to [`Ask::Tokenizer`].
    Tokenizer(tokens::About),
    /// Answer to [`Ask::TokensLook`].
    TokensLooked(Box<tokens::Looked>),
    /// Answer to [`Ask::TokensCount`]: all lengths, or those so far.
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
    /// A part of the answer to [`Ask::Assign`]; more follow.
    Piece(Vec<u8>),
    /// The end of the answer to [`Ask::Assign`].
    Assigned(export::Assigned),
    /// The engine or the reader refuses, with a message for the visitor.
    Refused(String),
    /// Answer to [`Ask::Read`]: files are refused, with a message for the visitor and what there is to choose from.
    Unread(String, Asked),
    /// A part of the worker needed for the question could not be loaded.
    Missing,
}

impl Reply {
    /// Whether more replies to the same question follow.
    pub fn continues(&self) -> bool {
        matches!(self, Self::Progress(_) | Self::Piece(_))
            || matches!(self, Self::Batches { more: true, .. } | Self::TokensCounted { more: true, .. })
            || matches!(self, Self::Lengths(finding) if finding.continues())
            || matches!(self, Self::Graphs(finding) if finding.continues())
    }
}

/// Encodes a message.
///
/// # Errors
/// When a message cannot be written, which would be a bug.
pub fn encode(message: &impl Serialize) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_allocvec(message)
}

/// Decodes a message.
///
/// # Errors
/// When the bytes are not such a message, as when page and worker are of different versions.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, postcard::Error> {
    postcard::from_bytes(bytes)
}
