//! Findings about batches, in words computed from the data.

use super::SamplerRow;
use crate::state::AppState;
use crate::state::findings::share_in_words;
use crate::state::speedup::findings::{crew, model_name, short_accelerator};
use packscope::api::batch::{Mode, Report, Settings, parts};
use packscope::metrics::EpochFigures;
use packscope::order::Map;
use packscope::sampler::{HwCap, Sampler, TokenDrop};
use packscope::words::{about_factor, batches, capital, count, factor, mean, percent, plural};

pub fn name_of(row: SamplerRow) -> &'static str {
    match row.merging {
        Some(false) => "BucketSampler, residuals kept",
        _ => row.sampler.long_name(),
    }
}

pub fn about(row: SamplerRow) -> &'static str {
    match row.merging {
        Some(false) => "The paper’s buckets; the rest of each is a small batch of its own",
        Some(true) => "The paper’s buckets; the rest of them is merged to larger batches",
        None => row.sampler.about(),
    }
}

/// Returns the name as the subject of "leaves".
fn subject(row: SamplerRow) -> &'static str {
    if row.merging == Some(false) {
        name_of(row)
    } else {
        row.sampler.short_name()
    }
}

/// Returns "Random batches are 70.0 %" or "Half of every random batch is", to be followed by "padding".
pub fn of_random(share: f64) -> String {
    // Words such as “Half” read as the subject, percentages do not.
    match share_in_words(share) {
        words if words.ends_with('%') => format!("Random batches are {words}"),
        word => format!("{word} of every random batch is"),
    }
}

/// Returns the rest of the headline, after the padding of random batches: the words before the share of the chosen
/// sampler, and the share; `None` where nothing is left to say.
pub fn of_chosen(state: &AppState, f: &EpochFigures) -> Option<(String, f64)> {
    let row = state.batch_row();
    if row != SamplerRow::RANDOM {
        return Some((format!("{}: ", name_of(row)), f.padding_share));
    }
    let (best, least) = least_padded(state)?;
    (best != row).then(|| {
        (
            format!("{} would leave ", capital(subject(best))),
            least.padding_share,
        )
    })
}

/// Returns the sampler with the least padding, among those known for the present settings.
fn least_padded(state: &AppState) -> Option<(SamplerRow, &EpochFigures)> {
    let known = state
        .batch_rows()
        .into_iter()
        .filter(|row| state.is_batched(*row));
    let figures = known.filter_map(|row| Some((row, state.epoch_figures(row)?)));
    figures.min_by(|(_, a), (_, b)| a.padding_share.total_cmp(&b.padding_share))
}

/// Says which samplers were simulated in part, and how much; `None` if none was.
pub fn of_parts(state: &AppState) -> Option<String> {
    let named = |row| Some((name_of(row).to_owned(), &**state.batch_report(row)?));
    parts(
        &state
            .batch_rows()
            .into_iter()
            .filter_map(named)
            .collect::<Vec<_>>(),
    )
}

/// Returns a number of steps (training) or of batches (inference) in words.
pub fn steps(n: u64, mode: Mode) -> String {
    if mode == Mode::Training {
        plural(n, "step")
    } else {
        batches(n)
    }
}

/// Returns the second sentence: steps and the effective batch, against random batches.
pub fn of_steps(report: &Report, f: &EpochFigures) -> String {
    let (s, random) = (&report.settings, &report.random);
    let (items, taken) = (plural(f.items, "sequence"), steps(f.batches, s.mode));
    let (batch, before) = (count(u64::from(s.batch)), count(random.batches));
    let ends = report
        .epochs
        .first()
        .zip(report.epochs.last())
        .map(|(a, b)| (a.batches, b.batches));
    // The first arm that fits names the largest change: packed rows, batches that grow by epoch,
    // another number of steps, or fewer slots in as many.
    let fewer = random.slots / f.slots.max(1) as f64;
    match ends {
        _ if s.sampler == Sampler::Packed => of_packed(s, f, random.batches),
        Some((first, last)) if first != last => format!(
            "The same {items} in {} in the first epoch and {} in the last; random batches of {batch} take {before} in each.",
            steps(first, s.mode),
            count(last)
        ),
        _ if f.batches != random.batches => {
            let each = mean(f.sequences_per_step);
            format!(
                "The same {items} in {taken} of {each} on average, instead of {before} of {batch}."
            )
        }
        _ if fewer > 1.01 => {
            format!(
                "The same {items} in {taken} of {batch}, as many as in random order, but {} fewer slots.",
                factor(fewer)
            )
        }
        _ => format!("{items} in {taken} of {batch}, each padded to its longest."),
    }
}

