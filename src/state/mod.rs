//! The state of the page, without any web crate: event → [`Action`] → [`AppState::reduce`] → views.
//!
//! Workers' answers carry a [`Ticket`]; an answer that is older than the one shown, or about data no longer loaded,
//! changes nothing.

mod address;
mod advice;
mod answers;
mod attention;
mod background;
mod baseline;
pub mod batches;
pub mod beside;
pub mod caption;
mod comparison;
mod configuration;
pub mod custom;
mod data;
mod files;
pub mod findings;
pub mod graphs;
pub mod learn;
mod limits;
pub mod pace;
mod pairs;
mod pending_queries;
pub mod pin;
pub mod prompts;
pub mod question;
pub mod ranks;
mod sequences;
pub mod speedup;
mod study;
pub mod supervision;
pub mod tokens;
pub mod trainer;
mod understood;
mod view;

pub use address::{DataName, data_of, has, view_of};
pub use advice::{Advice, Press};
pub use answers::CachedAnswer;
pub use background::{Background, Budget, Search};
pub use baseline::{Baseline, PaddedBaseline};
pub use batches::BatchState;
pub use comparison::ComparisonTable;
pub use configuration::Configuration;
pub use data::{Data, Source};
pub use files::{FileGroup, FileRow};
pub use graphs::GraphState;
pub use learn::LearnState;
pub use limits::Limits;
pub use pending_queries::{DISTINCT, LISTED, Lane, PendingQuery};
pub use ranks::RankState;
pub use sequences::{DEPTHS, SequenceState};
pub use speedup::SpeedUpState;
pub use study::{
    SearchProgress, SearchSubject, Study, StudyAnswer, StudyEvent, StudyUpdate, Ticket,
};
pub use trainer::TrainerState;
pub use understood::understood;
pub use view::{Tab, Theme, View};

use answers::Answers;
use packscope::api::fields;
use packscope::cost::Overhead;
use packscope::histogram::{Histogram, Preset, Spread};
use packscope::packing::{Algorithm, Depth};
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq)]
pub struct AppState {
    pub view: View,
    /// The room of the view on screen.
    pub room: Tab,
    pub graphs: GraphState,
    /// The view of batches; it shares data, limit, policy, seed and batch with the view of sequences.
    pub batches: BatchState,
    /// The view of ranks; it shares data, limit, policy and seed with the view of sequences.
    pub ranks: RankState,
    /// Speed-up on accelerators, on every view.
    pub speedup: SpeedUpState,
    /// The view of lessons, and the parts hidden on every view.
    pub learn: LearnState,
    pub sequences: SequenceState,
    limits: Limits,
    answers: Answers,
    /// Training libraries on the sequences.
    pub trainer: TrainerState,
    /// Samplers of training libraries, on the view of batches.
    pub samplers: TrainerState,
    /// Loaders of graph libraries, on the view of graphs.
    pub loaders: TrainerState,
    pub files: Option<Rc<FileGroup>>,
    /// Which tokens of the sequences bear loss.
    supervision: supervision::Supervision,
    pub theme: Theme,
    /// Whether the page is embedded in another one: without its top line and foot.
    pub embed: bool,
    pub background: Background,
    /// The padded rows that packing is compared with.
    pub baseline: Baseline,
    /// The sequences of the answer in padded batches, with the inputs that they depend on.
    in_batches: Option<(baseline::Key, PaddedBaseline)>,
    /// Whether counts in the histogram are logarithmic.
    pub log_counts: bool,
    /// The spread of lengths in the histogram, if the visitor has chosen: see [`Self::spread`].
    pub lengths: Option<Spread>,
    /// Whether padding in the depth chart is logarithmic.
    pub log_padding: bool,
    /// The problem with a file; stays until it is dismissed or other data are read.
    pub problem: Option<String>,
    /// A built-in set that was requested and could not be loaded.
    pub absent: Option<&'static Preset>,
    /// The rows of sequences for which an export waits; empty for one that waits for those of another view.
    pub whole: Option<Rc<Vec<(Algorithm, Depth)>>>,
    /// Settings of an address that are not possible; stays until it is dismissed or another address is followed.
    pub ignored: Option<String>,
    /// The configuration of a training that was dropped; stays until it is closed.
    pub configuration: Option<Configuration>,
}

