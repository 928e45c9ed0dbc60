//! Messages between the page and its workers, as postcard bytes. Both ends are built from this file.

use crate::query::{Request, TimedAnswer};
use packscope::advice::SharedCurves;
use packscope::error::ChoiceNeeded;
use packscope::export;
use packscope::histogram::{Histogram, Sizes};
use packscope::ingest::{Description, Options, Read};
use packscope::packing::Step;
use packscope::supervision::{Curves, Span, Truncation};
use packscope::tokens;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A message to a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum WorkerRequest {
    // Postcard numbers the variants by their order and has no names: page and worker must be built
    // together.
    /// Data for the following questions. They have no answer.
    Data(Sizes),
    /// Questions, which are answered one after the other.
    Queries(Vec<Request>),
    /// A request to read the files attached to the message, or to assign their items.
    Files(FileRequest),
    /// A request about the tokenizer attached to the message, and the file of texts that follows it in one blob.
    Tokens(TokenizerPart, TokenizerRequest),
    /// Which tokens of the data bear loss, for the following questions. It has no answer, and ends with the data.
    Curves(SharedCurves),
    /// A request to find out which tokens of the files attached to the message bear loss.
    Supervision(SupervisionRequest),
}

/// A request to find out which tokens of files bear loss.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SupervisionRequest {
    /// The names of the files, in their order.
    pub names: Vec<String>,
    /// The options with which the files were read.
    pub options: Options,
    /// The part of longer items that is kept.
    pub truncation: Truncation,
}

/// The turns of conversations that bear loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum TrainedTurns {
    /// Those of the assistant.
    #[default]
    Assistant,
    /// The last of the assistant.
    LastAssistant,
    /// Those of everyone.
    All,
}

impl TrainedTurns {
    /// All of them, in the order of the list.
    pub const EVERY: [Self; 3] = [Self::Assistant, Self::LastAssistant, Self::All];

    /// Returns the name in a list, and in the sentence about what trains.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assistant => "the assistant's turns",
            Self::LastAssistant => "the assistant's last turn",
            Self::All => "all turns",
        }
    }
}

/// Which tokens of files bear loss.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Supervised {
    pub curves: SharedCurves,
    /// The fields that tell, or how texts were counted, in words.
    pub labels: String,
    /// The turns that bear loss, of conversations.
    pub turns: Option<TrainedTurns>,
    /// The field that names where an item is from, if there is one.
    pub by: Option<String>,
    /// The sources of most tokens, that of most first.
    pub sources: Vec<(String, Curves)>,
    /// Items with the spans of their supervised tokens: all of them, or some of which each is as likely.
    pub sample: Vec<(u32, Box<[Span]>)>,
}

// Two are equal where their curves are one in memory: comparing all would be code in the page's first part.
impl PartialEq for Supervised {
    fn eq(&self, other: &Self) -> bool {
        self.curves == other.curves
    }
}

/// A request to read files, or to assign their items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileRequest {
    pub options: Options,
    /// Whether numbers without names are sizes of two components, as in the view of graphs.
    pub pairs: bool,
    /// The names of the files, in order.
    pub names: Vec<String>,
    /// The plan to which items are assigned; `None` to read the files.
    pub assign: Option<Assign>,
    /// Whether the lengths of texts in the only file are estimated from their characters.
    pub estimate: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum TokenizerRequest {
    /// A description of the tokenizer.
    About,
    /// A description of the texts; without a template, the usual one is found.
    Look(tokens::CountOptions),
    /// The number of their tokens.
    Count(tokens::CountOptions),
    /// The assignment of the texts, with the options with which their tokens were counted.
    Assign(tokens::CountOptions, Assign),
    /// Which of their tokens bear loss.
    Supervise(tokens::CountOptions, Truncation, TrainedTurns),
}

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
    pub name: String,
    pub size: u64,
    /// The files with the chat template that writes conversations; `None` where none is used.
    pub chat: Option<Box<ChatFiles>>,
}

/// The files with the chat template of a model, as they lie beside its tokenizer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatFiles {
    /// The text of `tokenizer_config.json`, which has the special tokens, and most often the template.
    pub config: Option<String>,
    /// The name and the text of a template in a file of its own, which goes first.
    pub template: Option<(String, String)>,
}

/// A message from a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum WorkerResponse {
    /// The worker has started, and listens.
    Ready,
    /// Progress of the computation.
    Progress(Step),
    /// Answers to [`WorkerRequest::Queries`].
    Answers(Answers),
    /// Answer to [`WorkerRequest::Files`].
    Read(Box<Read>),
    /// Answer to [`TokenizerRequest::About`].
    Tokenizer(tokens::TokenizerDescription),
    /// Answer to [`TokenizerRequest::Look`].
    TokensLooked(Box<tokens::FilePreview>),
    /// Answer to [`TokenizerRequest::Count`]: all lengths, or those so far.
    TokensCounted(Box<TokensCounted>),
    /// A part of an assignment; more follow.
    Piece(#[serde(with = "serde_bytes")] Vec<u8>),
    /// Answer to [`WorkerRequest::Supervision`] and [`TokenizerRequest::Supervise`]: `None` where nothing tells.
    Supervised(Option<Box<Supervised>>),
    /// The end of an assignment.
    Assigned(export::AssignmentCounts),
    /// The reader refuses, with a message for the visitor.
    Refused(String),
    /// Answer to [`WorkerRequest::Files`] that refuses the files, with a message for the visitor and the available choices.
    Unread(String, ChoiceNeeded),
    /// A part of the worker needed for the question could not be loaded.
    Missing,
}

/// Answers to some questions of [`WorkerRequest::Queries`], in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// The index of the first of these questions.
    pub first: usize,
    /// The answers to these questions, or pieces of them.
    pub answers: Vec<TimedAnswer>,
    /// Whether more answers, or more pieces of these, follow.
    pub more: bool,
}

/// The lengths of texts in tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TokensCounted {
    /// Bytes read.
    pub done: u64,
    pub of: u64,
    /// Tokens so far.
    pub tokens: u64,
    pub lengths: Histogram<1>,
    /// The interpretation of the file, and the skipped records.
    pub description: Description,
    /// Whether more follow.
    pub more: bool,
}

impl WorkerResponse {
    /// Whether more replies to the same message follow.
    pub fn continues(&self) -> bool {
        match self {
            Self::Progress(_) | Self::Piece(_) => true,
            Self::Answers(answers) => answers.more,
            Self::TokensCounted(counted) => counted.more,
            _ => false,
        }
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
