//! The rows that packing is compared with.

use super::AppState;
use packscope::api::Settings;
use packscope::cost::Method;
use packscope::histogram::Overlong;
use packscope::metrics::Figures;
pub use packscope::metrics::PaddedBaseline;
use packscope::sampler::Sampler;
use packscope::words::count;

/// The way in which rows of one sequence each are padded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Baseline {
    /// Random batches, each to its longest sequence, as loaders pad them.
    #[default]
    Batches,
    /// All rows to the limit, as fixed shapes require.
    Limit,
}

impl Baseline {
    pub const ALL: [Self; 2] = [Self::Batches, Self::Limit];

    pub fn other(self) -> Self {
        match self {
            Self::Limit => Self::Batches,
            Self::Batches => Self::Limit,
        }
    }

    /// Returns a description for a menu, with the rows of a batch.
    pub fn title(self, batch: u32) -> String {
        match self {
            Self::Limit => "Rows padded to the limit".to_owned(),
            Self::Batches => format!(
                "Batches of {}, padded to their longest",
                count(u64::from(batch))
            ),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::Batches => "batches",
        }
    }

    /// Returns the name of the speed-up over these rows. Files have both, so that the name says which one is meant.
    pub fn speedup(self) -> &'static str {
        match self {
            Self::Limit => Figures::SPEEDUP.id,
            Self::Batches => "speedup_over_batches",
        }
    }

    /// Returns the method of the estimates that pads so.
    pub fn method(self) -> Method {
        match self {
            Self::Limit => Method::Padded,
            Self::Batches => Method::Batched(Sampler::Random),
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|b| b.name() == name)
    }
}

/// Version of the data, limit, policy for longer sequences, and batch.
pub(super) type Key = (u64, u32, Overlong, u32);

impl AppState {
    /// Pads the sequences of a new answer in batches. O(distinct · batch) at most.
    pub(super) fn pad(&mut self) {
        let key = self.answered();
        // Actions are many and this takes long: it is computed once for each answer and batch.
        if key == self.in_batches.as_ref().map(|(key, _)| *key) {
            return;
        }
        let padded = key.and_then(|(_, limit, overlong, batch)| {
            let data = self.sequences.data.as_ref()?;
            let fitted = data.histogram.fit_roughly(limit, overlong).ok()?;
            Some(PaddedBaseline::in_batches(&fitted, batch))
        });
        self.in_batches = key.zip(padded);
    }

    fn answered(&self) -> Option<Key> {
        // The batch of the settings, not that of the answer: rows depend on it only where they are
        // sorted.
        let answer = self
            .sequences
            .answer
            .as_ref()
            .filter(|a| a.ticket.data == self.sequences.version())?;
        let Settings {
            limit, overlong, ..
        } = answer.report.settings;
        Some((
            answer.ticket.data,
            limit,
            overlong,
            self.sequences.settings.batch,
        ))
    }

    /// Returns the rows of the answer as a baseline pads them; `None` without an answer about the present data.
    pub fn padded(&self, baseline: Baseline) -> Option<PaddedBaseline> {
        match baseline {
            Baseline::Limit => self
                .sequences
                .answer
                .as_ref()
                .map(|a| PaddedBaseline::to_limit(&a.report.figures)),
            Baseline::Batches => self.in_batches.map(|(_, padded)| padded),
        }
    }

    /// Returns the chosen baseline and the padded batches, on which drawings of padded rows depend beside the answer.
    pub fn baselines(&self) -> (Baseline, Option<PaddedBaseline>) {
        (self.baseline, self.padded(Baseline::Batches))
    }

    /// Returns the rows that packing is compared with: the chosen baseline.
    pub fn compared_with(&self) -> Option<PaddedBaseline> {
        self.padded(self.baseline)
    }
}
