//! `packscope trainer` as people use it.

use crate::cli::{json, packscope};

const CHAT: [&str; 4] = ["trainer", "static/datasets/sharegpt_8k_llama2.csv", "--limit", "4096"];

fn text(args: &[&str]) -> String {
    let out = packscope(args, "");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
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
    assert!(csv.starts_with("library,algorithm,settings,rows,above_best,padding_share,truncated_share,dropped_share,cut_share\n"), "{csv}");
    let all = json(&[&CHAT[..], &["--format", "json"]].concat(), "");
    let answers = all["answers"].as_array().unwrap();
    assert_eq!(answers.len() + 1, csv.lines().count());
    assert!(answers.iter().all(|answer| answer["runs"].as_array().unwrap().len() <= 3));
}

#[test]
fn one_library_is_told_with_its_settings_and_lines() {
    let axolotl = text(&[&CHAT[..], &["--library", "axolotl"]].concat());
    for words in [
        "Axolotl (axolotl 0.19.0, read on 2026-11-22",
        "dropped ",
        "Set `excess_length_strategy: truncate`",
        "sequence_len: 4096",
    ] {
        assert!(axolotl.contains(words), "{axolotl}");
    }
    let set =
        ["--library", "axolotl", "--set", "excess_length_strategy=truncate", "--set", "micro_batch_size=2"];
    let truncated = json(&[&CHAT[..], &set, &["--format", "json"]].concat(), "");
    let answer = &truncated["answer"];
    assert_eq!(answer["runs"][0]["dropped_tokens"], 0);
    assert!(answer["lines"].as_str().unwrap().contains("micro_batch_size: 2"));
    let run = &answer["runs"][0];
    assert_eq!(run["slots"].as_u64().unwrap(), 8192 * run["rows"].as_u64().unwrap());
}

#[test]
fn the_order_of_a_file_is_kept() {
    let rows = |args: &[&str]| {
        let base = ["trainer", "-", "--limit", "8", "--order", "file", "--packs", "--format", "json"];
        json(&[&base[..], args].concat(), "5\n3\n9\n2\n7\n4\n")["answer"]["packs"].to_string()
    };
    assert_eq!(rows(&["--library", "torchtune"]), "[[5,3],[8],[2],[7],[4]]");
    assert_eq!(rows(&["--library", "trl"]), "[[8],[7],[5,3],[4,2]]");
    assert_eq!(rows(&["--library", "axolotl"]), "[[5,3],[2,4],[7]]");
    assert_eq!(rows(&["--library", "trl", "--set", "packing_strategy=wrapped"]), "[[5,3],[8],[1,2,5],[2,4]]");
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
    assert!(with(&["--library", "olmo-packed", "--curve"]).contains("neither a window nor open rows"));
    assert!(with(&["--set", "packing=true"]).contains("--library"));
    assert!(with(&["--seeds", "0"]).contains("1..=1000"));
}

#[test]
fn a_curve_is_a_table() {
    let curve = text(&[&CHAT[..], &["--library", "grain", "--curve"]].concat());
    assert!(curve.starts_with("open rows") && curve.contains("The settings have 64."), "{curve}");
    let csv = text(&[&CHAT[..], &["--library", "grain", "--curve", "--format", "csv"]].concat());
    assert!(csv.starts_with("size,rows,above_best\n1,"), "{csv}");
}
