//! Parquet: typed columns in row groups. The same part of the program reads less common formats, Arrow and Megatron's
//! indices, and zstd, which Parquet uses too. Memory for one chunk of each column read, which is its part of a row
//! group.

mod column;
mod kinds;
mod pages;
mod zstd;

use super::arrow::Arrow;
use super::cells::{Cells, Layout, RowSink};
use super::combine::{Opener, gather};
use super::formats::Format;
use super::index::IndexedDataset;
use super::input::{File, Read, ReadProgress, RecordVisitor};
use super::open::{FileKind, kind_of, open_with};
use super::options::Options;
use super::progress::Course;
use super::set::{self, Part, Unit};
use super::side_by_side::Crew;
use super::source::whole;
use super::typed_rows::{FieldValue, TypedRows};
use super::value::Value;
use super::{Ingested, Source};
use column::ColumnChunk;
use packscope_core::error::{Error, Result};
use packscope_core::words::count;
use parquet::errors::ParquetError;
use parquet::file::FOOTER_SIZE;
use parquet::file::metadata::{FooterTail, ParquetMetaData, ParquetMetaDataReader};
use std::sync::Arc;

const STEP: usize = 4096;
/// Rows of lists read at once, since all their elements are in memory.
const LISTS: usize = 64;

/// The most bytes of metadata, and of a chunk of a column: both are held in memory.
const MOST: u64 = 1 << 30;

const OPEN: Opener = |unit| match unit {
    Unit::Arrow(part) => Ok(Box::new(Arrow::open(part)?)),
    Unit::Index(part) => Ok(Box::new(IndexedDataset::open(part)?)),
    other => Ok(Box::new(Table::open(other.part())?)),
};

/// As [`open`](super::open()), for files that may include Parquet.
///
/// # Errors
/// Those of [`open`](super::open()).
pub fn open<'p>(
    files: &[File<'_>],
    options: &Options,
    pairs: bool,
    progress: &'p mut ReadProgress<'p>,
) -> Result<Box<Read>> {
    open_with(
        &sort(files)?,
        options,
        pairs,
        Course::new(files, progress),
        Some(OPEN),
    )
}

/// As [`open_telling`](super::open_telling), for files that may include Parquet.
///
/// # Errors
/// Those of [`open`](super::open()).
pub fn open_telling<'p>(
    files: &[File<'_>],
    options: &Options,
    pairs: bool,
    progress: &'p mut ReadProgress<'p>,
    each: &'p mut RecordVisitor<'p>,
) -> Result<Box<Read>> {
    open_with(
        &sort(files)?,
        options,
        pairs,
        Course::new(files, progress).telling(each),
        Some(OPEN),
    )
}

/// Reads files as sizes of `K` components, and calls `each` for every counted record.
///
/// # Errors
/// Those of [`open`](super::open()).
pub fn open_telling_as<'p, const K: usize>(
    files: &[File<'_>],
    options: &Options,
    progress: &'p mut ReadProgress<'p>,
    each: &'p mut RecordVisitor<'p>,
) -> Result<Ingested<K>> {
    let course = Course::new(files, progress).telling(each);
    Ok(gather(&sort(files)?, options, course, Some(OPEN))?.all)
}

/// As [`open_as`](super::open_as), for files that may include Parquet.
///
/// # Errors
/// Those of [`open`](super::open()).
pub fn open_as<'p, const K: usize>(
    files: &[File<'_>],
    options: &Options,
    progress: &'p mut ReadProgress<'p>,
) -> Result<Ingested<K>> {
    Ok(gather(
        &sort(files)?,
        options,
        Course::new(files, progress),
        Some(OPEN),
    )?
    .all)
}

/// As [`open_as`], with tables read side by side by a crew. The result is the same.
///
/// # Errors
/// Those of [`open`](super::open()).
pub fn open_shared_as<'p, const K: usize>(
    files: &[File<'_>],
    options: &Options,
    crew: &'p dyn Crew,
    progress: &'p mut ReadProgress<'p>,
) -> Result<Ingested<K>> {
    let course = Course::new(files, progress).shared(crew);
    Ok(gather(&sort(files)?, options, course, Some(OPEN))?.all)
}

/// Opens each of the files as rows of typed columns; `None` unless all of them are Parquet or Arrow.
///
/// # Errors
/// When a file is damaged.
pub(crate) fn typed_rows<'a>(files: &[File<'a>]) -> Result<Option<Vec<Box<dyn TypedRows + 'a>>>> {
    let mut all: Vec<Box<dyn TypedRows + 'a>> = Vec::new();
    for unit in sort(files)? {
        match unit {
            Unit::Parquet(part) => all.push(Box::new(Table::open(&part)?)),
            Unit::Arrow(part) => all.push(Box::new(Arrow::open(&part)?)),
            _ => return Ok(None),
        }
    }
    Ok(Some(all))
}

