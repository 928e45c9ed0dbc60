//! The work of an epoch, by method: counted once, and priced again whenever an assumption changes.

use crate::error::{Error, Result};
use crate::sampler::Sampler;
use serde::{Deserialize, Serialize};

/// A way to bring sequences or graphs to an accelerator. Serialised as its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Method {
    /// Every item in a row of its own, as long as the limit.
    Padded,
    /// Batches of a sampler, padded to the longest of each.
    Batched(Sampler),
    /// Packs; a mask keeps items apart (graphs: a batch of fixed size).
    Packed,
    /// Packs; kernels compute only the blocks within sequences.
    PackedBlocks,
    /// No padding at all: items laid end to end, each batch as long as its items.
    Unpadded,
    /// The same, and the items of a step are dealt out so that all accelerators have about as much to do.
    Balanced,
}

impl Method {
    /// The name on the command line and in JSON.
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

    /// Whether rows hold several items that a mask keeps apart, so that all pairs of a row are computed. Rows of one item
    /// need none: what follows the item is skipped, or looked at by nobody.
    pub fn is_masked(self) -> bool {
        matches!(self, Self::Packed | Self::Batched(Sampler::Packed))
    }

    /// Whether every step has the same shape, so that one compiled program does.
    pub fn is_fixed(self) -> bool {
        matches!(self, Self::Padded | Self::Packed | Self::Batched(Sampler::Packed))
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
        let plain = [Self::Padded, Self::Packed, Self::PackedBlocks, Self::Unpadded, Self::Balanced];
        let batched = Sampler::ALL.map(Self::Batched);
        let all: Vec<Self> = plain.into_iter().chain(batched).collect();
        all.iter().copied().find(|method| method.name() == name).ok_or_else(|| Error::UnknownName {
            kind: "method",
            name,
            expected: all.iter().map(|method| method.name()).collect::<Vec<_>>().join(", "),
        })
    }
}

/// An epoch under one method. Units of the first component are tokens (nodes), of the second pairs of tokens in a row
/// (edges).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// The method.
    pub method: Method,
    /// Sequences or graphs trained on.
    pub items: u64,
    /// Rows: packs, or items.
    pub rows: u64,
    /// Batches that an accelerator takes one at a time.
    pub batches: u64,
    /// Items in the deepest row: what masking costs follows it.
    pub depth: u64,
    /// Tokens, and pairs of tokens of one sequence; nodes, and edges.
    pub useful: [f64; 2],
    /// Slots that carry nothing, and pairs with such a slot.
    pub padding: [f64; 2],
    /// Pairs of tokens of different sequences: computed, and masked away.
    pub between: f64,
    /// Units that a batch has at most, for memory: slots of the largest batch.
    pub largest: f64,
}

impl Work {
    /// Accelerators of so many that have something to do: no more than there are batches, and at least one.
    pub fn crew(&self, accelerators: u32) -> u32 {
        accelerators.min(u32::try_from(self.batches).unwrap_or(u32::MAX)).max(1)
    }

    /// Units of both components that are computed.
    pub fn computed(&self) -> [f64; 2] {
        let [first, second] = [0, 1].map(|k| self.useful[k] + self.padding[k]);
        [first, second + self.between]
    }
}
