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
    /// The initial value: the one that turns packing on, or the default.
    pub start: &'static str,
    /// Its meaning, in a line.
    pub about: &'static str,
    /// Other values to try when advice is sought, for numbers.
    pub tried: &'static [&'static str],
    /// Whether training needs it even where it does not change packing, so that it is always in the lines to paste.
    pub trains: bool,
    /// The step of the numbers above 1 among which advice seeks the largest that loses no more tokens.
    pub finest: Option<f64>,
}

/// The values of a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Accepts {
    /// `true` or `false`.
    Switch,
    /// One of these names.
    Names(&'static [&'static str]),
    /// One of these names, which advice leaves alone: they change the data, or the lines to paste lack them.
    Given(&'static [&'static str]),
    /// A whole number from the first to the last.
    Whole(u64, u64),
    /// A whole number from the first to the last, or one of these names.
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

type Text = &'static str;
type Texts = &'static [Text];

impl Setting {
    /// Creates a setting with its default and without numbers to try.
    const fn new(name: Text, accepts: Accepts, usual: Text, about: Text) -> Self {
        Self { name, accepts, usual, start: usual, about, tried: &[], trains: false, finest: None }
    }

    pub(super) const fn switch(name: Text, usual: Text, about: Text) -> Self {
        Self::new(name, Accepts::Switch, usual, about)
    }

    pub(super) const fn names(name: Text, names: Texts, usual: Text, about: Text) -> Self {
        Self::new(name, Accepts::Names(names), usual, about)
    }

    /// Creates a choice that advice leaves alone.
    pub(super) const fn given(name: Text, names: Texts, usual: Text, about: Text) -> Self {
        Self::new(name, Accepts::Given(names), usual, about).trains()
    }

    pub(super) const fn whole(name: Text, ends: (u64, u64), usual: Text, about: Text) -> Self {
        Self::new(name, Accepts::Whole(ends.0, ends.1), usual, about)
    }

    /// Creates a number with or without a fraction, or one of these names.
    pub(super) const fn number(name: Text, ends: (f64, f64), or: Texts, usual: Text, about: Text) -> Self {
        Self::new(name, Accepts::NumberOr(ends.0, ends.1, or), usual, about)
    }

    /// Creates a whole number, or one of these names.
    pub(super) const fn whole_or(name: Text, ends: (u64, u64), or: Texts, usual: Text, about: Text) -> Self {
        Self::new(name, Accepts::WholeOr(ends.0, ends.1, or), usual, about)
    }

    /// Returns the setting with another initial value than the default.
    pub(super) const fn start(self, start: &'static str) -> Self {
        Self { start, ..self }
    }

    /// Returns the setting with values worth trying.
    pub(super) const fn tried(self, tried: &'static [&'static str]) -> Self {
        Self { tried, ..self }
    }

    /// Returns the setting as one that training needs whatever is packed.
    pub(super) const fn trains(self) -> Self {
        Self { trains: true, ..self }
    }

    /// Returns the setting as one that only packing takes, so that it is in the lines where it changes anything.
    pub(super) const fn packs(self) -> Self {
        Self { trains: false, ..self }
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
