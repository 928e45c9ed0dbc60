//! Reads files once: its curves, those of its sources, its lengths, and a sample for weights.

use super::{Supervise, TurnEnd, Turns};
use crate::files::Files;
use crate::input::Input;
use crate::shell::about;
use packscope::error::{Error, Result};
use packscope::histogram::Histogram;
use packscope::ingest::{Account, File, Ingested, Options, Source};
use packscope::supervision::{Collected, Collector, Curves, Sample, Span, Truncation};
use packscope::tokens::supervised::{
    self, CountText, Labels, ReadOptions, SupervisedVisitor, count_text, go_on,
};
use packscope::tokens::{Chat, Roles, Tokenizer};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

/// Sequences whose spans are kept for weights.
const SAMPLED: usize = 1 << 16;
/// The file name of a chat template beside its tokenizer.
const BESIDE: &str = "chat_template.jinja";

/// Which tokens of the files train.
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

/// Receives the tokens of a record and its spans.
pub type EachItem<'e> = dyn FnMut(u32, &[Span]) -> Result<()> + 'e;

/// Reads the files of the command, calls `each` for every record, and warns of those that are left out.
pub fn read(command: &Supervise, each: &mut EachItem<'_>) -> Result<Supervision> {
    let files = Files::new(&command.files)?;
    let found = open(command, &files, each)?;
    files.warn(&found.read.description);
    let options = Options {
        allow_skipped: command.allow_skipped,
        ..Options::default()
    };
    let judged = found.read.description.judge(&options);
    judged.map_err(|error| files.name(error))?;
    Ok(found)
}

fn open(command: &Supervise, files: &Files, each: &mut EachItem<'_>) -> Result<Supervision> {
    let opened = files.open_files();
    let named = |error: Error| files.name(error);
    if are_columnar(&opened)? {
        let options = ReadOptions {
            sample: command.sample,
            ..ReadOptions::default()
        };
        let to = (command.truncate, each);
        return of_columns(&opened, options, command.by.as_deref(), to).map_err(named);
    }
    let [File { name, source }] = opened[..] else {
        return Err(Error::Input {
            place: "the files".to_owned(),
            message: "several are read as one where all are Parquet or Arrow; expected one file, or others in a pipe: cat \
                      FILES | packscope supervise -"
                .to_owned(),
        });
    };
    let options = ReadOptions {
        format: command.input_format,
        header: command.header,
        sample: command.sample,
        ..ReadOptions::default()
    }
    .or_those_of(name);
    let labels = supervised::found(source, &options).map_err(named)?;
    let labels = labels.ok_or_else(|| named(unknown()))?;
    let by = match command.by.as_deref() {
        Some("none") => None,
        Some(field) => Some(field.to_owned()),
        None => supervised::source_field(source, &options).map_err(named)?,
    };
    let options = ReadOptions {
        source: by,
        ..options
    };
    match &labels {
        Labels::Texts => of_texts(command, source, (options, labels), each),
        _ => gathered(source, (options, labels), None, (command.truncate, each)),
    }
    .map_err(named)
}

/// Whether all files are Parquet or Arrow, whose columns are read together.
fn are_columnar(files: &[File<'_>]) -> Result<bool> {
    for file in files {
        if !supervised::is_columnar(file.source)? {
            return Ok(false);
        }
    }
    Ok(true)
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

fn gathered(
    source: &dyn Source,
    (options, labels): (ReadOptions, Labels),
    count: Option<&CountText<'_>>,
    to: (Truncation, &mut EachItem<'_>),
) -> Result<Supervision> {
    let mut read = |each: &mut SupervisedVisitor<'_>| {
        supervised::read(source, &options, &labels, count, &mut go_on, each)
    };
    collected(&mut read, (&options, &labels), to)
}

/// Reads a file in this way, and keeps what it says.
fn collected(
    read: &mut dyn FnMut(&mut SupervisedVisitor<'_>) -> Result<Ingested>,
    (options, labels): (&ReadOptions, &Labels),
    (truncation, each): (Truncation, &mut EachItem<'_>),
) -> Result<Supervision> {
    let mut collector = Collector::new(truncation, SAMPLED);
    let read = read(&mut |item| {
        each(item.tokens, item.spans)?;
        collector.add(item.tokens, item.spans, item.source)
    })?;
    let Collected {
        curves,
        sources,
        sample,
    } = collector.finish();
    Ok(Supervision {
        curves,
        lengths: read.histogram,
        sample,
        sources,
        by: options.source.clone(),
        labels: labels.clone(),
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

/// Reads columns of Parquet or Arrow that tell which tokens bear loss.
fn of_columns(
    files: &[File<'_>],
    options: ReadOptions,
    by: Option<&str>,
    (truncation, each): (Truncation, &mut EachItem<'_>),
) -> Result<Supervision> {
    let (labels, found) = supervised::found_in_columns(files)?.ok_or_else(unknown)?;
    let options = ReadOptions {
        source: match by {
            Some("none") => None,
            Some(field) => Some(field.to_owned()),
            None => found,
        },
        ..options
    };
    let mut read = |to: &mut SupervisedVisitor<'_>| {
        supervised::read_columns(files, &options, &labels, &mut go_on, to)
    };
    collected(&mut read, (&options, &labels), (truncation, each))
}

/// Returns what files say of which tokens train, of those that other commands read: where lengths stand in them and are those
/// that were read. `None` where they say nothing, of streams, and of several files that are not all Parquet or Arrow.
pub fn of_input(
    input: &Input,
    lengths: &Histogram<1>,
    truncation: Truncation,
) -> Option<Supervision> {
    // Streams were read, and cannot be read again.
    let is_kept = |file: &PathBuf| file.is_file() || file.is_dir();
    if !input.files.iter().all(is_kept) || input.compute.is_some() {
        return None;
    }
    let files = Files::new(&input.files).ok()?;
    let opened = files.open_files();
    if are_columnar(&opened).ok()? {
        let options = ReadOptions {
            sample: input.sample,
            ..ReadOptions::default()
        };
        let found = of_columns(&opened, options, None, (truncation, &mut |_, _| Ok(())));
        return found.ok().filter(|found| is_of(found, lengths));
    }
    let [File { name, source }] = opened[..] else {
        return None;
    };
    let options = ReadOptions {
        format: input.input_format,
        header: input.header,
        sample: input.sample,
        ..ReadOptions::default()
    }
    .or_those_of(name);
    // Other commands have read the file already, and have said what is wrong with it.
    let labels = supervised::found(source, &options).ok()??;
    if labels == Labels::Texts {
        return None;
    }
    let by = supervised::source_field(source, &options).ok()?;
    let options = ReadOptions {
        source: by,
        ..options
    };
    let found = gathered(
        source,
        (options, labels),
        None,
        (truncation, &mut |_, _| Ok(())),
    )
    .ok()?;
    is_of(&found, lengths).then_some(found)
}

/// Whether tokens that train were found, and are of these lengths.
fn is_of(found: &Supervision, lengths: &Histogram<1>) -> bool {
    found.lengths == *lengths && found.curves.supervised() > 0
}
