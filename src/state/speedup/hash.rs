//! Speed-up in the URL, the same on every view: `cost.accelerator=h100&cost.accelerators=64`.

use super::{Action, SHARDED, SpeedUpState};
use crate::accepts::number;
use crate::cost::presets::{ACCELERATORS, GNNS, TRANSFORMERS, named};
use crate::cost::{Field, fields::FIELDS};

/// The prefix of all settings of Speed-up.
pub(in crate::state) const PREFIX: &str = "cost.";

impl SpeedUpState {
    /// Returns (name, value) of the settings that differ from the defaults.
    pub(in crate::state) fn pairs(&self) -> Vec<(&'static str, String)> {
        let usual = Self::default();
        // What follows the data is left out, what the visitor has set is not, whatever the data.
        let chosen = [
            ("model", self.transformer.id, self.chosen.model),
            ("gnn", self.gnn.id, self.gnn.id != usual.gnn.id),
            ("accelerator", self.accelerator.id, self.accelerator.id != usual.accelerator.id),
        ];
        let chosen = chosen.into_iter().filter(|(.., is_chosen)| *is_chosen);
        let is_written = |field: &&Field| match field.id {
            SHARDED => self.chosen.sharded,
            _ => self.is_changed(field),
        };
        let changed = FIELDS.iter().filter(is_written);
        chosen
            .map(|(name, id, _)| (name, id.to_owned()))
            .chain(changed.map(|field| (field.id, written((field.get)(self.assumptions())))))
            .collect()
    }

    /// Sets a setting. Presets come before numbers that replace theirs, as [`pairs`](Self::pairs) writes them.
    pub(in crate::state) fn set(&mut self, name: &str, value: &str) {
        let action = match name {
            "model" => named(TRANSFORMERS, value).map(Action::Transformer),
            "gnn" => named(GNNS, value).map(Action::Gnn),
            "accelerator" => named(ACCELERATORS, value).map(Action::Accelerator),
            id => Field::named(id).zip(number(value)).map(|(field, value)| Action::Set(field.id, value)),
        };
        if let Some(action) = action {
            self.apply(action);
        }
    }
}

/// Writes a number, large ones with an exponent but without `+`, so that it is parsed back exactly.
fn written(value: f64) -> String {
    if value.abs() >= 1e9 { format!("{value:e}") } else { value.to_string() }
}
