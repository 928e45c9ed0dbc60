//! The recommended sampler.

use super::{Advice, WORTH};
use crate::api::batch::Mode;
use crate::metrics::EpochFigures;
use crate::order::Map;
use crate::sampler::Sampler;
use crate::state::batches::{self, Row};
use crate::state::{Action, AppState};
use crate::words::{factor, mean, percent};

/// Samplers whose speed-ups differ by less than this factor count as equal.
const ALIKE: f64 = 1.03;

impl AppState {
    /// Returns the recommended sampler: of the fastest by estimate that have as many sequences a step as random
    /// batches, the one that shuffles most; the present one if its batches are of another size, and faster. `rows` are [priced](Self::priced_figures); `None` until all are known.
    pub fn sampling_advice(&self, rows: &Map<Row, EpochFigures>) -> Option<Advice> {
        let settings = self.batch_settings();
        if settings.mode == Mode::RealTime || !self.are_batched() {
            return None;
        }
        let random = rows.get(&Row::RANDOM)?;
        let fair = |f: &EpochFigures| (f.sequences_per_step / random.sequences_per_step - 1.0).abs() < 0.1;
        // From the most shuffled to the least. Packing is not listed: it changes the rows, and has a view of its own.
        let order = [
            Sampler::Bucket,
            Sampler::BucketByLength,
            Sampler::LengthGrouped,
            Sampler::TokenBudget,
            Sampler::Sorted,
        ];
        let of = |sampler: Sampler| rows.iter().filter(move |(row, f)| row.sampler == sampler && fair(f));
        let all = || order.into_iter().flat_map(of);
        let fastest = all().map(|(_, f)| f.estimated_speedup).fold(1.0, f64::max);
        let now = percent(random.padding_share);
        let present = self.batch_row();
        let advice = |row: Row, reason| {
            let random = row == Row::RANDOM;
            let name = if random { "Random batches" } else { batches::findings::name_of(row) };
            match row == present {
                true => Advice::new(format!("{name}, as set"), reason, vec![]),
                false => Advice::new(name, reason, vec![Action::Batches(batches::Action::Choose(row))]),
            }
        };
        let other = |f: &&EpochFigures| !fair(f) && f.estimated_speedup > fastest.max(1.0 + WORTH) * ALIKE;
        if let Some(own) = rows.get(&present).filter(other) {
            let [each, usual] = [own, random].map(|f| mean(f.sequences_per_step));
            let fast = factor(own.estimated_speedup);
            let reason = format!("An estimated {fast}, at {each} sequences a step instead of {usual}.");
            return Some(advice(present, reason));
        }
        if fastest < 1.0 + WORTH {
            let reason = format!(
                "At as many sequences a step no sampler is estimated to gain 2 %: random batches have {now} padding."
            );
            return Some(advice(Row::RANDOM, reason));
        }
        let good = |f: &EpochFigures| f.estimated_speedup >= (fastest / ALIKE).max(1.0 + WORTH);
        let found = all().find(|(_, f)| good(f))?;
        // Merging of residual batches stays as it is if both ways are equally good.
        let own = rows.get(&present).filter(|f| present.sampler == found.0.sampler && fair(f) && good(f));
        let (row, f) = own.map_or(found, |f| (&present, f));
        let reason = format!(
            "{} padding instead of {now} in random batches of as many sequences: an estimated {}. {}",
            percent(f.padding_share),
            factor(f.estimated_speedup),
            of_shuffling(row.sampler)
        );
        Some(advice(*row, reason))
    }
}

/// Returns the sentence about the order that a sampler leaves.
fn of_shuffling(sampler: Sampler) -> &'static str {
    match sampler {
        Sampler::Sorted => "The order of lengths is the same in every epoch.",
        Sampler::LengthGrouped => "Shuffled within groups of some batches.",
        Sampler::TokenBudget => "Batches of like lengths come in random order.",
        _ => "Batches come in random order, and are drawn anew in each epoch.",
    }
}