/// Returns the sentence about packed rows: sequences in a row, and the rows that would keep the sequences of a step.
fn of_packed(s: &Settings, f: &EpochFigures, before: u64) -> String {
    let (taken, per_row) = (steps(f.batches, s.mode), packing_factor(s, f));
    let one = if s.mode == Mode::Training {
        "step"
    } else {
        "batch"
    };
    let words = format!(
        "A row holds {} sequences on average: {taken} instead of {}.",
        mean(per_row),
        count(before)
    );
    match (f64::from(s.batch) / per_row).round().max(1.0) as u64 {
        rows if rows < u64::from(s.batch) => {
            format!(
                "{words} Batches of about {} would keep {} sequences a {one}.",
                plural(rows, "row"),
                s.batch
            )
        }
        _ => words,
    }
}

/// Returns the mean number of sequences in a packed row.
pub fn packing_factor(s: &Settings, f: &EpochFigures) -> f64 {
    f.items as f64 * f64::from(s.limit) / f.slots.max(1) as f64
}

/// Returns sentences about the sizes of batches, and what batches of a fixed size equal to the mean would reach; `None`
/// if that is the size of random batches.
pub fn of_same_size(s: &Settings, f: &EpochFigures) -> Option<String> {
    let same = f
        .same_size
        .filter(|same| same.sequences != u64::from(s.batch))?;
    // Both sizes are named: batches of the chosen sampler may be larger or smaller than random
    // ones.
    let each = count(same.sequences);
    Some(format!(
        "These {} hold {} on average, random ones {}. Random batches of {each} would reach {}, sorted ones {}.",
        if s.mode == Mode::Training {
            "steps"
        } else {
            "batches"
        },
        plural(same.sequences, "sequence"),
        count(u64::from(s.batch)),
        about_factor(same.random_speedup),
        about_factor(same.sorted_speedup)
    ))
}

/// Returns the machine and the model of the estimates, and those of the published caps if batches follow them.
pub fn of_machines(state: &AppState, mode: Mode) -> String {
    let priced = priced_on(state, mode);
    let s = state.batch_settings();
    let capped = matches!(s.sampler, Sampler::Bucket | Sampler::BucketByLength);
    match capped && s.hwcap == HwCap::default() {
        true => format!(
            "Times are estimated for {priced}; the caps are those that the paper’s authors found for {CAPS_OF}, not for that machine."
        ),
        false => format!("Times are estimated for {priced}."),
    }
}

/// The model and the accelerator for which the published caps were found (P3, App. A, Table 6).
pub const CAPS_OF: &str = "RoBERTa base on one RTX 2080 Ti with 11 GB";

/// Returns "BERT large on 8 A100s"; for queries one by one, a single accelerator.
pub fn priced_on(state: &AppState, mode: Mode) -> String {
    let crew = match mode {
        Mode::RealTime => format!("one {}", short_accelerator(state.speedup.accelerator.name)),
        Mode::Training | Mode::Server => crew(state),
    };
    format!("{} on {crew}", model_name(state))
}

/// Returns the source of the stopwords, as a clause.
pub fn of_stopwords(report: &Report) -> String {
    match report.stopwords_known {
        true => "stopwords are counted in the texts".to_owned(),
        false => format!(
            "stopwords are assumed to be {} of each sequence",
            percent(report.settings.stopword_share)
        ),
    }
}

