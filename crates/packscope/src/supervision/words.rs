//! Sentences about which tokens train, the same on the page and the command line.

use super::curves::share;
use super::sources::Mix;
use super::weights::{Epoch, Reduction};
use super::{Curves, Truncation};
use crate::histogram::Overlong;
use crate::words::{
    about_factor, capped, count, literal, percent, plural, shell_word, significant,
};

/// The difference between shares of documents and of tokens from which a source is named.
const SKEWED: f64 = 0.05;

/// Returns the sentence about a limit: what it loses of the tokens, and of those that train, under a policy for longer
/// sequences. It names the truncation where that is not the usual one.
pub fn headline(curves: &Curves, limit: u32, overlong: Overlong) -> String {
    let at = count(u64::from(limit));
    if curves.supervised() == 0 {
        return "No token is supervised: this trains nothing.".to_owned();
    }
    let lost = curves.lost_share(limit, overlong);
    let trains = trains(curves, limit, overlong);
    let cut = match (overlong, curves.truncation()) {
        (Overlong::Truncate, cut @ (Truncation::Left | Truncation::Shared)) => {
            format!(", where {}", cut.long_name())
        }
        _ => String::new(),
    };
    if lost == 0.0 {
        return format!("At {at}{cut}, no supervised token is lost, and {trains}.");
    }
    format!(
        "At {at}{cut}, {} of the supervised tokens are lost, of all tokens {}, and {trains}.",
        percent(lost),
        percent(curves.tokens_lost_share(limit, overlong)),
    )
}

/// Returns the clause about the sequences that train nothing.
fn trains(curves: &Curves, limit: u32, overlong: Overlong) -> String {
    let nothing = |n: u64, of: &str| match n {
        0 => "every sequence trains something".to_owned(),
        n => format!(
            "{}{of} ({}) {} nothing",
            plural(n, "sequence"),
            percent(share(n, curves.items())),
            if n == 1 { "trains" } else { "train" }
        ),
    };
    match overlong {
        Overlong::Truncate | Overlong::Reject => nothing(curves.untrained(limit), ""),
        Overlong::Split => nothing(curves.unsupervised(), ""),
        Overlong::Drop => match curves.longer(limit) {
            0 => nothing(curves.unsupervised(), ""),
            n => format!(
                "{} ({}) {} dropped",
                plural(n, "sequence"),
                percent(share(n, curves.items())),
                if n == 1 { "is" } else { "are" }
            ),
        },
    }
}

/// Returns the sentence about the source whose share of the tokens is furthest from that of the documents; `None` where both
/// are alike for all.
pub fn skewed(sources: &[(String, Curves)], all: &Curves) -> Option<String> {
    let shares = |of: &Curves| {
        (
            share(of.items(), all.items()),
            share(of.tokens(), all.tokens()),
        )
    };
    let away = |of: &Curves| {
        let (documents, tokens) = shares(of);
        (documents - tokens).abs()
    };
    let (name, of) = sources
        .iter()
        .max_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)))?;
    let (documents, tokens) = shares(of);
    (away(of) >= SKEWED).then(|| {
        format!(
            "{} of the documents are {} of the tokens: {}.",
            percent(documents),
            percent(tokens),
            named(name)
        )
    })
}

/// Returns the name of a source as it is shown.
pub fn named(source: &str) -> &str {
    match source {
        "" => "(none)",
        source => source,
    }
}

/// Returns the sentence about a mean over each micro-batch: how unequal it makes tokens of one step.
pub fn within_step(epoch: &Epoch) -> String {
    let worst = epoch.of(Reduction::MicroBatch).within_step;
    format!(
        "With a mean over each micro-batch, a token of the emptiest of a step weighs {} one of the fullest in half of the \
         steps, and at most {}.",
        about_factor(worst.median),
        about_factor(worst.most)
    )
}

/// Returns the sentence about micro-batches from which nothing is learned, by the name they have; `None` where all have
/// supervised tokens.
pub fn empty(epoch: &Epoch, name: &str) -> Option<String> {
    (epoch.empty > 0).then(|| {
        format!(
            "{} of {} {name} have no supervised token: a mean over one divides 0 by 0, unless the library counts it as 0.",
            count(epoch.empty),
            count(epoch.micro_batches)
        )
    })
}

/// Returns the lines that set a mix of sources of these names: libraries that draw documents get shares of documents, those
/// that draw rows of one length get shares of tokens.
pub fn lines(names: &[String], mix: &Mix) -> String {
    let share = |share: &f64| significant(*share, 4);
    let list =
        |shares: &[f64], between: &str| shares.iter().map(share).collect::<Vec<_>>().join(between);
    let quoted = |quoted: &dyn Fn(&str) -> String| {
        names
            .iter()
            .map(|name| quoted(&capped(name, 60)))
            .collect::<Vec<_>>()
    };
    let python = quoted(&|name| literal(name));
    let words = quoted(&|name| shell_word(name));
    let blend: Vec<String> = words
        .iter()
        .zip(&mix.tokens)
        .map(|(name, of)| format!("{} {name}", share(of)))
        .collect();
    let sources: Vec<String> = python
        .iter()
        .zip(&mix.tokens)
        .map(|(name, of)| format!("HFDataSource(dataset={name}, weight={})", share(of)))
        .collect();
    [
        "# Hugging Face datasets: probabilities of the next document".to_owned(),
        format!(
            "interleave_datasets([load_dataset(name, split=\"train\") for name in [{}]], probabilities=[{}], seed=0, \
             stopping_strategy=\"all_exhausted\")",
            python.join(", "),
            list(&mix.documents, ", ")
        ),
        "# LLaMA-Factory".to_owned(),
        format!(
            "dataset: {}\nmix_strategy: interleave_over\ninterleave_probs: {}",
            literal(&names.join(",")),
            list(&mix.documents, ",")
        ),
        "# ms-swift".to_owned(),
        format!("--dataset {} --interleave_prob {}", words.join(" "), list(&mix.documents, " ")),
        "# Megatron-LM: weights of rows of one length, so of tokens".to_owned(),
        format!("--data-path {}", blend.join(" ")),
        "# torchtitan: InterleavedHuggingFaceTextDataLoader draws packed rows, so its weights are of tokens".to_owned(),
        format!("sources=[{}]", sources.join(", ")),
        "# axolotl has no weights: it takes each document once, so sample or repeat the datasets to these shares beforehand".to_owned(),
    ]
    .join("\n")
}
