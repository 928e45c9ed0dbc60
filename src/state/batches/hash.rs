//! The view of batches in the URL.

use super::shapes::SHAPES;
use super::{BatchState, usual};
use crate::state::pairs::{Pair, own_pairs, set_own};
use packscope::api::batch::EPOCHS;
use packscope::api::fields::batches;

impl BatchState {
    pub(in crate::state) fn pairs(&self) -> Vec<Pair> {
        let mut pairs = own_pairs(batches::VALUES, &self.settings, &usual());
        let epochs = pairs
            .iter()
            .position(|pair| pair.name == batches::EPOCHS.value.id);
        let epoch = Pair::new("epoch", (self.epoch + 1).to_string(), self.epoch == 0);
        pairs.insert(epochs.map_or(0, |at| at + 1), epoch);
        pairs.push(Pair::new("drawn", "first".to_owned(), !self.first_batches));
        pairs
    }

    /// Sets all settings to their defaults; what is in view is still asked about.
    pub(in crate::state) fn reset(&mut self) {
        let asked = std::mem::take(&mut self.shapes.asked);
        *self = Self::default();
        self.shapes.asked = asked;
    }

    /// Sets one of these settings; bad values, other names and invalid settings change nothing.
    pub(in crate::state) fn set(&mut self, name: &str, value: &str) {
        match name {
            "epoch" => {
                let epoch = value
                    .parse()
                    .ok()
                    .filter(|epoch| (1..=EPOCHS).contains(epoch));
                self.epoch = epoch.map_or(self.epoch, |epoch| epoch - 1);
            }
            "drawn" => self.first_batches = value == "first",
            _ if name.starts_with(SHAPES) => self.shapes.set(name, value),
            _ => {
                set_own(batches::VALUES, &mut self.settings, (name, value), |s| {
                    s.check().is_ok()
                });
            }
        }
    }
}
