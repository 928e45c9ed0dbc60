//! The command line as people use it: the program itself, its output, its exit code.

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn packscope(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_packscope"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments reads no input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn json(args: &[&str], input: &str) -> Value {
    let out = packscope(args, input);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

/// The published counts, through the program. Source: `tests/data/golden_lengths.json`.
#[test]
fn pack_gives_the_published_counts() {
    let golden: Value = serde_json::from_str(include_str!("../data/golden_lengths.json")).unwrap();
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
        let args =
            ["pack", &file, "--limit", &limit, "--algorithm", "first-fit-decreasing", "--format", "json"];
        assert_eq!(json(&args, "")["packs"], set["ffd"]["packs"], "{name} first-fit-decreasing");
    }
}

#[test]
fn the_plan_covers_the_data() {
    let file = std::env::temp_dir().join(format!("packscope-plan-{}.json", std::process::id()));
    let path = file.to_str().unwrap();
    let args = [
        "pack",
        "-",
        "--limit",
        "10",
        "--algorithm",
        "greedy",
        "--seed",
        "3",
        "--format",
        "json",
        "--plan",
        path,
    ];
    let report = json(&args, "length,count\n3,40\n4,30\n9,2\n");
    let plan: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    std::fs::remove_file(file).unwrap();
    assert_eq!(plan["limits"], serde_json::json!([10]));
    let (mut items, mut packs) = ([0u64; 10], 0);
    for strategy in plan["strategies"].as_array().unwrap() {
        let sizes: Vec<u64> =
            strategy["sizes"].as_array().unwrap().iter().map(|s| s.as_u64().unwrap()).collect();
        let count = strategy["count"].as_u64().unwrap();
        assert!(sizes.iter().sum::<u64>() <= 10);
        sizes.iter().for_each(|s| items[*s as usize] += count);
        packs += count;
    }
    assert_eq!((items[3], items[4], items[9]), (40, 30, 2));
    assert_eq!(report["packs"], packs);
}

#[test]
fn the_report_has_the_fixed_names() {
    let report =
        json(&["pack", "static/datasets/squad_1_1_bert_384.csv", "--limit", "384", "--format", "json"], "");
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
    assert_eq!((report["packs"].as_u64(), report["max_depth"].as_u64()), (Some(40_631), Some(4)));
}

#[test]
fn describe_says_what_the_data_are() {
    let out = packscope(&["describe", "static/datasets/wikipedia_bert_512.csv"], "");
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(text.contains("sequences    16,279,552\n") && text.contains("50.0 % padding"), "{text}");
    let summary = &json(&["describe", "-", "--limit", "8", "--format", "json"], "3 5 8 12")["summary"];
    assert_eq!((&summary["items"], &summary["overlong_items"]), (&Value::from(4), &Value::from(1)));
}

#[test]
fn bad_input_is_located_and_ends_with_2() {
    for (args, input, message) in [
        (&["pack", "-", "--limit", "8"][..], "a,b\nx,y\n", "-, line 2, column 1: \"x\" is not a length"),
        (&["pack", "-", "--limit", "0"], "3", "a limit of 0 was given"),
        (&["pack", "-", "--limit", "8", "--align", "0"], "3", "an alignment of 0"),
        (
            &["pack", "-", "--limit", "2", "--overlong", "reject"],
            "3",
            "1 items are larger than the limit of 2",
        ),
        (&["pack", "-", "--limit", "8", "--depth", "0"], "3", "a depth of 0"),
        (
            &["pack", "-", "--limit", "8", "--algorithm", "best"],
            "3",
            "expected one of: optimal, nnlshp, average-target, lpfhp",
        ),
        (&["pack", "no-such-file.csv", "--limit", "8"], "", "no-such-file.csv: "),
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
    let out = packscope(&["pack", "-", "--limit", "8", "--format", "json"], "3 x 5\n");
    assert_eq!(
        String::from_utf8_lossy(&out.stderr),
        "-, line 1, column 3: \"x\" is not a length; lengths are whole numbers from 1 to 4,294,967,295; skipped\n"
    );
    assert_eq!(serde_json::from_slice::<Value>(&out.stdout).unwrap()["items"], 2);
}

#[test]
fn a_time_budget_ends_the_search_with_a_plan_and_a_bound() {
    let file = "static/datasets/sharegpt_8k_llama2.csv";
    let args =
        ["pack", file, "--limit", "8192", "--depth", "3", "--algorithm", "optimal", "--format", "json"];
    let report = json(&[&args[..], &["--time-budget", "0.3"]].concat(), "");
    let figure = |name: &str| report[name].as_u64().unwrap();
    assert!(figure("lower_bound") >= 10_425 && figure("packs") <= 10_568, "{report}");
    let refused = packscope(&[&args[..], &["--time-budget", "0"]].concat(), "");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("expected seconds above 0"));
}

/// Whole numbers alone: all items together are worth more than `packs − 1` packs can be.
#[test]
fn a_bound_by_the_relaxation_is_written_with_its_proof() {
    let file = std::env::temp_dir().join(format!("packscope-proof-{}.json", std::process::id()));
    let path = file.to_str().unwrap();
    let data = "static/datasets/squad_1_1_bert_384.csv";
    let args = ["pack", data, "--limit", "384", "--algorithm", "optimal", "--certificate", path];
    assert!(packscope(&args, "").status.success());
    let proof: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    std::fs::remove_file(&file).unwrap();
    let counts: BTreeMap<u32, u64> =
        crate::common::built_in("squad_1_1_bert_384").lengths().into_iter().collect();
    let worth = |pair: &Value| {
        let (length, worth) = (pair[0].as_u64().unwrap(), pair[1].as_u64().unwrap());
        u128::from(worth) * u128::from(counts[&(length as u32)])
    };
    let all: u128 = proof["worths"].as_array().unwrap().iter().map(worth).sum();
    assert_eq!(
        (all.div_ceil(proof["most"].as_u64().unwrap().into()), &proof["packs"]),
        (40_195, &Value::from(40_195))
    );
    // Where tokens alone prove it, there is nothing to write.
    let out =
        packscope(&["pack", "-", "--limit", "8", "--algorithm", "optimal", "--certificate", path], "4 4");
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
    let rows = json(&args("json"), "");
    let rows = rows.as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|r| r["algorithm"].as_str().unwrap()).collect();
    assert_eq!((names.len(), names.first(), names.last()), (10, Some(&"optimal"), Some(&"sort")));
    let lpfhp = rows.iter().find(|r| r["algorithm"] == "lpfhp").unwrap();
    assert_eq!((&lpfhp["packs"], &lpfhp["lower_bound"]), (&Value::from(40_631), &Value::from(40_195)));
    let nnlshp = rows.iter().find(|r| r["algorithm"] == "nnlshp").unwrap();
    assert!(nnlshp["packs"].as_u64() < nnlshp["published_packs"].as_u64(), "{nnlshp}");
    let table = String::from_utf8(packscope(&args("markdown"), "").stdout).unwrap();
    let lines: Vec<_> = table.lines().collect();
    assert!(lines[0].starts_with("| algorithm | packs |") && lines[1].starts_with("|---|---:|"), "{table}");
    assert!(
        lines.iter().any(|l| l.starts_with("| lpfhp | 40,631 | 2.3 % | 97.74 % | 2.182 | 4.3 % | 2.09× |")),
        "{table}"
    );
    let text = String::from_utf8(packscope(&args("text"), "").stdout).unwrap();
    let widths: Vec<_> = text.lines().map(|l| l.chars().count()).collect();
    assert!(widths.len() == 11 && widths.iter().all(|w| *w == widths[0]), "{text}");
}
