//! Pinned results, A, B and C, for comparison with the one on screen.

mod compare;

pub use compare::{Comparison, Difference, Verdict};

use super::caption::{Named, of_graphs, of_sequences};
use super::pairs::{OWN, Pair};
use super::{AppState, Data, GraphState, Source, Study};
use crate::api::any::Request;
use crate::api::{self, Packing, tuple};
use crate::histogram::Histogram;
use crate::metrics::Figures;
use compare::{Compared, GRAPHS, SEQUENCES, compared, differing};
use std::rc::Rc;

/// The name of pinned results in the questions of a lane.
pub const ASKED: &str = "pin";
/// Maximum pinned results of a view: with the result on screen, four columns fit a phone.
pub const MOST: usize = 3;
/// The prefixes of the settings of pinned results in the address.
pub(super) const PREFIXES: [&str; MOST] = ["pin.", "pin2.", "pin3."];
/// The letters of pinned results, followed by that of the result on screen.
pub const LETTERS: [char; MOST + 1] = ['A', 'B', 'C', 'D'];

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

/// An event of the pinned results, which are identified by their indices.
#[derive(Debug, Clone, PartialEq)]
pub enum Action<const K: usize = 1> {
    /// Pins the result on screen, if there are fewer than [`MOST`] and it is not pinned yet.
    Keep,
    /// Restores the data and settings of a pinned result.
    Back(usize),
    /// Restores a pinned result, and pins the result on screen in its place.
    Swap(usize),
    /// Unpins a result.
    Drop(usize),
    /// The data of a link, by name, were loaded; with (length, stopwords) if stopwords were counted.
    Found(String, Source, Rc<Histogram<K>>, Option<Rc<Histogram<2>>>),
    /// The data of a link, by name, cannot be loaded: unpins the results about them.
    Lost(String),
    /// The figures, and the request they answer.
    Figures(Box<Request>, Box<Figures>),
}

/// Makes data without a version from those of a link.
type Make<const K: usize> = fn(Source, Rc<Histogram<K>>, Option<Rc<Histogram<2>>>) -> Data<K>;

