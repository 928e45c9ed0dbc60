//! Messages between the page and its workers, as postcard bytes. Both ends are built from this file.

use crate::api::{Report, Settings};
use crate::ingest::{Description, Options};
use crate::metrics::Figures;
use crate::packing::{Algorithm, Depth, Step};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// What the page asks of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Data for the questions that follow: (length, number of items).
    Data(Vec<(u32, u64)>),
    /// One report.
    Report {
        /// How the data are to be packed.
        settings: Settings,
        /// Strategies to send back at most.
        listed: u32,
    },
    /// Figures for table and curve.
    Compare {
        /// Settings that all points share.
        settings: Settings,
        /// Algorithms and depths.
        points: Vec<(Algorithm, Depth)>,
        /// Seconds that each optimum may take.
        budget: f64,
    },
    /// The optimum, whichever algorithm the settings name.
    Prove {
        /// How the data are to be packed.
        settings: Settings,
        /// Strategies to send back at most.
        listed: u32,
        /// Seconds it may take.
        budget: f64,
    },
    /// Read the file that comes with the message.
    Read(Options),
}

/// What a worker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// It has started and listens.
    Ready,
    /// How far it is.
    Progress(Step),
    /// A first answer to [`Ask::Prove`], where the search goes on.
    Better {
        /// The report.
        report: Box<Report>,
        /// Solve time so far.
        seconds: f64,
    },
    /// A part of the answer to [`Ask::Compare`], where more is to come.
    Point(Box<Compared>),
    /// Answer to [`Ask::Report`] and [`Ask::Prove`].
    Report {
        /// The report.
        report: Box<Report>,
        /// Solve time.
        seconds: f64,
    },
    /// Answer to [`Ask::Compare`], without the points that were sent before.
    Compared(Vec<Compared>),
    /// Answer to [`Ask::Read`].
    Read {
        /// (length, number of items), ascending.
        counts: Vec<(u32, u64)>,
        /// What was read, and what was not.
        description: Box<Description>,
    },
    /// The engine or the reader refuses, in words for the visitor.
    Refused(String),
}

impl Reply {
    /// Whether more replies follow to the same question.
    pub fn continues(&self) -> bool {
        matches!(self, Self::Progress(_) | Self::Point(_) | Self::Better { .. })
    }
}

/// One point of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Its depth limit.
    pub depth: Depth,
    /// The figures.
    pub figures: Figures,
    /// Solve time.
    pub seconds: f64,
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
