//! Lists whose number of elements is not a length: conversations, lists of lists, and lists of lengths.

use super::names::last_name;
use super::problem::shorten;
use packscope_core::words::{literal, shell_word};
use serde_json::Value;

/// The elements of a list whose number says nothing of its length in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inner {
    /// Objects, as the messages of a conversation.
    Objects,
    Lists,
    /// Lengths, as the name of the list says.
    Lengths,
    /// Negative numbers or fractions.
    Fractions,
}

impl Inner {
    /// Returns the noun for the list, in the plural.
    pub fn words(self) -> &'static str {
        match self {
            Self::Objects => "lists of objects",
            Self::Lists => "lists of lists",
            Self::Lengths => "lists of lengths",
            Self::Fractions => "lists of fractions",
        }
    }

    /// Returns the noun for such a list in a field of a JSON record, and the remedy; without a path, the record is the
    /// list.
    pub fn refusal(self, record: &[u8], path: Option<&str>) -> String {
        let (start, all) = match path {
            Some(path) => {
                // The field may lie within others, so the command looks at every depth.
                let all = format!("..|.[{}]?[]?", literal(last_name(path)));
                (
                    format!("the field \"{}\" holds a", shorten(path.as_bytes())),
                    all,
                )
            }
            None => ("the record is a".to_owned(), ".[]".to_owned()),
        };
        match (self, path) {
            (Self::Objects, Some(path)) if !is_conversation(record, path) => format!(
                "{start} list of objects, whose number is no length; if each is a record, bring them: jq -c {} FILE > \
                 records.jsonl",
                shell_word(&all)
            ),
            (Self::Objects, _) => {
                let field = if path.is_none() {
                    "write it as a field, {\"messages\": […]}, and "
                } else {
                    ""
                };
                format!(
                    "{start} list of objects, as of the messages of a conversation, whose number is no length; {field}count its \
                     tokens, as the chat template beside the tokenizer has them: packscope tokens FILE --tokenizer \
                     tokenizer.json --format csv > lengths.csv; without a tokenizer, estimate them: packscope tokens FILE \
                     --estimate --format csv > lengths.csv"
                )
            }
            (Self::Lists, _) => format!(
                "{start} list of lists, whose number is no length; name a field with lengths or a list of tokens, or write the \
                 length of each inner list: jq {} FILE > lengths.txt",
                shell_word(&format!("{all}|length"))
            ),
            (Self::Fractions, _) => format!(
                "{start} list of fractions or negative numbers, which are no tokens; name a field with lengths or a list of \
                 tokens: --length-column"
            ),
            (Self::Lengths, _) => format!(
                "{start} list of lengths, by its name, and not of tokens; write each on a line: jq {} FILE > lengths.txt",
                shell_word(&all)
            ),
        }
    }
}

/// Returns the remedy for a column of such lists, in formats whose records are not text.
pub(super) fn way(holds: &str) -> Option<&'static str> {
    let ways = [
        (
            Inner::Objects,
            "to count the tokens of conversations, write them as JSON Lines, \
             polars.read_parquet(\"…\").write_ndjson(\"….jsonl\"), for `packscope tokens`",
        ),
        (
            Inner::Lengths,
            "write the lengths one a row: polars.read_parquet(\"…\").select(polars.col(\"…\").explode().alias(\"length\"))\
             .write_csv(\"lengths.csv\")",
        ),
    ];
    ways.iter()
        .find(|(inner, _)| inner.words() == holds)
        .map(|(_, way)| *way)
}

/// Returns the list in a field of a JSON record.
pub(super) fn list(record: &[u8], path: &str) -> Option<Vec<Value>> {
    let mut record: Value = serde_json::from_slice(record).ok()?;
    // A name with a dot first: it may be a field and no path.
    let exact = record.get_mut(path).map(Value::take);
    let within = || {
        path.split('.')
            .try_fold(&record, |value, name| value.get(name))
            .cloned()
    };
    match exact.or_else(within)? {
        Value::Array(list) => Some(list),
        _ => None,
    }
}

/// Whether the first object in a list has a text under a name used in conversations.
pub(super) fn is_conversation(record: &[u8], path: &str) -> bool {
    let list = list(record, path).unwrap_or_default();
    let first = list.iter().find_map(Value::as_object);
    first.is_some_and(|object| {
        ["content", "value", "text"]
            .iter()
            .any(|name| object.contains_key(*name))
    })
}
