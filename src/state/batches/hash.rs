//! The view of batches in the URL.

use super::{Action, BatchState};
use crate::api::batch::{BatchCap, EPOCHS, LearningRate, Settings};
use crate::state::hash::{Pair, put};

impl BatchState {
    pub(in crate::state) fn pairs(&self) -> Vec<Pair> {
        let (s, usual) = (&self.settings, Settings::default());
        let or = |number: Option<u64>| number.map_or_else(String::new, |n| n.to_string());
        let cap = match s.batch_cap {
            Some(BatchCap { base: Some(base), scaling }) => format!("{base},{scaling}"),
            Some(BatchCap { base: None, scaling }) => scaling.to_string(),
            None => "off".to_owned(),
        };
        let rate = s.learning_rate;
        vec![
            Pair::always("sampler", s.sampler.to_string(), s.sampler == usual.sampler),
            Pair::new("for", s.mode.name().to_owned(), s.mode == usual.mode),
            Pair::new("epochs", s.epochs.to_string(), s.epochs == usual.epochs),
            Pair::new("epoch", (self.epoch + 1).to_string(), self.epoch == 0),
            Pair::new("group", or(s.mega.map(u64::from)), s.mega.is_none()),
            Pair::new("tokens", or(s.tokens), s.tokens.is_none()),
            Pair::new("width", or(s.bucket_width.map(u64::from)), s.bucket_width.is_none()),
            Pair::new("hwcap", s.hwcap.to_string(), s.hwcap == usual.hwcap),
            Pair::new("merging", "off".to_owned(), s.merging),
            Pair::new("cap", cap, s.batch_cap == usual.batch_cap),
            Pair::new("drop", s.token_drop.to_string(), s.token_drop == usual.token_drop),
            Pair::new("stopwords", s.stopword_share.to_string(), s.stopword_share == usual.stopword_share),
            Pair::new("rate", rate.base.to_string(), rate.base == usual.learning_rate.base),
            Pair::new("rates", "constant".to_owned(), rate.modulated),
            Pair::new("drawn", "first".to_owned(), !self.first_batches),
        ]
    }

    /// Every value goes the way of an action, which refuses what makes no sense.
    pub(in crate::state) fn set(&mut self, name: &str, value: &str) {
        let s = self.settings.clone();
        let number = || value.parse::<u32>().ok();
        let action = match name {
            "sampler" => value.parse().ok().map(Action::Sampler),
            "for" => value.parse().ok().map(Action::Mode),
            "epochs" => number().map(Action::Epochs),
            "epoch" => number().filter(|e| (1..=EPOCHS).contains(e)).map(|e| Action::Epoch(e - 1)),
            "group" => number().map(|g| Action::Mega(Some(g))),
            "tokens" => value.parse().ok().map(|t| Action::Tokens(Some(t))),
            "width" => number().map(|w| Action::Width(Some(w))),
            "hwcap" => value.parse().ok().map(Action::HwCap),
            "merging" => Some(Action::Merging(value != "off")),
            "cap" => cap(value).map(Action::BatchCap),
            "drop" => value.parse().ok().map(Action::TokenDrop),
            "stopwords" => value.parse().ok().map(Action::StopwordShare),
            "rate" => {
                let mut base = s.learning_rate.base;
                put(&mut base, value, |_| true);
                Some(Action::LearningRate(LearningRate { base, ..s.learning_rate }))
            }
            "rates" => {
                let modulated = value != "constant";
                Some(Action::LearningRate(LearningRate { modulated, ..s.learning_rate }))
            }
            "drawn" => Some(Action::FirstBatches(value == "first")),
            _ => None,
        };
        if let Some(action) = action {
            self.apply(action);
        }
    }
}

/// `off`, a scaling, or a base and a scaling.
fn cap(value: &str) -> Option<Option<BatchCap>> {
    if value == "off" {
        return Some(None);
    }
    let (base, scaling) = match value.split_once(',') {
        Some((base, scaling)) => (Some(base.parse().ok()?), scaling),
        None => (None, value),
    };
    let scaling = scaling.parse().ok().filter(|s| (1.0..=100.0).contains(s))?;
    Some(Some(BatchCap { base, scaling }))
}
