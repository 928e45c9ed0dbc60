//! Constants fitted to measurements by others, and the distance of estimates from measurements.
//!
//! `presets/measured.csv` has all rows with their sources. The constants are fitted to throughputs of trainings, never
//! to a speed-up. A source, and the band, are judged by constants that were fitted again without that source. The test
//! `calibration` fits and judges from the same rows, and compares every number below.

use super::Training;

/// Share of an A100's peak that large matrix products reach.
pub const A100_PRODUCTS: f64 = 0.706;
/// The share for an H100.
pub const H100_PRODUCTS: f64 = 0.681;
/// The share for a V100.
pub const V100_PRODUCTS: f64 = 0.228;
/// Share of an A100's peak that attention reaches, counting only the useful pairs.
pub const A100_ATTENTION: f64 = 0.273;
/// The share for an H100.
pub const H100_ATTENTION: f64 = 0.149;
/// The share for a V100, not fitted but in proportion to its products.
pub const V100_ATTENTION: f64 = 0.088;
/// Bytes that a pass moves for each token, layer and feature, beside matrix products.
pub const TRAFFIC_BYTES: f64 = 41.5;
/// Bytes that a pass over a batch moves for each trained parameter.
pub const WEIGHT_BYTES: f64 = 5.71;
/// Additional bytes that a batch moves for each parameter if weights are sharded (FSDP).
pub const GATHER_BYTES: f64 = 46.5;
/// Additional bytes if weights have 4 bits.
pub const UNPACK_BYTES: f64 = 58.7;
/// Additional bytes if weights have 4 bits and are sharded.
pub const UNPACK_GATHER_BYTES: f64 = 279.0;
/// Fixed seconds of a pass for each layer.
pub const LAYER_SECONDS: f64 = 0.000_944;

/// The accuracy for a kind of measurement, with constants that were fitted without its source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// The number of rows.
    pub rows: usize,
    /// The number of sources; runs of one benchmark count as one.
    pub sources: usize,
    /// The median of |estimated ÷ measured − 1|.
    pub median: f64,
    /// The 90th percentile of the same error.
    pub ninth: f64,
}

/// Speed-ups of trainings, end to end: whole steps with loader and optimiser.
pub const TRAINING: Accuracy = Accuracy { rows: 87, sources: 9, median: 0.077, ninth: 0.297 };
/// Speed-ups of inference.
pub const INFERENCE: Accuracy = Accuracy { rows: 35, sources: 2, median: 0.086, ninth: 0.231 };
/// Tokens per second of an accelerator in training, from which the time of an epoch follows.
pub const THROUGHPUT: Accuracy = Accuracy { rows: 417, sources: 17, median: 0.066, ninth: 0.222 };

/// Measured ÷ estimated speed-up of trainings, from 1 / f to f, rounded outwards to tenths: f covers four of five rows,
/// with equal weight for each source, widened by hundredths until bands learnt without a source cover four of five of
/// its rows, both on average over the sources and over all rows.
pub const TRAINING_BAND: [f64; 2] = [0.7, 1.4];
/// Measured ÷ estimated speed-up of inference.
pub const INFERENCE_BAND: [f64; 2] = [0.8, 1.3];

/// Returns the band of an estimated speed-up of 1; a single pass is inference.
pub fn band(training: &Training) -> [f64; 2] {
    if training.passes > 1.0 { TRAINING_BAND } else { INFERENCE_BAND }
}

/// The accuracy for a source, with constants that were fitted without it: |estimated ÷ measured − 1|.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The names of the sources in `presets/measured.csv`.
    pub sources: &'static [&'static str],
    /// Source and machine, as displayed.
    pub name: &'static str,
    /// The number of rows.
    pub rows: usize,
    /// The median error.
    pub median: f64,
    /// The 90th percentile of the error.
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

/// Scores of measurements on GPUs, by source: training end to end, then inference.
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

/// P3's rows against the longest of each batch, the baseline as the paper words it: its factors are then larger than
/// padding explains. Not used to judge estimates.
pub const P3_LONGEST: Score = score(
    &["p3-longest"],
    "The same of TokenDrop + BucketSampler against each batch’s longest, as the paper words its baseline; judges nothing",
    10,
    [0.626, 0.735],
);

/// Computed from the overheads measured in the same paper: Krell et al. 2022, Tables 1 and 2, on IPU.
pub const IPU: Score =
    score(&["krell"], "Krell et al. 2022, Tables 1 and 2: BERT, IPU; judges nothing", 10, [0.0014, 0.0303]);
