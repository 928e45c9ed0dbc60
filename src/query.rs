//! Questions to workers and their answers, each declared once.
//!
//! To add one: a line in `queries!` below, the arm in `bin/worker/parts.rs` with the part that answers it, and whoever
//! asks it.

use packscope::advice::{Case, GraphCase, Verdict};
use packscope::api::limits::AtLimit;
use packscope::api::speedup::WaitingCurve;
use packscope::api::trainer::{LessonOutcome, LibraryQuery, RowsQuery};
use packscope::api::{self, PackingSettings, Report, Settings, batch, ranks, shapes, tuple};
use packscope::cost::{Method, waiting};
use packscope::export::libraries::Sheet;
use packscope::histogram::Size;
use packscope::metrics::Figures;
use packscope::sweep::SweepPoint;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Declares the questions, each with the type of its answer. Postcard numbers the variants by their order and has no
/// names: page and worker are built together.
macro_rules! queries {
    ($($(#[$doc:meta])* $name:ident($($given:ty),*) -> $answer:ty;)*) => {
        /// A question. Equal questions about the same data have equal answers.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        pub enum Query {
            $($(#[$doc])* $name($($given),*),)*
        }

        /// The answer to a [`Query`], or a piece of it: the variant of the same name.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        pub enum Answer {
            $(#[doc = concat!("The answer to [`Query::", stringify!($name), "`].")] $name($answer),)*
        }
    };
}

queries! {
    /// Packs of sequences.
    Sequences(Question<Settings>) -> Finding<Settings>;
    /// Packs of graphs.
    Graphs(Question<tuple::Settings>) -> Finding<tuple::Settings>;
    /// Sequences at this limit, which replaces the limit of the settings.
    Limit(Settings, u32) -> AtLimit;
    /// Batches of sequences, and whether to include some batches for drawing.
    Batches(Box<batch::Settings>, bool) -> Rc<batch::Report>;
    /// A training library: its sheet, then those of the baselines.
    Trainer(LibraryQuery) -> Rc<Vec<Sheet>>;
    /// A few static shapes of sequences, by every method.
    Shapes(shapes::ShapesQuery) -> Rc<shapes::Methods>;
    /// Given static shapes of sequences.
    GivenShapes(shapes::GivenShapesQuery) -> Rc<shapes::GivenShapes>;
    /// The waiting of accelerators, by method, in the order of the question. It needs no data.
    Waiting(Rc<Vec<(Method, waiting::WaitingQuestion)>>) -> Vec<WaitingCurve>;
    /// Packs of graphs at other limits: of the first ones, up to the end of the time, a point or the reason why it failed.
    Sweep(SweepQuery) -> Vec<(Size<2>, Result<SweepPoint<2>, String>)>;
    /// Ranks that wait for each other.
    Ranks(Box<ranks::Settings>) -> Rc<ranks::Report>;
    /// All ways to deal to ranks.
    Dealings(Box<ranks::Settings>) -> Rc<ranks::DealingTable>;
    /// The proof of the optimum of sequences, as JSON.
    CertifySequences(Settings) -> String;
    /// The proof of the optimum of graphs, as JSON.
    CertifyGraphs(tuple::Settings) -> String;
    /// The judge's verdict on a training on sequences as it is set up.
    Advice(Box<Case>) -> Rc<Verdict>;
    /// Training libraries in a lesson: the displayed name of each with its outcome.
    Trainers(Vec<LibraryQuery>) -> Vec<(String, LessonOutcome)>;
    /// Rows that training libraries make of a few sequences: for each library, the lengths in each row. It needs no data.
    Rows(RowsQuery) -> Vec<Vec<Vec<u32>>>;
    /// The judge's verdict on a training on graphs as it is set up.
    GraphAdvice(Box<GraphCase>) -> Rc<Verdict>;
}

/// A question with the data that it is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub data: QueryData,
    pub query: Query,
}

/// The data of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueryData {
    /// The data that the worker was sent before.
    Held,
    /// (length, number of sequences), in any order.
    Lengths(Vec<(u32, u64)>),
    /// (nodes and edges, number of graphs), in any order.
    Graphs(Vec<(Size<2>, u64)>),
}

/// An answer, or the engine's error in words for the visitor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimedAnswer {
    /// The answer, or the reason why there is none.
    pub outcome: Result<Answer, String>,
    /// Time that the worker took, seconds.
    pub seconds: f64,
}

/// Packs of graphs at many limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepQuery {
    /// The packing settings; their own limits are ignored.
    pub settings: tuple::Settings,
    /// The limits to try.
    pub limits: Vec<Size<2>>,
    /// Whether to pack with the algorithm of the settings even if it is slow; otherwise the best of the fast heuristics
    /// replaces it.
    pub thorough: bool,
    /// Whether all limits are tried, however long that takes; otherwise those for which there is time.
    pub all: bool,
}

