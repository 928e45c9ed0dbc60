//! The sources, entry by entry: what `docs/SOURCES.md` says to stand in commands, tests and files stands there, and the
//! differences from the papers that the page states are computed. `tests/it/learn/sources.rs` opens the chapters.

use crate::common::sources::{CHAPTER, Entry, Place, SOURCES, entries, missing};
use crate::common::{built_in, built_in_graphs, pairs};
use packscope::api::batch::{Mode, PreparedBatches, Settings};
use packscope::histogram::{Generated, Histogram, Overlong};
use packscope::metrics::{ExpectedPadding, PublishedEstimate};
use packscope::packing::tuple::{Heuristic, TupleAlgorithm, TupleTask};
use packscope::packing::{Depth, go_on};
use packscope::sampler::Sampler;
use packscope_page::learn::CHAPTERS;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const OF_BATCHES: &str = include_str!("../../../../src/bin/app/components/batches/notes.rs");
const OF_GRAPHS: &str = include_str!("../../../../src/bin/app/components/graphs/notes.rs");

fn root() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).to_owned()
}

/// Every source file below these folders, as one text.
fn texts(folders: &[&str], end: &str) -> String {
    let mut left: Vec<_> = folders.iter().map(|folder| root().join(folder)).collect();
    let mut all = String::new();
    while let Some(folder) = left.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|e| e == end) {
                all += &std::fs::read_to_string(path).unwrap();
            }
        }
    }
    all
}

#[test]
fn every_entry_says_where_it_is_or_why_not() {
    let entries = entries();
    let mut states = [("computed", 0), ("quoted", 0), ("in part", 0), ("not", 0)];
    for (i, entry) in entries.iter().enumerate() {
        let Entry {
            source,
            at,
            what,
            state,
            wherever,
            ..
        } = *entry;
        assert_eq!(entry.number, i + 1);
        assert!(
            ["P1", "P2", "P3", "B"].contains(&source) && !at.is_empty() && !what.is_empty(),
            "{entry:?}"
        );
        states
            .iter_mut()
            .find(|(name, _)| *name == state)
            .unwrap_or_else(|| panic!("{entry:?}"))
            .1 += 1;
        // A reason is a sentence; what is computed or quoted stands somewhere, in words that say it.
        let reason = matches!(state, "in part" | "not");
        assert!(
            !wherever.is_empty() && (!reason || wherever.split(' ').count() >= 5),
            "{entry:?}"
        );
        let places = entry.places();
        assert!(
            state == "not" || places.iter().any(|place| !place.words.is_empty()),
            "no place with the words that stand there: {entry:?}"
        );
        for words in places.iter().flat_map(|place| &place.words) {
            let says = words.contains(|c: char| c.is_ascii_digit()) || words.len() > 4;
            assert!(says, "{words:?} stands anywhere: {entry:?}");
        }
    }
    let words = states.map(|(name, n)| format!("{n} {name}")).join(", ");
    assert!(
        SOURCES.contains(&format!("\n{} entries: {words}.\n", entries.len())),
        "{}: {words}",
        entries.len()
    );
}

/// The text of a test, from its name to its end; of several with one name, one after the other. `None` if there is none.
fn body(code: &str, name: &str) -> Option<String> {
    let of = |head: &str, end: &str| {
        let from = |(at, _)| {
            let from: &str = &code[at..];
            &from[..from.find(end).unwrap_or(from.len())]
        };
        let found: Vec<&str> = code
            .match_indices(&format!("{head} {name}("))
            .map(from)
            .collect();
        (!found.is_empty()).then(|| found.join("\n"))
    };
    of("fn", "\n}\n").or_else(|| of("def", "\n\n\n"))
}

