//! The keys of a configuration with their values, as flat paths: of YAML, of JSON, and of the options of a command.
//!
//! Of YAML this reads mappings of scalars by their indentation, which is all that settings are. Lists, block texts, flow
//! collections and anchors are passed over: none of them holds a setting that is taken. A crate for all of YAML would add
//! more than 100 KB to the page.

use packscope_core::error::{Error, Result};
use serde_json::Value;

/// A key by its path, such as `policy.sequence_packing.enabled`, with its value as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub path: String,
    pub value: String,
    /// The line of the key, from 1; `None` of JSON, whose objects are read as a whole.
    pub line: Option<u64>,
}

impl Entry {
    /// Returns its place for messages.
    pub fn place(&self) -> String {
        match self.line {
            Some(line) => format!("line {line}, {}", self.path),
            None => self.path.clone(),
        }
    }
}

/// The most keys that are read, and the most levels of mappings.
const MOST: usize = 10_000;
const DEEPEST: usize = 32;

/// Returns the keys of a configuration.
///
/// # Errors
/// With the line of what is no YAML, or the fault of damaged JSON.
pub(super) fn entries(text: &str) -> Result<Vec<Entry>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut found = Vec::new();
    if text.trim_start().starts_with('{') {
        let value: Value = serde_json::from_str(text).map_err(|error| Error::Input {
            place: format!("line {}, column {}", error.line(), error.column()),
            message: "this is damaged JSON; expected one object of settings".to_owned(),
        })?;
        of_object(&value, "", 0, &mut found);
    } else if is_command(text) {
        of_options(text, &mut found);
    } else {
        of_yaml(text, &mut found)?;
    }
    found.truncate(MOST);
    Ok(found)
}

