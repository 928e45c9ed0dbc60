//! `packscope trainer` as people use it.

use crate::cli::packscope;
use serde_json::Value;

const CHAT: &str = "static/datasets/sharegpt_8k_llama2.csv --limit 4096";
const MOLECULES: &str = "static/datasets/mol_qm9_allatoms_graph.csv --limits 222,502";
const PROBLEMS: &str = "static/datasets/gsm8k_train.csv --limit 512 --batch 16 --batches";
/// Columns that libraries of all kinds have.
const FIRST: &str = "library,lost_share,computed_above,change,gain,worth,algorithm,settings,";

/// The output for these arguments, which have no spaces within them.
fn text_of(args: &str, input: &str) -> String {
    let args: Vec<&str> = ["trainer"].into_iter().chain(args.split(' ')).collect();
    let out = packscope(&args, input);
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap()
}

fn text(args: &str) -> String {
    text_of(args, "")
}

fn json(args: &str, input: &str) -> Value {
    serde_json::from_str(&text_of(&format!("{args} --format json"), input)).unwrap()
}

fn refused(args: &str) -> String {
    let args: Vec<&str> = ["trainer", "-"]
        .into_iter()
        .chain(args.split(' '))
        .collect();
    let out = packscope(&args, "1\n2\n");
    assert_eq!(out.status.code(), Some(2), "{args:?}");
    String::from_utf8(out.stderr).unwrap()
}

