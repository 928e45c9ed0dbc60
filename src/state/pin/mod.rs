//! Pinned results, A, B and C, for comparison with the one on screen.

mod compare;

pub use compare::{Difference, PinComparison, Verdict};

use super::caption::{CaptionEntry, of_all_ranks, of_graphs, of_sequences};
use super::pairs::{OWN, Pair};
use super::{AppState, Data, GraphState, Source, Study, View};
use crate::query::{Answer, Finding, Query, QueryData, Question, Request};
use compare::{RANKS, compared, differing};
use packscope::api::{self, PackingSettings, ranks, tuple};
use packscope::histogram::Histogram;
use packscope::metrics::{Figures, PinnedColumn};
use std::rc::Rc;

/// The name of pinned results in the questions of a lane.
pub const ASKED: &str = "pin";
/// Maximum pinned results of a view: with the result on screen, four columns fit a phone.
pub const MOST: usize = 3;
/// The prefixes of the settings of pinned results in the address. The first has no number, as links
/// were made with it before there could be several.
pub(super) const PREFIXES: [&str; MOST] = ["pin.", "pin2.", "pin3."];
/// The letters of pinned results, followed by that of the result on screen.
pub const LETTERS: [char; MOST + 1] = ['A', 'B', 'C', 'D'];

/// A pinned result: its settings, data of `K` components, and figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin<S, const K: usize = 1, F = Figures> {
    pub settings: S,
    /// The data; `None` until those of a link are loaded.
    pub data: Option<Data<K>>,
    /// The figures; `None` until known.
    pub figures: Option<F>,
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
    /// The answer with the figures, and its request.
    Figures(Box<Request>, Box<Answer>),
}

impl<const K: usize> Action<K> {
    /// Whether the page has heard of data or figures, of whichever view; else the visitor acts on the view on screen.
    fn is_heard(&self) -> bool {
        matches!(self, Self::Found(..) | Self::Lost(_) | Self::Figures(..))
    }
}

/// Makes data without a version from those of a link.
type Make<const K: usize> = fn(Source, Rc<Histogram<K>>, Option<Rc<Histogram<2>>>) -> Data<K>;

/// Applies an action to the pinned results of a view, of which `kept` is the one on screen. Returns the one whose data and
/// settings the view takes.
fn change<S: PartialEq, const K: usize, F>(
    pins: &mut Vec<Rc<Pin<S, K, F>>>,
    action: Action<K>,
    kept: Option<Pin<S, K, F>>,
    make: Make<K>,
) -> Option<Rc<Pin<S, K, F>>>
where
    Pin<S, K, F>: PinQuery<Figures = F> + Clone,
{
    // The result is returned instead of restored here, since `pins` and the data are parts of one
    // state.
    let mut back = None;
    match action {
        Action::Keep => {
            let kept = kept.filter(|_| pins.len() < MOST);
            pins.extend(
                kept.filter(|kept| !pins.iter().any(|pin| pin.is_same(kept)))
                    .map(Rc::new),
            );
        }
        Action::Back(place) => back = pins.get(place).cloned(),
        Action::Swap(place) => {
            back = pins.get(place).cloned();
            if let Some((pin, kept)) = pins.get_mut(place).zip(kept) {
                *pin = Rc::new(kept);
            }
        }
        Action::Drop(place) if place < pins.len() => drop(pins.remove(place)),
        Action::Drop(_) => {}
        Action::Found(name, source, histogram, texts) => {
            let data = make(source, histogram, texts);
            for pin in pins.iter_mut().filter(|pin| pin.missing() == Some(&name)) {
                Rc::make_mut(pin).data = Some(data.clone());
            }
        }
        Action::Lost(name) => pins.retain(|pin| pin.missing() != Some(&name)),
        Action::Figures(request, answer) => {
            for pin in pins
                .iter_mut()
                // The request has data and settings: pins of either may have changed since it was
                // asked.
                .filter(|pin| pin.request().as_ref() == Some(&*request))
            {
                Rc::make_mut(pin).figures = Pin::figures_of(&answer);
            }
        }
    }
    back
}

impl<S: PackingSettings, const K: usize> Study<S, K> {
    /// Applies an action; `version` is that of the next data.
    fn change_pins(&mut self, action: Action<K>, version: u64, make: Make<K>)
    where
        Pin<S, K>: PinQuery<Figures = Figures>,
    {
        let kept = self.kept();
        if let Some(pin) = change(&mut self.pins, action, kept, make)
            && pin.restore(&mut self.data, version)
        {
            self.settings = pin.settings.clone();
        }
        self.adopt_optimum();
    }

