//! Libraries as data, of several kinds by their product: rows of sequences, batches of sequences, batches of graphs.

use super::setting::{Setting, SettingValue};
use crate::error::{Error, Result};

/// A kind of library: the limits that all of this kind take, and the recipe that their settings give.
pub trait LibraryFamily: Sized + Clone + std::fmt::Debug + 'static {
    /// The limits that every library is given.
    type Limits: Copy + std::fmt::Debug;
    /// The recipe that settings of a library give.
    type Recipe: std::fmt::Debug + PartialEq;
    /// Every library of this kind, the most used one first.
    const ALL: &'static [&'static Library<Self>];

    /// Whether a limit is 0, at which no recipe is made.
    fn is_zero(limits: Self::Limits) -> bool;

    /// Returns the words that stand for numbers: as values of settings, and in braces in lines to paste.
    fn words(chosen: &LibrarySettings<Self>) -> Vec<(&'static str, u64)>;
}

/// Libraries that pack sequences into rows of a limit.
#[derive(Debug, Clone, PartialEq)]
pub enum PackingLibraries {}

impl LibraryFamily for PackingLibraries {
    type Limits = u32;
    type Recipe = super::Recipe;
    const ALL: &'static [&'static Library<Self>] = super::LIBRARIES;

    fn is_zero(limit: u32) -> bool {
        limit == 0
    }

    fn words(chosen: &LibrarySettings) -> Vec<(&'static str, u64)> {
        // The default of ModernBERT's packing_buffer_size: five times the batch of a device.
        let buffer = 5 * u64::from(chosen.number("device_train_batch_size"));
        vec![("limit", u64::from(chosen.limit)), ("5x", buffer)]
    }
}

/// A training library, as its code was read: how it packs sequences into rows, or makes batches of sequences or of
/// graphs.
#[derive(Debug)]
pub struct Library<K: LibraryFamily = PackingLibraries> {
    /// The name in addresses and on the command line: unique in its family, and kept, as links have
    /// it.
    pub id: &'static str,
    /// The name for people, with the class after a comma where the library has several.
    pub title: &'static str,
    /// Where its code was read: repository, file and version.
    pub read: Read,
    /// Its settings, in the order of tables and controls.
    pub settings: &'static [Setting],
    /// Returns the recipe at these settings.
    pub recipe: fn(&LibrarySettings<K>) -> Result<K::Recipe>,
    /// The language of its settings.
    pub language: Language,
    /// Lines to paste: `{limit}` and `{name}` stand for a limit ([`LibraryFamily::words`]) and the value of a setting. A line is
    /// left out if its setting has no effect beside the others, if it begins with `{?name=value}` and the setting has
    /// another value, or if it begins with `{?name!=value}` and the setting has that value.
    pub lines: &'static str,
    /// Further notes: where its names and its code differ, and which parts are not simulated.
    pub note: &'static str,
}

/// Returns id and displayed name of each library, for lists that need nothing else of them. `N` is their number.
pub const fn names<K: LibraryFamily, const N: usize>(
    all: &[&Library<K>],
) -> [(&'static str, &'static str); N] {
    let (mut named, mut at) = ([("", ""); N], 0);
    // A const function has neither `for` nor iterators.
    while at < N {
        named[at] = (all[at].id, all[at].title);
        at += 1;
    }
    named
}

/// Where the code of a library was read.
#[derive(Debug, Clone, Copy)]
pub struct Read {
    /// Its repository on GitHub, as `owner/name`.
    pub repository: &'static str,
    /// The file, and the function in it.
    pub path: &'static str,
    /// The version that was read, and is simulated.
    pub source: Source,
    /// The day on which this version was read.
    pub date: &'static str,
}

/// The version of a library that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Package and version on PyPI.
    Release(&'static str, &'static str),
    /// The commit, or the tag, of the repository.
    Commit(&'static str),
}

impl Read {
    /// Returns the address of the code that was read.
    pub fn address(&self) -> String {
        match self.source {
            Source::Release(package, version) => {
                format!("https://pypi.org/project/{package}/{version}/")
            }
            Source::Commit(commit) => {
                format!("https://github.com/{}/tree/{commit}", self.repository)
            }
        }
    }
}

impl std::fmt::Display for Read {
    /// Writes the release, or the repository with the commit.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.source {
            Source::Release(package, version) => write!(f, "{package} {version}"),
            Source::Commit(commit) => write!(f, "{} at {commit}", self.repository),
        }
    }
}

/// The language in which a library takes its settings, which decides how values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// `true`, `null`.
    Yaml,
    /// `True`, `None`.
    Python,
    /// Options of a command.
    Shell,
}

