//! The sources, entry by entry: everything that `docs/SOURCES.md` names exists, and the differences from the papers
//! that the page states are computed.

use crate::common::{built_in, built_in_graphs, pairs};
use packscope::api::batch::{Mode, PreparedBatches, Settings};
use packscope::histogram::{Generated, Histogram, Overlong};
use packscope::metrics::{ExpectedPadding, PublishedEstimate};
use packscope::packing::tuple::{Heuristic, TupleAlgorithm, TupleTask};
use packscope::packing::{Depth, go_on};
use packscope::sampler::Sampler;
use packscope_page::learn::CHAPTERS;
use std::path::Path;
use std::process::Command;

const SOURCES: &str = include_str!("../../../../docs/SOURCES.md");
const OF_BATCHES: &str = include_str!("../../../../src/bin/app/components/batches/notes.rs");
const OF_GRAPHS: &str = include_str!("../../../../src/bin/app/components/graphs/notes.rs");

/// Every source file below these folders, as one text.
fn texts(folders: &[&str], end: &str) -> String {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut left: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
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

/// Rows of the table: number, source, place, entry, state, and where it is.
fn rows() -> Vec<Vec<&'static str>> {
    let lines = SOURCES
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains(" | P") | line.contains(" | B |"));
    lines
        .map(|line| line.trim_matches(['|', ' ']).split(" | ").collect())
        .collect()
}

#[test]
fn every_entry_says_where_it_is_or_why_not() {
    let rows = rows();
    let mut states = [("computed", 0), ("quoted", 0), ("in part", 0), ("not", 0)];
    for (i, row) in rows.iter().enumerate() {
        let [n, source, at, what, state, wherever] = row[..] else {
            panic!("{row:?}")
        };
        assert_eq!(n, (i + 1).to_string());
        assert!(
            ["P1", "P2", "P3", "B"].contains(&source) && !at.is_empty() && !what.is_empty(),
            "{row:?}"
        );
        states
            .iter_mut()
            .find(|(name, _)| *name == state)
            .unwrap_or_else(|| panic!("{row:?}"))
            .1 += 1;
        // A reason is a sentence, what is computed has a place.
        let reason = matches!(state, "in part" | "not");
        assert!(
            !wherever.is_empty() && (!reason || wherever.split(' ').count() >= 5),
            "{row:?}"
        );
    }
    let words = states.map(|(name, n)| format!("{n} {name}")).join(", ");
    assert!(
        SOURCES.contains(&format!("\n{} entries: {words}.\n", rows.len())),
        "{}: {words}",
        rows.len()
    );
}

#[test]
fn everything_that_the_table_of_sources_names_is_there() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let code = texts(&["crates", "src", "tests"], "rs") + &texts(&["tests"], "py");
    let mut checked = 0;
    for name in rows()
        .concat()
        .iter()
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
    {
        let there = match name {
            file if ["crates/", "src/", "static/", "tests/", "tools/"]
                .iter()
                .any(|folder| file.starts_with(folder)) =>
            {
                root.join(file).is_file()
            }
            chapter if chapter.starts_with("learn/") => CHAPTERS
                .iter()
                .any(|c| format!("learn/{}", c.id) == chapter),
            test if test.ends_with("()") => {
                let name = test.trim_end_matches("()");
                code.contains(&format!("fn {name}(")) || code.contains(&format!("def {name}("))
            }
            command if command.starts_with("packscope ") => is_command(command),
            item if item.contains("::") => code.contains(item),
            // Of PyTorch and DGL.
            other => ["PackedSequence", "dgl.batch"].contains(&other),
        };
        assert!(there, "{name} is not there");
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
const TASKS: [&str; 5] = [
    "glue_cola",
    "glue_sst2",
    "glue_stsb",
    "glue_rte",
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
    // As its code has them: buckets of five lengths, merged, no cap at inference.
    let settings = Settings {
        limit: 128,
        sampler: Sampler::Bucket,
        mode: Mode::Server,
        bucket_width: Some(5),
        ..Settings::default()
    };
    let buckets = mean(|set| batches(set, &settings).epochs[0].padding_share);
    says(&format!("below their count too, {buckets} %"));
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

/// What is on no screen is not said to be: figures of papers by which rows of `docs/SOURCES.md` were once too kind.
#[test]
fn entries_name_what_they_lack() {
    let state = |n: usize| rows()[n - 1][4];
    for n in [31, 56, 66, 121, 144, 145] {
        assert_eq!(state(n), "in part", "{:?}", rows()[n - 1]);
    }
    assert_eq!(state(58), "not");
    let chapters = texts(&["src/learn"], "rs");
    assert!(
        !chapters.contains("GPT-3"),
        "then row 58 is no longer \"not\""
    );
    for n in [119, 120, 136] {
        assert_eq!(state(n), "quoted", "{:?}", rows()[n - 1]);
    }
    for model in ["Roberta-base", "Electra-base", "Roberta-large"] {
        assert!(chapters.contains(model), "{model}");
    }
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
