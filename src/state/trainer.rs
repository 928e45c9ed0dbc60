//! Training libraries on the sequences: the chosen one with its settings, and all side by side.

use super::{AppState, View};
use crate::api::trainer::{Asked, Shown};
use crate::trainer::Field;
use crate::words::{count, percent};
use std::rc::Rc;

/// Items up to which several orders of arrival are drawn: with more, one differs little from another.
const FEW: u64 = 1_000_000;
/// The number of orders.
pub const ORDERS: u32 = 3;
/// Shares below this are no news.
const LITTLE: f64 = 0.001;

/// Libraries that train, and what is known of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TrainerState {
    /// The chosen library, by its name.
    pub library: Option<String>,
    /// Values of its settings instead of those to begin with.
    pub settings: Vec<Field>,
    /// Whether it is in view: nothing is asked before.
    pub seen: bool,
    /// The libraries that are asked about beside the chosen one.
    pub beside: Rc<Vec<String>>,
    /// Version of the data, limit and rows in a step of all answers.
    about: (u64, u32, u32),
    known: Rc<Vec<(Asked, Rc<Shown>)>>,
}

/// An event of libraries.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Another library, or none.
    Choose(Option<String>),
    /// A setting of the chosen library has another value.
    Set(Field),
    /// All settings as to begin with.
    Reset,
    /// Whether it is in view.
    InView(bool),
    /// All of these libraries are asked about.
    Beside(Rc<Vec<String>>),
    /// An answer about this version of the data.
    Told(u64, Asked, Rc<Shown>),
}

impl TrainerState {
    /// Returns the settings of an address, as names and values.
    pub(super) fn pairs(&self) -> Vec<(String, String)> {
        let Some(library) = &self.library else { return Vec::new() };
        let fields = self.settings.iter();
        let settings = fields.map(|field| (format!("{PREFIX}{}", field.name), coded(&field.value)));
        [(NAME.to_owned(), coded(library))].into_iter().chain(settings).collect()
    }

    /// Reads a setting of an address. Returns whether it is one.
    pub(super) fn read(&mut self, name: &str, value: &str) -> bool {
        if name == NAME {
            self.choose(Some(decoded(value)).filter(|name| !name.is_empty()));
        } else if let Some(name) = name.strip_prefix(PREFIX) {
            self.set(Field { name: name.to_owned(), value: decoded(value) });
        } else {
            return false;
        }
        true
    }

    fn choose(&mut self, library: Option<String>) {
        (self.library, self.settings) = (library, Vec::new());
    }

    /// Settings of no library are none.
    fn set(&mut self, field: Field) {
        if self.library.is_none() {
            return;
        }
        match self.settings.iter_mut().find(|other| other.name == field.name) {
            Some(other) => *other = field,
            None => self.settings.push(field),
        }
    }

    /// Returns what is known of a library: of the chosen one at its settings.
    pub fn shown(&self, library: &str) -> Option<&Rc<Shown>> {
        let chosen = self.library.as_deref() == Some(library);
        let is = |asked: &Asked| {
            asked.library == library
                && if chosen { asked.settings == self.settings } else { asked.settings.is_empty() }
        };
        let known = || self.known.iter().filter(|(asked, _)| is(asked));
        known().find(|(asked, _)| asked.thorough).or_else(|| known().next()).map(|(_, shown)| shown)
    }
}

impl AppState {
    /// Applies an event of libraries.
    pub(super) fn train(&mut self, action: Action) {
        let trainer = &mut self.trainer;
        match action {
            Action::Choose(library) => trainer.choose(library),
            Action::Set(field) => trainer.set(field),
            Action::Reset => trainer.settings.clear(),
            Action::InView(seen) => trainer.seen = seen,
            Action::Beside(libraries) => trainer.beside = libraries,
            Action::Told(version, asked, shown) => self.hear_trainer(version, asked, shown),
        }
    }

