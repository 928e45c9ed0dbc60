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
    LIMIT: "limit", "limit", "Maximum length", "Maximum length", "tokens", Whole(1, MOST), true,
        "The maximum sequence length.", [limit];
    SAMPLER: "sampler", "sampler", "Sampler", "Sampler", "", Names(&Sampler::NAMES), false,
        "How batches are made; every way side by side when left out.", [sampler], |s| s.sampler.long_name().to_owned();
    BATCH: "batch", "batch", "Batch", "Batch size", "sequences", Whole(1, MOST), false,
        "Sequences in a batch (packed: rows), where the number is fixed.", [batch];
    MODE: "for", "mode", "Batches for", "Batches for", "", Names(&Mode::NAMES), false,
        "What the batches are for: training, inference of many queries at once, or one at a time.", [mode];
    EPOCHS: "epochs", "epochs", "Epochs", "Epochs", "of training", Whole(1, batch::EPOCHS as u64), false,
        "Epochs of a training; inference has one.", [epochs];
    SEED: "seed", "seed", "Seed", "Seed", "", Whole(0, u64::MAX), false,
        "Order of the sequences.", [seed];
    OVERLONG: "overlong", "overlong", "Longer sequences", "Over the limit", "", Names(&Overlong::NAMES), false,
        "What is done with sequences above the limit; split only where stopwords are not known.", [overlong];
    GROUP: "group", "mega-batch", "Batches in a group", "Batches in a group", "batches", Whole(1, MOST), false,
        "length-grouped: batches in a group that is sorted; left out, a quarter of all, at most 50.", [get |s| optional_text(&s.mega), put |s, text| put_some(&mut s.mega, text)];
    TOKENS: "tokens", "tokens", "Tokens in a batch", "Tokens in a batch", "tokens", Whole(1, u64::MAX), false,
        "token-budget: slots in a batch at most; left out, batch × limit.", [get |s| optional_text(&s.tokens), put |s, text| put_some(&mut s.tokens, text)];
    WIDTH: "width", "bucket-width", "Bucket width", "Bucket width", "tokens", Whole(1, MOST), false,
        "bucket, bucket-by-length: lengths in a bucket; left out, the rows of a table of one's own; else for bucket 1 without TokenDrop as in its paper (Appendix A); else 5.", [get |s| optional_text(&s.bucket_width), put |s, text| put_some(&mut s.bucket_width, text)];
    HWCAP: "hwcap", "hwcap", "HWCap", "HWCap", "", Other("lines of length,sequences"), false,
        "bucket, bucket-by-length: the largest batch of a length; left out, the table of the code of TokenDrop + BucketSampler (RoBERTa base, RTX 2080 Ti).", [hwcap];
    MERGING: "merging", "residual-merging", "Merging", "Merge what is left over", "", Switch(["on", "off"]), false,
        "bucket: whether what is left of the buckets is merged to larger batches.", [get |s| named(s.merging, ["on", "off"]), put |s, text| { s.merging = text == "on"; true }];
    CAP: "cap", "batch-cap", "BatchCap", "BatchCap", "sequences", Other("BASE,SCALING or off"), false,
        "bucket: the largest batch of the first epoch, and by how much it grows from epoch to epoch; left out, batch,2.", [get cap, put put_cap];
    DROP: "drop", "tokendrop", "TokenDrop", "TokenDrop", "", NamesOr(&["off", "equalise"], "or a share such as 0.5"), false,
        "Stopwords to drop: none, in each batch down to its shortest sequence, or a share of them before batches are made.", [token_drop];
    STOPWORDS: "stopwords", "stopword-share", "Stopwords", "Stopwords, assumed, %", "", NumberOr(0.0, 1.0, &[]), false,
        "Share of each sequence that is stopwords, where the data do not say; --size-columns LENGTH,STOPWORDS says.", [get |s| s.stopword_share.to_string(), put put_stopwords];
    RATE: "rate", "learning-rate", "Learning rate", "Learning rate", "", Other("a number above 0"), false,
        "Learning rate of a batch of the usual size.", [get |s| s.learning_rate.base.to_string(), put put_rate];
    RATES: "rates", "lrm", "Learning rates", "Follows the batch size", "", Switch(["modulated", "constant"]), false,
        "bucket: whether the learning rate follows the size of each batch.", [get |s| named(s.learning_rate.modulated, ["modulated", "constant"]), put |s, text| { s.learning_rate.modulated = text == "modulated"; true }];
}
