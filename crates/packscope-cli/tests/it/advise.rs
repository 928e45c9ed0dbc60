//! `packscope advise` as people use it.

use crate::cli::{json, packscope};
use packscope::trainer::LIBRARIES;

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
fn libraries_stand_side_by_side() {
    let args = [&ALPACA[..], &["--libraries"]].concat();
    let printed = text(&args);
    let lines: Vec<&str> = printed.lines().collect();
    for (line, library) in lines[1..].iter().zip(LIBRARIES) {
        assert!(line.starts_with(library.id), "{}: {line}", library.id);
    }
    let data = json(&[&args[..], &["--format", "json"]].concat(), "");
    let all = data["libraries"].as_array().unwrap();
    assert_eq!(all.len(), LIBRARIES.len());
    let trl = &all[0];
    let words = trl["then"]["change"]["words"].as_str().unwrap();
    assert!(words.starts_with("`packing=True`"), "{words}");
    assert!(refused(&["advise", "-", "--libraries", "--library", "trl"]).contains("--library"));
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
        printed.starts_with("Shuffled batches of 64, padded to their longest, at 384: "),
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

#[test]
fn a_configuration_sets_library_limit_batch_and_packing() {
    let path = std::env::temp_dir().join(format!("packscope-config-{}.yaml", std::process::id()));
    let config = "base_model: Qwen/Qwen3-8B\nsequence_len: 1024\nsample_packing: true\nmicro_batch_size: 2\nlearning_rate: 0.1\n";
    std::fs::write(&path, config).unwrap();
    let file = path.to_str().unwrap();
    let args = [&ALPACA[..], &["--config", file, "--format", "json"]].concat();
    let case = json(&args, "")["case"].clone();
    assert_eq!(
        (&case["library"], &case["limit"], &case["model"]),
        (&"axolotl".into(), &1024.into(), &"qwen3-8b".into())
    );
    let settings = case["settings"].to_string();
    assert!(
        settings.contains("micro_batch_size") && settings.contains("\"2\""),
        "{settings}"
    );
    let said = String::from_utf8(packscope(&args, "").stderr).unwrap();
    assert!(
        said.contains("axolotl: base_model Qwen/Qwen3-8B, sequence_len 1024, sample_packing true, micro_batch_size 2; 1 other key"),
        "{said}"
    );
    // Options go first.
    let own = [
        &args[..],
        &["--limit", "512", "--set", "micro_batch_size=1"],
    ]
    .concat();
    let case = json(&own, "")["case"].clone();
    assert_eq!(case["limit"], 512);
    assert!(case["settings"].to_string().contains("\"1\""), "{case}");
    let other = [&ALPACA[..], &["--config", file, "--library", "trl"]].concat();
    assert!(refused(&other).contains("this configures axolotl"));
    // As data it is named, with this way.
    let message = refused(&["describe", file]);
    assert!(
        message.contains("configuration of a training with axolotl")
            && message.contains("--config"),
        "{message}"
    );
    std::fs::remove_file(&path).unwrap();
}

const QWEN: &str = r#"{"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "head_dim": 128, "hidden_size": 1024,
    "intermediate_size": 3072, "num_attention_heads": 16, "num_hidden_layers": 28, "num_key_value_heads": 8,
    "tie_word_embeddings": true, "use_sliding_window": false, "vocab_size": 151936, "torch_dtype": "bfloat16"}"#;

#[test]
fn the_configuration_of_a_model_sets_the_model() {
    let path = std::env::temp_dir().join(format!("packscope-model-{}.json", std::process::id()));
    let file = path.to_str().unwrap();
    let advise = |more: &[&'static str]| {
        [&ALPACA[..], &["--config", file, "--format", "json"], more].concat()
    };
    std::fs::write(&path, QWEN).unwrap();
    assert_eq!(json(&advise(&[]), "")["case"]["model"], "qwen3-0.6b");
    let told = String::from_utf8(packscope(&advise(&[]), "").stderr).unwrap();
    assert!(
        told.contains("qwen3 model: layers 28, width 1,024") && told.contains("this is Qwen3 0.6B"),
        "{told}"
    );
    // Options go first; all else is as with the preset.
    let own = json(&advise(&["--model", "bert-large"]), "");
    assert_eq!(own["case"]["model"], "bert-large");
    let preset = [&ALPACA[..], &["--model", "qwen3-0.6b", "--format", "json"]].concat();
    assert_eq!(json(&preset, "")["now"], json(&advise(&[]), "")["now"]);
    // One that is no preset has its own numbers.
    std::fs::write(&path, QWEN.replace(": 28", ": 14")).unwrap();
    let other = json(&advise(&["--set", "width=2048"]), "");
    let model = &other["case"]["model"];
    assert_eq!(
        (&model["layers"], &model["width"]),
        (&14.0.into(), &2048.0.into())
    );
    let plain = [&ALPACA[..], &["--config", file]].concat();
    let text = String::from_utf8(packscope(&plain, "").stdout).unwrap();
    assert!(
        text.contains(&format!("for     the model of {file} on 8 ×")),
        "{text}"
    );
    // What is not estimated is refused.
    let compressed = QWEN.replace("\"head_dim\": 128", "\"kv_lora_rank\": 512");
    std::fs::write(&path, compressed).unwrap();
    assert!(refused(&advise(&[])).contains("compressed"));
    std::fs::write(
        &path,
        QWEN.replace("\"num_hidden_layers\": 28", "\"num_hidden_layers\": 0"),
    )
    .unwrap();
    assert!(refused(&advise(&[])).contains("num_hidden_layers"));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn what_configurations_give_stands_in_the_tables_of_libraries() {
    let all: Vec<_> = packscope::config::known_settings().collect();
    assert!(all.len() > 20);
    for (id, name) in all {
        let library = LIBRARIES.iter().find(|library| library.id == id);
        let settings = library.unwrap_or_else(|| panic!("{id}")).settings;
        assert!(
            settings.iter().any(|setting| setting.name == name),
            "{id} {name}"
        );
    }
}

#[test]
fn advice_is_in_the_unit_of_the_data() {
    let frames = "num_frames,count\n300,40\n700,30\n1500,9\n";
    let args = ["advise", "-", "--length", "num_frames", "--library", "trl"];
    let out = String::from_utf8(packscope(&args, frames).stdout).unwrap();
    assert!(out.contains("for each frame"), "{out}");
}