impl Default for AppState {
    fn default() -> Self {
        Self {
            view: View::default(),
            room: Tab::default(),
            sequences: SequenceState::default(),
            graphs: GraphState::default(),
            batches: BatchState::default(),
            ranks: RankState::default(),
            speedup: SpeedUpState::default(),
            learn: LearnState::default(),
            limits: Limits::default(),
            answers: Answers::default(),
            trainer: TrainerState::default(),
            samplers: TrainerState::default(),
            loaders: TrainerState::default(),
            files: None,
            supervision: supervision::Supervision::default(),
            theme: Theme::System,
            embed: false,
            background: Background::default(),
            baseline: Baseline::default(),
            in_batches: None,
            log_counts: false,
            lengths: None,
            log_padding: true,
            problem: None,
            absent: None,
            whole: None,
            ignored: None,
            configuration: None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    View(View),
    Room(Tab),
    Graphs(graphs::Action),
    Batches(batches::Action),
    /// A setting of ranks: its name in addresses, and its value as text. Invalid values change nothing.
    Ranks(&'static str, String),
    SpeedUp(speedup::Action),
    Learn(learn::Action),
    /// Data were read; with a new limit, if the limit is to change.
    Loaded(Source, Rc<Histogram<1>>, Option<u32>),
    /// Texts were read, with (length, stopwords) of each; otherwise as [`Loaded`](Self::Loaded).
    LoadedTexts(Source, Rc<Histogram<2>>, Option<u32>),
    Pin(pin::Action),
    Files(Option<Rc<FileGroup>>),
    Supervision(supervision::Action),
    Limit(u32),
    /// Maximum items in a row.
    Depth(Depth),
    Algorithm(Algorithm),
    /// A setting that affects no other: its name in addresses, and its value as text. Invalid values change nothing.
    Set(&'static str, String),
    /// Sequences in a batch of fixed size.
    Batch(u32),
    /// The accelerator's overhead: re-prices, never packs again.
    Overhead(Overhead),
    Theme(Theme),
    /// Whether work in the background is on.
    Background(bool),
    /// Sets the time of a search that is asked for.
    Budget(Budget),
    /// An export waits for these rows of sequences, or for those of another view; none does.
    Whole(Option<Rc<Vec<(Algorithm, Depth)>>>),
    /// The padded rows that packing is compared with.
    Baseline(Baseline),
    /// Whether the tab is visible.
    Visible(bool),
    /// Whether the depth chart is in view.
    DepthsInView(bool),
    /// Whether the plot over limits is in view.
    LimitsInView(bool),
    /// A worker's answers.
    Answered(Vec<CachedAnswer>),
    /// Answers to the requests of a lesson, or to that of a pinned result, by their names.
    LessonAnswered(Vec<(String, learn::LessonAnswer)>),
    Trainer(View, trainer::Action),
    /// The configuration of a training was dropped, or is closed.
    Configure(Option<Box<Configuration>>),
    LogCounts(bool),
    Lengths(Spread),
    LogPadding(bool),
    /// A worker's finding about sequences.
    Heard(StudyUpdate),
    /// The visitor stopped the search: findings stay.
    Cancelled,
    /// The visitor lets what was stopped go on.
    GoOn,
    /// A file could not be read.
    Unreadable(String),
    /// A built-in set could not be loaded, or is being loaded.
    Absent(Option<&'static Preset>),
    /// The visitor dismissed a problem.
    Dismiss,
    /// The URL changed: settings of the hash replace the present ones. Where a lesson leads into the tool, all others
    /// are the defaults.
    Navigate(String),
    /// The visitor went back or forward in the history: all settings are those of the hash, or the defaults.
    Restore(String),
}

impl AppState {
    /// Returns the spread of lengths in the histogram: as chosen, else as the data need it.
    pub fn spread(&self) -> Spread {
        self.lengths.unwrap_or_else(|| self.sequences.spread())
    }

    /// Whether the answer on screen is about other data than those that are named.
    pub fn is_of_other_data(&self) -> bool {
        let (sequences, graphs) = (&self.sequences, &self.graphs);
        let of = match self.view {
            View::Sequences => (
                sequences.answer.as_ref().map(|a| a.ticket),
                sequences.version(),
            ),
            View::Graphs => (graphs.answer.as_ref().map(|a| a.ticket), graphs.version()),
            View::Batches => (
                self.batched(self.batch_row()).map(|b| b.ticket),
                sequences.version(),
            ),
            View::Ranks => (self.ranked().map(|r| r.ticket), sequences.version()),
            View::Learn => return false,
        };
        of.0.is_some_and(|ticket| ticket.data != of.1)
    }

    /// Returns the state after an action. Pure.
    #[must_use]
    pub fn reduce(&self, action: Action) -> Self {
        // Cheap: data, answers and tables are behind an `Rc`, and copied only where they change.
        let mut next = self.clone();
        let settings = &mut next.sequences.settings;
        match action {
            Action::View(view) => next.view = view,
            Action::Room(room) => next.room = room,
            Action::Graphs(action) => next.graph(action),
            Action::Batches(action) => next.batch(action),
            Action::Ranks(id, text) => next.ranks.set(id, &text),
            Action::SpeedUp(action) => next.speed_up(action),
            Action::Learn(action) => next.learn.apply(action),
            Action::Loaded(source, histogram, limit) => {
                let limit = next.opening_limit(&source, limit);
                next.load(source, histogram, None, limit);
            }
            Action::LoadedTexts(source, texts, limit) => {
                if let Some(lengths) = texts.marginal(0) {
                    let limit = next.opening_limit(&source, limit);
                    next.load(source, Rc::new(lengths), Some(texts), limit);
                }
            }
            Action::Pin(action) => next.pin(action),
            Action::Files(files) => next.files = files,
            Action::Supervision(action) => next.supervision.apply(action),
            Action::Limit(limit) => settings.limit = limit.max(1),
            Action::Depth(depth) => settings.depth = depth,
            Action::Algorithm(algorithm) => {
                settings.algorithm = algorithm;
                next.sequences.adopt_optimum();
            }
            Action::Set(id, text) => next.set_value(id, &text),
            Action::Batch(batch) => {
                // Else `suit` would replace it below.
                next.speedup.by_hand.batch = true;
                next.sequences.set_batch(batch.max(1));
            }
            Action::Overhead(overhead) => next.sequences.reprice(overhead),
            Action::Theme(theme) => next.theme = theme,
            Action::Background(on) => next.background.on = on,
            Action::Budget(budget) => next.search_for(budget),
            Action::Whole(whole) => next.export(whole),
            Action::Baseline(baseline) => next.baseline = baseline,
            Action::Visible(visible) => next.background.visible = visible,
            Action::DepthsInView(seen) => next.background.depths = seen,
            Action::LimitsInView(seen) => next.see_limits(seen),
            Action::Answered(answers) => next.take_answers(answers),
            Action::LessonAnswered(answers) => next.take_lesson(answers),
            Action::Trainer(view, action) => next.train(view, action),
            Action::Configure(Some(configuration)) => next.configure(*configuration),
            Action::Configure(None) => next.configuration = None,
            Action::LogCounts(log) => next.log_counts = log,
            Action::Lengths(spread) => next.lengths = Some(spread),
            Action::LogPadding(log) => next.log_padding = log,
            Action::Heard(heard) => next.sequences.take_update(heard),
            Action::GoOn => next.go_on(),
            Action::Cancelled => next.cancel(),
            Action::Unreadable(problem) => next.problem = Some(problem),
            Action::Absent(preset) => next.absent = preset,
            Action::Dismiss => (next.problem, next.absent, next.ignored) = (None, None, None),
            Action::Navigate(hash) => {
                // A lesson's link shows the lesson's numbers: nothing that was set in the tool before may change them.
                if next.view == View::Learn && view_of(&hash) != View::Learn {
                    next.reset();
                }
                next.navigate(&hash);
            }
            Action::Restore(hash) => {
                next.reset();
                next.navigate(&hash);
            }
        }
        // After every action, since any may change what these depend on. `suit` sets model and
        // batch, with which pins of ranks and padded batches are computed: it comes before both.
        next.forget_searches();
        next.suit();
        next.remodel_pins();
        next.offer_limits();
        next.pad();
        next.tell_lesson();
        next
    }

    /// Hands the data, and the training on them, to the chapter about the visitor's own.
    fn tell_lesson(&mut self) {
        let is_open = self.view == View::Learn && self.learn.chapter == learn::YOURS;
        let told = self.case_of(None, Vec::new()).filter(|_| is_open);
        self.learn.yours = told.zip(self.sequences.data.as_ref()).map(|(case, data)| {
            let known = self.learn.yours.as_ref();
            let lengths = known
                .filter(|known| known.version == data.version)
                .map(|known| Rc::clone(&known.lengths));
            learn::OwnLengths {
                version: data.version,
                title: match data.source {
                    Source::Preset(preset) => Some(preset.title),
                    _ => None,
                },
                lengths: lengths.unwrap_or_else(|| Rc::new(data.histogram.lengths())),
                case,
            }
        });
    }

    /// Sets a setting of packing sequences: its name in addresses, and its value as text.
    fn set_value(&mut self, id: &str, text: &str) {
        let is_set = fields::set(
            fields::sequences::VALUES,
            &mut self.sequences.settings,
            id,
            text,
        );
        // From now on it does not follow the data.
        self.speedup.by_hand.batch |= is_set && id == fields::sequences::BATCH.value.id;
    }

    fn graph(&mut self, action: graphs::Action) {
        // The problem with a link must still be shown when substitute data arrive.
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
            self.answer_first();
        }
        let version = self.next_version();
        self.graphs.apply(action, version);
    }

    /// Opens the room of the answer, unless all rooms are on screen.
    fn answer_first(&mut self) {
        if self.room != Tab::All {
            self.room = Tab::Answer;
        }
    }

    /// Returns the version of the next data. Versions count the loads of all views, so that they are unique.
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
        // The problem with a link must still be shown when substitute data arrive.
        let substitute = self.sequences.data.is_none() && matches!(source, Source::Preset(_));
        // Without one the present limit stays, as where the address has it.
        if let Some(limit) = limit {
            self.sequences.settings.limit = limit;
        }
        // The visitor's own sequences open a view that shows sequences.
        let elsewhere = match self.view {
            View::Graphs => true,
            View::Learn => self.learn.chapter != learn::YOURS,
            _ => false,
        };
        if elsewhere && matches!(source, Source::Own { .. }) {
            self.view = View::Sequences;
        }
        if matches!(source, Source::Own { .. }) {
            // Other data are no longer those of a chapter.
            self.learn.from.clear();
            self.answer_first();
        }
        let data = Data::new(version, source, histogram, texts);
        // Data that an address names again are kept, with their file and all answers.
        if !self
            .sequences
            .data
            .as_ref()
            .is_some_and(|now| now.stays(&data))
        {
            self.sequences.data = Some(data);
        }
        self.absent = None;
        if !substitute {
            self.problem = None;
        }
    }
}
