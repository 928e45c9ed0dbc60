//! Requests about ranks that wait for each other. `run`, `table` and the settings are those of [`crate::ranks`].

pub mod words;

pub use crate::ranks::*;

use super::Query;
use crate::histogram::Histogram;
use crate::packing::Progress;
use serde::{Deserialize, Serialize};

/// Lengths, and the settings of ranks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RanksRequest {
    /// (length, number of sequences), in any order.
    pub counts: Vec<(u32, u64)>,
    /// Ranks, dealing, weights, and what is simulated.
    pub settings: Settings,
}

impl Query for RanksRequest {
    type Report = Report;

    fn run(&self, _: &mut Progress) -> crate::error::Result<Report> {
        run(
            &Histogram::from_lengths(self.counts.iter().copied())?,
            &self.settings,
        )
    }
}
