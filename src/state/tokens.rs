//! The panel that counts the tokens of texts: its choices and its progress. No web crate.

use packscope::error::Result;
use packscope::ingest::{Format, Note};
use packscope::tokens::{CountOptions, FilePreview, Template, TokenizerDescription};
use packscope::words::count;

#[derive(Debug, Clone, PartialEq)]
pub struct LoadedTokenizer {
    /// Counts loaded tokenizers.
    pub version: u64,
    /// The name of the file.
    pub name: String,
    /// A description of the tokenizer.
    pub about: TokenizerDescription,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Progress {
    /// Bytes read.
    pub done: u64,
    /// Bytes in total.
    pub of: u64,
    /// Records so far.
    pub records: u64,
    /// Their tokens.
    pub tokens: u64,
    /// Seconds so far.
    pub seconds: f64,
}

impl Progress {
    /// Returns the progress in words: `1.5 of 12.0 MB, 3,210 records, 81,234 tokens; 2.1 MB/s, 0.45 million tokens a
    /// second`.
    pub fn words(&self) -> String {
        let mega = |bytes: u64| bytes as f64 / 1e6;
        let (records, tokens) = (count(self.records), count(self.tokens));
        let far = format!(
            "{:.1} of {:.1} MB, {records} records, {tokens} tokens",
            mega(self.done),
            mega(self.of)
        );
        // Rates of the first moment say nothing yet.
        if self.seconds < 0.2 {
            return far;
        }
        let rate = |n: u64| mega(n) / self.seconds;
        format!(
            "{far}; {:.1} MB/s, {:.2} million tokens a second",
            rate(self.done),
            rate(self.tokens)
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stage {
    /// The visitor chooses.
    Choosing,
    /// Tokens are being counted.
    Counting(Progress),
    /// Tokens were counted; the panel is folded.
    Counted(Progress),
}

/// A file of texts, and the choices for counting its tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Counts the files.
    pub number: u64,
    pub file: String,
    /// The contents of the file, once known.
    pub looked: Option<FilePreview>,
    /// The template, as typed.
    pub text: String,
    /// The template of the pair; empty for none.
    pub pair: String,
    /// Whether special tokens are counted.
    pub special: bool,
    /// Whether only the first records are counted.
    pub sampled: bool,
    /// The number of these records.
    pub sample: u64,
    /// Whether the first row of a table names its columns; `None` unless the visitor chose.
    pub header: Option<bool>,
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

    /// Returns the options of the reader; those of the file's name until the contents are known.
    ///
    /// # Errors
    /// An error of [`Template::parse`].
    pub fn options(&self) -> Result<CountOptions> {
        let named = CountOptions::from_name(&self.file);
        let pair = Some(self.pair.as_str()).filter(|pair| !pair.trim().is_empty());
        let template = match self.looked {
            Some(_) => Some(Template::parse(&self.text, pair)?),
            None => None,
        };
        let sample = self.sampled.then_some(self.sample);
        Ok(CountOptions {
            header: self.header,
            template,
            special: self.special,
            sample,
            ..named
        })
    }

    /// Whether a field is in the template.
    pub fn has(&self, field: &str) -> bool {
        self.options().is_ok_and(|o| {
            o.template
                .is_some_and(|t| t.names().any(|name| name == field))
        })
    }

    /// Returns the problem with the template, or with the first record.
    pub fn problem(&self) -> Option<String> {
        let options = self.options().err().map(|error| error.to_string());
        options.or_else(|| self.looked.as_ref()?.preview.clone().err())
    }

    pub fn is_table(&self) -> bool {
        self.looked
            .as_ref()
            .is_some_and(|looked| looked.format == Format::Table)
    }

    /// Adds a field to the template or removes it: the new template has a line for each chosen field, in the order of
    /// the file.
    fn choose(&mut self, field: &str, on: bool) {
        let Some(looked) = &self.looked else { return };
        let names = looked.fields.iter().map(|f| f.name.as_str());
        let chosen: Vec<&str> = names
            .filter(|n| if *n == field { on } else { self.has(n) })
            .collect();
        self.text = Template::fields(&chosen).words().concat();
        // A chosen field may have been part of the pair: the fields of the file are all in one text
        // then.
        self.pair.clear();
    }

    fn look(&mut self, looked: FilePreview) {
        // Only the first look proposes a template; later ones are at the one that was typed.
        if self.looked.is_none() {
            self.text = looked.template.words().concat();
        }
        self.looked = Some(looked);
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct TokensState {
    /// Name of a tokenizer being read.
    pub reading: Option<String>,
    /// The tokenizer, for as long as the page is open.
    pub tokenizer: Option<LoadedTokenizer>,
    /// The name of the file with the chat template of its model, and a number that counts the files beside a tokenizer.
    pub chat: Option<(String, u64)>,
    pub panel: Option<Panel>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// A tokenizer of this name is being read.
    Brought(String),
    /// The tokenizer was read; `None` if invalid: the previous one stays.
    Known(Option<LoadedTokenizer>),
    /// A file beside the tokenizer was brought: the name of the file that has the chat template, if one has, and the number of
    /// such files.
    Chat(Option<String>, u64),
    Removed,
    /// A file was opened: its number and its name.
    Opened(u64, String),
    /// The contents of the file are known.
    Looked(Box<FilePreview>),
    /// Another template.
    Text(String),
    /// Another template of the pair.
    Pair(String),
    /// A field was added (`true`) or removed.
    Field(String, bool),
    Special(bool),
    Sampled(bool),
    /// The number of first records.
    Sample(u64),
    Header(bool),
    Counting(Progress),
    Counted(Progress),
    /// Back to the choices; also after counting was stopped.
    Choosing,
    Closed,
}

impl TokensState {
    /// Whether conversations are counted as the chat template of their model writes them.
    pub fn writes_conversations(&self) -> bool {
        let looked = self.panel.as_ref().and_then(|panel| panel.looked.as_ref());
        self.chat.is_some() && looked.is_some_and(FilePreview::are_conversations)
    }

    /// Returns the state after an action. Pure.
    #[must_use]
    pub fn reduce(&self, action: Action) -> Self {
        let mut next = self.clone();
        match action {
            Action::Brought(name) => next.reading = Some(name),
            Action::Known(kept) => {
                next.reading = None;
                next.tokenizer = kept.or(next.tokenizer);
            }
            Action::Chat(name, number) => next.chat = name.map(|name| (name, number)),
            // There is nothing to count a file with, so that its panel goes too.
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

/// Whether notes say that tokens were counted: such data are counted again, not read in another way.
pub fn are_tokens(notes: &[Note]) -> bool {
    notes.iter().any(|note| matches!(note, Note::Tokens { .. }))
}

/// Whether notes say that words were counted, where tokens could be.
pub fn are_words(notes: &[Note]) -> bool {
    notes.contains(&Note::Words)
}