/// A question about packs. Its answer may come in pieces: better and better plans, rows of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Question<S: PackingSettings> {
    /// The report on these settings.
    Report {
        settings: S,
        /// The maximum number of strategies in the report.
        listed: u32,
    },
    /// The figures of many rows.
    Compare {
        /// The settings that all rows share.
        settings: S,
        /// The algorithms, with the settings that differ between rows.
        rows: Vec<S::Row>,
        /// The maximum time for each optimum, seconds.
        budget: f64,
    },
    /// The optimum with its proof, whichever algorithm the settings name.
    Prove {
        /// The settings, whose algorithm is ignored.
        settings: S,
        /// The maximum number of strategies in the report.
        listed: u32,
        /// The maximum time for the search, seconds.
        budget: f64,
    },
}

/// A piece of the answer to a [`Question`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Finding<S: PackingSettings> {
    /// The report on a plan. If more pieces follow, the search goes on, and this is its best plan so far.
    Report(Box<Report<S, S::Size>>),
    /// Rows of a comparison.
    Rows(Vec<ComparisonRow<S>>),
}

/// The outcome of one algorithm in a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ComparisonRow<S: PackingSettings> {
    /// The algorithm, with any other settings that differ between rows.
    pub row: S::Row,
    /// The figures of its plan.
    pub figures: Figures,
    /// Solve time, seconds.
    pub seconds: f64,
}

impl From<Query> for Request {
    /// Creates a request about the data that the worker holds.
    fn from(query: Query) -> Self {
        Self {
            data: QueryData::Held,
            query,
        }
    }
}

impl From<api::Request> for Request {
    /// Creates a request for one report on sequences.
    fn from(request: api::Request) -> Self {
        let (settings, listed) = (request.settings, request.listed);
        Self {
            data: QueryData::Lengths(request.counts),
            query: Query::Sequences(Question::Report { settings, listed }),
        }
    }
}

impl From<Question<Settings>> for Query {
    fn from(question: Question<Settings>) -> Self {
        Self::Sequences(question)
    }
}

impl From<Question<tuple::Settings>> for Query {
    fn from(question: Question<tuple::Settings>) -> Self {
        Self::Graphs(question)
    }
}

impl Query {
    /// Whether the answer to this question also answers `other`, apart from settings that only price.
    pub fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sequences(a), Self::Sequences(b)) => a.covers(b),
            (Self::Graphs(a), Self::Graphs(b)) => a.covers(b),
            (a, b) => a == b,
        }
    }

    /// Whether both are the same question, apart from settings that only price.
    pub fn is_same(&self, other: &Self) -> bool {
        let alike = match (self, other) {
            (Self::Sequences(a), Self::Sequences(b)) => {
                a.settings().unpriced() == b.settings().unpriced()
            }
            (Self::Graphs(a), Self::Graphs(b)) => {
                a.settings().unpriced() == b.settings().unpriced()
            }
            _ => true,
        };
        alike && self.covers(other) && other.covers(self)
    }

    /// Whether the question is for a certificate, which is saved as a file.
    pub fn is_proof(&self) -> bool {
        matches!(self, Self::CertifySequences(_) | Self::CertifyGraphs(_))
    }

    /// Whether the visitor waits for the answer, as for a file, but not for a row of the table.
    pub fn is_waited_for(&self) -> bool {
        match self {
            Self::Sequences(question) => question.is_waited_for(),
            Self::Graphs(question) => question.is_waited_for(),
            // Batches listed for the picture are those of the chosen sampler, the headline of the view.
            Self::Batches(_, drawn) => *drawn,
            _ => self.is_proof(),
        }
    }
}

impl<S: PackingSettings> Question<S> {
    pub fn settings(&self) -> &S {
        match self {
            Self::Report { settings, .. }
            | Self::Compare { settings, .. }
            | Self::Prove { settings, .. } => settings,
        }
    }

    /// Whether the visitor waits for the answer; false for a search in the background.
    pub fn is_waited_for(&self) -> bool {
        match self {
            // A fast report is on screen before anyone could wait.
            Self::Report { settings, .. } => settings.takes_long(),
            // Proven for another algorithm, the optimum is only compared with: background work.
            Self::Prove { settings, .. } => settings.is_optimal(),
            Self::Compare { .. } => false,
        }
    }

    fn covers(&self, other: &Self) -> bool {
        use Question::{Compare, Prove, Report};
        let (s, t) = (self.settings(), other.settings());
        match (self, other) {
            // A report that lists more strategies has those of one that lists fewer.
            (Report { listed: a, .. }, Report { listed: b, .. }) => {
                a >= b && s.unpriced() == t.unpriced()
            }
            (
                Compare {
                    rows, budget: a, ..
                },
                Compare {
                    rows: wanted,
                    budget: b,
                    ..
                },
            ) => {
                a == b
                    && s.unpriced() == t.unpriced()
                    && wanted.iter().all(|row| rows.contains(row))
            }
            (Prove { budget: a, .. }, Prove { budget: b, .. }) => {
                a == b && s.is_optimal() == t.is_optimal() && s.problem() == t.problem()
            }
            _ => false,
        }
    }
}
