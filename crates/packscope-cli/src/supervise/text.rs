//! What `packscope supervise` prints.

use super::mix::Mixed;
use super::{Answer, AtLimit, Weighted, limits};
use packscope::export::Table;
use packscope::histogram::Overlong;
use packscope::supervision::weights::{Epoch, Reduction, Spread};
use packscope::supervision::{Composition, Curves, Truncation, words};
use packscope::words::{about_factor, count, percent, plural};

/// The most sources that are listed.
const LISTED: usize = 20;

/// Returns all figures as text.
pub fn text(answer: &Answer) -> String {
    let (supervision, limit) = (&answer.supervision, answer.limit);
    let curves = &supervision.curves;
    let mut parts = vec![
        words::headline(curves, limit, Overlong::Truncate),
        figures(answer),
        format!(
            "{}\nOf longer sequences {}. None left: sequences without a supervised token, which train nothing.",
            table_of_limits(curves, limit),
            curves.truncation().long_name()
        ),
    ];
    parts.extend(
        answer
            .weights
            .as_ref()
            .map(|weights| of_weights(answer, weights)),
    );
    if !supervision.sources.is_empty() {
        parts.push(of_sources(answer));
    }
    parts.extend(answer.mixed.as_ref().map(of_mix));
    parts.join("\n\n")
}

/// Returns the lines about the file and about what is computed of it.
fn figures(answer: &Answer) -> String {
    let supervision = &answer.supervision;
    let curves = &supervision.curves;
    let how = match supervision.counted.as_str() {
        "" => supervision.labels.to_string(),
        counted => counted.to_owned(),
    };
    let share = |part: u64, whole: u64| percent(part as f64 / whole.max(1) as f64);
    let of = |part: f64| percent(answer.computed.share(part));
    let Composition {
        padding,
        prompts,
        responses,
    } = answer.computed;
    [
        format!("supervised   {how}"),
        format!("sequences    {}", count(curves.items())),
        format!("tokens       {}", count(curves.tokens())),
        format!(
            "of them      {} supervised, {}",
            count(curves.supervised()),
            share(curves.supervised(), curves.tokens())
        ),
        format!(
            "at {:<9} of what is computed: {} padding, {} prompts, {} responses, which train (random batches of {})",
            answer.limit,
            of(padding),
            of(prompts),
            of(responses),
            answer.rows
        ),
    ]
    .join("\n")
}

fn table_of_limits(curves: &Curves, limit: u32) -> String {
    let rows = limits(curves, limit).into_iter().map(|at| {
        let figures = AtLimit::new(curves, at);
        vec![
            count(u64::from(at)),
            percent(figures.tokens_lost_share),
            percent(figures.supervised_lost_share),
            count(figures.untrained),
            percent(figures.untrained_share),
        ]
    });
    Table::of_words(
        [
            "limit",
            "tokens lost",
            "supervised lost",
            "none left",
            "share",
        ],
        rows,
    )
    .text()
}

fn of_weights(answer: &Answer, weights: &Weighted) -> String {
    let spread = |of: &Spread| format!("{}–{}", about_factor(of.low), about_factor(of.high));
    let ratio = |epoch: &Epoch, reduction| about_factor(epoch.of(reduction).within_step.median);
    let rows = Reduction::ALL.map(|reduction| {
        let (unpacked, packed) = (weights.unpacked.of(reduction), weights.packed.of(reduction));
        vec![
            reduction.long_name().to_owned(),
            ratio(&weights.unpacked, reduction),
            ratio(&weights.packed, reduction),
            spread(&unpacked.tokens),
            spread(&packed.tokens),
            spread(&unpacked.sequences),
        ]
    });
    let table = Table::of_words(
        [
            "loss",
            "in a step",
            "if packed",
            "tokens",
            "if packed",
            "sequences",
        ],
        rows,
    )
    .text();
    let mut lines = vec![
        words::within_step(&weights.unpacked),
        table,
        "In a step: the largest weight of a token over the least, in the median step. Tokens, sequences: where nine tenths of \
         the weights lie, of their mean."
            .to_owned(),
    ];
    lines.extend(words::empty(&weights.unpacked, "micro-batches"));
    lines.extend(words::empty(&weights.packed, "packed micro-batches"));
    if !answer.whole {
        let kept = weights.unpacked.micro_batches * u64::from(answer.rows);
        lines.push(format!(
            "Drawn from {} of the sequences, each as likely.",
            count(kept)
        ));
    }
    lines.extend(
        Reduction::ALL
            .map(|reduction| format!("{}: {}", reduction.long_name(), reduction.taken_by())),
    );
    lines.join("\n")
}

fn of_sources(answer: &Answer) -> String {
    let (supervision, limit) = (&answer.supervision, answer.limit);
    let all = &supervision.curves;
    let share = |part: u64, whole: u64| percent(part as f64 / whole.max(1) as f64);
    let rows = supervision.sources.iter().take(LISTED).map(|(name, of)| {
        vec![
            words::named(name).to_owned(),
            count(of.items()),
            share(of.items(), all.items()),
            count(of.tokens()),
            share(of.tokens(), all.tokens()),
            share(of.supervised(), all.supervised()),
            percent(of.tokens_lost_share(limit, Overlong::Truncate)),
            percent(of.lost_share(limit, Overlong::Truncate)),
            percent(of.untrained_share(limit)),
        ]
    });
    let table = Table::of_words(
        [
            supervision.by.as_deref().unwrap_or("source"),
            "documents",
            "share",
            "tokens",
            "share",
            "of supervised",
            "tokens lost",
            "supervised lost",
            "none left",
        ],
        rows,
    )
    .text();
    let mut text = table;
    if let Some(skewed) = words::skewed(&supervision.sources, all) {
        text = format!("{skewed}\n\n{text}");
    }
    if supervision.sources.len() > LISTED {
        text += &format!(
            "\n{} more",
            plural((supervision.sources.len() - LISTED) as u64, "source")
        );
    }
    text
}

fn of_mix(mixed: &Mixed) -> String {
    let rows = mixed.sources.iter().enumerate().map(|(at, name)| {
        let mut row = vec![name.clone()];
        for mix in [&mixed.now, &mixed.then] {
            row.extend(
                [&mix.documents, &mix.tokens, &mix.supervised].map(|shares| percent(shares[at])),
            );
        }
        row.push(about_factor(mixed.then.epochs[at]));
        row
    });
    let table = Table::of_words(
        [
            "mix",
            "documents",
            "tokens",
            "supervised",
            "documents",
            "tokens",
            "supervised",
            "epochs",
        ],
        rows,
    )
    .text();
    let lines = mixed.lines.lines().map(|line| format!("    {line}"));
    format!(
        "{table}\nFirst as they are, each document once; then as mixed. Epochs: how often the documents of a source are seen, in \
         as many as there are.\n\n{}",
        lines.collect::<Vec<_>>().join("\n")
    )
}

/// Returns the lines about supervised tokens that `describe` adds.
pub fn of_description(supervision: &super::Supervision, limit: u32) -> String {
    let curves = &supervision.curves;
    let lost = curves.lost_share(limit, Overlong::Truncate);
    let share = curves.supervised() as f64 / curves.tokens().max(1) as f64;
    let cut = match curves.truncation() {
        Truncation::Right => String::new(),
        other => format!(", where {}", other.long_name()),
    };
    format!(
        "supervised   {} ({}) by {}; at {} {} of them lost{cut}, {} with none left",
        count(curves.supervised()),
        percent(share),
        supervision.labels,
        count(u64::from(limit)),
        percent(lost),
        plural(curves.untrained(limit), "sequence"),
    )
}
