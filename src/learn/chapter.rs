//! A chapter, and its view of the state of the page.

use super::{ChapterPart, Citation, Knob, KnobKind, PREDICTIONS};
use crate::query::{Answer, Finding, Request};
use crate::state::learn::{
    BuiltInLengths, LearnState, LessonAnswers, MovedKnobs, OwnLengths, Prediction,
};
use crate::state::{Action, Source, View};
use packscope::api::{self, batch, trainer, tuple};
use packscope::histogram::{Histogram, Sizes};

#[derive(Debug)]
pub struct Chapter {
    /// The name in the address: `#view=learn&chapter=NAME`.
    pub id: &'static str,
    /// The title in the list of chapters.
    pub title: &'static str,
    /// The one sentence to keep of it, without markup.
    pub keep: &'static str,
    pub notes: Notes,
    /// Minutes of reading and trying: 200 words a minute with all answers, and two for the exercise. A test counts them.
    pub minutes: u32,
    /// Built-in sets that are fetched when the chapter is opened: those too large for the program.
    pub needs: &'static [&'static str],
    pub knobs: &'static [Knob],
    /// Builds the content for the current positions of the knobs.
    pub show: fn(&ChapterContext<'_>) -> ChapterView,
    /// Lists the requests to the engine, each with the name under which [`ChapterContext`] holds its answer.
    pub asks: fn(&ChapterContext<'_>) -> Vec<(&'static str, Request)>,
    /// Returns the data and settings to open in the tool.
    pub opens: fn(&ChapterContext<'_>) -> Opens,
    pub sources: &'static [Citation],
}

/// Notes for those who teach with a chapter.
#[derive(Debug, Clone, Copy)]
pub struct Notes {
    /// The aim of the chapter.
    pub aim: &'static str,
    /// The usual wrong answer.
    pub usual: &'static str,
    /// A question for an examination, with its answer in brackets.
    pub exam: &'static str,
}

/// Data and settings that a chapter opens in the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opens {
    pub view: View,
    /// Settings as in the address, without the view: `data=wikipedia_bert_512&depth=3`.
    pub settings: String,
    /// The part of the page that answers the chapter's question, by its id; `None` where the whole view does.
    pub part: Option<&'static str>,
    /// Name and sizes of data of the chapter's own; `None` where the settings name a built-in set.
    pub own: Option<(String, Sizes)>,
    /// The words of the link about it, after a colon.
    pub about: &'static str,
    /// The chapter that opens it, by its name, to which the tool leads back; set by [`Chapter::opened`].
    pub from: &'static str,
    /// Whether the view opens as it stands, with the data and settings that it has.
    pub as_it_stands: bool,
}

impl Opens {
    /// Opens a built-in set with settings.
    pub fn built_in(view: View, settings: &str) -> Self {
        // Chapters pad to the limit, as the papers on BERT do; the page begins with batches padded to their longest.
        let baseline = match view {
            View::Sequences => "&baseline=limit",
            _ => "",
        };
        Self {
            view,
            settings: format!("{settings}{baseline}"),
            part: None,
            own: None,
            about: "the same data and settings in the tool, with everything that can be asked of them there",
            from: "",
            as_it_stands: false,
        }
    }

    /// Opens a view with the data and settings that it has.
    pub fn as_it_stands(view: View) -> Self {
        Self {
            as_it_stands: true,
            ..Self::built_in(view, "")
        }
    }

