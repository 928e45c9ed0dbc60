//! Queries one by one: no padding, so only dropping tokens helps.
//!
//! Source: Nagarajan, Raghunathan 2023, *TokenDrop + BucketSampler*, §3.2 and Fig. 4.

use crate::state::AppState;
use packscope::api::batch::{PreparedBatches, Settings};
use packscope::metrics::EpochFigures;
use packscope::sampler::TokenDrop;
use std::borrow::Cow;

/// Dropping rates of the table.
pub const RATES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Returns the setting for a dropping rate: off at 0.
pub fn dropping(rate: f64) -> TokenDrop {
    if rate > 0.0 {
        TokenDrop::Rate(rate)
    } else {
        TokenDrop::Off
    }
}

impl AppState {
    /// Returns the present rate. Single queries have no batches to equalise.
    pub fn dropping_rate(&self) -> f64 {
        match self.batch_settings().token_drop {
            TokenDrop::Rate(rate) => rate,
            TokenDrop::Off | TokenDrop::Equalise => 0.0,
        }
    }

    /// Returns the rates of the table, with the present one inserted if it is not among them.
    pub fn dropping_rates(&self) -> Vec<f64> {
        let mut rates = RATES.to_vec();
        let set = self.dropping_rate();
        // The rates ascend. `f64` has no order of its own, hence `total_cmp`.
        if let Err(at) = rates.binary_search_by(|rate| rate.total_cmp(&set)) {
            rates.insert(at, set);
        }
        rates
    }

    /// Returns the figures of queries at these rates; empty without data, or where the engine refuses the settings.
    /// O(distinct · rates).
    pub fn one_by_one(&self, rates: &[f64]) -> Vec<(f64, EpochFigures)> {
        self.prepared_queries()
            .map_or_else(Vec::new, |(prepared, settings)| {
                let figures = |rate: f64| {
                    let settings = Settings {
                        token_drop: dropping(rate),
                        ..settings.clone()
                    };
                    prepared.one_by_one(&settings).ok()
                };
                rates
                    .iter()
                    .filter_map(|rate| Some((*rate, figures(*rate)?)))
                    .collect()
            })
    }

    fn prepared_queries(&self) -> Option<(PreparedBatches, Settings)> {
        let data = self.sequences.data.as_ref()?;
        let items = match &data.texts {
            Some(texts) => Cow::Borrowed(texts.as_ref()),
            // Without texts there are no counts of stopwords: their share is assumed instead.
            None => Cow::Owned(data.histogram.with_zero()),
        };
        let settings = self.batch_settings();
        Some((
            PreparedBatches::new(&items, data.texts.is_some(), &settings).ok()?,
            settings,
        ))
    }
}