/// Returns the share of the tokens that remain after dropping.
pub fn share_left(f: &EpochFigures) -> f64 {
    f.real_tokens as f64 / (f.real_tokens + f.dropped_tokens).max(1) as f64
}

/// Returns "Dropping half of the stopwords leaves", or "would leave" where none are dropped.
pub fn of_dropping(rate: f64, set: f64) -> String {
    let what = if rate >= 1.0 {
        "all".to_owned()
    } else {
        format!("{} of the", percent(rate))
    };
    format!(
        "Dropping {what} stopwords {}",
        if set > 0.0 { "leaves" } else { "would leave" }
    )
}

/// Returns the second sentence about queries one by one.
pub fn of_queries(
    report: &Report,
    before: &EpochFigures,
    after: &EpochFigures,
    unit: &str,
) -> String {
    format!(
        "A query has {} {unit} on average, and {} then: {} as fast, if time goes with the {unit}; {}.",
        mean(before.tokens_per_step),
        mean(after.tokens_per_step),
        about_factor(after.estimated_speedup),
        of_stopwords(report)
    )
}

/// Returns the title of the table of dropping rates.
pub fn of_rates(rates: &[(f64, EpochFigures)]) -> Option<String> {
    let (rate, f) = rates.last()?;
    let at = format!(
        "A query keeps {} of its tokens without its stopwords",
        percent(share_left(f))
    );
    (*rate >= 1.0).then(|| {
        if f.dropped_tokens == 0 {
            "There are no stopwords to be dropped".to_owned()
        } else {
            at
        }
    })
}

/// Returns the title of the table: the effect of merging residuals if it is large, else the sampler with the least
/// padding against the chosen one.
pub fn of_samplers(state: &AppState) -> Option<String> {
    let (row, mode) = (state.batch_row(), state.batch_settings().mode);
    if row.sampler == Sampler::Bucket
        && let Some(title) = of_merging(state, mode)
    {
        return Some(title);
    }
    let (best, least) = least_padded(state)?;
    let (least, chosen) = (
        percent(least.padding_share),
        percent(state.epoch_figures(row)?.padding_share),
    );
    // The advantage over sorting the epoch is mentioned only where the chosen sampler shuffles.
    let shuffled = matches!(row.sampler, Sampler::BucketByLength | Sampler::Bucket);
    let end = if best.sampler == Sampler::Sorted && shuffled {
        " without sorting the epoch"
    } else {
        ""
    };
    Some(match best == row || least == chosen {
        true => format!(
            "No sampler leaves less padding here than {}: {chosen}",
            subject(row)
        ),
        false => format!(
            "{} leaves {least} padding, {} {chosen}{end}",
            capital(subject(best)),
            subject(row)
        ),
    })
}

/// Returns the saving and the cost of merging; `None` below one point of padding and a twentieth of the steps.
fn of_merging(state: &AppState, mode: Mode) -> Option<String> {
    let [merged, kept] = [true, false].map(|merging| SamplerRow {
        sampler: Sampler::Bucket,
        merging: Some(merging),
    });
    let (merged, kept) = (state.epoch_figures(merged)?, state.epoch_figures(kept)?);
    // Where merging saves no steps, there is nothing to say.
    let saved = kept
        .batches
        .checked_sub(merged.batches)
        .filter(|n| *n > 0)?;
    let points = (merged.padding_share - kept.padding_share) * 100.0;
    (points >= 1.0 || saved * 20 >= kept.batches).then(|| {
        let saves = format!("Merging residuals saves {}", steps(saved, mode));
        match points {
            // Less would be written as 0.0.
            0.05.. => format!("{saves} and costs {points:.1} points of padding"),
            _ => format!("{saves} and costs no padding"),
        }
    })
}

