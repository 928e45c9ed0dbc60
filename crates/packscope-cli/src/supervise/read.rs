//! Reads a file once: its curves, those of its sources, its lengths, and a sample for weights.

use super::{Supervise, TurnEnd, Turns};
use crate::files::{self, Files};
use crate::input::Input;
use crate::shell::about;
use packscope::error::{Error, Result};
use packscope::histogram::Histogram;
use packscope::ingest::{Account, Column, Options, PairReading, PromptAndResponse, Source};
use packscope::supervision::sources::BySource;
use packscope::supervision::{CurveBuilder, Curves, Sample, Span, Truncation};
use packscope::tokens::supervised::{self, CountText, Labels, ReadOptions, count_text, go_on};
use packscope::tokens::{Chat, CountOptions, Roles, Tokenizer};
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::Path;

/// Sequences whose spans are kept for weights.
const SAMPLED: usize = 1 << 16;
/// The file name of a chat template beside its tokenizer.
const BESIDE: &str = "chat_template.jinja";

/// What a file says of which tokens train.
pub struct Supervision {
    pub curves: Curves,
    pub lengths: Histogram<1>,
    pub sample: Sample,
    /// The sources, that of most tokens first; none where no field names them.
    pub sources: Vec<(String, Curves)>,
    /// The field that names them.
    pub by: Option<String>,
    pub labels: Labels,
    /// How texts are counted, in words; empty where lengths stand in the file.
    pub counted: String,
    pub read: Account,
}

/// Takes items one after the other.
struct Collector {
    curves: CurveBuilder,
    sample: Sample,
    sources: BySource,
}

impl Collector {
    fn new(truncation: Truncation) -> Self {
        Self {
            curves: CurveBuilder::new(truncation),
            sample: Sample::new(SAMPLED, 0),
            sources: BySource::new(truncation),
        }
    }

    fn add(&mut self, tokens: u32, spans: &[Span], count: u64, source: Option<&str>) -> Result<()> {
        self.curves.add(tokens, spans, count)?;
        self.sample.add(tokens, spans, count)?;
        match source {
            Some(source) => self.sources.add(source, tokens, spans, count),
            None => Ok(()),
        }
    }
}

/// Receives the tokens of a record and its spans.
pub type EachItem<'e> = dyn FnMut(u32, &[Span]) -> Result<()> + 'e;

/// Reads the file of the command, calls `each` for every record, and warns of those that are left out.
pub fn read(command: &Supervise, each: &mut EachItem<'_>) -> Result<Supervision> {
    let found = open(command, each)?;
    let name = command.file.display().to_string();
    files::warn(Some(&name), &found.read.description);
    let options = Options {
        allow_skipped: command.allow_skipped,
        ..Options::default()
    };
    let judged = found.read.description.judge(&options);
    judged.map_err(|error| error.within_place(&name))?;
    Ok(found)
}

fn open(command: &Supervise, each: &mut EachItem<'_>) -> Result<Supervision> {
    let source = files::open(&command.file)?;
    let named = |error: Error| error.within_place(&command.file.display().to_string());
    if is_columnar(source.as_ref())? {
        return of_columns(command, each).map_err(named);
    }
    let name = CountOptions::from_name(&command.file.to_string_lossy());
    let options = ReadOptions {
        format: command.input_format.or(name.format),
        delimiter: name.delimiter,
        header: command.header,
        source: None,
        sample: command.sample,
    };
    let labels = supervised::found(source.as_ref(), &options).map_err(named)?;
    let labels = labels.ok_or_else(|| named(unknown()))?;
    let by = match command.by.as_deref() {
        Some("none") => None,
        Some(field) => Some(field.to_owned()),
        None => supervised::source_field(source.as_ref(), &options).map_err(named)?,
    };
    let options = ReadOptions {
        source: by,
        ..options
    };
    match &labels {
        Labels::Texts => of_texts(command, source.as_ref(), (options, labels), each),
        _ => gathered(
            source.as_ref(),
            (options, labels),
            None,
            (command.truncate, each),
        ),
    }
    .map_err(named)
}