    /// Says what opens, where that is not what the chapter shows.
    #[must_use]
    pub fn saying(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Goes to a part of the page once it is open.
    #[must_use]
    pub fn opening_at(self, part: &'static str) -> Self {
        Self {
            part: Some(part),
            ..self
        }
    }

    /// Opens sequences of the chapter, given as (length, count).
    pub fn lengths(
        name: &str,
        settings: &str,
        lengths: impl IntoIterator<Item = (u32, u64)>,
    ) -> Self {
        let lengths = Histogram::from_lengths(lengths)
            .ok()
            // The data of chapters are valid, so this does not fail; if it did, the settings alone
            // would open.
            .map(|lengths| Sizes::Lengths(lengths.into()));
        Self {
            own: lengths.map(|sizes| (name.to_owned(), sizes)),
            ..Self::built_in(View::Sequences, settings)
        }
    }

    /// Opens graphs of the chapter, given as (nodes and edges, count).
    pub fn graphs(
        name: &str,
        settings: &str,
        sizes: impl IntoIterator<Item = ([u32; 2], u64)>,
    ) -> Self {
        let graphs = Histogram::from_counts(sizes)
            .ok()
            .map(|graphs| Sizes::Graphs(graphs.into()));
        Self {
            own: graphs.map(|sizes| (name.to_owned(), sizes)),
            ..Self::built_in(View::Graphs, settings)
        }
    }

    /// Returns the address of the view and its settings, without `#`.
    pub fn address(&self) -> String {
        format!(
            "view={}&{}&from={}",
            self.view.name(),
            self.settings,
            self.from
        )
    }

    /// Returns the actions that open it, with the limits of its settings.
    pub fn actions(&self) -> Vec<Action> {
        if self.as_it_stands {
            return vec![Action::View(self.view)];
        }
        // The address first: it chooses the view and the settings under which the data are shown.
        let mut actions = vec![Action::Navigate(self.address())];
        if let Some((name, sizes)) = &self.own {
            let source = Source::Kept {
                name: name.clone(),
                components: Vec::new(),
            };
            // No limits: those of the settings stay, instead of starting from the longest sequence
            // or the largest graph.
            actions.push(Action::loaded(source, sizes.clone(), None, [false; 2]));
        }
        actions
    }
}

#[derive(Debug, Clone)]
pub struct ChapterView {
    /// The title: the main finding, computed from the current numbers. Markup.
    pub finding: String,
    pub parts: Vec<ChapterPart>,
    /// One thing to notice. Markup.
    pub notice: String,
    /// One thing to try. Markup.
    pub task: String,
    /// The conditions of the task, of which the page makes a list; the task is done when all are met.
    pub conditions: Vec<Condition>,
    /// The insight that the task leads to. Markup.
    pub found: String,
}

/// A condition of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub met: bool,
    pub words: String,
    /// The words for an attempt that meets all conditions but this one; empty where the words say enough.
    pub almost: String,
}

impl Condition {
    pub fn new(met: bool, words: impl Into<String>) -> Self {
        Self {
            met,
            words: words.into(),
            almost: String::new(),
        }
    }

    /// Sets what an attempt hears that meets all conditions but this one.
    #[must_use]
    pub fn almost(self, almost: impl Into<String>) -> Self {
        Self {
            almost: almost.into(),
            ..self
        }
    }
}

/// The input of a chapter: the positions of its knobs and the answers of the engine.
#[derive(Debug, Clone, Copy)]
pub struct ChapterContext<'a> {
    knobs: &'static [Knob],
    state: &'a LearnState,
}

impl ChapterView {
    /// Whether the task is done: all of its conditions are met. A chapter without its data has none.
    pub fn is_done(&self) -> bool {
        !self.conditions.is_empty() && self.conditions.iter().all(|condition| condition.met)
    }

    /// Returns what an attempt hears that meets all conditions but one; empty for any other.
    pub fn almost(&self) -> &str {
        let mut open = self.conditions.iter().filter(|condition| !condition.met);
        match (open.next(), open.next()) {
            (Some(last), None) => &last.almost,
            _ => "",
        }
    }
}

impl Chapter {
    /// Returns the chapter or the table of this name, or the first chapter if there is none.
    pub fn named(name: &str) -> &'static Self {
        super::CHAPTERS
            .iter()
            .chain(super::TABLES)
            .copied()
            .find(|c| c.id == name)
            .unwrap_or(super::CHAPTERS[0])
    }

    /// Returns the data and settings to open in the tool, which then leads back to this chapter.
    pub fn opened(&self, here: &ChapterContext<'_>) -> Opens {
        Opens {
            from: self.id,
            ..(self.opens)(here)
        }
    }

    /// Whether this is a table to cite, which is no part of the course: without an exercise, and without a place.
    pub fn is_table(&self) -> bool {
        super::TABLES.iter().any(|table| table.id == self.id)
    }

    /// Returns the index in [`CHAPTERS`](super::CHAPTERS).
    pub fn place(&self) -> usize {
        super::CHAPTERS
            .iter()
            .position(|c| c.id == self.id)
            .unwrap_or_default()
    }

    pub fn context<'a>(&self, state: &'a LearnState) -> ChapterContext<'a> {
        ChapterContext {
            knobs: self.knobs,
            state,
        }
    }

    pub fn missing(&self, state: &LearnState) -> Vec<&'static str> {
        self.needs
            .iter()
            .copied()
            // A set that could not be loaded has an entry too, `None`: it is not waited for.
            .filter(|set| !state.data.contains_key(set))
            .collect()
    }

    /// Whether the chapter has its data, or they cannot be had, and all its answers.
    pub fn is_current(&self, state: &LearnState) -> bool {
        self.missing(state).is_empty() && self.unanswered(&self.context(state)).is_empty()
    }

    pub fn unanswered(&self, here: &ChapterContext<'_>) -> Vec<(&'static str, Request)> {
        let open = |(name, request): &(&'static str, Request)| {
            here.answers()
                .get(*name)
                // Compared as a whole: an answer to the knobs of a moment ago does not count.
                .is_none_or(|a| a.request != *request)
        };
        (self.asks)(here).into_iter().filter(open).collect()
    }

    /// Returns the address of the chapter at its start, without `#`.
    pub fn address(&self) -> String {
        format!("view=learn&chapter={}", self.id)
    }

    pub fn knob(&self, name: &str) -> Option<&'static Knob> {
        self.knobs.iter().find(|k| k.name == name)
    }
}

