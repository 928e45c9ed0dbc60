//! Settings of packing sequences.

use super::{
    Accepts, DEPTHS, MOST, OVERHEADS, SettingAccess, SettingField, depth, fields, overhead, put,
};
use crate::api::Settings;
use crate::histogram::Overlong;
use crate::packing::Algorithm;
use crate::words::plural;
use Accepts::{Names, Whole};

fields! { Settings;
    LIMIT: "limit", "limit", "Maximum length", "Maximum length", "tokens", Whole(1, MOST), true,
        "Slots in a row: the maximum sequence length.", [limit], |s| plural(u64::from(s.limit), "token");
    DEPTH: "depth", "depth", "Depth", "Depth", "sequences", DEPTHS, true,
        "At most this many sequences share a row.", [depth], |s| depth(s.depth);
    ALGORITHM: "algorithm", "algorithm", "Algorithm", "Algorithm", "", Names(&Algorithm::NAMES), true,
        "How sequences are packed.", [algorithm], |s| s.algorithm.long_name().to_owned();
    OVERLONG: "overlong", "overlong", "Longer sequences", "Over the limit", "", Names(&Overlong::NAMES), false,
        "What is done with sequences above the limit.", [overlong];
    ALIGN: "align", "align", "Alignment", "Align to", "tokens", Whole(1, MOST), false,
        "Each sequence takes a multiple of this many tokens in its row, but never more than the row: pad_individual_seqs_to_multiple_of of NeMo RL, pad_seq_to_mult of NeMo; a multiple of 2 · CP, and of TP with sequence parallelism.", [align], |s| plural(u64::from(s.align), "token");
    SEED: "seed", "seed", "Seed", "Seed", "", Whole(0, u64::MAX), false,
        "Order of arrival, for greedy.", [seed];
    BATCH: "batch", "batch", "Batch", "Batch size", "rows", Whole(1, MOST), false,
        "Rows in a batch, for sort.", [batch], |s| plural(u64::from(s.batch), "row");
    OVERHEAD: "overhead", "overhead", "Overhead", "Overhead per step, %", "", OVERHEADS, false,
        "Cost of keeping packed sequences apart, measured on an IPU, none, or a share of a step.", [overhead], |s| overhead(s.overhead);
}
