//! Several units read into one histogram.

use super::cells::{self, Cells};
use super::description::{self, Description};
use super::formats::Choice;
use super::histograms;
use super::input::Read;
use super::notes::Note;
use super::numpy::Arrays;
use super::options::{Column, FLAGS};
use super::progress::Course;
use super::set::Unit;
use super::stream::Stream;
use super::tally::Tally;
use super::{Ingested, Options, Reader, folder};
use packscope_core::error::{Error, Result};
use packscope_core::histogram::{Histogram, Sizes};
use std::rc::Rc;

/// Bytes read at once, first and later: most of very many files are small, and 1 MB for each was
/// too much.
const FIRST: usize = 64 << 10;
const STEP: usize = 1 << 20;

/// Opens Parquet, Arrow and indices, if that part of the reader is loaded.
pub(super) type Opener = for<'a> fn(&Unit<'a>) -> Result<Box<dyn Cells + 'a>>;

pub(super) struct CombinedInput<const K: usize> {
    /// The histogram of all files.
    pub all: Ingested<K>,
    each: Vec<(String, Histogram<K>)>,
}

impl<const K: usize> CombinedInput<K> {
    /// Converts to the public result.
    pub fn read(self, sizes: fn(Rc<Histogram<K>>) -> Sizes) -> Read {
        let each = self
            .each
            .into_iter()
            .map(|(name, histogram)| (name, sizes(histogram.into())))
            .collect();
        Read {
            counted: sizes(self.all.histogram.into()),
            description: self.all.description,
            each,
        }
    }
}

pub(super) fn cells_of<'a>(
    unit: &Unit<'a>,
    parquet: Option<Opener>,
) -> Result<Box<dyn Cells + 'a>> {
    match (unit, parquet) {
        (Unit::Array(part), _) => Ok(Box::new(Arrays::open_array(part)?)),
        (Unit::Arrays(_, parts), _) => Ok(Box::new(Arrays::several(parts)?)),
        (unit, Some(open)) => open(unit),
        (unit, None) => Err(Error::Input {
            place: unit.part().name().to_owned(),
            message: "this is Parquet, Arrow or an index; expected text or NumPy".to_owned(),
        }),
    }
}

pub(super) fn gather<const K: usize>(
    set: &[Unit<'_>],
    options: &Options,
    mut course: Course<'_>,
    parquet: Option<Opener>,
) -> Result<CombinedInput<K>> {
    let mut read: Vec<(String, Ingested<K>)> = Vec::new();
    // A sample counts records over all files, so each file is asked for the rest.
    let mut wanted = options.sample;
    for unit in set {
        let part = unit.part();
        let one = read_one(unit, options, wanted, &mut course, parquet)
            .map_err(|error| unit.named(error))?;
        let is_sample = one
            .description
            .notes
            .iter()
            .any(|note| matches!(note, Note::First { .. }));
        wanted = wanted.map(|wanted| wanted - one.description.records.min(wanted));
        read.push((part.name().to_owned(), one));
        // The files after it are not opened.
        if is_sample || wanted == Some(0) || course.is_stopped() {
            break;
        }
    }
    let is_short = read.len() < set.len();
    let mut gathered = merge(read)?;
    let notes = &mut gathered.all.description.notes;
    // Each file noted its own sample; one note for all replaces them.
    let first = notes
        .iter()
        .position(|note| matches!(note, Note::First { .. }));
    first.into_iter().for_each(|at| drop(notes.remove(at)));
    if let Some((read, of)) = course.stopped() {
        notes.push(Note::Sample { read, of });
    } else if let Some(records) = options.sample.filter(|_| is_short || first.is_some()) {
        notes.push(Note::First { records });
    }
    Ok(gathered)
}

/// Refuses files if one is read by columns with other names than in the first.
fn alike<const K: usize>(read: &[(String, Ingested<K>)]) -> Result<()> {
    let is_chosen = |d: &Description| d.format.choice() != Choice::Fixed;
    let by = |d: &Description| {
        d.sizes
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" and ")
    };
    let Some((first, one)) = read.first().map(|(name, one)| (name, &one.description)) else {
        return Ok(());
    };
    // Without names there is one column.
    let is_named =
        |d: &Description| is_chosen(d) && matches!(d.sizes.first(), Some(Column::Name(_)));
    let differs = |d: &Description| d.sizes != one.sizes && is_named(d) && is_named(one);
    match read.iter().find(|(_, other)| differs(&other.description)) {
        None => Ok(()),
        Some((name, other)) => Err(Error::Input {
            place: name.clone(),
            message: format!(
                "its columns are others than those of {first}: {} for {}; {FLAGS}, or bring the files one by one",
                by(&other.description),
                by(one)
            ),
        }),
    }
}

