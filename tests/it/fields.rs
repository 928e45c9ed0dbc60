//! The tables of names and of settings: complete, without duplicates, and in agreement with addresses, docs and help.

use packscope::api::batch::Mode;
use packscope::api::fields::{Accepts, SettingField, batches, graphs, ranks, sequences, shapes};
use packscope::histogram::Overlong;
use packscope::ingest::ItemWords;
use packscope::packing::tuple::{self, Heuristic};
use packscope::packing::{Algorithm, Depth};
use packscope::ranks::{Binds, Dealing, RankUnit, Scheduler, SyncPoint, Weight};
use packscope::sampler::Sampler;
use packscope::sweep::SweepMethod;
use packscope_page::state::{Action, AppState};
use std::collections::BTreeSet;
use std::fmt::Debug;

const COMMANDS: &str = include_str!("../../docs/COMMANDS.md");

fn assert_distinct<'a>(texts: impl IntoIterator<Item = &'a str>) {
    let mut seen = BTreeSet::new();
    for text in texts {
        assert!(!text.trim().is_empty() && text.trim() == text, "{text:?}");
        assert!(seen.insert(text), "{text} twice");
    }
}

/// Names are parsed, and written into JSON, as they are listed.
fn assert_names<T>(all: &[T], names: &[&str], texts: [Vec<String>; 2])
where
    T: Copy
        + PartialEq
        + Debug
        + std::fmt::Display
        + serde::Serialize
        + std::str::FromStr<Err: Debug>,
{
    assert_eq!(all.len(), names.len());
    for (one, name) in all.iter().zip(names) {
        assert_eq!(name.parse::<T>().unwrap(), *one);
        assert_eq!(one.to_string(), *name);
        assert_eq!(serde_json::to_value(one).unwrap(), *name);
    }
    assert_distinct(names.iter().copied());
    texts
        .iter()
        .for_each(|texts| assert_distinct(texts.iter().map(String::as_str)));
}

macro_rules! assert_named {
    ($($enum:ty),+) => {
        $(assert_names(
            &<$enum>::ALL,
            &<$enum>::NAMES,
            [<$enum>::ALL.map(|one| one.long_name().to_owned()).to_vec(), <$enum>::ALL.map(|one| one.about().to_owned()).to_vec()],
        );)+
    };
}

#[test]
fn every_name_is_one_thing_everywhere() {
    assert_named!(
        Algorithm,
        tuple::TupleAlgorithm,
        Sampler,
        Overlong,
        Mode,
        SweepMethod
    );
    assert_named!(Dealing, Weight, Scheduler, RankUnit, SyncPoint, Binds);
    let texts = [
        Heuristic::ALL.map(Heuristic::short_name).to_vec(),
        Heuristic::ALL.map(Heuristic::about).to_vec(),
    ];
    assert_names(&Heuristic::ALL, &Heuristic::NAMES, texts);
    assert_distinct(Algorithm::ALL.map(Algorithm::short_name));
    assert_distinct(tuple::TupleAlgorithm::ALL.map(tuple::TupleAlgorithm::short_name));
    assert_distinct(Sampler::ALL.map(Sampler::short_name));
    let sources = Algorithm::ALL
        .map(Algorithm::source)
        .into_iter()
        .chain(tuple::TupleAlgorithm::ALL.map(tuple::TupleAlgorithm::source));
    assert!(
        sources
            .chain(Sampler::ALL.map(Sampler::source))
            .all(|source| !source.is_empty())
    );
}

#[test]
fn words_of_the_data_are_put_in() {
    let words = ItemWords::default();
    assert_eq!(
        tuple::TupleAlgorithm::ALL
            .map(|a| words.say(a.long_name()))
            .join(", "),
        "Optimal, Search, Best fit, First fit, Best fit, as published, Nodes only, Edges only, None"
    );
    assert_eq!(
        words.say(tuple::TupleAlgorithm::NodesOnly.about()),
        "Edges have no limit"
    );
    assert_eq!(
        words.say(&Heuristic::Weighted([2.0, 1.0, 0.0]).about()),
        "2 × nodes + 1 × edges"
    );
    assert_eq!(
        [graphs::NODES, graphs::EDGES].map(|f| words.say(f.label)),
        ["Node limit", "Edge limit"]
    );
    assert_eq!(words.say(graphs::OVERLONG.label), "Graphs above a limit");
}

