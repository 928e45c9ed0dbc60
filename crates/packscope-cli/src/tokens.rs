//! Token lengths of texts, counted with the tokenizer of a model.

use crate::shell::{about, clock, pretty};
use clap::{Args, ValueEnum};
use packscope::error::{Error, Result};
use packscope::ingest::{Delimiter, Format, Ingested, Source};
use packscope::tokens::{
    self, Chat, CountOptions, Counter, RecordWriter, SpecialTokens, Template, Tokenizer,
};
use packscope::words::count;
use serde_json::json;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[derive(Args)]
pub struct Tokens {
    /// The file with texts: lines, JSON Lines, a JSON array, CSV, TSV; also packed with gzip; `-` for standard input.
    file: PathBuf,
    /// The tokenizer.json of a fast tokenizer of Hugging Face.
    #[arg(long, required_unless_present = "estimate")]
    tokenizer: Option<PathBuf>,
    /// Estimate lengths from the characters of texts, without a tokenizer. The band of what six usual tokenizers would
    /// count is said with them.
    #[arg(long, conflicts_with_all = ["tokenizer", "chat_template", "message", "no_special_tokens"])]
    estimate: bool,
    /// The text that is counted of each record, such as `{question} {context}`; `{}` is the whole record [default: the fields
    /// that hold text, a line each].
    #[arg(long)]
    template: Option<String>,
    /// The text that is encoded with it as the second of a pair of sequences, such as `{context}`.
    #[arg(long, requires = "template")]
    pair: Option<String>,
    /// A template of Jinja for conversations, in place of that beside the tokenizer; `off` for none. With one, lengths are
    /// those of `apply_chat_template`: of `messages` or `conversations`, of `prompt` and `completion` in messages, and of
    /// `instruction`, `input` and `output`. Today is always 26 July 2024 in it.
    #[arg(long, conflicts_with_all = ["template", "message"])]
    chat_template: Option<PathBuf>,
    /// The text that is counted of each message of a conversation, such as `{role}: {content}\n`.
    #[arg(long, conflicts_with = "template")]
    message: Option<String>,
    /// Leave special tokens such as [CLS] out.
    #[arg(long)]
    no_special_tokens: bool,
    /// Count only so many records from the beginning.
    #[arg(long)]
    sample: Option<u64>,
    /// How the file is laid out: table, json, json-lines, text; by its name or detected when left out.
    #[arg(long)]
    input_format: Option<Format>,
    /// The mark between the cells of a table: `,` `;` or `tab`; detected when left out.
    #[arg(long)]
    delimiter: Option<Separator>,
    /// Whether the first row of a table names the columns; detected when left out.
    #[arg(long)]
    header: Option<bool>,
    /// The output: a summary, `csv` with length,count as `pack` reads it, or `lengths` of all records in order, 0 for
    /// those without a token.
    #[arg(long, default_value = "text")]
    format: TokenFormat,
}

/// The file name of a chat template beside its tokenizer.
const BESIDE: &str = "chat_template.jinja";

#[derive(Clone, Copy, ValueEnum)]
enum Separator {
    #[value(name = ",")]
    Comma,
    #[value(name = ";")]
    Semicolon,
    Tab,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum TokenFormat {
    Text,
    Json,
    Csv,
    Lengths,
}

impl Tokens {
    fn options(&self) -> Result<CountOptions> {
        // The name gives what was not said in an option.
        let named = CountOptions::from_name(&self.file.to_string_lossy());
        let template = self
            .template
            .as_deref()
            .map(|t| Template::parse(t, self.pair.as_deref()))
            .transpose()?;
        let delimiter = self.delimiter.map(|separator| match separator {
            Separator::Comma => Delimiter::Comma,
            Separator::Semicolon => Delimiter::Semicolon,
            Separator::Tab => Delimiter::Tab,
        });
        Ok(CountOptions {
            format: self
                .input_format
                // A delimiter without a format means a table, whatever the file is called.
                .or(delimiter.and(Some(Format::Table)))
                .or(named.format),
            delimiter: delimiter.or(named.delimiter),
            header: self.header,
            template,
            special: !self.no_special_tokens,
            sample: self.sample,
        })
    }

