//! The prose about buckets.

use super::{DATA, LITTLE};
use crate::learn::data::lengths;
use crate::learn::prose::figure;
use packscope::api::batch::Settings;
use packscope::histogram::Histogram;
use packscope::metrics::{EpochFigures, ExpectedPadding};
use packscope::sampler::HwCap;
use packscope::words::{batches, count, percent, rate};

pub(super) const BUCKETS: &str = "A batch is padded to its longest sequence, so it should hold sequences of like length. \
    A [bucket] takes all lengths of a range, here {width} tokens wide, and its batches are drawn from it alone. What does \
    not fill a whole batch is left over: every bucket may end in a [residual batch], large or small.";

pub(super) const RESIDUALS: &str = "A bucket of a single length needs no padding at all. But the narrower the buckets, the \
    more there are, and the more of them end in a handful of sequences that occupy the accelerator like a whole batch. \
    [Merging:residual batch merging] puts these remains together, bucket after bucket from the shortest on: fewer \
    batches, and a little padding where lengths meet.";

pub(super) const NOTICE: &str = "Make the buckets 1 token wide and look at the right column with residual batches on their \
    own, then merged. One has no grey and far more batches than random ones; the other about as many as those, and a little grey.";

pub(super) const FOUND: &str = "Merging is worth most where buckets are narrow; wide enough, they leave few residual batches \
    even without it. And the first epoch is held back by its cap, not by its lengths. What is left is the price of \
    equal lengths: <by-hand>packing</> does not need them.";

pub(super) fn epoch(now: &EpochFigures) -> String {
    let mean = now.sequences_per_step;
    let equal = Histogram::from_lengths(lengths(DATA)).map_or(0.0, |h| {
        // Batches of as many sequences as the buckets' mean: larger batches have more padding by
        // themselves.
        ExpectedPadding::random(&h, mean.round().max(1.0) as u32).padding_share
    });
    format!(
        "RTE, {} pairs of sentences, in epoch {{epoch}}: {} of {} sequences on average, {} padding. Random batches of \
         that size are {} padding.",
        count(now.items),
        figure("batches", now.batches, &batches(now.batches)),
        figure("sequences_per_step", mean, &format!("{mean:.1}")),
        figure(
            "padding_share",
            now.padding_share,
            &percent(now.padding_share)
        ),
        figure("padding_equal", equal, &percent(equal)),
    )
}

pub(super) fn caps() -> String {
    let cap = HwCap::default();
    let [short, long] = [15, 128].map(|length| cap.batch_at(length));
    format!(
        "By the table of the paper's code, an accelerator's memory holds {} sequences of 15 tokens at once, but {} of 128 \
         (an RTX 2080 Ti with Roberta-base; the paper itself prints 64). This is the [HWCap] of a bucket. Batches as large \
         would leave so few updates of the weights that \
         training does not converge. So there is a [BatchCap]: 64 sequences in the first epoch, twice as many in each \
         that follows. Early epochs have many small batches, later ones few and large; once only memory limits them, epochs are alike.",
        figure("hwcap_15", short, &count(u64::from(short))),
        figure("hwcap_128", long, &count(u64::from(long))),
    )
}

/// Describes the learning rates of batches of different sizes.
pub(super) fn rates(now: &EpochFigures, settings: &Settings) -> String {
    let [least, most] = now.batch_sizes([0.0, 1.0]);
    let [low, high] = now.learning_rate.unwrap_or_default();
    format!(
        "A larger batch is a surer guide and may take a larger step: [its rate:LRM] is {} × √(size\u{a0}/\u{a0}{}). In this epoch \
         the smallest batch, of {}, has {}, the largest, of {}, {}. In the paper's scores, buckets alone fall from \
         81.62 at random to 76.9; merging brings them to 78.42, caps to 81.29, rates to 81.64, 5.2× as fast. (Its <quality>Table 5</> has 81.67 and 5.1×.)",
        rate(settings.learning_rate.base),
        settings.batch,
        count(least),
        figure("learning_rate_least", low, &rate(low)),
        count(most),
        figure("learning_rate_most", high, &rate(high)),
    )
}

pub(super) fn dropping_title(drops: bool, stopwords: u32, now: &EpochFigures) -> String {
    if drops {
        format!(
            "If {stopwords} % are stopwords, dropping them leaves ~{}~ padding",
            percent(now.padding_share)
        )
    } else {
        "Dropping stopwords would leave less to pad".to_owned()
    }
}

pub(super) fn dropping(drops: bool, now: &EpochFigures) -> String {
    let gone = if drops {
        let share =
            now.dropped_tokens as f64 / (now.dropped_tokens + now.real_tokens).max(1) as f64;
        format!(
            " That takes {} tokens out of this epoch, {} of all: thrown away, not padding, and others in every epoch.",
            figure(
                "dropped_tokens",
                now.dropped_tokens,
                &count(now.dropped_tokens)
            ),
            figure("dropped_share", share, &percent(share)),
        )
    } else {
        String::new()
    };
    format!(
        "[Token dropping] leaves stopwords out of the longer sequences of a batch, at random, until they are as short as \
         the shortest or have none left. Lengths alone do not say how many there are: {{stopwords}} of every \
         sequence is an assumption.{gone}"
    )
}

pub(super) const WIDTH: &str = "Where stopwords are dropped the paper takes buckets of 5 lengths: in buckets of one there is nothing to \
    equalise. In wider ones most sequences would have more to lose than they have stopwords. Then padding comes back, and all \
    their stopwords go in every epoch, so that epochs no longer differ. With 5, the paper counts 0.2 % of padding in training.";

pub(super) fn task() -> String {
    let items: u64 = lengths(DATA).iter().map(|(_, n)| n).sum();
    let most = items.div_ceil(u64::from(Settings::default().batch));
    format!(
        "At random, an epoch takes {}. Find an epoch of buckets with no more than that and less than {} padding, \
         without dropping a token.",
        figure("random_batches", most, &batches(most)),
        percent(LITTLE),
    )
}
