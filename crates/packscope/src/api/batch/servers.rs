//! Queries in batches, as others measured them.

/// A way to batch queries: mean scores of Roberta-base over nine tasks of GLUE and SQuAD, with what it padded and how fast it
/// was, as Nagarajan and Raghunathan 2023 have it in Table 3 of *TokenDrop + BucketSampler*.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServerMeasurement {
    /// The way, as displayed.
    pub name: &'static str,
    /// The score of a model that was trained without dropping stopwords, and of one trained with it.
    pub scores: [f64; 2],
    /// The share of slots that are padding.
    pub padding: f64,
    /// Times as fast as random batches.
    pub times: f64,
}

const fn row(name: &'static str, scores: [f64; 2], padding: f64, times: f64) -> ServerMeasurement {
    ServerMeasurement {
        name,
        scores,
        padding,
        times,
    }
}

/// The three ways of the table.
pub const SERVER_MEASUREMENTS: [ServerMeasurement; 3] = [
    row("Random batches", [81.62, 82.02], 0.401, 1.0),
    row("BucketSampler", [81.64, 81.98], 0.093, 4.5),
    row(
        "BucketSampler, stopwords dropped",
        [80.21, 82.01],
        0.003,
        4.9,
    ),
];
