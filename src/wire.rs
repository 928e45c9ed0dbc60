//! Messages between the page and its workers, as postcard bytes. Both ends are built from this file. Only the questions of
//! the first view are decoded by the worker's own program; the others, and their answers, travel as bytes within the
//! message, so that the code for them is loaded with the part that handles them.

use packscope::api::queries::{Answer, HeldRequest, TimedAnswer};
use packscope::api::trainer::LibraryKind;
use packscope::api::tuple;
use packscope::api::{self, Finding, Question, self_contained};
use packscope::error::ChoiceNeeded;
use packscope::export;
use packscope::histogram::{Histogram, Sizes};
use packscope::ingest::{Description, Options, Read};
use packscope::packing::Step;
use packscope::tokens;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::rc::Rc;

/// Bytes of a value that only a part of the receiver decodes.
pub type Encoded = serde_bytes::ByteBuf;

/// A question to a worker, as the page has it.
#[derive(Debug, Clone, PartialEq)]
pub enum WorkerRequest {
    /// A question about packs of sequences.
    Lengths(Question<api::Settings>),
    /// A question about packs of graphs.
    Graphs(Question<tuple::Settings>),
    /// Requests with one answer each.
    Each(Vec<HeldRequest>),
    /// A request to read the files attached to the message, or to assign their items.
    Files(FileRequest),
    /// A request about the tokenizer attached to the message, and the file of texts that follows it in one blob.
    Tokens(TokenizerPart, TokenizerRequest),
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
}

/// A message to a worker: data, or an [`WorkerRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum EncodedRequest {
    // Postcard numbers the variants by their order and has no names: page and worker must be built
    // together.
    /// Data for the following questions.
    Data(Sizes),
    /// [`WorkerRequest::Lengths`].
    Lengths(Question<api::Settings>),
    /// The question of [`WorkerRequest::Graphs`].
    Graphs(Encoded),
    /// The requests of [`WorkerRequest::Each`].
    Each(Vec<(RequestKind, Encoded)>),
    /// [`WorkerRequest::Files`], and whether it is a request to read.
    Files(bool, Encoded),
    /// The [`TokenizerPart`] and the [`TokenizerRequest`] of [`WorkerRequest::Tokens`].
    Tokens(Encoded),
}

impl From<&WorkerRequest> for EncodedRequest {
    fn from(ask: &WorkerRequest) -> Self {
        match ask {
            WorkerRequest::Lengths(question) => Self::Lengths(question.clone()),
            WorkerRequest::Graphs(question) => Self::Graphs(encode_value(question)),
            WorkerRequest::Each(requests) => {
                Self::Each(requests.iter().map(encode_request).collect())
            }
            WorkerRequest::Files(files) => Self::Files(files.assign.is_none(), encode_value(files)),
            WorkerRequest::Tokens(part, asked) => Self::Tokens(encode_value(&(part, asked))),
        }
    }
}

/// The kind of a [`HeldRequest`], by which a worker finds the part that answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RequestKind {
    /// [`HeldRequest::Limit`].
    Limit,
    /// [`HeldRequest::Batches`].
    Batches,
    /// [`HeldRequest::Trainer`] of a library that packs.
    Packer,
    /// [`HeldRequest::Trainer`] of a sampler or loader.
    Sampler,
    /// [`HeldRequest::Shapes`].
    Shapes,
    /// [`HeldRequest::Waiting`].
    Waiting,
    /// [`HeldRequest::Sweep`].
    Sweep,
    /// [`HeldRequest::Ranks`].
    Ranks,
    /// [`HeldRequest::CertifyLengths`].
    CertifyLengths,
    /// [`HeldRequest::CertifyGraphs`].
    CertifyGraphs,
    /// [`HeldRequest::SelfContained`] about trainers.
    SelfContainedTrainers,
    /// [`HeldRequest::SelfContained`] about ranks.
    SelfContainedRanks,
    /// Other [`HeldRequest::SelfContained`].
    SelfContained,
}

