//! Token lengths of texts, counted with the tokenizer of a model.

use crate::shell::{about, clock, pretty};
use clap::{Args, ValueEnum};
use packscope::error::{Error, Result};
use packscope::ingest::{Delimiter, Format, Ingested, Source};
use packscope::tokens::{self, Counter, Options, Template, Tokenizer};
use packscope::words::count;
use serde_json::json;
use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[derive(Args)]
pub struct Tokens {
    /// The file with texts: lines, JSON Lines, a JSON array, CSV, TSV; also packed with gzip.
    file: PathBuf,
    /// The tokenizer.json of a fast tokenizer of Hugging Face.
    #[arg(long)]
    tokenizer: PathBuf,
    /// What is counted of each record, such as `{question} {context}`; `{}` is the whole record [default: the fields
    /// that hold text, a line each].
    #[arg(long)]
    template: Option<String>,
    /// What is encoded with it as the second of a pair of sequences, such as `{context}`.
    #[arg(long, requires = "template")]
    pair: Option<String>,
    /// Leave special tokens such as [CLS] out.
    #[arg(long)]
    no_special_tokens: bool,
    /// Count only so many records from the beginning.
    #[arg(long)]
    sample: Option<u64>,
    /// How the file is laid out: table, json, json-lines, text; by its name or detected when left out.
    #[arg(long)]
    input_format: Option<Format>,
    /// What separates the cells of a table: `,` `;` or `tab`; detected when left out.
    #[arg(long)]
    delimiter: Option<Separator>,
    /// Whether the first row of a table names the columns; detected when left out.
    #[arg(long)]
    header: Option<bool>,
    /// What is printed: a summary, `csv` with length,count as `pack` reads it, or `lengths` of all records in order.
    #[arg(long, default_value = "text")]
    format: Output,
}

#[derive(Clone, Copy, ValueEnum)]
enum Separator {
    #[value(name = ",")]
    Comma,
    #[value(name = ";")]
    Semicolon,
    Tab,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Output {
    Text,
    Json,
    Csv,
    Lengths,
}

/// A file with random access.
struct Opened<'p> {
    file: RefCell<File>,
    path: &'p Path,
    size: u64,
}

impl<'p> Opened<'p> {
    fn new(path: &'p Path) -> Result<Self> {
        let file = File::open(path).map_err(|e| about(path, &e))?;
        let size = file.metadata().map_err(|e| about(path, &e))?.len();
        Ok(Self { file: RefCell::new(file), path, size })
    }
}

impl Source for Opened<'_> {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        let mut file = self.file.borrow_mut();
        let mut bytes = Vec::new();
        let sought = file.seek(SeekFrom::Start(at));
        let read = sought.and_then(|_| file.by_ref().take(length as u64).read_to_end(&mut bytes));
        read.map(|_| bytes).map_err(|e| about(self.path, &e))
    }
}

impl Tokens {
    fn options(&self) -> Result<Options> {
        let named = Options::of(&self.file.to_string_lossy());
        let template =
            self.template.as_deref().map(|t| Template::parse(t, self.pair.as_deref())).transpose()?;
        let delimiter = self.delimiter.map(|separator| match separator {
            Separator::Comma => Delimiter::Comma,
            Separator::Semicolon => Delimiter::Semicolon,
            Separator::Tab => Delimiter::Tab,
        });
        Ok(Options {
            format: self.input_format.or(delimiter.and(Some(Format::Table))).or(named.format),
            delimiter: delimiter.or(named.delimiter),
            header: self.header,
            template,
            special: !self.no_special_tokens,
            sample: self.sample,
        })
    }

    /// Adds the file's name to an error.
    fn in_file(&self, error: Error) -> Error {
        match error {
            Error::Input { place, message } => {
                Error::Input { place: format!("{}, {place}", self.file.display()), message }
            }
            other => other,
        }
    }
}

/// Counts and prints.
pub fn run(tokens: &Tokens) -> Result<String> {
    let bytes = std::fs::read(&tokens.tokenizer).map_err(|e| about(&tokens.tokenizer, &e))?;
    let tokenizer = Tokenizer::load(&bytes)?;
    let source = Opened::new(&tokens.file)?;
    let mut options = tokens.options()?;
    if options.template.is_none() {
        let looked = tokens::look(&source, &tokenizer, &options).map_err(|e| tokens.in_file(e))?;
        options.template = Some(looked.template);
    }
    let start = clock();
    let name = tokens.tokenizer.file_name().unwrap_or_default().to_string_lossy();
    let written = Rc::new(RefCell::new(String::new()));
    let mut counter = Counter::new(&tokenizer, &name, &options);
    if tokens.format == Output::Lengths {
        let to = Rc::clone(&written);
        counter = counter.telling(move |length| {
            to.borrow_mut().push_str(&length.to_string());
            to.borrow_mut().push('\n');
        });
    }
    let read = tokens::count(&source, counter, &mut |_, _, _| ControlFlow::Continue(()));
    let read = read.map_err(|e| tokens.in_file(e))?;
    let seconds = start.elapsed().as_secs_f64();
    crate::files::warn(Some(&tokens.file.display().to_string()), &read.description);
    Ok(match tokens.format {
        Output::Lengths => written.borrow().trim_end().to_owned(),
        Output::Csv => table(&read),
        Output::Json => {
            let lengths = read.histogram.lengths();
            pretty(&json!({ "lengths": lengths, "read": read.description, "seconds": seconds }))
        }
        Output::Text => summary(&read, source.size, seconds),
    })
}

fn table(read: &Ingested) -> String {
    let rows = read.histogram.lengths().into_iter().map(|(length, count)| format!("{length},{count}"));
    std::iter::once("length,count".to_owned()).chain(rows).collect::<Vec<_>>().join("\n")
}

fn summary(read: &Ingested, size: u64, seconds: f64) -> String {
    let [tokens] = read.histogram.total();
    let rate = |n: u64| n as f64 / seconds / 1e6;
    let lines = [
        format!("read as      {}", read.description.format.name()),
        format!("holds        {}", read.description.sentence()),
        format!("sequences    {}", count(read.histogram.items())),
        format!("tokens       {}", count(tokens)),
        format!("rate         {:.1} MB/s, {:.2} million tokens/s", rate(size), rate(tokens)),
    ];
    lines.join("\n")
}
