//! Files of the command line: it reports what it reads, and writes files completely or not at all.

use crate::cli::{json, packscope};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const LENGTHS: &str = "static/datasets/glue_sst2.csv";

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("packscope-files-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn put(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn said(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

/// Runs a line of the shell, in which `$PACKSCOPE` is the program.
#[cfg(unix)]
fn shell(line: &str) -> Output {
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .env("PACKSCOPE", env!("CARGO_BIN_EXE_packscope"));
    command
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// 40 items from 1 to 100, and 10 from 101 to 200.
const BINS: &str = "{\"hist\":[40,10],\"bin_edges\":[1,101,200]}";

#[test]
fn figures_of_bins_have_their_band() {
    let band = |of: &serde_json::Value| [of[0].as_f64().unwrap(), of[1].as_f64().unwrap()];
    let near = |of: &serde_json::Value, want: [f64; 2]| {
        let found = band(of);
        assert!(
            found.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12),
            "{found:?} for {want:?}"
        );
    };
    // All at the lower edges, 40 + 1,010 tokens; all at the upper ones, 4,000 + 2,000.
    let described = json(&["describe", "-", "--format", "json"], BINS);
    assert_eq!(described["summary"]["limit"], 200);
    near(&described["bands"]["total_tokens"], [1050.0, 6000.0]);
    near(&described["bands"]["padding_share"], [0.4, 0.895]);
    assert_eq!(described["read"]["bins"][1]["items"], 10);
    let args = ["pack", "-", "--limit", "256", "--format", "json"];
    let packed = json(&args, BINS);
    near(
        &packed["bands"]["baseline_padding_share"],
        [1.0 - 6000.0 / 12800.0, 1.0 - 1050.0 / 12800.0],
    );
    // 1,050 tokens take five rows of 256 at least; two of 129 and more never share one.
    let packs = band(&packed["bands"]["packs"]);
    let shown = packed["packs"].as_f64().unwrap();
    assert!(
        (packs[0] - 5.0).abs() < 1e-12
            && packs[0] <= shown
            && shown <= packs[1]
            && packs[1] >= 30.0
    );
    let sweep = json(
        &["sweep", "-", "--limits", "200:256:28", "--format", "json"],
        BINS,
    );
    let efficiency = sweep["best"]["efficiency"][0].as_f64().unwrap();
    let [least, most] = band(&sweep["best"]["efficiency_band"]);
    assert!(least < efficiency && efficiency <= most && most <= 1.0);
    let limits = json(&["sweep", "-", "--format", "json"], BINS);
    assert!(
        limits["limits"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| row["padding_band"][1].is_number())
    );
    // Lengths that are known have none.
    let known = json(&["pack", LENGTHS, "--limit", "128", "--format", "json"], "");
    assert!(known.get("bands").is_none() && known["read"]["bins"] == serde_json::json!([]));
}

#[test]
fn bands_are_said_beside_the_figures() {
    let text = |args: &[&str]| String::from_utf8(packscope(args, BINS).stdout).unwrap();
    assert!(text(&["describe", "-"]).contains("(40.0 to 89.5 %) padding with one sequence a row"));
    assert!(text(&["pack", "-", "--limit", "256"]).contains("(before: 72.4 % (53.1 to 91.8 %))"));
    let out = packscope(&["compare", "-", "--limit", "256"], BINS);
    assert!(
        said(&out).contains("lengths are known by 2 bins alone"),
        "{}",
        said(&out)
    );
}

#[test]
fn lengths_are_computed_by_every_command_that_reads_them() {
    let table = "path,width,height,count\na,512,768,3\nb,520,24,1\n";
    let formula = "ceil(width / 16) * ceil(height / 16)";
    let read = json(
        &[
            "describe",
            "-",
            "--length",
            formula,
            "--count-column",
            "count",
            "--format",
            "json",
        ],
        table,
    );
    let total = serde_json::json!([3 * 32 * 48 + 33 * 2]);
    assert_eq!(
        (&read["read"]["items"], &read["read"]["total"]),
        (&4.into(), &total),
        "{read}"
    );
    for command in ["pack", "batch", "compare", "trainer"] {
        let counted = ["--count-column", "count", "--limit", "2048"];
        let out = packscope(
            &[&[command, "-", "--length-column", formula], &counted[..]].concat(),
            table,
        );
        assert!(out.status.success(), "{command}: {}", said(&out));
        assert!(
            said(&out).contains("computed for the first records: 1,536; 66"),
            "{}",
            said(&out)
        );
    }
    let sizes = [
        "pack",
        "-",
        "--limits",
        "64,64",
        "--size-columns",
        "max(width, 16) // 16,ceil(height / 16)",
    ];
    let out = packscope(&[&sizes[..], &["--count-column", "count"]].concat(), table);
    assert!(
        out.status.success() && said(&out).contains("32 × 48; 32 × 2"),
        "{}",
        said(&out)
    );
    let out = packscope(&["describe", "-", "--length", "width +"], table);
    assert!(
        out.status.code() == Some(2) && said(&out).contains("understood up to its end"),
        "{}",
        said(&out)
    );
    // A formula may begin with a sign.
    let out = packscope(
        &[
            "describe",
            "-",
            "--length",
            "-width + 1000",
            "--count-column",
            "count",
        ],
        table,
    );
    assert!(out.status.success(), "{}", said(&out));
}

#[test]
fn what_was_read_is_said_on_standard_error_and_in_json() {
    let folder = folder("read");
    let file = put(
        &folder,
        "a.csv",
        "split,length,count_star()\na,5,1000\nb,9,1\n",
    );
    let line = format!(
        "{file}: read as table: length from \"length\", count from \"count_star()\"; left: \"split\"; 2 records, none \
         skipped"
    );
    for args in [
        vec!["describe", &file],
        vec!["pack", &file, "--limit", "16"],
        vec!["compare", &file, "--limit", "16"],
        vec!["export", "figures", &file, "--limit", "16"],
    ] {
        let out = packscope(&args, "");
        assert!(
            out.status.success() && said(&out).contains(&line),
            "{args:?}: {}",
            said(&out)
        );
    }
    let mut accounts = Vec::new();
    for args in [
        vec!["describe", &file],
        vec!["pack", &file, "--limit", "16"],
        vec!["compare", &file, "--limit", "16"],
        vec!["sweep", &file, "--limits", "9:16"],
        vec!["batch", &file, "--limit", "16"],
        vec!["batch", &file, "--limit", "16", "--sampler", "random"],
        vec!["speedup", &file, "--limit", "16"],
    ] {
        let report = json(&[&args[..], &["--format", "json"]].concat(), "");
        let read = &report["read"];
        assert_eq!(
            (&read["left"][0], &read["records"], &read["items"]),
            (&"split".into(), &2.into(), &1001.into())
        );
        assert_eq!(
            (&read["unit"], &read["skipped"]),
            (&"tokens".into(), &0.into())
        );
        assert_eq!(
            (&read["skipped_share"], &read["columns"][2]),
            (&0.0.into(), &"count_star()".into())
        );
        accounts.push(read.clone());
    }
    assert!(
        accounts.iter().all(|read| *read == accounts[0]),
        "{accounts:?}"
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn too_many_skipped_records_end_with_2_unless_allowed() {
    let many: String = (0..300)
        .map(|i| {
            if i == 7 {
                "{\"length\":5}\n"
            } else {
                "{\"len\":\"x\"}\n"
            }
        })
        .collect();
    let cases = [
        ("length\n5\nx\n", "1 line of 2 (50.0 %) cannot be read"),
        (
            "length,count\n5,1\n9,x\n7,1\n",
            "1 line of a table of counts cannot be read",
        ),
        (many.as_str(), "299 lines of 300"),
    ];
    for (input, why) in cases {
        for command in ["describe", "pack", "compare"] {
            let limit: &[&str] = if command == "describe" {
                &[]
            } else {
                &["--limit", "16"]
            };
            let args = [&[command, "-"][..], limit].concat();
            let out = packscope(&args, input);
            assert!(!out.status.success(), "{args:?} {input:?}");
            if !input.contains("len\"") {
                assert!(
                    said(&out).contains(why) && said(&out).contains("--allow-skipped"),
                    "{}",
                    said(&out)
                );
            }
            let out = packscope(&[&args[..], &["--allow-skipped"]].concat(), input);
            assert!(out.status.success(), "{args:?}: {}", said(&out));
        }
    }
}

#[test]
fn a_question_names_the_flags_that_answer_it() {
    let input = "length,n\n5,1000\n9,1\n5,3\n";
    let out = packscope(&["describe", "-"], input);
    assert_eq!(out.status.code(), Some(2));
    assert!(said(&out).contains("--count-column"), "{}", said(&out));
    let items = |column: &str| {
        json(
            &[
                "describe",
                "-",
                "--length-column",
                "length",
                "--count-column",
                column,
                "--format",
                "json",
            ],
            input,
        )["read"]["items"]
            .clone()
    };
    assert_eq!((items("n"), items("")), (1004.into(), 3.into()));
}

#[test]
fn what_has_no_lengths_ends_with_2_and_the_way_out() {
    let chat = "{\"messages\":[{\"role\":\"user\",\"content\":\"a b\"}]}\n";
    let way = "packscope tokens FILE --tokenizer tokenizer.json --format csv > lengths.csv";
    let cases = [
        (&["describe", "-"][..], chat, way),
        (&["describe", "-", "--length-column", "messages"], chat, way),
        (&["describe", "-"], "12,5\n16,2\n", "--count-column"),
        (&["describe", "-"], "[[12,5],[16,2]]", "--count-column"),
        (
            &["describe", "-"],
            "utt1 1448\nutt2 95\n",
            "--length-column 2",
        ),
        (
            &["describe", "-"],
            "{\"hist\":[5,7],\"bin_edges\":[0,10]}",
            "expected one edge more than counts",
        ),
        (
            &["describe", "-"],
            "0-127\n128-255\n",
            "a histogram in bins; expected a count for each",
        ),
        (
            &["describe", "-"],
            "range,count\n0-127,5\n128+,7\n",
            "expected fewer, or --allow-skipped",
        ),
        (
            &["describe", "-"],
            "250  1200\n...\n512    12\nName: n, Length: 9, dtype: int64\n",
            ".to_csv(",
        ),
    ];
    for (args, input, wanted) in cases {
        let out = packscope(args, input);
        assert_eq!(out.status.code(), Some(2), "{args:?} {input}");
        assert!(
            out.stdout.is_empty() && said(&out).contains(wanted),
            "{}",
            said(&out)
        );
    }
}

#[test]
fn folders_are_read_with_all_that_is_in_them_but_marks() {
    let folder = folder("spark");
    put(&folder, "out/_SUCCESS", "");
    put(&folder, "out/.part-0.csv.crc", "crc\0\0");
    put(&folder, "out/_temporary/0/part-9.csv", "length\n99\n");
    put(&folder, "out/split=a/part-0.csv", "length\n5\n9\n");
    put(&folder, "out/split=b/.hidden", "length\n98\n");
    put(&folder, "out/split=b/deep/part-1.csv", "length\n5\n");
    let out = folder.join("out");
    let read = json(&["describe", out.to_str().unwrap(), "--format", "json"], "");
    assert_eq!(
        (&read["summary"]["items"], &read["summary"]["max"]),
        (&3.into(), &9.into())
    );
    fs::create_dir(folder.join("empty")).unwrap();
    let out = packscope(&["describe", folder.join("empty").to_str().unwrap()], "");
    assert!(
        !out.status.success() && said(&out).contains("there is no file in this folder"),
        "{}",
        said(&out)
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_raw_folder_of_ogb_has_its_lists_read_and_the_rest_left() {
    let folder = folder("ogb");
    for (name, text) in [
        ("num-node-list.csv", "3\n2\n"),
        ("num-edge-list.csv", "4\n1\n"),
        ("edge.csv", "0,1\n1,2\n"),
        ("edge-feat.csv", "0,0,1\n"),
        ("node-feat.csv", "5,0,4\n"),
        ("graph-label.csv", "0\n1\n"),
    ] {
        put(&folder, &format!("raw/{name}"), text);
    }
    let raw = folder.join("raw");
    let args = [
        "describe",
        raw.to_str().unwrap(),
        "--components",
        "2",
        "--format",
        "json",
    ];
    let read = json(&args, "");
    assert_eq!(
        (&read["items"], &read["components"][1]["total"]),
        (&2.into(), &5.into())
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn three_components_are_exported_and_assigned() {
    let folder = folder("triples");
    let file = put(
        &folder,
        "a.csv",
        "nodes,edges,triplets\n3,4,5\n2,1,0\n3,2,2\n",
    );
    let plan = folder.join("plan.json");
    let plan = plan.to_str().unwrap();
    let limits = ["--limits", "6,6,7"];
    for args in [
        vec!["export", "plan", &file, "--out", plan],
        vec!["export", "figures", &file],
        vec!["export", "table", &file],
    ] {
        let out = packscope(&[&args[..], &limits].concat(), "");
        assert!(out.status.success(), "{args:?}: {}", said(&out));
    }
    for more in [&["--plan", plan][..], &[]] {
        let out = packscope(&[&["assign", &file][..], &limits, more].concat(), "");
        assert!(out.status.success(), "{}", said(&out));
        assert_eq!(String::from_utf8_lossy(&out.stdout).lines().count(), 4);
    }
    let out = packscope(
        &[
            &["export", "snippet", &file, "--tool", "numpy"][..],
            &limits,
        ]
        .concat(),
        "",
    );
    assert!(
        !out.status.success() && said(&out).contains("assign --format csv"),
        "{}",
        said(&out)
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_written_is_an_error_and_leaves_what_was_there() {
    let folder = folder("writing");
    let kept = put(&folder, "kept.csv", "before");
    let bad = put(&folder, "bad.csv", "length\nx\n");
    let gone = folder.join("no/such/file.csv");
    let gone = gone.to_str().unwrap();
    for args in [
        vec!["assign", &bad, "--limit", "16", "--out", &kept],
        vec![
            "assign",
            LENGTHS,
            "--limit",
            "2",
            "--overlong",
            "reject",
            "--out",
            &kept,
        ],
        vec!["export", "plan", &bad, "--limit", "16", "--out", &kept],
        vec!["assign", LENGTHS, "--limit", "128", "--out", gone],
        vec!["export", "plan", LENGTHS, "--limit", "128", "--out", gone],
        vec![
            "pack",
            LENGTHS,
            "--limit",
            "128",
            "--algorithm",
            "optimal",
            "--certificate",
            gone,
        ],
        vec![
            "pack",
            LENGTHS,
            "--limit",
            "128",
            "--algorithm",
            "none",
            "--certificate",
            &kept,
        ],
    ] {
        let out = packscope(&args, "");
        assert_eq!(out.status.code(), Some(2), "{args:?}: {}", said(&out));
        assert_eq!(fs::read_to_string(&kept).unwrap(), "before", "{args:?}");
    }
    let out = packscope(&["assign", LENGTHS, "--limit", "128", "--out", &kept], "");
    assert!(out.status.success() && fs::read_to_string(&kept).unwrap().starts_with("item,pack"));
    assert_eq!(
        fs::read_dir(&folder).unwrap().count(),
        2,
        "nothing is left beside"
    );
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_everywhere() {
    let folder = folder("full");
    let lines = [
        "$PACKSCOPE describe {lengths}",
        "$PACKSCOPE describe {lengths} --format json",
        "$PACKSCOPE pack {lengths} --limit 128",
        "$PACKSCOPE compare {lengths} --limit 128",
        "$PACKSCOPE sweep {lengths} --limits 64:128",
        "$PACKSCOPE assign {lengths} --limit 128",
        "$PACKSCOPE assign {lengths} --limit 128 --format npy",
        "$PACKSCOPE export plan {lengths} --limit 128",
        "$PACKSCOPE export figures {lengths} --limit 128",
        "$PACKSCOPE export table {lengths} --limit 128",
        "$PACKSCOPE export snippet {lengths} --limit 128 --tool numpy",
        "$PACKSCOPE export count --tool duckdb",
        "$PACKSCOPE batch {lengths} --limit 128 --sampler random",
        "$PACKSCOPE speedup {lengths} --limit 128",
        "$PACKSCOPE speedup --list",
        "$PACKSCOPE tokens tests/data/tokens/verses.txt --tokenizer tests/data/tokens/unigram.json --format lengths",
        "$PACKSCOPE --help",
    ];
    for line in lines {
        let line = line.replace("{lengths}", LENGTHS);
        let out = shell(&format!("{line} > /dev/full"));
        assert_eq!(out.status.code(), Some(2), "{line}: {}", said(&out));
    }
    // Standard error may be full, too.
    assert_eq!(
        shell(&format!("$PACKSCOPE describe {LENGTHS} 2> /dev/full"))
            .status
            .code(),
        Some(0)
    );
    // A file that grows too large is as one on a full disk.
    let file = folder.join("a.csv");
    let line = format!(
        "trap '' XFSZ; ulimit -f 1; $PACKSCOPE assign {LENGTHS} --limit 128 --out {}",
        file.display()
    );
    let out = shell(&line);
    assert_eq!(out.status.code(), Some(2), "{}", said(&out));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is left");
    // A folder in which nobody can write.
    let out = shell(&format!(
        "$PACKSCOPE export plan {LENGTHS} --limit 128 --out /proc/plan.json"
    ));
    assert_eq!(out.status.code(), Some(2), "{}", said(&out));
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly() {
    for line in [
        format!("$PACKSCOPE assign {LENGTHS} --limit 128 | head -1"),
        format!("$PACKSCOPE export plan {LENGTHS} --limit 128 | head -c 10"),
        format!("$PACKSCOPE describe {LENGTHS} | true"),
    ] {
        let out = shell(&line);
        assert!(
            out.status.success() && !said(&out).contains("roken pipe"),
            "{line}: {}",
            said(&out)
        );
    }
}

#[test]
fn exit_codes_are_documented() {
    let help = String::from_utf8(packscope(&["--help"], "").stdout).unwrap();
    assert!(
        help.contains("Exit codes: 0 after an answer") && help.contains("2 after a message"),
        "{help}"
    );
}

/// Root may do everything: for it the same commands answer.
#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("closed");
    let file = put(&folder, "inside/a.csv", "length\n5\n");
    let inside = folder.join("inside");
    fs::set_permissions(&inside, fs::Permissions::from_mode(0o0)).unwrap();
    let is_closed = fs::read_dir(&inside).is_err();
    let (listed, read) = (
        packscope(&["describe", inside.to_str().unwrap()], ""),
        packscope(&["describe", &file], ""),
    );
    let out = inside.join("plan.json");
    let written = packscope(
        &[
            "export",
            "plan",
            LENGTHS,
            "--limit",
            "128",
            "--out",
            out.to_str().unwrap(),
        ],
        "",
    );
    fs::set_permissions(&inside, fs::Permissions::from_mode(0o755)).unwrap();
    for out in [listed, read, written] {
        // Root reads and writes all the same.
        assert_eq!(
            out.status.code(),
            Some(if is_closed { 2 } else { 0 }),
            "{}",
            said(&out)
        );
        assert_eq!(
            is_closed,
            said(&out).contains("ermission denied"),
            "{}",
            said(&out)
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn names_of_files_do_not_reach_the_terminal_as_commands() {
    let folder = folder("escape");
    let file = put(&folder, "a\u{1b}[31m.csv", "length\n5\nx\n");
    let out = packscope(&["describe", &file], "");
    assert!(!said(&out).contains('\u{1b}'), "{}", said(&out));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_negative_limit_is_refused_without_a_way_round_that_is_none() {
    let out = packscope(&["pack", LENGTHS, "--limit", "-1"], "");
    assert_eq!(out.status.code(), Some(2));
    assert!(!said(&out).contains("'-- -1'"), "{}", said(&out));
}

#[test]
fn absurd_values_are_refused_or_said_in_few_digits() {
    let out = packscope(
        &["pack", LENGTHS, "--limit", "128", "--overhead", "1e308"],
        "",
    );
    assert_eq!(out.status.code(), Some(2));
    assert!(
        said(&out).contains("a share from 0 to 100"),
        "{}",
        said(&out)
    );
    let out = packscope(
        &["speedup", LENGTHS, "--limit", "128", "--set", "peak=1e-300"],
        "",
    );
    assert!(
        said(&out).contains("1e-300") && !said(&out).contains("0.000000"),
        "{}",
        said(&out)
    );
    let slow = [
        "peak=0.001",
        "utilisation=0.1",
        "layers=1000",
        "width=1000000",
    ]
    .map(|set| ["--set", set]);
    let args = [&["speedup", "-", "--limit", "1024"][..], &slow.concat()].concat();
    let out = packscope(&args, "length,count\n1000,1000000000000000\n");
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(
        text.contains("4.3e23") && !text.contains("18,446,744,073,709,551,615"),
        "{text}"
    );
}

#[test]
fn when_all_is_dropped_it_is_said() {
    let out = packscope(
        &["pack", "-", "--limit", "3", "--overlong", "drop"],
        "5 6\n7\n",
    );
    assert!(
        said(&out).contains("every item is above the limit, and dropped"),
        "{}",
        said(&out)
    );
}

#[test]
fn a_plan_under_an_alignment_is_as_the_help_says() {
    // 12 takes 12, 1 takes 4: together more than 13.
    let args = [
        "pack",
        "-",
        "--limit",
        "13",
        "--align",
        "4",
        "--algorithm",
        "optimal",
        "--format",
        "json",
    ];
    assert_eq!(json(&args, "12\n1\n")["packs"], 2);
    let help = packscope(&["pack", "--help"], "");
    assert!(String::from_utf8_lossy(&help.stdout).contains("takes a multiple of this many tokens"));
}
