//! What the readers write to: counts by length, problems, notes, the first fatal error.

use super::description::{Description, Note};
use super::options::{Column, Delimiter, Format};
use super::problem::{Place, Problem, Why};
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use std::collections::BTreeMap;

/// Lengths below this are counted in a vector, because most are and a map is ten times slower.
const DENSE: usize = 1 << 16;

/// Problems that are kept; all are counted.
const KEPT: usize = 20;

/// What the readers write to.
#[derive(Debug)]
pub(super) struct Tally {
    dense: Vec<u64>,
    sparse: BTreeMap<u32, u64>,
    fault: Option<Error>,
    pub description: Description,
}

impl Tally {
    pub fn new() -> Self {
        Self { dense: vec![0; DENSE], sparse: BTreeMap::new(), fault: None, description: blank() }
    }

    /// A record of `count` items of one length.
    pub fn add(&mut self, length: u32, count: u64) {
        self.description.records += 1;
        let slot = match self.dense.get_mut(length as usize) {
            Some(slot) => slot,
            None if count == 0 => return,
            None => self.sparse.entry(length).or_default(),
        };
        match slot.checked_add(count) {
            Some(sum) => *slot = sum,
            None => self.fail(Error::TooLarge { what: "the number of items" }),
        }
    }

    /// A record that is skipped.
    pub fn problem(&mut self, place: Place, text: &[u8], why: Why) {
        self.description.records += 1;
        self.description.skipped += 1;
        if self.description.problems.len() < KEPT {
            self.description.problems.push(Problem::new(place, text, why));
        }
    }

    /// Something assumed; said once.
    pub fn note(&mut self, note: Note) {
        if !self.description.notes.contains(&note) {
            self.description.notes.push(note);
        }
    }

    /// Which columns or fields are read.
    pub fn selected(&mut self, length: Option<Column>, count: Option<Column>) {
        self.description.length = length;
        self.description.count = count;
    }

    /// Ends the reading; the first error stays.
    pub fn fail(&mut self, error: Error) {
        self.fault.get_or_insert(error);
    }

    /// The error that ended the reading.
    pub fn check(&self) -> Result<()> {
        self.fault.clone().map_or(Ok(()), Err)
    }

    /// The histogram and how it came about.
    pub fn finish(mut self) -> Result<(Histogram<1>, Description)> {
        self.check()?;
        let dense = self.dense.iter().zip(0..).map(|(count, length)| ([length], *count));
        let sparse = self.sparse.iter().map(|(length, count)| ([*length], *count));
        let histogram = match Histogram::from_counts(dense.chain(sparse)) {
            Err(Error::Empty) => return Err(nothing(&self.description)),
            other => other?,
        };
        let to = &mut self.description;
        (to.items, to.tokens) = (histogram.items(), histogram.total()[0]);
        (to.shortest, to.longest) = (histogram.entries()[0].0[0], histogram.max()[0]);
        Ok((histogram, self.description))
    }
}

/// Why there is no histogram: the first problem knows best.
fn nothing(description: &Description) -> Error {
    if let Some(first) = description.problems.first() {
        return Error::Input { place: first.place(), message: first.message() };
    }
    let found = match (description.bytes, description.records) {
        (0, _) => "it is empty",
        (_, 0) => "no record was found in it",
        _ => "every count in it is 0",
    };
    Error::Input {
        place: "the input".to_owned(),
        message: format!("{found}; expected lengths as a table, as numbers, as JSON or as JSON Lines"),
    }
}

fn blank() -> Description {
    Description {
        format: Format::Numbers,
        delimiter: None::<Delimiter>,
        columns: None,
        length: None,
        count: None,
        records: 0,
        skipped: 0,
        problems: Vec::new(),
        notes: Vec::new(),
        bytes: 0,
        items: 0,
        tokens: 0,
        shortest: 0,
        longest: 0,
    }
}
