//! The units of lengths, and the words for the formulae that compute them.

use crate::ingest_columns::are_refused;
use packscope_core::error::{Error, UncountedTexts};
use packscope_files::ingest::{
    self, Column, ComputedLength, Options, PairReading, PromptAndResponse, TokenizerFile,
};

#[test]
fn formulae_have_labels_units_and_rates() {
    let of = |formula: &str| {
        ComputedLength::of(formula).map(|length| {
            let rate = length.per_second.map(|rate| rate.to_string());
            format!(
                "{}; {}; {}",
                length.label,
                length.unit,
                rate.unwrap_or_default()
            )
        })
    };
    for (formula, want) in [
        ("round(duration * 100)", "frames of 10 ms; frames; 100"),
        ("round(duration * 80)", "frames of 12.5 ms; frames; 80"),
        ("round(audio.duration * 25)", "frames of 40 ms; frames; 25"),
        ("round(duration / 10)", "frames of 10 ms; frames; 100"),
        ("round(duration_ms / 20)", "frames of 20 ms; frames; 50"),
        (
            "round(duration * 16000)",
            "samples of 16 kHz; samples; 16000",
        ),
        (
            "round(duration_ms * 16)",
            "samples of 16 kHz; samples; 16000",
        ),
        ("round((end - start) * 50)", "frames of 20 ms; frames; 50"),
        ("round(($4 - $3) * 100)", "frames of 10 ms; frames; 100"),
        ("round($2 * 16)", "samples of 16 kHz; samples; 16000"),
        (
            "ceil(width / 14) * ceil(height / 14)",
            "patches of 14 × 14 pixels; patches; ",
        ),
        (
            "prompt_tokens + completion_tokens",
            "prompt and response in one sequence; tokens; ",
        ),
        ("n_prompt_chars + n_response_chars", ""),
    ] {
        assert_eq!(of(formula).unwrap_or_default(), want, "{formula}");
    }
    for formula in [
        "length",
        "end - start",
        "$3 - $2",
        "a * 100",
        "round(x)",
        "(",
        "duration",
    ] {
        assert_eq!(of(formula), None, "{formula}");
    }
}

#[test]
fn the_unit_follows_the_data() {
    for (input, length, unit) in [
        (
            "path,duration\na,1.5\nb,2.5\n",
            "round(duration * 100)",
            "frames",
        ),
        (
            "path,duration\na,1.5\nb,2.5\n",
            "round(duration * 16000)",
            "samples",
        ),
        (
            "{\"duration\":1.5}\n{\"duration\":2.5}\n",
            "round(duration * 50)",
            "frames",
        ),
        (
            "a,width,height\nb,100,20\nc,30,40\n",
            "ceil(width / 14) * ceil(height / 14)",
            "patches",
        ),
        ("id,n_residues\na,5\nb,7\n", "", "residues"),
        ("id,num_atoms\na,5\nb,7\n", "", "atoms"),
        ("id,n_patches\na,5\nb,7\n", "", "patches"),
        ("id,chars\na,5\nb,7\n", "round(chars / 4)", "tokens"),
        ("id,num_tokens\na,5\nb,7\n", "", "tokens"),
    ] {
        let sizes = (!length.is_empty()).then(|| Column::from(length));
        let options = Options {
            sizes: sizes.into_iter().collect(),
            ..Options::default()
        };
        let read = ingest::read::<1>(input.as_bytes(), options)
            .unwrap_or_else(|error| panic!("{input}: {error}"));
        assert_eq!(read.description.unit(), unit, "{input} {length}");
        let rate = read.description.per_second();
        assert_eq!(rate.is_some(), length.contains("duration"), "{input}");
    }
}