fn merge<const K: usize>(mut read: Vec<(String, Ingested<K>)>) -> Result<CombinedInput<K>> {
    alike(&read)?;
    // One file keeps its description without a note about files.
    if read.len() < 2 {
        let (_, all) = read.pop().ok_or(Error::Empty)?;
        return Ok(CombinedInput {
            all,
            each: Vec::new(),
        });
    }
    let entries = read
        .iter()
        .flat_map(|(_, one)| one.histogram.entries().iter().copied());
    let histogram = Histogram::from_counts(entries)?;
    let described: Vec<_> = read
        .iter()
        .map(|(name, one)| (name.as_str(), &one.description))
        .collect();
    let description = description::merged(&described, &histogram);
    let each = read
        .into_iter()
        .map(|(name, one)| (name, one.histogram))
        .collect();
    Ok(CombinedInput {
        all: Ingested {
            histogram,
            description,
        },
        each,
    })
}

fn read_one<const K: usize>(
    unit: &Unit<'_>,
    options: &Options,
    wanted: Option<u64>,
    course: &mut Course<'_>,
    parquet: Option<Opener>,
) -> Result<Ingested<K>> {
    let mut tally = Tally::new();
    wanted.into_iter().for_each(|records| tally.want(records));
    course.listen(&mut tally);
    course.begin(unit.part().before);
    match unit {
        Unit::Text(part) => read_text(part.stream()?, Reader::with(options.clone(), tally), course),
        Unit::Tu(graphs, edges) => folder::tu(graphs, edges, tally, course),
        Unit::Lists(nodes, edges) => folder::lists(nodes, edges, tally, course),
        other => {
            let mut cells = cells_of(other, parquet)?;
            match histograms::in_cells(&mut *cells, options, &mut tally)? {
                true => tally.finish(),
                false => cells::read(&mut *cells, options, tally, course),
            }
        }
    }
}

fn read_text<const K: usize>(
    mut stream: Stream<'_>,
    mut reader: Reader<K>,
    course: &mut Course<'_>,
) -> Result<Ingested<K>> {
    let mut buffer = vec![0; FIRST];
    let mut length = stream.fill(&mut buffer)?;
    let mut next = Vec::new();
    // Of a sample no more is read than one hand needs.
    let crew = course.crew.filter(|_| reader.options.sample.is_none());
    let step = crew.map_or(STEP, |crew| crew.share() * crew.hands());
    while length > 0 {
        let position = stream.position();
        let mut ahead = None;
        let mut read_ahead = || {
            next.resize(step, 0);
            ahead = Some(stream.fill(&mut next));
        };
        // The bytes behind these are read while others count.
        reader.push_with(&buffer[..length], crew, &mut read_ahead)?;
        course.tell();
        // `cut` and not `finish`: the last record may be incomplete.
        if reader.is_full() || course.reached(position) {
            return reader.cut();
        }
        length = match ahead {
            Some(read) => {
                std::mem::swap(&mut buffer, &mut next);
                read?
            }
            // Only a full read shows that the file is longer than a small one.
            None => {
                if length == buffer.len() {
                    buffer.resize(step, 0);
                }
                stream.fill(&mut buffer)?
            }
        };
    }
    let read = reader.finish();
    course.tell();
    read
}
