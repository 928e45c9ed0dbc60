//! Constants fitted to measurements by others, and the distance of estimates from measurements.
//!
//! `presets/measured.csv` has all rows with their sources. The constants are fitted to throughputs of trainings, never
//! to a speed-up. A source, and the band, are judged by constants that were fitted again without that source. The test
//! `calibration` fits and judges from the same rows, and compares every number below.

use super::{Assumptions, Tuning};

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
// 0.273 · 0.228 ÷ 0.706.
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
    /// The largest of these errors, and the name of its source.
    pub worst: (&'static str, f64),
}

/// Independent speed-ups of trainings, whole steps with loader and optimiser: [`Evidence::Independent`].
pub const TRAINING: Accuracy = Accuracy {
    rows: 16,
    sources: 6,
    median: 0.066,
    ninth: 0.384,
    worst: ("torchtune", 1.005),
};
/// Independent speed-ups of inference.
pub const INFERENCE: Accuracy = Accuracy {
    rows: 31,
    sources: 2,
    median: 0.086,
    ninth: 0.201,
    worst: ("Effective Transformer", 0.266),
};
/// Tokens per second of an accelerator in training, from which the time of an epoch follows.
pub const THROUGHPUT: Accuracy = Accuracy {
    rows: 417,
    sources: 17,
    median: 0.066,
    ninth: 0.222,
    worst: ("NVIDIA’s BERT", 0.552),
};

/// Measured ÷ estimated speed-up of trainings, from 1 / f to f, rounded outwards to tenths: f covers four of five rows,
/// with equal weight for each source, widened by hundredths until bands learnt without a source cover four of five of
/// its rows, both on average over the sources and over all rows.
pub const TRAINING_BAND: [f64; 2] = [0.7, 1.4];
/// Measured ÷ estimated speed-up of inference.
pub const INFERENCE_BAND: [f64; 2] = [0.8, 1.3];

/// A test of the bands above by measurements that neither constants nor bands had seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unseen {
    /// The number of measurements.
    pub rows: u32,
    /// Those within their band.
    pub held: u32,
    /// Those within it where a source leaves its set-up open and every doubt counts for the estimate.
    pub at_most: u32,
    /// When they were compared.
    pub date: &'static str,
}

/// A review's comparison with 23 published measurements. Its rows are not in `measured.csv`: on record are these counts,
/// and the ranges in [`DEVIATIONS`].
pub const UNSEEN: Unseen = Unseen {
    rows: 23,
    held: 13,
    at_most: 16,
    date: "28 November 2026",
};

/// A kind of set-up by which the accuracy of estimates differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupKind {
    /// Training of models of 7B to 9B parameters on up to eight A100.
    Large,
    /// Training of models below 1B parameters.
    Small,
    /// Training of adapters (LoRA).
    Adapters,
    /// Training on consumer cards, recognised by 32 GB of memory or less. V100 and TPU v4 count among them.
    Consumer,
    /// Training on more than eight accelerators.
    Many,
    /// Inference.
    Inference,
}

/// The smallest and the largest estimated ÷ measured speed-up of the [`UNSEEN`] measurements, by kind: four of the first
/// kind, one on 32 accelerators.
pub const DEVIATIONS: [(SetupKind, [f64; 2]); 6] = [
    (SetupKind::Large, [0.96, 1.14]),
    (SetupKind::Small, [1.6, 2.2]),
    (SetupKind::Adapters, [1.6, 2.2]),
    (SetupKind::Consumer, [1.6, 2.2]),
    (SetupKind::Many, [1.41, 1.45]),
    (SetupKind::Inference, [0.57, 1.35]),
];

impl SetupKind {
    /// Whether a set-up with a model of so many parameters is of this kind.
    pub fn includes(self, assumptions: &Assumptions, parameters: f64) -> bool {
        let training = &assumptions.training;
        let trains = training.trains();
        match self {
            Self::Large => {
                trains && (7e9..=9e9).contains(&parameters) && assumptions.accelerators <= 8
            }
            Self::Small => trains && parameters < 1e9,
            Self::Adapters => trains && training.tuning != Tuning::All,
            Self::Consumer => trains && assumptions.accelerator.memory <= 32e9,
            Self::Many => trains && assumptions.accelerators > 8,
            Self::Inference => !trains,
        }
    }
}

/// Returns the band of an estimated speed-up of 1; a single pass is inference. Where measurements of a kind were outside
/// the band, it is widened to hold them, again rounded outwards to tenths.
pub fn band(assumptions: &Assumptions, parameters: f64) -> [f64; 2] {
    let usual = if assumptions.training.trains() {
        TRAINING_BAND
    } else {
        INFERENCE_BAND
    };
    let kinds = DEVIATIONS
        .iter()
        .filter(|(kind, _)| kind.includes(assumptions, parameters));
    kinds.fold(usual, |[low, high], (_, [least, most])| {
        // Deviations are estimated ÷ measured, the band is measured ÷ estimated: hence the
        // reciprocals, rounded outwards to tenths.
        [
            low.min((10.0 / most).floor() / 10.0),
            high.max((10.0 / least).ceil() / 10.0),
        ]
    })
}

