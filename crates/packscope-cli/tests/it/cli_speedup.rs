//! `packscope speedup` as people use it.

use crate::cli::{json, packscope};
use packscope::cost::fields::FIELDS;
use packscope::cost::presets::PresetChoice;
use packscope::cost::presets::{ACCELERATORS, GNNS, TRANSFORMERS};
use serde_json::{Value, json};

const SST2: [&str; 4] = ["speedup", "static/datasets/glue_sst2.csv", "--limit", "128"];
const MOLHIV: [&str; 4] = [
    "speedup",
    "static/datasets/ogbg_molhiv.csv",
    "--limits",
    "222,502",
];

fn report(of: &[&str], args: &[&str]) -> Value {
    json(&[of, args, &["--format", "json"]].concat(), "")
}

fn said(args: &[&str]) -> String {
    let out = packscope(args, "");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap()
}

fn text(args: &[&str]) -> String {
    said(&[&SST2[..], args].concat())
}

/// The place of a method in all lists of a report.
fn place(report: &Value, method: &Value) -> usize {
    let methods = report["estimates"][0]["methods"].as_array().unwrap();
    methods.iter().position(|e| e["method"] == *method).unwrap()
}

/// The estimate of a method at the number of accelerators that stands in this place.
fn estimate<'a>(report: &'a Value, at: usize, method: &str) -> &'a Value {
    &report["estimates"][at]["methods"][place(report, &json!(method))]
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

/// Source: Krell et al. 2022, *Efficient Sequence Packing without Cross-contamination*, Table 1, last column.
#[test]
fn p1_table_1_comes_out_of_the_command() {
    let wikipedia = [
        "speedup",
        "static/datasets/wikipedia_bert_512.csv",
        "--limit",
        "512",
    ];
    for (algorithm, depth, published) in [
        ("spfhp", "2", 1.544),
        ("nnlshp", "3", 1.913),
        ("spfhp", "16", 1.905),
    ] {
        let args = [
            "--accelerator",
            "ipu",
            "--model",
            "bert-large",
            "--algorithm",
            algorithm,
            "--depth",
            depth,
        ];
        let report = report(&wikipedia, &args);
        let speedup = number(&estimate(&report, 1, "packed")["speedup"]);
        assert!(
            (speedup - published).abs() < 0.005,
            "{algorithm} {depth}: {speedup}"
        );
    }
}

#[test]
fn the_report_adds_up() {
    let report = report(&SST2, &["--accelerators", "64,1,8,512", "--batch", "16"]);
    let all = report["estimates"].as_array().unwrap();
    let crews: Vec<_> = all
        .iter()
        .map(|priced| priced["accelerators"].as_u64().unwrap())
        .collect();
    assert_eq!(crews, [1, 8, 64, 512]);
    assert_eq!(
        (&report["assumptions"]["accelerators"], &report["batch"]),
        (&json!(64), &json!(16))
    );
    for e in all
        .iter()
        .flat_map(|priced| priced["methods"].as_array().unwrap())
    {
        let parts: f64 = e["parts"].as_object().unwrap().values().map(number).sum();
        assert!((parts / number(&e["seconds"]) - 1.0).abs() < 1e-9, "{e}");
        assert_eq!(e["possible"], json!(true));
    }
    for (i, bill) in report["bills"].as_array().unwrap().iter().enumerate() {
        let hours = number(&all[2]["methods"][i]["seconds"]) / 3600.0;
        assert!((number(&bill["accelerator_hours"]) / hours - 64.0).abs() < 1e-9);
    }
    let unpadded: Vec<f64> = (0..4)
        .map(|at| number(&estimate(&report, at, "unpadded")["speedup"]))
        .collect();
    assert!(
        unpadded.is_sorted_by(|a, b| a > b),
        "more accelerators wait longer: {unpadded:?}"
    );
    assert_eq!(
        (&report["packing"]["limit"], &report["packing"]["algorithm"]),
        (&json!(128), &json!("lpfhp"))
    );
    assert_eq!(report["model"]["id"], json!("bert-large"));
    let (before, after) = (
        &report["optimiser"]["before"],
        &report["optimiser"]["same_rows"],
    );
    assert_eq!(
        (&before["rows"], &before["sequences"]),
        (&json!(16.0 * 64.0), &json!(16.0 * 64.0))
    );
    let factor = number(&after["sequences"]) / number(&before["sequences"]);
    assert!((factor - number(&report["figures"]["packing_factor"])).abs() < 1e-9 && factor > 9.0);
}

