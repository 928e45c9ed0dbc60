//! The recommended sampler.

use super::Advice;
use crate::state::batches::findings::name_of;
use crate::state::batches::{self, SamplerRow};
use crate::state::{Action, AppState};
use packscope::api::batch::{Mode, Settings};
use packscope::cost::Workload;
use packscope::cost::calibrated::band;
use packscope::metrics::EpochFigures;
use packscope::order::Map;
use packscope::sampler::Sampler;
use packscope::words::{about, about_factor, mean, percent};

type Rows = Map<SamplerRow, EpochFigures>;

/// From the most shuffled to the least. Packing is not listed: it changes the rows, and has a view of its own.
const ORDER: [Sampler; 5] = [
    Sampler::Bucket,
    Sampler::BucketByLength,
    Sampler::LengthGrouped,
    Sampler::TokenBudget,
    Sampler::Sorted,
];

impl AppState {
    /// Returns the recommended sampler: the fastest by estimate of those that keep the shuffle in training and have as
    /// many sequences a step as random batches; of equals, the present one, or the one that shuffles most. A present one
    /// with batches of another size is kept if it is faster. Names every faster sampler, and what speaks against it.
    /// `rows` are [priced](Self::priced_figures); `None` until all are known.
    pub fn sampling_advice(&self, rows: &Map<SamplerRow, EpochFigures>) -> Option<Advice> {
        let settings = self.batch_settings();
        // Queries one by one have no sampler; and a row still to come may be faster.
        if settings.mode == Mode::RealTime || !self.are_batched() {
            return None;
        }
        let random = rows.get(&SamplerRow::RANDOM)?;
        let as_large =
            |row: SamplerRow, f: &EpochFigures| is_as_large(f, random) && !grows(row, &settings);
        let suits =
            |row: SamplerRow, f: &EpochFigures| keeps_order(row, settings.mode) && as_large(row, f);
        let of = |sampler: Sampler| {
            rows.iter()
                .filter(move |(row, f)| row.sampler == sampler && suits(**row, f))
        };
        let all = || ORDER.into_iter().flat_map(of);
        // 1 is the speed of random batches: nothing slower is recommended.
        let fastest = all().map(|(_, f)| f.estimated_speedup).fold(1.0, f64::max);
        let present = self.batch_row();
        let advice = |row: SamplerRow, reason: String| {
            let speed = rows.get(&row).map_or(1.0, |f| f.estimated_speedup);
            let reason = reason + &of_faster(rows, speed, random, &settings);
            let name = if row == SamplerRow::RANDOM {
                "Random batches"
            } else {
                name_of(row)
            };
            match row == present {
                true => Advice::new(format!("{name}, as set"), reason, vec![]),
                false => Advice::new(
                    name,
                    reason,
                    vec![Action::Batches(batches::Action::Choose(row))],
                ),
            }
        };
        // The visitor's choice has batches of another size, which only the visitor can want: if it
        // is faster than all that keep the size, it stands, and its size is named.
        let own = rows.get(&present);
        if let Some(own) =
            own.filter(|f| !as_large(present, f) && is_faster(f.estimated_speedup, fastest))
        {
            let [each, usual] = [own, random].map(|f| mean(f.sequences_per_step));
            let fast = banded(own.estimated_speedup, &settings);
            let reason =
                format!("An estimated {fast}, at {each} sequences a step instead of {usual}.");
            return Some(advice(present, reason));
        }
        let now = percent(random.padding_share);
        // Equal in the figures on screen.
        let good = |row: SamplerRow, f: &EpochFigures| {
            suits(row, f) && !is_faster(fastest, f.estimated_speedup)
        };
        let own = own.filter(|f| good(present, f)).map(|f| (present, f));
        if !is_faster(fastest, 1.0) {
            let kept = own.map_or(SamplerRow::RANDOM, |(row, _)| row);
            let reason = format!(
                "At as many sequences a step no sampler is estimated to be faster: random batches have {now} padding."
            );
            return Some(advice(kept, reason));
        }
        let (row, f) = own.or_else(|| {
            all()
                .find(|(row, f)| good(**row, f))
                .map(|(row, f)| (*row, f))
        })?;
        let reason = format!(
            "{} padding instead of {now} in random batches of as many sequences: an estimated {}. {}",
            percent(f.padding_share),
            banded(f.estimated_speedup, &settings),
            of_shuffling(row.sampler, settings.mode)
        );
        Some(advice(row, reason))
    }
}

