//! Settings of batching sequences.

use super::{Accepts, MOST, SettingAccess, SettingField, fields, optional_text, put, put_some};
use crate::accepts::number;
use crate::api::batch::{self, BatchCap, Mode, Settings};
use crate::histogram::Overlong;
use crate::sampler::Sampler;
use Accepts::{Names, NamesOr, NumberOr, Other, Switch, Whole};

/// Returns `off`, a scaling, or a base and a scaling.
fn cap(s: &Settings) -> String {
    match s.batch_cap {
        Some(BatchCap {
            base: Some(base),
            scaling,
        }) => format!("{base},{scaling}"),
        Some(BatchCap {
            base: None,
            scaling,
        }) => scaling.to_string(),
        None => "off".to_owned(),
    }
}

fn put_cap(s: &mut Settings, text: &str) -> bool {
    let read = || {
        let (base, scaling) = match text.split_once(',') {
            Some((base, scaling)) => (Some(base.parse().ok()?), scaling),
            None => (None, text),
        };
        let scaling = number(scaling).filter(|s| (1.0..=100.0).contains(s))?;
        Some(BatchCap { base, scaling })
    };
    let cap = read();
    let known = text == "off" || cap.is_some();
    if known {
        s.batch_cap = cap;
    }
    known
}

fn put_rate(s: &mut Settings, text: &str) -> bool {
    let rate = number(text).filter(|rate| rate.is_finite() && *rate > 0.0);
    // A refused text must leave the setting as it is.
    s.learning_rate.base = rate.unwrap_or(s.learning_rate.base);
    rate.is_some()
}

fn put_stopwords(s: &mut Settings, text: &str) -> bool {
    let share = number(text);
    s.stopword_share = share.unwrap_or(s.stopword_share);
    share.is_some()
}

fn named(on: bool, names: [&str; 2]) -> String {
    names[usize::from(!on)].to_owned()
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
        about: "The maximum sequence length.",
        place: [limit],
    }
    SAMPLER {
        id: "sampler",
        option: "sampler",
        name: "Sampler",
        label: "Sampler",
        unit: "",
        accepts: Names(&Sampler::NAMES),
        always: false,
        about: "How batches are made; every way side by side when left out.",
        place: [sampler],
        words: |s| s.sampler.long_name().to_owned(),
    }
    BATCH {
        id: "batch",
        option: "batch",
        name: "Batch",
        label: "Batch size",
        unit: "sequences",
        accepts: Whole(1, MOST),
        always: false,
        about: "Sequences in a batch (packed: rows), where the number is fixed.",
        place: [batch],
    }
    MODE {
        id: "for",
        option: "mode",
        name: "Batches for",
        label: "Batches for",
        unit: "",
        accepts: Names(&Mode::NAMES),
        always: false,
        about: "What the batches are for: training, inference of many queries at once, or one at a time.",
        place: [mode],
    }
    EPOCHS {
        id: "epochs",
        option: "epochs",
        name: "Epochs",
        label: "Epochs",
        unit: "of training",
        accepts: Whole(1, batch::EPOCHS as u64),
        always: false,
        about: "Epochs of a training; inference has one.",
        place: [epochs],
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
    OVERLONG {
        id: "overlong",
        option: "overlong",
        name: "Longer sequences",
        label: "Over the limit",
        unit: "",
        accepts: Names(&Overlong::NAMES),
        always: false,
        about: "What is done with sequences above the limit; split only where stopwords are not known.",
        place: [overlong],
    }
    GROUP {
        id: "group",
        option: "mega-batch",
        name: "Batches in a group",
        label: "Batches in a group",
        unit: "batches",
        accepts: Whole(1, MOST),
        always: false,
        about: "length-grouped: batches in a group that is sorted; left out, a quarter of all, at most 50.",
        place: [get |s| optional_text(&s.mega), put |s, text| put_some(&mut s.mega, text)],
    }
    TOKENS {
        id: "tokens",
        option: "tokens",
        name: "Tokens in a batch",
        label: "Tokens in a batch",
        unit: "tokens",
        accepts: Whole(1, u64::MAX),
        always: false,
        about: "token-budget: slots in a batch at most; left out, batch × limit.",
        place: [get |s| optional_text(&s.tokens), put |s, text| put_some(&mut s.tokens, text)],
    }
    WIDTH {
        id: "width",
        option: "bucket-width",
        name: "Bucket width",
        label: "Bucket width",
        unit: "tokens",
        accepts: Whole(1, MOST),
        always: false,
        about: "bucket, bucket-by-length: lengths in a bucket; left out, the rows of a table of one's own; else for bucket 1 without TokenDrop as in its paper (Appendix A); else 5.",
        place: [get |s| optional_text(&s.bucket_width), put |s, text| put_some(&mut s.bucket_width, text)],
    }
    HWCAP {
        id: "hwcap",
        option: "hwcap",
        name: "HWCap",
        label: "HWCap",
        unit: "",
        accepts: Other("lines of length,sequences"),
        always: false,
        about: "bucket, bucket-by-length: the largest batch of a length; left out, the table of the code of TokenDrop + BucketSampler (RoBERTa base, RTX 2080 Ti).",
        place: [hwcap],
    }
    MERGING {
        id: "merging",
        option: "residual-merging",
        name: "Merging",
        label: "Merge what is left over",
        unit: "",
        accepts: Switch(["on", "off"]),
        always: false,
        about: "bucket: whether what is left of the buckets is merged to larger batches.",
        place: [get |s| named(s.merging, ["on", "off"]), put |s, text| { s.merging = text == "on"; true }],
    }
    CAP {
        id: "cap",
        option: "batch-cap",
        name: "BatchCap",
        label: "BatchCap",
        unit: "sequences",
        accepts: Other("BASE,SCALING or off"),
        always: false,
        about: "bucket: the largest batch of the first epoch, and by how much it grows from epoch to epoch; left out, batch,2.",
        place: [get cap, put put_cap],
    }
    DROP {
        id: "drop",
        option: "tokendrop",
        name: "TokenDrop",
        label: "TokenDrop",
        unit: "",
        accepts: NamesOr(&["off", "equalise"], "or a share such as 0.5"),
        always: false,
        about: "Stopwords to drop: none, in each batch down to its shortest sequence, or a share of them before batches are made.",
        place: [token_drop],
    }
    STOPWORDS {
        id: "stopwords",
        option: "stopword-share",
        name: "Stopwords",
        label: "Stopwords, assumed, %",
        unit: "",
        accepts: NumberOr(0.0, 1.0, &[]),
        always: false,
        about: "Share of each sequence that is stopwords, where the data do not say; --size-columns LENGTH,STOPWORDS says.",
        place: [get |s| s.stopword_share.to_string(), put put_stopwords],
    }
    RATE {
        id: "rate",
        option: "learning-rate",
        name: "Learning rate",
        label: "Learning rate",
        unit: "",
        accepts: Other("a number above 0"),
        always: false,
        about: "Learning rate of a batch of the usual size.",
        place: [get |s| s.learning_rate.base.to_string(), put put_rate],
    }
    RATES {
        id: "rates",
        option: "lrm",
        name: "Learning rates",
        label: "Follows the batch size",
        unit: "",
        accepts: Switch(["modulated", "constant"]),
        always: false,
        about: "bucket: whether the learning rate follows the size of each batch.",
        place: [get |s| named(s.learning_rate.modulated, ["modulated", "constant"]), put |s, text| { s.learning_rate.modulated = text == "modulated"; true }],
    }
}
