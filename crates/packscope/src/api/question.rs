//! Questions about data that a worker holds, and the findings that answer them piece by piece.

use super::problem::{PackingSettings, Report};
use crate::metrics::Figures;
use serde::{Deserialize, Serialize};

/// A question about packing, which one or several findings answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Question<S: PackingSettings> {
    /// The report on these settings, in one finding.
    Report {
        /// The settings to pack with.
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

impl<S: PackingSettings> Question<S> {
    /// Returns the settings of the question.
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

/// A part of the answer to a [`Question`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Finding<S: PackingSettings> {
    /// A better plan while [`Question::Prove`] goes on.
    Better {
        /// The report of the plan.
        report: Box<Report<S, S::Size>>,
        /// Solve time so far, seconds.
        seconds: f64,
    },
    /// Some rows of [`Question::Compare`]; more follow.
    Rows(Vec<ComparisonRow<S>>),
    /// The answer to [`Question::Report`] and [`Question::Prove`].
    Report {
        /// Settings, figures and strategies of the plan.
        report: Box<Report<S, S::Size>>,
        /// Solve time, seconds.
        seconds: f64,
    },
    /// The last rows of [`Question::Compare`].
    Compared(Vec<ComparisonRow<S>>),
    /// Progress of [`Question::Prove`]: packs of the best plan so far, and the lower bound.
    Found {
        /// Packs of the best plan.
        packs: u64,
        /// The lower bound, packs.
        bound: u64,
    },
    /// The engine's error, in words for the visitor.
    Refused(String),
    /// The search was stopped or lost; earlier findings stay.
    Stopped,
}

impl<S: PackingSettings> Finding<S> {
    /// Whether more findings follow on the same question.
    pub fn continues(&self) -> bool {
        matches!(
            self,
            Self::Found { .. } | Self::Better { .. } | Self::Rows(_)
        )
    }
}
