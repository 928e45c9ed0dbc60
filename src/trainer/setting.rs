//! Settings of libraries, under their own names.

/// A setting of a library.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its own name.
    pub name: &'static str,
    /// The values that are accepted.
    pub accepts: Accepts,
    /// The library's default.
    pub usual: &'static str,
    /// The initial value: that which turns packing on, or the default.
    pub start: &'static str,
    /// Its meaning, in a line.
    pub about: &'static str,
    /// Other values to try when advice is sought, for numbers.
    pub tried: &'static [&'static str],
    /// Whether training takes it whatever it changes here, so that it is always in the lines to paste.
    pub trains: bool,
    /// The difference of numbers from 1 on among which the largest is sought that loses no token more.
    pub finest: Option<f64>,
}

/// The values of a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Accepts {
    /// `true` or `false`.
    Switch,
    /// One of these names.
    Names(&'static [&'static str]),
    /// The same, where advice leaves it alone: what one trains and not how, or what the lines to paste cannot reach.
    Given(&'static [&'static str]),
    /// A whole number from the first to the last.
    Whole(u64, u64),
    /// The same, or one of these names.
    WholeOr(u64, u64, &'static [&'static str]),
    /// A number from the first to the last, or one of these names.
    NumberOr(f64, f64, &'static [&'static str]),
}

impl Accepts {
    /// Returns whether a text is one of the values.
    pub(super) fn takes(self, text: &str) -> bool {
        let whole = |least, most| text.parse().is_ok_and(|n: u64| (least..=most).contains(&n));
        match self {
            Self::Switch => matches!(text, "true" | "false"),
            Self::Names(names) | Self::Given(names) => names.contains(&text),
            Self::Whole(least, most) => whole(least, most),
            Self::WholeOr(least, most, names) => names.contains(&text) || whole(least, most),
            Self::NumberOr(least, most, names) => {
                names.contains(&text) || text.parse().is_ok_and(|n: f64| (least..=most).contains(&n))
            }
        }
    }
}

impl Accepts {
    /// Returns values that show whether the setting changes anything: all names, and the ends of numbers.
    pub(super) fn ends(self) -> Vec<String> {
        let (names, ends): (&[&str], _) = match self {
            Self::Switch => (&["true", "false"], None),
            Self::Names(names) | Self::Given(names) => (names, None),
            Self::Whole(least, most) => (&[], Some((least as f64, most as f64))),
            Self::WholeOr(least, most, names) => (names, Some((least as f64, most as f64))),
            Self::NumberOr(least, most, names) => (names, Some((least, most))),
        };
        let ends = ends.into_iter().flat_map(|(least, most)| [least.to_string(), most.to_string()]);
        names.iter().map(|name| (*name).to_owned()).chain(ends).collect()
    }
}

impl std::fmt::Display for Accepts {
    /// Writes the values in words.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Switch => f.write_str("true, false"),
            Self::Names(names) | Self::Given(names) => f.write_str(&names.join(", ")),
            Self::Whole(least, most) => write!(f, "a whole number from {least} to {most}"),
            Self::WholeOr(least, most, names) => {
                write!(f, "{}, or a whole number from {least} to {most}", names.join(", "))
            }
            Self::NumberOr(least, most, []) => write!(f, "a number from {least} to {most}"),
            Self::NumberOr(least, most, names) => {
                write!(f, "{}, or a number from {least} to {most}", names.join(", "))
            }
        }
    }
}

/// A setting that is not a number with values worth trying.
const PLAIN: Setting = Setting {
    name: "",
    accepts: Accepts::Switch,
    usual: "",
    start: "",
    about: "",
    tried: &[],
    trains: false,
    finest: None,
};

impl Setting {
    /// A switch with its default.
    pub(super) const fn switch(name: &'static str, usual: &'static str, about: &'static str) -> Self {
        Self { name, accepts: Accepts::Switch, usual, start: usual, about, ..PLAIN }
    }

    /// A choice with its default.
    pub(super) const fn names(
        name: &'static str,
        names: &'static [&'static str],
        usual: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, accepts: Accepts::Names(names), usual, start: usual, about, ..PLAIN }
    }

    /// A choice that advice leaves alone, with its default.
    pub(super) const fn given(
        name: &'static str,
        names: &'static [&'static str],
        usual: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, accepts: Accepts::Given(names), usual, start: usual, about, trains: true, ..PLAIN }
    }

    /// A number with its default.
    pub(super) const fn whole(
        name: &'static str,
        (least, most): (u64, u64),
        usual: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, accepts: Accepts::Whole(least, most), usual, start: usual, about, ..PLAIN }
    }

    /// A number with or without a fraction, with its default.
    pub(super) const fn number(
        name: &'static str,
        (least, most): (f64, f64),
        usual: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, accepts: Accepts::NumberOr(least, most, &[]), usual, start: usual, about, ..PLAIN }
    }

    /// A number that may also be one of these names, with its default.
    pub(super) const fn whole_or(
        name: &'static str,
        (least, most): (u64, u64),
        names: &'static [&'static str],
        usual: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, accepts: Accepts::WholeOr(least, most, names), usual, start: usual, about, ..PLAIN }
    }

    /// The same that begins with another value than the default.
    pub(super) const fn start(self, start: &'static str) -> Self {
        Self { start, ..self }
    }

    /// The same with values worth trying.
    pub(super) const fn tried(self, tried: &'static [&'static str]) -> Self {
        Self { tried, ..self }
    }

    /// The same that training takes whatever is packed.
    pub(super) const fn trains(self) -> Self {
        Self { trains: true, ..self }
    }

    /// Returns the other values that are tried when advice is sought.
    pub fn alternatives(&self) -> &'static [&'static str] {
        match self.accepts {
            Accepts::Switch => &["true", "false"],
            Accepts::Names(names) => names,
            Accepts::Given(_) => &[],
            Accepts::Whole(..) | Accepts::WholeOr(..) | Accepts::NumberOr(..) => self.tried,
        }
    }
}

/// A setting and a value, by name.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Field {
    /// The setting.
    pub name: String,
    /// The value.
    pub value: String,
}
