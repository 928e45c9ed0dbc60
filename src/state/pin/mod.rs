//! A result that is kept to compare others with: A, beside B, which is on screen.

mod compare;

pub use compare::{Comparison, Difference, Verdict};

use super::caption::{of_graphs, of_sequences};
use super::custom::ADDRESS;
use super::hash::{OWN, Pair};
use super::{AppState, Data, GraphState, Source};
use crate::api::any::Request;
use crate::api::{self, tuple};
use crate::histogram::Histogram;
use crate::metrics::Figures;
use compare::{GRAPHS, SEQUENCES, compared, differing};
use std::rc::Rc;

/// The name under which a lane is asked for a pinned result.
pub const ASKED: &str = "pin";
/// Before the names of the settings of a pinned result, in the address.
pub(super) const PREFIX: &str = "pin.";

/// A result that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin<S, const K: usize = 1> {
    /// How the data were packed.
    pub settings: S,
    /// The data; `None` until those that a link names are there.
    pub data: Option<Data<K>>,
    /// What came out of it; `None` until that is known.
    pub figures: Option<Figures>,
    /// The data, as a link names them.
    pub named: String,
}

/// What can happen to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Action<const K: usize = 1> {
    /// What is on screen is kept, in place of what was.
    Keep,
    /// Data and settings are what they were when it was kept.
    Back,
    /// The same, and what is on screen is kept.
    Swap,
    /// It is kept no longer.
    Drop,
    /// The data that a link named are there: (length, stopwords) too, where they were counted.
    Found(Source, Rc<Histogram<K>>, Option<Rc<Histogram<2>>>),
    /// What came out of it, and of which question.
    Told(Box<Request>, Box<Figures>),
}

/// Where a result is kept: a view's data and settings, and the figures on screen if they are about these.
pub(super) struct Place<'a, S, const K: usize> {
    pub pin: &'a mut Option<Rc<Pin<S, K>>>,
    pub data: &'a mut Option<Data<K>>,
    pub settings: &'a mut S,
    pub figures: Option<Figures>,
    /// The version of the next data.
    pub version: u64,
}

impl<S: Clone, const K: usize> Place<'_, S, K> {
    pub(super) fn apply(
        self,
        action: Action<K>,
        new: impl FnOnce(Source, Rc<Histogram<K>>, Option<Rc<Histogram<2>>>) -> Data<K>,
    ) {
        match action {
            Action::Keep => *self.pin = self.kept(),
            Action::Back => self.back(),
            Action::Swap => {
                let kept = self.kept();
                let Place { pin, data, settings, version, .. } = self;
                Place { pin: &mut *pin, data, settings, figures: None, version }.back();
                *pin = kept;
            }
            Action::Drop => *self.pin = None,
            Action::Found(source, histogram, texts) => {
                if let Some(pin) = self.pin.as_mut().filter(|pin| pin.data.is_none()) {
                    Rc::make_mut(pin).data = Some(new(source, histogram, texts));
                }
            }
            Action::Told(_, figures) => {
                if let Some(pin) = self.pin {
                    Rc::make_mut(pin).figures = Some(*figures);
                }
            }
        }
    }

    fn kept(&self) -> Option<Rc<Pin<S, K>>> {
        let data = self.data.clone()?;
        let (named, settings) = (data.named(ADDRESS), self.settings.clone());
        Some(Rc::new(Pin { settings, named, data: Some(data), figures: self.figures.clone() }))
    }

    fn back(self) {
        let Some(pin) = self.pin.as_ref() else { return };
        let Some(then) = &pin.data else { return };
        if !self.data.as_ref().is_some_and(|now| now.is_same(then)) {
            // The file may have been closed since.
            let source = then.source.without_file();
            *self.data = Some(Data { version: self.version, source, ..then.clone() });
        }
        *self.settings = pin.settings.clone();
    }
}