/// Returns the title of the picture: the share of grey, which is padding.
pub fn of_picture(state: &AppState) -> Option<String> {
    let rows = state.pictured_rows();
    let dropped = state.batch_report(rows[1])?.settings.token_drop != TokenDrop::Off;
    let begins = if dropped {
        "Without the stopwords, grey is"
    } else {
        "Grey is"
    };
    let share = |row| Some(percent(state.epoch_figures(row)?.padding_share));
    let first = if rows[0] == SamplerRow::RANDOM {
        "random batches"
    } else {
        "sorted batches"
    };
    Some(format!(
        "{begins} {} of {first}, {} of {}",
        share(rows[0])?,
        share(rows[1])?,
        whose(rows[1])
    ))
}

fn whose(row: SamplerRow) -> &'static str {
    match row.sampler {
        Sampler::Random => "random ones",
        Sampler::Sorted => "sorted ones",
        Sampler::LengthGrouped => "length-grouped ones",
        Sampler::BucketByLength => "those by bucket",
        Sampler::TokenBudget => "those of a token budget",
        Sampler::Bucket => "BucketSampler’s",
        Sampler::Packed => "packed rows",
    }
}

/// The maximum number of epochs with their caps in a title, beside the last epoch.
const NAMED: u32 = 3;

/// Returns the title of the changes along the training: caps and learning rates.
pub fn of_along(state: &AppState) -> Option<String> {
    let settings = state.batch_settings();
    if settings.mode != Mode::Training {
        return Some("At inference nothing is learnt: one pass, no learning rate".to_owned());
    }
    let varies = settings.sampler.varies() || settings.sampler == Sampler::Packed;
    let rates = match settings.learning_rate.modulated && settings.sampler == Sampler::Bucket {
        true => "the learning rate follows the square root of the batch",
        false => "the learning rate stays the same",
    };
    let scaling = settings.batch_cap.map_or(1.0, |cap| cap.scaling);
    Some(match settings.cap_of(0) {
        Some(cap) if scaling > 1.0 && settings.epochs > 1 => {
            format!(
                "The cap {} each epoch: {} sequences; {rates}",
                grows(scaling),
                caps(&settings, cap)
            )
        }
        Some(cap) => format!("No step has more than {}; {rates}", plural(cap, "sequence")),
        None if varies => {
            let [least, most] = state
                .epoch_figures(state.batch_row())?
                .batch_sizes([0.0, 1.0]);
            format!(
                "Steps have {} to {}; {rates}",
                count(least),
                plural(most, "sequence")
            )
        }
        None => format!(
            "Steps of {} in every epoch; {rates}",
            plural(u64::from(settings.batch), "sequence")
        ),
    })
}

fn grows(scaling: f64) -> String {
    match scaling {
        2.0 => "doubles".to_owned(),
        3.0 => "triples".to_owned(),
        s => format!("grows {s}-fold"),
    }
}

/// Returns "64, 128, 256", or the first and last caps with an ellipsis between.
fn caps(settings: &Settings, first: u64) -> String {
    let cap = |epoch| settings.cap_of(epoch).unwrap_or(first);
    // Beyond the capacity of any accelerator, larger caps are all the same.
    let word = |n: u64| {
        if n < 1_000_000 {
            count(n)
        } else {
            "over a million".to_owned()
        }
    };
    let named: Vec<String> = (0..settings.epochs.min(NAMED))
        .map(|epoch| word(cap(epoch)))
        .collect();
    match settings.epochs {
        ..=NAMED => named.join(", "),
        epochs => format!("{} … {}", named.join(", "), word(cap(epochs - 1))),
    }
}

