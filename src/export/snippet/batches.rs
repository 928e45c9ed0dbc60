//! Snippets for batches of sequences.

use super::literal::{maybe, number, truth};
use super::{Context, Snippet, Tool};
use crate::api::batch::{Mode, Settings};
use crate::sampler::{Sampler, TokenDrop};

pub(super) fn all(context: &Context, settings: &Settings) -> Vec<Snippet> {
    match settings.sampler {
        Sampler::Bucket => vec![bucket(context, settings)],
        _ => Vec::new(),
    }
}

/// (longest, cap) of every bucket up to the limit.
fn table(settings: &Settings) -> Vec<(u32, u32)> {
    let buckets = settings.buckets();
    let (mut table, mut length) = (Vec::new(), 0u32);
    while length < settings.limit {
        let bucket = buckets.of(length + 1);
        table.push((bucket.longest, bucket.cap));
        length = bucket.longest.max(length + 1);
    }
    table
}

fn bucket(context: &Context, s: &Settings) -> Snippet {
    let buckets: Vec<String> = table(s).iter().map(|(longest, cap)| format!("({longest}, {cap})")).collect();
    let lines: Vec<String> = buckets.chunks(8).map(|row| format!("    {},\n", row.join(", "))).collect();
    let cap = s.batch_cap.filter(|_| s.mode == Mode::Training);
    let first = s.cap_of(0);
    let usual = s.batch_cap.and_then(|cap| cap.base).unwrap_or(s.batch);
    let head = format!(
        "# {}\nimport numpy as np\nimport torch\n\nLIMIT = {}\n# Longest of the bucket, sequences of a batch at most.\nBUCKETS = [\n{}]\n\
         BATCH_CAP, SCALING, MERGING = {}, {}, {}  # of the first epoch; by how much it grows; residual batches\n\
         RATE, USUAL, MODULATED = {}, {usual}, {}\n\n\n",
        context.about(&format!("limit {}, BucketSampler", s.limit)),
        s.limit,
        lines.concat(),
        maybe(first),
        number(cap.map_or(1.0, |cap| cap.scaling)),
        truth(s.merging),
        number(s.learning_rate.base),
        truth(s.learning_rate.modulated),
    );
    let mut notes = vec![
        "DataLoader(data, batch_sampler=BucketSampler(lengths), collate_fn=…): pad each batch to its longest. As many batches \
         as here in every epoch; which sequences share one depends on the seed."
            .to_owned(),
        "Set the rate before each step: group[\"lr\"] = learning_rate(len(batch)).".to_owned(),
    ];
    if s.token_drop != TokenDrop::Off {
        notes.push(
            "Dropping stopwords is not part of these lines: it belongs before or into the collator."
                .to_owned(),
        );
    }
    Snippet {
        tool: Tool::Bucket,
        language: "python",
        text: head + include_str!("bucket.py"),
        notes,
        executed: true,
    }
}
