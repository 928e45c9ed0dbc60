//! The work of an epoch, by method: counted once, and priced again when an assumption changes.

use crate::error::{Error, Result};
use crate::sampler::Sampler;
use serde::{Deserialize, Serialize};

/// A way to lay out sequences or graphs for an accelerator. Serialised as its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Method {
    /// Every item in its own row, padded to the limit.
    Padded,
    /// Batches of a sampler, each padded to its longest item.
    Batched(Sampler),
    /// Packs; a mask keeps items apart (graphs: a batch of fixed size).
    Packed,
    /// Packs; kernels compute only the blocks within sequences.
    PackedBlocks,
    /// No padding: items laid end to end, each batch as long as its items.
    Unpadded,
    /// No padding, and the items of a step are distributed so that accelerators have about equal work.
    Balanced,
}

impl Method {
    /// Returns the name on the command line and in JSON.
    pub fn name(self) -> String {
        match self {
            Self::Padded => "padded".to_owned(),
            Self::Batched(sampler) => format!("batched-{sampler}"),
            Self::Packed => "packed".to_owned(),
            Self::PackedBlocks => "packed-blocks".to_owned(),
            Self::Unpadded => "unpadded".to_owned(),
            Self::Balanced => "unpadded-balanced".to_owned(),
        }
    }

    /// Whether rows hold several items that a mask keeps apart, so that all pairs of a row are computed. Rows of one
    /// item need no mask: slots after the item are skipped, or no real token attends to them.
    pub fn is_masked(self) -> bool {
        matches!(self, Self::Packed | Self::Batched(Sampler::Packed))
    }

    /// Whether every step has the same shape, so that one compiled program is enough.
    pub fn is_fixed(self) -> bool {
        matches!(
            self,
            Self::Padded | Self::Packed | Self::Batched(Sampler::Packed)
        )
    }
}

impl From<Method> for String {
    fn from(method: Method) -> Self {
        method.name()
    }
}

impl TryFrom<String> for Method {
    type Error = Error;
    fn try_from(name: String) -> Result<Self> {
        // By the names that are written, so that reading and writing cannot differ.
        let plain = [
            Self::Padded,
            Self::Packed,
            Self::PackedBlocks,
            Self::Unpadded,
            Self::Balanced,
        ];
        let batched = Sampler::ALL.map(Self::Batched);
        let all: Vec<Self> = plain.into_iter().chain(batched).collect();
        all.iter()
            .copied()
            .find(|method| method.name() == name)
            .ok_or_else(|| Error::UnknownName {
                kind: "method",
                name,
                expected: all
                    .iter()
                    .map(|method| method.name())
                    .collect::<Vec<_>>()
                    .join(", "),
            })
    }
}

/// An epoch under one method. Units of the first component are tokens (nodes), of the second pairs in a row (edges).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// The method.
    pub method: Method,
    /// Sequences or graphs trained on.
    pub items: u64,
    /// Rows: packs, or items.
    pub rows: u64,
    /// Batches of single accelerators.
    pub batches: u64,
    /// Items in the deepest row, which decides the cost of masking.
    pub depth: u64,
    /// Tokens, and pairs of tokens of one sequence; nodes, and edges.
    pub useful: [f64; 2],
    /// Empty slots, and pairs with an empty slot.
    pub padding: [f64; 2],
    /// Pairs of tokens of different sequences: computed, then masked.
    pub between: f64,
    /// Slots of the largest batch, for memory.
    pub largest: f64,
}

impl Work {
    /// Returns the work on the same packs with kernels that compute only the blocks within sequences: no pair of
    /// different sequences, and none with an empty slot.
    pub fn in_blocks(self) -> Self {
        Self {
            method: Method::PackedBlocks,
            padding: [self.padding[0], 0.0],
            between: 0.0,
            ..self
        }
    }

    /// Returns the number of accelerators with work, of `accelerators`: at most the number of batches, at least one.
    pub fn crew(&self, accelerators: u32) -> u32 {
        accelerators
            // Batches beyond 32 bits give work to every accelerator.
            .min(u32::try_from(self.batches).unwrap_or(u32::MAX))
            .max(1)
    }

    /// Returns the computed units of both components.
    pub fn computed(&self) -> [f64; 2] {
        let [first, second] = [0, 1].map(|k| self.useful[k] + self.padding[k]);
        [first, second + self.between]
    }
}
