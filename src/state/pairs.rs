//! Settings in the URL, as names and values.

use packscope::api::fields::{self, SettingAccess, sequences};

/// The value for the visitor's own data that are too large for the link.
pub(super) const OWN: &str = "own";

pub(super) struct Pair {
    pub name: &'static str,
    pub value: String,
    /// Whether the value is the default.
    pub usual: bool,
    /// Whether it is written even at its default, on its own view.
    pub always: bool,
}

impl Pair {
    pub fn new(name: &'static str, value: String, usual: bool) -> Self {
        Self {
            name,
            value,
            usual,
            always: false,
        }
    }

    pub fn parts(self) -> (String, String) {
        (self.name.to_owned(), self.value)
    }

    pub fn always(name: &'static str, value: String, usual: bool) -> Self {
        Self {
            name,
            value,
            usual,
            always: true,
        }
    }
}

/// Returns every setting of a table, in its order, compared with the defaults in `usual`.
pub(super) fn pairs_of<S>(values: &[SettingAccess<S>], now: &S, usual: &S) -> Vec<Pair> {
    let pair = |value: &SettingAccess<S>| {
        let text = (value.get)(now);
        // As in the address: values that are written alike are alike.
        let usual = text == (value.get)(usual);
        Pair {
            name: value.id,
            value: text,
            usual,
            always: value.always,
        }
    };
    values.iter().map(pair).collect()
}

/// Returns the settings of a table that are not shared with the view of sequences, where those are written.
pub(super) fn own_pairs<S>(values: &[SettingAccess<S>], now: &S, usual: &S) -> Vec<Pair> {
    let mut pairs = pairs_of(values, now, usual);
    pairs.retain(|pair| !is_named(sequences::VALUES, pair.name));
    pairs
}

/// Sets a setting of a table that is not shared with the view of sequences, and returns whether it did; bad values, other
/// names and settings that fail the check change nothing.
pub(super) fn set_own<S: Clone + Default>(
    values: &[SettingAccess<S>],
    settings: &mut S,
    (name, value): (&str, &str),
    check: fn(&S) -> bool,
) -> bool {
    // On a copy: a value may be possible by itself, but not with the other settings.
    let mut next = settings.clone();
    let is_set = !is_named(sequences::VALUES, name)
        && fields::set(values, &mut next, name, value)
        && check(&next);
    if is_set {
        *settings = next;
    }
    is_set
}

/// Whether a table has a setting of this name.
pub(super) fn is_named<S>(values: &[SettingAccess<S>], name: &str) -> bool {
    values.iter().any(|value| value.id == name)
}

/// Replaces `slot` by the parsed value, if it is accepted.
pub(super) fn put<T: std::str::FromStr>(slot: &mut T, value: &str, accept: impl Fn(&T) -> bool) {
    if let Some(value) = value.parse().ok().filter(accept) {
        *slot = value;
    }
}