/// As [`kind`](super::kind), for files that may include Parquet.
///
/// # Errors
/// Those of [`open`](super::open()).
pub fn kind(files: &[File<'_>], options: &Options, pairs: bool) -> Result<FileKind> {
    kind_of(&sort(files)?, options, pairs, Some(OPEN))
}

/// Groups files, including those compressed by zstd.
fn sort<'a>(files: &[File<'a>]) -> Result<Vec<Unit<'a>>> {
    set::sort(files, Some(zstd::unpack))
}

struct Table<'a> {
    source: &'a dyn Source,
    contents: ParquetMetaData,
    layout: Layout,
    /// The leaf of the schema for each field.
    leaves: Vec<usize>,
}

impl<'a> Table<'a> {
    fn open(part: &Part<'a>) -> Result<Self> {
        let source = part.source();
        let contents = contents(source)?;
        let all = contents.file_metadata().schema_descr().columns();
        let leaves: Vec<usize> = (0..all.len()).collect();
        let fields = all.iter().map(|column| kinds::field(column)).collect();
        let layout = Layout {
            format: Format::Parquet,
            fields,
            size: source.size(),
            named: true,
        };
        Ok(Self {
            source,
            contents,
            layout,
            leaves,
        })
    }

    fn piece(&self, group: usize, leaf: usize) -> Result<ColumnChunk> {
        let meta = self.contents.row_group(group).column(leaf);
        // The dictionary page, if there is one, comes before the data pages.
        let (start, length) = checked_range(
            meta.data_page_offset(),
            meta.dictionary_page_offset(),
            meta.compressed_size(),
        )
        .filter(|(start, length)| {
            start
                .checked_add(*length)
                .is_some_and(|end| end <= self.source.size())
        })
        .ok_or_else(|| {
            self.damaged(
                group,
                leaf,
                "it says that its bytes are where the file has none",
            )
        })?;
        if length > MOST {
            let what = "it has more than 1 GiB; write the file with smaller groups of rows";
            return Err(self.damaged(group, leaf, what));
        }
        let bytes = whole(
            self.source,
            start,
            usize::try_from(length).unwrap_or(usize::MAX),
        )?;
        let rows = usize::try_from(self.contents.row_group(group).num_rows()).unwrap_or(0);
        ColumnChunk::open(start, bytes, meta, rows)
            .map_err(|error| self.failed(group, leaf, &error))
    }

    fn failed(&self, group: usize, leaf: usize, error: &ParquetError) -> Error {
        let message = match error {
            ParquetError::General(text) | ParquetError::NYI(text) | ParquetError::EOF(text) => {
                text.clone()
            }
            other => other.to_string(),
        };
        self.damaged(group, leaf, &message)
    }

    fn damaged(&self, group: usize, leaf: usize, what: &str) -> Error {
        // The rows of the file before this group, since a reader of Parquet counts no groups.
        let before: i64 = self.contents.row_groups()[..group]
            .iter()
            .map(|g| g.num_rows().max(0))
            .sum();
        let from = count(before.unsigned_abs() + 1);
        let name = &self.layout.fields[leaf].name;
        Error::Input {
            place: format!("column \"{name}\", from row {from}"),
            message: format!(
                "it cannot be read ({what}); expected Parquet, plain or packed by snappy, zstd, lz4 or gzip"
            ),
        }
    }
}

/// Returns the start and the length of a chunk of a column.
fn checked_range(data: i64, dictionary: Option<i64>, length: i64) -> Option<(u64, u64)> {
    Some((
        u64::try_from(dictionary.unwrap_or(data)).ok()?,
        u64::try_from(length).ok()?,
    ))
}