/// Returns the kind of a request, and the encoded values of its variant.
fn encode_request(request: &HeldRequest) -> (RequestKind, Encoded) {
    match request {
        HeldRequest::Limit(settings, limit) => {
            (RequestKind::Limit, encode_value(&(settings, limit)))
        }
        HeldRequest::Batches(settings, drawn) => {
            (RequestKind::Batches, encode_value(&(settings, drawn)))
        }
        // Packing libraries and samplers are answered by different parts of the worker.
        HeldRequest::Trainer(asked) => match asked.given {
            LibraryKind::Sequences(_) => (RequestKind::Packer, encode_value(asked)),
            _ => (RequestKind::Sampler, encode_value(asked)),
        },
        HeldRequest::Shapes(asked) => (RequestKind::Shapes, encode_value(asked)),
        HeldRequest::Waiting(questions) => (RequestKind::Waiting, encode_value(questions)),
        HeldRequest::Sweep {
            settings,
            limits,
            thorough,
        } => (
            RequestKind::Sweep,
            encode_value(&(settings, limits, thorough)),
        ),
        HeldRequest::Ranks(settings, part) => (RequestKind::Ranks, encode_value(&(settings, part))),
        HeldRequest::CertifyLengths(settings) => {
            (RequestKind::CertifyLengths, encode_value(settings))
        }
        HeldRequest::CertifyGraphs(settings) => {
            (RequestKind::CertifyGraphs, encode_value(settings))
        }
        HeldRequest::SelfContained(_, self_contained::SelfContained::Ranks(asked)) => {
            (RequestKind::SelfContainedRanks, encode_value(asked))
        }
        HeldRequest::SelfContained(_, any) if any.is_about_trainers() => {
            (RequestKind::SelfContainedTrainers, encode_value(any))
        }
        HeldRequest::SelfContained(_, any) => (RequestKind::SelfContained, encode_value(any)),
    }
}

/// A message from a worker. Answers are [`Encoded`] when sent, and [`PartResponse`] once [decoded](WorkerResponse::decode_with).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum WorkerResponse<F = PartResponse> {
    /// The worker has started, and listens.
    Ready,
    /// Progress of the computation.
    Progress(Step),
    /// Answer to [`WorkerRequest::Lengths`].
    Lengths(Finding<api::Settings>),
    /// Answer to another question.
    Further(F),
    /// A part of an assignment; more follow.
    Piece(#[serde(with = "serde_bytes")] Vec<u8>),
    /// The end of an assignment.
    Assigned(export::AssignmentCounts),
    /// The engine or the reader refuses, with a message for the visitor.
    Refused(String),
    /// Answer to [`WorkerRequest::Files`] that refuses the files, with a message for the visitor and the available choices.
    Unread(String, ChoiceNeeded),
    /// A part of the worker needed for the question could not be loaded.
    Missing,
}

/// An answer that only a part of the page decodes.
#[derive(Debug, Clone, PartialEq)]
pub enum PartResponse {
    /// Answer to [`WorkerRequest::Graphs`].
    Graphs(Finding<tuple::Settings>),
    /// Answer to [`WorkerRequest::Each`].
    Each(Responses<Answer>),
    /// Answer to [`WorkerRequest::Files`].
    Read(Box<Read>),
    /// Answer to [`TokenizerRequest::About`].
    Tokenizer(tokens::TokenizerDescription),
    /// Answer to [`TokenizerRequest::Look`].
    TokensLooked(Box<tokens::FilePreview>),
    /// Answer to [`TokenizerRequest::Count`]: all lengths, or those so far.
    TokensCounted(Box<TokensCounted>),
}

/// Answers to some requests of [`WorkerRequest::Each`], in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Responses<A> {
    /// The index of the first of these requests.
    pub first: usize,
    /// The answers to these requests.
    pub answers: Vec<TimedAnswer<A>>,
    /// Whether more follow.
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

impl<F> WorkerResponse<F> {
    /// Decodes an encoded answer with this function; other replies stay as they are.
    ///
    /// # Errors
    /// The error of the function.
    pub fn decode_with<G, E>(
        self,
        decode: impl FnOnce(F) -> Result<G, E>,
    ) -> Result<WorkerResponse<G>, E> {
        Ok(match self {
            Self::Ready => WorkerResponse::Ready,
            Self::Progress(step) => WorkerResponse::Progress(step),
            Self::Lengths(finding) => WorkerResponse::Lengths(finding),
            Self::Further(further) => WorkerResponse::Further(decode(further)?),
            Self::Piece(piece) => WorkerResponse::Piece(piece),
            Self::Assigned(assigned) => WorkerResponse::Assigned(assigned),
            Self::Refused(why) => WorkerResponse::Refused(why),
            Self::Unread(why, asked) => WorkerResponse::Unread(why, asked),
            Self::Missing => WorkerResponse::Missing,
        })
    }
}

