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
mod sequences;
pub mod speedup;
mod study;
pub mod tokens;
mod view;

pub use background::{Background, Search};
pub use batches::BatchState;
pub use comparison::Comparison;
pub use data::{Data, Source};
pub use files::{FileGroup, FileRow};
pub use graphs::GraphState;
pub use hash::{DataName, data_of, has, view_of};
pub use learn::LearnState;
pub use sequences::{DEPTHS, SequenceState};
pub use speedup::SpeedUpState;
pub use study::{Answer, Found, Heard, Study, Subject, Ticket};
pub use view::{Theme, View};

use crate::cost::Overhead;
use crate::histogram::{Histogram, Overlong, Preset};
use crate::packing::{Algorithm, Depth};
use std::rc::Rc;

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
    /// The view of sequences.
    pub sequences: SequenceState,
    /// Files that were opened together.
    pub files: Option<Rc<FileGroup>>,
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
    /// What is wrong with a file; stays until it is dismissed or other data are read.
    pub problem: Option<String>,
    /// A built-in set that was asked for and could not be loaded.
    pub absent: Option<&'static Preset>,
}

impl Default for AppState {
    fn default() -> Self {
        Self {
            view: View::default(),
            sequences: SequenceState::default(),
            graphs: GraphState::default(),
            batches: BatchState::default(),
            speedup: SpeedUpState::default(),
            learn: LearnState::default(),
            files: None,
            theme: Theme::System,
            embed: false,
            background: Background::default(),
            log_counts: false,
            log_padding: true,
            problem: None,
            absent: None,
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
    /// A worker has found something about sequences.
    Heard(Heard),
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
        let settings = &mut next.sequences.settings;
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
            Action::Limit(limit) => settings.limit = limit.max(1),
            Action::Depth(depth) => settings.depth = depth,
            Action::Algorithm(algorithm) => {
                settings.algorithm = algorithm;
                next.sequences.adopt_proven();
            }
            Action::Overlong(overlong) => settings.overlong = overlong,
            Action::Align(align) => settings.align = align.max(1),
            Action::Seed(seed) => settings.seed = seed,
            Action::Batch(batch) => next.sequences.set_batch(batch.max(1)),
            Action::Overhead(overhead) => next.sequences.reprice(overhead),
            Action::Theme(theme) => next.theme = theme,
            Action::Background(on) => next.background.on = on,
            Action::Visible(visible) => next.background.visible = visible,
            Action::DepthsInView(seen) => next.background.depths = seen,
            Action::LogCounts(log) => next.log_counts = log,
            Action::LogPadding(log) => next.log_padding = log,
            Action::Heard(heard) => next.sequences.hear(heard),
            Action::Cancelled => {
                next.sequences.forget_search();
                next.graph(graphs::Action::Cancelled);
            }
            Action::Unreadable(problem) => next.problem = Some(problem),
            Action::Absent(preset) => next.absent = preset,
            Action::Dismiss => (next.problem, next.absent) = (None, None),
            Action::Navigate(hash) => next.navigate(&hash),
        }
        next.forget_searches();
        next
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
        self.sequences.version().max(self.graphs.version()) + 1
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
            self.sequences.settings.limit = limit;
        }
        // Sequences of one's own are shown where sequences can be seen.
        if matches!(self.view, View::Graphs | View::Learn) && matches!(source, Source::Own { .. }) {
            self.view = View::Sequences;
        }
        self.sequences.data = Some(Data::new(version, source, histogram, texts));
        (self.problem, self.absent) = (None, None);
    }
}