/// Reads the metadata at the end of the file.
fn contents(source: &dyn Source) -> Result<ParquetMetaData> {
    let size = source.size();
    let wrong = |byte: u64, message: String| Error::Input {
        place: format!("byte {}", count(byte + 1)),
        message,
    };
    let footer = FOOTER_SIZE as u64;
    // Four bytes of magic at the beginning, and the footer.
    if size < footer + 4 {
        return Err(wrong(
            size,
            "the file ends here; is it complete?".to_owned(),
        ));
    }
    let tail = whole(source, size - footer, FOOTER_SIZE)?;
    let tail: [u8; FOOTER_SIZE] = tail
        .try_into()
        .map_err(|_| wrong(size, "the file ends here".to_owned()))?;
    let ends = wrong(
        size - 4,
        "the file does not end as Parquet does; is it complete?".to_owned(),
    );
    // The mark of an encrypted footer; `FooterTail` would call it damaged.
    if &tail[4..] == b"PARE" {
        return Err(wrong(
            size - 4,
            "this Parquet file is encrypted; expected one that is not".to_owned(),
        ));
    }
    let tail = FooterTail::try_from(tail).map_err(|_| ends)?;
    let length = tail.metadata_length() as u64;
    let damaged = |what: &str| {
        wrong(
            size.saturating_sub(footer + length),
            format!("the table of contents cannot be read ({what})"),
        )
    };
    if length > MOST.min(size - footer - 4) {
        return Err(damaged("it says that it is longer than the file"));
    }
    let bytes = whole(
        source,
        size - footer - length,
        usize::try_from(length).unwrap_or(0),
    )?;
    let contents =
        ParquetMetaDataReader::decode_metadata(&bytes).map_err(|e| damaged(&e.to_string()))?;
    let negative = contents
        .row_groups()
        .iter()
        .any(|group| group.num_rows() < 0);
    if negative {
        Err(damaged("it says that there are fewer than 0 rows"))
    } else {
        Ok(contents)
    }
}

impl Cells for Table<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn rows(&mut self, wanted: &[usize], to: &mut dyn RowSink<Value>) -> Result<()> {
        self.pass(wanted, ColumnChunk::read, to)
    }
}

impl TypedRows for Table<'_> {
    fn table(&self) -> &Layout {
        &self.layout
    }

    fn typed_rows(&mut self, wanted: &[usize], to: &mut dyn RowSink<FieldValue>) -> Result<()> {
        self.pass(wanted, ColumnChunk::values, to)
    }
}

impl Table<'_> {
    /// Passes the rows of these columns to `to`, as `read` has the next ones of a column.
    fn pass<C>(
        &self,
        wanted: &[usize],
        read: impl Fn(&mut ColumnChunk, usize) -> parquet::errors::Result<Vec<C>>,
        to: &mut dyn RowSink<C>,
    ) -> Result<()> {
        let leaves: Vec<usize> = wanted.iter().map(|i| self.leaves[*i]).collect();
        for group in 0..self.contents.num_row_groups() {
            let mut columns = leaves
                .iter()
                .map(|leaf| self.piece(group, *leaf))
                .collect::<Result<Vec<ColumnChunk>>>()?;
            let rows = usize::try_from(self.contents.row_group(group).num_rows()).unwrap_or(0);
            let end = columns.iter().map(|column| column.end).max().unwrap_or(0);
            let most = if columns.iter().any(ColumnChunk::is_list) {
                LISTS
            } else {
                STEP
            };
            let mut done = 0;
            while done < rows {
                let step = most.min(rows - done);
                let mut cells = Vec::with_capacity(columns.len());
                for (column, leaf) in columns.iter_mut().zip(&leaves) {
                    let read =
                        read(column, step).map_err(|error| self.failed(group, *leaf, &error))?;
                    // Checked before the rows are passed on: columns of different lengths would
                    // shift.
                    if read.len() != step {
                        return Err(self.damaged(
                            group,
                            *leaf,
                            "it has fewer rows than its group says",
                        ));
                    }
                    cells.push(read.into_iter());
                }
                let mut row = Vec::with_capacity(cells.len());
                for _ in 0..step {
                    row.clear();
                    row.extend(cells.iter_mut().filter_map(Iterator::next));
                    if to.row(&row) {
                        return Ok(());
                    }
                }
                done += step;
                // A chunk is read as a whole, so its end is the position in the file.
                if to.reached(end) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Bytes of a file from an offset on. The library asks for offsets in the file, but only one chunk
/// is in memory.
#[derive(Debug, Clone)]
struct Window {
    start: u64,
    bytes: bytes::Bytes,
}

impl parquet::file::reader::Length for Window {
    // The end in the file: offsets count from its beginning.
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl Window {
    fn from(&self, at: u64) -> parquet::errors::Result<bytes::Bytes> {
        let from = at
            .checked_sub(self.start)
            .and_then(|from| usize::try_from(from).ok());
        let from = from.filter(|from| *from <= self.bytes.len());
        let none = || ParquetError::EOF("a page lies outside of its column".to_owned());
        from.map(|from| self.bytes.slice(from..)).ok_or_else(none)
    }
}

impl parquet::file::reader::ChunkReader for Window {
    type T = std::io::Cursor<bytes::Bytes>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        Ok(std::io::Cursor::new(self.from(start)?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<bytes::Bytes> {
        let from = self.from(start)?;
        match length <= from.len() {
            true => Ok(from.slice(..length)),
            false => Err(ParquetError::EOF(
                "a page is longer than its column".to_owned(),
            )),
        }
    }
}

type SharedWindow = Arc<Window>;
