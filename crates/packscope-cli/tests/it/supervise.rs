//! Which tokens train, on the command line.

use crate::cli::{json, packscope};
use serde_json::{Value, json as value};
use std::io::Write;

fn out(args: &[&str], input: &str) -> String {
    let done = packscope(args, input);
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8(done.stdout).unwrap()
}

fn refused(args: &[&str], input: &str) -> String {
    let done = packscope(args, input);
    assert_eq!(done.status.code(), Some(2));
    String::from_utf8(done.stderr).unwrap()
}

/// The same three records as numbers, as lists, as labels, as a mask, and as a table.
fn forms() -> [String; 5] {
    let records = [(6u32, 2u32, "a"), (1, 3, "b"), (5, 0, "a")];
    let lines = |of: &dyn Fn(u32, u32, &str) -> Value| {
        let lines = records
            .iter()
            .map(|(p, r, source)| of(*p, *r, source).to_string() + "\n");
        lines.collect::<String>()
    };
    let list = |n: u32| vec![7; n as usize];
    let each = |p: u32, r: u32, prompt: Value, response: Value| -> Vec<Value> {
        let of = |n: u32, v: &Value| vec![v.clone(); n as usize];
        [of(p, &prompt), of(r, &response)].concat()
    };
    [
        lines(
            &|p, r, source| value!({ "prompt_tokens": p, "completion_tokens": r, "source": source }),
        ),
        lines(
            &|p, r, source| value!({ "prompt_ids": list(p), "completion_ids": list(r), "source": source }),
        ),
        lines(&|p, r, source| {
            let labels = each(p, r, value!(-100), value!(9));
            value!({ "source": source, "input_ids": list(p + r), "labels": labels })
        }),
        lines(&|p, r, source| {
            let mask = each(p, r, value!(0), value!(true));
            value!({ "loss_mask": mask, "input_ids": list(p + r), "source": source })
        }),
        "prompt_tokens,completion_tokens,source\n6,2,a\n1,3,b\n5,0,a\n".to_owned(),
    ]
}

#[test]
fn every_form_of_a_file_says_the_same() {
    for (at, form) in forms().iter().enumerate() {
        let all = json(
            &["supervise", "-", "--limit", "4", "--format", "json"],
            form,
        );
        assert_eq!(
            (&all["tokens"], &all["supervised"]),
            (&value!(17), &value!(5)),
            "form {at}"
        );
        assert_eq!(
            (&all["sequences"], &all["unsupervised"]),
            (&value!(3), &value!(1)),
            "form {at}"
        );
        // Of the first nothing is left, and the third had nothing.
        assert_eq!(all["at"]["untrained"], 2, "form {at}");
        assert_eq!(all["at"]["supervised_lost_share"], 0.4, "form {at}");
        let sources: Vec<[&Value; 3]> = all["sources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| [&s["source"], &s["tokens"], &s["supervised"]])
            .collect();
        assert_eq!(
            sources,
            [
                [&value!("a"), &value!(13), &value!(2)],
                [&value!("b"), &value!(4), &value!(3)]
            ],
            "form {at}"
        );
    }
}

#[test]
fn truncations_differ_as_asked() {
    let kept = |truncate: &str| {
        let all = json(
            &[
                "supervise",
                "-",
                "--limit",
                "4",
                "--truncate",
                truncate,
                "--format",
                "json",
            ],
            &forms()[0],
        );
        let lost = all["at"]["supervised_lost_share"].as_f64().unwrap();
        5.0 - (lost * 5.0).round()
    };
    assert_eq!((kept("right"), kept("left")), (3.0, 5.0));
    // Of 6 and 2, 2 · 2 is not below 4, and 2 · 6 is not either: a quarter of 4 is the response's.
    assert_eq!(kept("shared"), 4.0);
}

#[test]
fn text_says_what_a_limit_loses_and_how_unequal_weights_are() {
    let text = out(
        &[
            "supervise",
            "-",
            "--limit",
            "4",
            "--batch",
            "1",
            "--accumulation",
            "2",
            "--order",
            "file",
        ],
        &forms()[0],
    );
    assert!(text.starts_with("At 4, 40.0 % of the supervised tokens are lost, of all tokens 29.4 %, and 2 sequences (66.7 %) train nothing."), "{text}");
    assert!(
        text.contains("mean over a micro-batch") && text.contains("num_items_in_batch"),
        "{text}"
    );
    assert!(
        text.contains("1 of 2 micro-batches have no supervised token"),
        "{text}"
    );
}

#[test]
fn a_mix_says_what_it_comes_to_and_how_to_set_it() {
    let args = [
        "supervise",
        "-",
        "--mix",
        "a=0.5,b=0.5",
        "--mix-of",
        "tokens",
    ];
    let all = json(&[&args[..], &["--format", "json"]].concat(), &forms()[0]);
    let documents = all["mix"]["then"]["documents"].as_array().unwrap();
    // Documents of a have 6.5 tokens on average, those of b have 4.
    assert!(
        (documents[1].as_f64().unwrap() - 6.5 / 10.5).abs() < 1e-9,
        "{documents:?}"
    );
    let text = out(&args, &forms()[0]);
    assert!(
        text.contains("probabilities=[0.381, 0.619]") && text.contains("--data-path 0.5 a 0.5 b"),
        "{text}"
    );
    let wrong = refused(&["supervise", "-", "--mix", "c=1"], &forms()[0]);
    assert!(
        wrong.contains("there is no source \"c\"; the sources are: a, b"),
        "{wrong}"
    );
    let none = refused(
        &["supervise", "-", "--by", "none", "--mix", "a=1"],
        &forms()[0],
    );
    assert!(none.contains("expected --by"), "{none}");
}

#[test]
fn files_that_tell_nothing_are_refused_with_what_would_do() {
    let wrong = refused(&["supervise", "-"], "length\n5\n");
    assert!(
        wrong.contains("no field tells which tokens bear loss"),
        "{wrong}"
    );
    let chat = "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\n";
    assert!(refused(&["supervise", "-"], chat).contains("expected --tokenizer"));
    let uneven = "{\"input_ids\":[1,2],\"labels\":[1]}\n";
    assert!(refused(&["supervise", "-"], uneven).contains("not as many labels as tokens"));
}

/// A data set that is saved in several files is what they are together.
#[test]
fn shards_are_read_as_one() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/supervised");
    let [shard, lines] = ["whole.arrow", "records.jsonl"].map(|name| format!("{folder}/{name}"));
    let read = |files: &[&str]| {
        let options = &["--limit", "5", "--format", "json"];
        json(&[&["supervise"], files, options].concat(), "")
    };
    let (one, two) = (read(&[&shard]), read(&[&shard, &shard]));
    for figure in ["sequences", "tokens", "supervised", "unsupervised"] {
        let [one, two] = [&one, &two].map(|all| all[figure].as_u64().unwrap());
        assert_eq!(two, 2 * one, "{figure}");
    }
    assert_eq!(
        two["at"]["supervised_lost_share"],
        one["at"]["supervised_lost_share"]
    );
    let described = json(
        &[
            "describe",
            &shard,
            &shard,
            "--length",
            "input_ids",
            "--format",
            "json",
        ],
        "",
    );
    assert_eq!(described["supervision"]["supervised"], two["supervised"]);
    // Their records are read one file after the other by a shell.
    let wrong = refused(&["supervise", &lines, &lines], "");
    assert!(
        wrong.contains("all are Parquet or Arrow; expected one file"),
        "{wrong}"
    );
}

