//! Reads bytes into a histogram: CSV and similar tables, plain numbers, JSON, JSON Lines, plain text, and, with
//! [`open()`], files in more formats: gzip, ZIP, NumPy, Parquet (`parquet::open`), graphs as edges.
//!
//! Items have one size (a length) or several: nodes and edges of a graph, source and target of a pair. The caller
//! chooses the number with `K`; [`components`] returns the number that a file offers.
//!
//! Input comes in chunks and is never held: memory grows with the number of distinct sizes, and is bounded by the
//! longest line (16 MiB). An unusable record is skipped and reported with its place; the rest is kept. The
//! [`Description`] records the interpretation of the input, and [`Options`] change it.
//!
//! ```
//! use packscope_files::ingest::{self, Options};
//! let read = ingest::read::<1>(b"length,count\n12,5\nabc,1\n16,2\n", Options::default())?;
//! assert_eq!(read.histogram.entries(), [([12], 5), ([16], 2)]);
//! assert_eq!(read.description.sentence(), "7 sequences, 12–16 tokens, mean 13.1; 1 line skipped");
//! assert_eq!(
//!     read.description.problems[0].to_string(),
//!     "line 3, column 1: \"abc\" is not a length; lengths are whole numbers from 1 to 4,294,967,295"
//! );
//! let read = ingest::read::<2>(b"num_nodes,num_edges\n2,2\n30,64\n", Options::default())?;
//! assert_eq!(read.description.sentence(), "2 graphs, 2–30 nodes (mean 16.0), 2–64 edges (mean 33.0)");
//! # Ok::<(), packscope_core::error::Error>(())
//! ```

mod ambiguity;
mod archive;
#[cfg(feature = "parquet")]
mod arrow;
mod beside;
mod bins;
mod cell_sizes;
mod cells;
mod column_choice;
mod column_stats;
mod columnar;
mod columns;
mod columns_of_words;
mod combine;
mod component_names;
mod computed;
mod computed_length;
mod conversation;
mod decoder;
mod description;
mod detect;
mod dialect;
mod edges;
mod fasta;
mod first_records;
mod folder;
mod formats;
mod formulae;
mod histograms;
#[cfg(feature = "parquet")]
mod index;
mod input;
mod item_words;
mod layouts;
mod lines;
mod named_records;
mod names;
mod nested;
mod notes;
mod number;
mod numbers;
mod numpy;
mod open;
mod options;
#[cfg(feature = "parquet")]
pub mod parquet;
mod plain_rows;
mod problem;
mod progress;
mod prose;
mod records;
mod refuse;
mod rows;
mod sample;
mod set;
mod side_by_side;
mod source;
mod spaced;
mod split;
mod splitter;
mod stopwords;
mod stream;
mod suggestions;
mod table;
mod tally;
mod text;
mod texts;
mod totals;
#[cfg(feature = "parquet")]
mod typed_rows;
mod value;
mod wide_tables;

pub use beside::TokenizerFile;
pub use computed_length::ComputedLength;
pub use conversation::{PairReading, PromptAndResponse};
pub use description::{Account, Contents, Description, item, sentence};
pub use formats::{Choice, Delimiter, Format};
pub use input::{File, Read, ReadProgress, RecordVisitor};
pub use item_words::ItemWords;
pub(crate) use notes::MESSAGES;
pub use notes::Note;
pub use open::{FileKind, OpenResult, kind, open, open_as, open_telling};
pub use options::{Column, Counts, Options};
pub use problem::{Problem, Why};
pub use side_by_side::Crew;
pub use source::{Ahead, Source};
pub use stopwords::Stopwords;
pub use suggestions::{components, components_among_pairs, is_text};

pub(crate) mod parts {
    //! Items for readers of whole records.
    #[cfg(feature = "parquet")]
    pub(crate) use super::cells::{Holds, RowSink};
    pub(crate) use super::problem::{Place, shorten};
    pub(crate) use super::rows::Record;
    pub(crate) use super::set::is_columnar;
    pub(crate) use super::splitter::RawRecord;
    pub(crate) use super::stream::{Stream, damage};
    pub(crate) use super::tally::Tally;
    pub(crate) use super::texts::{LOOKED_AT, Raws, is_header};
    #[cfg(feature = "parquet")]
    pub(crate) use super::typed_rows::{FieldValue, TypedRows};
}

use decoder::{Decoder, SplitDecoder};
use detect::InputHead;
use dialect::Dialect;
use edges::Edges;
use fasta::Fasta;
use first_records::FirstRecords;
use histograms::HistogramReader;
use numbers::NumberReader;
use packscope_core::error::{Error, Result};
use packscope_core::histogram::{Histogram, Size};
use packscope_core::words::plural;
use records::Records;
use split::JsonShape;
use splitter::RecordSplitter;
use tally::Tally;
use text::Text;

