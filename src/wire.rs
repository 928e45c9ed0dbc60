//! Messages between the page and its workers, as postcard bytes. Both ends are built from this file. Only the questions of
//! the first view are decoded by the worker's own program; the others, and their answers, travel as bytes within the
//! message, so that the code for them is loaded with the part that handles them.

use packscope::api::held::{Answer, Answered, Request};
use packscope::api::trainer::Given;
use packscope::api::tuple;
use packscope::api::{self, Finding, Question, any};
use packscope::error::Asked;
use packscope::export;
use packscope::histogram::{Histogram, Sizes};
use packscope::ingest::{Description, Options, Read};
use packscope::packing::Step;
use packscope::tokens;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::rc::Rc;

/// Bytes of a value that only a part of the receiver decodes.
pub type Sealed = serde_bytes::ByteBuf;

/// A question to a worker, as the page has it.
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// A question about packs of sequences.
    Lengths(Question<api::Settings>),
    /// A question about packs of graphs.
    Graphs(Question<tuple::Settings>),
    /// Requests with one answer each.
    Each(Vec<Request>),
    /// A request to read the files attached to the message, or to assign their items.
    Files(Files),
    /// A request about the tokenizer attached to the message, and the file of texts that follows it in one blob.
    Tokens(TokenizerPart, OfTokens),
}

/// A request to read files, or to assign their items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Files {
    /// The options of the reader.
    pub options: Options,
    /// Whether numbers without names are sizes of two components, as in the view of graphs.
    pub pairs: bool,
    /// The names of the files, in order.
    pub names: Vec<String>,
    /// The plan to which items are assigned; `None` to read the files.
    pub assign: Option<Assign>,
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

/// A message to a worker: data, or an [`Ask`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// Data for the following questions.
    Data(Sizes),
    /// [`Ask::Lengths`].
    Lengths(Question<api::Settings>),
    /// The question of [`Ask::Graphs`].
    Graphs(Sealed),
    /// The requests of [`Ask::Each`].
    Each(Vec<(Kind, Sealed)>),
    /// [`Ask::Files`], and whether it is a request to read.
    Files(bool, Sealed),
    /// The [`TokenizerPart`] and the [`OfTokens`] of [`Ask::Tokens`].
    Tokens(Sealed),
}

impl From<&Ask> for Message {
    fn from(ask: &Ask) -> Self {
        match ask {
            Ask::Lengths(question) => Self::Lengths(question.clone()),
            Ask::Graphs(question) => Self::Graphs(seal(question)),
            Ask::Each(requests) => Self::Each(requests.iter().map(sealed).collect()),
            Ask::Files(files) => Self::Files(files.assign.is_none(), seal(files)),
            Ask::Tokens(part, asked) => Self::Tokens(seal(&(part, asked))),
        }
    }
}

/// The kind of a [`Request`], by which a worker finds the part that answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// [`Request::Limit`].
    Limit,
    /// [`Request::Batches`].
    Batches,
    /// [`Request::Trainer`] of a library that packs.
    Packer,
    /// [`Request::Trainer`] of a sampler or loader.
    Sampler,
    /// [`Request::Shapes`].
    Shapes,
    /// [`Request::Waiting`].
    Waiting,
    /// [`Request::Sweep`].
    Sweep,
    /// [`Request::Ranks`].
    Ranks,
    /// [`Request::CertifyLengths`].
    CertifyLengths,
    /// [`Request::CertifyGraphs`].
    CertifyGraphs,
    /// [`Request::Any`] about trainers.
    AnyTrainers,
    /// [`Request::Any`] about ranks.
    AnyRanks,
    /// Other [`Request::Any`].
    Any,
}

/// Returns the kind of a request, and the values of its variant.
fn sealed(request: &Request) -> (Kind, Sealed) {
    match request {
        Request::Limit(settings, limit) => (Kind::Limit, seal(&(settings, limit))),
        Request::Batches(settings, drawn) => (Kind::Batches, seal(&(settings, drawn))),
        Request::Trainer(asked) => match asked.given {
            Given::Sequences(_) => (Kind::Packer, seal(asked)),
            _ => (Kind::Sampler, seal(asked)),
        },
        Request::Shapes(asked) => (Kind::Shapes, seal(asked)),
        Request::Waiting(questions) => (Kind::Waiting, seal(questions)),
        Request::Sweep { settings, limits, thorough } => (Kind::Sweep, seal(&(settings, limits, thorough))),
        Request::Ranks(settings, part) => (Kind::Ranks, seal(&(settings, part))),
        Request::CertifyLengths(settings) => (Kind::CertifyLengths, seal(settings)),
        Request::CertifyGraphs(settings) => (Kind::CertifyGraphs, seal(settings)),
        Request::Any(_, any::Request::Ranks(asked)) => (Kind::AnyRanks, seal(asked)),
        Request::Any(_, any) if any.is_about_trainers() => (Kind::AnyTrainers, seal(any)),
        Request::Any(_, any) => (Kind::Any, seal(any)),
    }
}

/// A message from a worker. Answers are [`Sealed`] when sent, and [`Further`] once [opened](Reply::open).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply<F = Further> {
    /// The worker has started, and listens.
    Ready,
    /// Progress of the computation.
    Progress(Step),
    /// Answer to [`Ask::Lengths`].
    Lengths(Finding<api::Settings>),
    /// Answer to another question.
    Further(F),
    /// A part of an assignment; more follow.
    Piece(#[serde(with = "serde_bytes")] Vec<u8>),
    /// The end of an assignment.
    Assigned(export::Assigned),
    /// The engine or the reader refuses, with a message for the visitor.
    Refused(String),
    /// Answer to [`Ask::Files`] that refuses the files, with a message for the visitor and the available choices.
    Unread(String, Asked),
    /// A part of the worker needed for the question could not be loaded.
    Missing,
}