/// The text at a place; nothing where it is not there, and `None` for chapters, which other tests read.
fn text_at(place: &Place, code: &str) -> Option<String> {
    let name = place.name;
    let folders = ["crates/", "src/", "static/", "tests/", "tools/", "docs/"];
    if folders.iter().any(|folder| name.starts_with(folder)) {
        return std::fs::read_to_string(root().join(name)).ok();
    }
    if let Some(test) = name.strip_suffix("()") {
        return body(code, test);
    }
    let words = name.strip_prefix("packscope ")?;
    let mut program = Command::new(env!("CARGO_BIN_EXE_packscope"));
    program.args(words.split(' ')).current_dir(root());
    let output = program.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    output.status.success().then_some(said)
}

#[test]
fn what_the_table_of_sources_finds_in_commands_tests_and_files_is_there() {
    let code = texts(&["crates", "src", "tests"], "rs") + &texts(&["tests"], "py");
    let (mut gone, mut checked) = (Vec::new(), 0);
    // Rows name the same command often, and a comparison takes seconds.
    let mut read_before = BTreeMap::new();
    for entry in entries() {
        let places = entry.places();
        let named = |place: &&Place| !place.name.starts_with(CHAPTER) && !place.words.is_empty();
        for place in places.iter().filter(named) {
            let text = read_before
                .entry(place.name)
                .or_insert_with(|| text_at(place, &code));
            let missing = text.as_ref().map(|text| missing(text, &place.words));
            if missing.as_ref().is_none_or(|words| !words.is_empty()) {
                gone.push(format!("{}: {}: {missing:?}", entry.number, place.name));
            }
            checked += place.words.len();
        }
    }
    assert!(gone.is_empty(), "not there:\n{}", gone.join("\n"));
    assert!(checked > 100, "{checked}");
}

/// The check can fail: a command, a test and a file are opened, and what they do not say is missing.
#[test]
fn places_are_opened_as_they_are() {
    let code = texts(&["crates"], "rs");
    let says = |name: &'static str, words: &'static str| {
        let place = Place {
            name,
            words: vec![words],
        };
        text_at(&place, &code).map(|text| missing(&text, &place.words).is_empty())
    };
    let describe = "packscope describe static/datasets/wikipedia_bert_512.csv --limit 512";
    let notes = "src/bin/app/components/batches/notes.rs";
    let published = "spfhp_and_lpfhp_give_the_published_pack_counts()";
    for (name, there, absent) in [
        (describe, "16,279,552", "16,279,553"),
        (
            notes,
            "it has 6.8× instead of 5.9×",
            "it has 6.8× instead of 5.8×",
        ),
        (published, "fn spfhp_and_lpfhp", "fn first_and_best_fit"),
    ] {
        assert_eq!(
            [there, absent].map(|words| says(name, words)),
            [Some(true), Some(false)]
        );
    }
    for name in [
        "no_such_test()",
        "packscope describe no-such-file.csv",
        "src/none.rs",
    ] {
        assert_eq!(says(name, "anything"), None);
    }
}

#[test]
fn everything_that_the_table_of_sources_names_is_there() {
    let code = texts(&["crates", "src", "tests"], "rs") + &texts(&["tests"], "py");
    let mut checked = 0;
    for place in entries().iter().flat_map(Entry::places) {
        // What has words is opened above, or by the tests of chapters.
        let there = match place.name {
            _ if !place.words.is_empty() => true,
            file if ["crates/", "src/", "static/", "tests/", "tools/", "docs/"]
                .iter()
                .any(|folder| file.starts_with(folder)) =>
            {
                root().join(file).is_file()
            }
            chapter if chapter.starts_with(CHAPTER) => CHAPTERS
                .iter()
                .any(|c| format!("{CHAPTER}{}", c.id) == chapter),
            test if test.ends_with("()") => body(&code, test.trim_end_matches("()")).is_some(),
            command if command.starts_with("packscope ") => is_command(command),
            item if item.contains("::") => code.contains(item),
            // Of PyTorch and DGL.
            other => ["PackedSequence", "dgl.batch"].contains(&other),
        };
        assert!(there, "{} is not there", place.name);
        checked += 1;
    }
    assert!(checked > 120, "{checked}");
}