#[test]
fn assumptions_are_set_in_the_units_people_read() {
    let none = [
        "step=0",
        "layer=0",
        "update-bytes=0",
        "traffic=0",
        "weight-bytes=0",
        "predicted=0",
    ];
    let bare = none.map(|zero| ["--set", zero]).concat();
    let seconds = |args: &[&str]| {
        let report = report(&SST2, &[&bare[..], args].concat());
        number(&estimate(&report, 0, "padded")["seconds"])
    };
    let usual = report(&SST2, &[])["assumptions"].clone();
    let doubled = (number(&usual["accelerator"]["peak"]) / 1e12 * 2.0).to_string();
    let half = seconds(&["--set", &format!("peak={doubled}")]) / seconds(&[]);
    assert!((half - 0.5).abs() < 1e-9, "{half}");
    // A kind of training is a name.
    assert!(seconds(&["--set", "tuning=lora"]) < seconds(&["--set", "tuning=all"]));
    let args = [
        "predicted=29",
        "causal=yes",
        "step=3",
        "memory=40",
        "parallel=on",
        "dynamic=0",
        "price=7",
        "beta1=0.5",
    ];
    let sets: Vec<&str> = args.iter().flat_map(|set| ["--set", set]).collect();
    let a = report(&SST2, &[&["--price", "5"][..], &sets].concat())["assumptions"].clone();
    let (model, accelerator) = (&a["transformer"], &a["accelerator"]);
    assert_eq!(
        (&model["predicted"], &model["causal"]),
        (&json!(0.29), &json!(true))
    );
    assert_eq!(
        (&accelerator["step_seconds"], &accelerator["memory"]),
        (&json!(0.003), &json!(4e10))
    );
    assert_eq!(
        (&a["rows"], &accelerator["dynamic"]),
        (&json!("parallel"), &json!(false))
    );
    // What comes last counts.
    assert_eq!(
        (&a["price"], &a["beta1"], &model["layers"]),
        (&json!(7.0), &json!(0.5), &usual["transformer"]["layers"])
    );
    let of = |args| report(&SST2, args);
    let (cheap, dear) = (of(&["--price", "1"]), of(&["--price", "3"]));
    let ratio = number(&dear["bills"][0]["money"]) / number(&cheap["bills"][0]["money"]);
    assert!((ratio - 3.0).abs() < 1e-9, "{ratio}");
    assert_eq!(
        of(&["--set", "accelerators=16"])["assumptions"]["accelerators"],
        json!(16)
    );
}

#[test]
fn shares_of_the_peak_follow_the_kind_of_card_that_is_set() {
    let of = |sets: &[&str]| {
        let args: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
        let a =
            report(&SST2, &[&["--accelerator", "v100"][..], &args].concat())["assumptions"].clone();
        let card = &a["accelerator"];
        (
            number(&card["utilisation"]),
            number(&card["attention_utilisation"]),
        )
    };
    // An RTX 2080 Ti at single precision, a T4, the V100 itself.
    let single = of(&["peak=13.45", "bandwidth=616"]);
    assert_eq!(single, of(&["bandwidth=616", "peak=13.45"]));
    assert!(single.0 > 0.7 && single.1 > 0.2, "{single:?}");
    assert_eq!(of(&["peak=65", "bandwidth=320"]), of(&[]));
    assert!(of(&[]).0 < 0.25);
    // What is set by hand stays.
    assert_eq!(of(&["utilisation=22.8", "peak=13.45"]).0, 0.228);
}

#[test]
fn every_figure_is_called_an_estimate_and_every_assumption_stands_below() {
    let said = text(&["--price", "3", "--accelerators", "8,512"]);
    assert!(
        said.starts_with("data         67,349 sequences with 897,039 tokens, limit 128"),
        "{said}"
    );
    for title in [
        "Estimated time of an epoch",
        "What the estimated time is spent on: ",
        "Estimated speed-up by the number of accelerators\n\naccelerators          8   512\npadded             1.0×  1.0×\n",
        "Estimated bill of an epoch",
        "All figures are estimates, none is measured.",
        "price 3 per hour (changed)",
        "none was asked for",
        "half of 16 speed-ups of 6 sources",
        "the band held 13 (57 %)",
        "standard error ",
        "--set ID=VALUE changes it",
    ] {
        assert!(said.contains(title), "{title}: {said}");
    }
    let chosen = PresetChoice::default();
    let (model, accelerator) = (chosen.transformer, chosen.accelerator);
    let usual = [
        model.name,
        model.source(),
        accelerator.name,
        accelerator.source(),
    ];
    assert!(usual.iter().all(|words| said.contains(words)), "{said}");
    assert_eq!(
        (
            said.matches("(changed)").count(),
            said.matches(" *").count()
        ),
        (1, 0)
    );
    for method in [
        "padded",
        "batched-random",
        "batched-sorted",
        "packed",
        "packed-blocks",
        "unpadded-balanced",
    ] {
        let lines = said
            .lines()
            .filter(|line| line.split(' ').next() == Some(method))
            .count();
        assert_eq!(lines, 4, "{method}: {said}");
    }
    let markdown = text(&["--format", "markdown"]);
    assert!(
        markdown.contains("\n| method | ") && markdown.contains("\n| packed, same rows | 512 | "),
        "{markdown}"
    );
}

