//! Constants that were fitted to what others measured, and how far estimates lie from measurements that were not used.
//!
//! `presets/measured.csv` has all rows with their sources, and says of each whether it was fitted with, judged by or only
//! listed. The test `calibration` fits again, from the same rows, and compares every number below.
//!
//! Fitted with: every second row of LLM Foundry's training benchmarks, and the first of two runs of fms-acceleration.
//! Everything else judges: the other rows of LLM Foundry, the second run, and six sources that were not used at all.

/// Share of an A100's peak that large matrix products reach.
pub const A100_PRODUCTS: f64 = 0.80;
/// The same of an H100.
pub const H100_PRODUCTS: f64 = 0.74;
/// Share of an A100's peak that attention reaches, counting the pairs that matter.
pub const A100_ATTENTION: f64 = 0.28;
/// The same of an H100.
pub const H100_ATTENTION: f64 = 0.15;
/// Bytes that a pass moves for each token, layer and feature beside matrix products.
pub const TRAFFIC_BYTES: f64 = 120.0;
/// Bytes that a pass over a batch moves for each parameter.
pub const WEIGHT_BYTES: f64 = 15.0;
/// Bytes that a batch moves for each parameter in addition where weights are shared out (FSDP).
pub const GATHER_BYTES: f64 = 35.0;
/// The same where weights are of 4 bits.
pub const UNPACK_BYTES: f64 = 46.0;
/// The same where weights are of 4 bits and shared out.
pub const UNPACK_GATHER_BYTES: f64 = 270.0;

/// Measured speed-up / estimated speed-up: four of five lie between these, of the speed-ups that were not fitted with; 10th
/// and 90th percentile, rounded outwards.
pub const BAND: [f64; 2] = [0.8, 1.1];

/// The median of |estimated ÷ measured − 1| of the same.
pub const MEDIAN: f64 = 0.083;
/// Their 90th percentile.
pub const NINTH: f64 = 0.24;

/// The band of an estimated speed-up, from and to.
pub fn band(speedup: f64) -> [f64; 2] {
    BAND.map(|factor| speedup * factor)
}

/// How well measured speed-ups are met that were not fitted with: |estimated ÷ measured − 1|.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The names of the sources in `presets/measured.csv`.
    pub sources: &'static [&'static str],
    /// Source and machine, for people.
    pub name: &'static str,
    /// Rows.
    pub rows: usize,
    /// The median error.
    pub median: f64,
    /// The error that nine tenths of the rows do not exceed.
    pub ninth: f64,
}

const fn score(
    sources: &'static [&'static str],
    name: &'static str,
    rows: usize,
    [median, ninth]: [f64; 2],
) -> Score {
    Score { sources, name, rows, median, ninth }
}

/// Measured on GPUs, by source.
pub const SCORES: [Score; 5] = [
    score(
        &["fms-2000"],
        "fms-acceleration, another run: Mistral 7B, all weights and quantised LoRA, 1 and 2 A100",
        20,
        [0.054, 0.144],
    ),
    score(
        &["modernbert"],
        "ModernBERT, Table 2: GTE and ModernBERT at inference, RTX 4090",
        8,
        [0.026, 0.207],
    ),
    score(
        &["effective-transformer"],
        "Effective Transformer: BERT base at inference, V100 and T4",
        27,
        [0.137, 0.219],
    ),
    score(&["p3"], "TokenDrop + BucketSampler, Tables 1 and 7: RoBERTa, RTX 2080 Ti", 10, [0.082, 0.333]),
    score(&["torchtune"], "torchtune: Llama 3.2 3B on Alpaca, A100", 1, [0.896, 0.896]),
];

/// Computed from the overheads that the same paper measured: Krell et al. 2022, Tables 1 and 2, on IPU.
pub const IPU: Score =
    score(&["krell"], "Krell et al. 2022, Tables 1 and 2: BERT, IPU", 10, [0.0014, 0.0303]);
