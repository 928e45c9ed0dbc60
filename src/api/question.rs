//! Questions about data that a worker holds, and what it finds, piece by piece.

use super::problem::{Packing, Report};
use crate::metrics::Figures;
use serde::{Deserialize, Serialize};

/// A question about packing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Question<S: Packing> {
    /// One report.
    Report {
        /// How the data are to be packed.
        settings: S,
        /// Strategies in the report at most.
        listed: u32,
    },
    /// The figures of many rows.
    Compare {
        /// The settings that all rows share.
        settings: S,
        /// The rows.
        rows: Vec<S::Row>,
        /// Seconds for each optimum at most.
        budget: f64,
    },
    /// The optimum with its proof, whichever algorithm the settings name.
    Prove {
        /// How the data are to be packed.
        settings: S,
        /// Strategies in the report at most.
        listed: u32,
        /// Seconds for the search at most.
        budget: f64,
    },
}

impl<S: Packing> Question<S> {
    /// The settings it is about.
    pub fn settings(&self) -> &S {
        match self {
            Self::Report { settings, .. } | Self::Compare { settings, .. } | Self::Prove { settings, .. } => {
                settings
            }
        }
    }

    /// Whether the visitor waits for the answer: a search that was chosen, not one in the background.
    pub fn is_waited_for(&self) -> bool {
        match self {
            Self::Report { settings, .. } => settings.takes_long(),
            Self::Prove { settings, .. } => settings.is_optimal(),
            Self::Compare { .. } => false,
        }
    }
}

/// A row of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Compared<S: Packing> {
    /// Algorithm, and whatever else differs between rows.
    pub row: S::Row,
    /// The figures.
    pub figures: Figures,
    /// Solve time, seconds.
    pub seconds: f64,
}

/// A part of the answer to a [`Question`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Finding<S: Packing> {
    /// How far [`Question::Prove`] is: packs of the best plan so far, and the bound.
    Found {
        /// Packs of the best plan.
        packs: u64,
        /// Packs that no plan goes below.
        bound: u64,
    },
    /// A plan to look at while [`Question::Prove`] goes on.
    Better {
        /// Its report.
        report: Box<Report<S, S::Size>>,
        /// Solve time so far, seconds.
        seconds: f64,
    },
    /// Some rows of [`Question::Compare`]; more follow.
    Rows(Vec<Compared<S>>),
    /// The answer to [`Question::Report`] and [`Question::Prove`].
    Report {
        /// The report.
        report: Box<Report<S, S::Size>>,
        /// Solve time, seconds.
        seconds: f64,
    },
    /// The last rows of [`Question::Compare`].
    Compared(Vec<Compared<S>>),
    /// The engine refuses, in words for the visitor.
    Refused(String),
    /// The search was stopped or lost; its findings stay.
    Stopped,
}

impl<S: Packing> Finding<S> {
    /// Whether more findings follow on the same question.
    pub fn continues(&self) -> bool {
        matches!(self, Self::Found { .. } | Self::Better { .. } | Self::Rows(_))
    }
}
