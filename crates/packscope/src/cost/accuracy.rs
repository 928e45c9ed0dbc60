//! How far estimates are from measurements, in words.

use super::Estimate;
use super::calibrated::{
    Accuracy, DEVIATIONS, Evidence, INFERENCE, IPU, OWN, P3_LONGEST, SCORES, Score, SetupKind,
    THROUGHPUT, TRAINING, UNSEEN,
};
use crate::words::{about, about_factor, about_percent, count};

/// Returns the title of the measurements: the accuracy of the estimates, by kind.
pub fn of_measurements() -> String {
    format!("Measured on GPUs: {}", of_accuracy())
}

/// Returns how far estimates are from speed-ups that we measured.
pub fn of_own() -> String {
    let [median, ninth] = [OWN.median, OWN.ninth].map(about_percent);
    format!(
        "One measurement is our own: {} speed-ups of BERT large and Llama 3.2 1B on an NVIDIA H200, half estimated within \
         {median}, nine tenths within {ninth}, by constants that have not seen them.",
        count(OWN.rows as u64)
    )
}

/// Returns how far estimates are from speed-ups that others measured, by kind. Each source is
/// judged with constants that were fitted without it; sources that are not independent of the
/// constants do not count.
pub fn of_accuracy() -> String {
    format!(
        "training, end to end, {}; inference, {}",
        met(&TRAINING, "speed-ups"),
        met(&INFERENCE, "speed-ups")
    )
}

/// Returns what is measured, but not among the independent speed-ups.
pub fn of_dependent() -> String {
    let of = |evidence| {
        SCORES
            .iter()
            .filter(|s| s.evidence == evidence)
            .map(|s| s.rows as u64)
            .sum::<u64>()
    };
    format!(
        "Not among these: {} speed-ups of a benchmark that the constants are also fitted to, {} of our own, and {} that are \
         rates of texts of different lengths.",
        count(of(Evidence::Fitted)),
        count(of(Evidence::Own)),
        count(of(Evidence::Rates))
    )
}

/// Returns how far estimates are from the measured throughput of a training, from which the time of an epoch follows.
pub fn of_throughput() -> String {
    met(&THROUGHPUT, "throughputs")
}

/// Returns what the band held of measurements that neither it nor the constants had seen, and where it is wider since.
pub fn of_unseen() -> String {
    let unseen = UNSEEN;
    let off = |kind| {
        let of = DEVIATIONS.iter().find(|(of, _)| *of == kind);
        of.map_or([1.0; 2], |(_, range)| *range)
    };
    let below = |ratio: f64| format!("{} below", about_percent(1.0 - ratio));
    let above = |ratio: f64| format!("{} above", about_percent(ratio - 1.0));
    let ([large, most_large], [small, most_small]) = (off(SetupKind::Large), off(SetupKind::Small));
    let ([_, many], [low, high]) = (off(SetupKind::Many), off(SetupKind::Inference));
    format!(
        "Of {} measurements that neither constants nor bands had seen (compared on {}), the band held {} ({}), {} at \
         most. Estimates were from {} to {} on models of 7B to 9B and up to 8 accelerators; {small} to {most_small} times the measured speed-up with \
         models below 1B, LoRA and consumer cards; up to {} on 32 accelerators; in inference from {} to {}. For all but \
         the first the band is wider now, so that it holds these too.",
        unseen.rows,
        unseen.date,
        unseen.held,
        about_percent(f64::from(unseen.held) / f64::from(unseen.rows)),
        unseen.at_most,
        below(large),
        above(most_large),
        above(many),
        below(low),
        above(high),
    )
}

fn met(accuracy: &Accuracy, what: &str) -> String {
    let [median, ninth] = [accuracy.median, accuracy.ninth].map(about_percent);
    let (rows, sources) = (count(accuracy.rows as u64), accuracy.sources);
    let (worst, off) = accuracy.worst;
    format!(
        "half of {rows} {what} of {sources} sources within {median}, nine tenths within {ninth}, the worst ({worst}) off by {}",
        about_percent(off)
    )
}

/// Returns the rows of the table of accuracy: source, rows, median error, and the error that nine tenths stay below.
pub fn accuracy() -> Vec<[String; 4]> {
    let row = |score: &Score| {
        let [median, ninth] = [score.median, score.ninth].map(about_percent);
        [
            score.name.to_owned(),
            count(score.rows as u64),
            median,
            ninth,
        ]
    };
    SCORES.iter().chain([&P3_LONGEST, &IPU]).map(row).collect()
}
/// Returns an estimated speed-up with its band, `2.0× (1.6 to 2.1)`; the baseline has no band.
pub fn banded(e: &Estimate) -> String {
    let [low, high] = e.band.map(about);
    match e.band[0] == e.band[1] {
        true => about_factor(e.speedup),
        false => format!("{} ({low} to {high})", about_factor(e.speedup)),
    }
}