    /// Returns the chosen chat template, or the one beside the tokenizer.
    fn chat(&self, tokenizer: &Path) -> Result<Option<Chat>> {
        let folder = tokenizer.parent().unwrap_or(Path::new(""));
        // Either file may be missing: a tokenizer alone has no chat template.
        let config = std::fs::read(folder.join("tokenizer_config.json")).ok();
        let own = match &self.chat_template {
            Some(off) if off.to_str() == Some("off") => return Ok(None),
            Some(path) => Some((
                path.clone(),
                std::fs::read(path).map_err(|e| about(path, &e))?,
            )),
            None => {
                let path = folder.join(BESIDE);
                std::fs::read(&path).ok().map(|text| (path, text))
            }
        };
        let named = own.map(|(path, text)| {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            (name, String::from_utf8_lossy(&text).into_owned())
        });
        Chat::load(
            config.as_deref(),
            named
                .as_ref()
                .map(|(name, text)| (name.as_str(), text.as_str())),
        )
    }

    /// Returns what is printed of these lengths, of which `all` has each on a line.
    fn printed(&self, read: &Ingested, all: &str, seconds: f64) -> String {
        crate::files::warn(Some(&self.file.display().to_string()), &read.description);
        match self.format {
            TokenFormat::Lengths => all.trim_end().to_owned(),
            TokenFormat::Csv => table(read),
            TokenFormat::Json => {
                let lengths = read.histogram.lengths();
                pretty(
                    &json!({ "lengths": lengths, "read": read.description.account(), "seconds": seconds }),
                )
            }
            TokenFormat::Text => summary(read, read.description.bytes, seconds),
        }
    }