/// Bytes examined before the format is decided: all decisions see the same bytes, however chunks
/// are cut.
const HEAD: usize = 64 << 10;

/// The histogram of an input with items of `K` sizes, and a description of how it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Ingested<const K: usize = 1> {
    /// The sizes with their counts.
    pub histogram: Histogram<K>,
    /// How the input was read, with problems and assumptions.
    pub description: Description,
}

/// Reads bytes in memory: [`Reader`] in one call. O(bytes), memory for the distinct sizes.
///
/// # Errors
/// Those of [`Reader::finish`].
pub fn read<const K: usize>(bytes: &[u8], options: Options) -> Result<Ingested<K>> {
    let mut reader = Reader::new(options);
    reader.push(bytes)?;
    reader.finish()
}

/// A reader of chunks. The result does not depend on where the chunks are cut.
#[derive(Debug)]
pub struct Reader<const K: usize = 1> {
    options: Options,
    stage: ReaderStage<K>,
    tally: Tally<K>,
}

#[derive(Debug)]
enum ReaderStage<const K: usize> {
    /// Too few bytes to decide on the format.
    Head(Vec<u8>),
    Body(Box<dyn Decoder<K>>),
}

impl<const K: usize> Reader<K> {
    /// Creates a reader of one input; [`push`](Self::push) takes its bytes,
    /// [`finish`](Self::finish) returns the histogram.
    pub fn new(options: Options) -> Self {
        let mut tally = Tally::new();
        options
            .sample
            .into_iter()
            .for_each(|records| tally.want(records));
        Self::with(options, tally)
    }

    /// Creates a reader that adds to this tally.
    fn with(options: Options, tally: Tally<K>) -> Self {
        Self {
            options,
            stage: ReaderStage::Head(Vec::new()),
            tally,
        }
    }

    /// Calls `each` with the size and the count of every counted record, in the order of the input, without skipped
    /// records.
    #[must_use]
    pub fn telling(mut self, each: impl FnMut(Size<K>, u64) + 'static) -> Self {
        self.tally.tell(each);
        self
    }

    /// Reads the next bytes, of any number.
    ///
    /// # Errors
    /// As [`finish`](Self::finish), as soon as the rest of the input cannot change the error; further calls return the
    /// same error.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.push_with(bytes, None, &mut || {})
    }

    /// Reads the next bytes as [`push`](Self::push) does, side by side where there is a crew and the format allows it; and then
    /// calls `meanwhile` while others read.
    fn push_with(
        &mut self,
        bytes: &[u8],
        crew: Option<&dyn Crew>,
        meanwhile: &mut dyn FnMut(),
    ) -> Result<()> {
        self.tally.check()?;
        self.tally.description.bytes += bytes.len() as u64;
        let rest = match &mut self.stage {
            ReaderStage::Body(_) => bytes,
            ReaderStage::Head(head) => {
                // `HEAD - head.len()` cannot be negative: a head of HEAD bytes has become a body.
                let (now, rest) = bytes.split_at(bytes.len().min(HEAD - head.len()));
                head.extend_from_slice(now);
                if head.len() == HEAD {
                    self.begin(false);
                }
                rest
            }
        };
        // After `begin`, the same call goes on with the bytes beyond the head.
        if let ReaderStage::Body(decoder) = &mut self.stage {
            match crew {
                Some(crew) => {
                    side_by_side::push(decoder, rest, &mut self.tally, (crew, meanwhile));
                }
                None => decoder.push(rest, &mut self.tally),
            }
        }
        self.tally.check()
    }

    /// Ends the input and returns its histogram.
    ///
    /// # Errors
    /// [`Input`](Error::Input) when the input is binary, compressed, UTF-16 or empty, when a table lacks a
    /// column, when more or fewer columns are chosen than there are components, or when no record is usable;
    /// [`TooLarge`](Error::TooLarge) when a total exceeds 64 bits.
    pub fn finish(mut self) -> Result<Ingested<K>> {
        if matches!(self.stage, ReaderStage::Head(_)) {
            self.begin(true);
        }
        if let ReaderStage::Body(decoder) = &mut self.stage {
            decoder.finish(&mut self.tally);
        }
        self.tally.finish()
    }

    /// Ends the reading before the end of the input, without a last record that may be incomplete.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn cut(mut self) -> Result<Ingested<K>> {
        // A short input may not have reached HEAD; its last line counts as cut.
        self.begin(false);
        // Nodes are known only with all edges: a part would be a wrong histogram, not a smaller
        // one.
        if self.tally.description.format == Format::Edges {
            let message =
                "graphs are counted when all edges are read; expected the whole file".to_owned();
            self.tally.fail(Error::Input {
                place: "the edge list".to_owned(),
                message,
            });
        }
        self.tally.finish()
    }

    /// Whether there were more records than [`Options::sample`], so that the rest of the input does not matter.
    pub fn is_full(&self) -> bool {
        self.tally.is_full()
    }

    /// Decides on the format and decodes the bytes held back so far.
    fn begin(&mut self, complete: bool) {
        let ReaderStage::Head(head) = &mut self.stage else {
            return;
        };
        let head = std::mem::take(head);
        match check(&self.options, K)
            .and_then(|()| detect::dialect(&head, complete, &self.options, K))
        {
            // The stage stays a head without bytes; `check` returns the error from now on.
            Err(error) => self.tally.fail(error),
            Ok(dialect) => {
                let text = &head[dialect.mark..];
                let mut decoder =
                    decoder(&dialect, (text, complete), &self.options, &mut self.tally);
                decoder.push(text, &mut self.tally);
                self.stage = ReaderStage::Body(decoder);
            }
        }
    }
}