impl<S: Packing, const K: usize> Study<S, K> {
    /// Applies an action; `version` is that of the next data.
    fn change_pins(&mut self, action: Action<K>, version: u64, make: Make<K>)
    where
        Pin<S, K>: Asking,
    {
        match action {
            Action::Keep => {
                let kept = self.kept().filter(|_| self.pins.len() < MOST);
                self.pins.extend(kept.filter(|kept| !self.pins.iter().any(|pin| pin.is_same(kept))));
            }
            Action::Back(place) => self.back(place, version),
            Action::Swap(place) => {
                let kept = self.kept();
                self.back(place, version);
                if let Some((pin, kept)) = self.pins.get_mut(place).zip(kept) {
                    *pin = kept;
                }
            }
            Action::Drop(place) if place < self.pins.len() => drop(self.pins.remove(place)),
            Action::Drop(_) => {}
            Action::Found(name, source, histogram, texts) => {
                let data = make(source, histogram, texts);
                for pin in self.pins.iter_mut().filter(|pin| pin.missing() == Some(&name)) {
                    Rc::make_mut(pin).data = Some(data.clone());
                }
            }
            Action::Lost(name) => self.pins.retain(|pin| pin.missing() != Some(&name)),
            Action::Figures(request, figures) => {
                for pin in self.pins.iter_mut().filter(|pin| pin.request().as_ref() == Some(&*request)) {
                    Rc::make_mut(pin).figures = Some((*figures).clone());
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

    fn back(&mut self, place: usize, version: u64) {
        let Some(pin) = self.pins.get(place) else { return };
        let Some(then) = &pin.data else { return };
        if !self.data.as_ref().is_some_and(|now| now.is_same(then)) {
            // The file may have been closed since.
            let source = then.source.without_file();
            self.data = Some(Data { version, source, ..then.clone() });
        }
        self.settings = pin.settings.clone();
    }

    fn beside(&self, figures: &[Compared], settings: impl Fn(&S) -> Vec<Named>) -> Vec<Comparison> {
        let now = self.answer.as_ref().map(|answer| &answer.report.figures);
        let one = |pin: &Rc<Pin<S, K>>| {
            let settings = differing(settings(&pin.settings), settings(&self.settings));
            compared(figures, pin, self.data.as_ref(), now, settings)
        };
        self.pins.iter().map(one).collect()
    }

    /// Returns the name, or the encoded form, of the first data of a link that are not loaded.
    pub fn missing(&self) -> Option<&str> {
        self.pins.iter().find_map(|pin| pin.missing())
    }

    /// Returns the request for the first missing figures of a pinned result whose data are loaded.
    pub fn pin_request(&self) -> Option<Request>
    where
        Pin<S, K>: Asking,
    {
        self.pins.iter().find_map(|pin| pin.request())
    }
}

impl<S: Default, const K: usize> Pin<S, K> {
    /// Returns the pinned result of a link, without data, figures or settings.
    pub(super) fn named(data: &str) -> Self {
        Self { settings: S::default(), data: None, figures: None, named: data.to_owned() }
    }
}

impl<S: PartialEq, const K: usize> Pin<S, K> {
    /// Whether data and settings are the same, even if only one has its figures.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.named == other.named && self.settings == other.settings
    }
}

impl<S, const K: usize> Pin<S, K> {
    /// Returns the settings for the address; empty if the data are too large for a link.
    pub(super) fn pairs(&self, prefix: &str, settings: Vec<Pair>) -> Vec<(String, String)> {
        if self.named == OWN {
            return Vec::new();
        }
        let data = ("data".to_owned(), self.named.clone());
        let named = std::iter::once(data).chain(settings.into_iter().map(Pair::parts));
        named.map(|(name, value)| (format!("{prefix}{name}"), value)).collect()
    }

    /// Returns the name of the data while they are not loaded, or the encoded data.
    pub fn missing(&self) -> Option<&str> {
        self.data.is_none().then_some(self.named.as_str())
    }

    fn asked(&self) -> Option<&Data<K>> {
        self.data.as_ref().filter(|_| self.figures.is_none())
    }
}

/// A pinned result whose figures can be requested.
pub trait Asking {
    /// Returns the request for the missing figures; `None` without data, or if the figures are known.
    fn request(&self) -> Option<Request>;
}

impl Asking for Pin<api::Settings> {
    fn request(&self) -> Option<Request> {
        let counts = self.asked()?.histogram.lengths();
        Some(Request::Sequences(api::Request { counts, settings: self.settings.clone(), listed: 0 }))
    }
}

impl Asking for Pin<tuple::Settings, 2> {
    fn request(&self) -> Option<Request> {
        let counts = self.asked()?.histogram.entries().iter().map(|(size, n)| (size.to_vec(), *n)).collect();
        Some(Request::Graphs(tuple::Request { counts, settings: self.settings.clone(), listed: 0 }))
    }
}

impl AppState {
    /// Returns the comparison of each pinned result with the one on screen.
    pub fn against(&self) -> Vec<Comparison> {
        self.sequences.beside(&SEQUENCES, of_sequences)
    }

    pub(super) fn pin(&mut self, action: Action) {
        let version = self.next_version();
        self.sequences
            .change_pins(action, version, |source, histogram, texts| Data::new(0, source, histogram, texts));
    }
}

impl GraphState {
    /// Returns the comparison of each pinned result with the one on screen.
    pub fn against(&self) -> Vec<Comparison> {
        let words = self.words();
        self.beside(&GRAPHS, |settings| of_graphs(settings, &words))
    }

    pub(super) fn pin(&mut self, action: Action<2>, version: u64) {
        self.change_pins(action, version, |source, histogram, _| Data::graphs(0, source, histogram));
    }
}
