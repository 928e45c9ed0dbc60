//! The state of the page, without any web crate: event → [`Action`] → [`AppState::reduce`] → views.
//!
//! Answers arrive from workers with a [`Ticket`]; one that is older than what is shown, or that is
//! about data no longer loaded, changes nothing.

mod background;
pub mod batches;
pub mod caption;
mod comparison;
pub mod custom;
mod data;
mod files;
pub mod findings;
pub mod graphs;
mod hash;
pub mod learn;
pub mod pin;
mod proof;
pub mod speedup;
pub mod tokens;
mod told;
mod view;

pub use background::{Background, Search};
pub use batches::BatchState;
pub use comparison::Comparison;
pub use data::{Data, Source};
pub use files::{FileGroup, FileRow};
pub use graphs::GraphState;
pub use hash::{DataName, data_of, has, view_of};
pub use learn::LearnState;
pub use proof::{Found, Subject};
pub use speedup::SpeedUpState;
pub use told::{Answer, Point, Ticket, Told};
pub use view::{Theme, View};

use crate::api::{Report, Settings};
use crate::cost::{self, Overhead};
use crate::histogram::{Histogram, Overlong, Preset};
use crate::packing::{Algorithm, Depth};
use std::rc::Rc;

/// The depths of the slider and of the curve.
pub const DEPTHS: [Depth; 9] = [
    Depth::AtMost(1),
    Depth::AtMost(2),
    Depth::AtMost(3),
    Depth::AtMost(4),
    Depth::AtMost(6),
    Depth::AtMost(8),
    Depth::AtMost(12),
    Depth::AtMost(16),
    Depth::Unlimited,
];

/// Everything the page shows follows from this.
#[derive(Debug, Clone, PartialEq)]
pub struct AppState {
    /// What is on screen.
    pub view: View,
    /// The view of graphs.
    pub graphs: GraphState,
    /// The view of batches; it shares data, limit, policy, seed and batch with the view of sequences.
    pub batches: BatchState,
    /// What it saves on accelerators, on every view.
    pub speedup: SpeedUpState,
    /// The view of lessons, and what is hidden on every view.
    pub learn: LearnState,
    /// `None` until the first data are there.
    pub data: Option<Data>,
    /// Files that were opened together.
    pub files: Option<Rc<FileGroup>>,
    /// How the data are to be packed.
    pub settings: Settings,
    /// Colours.
    pub theme: Theme,
    /// Whether the page is a part of another one: without its top line and foot.
    pub embed: bool,
    /// What may be done that nobody has asked for.
    pub background: Background,
    /// Logarithmic counts in the histogram.
    pub log_counts: bool,
    /// Logarithmic padding in the depth chart.
    pub log_padding: bool,
    /// The newest answer.
    pub answer: Option<Rc<Answer>>,
    /// A result that is kept.
    pub pin: Option<Rc<pin::Pin<Settings>>>,
    /// Table and curve.
    pub comparison: Rc<Comparison>,
    /// How far the search for the optimum is.
    found: Option<Found>,
    /// The newest plan that came out of it.
    proven: Option<Rc<Answer>>,
    /// What is wrong with a file; stays until it is dismissed or other data are read.
    pub problem: Option<String>,
    /// A built-in set that was asked for and could not be loaded.
    pub absent: Option<&'static Preset>,
    /// The question that the engine has refused last, and why.
    refused: Option<(Ticket, Settings, String)>,
}

impl Default for AppState {
    fn default() -> Self {
        Self {
            view: View::default(),
            graphs: GraphState::default(),
            batches: BatchState::default(),
            speedup: SpeedUpState::default(),
            learn: LearnState::default(),
            data: None,
            files: None,
            settings: Settings::default(),
            theme: Theme::System,
            embed: false,
            background: Background::default(),
            log_counts: false,
            log_padding: true,
            answer: None,
            pin: None,
            comparison: Rc::default(),
            found: None,
            proven: None,
            problem: None,
            absent: None,
            refused: None,
        }
    }
}