/// Whether the program knows a command and its option.
fn is_command(command: &str) -> bool {
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let names: Vec<&str> = words
        .iter()
        .copied()
        .take_while(|word| !word.starts_with('-'))
        .collect();
    let help = Command::new(env!("CARGO_BIN_EXE_packscope"))
        .args(&names)
        .arg("--help")
        .output()
        .unwrap();
    let text = String::from_utf8(help.stdout).unwrap();
    let options = words.iter().filter(|word| word.starts_with("--"));
    help.status.success()
        && options.into_iter().all(|option| {
            text.contains(&format!("{option} ")) || text.contains(&format!("{option}\n"))
        })
}

/// The five tasks of GLUE that are built in.
const TASKS: [&str; 6] = [
    "glue_cola",
    "glue_sst2",
    "glue_stsb",
    "glue_rte",
    "glue_mrpc",
    "glue_wnli",
];

/// The mean over the tasks, in percent.
fn mean(of: impl Fn(&str) -> f64) -> String {
    format!(
        "{:.1}",
        TASKS.iter().map(|set| of(set)).sum::<f64>() / TASKS.len() as f64 * 100.0
    )
}

fn batches(set: &str, settings: &Settings) -> packscope::api::batch::Report {
    PreparedBatches::new(&pairs(set), false, settings)
        .unwrap()
        .report(settings, false, &mut go_on)
        .unwrap()
}

#[test]
fn differences_from_the_papers_are_computed() {
    let says = |words: &str| {
        assert!(
            OF_BATCHES.contains(words),
            "Batches no longer say {words:?}"
        )
    };
    let cut = |set: &str, limit| {
        built_in(set)
            .fit([limit], Overlong::Truncate)
            .unwrap()
            .histogram
    };
    let random = |h: &Histogram<1>| ExpectedPadding::random(h, 64);
    let (estimate, truth) = (
        mean(|set| {
            PublishedEstimate::new(&cut(set, 128), &random(&cut(set, 128))).padding_fraction_est
        }),
        mean(|set| random(&cut(set, 128)).padding_share),
    );
    says(&format!(
        "its own estimate is {estimate} % on average, and a count {truth} %"
    ));
    // Without dropped words, buckets are of one length (Appendix A); merged, no cap at inference.
    let settings = Settings {
        limit: 128,
        sampler: Sampler::Bucket,
        mode: Mode::Server,
        ..Settings::default()
    };
    let buckets = mean(|set| batches(set, &settings).epochs[0].padding_share);
    says(&format!("above their count on these six, {buckets} %"));
    let most = |set: &str, limit| format!("{:.1}", f64::from(limit) / cut(set, limit).mean());
    says(&format!(
        "SST-2 would have {} times fewer than rows of 128",
        most("glue_sst2", 128)
    ));
    says(&format!(
        "SQuAD {} times fewer than rows of 384",
        most("squad_1_1_bert_384", 384)
    ));
    // Packed rows come before BucketSampler on SST-2.
    let of = |sampler| {
        let settings = Settings {
            limit: 128,
            sampler,
            ..Settings::default()
        };
        let epochs = batches("glue_sst2", &settings).epochs;
        [
            epochs.iter().map(|epoch| epoch.slots).sum::<u64>(),
            epochs.iter().map(|epoch| epoch.batches).sum(),
        ]
    };
    // In slots and in steps.
    says("Packed rows come before BucketSampler on SST-2.");
    let [packed, bucket] = [Sampler::Packed, Sampler::Bucket].map(of);
    assert!(
        packed[0] < bucket[0] && packed[1] < bucket[1],
        "{packed:?} {bucket:?}"
    );
}