fn unknown() -> Error {
    Error::Input {
        place: "the records".to_owned(),
        message: "no field tells which tokens bear loss; expected the lengths of prompts and responses (prompt_tokens, \
                  completion_tokens), labels with -100, a mask such as loss_mask beside input_ids, or messages, or prompt and \
                  completion, with --tokenizer"
            .to_owned(),
    }
}

/// Whether the file has typed columns.
fn is_columnar(source: &dyn Source) -> Result<bool> {
    let head = source.read(0, 8)?;
    Ok(head.starts_with(b"PAR1") || head.starts_with(b"ARROW1"))
}

fn gathered(
    source: &dyn Source,
    (options, labels): (ReadOptions, Labels),
    count: Option<&CountText<'_>>,
    (truncation, each): (Truncation, &mut EachItem<'_>),
) -> Result<Supervision> {
    let mut collector = Collector::new(truncation);
    let read = supervised::read(source, &options, &labels, count, &mut go_on, &mut |item| {
        each(item.tokens, item.spans)?;
        collector.add(item.tokens, item.spans, 1, item.source)
    })?;
    Ok(Supervision {
        curves: collector.curves.finish(),
        lengths: read.histogram,
        sample: collector.sample,
        sources: collector.sources.finish(),
        by: options.source,
        labels,
        counted: String::new(),
        read: read.description.account(),
    })
}

/// Counts texts. As in `packscope tokens`, a panic of the library that counts is an error about the tokenizer.
fn of_texts(
    command: &Supervise,
    source: &dyn Source,
    read: (ReadOptions, Labels),
    each: &mut EachItem<'_>,
) -> Result<Supervision> {
    let Some(path) = &command.tokenizer else {
        return Err(Error::Input {
            place: "the records".to_owned(),
            message: "these are texts, whose tokens a tokenizer counts; expected --tokenizer with the tokenizer.json of the model"
                .to_owned(),
        });
    };
    let bytes = std::fs::read(path).map_err(|e| about(path, &e))?;
    let mut count = || {
        let tokenizer = Tokenizer::load(&bytes)?;
        let chat = chat(command, path)?;
        let roles = Roles {
            last: command.turns == Turns::Last,
            to_end_token: command.turn_end == TurnEnd::Token,
            ..command.roles.clone()
        };
        let count: &CountText<'_> = &|record| count_text(&tokenizer, chat.as_ref(), &roles, record);
        let found = gathered(
            source,
            read.clone(),
            Some(count),
            (command.truncate, &mut *each),
        )?;
        Ok(Supervision {
            counted: counted(chat.as_ref(), &roles),
            ..found
        })
    };
    std::panic::catch_unwind(AssertUnwindSafe(&mut count)).unwrap_or_else(|_| {
        let message = "the library that counts tokens fails at this tokenizer; expected the tokenizer.json of a fast \
                       tokenizer of Hugging Face";
        Err(Error::Input {
            place: path.display().to_string(),
            message: message.to_owned(),
        })
    })
}

/// Describes how turns that bear loss were found.
fn counted(chat: Option<&Chat>, roles: &Roles) -> String {
    let last = if roles.last { "the last turn" } else { "turns" };
    match chat {
        None => "completions after their prompts".to_owned(),
        Some(chat) if chat.marks_turns() => {
            format!(
                "{last} of {roles}, by {{% generation %}} of {}",
                chat.name()
            )
        }
        Some(chat) => format!(
            "{last} of {roles}, as {} writes them after the prompt for each",
            chat.name()
        ),
    }
}

/// Returns the chat template that is chosen, or the one beside the tokenizer.
fn chat(command: &Supervise, tokenizer: &Path) -> Result<Option<Chat>> {
    let folder = tokenizer.parent().unwrap_or(Path::new(""));
    // Either file may be missing.
    let config = std::fs::read(folder.join("tokenizer_config.json")).ok();
    let own = match &command.chat_template {
        Some(path) => {
            let text = std::fs::read(path).map_err(|e| about(path, &e))?;
            Some((
                path.file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                text,
            ))
        }
        None => std::fs::read(folder.join(BESIDE))
            .ok()
            .map(|text| (BESIDE.to_owned(), text)),
    };
    let own = own.map(|(name, text)| (name, String::from_utf8_lossy(&text).into_owned()));
    Chat::load(
        config.as_deref(),
        own.as_ref()
            .map(|(name, text)| (name.as_str(), text.as_str())),
    )
}

/// Reads the lengths of prompts and responses from columns of numbers, or of lists, in Parquet or Arrow.
fn of_columns(command: &Supervise, each: &mut EachItem<'_>) -> Result<Supervision> {
    let files = Files::new(std::slice::from_ref(&command.file))?;
    let options = Options {
        sample: command.sample,
        ..Options::default()
    };
    let mut collector = Collector::new(command.truncate);
    let mut lengths = BTreeMap::new();
    let mut failed = Ok(());
    let description = files.for_each_item::<2>(&options, &mut |size, count| {
        let [prompt, response] = [0, 1].map(|k| size.get(k).copied().unwrap_or(0));
        let tokens = prompt.saturating_add(response);
        let span = prompt..tokens;
        let spans = if response > 0 {
            std::slice::from_ref(&span)
        } else {
            &[]
        };
        if failed.is_ok() {
            failed = each(tokens, spans).and_then(|()| collector.add(tokens, spans, count, None));
            *lengths.entry(tokens).or_insert(0u64) += count;
        }
    })?;
    failed?;
    let columns = description.columns.clone().unwrap_or_default();
    let pair = PromptAndResponse::of(&columns).filter(|pair| {
        let wanted: Vec<Column> = pair.columns(PairReading::TwoBudgets);
        wanted == description.sizes
    });
    let Some(PromptAndResponse {
        prompt, response, ..
    }) = pair
    else {
        return Err(unknown());
    };
    Ok(Supervision {
        curves: collector.curves.finish(),
        lengths: Histogram::from_lengths(lengths)?,
        sample: collector.sample,
        sources: Vec::new(),
        by: None,
        labels: Labels::Pair { prompt, response },
        counted: String::new(),
        read: description.account(),
    })
}

/// Returns what a file says of which tokens train, of those that other commands read: where lengths stand in it and are those
/// that were read. `None` where it says nothing, and of several files and streams.
pub fn of_input(
    input: &Input,
    lengths: &Histogram<1>,
    truncation: Truncation,
) -> Option<Supervision> {
    let [file] = &input.files[..] else {
        return None;
    };
    if !file.is_file() || input.compute.is_some() {
        return None;
    }
    let source = files::open(file).ok()?;
    if is_columnar(source.as_ref()).ok()? {
        return None;
    }
    let name = CountOptions::from_name(&file.to_string_lossy());
    let options = ReadOptions {
        format: input.input_format.or(name.format),
        delimiter: name.delimiter,
        header: input.header,
        source: None,
        sample: input.sample,
    };
    // Other commands have read the file already, and have said what is wrong with it.
    let labels = supervised::found(source.as_ref(), &options).ok()??;
    if labels == Labels::Texts {
        return None;
    }
    let by = supervised::source_field(source.as_ref(), &options).ok()?;
    let options = ReadOptions {
        source: by,
        ..options
    };
    let found = gathered(
        source.as_ref(),
        (options, labels),
        None,
        (truncation, &mut |_, _| Ok(())),
    )
    .ok()?;
    (found.lengths == *lengths && found.curves.supervised() > 0).then_some(found)
}