    fn kept(&self) -> Option<Pin<S, K>> {
        let current = self.answer.as_ref().filter(|_| self.is_current());
        let figures = current.map(|answer| answer.report.figures.clone());
        Some(Pin {
            figures,
            ..Pin::of(&self.data, self.settings.clone())?
        })
    }

    fn beside(
        &self,
        all: &[PinnedColumn<Figures>],
        settings: impl Fn(&S) -> Vec<CaptionEntry>,
    ) -> Vec<PinComparison> {
        let now = self.answer.as_ref().map(|answer| &answer.report.figures);
        let one = |pin: &Rc<Pin<S, K>>| {
            let settings = differing(settings(&pin.settings), settings(&self.settings));
            let mut compared = compared(all, pin, self.data.as_ref(), now, settings);
            let [a, b] = [&pin.settings, &self.settings].map(|of| S::keeps_limits(of.row()));
            // Packs that ignore a limit need fewer rows, which is no merit.
            if a != b {
                compared
                    .figures
                    .iter_mut()
                    .for_each(|figure| figure.verdict = Verdict::Limits);
            }
            compared
        };
        self.pins.iter().map(one).collect()
    }
}

/// Returns the name, or the encoded form, of the first data of a link that are not loaded, and the request for the first
/// missing figures of a result whose data are loaded.
pub fn missing<S, const K: usize, F>(pins: &[Rc<Pin<S, K, F>>]) -> (Option<&str>, Option<Request>)
where
    Pin<S, K, F>: PinQuery,
{
    (
        pins.iter().find_map(|pin| pin.missing()),
        pins.iter().find_map(|pin| pin.request()),
    )
}

impl<S: Default, const K: usize, F> Pin<S, K, F> {
    /// Returns the pinned result of a link, without data, figures or settings.
    pub(super) fn named(data: &str) -> Self {
        Self {
            settings: S::default(),
            data: None,
            figures: None,
            named: data.to_owned(),
        }
    }
}

impl<S: PartialEq, const K: usize, F> Pin<S, K, F> {
    /// Whether data and settings are the same, even if only one has its figures.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.named == other.named && self.settings == other.settings
    }
}

impl<S, const K: usize, F> Pin<S, K, F> {
    /// Returns a result of these data, without figures.
    fn of(data: &Option<Data<K>>, settings: S) -> Option<Self> {
        let data = data.clone()?;
        Some(Self {
            settings,
            named: data.named(),
            data: Some(data),
            figures: None,
        })
    }

    /// Puts the data of the result back, with this version; returns `false` while they are not loaded.
    fn restore(&self, data: &mut Option<Data<K>>, version: u64) -> bool {
        let Some(then) = &self.data else { return false };
        if !data.as_ref().is_some_and(|now| now.is_same(then)) {
            // The file may have been closed since.
            let source = then.source.without_file();
            *data = Some(Data {
                version,
                source,
                ..then.clone()
            });
        }
        true
    }

    /// Returns the name of the data while they are not loaded, or the encoded data.
    pub fn missing(&self) -> Option<&str> {
        self.data.is_none().then_some(self.named.as_str())
    }

    fn asked(&self) -> Option<&Data<K>> {
        self.data.as_ref().filter(|_| self.figures.is_none())
    }
}

/// Returns the settings of a result on the named data for the address; empty if the data are too large for a link.
pub(super) fn pairs(named: &str, prefix: &str, settings: Vec<Pair>) -> Vec<(String, String)> {
    if named == OWN {
        return Vec::new();
    }
    let data = ("data".to_owned(), named.to_owned());
    let all = std::iter::once(data).chain(settings.into_iter().map(Pair::parts));
    all.map(|(name, value)| (format!("{prefix}{name}"), value))
        .collect()
}

/// A pinned result whose figures can be requested.
pub trait PinQuery {
    /// The figures by which results are compared.
    type Figures;

    /// Returns the request for the missing figures; `None` without data, or if the figures are known.
    fn request(&self) -> Option<Request>;

    /// Returns the figures of an answer; `None` if it is of another kind.
    fn figures_of(answer: &Answer) -> Option<Self::Figures>;
}