/// An answer that only a part of the page decodes.
#[derive(Debug, Clone, PartialEq)]
pub enum Further {
    /// Answer to [`Ask::Graphs`].
    Graphs(Finding<tuple::Settings>),
    /// Answer to [`Ask::Each`].
    Each(Each<Answer>),
    /// Answer to [`Ask::Files`].
    Read(Box<Read>),
    /// Answer to [`OfTokens::About`].
    Tokenizer(tokens::About),
    /// Answer to [`OfTokens::Look`].
    TokensLooked(Box<tokens::Looked>),
    /// Answer to [`OfTokens::Count`]: all lengths, or those so far.
    TokensCounted(Box<TokensCounted>),
}

/// Answers to some requests of [`Ask::Each`], in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Each<A> {
    /// The index of the first of these requests.
    pub first: usize,
    /// The answers to these requests.
    pub answers: Vec<Answered<A>>,
    /// Whether more follow.
    pub more: bool,
}

/// The lengths of texts in tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TokensCounted {
    /// Bytes read.
    pub done: u64,
    /// Bytes of the file.
    pub of: u64,
    /// Tokens so far.
    pub tokens: u64,
    /// The lengths.
    pub lengths: Histogram<1>,
    /// The interpretation of the file, and the skipped records.
    pub description: Description,
    /// Whether more follow.
    pub more: bool,
}

impl Reply {
    /// Whether more replies to the same question follow.
    pub fn continues(&self) -> bool {
        match self {
            Self::Progress(_) | Self::Piece(_) => true,
            Self::Lengths(finding) => finding.continues(),
            Self::Further(further) => further.continues(),
            _ => false,
        }
    }
}

impl<F> Reply<F> {
    /// Opens a sealed answer with this function; other replies stay as they are.
    ///
    /// # Errors
    /// The error of the function.
    pub fn open<G, E>(self, open: impl FnOnce(F) -> Result<G, E>) -> Result<Reply<G>, E> {
        Ok(match self {
            Self::Ready => Reply::Ready,
            Self::Progress(step) => Reply::Progress(step),
            Self::Lengths(finding) => Reply::Lengths(finding),
            Self::Further(further) => Reply::Further(open(further)?),
            Self::Piece(piece) => Reply::Piece(piece),
            Self::Assigned(assigned) => Reply::Assigned(assigned),
            Self::Refused(why) => Reply::Refused(why),
            Self::Unread(why, asked) => Reply::Unread(why, asked),
            Self::Missing => Reply::Missing,
        })
    }
}

impl Further {
    fn continues(&self) -> bool {
        match self {
            Self::Graphs(finding) => finding.continues(),
            Self::Each(each) => each.more,
            Self::TokensCounted(counted) => counted.more,
            Self::Read(_) | Self::Tokenizer(_) | Self::TokensLooked(_) => false,
        }
    }

    /// Opens the answer to a question, which says the type of the answer.
    ///
    /// # Errors
    /// An error if the bytes are no such answer.
    pub fn open(sealed: &[u8], ask: &Ask) -> Result<Self, postcard::Error> {
        Ok(match ask {
            Ask::Lengths(_) => return Err(postcard::Error::DeserializeBadEnum),
            Ask::Graphs(_) => Self::Graphs(decode(sealed)?),
            Ask::Each(requests) => Self::Each(each(decode(sealed)?, requests)?),
            Ask::Files(_) => Self::Read(decode(sealed)?),
            Ask::Tokens(_, OfTokens::About) => Self::Tokenizer(decode(sealed)?),
            Ask::Tokens(_, OfTokens::Look(_)) => Self::TokensLooked(decode(sealed)?),
            Ask::Tokens(..) => Self::TokensCounted(decode(sealed)?),
        })
    }
}

fn each(sealed: Each<Sealed>, requests: &[Request]) -> Result<Each<Answer>, postcard::Error> {
    let open = |(answered, request): (Answered<Sealed>, &Request)| {
        let outcome = answered.outcome.map(|sealed| answer(sealed, request));
        let outcome = outcome.map_or_else(|why| Ok(Err(why)), |opened| opened.map(Ok))?;
        Ok(Answered { outcome, seconds: answered.seconds })
    };
    let answers = sealed.answers.into_iter().zip(requests.iter().skip(sealed.first)).map(open);
    Ok(Each { first: sealed.first, answers: answers.collect::<Result<_, _>>()?, more: sealed.more })
}

/// Opens the answer to a request, which says the type of the answer.
fn answer(sealed: Sealed, request: &Request) -> Result<Answer, postcard::Error> {
    Ok(match request {
        Request::Limit(..) => Answer::Limit(decode(&sealed)?),
        Request::Batches(..) => Answer::Batches(decode(&sealed)?),
        Request::Trainer(_) => Answer::Trainer(Rc::from(sealed.into_vec())),
        Request::Shapes(_) => Answer::Shapes(Rc::from(sealed.into_vec())),
        Request::Waiting(_) => Answer::Waiting(decode(&sealed)?),
        Request::Sweep { .. } => Answer::Sweep(decode(&sealed)?),
        Request::Ranks(..) => {
            let (figures, sealed): (_, Sealed) = decode(&sealed)?;
            Answer::Ranks(figures, Rc::from(sealed.into_vec()))
        }
        Request::CertifyLengths(_) | Request::CertifyGraphs(_) => Answer::Certificate(decode(&sealed)?),
        Request::Any(..) => Answer::Any(decode(&sealed)?),
    })
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

/// Encodes a value within a message. A failure would be a bug; the receiver then cannot decode it, and says so.
pub fn seal(value: &impl Serialize) -> Sealed {
    encode(value).unwrap_or_default().into()
}