/// Whether the order of a sampler suits: what is trained in order of length is not shuffled.
fn keeps_order(row: SamplerRow, mode: Mode) -> bool {
    mode != Mode::Training || row.sampler.keeps_shuffle()
}

/// Whether steps have as many sequences as random batches, so that the training stays what it is.
fn is_as_large(f: &EpochFigures, random: &EpochFigures) -> bool {
    (f.sequences_per_step / random.sequences_per_step - 1.0).abs() < 0.1
}

/// Whether the cap on batches grows from epoch to epoch, so that later steps have more sequences.
fn grows(row: SamplerRow, settings: &Settings) -> bool {
    let capped =
        row.sampler == Sampler::Bucket && settings.mode == Mode::Training && settings.epochs > 1;
    capped && settings.batch_cap.is_some_and(|cap| cap.scaling > 1.0)
}

/// Whether a speed-up is larger in the figures on screen.
fn is_faster(one: f64, other: f64) -> bool {
    one > other && about_factor(one) != about_factor(other)
}

/// Returns a speed-up with its band: "1.7× (1.2 to 2.4)".
fn banded(speedup: f64, settings: &Settings) -> String {
    let assumptions = settings.cost.for_mode(settings.mode).assumptions;
    let parameters = Workload::Transformer(assumptions.transformer).parameters();
    let [low, high] = band(&assumptions, parameters).map(|factor| about(speedup * factor));
    format!("{} ({low} to {high})", about_factor(speedup))
}

/// Returns sentences that name the samplers which are faster than this, with what speaks against them, each with a space
/// before it; empty if there are none.
fn of_faster(rows: &Rows, speed: f64, random: &EpochFigures, settings: &Settings) -> String {
    let faster = rows
        .iter()
        .filter(|(_, f)| is_faster(f.estimated_speedup, speed));
    let (sorted, others): (Vec<_>, Vec<_>) =
        faster.partition(|(row, f)| !keeps_order(**row, settings.mode) && is_as_large(f, random));
    let usual = mean(random.sequences_per_step);
    let other = |(row, f): &(&SamplerRow, &EpochFigures)| {
        let each = mean(f.sequences_per_step);
        let later = if grows(**row, settings) {
            " and more in each epoch"
        } else {
            ""
        };
        format!(
            "{} {} at {each}{later}",
            name_of(**row),
            about_factor(f.estimated_speedup)
        )
    };
    let others: Vec<_> = others.iter().map(other).collect();
    let others = match others.is_empty() {
        true => String::new(),
        false => format!(
            " Faster, but not with {usual} sequences a step: {}.",
            others.join(", ")
        ),
    };
    let unshuffled = |(row, f): &(&SamplerRow, &EpochFigures)| {
        let fast = about_factor(f.estimated_speedup);
        format!(
            " {} batches would reach {fast}, but lose the shuffle.",
            name_of(**row)
        )
    };
    others + &sorted.iter().map(unshuffled).collect::<String>()
}

/// Returns the sentence about the order that a sampler leaves.
fn of_shuffling(sampler: Sampler, mode: Mode) -> &'static str {
    match sampler {
        Sampler::Sorted if mode != Mode::Training => "The order does not matter to inference.",
        Sampler::Sorted => "The order of lengths is the same in every epoch.",
        Sampler::LengthGrouped => "Shuffled within groups of some batches.",
        Sampler::TokenBudget => "Batches of like lengths come in random order.",
        _ => "Batches come in random order, and are drawn anew in each epoch.",
    }
}
