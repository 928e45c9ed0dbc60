//! Conversations have as many tokens as `apply_chat_template` of transformers gives, under the template of every family in
//! `tests/data/chats`. This file is compiled for the browser, where the page counts with the same code, and natively.

use crate::tokens::{Chat, CountOptions, Counter, RecordWriter, SpecialTokens, Tokenizer};
use serde_json::Value;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const TOKENIZER: &[u8] = include_bytes!("../data/chats/tokenizer.json");
const GOLDEN: &str = include_str!("../data/chats/golden.json");

/// Counts conversations as the worker of the page does, with the files of a tokenizer.
fn counted(tokenizer: &Tokenizer, config: &Value, chats: &[Value]) -> Vec<u64> {
    let chat = Chat::load(Some(config.to_string().as_bytes()), None)
        .unwrap()
        .unwrap();
    let write = |record: &[u8]| chat.render(record);
    let writer = RecordWriter {
        words: "conversations",
        specials: SpecialTokens::Written,
        write: &write,
    };
    let options = CountOptions::from_name("chats.jsonl");
    let mut lengths = Vec::new();
    let mut counter = Counter::new(tokenizer, "tokenizer.json", &options)
        .telling(|length| lengths.push(u64::from(length)))
        .writing(Some(&writer));
    for messages in chats {
        let record = serde_json::json!({ "messages": messages });
        counter.push(format!("{record}\n").as_bytes()).unwrap();
    }
    counter.finish().unwrap();
    lengths
}

#[test]
fn conversations_of_every_family_have_the_tokens_of_transformers() {
    let golden: Value = serde_json::from_str(GOLDEN).unwrap();
    let tokenizer = Tokenizer::load(TOKENIZER).unwrap();
    let chats = golden["conversations"].as_array().unwrap();
    let families = golden["families"].as_object().unwrap();
    assert!(families.len() >= 6 && chats.len() >= 40);
    for (name, family) in families {
        let want: Vec<u64> = serde_json::from_value(family["tokens"].clone()).unwrap();
        assert_eq!(
            counted(&tokenizer, &family["config"], chats),
            want,
            "{name}"
        );
    }
}
