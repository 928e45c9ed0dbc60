//! `packscope batch` as people use it. Numbers of batches come from the published code and definitions.

use crate::cli::{json, packscope};
use serde_json::{Value, json};

const SST2: [&str; 4] = ["batch", "static/datasets/glue_sst2.csv", "--limit", "128"];

fn with<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&SST2[..], args].concat()
}

fn report(args: &[&str]) -> Value {
    json(&[&with(args)[..], &["--format", "json"]].concat(), "")
}

fn text(args: &[&str]) -> String {
    let out = packscope(&with(args), "");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap()
}

fn batches(report: &Value) -> Vec<u64> {
    report["epochs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["batches"].as_u64().unwrap())
        .collect()
}

/// A file of this process.
fn file(name: &str, contents: &str) -> String {
    let path = std::env::temp_dir().join(format!("packscope-{}-{name}", std::process::id()));
    std::fs::write(&path, contents).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn every_sampler_makes_the_expected_number_of_batches() {
    for (args, expected) in [
        (&["--sampler", "random"][..], [1053, 1053, 1053]),
        (&["--sampler", "sorted"], [1053, 1053, 1053]),
        (&["--sampler", "length-grouped"], [1053, 1053, 1053]),
        (
            &["--sampler", "length-grouped", "--mega-batch", "7"],
            [1053, 1053, 1053],
        ),
        (&["--sampler", "bucket-by-length"], [105, 105, 105]),
        (&["--sampler", "bucket"], [1053, 527, 266]),
        (
            &["--sampler", "bucket", "--batch-cap", "64,2"],
            [1053, 527, 266],
        ),
        (
            &["--sampler", "bucket", "--bucket-width", "1"],
            [1053, 527, 266],
        ),
        // One length in a bucket: the sum of ⌈sequences / cap⌉ over the lengths.
        (
            &["--sampler", "bucket", "--residual-merging", "off"],
            [1089, 565, 302],
        ),
        (
            &["--sampler", "bucket", "--bucket-width", "5"],
            [1053, 527, 266],
        ),
        (
            &[
                "--sampler",
                "bucket",
                "--bucket-width",
                "5",
                "--residual-merging",
                "off",
            ],
            [1061, 534, 273],
        ),
        (&["--sampler", "bucket", "--batch-cap", "off"], [92, 92, 92]),
        (
            &[
                "--sampler",
                "bucket",
                "--batch-cap",
                "off",
                "--residual-merging",
                "off",
            ],
            [129, 129, 129],
        ),
        // With dropped tokens, buckets of 5: shorter sequences come from the same buckets.
        (
            &[
                "--sampler",
                "bucket",
                "--batch-cap",
                "off",
                "--residual-merging",
                "off",
                "--tokendrop",
                "equalise",
            ],
            [99, 99, 99],
        ),
        // 7,030 rows, 64 in a batch.
        (&["--sampler", "packed"], [110, 110, 110]),
    ] {
        let report = report(args);
        assert_eq!(batches(&report), expected, "{args:?}");
        for epoch in report["epochs"].as_array().unwrap() {
            assert_eq!(&epoch["items"], &json!(67_349));
            let tokens =
                [&epoch["real_tokens"], &epoch["dropped_tokens"]].map(|n| n.as_u64().unwrap());
            assert_eq!(tokens.iter().sum::<u64>(), 897_039);
        }
    }
    let budget = report(&[
        "--sampler",
        "token-budget",
        "--tokens",
        "4096",
        "--epochs",
        "1",
    ]);
    let largest = budget["epochs"][0]["largest_slots"].as_u64().unwrap();
    assert!(
        batches(&budget)[0] >= 897_039 / 4096 && largest <= 4096 && largest > 4096 - 66,
        "{budget}"
    );
}

#[test]
fn the_report_has_the_fixed_names() {
    let report = report(&[
        "--sampler",
        "bucket",
        "--epochs",
        "2",
        "--batch",
        "32",
        "--seed",
        "7",
    ]);
    let settings = &report["settings"];
    for (name, value) in [
        ("limit", json!(128)),
        ("sampler", json!("bucket")),
        ("batch", json!(32)),
        ("epochs", json!(2)),
        ("seed", json!(7)),
        ("mode", json!("training")),
        ("merging", json!(true)),
        ("token_drop", json!("off")),
        ("stopword_share", json!(0.4)),
        ("overlong", json!("truncate")),
    ] {
        assert_eq!(settings[name], value, "{name}");
    }
    let epochs = report["epochs"].as_array().unwrap();
    assert_eq!(
        (epochs.len(), &epochs[1]["batch_cap"], &epochs[1]["epoch"]),
        (2, &json!(64), &json!(1))
    );
    for (name, whole) in [
        ("items", true),
        ("batches", true),
        ("updates", true),
        ("real_tokens", true),
        ("slots", true),
        ("padding_tokens", true),
        ("padding_share", false),
        ("dropped_tokens", true),
        ("sequences_per_step", false),
        ("tokens_per_step", false),
        ("largest_slots", true),
        ("squared_slots", false),
        ("estimated_seconds", false),
        ("estimated_speedup", false),
    ] {
        assert!(
            epochs[0][name].is_number() && epochs[0][name].is_u64() == whole,
            "{name}"
        );
    }
    let shares = epochs[0]["batch_size_quantiles"].as_array().unwrap();
    assert_eq!((shares.len(), &shares[4]), (5, &json!([1.0, 32])));
    let rates = epochs[0]["learning_rate"].as_array().unwrap();
    assert!(
        rates[0].as_f64() < rates[1].as_f64() && rates[1] == json!(3e-5),
        "{rates:?}"
    );
    let (slots, padding) = (&epochs[0]["slots"], &epochs[0]["padding_tokens"]);
    assert_eq!(slots.as_u64().unwrap() - padding.as_u64().unwrap(), 897_039);
    let (est, random) = (&report["estimate"], &report["random"]);
    assert!(
        est["padding_fraction_est"].as_f64().unwrap() < est["padding_fraction"].as_f64().unwrap()
    );
    assert_eq!(
        (&est["length_87_5"], &random["batches"]),
        (&json!(25), &json!(2105))
    );
    assert!(report["seconds"].is_f64() && report["stopwords_known"] == json!(false));
    assert_eq!(
        (&report["overlong_items"], &report["waste_tokens"]),
        (&json!(0), &json!(0))
    );
}

#[test]
fn text_says_what_was_batched_and_what_is_estimated() {
    let said = text(&["--sampler", "bucket"]);
    for phrase in [
        "sampler      bucket, HWCap 2,525 sequences of 5 tokens to 50 of 130, buckets of 1 length, BatchCap 64 × 2 each epoch\n",
        "settings     limit 128, 3 epochs of training, seed 0\n",
        "sequences    67,349 with 897,039 tokens\n",
        "waste        0 tokens of 0 overlong sequences\n",
        "random       70.1 % padding in 1,053 steps of 64 sequences each, on average over all orders\n",
        "estimate     46.7 % padding estimated for random batches as (L − mean) / L: 87.5 % no longer than L = 25, \
         mean 13.3; in truth 70.1 %\n",
        "all epochs   0.50 % padding in 1,846 steps, estimated speed-up ",
        "2.1e-5 to 6.0e-5",
        "against random batches of 64 without dropping tokens, BERT large on 8 × NVIDIA A100",
        "for RoBERTa base on one RTX 2080 Ti with 11 GB; the paper's own table ends with 64 instead of 50.",
    ] {
        assert!(said.contains(phrase), "{phrase:?} is missing:\n{said}");
    }
    let table: Vec<_> = said
        .lines()
        .skip_while(|line| !line.starts_with("epoch "))
        .take(4)
        .collect();
    assert!(
        table[0].ends_with("estimated speed-up  random as large  sorted as large")
            && table[0].contains("batch cap"),
        "{said}"
    );
    let first = table[3].split_whitespace().take(6).collect::<Vec<_>>();
    assert_eq!(first, ["3", "256", "266", "31,", "256,", "256"], "{said}");
    assert!(!said.contains("stopwords"), "{said}");
    let dropping = text(&[
        "--sampler",
        "random",
        "--tokendrop",
        "0.5",
        "--stopword-share",
        "0.3",
    ]);
    assert!(
        dropping.contains(", assumed; token dropping: 0.5\n"),
        "{dropping}"
    );
    assert!(
        dropping.contains("Assumed: 30.0 % of each sequence is stopwords"),
        "{dropping}"
    );
    assert!(!dropping.contains("batch cap"), "{dropping}");
}

#[test]
fn all_samplers_side_by_side() {
    let markdown = text(&["--format", "markdown"]);
    let names: Vec<_> = markdown
        .lines()
        .skip(2)
        .map_while(|l| l.strip_prefix("| ")?.split(" |").next())
        .collect();
    assert_eq!(
        names,
        [
            "random",
            "sorted",
            "length-grouped",
            "bucket-by-length",
            "token-budget",
            "bucket",
            "bucket, not merged",
            "packed"
        ]
    );
    assert!(
        markdown.starts_with("| sampler | padding | steps |")
            && markdown.contains("| estimated speed-up |")
    );
    assert!(
        markdown.contains("| bucket | 0.50 % | 1,846 | 109.5 (21 to 256) | 1,458 |"),
        "{markdown}"
    );
    let all = report(&[]);
    let all = all["samplers"].as_array().unwrap();
    let of: Vec<_> = all
        .iter()
        .map(|r| (&r["settings"]["sampler"], &r["settings"]["merging"]))
        .collect();
    assert_eq!(
        (of.len(), of[5], of[6]),
        (
            8,
            (&json!("bucket"), &json!(true)),
            (&json!("bucket"), &json!(false))
        )
    );
    assert!(
        all.iter()
            .all(|r| r["seconds"].is_f64() && batches(r).len() == 3)
    );
    let alone = report(&["--sampler", "packed"]);
    assert_eq!(all[7]["epochs"], alone["epochs"]);
    let said = text(&[]);
    assert!(
        said.starts_with("settings     limit 128") && said.contains("\nbucket, not merged "),
        "{said}"
    );
}

#[test]
fn inference_takes_no_steps() {
    let server = report(&["--sampler", "bucket", "--mode", "server"]);
    assert_eq!(
        (batches(&server), &server["epochs"][0]["updates"]),
        (vec![92], &json!(0))
    );
    assert_eq!(server["epochs"][0]["learning_rate"], Value::Null);
    let said = text(&["--mode", "server", "--sampler", "random"]);
    assert!(
        said.contains("inference of many queries at once") && said.contains("in all       70.1 %"),
        "{said}"
    );
    assert!(
        !said.contains("step") && !said.contains("learning rate"),
        "{said}"
    );
    for mode in ["server", "real-time"] {
        for sampler in ["bucket", "length-grouped", "token-budget"] {
            let said = text(&["--mode", mode, "--sampler", sampler]);
            assert!(
                ["epoch", "update", "learning"]
                    .iter()
                    .all(|word| !said.contains(word)),
                "{said}"
            );
        }
    }
    let one = report(&["--mode", "real-time"]);
    let one = &one["samplers"];
    assert_eq!(
        (one.as_array().unwrap().len(), batches(&one[0])),
        (1, vec![67_349])
    );
    assert_eq!(one[0]["epochs"][0]["padding_tokens"], json!(0));
    let said = text(&["--mode", "real-time"]);
    assert!(
        said.contains("\none by one ")
            && said.contains("against the same queries one at a time without dropping tokens"),
        "{said}"
    );
    let dropped = report(&["--mode", "real-time", "--tokendrop", "1"]);
    let dropped = &dropped["samplers"][0]["epochs"][0];
    let tokens = |epoch: &Value| epoch["real_tokens"].as_f64().unwrap();
    let (fewer, said) = (
        tokens(&one[0]["epochs"][0]) / tokens(dropped),
        dropped["estimated_speedup"].as_f64(),
    );
    assert!(
        fewer > 1.5 && (said.unwrap() / fewer - 1.0).abs() < 1e-9,
        "{said:?} of {fewer}"
    );
}

/// The default table written to a file, in both ways, changes nothing; another table and a memory model do.
#[test]
fn caps_come_from_a_file_or_from_memory() {
    let usual = report(&["--sampler", "bucket", "--batch-cap", "off"]);
    let rows: Vec<(u64, u64)> =
        serde_json::from_value(usual["settings"]["hwcap"]["Table"].clone()).unwrap();
    assert_eq!((rows.len(), rows[0]), (26, (5, 2525)));
    let write = |separator: &str, end: &str| {
        rows.iter()
            .map(|(length, cap)| format!("{length}{separator}{cap}{end}"))
            .collect::<String>()
    };
    let table = file(
        "hwcap.csv",
        &format!("length,sequences\n{}", write(",", "\n")),
    );
    let list = file("hwcap.txt", write(":", ",").trim_end_matches(','));
    let small = file("hwcap-small.csv", "16,40\n32,20\n128,10\n");
    let of = |file: &str| report(&["--sampler", "bucket", "--batch-cap", "off", "--hwcap", file]);
    for same in [&table, &list] {
        let read = of(same);
        assert_eq!(
            (&read["epochs"], &read["settings"]),
            (&usual["epochs"], &usual["settings"])
        );
    }
    let most = of(&small)["epochs"][0]["batch_size_quantiles"][4][1].clone();
    assert_eq!(most, json!(40));
    [table, list, small]
        .iter()
        .for_each(|f| std::fs::remove_file(f).unwrap());
    let args = [
        "--sampler",
        "bucket",
        "--batch-cap",
        "off",
        "--memory-model",
        "100,0,64000",
    ];
    let model = report(&args);
    assert_eq!(
        model["settings"]["hwcap"]["Memory"],
        json!({"linear": 100.0, "quadratic": 0.0, "bytes": 64000.0})
    );
    // 640 tokens in a batch; the shortest sequences have 3, in a bucket of their own.
    assert_eq!(
        model["epochs"][0]["batch_size_quantiles"][4][1],
        json!(640 / 3)
    );
    assert!(
        text(&args).contains(
            "HWCap by a memory model, 100 bytes a token and 0 a pair of tokens, 64000 free"
        )
    );
}

#[test]
fn stopwords_can_be_columns() {
    let data = "length,stopwords,count\n10,4,6\n8,0,2\n";
    let args = [
        "batch",
        "-",
        "--limit",
        "16",
        "--sampler",
        "sorted",
        "--epochs",
        "1",
        "--tokendrop",
        "equalise",
    ];
    let known = json(
        &[
            &args[..],
            &["--size-columns", "length,stopwords", "--format", "json"],
        ]
        .concat(),
        data,
    );
    let epoch = &known["epochs"][0];
    assert_eq!(
        (&known["stopwords_known"], &known["stopwords"]),
        (&json!(true), &json!(24))
    );
    assert_eq!(
        (
            &epoch["dropped_tokens"],
            &epoch["padding_tokens"],
            &epoch["items"]
        ),
        (&json!(12), &json!(0), &json!(8))
    );
    let assumed = json(&[&args[..], &["--format", "json"]].concat(), data);
    assert_eq!(
        (&assumed["stopwords_known"], &assumed["stopwords"]),
        (&json!(false), &json!(6 * 4 + 2 * 3))
    );
    let said = packscope(&[&args[..], &["--size-columns", "1,2"]].concat(), data);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(
        said.contains("stopwords    24, counted in the data; token dropping: equalise\n"),
        "{said}"
    );
    assert!(!said.contains("stopwords; the data do not say"), "{said}");
}

#[test]
fn learning_rates_and_costs_change_no_batch() {
    let usual = report(&["--sampler", "bucket"]);
    let other = report(&[
        "--sampler",
        "bucket",
        "--learning-rate",
        "1e-4",
        "--lrm",
        "off",
        "--model",
        "llama-3.1-8b",
        "--accelerator",
        "ipu",
    ]);
    assert_eq!(other["epochs"][2]["learning_rate"], json!([1e-4, 1e-4]));
    for (a, b) in usual["epochs"]
        .as_array()
        .unwrap()
        .iter()
        .zip(other["epochs"].as_array().unwrap())
    {
        assert_eq!((&a["batches"], &a["slots"]), (&b["batches"], &b["slots"]));
        assert!(a["estimated_seconds"].as_f64() < b["estimated_seconds"].as_f64());
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let bytes = |seed: &str| {
        let mut all = report(&["--seed", seed]);
        all["samplers"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .for_each(|one| one["seconds"] = Value::Null);
        all.to_string()
    };
    assert_eq!(bytes("3"), bytes("3"));
    let slots =
        |seed: &str| report(&["--sampler", "random", "--seed", seed])["epochs"][0]["slots"].clone();
    assert_ne!(slots("3"), slots("4"));
}

#[test]
fn what_is_wrong_ends_with_2() {
    let growing = file("growing.csv", "5,10\n10,20\n");
    let words = file("words.csv", "one,two\nthree,four\n");
    for (args, message) in [
        (&["--limit", "0"][..], "a limit of 0 was given"),
        (
            &["--batch", "0"],
            "'0' for '--batch <BATCH>': expected a whole number from 1",
        ),
        (
            &["--epochs", "0"],
            "'0' for '--epochs <EPOCHS>': expected a whole number from 1 to 100",
        ),
        (&["--epochs", "101"], "'101' for '--epochs <EPOCHS>'"),
        (
            &["--sampler", "best"],
            "expected one of: random, sorted, length-grouped, bucket-by-length",
        ),
        (
            &["--batch-cap", "64"],
            "'64' for '--batch-cap <BASE,SCALING>': expected BASE,SCALING such as 64,2, or off",
        ),
        (
            &["--batch-cap", "0,2"],
            "0,2 is no BatchCap; expected a base from 1",
        ),
        (&["--batch-cap", "64,0.5"], "64,0.5 is no BatchCap"),
        (&["--hwcap", "no-such-table.csv"], "no-such-table.csv: "),
        (
            &["--hwcap", &growing],
            "growing.csv: the table of batch sizes is of no use: a batch of longer rows",
        ),
        (
            &["--hwcap", &words],
            "words.csv: the table of batch sizes is of no use: it cannot be read",
        ),
        (
            &["--memory-model", "5,1"],
            "expected three numbers of bytes",
        ),
        (
            &["--memory-model", "0,0,1e9"],
            "expected three numbers of bytes",
        ),
        (
            &["--memory-model", "1,0,1e9", "--hwcap", &growing],
            "cannot be used with",
        ),
        (
            &["--sampler", "token-budget", "--tokens", "20"],
            "a budget of 20 tokens has no room for a sequence of 66",
        ),
        (
            &["--bucket-width", "0"],
            "'0' for '--bucket-width <BUCKET_WIDTH>'",
        ),
        (
            &["--mega-batch", "0"],
            "'0' for '--mega-batch <MEGA_BATCH>'",
        ),
        (
            &["--tokendrop", "2"],
            "expected one of: off, equalise, or a rate from 0 to 1",
        ),
        (
            &["--stopword-share", "1.5"],
            "'1.5' for '--stopword-share <STOPWORD_SHARE>': expected a number from 0 to 1",
        ),
        (&["--mode", "play"], "training, server, real-time"),
        (&["--residual-merging", "no"], "[possible values: on, off]"),
        (
            &["--learning-rate", "-1"],
            "'-1' for '--learning-rate <LEARNING_RATE>': expected a number above 0",
        ),
        (
            &["--accelerator", "abacus"],
            "unknown accelerator \"abacus\"; expected one of: ",
        ),
        (
            &["--model", "parrot"],
            "unknown model \"parrot\"; expected one of: ",
        ),
        (
            &["--limit", "20", "--overlong", "reject"],
            "items are larger than the limit of 20",
        ),
        (
            &["--size-columns", "length"],
            "--size-columns: 1 given; expected two, the length and its stopwords",
        ),
        (
            &["--size-columns", "length,stopwords"],
            "no column \"stopwords\"",
        ),
    ] {
        // A limit that is given again is refused: the tests' own comes first.
        let limit = if args[0] == "--limit" {
            &SST2[..2]
        } else {
            &SST2[..]
        };
        let out = packscope(&[limit, args].concat(), "");
        let error = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
    [growing, words]
        .iter()
        .for_each(|f| std::fs::remove_file(f).unwrap());
}

/// Of very many sequences a part is simulated, which text and JSON say, of one sampler and of all.
#[test]
fn a_part_that_stands_for_all_sequences_is_mentioned() {
    let counts = "length,count\n3,400000000\n40,100000000\n";
    let of = |args: &[&str]| {
        let out = packscope(&[&["batch", "-", "--limit", "64"], args].concat(), counts);
        assert!(
            out.status.success(),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        );
        String::from_utf8(out.stdout).unwrap()
    };
    let one = "Simulated in part, in whole batches: 12,582,912 of 1,500,000,000 sequences of all epochs; batches, slots and padding are scaled up from these, and the largest batch is the largest of them.";
    assert!(of(&["--sampler", "random"]).contains(one));
    let found: Value =
        serde_json::from_str(&of(&["--sampler", "random", "--format", "json"])).unwrap();
    assert_eq!(
        (&found["simulated"], &found["epochs"][0]["items"]),
        (&json!(12_582_912), &json!(500_000_000))
    );
    let all = of(&[]);
    assert!(all.contains("Simulated in part, in whole batches: random 12,582,912 of 1,500,000,000 sequences of all epochs, length-grouped 12,576,000 of "), "{all}");
    assert!(
        !all.contains("sorted 12,582"),
        "sorted batches are all counted"
    );
    assert!(!of(&["--sampler", "sorted"]).contains("Simulated"));
}
