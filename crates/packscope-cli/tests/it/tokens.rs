//! Counted texts, on the command line.

use serde_json::Value;

fn data(name: &str) -> Vec<u8> {
    let path = format!(
        "{}/tests/data/tokens/{name}",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../..")
    );
    std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn golden() -> Value {
    serde_json::from_slice(&data("golden.json")).unwrap()
}

/// What the page shows of counted texts, by the command line: `tests/browser/tests/it/tokens.rs` reads the same file.
#[test]
fn counted_texts_are_packed_by_the_command_line() {
    let plans: Vec<Value> = serde_json::from_slice(&data("plans.json")).unwrap();
    assert_eq!(plans.len(), 3);
    for plan in plans {
        let text = |key: &str| plan[key].as_str().unwrap();
        let file = format!("tests/data/tokens/{}", text("data"));
        let with = format!("tests/data/tokens/{}.json", text("tokenizer"));
        let mut args = vec![
            "tokens",
            &file,
            "--tokenizer",
            &with,
            "--format",
            "csv",
            "--template",
            text("template"),
        ];
        if let Some(pair) = plan["pair"].as_str() {
            args.extend(["--pair", pair]);
        }
        if !text("kind").ends_with("special") {
            args.push("--no-special-tokens");
        }
        let out = crate::cli::packscope(&args, "");
        let table = String::from_utf8(out.stdout).unwrap();
        let lengths: Vec<u64> = serde_json::from_value(
            golden()["counts"][text("data")][text("tokenizer")][text("kind")].clone(),
        )
        .unwrap();
        let limit = lengths.iter().max().unwrap().to_string();
        let report = crate::cli::json(
            &["pack", "-", "--limit", &limit, "--format", "json"],
            &table,
        );
        for name in ["items", "packs", "lower_bound"] {
            assert_eq!(report[name], plan[name], "{} {name}", text("data"));
        }
        assert_eq!(report["items"].as_u64().unwrap(), lengths.len() as u64);
    }
}

/// The note on what was counted follows `--no-special-tokens` for rendered messages too.
#[test]
fn messages_are_said_to_be_counted_with_or_without_special_tokens() {
    let chat = "{\"messages\":[{\"role\":\"user\",\"content\":\"a b\"}]}\n";
    let counted = |more: &[&str]| {
        let mut args = vec![
            "tokens",
            "-",
            "--tokenizer",
            "tests/data/tokens/wordpiece.json",
            "--message",
            "{role}: {content}\n",
        ];
        args.extend(more);
        let out = crate::cli::packscope(&args, chat);
        let all = [out.stdout, out.stderr].map(|text| String::from_utf8(text).unwrap());
        all.concat()
    };
    let with = counted(&[]);
    assert!(with.contains(", with special tokens"), "{with}");
    let without = counted(&["--no-special-tokens"]);
    assert!(without.contains(", without special tokens"), "{without}");
}

#[test]
fn chats_without_a_tokenizer_are_estimated_as_the_refusal_says() {
    let chats = "{\"messages\":[{\"role\":\"user\",\"content\":\"Where is the station?\"},{\"role\":\"assistant\",\"content\":\"Behind the church.\"}]}\n"
        .repeat(20);
    let refused = crate::cli::packscope(&["describe", "-"], &chats);
    let message = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        message.contains("packscope tokens FILE --estimate --format csv"),
        "{message}"
    );
    let out = crate::cli::packscope(&["tokens", "-", "--estimate", "--format", "csv"], &chats);
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(
        said.contains("estimated from the characters of texts, with 5 around each message"),
        "{said}"
    );
    let table = String::from_utf8(out.stdout).unwrap();
    let (_, row) = table.trim().split_once('\n').unwrap();
    let (length, count) = row.split_once(',').unwrap();
    // By the tokenizer of Llama 3: 5 and 4 tokens, and 5 around each.
    assert!(
        (17..=22).contains(&length.parse::<u32>().unwrap()) && count == "20",
        "{table}"
    );
    let lengths = crate::cli::packscope(
        &["tokens", "-", "--estimate", "--format", "lengths"],
        &chats,
    );
    assert_eq!(lengths.stdout.iter().filter(|b| **b == b'\n').count(), 20);
    let both = ["tokens", "-", "--estimate", "--tokenizer", "t.json"];
    assert_eq!(crate::cli::packscope(&both, "").status.code(), Some(2));
    assert_eq!(
        crate::cli::packscope(&["tokens", "-"], "").status.code(),
        Some(2)
    );
}