impl Language {
    /// Returns the name of the language, as code blocks have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yaml => "yaml",
            Self::Python => "python",
            Self::Shell => "sh",
        }
    }

    fn value(self, value: &str) -> &str {
        match (self, value) {
            (Self::Python, "true") => "True",
            (Self::Python, "false") => "False",
            (Self::Python, "none") => "None",
            (Self::Yaml, "none") => "null",
            (Self::Yaml, "inf") => ".inf",
            _ => value,
        }
    }
}

/// Values for all settings of a library, and the limit.
#[derive(Debug, Clone)]
pub struct LibrarySettings<K: LibraryFamily = PackingLibraries> {
    /// The library.
    pub library: &'static Library<K>,
    /// The limits that every library is given: the maximum sequence length, tokens; or the limits of a batch.
    pub limit: K::Limits,
    // A value for each of `library.settings`, in their order.
    values: Vec<String>,
}

impl Library {
    /// Returns the library that packs sequences with this name.
    ///
    /// # Errors
    /// [`Error::UnknownName`].
    pub fn named(id: &str) -> Result<&'static Self> {
        Self::find(id)
    }
}

impl<K: LibraryFamily> Library<K> {
    /// Returns the library of a kind with this name.
    ///
    /// # Errors
    /// [`Error::UnknownName`].
    pub fn find(id: &str) -> Result<&'static Self> {
        K::ALL
            .iter()
            .copied()
            .find(|library| library.id == id)
            .ok_or_else(|| Error::UnknownName {
                kind: "library",
                name: id.to_owned(),
                expected: K::ALL
                    .iter()
                    .map(|library| library.id)
                    .collect::<Vec<_>>()
                    .join(", "),
            })
    }

    /// Returns the values with which libraries are compared, at a limit: packing switched on, all else at its default.
    pub fn start(&'static self, limit: K::Limits) -> LibrarySettings<K> {
        self.chosen(limit, |setting| setting.start)
    }

    /// Returns the library's own defaults, at a limit.
    pub fn installed(&'static self, limit: K::Limits) -> LibrarySettings<K> {
        self.chosen(limit, Setting::installed)
    }

    fn chosen(
        &'static self,
        limit: K::Limits,
        value: fn(&Setting) -> &'static str,
    ) -> LibrarySettings<K> {
        LibrarySettings {
            library: self,
            limit,
            values: self
                .settings
                .iter()
                .map(|one| value(one).to_owned())
                .collect(),
        }
    }

    /// Returns the settings that switch packing on: those in which [`start`](Self::start) differs
    /// from the defaults.
    pub fn packing(&self) -> Vec<SettingValue> {
        let other = self
            .settings
            .iter()
            .filter(|setting| setting.start != setting.installed());
        let field = |setting: &Setting| SettingValue {
            name: setting.name.to_owned(),
            value: setting.start.to_owned(),
        };
        other.map(field).collect()
    }

    /// Returns the library's own defaults, with these in place of some of them.
    ///
    /// # Errors
    /// [`Error::Input`] for names and values that the library does not have.
    pub fn with(
        &'static self,
        limit: K::Limits,
        fields: &[SettingValue],
    ) -> Result<LibrarySettings<K>> {
        let mut chosen = self.installed(limit);
        fields
            .iter()
            .try_for_each(|field| chosen.set(&field.name, &field.value))?;
        Ok(chosen)
    }
}

impl LibrarySettings {
    /// Returns the limit times a number, as the slots of a row.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(super) fn slots(&self, times: u32) -> Result<u32> {
        self.limit.checked_mul(times).ok_or(Error::TooLarge {
            what: "the number of slots of a row",
        })
    }

    /// Returns the limit and one more, as the slots of a row with the label of its last token.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(super) fn with_label(&self) -> Result<u32> {
        self.limit.checked_add(1).ok_or(Error::TooLarge {
            what: "the number of slots of a row",
        })
    }
}

