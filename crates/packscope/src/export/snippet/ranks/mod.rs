//! Snippets for ranks: the dealing of a step as a sampler, or the settings of the library that deals.

mod libraries;

use super::literal::number;
use super::{Snippet, SnippetContext, Tool};
use crate::api::ranks::{Dealing, RankUnit, Settings, Weight};
use crate::cost::presets::TRANSFORMERS;
use crate::error::Result;
use crate::words::{count, plural, significant};

/// Checks that a step can be dealt by these settings: a library with which it stops gets no lines.
pub(super) fn check(settings: &Settings) -> Result<()> {
    settings.check()?;
    settings
        .library
        .map_or(Ok(()), |library| library.check(&library.task(settings)))
}

pub(super) fn rank_snippets(context: &SnippetContext, settings: &Settings) -> Vec<Snippet> {
    if check(settings).is_err() {
        return Vec::new();
    }
    vec![settings.scheduler().map_or_else(
        || sampler(context, settings),
        |library| libraries::lines(context, settings, library),
    )]
}

/// Returns the name of the model, if it is a published one.
fn model(settings: &Settings) -> &'static str {
    let known = TRANSFORMERS
        .iter()
        .find(|preset| preset.value == settings.model);
    known.map_or("the model", |preset| preset.name)
}

fn unit(settings: &Settings) -> &'static str {
    match settings.unit {
        RankUnit::Sequences => "sequence",
        RankUnit::Rows => "row",
    }
}

/// Returns the first line: the data and the dealing that the lines were written for.
fn about(context: &SnippetContext, settings: &Settings) -> String {
    let dealt = match (settings.scheduler(), settings.dealing.is_blind()) {
        (Some(library), _) => format!("as {} assigns", library.long_name()),
        (None, true) => settings.dealing.short_name().to_owned(),
        (None, false) => format!("{}, by {}", settings.dealing.short_name(), settings.weight),
    };
    context.about(&format!(
        "{}, {} of {}, {dealt}",
        plural(u64::from(settings.ranks), "rank"),
        match settings.micro_batches {
            1 => "1 micro-batch".to_owned(),
            n => format!("{} micro-batches", count(u64::from(n))),
        },
        plural(u64::from(settings.units_of_micro_batch()), unit(settings)),
    ))
}

/// Writes the sampler: constants, the weight, the dealing, and the class that is the same for all.
fn sampler(context: &SnippetContext, settings: &Settings) -> Snippet {
    let (dealing, rows) = (settings.dealing, settings.unit == RankUnit::Rows);
    let heap = matches!(
        dealing,
        Dealing::Greedy | Dealing::KarmarkarKarp | Dealing::EqualSize
    );
    let mut parts = vec![format!(
        "# {}\n{}import numpy as np\nimport torch\n\n\
         RANKS, MICRO_BATCHES, MICRO_BATCH = {}, {}, {}  # micro-batches of a step; {}s of a rank in each, on average\n",
        about(context, settings),
        if heap { "import heapq\n\n" } else { "" },
        settings.ranks,
        settings.micro_batches,
        settings.units_of_micro_batch(),
        unit(settings),
    )];
    if !dealing.is_blind() {
        parts.push(weight(settings));
        parts.push(include_str!("heaviest_first.py").to_owned());
    }
    parts.push(deal(dealing));
    parts.extend(micro_batches(dealing, rows));
    let weights = match (dealing.is_blind(), rows) {
        (true, false) => "list(lengths)",
        (true, true) => "list(rows)",
        (false, false) => "[work(float(length)) for length in lengths]",
        (false, true) => "[sum(work(float(length)) for length in row) for row in rows]",
    };
    let [units, given] = if rows {
        ["rows", "rows"]
    } else {
        ["sequences", "lengths"]
    };
    // `replace`, as braces of Python would be places to `format!`.
    let class = include_str!("ranks.py")
        .replace("{UNITS}", units)
        .replace("{GIVEN}", given);
    parts.push(class.replace("{WEIGHTS}", weights));
    Snippet {
        tool: Tool::Ranks,
        language: "python",
        text: parts.join("\n\n"),
        notes: notes(settings),
        executed: true,
    }
}

