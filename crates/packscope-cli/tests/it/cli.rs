//! The command line as people use it: the program itself, its output, its exit code.

use packscope::packing::Algorithm;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the program with this on its standard input.
pub fn packscope(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_packscope"))
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments reads no input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

pub fn json(args: &[&str], input: &str) -> Value {
    let out = packscope(args, input);
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    serde_json::from_slice(&out.stdout).unwrap()
}

/// NNLSHP packs at most three a row, whatever depth is allowed, and says so.
#[test]
fn nnlshp_says_to_which_depth_it_packs() {
    let squad = "static/datasets/squad_1_1_bert_384.csv";
    for (algorithm, depth, own) in [
        ("nnlshp", "4", Some("3")),
        ("nnlshp", "unlimited", Some("3")),
        ("nnlshp", "3", None),
        ("nnlshp", "2", None),
        ("lpfhp", "4", None),
    ] {
        let args = ["pack", squad, "--limit", "384", "--algorithm", algorithm];
        let args = [&args[..], &["--depth", depth]].concat();
        let report = json(&[&args[..], &["--format", "json"]].concat(), "");
        assert_eq!(
            (report["own_depth"].as_str(), &report["depth"]),
            (own, &Value::from(depth)),
            "{algorithm} {depth}"
        );
        let said = String::from_utf8(packscope(&args, "").stdout).unwrap();
        let words = format!("depth {depth}, of which nnlshp uses 3\n");
        assert_eq!(said.contains(&words), own.is_some(), "{said}");
    }
}

/// The published counts, through the program. Source: `tests/data/golden_lengths.json`.
#[test]
fn pack_gives_the_published_counts() {
    let golden: Value =
        serde_json::from_str(include_str!("../../../../tests/data/golden_lengths.json")).unwrap();
    for (name, set) in golden["lengths"].as_object().unwrap() {
        let file = format!("static/datasets/{name}.csv");
        let limit = set["L"].to_string();
        for (algorithm, key) in [("spfhp", "spfhp"), ("lpfhp", "lpfhp")] {
            for (depth, want) in set[key].as_object().unwrap() {
                let depth = depth.replace("max", "unlimited");
                let args = [
                    "pack",
                    &file,
                    "--limit",
                    &limit,
                    "--depth",
                    &depth,
                    "--algorithm",
                    algorithm,
                    "--format",
                    "json",
                ];
                let report = json(&args, "");
                assert_eq!(report["packs"], want["packs"], "{name} {algorithm} {depth}");
            }
        }
        let args = [
            "pack",
            &file,
            "--limit",
            &limit,
            "--algorithm",
            "first-fit-decreasing",
            "--format",
            "json",
        ];
        assert_eq!(
            json(&args, "")["packs"],
            set["ffd"]["packs"],
            "{name} first-fit-decreasing"
        );
    }
}

#[test]
fn the_plan_covers_the_data() {
    let file = std::env::temp_dir().join(format!("packscope-plan-{}.json", std::process::id()));
    let path = file.to_str().unwrap();
    let settings = ["-", "--limit", "10", "--algorithm", "greedy", "--seed", "3"];
    let data = "length,count\n3,40\n4,30\n9,2\n";
    let report = json(
        &[&["pack"], &settings[..], &["--format", "json"]].concat(),
        data,
    );
    assert!(
        packscope(
            &[&["export", "plan"], &settings[..], &["--out", path]].concat(),
            data
        )
        .status
        .success()
    );
    let plan: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    std::fs::remove_file(file).unwrap();
    assert_eq!(plan["limits"], serde_json::json!([10]));
    let (mut items, mut packs) = ([0u64; 10], 0);
    for strategy in plan["strategies"].as_array().unwrap() {
        let runs: Vec<[u64; 2]> = serde_json::from_value(strategy["runs"].clone()).unwrap();
        let count = strategy["count"].as_u64().unwrap();
        assert!(
            runs.iter()
                .map(|[length, times]| length * times)
                .sum::<u64>()
                <= 10
        );
        runs.iter()
            .for_each(|[length, times]| items[*length as usize] += times * count);
        packs += count;
    }
    assert_eq!((items[3], items[4], items[9]), (40, 30, 2));
    assert_eq!(report["packs"], packs);
}

#[test]
fn the_report_has_the_fixed_names() {
    let report = json(
        &[
            "pack",
            "static/datasets/squad_1_1_bert_384.csv",
            "--limit",
            "384",
            "--format",
            "json",
        ],
        "",
    );
    for field in [
        "items",
        "packs",
        "strategies",
        "max_depth",
        "real_tokens",
        "slots",
        "padding_tokens",
        "waste_tokens",
        "efficiency",
        "efficiency_harmonic",
        "baseline_efficiency",
        "packing_factor",
        "lower_bound",
        "bound_kind",
        "gap",
        "overhead",
        "realised_speedup",
        "seconds",
    ] {
        assert!(!report[field].is_null(), "{field} is missing");
    }
    assert_eq!(
        (report["packs"].as_u64(), report["max_depth"].as_u64()),
        (Some(40_631), Some(4))
    );
}

#[test]
fn describe_says_what_the_data_are() {
    let out = packscope(&["describe", "static/datasets/wikipedia_bert_512.csv"], "");
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(
        text.contains("sequences    16,279,552\n") && text.contains("50.0 % padding"),
        "{text}"
    );
    let summary = &json(
        &["describe", "-", "--limit", "8", "--format", "json"],
        "3 5 8 12",
    )["summary"];
    assert_eq!(
        (&summary["items"], &summary["overlong_items"]),
        (&Value::from(4), &Value::from(1))
    );
}

/// Each sequence rounded up, as context parallelism and floats of 8 bits ask for.
#[test]
fn describe_says_what_alignment_adds() {
    let out = packscope(&["describe", "static/datasets/gsm8k_train.csv"], "");
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(
        text.ends_with("to 8 +2.2 %, 16 +4.6 %, 32 +9.6 %, 64 +19.4 %, 128 +38.0 %\n"),
        "{text}"
    );
    // 3, 5 and 7 tokens take 8 each; the row of 10 holds no more than 10 of 12, cut.
    let aligned = &json(
        &["describe", "-", "--limit", "10", "--format", "json"],
        "3 5 7 12",
    )["alignment"];
    assert_eq!(
        (&aligned[0]["align"], &aligned[0]["added_share"]),
        (&Value::from(8), &Value::from(0.36))
    );
}

#[test]
fn pack_says_what_rounding_up_costs() {
    let args = ["pack", "-", "--limit", "20", "--depth", "2", "--rounding"];
    let rows = &json(&[&args[..], &["--format", "json"]].concat(), "9 4 9")["rounding"];
    // By hand in tests/it/rounding.rs.
    assert_eq!(rows[1]["multiple"], 8);
    assert_eq!(
        [&rows[1]["sequence_slots"], &rows[3]["pack_slots"]].map(|n| n.as_u64()),
        [Some(40), Some(40)]
    );
    let text = String::from_utf8(packscope(&args, "9 4 9").stdout).unwrap();
    assert!(
        text.contains("each row: pad_packed_seq_to_multiple_of"),
        "{text}"
    );
    for refused in [&["--algorithm", "sort"][..], &["--limits", "3,3"]] {
        assert!(
            !packscope(&[&["pack", "-", "--rounding"], refused].concat(), "1 1")
                .status
                .success()
        );
    }
}

#[test]
fn bad_input_is_located_and_ends_with_2() {
    for (args, input, message) in [
        (
            &["pack", "-", "--limit", "8"][..],
            "length,b\nx,y\n",
            "-, line 2, column 1: \"x\" is not a length",
        ),
        (
            &["pack", "-", "--limit", "0"],
            "3",
            "a limit of 0 was given",
        ),
        (
            &["pack", "-", "--limit", "4294967296"],
            "3",
            "'4294967296' for '--limit <LIMIT>': expected a whole number from 1 to 4,294,967,295",
        ),
        (
            &["pack", "-", "--limit", "8", "--align", "0"],
            "3",
            "'0' for '--align <ALIGN>': expected a whole number from 1",
        ),
        (
            &["pack", "-", "--limit", "2", "--overlong", "reject"],
            "3",
            "1 item is larger than the limit of 2",
        ),
        (
            &["pack", "-", "--limit", "8", "--depth", "0"],
            "3",
            "a depth of 0",
        ),
        (
            &["pack", "-", "--limit", "8", "--algorithm", "best"],
            "3",
            "expected one of: optimal, nnlshp, average-target, lpfhp",
        ),
        (
            &["pack", "no-such-file.csv", "--limit", "8"],
            "",
            "no-such-file.csv: ",
        ),
        (&["describe", "-"], "", "-, the input: it is empty"),
        (&["pack", "-"], "3", "--limit"),
    ] {
        let out = packscope(args, input);
        let error = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

#[test]
fn what_was_skipped_is_said_apart_from_the_figures() {
    let out = packscope(
        &[
            "pack",
            "-",
            "--limit",
            "8",
            "--format",
            "json",
            "--allow-skipped",
        ],
        "3 x 5\n",
    );
    assert_eq!(
        String::from_utf8_lossy(&out.stderr),
        "-: read as numbers: length in tokens; 3 records, 1 skipped (33.3 %)\n\
         -, line 1, column 3: \"x\" is not a length; lengths are whole numbers from 1 to 4,294,967,295; skipped\n"
    );
    assert_eq!(
        serde_json::from_slice::<Value>(&out.stdout).unwrap()["items"],
        2
    );
}

#[test]
fn a_time_budget_ends_the_search_with_a_plan_and_a_bound() {
    let file = "static/datasets/sharegpt_8k_llama2.csv";
    let args = [
        "pack",
        file,
        "--limit",
        "8192",
        "--depth",
        "3",
        "--algorithm",
        "optimal",
        "--format",
        "json",
    ];
    let report = json(&[&args[..], &["--time-budget", "0.3"]].concat(), "");
    let figure = |name: &str| report[name].as_u64().unwrap();
    assert!(
        figure("lower_bound") >= 10_425 && figure("packs") <= 10_568,
        "{report}"
    );
    for none in ["0", "-1", "inf", "NaN", "1e999"] {
        let refused = packscope(&[&args[..], &["--time-budget", none]].concat(), "");
        assert!(
            String::from_utf8_lossy(&refused.stderr).contains("expected seconds above 0"),
            "{none}"
        );
    }
}

/// Whole numbers alone: all items together are worth more than `packs − 1` packs can be.
#[test]
fn a_bound_by_the_relaxation_is_written_with_its_proof() {
    let file = std::env::temp_dir().join(format!("packscope-proof-{}.json", std::process::id()));
    let path = file.to_str().unwrap();
    let data = "static/datasets/squad_1_1_bert_384.csv";
    let args = [
        "pack",
        data,
        "--limit",
        "384",
        "--algorithm",
        "optimal",
        "--certificate",
        path,
    ];
    assert!(packscope(&args, "").status.success());
    let proof: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    std::fs::remove_file(&file).unwrap();
    let counts: BTreeMap<u32, u64> = crate::common::built_in("squad_1_1_bert_384")
        .lengths()
        .into_iter()
        .collect();
    let worth = |pair: &Value| {
        let (length, worth) = (pair[0].as_u64().unwrap(), pair[1].as_u64().unwrap());
        u128::from(worth) * u128::from(counts[&(length as u32)])
    };
    let all: u128 = proof["worths"].as_array().unwrap().iter().map(worth).sum();
    assert_eq!(
        (
            all.div_ceil(proof["most"].as_u64().unwrap().into()),
            &proof["packs"]
        ),
        (40_195, &Value::from(40_195))
    );
    let data = "static/datasets/ogbg_molhiv.csv";
    let args = [
        "pack",
        data,
        "--limits",
        "222,502",
        "--algorithm",
        "optimal",
        "--certificate",
        path,
    ];
    assert!(packscope(&args, "").status.success());
    let proof: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(
        (&proof["limits"], &proof["packs"]),
        (&serde_json::json!([222, 502]), &serde_json::json!(3744))
    );
    assert_eq!(proof["worths"].as_array().unwrap().len(), 795);
    // Where tokens alone prove it, there is nothing to write.
    let out = packscope(
        &[
            "pack",
            "-",
            "--limit",
            "8",
            "--algorithm",
            "optimal",
            "--certificate",
            path,
        ],
        "4 4",
    );
    assert!(String::from_utf8_lossy(&out.stderr).contains("only a bound by the linear relaxation"));
    assert!(!file.exists());
}

#[test]
fn compare_prints_the_whole_table() {
    let args = |format| {
        [
            "compare",
            "static/datasets/squad_1_1_bert_384.csv",
            "--limit",
            "384",
            "--depth",
            "3",
            "--format",
            format,
        ]
    };
    let report = json(&args("json"), "");
    let rows = report["algorithms"].as_array().unwrap();
    let names: Vec<_> = rows
        .iter()
        .map(|r| r["algorithm"].as_str().unwrap())
        .collect();
    assert_eq!(names, Algorithm::ALL.map(Algorithm::name));
    let lpfhp = rows.iter().find(|r| r["algorithm"] == "lpfhp").unwrap();
    assert_eq!(
        (&lpfhp["packs"], &lpfhp["lower_bound"]),
        (&Value::from(40_631), &Value::from(40_195))
    );
    let nnlshp = rows.iter().find(|r| r["algorithm"] == "nnlshp").unwrap();
    assert!(
        nnlshp["packs"].as_u64() < nnlshp["published_packs"].as_u64(),
        "{nnlshp}"
    );
    let table = String::from_utf8(packscope(&args("markdown"), "").stdout).unwrap();
    let lines: Vec<_> = table.lines().collect();
    assert!(
        lines[0].starts_with("| algorithm | packs |") && lines[1].starts_with("|---|---:|"),
        "{table}"
    );
    assert!(
        lines
            .iter()
            .any(|l| l.starts_with("| lpfhp | 40,631 | 2.3 % | 97.74 % | 2.182 | 0 % | 2.18× |")),
        "{table}"
    );
    let text = String::from_utf8(packscope(&args("text"), "").stdout).unwrap();
    let widths: Vec<_> = text.lines().map(|l| l.chars().count()).collect();
    assert!(
        widths.len() == 11 && widths.iter().all(|w| *w == widths[0]),
        "{text}"
    );
}

/// Graphs with two kinds of sizes: 2 × (3, 5) and (4, 4) fill (10, 14) exactly.
const GRAPHS: &str = "nodes,edges,count\n3,5,40\n4,4,20\n9,1,3\n";

#[test]
fn pack_takes_several_limits() {
    let args = ["pack", "-", "--limits", "10,14", "--format", "json"];
    let report = json(&args, GRAPHS);
    assert_eq!(
        (&report["limits"], &report["components"]),
        (
            &serde_json::json!([10, 14]),
            &serde_json::json!(["nodes", "edges"])
        )
    );
    assert_eq!(
        (&report["items"], &report["real_tokens"]),
        (&Value::from(63), &serde_json::json!([227, 283]))
    );
    assert_eq!(
        (&report["overhead_model"], &report["depth"]),
        (&Value::from("free"), &Value::from("256"))
    );
    // 227 nodes in packs of 10.
    assert_eq!(
        (
            report["lower_bound"].as_u64() >= Some(23),
            &report["algorithm"]
        ),
        (true, &Value::from("best-fit"))
    );
    let packs = report["packs"].as_u64().unwrap();
    assert!((23..=33).contains(&packs), "{report}");
    assert_eq!(report["slots"], serde_json::json!([packs * 10, packs * 14]));
    for field in [
        "efficiency",
        "efficiency_harmonic",
        "baseline_efficiency",
        "gap",
        "waste_tokens",
        "seconds",
    ] {
        assert!(!report[field].is_null(), "{field} is missing");
    }
    let text = String::from_utf8(packscope(&args[..4], GRAPHS).stdout).unwrap();
    assert!(
        text.starts_with("algorithm    best-fit by nodes, limits 10 × 14, depth 256\n"),
        "{text}"
    );
    assert!(
        text.contains("\nefficiency   nodes ") && text.contains("\nharmonic     "),
        "{text}"
    );
}

#[test]
fn a_free_limit_is_null_and_columns_can_be_named() {
    let data = "id,edges,graphs,nodes\n7,5,40,3\n8,4,20,4\n";
    let args = [
        "pack",
        "-",
        "--limits",
        "10,free",
        "--size-columns",
        "nodes,edges",
        "--count-column",
        "graphs",
    ];
    let report = json(&[&args[..], &["--format", "json"]].concat(), data);
    assert_eq!(
        (&report["limits"], &report["items"]),
        (&serde_json::json!([10, null]), &Value::from(60))
    );
    assert_eq!(report["components"], serde_json::json!(["nodes", "edges"]));
    let other = [
        "pack",
        "-",
        "--limits",
        "10,14",
        "--size-columns",
        "nodes,faces",
    ];
    let error = packscope(&other, data);
    let words = String::from_utf8_lossy(&error.stderr);
    assert!(
        words.contains("no column \"faces\"")
            && words.contains("id (numbers), edges (numbers), graphs"),
        "{words}"
    );
}

#[test]
fn three_components_are_packed() {
    let limits = [
        "--limits",
        "8,9,6",
        "--heuristic",
        "weighted:1:1:2",
        "--format",
        "json",
    ];
    let report = json(
        &[&["pack", "-"], &limits[..]].concat(),
        "3,4,1,10\n4,2,3,6\n2,0,5,1\n",
    );
    assert_eq!(report["limits"], serde_json::json!([8, 9, 6]));
    assert_eq!(report["items"], 17);
    assert_eq!(report["real_tokens"], serde_json::json!([56, 52, 33]));
    // No plan has fewer: the second component alone fills so many.
    assert!(report["packs"].as_u64().unwrap() >= report["lower_bound"].as_u64().unwrap());
}

#[test]
fn compare_sets_the_published_heuristics_beside_ours() {
    let args = |format| ["compare", "-", "--limits", "10,14", "--format", format];
    let report = json(&args("json"), GRAPHS);
    let rows = report["algorithms"].as_array().unwrap();
    let named = |name: &str| rows.iter().filter(|r| r["algorithm"] == name).count();
    let names = [
        "best-fit-published",
        "best-fit",
        "first-fit",
        "search",
        "optimal",
        "nodes-only",
        "edges-only",
        "none",
    ];
    assert_eq!(names.map(named), [6, 1, 1, 1, 1, 1, 1, 1]);
    let least = rows.iter().map(|r| r["packs"].as_u64()).max();
    let none = rows.iter().find(|r| r["algorithm"] == "none").unwrap();
    assert_eq!(
        (none["packs"].as_u64(), least, &none["heuristic"]),
        (Some(63), Some(Some(63)), &Value::Null)
    );
    // Plans that ignore a limit come last, and stand beside no bound.
    let ignores = |row: &&Value| row["limits"].as_array().unwrap().contains(&Value::Null);
    assert!(
        rows.iter().rev().take(2).all(|row| ignores(&row))
            && rows.iter().filter(ignores).count() == 2
    );
    let table = String::from_utf8(packscope(&args("markdown"), GRAPHS).stdout).unwrap();
    for name in [
        "nodes-only (limits 10 × free)",
        "edges-only (limits free × 14)",
    ] {
        let line = table
            .lines()
            .find(|line| line.starts_with(&format!("| {name} | – | ")))
            .expect(name);
        assert_eq!(line.split('|').nth(4), Some(" – "), "{line}");
    }
    let heads = "| algorithm | heuristic | packs | gap to bound | nodes | edges | harmonic mean | time |\n|---|---:|";
    assert!(
        table.starts_with(heads) && table.contains("| none | – | 63 |"),
        "{table}"
    );
}

#[test]
fn a_name_with_a_bar_stays_in_its_cell() {
    let data = "no|des,ed*g*es,count\n3,5,40\n4,4,20\n";
    let args = [
        "compare",
        "-",
        "--limits",
        "10,14",
        "--size-columns",
        "no|des,ed*g*es",
        "--format",
        "markdown",
    ];
    let table = String::from_utf8(packscope(&args, data).stdout).unwrap();
    assert!(
        table.contains("| gap to bound | no\\|des | ed\\*g\\*es | harmonic mean |"),
        "{table}"
    );
}

#[test]
fn describe_shows_every_component() {
    let args = [
        "describe",
        "-",
        "--components",
        "2",
        "--limits",
        "6,10",
        "--format",
        "json",
    ];
    let all = json(&args, GRAPHS);
    assert_eq!(
        (&all["items"], &all["distinct"], &all["overlong_items"]),
        (&63.into(), &3.into(), &3.into())
    );
    let [nodes, edges] = [0, 1].map(|k| &all["components"][k]);
    assert_eq!(
        (&nodes["name"], &nodes["max"], &nodes["limit"]),
        (&"nodes".into(), &9.into(), &6.into())
    );
    // 40 × 3 + 20 × 4 + 3 × 6 of 63 × 6 slots.
    assert_eq!(nodes["padding_share"].as_f64(), Some(1.0 - 218.0 / 378.0));
    assert_eq!((&edges["total"], &edges["min"]), (&283.into(), &1.into()));
    let text = String::from_utf8(packscope(&args[..4], GRAPHS).stdout).unwrap();
    assert!(
        text.contains("\nnodes ") && text.contains("\nedges "),
        "{text}"
    );
}

#[test]
fn a_sweep_is_the_same_on_any_number_of_threads() {
    for method in ["grid", "proportional", "free", "search"] {
        let sweep = |threads| {
            let args = [
                "sweep",
                "-",
                "--limits",
                "9:20,5:30:5",
                "--method",
                method,
                "--threads",
                threads,
            ];
            let mut all = json(
                &[&args[..], &["--format", "json", "--target", "0.8"]].concat(),
                GRAPHS,
            );
            all.as_object_mut().unwrap().remove("seconds");
            all
        };
        let (alone, together) = (sweep("1"), sweep("4"));
        assert_eq!(alone, together, "{method}");
        let points = alone["points"].as_array().unwrap();
        assert!(!points.is_empty() && points.len() as u64 == alone["tried"].as_u64().unwrap());
        let harmonic = |p: &Value| p["efficiency_harmonic"].as_f64().unwrap();
        let limited = points
            .iter()
            .filter(|p| p["limits"].as_array().unwrap().iter().all(Value::is_number));
        let best = limited.map(harmonic).fold(0.0, f64::max);
        assert_eq!(
            (
                harmonic(&alone["best"]),
                alone["best_by_component"].as_array().map(Vec::len)
            ),
            (best, Some(2))
        );
        assert_eq!(
            alone["front"]
                .as_array()
                .unwrap()
                .iter()
                .map(harmonic)
                .fold(0.0, f64::max),
            best
        );
        assert!(method != "grid" || points.len() == 12 * 6);
    }
    let text = packscope(
        &["sweep", "-", "--limits", "9:20,5:30:5", "--target", "1"],
        GRAPHS,
    );
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(
        text.starts_with("method       grid: 72 points in ")
            && text
                .lines()
                .any(|l| l.starts_with("smallest, all from 100 %") && l.ends_with(" none")),
        "{text}"
    );
}

/// A limit that is small because it leaves items out is recommended only with these named.
#[test]
fn a_sweep_names_the_items_that_small_limits_leave_out() {
    let csv = "length,count\n100,50\n200,30\n900,20\n1000,20\n";
    let text = |args: &[&str]| {
        let out = packscope(
            &[&["sweep", "-", "--limits", "100:1000:100"][..], args].concat(),
            csv,
        );
        String::from_utf8(out.stdout).unwrap()
    };
    for (policy, lost) in [("drop", "dropped"), ("truncate", "cut")] {
        let text = text(&["--overlong", policy]);
        let line = |start: &str| {
            text.lines()
                .find(|line| line.starts_with(start))
                .unwrap_or_else(|| panic!("{start}: {text}"))
        };
        assert!(
            line(&format!("smallest, all from 95.0 %, no item {lost} ")).contains(" 1000 "),
            "{text}"
        );
        assert!(
            line(&format!(
                "smallest, all from 95.0 %, 70 of 120 items {lost} "
            ))
            .contains(" 100 "),
            "{text}"
        );
        assert!(
            text.lines()
                .all(|line| !line.starts_with("smallest, all from 95.0 %  ")),
            "{text}"
        );
    }
}

#[test]
fn one_sequence_is_longer_and_two_are() {
    let over = |csv: &str| {
        let out = packscope(&["describe", "-", "--limit", "10"], csv);
        let text = String::from_utf8(out.stdout).unwrap();
        text.lines()
            .find(|line| line.starts_with("over "))
            .unwrap_or_else(|| panic!("{text}"))
            .to_owned()
    };
    assert!(over("length\n5\n6\n20\n").ends_with(" 1 sequence is longer than 10"));
    assert!(over("length\n5\n6\n20\n30\n").ends_with(" 2 sequences are longer than 10"));
}

#[test]
fn a_sweep_says_that_items_are_missing() {
    let out = packscope(&["sweep", "-", "--limits", "4:9,10"], GRAPHS);
    assert!(out.status.success());
    let words = String::from_utf8_lossy(&out.stderr);
    assert!(
        words.contains("\n3 items above the smallest limits"),
        "{words}"
    );
    // Beside the figures that leave them out, too.
    let table = String::from_utf8_lossy(&out.stdout).into_owned();
    let smallest = table
        .lines()
        .find(|line| line.starts_with("front") && line.contains(" 4 × 10"));
    assert!(
        table.contains("items dropped") && smallest.is_some_and(|line| line.ends_with(" 3")),
        "{table}"
    );
    let cut = packscope(
        &["sweep", "-", "--limits", "4:9,10", "--overlong", "truncate"],
        GRAPHS,
    )
    .stdout;
    assert!(String::from_utf8_lossy(&cut).contains("items cut"));
    let none = packscope(&["sweep", "-", "--limits", "9:20,14:30"], GRAPHS).stdout;
    assert!(!String::from_utf8_lossy(&none).contains("items"));
    let lost = &json(
        &["sweep", "-", "--limits", "4,10", "--format", "json"],
        GRAPHS,
    )["best"]["overlong_items"];
    assert_eq!(lost, 3);
    let all = json(
        &["sweep", "-", "--limits", "2:4,10", "--format", "json"],
        GRAPHS,
    );
    assert_eq!((&all["tried"], &all["refused"]), (&2.into(), &1.into()));
}

#[test]
fn wrong_limits_end_with_2() {
    for (args, input, message) in [
        (
            &["pack", "-", "--limits", "10,14,3"][..],
            GRAPHS,
            "no column is known to hold triplets; name or choose one",
        ),
        (
            &["pack", "-", "--limits", "10"],
            GRAPHS,
            "1 limit for data with 2 components",
        ),
        (
            &["pack", "-", "--limits", "10,0"],
            GRAPHS,
            "expected one to three limits such as 222,502",
        ),
        (
            &["pack", "-", "--limits", "1,2,3,4"],
            GRAPHS,
            "expected one to three limits",
        ),
        (
            &["pack", "-", "--limits", "free,free"],
            GRAPHS,
            "but not for all",
        ),
        (
            &["pack", "-", "--limits", "10,14", "--limit", "3"],
            GRAPHS,
            "cannot be used with",
        ),
        (
            &["pack", "-", "--limit", "9", "--heuristic", "sum"],
            "3",
            "cannot be used with",
        ),
        (
            &["pack", "-", "--limits", "10,14", "--align", "8"],
            GRAPHS,
            "cannot be used with",
        ),
        (
            &["pack", "-", "--limits", "10,14", "--algorithm", "lpfhp"],
            GRAPHS,
            "expected one of: optimal, search, best-fit",
        ),
        (
            &["pack", "-", "--limits", "10,14", "--heuristic", "area"],
            GRAPHS,
            "product, sum, maximum",
        ),
        (
            &["pack", "-", "--limits", "5,14", "--overlong", "split"],
            GRAPHS,
            "--overlong: expected drop, truncate, reject",
        ),
        (
            &["pack", "-", "--limits", "5,14", "--overlong", "reject"],
            GRAPHS,
            "3 items are larger than the limit of 5",
        ),
        (
            &["pack", "-", "--limits", "10,14"],
            "nodes,edges\n3,x\n",
            "-, line 2, column 2: \"x\" is not a size",
        ),
        (&["describe", "-", "--components", "4"], GRAPHS, "1..=3"),
        (
            &["describe", "-", "--components", "3", "--limits", "1,2"],
            GRAPHS,
            "2 limits for data with 3 components",
        ),
        (
            &["sweep", "-", "--limits", "9:4,5"],
            GRAPHS,
            "it ends before it begins; expected from:to:step",
        ),
        (
            &["sweep", "-", "--limits", "9:20"],
            GRAPHS,
            "1 limit for data with 2 components",
        ),
        (
            &["sweep", "-", "--limits", "1,2,3,4"],
            GRAPHS,
            "4 components: expected 1 to 3",
        ),
        (
            &["sweep", "-", "--limits", "1:9999,1:9999"],
            GRAPHS,
            "take larger steps, or --method search",
        ),
        (
            &["sweep", "-", "--limits", "1:2,1:3"],
            GRAPHS,
            "every item is above the limit, and dropped",
        ),
        (
            &["sweep", "-", "--limits", "9,9", "--method", "all"],
            GRAPHS,
            "grid, proportional, free, search",
        ),
        (
            &["sweep", "-", "--limits", "9,9", "--target", "95"],
            GRAPHS,
            "such as 0.95",
        ),
        (
            &["sweep", "-", "--limits", "9,9", "--threads", "0"],
            GRAPHS,
            "--threads",
        ),
    ] {
        let out = packscope(args, input);
        let error = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
}
