//! Errors for files that are no `tokenizer.json`; formats that are recognised are named.

use crate::ingest::TokenizerFile;
use packscope_core::error::Error;
use serde_json::{Map, Value};

/// Returns the error for a file that is not a valid `tokenizer.json`.
pub(super) fn refused(bytes: &[u8], why: &str) -> Error {
    let found = match serde_json::from_slice::<Value>(bytes) {
        // A "model" says that it is a tokenizer.json, which the library refused for another reason.
        Ok(Value::Object(object)) if object.contains_key("model") => {
            return unusable(why);
        }
        Ok(Value::Object(object)) => of_object(&object),
        Ok(_) => "this is JSON, but not the object of a tokenizer".to_owned(),
        Err(error) if bytes.trim_ascii_start().starts_with(b"{") => {
            format!("this is damaged JSON ({error})")
        }
        Err(_) => of_text(bytes).to_owned(),
    };
    expected(&found)
}

/// Returns the error for a `tokenizer.json` that the library does not take.
pub(super) fn unusable(why: &str) -> Error {
    expected(&format!("the tokenizer in it cannot be read ({why})"))
}

fn expected(found: &str) -> Error {
    Error::Input {
        place: "the tokenizer".to_owned(),
        message: format!(
            "{found}; expected the tokenizer.json of a fast tokenizer of Hugging Face, which \
             AutoTokenizer.from_pretrained(…).save_pretrained(…) writes"
        ),
    }
}

fn of_object(object: &Map<String, Value>) -> String {
    let keys: Vec<&str> = object.keys().map(String::as_str).collect();
    match TokenizerFile::of_keys(&keys) {
        Some(file) => format!("this is {}", file.words()),
        None if object.len() > 1 && object.values().all(Value::is_u64) => {
            "this is a vocab.json, the vocabulary alone of a slow tokenizer".to_owned()
        }
        None => "this JSON object has no \"model\"".to_owned(),
    }
}

fn of_text(bytes: &[u8]) -> &'static str {
    let head = &bytes[..bytes.len().min(4096)];
    let has = |text: &[u8]| head.windows(text.len()).any(|window| window == text);
    // 1,024 bytes may end within a character; then the first line is unknown.
    let text = std::str::from_utf8(bytes.get(..bytes.len().min(1024)).unwrap_or(bytes));
    let first = text.unwrap_or_default().lines().next().unwrap_or_default();
    // Each line of tiktoken is a token in base64, mostly padded, and its rank.
    let is_rank = first
        .split_once(' ')
        .is_some_and(|(token, rank)| token.ends_with('=') && rank.parse::<u32>().is_ok());
    if bytes.starts_with(b"\x0a") && has(b"<unk>") {
        "this is a SentencePiece model (tokenizer.model or spiece.model) of a slow tokenizer"
    } else if bytes.starts_with(b"#version") {
        "this is a merges.txt, a part of a slow tokenizer"
    } else if is_rank {
        "this is a vocabulary of tiktoken"
    } else if has(b"[UNK]\n") || has(b"[PAD]\n") || has(b"[UNK]\r\n") {
        "this is a vocab.txt, the vocabulary alone of a slow tokenizer"
    } else if bytes.starts_with(b"PK\x03\x04") {
        "this is a ZIP archive"
    } else if bytes.is_empty() {
        "the file is empty"
    } else {
        "this is no JSON"
    }
}
