//! Accelerators, with the maker's figures: dense peak at 16 bits where the name says nothing else, memory, and the
//! board's power limit, which differs from the power drawn in training and excludes the rest of the machine.

use super::{Preset, SourcedPreset, firsts, seconds, sourced};
use crate::cost::{Accelerator, calibrated};

/// Shares of the peak that a training reaches: matrix products, attention in a kernel that skips pairs across
/// sequences, and attention under a mask.
struct PeakShares([f64; 3]);

/// Assumes half the speed under a mask, since the slowdown is not published for the same pairs. FlashMask (Wang et al.
/// 2024, arXiv 2410.01359, abstract) reports 1.65 to 3.22 times end to end against dense masks, including the pairs
/// that it skips.
const fn reached(products: f64, attention: f64) -> PeakShares {
    PeakShares([products, attention, 0.5 * attention])
}

/// Fitted to measurements on the accelerator: see the notes of A100, H100 and V100.
const A100: PeakShares = reached(calibrated::A100_PRODUCTS, calibrated::A100_ATTENTION);
const H100: PeakShares = reached(calibrated::H100_PRODUCTS, calibrated::H100_ATTENTION);
const V100: PeakShares = reached(calibrated::V100_PRODUCTS, calibrated::V100_ATTENTION);
/// For accelerators without measurements.
const ASSUMED: PeakShares = A100;

/// One program for all steps: attention is the same product with or without a mask, and no kernel skips pairs.
const STATIC: PeakShares = PeakShares([0.4, 0.4, 0.4]);

/// The note on assumed shares.
const NOTE: &str = "No published utilisation: shares of the peak are assumed as on A100, under a mask half of attention's, \
                    and 2 ms for a step.";

const fn published(numbers: [f64; 4], reached: PeakShares) -> Accelerator {
    let [peak, bandwidth, memory, power] = numbers;
    let [utilisation, attention_utilisation, masked_utilisation] = reached.0;
    Accelerator {
        peak,
        bandwidth,
        memory,
        power,
        utilisation,
        attention_utilisation,
        masked_utilisation,
        dynamic: true,
        // Assumed, as the notes say; the seconds of a layer are fitted.
        step_seconds: 0.002,
        layer_seconds: calibrated::LAYER_SECONDS,
    }
}

/// Returns an accelerator whose shapes are fixed before training: every row is padded, and a step is one program.
const fn compiled(accelerator: Accelerator) -> Accelerator {
    Accelerator {
        dynamic: false,
        // A step is started as a whole, not layer by layer.
        layer_seconds: 0.0,
        ..accelerator
    }
}

const A100_NOTE: &str = "Shares of the peak, and the start of a layer, are fitted to the throughputs of measured.csv, most of \
    them on A100. Kernels alone reach about as much: FlashAttention-2 50 to 73 % (Dao 2023, abstract). Under a mask half of \
    attention's share, and 2 ms for a step: assumed.";

const H100_NOTE: &str = "Shares of the peak are fitted to the tables \"H100 80GB BF16\" of MosaicML, LLM Foundry, training \
    benchmarks, whose models of 1B to 70B parameters reach 26 to 46 % of it in all. Kernels alone reach more: \
    FlashAttention-2 35 % (Shah et al. 2024, FlashAttention-3, abstract). Under a mask half of attention's share, and 2 ms \
    for a step: assumed.";

const V100_NOTE: &str = "The share of matrix products is fitted to trainings of BERT and Llama 7B with 16 bits on V100 and Titan \
    RTX, which have no fused kernel of attention: its share is in proportion to A100's. Under a mask half of it, and 2 ms for \
    a step: assumed.";

const SINGLE_NOTE: &str = "Peak at single precision, in which the authors of TokenDrop + BucketSampler are taken to have trained. \
    Shares as on A100, which other trainings at single precision reach of their peak (V100, Titan RTX, P100 in measured.csv), under \
    a mask half of attention's, and 2 ms for a step: assumed. Activations take twice the bytes of those of 16 bits: set them by hand.";

const COMPILED_NOTE: &str = "No published utilisation: shares of the peak are assumed as on A100, under a mask half of \
    attention's, and 2 ms for a step; so is that shapes are fixed once, so that batches of other lengths and kernels without padding are ruled out.";

/// Accelerators.
pub const ACCELERATORS: &[Preset<Accelerator>] =
    &firsts::<_, _, { ALL_ACCELERATORS.len() }>(ALL_ACCELERATORS);