#[track_caller]
fn assert_has(text: &str, all: &[&str]) {
    for words in all {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[track_caller]
fn assert_rows(table: &str, ids: &[&str]) {
    for id in ids {
        let row = |line: &str| line.starts_with(&format!("{id} "));
        assert!(table.lines().any(row), "{id}: {table}");
    }
}

#[test]
fn all_libraries_are_side_by_side() {
    let table = text(CHAT);
    assert_rows(
        &table,
        &["trl", "axolotl", "llama-factory", "olmo-vsl", "modernbert"],
    );
    let csv = text(&format!("{CHAT} --format csv"));
    assert!(
        csv.starts_with(&format!(
            "{FIRST}rows,steps,above_best,padding_share,unfilled_share,truncated_share,dropped_share,cut_share,\
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
    let all = json(CHAT, "");
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
    let axolotl = text(&format!("{CHAT} --library axolotl"));
    assert_has(
        &axolotl,
        &[
            "Axolotl (axolotl 0.19.0, read on 2026-11-22)",
            "dropped ",
            "Set `excess_length_strategy: truncate`",
            "sequence_len: 4096",
        ],
    );
    // On fewer ranks rows beyond its trials are left out.
    let set = "--set excess_length_strategy=truncate --set micro_batch_size=2 --set WORLD_SIZE=4";
    let answer = &json(&format!("{CHAT} --library axolotl --packing {set}"), "")["answer"];
    let run = &answer["runs"][0];
    assert_eq!(run["dropped_tokens"], 0);
    assert_has(answer["lines"].as_str().unwrap(), &["micro_batch_size: 2"]);
    assert_eq!(
        run["slots"].as_u64().unwrap(),
        8192 * run["rows"].as_u64().unwrap()
    );
}

#[test]
fn the_order_of_a_file_is_kept() {
    let rows = |args: &str| {
        let args = format!("- --limit 8 --order file --packs {args}");
        json(&args, "5\n3\n9\n2\n7\n4\n")["answer"]["packs"].to_string()
    };
    let packed = |library: &str| rows(&format!("--packing --library {library}"));
    assert_eq!(packed("torchtune"), "[[5,3],[8],[2],[7],[4]]");
    assert_eq!(packed("trl"), "[[8],[7],[5,3],[4,2]]");
    assert_eq!(packed("axolotl"), "[[5,3],[2,4],[7]]");
    assert_eq!(
        packed("trl --set packing_strategy=wrapped"),
        "[[5,3],[8],[1,2,5],[2,4]]"
    );
    assert_eq!(packed("nemo"), "[[4,2,1],[7],[6],[3]]");
    let batched = |library: &str| rows(&format!("--batch 2 --batches --library {library}"));
    assert_eq!(batched("hf-group-by-length"), "[[8,3],[5,2],[7,4]]");
    assert_eq!(batched("espnet"), "[[2,3,4,5],[7,8]]");
    assert_eq!(batched("fairseq"), "[[2,3,4],[5,7]]");
}

#[test]
fn what_is_not_known_is_refused_with_what_is() {
    for (args, expected) in [
        ("--library tlr", "expected one of: trl, axolotl"),
        (
            "--library trl --set strategy=bfd",
            "expected one of: packing, packing_strategy",
        ),
        (
            "--library trl --set packing_strategy=ffd",
            "expected bfd, bfd_split, wrapped",
        ),
        ("--library trl --set packing", "expected KEY=VALUE"),
        ("--library trl --packs", "expected --format json"),
        (
            "--library olmo-packed --curve",
            "neither a window nor open rows",
        ),
        ("--set packing=true", "--library"),
        ("--seeds 0", "1..=1000"),
    ] {
        assert_has(&refused(&format!("--limit 8 {args}")), &[expected]);
    }
}

#[test]
fn a_curve_is_a_table() {
    let curve = text(&format!("{CHAT} --library grain --curve"));
    assert!(
        curve.starts_with("open rows") && curve.contains("The settings have 64."),
        "{curve}"
    );
    let csv = text(&format!("{CHAT} --library grain --curve --format csv"));
    assert!(csv.starts_with("size,rows,above_best\n1,"), "{csv}");
}

#[test]
fn loaders_of_graphs_are_side_by_side() {
    assert_rows(
        &text(MOLECULES),
        &["pyg", "jraph", "tf-gnn", "tf-gnn-tight", "tf-gnn-dynamic"],
    );
    let csv = text(&format!("{MOLECULES} --format csv"));
    assert!(
        csv.starts_with(&format!("{FIRST}batches,above_best,graphs_per_batch,")),
        "{csv}"
    );
    let all = json(MOLECULES, "");
    assert_eq!(
        all["answers"].as_array().unwrap().len() + 1,
        csv.lines().count()
    );
    assert_has(
        &text(&format!("{MOLECULES} --library jraph --set n_graph=9")),
        &[
            "jraph 0.0.6.dev0, read on 2026-11-22",
            "n_node=222, n_edge=502, n_graph=9",
            "padding      nodes ",
        ],
    );
}

#[test]
fn the_order_of_graphs_is_kept() {
    let packs = |args: &str| {
        let args = format!("- --order file --packs --limits {args}");
        let graphs = "nodes,edges\n3,4\n9,1\n2,2\n2,0\n3,3\n";
        json(&args, graphs)["answer"]["packs"].to_string()
    };
    assert_eq!(
        packs("10,9 --library jraph"),
        "[[[3,4]],[[9,1]],[[2,2],[2,0],[3,3]]]"
    );
    assert_eq!(
        packs("5,free --library pyg"),
        "[[[3,4]],[[9,1]],[[2,2],[2,0]],[[3,3]]]"
    );
    // The graph after the one that is skipped comes twice.
    assert_eq!(
        packs("5,free --library pyg --set skip_too_big=true"),
        "[[[3,4]],[[2,2],[2,0]],[[2,0],[3,3]]]"
    );
}

#[test]
fn samplers_are_side_by_side() {
    assert_rows(
        &text(PROBLEMS),
        &[
            "hf-group-by-length",
            "fairseq",
            "lhotse",
            "espnet",
            "speechbrain",
            "packscope random",
        ],
    );
    let csv = text(&format!("{PROBLEMS} --format csv"));
    assert!(
        csv.starts_with(&format!("{FIRST}batches,sequences_per_batch,")),
        "{csv}"
    );
    assert_has(
        &text(&format!(
            "{PROBLEMS} --library espnet --set min_batch_size=4"
        )),
        &[
            "espnet 202511",
            "batch_bins: 8192",
            "batches have more slots than is set",
        ],
    );
}

#[test]
fn loaders_and_samplers_refuse_what_is_not_theirs() {
    for (args, expected) in [
        ("--limits 9,9 --library trl", "expected one of: pyg, jraph"),
        ("--limits 9,9,9", "3"),
        ("--limits 9,9 --limit 9", "--limit"),
        (
            "--limit 9 --batches --library trl",
            "expected one of: hf-group-by-length",
        ),
        (
            "--limit 9 --batches --library fairseq --set max_tokens=many",
            "expected slots, or a whole number",
        ),
        ("--limit 9 --batches --library lhotse --curve", "--curve"),
    ] {
        assert_has(&refused(args), &[expected]);
    }
}
