//! Settings of ranks.

use super::{Accepts, MOST, SettingAccess, SettingField, fields, optional_text, put, put_some};
use crate::histogram::Overlong;
use crate::ranks::{
    Dealing, MICRO_BATCHES, RANKS as MOST_RANKS, ROW_PACKERS, RankUnit, STEPS as MOST_STEPS,
    Scheduler, Settings, SyncPoint, Weight,
};
use Accepts::{Names, Whole};

/// The names of schedulers of libraries, and of none.
const SCHEDULERS: [&str; Scheduler::NAMES.len() + 1] = {
    let mut names = ["none"; Scheduler::NAMES.len() + 1];
    // A constant has neither `for` nor iterators.
    let mut at = 0;
    while at < Scheduler::NAMES.len() {
        names[at + 1] = Scheduler::NAMES[at];
        at += 1;
    }
    names
};

/// The names of the algorithms that pack rows.
const PACKERS: [&str; ROW_PACKERS.len()] = {
    let mut names = [""; ROW_PACKERS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = ROW_PACKERS[at].name();
        at += 1;
    }
    names
};

fn put_library(s: &mut Settings, text: &str) -> bool {
    // `none` does not parse, and is accepted; other names were refused by `accepts` before.
    s.library = text.parse().ok();
    true
}

fields! { Settings;
    LIMIT {
        id: "limit",
        option: "limit",
        name: "Maximum length",
        label: "Maximum length",
        unit: "tokens",
        accepts: Whole(1, MOST),
        always: true,
        about: "The maximum sequence length, and the slots of a packed row.",
        place: [limit],
    }
    RANKS {
        id: "ranks",
        option: "ranks",
        name: "Ranks",
        label: "Ranks",
        unit: "",
        accepts: Whole(1, MOST_RANKS as u64),
        always: true,
        about: "Ranks that work on the same step (data parallelism).",
        place: [ranks],
    }
    DEALING {
        id: "dealing",
        option: "dealing",
        name: "Assignment",
        label: "Assignment",
        unit: "",
        accepts: Names(&Dealing::NAMES),
        always: true,
        about: "How the units of a step are assigned to ranks.",
        place: [dealing],
        words: |s| s.dealing.long_name().to_owned(),
    }
    WEIGHT {
        id: "weight",
        option: "weight",
        name: "Weight",
        label: "Balanced by",
        unit: "",
        accepts: Names(&Weight::NAMES),
        always: false,
        about: "The weight that the assignment balances; without effect in arrival order.",
        place: [weight],
        words: |s| s.weight.long_name().to_owned(),
    }
    LIBRARY {
        id: "library",
        option: "library",
        name: "Scheduler",
        label: "As a library assigns",
        unit: "",
        accepts: Names(&SCHEDULERS),
        always: false,
        about: "The scheduler of a library, in place of assignment and weight.",
        place: [get |s| s.library.map_or("none", Scheduler::name).to_owned(), put put_library],
        words: |s| s.library.map_or("none", Scheduler::long_name).to_owned(),
    }
    WAITING {
        id: "waiting",
        option: "waiting",
        name: "Waiting",
        label: "Synchronised",
        unit: "",
        accepts: Names(&SyncPoint::NAMES),
        always: false,
        about: "When ranks wait for the slowest: after each micro-batch (FSDP, ZeRO-3, expert parallelism), or once a step.",
        place: [waiting],
        words: |s| s.waiting.long_name().to_owned(),
    }
    UNIT {
        id: "unit",
        option: "unit",
        name: "Assigned are",
        label: "Assigned are",
        unit: "",
        accepts: Names(&RankUnit::NAMES),
        always: false,
        about: "What is assigned: sequences, or rows packed up to the limit.",
        place: [unit],
        words: |s| s.unit.long_name().to_owned(),
    }
    ALGORITHM {
        id: "rows-by",
        option: "algorithm",
        name: "Rows by",
        label: "Rows are packed by",
        unit: "",
        accepts: Names(&PACKERS),
        always: false,
        about: "How rows are packed, where rows are assigned.",
        place: [algorithm],
        words: |s| s.algorithm.long_name().to_owned(),
    }
    MICRO_BATCH {
        id: "micro-batch",
        option: "micro-batch",
        name: "Micro-batch size",
        label: "Micro-batch size",
        unit: "of a rank",
        accepts: Whole(1, MOST),
        always: false,
        about: "Units of a rank in a micro-batch, on average; left out, 4 sequences or 1 row.",
        place: [get |s| optional_text(&s.micro_batch), put |s, text| put_some(&mut s.micro_batch, text)],
    }
    STEP {
        id: "accumulation",
        option: "micro-batches",
        name: "Gradient accumulation steps",
        label: "Gradient accumulation steps",
        unit: "in a step",
        accepts: Whole(1, MICRO_BATCHES as u64),
        always: false,
        about: "Micro-batches of a rank in a step (gradient accumulation).",
        place: [micro_batches],
    }
    CAP {
        id: "cap",
        option: "cap",
        name: "Cap on tokens",
        label: "Cap on tokens",
        unit: "tokens",
        accepts: Whole(1, u64::MAX),
        always: false,
        about: "The most tokens of a micro-batch, of which there are as many as it needs (ppo_max_token_len_per_gpu, max_tokens_per_gpu); left out, none.",
        place: [get |s| optional_text(&s.cap), put |s, text| put_some(&mut s.cap, text)],
    }
    CONTEXT {
        id: "context",
        option: "context",
        name: "Tokens of a rank",
        label: "Tokens of a rank",
        unit: "tokens",
        accepts: Whole(1, MOST),
        always: false,
        about: "Context parallelism: the most tokens of a sequence on one rank (max_seqlen_per_dp_cp_rank); left out, none.",
        place: [get |s| optional_text(&s.context), put |s, text| put_some(&mut s.context, text)],
    }
    LEAST {
        id: "least-ranks",
        option: "least-ranks",
        name: "Fewest ranks",
        label: "Fewest ranks of a sequence",
        unit: "ranks",
        accepts: Whole(1, MOST_RANKS as u64),
        always: false,
        about: "Context parallelism with a size for each sequence: the fewest ranks that share one (min_dynamic_context_parallel_size).",
        place: [least],
    }
    MULTIPLE {
        id: "multiple",
        option: "multiple",
        name: "Multiple",
        label: "Sequences padded to a multiple of",
        unit: "tokens",
        accepts: Whole(1, MOST),
        always: false,
        about: "A number of tokens to a multiple of which Megatron-LM (2 × context parallel × sequence parallel) and NeMo RL's packing (make_sequence_length_divisible_by) pad each sequence before they assign it.",
        place: [multiple],
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
    SEED {
        id: "seed",
        option: "seed",
        name: "Seed",
        label: "Seed",
        unit: "",
        accepts: Whole(0, u64::MAX),
        always: false,
        about: "Order of the sequences.",
        place: [seed],
    }
    STEPS {
        id: "steps",
        option: "steps",
        name: "Steps",
        label: "Steps",
        unit: "simulated",
        accepts: Whole(1, MOST_STEPS as u64),
        always: false,
        about: "Steps that are simulated.",
        place: [steps],
    }
}