/// What can happen.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// What is on screen.
    View(View),
    /// What happens to graphs.
    Graphs(graphs::Action),
    /// What happens to batches.
    Batches(batches::Action),
    /// What happens to estimates.
    SpeedUp(speedup::Action),
    /// What happens in lessons.
    Learn(learn::Action),
    /// Data were read; with the limit to start from, if the settings shall change.
    Loaded(Source, Rc<Histogram<1>>, Option<u32>),
    /// The same of texts: (length, stopwords).
    LoadedTexts(Source, Rc<Histogram<2>>, Option<u32>),
    /// What happens to the result that is kept.
    Pin(pin::Action),
    /// Several files were read.
    Files(Option<Rc<FileGroup>>),
    /// The maximum sequence length.
    Limit(u32),
    /// Items in a row at most.
    Depth(Depth),
    /// The algorithm.
    Algorithm(Algorithm),
    /// What to do with items above the limit.
    Overlong(Overlong),
    /// Alignment of items.
    Align(u32),
    /// The seed.
    Seed(u64),
    /// Sequences in a batch of fixed size.
    Batch(u32),
    /// The accelerator's overhead: re-prices, never packs again.
    Overhead(Overhead),
    /// Colours.
    Theme(Theme),
    /// Work that nobody has asked for, or none.
    Background(bool),
    /// The tab can be seen, or not.
    Visible(bool),
    /// The depth chart is in view, or not.
    DepthsInView(bool),
    /// Logarithmic counts or not.
    LogCounts(bool),
    /// Logarithmic padding or not.
    LogPadding(bool),
    /// A worker has said something.
    Told(Told<Settings, Report, (Algorithm, Depth)>),
    /// The visitor has stopped what takes long: what was found stays.
    Cancelled,
    /// A file could not be read.
    Unreadable(String),
    /// A built-in set could not be loaded, or is being loaded.
    Absent(Option<&'static Preset>),
    /// The visitor has read what went wrong.
    Dismiss,
    /// The URL changed: settings of the hash replace the present ones.
    Navigate(String),
}

impl AppState {
    /// The state after an action. Pure.
    #[must_use]
    pub fn reduce(&self, action: Action) -> Self {
        let mut next = self.clone();
        match action {
            Action::View(view) => next.view = view,
            Action::Graphs(action) => next.graph(action),
            Action::Batches(action) => next.batch(action),
            Action::SpeedUp(action) => next.speed_up(action),
            Action::Learn(action) => next.learn.apply(action),
            Action::Loaded(source, histogram, limit) => next.load(source, histogram, None, limit),
            Action::LoadedTexts(source, texts, limit) => {
                if let Some(lengths) = texts.marginal(0) {
                    next.load(source, Rc::new(lengths), Some(texts), limit);
                }
            }
            Action::Pin(action) => next.pin(action),
            Action::Files(files) => next.files = files,
            Action::Limit(limit) => next.settings.limit = limit.max(1),
            Action::Depth(depth) => next.settings.depth = depth,
            Action::Algorithm(algorithm) => {
                next.settings.algorithm = algorithm;
                next.adopt_proven();
            }
            Action::Overlong(overlong) => next.settings.overlong = overlong,
            Action::Align(align) => next.settings.align = align.max(1),
            Action::Seed(seed) => next.settings.seed = seed,
            Action::Batch(batch) => next.rows(batch.max(1)),
            Action::Overhead(overhead) => next.reprice(overhead),
            Action::Theme(theme) => next.theme = theme,
            Action::Background(on) => next.background.on = on,
            Action::Visible(visible) => next.background.visible = visible,
            Action::DepthsInView(seen) => next.background.depths = seen,
            Action::LogCounts(log) => next.log_counts = log,
            Action::LogPadding(log) => next.log_padding = log,
            Action::Told(told) => next.hear(told),
            Action::Cancelled => {
                next.hear(Told::Stopped);
                next.graph(graphs::Action::Cancelled);
            }
            Action::Unreadable(problem) => next.problem = Some(problem),
            Action::Absent(preset) => next.absent = preset,
            Action::Dismiss => (next.problem, next.absent) = (None, None),
            Action::Navigate(hash) => next.navigate(&hash),
        }
        next.forget_search();
        next
    }

    /// Other batches of fixed size: of all that is packed, only sorted batches are others.
    fn rows(&mut self, batch: u32) {
        if batch != self.settings.batch {
            self.settings.batch = batch;
            Rc::make_mut(&mut self.comparison)
                .points
                .retain(|(algorithm, _), _| *algorithm != Algorithm::Sort);
        }
    }

    /// Whether what an algorithm packed under these settings has batches as they are now.
    fn is_batched_so(&self, algorithm: Algorithm, settings: &Settings) -> bool {
        algorithm != Algorithm::Sort || settings.batch == self.settings.batch
    }

    fn hear(&mut self, told: Told<Settings, Report, (Algorithm, Depth)>) {
        match told {
            Told::Answered(answer) => self.accept(answer),
            Told::Compared(ticket, settings, points) => self.compare(ticket, settings, points),
            Told::Found(ticket, settings, packs, bound) => {
                self.find(ticket, &settings, packs, bound);
                self.share_bounds();
            }
            Told::Better(answer) => self.better(answer),
            Told::Proven(answer) => self.prove(answer),
            Told::Stopped => self.found = None,
            Told::Refused(ticket, settings, why) => {
                if settings.algorithm == Algorithm::Optimal {
                    self.found = None;
                }
                self.refused = Some((ticket, settings, why));
            }
        }
    }

