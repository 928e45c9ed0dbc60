//! The slots that rounding up costs: of each sequence in its pack, or of each pack at its end.

use super::PackShape;
use serde::Serialize;

/// Multiples that hardware and libraries ask for, and more of the same, below the limit: 16 for 8-bit floats, 32 for
/// MXFP8, 128 for blockwise scales, times tensor or 2 · context parallelism.
const MULTIPLES: [u32; 13] = [
    1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384,
];

/// The settings by which libraries round each sequence up.
///
/// Sources: NVIDIA-NeMo/RL 7ea279a, `_get_pack_sequence_parameters_for_megatron`; Megatron Bridge,
/// `PackedSequenceSpecs`.
pub const OF_SEQUENCES: &str = "pad_individual_seqs_to_multiple_of (NeMo RL), pad_seq_to_mult (NeMo): 2 · CP, times TP \
                                with sequence parallelism";

/// The settings by which libraries round each pack up.
///
/// Sources: NVIDIA-NeMo/RL 7ea279a, `_get_pack_sequence_parameters_for_megatron`; NVIDIA/Megatron-LM d2e7ec5b,
/// `get_thd_padding_kwargs`.
pub const OF_PACKS: &str = "pad_packed_seq_to_multiple_of, pad_full_seq_to (NeMo RL), pad_packed_seq_alignment \
                            (Megatron-LM): 16 for FP8, 32 for MXFP8, 128 for blockwise FP8, times 2 · CP and TP";

/// The cost of one multiple for a plan as it is: its packs end at their last multiple instead of at the limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RoundingCost {
    /// The multiple, tokens; the limit for packs of one size.
    pub multiple: u32,
    /// Slots if each sequence is rounded up and packs end with their last one.
    pub sequence_slots: u64,
    /// Slots added by that, as a share of the tokens.
    pub sequence_added: f64,
    /// Slots if each pack is rounded up at its end.
    pub pack_slots: u64,
    /// Slots added by that, as a share of the tokens.
    pub pack_added: f64,
    /// Share of the slots of these packs that are padding.
    pub pack_padding: f64,
}

/// Returns the cost of each multiple up to the limit, for these packs of `limit` slots that hold
/// `tokens` tokens. Slots that an alignment of the plan added count as padding, and nothing takes
/// more than the limit. No pack needs another place for it: a pack within the limit is within it
/// after rounding, while sequences that are rounded up may need more packs, which the plan of an
/// alignment has. O(runs · log limit).
pub fn rounding(packs: &[PackShape], limit: u32, tokens: u64) -> Vec<RoundingCost> {
    let multiples = MULTIPLES
        .into_iter()
        .filter(|multiple| *multiple < limit)
        // Above the limit every multiple costs the same: packs of one size.
        .chain([limit]);
    let of = |multiple: u32| {
        let up = |n: u64| {
            n.next_multiple_of(u64::from(multiple.max(1)))
                .min(u64::from(limit))
        };
        let sum = |of: &dyn Fn(&PackShape) -> u64| -> u64 {
            packs
                .iter()
                // Counts have 64 bits: sums of slots end at the largest number, and do not wrap.
                .map(|pack| of(pack).saturating_mul(pack.count))
                .fold(0, u64::saturating_add)
        };
        let sequence_slots = sum(&|pack| {
            pack.runs
                .iter()
                .map(|&(length, n)| up(u64::from(length)) * u64::from(n))
                .sum()
        });
        let pack_slots = sum(&|pack| {
            up(pack
                .runs
                .iter()
                .map(|&(length, n)| u64::from(length) * u64::from(n))
                .sum())
        });
        let added = |slots: u64| slots.saturating_sub(tokens) as f64 / tokens.max(1) as f64;
        RoundingCost {
            multiple,
            sequence_slots,
            sequence_added: added(sequence_slots),
            pack_slots,
            pack_added: added(pack_slots),
            pack_padding: pack_slots.saturating_sub(tokens) as f64 / pack_slots.max(1) as f64,
        }
    };
    multiples.map(of).collect()
}
