//! Constants that were fitted to what others measured, and how far estimates lie from measurements.
//!
//! `presets/measured.csv` has all rows with their sources. The constants are fitted to throughputs of trainings, never to a
//! speed-up. A source is judged by constants that were fitted again without it, and so is the band. The test `calibration`
//! fits and judges from the same rows, and compares every number below.

use super::Training;

/// Share of an A100's peak that large matrix products reach.
pub const A100_PRODUCTS: f64 = 0.706;
/// The same of an H100.
pub const H100_PRODUCTS: f64 = 0.681;
/// The same of a V100.
pub const V100_PRODUCTS: f64 = 0.228;
/// Share of an A100's peak that attention reaches, counting the pairs that matter.
pub const A100_ATTENTION: f64 = 0.273;
/// The same of an H100.
pub const H100_ATTENTION: f64 = 0.149;
/// The same of a V100, not fitted: in proportion to its products.
pub const V100_ATTENTION: f64 = 0.088;
/// Bytes that a pass moves for each token, layer and feature beside matrix products.
pub const TRAFFIC_BYTES: f64 = 41.5;
/// Bytes that a pass over a batch moves for each trained parameter.
pub const WEIGHT_BYTES: f64 = 5.71;
/// Bytes that a batch moves for each parameter in addition where weights are shared out (FSDP).
pub const GATHER_BYTES: f64 = 46.5;
/// The same where weights are of 4 bits.
pub const UNPACK_BYTES: f64 = 58.7;
/// The same where weights are of 4 bits and shared out.
pub const UNPACK_GATHER_BYTES: f64 = 279.0;
/// Seconds that a pass takes for each layer beside its work.
pub const LAYER_SECONDS: f64 = 0.000_944;

/// How well a kind of measurement is met by constants that were fitted without its source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Rows.
    pub rows: usize,
    /// Sources; runs of one benchmark are one.
    pub sources: usize,
    /// The median of |estimated ÷ measured − 1|.
    pub median: f64,
    /// Their 90th percentile.
    pub ninth: f64,
}

/// Speed-ups of trainings, end to end: whole steps with loader and optimiser.
pub const TRAINING: Accuracy = Accuracy { rows: 87, sources: 9, median: 0.077, ninth: 0.297 };
/// Speed-ups of inference.
pub const INFERENCE: Accuracy = Accuracy { rows: 35, sources: 2, median: 0.086, ninth: 0.231 };
/// Tokens a second of an accelerator in training, which the time of an epoch follows from.
pub const THROUGHPUT: Accuracy = Accuracy { rows: 417, sources: 17, median: 0.066, ninth: 0.222 };

/// Measured speed-up ÷ estimated speed-up of trainings, from 1 / f to f, rounded outwards to tenths: f holds four of five,
/// each source counting the same, or the hundredths more that it takes until a band that is learnt without a source holds
/// four of five of it, on average and of all rows.
pub const TRAINING_BAND: [f64; 2] = [0.7, 1.4];
/// The same of inference.
pub const INFERENCE_BAND: [f64; 2] = [0.8, 1.3];

/// The band of an estimated speed-up of 1: one pass is inference.
pub fn band(training: &Training) -> [f64; 2] {
    if training.passes > 1.0 { TRAINING_BAND } else { INFERENCE_BAND }
}

/// How well the speed-ups of a source are met by constants that were fitted without it: |estimated ÷ measured − 1|.
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

/// Measurements by `tools/measure_speedup`: `benches/measured`.
pub const OWN: Score = score(
    &["own-h200"],
    "Training: our own, tools/measure_speedup, BERT large and Llama 3.2 1B by length, packed and unpadded, H200",
    22,
    [0.130, 0.335],
);

/// Measured on GPUs, by source: training end to end, then inference.
pub const SCORES: [Score; 11] = [
    OWN,
    score(
        &["fms-8000", "fms-2000"],
        "Training: fms-acceleration, two runs, Mistral 7B, all weights and quantised LoRA, 1 and 2 A100",
        40,
        [0.059, 0.142],
    ),
    score(
        &["p3"],
        "Training: TokenDrop + BucketSampler, Tables 1 and 7, RoBERTa, RTX 2080 Ti, against rows of 128: only they explain \
         its factors",
        10,
        [0.093, 0.357],
    ),
    score(
        &["qwen"],
        "Training: Qwen, rows of 2,048 against rows of 256, 1.8B to 72B, A100",
        9,
        [0.201, 0.352],
    ),
    score(
        &["hf-31629"],
        "Training: Transformers #31629, Llama 2 7B and Mistral 7B, 8 A100",
        2,
        [0.034, 0.038],
    ),
    score(&["hf-47340"], "Training: Transformers #47340, Qwen 2.5 0.5B by length, 2 RTX 5090", 1, [0.186; 2]),
    score(&["lit-llama"], "Training: Lit-LLaMA #396, LLaMA 7B with LoRA by length, V100", 1, [0.029; 2]),
    score(&["els-rd"], "Training: ELS-RD’s notebook, BERT base on MNLI, P100", 1, [0.074; 2]),
    score(&["torchtune"], "Training: torchtune, Llama 3.2 3B on Alpaca, A100", 1, [1.005; 2]),
    score(
        &["effective-transformer"],
        "Inference: Effective Transformer, BERT base, V100 and T4",
        27,
        [0.088, 0.215],
    ),
    score(&["modernbert"], "Inference: ModernBERT, Table 2, GTE and ModernBERT, RTX 4090", 8, [0.041, 0.249]),
];

/// P3's rows against the longest of each batch, as the paper words its baseline: its factors are larger than padding then
/// explains. They judge nothing.
pub const P3_LONGEST: Score = score(
    &["p3-longest"],
    "The same of TokenDrop + BucketSampler against each batch’s longest, as the paper words its baseline; judges nothing",
    10,
    [0.626, 0.735],
);

/// Computed from the overheads that the same paper measured: Krell et al. 2022, Tables 1 and 2, on IPU.
pub const IPU: Score =
    score(&["krell"], "Krell et al. 2022, Tables 1 and 2: BERT, IPU; judges nothing", 10, [0.0014, 0.0303]);
