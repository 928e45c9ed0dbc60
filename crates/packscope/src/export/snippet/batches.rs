//! Snippets for batches of sequences.

use super::literal::{maybe, number, truth};
use super::sequences::{COLLATE, YIELDS, constants};
use super::{Snippet, SnippetContext, Tool};
use crate::api::batch::{Mode, Settings};
use crate::histogram::Overlong;
use crate::sampler::{CapBucket, Sampler, TokenDrop};

pub(super) fn batch_snippets(context: &SnippetContext, settings: &Settings) -> Vec<Snippet> {
    // Queries one by one are no batches.
    if settings.mode == Mode::RealTime {
        return Vec::new();
    }
    match settings.sampler {
        // A server has neither epochs, for which the cap grows, nor learning rates.
        Sampler::Bucket if settings.mode == Mode::Server => {
            vec![bucket_for_server(context, settings)]
        }
        Sampler::Bucket => vec![bucket(context, settings)],
        Sampler::LengthGrouped => vec![length_grouped(context, settings)],
        Sampler::BucketByLength => vec![bucket_by_length(context, settings)],
        Sampler::TokenBudget => vec![token_budget(context, settings)],
        Sampler::Packed => vec![packed(context, settings)],
        // Every DataLoader makes these by itself.
        Sampler::Random | Sampler::Sorted => Vec::new(),
    }
}

/// Writes `(longest, cap)` of every bucket up to the limit, eight a line; `of` returns the bucket of a length.
fn table(limit: u32, of: impl Fn(u32) -> CapBucket) -> String {
    let (mut table, mut length) = (Vec::new(), 0u32);
    while length < limit {
        // The bucket of the first length that no bucket before it holds.
        let bucket = of(length + 1);
        table.push(format!("({}, {})", bucket.longest, bucket.cap));
        // One at least, so that the loop ends whatever the bucket says.
        length = bucket.longest.max(length + 1);
    }
    table
        .chunks(8)
        .map(|row| format!("    {},\n", row.join(", ")))
        .collect()
}

/// Writes the lines of a sampler: imports, constants, the shared class, and its own class.
fn sampler(
    context: &SnippetContext,
    s: &Settings,
    tool: Tool,
    constants: &str,
    class: [&str; 2],
) -> Snippet {
    let [name, lines] = class;
    let text = format!(
        "# {}\nimport numpy as np\nimport torch\n\nLIMIT, DROP_LONGER = {}, {}\n{constants}\n\n{}\n\n{lines}",
        context.about(&format!("limit {}, {}", s.limit, s.sampler.long_name())),
        s.limit,
        truth(s.overlong == Overlong::Drop),
        include_str!("sampler.py"),
    );
    let every = if s.mode == Mode::Training {
        " in every epoch"
    } else {
        ""
    };
    let mut notes = vec![format!(
        "DataLoader(data, batch_sampler={name}(lengths), collate_fn=…): pad each batch to its longest. As many batches as \
         here{every}; which sequences share one depends on the seed."
    )];
    notes.extend(left_out(s));
    Snippet {
        tool,
        language: "python",
        text,
        notes,
        executed: true,
    }
}

/// Returns notes on settings that the lines leave out.
fn left_out(s: &Settings) -> Vec<String> {
    let before = match s.overlong {
        Overlong::Split => Some("split them"),
        Overlong::Drop if s.sampler == Sampler::Bucket => Some("leave them out"),
        _ => None,
    };
    let longer = before
        .map(|what| format!("Longer sequences are cut off at the limit here: {what} before."));
    let drop = (s.token_drop != TokenDrop::Off).then(|| {
        "Dropping stopwords is not part of these lines: it belongs before or into the collator."
            .to_owned()
    });
    longer.into_iter().chain(drop).collect()
}

fn length_grouped(context: &SnippetContext, s: &Settings) -> Snippet {
    let constants = format!(
        "BATCH, GROUP = {}, {}  # sequences; batches of a sorted group, None: by the number of items\n",
        s.batch,
        maybe(s.mega)
    );
    sampler(
        context,
        s,
        Tool::LengthGrouped,
        &constants,
        ["LengthGrouped", include_str!("length_grouped.py")],
    )
}