/// Krell et al. 2022, *Tuple Packing*, Figure 5 gives 98.6 and 99.0 % at 30 nodes and 62 edges without saying which is
/// which. The means of nodes and edges, of Table 1, decide it: all packs are as many for both.
#[test]
fn edges_come_first_in_figure_5_of_tuple_packing() {
    // Without packing, 27.7 % of 51 nodes and 24.7 % of 118 edges are filled, rounded to a tenth.
    let filled = |share: f64, most: f64, limit: f64| {
        [share - 0.05, share + 0.05].map(|share| share * most / limit)
    };
    let [[least_nodes, most_nodes], [least_edges, most_edges]] =
        [filled(27.7, 51.0, 30.0), filled(24.7, 118.0, 62.0)];
    let ratios = least_nodes / most_edges..=most_nodes / least_edges;
    assert!(
        ratios.contains(&(99.0 / 98.6)) && !ratios.contains(&(98.6 / 99.0)),
        "{ratios:?}"
    );
    let words = "at 30 × 62 it has 99.0 % of the nodes and 98.6 % of the edges of that set (Figure 5 writes edges first)";
    assert!(OF_GRAPHS.contains(words));
}

/// Packs as published by the product, and how full nodes and edges are.
fn product(h: &Histogram<2>, limits: [u32; 2]) -> (u64, [f64; 2], [f64; 2]) {
    let task = TupleTask::new(limits, Depth::AtMost(256), Heuristic::Product);
    let plan = TupleAlgorithm::BestFitPublished
        .run(h, &task, &mut go_on)
        .unwrap()
        .plan;
    let reached = [0, 1].map(|k| plan.strategies().iter().map(|s| s.used()[k]).max().unwrap());
    let full = |k: usize, slots: u64| h.total()[k] as f64 / (plan.packs() * slots) as f64;
    let asked = [0, 1].map(|k| full(k, u64::from(limits[k])));
    (plan.packs(), asked, [0, 1].map(|k| full(k, reached[k])))
}

#[test]
fn stand_ins_are_said_not_to_pack_as_published() {
    let code = Generated::Code.histogram().unwrap();
    let (_, [nodes, edges], _) = product(&code, code.max());
    let words = format!(
        "the product fills {:.1} and {:.1} % of the first",
        nodes * 100.0,
        edges * 100.0
    );
    assert!(OF_GRAPHS.contains(&words), "{words}");
    // And of ogbg-code2 itself: Krell et al. 2022, Table 2.
    assert!(OF_GRAPHS.contains("of ogbg-code2 itself 46.0 and 45.6 %"));
    assert!((nodes - 0.46).abs() > 0.1 && (edges - 0.456).abs() > 0.1);
    // Of the set like ogbg-ppa by one component alone; of ogbg-ppa itself 99.3 and 15.4, 32.7 and 99.9 %.
    let ppa = Generated::Ppa.histogram().unwrap();
    let alone = |algorithm: TupleAlgorithm, k: usize| {
        let mut limits = [packscope::histogram::FREE; 2];
        limits[k] = ppa.max()[k];
        let task = TupleTask::new(limits, Depth::AtMost(256), Heuristic::Component(k as u8));
        let plan = algorithm.run(&ppa, &task, &mut go_on).unwrap().plan;
        let full = |c: usize| {
            let reached = plan.strategies().iter().map(|s| s.used()[c]).max().unwrap();
            let slots = if c == k {
                u64::from(limits[k])
            } else {
                reached
            };
            100.0 * ppa.total()[c] as f64 / (plan.packs() * slots) as f64
        };
        [full(0), full(1)]
    };
    let [nodes, edges] = alone(TupleAlgorithm::NodesOnly, 0);
    let [fewer, more] = alone(TupleAlgorithm::EdgesOnly, 1);
    let words = format!(
        "like ogbg-ppa does not fit either: by nodes alone {nodes:.1} % of its nodes and {edges:.1} % of its edges are filled, by \
         edges alone {fewer:.1} and {more:.2} %"
    );
    assert!(OF_GRAPHS.contains(&words), "{words}");
}