/// Returns the format of an input that looks like `seen`, if it is recognised as another one: by its first bytes, or
/// because it would otherwise be read as a table.
fn recognised(beginning: &InputHead<'_>, seen: Format) -> Option<Format> {
    let InputHead {
        all,
        lines,
        below,
        delimiter,
        options,
    } = *beginning;
    match seen {
        // FASTA first: its lines of letters would be prose or a table of one column.
        _ if options.format.is_none() && fasta::is_fasta(lines) => Some(Format::Fasta),
        Format::Table if edges::are_edges(beginning) => Some(Format::Edges),
        Format::Table if prose::is_prose(all, below, delimiter, options) => Some(Format::Text),
        _ => None,
    }
}

/// Creates the reader of an input with this beginning, which is all of it if `complete`.
fn decoder<const K: usize>(
    dialect: &Dialect,
    (head, complete): (&[u8], bool),
    options: &Options,
    tally: &mut Tally<K>,
) -> Box<dyn Decoder<K>> {
    tally.description.format = dialect.format;
    dialect
        .note
        .iter()
        .for_each(|note| tally.note(note.clone()));
    // Without known columns, any computable name is a formula.
    let is_formula = |column: &Column| {
        column
            .formula(|_| false)
            .is_ok_and(|formula| formula.is_some())
    };
    if dialect.format.choice() == Choice::Fixed && options.sizes.iter().any(is_formula) {
        let message = format!(
            "this is {}, which has no columns to compute with",
            dialect.format.long_name()
        );
        tally.fail(Error::Input {
            place: "the length".to_owned(),
            message,
        });
    }
    match dialect.format {
        Format::Table => {
            tally.description.delimiter = Some(dialect.delimiter);
            let mut options = options.clone();
            if options.header.is_none() && columns_of_words::has_no_header(dialect, head) {
                options.header = Some(false);
            }
            Box::new(table::table(dialect, options, (head, complete)))
        }
        Format::Numbers => Box::new(NumberReader::new()),
        Format::Json | Format::JsonLines => {
            let are_lines = dialect.format == Format::JsonLines;
            let shape = if are_lines {
                JsonShape::Values
            } else {
                dialect.shape
            };
            let cut = || {
                if are_lines {
                    RecordSplitter::lines(true, lines::is_silent)
                } else {
                    RecordSplitter::json(shape)
                }
            };
            // A second cutter for the first records: columns are chosen before any record is
            // counted.
            let first = FirstRecords::new(cut(), shape, (head, complete));
            Box::new(SplitDecoder {
                cut: cut(),
                of: Records::new(options, shape, first, tally),
            })
        }
        Format::Fasta => Box::new(SplitDecoder {
            cut: RecordSplitter::lines(false, splitter::is_blank),
            of: Fasta::new(tally),
        }),
        Format::Edges => Box::new(SplitDecoder {
            cut: RecordSplitter::table(dialect.delimiter, lines::is_silent, head),
            of: Edges::new(),
        }),
        Format::Histogram => Box::new(HistogramReader::new(options)),
        // The formats after text were refused in `dialect`, which only chooses text formats.
        Format::Text
        | Format::Array
        | Format::Parquet
        | Format::Tu
        | Format::Index
        | Format::Arrow => Box::new(SplitDecoder {
            cut: RecordSplitter::lines(false, splitter::is_blank),
            of: Text::new(&options.stopwords, tally),
        }),
    }
}

/// Refuses a choice of columns that does not match the components.
fn check(options: &Options, components: usize) -> Result<()> {
    match options.sizes.len() {
        n if n == 0 || n == components => Ok(()),
        n => Err(Error::Input {
            place: "the choice of columns".to_owned(),
            message: format!(
                "{} for sizes of {}",
                plural(n as u64, "column"),
                plural(components as u64, "component")
            ),
        }),
    }
}
