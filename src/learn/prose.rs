//! The markup of prose, which is read into pieces that the page shows:
//!
//! | written | is |
//! |---|---|
//! | `{limit}` | the number of the knob `limit`, to be dragged |
//! | `{=efficiency=0.834=83.4 %}` | a figure: field name, exact value, as it is shown |
//! | `[padding]`, `[packed rows:pack]` | a term of the [glossary](super::glossary), perhaps in other words |
//! | `<skew>the next chapter</>` | a link to a chapter |
//! | `**bold**` | what stands out |
//! | `~half~` | what is grey, in a title |
//!
//! There is no escape: prose of ours needs none, and what comes from visitors never gets here.

/// A piece of prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Words.
    Words(&'a str),
    /// Words that stand out.
    Bold(&'a str),
    /// What is padding.
    Grey(&'a str),
    /// A knob's number, to be dragged.
    Knob(&'a str),
    /// A figure.
    Figure {
        /// The field name.
        name: &'a str,
        /// The exact value.
        value: &'a str,
        /// The value as it is shown.
        shown: &'a str,
    },
    /// A term that explains itself.
    Term {
        /// The words that stand there.
        words: &'a str,
        /// The term as the glossary has it.
        term: &'a str,
    },
    /// A link to a chapter.
    Chapter {
        /// The words that stand there.
        words: &'a str,
        /// The chapter's name.
        id: &'a str,
    },
}

/// A figure in markup.
pub fn figure(name: &str, value: impl ToString, shown: &str) -> String {
    format!("{{={name}={}={shown}}}", value.to_string())
}

/// The pieces of a text, in order. O(length).
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '[', '<', '*', '~']) {
        let (before, from) = rest.split_at(at);
        let Some((piece, after)) = special(from) else {
            // A lone sign is a sign.
            let (words, after) = rest.split_at(at + 1);
            pieces.push(Piece::Words(words));
            rest = after;
            continue;
        };
        if !before.is_empty() {
            pieces.push(Piece::Words(before));
        }
        pieces.push(piece);
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Words(rest));
    }
    pieces
}

/// The piece that a text begins with, and what follows it.
fn special(text: &str) -> Option<(Piece<'_>, &str)> {
    if let Some((inner, after)) = enclosed(text, "**", "**") {
        return Some((Piece::Bold(inner), after));
    }
    if let Some((inner, after)) = enclosed(text, "~", "~") {
        return Some((Piece::Grey(inner), after));
    }
    if let Some((inner, after)) = enclosed(text, "{", "}") {
        let Some(figure) = inner.strip_prefix('=') else { return Some((Piece::Knob(inner), after)) };
        let (name, rest) = figure.split_once('=')?;
        let (value, shown) = rest.split_once('=')?;
        return Some((Piece::Figure { name, value, shown }, after));
    }
    if let Some((inner, after)) = enclosed(text, "[", "]") {
        let (words, term) = inner.split_once(':').unwrap_or((inner, inner));
        return Some((Piece::Term { words, term }, after));
    }
    let (inner, after) = enclosed(text, "<", "</>")?;
    let (id, words) = inner.split_once('>')?;
    Some((Piece::Chapter { words, id }, after))
}

fn enclosed<'a>(text: &'a str, open: &str, close: &str) -> Option<(&'a str, &'a str)> {
    text.strip_prefix(open)?.split_once(close).filter(|(inner, _)| !inner.is_empty())
}

/// The text without markup; knobs are left out.
pub fn plain(text: &str) -> String {
    let words = |piece: &Piece| match piece {
        Piece::Words(words) | Piece::Bold(words) | Piece::Grey(words) => (*words).to_owned(),
        Piece::Figure { shown: words, .. } | Piece::Term { words, .. } | Piece::Chapter { words, .. } => {
            (*words).to_owned()
        }
        Piece::Knob(_) => String::new(),
    };
    pieces(text).iter().map(words).collect()
}

/// How many words there are.
pub fn words(text: &str) -> usize {
    plain(text).split_whitespace().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_what_was_written() {
        let text = "Rows of {limit} [slots:limits] hold {=efficiency=0.5=50.0 %}, **half**; <skew>more</>.";
        assert_eq!(
            pieces(text),
            [
                Piece::Words("Rows of "),
                Piece::Knob("limit"),
                Piece::Words(" "),
                Piece::Term { words: "slots", term: "limits" },
                Piece::Words(" hold "),
                Piece::Figure { name: "efficiency", value: "0.5", shown: "50.0 %" },
                Piece::Words(", "),
                Piece::Bold("half"),
                Piece::Words("; "),
                Piece::Chapter { words: "more", id: "skew" },
                Piece::Words("."),
            ]
        );
        assert_eq!(plain(text), "Rows of  slots hold 50.0 %, half; more.");
        assert_eq!(words(text), 8);
    }

    #[test]
    fn lone_signs_are_signs() {
        assert_eq!(plain("2 < 3, a * b, {"), "2 < 3, a * b, {");
        assert_eq!(figure("packs", 7, "7"), "{=packs=7=7}");
    }
}
