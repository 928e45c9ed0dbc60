//! The output of the readers: counts by size, problems, notes, the first fatal error.

use super::Ingested;
use super::computed_length::ComputedLength;
use super::description::{self, Description};
use super::formats::{Delimiter, Format};
use super::notes::{self, Note};
use super::number::{self, Fault};
use super::options::{Column, FLAGS};
use super::problem::{KEPT, Place, Problem, Why};
use crate::formula;
use packscope_core::error::{ChoiceNeeded, ColumnOffer, Error, Result, UncountedTexts};
use packscope_core::histogram::{Bin, Histogram, Size};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sizes below this are counted in a vector, which is ten times faster than a map and holds most sizes.
const DENSE: usize = 1 << 16;
/// The most computed sizes that are shown.
const FIRST: usize = 10;

/// A callback for each record in the order of the input, with its size and its count.
pub(crate) struct SizeVisitor<const K: usize>(Box<dyn FnMut(Size<K>, u64)>);

impl<const K: usize> std::fmt::Debug for SizeVisitor<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Each")
    }
}

/// The counts of some of the records of an input, without those before them.
#[derive(Debug)]
pub(super) struct Counted<const K: usize> {
    dense: Vec<u64>,
    sparse: BTreeMap<Size<K>, u64>,
    counted: u64,
    has_failed: bool,
    description: Description,
}

/// The output of a reader.
#[derive(Debug)]
pub(crate) struct Tally<const K: usize> {
    dense: Vec<u64>,
    sparse: BTreeMap<Size<K>, u64>,
    each: Option<SizeVisitor<K>>,
    fault: Option<Error>,
    /// The most records to count, and whether there was one more.
    wanted: u64,
    full: bool,
    /// Whether no size may come twice, as in a table of counts recognised by distinct sizes.
    pub once: bool,
    /// Records with a count above 0.
    counted: u64,
    /// The sizes of the first records, if they are computed.
    first: Option<Vec<Vec<u32>>>,
    pub(super) asked: ChoiceNeeded,
    pub description: Description,
}

impl<const K: usize> Tally<K> {
    /// Components below this are counted in the vector: 65,536 for one component, 256 for two, 32 for three.
    const SIDE: usize = 1 << (16 / K);

    pub fn new() -> Self {
        Self::with(blank())
    }

    /// Creates a tally that has counted nothing, of an input with this description.
    pub(super) fn with(description: Description) -> Self {
        Self {
            dense: Vec::new(),
            sparse: BTreeMap::new(),
            each: None,
            fault: None,
            wanted: u64::MAX,
            full: false,
            once: false,
            counted: 0,
            first: None,
            asked: ChoiceNeeded::default(),
            description,
        }
    }

    /// Whether records may be counted apart and added: nobody wants each of them, nor only so many.
    pub(super) fn is_divisible(&self) -> bool {
        let has_first = self.first.as_ref().is_none_or(|all| all.len() >= FIRST);
        has_first && self.each.is_none() && self.wanted == u64::MAX && self.fault.is_none()
    }

    /// Returns the description without its records.
    pub(super) fn uncounted(&self) -> Description {
        uncounted(self.description.clone())
    }

    /// Returns the counts.
    pub(super) fn counted(self) -> Counted<K> {
        Counted {
            dense: self.dense,
            sparse: self.sparse,
            counted: self.counted,
            has_failed: self.fault.is_some(),
            description: self.description,
        }
    }

    /// Adds records that were counted apart, after as many `lines`, from the description `before` on. Returns whether that
    /// was possible: adds nothing where more than rows changed there.
    pub(super) fn join(&mut self, part: Counted<K>, before: &Description, lines: u64) -> bool {
        if part.has_failed || self.fault.is_some() {
            return false;
        }
        let (records, skipped) = (part.description.records, part.description.skipped);
        let mut description = part.description;
        let problems = std::mem::take(&mut description.problems);
        if uncounted(description) != *before {
            return false;
        }
        let dense = part.dense.into_iter().enumerate();
        let dense = dense.map(|(at, count)| (Self::size_at(at), count));
        for (size, count) in dense.chain(part.sparse).filter(|(_, count)| *count > 0) {
            self.count(size, count);
        }
        self.counted += part.counted;
        self.description.records += records;
        self.description.skipped += skipped;
        let room = KEPT.saturating_sub(self.description.problems.len());
        let moved = problems.into_iter().take(room).map(|mut problem| {
            problem.line += lines;
            problem
        });
        self.description.problems.extend(moved);
        true
    }

