//! The rows that packing is compared with.

use super::AppState;
use packscope::api::Settings;
use packscope::histogram::Overlong;
use packscope::metrics::{ExpectedPadding, Figures};
use packscope::words::count;

/// The way in which rows of one sequence each are padded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Baseline {
    /// All rows to the limit, as fixed shapes require.
    #[default]
    Limit,
    /// Random batches, each to its longest sequence.
    Batches,
}

impl Baseline {
    pub const ALL: [Self; 2] = [Self::Limit, Self::Batches];

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

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|b| b.name() == name)
    }
}

/// Sequences that are padded, not packed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaddedBaseline {
    /// Slots of an epoch; for random batches on average over all orders.
    pub slots: f64,
    /// The share of these slots that is empty.
    pub padding_share: f64,
}

impl PaddedBaseline {
    pub fn to_limit(f: &Figures) -> Self {
        Self {
            // Efficiency is tokens ÷ slots.
            slots: f.real_tokens[0] as f64 / f.baseline_efficiency[0],
            padding_share: f.baseline_padding_share(),
        }
    }

    /// Returns padded slots / packed slots.
    pub fn factor(&self, f: &Figures) -> f64 {
        self.slots / f.slots[0] as f64
    }

    /// Returns [`factor`](Self::factor) / (1 + overhead): the speed-up if a step takes as long as it has slots. `None`
    /// without an overhead.
    pub fn realised_speedup(&self, f: &Figures) -> Option<f64> {
        Some(self.factor(f) / (1.0 + f.overhead?))
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
            let ExpectedPadding {
                slots,
                padding_share,
                ..
            } = ExpectedPadding::random(&fitted, batch);
            Some(PaddedBaseline {
                slots,
                padding_share,
            })
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
