//! Components computed from lengths, on the command line.

use crate::cli::{json, packscope};
use std::collections::BTreeMap;

const LENGTHS: &str = "static/datasets/glue_wnli.csv";

/// The pairs of tokens that attention looks at, token by token: each sees its own prompt and response.
fn looked_at(prompt: u32, response: u32, responses: u32) -> u128 {
    let [p, r, n] = [prompt, response, responses].map(u128::from);
    // Both ways: within the prompt; between prompt and responses; within each response.
    p * p + n * (2 * p * r) + n * (r * r)
}

#[test]
fn described_and_packed_on_the_command_line() {
    let args = [
        "describe",
        LENGTHS,
        "--compute",
        "attention",
        "--limits",
        "512,free",
        "--format",
        "json",
    ];
    let described = json(&args, "");
    let computed = &described["computed"];
    assert_eq!(
        (&computed["computation"], &computed["unit"]),
        (&"attention".into(), &1.into())
    );
    assert_eq!(computed["shared"], computed["apart"]);
    assert_eq!(described["components"][1]["name"], "attention");
    // Attention has no slots that could be padding.
    let padding = [0, 1].map(|k| &described["components"][k]["padding_share"]);
    assert!(padding[0].is_f64() && padding[1].is_null(), "{described}");
    let limit = computed["limits"][1].as_u64().unwrap();
    let limits = format!("512,{limit}");
    let args = [
        "pack",
        LENGTHS,
        "--compute",
        "attention",
        "--limits",
        &limits,
        "--algorithm",
        "optimal",
    ];
    let packed = json(&[&args[..], &["--format", "json"]].concat(), "");
    let attention = &packed["attention"];
    let [even, uneven] =
        ["largest_to_mean", "largest_to_mean_by_tokens"].map(|of| attention[of].as_f64().unwrap());
    assert!(even < uneven && even < 1.2, "{attention}");
    assert_eq!(attention["packs"], packed["packs"]);
    let text = String::from_utf8(packscope(&args, "").stdout).unwrap();
    assert!(
        text.lines()
            .last()
            .unwrap()
            .starts_with("attention    the largest of "),
        "{text}"
    );
    let padding = text
        .lines()
        .find(|line| line.starts_with("padding"))
        .unwrap();
    assert!(
        padding.contains("tokens ") && !padding.contains("attention"),
        "{text}"
    );

    let pairs = "prompt_tokens,response_tokens\n1000,2000\n300,4000\n500,800\n";
    let args = ["describe", "-", "--compute", "shared-prompt:8"];
    let computed = json(&[&args[..], &["--format", "json"]].concat(), pairs)["computed"].take();
    assert_eq!(
        computed["shared"],
        serde_json::json!({ "tokens": 56_200, "pairs": 224_060_000 })
    );
    assert_eq!(
        computed["apart"],
        serde_json::json!({ "tokens": 68_800, "pairs": 233_440_000 })
    );
    let text = String::from_utf8(packscope(&args, pairs).stdout).unwrap();
    assert!(
        text.contains("shared       56,200 tokens instead of 68,800: 18.3 % saved"),
        "{text}"
    );
    assert!(
        text.contains("\nattention of groups ÷ ") && text.contains(" Attention has no slots."),
        "{text}"
    );
}

/// Rows of an assignment: for each pack the numbers of its items.
fn assigned(args: &[&str]) -> BTreeMap<u64, Vec<usize>> {
    let out = packscope(&[&["assign"], args].concat(), "");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let mut packs: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for line in String::from_utf8(out.stdout).unwrap().lines().skip(1) {
        let cells: Vec<u64> = line
            .split(',')
            .take(2)
            .map(|cell| cell.parse().unwrap())
            .collect();
        packs.entry(cells[1]).or_default().push(cells[0] as usize);
    }
    packs
}