#[test]
fn texts_without_lengths_are_told_apart_from_conversations() {
    let chats = "{\"messages\":[{\"role\":\"user\",\"content\":\"a b\"}],\"id\":\"x\"}\n".repeat(2);
    let texts = "{\"question\":\"some words\",\"answer\":\"more words here\"}\n".repeat(2);
    for (input, want) in [
        (chats, Some(UncountedTexts::Conversations)),
        (texts, Some(UncountedTexts::Texts)),
        ("{\"a\":1,\"b\":2}\n".repeat(2), None),
    ] {
        match ingest::read::<1>(input.as_bytes(), Options::default()) {
            Err(Error::Unclear { asked, message, .. }) => {
                assert_eq!(asked.texts, want, "{input}");
                assert_eq!(message.contains("--estimate"), want.is_some(), "{message}");
            }
            other => panic!("{input}: {other:?}"),
        }
    }
    are_refused(&[(
        "{\"messages\":[{\"role\":\"u\",\"content\":\"a\"}]}\n",
        "--estimate",
    )]);
}

#[test]
fn a_prompt_and_its_response_can_be_read_in_three_ways() {
    let names = ["step", "prompt_id", "prompt_tokens", "response_tokens"];
    let found = PromptAndResponse::of(&names).unwrap();
    assert_eq!(found.group.as_deref(), Some("prompt_id"));
    let input = "step,prompt_id,prompt_tokens,response_tokens\n1,a,10,20\n1,a,10,30\n";
    for reading in PairReading::ALL {
        let options = Options {
            sizes: found.columns(reading),
            ..Options::default()
        };
        assert!(!reading.label().is_empty());
        if reading == PairReading::OneSequence {
            let read = ingest::read::<1>(input.as_bytes(), options).unwrap();
            assert_eq!(read.histogram.entries(), [([30], 1), ([40], 1)]);
        } else {
            let read = ingest::read::<2>(input.as_bytes(), options).unwrap();
            assert_eq!(read.histogram.entries(), [([10, 20], 1), ([10, 30], 1)]);
        }
    }
    let spaced = PromptAndResponse::of(&["Request tokens", "Response tokens"]).unwrap();
    assert_eq!(
        spaced.columns(PairReading::OneSequence),
        [Column::from("`Request tokens` + `Response tokens`")]
    );
    assert_eq!(PromptAndResponse::of(&["src_tokens", "tgt_tokens"]), None);
    assert_eq!(PromptAndResponse::of(&["prompt_tokens", "id"]), None);
}

#[test]
fn files_of_a_tokenizer_are_told_apart() {
    for (name, text, want) in [
        ("tokenizer.json", "{", Some(TokenizerFile::Tokenizer)),
        (
            "x/tokenizer_config.json",
            "{\"bos_token\": \"<s>\", \"chat_template\": \"{{ x }}\"}",
            Some(TokenizerFile::Config),
        ),
        (
            "any.json",
            "{\"tokenizer_class\": \"X\", \"model_max_length\": 9}",
            Some(TokenizerFile::Config),
        ),
        (
            "chat_template.jinja",
            "{% for m in messages %}",
            Some(TokenizerFile::Template),
        ),
        (
            "template.txt",
            "{%- if x -%}",
            Some(TokenizerFile::Template),
        ),
        (
            "special_tokens_map.json",
            "{\"eos_token\": \"</s>\"}",
            Some(TokenizerFile::SpecialTokens),
        ),
        (
            "config.json",
            "{\"architectures\": [\"X\"]}",
            Some(TokenizerFile::ModelConfig),
        ),
        ("data.json", "{\"length\": 5}", None),
        (
            "data.jsonl",
            "{\"eos_token\": \"a\", \"n\": 3}\n{\"eos_token\": \"b\", \"n\": 4}\n",
            None,
        ),
    ] {
        let found = TokenizerFile::of(name, text.as_bytes());
        assert_eq!(found, want, "{name}");
        let has = found.is_some_and(TokenizerFile::may_have_template);
        assert_eq!(
            has,
            matches!(want, Some(TokenizerFile::Config | TokenizerFile::Template))
        );
    }
}