    /// Limits the number of records.
    pub fn want(&mut self, records: u64) {
        self.wanted = records;
    }

    /// Whether there were more records than the limit.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Counts one more record; returns false if the limit is reached.
    fn takes(&mut self) -> bool {
        // Sets `full` only with one more record: an input with exactly as many is no sample.
        self.full |= self.description.records == self.wanted;
        self.description.records += u64::from(!self.full);
        !self.full
    }

    /// Calls `each` for every later record.
    pub fn tell(&mut self, each: impl FnMut(Size<K>, u64) + 'static) {
        self.each = Some(SizeVisitor(Box::new(each)));
    }

    /// Counts a record of `count` items of one size.
    pub fn add(&mut self, size: Size<K>, count: u64) {
        if self.takes() {
            self.counted += u64::from(count > 0);
            self.count(size, count);
        }
    }

    /// Counts the items of a bin, spread over its lengths.
    pub fn add_bin(&mut self, bin: Bin) {
        if self.takes() {
            // Bins are of lengths alone (`histograms::tell` refuses pairs), so all components are
            // equal here.
            bin.spread()
                .for_each(|(length, count)| self.count([length; K], count));
            // A bin of one length is exact.
            self.description
                .bins
                .extend((bin.low < bin.high).then_some(bin));
        }
    }

    fn count(&mut self, size: Size<K>, count: u64) {
        if let Some(SizeVisitor(each)) = &mut self.each {
            each(size, count);
        }
        if let Some(first) = self.first.as_mut().filter(|first| first.len() < FIRST) {
            first.push(size.to_vec());
        }
        let small = size.iter().all(|s| (*s as usize) < Self::SIDE);
        let slot = match small {
            true => {
                // Components are digits of a number with base SIDE.
                let at = size.iter().fold(0, |at, s| at * Self::SIDE + *s as usize);
                // Grown as needed: there may be ten thousand small files, each with a tally of its own.
                if at >= self.dense.len() {
                    self.dense
                        .resize((at + 1).next_power_of_two().min(DENSE), 0);
                }
                &mut self.dense[at]
            }
            // No entry in the map for nothing; the vector has its place anyway.
            false if count == 0 => return,
            false => self.sparse.entry(size).or_default(),
        };
        match slot.checked_add(count) {
            Some(sum) => *slot = sum,
            None => self.fail(Error::TooLarge {
                what: "the number of items",
            }),
        }
    }

    /// Returns the size counted at an index of the vector.
    fn size_at(mut at: usize) -> Size<K> {
        let mut size = [0; K];
        for slot in size.iter_mut().rev() {
            (*slot, at) = ((at % Self::SIDE) as u32, at / Self::SIDE);
        }
        size
    }

    /// Returns the reason for a faulty size of component `k`.
    pub(super) fn wrong(&self, k: usize, fault: Fault) -> Why {
        let least = u32::from(k == 0);
        match fault {
            Fault::NotUtf8 => Why::NotUtf8,
            Fault::Missing if K == 1 => Why::NoLength,
            Fault::Wrong if K == 1 => Why::Length,
            Fault::Missing => Why::NoSize {
                of: self.description.component(k),
                least,
            },
            Fault::Wrong => Why::Size {
                of: self.description.component(k),
                least,
            },
        }
    }

    /// Counts a skipped record.
    pub fn problem(&mut self, place: Place, text: &[u8], why: Why) {
        if !self.takes() {
            return;
        }
        self.description.skipped += 1;
        if self.description.problems.len() < KEPT {
            self.description
                .problems
                .push(Problem::new(place, text, why));
        }
    }

