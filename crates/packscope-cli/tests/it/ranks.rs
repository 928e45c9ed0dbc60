//! Ranks, on the command line.

use crate::cli::{json, packscope};
use packscope::ranks::Scheduler;

const FILE: [&str; 4] = [
    "ranks",
    "static/datasets/sharegpt_8k_llama2.csv",
    "--limit",
    "8192",
];

fn with<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&FILE[..], args].concat()
}

#[test]
fn text_says_what_binds_and_json_has_the_report() {
    let out = packscope(
        &with(&[
            "--ranks",
            "64",
            "--compare",
            "--steps",
            "8",
            "--cap",
            "16384",
            "--context",
            "2048",
        ]),
        "",
    );
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let text = String::from_utf8(out.stdout).unwrap();
    for words in [
        "bottleneck   Assignment",
        "change       --dealing greedy",
        "advice       Long sequences shared by ranks: 0.",
        "misplaced",
        "first-fit",
        "verl 0.9.1",
        "a power of two",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let report = json(
        &with(&[
            "--dealing",
            "greedy",
            "--weight",
            "model",
            "--format",
            "json",
        ]),
        "",
    );
    assert_eq!(report["report"]["binds"], "nothing");
    assert_eq!(report["report"]["rank_bars"].as_array().unwrap().len(), 8);
    assert_eq!(report["settings"]["dealing"], "greedy");
}

#[test]
fn a_step_is_assigned_in_the_order_of_the_file() {
    let lengths = "7\n1\n5\n3\n2\n6\n4\n8\n";
    let assigned = |args: &[&str]| {
        json(
            &[&["ranks", "-", "--assign", "--ranks", "2"], args].concat(),
            lengths,
        )
    };
    let trl = assigned(&["--library", "trl"]);
    assert_eq!(trl["assignment"].to_string(), "[[[7,2,3,4]],[[0,5,6,1]]]");
    let capped = assigned(&[
        "--library",
        "verl-0.9.1",
        "--set",
        "ppo_max_token_len_per_gpu=9",
    ]);
    assert_eq!(
        capped["assignment"][0].as_array().unwrap().len(),
        capped["assignment"][1].as_array().unwrap().len()
    );
    let own = assigned(&["--dealing", "as-drawn", "--micro-batches", "2"]);
    assert_eq!(
        own["assignment"].to_string(),
        "[[[0,1],[2,3]],[[4,5],[6,7]]]"
    );
    for wrong in [
        &["--set", "peak=312"][..],
        &["--set", "cap=9"],
        &["--library", "trl", "--set", "token_budget=9"],
    ] {
        let out = packscope(&[&["ranks", "-", "--assign"], wrong].concat(), lengths);
        assert!(out.status.code() == Some(2), "{wrong:?}");
    }
}

fn out(args: &[&str], input: &str) -> (Option<i32>, String) {
    let out = packscope(args, input);
    let [out_, error] = [out.stdout, out.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (out.status.code(), out_ + &error)
}

#[test]
fn text_and_json_say_what_is_not_trained_and_what_is_repeated() {
    let gsm8k = [
        "ranks",
        "static/datasets/gsm8k_train.csv",
        "--limit",
        "512",
        "--library",
        "trl-budget",
        "--cap",
        "100",
        "--steps",
        "16",
    ];
    let (_, text) = out(&[&gsm8k[..], &["--compare"]].concat(), "");
    let line = text
        .lines()
        .find(|line| line.starts_with("not trained"))
        .unwrap_or_else(|| panic!("{text}"));
    assert!(
        line.contains("of the sequences with") && line.contains("above the cap, and dropped"),
        "{line}"
    );
    assert!(
        text.contains("drops 8")
            && text.contains("its cap of 100 tokens is below the longest sequence"),
        "{text}"
    );
    let report = json(&[&gsm8k[..], &["--format", "json"]].concat(), "");
    let dropped = report["report"]["untrained"]["dropped"][0]
        .as_f64()
        .unwrap();
    assert!((0.86..0.9).contains(&dropped), "{dropped}");
    let (_, text) = out(
        &["ranks", "-", "--limit", "100", "--waiting", "never"],
        "7\n9\n",
    );
    assert!(
        text.contains("fewer than the 256 sequences of a step, which repeats each up to 128 times"),
        "{text}"
    );
    assert!(text.contains("they never synchronise"), "{text}");
    let (_, text) = out(&with(&["--steps", "4"]), "");
    assert!(
        !text.contains("not trained") && !text.contains("fewer than"),
        "{text}"
    );
}

/// The bound of the table is of whole sequences, and that of a report of what the scheduler may do.
#[test]
fn no_line_says_that_its_step_cannot_be_beaten() {
    let mooncake = [
        "ranks",
        "static/datasets/mooncake_conversation.csv",
        "--limit",
        "131072",
        "--ranks",
        "64",
        "--micro-batches",
        "1",
    ];
    let (_, text) = out(
        &[
            &mooncake[..],
            &["--micro-batch", "2", "--compare", "--steps", "8"],
        ]
        .concat(),
        "",
    );
    assert!(
        text.contains("Best possible with whole sequences"),
        "{text}"
    );
    assert!(
        text.contains("ranks share sequences") && text.contains("never fill its cap"),
        "{text}"
    );
    let of = |library: &[&str]| {
        let all = json(
            &[
                &mooncake[..],
                &["--micro-batch", "2", "--steps", "8", "--format", "json"],
                library,
            ]
            .concat(),
            "",
        );
        ["factor", "bound"].map(|name| all["report"][name].as_f64().unwrap())
    };
    for library in [
        &["--library", "megatron-dynamic-cp"][..],
        &["--library", "trl-budget", "--cap", "32768"],
    ] {
        let [step, bound] = of(library);
        assert!(step >= bound, "{library:?}: {step} {bound}");
    }
}

#[test]
fn what_a_library_refuses_gets_neither_answer_nor_lines() {
    let by_flops = ["--library", "slime-balance-by-flops"];
    for args in [
        [&["ranks", "--snippet", "--ranks", "8"][..], &by_flops].concat(),
        [&["ranks", "-", "--limit", "100"][..], &by_flops].concat(),
        [&["ranks", "-", "--assign"][..], &by_flops].concat(),
    ] {
        let (code, text) = out(&args, "5\n6\n");
        assert!(
            code == Some(2) && text.contains("slime, balance_by_flops: it needs a cap on tokens"),
            "{args:?}: {text}"
        );
    }
    let (code, text) = out(
        &[&["ranks", "--snippet", "--cap", "8192"][..], &by_flops].concat(),
        "",
    );
    assert!(
        code == Some(0) && text.contains("--max-tokens-per-gpu 8192 --balance-by-flops"),
        "{text}"
    );
    for what in [&["--snippet"][..], &["-", "--limit", "100"]] {
        let rows = [
            &["ranks"][..],
            what,
            &["--unit", "rows", "--library", "verl"],
        ]
        .concat();
        let (code, text) = out(&rows, "5\n6\n");
        assert!(
            code == Some(2) && text.contains("it assigns sequences, not packed rows"),
            "{text}"
        );
    }
}

#[test]
fn schedulers_are_listed_with_their_names() {
    let out = packscope(&["ranks", "--list"], "");
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(
        text.contains("ppo_max_token_len_per_gpu") && text.contains("max_seqlen_per_dp_cp_rank"),
        "{text}"
    );
    assert!(
        Scheduler::NAMES.iter().all(|name| text.contains(name)),
        "{text}"
    );
}