fn of_object(value: &Value, path: &str, depth: usize, found: &mut Vec<Entry>) {
    let Value::Object(object) = value else {
        return;
    };
    for (key, value) in object {
        let path = joined(path, key);
        let text = match value {
            Value::Object(_) if depth < DEEPEST => {
                of_object(value, &path, depth + 1, found);
                continue;
            }
            Value::Object(_) | Value::Array(_) => continue,
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        found.push(Entry {
            value: plain(&text),
            path,
            line: None,
        });
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// Returns a value as the tables of settings write it: `true`, `false`, `none`, digits without marks between.
fn plain(value: &str) -> String {
    match value {
        "True" | "TRUE" | "yes" | "Yes" | "on" | "On" => "true".to_owned(),
        "False" | "FALSE" | "no" | "No" | "off" | "Off" => "false".to_owned(),
        "" | "null" | "Null" | "NULL" | "~" | "None" => "none".to_owned(),
        number if number.bytes().all(|b| b.is_ascii_digit() || b == b'_') => {
            number.replace('_', "")
        }
        other => other.to_owned(),
    }
}

fn of_yaml(text: &str, found: &mut Vec<Entry>) -> Result<()> {
    // The mappings that are open: their indentation, and their key.
    let mut open: Vec<(usize, String)> = Vec::new();
    // Lines that are indented more than this belong to a list or a block of text.
    let mut within: Option<usize> = None;
    let mut last: Option<usize> = None;
    for (line, at) in text.lines().zip(1..) {
        let body = line.trim_start_matches(' ');
        let indent = line.len() - body.len();
        let body = without_comment(body).trim_end();
        if body.is_empty() || body == "---" || body == "..." || body.starts_with('%') {
            continue;
        }
        if body.starts_with('\t') {
            return Err(fault(at, "a tab indents; YAML takes spaces"));
        }
        let is_item = body == "-" || body.starts_with("- ");
        if within.is_some_and(|outer| indent > outer || (is_item && indent == outer)) {
            continue;
        }
        within = is_item.then_some(indent);
        if is_item {
            continue;
        }
        let Some((key, value)) = pair(body) else {
            // A text may go on in lines that are indented more, and a flow collection ends as it began.
            if last.is_some_and(|last| indent > last) || matches!(body, "]" | "}" | "]," | "},") {
                continue;
            }
            return Err(fault(at, "this is no setting; expected `key: value`"));
        };
        last = Some(indent);
        open.retain(|(outer, _)| *outer < indent);
        if open.len() > DEEPEST {
            return Err(fault(at, "mappings are nested too deep"));
        }
        let path = open
            .iter()
            .map(|(_, key)| key.as_str())
            .chain([key.as_str()])
            .collect::<Vec<_>>()
            .join(".");
        match value.as_bytes().first() {
            None => open.push((indent, key)),
            Some(b'|' | b'>') => within = Some(indent),
            // Anchors, aliases, tags and flow collections hold no setting that is taken.
            Some(b'&' | b'*' | b'!' | b'[' | b'{') => {
                let has_block = value.starts_with('&') && !value.contains(' ');
                if has_block {
                    open.push((indent, key));
                } else {
                    within = Some(indent);
                }
            }
            Some(_) => found.push(Entry {
                path,
                value: unquoted(value),
                line: Some(at),
            }),
        }
        if found.len() > MOST {
            break;
        }
    }
    Ok(())
}

fn fault(line: u64, what: &str) -> Error {
    Error::Input {
        place: format!("line {line}"),
        message: what.to_owned(),
    }
}

/// Returns key and value of a line; the value is empty where a mapping follows.
fn pair(body: &str) -> Option<(String, &str)> {
    let (key, rest) = body.split_once(':')?;
    let is_value = rest.is_empty() || rest.starts_with(' ');
    let key = key.trim().trim_matches(['"', '\'']);
    (is_value && !key.is_empty() && key.len() < 200).then(|| (key.to_owned(), rest.trim()))
}

fn unquoted(value: &str) -> String {
    let quoted = ['"', '\''].iter().find_map(|quote| {
        value
            .strip_prefix(*quote)
            .and_then(|rest| rest.strip_suffix(*quote))
    });
    // A quoted "yes" is a text, but of the settings that are taken none is one.
    plain(quoted.unwrap_or(value))
}

/// Returns the line up to a comment, which begins with `#` after a space.
fn without_comment(body: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in body.char_indices() {
        match (quote, c) {
            (None, '#') if before.is_whitespace() => return &body[..at],
            (None, '"' | '\'') if before.is_whitespace() => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
        before = c;
    }
    body
}

/// Programs whose options are settings.
const PROGRAMS: [&str; 5] = [
    "verl.trainer.main_ppo",
    "llamafactory-cli",
    "trl sft",
    "sft.py",
    "axolotl train",
];

fn is_command(text: &str) -> bool {
    PROGRAMS.iter().any(|program| text.contains(program))
        && text
            .lines()
            .any(|line| line.trim_end().ends_with('\\') || line.contains(" --"))
}

/// Reads `key=value`, `+key=value`, `--key value` and `--key=value` of a script.
fn of_options(text: &str, found: &mut Vec<Entry>) {
    for (line, at) in text.lines().zip(1..) {
        let line = without_comment(line.trim()).trim_end_matches('\\');
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let word = word.trim_matches(['"', '\'']);
            let option = word.strip_prefix("--");
            let bare = option.unwrap_or_else(|| word.trim_start_matches('+'));
            let (key, value) = match (bare.split_once('='), option) {
                (Some((key, value)), _) => (key, value),
                // An option without a value is a switch.
                (None, Some(key)) => {
                    let value = words.next_if(|next| !next.starts_with("--"));
                    (key, value.unwrap_or("true"))
                }
                _ => continue,
            };
            let is_key = !key.is_empty()
                && key
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
            if is_key {
                found.push(Entry {
                    path: key.to_owned(),
                    value: unquoted(value),
                    line: Some(at),
                });
            }
        }
    }
}