    fn graph(&mut self, action: graphs::Action) {
        // What a link could not open is still to be said when the data that stand in for it come.
        if let graphs::Action::Loaded(source, ..) = &action
            && (self.graphs.data.is_some() || matches!(source, Source::Own { .. }))
        {
            self.problem = None;
        }
        if matches!(&action, graphs::Action::Loaded(..)) {
            self.absent = None;
        }
        if matches!(&action, graphs::Action::Loaded(Source::Own { .. }, ..)) {
            self.view = View::Graphs;
        }
        let version = self.next_version();
        self.graphs.apply(action, version);
    }

    /// Versions count the loads of all views, so that no two data have the same.
    fn next_version(&self) -> u64 {
        self.version().max(self.graphs.version()) + 1
    }

    fn load(
        &mut self,
        source: Source,
        histogram: Rc<Histogram<1>>,
        texts: Option<Rc<Histogram<2>>>,
        limit: Option<u32>,
    ) {
        let version = self.next_version();
        if let Some(limit) = limit {
            self.settings.limit = limit;
        }
        // Sequences of one's own are shown where sequences can be seen.
        if matches!(self.view, View::Graphs | View::Learn) && matches!(source, Source::Own { .. }) {
            self.view = View::Sequences;
        }
        self.data = Some(Data::new(version, source, histogram, texts));
        (self.problem, self.absent) = (None, None);
    }

    /// Version of the data that are loaded; 0 when there are none.
    pub fn version(&self) -> u64 {
        self.data.as_ref().map_or(0, |d| d.version)
    }

    fn accept(&mut self, answer: Rc<Answer>) {
        let newer = self.answer.as_ref().is_none_or(|shown| shown.ticket < answer.ticket);
        // Nobody asks again for what is there: an answer about other settings does not replace it, and what stands in for
        // the optimum does not replace that.
        let late = self.is_current() && packed(&answer.report.settings) != packed(&self.settings)
            || self.is_interim() && answer.about() != self.subject();
        if newer && !late && answer.ticket.data == self.version() {
            self.show(answer);
        }
    }

    fn show(&mut self, answer: Rc<Answer>) {
        // The overhead may have been changed while the worker was packing.
        let mut answer = Rc::unwrap_or_clone(answer);
        cost::price(&mut answer.report.figures, self.settings.overhead);
        self.answer = Some(Rc::new(answer));
        self.adopt();
        self.share_bounds();
    }

    /// Whether the newest answer is about the present data and settings.
    pub fn is_current(&self) -> bool {
        self.answer.as_ref().is_some_and(|a| {
            a.ticket.data == self.version() && packed(&a.report.settings) == packed(&self.settings)
        })
    }

    /// Whether the answer, and the comparison, are about the present data and settings.
    pub fn stands(&self) -> [bool; 2] {
        [self.is_current(), self.is_compared()]
    }

    /// Why the engine gave no answer to the present settings.
    pub fn refusal(&self) -> Option<&str> {
        let (ticket, settings, why) = self.refused.as_ref()?;
        // What stands in for the optimum is refused with the same words.
        let stands_in = self.settings.algorithm == Algorithm::Optimal
            && settings.algorithm == Algorithm::AverageTarget
            && problem(settings) == problem(&self.settings);
        let about = stands_in || packed(settings) == packed(&self.settings);
        (about && ticket.data == self.version() && !self.is_current()).then_some(why)
    }

    /// Depths on the slider: the usual ones, and the present one if it is another.
    pub fn depths(&self) -> Vec<Depth> {
        let mut depths = DEPTHS.to_vec();
        if let Err(at) = depths.binary_search(&self.settings.depth) {
            depths.insert(at, self.settings.depth);
        }
        depths
    }

    /// The largest limit on offer: the longest item, or the usual limit of a built-in set.
    pub fn largest_limit(&self) -> u32 {
        let usual = match self.data.as_ref().map(|d| &d.source) {
            Some(Source::Preset(preset)) => preset.limit(),
            _ => 0,
        };
        let longest = self.data.as_ref().map_or(1, |d| d.histogram.max()[0]);
        longest.max(usual).max(self.settings.limit)
    }
}

/// The settings that all points of a comparison share.
fn base(settings: &Settings) -> Settings {
    Settings { depth: Depth::Unlimited, ..problem(settings) }
}

/// The settings without algorithm: what an optimum is the optimum of.
fn problem(settings: &Settings) -> Settings {
    packed(&Settings { algorithm: Algorithm::Optimal, ..settings.clone() })
}

/// What the packs follow from: neither the price of them, nor how many rows are a batch, unless rows are sorted for it.
fn packed(settings: &Settings) -> Settings {
    let sorted = settings.algorithm == Algorithm::Sort;
    let batch = if sorted { settings.batch } else { Settings::default().batch };
    Settings { batch, ..settings.unpriced() }
}