fn token_budget(context: &SnippetContext, s: &Settings) -> Snippet {
    let tokens = s.tokens.unwrap_or(u64::from(s.batch) * u64::from(s.limit));
    let constants = format!("TOKENS = {tokens}  # slots of a batch at most\n");
    sampler(
        context,
        s,
        Tool::TokenBudget,
        &constants,
        ["TokenBudget", include_str!("token_budget.py")],
    )
}

fn bucket_by_length(context: &SnippetContext, s: &Settings) -> Snippet {
    let buckets = s.buckets();
    let constants = format!(
        "# Where the next bucket begins, sequences of a batch.\nBUCKETS = [\n{}]\n",
        table(s.limit, |length| buckets.half_open(length))
    );
    sampler(
        context,
        s,
        Tool::BucketByLength,
        &constants,
        ["BucketByLength", include_str!("bucket_by_length.py")],
    )
}

fn packed(context: &SnippetContext, s: &Settings) -> Snippet {
    let text = format!(
        "# {}\nfrom bisect import bisect_left, insort\n\nimport numpy as np\nimport torch\n\
         from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler\n\n\
         LIMIT, DROP_LONGER = {}, {}\n{}\n\n{COLLATE}\n\n{}",
        context.about(&format!("limit {}, packed rows", s.limit)),
        s.limit,
        truth(s.overlong == Overlong::Drop),
        constants(s.batch),
        include_str!("packed.py"),
    );
    let mut notes = vec![
        YIELDS.to_owned(),
        "As many rows and batches as here; which rows share a batch depends on the seed. A batch holds all sequences of its \
         ROWS rows: more than before packing."
            .to_owned(),
    ];
    notes.extend(left_out(s));
    Snippet {
        tool: Tool::Packed,
        language: "python",
        text,
        notes,
        executed: true,
    }
}

/// The function that forms the batches of BucketSampler, in training and on a server.
const BUCKET_BATCHES: &str = include_str!("bucket_batches.py");

/// Writes the lines of a server: neither learning rates nor a cap that grows.
fn bucket_for_server(context: &SnippetContext, s: &Settings) -> Snippet {
    let buckets = s.buckets();
    let head = format!(
        "# {}\nimport numpy as np\nimport torch\n\nLIMIT, MERGING = {}, {}  # MERGING: of residual batches\n\
         # Longest of the bucket, sequences of a batch at most.\nBUCKETS = [\n{}]\n\n\n",
        context.about(&format!("limit {}, BucketSampler for a server", s.limit)),
        s.limit,
        truth(s.merging),
        table(s.limit, |length| buckets.bucket_of(length)),
    );
    let mut notes = vec![
        "DataLoader(data, batch_sampler=BucketSampler(lengths), collate_fn=…): pad each batch to its longest. As many batches \
         as here; which sequences share one depends on the seed."
            .to_owned(),
    ];
    notes.extend(left_out(s));
    let text = head + BUCKET_BATCHES + include_str!("bucket_server.py");
    Snippet {
        tool: Tool::Bucket,
        language: "python",
        text,
        notes,
        executed: true,
    }
}

fn bucket(context: &SnippetContext, s: &Settings) -> Snippet {
    let buckets = s.buckets();
    let cap = s.batch_cap;
    let first = s.cap_of(0);
    let usual = s.batch_cap.and_then(|cap| cap.base).unwrap_or(s.batch);
    let head = format!(
        "# {}\nimport numpy as np\nimport torch\n\nLIMIT = {}\n# Longest of the bucket, sequences of a batch at most.\nBUCKETS = [\n{}]\n\
         BATCH_CAP, SCALING, MERGING = {}, {}, {}  # of the first epoch; by how much it grows; residual batches\n\
         RATE, USUAL, MODULATED = {}, {usual}, {}\n\n\n",
        context.about(&format!("limit {}, BucketSampler", s.limit)),
        s.limit,
        table(s.limit, |length| buckets.bucket_of(length)),
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
    notes.extend(left_out(s));
    Snippet {
        tool: Tool::Bucket,
        language: "python",
        text: head + BUCKET_BATCHES + include_str!("bucket.py"),
        notes,
        executed: true,
    }
}