/// The meaning of a score for the accuracy of estimated speed-ups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// Speed-ups that others measured, of no benchmark on which the constants rest.
    Independent,
    /// Speed-ups that we measured.
    Own,
    /// Speed-ups of a benchmark that also has more than a tenth of the fitted throughputs.
    Fitted,
    /// No speed-ups of less padding, but rates of batches whose texts have other lengths.
    Rates,
    /// Another reading of a source.
    None,
}

/// The accuracy for a source, with constants that were fitted without it: |estimated ÷ measured − 1|.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The names of the sources in `presets/measured.csv`.
    pub sources: &'static [&'static str],
    /// Its meaning for the accuracy of estimates.
    pub evidence: Evidence,
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
    evidence: Evidence,
    sources: &'static [&'static str],
    name: &'static str,
    rows: usize,
    [median, ninth]: [f64; 2],
) -> Score {
    Score {
        sources,
        evidence,
        name,
        rows,
        median,
        ninth,
    }
}

use Evidence::{Fitted, Independent, Own, Rates};

/// Measurements by `tools/measure_speedup`: `benches/measured`.
pub const OWN: Score = score(
    Own,
    &["own-h200"],
    "Training without a loader: our own, tools/measure_speedup, BERT large and Llama 3.2 1B by length, packed and \
     unpadded, H200",
    22,
    [0.130, 0.335],
);

/// Scores of measurements on GPUs, by source: training end to end, then inference.
pub const SCORES: [Score; 12] = [
    score(
        Independent,
        &["p3"],
        "Training: TokenDrop + BucketSampler, Tables 1 and 7, RoBERTa, RTX 2080 Ti, against rows of 128: only they explain \
         its factors",
        10,
        [0.093, 0.357],
    ),
    score(
        Independent,
        &["hf-31629"],
        "Training: Transformers #31629, Llama 2 7B and Mistral 7B, 8 A100",
        2,
        [0.034, 0.038],
    ),
    score(
        Independent,
        &["hf-47340"],
        "Training: Transformers #47340, Qwen 2.5 0.5B by length, 2 RTX 5090",
        1,
        [0.186; 2],
    ),
    score(
        Independent,
        &["lit-llama"],
        "Training: Lit-LLaMA #396, LLaMA 7B with LoRA by length, V100",
        1,
        [0.029; 2],
    ),
    score(
        Independent,
        &["els-rd"],
        "Training: ELS-RD’s notebook, BERT base on MNLI, P100",
        1,
        [0.074; 2],
    ),
    score(
        Independent,
        &["torchtune"],
        "Training: torchtune, Llama 3.2 3B on Alpaca, A100",
        1,
        [1.005; 2],
    ),
    score(
        Fitted,
        &["fms-8000", "fms-2000"],
        "Training, a benchmark that the constants are also fitted to, two runs: fms-acceleration, Mistral 7B, all weights \
         and quantised LoRA, 1 and 2 A100",
        40,
        [0.059, 0.142],
    ),
    OWN,
    score(
        Rates,
        &["qwen"],
        "Training, rates of rows of 2,048 against rows of 256: Qwen, 1.8B to 72B, A100",
        9,
        [0.201, 0.352],
    ),
    score(
        Independent,
        &["effective-transformer"],
        "Inference: Effective Transformer, BERT base, V100 and T4",
        27,
        [0.088, 0.215],
    ),
    score(
        Independent,
        &["modernbert"],
        "Inference: ModernBERT, Table 2, GTE, RTX 4090",
        4,
        [0.029, 0.050],
    ),
    score(
        Rates,
        &["modernbert"],
        "Inference, rates of texts of different against texts of equal length: ModernBERT, Table 2, RTX 4090",
        4,
        [0.134, 0.281],
    ),
];

/// P3's rows against the longest of each batch, the baseline as the paper words it: its factors are then larger than
/// padding explains. Not used to judge estimates.
pub const P3_LONGEST: Score = score(
    Evidence::None,
    &["p3-longest"],
    "The same of TokenDrop + BucketSampler against each batch’s longest, as the paper words its baseline; judges nothing",
    10,
    [0.626, 0.735],
);

/// Computed from the overheads measured in the same paper: Krell et al. 2022, Tables 1 and 2, on IPU.
pub const IPU: Score = score(
    Evidence::None,
    &["krell"],
    "Krell et al. 2022, Tables 1 and 2: BERT, IPU; judges nothing",
    10,
    [0.0014, 0.0303],
);
