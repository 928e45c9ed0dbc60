//! A pinned result, A, for comparison with the one on screen, B.

mod compare;

pub use compare::{Comparison, Difference, Verdict};

use super::caption::{Named, of_graphs, of_sequences};
use super::hash::{OWN, Pair};
use super::{AppState, Data, GraphState, Source, Study};
use crate::api::any::Request;
use crate::api::{self, Packing, tuple};
use crate::histogram::Histogram;
use crate::metrics::Figures;
use compare::{Compared, GRAPHS, SEQUENCES, compared, differing};
use std::rc::Rc;

/// The name of a pinned result among the questions of a lane.
pub const ASKED: &str = "pin";
/// The prefix of the settings of a pinned result, in the address.
pub(super) const PREFIX: &str = "pin.";

/// A pinned result.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin<S, const K: usize = 1> {
    /// The packing settings.
    pub settings: S,
    /// The data; `None` until those of a link are loaded.
    pub data: Option<Data<K>>,
    /// The figures; `None` until known.
    pub figures: Option<Figures>,
    /// The value of the data in a link: their name, or the data themselves.
    pub named: String,
}

/// An event of the pinned result.
#[derive(Debug, Clone, PartialEq)]
pub enum Action<const K: usize = 1> {
    /// Pins the result on screen, in place of the pinned one.
    Keep,
    /// Restores the data and settings of the pinned result.
    Back,
    /// The same, and pins the result on screen.
    Swap,
    /// Unpins the result.
    Drop,
    /// The data of a link were loaded: with (length, stopwords), where the stopwords were counted.
    Found(Source, Rc<Histogram<K>>, Option<Rc<Histogram<2>>>),
    /// The figures, and the request they answer.
    Figures(Box<Request>, Box<Figures>),
}

impl<const K: usize> Action<K> {
    /// Whether the action is still of use: figures for another request than `asked` are not.
    fn answers(&self, asked: Option<Request>) -> bool {
        !matches!(self, Self::Figures(request, _) if asked.as_ref() != Some(&**request))
    }
}

/// Makes data without a version from those of a link.
type Make<const K: usize> = fn(Source, Rc<Histogram<K>>, Option<Rc<Histogram<2>>>) -> Data<K>;

impl<S: Packing, const K: usize> Study<S, K> {
    /// Applies an action; `version` is that of the next data.
    fn change_pin(&mut self, action: Action<K>, version: u64, make: Make<K>) {
        match action {
            Action::Keep => self.pin = self.kept(),
            Action::Back => self.back(version),
            Action::Swap => {
                let kept = self.kept();
                self.back(version);
                self.pin = kept;
            }
            Action::Drop => self.pin = None,
            Action::Found(source, histogram, texts) => {
                if let Some(pin) = self.pin.as_mut().filter(|pin| pin.data.is_none()) {
                    Rc::make_mut(pin).data = Some(make(source, histogram, texts));
                }
            }
            Action::Figures(_, figures) => {
                if let Some(pin) = &mut self.pin {
                    Rc::make_mut(pin).figures = Some(*figures);
                }
            }
        }
        self.adopt_proven();
    }

    fn kept(&self) -> Option<Rc<Pin<S, K>>> {
        let data = self.data.clone()?;
        let current = self.answer.as_ref().filter(|_| self.is_current());
        let figures = current.map(|answer| answer.report.figures.clone());
        let (named, settings) = (data.named(), self.settings.clone());
        Some(Rc::new(Pin { settings, named, data: Some(data), figures }))
    }

    fn back(&mut self, version: u64) {
        let Some(pin) = &self.pin else { return };
        let Some(then) = &pin.data else { return };
        if !self.data.as_ref().is_some_and(|now| now.is_same(then)) {
            // The file may have been closed since.
            let source = then.source.without_file();
            self.data = Some(Data { version, source, ..then.clone() });
        }
        self.settings = pin.settings.clone();
    }

    fn beside(&self, figures: &[Compared], settings: impl Fn(&S) -> Vec<Named>) -> Option<Comparison> {
        let pin = self.pin.as_ref()?;
        let now = self.answer.as_ref().map(|answer| &answer.report.figures);
        let settings = differing(settings(&pin.settings), settings(&self.settings));
        Some(compared(figures, pin, self.data.as_ref(), now, settings))
    }
}

impl<S: Default, const K: usize> Pin<S, K> {
    /// Returns the pinned result of a link, without data, figures or settings.
    pub(super) fn named(data: &str) -> Self {
        Self { settings: S::default(), data: None, figures: None, named: data.to_owned() }
    }
}

impl<S: PartialEq, const K: usize> Pin<S, K> {
    /// Whether data and settings are the same, whatever is known of the figures.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.named == other.named && self.settings == other.settings
    }
}

impl<S, const K: usize> Pin<S, K> {
    /// Returns the settings for the address; empty where the data are too large for a link.
    pub(super) fn pairs(&self, settings: Vec<Pair>) -> Vec<(String, String)> {
        if self.named == OWN {
            return Vec::new();
        }
        let data = ("data".to_owned(), self.named.clone());
        let named = std::iter::once(data).chain(settings.into_iter().map(Pair::parts));
        named.map(|(name, value)| (format!("{PREFIX}{name}"), value)).collect()
    }

    /// Returns the name of the data while they are not loaded, or the encoded data.
    pub fn missing(&self) -> Option<&str> {
        self.data.is_none().then_some(self.named.as_str())
    }

    fn asked(&self) -> Option<&Data<K>> {
        self.data.as_ref().filter(|_| self.figures.is_none())
    }
}

impl Pin<api::Settings> {
    /// Returns the request for the missing figures; `None` without data, or if the figures are known.
    pub fn request(&self) -> Option<Request> {
        let counts = self.asked()?.histogram.lengths();
        Some(Request::Sequences(api::Request { counts, settings: self.settings.clone(), listed: 0 }))
    }
}

impl Pin<tuple::Settings, 2> {
    /// Returns the request for the missing figures; `None` without data, or if the figures are known.
    pub fn request(&self) -> Option<Request> {
        let counts = self.asked()?.histogram.entries().iter().map(|(size, n)| (size.to_vec(), *n)).collect();
        Some(Request::Graphs(tuple::Request { counts, settings: self.settings.clone(), listed: 0 }))
    }
}

impl AppState {
    /// Returns the comparison of the pinned result with the one on screen.
    pub fn against(&self) -> Option<Comparison> {
        self.sequences.beside(&SEQUENCES, of_sequences)
    }

    pub(super) fn pin(&mut self, action: Action) {
        let asked = self.sequences.pin.as_ref().and_then(|pin| pin.request());
        if action.answers(asked) {
            let version = self.next_version();
            self.sequences.change_pin(action, version, |source, histogram, texts| {
                Data::new(0, source, histogram, texts)
            });
        }
    }
}

impl GraphState {
    /// Returns the comparison of the pinned result with the one on screen.
    pub fn against(&self) -> Option<Comparison> {
        let words = self.words();
        self.beside(&GRAPHS, |settings| of_graphs(settings, &words))
    }

    pub(super) fn pin(&mut self, action: Action<2>, version: u64) {
        let asked = self.pin.as_ref().and_then(|pin| pin.request());
        if action.answers(asked) {
            self.change_pin(action, version, |source, histogram, _| Data::graphs(0, source, histogram));
        }
    }
}
