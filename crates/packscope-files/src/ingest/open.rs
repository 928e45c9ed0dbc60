//! Files of any supported format into one histogram.

use super::cells;
use super::combine::{Opener, cells_of, gather};
use super::input::{File, Read, ReadProgress, RecordVisitor};
use super::progress::Course;
use super::set::{self, Part, Unit};
use super::{Ingested, Options, components, components_among_pairs, is_text};
use packscope_core::error::{Error, Result};
use packscope_core::histogram::Sizes;

/// The result of opening files.
#[derive(Debug, Clone, PartialEq)]
pub enum OpenResult {
    /// They were read.
    Read(Box<Read>),
    /// They hold Parquet, Arrow, an index of Megatron or data compressed by zstd, which
    /// `parquet::open` reads. No record was read.
    Needs,
}

/// Reads files. With `pairs`, as in the view of graphs, numbers without names are sizes of two components.
///
/// Several files become one histogram. Files that complete each other, such as those of a TU folder, are read together.
/// Parquet, Arrow, indices of Megatron and data compressed by zstd are left to `parquet::open`.
///
/// # Errors
/// [`Error::Input`] with the place, after the name of the file if there are several; errors of
/// [`Reader::finish`](super::Reader::finish).
pub fn open<'p>(
    files: &[File<'_>],
    options: &Options,
    pairs: bool,
    progress: &'p mut ReadProgress<'p>,
) -> Result<OpenResult> {
    open_or_leave(files, options, pairs, Course::new(files, progress))
}

/// Reads files as [`open`] does, and calls `each` for every counted record.
///
/// # Errors
/// Those of [`open`].
pub fn open_telling<'p>(
    files: &[File<'_>],
    options: &Options,
    pairs: bool,
    progress: &'p mut ReadProgress<'p>,
    each: &'p mut RecordVisitor<'p>,
) -> Result<OpenResult> {
    open_or_leave(
        files,
        options,
        pairs,
        Course::new(files, progress).telling(each),
    )
}

fn open_or_leave(
    files: &[File<'_>],
    options: &Options,
    pairs: bool,
    course: Course<'_>,
) -> Result<OpenResult> {
    // Without a decompressor, files of zstd are recognised but not unpacked.
    let set = set::sort(files, None)?;
    let is_left =
        |unit: &Unit<'_>| matches!(unit, Unit::Parquet(_) | Unit::Arrow(_) | Unit::Index(_));
    if set.iter().any(|unit| is_left(unit) || unit.part().is_zstd) {
        return Ok(OpenResult::Needs);
    }
    open_with(&set, options, pairs, course, None).map(OpenResult::Read)
}

/// Reads files as sizes of `K` components.
///
/// # Errors
/// Those of [`open`].
pub fn open_as<'p, const K: usize>(
    files: &[File<'_>],
    options: &Options,
    progress: &'p mut ReadProgress<'p>,
) -> Result<Ingested<K>> {
    Ok(gather(
        &set::sort(files, None)?,
        options,
        Course::new(files, progress),
        None,
    )?
    .all)
}

/// Returns the kind of the contents of files, from their beginnings.
///
/// # Errors
/// When the files are of different kinds, and as [`open`].
pub fn kind(files: &[File<'_>], options: &Options, pairs: bool) -> Result<FileKind> {
    kind_of(&set::sort(files, None)?, options, pairs, None)
}

/// Reads files, and Parquet if an opener is given.
pub(super) fn open_with(
    set: &[Unit<'_>],
    options: &Options,
    pairs: bool,
    course: Course<'_>,
    parquet: Option<Opener>,
) -> Result<Box<Read>> {
    // The number of components is a type, so the kind is needed before anything is read.
    let read = match kind_of(set, options, pairs, parquet)? {
        FileKind::Lengths => gather::<1>(set, options, course, parquet)?.read(Sizes::Lengths),
        FileKind::Texts => gather::<2>(set, options, course, parquet)?.read(Sizes::Texts),
        FileKind::Graphs => gather::<2>(set, options, course, parquet)?.read(Sizes::Graphs),
    };
    Ok(Box::new(read))
}

/// The kind of the sizes in files, which decides on the view that shows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Lengths of sequences.
    Lengths,
    /// Words, with their number of stopwords.
    Texts,
    /// Sizes of two components.
    Graphs,
}

impl FileKind {
    fn words(self) -> &'static str {
        match self {
            Self::Lengths => "lengths",
            Self::Texts => "text",
            Self::Graphs => "sizes in pairs",
        }
    }
}

pub(super) fn kind_of(
    set: &[Unit<'_>],
    options: &Options,
    pairs: bool,
    parquet: Option<Opener>,
) -> Result<FileKind> {
    let mut first = None;
    for unit in set {
        let kind =
            unit_kind(unit, options, pairs, parquet).map_err(|error| unit.part().named(error))?;
        match first {
            None => first = Some(kind),
            Some(first) if first != kind => return Err(differ(&set[0], first, unit, kind)),
            Some(_) => {}
        }
    }
    first.ok_or(Error::Empty)
}

fn unit_kind(
    unit: &Unit<'_>,
    options: &Options,
    pairs: bool,
    parquet: Option<Opener>,
) -> Result<FileKind> {
    let mut cells = match unit {
        Unit::Text(part) => return text_kind(part, options, pairs),
        Unit::Tu(..) | Unit::Lists(..) => return Ok(FileKind::Graphs),
        other => cells_of(other, parquet)?,
    };
    // Three components are only read where the caller asks for them (`open_as`).
    Ok(match cells::components(&mut *cells, options, pairs) {
        2 => FileKind::Graphs,
        _ => FileKind::Lengths,
    })
}

fn text_kind(part: &Part<'_>, options: &Options, pairs: bool) -> Result<FileKind> {
    let stream = part.stream()?;
    let (head, complete) = (stream.head(), stream.is_complete());
    let components = if pairs {
        components_among_pairs
    } else {
        components
    };
    Ok(match components(head, complete, options) {
        2 => FileKind::Graphs,
        _ if is_text(head, complete, options) => FileKind::Texts,
        _ => FileKind::Lengths,
    })
}

fn differ(first: &Unit<'_>, kind: FileKind, unit: &Unit<'_>, other: FileKind) -> Error {
    let (first, place) = (first.part().name(), unit.part().name().to_owned());
    let (kind, other) = (kind.words(), other.words());
    let message =
        format!("this holds {other}, but {first} holds {kind}; expected files of one kind");
    Error::Input { place, message }
}