/// Values that a setting takes.
fn samples<S>(field: &SettingField<S>) -> Vec<String> {
    let owned = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| (*text).to_owned())
            .collect::<Vec<_>>()
    };
    match (field.value.accepts, field.value.id) {
        (Accepts::Whole(least, most), _) => {
            [least, least + 2, most].map(|n| n.to_string()).to_vec()
        }
        (Accepts::NumberOr(least, most, _), _) => {
            [least, 0.35, most].map(|n| n.to_string()).to_vec()
        }
        (Accepts::Names(names), _) => owned(names),
        (Accepts::Switch(names), _) => owned(&names),
        (Accepts::NamesOr(names, _), "heuristic") => {
            [owned(names), owned(&["component:3", "weighted:2:1"])].concat()
        }
        (Accepts::NamesOr(names, _), _) => [owned(names), owned(&["0.07"])].concat(),
        (Accepts::Other(_), "depth") => owned(&["1", "17", "unlimited"]),
        (Accepts::Other(_), "hwcap") => {
            owned(&["64:300,128:40", "memory:1500000,2048,11000000000"])
        }
        (Accepts::Other(_), "cap") => owned(&["off", "3", "32,1.5"]),
        (Accepts::Other(_), "shapes-given") => owned(&["128,256,512", "7"]),
        (Accepts::Other(_), "rate") => owned(&["0.00005", "1"]),
        (Accepts::WholeOr(..) | Accepts::Other(_), id) => panic!("{id} has no samples"),
    }
}

fn assert_table<S: Default + Clone + PartialEq + Debug>(
    fields: &'static [SettingField<S>],
    view: &str,
    elsewhere: &[&str],
) {
    assert_distinct(fields.iter().map(|field| field.value.id));
    assert_distinct(fields.iter().map(|field| field.value.name));
    assert_distinct(fields.iter().map(|field| field.label));
    assert_distinct(fields.iter().map(|field| field.about));
    assert_distinct(
        fields
            .iter()
            .map(|field| field.option)
            .filter(|option| *option != "limits"),
    );
    for field in fields {
        let (value, usual) = (&field.value, field.value.usual());
        for sample in samples(field) {
            let mut settings = S::default();
            assert!(value.set(&mut settings, &sample), "{}={sample}", value.id);
            assert_eq!((value.get)(&settings), sample, "{}", value.id);
            assert_eq!(
                settings == S::default(),
                sample == usual,
                "{}={sample}",
                value.id
            );
            assert!(!(value.words)(&settings).is_empty() || sample.is_empty());
            if elsewhere.contains(&value.id) {
                continue;
            }
            let followed = AppState::default()
                .reduce(Action::Navigate(format!("{view}{}={sample}", value.id)));
            let (hash, pair) = (followed.hash(), format!("{}={sample}", value.id));
            let written = hash.split('&').any(|written| written == pair);
            // A batch follows the data until it is set, to whatever number.
            let stays = value.id == sequences::BATCH.value.id;
            // The page opens with the sampler that is recommended, not with that of the engine.
            let opens = match value.id == batches::SAMPLER.value.id {
                true => AppState::default().batch_settings().sampler.to_string(),
                false => usual.clone(),
            };
            assert_eq!(
                written,
                value.always || stays || sample != opens,
                "{pair}: {hash}"
            );
            assert_eq!(
                AppState::default()
                    .reduce(Action::Navigate(hash.clone()))
                    .hash(),
                hash
            );
        }
        let mut settings = S::default();
        for wrong in ["", "x", "-1", "nan"] {
            assert!(!value.set(&mut settings, wrong), "{}={wrong}", value.id);
        }
        assert_eq!(settings, S::default());
    }
}

#[test]
fn every_setting_round_trips_through_its_text_and_the_address() {
    assert_table(sequences::ALL, "", &[]);
    assert_table(graphs::ALL, "view=graphs&", &[]);
    // Those are of the view of sequences.
    assert_table(
        batches::ALL,
        "view=batches&",
        &["limit", "overlong", "seed", "batch"],
    );
    // Addresses have none of them yet.
    let of_ranks = ranks::ALL
        .iter()
        .map(|field| field.value.id)
        .collect::<Vec<_>>();
    assert_table(ranks::ALL, "", &of_ranks);
    // The state keeps those of shapes as they stand, and the page writes those that differ: see `shapes.rs`.
    let few = shapes::VALUES
        .iter()
        .map(|value| value.id)
        .collect::<Vec<_>>();
    assert_table(shapes::ALL, "view=batches&", &few);
    assert!(few.iter().all(|id| id.starts_with("shapes")));
    let both = batches::ALL
        .iter()
        .map(|f| f.value.id)
        .chain(shapes::ALL.iter().map(|f| f.value.id));
    assert_distinct(both.chain(["epoch", "drawn", "data", "room"]));
    assert_eq!(sequences::DEPTH.value.usual(), Depth::Unlimited.to_string());
}

/// The rows of the table of a command.
fn rows(command: &str) -> Vec<&'static str> {
    let head = format!("| option of `{command}` |");
    let table = COMMANDS.split(&head).nth(1).unwrap();
    table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect()
}

