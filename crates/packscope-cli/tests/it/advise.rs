//! `packscope advise` as people use it.

use crate::cli::{json, packscope};

fn text(args: &[&str]) -> String {
    let out = packscope(args, "");
    let error = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{error}");
    String::from_utf8(out.stdout).unwrap()
}

fn refused(args: &[&str]) -> String {
    let out = packscope(args, "1\n2\n");
    assert_eq!(out.status.code(), Some(2), "{args:?}");
    String::from_utf8(out.stderr).unwrap()
}

const ALPACA: [&str; 2] = ["advise", "static/datasets/alpaca_5000.csv"];

#[test]
fn now_and_then_fit_a_screen_with_the_lines() {
    let args = [&ALPACA[..], &["--library", "trl"]].concat();
    let printed = text(&args);
    assert!(
        printed.starts_with("TRL as installed at 512: "),
        "{printed}"
    );
    for words in [
        " padding, ",
        " an epoch. With `packing=True`",
        "\nmoney ",
        "\nlost ",
        "    packing=True,\n",
    ] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    // Lines of 80 characters: a sentence takes several.
    let lines: usize = printed
        .lines()
        .map(|line| line.chars().count().div_ceil(80).max(1))
        .sum();
    assert!(lines <= 24, "{lines} lines: {printed}");
}

#[test]
fn json_has_now_then_and_what_was_ruled_out() {
    let args = [
        &ALPACA[..],
        &["--library", "trl", "--limit", "1024", "--format", "json"],
    ]
    .concat();
    let value = json(&args, "");
    assert_eq!(value["case"]["library"], "trl");
    assert_eq!(value["case"]["model"], "llama-3.1-8b");
    assert_eq!(value["case"]["limit"], 1024);
    assert!(value["read"]["records"].is_u64() || value["read"].is_object());
    let (now, then) = (&value["now"], &value["then"]);
    assert!(now["hours"].as_f64() > then["hours"].as_f64(), "{value}");
    assert_eq!(then["fits"], true);
    assert_eq!(then["change"]["settings"][0]["name"], "packing");
    let considered = value["considered"].as_array().unwrap();
    let advised = considered.iter().filter(|one| one["ruling"] == "advised");
    assert_eq!(advised.count(), 1);
    // The sentence is the one of the text.
    let printed = text(&args[..args.len() - 2]);
    assert!(
        printed.starts_with(value["sentence"].as_str().unwrap()),
        "{printed}"
    );
}

#[test]
fn settings_and_assumptions_are_both_set() {
    let args = [
        &ALPACA[..],
        &[
            "--library",
            "trl",
            "--set",
            "packing=true",
            "--set",
            "sharded=no",
            "--format",
            "json",
        ],
        &[
            "--model",
            "llama-3.2-1b",
            "--accelerator",
            "h100",
            "--accelerators",
            "2",
            "--price",
            "5",
        ],
    ]
    .concat();
    let value = json(&args, "");
    assert_eq!(value["case"]["settings"][0]["name"], "packing");
    assert_eq!(value["case"]["sharded"], false);
    assert_eq!(value["case"]["accelerators"], 2);
    assert!(value["then"].is_null(), "{value}");
    let sentence = value["sentence"].as_str().unwrap();
    assert!(
        sentence.starts_with("TRL as set at 512: no padding, "),
        "{sentence}"
    );
    assert!(sentence.ends_with(" Nothing to change."), "{sentence}");
}

/// A name with dots is one of the library.
#[test]
fn settings_of_the_library_go_first() {
    let args = [
        &ALPACA[..],
        &[
            "--set",
            "data.train.pack=true",
            "--library",
            "oumi",
            "--format",
            "json",
        ],
    ];
    let value = json(&args.concat(), "");
    assert_eq!(value["case"]["settings"][0]["name"], "data.train.pack");
    assert_eq!(value["now"]["apart"], false);
}

#[test]
fn without_a_library_batches_are_padded_to_their_longest() {
    let printed = text(&["advise", "static/datasets/squad_1_1_bert_384.csv"]);
    assert!(
        printed.starts_with("Shuffled batches padded to their longest, at 384: "),
        "{printed}"
    );
    assert!(
        printed.contains("\nfor     BERT large on 8 × "),
        "{printed}"
    );
    assert!(!printed.contains("sorted"), "{printed}");
}

#[test]
fn graphs_have_loaders() {
    let file = "static/datasets/ogbg_molhiv.csv";
    let plain = text(&["advise", file, "--library", "pyg-dataloader"]);
    assert!(
        plain.contains("DataLoader as installed: no padding, "),
        "{plain}"
    );
    assert!(plain.contains(" Nothing to change.\n"), "{plain}");
    let value = json(
        &[
            "advise",
            file,
            "--library",
            "tf-gnn-tight",
            "--limits",
            "1664,3520",
            "--format",
            "json",
        ],
        "",
    );
    assert!(
        value["then"]["padding_share"].as_f64() < Some(0.1),
        "{value}"
    );
    let value = json(
        &["advise", file, "--limits", "222,502", "--format", "json"],
        "",
    );
    assert_eq!(value["case"]["library"], "pyg-dataloader");
}

#[test]
fn what_is_no_case_is_refused_with_what_is() {
    let of = |more: &[&str]| refused(&[&ALPACA[..], more].concat());
    assert!(of(&["--library", "no-such"]).contains("axolotl"));
    assert!(of(&["--set", "packing=true"]).contains("packing"));
    assert!(of(&["--library", "trl", "--set", "no_such=1"]).contains("packing_strategy"));
    assert!(of(&["--library", "trl", "--set", "packing"]).contains("packing"));
    assert!(of(&["--model", "no-such"]).contains("bert-large"));
    assert!(of(&["--batch-tokens", "0"]).contains("--batch-tokens"));
    assert!(of(&["--limit", "0"]).contains("limit"));
    assert!(of(&["--limits", "3,4", "--limit", "5"]).contains("--limit"));
}
