//! What the readers write to: counts by size, problems, notes, the first fatal error.

use super::description::{self, Description, Note};
use super::number::Fault;
use super::options::{Column, Delimiter, Format};
use super::problem::{Place, Problem, Why};
use crate::error::{Error, Result};
use crate::histogram::{Histogram, Size};
use std::collections::BTreeMap;

/// Small sizes are counted in a vector, because most are small and a map is ten times slower.
const DENSE: usize = 1 << 16;

/// Problems that are kept; all are counted.
const KEPT: usize = 20;

/// What the readers write to.
#[derive(Debug)]
pub(super) struct Tally<const K: usize> {
    dense: Vec<u64>,
    sparse: BTreeMap<Size<K>, u64>,
    fault: Option<Error>,
    pub description: Description,
}

impl<const K: usize> Tally<K> {
    /// Every component below this is small: 65,536 for one component, 256 for two, 32 for three.
    const SIDE: usize = 1 << (16 / K);

    pub fn new() -> Self {
        Self { dense: vec![0; DENSE], sparse: BTreeMap::new(), fault: None, description: blank() }
    }

    /// A record of `count` items of one size.
    pub fn add(&mut self, size: Size<K>, count: u64) {
        self.description.records += 1;
        let small = size.iter().all(|s| (*s as usize) < Self::SIDE);
        let slot = match small {
            true => &mut self.dense[size.iter().fold(0, |at, s| at * Self::SIDE + *s as usize)],
            false if count == 0 => return,
            false => self.sparse.entry(size).or_default(),
        };
        match slot.checked_add(count) {
            Some(sum) => *slot = sum,
            None => self.fail(Error::TooLarge { what: "the number of items" }),
        }
    }

    /// The size that is counted at a place of the vector.
    fn size_at(mut at: usize) -> Size<K> {
        let mut size = [0; K];
        for slot in size.iter_mut().rev() {
            (*slot, at) = ((at % Self::SIDE) as u32, at / Self::SIDE);
        }
        size
    }

    /// What to say of a size of component `k`.
    pub fn wrong(&self, k: usize, fault: Fault) -> Why {
        let least = u32::from(k == 0);
        match fault {
            Fault::NotUtf8 => Why::NotUtf8,
            Fault::Missing if K == 1 => Why::NoLength,
            Fault::Wrong if K == 1 => Why::Length,
            Fault::Missing => Why::NoSize { of: self.description.component(k), least },
            Fault::Wrong => Why::Size { of: self.description.component(k), least },
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
    pub fn selected(&mut self, sizes: Vec<Column>, count: Option<Column>) {
        if K > 1 {
            self.description.components = Description::called(&sizes);
        }
        self.description.sizes = sizes;
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
    pub fn finish(mut self) -> Result<(Histogram<K>, Description)> {
        self.check()?;
        let dense = self.dense.iter().enumerate().filter(|(_, count)| **count > 0);
        let dense = dense.map(|(at, count)| (Self::size_at(at), *count));
        let sparse = self.sparse.iter().map(|(size, count)| (*size, *count));
        let histogram = match Histogram::from_counts(dense.chain(sparse)) {
            Err(Error::Empty) => return Err(nothing(&self.description, K)),
            other => other?,
        };
        let to = &mut self.description;
        (to.items, to.total) = (histogram.items(), histogram.total().to_vec());
        (to.smallest, to.largest) = (description::smallest(&histogram).to_vec(), histogram.max().to_vec());
        Ok((histogram, self.description))
    }
}

/// Why there is no histogram: the first problem knows best.
fn nothing(description: &Description, components: usize) -> Error {
    if let Some(first) = description.problems.first() {
        return Error::Input { place: first.place(), message: first.message() };
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
    Error::Input { place: "the input".to_owned(), message: format!("{found}; {expected}") }
}

fn blank() -> Description {
    Description {
        format: Format::Numbers,
        delimiter: None::<Delimiter>,
        columns: None,
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
    }
}