/// What docs/COMMANDS.md shows is what the command prints.
#[test]
fn the_readme_is_up_to_date() {
    let readme = include_str!("../../../../docs/COMMANDS.md");
    let (before, after) = readme.split_once("From\n`packscope speedup ").unwrap();
    assert!(before.contains("`speedup` estimates"));
    let (command, excerpt) = after.split_once("`:\n").unwrap();
    let args: Vec<&str> = std::iter::once("speedup")
        .chain(command.split(' '))
        .collect();
    let printed = said(&args);
    let lines: Vec<&str> = excerpt
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with("    "))
        .collect();
    assert!(lines.len() > 20);
    for line in lines.iter().map(|line| line.trim_start()) {
        assert!(
            printed.lines().any(|other| other == line),
            "docs/COMMANDS.md has {line:?}, but now it is:\n{printed}"
        );
    }
}

#[test]
fn what_an_accelerator_cannot_do_is_told() {
    let args = ["--accelerator", ACCELERATORS[0].id, "--set", "dynamic=no"];
    let report = report(&SST2, &args);
    for (method, possible) in [
        ("padded", true),
        ("packed", true),
        ("packed-blocks", false),
        ("unpadded", false),
    ] {
        assert_eq!(
            estimate(&report, 0, method)["possible"],
            json!(possible),
            "{method}"
        );
    }
    let said = text(&args);
    let note = format!(
        "* not possible where shapes are fixed, as on {}",
        ACCELERATORS[0].name
    );
    assert!(
        said.contains(&note) && said.contains("\nunpadded * ") && !said.contains("\npacked * "),
        "{said}"
    );
}

#[test]
fn rows_that_are_no_packs_change_nothing_for_the_optimiser() {
    let sorted = report(&SST2, &["--algorithm", "sort"]);
    let methods = sorted["estimates"][0]["methods"].as_array().unwrap();
    assert!(methods.iter().all(|e| e["method"] != json!("packed")));
    assert!(!text(&["--algorithm", "sort"]).contains("Optimiser"));
    assert!(text(&[]).contains("Optimiser"));
}

#[test]
fn graphs_are_priced_by_nodes_and_edges() {
    let usual = report(&MOLHIV, &["--algorithm", "optimal"]);
    assert_eq!(
        (&usual["figures"]["packs"], &usual["model"]["id"]),
        (&json!(3744), &json!(GNNS[0].id))
    );
    assert_eq!(usual["packing"]["limits"], json!([222, 502]));
    let deeper = report(
        &MOLHIV,
        &[
            "--algorithm",
            "optimal",
            "--set",
            "gnn-layers=50",
            "--model",
            GNNS[0].id,
        ],
    );
    let seconds = |report: &Value| number(&estimate(report, 0, "packed")["parts"]["linear"]);
    let ratio = seconds(&deeper) / seconds(&usual);
    assert!(
        (ratio - 50.0 / GNNS[0].value.layers).abs() < 1e-9,
        "{ratio}"
    );
    let said = said(&MOLHIV);
    assert!(
        said.starts_with(
            "data         32,901 graphs with 830,936 nodes, limits 222 × 502, depth 256"
        ),
        "{said}"
    );
    assert!(
        said.contains("nodes/s") && said.contains("  edges  ") && said.contains(GNNS[0].source()),
        "{said}"
    );
    assert!(!said.contains("token"), "{said}");
}

#[test]
fn the_list_has_everything_and_takes_no_file() {
    let said = said(&["speedup", "--list"]);
    for (id, source) in TRANSFORMERS
        .iter()
        .map(|p| (p.id, p.source()))
        .chain(ACCELERATORS.iter().map(|p| (p.id, p.source())))
    {
        assert!(
            said.lines()
                .any(|line| line.starts_with(id) && line.ends_with(source)),
            "{id}: {said}"
        );
    }
    for field in FIELDS {
        let has =
            |line: &str| line.split("  ").next() == Some(field.id) && line.ends_with(field.about());
        assert!(said.lines().any(has), "{}: {said}", field.id);
    }
    let list = json(
        &[
            "speedup",
            "--list",
            "--model",
            TRANSFORMERS[0].id,
            "--set",
            "layers=5",
            "--format",
            "json",
        ],
        "",
    );
    let fields = list["fields"].as_array().unwrap();
    let changed: Vec<_> = fields
        .iter()
        .filter(|f| f["changed"] == json!(true))
        .collect();
    assert_eq!((fields.len(), changed.len()), (FIELDS.len(), 1));
    assert_eq!(
        (&changed[0]["id"], &changed[0]["value"]),
        (&json!("layers"), &json!(5.0))
    );
    let width = fields.iter().find(|f| f["id"] == json!("width")).unwrap();
    assert_eq!(width["value"], json!(TRANSFORMERS[0].value.width));
    // Without limits the name says what the model is for.
    json(
        &[
            "speedup", "--list", "--model", GNNS[0].id, "--format", "json",
        ],
        "",
    );
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let waiting = |seed: &str| report(&SST2, &["--seed", seed])["waiting"].clone();
    assert_eq!(
        report(&SST2, &["--seed", "3"]).to_string(),
        report(&SST2, &["--seed", "3"]).to_string()
    );
    assert_ne!(waiting("3"), waiting("4"));
}

