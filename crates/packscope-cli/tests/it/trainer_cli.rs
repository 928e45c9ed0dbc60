//! `packscope trainer` as people use it.

use crate::cli::{json, packscope};

const CHAT: [&str; 4] = [
    "trainer",
    "static/datasets/sharegpt_8k_llama2.csv",
    "--limit",
    "4096",
];

fn text(args: &[&str]) -> String {
    let out = packscope(args, "");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap()
}

fn refused(args: &[&str]) -> String {
    let out = packscope(args, "1\n2\n");
    assert_eq!(out.status.code(), Some(2), "{args:?}");
    String::from_utf8(out.stderr).unwrap()
}

#[test]
fn all_libraries_are_side_by_side() {
    let table = text(&CHAT);
    for id in ["trl", "axolotl", "llama-factory", "olmo-vsl", "modernbert"] {
        assert!(table.lines().any(|line| line.starts_with(id)), "{table}");
    }
    let csv = text(&[&CHAT[..], &["--format", "csv"]].concat());
    let first = "library,lost_share,computed_above,change,gain,worth,algorithm,settings,";
    assert!(
        csv.starts_with(&format!(
            "{first}rows,steps,above_best,padding_share,unfilled_share,truncated_share,dropped_share,cut_share,\
             exceeding_share,longest_row\n"
        )),
        "{csv}"
    );
    // The library that is used most in a sentence, then what gains most first.
    assert!(
        table.starts_with(
            "With TRL’s defaults and packing, 16.1 % of the tokens are lost at a limit of 4,096; "
        ),
        "{table}"
    );
    // Commas in quotes are no ends of cells.
    let plain = |(at, part): (usize, &str)| {
        if at % 2 == 0 {
            part.to_owned()
        } else {
            part.replace(',', ";")
        }
    };
    let cells: String = csv.split('"').enumerate().map(plain).collect();
    let worth = cells
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(5).unwrap().parse().unwrap());
    let worth: Vec<f64> = worth.collect();
    assert!(
        worth.is_sorted_by(|a, b| a >= b) && worth[0] > 0.3,
        "{worth:?}"
    );
    let all = json(&[&CHAT[..], &["--format", "json"]].concat(), "");
    let answers = all["answers"].as_array().unwrap();
    assert_eq!(answers.len() + 1, csv.lines().count());
    assert!(
        answers
            .iter()
            .all(|answer| answer["runs"].as_array().unwrap().len() <= 3)
    );
}

#[test]
fn one_library_is_told_with_its_settings_and_lines() {
    let axolotl = text(&[&CHAT[..], &["--library", "axolotl"]].concat());
    for words in [
        "Axolotl (axolotl 0.19.0, read on 2026-11-22)",
        "dropped ",
        "Set `excess_length_strategy: truncate`",
        "sequence_len: 4096",
    ] {
        assert!(axolotl.contains(words), "{axolotl}");
    }
    // On fewer ranks rows beyond its trials are left out.
    let set = [
        "excess_length_strategy=truncate",
        "micro_batch_size=2",
        "WORLD_SIZE=4",
    ];
    let set = [
        &["--library", "axolotl", "--packing"][..],
        &set.map(|set| ["--set", set]).concat(),
    ]
    .concat();
    let truncated = json(&[&CHAT[..], &set, &["--format", "json"]].concat(), "");
    let answer = &truncated["answer"];
    assert_eq!(answer["runs"][0]["dropped_tokens"], 0);
    assert!(
        answer["lines"]
            .as_str()
            .unwrap()
            .contains("micro_batch_size: 2")
    );
    let run = &answer["runs"][0];
    assert_eq!(
        run["slots"].as_u64().unwrap(),
        8192 * run["rows"].as_u64().unwrap()
    );
}