/// The assignment names records of the file as it is, whose own sums hold both limits; packed anew, and from a plan.
#[test]
fn an_assignment_is_of_the_records_of_the_file() {
    let folder = std::env::temp_dir().join(format!("packscope-computed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let all: Vec<[u32; 2]> = (0..200u32)
        .map(|i| [40 + i * 37 % 900, 10 + i * 91 % 1700])
        .collect();
    let write = |name: &str, lines: Vec<String>| {
        std::fs::write(path(name), lines.join("\n") + "\n").unwrap()
    };
    write(
        "lengths.txt",
        all.iter().map(|pair| pair[0].to_string()).collect(),
    );
    let rows = all.iter().map(|[p, r]| format!("{p},{r}"));
    write(
        "pairs.csv",
        std::iter::once("prompt,response".to_owned())
            .chain(rows)
            .collect(),
    );
    for (file, compute, tokens, responses) in [
        ("lengths.txt", "attention", 2000, 1u32),
        ("pairs.csv", "shared-prompt:4", 9000, 4),
    ] {
        let (file, limit) = (path(file), tokens.to_string() + ",free");
        let told = json(
            &[
                "describe",
                &file,
                "--compute",
                compute,
                "--limits",
                &limit,
                "--format",
                "json",
            ],
            "",
        );
        let computed = &told["computed"];
        let (unit, limit) = (
            computed["unit"].as_u64().unwrap(),
            computed["limits"][1].as_u64().unwrap(),
        );
        let limits = format!("{tokens},{limit}");
        let args = [file.as_str(), "--compute", compute, "--limits", &limits];
        let plan = path("plan.json");
        let made = packscope(
            &[&["export", "plan"], &args[..], &["--out", &plan]].concat(),
            "",
        );
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let packs = assigned(&args);
        assert_eq!(packs, assigned(&[&args[..], &["--plan", &plan]].concat()));
        let mut seen: Vec<usize> = packs.values().flatten().copied().collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..all.len()).collect::<Vec<_>>());
        for items in packs.values() {
            let own = |at: &usize| {
                if compute == "attention" {
                    [all[*at][0], 0]
                } else {
                    all[*at]
                }
            };
            let of = || items.iter().map(own);
            let sum: u32 = of().map(|[p, r]| p + responses * r).sum();
            let attention: u128 = of().map(|[p, r]| looked_at(p, r, responses)).sum();
            assert!(
                sum <= tokens && attention <= u128::from(unit * limit),
                "{items:?}"
            );
        }
        let array = path("packs.npy");
        let args = [
            &args[..],
            &["--plan", &plan, "--format", "npy", "--out", &array],
        ]
        .concat();
        assert!(
            packscope(&[&["assign"], &args[..]].concat(), "")
                .status
                .success()
        );
        assert!(std::fs::metadata(&array).unwrap().len() > 800);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn components_are_computed_only_where_packs_have_two_limits() {
    let two = "expected them where packs keep to two limits";
    let cut = "expected drop or reject";
    for (args, message) in [
        (&["pack", LENGTHS, "--limit", "512"][..], two),
        (&["batch", LENGTHS, "--limit", "128"], two),
        (&["shapes", LENGTHS, "--shapes", "4"], two),
        (&["ranks", LENGTHS, "--limit", "128"], two),
        (&["speedup", LENGTHS, "--limits", "512,20000"], two),
        (&["trainer", LENGTHS, "--limits", "512,20000"], two),
        (&["export", "lengths", LENGTHS], two),
        (
            &[
                "export",
                "snippet",
                LENGTHS,
                "--limits",
                "512,20000",
                "--tool",
                "numpy",
            ],
            two,
        ),
        (
            &["pack", LENGTHS, "--limits", "512"],
            "1 limit for data with 2 components",
        ),
        (
            &["pack", LENGTHS, "--limits", "512,20000,3"],
            "3 limits for data with 2 components",
        ),
        (
            &[
                "pack",
                LENGTHS,
                "--limits",
                "512,20000",
                "--size-columns",
                "length,count",
            ],
            "1 limit for data",
        ),
        (
            &[
                "pack",
                LENGTHS,
                "--limits",
                "512,20000",
                "--overlong",
                "truncate",
            ],
            cut,
        ),
    ] {
        let out = packscope(&[args, &["--compute", "attention"]].concat(), "");
        let error = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    }
    // What has two limits takes them.
    for args in [
        &["compare", LENGTHS, "--limits", "512,30000"][..],
        &["sweep", LENGTHS, "--limits", "256:512:128,16000:32000:8000"],
        &["export", "table", LENGTHS, "--limits", "512,30000"],
        &["export", "figures", LENGTHS, "--limits", "512,30000"],
    ] {
        let out = packscope(&[args, &["--compute", "attention"]].concat(), "");
        let (text, error) = (
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr),
        );
        assert!(
            out.status.success() && text.contains("attention"),
            "{args:?}: {text}{error}"
        );
        assert!(
            !text.contains("slots_attention") && !text.contains("padding_tokens_attention"),
            "{text}"
        );
    }
}
