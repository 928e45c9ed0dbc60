//! Model and batch that suit the data, until the visitor sets them.

use super::SpeedUpState;
use crate::api::Settings;
use crate::api::limits::practical;
use crate::cost::presets::{self, Preset};
use crate::cost::{Assumptions, Memory, Training, Transformer, Workload};
use crate::state::{AppState, Data, Source, View};

/// Rows of a batch at least: a batch of one row has nothing to be padded to.
pub(in crate::state) const LEAST_ROWS: u32 = 2;
/// Tokens that BERT reads at most.
const BERT_LIMIT: u32 = 512;
/// The models for sequences that BERT cannot read, the largest first.
const LONG_MODELS: [&str; 3] = ["llama-3.1-8b", "llama-3.2-3b", "llama-3.2-1b"];

impl Data {
    /// Returns the usual limit of a built-in set; of others the one that they open with.
    fn usual_limit(&self) -> u32 {
        match self.source {
            Source::Preset(preset) => preset.limit(),
            _ => practical(&self.histogram),
        }
    }

    /// Whether a language model reads the sequences.
    fn is_text(&self) -> bool {
        match self.source {
            Source::Preset(preset) => preset.is_text(),
            _ => ["tokens", "words", "bytes", "characters"].contains(&self.source.unit()),
        }
    }
}

/// Returns the rows of this many slots that fit, at most as many as usual, and whether weights are sharded: only where
/// fewer than two rows fit otherwise. `None` if none fits.
fn rows_of(model: &Transformer, a: &Assumptions, limit: u32, ways: &[bool]) -> Option<(u32, bool)> {
    let rows = |sharded: &bool| {
        let training = Training { sharded: *sharded, ..a.training };
        let memory = Memory::new(&Workload::Transformer(*model), &Assumptions { training, ..*a }, 0.0);
        let most = memory.most_slots / f64::from(limit.max(1));
        (most.min(f64::from(Settings::default().batch)) as u32, *sharded)
    };
    let all = || ways.iter().map(rows);
    all().find(|(rows, _)| *rows >= LEAST_ROWS).or_else(|| all().find(|(rows, _)| *rows > 0))
}

/// Returns the model for data: BERT large, or the largest model of today for text that BERT cannot read, of which two
/// rows fit the accelerators that the page opens with.
fn model_for(data: Option<&Data>) -> &'static Preset<Transformer> {
    let short = SpeedUpState::default().transformer;
    let Some(limit) = data.filter(|data| data.is_text()).map(Data::usual_limit) else { return short };
    if limit <= BERT_LIMIT {
        return short;
    }
    let usual = Assumptions::default();
    let fits = |model: &&Preset<Transformer>| {
        rows_of(&model.value, &usual, limit, &[false, true]).is_some_and(|(rows, _)| rows >= LEAST_ROWS)
    };
    let mut long = LONG_MODELS.iter().filter_map(|id| presets::named(presets::TRANSFORMERS, id));
    long.clone().find(fits).or_else(|| long.next_back()).unwrap_or(short)
}

impl AppState {
    /// Gives the data a model that reads them and a batch that fits its memory, except where the visitor has set them.
    /// They depend on the data and on the assumptions, not on the actions before; the batch is that of the usual limit,
    /// so that no slider moves it.
    pub(in crate::state) fn suit(&mut self) {
        let data = self.sequences.data.as_ref();
        let limit = data.map_or(BERT_LIMIT, Data::usual_limit);
        let chosen = self.speedup.chosen;
        if !chosen.model {
            let model = model_for(data);
            (self.speedup.transformer, self.speedup.assumptions.transformer) = (model, model.value);
        }
        let a = &self.speedup.assumptions;
        let ways = if chosen.sharded { [a.training.sharded; 2] } else { [false, true] };
        let fitted = rows_of(&a.transformer, a, limit, &ways);
        self.speedup.shards = fitted.is_some_and(|(_, sharded)| sharded) && !chosen.sharded;
        if !chosen.sharded {
            self.speedup.assumptions.training.sharded = self.speedup.shards;
        }
        if !chosen.batch {
            let usual = Settings::default().batch;
            self.sequences.set_batch(fitted.map_or(usual, |(rows, _)| rows.max(LEAST_ROWS)));
        }
    }

    /// Takes the batch of settings that were restored for one that was set, unless it is the one that suits the data.
    pub(in crate::state) fn keep_batch(&mut self) {
        let batch = self.sequences.settings.batch;
        self.speedup.chosen.batch = false;
        self.suit();
        if self.sequences.settings.batch != batch {
            self.speedup.chosen.batch = true;
            self.sequences.set_batch(batch);
        }
    }

    /// Returns the rows of a batch on the view on screen: those of graphs do not follow the sequences.
    pub fn rows_of_batch(&self) -> u32 {
        match self.view {
            View::Graphs if !self.speedup.chosen.batch => Settings::default().batch,
            _ => self.sequences.settings.batch,
        }
    }
}
