//! A chapter, and what it sees of the page.

use super::{Cited, Kind, Knob, Part, prose};
use crate::api::any::{Report, Request};
use crate::api::{self, batch, tuple};
use crate::state::View;
use crate::state::learn::{Answers, LearnState, Moved};

/// A chapter.
#[derive(Debug)]
pub struct Chapter {
    /// The name in the address: `#view=learn&chapter=NAME`.
    pub id: &'static str,
    /// What it is about, in the list of chapters.
    pub title: &'static str,
    /// What the reader can move.
    pub knobs: &'static [Knob],
    /// What the page shows.
    pub show: fn(&Here<'_>) -> Shown,
    /// What it asks of the engine, each under a name by which [`Here`] has the answer.
    pub asks: fn(&Here<'_>) -> Vec<(&'static str, Request)>,
    /// The data and settings that it hands to the tool.
    pub opens: fn(&Here<'_>) -> Opens,
    /// Where it is written.
    pub sources: &'static [Cited],
}

/// What a chapter hands to the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opens {
    /// The view.
    pub view: View,
    /// Settings as in the address, without the view: `data=wikipedia_bert_512&depth=3`.
    pub settings: String,
    /// Data of its own, as a table with a line of names (`length,count` or `nodes,edges,count`), and what it is called;
    /// `None` where the settings name a built-in set.
    pub table: Option<(String, String)>,
}

impl Opens {
    /// A built-in set with settings.
    pub fn built_in(view: View, settings: &str) -> Self {
        Self { view, settings: settings.to_owned(), table: None }
    }

    /// Sequences of the chapter.
    pub fn lengths(name: &str, settings: &str, lengths: impl IntoIterator<Item = (u32, u64)>) -> Self {
        let lines = lengths.into_iter().map(|(length, n)| format!("{length},{n}\n")).collect::<String>();
        let table = Some((name.to_owned(), format!("length,count\n{lines}")));
        Self { view: View::Sequences, settings: settings.to_owned(), table }
    }

    /// Graphs of the chapter.
    pub fn graphs(name: &str, settings: &str, sizes: impl IntoIterator<Item = ([u32; 2], u64)>) -> Self {
        let lines = sizes.into_iter().map(|([a, b], n)| format!("{a},{b},{n}\n")).collect::<String>();
        let table = Some((name.to_owned(), format!("nodes,edges,count\n{lines}")));
        Self { view: View::Graphs, settings: settings.to_owned(), table }
    }

    /// The same in another view.
    #[must_use]
    pub fn within(self, view: View) -> Self {
        Self { view, ..self }
    }
}

/// What a page shows of a chapter.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The title: what is to be seen, computed from the numbers as they stand. Markup.
    pub finding: String,
    /// What follows, from above.
    pub parts: Vec<Part>,
    /// One thing to notice. Markup.
    pub notice: String,
    /// One thing to try. Markup.
    pub task: String,
    /// Whether that was done.
    pub done: bool,
    /// What was found by doing it. Markup.
    pub found: String,
}

/// What a chapter sees: where its knobs stand, and what the engine has answered.
#[derive(Debug, Clone, Copy)]
pub struct Here<'a> {
    knobs: &'static [Knob],
    moved: &'a Moved,
    answers: &'a Answers,
}

impl Chapter {
    /// The chapter of that name; the first where there is none.
    pub fn named(name: &str) -> &'static Self {
        super::CHAPTERS.iter().copied().find(|c| c.id == name).unwrap_or(super::CHAPTERS[0])
    }

    /// Its place in the list, from 0.
    pub fn place(&self) -> usize {
        super::CHAPTERS.iter().position(|c| c.id == self.id).unwrap_or_default()
    }

    /// What it sees of the page.
    pub fn here<'a>(&self, state: &'a LearnState) -> Here<'a> {
        Here { knobs: self.knobs, moved: &state.moved, answers: &state.answers }
    }

    /// Questions that have no answer yet.
    pub fn unanswered(&self, here: &Here<'_>) -> Vec<(&'static str, Request)> {
        let open = |(name, request): &(&'static str, Request)| {
            here.answers.get(*name).is_none_or(|a| a.request != *request)
        };
        (self.asks)(here).into_iter().filter(open).collect()
    }

    /// The address of the chapter as it begins, without `#`.
    pub fn address(&self) -> String {
        format!("view=learn&chapter={}", self.id)
    }

    /// Minutes that it takes to read and to try: 200 words a minute and two for the exercise.
    pub fn minutes(&self) -> u32 {
        let begins = LearnState::default();
        let shown = (self.show)(&self.here(&begins));
        let prose = [&shown.finding, &shown.notice, &shown.task].map(|text| prose::words(text));
        let words = prose.iter().sum::<usize>() + shown.parts.iter().map(Part::words).sum::<usize>();
        2 + (words as u32).div_ceil(200)
    }

    /// A knob of that name.
    pub fn knob(&self, name: &str) -> Option<&'static Knob> {
        self.knobs.iter().find(|k| k.name == name)
    }
}

impl Here<'_> {
    /// Where a knob stands. A name that there is not is a slip of ours, which a test finds: it stands nowhere.
    pub fn numbers(&self, knob: &str) -> Vec<u32> {
        let known = self.knobs.iter().find(|k| k.name == knob);
        known.map_or_else(Vec::new, |k| k.fit(self.moved.get(knob)))
    }

    /// The same of a knob with one number.
    pub fn number(&self, knob: &str) -> u32 {
        self.numbers(knob).first().copied().unwrap_or_default()
    }

    /// The word that is chosen.
    pub fn word(&self, knob: &str) -> &'static str {
        let words = self.knobs.iter().find(|k| k.name == knob).map(|k| k.kind);
        match words {
            Some(Kind::Words(words)) => words.get(self.number(knob) as usize).copied().unwrap_or_default(),
            _ => "",
        }
    }

    /// Whether the engine's answer to a question of that name is about exactly this request. An older answer stays at
    /// hand until the next is there.
    pub fn is_answer_to(&self, name: &str, request: &Request) -> bool {
        self.answers.get(name).is_some_and(|a| a.request == *request)
    }

    /// The newest answer to a question of that name, perhaps to an older version of it.
    pub fn report(&self, name: &str) -> Option<&Report> {
        self.answers.get(name)?.outcome.as_ref().ok()
    }

    /// Seconds that the newest answer took.
    pub fn seconds(&self, name: &str) -> Option<f64> {
        self.answers.get(name).map(|a| a.seconds)
    }

    /// A report on packs of sequences.
    pub fn sequences(&self, name: &str) -> Option<&api::Report> {
        if let Report::Sequences(report) = self.report(name)? { Some(report) } else { None }
    }

    /// A report on packs of graphs.
    pub fn graphs(&self, name: &str) -> Option<&tuple::Report> {
        if let Report::Graphs(report) = self.report(name)? { Some(report) } else { None }
    }

    /// A report on batches.
    pub fn batches(&self, name: &str) -> Option<&batch::Report> {
        if let Report::Batches(report) = self.report(name)? { Some(report) } else { None }
    }
}
