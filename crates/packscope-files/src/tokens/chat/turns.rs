//! The parts of a conversation that bear loss: what the model writes, by the marks of its chat template where it has them,
//! else by rendering the conversation up to each turn.

use super::{Chat, Conversation, RenderResult, Writing, conversation, get};
use minijinja::Value;
use packscope_core::error::{Error, Result};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The filter that stands for `{% generation %}`.
pub(super) const MARK: &str = "packscope_generation";
/// What the tags of `{% generation %}` become.
pub(super) const MARKED_BLOCK: [&str; 2] = ["filter packscope_generation", "endfilter"];
/// The marks, which are no characters of texts: Unicode sets them apart for such use.
const MARKS: [char; 2] = ['\u{fdd0}', '\u{fdd1}'];

/// Returns the name of a template that marks what the model writes.
pub(super) fn marked(kind: &str) -> String {
    format!("{kind} with marks")
}

/// Puts marks around what the model writes.
#[allow(clippy::needless_pass_by_value, reason = "a filter of the engine")]
pub(super) fn mark(text: String) -> RenderResult<String> {
    let [opens, closes] = MARKS;
    Ok(format!("{opens}{text}{closes}"))
}

/// Whose turns of a conversation bear loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roles {
    /// The roles, such as `assistant`.
    pub names: Vec<String>,
    /// Whether only the last of their turns does: LLaMA-Factory's `mask_history`, ms-swift's `last_round`.
    pub last: bool,
    /// Whether a turn ends with its end token, as axolotl's does, and what the template writes after it bears no loss.
    pub to_end_token: bool,
}

/// The role of the model.
const ASSISTANT: &str = "assistant";

impl Default for Roles {
    fn default() -> Self {
        Self {
            names: vec![ASSISTANT.to_owned()],
            last: false,
            to_end_token: false,
        }
    }
}

impl Roles {
    /// Whether the turns of the model bear loss, and no others.
    fn are_usual(&self) -> bool {
        self.names == [ASSISTANT]
    }

    /// Whether a message bears loss. A message may be left out by itself: `weight: 0` (OpenAI), `train: false` (axolotl),
    /// `loss: false` (ms-swift).
    fn include(&self, message: &Value) -> bool {
        let role = get(message, "role");
        let is_named = role
            .as_str()
            .is_some_and(|role| self.names.iter().any(|name| name == role));
        let is_off = |name: &str| {
            let value = get(message, name);
            !value.is_undefined() && !value.is_none() && !value.is_true()
        };
        is_named
            && !["weight", "train", "training", "loss"]
                .into_iter()
                .any(is_off)
    }
}

impl fmt::Display for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.join(","))
    }
}

impl FromStr for Roles {
    type Err = Error;

    /// Reads names of roles with commas between them.
    fn from_str(text: &str) -> Result<Self> {
        let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        match names.iter().all(|name| !name.is_empty()) {
            true => Ok(Self {
                names,
                ..Self::default()
            }),
            false => Err(Error::Setting {
                what: "list of roles",
                given: format!("{text:?}"),
                expected: "roles of messages with commas between them, such as assistant or assistant,tool",
            }),
        }
    }
}

/// The text of a record with what bears loss in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SupervisedText {
    /// Parts of the text, in characters.
    Spans {
        /// The whole text.
        text: String,
        /// The parts, in order.
        spans: Vec<Range<usize>>,
    },
    /// All tokens of the text that come after those that it has in common with its prompt.
    After {
        /// The text of the prompt.
        prompt: String,
        /// The whole text.
        text: String,
    },
}

impl Chat {
    /// Whether the template marks what the model writes, by `{% generation %}`.
    pub fn marks_turns(&self) -> bool {
        self.marks
    }

