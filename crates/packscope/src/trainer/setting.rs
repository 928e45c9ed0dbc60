//! Settings of libraries, under their own names.

use crate::accepts::Accepts;

/// A setting of a library under its own name, and how comparisons, advice and lines to paste treat
/// it. Settings are constants of the tables of libraries.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name in the library's arguments or configuration.
    pub name: &'static str,
    /// The values that it accepts; names are written as here whatever the
    /// [`Language`](super::Language).
    pub accepts: Accepts,
    /// The library's default.
    pub usual: &'static str,
    /// The value with which libraries are compared: the one that turns packing on, or the default.
    pub start: &'static str,
    /// Whether `start` also takes the place of the default: because the library refuses its own
    /// default, or because the setting is the limit, which the visitor sets.
    pub required: bool,
    /// One line on its behaviour, for the tables of docs, page and command line.
    pub about: &'static str,
    /// Other values to try when advice is sought, for numbers.
    pub tried: &'static [&'static str],
    /// Whether advice leaves it alone: it decides on what is trained rather than how, or the lines
    /// to paste cannot set it.
    pub given: bool,
    /// Whether training takes it whatever it changes here, so that it is always in the lines to paste.
    pub trains: bool,
    /// The step of the numbers above 1 among which advice seeks the largest that loses no more tokens.
    pub finest: Option<f64>,
    /// Values that need more than the setting itself, such as data in other files: (value, need).
    pub needs: &'static [(&'static str, &'static str)],
}

type Text = &'static str;
type Texts = &'static [Text];

impl Setting {
    const fn new(name: Text, accepts: Accepts, usual: Text, about: Text) -> Self {
        Self {
            name,
            accepts,
            usual,
            start: usual,
            required: false,
            about,
            tried: &[],
            given: false,
            trains: false,
            finest: None,
            needs: &[],
        }
    }

    pub(super) const fn switch(name: Text, usual: Text, about: Text) -> Self {
        Self::new(name, Accepts::Names(&["true", "false"]), usual, about)
    }

    pub(super) const fn names(name: Text, names: Texts, usual: Text, about: Text) -> Self {
        Self::new(name, Accepts::Names(names), usual, about)
    }

    /// Creates a choice that advice leaves alone.
    pub(super) const fn given(name: Text, names: Texts, usual: Text, about: Text) -> Self {
        Self {
            // What is trained stands in the lines to paste even where the recipe does not read it.
            given: true,
            trains: true,
            ..Self::names(name, names, usual, about)
        }
    }

    pub(super) const fn whole(name: Text, ends: (u64, u64), usual: Text, about: Text) -> Self {
        Self::new(name, Accepts::Whole(ends.0, ends.1), usual, about)
    }

    /// Creates a number with or without a fraction, or one of these names.
    pub(super) const fn number(
        name: Text,
        ends: (f64, f64),
        or: Texts,
        usual: Text,
        about: Text,
    ) -> Self {
        Self::new(name, Accepts::NumberOr(ends.0, ends.1, or), usual, about)
    }

    /// Creates a whole number, or one of these names.
    pub(super) const fn whole_or(
        name: Text,
        ends: (u64, u64),
        or: Texts,
        usual: Text,
        about: Text,
    ) -> Self {
        Self::new(name, Accepts::WholeOr(ends.0, ends.1, or), usual, about)
    }

    /// Returns the setting with another value than the default for comparisons.
    pub(super) const fn start(self, start: &'static str) -> Self {
        Self { start, ..self }
    }

    /// Returns the setting with a value in place of a default that does not go with a limit: the
    /// library refuses it, or it is the limit itself.
    pub(super) const fn required(self, start: &'static str) -> Self {
        Self {
            start,
            required: true,
            ..self
        }
    }

    /// Returns the value of a fresh installation.
    pub fn installed(&self) -> &'static str {
        if self.required {
            self.start
        } else {
            self.usual
        }
    }

    /// Returns the setting with values worth trying.
    pub(super) const fn tried(self, tried: &'static [&'static str]) -> Self {
        Self { tried, ..self }
    }

    /// Returns the setting with the needs of some of its values, such as data in other files:
    /// advice names them.
    pub(super) const fn needs(self, needs: &'static [(&'static str, &'static str)]) -> Self {
        Self { needs, ..self }
    }

    /// Returns the setting as one that advice leaves alone.
    pub(super) const fn unadvised(self) -> Self {
        Self {
            given: true,
            ..self
        }
    }

    /// Returns the setting as one that training needs whatever is packed.
    pub(super) const fn trains(self) -> Self {
        Self {
            trains: true,
            ..self
        }
    }

    /// Returns the setting as one that only packing takes, so that it is in the lines where it changes anything.
    pub(super) const fn packs(self) -> Self {
        Self {
            trains: false,
            ..self
        }
    }

    /// Returns the other values that are tried when advice is sought.
    pub fn alternatives(&self) -> &'static [&'static str] {
        match self.accepts {
            _ if self.given => &[],
            // All of them, also the value in use, which advice leaves out.
            Accepts::Names(names) => names,
            _ => self.tried,
        }
    }
}

/// A setting and a value, by name.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SettingValue {
    /// The name of the setting, as the library has it.
    pub name: String,
    /// The value as text, as the tables write it: `true`, `none`, `512`.
    pub value: String,
}
