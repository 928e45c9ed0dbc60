//! Shapes as the settings of libraries and as code, ready to paste.

use super::snippet::comment;
use crate::names::names;
use crate::shapes::{self, Shape};
use crate::words::{percent, plural};
use serde::{Deserialize, Serialize};

/// A library, or a form of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum For {
    /// NumPy, for frameworks that compile a graph for each shape: PyTorch/XLA, JAX, HPU,
    /// `torch.compile`.
    Xla,
    /// lhotse: its sampler with these buckets.
    Lhotse,
    /// NeMo's data loader, which takes lhotse's buckets as settings.
    Nemo,
    /// vLLM on HPU: a file of buckets.
    VllmGaudi,
    /// The lengths alone.
    List,
}

names! { For, "form of shapes";
    Xla: "xla", "XLA, HPU, torch.compile";
    Lhotse: "lhotse", "lhotse";
    Nemo: "nemo", "NeMo";
    VllmGaudi: "vllm-gaudi", "vLLM on Gaudi";
    List: "list", "List";
}

/// A file to paste or to save, with a remark on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// A name for the file.
    pub file: &'static str,
    /// The contents of the file.
    pub text: String,
    /// A remark: requirements, and what the lines were tested with.
    pub note: &'static str,
}

/// Writes shapes with the sequences of a batch of each, `batches`, for a library; `data` is the name of the data, any
/// text. O(shapes).
pub fn lines(of: For, data: &str, shapes: &[Shape], batches: &[u64]) -> Lines {
    let lengths: Vec<u32> = shapes.iter().map(|shape| shape.length).collect();
    let about = format!(
        "# {}: {}, {} padding\n",
        comment(data),
        plural(shapes.len() as u64, "shape"),
        percent(shapes::padding_share(shapes))
    );
    let [lengths, sizes] = [joined(&lengths), joined(batches)];
    let constants =
        format!("SHAPES = [{lengths}]\nBATCH = [{sizes}]  # sequences of a batch of each shape\n");
    let text = match of {
        For::Xla => format!(
            "{about}from bisect import bisect_left\n\nimport numpy as np\n\n{constants}\n\n{}",
            include_str!("sampler.py")
        ),
        For::Lhotse => format!(
            "{about}from lhotse.dataset.sampling.dynamic_bucketing import DynamicBucketingSampler, \
             FixedBucketBatchSizeConstraint\n\n{constants}\n\n{}",
            include_str!("lhotse.py")
        ),
        For::Nemo => format!(
            "{about}use_lhotse: true\nuse_bucketing: true\nnum_buckets: {}\nbucket_duration_bins: [{lengths}]\n\
             bucket_batch_size: [{sizes}]\n",
            shapes.len()
        ),
        For::VllmGaudi => {
            let bucket =
                // No blocks: prompts without cached context.
                |(shape, batch): (&Shape, &u64)| format!("({batch}, {}, 0)\n", shape.length);
            about + &shapes.iter().zip(batches).map(bucket).collect::<String>()
        }
        For::List => lengths.replace(", ", ",") + "\n",
    };
    Lines {
        file: of.file(),
        text,
        note: of.note(),
    }
}

fn joined(numbers: &[impl ToString]) -> String {
    numbers
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

impl For {
    const fn file(self) -> &'static str {
        match self {
            Self::Xla => "shapes.py",
            Self::Lhotse => "lhotse_shapes.py",
            Self::Nemo => "nemo_shapes.yml",
            Self::VllmGaudi => "buckets.txt",
            Self::List => "shapes.txt",
        }
    }

    /// Returns the remark on the lines.
    ///
    /// Sources: lhotse 1.33.0, `dataset/sampling/dynamic_bucketing.py` and `base.py` (`select_bucket`); NVIDIA-NeMo/NeMo
    /// 8cfedd7, `collections/common/data/lhotse/dataloader.py` (`determine_sampling_constraint`);
    /// vllm-project/vllm-gaudi 1c31e94, `extension/bucketing/file_strategy.py`.
    const fn note(self) -> &'static str {
        match self {
            Self::Xla => {
                "Every batch has one of these sizes, so that each is compiled once. Cut or drop longer sequences before. \
                 Executed in Packscope’s tests, and judged by the padding that comes out."
            }
            Self::Lhotse => {
                "Bins are the longest lengths of their buckets. Cuts longer than the last are refused: filter them before. \
                 Executed in Packscope’s tests with the sampler of lhotse 1.33."
            }
            Self::Nemo => {
                "Settings of the data loader, which hands them to lhotse: in seconds for audio, in tokens with \
                 use_multimodal_sampling: true. Names as in NeMo’s dataloader.py; not executed."
            }
            Self::VllmGaudi => {
                "Prompts without cached context: (sequences, tokens, blocks). Set VLLM_BUCKETING_FROM_FILE to this file, add \
                 the buckets of decoding, and take lengths in multiples of the block size, 128. Not executed."
            }
            Self::List => "One length after the other, as --lengths and the field above take them.",
        }
    }
}
