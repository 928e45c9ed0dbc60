//! What is read: a file or a stream, and how.

use clap::{Args, ValueEnum};
use packscope::error::{Error, Result};
use packscope::histogram::Histogram;
use packscope::ingest::{self, Column, Counts, Description, Format, Ingested, Options, Reader, Stopwords};
use packscope::words::count;
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Input {
    /// The file; `-` for standard input.
    pub file: PathBuf,
    /// How the file is laid out: table (CSV, TSV …), numbers, json, json-lines, text; detected when left out.
    #[arg(long)]
    pub input_format: Option<Format>,
    /// Column or field of the length: its name, its number from 1, or a path such as `a.b`.
    #[arg(long)]
    pub length_column: Option<String>,
    /// Columns of the sizes where there are several components, such as nodes,edges: names or numbers from 1.
    #[arg(long, value_delimiter = ',', conflicts_with = "length_column")]
    pub size_columns: Vec<String>,
    /// Column or field of the count; empty for none.
    #[arg(long)]
    pub count_column: Option<String>,
    /// Whether the first row names the columns; detected when left out.
    #[arg(long)]
    pub header: Option<bool>,
    /// A file with the stopwords of text, separated by white space or commas, instead of those of TokenDrop.
    #[arg(long)]
    pub stopwords: Option<PathBuf>,
    /// Whether pronouns are stopwords.
    #[arg(long, default_value = "keep")]
    pub pronouns: Pronouns,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Pronouns {
    /// They are, where the list has them.
    Keep,
    /// They are not.
    Drop,
}

/// An error about a file or stream.
pub fn about(place: &Path, error: &std::io::Error) -> Error {
    Error::Input { place: place.display().to_string(), message: error.to_string() }
}

/// A file or stream of which the beginning has been read.
struct Opened {
    head: Vec<u8>,
    /// Whether there is no more.
    complete: bool,
    rest: Box<dyn Read>,
}

/// What is read at once.
const CHUNK: usize = 1 << 20;

impl Input {
    /// Reads lengths.
    pub fn read(&self) -> Result<Ingested> {
        let columns = self.length_column.as_deref().map(Column::from).into_iter().collect();
        self.read_opened(self.open()?, self.options(columns)?)
    }

    /// Reads sizes of `K` components: those of `sizes`, or, where these are empty, what the file has, which may not be
    /// more.
    pub fn read_sizes<const K: usize>(&self, sizes: Vec<Column>) -> Result<Ingested<K>> {
        let (opened, options) = (self.open()?, self.options(sizes)?);
        let components = ingest::components(&opened.head, opened.complete, &options);
        if components > K {
            return Err(Error::Components { limits: K, components });
        }
        self.read_opened(opened, options)
    }

    /// Reads (length, stopwords), and whether these were counted, as they are where the input is text.
    pub fn read_texts(&self) -> Result<(Histogram<2>, bool)> {
        let columns = self.length_column.as_deref().map(Column::from).into_iter().collect();
        let (opened, options) = (self.open()?, self.options(columns)?);
        if ingest::is_text(&opened.head, opened.complete, &options) {
            return Ok((self.read_opened(opened, options)?.histogram, true));
        }
        let lengths: Ingested = self.read_opened(opened, options)?;
        Ok((lengths.histogram.with_zero(), false))
    }

    fn options(&self, sizes: Vec<Column>) -> Result<Options> {
        let counts = |column: &str| match column {
            "" => Counts::One,
            column => Counts::Column(column.into()),
        };
        Ok(Options {
            format: self.input_format,
            delimiter: None,
            header: self.header,
            sizes,
            count: self.count_column.as_deref().map(counts),
            stopwords: self.list()?,
        })
    }

    fn open(&self) -> Result<Opened> {
        let mut rest: Box<dyn Read> = match self.file.to_str() {
            Some("-") => Box::new(std::io::stdin()),
            _ => Box::new(std::fs::File::open(&self.file).map_err(|e| about(&self.file, &e))?),
        };
        // A pipe may bring less at a time.
        let mut head = Vec::new();
        let read = rest.by_ref().take(CHUNK as u64).read_to_end(&mut head);
        read.map_err(|e| about(&self.file, &e))?;
        Ok(Opened { complete: head.len() < CHUNK, head, rest })
    }

    fn read_opened<const K: usize>(&self, mut from: Opened, options: Options) -> Result<Ingested<K>> {
        // Whatever is wrong with the contents, the file is named.
        let in_file = |error| match error {
            Error::Input { place, message } => {
                Error::Input { place: format!("{}, {place}", self.file.display()), message }
            }
            other => other,
        };
        let mut reader = Reader::new(options);
        reader.push(&from.head).map_err(in_file)?;
        let mut buffer = vec![0; CHUNK];
        loop {
            match from.rest.read(&mut buffer).map_err(|e| about(&self.file, &e))? {
                0 => break,
                n => reader.push(&buffer[..n]).map_err(in_file)?,
            }
        }
        let read = reader.finish().map_err(in_file)?;
        self.warn(&read.description);
        Ok(read)
    }

    /// The stopwords asked for.
    fn list(&self) -> Result<Stopwords> {
        let own = |path: &PathBuf| match std::fs::read(path) {
            Ok(bytes) => Ok(Stopwords::parse(&String::from_utf8_lossy(&bytes))),
            Err(error) => Err(about(path, &error)),
        };
        let list = self.stopwords.as_ref().map_or_else(|| Ok(Stopwords::default()), own)?;
        Ok(list.with_pronouns(self.pronouns == Pronouns::Keep))
    }

    /// What was left out goes to standard error; the figures on standard output stay clean.
    fn warn(&self, description: &Description) {
        for note in &description.notes {
            eprintln!("{}: {note}", self.file.display());
        }
        for problem in &description.problems {
            eprintln!("{}, {problem}; skipped", self.file.display());
        }
        let unseen = description.skipped - description.problems.len() as u64;
        if unseen > 0 {
            eprintln!("{}: {} more skipped", self.file.display(), count(unseen));
        }
    }
}
