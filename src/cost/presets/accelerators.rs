//! Accelerators, by what their makers publish.

use super::Preset;
use crate::cost::Accelerator;

/// Shares of the peak that a training reaches are assumptions, the same for all: between what FlashAttention-2 reports
/// for a whole training (Dao 2023, Table 1) and what is usual.
const fn published(peak: f64, bandwidth: f64, memory: f64, power: f64) -> Accelerator {
    Accelerator {
        peak,
        bandwidth,
        memory,
        power,
        utilisation: 0.5,
        attention_utilisation: 0.4,
        masked_utilisation: 0.2,
        kernels: true,
        step_seconds: 0.002,
    }
}

/// Accelerators.
pub const ACCELERATORS: &[Preset<Accelerator>] = &[
    Preset {
        id: "ipu",
        name: "Graphcore IPU (GC200)",
        source: "Graphcore, IPU-M2000 data sheet",
        value: Accelerator {
            // One static program: no kernels to start, and its memory is on the chip.
            masked_utilisation: 0.4,
            kernels: false,
            step_seconds: 0.0,
            ..published(250e12, 47.5e12, 0.9e9, 185.0)
        },
    },
    Preset {
        id: "a100-80gb",
        name: "NVIDIA A100 SXM 80 GB",
        source: "NVIDIA, A100 Tensor Core GPU data sheet",
        value: published(312e12, 2.039e12, 80e9, 400.0),
    },
    Preset {
        id: "h100",
        name: "NVIDIA H100 SXM",
        source: "NVIDIA, H100 Tensor Core GPU data sheet",
        value: published(989.4e12, 3.35e12, 80e9, 700.0),
    },
];