    fn trained(&self) -> (u64, u32, u32) {
        let settings = &self.sequences.settings;
        (self.sequences.version(), settings.limit, settings.batch)
    }

    fn hear_trainer(&mut self, version: u64, asked: Asked, shown: Rc<Shown>) {
        let about = self.trained();
        if about != (version, asked.limit, asked.batch) {
            return;
        }
        let trainer = &mut self.trainer;
        if trainer.about != about {
            (trainer.about, trainer.known) = (about, Rc::default());
        }
        let known = Rc::make_mut(&mut trainer.known);
        known.retain(|(other, _)| *other != asked);
        known.push((asked, shown));
    }

    /// Forgets what is known of other data and limits.
    pub(super) fn forget_trainers(&mut self) {
        if self.trainer.about != self.trained() && !self.trainer.known.is_empty() {
            self.trainer.known = Rc::default();
        }
    }

    /// Returns the question to ask now: about the chosen library first, then about those beside it, one by one.
    pub fn trainer_wanted(&self) -> Option<Asked> {
        let (trainer, study) = (&self.trainer, &self.sequences);
        let data = study.data.as_ref().filter(|_| trainer.seen && self.view == View::Sequences)?;
        let settings = &study.settings;
        let asked = |library: &str, settings_of: &[Field], thorough| Asked {
            library: library.to_owned(),
            settings: settings_of.to_vec(),
            limit: settings.limit,
            batch: settings.batch,
            seeds: if data.histogram.items() > FEW { 1 } else { ORDERS },
            thorough,
        };
        let chosen = trainer.library.as_deref().map(|library| asked(library, &trainer.settings, true));
        let beside = || trainer.beside.iter().map(|library| asked(library, &[], false));
        let open = |asked: &Asked| {
            trainer.about != self.trained() || !trainer.known.iter().any(|(known, _)| known.covers(asked))
        };
        chosen.into_iter().chain(beside()).find(open)
    }

    /// Returns what a library does with the data, as a title.
    pub fn of_trainer(&self, title: &str, shown: &Shown) -> String {
        let limit = count(u64::from(self.sequences.settings.limit));
        let Some(figures) = &shown.figures else { return format!("{title} refuses these data") };
        let above = figures.above_best.filter(|above| *above > LITTLE);
        let rows = above.map(|above| format!("{} more rows than the best plan", percent(above)));
        let loses = if figures.dropped_share > LITTLE {
            format!("drops {} of the tokens", percent(figures.dropped_share))
        } else if figures.truncated_share > LITTLE {
            format!("cuts off {} of the tokens", percent(figures.truncated_share))
        } else if figures.cut_share > LITTLE {
            format!(
                "trains {} of the tokens without the beginning of their sequence",
                percent(figures.cut_share)
            )
        } else {
            return match rows {
                Some(rows) => format!("{title} needs {rows} at a limit of {limit}"),
                None => format!("{title} packs these data as well as the best plan at a limit of {limit}"),
            };
        };
        format!("{title} {loses} at a limit of {limit}")
    }
}

impl Asked {
    /// Whether its answer answers another question too.
    fn covers(&self, other: &Self) -> bool {
        self == other || self.thorough && Self { thorough: false, ..self.clone() } == *other
    }
}

const NAME: &str = "trainer";
const PREFIX: &str = "trainer.";

/// Writes a value so that an address holds it: all but letters, digits, dots, minus and underscores as `~` and two digits.
fn coded(value: &str) -> String {
    let code = |byte: u8| match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'_' | b'-' => char::from(byte).to_string(),
        byte => format!("~{byte:02x}"),
    };
    value.bytes().map(code).collect()
}

/// Reads a value of an address; what is no code stands for itself.
fn decoded(value: &str) -> String {
    let mut parts = value.split('~');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        match part.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend(part[2..].bytes());
            }
            None => bytes.extend(part.bytes()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
