//! Templates for the text counted in a record: fields, and the text between them.

use packscope_core::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TemplatePiece {
    /// Literal text.
    Literal(String),
    /// The value of a field: a column of a table by name, or by number from 1; a field of a JSON object, where `a.b` is
    /// a path into nested objects and `a[].b` a path into each element of an array, joined by line breaks; the whole
    /// record (a line, a JSON string) if the name is empty.
    Field(String),
}

/// The text that is counted in each record, or the pair of texts.
///
/// Written as `{question} {context}`, with `{}` for the whole record, `{{` and `}}` for braces, and `\n`, `\t`, `\\`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// The text.
    pub text: Vec<TemplatePiece>,
    /// The second text of a pair, encoded as two sequences with special tokens: in BERT a question and its context.
    pub pair: Option<Vec<TemplatePiece>>,
}

impl Template {
    /// Returns the template of the whole record.
    pub fn whole() -> Self {
        Self::fields(&[""])
    }

    /// Returns the template of fields, each on a line of its own.
    pub fn fields(names: &[&str]) -> Self {
        let field = |name: &&str| TemplatePiece::Field((*name).to_owned());
        let mut text = Vec::new();
        for (i, name) in names.iter().enumerate() {
            if i > 0 {
                text.push(TemplatePiece::Literal("\n".to_owned()));
            }
            text.push(field(name));
        }
        Self { text, pair: None }
    }

    /// Parses the text and its pair.
    ///
    /// # Errors
    /// [`Error::Input`] with the place of a syntax error, or when no field is named.
    pub fn parse(text: &str, pair: Option<&str>) -> Result<Self> {
        Ok(Self {
            text: pieces(text)?,
            pair: pair.map(pieces).transpose()?,
        })
    }

    /// Returns the names of the fields, in their order, those of the pair last; a field may come
    /// twice.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.text
            .iter()
            .chain(self.pair.iter().flatten())
            .filter_map(|piece| match piece {
                TemplatePiece::Field(name) => Some(name.as_str()),
                TemplatePiece::Literal(_) => None,
            })
    }

    /// Returns the written form of the text, and of its pair, as [`parse`](Self::parse) reads it.
    pub fn words(&self) -> Vec<String> {
        std::iter::once(&self.text)
            .chain(&self.pair)
            .map(|pieces| PieceText(pieces).to_string())
            .collect()
    }
}

impl FromStr for Template {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text, None)
    }
}

struct PieceText<'a>(&'a [TemplatePiece]);

impl fmt::Display for PieceText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in self.0 {
            match piece {
                TemplatePiece::Field(name) => write!(f, "{{{name}}}")?,
                TemplatePiece::Literal(text) => f.write_str(&escaped(text))?,
            }
        }
        Ok(())
    }
}

fn escaped(text: &str) -> String {
    let text = text
        // The backslash first, or those of the other escapes would be doubled.
        .replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
        .replace('\r', "\\r");
    text.replace('{', "{{").replace('}', "}}")
}

fn pieces(words: &str) -> Result<Vec<TemplatePiece>> {
    let mut pieces = Vec::new();
    let mut literal = String::new();
    let mut rest = words;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let at = words.len() - rest.len();
        rest = match (c, after.chars().next()) {
            ('{' | '}', Some(same)) if same == c => {
                literal.push(c);
                &after[1..]
            }
            ('{', _) => {
                let end = after
                    .find(['{', '}'])
                    // An opening brace before the closing one means that the first was not closed.
                    .filter(|end| after[*end..].starts_with('}'));
                let end = end.ok_or_else(|| wrong(words, at, "a brace that is never closed"))?;
                flush(&mut literal, &mut pieces);
                pieces.push(TemplatePiece::Field(after[..end].trim().to_owned()));
                &after[end + 1..]
            }
            ('}', _) => return Err(wrong(words, at, "a closing brace without an opening one")),
            ('\\', Some(escape)) => {
                literal
                    .push(unescaped(escape).ok_or_else(|| wrong(words, at, "an unknown escape"))?);
                &after[escape.len_utf8()..]
            }
            _ => {
                literal.push(c);
                after
            }
        };
    }
    flush(&mut literal, &mut pieces);
    // Without a field, the text would be the same for each record.
    if !pieces
        .iter()
        .any(|piece| matches!(piece, TemplatePiece::Field(_)))
    {
        return Err(wrong(words, words.len(), "no field"));
    }
    Ok(pieces)
}

fn flush(literal: &mut String, pieces: &mut Vec<TemplatePiece>) {
    if !literal.is_empty() {
        pieces.push(TemplatePiece::Literal(std::mem::take(literal)));
    }
}

fn unescaped(c: char) -> Option<char> {
    match c {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        '\\' => Some('\\'),
        _ => None,
    }
}

fn wrong(words: &str, at: usize, found: &str) -> Error {
    let character = words[..at].chars().count() + 1;
    Error::Input {
        place: format!("the template, character {character}"),
        message: format!(
            "{found}; expected fields in braces such as {{question}} {{context}}, {{}} for the whole record, {{{{ and \
             }}}} for braces, \\n for a line break"
        ),
    }
}
