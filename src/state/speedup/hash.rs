//! Speed-up in the URL, the same on every view: `cost.accelerator=h100&cost.accelerators=64`.

use super::{Action, CREW, SHARDED, SpeedUpState};
use packscope::accepts::number;
use packscope::cost::presets::{ACCELERATORS, GNNS, Preset, TRANSFORMERS, named};
use packscope::cost::{Assumptions, CostField, fields::FIELDS};

/// The prefix of all settings of Speed-up.
pub(in crate::state) const PREFIX: &str = "cost.";

impl SpeedUpState {
    /// Returns (name, value) of the settings that differ from the defaults.
    pub(in crate::state) fn pairs(&self) -> Vec<(&'static str, String)> {
        let usual = Self::default();
        // What follows the data is left out, what the visitor has set is not, whatever the data.
        let chosen = [
            ("model", self.transformer.id, self.by_hand.model),
            ("gnn", self.gnn.id, self.gnn.id != usual.gnn.id),
            (
                "accelerator",
                self.accelerator.id,
                self.accelerator.id != usual.accelerator.id,
            ),
        ];
        let chosen = chosen.into_iter().filter(|(.., is_chosen)| *is_chosen);
        let is_written = |field: &&CostField| match field.id {
            SHARDED => self.by_hand.sharded,
            CREW => self.by_hand.accelerators,
            _ => self.is_changed(field),
        };
        let changed = FIELDS.iter().filter(is_written);
        chosen
            .map(|(name, id, _)| (name, id.to_owned()))
            .chain(changed.map(|field| (field.id, exact_number((field.get)(self.assumptions())))))
            .collect()
    }

    /// Sets a setting. Presets come before numbers that replace theirs, as [`pairs`](Self::pairs) writes them.
    pub(in crate::state) fn set(&mut self, name: &str, value: &str) {
        let action = match name {
            "model" => named(TRANSFORMERS, value).map(Action::Transformer),
            "gnn" => named(GNNS, value).map(Action::Gnn),
            "accelerator" => named(ACCELERATORS, value).map(Action::Accelerator),
            id => CostField::named(id)
                .zip(number(value))
                .map(|(field, value)| Action::Set(field.id, value)),
        };
        // `apply` alone: the address has the overhead of the accelerator in a setting of its own.
        if let Some(action) = action {
            self.apply(action);
        }
    }
}

/// Returns the name of a setting and its accepted values, if a value is none of them; `None` for unknown settings.
pub(in crate::state) fn refused(name: &str, value: &str) -> Option<(&'static str, String)> {
    fn of<T>(
        label: &'static str,
        presets: &'static [Preset<T>],
        id: &str,
    ) -> Option<(&'static str, String)> {
        let ids = || {
            presets
                .iter()
                .map(|preset| preset.id)
                .collect::<Vec<_>>()
                .join(", ")
        };
        named(presets, id).is_none().then(|| (label, ids()))
    }
    match name {
        "model" => of("Model", TRANSFORMERS, value),
        "gnn" => of("Graph network", GNNS, value),
        "accelerator" => of("Accelerator", ACCELERATORS, value),
        id => {
            let field = CostField::named(id)?;
            let [least, most] = field.range.map(exact_number);
            let kind = if field.whole {
                "a whole number"
            } else {
                "a number"
            };
            let taken = number(value)
                .is_some_and(|value| field.with(&Assumptions::default(), value).is_ok());
            (!taken).then(|| (field.label, format!("{kind} from {least} to {most}")))
        }
    }
}

/// Writes a number, large ones with an exponent but without `+`, so that it is parsed back exactly.
fn exact_number(value: f64) -> String {
    if value.abs() >= 1e9 {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}