/// Krell et al. 2022, *Tuple Packing*, Tables 1 and 2: what stands beside the table of Graphs of ogbg-molhiv is what is counted
/// here, and the columns of Table 1 follow from each other.
#[test]
fn the_tables_of_tuple_packing_stand_whole() {
    let row = |name: &str| -> Vec<&str> {
        let from = OF_GRAPHS
            .find(&format!("\"{name}\","))
            .unwrap_or_else(|| panic!("{name}"));
        let cells = OF_GRAPHS[from..].split_once('[').unwrap().1;
        let cells = cells.split_once(']').unwrap().0;
        let all: Vec<&str> = cells.split('"').skip(1).step_by(2).collect();
        assert_eq!(all.len(), 5, "{name}");
        all
    };
    let filled =
        |name: &str| -> Vec<f64> { row(name).iter().map(|c| c.parse().unwrap()).collect() };
    for [share, most] in [
        ["Nodes filled, %", "Potential speed-up, nodes"],
        ["Edges filled, %", "Potential speed-up, edges"],
    ] {
        for (share, times) in filled(share).iter().zip(filled(most)) {
            // Both are rounded: 0.35 % is 285.7 times, printed 288.8.
            assert!(
                (100.0 / share / times - 1.0).abs() < 0.02,
                "{share} {times}"
            );
        }
    }
    let molhiv = built_in_graphs("ogbg_molhiv");
    let cell = |name: &str| row(name)[0].to_owned();
    assert_eq!(
        cell("Graphs, training split"),
        packscope::words::count(molhiv.items())
    );
    assert_eq!(cell("Distinct sizes"), molhiv.distinct().to_string());
    assert_eq!(
        [cell("Most nodes"), cell("Most edges")],
        molhiv.max().map(|n| n.to_string())
    );
    for (name, heuristic) in [
        ("Product", Heuristic::Product),
        ("Sum", Heuristic::Sum),
        ("Maximum", Heuristic::Maximum),
        // What the paper calls so is the maximum.
        ("“Minimum”", Heuristic::Maximum),
        ("Nodes", Heuristic::Component(0)),
        ("Edges", Heuristic::Component(1)),
    ] {
        let task = TupleTask::new(molhiv.max(), Depth::AtMost(256), heuristic);
        let plan = TupleAlgorithm::BestFitPublished
            .run(&molhiv, &task, &mut go_on)
            .unwrap()
            .plan;
        let full = [0, 1].map(|k| {
            let slots = plan.packs() * u64::from(molhiv.max()[k]);
            format!("{:.1}", 100.0 * molhiv.total()[k] as f64 / slots as f64)
        });
        assert_eq!(cell(name), full.join(", "), "{name}");
    }
}

#[test]
fn efficiencies_against_lowered_limits_are_harmonic_means_by_the_product() {
    let (packs, asked, reached) = product(&built_in_graphs("ogbg_molhiv"), [222, 1000]);
    let harmonic = |[a, b]: [f64; 2]| format!("{:.1} %", 200.0 / (1.0 / a + 1.0 / b));
    assert_eq!(packs, 3881);
    let words = format!(
        "by the product, that makes {} of what is {} (harmonic means of nodes and edges)",
        harmonic(reached),
        harmonic(asked)
    );
    assert!(OF_GRAPHS.contains(&words), "{words}");
}

/// Krell et al. 2022, *Tuple Packing*, §2.3: no less for what is larger; more, where the heuristic is strictly monotone.
#[test]
fn heuristics_are_monotone() {
    let limits = [40, 90];
    let sizes: Vec<[u32; 2]> = (1..=40)
        .step_by(3)
        .flat_map(|a| (0..=90).step_by(6).map(move |b| [a, b]))
        .collect();
    let weighted = Heuristic::Weighted([2.0, 0.5, 0.0]);
    for heuristic in Heuristic::ALL.into_iter().chain([weighted]) {
        let strict = matches!(
            heuristic,
            Heuristic::Sum | Heuristic::Weighted(_) | Heuristic::Shares | Heuristic::Squares
        );
        for [a, b] in &sizes {
            for (larger, zero) in [([a + 1, *b], *b == 0), ([*a, b + 1], false)] {
                let [before, after] =
                    [[*a, *b], larger].map(|size| heuristic.value(&size, &limits));
                assert!(after >= before, "{heuristic}: {larger:?}");
                let strict = strict || heuristic == Heuristic::Product && !zero;
                assert!(!strict || after > before, "{heuristic}: {larger:?}");
            }
        }
    }
}
