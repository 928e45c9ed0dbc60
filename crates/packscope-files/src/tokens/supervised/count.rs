//! Texts of prompts and conversations, counted with the tokenizer of a model.

use crate::tokens::{Chat, Roles, SupervisedText, Tokenizer};
use serde_json::Value;
use std::ops::Range;

/// Counts the tokens of a record, and those that bear loss, from its JSON: of a `prompt` and a `completion` in texts, those
/// after the prompt, with the end of a text that TRL adds; of conversations, as [`Chat::supervised`] says.
///
/// # Errors
/// The reason why the record has no such text, or the message of the chat template or the tokenizer.
pub fn count_text(
    tokenizer: &Tokenizer,
    chat: Option<&Chat>,
    roles: &Roles,
    record: &[u8],
) -> Result<(u64, Vec<Range<u32>>), String> {
    if let Some([prompt, completion]) = pair(record) {
        let end = chat
            .and_then(|chat| chat.special("eos_token"))
            .unwrap_or_default();
        let end = if completion.ends_with(end) { "" } else { end };
        return tokenizer.after(&prompt, &format!("{prompt}{completion}{end}"), true);
    }
    let Some(chat) = chat else {
        return Err("a conversation is counted as its chat template writes it, and there is none beside the tokenizer".to_owned());
    };
    match chat.supervised(record, roles)? {
        SupervisedText::Spans { text, spans } => tokenizer.spans(&text, &spans),
        SupervisedText::After { prompt, text } => tokenizer.after(&prompt, &text, false),
    }
}

/// Returns the prompt and the completion of a record that has both as texts.
fn pair(record: &[u8]) -> Option<[String; 2]> {
    let record: Value = serde_json::from_slice(record).ok()?;
    let text = |name: &str| record.get(name)?.as_str().map(str::to_owned);
    Some([text("prompt")?, text("completion")?])
}
