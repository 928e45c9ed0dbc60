//! Messages between the page and its workers, as postcard bytes. Both ends are built from this file.

use crate::api::speedup::Curve;
use crate::api::tuple::{self, Tried};
use crate::api::{self, Finding, Question, any, batch};
use crate::cost::{self, Method};
use crate::export;
use crate::histogram::{Histogram, Size};
use crate::ingest::{Counted, Description, Options, Part, Read};
use crate::packing::Step;
use crate::tokens;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::rc::Rc;

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

/// Data at hand.
#[derive(Debug, Clone)]
pub enum Items {
    /// Sequences.
    Lengths(Rc<Histogram<1>>),
    /// Sequences whose stopwords were counted.
    Texts(Rc<Histogram<2>>),
    /// Graphs.
    Graphs(Rc<Histogram<2>>),
}

impl Items {
    /// What a worker is told of them.
    pub fn counts(&self) -> Counts {
        match self {
            Self::Lengths(h) => Counts::Lengths(h.lengths()),
            Self::Texts(h) => Counts::Texts(h.entries().to_vec()),
            Self::Graphs(h) => Counts::Graphs(h.entries().to_vec()),
        }
    }
}

/// What the page asks of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Data for the questions that follow.
    Data(Counts),
    /// About packs of sequences.
    Lengths(Question<api::Settings>),
    /// About packs of graphs.
    Graphs(Question<tuple::Settings>),
    /// Packs of graphs at other limits.
    Sweep {
        /// How they are to be packed.
        settings: tuple::Settings,
        /// The limits to try. Those that there is no time for come back unanswered.
        limits: Vec<Size<2>>,
    },
    /// Batches of sequences, for each of these settings, and whether some are to be looked at.
    Batches(Vec<(batch::Settings, bool)>),
    /// How long accelerators wait, by method.
    Waiting(Vec<(Method, cost::waiting::Question)>),
    /// Requests that bring their data with them, each under a name that only the page knows the meaning of.
    Any(Vec<(String, any::Request)>),
    /// Read the files that come with the message.
    Read {
        /// How.
        options: Options,
        /// Whether numbers without names are sizes of two components, as in the view of graphs.
        pairs: bool,
        /// The names of the files, in their order.
        names: Vec<String>,
    },
    /// What the tokenizer is that comes with the message.
    Tokenizer(TokenizerPart),
    /// What the file holds whose tokens are to be counted: it comes behind the tokenizer, in one blob.
    TokensLook {
        /// The tokenizer.
        tokenizer: TokenizerPart,
        /// How it is read; without a template the usual one is found.
        options: tokens::Options,
    },
    /// The tokens of that file.
    TokensCount {
        /// The tokenizer.
        tokenizer: TokenizerPart,
        /// How it is read.
        options: tokens::Options,
    },
    /// Assign the items of the file that comes with the message to the packs of a plan.
    Assign {
        /// How it is read: as before.
        options: Options,
        /// Whether numbers without names are sizes of two components.
        pairs: bool,
        /// The names of the files, in their order.
        names: Vec<String>,
        /// The plan, as JSON: see [`export::Document`].
        plan: String,
        /// How the assignment is written.
        form: export::Form,
        /// Numbers the packs in a shuffled order.
        seed: Option<u64>,
        /// Items that were read.
        items: u64,
    },
}

/// A tokenizer at the beginning of a blob.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenizerPart {
    /// Counts tokenizers, so that a worker knows the one it has.
    pub version: u64,
    /// Name of its file.
    pub name: String,
    /// Its bytes.
    pub size: u64,
}

/// What a worker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// It has started and listens.
    Ready,
    /// How far it is.
    Progress(Step),
    /// Answer to [`Ask::Lengths`].
    Lengths(Finding<api::Settings>),
    /// Answer to [`Ask::Graphs`].
    Graphs(Finding<tuple::Settings>),
    /// Answer to [`Ask::Sweep`]: the first of the limits, as many as there was time for, each with its point or why there
    /// is none.
    Swept(Vec<(Size<2>, Result<Tried, String>)>),
    /// Answer to [`Ask::Batches`]: one of the settings asked for, and whether more are to come.
    Batches {
        /// The settings.
        settings: Box<batch::Settings>,
        /// The report, or why there is none.
        outcome: Result<Box<batch::Report>, String>,
        /// Time it took.
        seconds: f64,
        /// Whether more are to come.
        more: bool,
    },
    /// Answer to [`Ask::Waiting`].
    Waited(Vec<Curve>),
    /// Answer to [`Ask::Any`], in the same order: each report, or why there is none, and the seconds it took.
    Any(Vec<(Result<any::Report, String>, f64)>),
    /// Answer to [`Ask::Read`].
    Read {
        /// What was counted.
        counts: Counts,
        /// What was read, and what was not.
        description: Box<Description>,
        /// What each file holds, by its name, where there are several.
        each: Vec<(String, Counts)>,
    },
    /// Another worker reads these files: the question is to be put to it.
    Needs(Part),
    /// Answer to [`Ask::Tokenizer`].
    Tokenizer(tokens::About),
    /// Answer to [`Ask::TokensLook`].
    TokensLooked(Box<tokens::Looked>),
    /// Answer to [`Ask::TokensCount`]: all lengths, or those so far.
    TokensCounted {
        /// Bytes read.
        done: u64,
        /// Bytes there are.
        of: u64,
        /// Tokens so far.
        tokens: u64,
        /// (length, number of sequences).
        counts: Vec<(u32, u64)>,
        /// What was read, and what was not.
        description: Box<Description>,
        /// Whether more is to come.
        more: bool,
    },
    /// A part of the answer to [`Ask::Assign`]; more is to come.
    Piece(Vec<u8>),
    /// The end of the answer to [`Ask::Assign`].
    Assigned(export::Assigned),
    /// The engine or the reader refuses, in words for the visitor.
    Refused(String),
    /// A part of the worker that the question takes could not be loaded.
    Missing,
}

impl Reply {
    /// Whether more replies follow to the same question.
    pub fn continues(&self) -> bool {
        matches!(self, Self::Progress(_) | Self::Piece(_))
            || matches!(self, Self::Batches { more: true, .. } | Self::TokensCounted { more: true, .. })
            || matches!(self, Self::Lengths(finding) if finding.continues())
            || matches!(self, Self::Graphs(finding) if finding.continues())
    }
}

/// Bytes of a message.
///
/// # Errors
/// When a message cannot be written, which would be a defect of ours.
pub fn encode(message: &impl Serialize) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_allocvec(message)
}

/// The message of some bytes.
///
/// # Errors
/// When the bytes are not such a message: page and worker are of different versions.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, postcard::Error> {
    postcard::from_bytes(bytes)
}