impl<K: LibraryFamily> LibrarySettings<K> {
    /// Sets one value; nothing changes where it is refused.
    ///
    /// # Errors
    /// [`Error::Input`] for a name or a value that the library does not have.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let library = self.library;
        let Some(at) = library
            .settings
            .iter()
            .position(|setting| setting.name == name)
        else {
            let names: Vec<&str> = library
                .settings
                .iter()
                .map(|setting| setting.name)
                .collect();
            return Err(Error::Input {
                place: format!("settings of {}", library.title),
                message: match names.as_slice() {
                    [] => format!("there is no {name:?}; it has none"),
                    _ => format!(
                        "there is no {name:?}; expected one of: {}",
                        names.join(", ")
                    ),
                },
            });
        };
        let accepts = library.settings[at].accepts;
        if !accepts.takes(value) {
            return Err(Error::Input {
                place: format!("{name} of {}", library.title),
                message: format!("{value:?} is none of its values; expected {accepts}"),
            });
        }
        self.values[at] = value.to_owned();
        Ok(())
    }

    /// Returns the value of a setting; empty for other names.
    pub fn get(&self, name: &str) -> &str {
        let at = self
            .library
            .settings
            .iter()
            .position(|setting| setting.name == name);
        at.and_then(|at| self.values.get(at))
            .map_or("", String::as_str)
    }

    pub(super) fn on(&self, name: &str) -> bool {
        self.get(name) == "true"
    }

    /// Returns a number that fits 32 bits; `None` for a name such as `none`.
    pub(super) fn whole(&self, name: &str) -> Option<u32> {
        self.get(name).parse().ok()
    }

    /// Returns a number, 1 for a name such as `none`.
    pub(super) fn number(&self, name: &str) -> u32 {
        self.whole(name).unwrap_or(1)
    }

    /// Returns the recipe at these values.
    ///
    /// # Errors
    /// [`Error::Input`] where the limit does not go with the settings, [`Error::ZeroLimit`], [`Error::TooLarge`].
    pub fn recipe(&self) -> Result<K::Recipe> {
        if K::is_zero(self.limit) {
            return Err(Error::ZeroLimit);
        }
        (self.library.recipe)(self)
    }

    /// Returns all settings with their values.
    pub fn fields(&self) -> Vec<SettingValue> {
        let names = self
            .library
            .settings
            .iter()
            .map(|setting| setting.name.to_owned());
        names
            .zip(self.values.iter().cloned())
            .map(|(name, value)| SettingValue { name, value })
            .collect()
    }

    /// Returns the settings whose values differ from those of `before`, settings of the same library.
    pub fn changed_from(&self, before: &Self) -> Vec<SettingValue> {
        let fields = self.fields().into_iter().zip(before.fields());
        let changed = fields.filter(|(after, before)| after != before);
        changed.map(|(after, _)| after).collect()
    }

    /// Whether a setting has an effect beside the others, or belongs in the lines anyway.
    fn takes(&self, setting: &Setting) -> bool {
        // All names and both ends of a range stand for all values. A setting that none of them
        // changes would stand in the lines as if it did something: `num_packing_bins` where grain
        // concatenates.
        let (now, mut other) = (self.recipe(), self.clone());
        let mut changes =
            |value: String| other.set(setting.name, &value).is_ok() && other.recipe() != now;
        // Where the settings are refused, no other value can be compared: all lines stay.
        setting.trains || now.is_err() || setting.accepts.ends().into_iter().any(&mut changes)
    }

    /// Returns a line without its condition, or `None` if the condition does not hold.
    fn holds<'a>(&self, line: &'a str) -> Option<&'a str> {
        // A line without a condition always stands.
        let Some((condition, line)) = line
            .strip_prefix("{?")
            .and_then(|line| line.split_once('}'))
        else {
            return Some(line);
        };
        let (name, value) = condition.split_once('=')?;
        let holds = match name.strip_suffix('!') {
            Some(name) => self.get(name) != value,
            None => self.get(name) == value,
        };
        holds.then_some(line)
    }

    /// Returns lines to paste, in the library's own names.
    pub fn lines(&self) -> String {
        let (language, words) = (self.library.language, K::words(self));
        let number = |name: &str| {
            words
                .iter()
                .find(|(word, _)| *word == name)
                .map(|(_, number)| number)
        };
        // A line goes if it names an idle setting, be it in its condition only.
        let idle = self
            .library
            .settings
            .iter()
            .filter(|setting| !self.takes(setting));
        let places = |of: &Setting| {
            let name = of.name;
            [
                format!("{{{name}}}"),
                format!("{{?{name}="),
                format!("{{?{name}!="),
            ]
        };
        let idle: Vec<_> = idle.map(places).collect();
        let lines = self.library.lines.split_inclusive('\n');
        let lines =
            lines.filter(|line| !idle.as_flattened().iter().any(|name| line.contains(name)));
        let mut lines: String = lines.filter_map(|line| self.holds(line)).collect();
        // Words before settings: the value of a setting can be a word itself, and is replaced
        // below.
        for (word, number) in &words {
            lines = lines.replace(&format!("{{{word}}}"), &number.to_string());
        }
        for (setting, value) in self.library.settings.iter().zip(&self.values) {
            let value =
                number(value).map_or_else(|| language.value(value).to_owned(), u64::to_string);
            lines = lines.replace(&format!("{{{}}}", setting.name), &value);
        }
        lines
    }
}