#[test]
fn describe_and_advise_count_what_trains() {
    let folder = std::env::temp_dir().join(format!("packscope-supervise-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("tokenized.jsonl");
    let mut file = std::fs::File::create(&path).unwrap();
    for at in 0..200u32 {
        // A fifth is long, with its response at the end.
        let (prompt, response) = if at % 5 == 0 { (1500, 100) } else { (50, 30) };
        let labels: Vec<i32> = (0..prompt + response)
            .map(|i| if i < prompt { -100 } else { 1 })
            .collect();
        let ids = vec![1; labels.len()];
        writeln!(file, "{}", value!({ "input_ids": ids, "labels": labels })).unwrap();
    }
    drop(file);
    let path = path.to_str().unwrap();
    let read = ["--length", "input_ids"];
    let described = json(
        &[
            &["describe", path, "--limit", "1024", "--format", "json"],
            &read[..],
        ]
        .concat(),
        "",
    );
    assert_eq!(described["supervision"]["supervised"], 40 * 100 + 160 * 30);
    assert_eq!(described["supervision"]["at"]["untrained"], 40);
    let text = out(
        &[&["describe", path, "--limit", "1024"], &read[..]].concat(),
        "",
    );
    assert!(
        text.contains("at 1,024 45.5 % of them lost, 40 sequences with none left"),
        "{text}"
    );
    let advice = out(
        &[
            &["advise", path, "--library", "trl", "--limit", "1024"],
            &read[..],
        ]
        .concat(),
        "",
    );
    assert!(
        advice.contains("45.5 % of the supervised tokens lost"),
        "{advice}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Turns by `{% generation %}` and by rendering up to each are the same where the template writes them so.
#[test]
fn turns_of_conversations_bear_loss() {
    let folder = std::env::temp_dir().join(format!("packscope-turns-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let template = |opens: &str, closes: &str| {
        format!(
            "{{%- for m in messages %}}{{%- if m.role == 'assistant' %}}{{{{- 'A: ' }}}}{opens}{{{{- m.content + '\\n' }}}}{closes}\
             {{%- else %}}{{{{- m.role + ': ' + m.content + '\\n' }}}}{{%- endif %}}{{%- endfor %}}\
             {{%- if add_generation_prompt %}}{{{{- 'A: ' }}}}{{%- endif %}}"
        )
    };
    let marked = folder.join("marked.jinja");
    let plain = folder.join("plain.jinja");
    std::fs::write(
        &marked,
        template("{%- generation %}", "{%- endgeneration %}"),
    )
    .unwrap();
    std::fs::write(&plain, template("", "")).unwrap();
    let chats = [
        value!({ "messages": [
            { "role": "user", "content": "one two three" }, { "role": "assistant", "content": "four five" },
            { "role": "user", "content": "six" }, { "role": "assistant", "content": "seven eight nine" },
        ] }),
        value!({ "messages": [{ "role": "user", "content": "no answer" }] }),
        value!({ "messages": [
            { "role": "user", "content": "a" }, { "role": "assistant", "content": "left out", "train": false },
            { "role": "user", "content": "b" }, { "role": "assistant", "content": "c" },
        ] }),
    ];
    let chats: String = chats.iter().map(|chat| chat.to_string() + "\n").collect();
    let of = |file: &std::path::Path, more: &[&str]| {
        let file = file.to_str().unwrap();
        let args = [
            &[
                "supervise",
                "-",
                "--tokenizer",
                "tests/data/tokens/wordpiece.json",
                "--chat-template",
                file,
                "--format",
                "json",
            ],
            more,
        ];
        json(&args.concat(), &chats)
    };
    let (by_marks, by_prefix) = (of(&marked, &[]), of(&plain, &[]));
    for key in ["tokens", "supervised", "unsupervised"] {
        assert_eq!(by_marks[key], by_prefix[key], "{key}");
    }
    assert_eq!(by_marks["unsupervised"], 1);
    assert!(by_marks["supervised"].as_u64().unwrap() >= 6);
    let last = of(&plain, &["--turns", "last"]);
    assert!(last["supervised"].as_u64() < by_prefix["supervised"].as_u64());
    let both = of(&plain, &["--roles", "assistant,user"]);
    assert!(both["supervised"].as_u64() > by_prefix["supervised"].as_u64());
    assert_eq!(both["unsupervised"], 0);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// <https://github.com/unslothai/unsloth/issues/11321>: "masked every label to -100 … check that instruction_part and
/// response_part match", where every prompt was longer than `max_seq_length`.
#[test]
fn prompts_beyond_the_limit_are_told_to_leave_nothing_to_train_on() {
    let chats = [(2100, 400), (3900, 900), (2600, 80), (5200, 1200)];
    let rows = chats.map(|(prompt, response)| format!("{prompt},{response}\n"));
    let file = format!("prompt_tokens,completion_tokens\n{}", rows.concat());
    let text = out(&["supervise", "-", "--limit", "2048"], &file);
    let told = "At 2,048, 100 % of the supervised tokens are lost, of all tokens 50.0 %, and 4 sequences (100 %) train nothing.";
    assert!(text.starts_with(told), "{text}");
    // The table names the limit from which they do.
    let at = |limit: &str| {
        let args = ["supervise", "-", "--format", "json", "--limit", limit];
        json(&args, &file)["at"]["untrained"].clone()
    };
    assert_eq!(
        [at("2100"), at("4096"), at("8192")],
        [4, 1, 0].map(|n| value!(n))
    );
}

/// <https://github.com/huggingface/transformers/issues/24725>: two samples of 11 and 101 tokens, one a micro-batch, whose
/// first tokens bear no loss: a token of one has ten times the gradient of a token of the other.
#[test]
fn a_token_of_a_short_sample_weighs_ten_times_one_of_a_long_one() {
    let file = "prompt_tokens,completion_tokens\n1,10\n1,100\n";
    let args = "supervise - --batch 1 --accumulation 2 --format json";
    let args: Vec<&str> = args.split(' ').collect();
    let weights = json(&args, file)["weights"]["unpacked"]["weights"].clone();
    let ratio = |reduction: &str| {
        let all = weights.as_array().unwrap();
        let of = all.iter().find(|of| of["reduction"] == reduction).unwrap();
        of["within_step"]["most"].as_f64().unwrap()
    };
    assert!((ratio("micro-batch") - 10.0).abs() < 1e-9);
    // As the Trainer does since then: the mean over all tokens of the step.
    assert!((ratio("step") - 1.0).abs() < 1e-9);
}

#[test]
fn columns_of_parquet_and_arrow_say_what_lines_say() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/supervised");
    let told = |name: &str| {
        let file = format!("{folder}/{name}");
        let args = [
            "supervise",
            &file,
            "--limit",
            "5",
            "--allow-skipped",
            "--format",
            "json",
        ];
        let mut all = json(&args, "");
        // The reading differs, and with it the words for what tells.
        let all = all.as_object_mut().unwrap();
        let labels = all.remove("labels").unwrap();
        let read = all.remove("read").unwrap();
        assert_eq!(read["skipped"], 1, "{name}");
        (labels, all.clone())
    };
    let (labels, lines) = told("records.jsonl");
    assert_eq!(lines["supervised"], 13);
    for name in [
        "labels.parquet",
        "labels-v2.parquet",
        "labels.arrow",
        "labels-stream.arrow",
    ] {
        assert_eq!(told(name), (labels.clone(), lines.clone()), "{name}");
    }
    for name in ["mask.parquet", "mask.arrow"] {
        assert_eq!(told(name).1, lines, "{name}");
    }
    // Other commands add it where they read the same lengths.
    let described = out(&["describe", &format!("{folder}/whole.arrow")], "");
    assert!(described.contains("supervised   13"), "{described}");
}