/// Their sources and notes.
pub(super) static SOURCES: [[&str; 2]; ALL_ACCELERATORS.len()] = seconds(ALL_ACCELERATORS);

const ALL_ACCELERATORS: &[SourcedPreset<Accelerator>] = &[
    sourced(
        "ipu",
        "Graphcore IPU GC200",
        "Graphcore, IPU-M2000 data sheet, Tables 2.4 and 2.7: a quarter of the machine of four; bandwidth of the memory on the \
         chip, 0.9 GB, and beside it 112 GB that are streamed",
        "No published utilisation: 40 % of the peak is assumed. Attention under a mask is the same product, and what \
         masking costs is measured: Krell et al. 2022, Efficient Sequence Packing without Cross-contamination, Table 1.",
        Accelerator {
            step_seconds: 0.0,
            ..compiled(published([249.7e12, 45e12, 112.9e9, 375.0], STATIC))
        },
    ),
    sourced(
        "v100",
        "NVIDIA V100 SXM2 32 GB",
        "NVIDIA, V100 Tensor Core GPU data sheet, January 2020",
        V100_NOTE,
        published([125e12, 900e9, 32e9, 300.0], V100),
    ),
    sourced(
        "rtx-2080-ti",
        "NVIDIA GeForce RTX 2080 Ti, 32 bits",
        "NVIDIA, Turing GPU architecture white paper, appendix A: reference board",
        SINGLE_NOTE,
        published([13.45e12, 616e9, 11e9, 250.0], ASSUMED),
    ),
    sourced(
        "a100-40gb",
        "NVIDIA A100 SXM 40 GB",
        "NVIDIA, A100 Tensor Core GPU data sheet",
        A100_NOTE,
        published([312e12, 1.555e12, 40e9, 400.0], A100),
    ),
    sourced(
        "a100-80gb",
        "NVIDIA A100 SXM 80 GB",
        "NVIDIA, A100 Tensor Core GPU data sheet",
        A100_NOTE,
        published([312e12, 2.039e12, 80e9, 400.0], A100),
    ),
    sourced(
        "h100",
        "NVIDIA H100 SXM 80 GB",
        "NVIDIA, H100 Tensor Core GPU data sheet, half of the figure with sparsity",
        H100_NOTE,
        published([989.4e12, 3.35e12, 80e9, 700.0], H100),
    ),
    sourced(
        "h200",
        "NVIDIA H200 SXM 141 GB",
        "NVIDIA, H200 Tensor Core GPU data sheet, half of the figure with sparsity",
        "Utilisation as of H100, the same chip.",
        published([989.4e12, 4.8e12, 141e9, 700.0], H100),
    ),
    sourced(
        "b200",
        "NVIDIA B200",
        "NVIDIA, DGX B200 data sheet: an eighth of the machine",
        NOTE,
        published([2.25e15, 8e12, 180e9, 1000.0], ASSUMED),
    ),
    sourced(
        "l4",
        "NVIDIA L4",
        "NVIDIA, L4 Tensor Core GPU data sheet, half of the figure with sparsity",
        NOTE,
        published([121e12, 300e9, 24e9, 72.0], ASSUMED),
    ),
    sourced(
        "rtx-4090",
        "NVIDIA GeForce RTX 4090",
        "NVIDIA, Ada GPU architecture white paper, appendix A: products of 16 bits added up in 32",
        NOTE,
        published([165.2e12, 1.008e12, 24e9, 450.0], ASSUMED),
    ),
    sourced(
        "mi300x",
        "AMD Instinct MI300X",
        "AMD, Instinct MI300X data sheet, December 2023",
        NOTE,
        published([1307.4e12, 5.3e12, 192e9, 750.0], ASSUMED),
    ),
    sourced(
        "gaudi-2",
        "Intel Gaudi 2",
        "Intel, Gaudi 3 AI Accelerator White Paper, 2024, comparison with Gaudi 2",
        COMPILED_NOTE,
        compiled(published([432e12, 2.46e12, 96e9, 600.0], ASSUMED)),
    ),
    sourced(
        "tpu-v4",
        "Google TPU v4, one chip",
        "Jouppi et al. 2023, TPU v4, Table 4; power: the measured maximum",
        COMPILED_NOTE,
        compiled(published([275e12, 1.2e12, 32e9, 192.0], ASSUMED)),
    ),
];
