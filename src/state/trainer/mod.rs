//! Training libraries on the sequences: the chosen one with its settings, and all side by side. Samplers and loaders of
//! graphs have their places on other views ([`KindState`]).

mod choice;
mod kinds;

pub use choice::Choice;
pub use kinds::{KindState, Sealed};

use super::{AppState, View};
use crate::api::trainer::{Asked, Shown, Wanted};
use crate::trainer::Field;
use crate::words::{count, percent};
use std::rc::Rc;

/// Items up to which several orders of arrival are drawn: with more, one differs little from another.
const FEW: u64 = 1_000_000;
/// The number of orders.
pub const ORDERS: u32 = 3;

/// Returns how many orders of arrival are drawn of so many items.
fn orders(items: u64) -> u32 {
    if items > FEW { 1 } else { ORDERS }
}

/// Shares below this are no news.
const LITTLE: f64 = 0.001;

/// Libraries that train, and what is known of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TrainerState {
    /// The chosen library with its settings.
    pub choice: Choice,
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
    Heard(u64, Asked, Rc<Shown>),
    /// The same about samplers or loaders.
    Answered(u64, Wanted, Sealed),
}

impl TrainerState {
    /// Returns what is known of a library: of the chosen one at its settings.
    pub fn shown(&self, library: &str) -> Option<&Rc<Shown>> {
        let chosen = self.choice.library.as_deref() == Some(library);
        let is = |asked: &Asked| {
            asked.library == library
                && if chosen { asked.settings == self.choice.settings } else { asked.settings.is_empty() }
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
            Action::Choose(library) => trainer.choice.choose(library),
            Action::Set(field) => trainer.choice.set(field),
            Action::Reset => trainer.choice.settings.clear(),
            Action::InView(seen) => trainer.seen = seen,
            Action::Beside(libraries) => trainer.beside = libraries,
            Action::Heard(version, asked, shown) => self.hear_trainer(version, asked, shown),
            // Nobody asks about those on this view.
            Action::Answered(..) => {}
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
            seeds: orders(data.histogram.items()),
            thorough,
        };
        let chosen =
            trainer.choice.library.as_deref().map(|library| asked(library, &trainer.choice.settings, true));
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
        let above = figures.computed_above.filter(|above| *above > LITTLE);
        let loses = if figures.dropped_share > LITTLE {
            format!("drops {} of the tokens", percent(figures.dropped_share))
        } else if figures.truncated_share > LITTLE {
            format!("cuts off {} of the tokens", percent(figures.truncated_share))
        } else if figures.cut_share > LITTLE {
            format!(
                "trains {} of the tokens without the beginning of their sequence",
                percent(figures.cut_share)
            )
        } else if !shown.padded {
            (if figures.most > 1.0 { "pads nothing" } else { "packs nothing, and pads nothing," }).to_owned()
        } else {
            return match above {
                Some(above) => {
                    let above = percent(above);
                    format!("{title} computes {above} more than the best plan at a limit of {limit}")
                }
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
