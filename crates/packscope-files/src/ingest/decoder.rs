//! The interface of the readers of text formats.

use super::problem::{Place, Problem, Why};
use super::splitter::{RawRecord, RecordSplitter, SplitRecord};
use super::tally::Tally;
use memchr::memchr;
use packscope_core::error::Error;
use std::fmt::Debug;

/// The lines and rows that a decoder has passed when it stands between two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Passed {
    /// The lines.
    pub lines: u64,
    /// Their sizes and counts, added up, and the number of rows.
    pub sums: [u64; 3],
}

/// Can be sent: copies read elsewhere.
pub(super) trait Decoder<const K: usize>: Debug + Send {
    /// Counts the records that end in the next bytes.
    fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>);

    /// Counts a last record without a terminator.
    fn finish(&mut self, tally: &mut Tally<K>);

    /// Returns a decoder of bytes that begin with a record, some way behind those that were pushed, with lines counted from
    /// 0; `None` where records cannot be read without those before them.
    fn copy(&self) -> Option<Box<dyn Decoder<K>>> {
        None
    }

    /// Returns what was passed if the next byte begins a record.
    fn passed(&self) -> Option<Passed> {
        None
    }

    /// Puts a copy behind what another decoder has passed; returns whether all of its records are the same there.
    fn follows(&mut self, _: Passed) -> bool {
        false
    }
}

/// A reader of the records of a format.
pub(super) trait RecordSink<const K: usize>: Debug + Send {
    fn take(&mut self, place: Place, raw: RawRecord<'_>, tally: &mut Tally<K>);

    /// Takes the rows that these bytes begin with, as long as they need not be cut into cells; returns their number and their
    /// bytes.
    fn take_plain(&mut self, _: u8, _: &[u8], _: &mut Tally<K>) -> (u64, usize) {
        (0, 0)
    }

    /// Counts the remaining records at the end.
    fn end(&mut self, _: &mut Tally<K>) {}

    /// Returns a reader of records some way behind those that were taken; `None` where that is not possible.
    fn copy(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the sums of the records so far, as [`Passed`] has them.
    fn sums(&self) -> [u64; 3] {
        [0; 3]
    }

    /// Puts a copy behind records with these sums; returns whether all of its records are the same there.
    fn follows(&mut self, _: [u64; 3]) -> bool {
        false
    }
}

/// The most bytes of other rows before plain ones are tried again.
const OTHERS: usize = 1 << 16;

/// A format whose records are cut first.
#[derive(Debug)]
pub(super) struct SplitDecoder<T> {
    pub cut: RecordSplitter,
    pub of: T,
}

impl<const K: usize, T: RecordSink<K> + 'static> Decoder<K> for SplitDecoder<T> {
    fn push(&mut self, mut bytes: &[u8], tally: &mut Tally<K>) {
        // Borrowed apart: the closure takes `of` while `cut` is in use.
        let Self { cut, of } = self;
        // The bytes to cut before plain rows are tried again: more each time that there are none.
        let mut others = 1;
        while let Some(delimiter) = cut.delimiter() {
            let (rows, read) = if cut.passed().is_some() {
                of.take_plain(delimiter, bytes, tally)
            } else {
                (0, 0)
            };
            cut.begin_behind(rows);
            bytes = &bytes[read..];
            others = if rows > 0 {
                1
            } else {
                (2 * others).min(OTHERS)
            };
            let end = bytes.get(others - 1..).and_then(|rest| memchr(b'\n', rest));
            let Some(end) = end else { break };
            let (cut_now, rest) = bytes.split_at(others + end);
            cut.push(cut_now, |found| take(of, found, tally));
            bytes = rest;
        }
        cut.push(bytes, |found| take(of, found, tally));
    }

    fn finish(&mut self, tally: &mut Tally<K>) {
        let Self { cut, of } = self;
        cut.finish(|found| take(of, found, tally));
        // Some readers, such as edge lists, know their items only now.
        of.end(tally);
    }

    fn copy(&self) -> Option<Box<dyn Decoder<K>>> {
        let (cut, of) = (self.cut.copy()?, self.of.copy()?);
        Some(Box::new(Self { cut, of }))
    }

    fn passed(&self) -> Option<Passed> {
        let (lines, sums) = (self.cut.passed()?, self.of.sums());
        Some(Passed { lines, sums })
    }

    fn follows(&mut self, passed: Passed) -> bool {
        self.cut.begin_behind(passed.lines);
        self.of.follows(passed.sums)
    }
}

/// Counts a record, or reports why it is invalid; an unclosed quote affects the following records, too.
fn take<const K: usize>(
    of: &mut impl RecordSink<K>,
    (place, found): SplitRecord<'_>,
    tally: &mut Tally<K>,
) {
    match found {
        Ok(raw) => of.take(place, raw, tally),
        // Not a skipped record: from an open quote on, all rows would be read wrong.
        Err((text, why @ (Why::Quote | Why::OpenQuote))) => {
            let message = Problem::new(place, text, why).message();
            tally.fail(Error::Input {
                place: format!("line {}", place.line),
                message,
            });
        }
        Err((text, why)) => tally.problem(place, text, why),
    }
}
