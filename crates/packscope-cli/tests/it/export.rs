//! Plans, tables and lines to paste, on the command line.

use crate::cli::packscope;
use std::path::{Path, PathBuf};

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("export-{name}"));
    std::fs::write(&path, text).unwrap();
    path
}

/// What it prints, or what it says is wrong.
fn run(args: &[&str]) -> Result<String, String> {
    let out = packscope(args, "");
    match out.status.success() {
        true => Ok(String::from_utf8(out.stdout).unwrap()),
        false => Err(String::from_utf8(out.stderr).unwrap()),
    }
}

#[test]
fn a_plan_leaves_and_comes_back() {
    let items = file("items.csv", "length\n212\n300\nx\n300\n212\n");
    let items = items.to_str().unwrap();
    let plan = file(
        "plan.json",
        &run(&["export", "plan", items, "--limit", "512", "--allow-skipped"]).unwrap(),
    );
    let plan = plan.to_str().unwrap();
    let wanted =
        "item,pack,place,offset,length\n0,0,1,300,212\n1,0,0,0,300\n2,1,0,0,300\n3,1,1,300,212\n";
    let assign = ["assign", items, "--limit", "512", "--allow-skipped"];
    assert_eq!(run(&assign).unwrap(), wanted);
    assert_eq!(
        run(&[&assign[..], &["--plan", plan]].concat()).unwrap(),
        wanted
    );
    let other = run(&["assign", items, "--limit", "600", "--plan", plan]).unwrap_err();
    assert!(
        other.contains("the limits of the plan: it was made for [512]; expected [600]"),
        "{other}"
    );
    assert!(
        run(&["assign", "-", "--limit", "512", "--plan", plan])
            .unwrap_err()
            .contains("expected a file")
    );
    let damaged = file(
        "damaged.json",
        "{\"format\":\"packscope-plan\",\n\"version\":}",
    );
    let damaged = damaged.to_str().unwrap();
    let refused = run(&["assign", items, "--limit", "512", "--plan", damaged]).unwrap_err();
    assert!(
        refused.contains("damaged.json, line 2, column 11: expected value"),
        "{refused}"
    );
    let more = file("more.csv", "length\n212\n212\n212\n");
    let refused = run(&[
        "assign",
        more.to_str().unwrap(),
        "--limit",
        "512",
        "--plan",
        plan,
    ])
    .unwrap_err();
    assert!(
        refused.contains("more.csv, item 2: no slot is left for a size of 212"),
        "{refused}"
    );
}

#[test]
fn tables_and_lines_are_written() {
    let items = file("table.csv", "length\n212\n300\n300\n212\n");
    let items = items.to_str().unwrap();
    let csv = run(&["export", "plan", items, "--limit", "512", "--format", "csv"]).unwrap();
    assert_eq!(csv, "count,items,sizes\n2,2,300 212\n");
    let figures = run(&[
        "export", "figures", items, "--limit", "512", "--name", "a|b",
    ])
    .unwrap();
    assert!(
        figures.starts_with("figure,value,is\nitems,4,items placed\npacks,2,"),
        "{figures}"
    );
    let table = run(&[
        "export", "table", items, "--limit", "512", "--format", "markdown",
    ])
    .unwrap();
    assert!(
        table.contains("| lpfhp | unlimited | 2 | 0 % | 100 % | 2.00× |"),
        "{table}"
    );
    let snippet = ["export", "snippet", items, "--limit", "512", "--tool"];
    assert!(
        run(&[&snippet[..], &["jraph"]].concat())
            .unwrap_err()
            .contains("expected one of: pytorch")
    );
    assert!(
        run(&[
            "export",
            "count",
            "--tool",
            "duckdb",
            "--text",
            "t",
            "--tokenizer",
            "x"
        ])
        .is_err()
    );
}

#[test]
fn lengths_are_one_column_with_a_heading() {
    let counts = file("counts.csv", "length,count\n7,3\n512,1\n100000,2\n");
    let export = ["export", "lengths", counts.to_str().unwrap()];
    let [first, again, other] = [&[][..], &["--seed", "0"], &["--seed", "1"]]
        .map(|seed: &[&str]| run(&[&export[..], seed].concat()).unwrap());
    let (heading, listed) = first.split_once('\n').unwrap();
    let mut lengths: Vec<u32> = listed.lines().map(|line| line.parse().unwrap()).collect();
    assert!(
        heading == "length" && first == again && first != other,
        "{first}{other}"
    );
    lengths.sort_unstable();
    assert_eq!(lengths, [7, 7, 7, 512, 100_000, 100_000]);
    // What is written is read again as what it was.
    let mock = file("mock.csv", &first);
    let described =
        |path: &Path| run(&["describe", path.to_str().unwrap(), "--limit", "512"]).unwrap();
    assert_eq!(described(&mock), described(&counts));
}