/// Returns the lines of the weight: a function of the length of a sequence.
fn weight(settings: &Settings) -> String {
    let cost = settings.weight.cost(&settings.model);
    let [linear, square] = [number(cost.linear), number(cost.square)];
    let a = significant(cost.linear / cost.square, 4);
    let about = match settings.weight {
        Weight::Tokens => return "def work(length):\n    return length\n".to_owned(),
        Weight::Squared => return "def work(length):\n    return length * length\n".to_owned(),
        Weight::Verl => "# verl's, whatever the model: a · L + L².\n".to_owned(),
        Weight::Slime => format!(
            "# Operations for a token and for a pair of tokens of {}, as slime counts them: a · L + L² with a = {a}.\n",
            model(settings)
        ),
        Weight::Model => format!(
            "# Operations for a token and for a pair of tokens of {}: a · L + L² with a = {a}.\n",
            model(settings)
        ),
    };
    format!(
        "{about}TOKEN, PAIR = {linear}, {square}\n\n\ndef work(length):\n    return (TOKEN + PAIR * length) * length\n"
    )
}

/// Returns the lines that deal weights to parts.
fn deal(dealing: Dealing) -> String {
    let put = "    for i, weight in enumerate(weights):\n        put([(weight, 1, i, [i])])";
    let equal = "    # Items of no weight make the number divisible, and are left out at the end.\n    \
                 filled = weights + [0.0] * (-len(weights) % parts)\n    \
                 order = sorted(range(len(filled)), key=lambda i: filled[i])\n    \
                 for at in range(0, len(order), parts):\n        \
                 put([(filled[i], 1, i, [i]) for i in order[at : at + parts]])";
    let differencing = |start: &str, end: &str| {
        include_str!("differencing.py")
            .replace("{START}", start)
            .replace("{END}", end)
    };
    match dealing {
        Dealing::AsDrawn => include_str!("in_turn.py").to_owned(),
        Dealing::Snake | Dealing::Groups => include_str!("snake.py").to_owned(),
        Dealing::Greedy => include_str!("greedy.py").to_owned(),
        Dealing::KarmarkarKarp => differencing(
            put,
            "    return sets + [[] for _ in range(parts - len(sets))]",
        ),
        Dealing::EqualSize => {
            let own = "    sets = [[i for i in items if i < len(weights)] for items in sets]\n";
            differencing(
                equal,
                &format!("{own}    return sets + [[] for _ in range(parts - len(sets))]"),
            )
        }
    }
}

/// Returns the lines that make the micro-batches of a rank.
fn micro_batches(dealing: Dealing, rows: bool) -> Vec<String> {
    if rows {
        let order = if dealing.is_blind() {
            "list(range(len(own)))"
        } else {
            "heaviest_first([weights[i] for i in own])"
        };
        return vec![include_str!("of_rows.py").replace("{ORDER}", order)];
    }
    let within = match dealing {
        Dealing::AsDrawn => include_str!("consecutive.py"),
        Dealing::Groups => include_str!("alike.py"),
        _ => include_str!("even.py"),
    };
    vec![within.to_owned(), include_str!("of_rank.py").to_owned()]
}

fn notes(settings: &Settings) -> Vec<String> {
    let each = settings.units();
    let mut notes = vec![
        format!(
            "DataLoader(data, batch_sampler=Ranks({}, rank), collate_fn=…) on each rank, with the same seed on all: each \
             list is one micro-batch, {} are a step of {}. Which of them share a step depends on the seed.",
            match settings.unit {
                RankUnit::Sequences => "lengths",
                RankUnit::Rows => "rows",
            },
            count(u64::from(settings.micro_batches)),
            plural(each, unit(settings)),
        ),
        match settings.unit {
            RankUnit::Sequences => {
                format!(
                    "Cut or drop sequences above {} before.",
                    plural(u64::from(settings.limit), "token")
                )
            }
            RankUnit::Rows => {
                "A row is the list of the lengths of its sequences, whose work is added up."
                    .to_owned()
            }
        },
    ];
    if !settings.dealing.is_blind() {
        notes.push(
            "Ranks have unequal numbers of sequences: divide the loss by the tokens of the whole step. A list may be empty \
             where few long sequences fill a rank; where ranks exchange something in each micro-batch, compute one with \
             no labels in its place."
                .to_owned(),
        );
    }
    notes
}
