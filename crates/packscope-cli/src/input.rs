//! Options of reading a file or a stream.

use crate::files::Files;
use crate::options;
use crate::output::say;
use crate::shell::about;
use clap::{Args, ValueEnum};
use packscope::error::{Error, Result};
use packscope::formula;
use packscope::histogram::{Computation, Histogram, Size};
use packscope::ingest::{Account, Column, Counts, FileKind, Format, Ingested, Options, Stopwords};
use std::path::PathBuf;

/// Maximum number of sequences of a file whose order is kept.
const ORDERED: usize = 200_000_000;

#[derive(Args)]
pub struct Input {
    /// The files, or a folder of them; `-` for standard input.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    #[arg(long, help = options::formats())]
    pub input_format: Option<Format>,
    /// The length: a column or field by its name, its number from 1, or a path such as `a.b`; or a formula over them, such
    /// as 'end - start', 'round(duration * 50)', 'ceil(width / 16) * ceil(height / 16)', '$2 + 2': numbers, + - * / //,
    /// abs, ceil, floor, round, max, min, names with other characters between backticks.
    #[arg(
        long,
        visible_alias = "length-column",
        value_name = "FORMULA",
        allow_hyphen_values = true
    )]
    length: Option<String>,
    /// The sizes where there are several components, such as nodes,edges: each as --length has it.
    #[arg(long, conflicts_with = "length")]
    size_columns: Vec<String>,
    /// Two components that are computed, tokens and attention (pairs of tokens): `attention`, L and L² of each length L;
    /// `shared-prompt:8`, of groups of eight responses that share their prompt, from pairs of prompt and response. For
    /// packs under both limits; `describe` names the unit of attention, and a limit.
    #[arg(long, value_name = "COMPONENTS")]
    pub compute: Option<Computation>,
    /// Column or field of the count; empty for none.
    #[arg(long)]
    pub count_column: Option<String>,
    /// Whether the first row names the columns; detected when left out.
    #[arg(long)]
    pub header: Option<bool>,
    /// Only so many records from the beginning.
    #[arg(long)]
    pub sample: Option<u64>,
    /// Goes on where records cannot be read: more than one in twenty, or any of a table of counts.
    #[arg(long)]
    pub allow_skipped: bool,
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

impl Input {
    /// Reads lengths.
    ///
    /// # Errors
    /// [`Error::Input`] also if components are to be computed, which are two.
    pub fn read(&self) -> Result<Ingested> {
        self.uncomputed()?;
        self.read_lengths()
    }

    /// Reads the lengths from which components are computed.
    pub fn read_lengths(&self) -> Result<Ingested> {
        self.files()?.read(&self.lengths()?)
    }

    /// Refuses components that are to be computed, where they have no use.
    pub fn uncomputed(&self) -> Result<()> {
        let Some(computation) = self.compute else {
            return Ok(());
        };
        let message = format!(
            "{computation} gives two components; expected them where packs keep to two limits, as with --limits 8192,free"
        );
        Err(Error::Input {
            place: "--compute".to_owned(),
            message,
        })
    }

    /// Reads sizes of `K` components: the columns in `sizes`, or, if empty, those of the files, which may not be more.
    pub fn read_sizes<const K: usize>(&self, sizes: Vec<Column>) -> Result<Ingested<K>> {
        let (files, options) = (self.files()?, self.options(sizes)?);
        let components = match options.sizes.len() {
            0 if files.kind(&options)? == FileKind::Graphs => 2,
            0 => 1,
            n => n,
        };
        // Reading fewer components than the files have would leave sizes out in silence.
        if components > K {
            return Err(Error::Components {
                limits: K,
                components,
            });
        }
        files.read(&options)
    }

    /// Reads every sequence, or graph, in the order of the file, from these columns.
    pub fn read_order<const K: usize>(
        &self,
        columns: Vec<Column>,
    ) -> Result<(Vec<Size<K>>, Account)> {
        self.uncomputed()?;
        let (files, options) = (self.files()?, self.options(columns)?);
        let mut order = Vec::new();
        let mut items = 0;
        let description = files.for_each_item::<K>(&options, &mut |size, count| {
            items += count;
            // Counts may claim any number of items; no more than ORDERED are stored.
            let left = ORDERED - order.len().min(ORDERED);
            let size: Size<K> = std::array::from_fn(|k| size.get(k).copied().unwrap_or(0));
            order.extend(std::iter::repeat_n(
                size,
                usize::try_from(count).unwrap_or(left).min(left),
            ));
        });
        let description = description.map_err(|error| files.name(error))?;
        if items > order.len() as u64 {
            return Err(Error::TooManyItems {
                algorithm: "--order file",
                items,
                at_most: ORDERED as u64,
            });
        }
        if description.skipped > 0 {
            say("records that cannot be read are left out of the order");
        }
        Ok((order, description.account()))
    }

    /// Reads (length, stopwords); returns whether stopwords were counted, as in text, and an account of the reading.
    pub fn read_texts(&self) -> Result<(Histogram<2>, bool, Account)> {
        self.uncomputed()?;
        let (files, options) = (self.files()?, self.lengths()?);
        if files.kind(&options)? == FileKind::Texts {
            let read = files.read(&options)?;
            return Ok((read.histogram, true, read.description.account()));
        }
        let lengths: Ingested = files.read(&options)?;
        Ok((
            // Without counted stopwords; batches then assume a share of each sequence.
            lengths.histogram.with_zero(),
            false,
            lengths.description.account(),
        ))
    }

    pub fn files(&self) -> Result<Files> {
        Files::new(&self.files)
    }

    fn lengths(&self) -> Result<Options> {
        self.options(self.length())
    }

    /// Returns the column of the length, if it was chosen.
    pub fn length(&self) -> Vec<Column> {
        self.length
            .as_deref()
            .map(Column::from)
            .into_iter()
            .collect()
    }

    /// Returns the columns of the sizes that were chosen.
    pub fn sizes(&self) -> Vec<Column> {
        self.size_columns
            .iter()
            .flat_map(|list| formula::split(list))
            .map(Column::from)
            .collect()
    }

    pub fn options(&self, sizes: Vec<Column>) -> Result<Options> {
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
            sample: self.sample,
            allow_skipped: self.allow_skipped,
        })
    }

    fn list(&self) -> Result<Stopwords> {
        let own = |path: &PathBuf| match std::fs::read(path) {
            Ok(bytes) => Ok(Stopwords::parse(&String::from_utf8_lossy(&bytes))),
            Err(error) => Err(about(path, &error)),
        };
        let list = self
            .stopwords
            .as_ref()
            .map_or_else(|| Ok(Stopwords::default()), own)?;
        Ok(list.with_pronouns(self.pronouns == Pronouns::Keep))
    }
}