    /// Returns the text of a conversation, from the JSON of its record, with what bears loss: of a `prompt` and a
    /// `completion` the completion; else, where the template has `{% generation %}`, what is in it; else what the template
    /// writes for each turn of these roles beyond the prompt for it.
    ///
    /// # Errors
    /// The reason why the record is not a conversation, the exception that the template raises, or a turn that the template
    /// writes in another way once others follow.
    pub fn supervised(
        &self,
        record: &[u8],
        roles: &Roles,
    ) -> std::result::Result<SupervisedText, String> {
        let Conversation {
            messages,
            tools,
            prompts,
        } = conversation(record)?;
        let write = |messages: &[Value], writing| {
            self.write(messages.to_vec(), &tools, record.len(), writing)
        };
        let asking = Writing {
            prompts: true,
            ..Writing::default()
        };
        if let Some(prompts) = prompts.filter(|_| roles.are_usual()) {
            return Ok(SupervisedText::After {
                prompt: write(&messages[..prompts], asking)?,
                text: write(&messages, Writing::default())?,
            });
        }
        if self.marks && roles.are_usual() {
            let marking = Writing {
                marked: true,
                ..Writing::default()
            };
            let (text, mut spans) = without_marks(&write(&messages, marking)?)?;
            // Turns that are left out by themselves, where the template has marked each.
            let turns = messages
                .iter()
                .filter(|m| get(m, "role").as_str() == Some(ASSISTANT));
            let turns: Vec<&Value> = turns.collect();
            if turns.len() == spans.len() {
                let mut turns = turns.iter();
                spans.retain(|_| turns.next().is_some_and(|turn| roles.include(turn)));
            }
            let spans = chosen(spans, roles);
            return Ok(SupervisedText::Spans { text, spans });
        }
        let text = write(&messages, Writing::default())?;
        let mut spans = Vec::new();
        for (at, message) in messages
            .iter()
            .enumerate()
            .filter(|(_, m)| roles.include(m))
        {
            let is_model = get(message, "role").as_str() == Some(ASSISTANT);
            let before = match write(
                &messages[..at],
                if is_model { asking } else { Writing::default() },
            ) {
                Ok(before) => before,
                // A template may want at least a message; before the first one, it has written nothing.
                Err(_) if at == 0 => String::new(),
                Err(why) => return Err(why),
            };
            let through = match at + 1 == messages.len() {
                true => text.clone(),
                false => write(&messages[..=at], Writing::default())?,
            };
            let [start, end] = [&before, &through].map(|prefix| common(&text, prefix));
            // What asks for the answer may be written in another way than the answer begins; what ends a turn may not.
            if end < through.trim_end().len() || start > end {
                return Err(format!(
                    "the chat template writes turn {} in another way once others follow; expected a template with \
                     {{% generation %}}, such as the training templates of TRL",
                    at + 1
                ));
            }
            let end = match self.special("eos_token").filter(|_| roles.to_end_token) {
                Some(token) => text[..end]
                    .rfind(token)
                    .filter(|at| *at >= start)
                    .map_or(end, |at| at + token.len()),
                None => end,
            };
            if start < end {
                spans.push(start..end);
            }
        }
        let spans = in_characters(&text, &chosen(spans, roles));
        Ok(SupervisedText::Spans { text, spans })
    }
}

/// Returns the spans that are chosen: all, or the last.
fn chosen(mut spans: Vec<Range<usize>>, roles: &Roles) -> Vec<Range<usize>> {
    if roles.last {
        spans.drain(..spans.len().saturating_sub(1));
    }
    spans
}

/// Returns the number of bytes at the beginning that a text has in common with another one, in whole characters.
fn common(text: &str, other: &str) -> usize {
    let same = text.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

/// Returns spans of bytes, in order, in characters.
fn in_characters(text: &str, spans: &[Range<usize>]) -> Vec<Range<usize>> {
    let (mut at, mut characters) = (0, 0);
    let mut place = |byte: usize| {
        characters += text[at..byte].chars().count();
        at = byte;
        characters
    };
    spans
        .iter()
        .map(|span| place(span.start)..place(span.end))
        .collect()
}

/// Returns a text without its marks, and what stood between them, in characters.
fn without_marks(marked: &str) -> std::result::Result<(String, Vec<Range<usize>>), String> {
    let (mut text, mut spans, mut open, mut at) = (String::new(), Vec::new(), None, 0);
    for c in marked.chars() {
        if c == MARKS[0] && open.is_none() {
            open = Some(at);
        } else if let (true, Some(start)) = (c == MARKS[1], open) {
            if start < at {
                spans.push(start..at);
            }
            open = None;
        } else if MARKS.contains(&c) {
            return Err("it holds characters that Unicode sets apart for programs".to_owned());
        } else {
            text.push(c);
            at += 1;
        }
    }
    Ok((text, spans))
}
