//! Model, batch and accelerators that suit the data, until the visitor sets them.

use super::SpeedUpState;
use crate::state::{AppState, Data, Source, View};
use packscope::api::Settings;
use packscope::api::limits::practical;
use packscope::cost::presets::{self, Preset};
use packscope::cost::{Assumptions, FittingBatch, Transformer, Workload, largest_batch};

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

    fn is_text(&self) -> bool {
        match self.source {
            Source::Preset(preset) => preset.is_text(),
            _ => ["tokens", "words", "bytes", "characters"].contains(&self.source.unit()),
        }
    }
}

/// Returns the batch of rows of this many slots that fits, at most as many rows as usual; weights are sharded only where
/// fewer rows than `least` fit otherwise.
fn usual_batch(
    model: &Transformer,
    a: &Assumptions,
    limit: u32,
    least: u32,
) -> Option<FittingBatch> {
    largest_batch(
        &Workload::Transformer(*model),
        a,
        limit,
        least..=Settings::default().batch,
    )
}

/// Returns the model for data: BERT large, or the largest model of today for text that BERT cannot read, of which two
/// rows fit the accelerators that the page opens with.
fn model_for(data: Option<&Data>) -> &'static Preset<Transformer> {
    let short = SpeedUpState::default().transformer;
    let Some(limit) = data.filter(|data| data.is_text()).map(Data::usual_limit) else {
        return short;
    };
    if limit <= BERT_LIMIT {
        return short;
    }
    let usual = Assumptions::default();
    let fits = |model: &&Preset<Transformer>| {
        usual_batch(&model.value, &usual, limit, LEAST_ROWS)
            .is_some_and(|batch| batch.rows >= LEAST_ROWS)
    };
    let mut long = LONG_MODELS
        .iter()
        .filter_map(|id| presets::named(presets::TRANSFORMERS, id));
    long.clone()
        .find(fits)
        // None fits: the smallest comes nearest.
        .or_else(|| long.next_back())
        .unwrap_or(short)
}

impl AppState {
    /// Gives the data a model that reads them, a batch that fits its memory, and accelerators to
    /// train it on, except where the visitor has set them.
    /// They depend on the data and on the assumptions, not on the actions before; the batch is that of the usual limit,
    /// so that no slider moves it.
    pub(in crate::state) fn suit(&mut self) {
        // A function of data and assumptions alone. When it followed actions, the same data had
        // another model by the way one had come to them.
        let data = self.sequences.data.as_ref();
        let limit = data.map_or(BERT_LIMIT, Data::usual_limit);
        let by_hand = self.speedup.by_hand;
        if !by_hand.model {
            let model = model_for(data);
            (
                self.speedup.transformer,
                self.speedup.assumptions.transformer,
            ) = (model, model.value);
        }
        // Graphs and their models are small: the trainings of the literature run on one accelerator.
        let usual = Assumptions::default().accelerators;
        self.speedup.crew = if self.view == View::Graphs { 1 } else { usual };
        if !by_hand.accelerators {
            self.speedup.assumptions.accelerators = self.speedup.crew;
        }
        // What suits sequences depends on no other view, and whether weights are sharded is found anew.
        let mut a = self.speedup.assumptions;
        a.accelerators = if by_hand.accelerators {
            a.accelerators
        } else {
            usual
        };
        a.training.sharded &= by_hand.sharded;
        // Sharding that is set by hand is not to change, so that no batch asks for it.
        let least = if by_hand.sharded { 0 } else { LEAST_ROWS };
        let fitting = usual_batch(&a.transformer, &a, limit, least);
        self.speedup.shards = fitting.is_some_and(|batch| batch.shards);
        if !by_hand.sharded {
            self.speedup.assumptions.training.sharded = self.speedup.shards;
        }
        if !by_hand.batch {
            let usual = Settings::default().batch;
            self.sequences
                // Where not even these fit, the page says so beside them.
                .set_batch(fitting.map_or(usual, |batch| batch.rows.max(LEAST_ROWS)));
        }
    }

    /// Takes the batch of settings that were restored for one that was set, unless it is the one that suits the data.
    pub(in crate::state) fn keep_batch(&mut self) {
        let batch = self.sequences.settings.batch;
        // Whether the restored batch is the one that suits is found by letting it follow the data
        // once.
        self.speedup.by_hand.batch = false;
        self.suit();
        if self.sequences.settings.batch != batch {
            self.speedup.by_hand.batch = true;
            self.sequences.set_batch(batch);
        }
    }

    /// Returns the rows of a batch on the view on screen: those of graphs do not follow the sequences.
    pub fn rows_of_batch(&self) -> u32 {
        match self.view {
            View::Graphs if !self.speedup.by_hand.batch => Settings::default().batch,
            _ => self.sequences.settings.batch,
        }
    }
}