    /// Adds a note, once.
    pub fn note(&mut self, note: Note) {
        if !self.description.notes.contains(&note) {
            self.description.notes.push(note);
        }
    }

    /// Notes that texts are measured in words.
    pub fn words(&mut self) {
        self.note(Note::Words);
        if K == 1 {
            self.unit("words");
        }
    }

    /// Sets the unit of lengths.
    pub fn unit(&mut self, unit: &str) {
        if K == 1 && self.description.components.is_empty() && unit != "tokens" {
            self.description.components = vec![unit.to_owned()];
        }
    }

    /// Records the columns or fields that are read.
    pub fn selected(&mut self, sizes: Vec<Column>, count: Option<Column>) {
        if K > 1 {
            self.description.components = Description::called(&sizes);
        } else if let Some(Column::Name(name)) = sizes.first() {
            self.unit(super::names::unit(name));
        }
        self.description.sizes = sizes;
        self.description.count = count;
    }

    /// Lists the columns to choose from, unless the input was refused.
    pub(super) fn offers(&mut self, fields: Vec<ColumnOffer>) {
        if self.fault.is_none() {
            self.asked.fields = fields;
        }
    }

    /// Sets the columns that may be the length and the count, unless the input was refused.
    pub(super) fn asks(&mut self, lengths: Vec<String>, counts: Vec<String>) {
        if self.fault.is_none() {
            (self.asked.lengths, self.asked.counts) = (lengths, counts);
        }
    }

    /// Sets the kind of texts that were found where no length is, unless the input was refused.
    pub(super) fn finds(&mut self, texts: Option<UncountedTexts>) {
        if self.fault.is_none() {
            self.asked.texts = texts;
        }
    }

    /// Adds the columns to choose from to an error.
    pub(super) fn asking(&self, error: Error, asked: ChoiceNeeded) -> Error {
        match error {
            Error::Input { place, message } if asked != ChoiceNeeded::default() => Error::Unclear {
                place,
                message,
                asked: Arc::new(asked),
            },
            error => error,
        }
    }

    /// Sets whether sizes are computed: the first ones are then shown, and a length has no unit.
    pub fn computes(&mut self, some: bool) {
        if some && K == 1 {
            // The length computed from characters and words has no unit of its own.
            self.description.components.clear();
            let of_time = match self.description.sizes.first() {
                Some(Column::Name(text)) => ComputedLength::of(text),
                _ => None,
            };
            self.unit(of_time.map_or("tokens", |length| length.unit));
        }
        self.first = some.then(Vec::new);
    }

    /// Ends the reading; only the first error is kept.
    pub fn fail(&mut self, error: Error) {
        self.fault.get_or_insert(error);
    }

    /// Returns the error that ended the reading.
    pub fn check(&self) -> Result<()> {
        self.fault
            .clone()
            .map_or(Ok(()), |error| Err(self.asking(error, self.asked.clone())))
    }

    /// Returns the histogram and its description.
    pub fn finish(self) -> Result<Ingested<K>> {
        self.so_far()
    }

    /// Returns the same before the end of the input.
    pub fn so_far(&self) -> Result<Ingested<K>> {
        self.check()?;
        if let Some((error, lengths)) = fractions(&self.description) {
            return Err(self.asking(
                error,
                ChoiceNeeded {
                    lengths,
                    ..self.asked.clone()
                },
            ));
        }
        let dense = self
            .dense
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0);
        let dense = dense.map(|(at, count)| (Self::size_at(at), *count));
        let sparse = self.sparse.iter().map(|(size, count)| (*size, *count));
        let histogram = match Histogram::from_counts(dense.chain(sparse)) {
            Err(Error::Empty) => {
                return Err(self.asking(nothing(&self.description, K), self.asked.clone()));
            }
            other => other?,
        };
        // The count was chosen because no size came twice in the first records; now all are read.
        if self.once && histogram.distinct() as u64 != self.counted {
            let choices = |columns: &[Column]| columns.iter().map(Column::choice).collect();
            let Description { sizes, count, .. } = &self.description;
            let (lengths, counts) = (choices(sizes), choices(count.as_slice()));
            return Err(self.asking(
                twice(&self.description),
                ChoiceNeeded {
                    lengths,
                    counts,
                    ..self.asked.clone()
                },
            ));
        }
        let mut to = self.description.clone();
        (to.items, to.total) = (histogram.items(), histogram.total().to_vec());
        (to.smallest, to.largest) = (
            description::smallest(&histogram).to_vec(),
            histogram.max().to_vec(),
        );
        to.notes
            .extend(notes::on_bins(histogram.marginal(0).as_ref(), &to.bins));
        to.notes
            .extend(self.first.clone().map(|first| Note::Computed { first }));
        if self.full {
            to.notes.push(Note::First {
                records: self.wanted,
            });
        }
        Ok(Ingested {
            histogram,
            description: to,
        })
    }
}

