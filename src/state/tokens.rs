//! The panel in which the tokens of texts are counted: what is chosen, how far it is. No web crate.

use crate::error::Result;
use crate::ingest::{Format, Note};
use crate::tokens::{About, Looked, Options, Template};
use crate::words::count;

/// A tokenizer that was brought.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// Counts the tokenizers that were brought.
    pub version: u64,
    /// Name of the file.
    pub name: String,
    /// What it is.
    pub about: About,
}

/// How far the counting is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// Bytes read.
    pub done: u64,
    /// Bytes there are.
    pub of: u64,
    /// Records so far.
    pub records: u64,
    /// Their tokens.
    pub tokens: u64,
    /// Seconds it has taken.
    pub seconds: f64,
}

impl Progress {
    /// `1.5 of 12.0 MB, 3,210 records, 81,234 tokens; 2.1 MB/s, 0.45 million tokens a second`.
    pub fn words(&self) -> String {
        let mega = |bytes: u64| bytes as f64 / 1e6;
        let (records, tokens) = (count(self.records), count(self.tokens));
        let far =
            format!("{:.1} of {:.1} MB, {records} records, {tokens} tokens", mega(self.done), mega(self.of));
        if self.seconds < 0.2 {
            return far;
        }
        let rate = |n: u64| mega(n) / self.seconds;
        format!("{far}; {:.1} MB/s, {:.2} million tokens a second", rate(self.done), rate(self.tokens))
    }
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stage {
    /// Something is being chosen.
    Choosing,
    /// Tokens are counted.
    Counting(Progress),
    /// They were counted, so many; the panel is folded.
    Counted(Progress),
}

/// A file whose tokens are to be counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Counts the files.
    pub number: u64,
    /// Its name.
    pub file: String,
    /// What it holds, once that is known.
    pub looked: Option<Looked>,
    /// The template, as it stands in its field.
    pub text: String,
    /// The template of the pair; empty for none.
    pub pair: String,
    /// Whether special tokens are counted.
    pub special: bool,
    /// Whether only the first records are counted.
    pub sampled: bool,
    /// How many these are.
    pub sample: u64,
    /// Whether the first row of a table names its columns, where the visitor says so.
    pub header: Option<bool>,
    /// What is being done.
    pub stage: Stage,
}

impl Panel {
    fn new(number: u64, file: String) -> Self {
        Self {
            number,
            file,
            looked: None,
            text: String::new(),
            pair: String::new(),
            special: true,
            sampled: false,
            sample: 10_000,
            header: None,
            stage: Stage::Choosing,
        }
    }

    /// What is asked of the reader. Before anything is known of the file, what its name says.
    ///
    /// # Errors
    /// When what was typed is no template.
    pub fn options(&self) -> Result<Options> {
        let named = Options::of(&self.file);
        let pair = Some(self.pair.as_str()).filter(|pair| !pair.trim().is_empty());
        let template = match self.looked {
            Some(_) => Some(Template::parse(&self.text, pair)?),
            None => None,
        };
        let sample = self.sampled.then_some(self.sample);
        Ok(Options { header: self.header, template, special: self.special, sample, ..named })
    }

    /// Whether a field is in the template.
    pub fn has(&self, field: &str) -> bool {
        self.options().is_ok_and(|o| o.template.is_some_and(|t| t.names().any(|name| name == field)))
    }

    /// What is wrong with the template, or with the first record.
    pub fn problem(&self) -> Option<String> {
        let options = self.options().err().map(|error| error.to_string());
        options.or_else(|| self.looked.as_ref()?.preview.clone().err())
    }

    /// Whether the file is a table.
    pub fn is_table(&self) -> bool {
        self.looked.as_ref().is_some_and(|looked| looked.format == Format::Table)
    }

    /// Puts a field in the template or takes it out: then it is the chosen fields, a line each, in the order of the
    /// file.
    fn choose(&mut self, field: &str, on: bool) {
        let Some(looked) = &self.looked else { return };
        let names = looked.fields.iter().map(|f| f.name.as_str());
        let chosen: Vec<&str> = names.filter(|n| if *n == field { on } else { self.has(n) }).collect();
        self.text = Template::fields(&chosen).words().concat();
        self.pair.clear();
    }

    fn look(&mut self, looked: Looked) {
        if self.looked.is_none() {
            self.text = looked.template.words().concat();
        }
        self.looked = Some(looked);
    }
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TokensState {
    /// Name of a tokenizer that is being read.
    pub reading: Option<String>,
    /// The tokenizer, for as long as the page is open.
    pub tokenizer: Option<Kept>,
    /// The file.
    pub panel: Option<Panel>,
}

/// What can happen.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// A tokenizer of this name was brought.
    Brought(String),
    /// It was read; `None` where it is none: the one before stays.
    Known(Option<Kept>),
    /// The tokenizer is not wanted any more.
    Removed,
    /// A file was opened: its number and its name.
    Opened(u64, String),
    /// What it holds.
    Looked(Box<Looked>),
    /// Another template.
    Text(String),
    /// Another template of the pair.
    Pair(String),
    /// A field, and whether it is counted.
    Field(String, bool),
    /// Whether special tokens are counted.
    Special(bool),
    /// Whether only the first records are counted.
    Sampled(bool),
    /// How many these are.
    Sample(u64),
    /// Whether the first row names the columns.
    Header(bool),
    /// Tokens are being counted.
    Counting(Progress),
    /// They were counted, so many.
    Counted(Progress),
    /// Something is chosen anew; also after the counting was stopped.
    Choosing,
    /// The panel is not wanted any more.
    Closed,
}

impl TokensState {
    /// The state after an action. Pure.
    #[must_use]
    pub fn reduce(&self, action: Action) -> Self {
        let mut next = self.clone();
        match action {
            Action::Brought(name) => next.reading = Some(name),
            Action::Known(kept) => {
                next.reading = None;
                next.tokenizer = kept.or(next.tokenizer);
            }
            Action::Removed => next = Self::default(),
            Action::Opened(number, file) => next.panel = Some(Panel::new(number, file)),
            Action::Closed => next.panel = None,
            action => {
                if let Some(panel) = &mut next.panel {
                    panel.apply(action);
                }
            }
        }
        next
    }
}

impl Panel {
    fn apply(&mut self, action: Action) {
        match action {
            Action::Looked(looked) => self.look(*looked),
            Action::Text(text) => self.text = text,
            Action::Pair(pair) => self.pair = pair,
            Action::Field(name, on) => self.choose(&name, on),
            Action::Special(special) => self.special = special,
            Action::Sampled(sampled) => self.sampled = sampled,
            Action::Sample(records) => self.sample = records.max(1),
            Action::Header(header) => {
                // Other names of columns make another template.
                (self.header, self.looked) = (Some(header), None);
            }
            Action::Counting(progress) => self.stage = Stage::Counting(progress),
            Action::Counted(progress) => self.stage = Stage::Counted(progress),
            Action::Choosing => self.stage = Stage::Choosing,
            _ => {}
        }
    }
}

/// Whether notes say that tokens were counted: such data are counted again, not read another way.
pub fn are_tokens(notes: &[Note]) -> bool {
    notes.iter().any(|note| matches!(note, Note::Tokens { .. }))
}

/// Whether notes say that words were counted, where tokens could be.
pub fn are_words(notes: &[Note]) -> bool {
    notes.contains(&Note::Words)
}