    fn in_file(&self, error: Error) -> Error {
        error.within_place(&self.file.display().to_string())
    }
}

/// Counts tokens. The library that counts trusts its files, and may panic at a damaged one: here a
/// panic is an error about that file.
pub fn run(tokens: &Tokens) -> Result<String> {
    let Some(tokenizer) = &tokens.tokenizer else {
        return estimate_tokens(tokens);
    };
    // Nothing that a panic may have left half done is used afterwards.
    std::panic::catch_unwind(AssertUnwindSafe(|| count_tokens(tokens, tokenizer))).unwrap_or_else(|_| {
        let message = "the library that counts tokens fails at this tokenizer; expected the tokenizer.json of a fast \
                       tokenizer of Hugging Face";
        Err(Error::Input { place: tokenizer.display().to_string(), message: message.to_owned() })
    })
}

fn estimate_tokens(tokens: &Tokens) -> Result<String> {
    let source = crate::files::open(&tokens.file)?;
    refuse_columns(source.as_ref()).map_err(|e| tokens.in_file(e))?;
    let start = clock();
    let mut lengths = String::new();
    let options = tokens.options()?;
    let go_on: &mut tokens::CountProgress<'_> = &mut |_, _, _| ControlFlow::Continue(());
    let mut each = |length: u32| {
        lengths.push_str(&length.to_string());
        lengths.push('\n');
    };
    let read = tokens::estimate(source.as_ref(), &options, go_on, &mut each)
        .map_err(|e| tokens.in_file(e))?;
    Ok(tokens.printed(&read, &lengths, start.elapsed().as_secs_f64()))
}

fn count_tokens(tokens: &Tokens, path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|e| about(path, &e))?;
    let tokenizer = Tokenizer::load(&bytes)?;
    let source = crate::files::open(&tokens.file)?;
    // `ingest` reads these formats, but only their sizes; the counter needs their texts.
    refuse_columns(source.as_ref()).map_err(|e| tokens.in_file(e))?;
    let mut options = tokens.options()?;
    let mut chat = None;
    let message = tokens
        .message
        .as_deref()
        .map(str::parse::<Template>)
        .transpose()?;
    if options.template.is_none() && message.is_none() {
        let looked = tokens::look(source.as_ref(), &tokenizer, (&options, None))
            .map_err(|e| tokens.in_file(e))?;
        // A chat template that was named is used, whatever the fields look like.
        let is_chat = tokens.chat_template.is_some() || looked.are_conversations();
        chat = if is_chat { tokens.chat(path)? } else { None };
        options.template = Some(looked.template);
    }
    let start = clock();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let written = Rc::new(RefCell::new(String::new()));
    let write = |record: &[u8]| match (&chat, &message) {
        (Some(chat), _) => chat.render(record),
        (None, Some(message)) => tokens::each_message(message, record),
        (None, None) => Err("a template of fields writes it".to_owned()),
    };
    let words = match (&chat, &message) {
        (Some(chat), _) => format!("conversations, as {} writes them", chat.name()),
        (None, Some(message)) => format!("{} for each message", message.words().concat()),
        (None, None) => String::new(),
    };
    let specials = match chat {
        Some(_) => SpecialTokens::Written,
        None if options.special => SpecialTokens::Added,
        None => SpecialTokens::Left,
    };
    let writer = RecordWriter {
        words: &words,
        specials,
        write: &write,
    };
    let is_written = chat.is_some() || message.is_some();
    let mut counter =
        Counter::new(&tokenizer, &name, &options).writing(is_written.then_some(&writer));
    if tokens.format == TokenFormat::Lengths {
        // Shared with the counter, which keeps its callback until it has finished.
        let to = Rc::clone(&written);
        counter = counter.telling(move |length| {
            to.borrow_mut().push_str(&length.to_string());
            to.borrow_mut().push('\n');
        });
    }
    let read = tokens::count(source.as_ref(), counter, &mut |_, _, _| {
        ControlFlow::Continue(())
    });
    let read = read.map_err(|e| tokens.in_file(e))?;
    let lengths = written.borrow();
    Ok(tokens.printed(&read, &lengths, start.elapsed().as_secs_f64()))
}

/// Refuses files with columns of text, and gives the line that converts them to JSON Lines.
fn refuse_columns(source: &dyn Source) -> Result<()> {
    let head = source.read(0, 8)?;
    let what = match &head[..] {
        head if head.starts_with(b"PAR1") => "Parquet",
        head if head.starts_with(b"ARROW1") => "Arrow",
        _ => return Ok(()),
    };
    let read = if what == "Parquet" {
        "read_parquet"
    } else {
        "read_ipc"
    };
    Err(Error::Input {
        place: "byte 1".to_owned(),
        message: format!(
            "this is {what}; expected texts as JSON Lines, which this line writes in Python: \
             polars.{read}(\"…\").select(\"text\").write_ndjson(\"texts.jsonl\")"
        ),
    })
}

fn table(read: &Ingested) -> String {
    let rows = read
        .histogram
        .lengths()
        .into_iter()
        .map(|(length, count)| format!("{length},{count}"));
    std::iter::once("length,count".to_owned())
        .chain(rows)
        .collect::<Vec<_>>()
        .join("\n")
}

fn summary(read: &Ingested, size: u64, seconds: f64) -> String {
    let [tokens] = read.histogram.total();
    let rate = |n: u64| n as f64 / seconds / 1e6;
    let lines = [
        format!("read as      {}", read.description.format.name()),
        format!("holds        {}", read.description.sentence()),
        format!("sequences    {}", count(read.histogram.items())),
        format!("tokens       {}", count(tokens)),
        format!(
            "rate         {:.1} MB/s, {:.2} million tokens/s",
            rate(size),
            rate(tokens)
        ),
    ];
    lines.join("\n")
}