impl PartResponse {
    fn continues(&self) -> bool {
        match self {
            Self::Graphs(finding) => finding.continues(),
            Self::Each(each) => each.more,
            Self::TokensCounted(counted) => counted.more,
            Self::Read(_) | Self::Tokenizer(_) | Self::TokensLooked(_) => false,
        }
    }

    /// Decodes the answer to a question, which says the type of the answer.
    ///
    /// # Errors
    /// An error if the bytes are no such answer.
    pub fn decode(encoded: &[u8], ask: &WorkerRequest) -> Result<Self, postcard::Error> {
        Ok(match ask {
            // Answers about sequences are never encoded within the message: see
            // `WorkerResponse::Lengths`.
            WorkerRequest::Lengths(_) => return Err(postcard::Error::DeserializeBadEnum),
            WorkerRequest::Graphs(_) => Self::Graphs(decode(encoded)?),
            WorkerRequest::Each(requests) => Self::Each(decode_each(decode(encoded)?, requests)?),
            WorkerRequest::Files(_) => Self::Read(decode(encoded)?),
            WorkerRequest::Tokens(_, TokenizerRequest::About) => Self::Tokenizer(decode(encoded)?),
            WorkerRequest::Tokens(_, TokenizerRequest::Look(_)) => {
                Self::TokensLooked(decode(encoded)?)
            }
            WorkerRequest::Tokens(..) => Self::TokensCounted(decode(encoded)?),
        })
    }
}

fn decode_each(
    encoded: Responses<Encoded>,
    requests: &[HeldRequest],
) -> Result<Responses<Answer>, postcard::Error> {
    let decode_one = |(answered, request): (TimedAnswer<Encoded>, &HeldRequest)| {
        let outcome = answered
            .outcome
            .map(|encoded| decode_answer(encoded, request));
        // Two kinds of errors: a refusal of the engine is an answer, bytes that do not decode end
        // the whole reply.
        let outcome = outcome.map_or_else(|why| Ok(Err(why)), |decoded| decoded.map(Ok))?;
        Ok(TimedAnswer {
            outcome,
            seconds: answered.seconds,
        })
    };
    let answers = encoded
        .answers
        .into_iter()
        // Answers come in the order of the requests, and do not repeat them: the place says which
        // is which.
        .zip(requests.iter().skip(encoded.first))
        .map(decode_one);
    Ok(Responses {
        first: encoded.first,
        answers: answers.collect::<Result<_, _>>()?,
        more: encoded.more,
    })
}

/// Decodes the answer to a request, which says the type of the answer.
fn decode_answer(encoded: Encoded, request: &HeldRequest) -> Result<Answer, postcard::Error> {
    Ok(match request {
        HeldRequest::Limit(..) => Answer::Limit(decode(&encoded)?),
        HeldRequest::Batches(..) => Answer::Batches(decode(&encoded)?),
        // Kept as bytes: only the part of the page that shows them has their decoder.
        HeldRequest::Trainer(_) => Answer::Trainer(Rc::from(encoded.into_vec())),
        HeldRequest::Shapes(_) => Answer::Shapes(Rc::from(encoded.into_vec())),
        HeldRequest::Waiting(_) => Answer::Waiting(decode(&encoded)?),
        HeldRequest::Sweep { .. } => Answer::Sweep(decode(&encoded)?),
        HeldRequest::Ranks(..) => {
            // Figures are needed at once, by the state; the report stays bytes until the view of
            // ranks decodes it.
            let (figures, encoded): (_, Encoded) = decode(&encoded)?;
            Answer::Ranks(figures, Rc::from(encoded.into_vec()))
        }
        HeldRequest::CertifyLengths(_) | HeldRequest::CertifyGraphs(_) => {
            Answer::Certificate(decode(&encoded)?)
        }
        HeldRequest::SelfContained(..) => Answer::SelfContained(decode(&encoded)?),
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
pub fn encode_value(value: &impl Serialize) -> Encoded {
    encode(value).unwrap_or_default().into()
}