/// Returns the title of the caps: the largest batch of the shortest and of the longest sequences.
pub fn of_caps(state: &AppState) -> Option<String> {
    let (settings, unit) = (state.batch_settings(), state.sequences.unit());
    let data = &state.sequences.data.as_ref()?.histogram;
    let buckets = settings.buckets();
    let shortest = data
        .entries()
        .first()
        .map_or(1, |([length], _)| *length)
        .min(settings.limit);
    let [short, long] = [shortest, settings.limit].map(|length| buckets.bucket_of(length));
    let [few, most] = [long, short].map(|bucket| count(u64::from(bucket.cap)));
    let last = count(u64::from(long.longest.min(settings.limit)));
    if short.cap == long.cap {
        return Some(format!(
            "A batch holds {most} sequences, up to {last} {unit}"
        ));
    }
    // Not only in the bucket of the shortest: as far as the same number fits.
    let as_many = |length: &u32| buckets.bucket_of(*length).cap == short.cap;
    let reach = (shortest..=settings.limit)
        .take_while(as_many)
        .last()
        .unwrap_or(shortest);
    Some(format!(
        "A batch holds {most} sequences of up to {} {unit}, but only {few} of {last}",
        count(u64::from(reach))
    ))
}

impl AppState {
    /// Names the samplers of the table that are faster than all that keep the sequences of a step and the shuffle, with
    /// what speaks against each; `None` if there are none. `rows` are [priced](Self::priced_figures).
    pub fn of_faster_samplers(&self, rows: &Map<SamplerRow, EpochFigures>) -> Option<String> {
        let settings = self.batch_settings();
        // Queries one by one have no sampler; and a row still to come may be faster.
        if settings.mode == Mode::RealTime || !self.are_batched() {
            return None;
        }
        let random = rows.get(&SamplerRow::RANDOM)?;
        let keeps_order = |row: &SamplerRow| !self.trains() || row.sampler.keeps_shuffle();
        let suits = |row: &SamplerRow, f: &EpochFigures| {
            keeps_order(row) && is_as_large(f, random) && !grows_by_epoch(row, &settings)
        };
        let fastest = rows
            .iter()
            .filter(|(row, f)| suits(row, f))
            .map(|(_, f)| f.estimated_speedup)
            .fold(1.0, f64::max);
        let faster = rows
            .iter()
            .filter(|(_, f)| is_faster(f.estimated_speedup, fastest));
        let (sorted, others): (Vec<_>, Vec<_>) =
            faster.partition(|(row, f)| !keeps_order(row) && is_as_large(f, random));
        let other = |(row, f): &(&SamplerRow, &EpochFigures)| {
            let later = match grows_by_epoch(row, &settings) {
                true => " and more in each epoch",
                false => "",
            };
            format!(
                "{} {} at {}{later}",
                name_of(**row),
                about_factor(f.estimated_speedup),
                mean(f.sequences_per_step)
            )
        };
        let others: Vec<_> = others.iter().map(other).collect();
        let others = (!others.is_empty()).then(|| {
            format!(
                "Faster below, but not with {} sequences a {}: {}.",
                mean(random.sequences_per_step),
                if self.trains() { "step" } else { "batch" },
                others.join(", ")
            )
        });
        let unshuffled = sorted.iter().map(|(row, f)| {
            format!(
                "{} batches would reach {}, but lose the shuffle.",
                name_of(**row),
                about_factor(f.estimated_speedup)
            )
        });
        let all: Vec<String> = others.into_iter().chain(unshuffled).collect();
        (!all.is_empty()).then(|| all.join(" "))
    }
}

/// Whether steps have as many sequences as random batches, so that the training stays what it is.
fn is_as_large(f: &EpochFigures, random: &EpochFigures) -> bool {
    (f.sequences_per_step / random.sequences_per_step - 1.0).abs() < 0.1
}

/// Whether the cap on batches grows from epoch to epoch, so that later steps have more sequences.
fn grows_by_epoch(row: &SamplerRow, settings: &Settings) -> bool {
    let capped =
        row.sampler == Sampler::Bucket && settings.mode == Mode::Training && settings.epochs > 1;
    capped && settings.batch_cap.is_some_and(|cap| cap.scaling > 1.0)
}

/// Whether a speed-up is larger in the figures on screen.
fn is_faster(one: f64, other: f64) -> bool {
    one > other && about_factor(one) != about_factor(other)
}