/// Returns the error for a table of counts, recognised by distinct sizes, in which a size comes twice.
fn twice(description: &Description) -> Error {
    let count = description
        .count
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    let message = format!(
        "a size comes twice, so that {count} may be a count or not; {}",
        FLAGS
    );
    Error::Input {
        place: "the columns".to_owned(),
        message,
    }
}

/// Refuses lengths that are mostly fractions, such as seconds, and returns formulae that convert them to lengths.
fn fractions(description: &Description) -> Option<(Error, Vec<String>)> {
    let column = description
        .sizes
        .first()
        .filter(|_| description.sizes.len() == 1)?;
    let is_fraction = |problem: &&Problem| {
        let value = number::real(problem.text.as_bytes());
        problem.why == Why::Length
            && value.is_some_and(|x| x > 0.0 && x.is_finite() && x.fract() != 0.0)
    };
    let all = description.problems.iter().filter(is_fraction).count();
    // More than half of all records were skipped, and more than half of the kept ones for
    // fractions.
    if 2 * description.skipped <= description.records || 2 * all <= description.problems.len() {
        return None;
    }
    let known = |name: &str| {
        description
            .columns
            .iter()
            .flatten()
            .any(|column| column == name)
    };
    let (message, lengths) = match (column, column.formula(known)) {
        (_, Ok(Some(formula))) => (formula.rates(), Vec::new()),
        (Column::Number(number), _) => formula::rates(&format!("${number}")),
        // A formula has at most 1,000 bytes, and the name stands in it with its quotes.
        (Column::Name(name), _) if name.len() > 400 => formula::rates("…"),
        (Column::Name(name), _) => formula::rates(&formula::quoted(name)),
    };
    let place = description.problems.iter().find(is_fraction)?.place();
    Some((Error::Input { place, message }, lengths))
}

/// Returns the error for an input without items: the first problem, or else a general message.
fn nothing(description: &Description, components: usize) -> Error {
    if let Some(first) = description.problems.first() {
        return Error::Input {
            place: first.place(),
            message: first.message(),
        };
    }
    let found = match (description.bytes, description.records) {
        (0, _) => "it is empty",
        (_, 0) => "no record was found in it",
        _ => "every count in it is 0",
    };
    let expected = match components {
        1 => "expected lengths as a table, as numbers, as JSON or as JSON Lines",
        _ => "expected sizes as a table, as JSON or as JSON Lines",
    };
    Error::Input {
        place: "the input".to_owned(),
        message: format!("{found}; {expected}"),
    }
}

fn uncounted(description: Description) -> Description {
    Description {
        records: 0,
        skipped: 0,
        problems: Vec::new(),
        bytes: 0,
        ..description
    }
}

fn blank() -> Description {
    Description {
        format: Format::Numbers,
        delimiter: None::<Delimiter>,
        columns: None,
        contents: Vec::new(),
        width: 0,
        sizes: Vec::new(),
        components: Vec::new(),
        count: None,
        stopwords: None,
        records: 0,
        skipped: 0,
        problems: Vec::new(),
        notes: Vec::new(),
        bytes: 0,
        items: 0,
        total: Vec::new(),
        smallest: Vec::new(),
        largest: Vec::new(),
        bins: Vec::new(),
    }
}
