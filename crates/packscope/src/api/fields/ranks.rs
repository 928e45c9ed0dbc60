//! Settings of ranks.

use super::{Accepts, MOST, SettingAccess, SettingField, fields, optional_text, put, put_some};
use crate::histogram::Overlong;
use crate::ranks::{
    Balancing, MICRO_BATCHES, RANKS as MOST_RANKS, ROW_PACKERS, RankUnit, STEPS as MOST_STEPS,
    Scheduler, Settings, SyncPoint, Weight,
};
use Accepts::{Names, Whole};

/// The names of schedulers of libraries, and of none.
const SCHEDULERS: [&str; Scheduler::NAMES.len() + 1] = {
    let mut names = ["none"; Scheduler::NAMES.len() + 1];
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
    s.library = text.parse().ok();
    true
}

fields! { Settings;
    LIMIT: "limit", "limit", "Maximum length", "Maximum length", "tokens", Whole(1, MOST), true,
        "The maximum sequence length, and the slots of a packed row.", [limit];
    RANKS: "ranks", "ranks", "Ranks", "Ranks", "", Whole(1, MOST_RANKS as u64), true,
        "Ranks that work on the same step (data parallelism).", [ranks];
    DEALING: "dealing", "dealing", "Dealing", "Dealt", "", Names(&Balancing::NAMES), true,
        "How the units of a step are dealt to ranks.", [dealing], |s| s.dealing.long_name().to_owned();
    WEIGHT: "weight", "weight", "Weight", "Balanced by", "", Names(&Weight::NAMES), false,
        "The weight by which they are dealt; without effect as they come.", [weight], |s| s.weight.long_name().to_owned();
    LIBRARY: "library", "library", "Scheduler", "As a library deals", "", Names(&SCHEDULERS), false,
        "The scheduler of a library, in place of dealing and weight.", [get |s| s.library.map_or("none", Scheduler::name).to_owned(), put put_library],
        |s| s.library.map_or("none", Scheduler::long_name).to_owned();
    WAITING: "waiting", "waiting", "Waiting", "Ranks wait", "", Names(&SyncPoint::NAMES), false,
        "What ranks wait for: each micro-batch (FSDP, ZeRO-3, expert parallelism), or the step.", [waiting], |s| s.waiting.long_name().to_owned();
    UNIT: "unit", "unit", "Dealt are", "Dealt are", "", Names(&RankUnit::NAMES), false,
        "What is dealt: sequences, or rows packed up to the limit.", [unit], |s| s.unit.long_name().to_owned();
    ALGORITHM: "rows-by", "algorithm", "Rows by", "Rows are packed by", "", Names(&PACKERS), false,
        "How rows are packed, where rows are dealt.", [algorithm], |s| s.algorithm.long_name().to_owned();
    MICRO_BATCH: "micro-batch", "micro-batch", "Micro-batch", "Micro-batch", "of a rank", Whole(1, MOST), false,
        "Units of a rank in a micro-batch, on average; left out, 4 sequences or 1 row.", [get |s| optional_text(&s.micro_batch), put |s, text| put_some(&mut s.micro_batch, text)];
    STEP: "accumulation", "micro-batches", "Micro-batches", "Micro-batches", "in a step", Whole(1, MICRO_BATCHES as u64), false,
        "Micro-batches of a rank in a step (gradient accumulation).", [micro_batches];
    CAP: "cap", "cap", "Cap on tokens", "Cap on tokens", "tokens", Whole(1, u64::MAX), false,
        "The most tokens of a micro-batch, of which there are as many as it needs (ppo_max_token_len_per_gpu, max_tokens_per_gpu); left out, none.", [get |s| optional_text(&s.cap), put |s, text| put_some(&mut s.cap, text)];
    CONTEXT: "context", "context", "Tokens of a rank", "Tokens of a rank", "tokens", Whole(1, MOST), false,
        "Context parallelism: the most tokens of a sequence on one rank (max_seqlen_per_dp_cp_rank); left out, none.", [get |s| optional_text(&s.context), put |s, text| put_some(&mut s.context, text)];
    LEAST: "least-ranks", "least-ranks", "Fewest ranks", "Fewest ranks of a sequence", "ranks", Whole(1, MOST_RANKS as u64), false,
        "Context parallelism with a size for each sequence: the fewest ranks that share one (min_dynamic_context_parallel_size).", [least];
    MULTIPLE: "multiple", "multiple", "Multiple", "Sequences padded to a multiple of", "tokens", Whole(1, MOST), false,
        "A number of tokens to a multiple of which Megatron-LM (2 × context parallel × sequence parallel) and NeMo RL's packing (make_sequence_length_divisible_by) pad each sequence before they deal it.", [multiple];
    OVERLONG: "overlong", "overlong", "Longer sequences", "Over the limit", "", Names(&Overlong::NAMES), false,
        "What is done with sequences above the limit.", [overlong];
    SEED: "seed", "seed", "Seed", "Seed", "", Whole(0, u64::MAX), false,
        "Order of the sequences.", [seed];
    STEPS: "steps", "steps", "Steps", "Steps", "simulated", Whole(1, MOST_STEPS as u64), false,
        "Steps that are simulated.", [steps];
}