#[test]
fn the_order_of_a_file_is_kept() {
    let rows = |args: &[&str]| {
        let base = [
            "trainer",
            "-",
            "--limit",
            "8",
            "--packing",
            "--order",
            "file",
            "--packs",
            "--format",
            "json",
        ];
        json(&[&base[..], args].concat(), "5\n3\n9\n2\n7\n4\n")["answer"]["packs"].to_string()
    };
    assert_eq!(rows(&["--library", "torchtune"]), "[[5,3],[8],[2],[7],[4]]");
    assert_eq!(rows(&["--library", "trl"]), "[[8],[7],[5,3],[4,2]]");
    assert_eq!(rows(&["--library", "axolotl"]), "[[5,3],[2,4],[7]]");
    assert_eq!(
        rows(&["--library", "trl", "--set", "packing_strategy=wrapped"]),
        "[[5,3],[8],[1,2,5],[2,4]]"
    );
    assert_eq!(rows(&["--library", "nemo"]), "[[4,2,1],[7],[6],[3]]");
}

#[test]
fn what_is_not_known_is_refused_with_what_is() {
    let limit = ["trainer", "-", "--limit", "8"];
    let with = |args: &[&str]| refused(&[&limit[..], args].concat());
    assert!(with(&["--library", "tlr"]).contains("expected one of: trl, axolotl"));
    assert!(
        with(&["--library", "trl", "--set", "strategy=bfd"])
            .contains("expected one of: packing, packing_strategy")
    );
    assert!(
        with(&["--library", "trl", "--set", "packing_strategy=ffd"])
            .contains("expected bfd, bfd_split, wrapped")
    );
    assert!(with(&["--library", "trl", "--set", "packing"]).contains("expected KEY=VALUE"));
    assert!(with(&["--library", "trl", "--packs"]).contains("expected --format json"));
    assert!(
        with(&["--library", "olmo-packed", "--curve"]).contains("neither a window nor open rows")
    );
    assert!(with(&["--set", "packing=true"]).contains("--library"));
    assert!(with(&["--seeds", "0"]).contains("1..=1000"));
}

#[test]
fn a_curve_is_a_table() {
    let curve = text(&[&CHAT[..], &["--library", "grain", "--curve"]].concat());
    assert!(
        curve.starts_with("open rows") && curve.contains("The settings have 64."),
        "{curve}"
    );
    let csv = text(
        &[
            &CHAT[..],
            &["--library", "grain", "--curve", "--format", "csv"],
        ]
        .concat(),
    );
    assert!(csv.starts_with("size,rows,above_best\n1,"), "{csv}");
}

const MOLECULES: [&str; 4] = [
    "trainer",
    "static/datasets/mol_qm9_allatoms_graph.csv",
    "--limits",
    "222,502",
];

#[test]
fn loaders_of_graphs_are_side_by_side() {
    let table = text(&MOLECULES);
    for id in ["pyg", "jraph", "tf-gnn", "tf-gnn-tight", "tf-gnn-dynamic"] {
        assert!(
            table
                .lines()
                .any(|line| line.starts_with(&format!("{id} "))),
            "{table}"
        );
    }
    let csv = text(&[&MOLECULES[..], &["--format", "csv"]].concat());
    assert!(
        csv.starts_with(
            "library,lost_share,computed_above,change,gain,worth,algorithm,settings,batches,above_best,graphs_per_batch,"
        ),
        "{csv}"
    );
    let all = json(&[&MOLECULES[..], &["--format", "json"]].concat(), "");
    assert_eq!(
        all["answers"].as_array().unwrap().len() + 1,
        csv.lines().count()
    );
    let jraph = text(
        &[
            &MOLECULES[..],
            &["--library", "jraph", "--set", "n_graph=9"],
        ]
        .concat(),
    );
    for words in [
        "jraph 0.0.6.dev0, read on 2026-11-22",
        "n_node=222, n_edge=502, n_graph=9",
        "padding      nodes ",
    ] {
        assert!(jraph.contains(words), "{jraph}");
    }
}