impl<S: Default, const K: usize> Pin<S, K> {
    /// One that a link names.
    pub(super) fn named(data: &str) -> Self {
        Self { settings: S::default(), data: None, figures: None, named: data.to_owned() }
    }
}

impl<S: PartialEq, const K: usize> Pin<S, K> {
    /// Whether two are the same, however much is known of them.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.named == other.named && self.settings == other.settings
    }
}

impl<S, const K: usize> Pin<S, K> {
    /// What the address says of it: nothing where the data are too large to travel.
    pub(super) fn pairs(&self, settings: Vec<Pair>) -> Vec<(String, String)> {
        if self.named == OWN {
            return Vec::new();
        }
        let data = ("data".to_owned(), self.named.clone());
        let named = std::iter::once(data).chain(settings.into_iter().map(Pair::parts));
        named.map(|(name, value)| (format!("{PREFIX}{name}"), value)).collect()
    }

    /// The name of the data that are still to be had, or these themselves.
    pub fn missing(&self) -> Option<&str> {
        self.data.is_none().then_some(self.named.as_str())
    }

    fn asked(&self) -> Option<&Data<K>> {
        self.data.as_ref().filter(|_| self.figures.is_none())
    }
}

impl Pin<api::Settings> {
    /// What is to be asked of the engine, if anything.
    pub fn request(&self) -> Option<Request> {
        let counts = self.asked()?.histogram.lengths();
        Some(Request::Sequences(api::Request { counts, settings: self.settings.clone(), listed: 0 }))
    }
}

impl Pin<tuple::Settings, 2> {
    /// What is to be asked of the engine, if anything.
    pub fn request(&self) -> Option<Request> {
        let counts = self.asked()?.histogram.entries().iter().map(|(size, n)| (size.to_vec(), *n)).collect();
        Some(Request::Graphs(tuple::Request { counts, settings: self.settings.clone(), listed: 0 }))
    }
}

impl AppState {
    /// The result that is kept beside the one on screen.
    pub fn against(&self) -> Option<Comparison> {
        let pin = self.pin.as_ref()?;
        let figures = self.answer.as_ref().map(|answer| &answer.report.figures);
        let settings = differing(of_sequences(&pin.settings), of_sequences(&self.settings));
        Some(compared(&SEQUENCES, pin, self.data.as_ref(), figures, settings))
    }

    pub(super) fn pin(&mut self, action: Action) {
        if let Action::Told(asked, _) = &action
            && self.pin.as_ref().and_then(|pin| pin.request()).as_ref() != Some(&**asked)
        {
            return;
        }
        let version = self.next_version();
        let current = self.answer.as_ref().filter(|_| self.is_current());
        let figures = current.map(|answer| answer.report.figures.clone());
        let Self { pin, data, settings, .. } = self;
        let place = Place { pin, data, settings, figures, version };
        place.apply(action, |source, histogram, texts| Data::new(0, source, histogram, texts));
        self.adopt_proven();
    }
}

impl GraphState {
    /// The result that is kept beside the one on screen.
    pub fn against(&self) -> Option<Comparison> {
        let (pin, words) = (self.pin.as_ref()?, self.words());
        let figures = self.answer.as_ref().map(|answer| &answer.report.figures);
        let settings = differing(of_graphs(&pin.settings, &words), of_graphs(&self.settings, &words));
        Some(compared(&GRAPHS, pin, self.data.as_ref(), figures, settings))
    }

    pub(super) fn pin(&mut self, action: Action<2>, version: u64) {
        if let Action::Told(asked, _) = &action
            && self.pin.as_ref().and_then(|pin| pin.request()).as_ref() != Some(&**asked)
        {
            return;
        }
        let current = self.answer.as_ref().filter(|_| self.is_current());
        let figures = current.map(|answer| answer.report.figures.clone());
        let Self { pin, data, settings, .. } = self;
        let place = Place { pin, data, settings, figures, version };
        place.apply(action, |source, histogram, _| Data::graphs(0, source, histogram));
    }
}