impl<'a> ChapterContext<'a> {
    fn moved(&self) -> &'a MovedKnobs {
        &self.state.moved
    }

    fn answers(&self) -> &'a LessonAnswers {
        &self.state.answers
    }

    /// Returns the data of the views of sequences, for the chapter about them.
    pub fn yours(&self) -> Option<&OwnLengths> {
        self.state.yours.as_ref()
    }

    /// Returns the reader's prediction on a question.
    pub fn prediction(&self, question: &str) -> Option<Prediction> {
        self.state.predicted.get(question).copied()
    }

    /// Whether the answer to a question may be on the page: a prediction was committed, or none is wanted, here or by a
    /// teacher's link.
    pub fn is_revealed(&self, question: &str) -> bool {
        self.prediction(question).is_some() || self.state.hidden.contains_key(PREDICTIONS)
    }

    /// Returns (length, sequences) of a built-in set that the chapter [needs](Chapter::needs): `None` until it is loaded,
    /// and where it cannot be.
    pub fn set(&self, id: &str) -> Option<&'a BuiltInLengths> {
        self.state.data.get(id)?.as_ref()
    }

    /// Whether such a set could not be loaded.
    pub fn is_absent(&self, id: &str) -> bool {
        matches!(self.state.data.get(id), Some(None))
    }

    /// Returns the numbers of a knob. An unknown name, which is a mistake in the chapter that a test finds, has none.
    pub fn numbers(&self, knob: &str) -> Vec<u32> {
        let known = self.knobs.iter().find(|k| k.name == knob);
        known.map_or_else(Vec::new, |k| k.fit(self.moved().get(knob)))
    }

    /// Returns the first number of a knob, or 0 if it has none.
    pub fn number(&self, knob: &str) -> u32 {
        self.numbers(knob).first().copied().unwrap_or_default()
    }

    /// Returns the chosen word of a knob of [`KnobKind::Words`], or "" for other knobs.
    pub fn word(&self, knob: &str) -> &'static str {
        let words = self.knobs.iter().find(|k| k.name == knob).map(|k| k.kind);
        match words {
            Some(KnobKind::Words(words)) => words
                .get(self.number(knob) as usize)
                .copied()
                .unwrap_or_default(),
            _ => "",
        }
    }

    /// Whether the answer of this name is for exactly this request. An older answer stays available until the next one
    /// arrives.
    pub fn is_answer_to(&self, name: &str, request: &Request) -> bool {
        self.answers()
            .get(name)
            .is_some_and(|a| a.request == *request)
    }

    /// Returns the newest answer of this name if it succeeded, possibly to an earlier request.
    pub fn answer(&self, name: &str) -> Option<&'a Answer> {
        self.answers().get(name)?.answered.outcome.as_ref().ok()
    }

    /// Returns the reason why the newest request of this name has no answer.
    pub fn refusal(&self, name: &str) -> Option<&'a str> {
        let outcome = &self.answers().get(name)?.answered.outcome;
        outcome.as_ref().err().map(String::as_str)
    }

    /// Returns the seconds that the newest answer took.
    pub fn seconds(&self, name: &str) -> Option<f64> {
        self.answers().get(name).map(|a| a.answered.seconds)
    }

    /// Returns the newest report of this name on training libraries, each with its displayed name.
    pub fn trainers(&self, name: &str) -> Option<&[(String, trainer::LessonOutcome)]> {
        if let Answer::Trainers(report) = self.answer(name)? {
            Some(report)
        } else {
            None
        }
    }

    /// Returns the newest report of this name on packs of sequences.
    pub fn sequences(&self, name: &str) -> Option<&'a api::Report> {
        if let Answer::Sequences(Finding::Report(report)) = self.answer(name)? {
            Some(report)
        } else {
            None
        }
    }

    /// Returns the newest report of this name on packs of graphs.
    pub fn graphs(&self, name: &str) -> Option<&tuple::Report> {
        if let Answer::Graphs(Finding::Report(report)) = self.answer(name)? {
            Some(report)
        } else {
            None
        }
    }

    /// Returns the newest report of this name on batches.
    pub fn batches(&self, name: &str) -> Option<&batch::Report> {
        if let Answer::Batches(report) = self.answer(name)? {
            Some(report)
        } else {
            None
        }
    }
}