impl PinQuery for Pin<api::Settings> {
    type Figures = Figures;

    fn request(&self) -> Option<Request> {
        let counts = self.asked()?.histogram.lengths();
        Some(Request {
            data: QueryData::Lengths(counts),
            query: Query::Sequences(Question::Report {
                settings: self.settings.clone(),
                listed: 0,
            }),
        })
    }

    fn figures_of(answer: &Answer) -> Option<Figures> {
        if let Answer::Sequences(Finding::Report(report)) = answer {
            Some(report.figures.clone())
        } else {
            None
        }
    }
}

impl PinQuery for Pin<tuple::Settings, 2> {
    type Figures = Figures;

    fn request(&self) -> Option<Request> {
        let counts = self.asked()?.histogram.entries().to_vec();
        Some(Request {
            data: QueryData::Graphs(counts),
            query: Query::Graphs(Question::Report {
                settings: self.settings.clone(),
                listed: 0,
            }),
        })
    }

    fn figures_of(answer: &Answer) -> Option<Figures> {
        if let Answer::Graphs(Finding::Report(report)) = answer {
            Some(report.figures.clone())
        } else {
            None
        }
    }
}

pub type RanksPin = Pin<ranks::Settings, 1, ranks::Figures>;

impl PinQuery for RanksPin {
    type Figures = ranks::Figures;

    fn request(&self) -> Option<Request> {
        let counts = self.asked()?.histogram.lengths();
        Some(Request {
            data: QueryData::Lengths(counts),
            query: Query::Ranks(Box::new(self.settings.clone())),
        })
    }

    fn figures_of(answer: &Answer) -> Option<ranks::Figures> {
        if let Answer::Ranks(report) = answer {
            Some(report.figures())
        } else {
            None
        }
    }
}

/// Makes data of sequences without a version.
const SEQUENCES_OF: Make<1> = |source, histogram, texts| Data::new(0, source, histogram, texts);

impl AppState {
    /// Returns the comparison of each pinned result with the one on screen.
    pub fn against(&self) -> Vec<PinComparison> {
        self.sequences.beside(Figures::PINNED, of_sequences)
    }

    /// Returns the comparison of each pinned result about ranks with the one on screen.
    pub fn ranks_against(&self) -> Vec<PinComparison> {
        let now = self.ranked().map(|ranked| ranked.report.figures());
        let (data, settings) = (
            self.sequences.data.as_ref(),
            of_all_ranks(&self.ranks_settings()),
        );
        let one = |pin: &Rc<RanksPin>| {
            let settings = differing(of_all_ranks(&pin.settings), settings.clone());
            compared(RANKS, pin, data, now.as_ref(), settings)
        };
        self.ranks.pins.iter().map(one).collect()
    }

    pub(super) fn pin(&mut self, action: Action) {
        let (is_of_ranks, is_heard) = (self.view == View::Ranks, action.is_heard());
        // Data and figures may be of pins of either view; a press is about those on screen.
        if is_of_ranks || is_heard {
            self.pin_ranks(action.clone());
        }
        if !is_of_ranks || is_heard {
            let (version, before) = (self.next_version(), self.sequences.settings.clone());
            self.sequences.change_pins(action, version, SEQUENCES_OF);
            // The batch that comes with the settings may be another than the one that suits the
            // data.
            if self.sequences.settings != before {
                self.keep_batch();
            }
        }
    }

    fn pin_ranks(&mut self, action: Action) {
        let current = self.ranked().filter(|_| self.is_ranked());
        let figures = current.map(|ranked| ranked.report.figures());
        let kept =
            Pin::of(&self.sequences.data, self.ranks_settings()).map(|pin| Pin { figures, ..pin });
        let version = self.next_version();
        if let Some(pin) = change(&mut self.ranks.pins, action, kept, SEQUENCES_OF)
            && pin.restore(&mut self.sequences.data, version)
        {
            self.set_ranks(&pin.settings);
        }
    }
}

impl GraphState {
    /// Returns the comparison of each pinned result with the one on screen.
    pub fn against(&self) -> Vec<PinComparison> {
        let words = self.words();
        self.beside(Figures::PINNED_GRAPHS, |settings| {
            of_graphs(settings, &words)
        })
    }

    pub(super) fn pin(&mut self, action: Action<2>, version: u64) {
        self.change_pins(action, version, |source, histogram, _| {
            Data::graphs(0, source, histogram)
        });
    }
}
