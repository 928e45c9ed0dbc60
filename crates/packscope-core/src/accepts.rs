//! The values that a setting accepts, checked and in words.

use crate::words::count;
use lexical_parse_float::FromLexical;

/// Parses a number, correctly rounded, as `str::parse` does, but without its table of powers: 10 KB of the page that do
/// not compress. `None` if the text is no number.
pub fn number(text: impl AsRef<[u8]>) -> Option<f64> {
    f64::from_lexical(text.as_ref()).ok()
}

type Names = &'static [&'static str];

/// The values that a setting accepts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Accepts {
    /// Whole numbers from the first to the last.
    Whole(u64, u64),
    /// Whole numbers from the first to the last, or one of these names.
    WholeOr(u64, u64, Names),
    /// Numbers from the first to the last, or one of these names.
    NumberOr(f64, f64, Names),
    /// One of these names.
    Names(Names),
    /// One of these names, or the values described in words.
    NamesOr(Names, &'static str),
    /// On or off, under these names.
    Switch([&'static str; 2]),
    /// The values described in words.
    Other(&'static str),
}

impl Accepts {
    /// Returns whether a text is in the range, or one of the names. Values described in words are not checked here.
    pub fn takes(self, text: &str) -> bool {
        let whole = |least, most| text.parse().is_ok_and(|n: u64| (least..=most).contains(&n));
        let number = |least, most| number(text).is_some_and(|n| (least..=most).contains(&n));
        match self {
            Self::Whole(least, most) => whole(least, most),
            Self::WholeOr(least, most, names) => names.contains(&text) || whole(least, most),
            Self::NumberOr(least, most, names) => names.contains(&text) || number(least, most),
            Self::Names(names) => names.contains(&text),
            Self::Switch(names) => names.contains(&text),
            Self::NamesOr(..) | Self::Other(_) => true,
        }
    }

    /// Returns all names; none if the values are numbers or only described.
    pub fn names(&self) -> &[&'static str] {
        match self {
            Self::WholeOr(.., names) | Self::NumberOr(.., names) => names,
            Self::Names(names) | Self::NamesOr(names, _) => names,
            Self::Switch(names) => names,
            Self::Whole(..) | Self::Other(_) => &[],
        }
    }

    /// Returns texts to try the setting with, to see whether it has an effect: all names, and the
    /// ends of the range.
    pub fn ends(self) -> Vec<String> {
        let ends = match self {
            Self::Whole(least, most) | Self::WholeOr(least, most, _) => {
                vec![least as f64, most as f64]
            }
            Self::NumberOr(least, most, _) => vec![least, most],
            _ => Vec::new(),
        };
        let names = self.names().iter().map(|name| (*name).to_owned());
        names.chain(ends.iter().map(f64::to_string)).collect()
    }

    /// Returns the accepted values for the message about a refused one: always with the upper end, which it may exceed.
    pub fn exactly(self) -> String {
        match self {
            Self::Whole(least, most) => format!("a whole number from {least} to {}", count(most)),
            other => other.to_string(),
        }
    }
}

impl std::fmt::Display for Accepts {
    /// Writes the accepted values in words: `a whole number from 1 to 100`, or the names.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            // u32::MAX as a limit means none (`histogram::FREE`), so one less is the largest limit
            // there is. An upper end that nobody reaches is left out of the words.
            Self::Whole(least, most) if *most >= u64::from(u32::MAX) - 1 => {
                write!(f, "a whole number from {least}")
            }
            Self::Whole(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::WholeOr(least, most, names) => {
                write!(
                    f,
                    "{}, or a whole number from {least} to {most}",
                    names.join(", ")
                )
            }
            Self::NumberOr(least, most, []) => write!(f, "a number from {least} to {most}"),
            Self::NumberOr(least, most, names) => {
                write!(
                    f,
                    "{}, or a number from {least} to {most}",
                    names.join(", ")
                )
            }
            Self::Names(names) => f.write_str(&names.join(", ")),
            Self::NamesOr(names, other) => write!(f, "{}, {other}", names.join(", ")),
            Self::Switch(_) => f.write_str("on or off"),
            Self::Other(words) => f.write_str(words),
        }
    }
}
