//! The markup of prose, parsed into pieces for the page:
//!
//! | markup | meaning |
//! |---|---|
//! | `{limit}` | the number of the knob `limit`, draggable |
//! | `{=efficiency=0.834=83.4 %}` | a figure: field name, exact value, displayed value |
//! | `[padding]`, `[packed rows:pack]` | a term of the [glossary](super::glossary), optionally in other words |
//! | `<skew>the next chapter</>` | a link to a chapter |
//! | `**bold**` | emphasis |
//! | `~half~` | grey, in a title: a share of padding |
//!
//! There is no escape: our own prose needs none, and input of visitors is never parsed.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProsePiece<'a> {
    Words(&'a str),
    Bold(&'a str),
    /// Text in grey, for shares of padding.
    Grey(&'a str),
    /// The draggable number of a knob, by name.
    Knob(&'a str),
    Figure {
        name: &'a str,
        value: &'a str,
        shown: &'a str,
    },
    /// A term with an explanation.
    Term {
        /// The displayed words.
        words: &'a str,
        /// The name or a form of the term in the glossary.
        term: &'a str,
    },
    Chapter {
        /// The displayed words.
        words: &'a str,
        id: &'a str,
    },
}

pub fn figure(name: &str, value: impl ToString, shown: &str) -> String {
    format!("{{={name}={}={shown}}}", value.to_string())
}

/// Parses a text into its pieces, in order. O(length).
pub fn pieces(text: &str) -> Vec<ProsePiece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '[', '<', '*', '~']) {
        let (before, from) = rest.split_at(at);
        let Some((piece, after)) = special(from) else {
            // A lone opening sign is plain text.
            let (words, after) = rest.split_at(at + 1);
            pieces.push(ProsePiece::Words(words));
            rest = after;
            continue;
        };
        if !before.is_empty() {
            pieces.push(ProsePiece::Words(before));
        }
        pieces.push(piece);
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(ProsePiece::Words(rest));
    }
    pieces
}

/// Parses the piece that a text begins with; returns it with the rest of the text.
fn special(text: &str) -> Option<(ProsePiece<'_>, &str)> {
    // A single `*` stays plain text: only the pair begins emphasis.
    if let Some((inner, after)) = enclosed(text, "**", "**") {
        return Some((ProsePiece::Bold(inner), after));
    }
    if let Some((inner, after)) = enclosed(text, "~", "~") {
        return Some((ProsePiece::Grey(inner), after));
    }
    if let Some((inner, after)) = enclosed(text, "{", "}") {
        // The sign tells a figure from a knob: names of knobs have none.
        let Some(figure) = inner.strip_prefix('=') else {
            return Some((ProsePiece::Knob(inner), after));
        };
        let (name, rest) = figure.split_once('=')?;
        let (value, shown) = rest.split_once('=')?;
        return Some((ProsePiece::Figure { name, value, shown }, after));
    }
    if let Some((inner, after)) = enclosed(text, "[", "]") {
        let (words, term) = inner.split_once(':').unwrap_or((inner, inner));
        return Some((ProsePiece::Term { words, term }, after));
    }
    let (inner, after) = enclosed(text, "<", "</>")?;
    let (id, words) = inner.split_once('>')?;
    Some((ProsePiece::Chapter { words, id }, after))
}

fn enclosed<'a>(text: &'a str, open: &str, close: &str) -> Option<(&'a str, &'a str)> {
    text.strip_prefix(open)?
        .split_once(close)
        // Empty markup is no markup, so that `[]` and `{}` are shown as they are.
        .filter(|(inner, _)| !inner.is_empty())
}

/// Returns the text without markup and without knobs.
pub fn plain(text: &str) -> String {
    let words = |piece: &ProsePiece| match piece {
        ProsePiece::Words(words) | ProsePiece::Bold(words) | ProsePiece::Grey(words) => {
            (*words).to_owned()
        }
        ProsePiece::Figure { shown: words, .. }
        | ProsePiece::Term { words, .. }
        | ProsePiece::Chapter { words, .. } => (*words).to_owned(),
        ProsePiece::Knob(_) => String::new(),
    };
    pieces(text).iter().map(words).collect()
}

/// Counts the words of a text without its markup.
pub fn words(text: &str) -> usize {
    plain(text).split_whitespace().count()
}