fn accepts(accepts: Accepts) -> String {
    let quoted = |names: &[&str]| {
        names
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    match accepts {
        Accepts::Names(names) => quoted(names),
        Accepts::NamesOr(names, other) => format!("{}, {other}", quoted(names)),
        other => other.to_string(),
    }
}

fn usual<S: Default>(field: &SettingField<S>) -> String {
    match (field.option, field.value.usual()) {
        // Has to be given, or is told in the sentence.
        ("limit" | "sampler" | "hwcap" | "batch-cap", _) => String::new(),
        (_, usual) if usual.is_empty() => usual,
        ("algorithm", usual) if usual == "optimal" => format!("`{}`", graphs::QUICK.name()),
        (_, usual) => match field.value.accepts {
            Accepts::Switch(names) => format!("`{}`", if usual == names[0] { "on" } else { "off" }),
            _ => format!("`{usual}`"),
        },
    }
}

/// Puts rows into the table of a command: in the place of those of the same options, or behind the one before.
fn write_rows(command: &str, wanted: &[String]) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/COMMANDS.md");
    let readme = std::fs::read_to_string(file).unwrap();
    let mut lines: Vec<&str> = readme.lines().collect();
    let head = lines
        .iter()
        .position(|line| line.starts_with(&format!("| option of `{command}` |")))
        .unwrap();
    let mut at = head + 1;
    for row in wanted {
        let option = row.split_inclusive("` |").next().unwrap();
        let rows = lines[head..]
            .iter()
            .take_while(|line| line.starts_with('|'));
        let old = rows
            .into_iter()
            .position(|line| line.starts_with(option))
            .map(|old| head + old);
        at = old.unwrap_or(at + 1);
        lines.splice(at..at + usize::from(old.is_some()), [row.as_str()]);
    }
    std::fs::write(file, lines.join("\n") + "\n").unwrap();
}

/// docs/COMMANDS.md has these rows, and beside them only those of options that are no settings. `PACKSCOPE_README=write` puts
/// them in.
fn assert_rows(command: &str, wanted: &[String], others: &[&str]) {
    if std::env::var_os("PACKSCOPE_README").is_some_and(|way| way == "write") {
        return write_rows(command, wanted);
    }
    let rows = rows(command);
    let missing: Vec<_> = wanted
        .iter()
        .filter(|row| !rows.contains(&row.as_str()))
        .cloned()
        .collect();
    assert!(
        missing.is_empty(),
        "the table of `{command}` lacks\n{}",
        missing.join("\n")
    );
    for row in rows
        .iter()
        .filter(|row| !wanted.iter().any(|wanted| wanted == *row))
    {
        assert!(
            others
                .iter()
                .any(|other| row.starts_with(&format!("| `--{other}"))),
            "of what is {row}"
        );
    }
}

fn row(option: &str, about: &str, accepts: &str, usual: &str) -> String {
    format!(
        "| `--{option}` | {} | {accepts} | {usual} |",
        about.trim_end_matches('.')
    )
}

#[test]
fn readme_has_every_setting_with_choices_and_defaults() {
    let twin = |field: &SettingField<_>| {
        graphs::ALL
            .iter()
            .find(|graph| graph.option == field.option)
    };
    let mut pack: Vec<String> = Vec::new();
    for field in sequences::ALL {
        let (mut takes, mut default) = (accepts(field.value.accepts), usual(field));
        if let Some(graph) = twin(field) {
            if graph.value.accepts != field.value.accepts {
                takes += &format!("; with `--limits` {}", accepts(graph.value.accepts));
            }
            default += &format!("; with `--limits` {}", usual(graph));
        }
        pack.push(row(field.option, field.about, &takes, &default));
    }
    let heuristic = &graphs::HEURISTIC;
    pack.push(row(
        "heuristic",
        heuristic.about,
        &accepts(heuristic.value.accepts),
        &usual(heuristic),
    ));
    assert_rows(
        "pack",
        &pack,
        &["limits", "time-budget", "format", "rounding", "certificate"],
    );
    let batch = batches::ALL
        .iter()
        .map(|f| row(f.option, f.about, &accepts(f.value.accepts), &usual(f)));
    assert_rows(
        "batch",
        &batch.collect::<Vec<_>>(),
        &["memory-model", "model", "format"],
    );
    let ranks = ranks::ALL
        .iter()
        .map(|f| row(f.option, f.about, &accepts(f.value.accepts), &usual(f)));
    let others = [
        "model", "set", "compare", "assign", "snippet", "list", "format",
    ];
    assert_rows("ranks", &ranks.collect::<Vec<_>>(), &others);
    let few = shapes::ALL
        .iter()
        .map(|f| row(f.option, f.about, &accepts(f.value.accepts), &usual(f)));
    assert_rows(
        "shapes",
        &few.collect::<Vec<_>>(),
        &["limit", "overlong", "for", "format"],
    );
}