#[test]
fn what_is_wrong_ends_with_2() {
    let names = |all: Vec<&str>| format!("expected one of: {}", all.join(", "));
    let models = names(TRANSFORMERS.iter().map(|p| p.id).collect());
    let accelerators = names(ACCELERATORS.iter().map(|p| p.id).collect());
    let gnns = names(GNNS.iter().map(|p| p.id).collect());
    let fields = names(FIELDS.iter().map(|f| f.id).collect());
    for (of, args, message) in [
        (&SST2[..], &["--model", "gin"][..], &models[..]),
        (&MOLHIV, &["--model", "bert-large"], &gnns),
        (&SST2, &["--accelerator", "abacus"], &accelerators),
        (&SST2, &["--set", "speed=3"], &fields),
        (
            &SST2,
            &["--set", "peak"],
            "expected ID=VALUE such as peak=312",
        ),
        (
            &SST2,
            &["--set", "peak=fast"],
            "\"fast\" is no number (TFLOP/s)",
        ),
        (
            &SST2,
            &["--set", "causal=maybe"],
            "\"maybe\" is no value for causal; expected yes or no",
        ),
        (
            &SST2,
            &["--set", "causal=0.5"],
            "0.5 is no value for causal",
        ),
        (
            &SST2,
            &["--set", "utilisation=101"],
            "101 is no value for matrix products reach; expected 0.1 to 100 %",
        ),
        (&SST2, &["--set", "beta1=nan"], "NaN is no value for β₁"),
        (
            &SST2,
            &["--set", "layers=2.5"],
            "expected a whole number from 1 to 1000 layers",
        ),
        (&SST2, &["--price", "-1"], "-1 is no value for price"),
        (
            &SST2,
            &["--accelerators", "8,0"],
            "0 is no value for accelerators; expected a whole number from 1 to 4096",
        ),
        (
            &SST2,
            &["--accelerators", "4097"],
            "4097 is no value for accelerators",
        ),
        (&SST2, &["--accelerators", "8;9"], "invalid value '8;9'"),
        (&SST2, &["--batch", "0"], "a batch of 0 rows was given"),
        (&SST2, &["--algorithm", "best"], "expected one of: optimal"),
        (&MOLHIV, &["--seed", "3"], "cannot be used with"),
        (
            &SST2[..2],
            &[],
            "--limit: not given; expected the maximum sequence length",
        ),
        (
            &SST2[..2],
            &["--limits", "3,4,5"],
            "--limits: 3 given; expected two, of nodes and edges",
        ),
        (&SST2[..1], &[], "<FILE>"),
        (
            &["speedup", "no-such-file.csv", "--limit", "5"],
            &[],
            "no-such-file.csv: ",
        ),
    ] {
        let out = packscope(&[of, args].concat(), "");
        let error = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

#[test]
fn a_batch_that_is_not_given_fits_the_memory() {
    let llama = [
        "speedup",
        "static/datasets/alpaca_5000.csv",
        "--limit",
        "512",
        "--model",
        "llama-3.1-8b",
    ];
    let opening = said(&llama);
    assert!(
        opening.contains("the largest batch that fits the memory, with weights shared out"),
        "{opening}"
    );
    let report = report(&llama, &[]);
    let rows = number(&report["batch"]);
    assert!((1.0..64.0).contains(&rows) && report["assumptions"]["training"]["sharded"] == true);
    let share = |report: &Value| number(&report["memory"][0]["share"]);
    assert!(share(&report) <= 1.0);
    // One row more would not.
    let more = (rows + 1.0).to_string();
    let more = json(
        &[
            &llama[..],
            &["--set", "sharded=yes", "--batch", &more, "--format", "json"],
        ]
        .concat(),
        "",
    );
    assert!(share(&more) > 1.0);
    // What fits opens as ever, and what is given is taken.
    assert!(text(&[]).contains("64 rows each\n"));
    assert!(text(&["--model", "llama-3.1-8b", "--batch", "64"]).contains("does not fit"));
}
