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
    LIMIT {
        id: "limit",
        option: "limit",
        name: "Maximum length",
        label: "Maximum length",
        unit: "tokens",
        accepts: Whole(1, MOST),
        always: true,
        about: "Slots in a row: the maximum sequence length.",
        place: [limit],
        words: |s| plural(u64::from(s.limit), "token"),
    }
    DEPTH {
        id: "depth",
        option: "depth",
        name: "Depth",
        label: "Depth",
        unit: "sequences",
        accepts: DEPTHS,
        always: true,
        about: "At most this many sequences share a row.",
        place: [depth],
        words: |s| depth(s.depth),
    }
    ALGORITHM {
        id: "algorithm",
        option: "algorithm",
        name: "Algorithm",
        label: "Algorithm",
        unit: "",
        accepts: Names(&Algorithm::NAMES),
        always: true,
        about: "How sequences are packed.",
        place: [algorithm],
        words: |s| s.algorithm.long_name().to_owned(),
    }
    OVERLONG {
        id: "overlong",
        option: "overlong",
        name: "Longer sequences",
        label: "Over the limit",
        unit: "",
        accepts: Names(&Overlong::NAMES),
        always: false,
        about: "What is done with sequences above the limit.",
        place: [overlong],
    }
    ALIGN {
        id: "align",
        option: "align",
        name: "Alignment",
        label: "Align to",
        unit: "tokens",
        accepts: Whole(1, MOST),
        always: false,
        about: "Each sequence takes a multiple of this many tokens in its row, but never more than the row: pad_individual_seqs_to_multiple_of of NeMo RL, pad_seq_to_mult of NeMo; a multiple of 2 · CP, and of TP with sequence parallelism.",
        place: [align],
        words: |s| plural(u64::from(s.align), "token"),
    }
    SEED {
        id: "seed",
        option: "seed",
        name: "Seed",
        label: "Seed",
        unit: "",
        accepts: Whole(0, u64::MAX),
        always: false,
        about: "Order of arrival, for greedy.",
        place: [seed],
    }
    BATCH {
        id: "batch",
        option: "batch",
        name: "Batch",
        label: "Batch size",
        unit: "rows",
        accepts: Whole(1, MOST),
        always: false,
        about: "Rows in a batch, for sort.",
        place: [batch],
        words: |s| plural(u64::from(s.batch), "row"),
    }
    OVERHEAD {
        id: "overhead",
        option: "overhead",
        name: "Overhead",
        label: "Overhead per step, %",
        unit: "",
        accepts: OVERHEADS,
        always: false,
        about: "Cost of keeping packed sequences apart, measured on an IPU, none, or a share of a step.",
        place: [overhead],
        words: |s| overhead(s.overhead),
    }
}