#[test]
fn the_order_of_graphs_is_kept() {
    let packs = |limits: &str, args: &[&str]| {
        let base = [
            "trainer", "-", "--limits", limits, "--order", "file", "--packs", "--format", "json",
        ];
        let graphs = "nodes,edges\n3,4\n9,1\n2,2\n2,0\n3,3\n";
        json(&[&base[..], args].concat(), graphs)["answer"]["packs"].to_string()
    };
    assert_eq!(
        packs("10,9", &["--library", "jraph"]),
        "[[[3,4]],[[9,1]],[[2,2],[2,0],[3,3]]]"
    );
    assert_eq!(
        packs("5,free", &["--library", "pyg"]),
        "[[[3,4]],[[9,1]],[[2,2],[2,0]],[[3,3]]]"
    );
    // The graph after the one that is skipped comes twice.
    assert_eq!(
        packs(
            "5,free",
            &["--library", "pyg", "--set", "skip_too_big=true"]
        ),
        "[[[3,4]],[[2,2],[2,0]],[[2,0],[3,3]]]"
    );
}

#[test]
fn samplers_are_side_by_side() {
    let base = [
        "trainer",
        "static/datasets/gsm8k_train.csv",
        "--limit",
        "512",
        "--batch",
        "16",
        "--batches",
    ];
    let table = text(&base);
    for id in [
        "hf-group-by-length",
        "fairseq",
        "lhotse",
        "espnet",
        "speechbrain",
        "packscope random",
    ] {
        assert!(table.lines().any(|line| line.starts_with(id)), "{table}");
    }
    let csv = text(&[&base[..], &["--format", "csv"]].concat());
    assert!(
        csv.starts_with("library,lost_share,computed_above,change,gain,worth,algorithm,settings,batches,sequences_per_batch,"),
        "{csv}"
    );
    let one = text(
        &[
            &base[..],
            &["--library", "espnet", "--set", "min_batch_size=4"],
        ]
        .concat(),
    );
    for words in [
        "espnet 202511",
        "batch_bins: 8192",
        "batches have more slots than is set",
    ] {
        assert!(one.contains(words), "{one}");
    }
    let packs = |args: &[&str]| {
        let base = [
            "trainer",
            "-",
            "--limit",
            "8",
            "--batch",
            "2",
            "--batches",
            "--order",
            "file",
            "--packs",
            "--format",
            "json",
        ];
        json(&[&base[..], args].concat(), "5\n3\n9\n2\n7\n4\n")["answer"]["packs"].to_string()
    };
    assert_eq!(
        packs(&["--library", "hf-group-by-length"]),
        "[[8,3],[5,2],[7,4]]"
    );
    assert_eq!(packs(&["--library", "espnet"]), "[[2,3,4,5],[7,8]]");
    assert_eq!(packs(&["--library", "fairseq"]), "[[2,3,4],[5,7]]");
}

#[test]
fn loaders_and_samplers_refuse_what_is_not_theirs() {
    let with = |args: &[&str]| refused(&[&["trainer", "-"][..], args].concat());
    assert!(with(&["--limits", "9,9", "--library", "trl"]).contains("expected one of: pyg, jraph"));
    assert!(with(&["--limits", "9,9,9"]).contains("3"));
    assert!(with(&["--limits", "9,9", "--limit", "9"]).contains("--limit"));
    assert!(
        with(&["--limit", "9", "--batches", "--library", "trl"])
            .contains("expected one of: hf-group-by-length")
    );
    assert!(
        with(&[
            "--limit",
            "9",
            "--batches",
            "--library",
            "fairseq",
            "--set",
            "max_tokens=many"
        ])
        .contains("expected slots, or a whole number")
    );
    assert!(
        with(&[
            "--limit",
            "9",
            "--batches",
            "--library",
            "lhotse",
            "--curve"
        ])
        .contains("--curve")
    );
}
