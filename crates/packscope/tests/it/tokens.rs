//! Tokens of texts, counted as Python's `tokenizers` counts them, record by record.

use packscope::api::{Settings, run_on};
use packscope::error::{Error, Result};
use packscope::export::{self, Document, Form};
use packscope::histogram::Histogram;
use packscope::ingest::{Delimiter, Format, Ingested, Note, RecordVisitor};
use packscope::packing::go_on;
use packscope::tokens::{self, CountOptions, Counter, Template, TextMeasure, Tokenizer};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::Write;
use std::ops::ControlFlow;
use std::rc::Rc;

const FAMILIES: [&str; 3] = ["wordpiece", "byte-bpe", "unigram"];

fn data(name: &str) -> Vec<u8> {
    let path = format!(
        "{}/tests/data/tokens/{name}",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../..")
    );
    std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn tokenizer(family: &str) -> Tokenizer {
    Tokenizer::load(&data(&format!("{family}.json"))).unwrap()
}

fn golden() -> Value {
    serde_json::from_slice(&data("golden.json")).unwrap()
}

fn with(text: &str, pair: Option<&str>, special: bool) -> CountOptions {
    CountOptions {
        template: Some(Template::parse(text, pair).unwrap()),
        special,
        ..CountOptions::default()
    }
}

/// Lengths in the order of the input, and what they add up to.
fn lengths(
    bytes: &[u8],
    tokenizer: &Tokenizer,
    options: &CountOptions,
) -> Result<(Vec<u32>, Ingested)> {
    let told = Rc::new(RefCell::new(Vec::new()));
    let to = Rc::clone(&told);
    let counter = Counter::new(tokenizer, "tokenizer.json", options);
    let counter = counter.telling(move |length| to.borrow_mut().push(length));
    let read = tokens::count(&bytes, counter, &mut |_, _, _| ControlFlow::Continue(()))?;
    Ok((Rc::unwrap_or_clone(told).into_inner(), read))
}

fn all(bytes: &[u8], options: &CountOptions) -> Result<(Vec<u32>, Ingested)> {
    lengths(bytes, &tokenizer("wordpiece"), options)
}

/// Words of the templates of a pair.
type Pair = Option<(&'static str, &'static str)>;

/// What a template counts in each dataset: a text, and a pair where there are two fields.
const DATASETS: [(&str, &str, Pair); 4] = [
    ("verses.txt", "{}", None),
    (
        "devil.jsonl",
        "{term}\\n{definition}",
        Some(("{term}", "{definition}")),
    ),
    (
        "jargon.csv",
        "{term}: {definition}",
        Some(("{term}", "{definition}")),
    ),
    ("odd.jsonl", "{text}", Some(("{text}", "{text}"))),
];

#[test]
fn every_record_has_as_many_tokens_as_in_python() {
    let golden = golden();
    let mut compared = 0;
    for family in FAMILIES {
        let tokenizer = tokenizer(family);
        for (name, text, pair) in DATASETS {
            let bytes = data(name);
            let cases = [("plain", false), ("special", true)];
            let single = cases.map(|(kind, special)| (kind.to_owned(), text, None, special));
            let pairs = pair.map(|(a, b)| {
                cases.map(|(kind, special)| (format!("pair_{kind}"), a, Some(b), special))
            });
            for (kind, text, pair, special) in single.into_iter().chain(pairs.into_iter().flatten())
            {
                let want: Vec<u32> =
                    serde_json::from_value(golden["counts"][name][family][&kind].clone()).unwrap();
                let options = with(text, pair, special);
                let (found, read) = lengths(&bytes, &tokenizer, &options).unwrap();
                // What has no tokens is no sequence, and skipped with its reason; its place in the order stays.
                let kept: Vec<u32> = want.iter().copied().filter(|n| *n > 0).collect();
                let differ = found.iter().zip(&want).position(|(a, b)| a != b);
                assert_eq!(differ, None, "{name}, {family}, {kind}: {found:?} {want:?}");
                assert_eq!(found.len(), want.len(), "{name}, {family}, {kind}");
                assert_eq!(
                    read.description.skipped as usize,
                    want.len() - kept.len(),
                    "{name}, {family}, {kind}"
                );
                assert_eq!(
                    read.histogram.total()[0],
                    kept.iter().map(|n| u64::from(*n)).sum::<u64>()
                );
                compared += found.len();
            }
        }
    }
    assert!(compared > 8_000, "{compared}");
}

#[test]
fn the_beginning_is_looked_at_before_anything_is_counted() {
    let bert = tokenizer("wordpiece");
    let looked = |name: &str| {
        let bytes = data(name);
        tokens::look(
            &bytes.as_slice(),
            &bert,
            (
                &CountOptions {
                    template: None,
                    ..CountOptions::from_name(name)
                },
                None,
            ),
        )
        .unwrap()
    };
    let verses = looked("verses.txt");
    assert_eq!(
        (verses.format, verses.fields.len(), verses.header),
        (Format::Text, 1, None)
    );
    assert_eq!(verses.template, Template::whole());
    let golden = golden();
    let first = |name: &str| {
        golden["counts"][name]["wordpiece"]["special"][0]
            .as_u64()
            .unwrap()
    };
    let preview = verses.preview.unwrap();
    assert_eq!(
        (preview.tokens, preview.pieces.len() as u64),
        (first("verses.txt"), first("verses.txt"))
    );
    assert_eq!(preview.pieces[..4], ["[CLS]", "The", "words", "of"]);
    assert_eq!(preview.pieces.last().unwrap(), "[SEP]");
    let devil = looked("devil.jsonl");
    let names: Vec<&str> = devil.fields.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(
        (devil.format, names),
        (Format::JsonLines, vec!["term", "part", "definition"])
    );
    assert_eq!(devil.template.words(), ["{term}\\n{part}\\n{definition}"]);
    let jargon = looked("jargon.csv");
    assert_eq!(
        (jargon.format, jargon.delimiter, jargon.header),
        (Format::Table, Some(Delimiter::Comma), Some(true))
    );
    assert_eq!(jargon.fields[0].name, "term");
    // Lengths are no texts.
    let numbers = tokens::look(
        &b"length,count\n3,4\n5,6\n".as_slice(),
        &bert,
        (&CountOptions::default(), None),
    )
    .unwrap();
    assert!(!numbers.is_text());
    let numbers = tokens::look(
        &b"3\n4\n".as_slice(),
        &bert,
        (&CountOptions::default(), None),
    )
    .unwrap();
    assert!(!numbers.is_text());
}

#[test]
fn the_usual_fields_are_the_ones_meant() {
    let bert = tokenizer("wordpiece");
    let cases = [
        (
            r#"{"id": "x", "messages": [{"role": "user", "content": "Hi"}, {"role": "a", "content": "Ho"}]}"#,
            "{messages[].content}",
        ),
        (r#"{"url": "b", "title": "c", "text": "a"}"#, "{text}"),
        (
            r#"{"id": "1", "question": "a b", "answer": {"value": "c"}}"#,
            "{question}\\n{answer.value}",
        ),
        (r#"{"n": 1, "title": "a b"}"#, "{title}"),
        (r#""a string""#, "{}"),
    ];
    for (record, want) in cases {
        let text = format!("{record}\n{record}\n");
        let looked =
            tokens::look(&text.as_bytes(), &bert, (&CountOptions::default(), None)).unwrap();
        assert_eq!(looked.template.words(), [want], "{record}");
        assert_eq!(
            looked.are_conversations(),
            want.contains("messages"),
            "{record}"
        );
    }
}

/// Each text in a line of its own is counted, so that lengths say what the template made of a record.
#[test]
fn templates_reach_into_records() {
    let record = r#"{"a": "one", "n": 5, "t": true, "z": null, "b": {"c": "two three", "d.e": "four"},
        "m": [{"role": "x", "content": "five six"}, {"role": "y", "content": null}, {"content": "seven"}],
        "l": ["eight", "nine ten"]}"#;
    let record = record.replace('\n', "");
    let cases = [
        ("{a}", "one"),
        ("{n} {t}{z}", "5 true"),
        ("{b.c} {b.d.e}", "two three four"),
        ("{m[].content}", "five six\nseven"),
        ("{l[]}", "eight\nnine ten"),
        ("<{a}|{{}}\\t>", "<one|{}\t>"),
    ];
    let gpt = tokenizer("byte-bpe");
    for (template, want) in cases {
        let (found, _) = lengths(record.as_bytes(), &gpt, &with(template, None, false)).unwrap();
        let direct = gpt.count(want, None, false).unwrap();
        assert_eq!(found, [u32::try_from(direct).unwrap()], "{template}");
    }
}

#[test]
fn what_cannot_be_counted_is_told_with_its_place() {
    let cases: [(&str, CountOptions, &str); 9] = [
        (
            "{\"a\":\"x\"}\n{\"b\":\"y\"}\n",
            with("{a}", None, true),
            "line 2, column 1: there is no field \"a\"; found: b",
        ),
        (
            "{\"a\":\"x\"}\n{\"a\":[1]}\n",
            with("{a}", None, true),
            "line 2, column 1: \"[1]\" in the field \"a\" is no text",
        ),
        (
            "{\"a\":\"x\"}\n{\"a\":\"\\ud800\"}\n",
            with("{a}", None, true),
            "line 2, column 1: \"{\"a\":\"\\ud800\"}\" is not valid JSON",
        ),
        (
            "{\"a\":\"x\"}\n{\"a\":\"\"}\n",
            with("{a}", None, false),
            "line 2, column 1: the text has no tokens",
        ),
        (
            "[{\"a\":\"x\"},\n {\"a\":\"y\"},,{\"a\":\"z\"}]",
            with("{a}", None, true),
            "line 2, column 12: \"\" is not valid JSON",
        ),
        (
            "a,b\nx,y\nz\n",
            with("{b}", None, true),
            "line 3, column 1: the row ends before the column \"b\": \"z\"",
        ),
        (
            "a,b\nx,y\n\"z,y\n",
            with("{b}", None, true),
            "line 3, column 1: the quote before \"z,y\" is never closed",
        ),
        (
            "[{\"a\":\"x\"},\n{\"a\":\"y",
            with("{a}", None, true),
            "line 2, column 1: the input ends inside",
        ),
        (
            "{\"a\":\"x\"}\n{\"a\":{\"b\":\"y\"}}\n",
            with("{a}", None, true),
            "\"{\"b\":\"y\"}\" in the field \"a\" is no text",
        ),
    ];
    for (text, options, want) in cases {
        let (_, read) = all(text.as_bytes(), &options).unwrap_or_else(|e| panic!("{text}: {e}"));
        let problems: Vec<String> = read
            .description
            .problems
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(
            problems.len() == 1 && problems[0].contains(want),
            "{text}: {problems:?}"
        );
    }
    let text = b"fine\n\xff\xfe broken\n\n   \nfine\n";
    let (found, read) = all(
        text,
        &CountOptions {
            format: Some(Format::Text),
            ..CountOptions::default()
        },
    )
    .unwrap();
    assert_eq!(
        (
            found.len(),
            read.description.skipped,
            read.description.records
        ),
        (3, 1, 3)
    );
    assert!(
        read.description.problems[0]
            .to_string()
            .starts_with("line 2, column 1: \"\u{fffd}\u{fffd} broken\" is not UTF-8")
    );
}

#[test]
fn what_cannot_be_read_at_all_is_refused() {
    let refused =
        |bytes: &[u8], options: &CountOptions| all(bytes, options).unwrap_err().to_string();
    let none = CountOptions::default();
    assert!(refused(b"", &none).contains("it is empty"));
    assert!(refused(b"PAR1....", &none).contains("this is a Parquet file"));
    let missing = refused(b"a,b\nx,y\n", &with("{c}", None, true));
    assert_eq!(
        missing,
        "line 1: there is no column \"c\"; the columns are: a, b"
    );
    assert!(
        refused(b"{\"a\":\"x\"}\n", &with("{b}", None, true))
            .contains("there is no field \"b\"; found: a")
    );
    assert!(refused(&[0x1f, 0x8b, 8, 0, 1, 2], &none).contains("packed data end too early"));
}

#[test]
fn files_of_other_tokenizers_are_called_by_their_names() {
    let refused = |bytes: &[u8]| Tokenizer::load(bytes).unwrap_err().to_string();
    let cases: [(&[u8], &str); 12] = [
        (
            b"\x0a\x0e\x0a\x05<unk>\x15\0\0\0\0",
            "this is a SentencePiece model (tokenizer.model",
        ),
        (b"#version: 0.2\n\xc4\xa0 t\n", "this is a merges.txt"),
        (b"[PAD]\n[unused0]\n", "this is a vocab.txt"),
        (b"IQ== 0\nIg== 1\n", "this is a vocabulary of tiktoken"),
        (b"{\"a\": 0, \"b\": 1}", "this is a vocab.json"),
        (
            b"{\"tokenizer_class\": \"BertTokenizer\", \"unk_token\": \"[UNK]\"}",
            "this is a tokenizer_config.json",
        ),
        (
            b"{\"unk_token\": \"[UNK]\"}",
            "this is a special_tokens_map.json",
        ),
        (
            b"{\"architectures\": [], \"model_type\": \"bert\"}",
            "this is the config.json of a model",
        ),
        (
            b"{\"model\": {\"type\": \"Other\"}}",
            "the tokenizer in it cannot be read",
        ),
        (
            b"{\"version\": \"1.0\", \"model\": {",
            "this is damaged JSON",
        ),
        (b"[1, 2]", "this is JSON, but not the object of a tokenizer"),
        (b"", "the file is empty"),
    ];
    for (bytes, want) in cases {
        let error = refused(bytes);
        assert!(
            error.contains(want) && error.contains("expected the tokenizer.json"),
            "{error}"
        );
    }
    for family in FAMILIES {
        assert!(tokens::is_tokenizer(
            "any.json",
            &data(&format!("{family}.json"))[..4096]
        ));
    }
    assert!(!tokens::is_tokenizer(
        "devil.jsonl",
        &data("devil.jsonl")[..4096]
    ));
    assert!(!tokens::is_tokenizer("x.json", b"[{\"model\": 1}]"));
}

/// Files as anyone may publish them: each would panic, take gigabytes, or never end.
#[test]
fn tokenizers_that_would_never_end_are_refused() {
    let wordpiece: Value = serde_json::from_slice(&data("wordpiece.json")).unwrap();
    let with = |part: &str, value: Value| {
        let mut file = wordpiece.clone();
        file[part] = value;
        file.to_string()
    };
    let charsmap = |map: &str| {
        with(
            "normalizer",
            json!({ "type": "Precompiled", "precompiled_charsmap": map }),
        )
    };
    let replace =
        json!({ "type": "Replace", "pattern": { "String": "a" }, "content": "aaaaaaaaaa" });
    let nothing = json!({ "type": "Replace", "pattern": { "Regex": "" }, "content": "a" });
    let prepend = json!({ "type": "Prepend", "prepend": "a".repeat(10_000) });
    let list =
        |of: &Value, n: usize| json!({ "type": "Sequence", "normalizers": vec![of.clone(); n] });
    let bytes = json!({ "type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true });
    let mut ids = wordpiece["post_processor"].clone();
    ids["special_tokens"]["[CLS]"]["ids"] = json!(vec![2; 100_000]);
    ids["special_tokens"]["[CLS]"]["tokens"] = json!(vec!["[CLS]"; 100_000]);
    let mut parts = wordpiece["post_processor"].clone();
    parts["single"] = json!(vec![
        json!({ "Sequence": { "id": "A", "type_id": 0 } });
        100_000
    ]);
    let mut word = wordpiece["model"].clone();
    word["max_input_chars_per_word"] = json!(1_000_000_000_000_000_000_u64);
    let mut prefix = wordpiece["model"].clone();
    prefix["continuing_subword_prefix"] = json!("#".repeat(100_000));
    // A trie of 256 places whose first names a place, or a text, that is not there.
    let trie = |first: u32, other: u32, texts: &[u8]| {
        let units = std::iter::once(first).chain(std::iter::repeat_n(other, 255));
        let length = 1024_u32.to_le_bytes().to_vec();
        [
            length,
            units.flat_map(u32::to_le_bytes).collect(),
            texts.to_vec(),
        ]
        .concat()
    };
    let encoded = |bytes: &[u8]| {
        use base64::Engine;
        base64::engine::general_purpose::STANDARD.encode(bytes)
    };
    let cases = [
        (charsmap("AAAAAAAA"), "precompiled_charsmap is damaged"),
        (charsmap("/////w=="), "precompiled_charsmap is damaged"),
        (charsmap(""), "precompiled_charsmap is empty"),
        (charsmap("a b"), "precompiled_charsmap is no base64"),
        (
            charsmap(&encoded(&trie(1 << 31, 0, b""))),
            "precompiled_charsmap is damaged",
        ),
        // The byte 1 leads to a leaf, whose text is not there.
        (
            charsmap(&encoded(&trie(0, 0x101, b""))),
            "names texts that it does not have",
        ),
        (
            charsmap(&encoded(&trie(0, 0x101, "é".as_bytes()))),
            "names texts that it does not have",
        ),
        (
            charsmap(&encoded(&trie(0, 0x101, &[b'a'; 2000]))),
            "replaces a character by more than 256 bytes",
        ),
        (
            with("normalizer", list(&replace, 8)),
            "may make a text 100000000 times as long",
        ),
        (with("normalizer", list(&nothing, 40)), "times as long"),
        (with("normalizer", list(&prepend, 200)), "times as long"),
        (
            with(
                "pre_tokenizer",
                json!({ "type": "Sequence", "pretokenizers": vec![bytes; 40] }),
            ),
            "times as long",
        ),
        (
            with("normalizer", list(&json!({ "type": "NFC" }), 1000)),
            "1003 steps",
        ),
        (with("post_processor", ids), "100000 ids"),
        (with("post_processor", parts), "100000 parts"),
        (
            with("model", word),
            "max_input_chars_per_word is 1000000000000000000",
        ),
        (
            with("model", prefix),
            "continuing_subword_prefix has 100000 bytes",
        ),
    ];
    for (file, want) in cases {
        let error = Tokenizer::load(file.as_bytes()).unwrap_err().to_string();
        assert!(
            error.contains(want) && error.contains("the tokenizer in it cannot be read"),
            "{want}: {error}"
        );
    }
    // What replaces a text of its own length, and a table of no characters, are as the library reads them.
    assert!(Tokenizer::load(charsmap(&encoded(&trie(0, 0, b"\0"))).as_bytes()).is_ok());
    let same = json!({ "type": "Replace", "pattern": { "String": "ab" }, "content": "cd" });
    assert!(Tokenizer::load(with("normalizer", list(&same, 30)).as_bytes()).is_ok());
}

/// The library takes the file and fails later: its own reason is told, since the JSON is whole.
#[test]
fn tokenizers_without_their_own_tokens_are_refused_with_the_reason() {
    let model =
        |model: Value| json!({ "version": "1.0", "added_tokens": [], "model": model }).to_string();
    let cases = [
        model(
            json!({ "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": { "z": 0 } }),
        ),
        model(json!({ "type": "BPE", "unk_token": "<unk>", "vocab": { "z": 0 }, "merges": [] })),
        model(json!({ "type": "Unigram", "unk_id": null, "vocab": [] })),
    ];
    for file in cases {
        let error = Tokenizer::load(file.as_bytes()).unwrap_err().to_string();
        assert!(
            error.contains("the tokenizer in it cannot be read (") && !error.contains("EOF"),
            "{error}"
        );
    }
}

#[test]
fn the_description_says_what_was_counted() {
    let tokenizer = tokenizer("wordpiece");
    let about = tokenizer.about();
    assert_eq!(
        (
            about.model.as_str(),
            about.vocabulary,
            about.added,
            about.added_to_pair
        ),
        ("WordPiece", 4000, 2, 3)
    );
    assert_eq!(about.switched_off, ["truncation to 128 tokens", "padding"]);
    let options = with("{term}", Some("{definition}"), true);
    let (found, read) = lengths(&data("devil.jsonl"), &tokenizer, &options).unwrap();
    assert!(*found.iter().max().unwrap() > 128);
    let notes: Vec<String> = read
        .description
        .notes
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        notes,
        [
            "tokens of {term} and, as its pair, {definition}, with special tokens, are counted by tokenizer.json \
         (WordPiece, vocabulary of 4,000)",
            "the tokenizer's file asks for truncation to 128 tokens and padding, which lengths are counted without",
        ]
    );
    assert!(
        read.description.sentence().starts_with("289 sequences, "),
        "{}",
        read.description.sentence()
    );
    assert!(read.description.sentence().contains(" tokens, mean "));
}

#[test]
fn samples_are_labelled() {
    let bert = tokenizer("wordpiece");
    let bytes = data("verses.txt").repeat(40);
    let options = CountOptions {
        sample: Some(7),
        ..CountOptions::default()
    };
    let (found, read) = lengths(&bytes, &bert, &options).unwrap();
    assert_eq!((found.len(), read.description.records), (7, 7));
    assert!(
        read.description
            .sentence()
            .ends_with("; a sample: the first 7 records"),
        "{}",
        read.description.sentence()
    );
    // Stopped by hand: what was counted is kept.
    let counter = Counter::new(&bert, "t", &CountOptions::default());
    let mut calls = 0;
    let read = tokens::count(&bytes.as_slice(), counter, &mut |done, of, counter| {
        calls += 1;
        assert!(done <= of && counter.counted().0 > 0);
        if calls == 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
    .unwrap();
    assert_eq!(calls, 2);
    let sample = read.description.notes.iter().find_map(|note| match note {
        Note::Sample { read, of } => Some((*read, *of)),
        _ => None,
    });
    assert_eq!(sample, Some((320 << 10, bytes.len() as u64)));
    assert!(read.histogram.items() > 1000);
}

#[test]
fn packed_and_cut_anywhere_it_is_the_same() {
    let bert = tokenizer("wordpiece");
    for (name, text, pair) in DATASETS.into_iter().take(3) {
        let options = with(pair.map_or(text, |p| p.0), pair.map(|p| p.1), true);
        let bytes = data(name);
        let (want, read) = lengths(&bytes, &bert, &options).unwrap();
        let half = bytes.len() / 2;
        let mut packed = Vec::new();
        // Two members, as `cat a.gz b.gz` makes them.
        for part in [&bytes[..half], &bytes[half..]] {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(part).unwrap();
            packed.extend(gzip.finish().unwrap());
        }
        let (found, unpacked) = lengths(&packed, &bert, &options).unwrap();
        assert_eq!((&found, &unpacked), (&want, &read), "{name}");
        let cut = lengths(&packed[..packed.len() - 9], &bert, &options);
        assert!(matches!(cut, Err(Error::Input { .. })), "{name}: {cut:?}");
        for size in [7, 1000, 65_537] {
            let mut counter = Counter::new(&bert, "tokenizer.json", &options);
            bytes
                .chunks(size)
                .for_each(|chunk| counter.push(chunk).unwrap());
            assert_eq!(
                counter.finish().unwrap(),
                read,
                "{name} in pieces of {size}"
            );
        }
    }
}

/// A template that has a text twice adds more than special tokens: such a length is no sum, and encoded as it is.
#[test]
fn templates_of_their_own_making_are_followed() {
    let mut file: Value = serde_json::from_slice(&data("wordpiece.json")).unwrap();
    let piece = |kind: &str, id: &str| json!({ kind: { "id": id, "type_id": 0 } });
    let twice = [
        piece("SpecialToken", "[CLS]"),
        piece("Sequence", "A"),
        piece("Sequence", "A"),
    ];
    file["post_processor"]["single"] = Value::from(twice.to_vec());
    let tokenizer = Tokenizer::load(file.to_string().as_bytes()).unwrap();
    let once = tokenizer.count("the old gate", Some(""), false).unwrap();
    assert_eq!(
        tokenizer.count("the old gate", None, true).unwrap(),
        2 * once + 1
    );
}

/// A small file that unpacks to gigabytes is looked at, and counted, in pieces.
#[test]
fn a_file_that_unpacks_to_far_more_is_read_in_pieces() {
    let bert = tokenizer("wordpiece");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let line = [b" ".repeat((1 << 20) - 1), b"\n".to_vec()].concat();
    for _ in 0..64 {
        gzip.write_all(&line).unwrap();
    }
    let packed = gzip.finish().unwrap();
    assert!(packed.len() < 1 << 20);
    let looked = tokens::look(&packed.as_slice(), &bert, (&CountOptions::default(), None));
    assert!(matches!(looked, Err(Error::Input { .. }) | Ok(_)));
    let counter = Counter::new(&bert, "t", &CountOptions::default());
    let mut calls = 0;
    let stop = tokens::count(&packed.as_slice(), counter, &mut |done, of, _| {
        calls += 1;
        assert!(done <= of);
        if calls == 9 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    // Nothing but blank lines was read until it was stopped.
    assert_eq!(calls, 9);
    assert!(stop.is_err());
}

#[test]
fn texts_are_assigned_as_their_lengths_are() {
    let (mut texts, tokenizer) = (data("odd.jsonl"), tokenizer("wordpiece"));
    texts.extend_from_slice(b"{\"text\": \"\"}\n{\"text\": \"the end\"}\n");
    let options = with("{text}", None, false);
    let (told, read) = lengths(&texts, &tokenizer, &options).unwrap();
    let settings = Settings {
        limit: read.histogram.max()[0],
        ..Settings::default()
    };
    let report = run_on(&read.histogram, &settings, u32::MAX, &mut go_on).unwrap();
    let mut plan = String::new();
    Document::of_sequences(&report, "odd.jsonl")
        .unwrap()
        .json(&mut |piece| plan += piece);
    let assigned = |items: &mut dyn FnMut(&mut RecordVisitor<'_>) -> Result<()>| {
        let mut out = Vec::new();
        let count = read.histogram.items();
        let done = export::assign(&plan, (Form::Csv, None, count), items, |piece| {
            out.extend_from_slice(piece)
        });
        (done.map(|done| done.items), String::from_utf8(out).unwrap())
    };
    let (items, csv) = assigned(&mut |each| {
        tokens::for_each_record(
            &&*texts,
            &tokenizer,
            (&options, None),
            &mut |_, _| ControlFlow::Continue(()),
            each,
        )
    });
    // Records without a token are no items.
    assert!(told.contains(&0));
    let kept: Vec<u32> = told.into_iter().filter(|length| *length > 0).collect();
    assert_eq!(items, Ok(kept.len() as u64));
    let by_lengths = assigned(&mut |each| {
        kept.iter().for_each(|length| each(&[*length], 1));
        Ok(())
    });
    assert_eq!((items, csv), by_lengths);
}

/// What a writer writes of a record is what is previewed, counted and assigned.
#[test]
fn records_are_previewed_counted_and_told_as_a_writer_writes_them() {
    let bert = tokenizer("wordpiece");
    let chats =
        b"{\"messages\":[{\"role\":\"user\",\"content\":\"the cat\"}]}\n{\"messages\":[{\"role\":\"user\",\"content\":\"cat\"}]}\n"
            .as_slice();
    let config = br#"{"chat_template": "{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %} the"}"#;
    let chat = tokens::Chat::load(Some(config), None).unwrap().unwrap();
    let write = |record: &[u8]| chat.render(record);
    let writer = tokens::RecordWriter {
        words: "conversations",
        specials: tokens::SpecialTokens::Written,
        write: &write,
    };
    let options = CountOptions::default();
    let looked = tokens::look(&chats, &bert, (&options, Some(&writer))).unwrap();
    assert!(looked.are_conversations());
    let preview = looked.preview.unwrap();
    let alone = |text: &str| bert.tokens_of(text, None, false).unwrap();
    assert_eq!(preview.tokens, alone("user: the cat the"));
    let counter = Counter::new(&bert, "", &options).writing(Some(&writer));
    let read = tokens::count(&chats, counter, &mut |_, _, _| ControlFlow::Continue(())).unwrap();
    let mut told = Vec::new();
    let mut each = |size: &[u32], times: u64| {
        told.push((size[0], times));
    };
    tokens::for_each_record(
        &chats,
        &bert,
        (&options, Some(&writer)),
        &mut |_, _| ControlFlow::Continue(()),
        &mut each,
    )
    .unwrap();
    let lengths: Vec<u32> = told.iter().map(|(length, _)| *length).collect();
    assert_eq!(
        lengths,
        [
            alone("user: the cat the") as u32,
            alone("user: cat the") as u32
        ]
    );
    assert_eq!(read.histogram, Histogram::from_lengths(told).unwrap());
}
