//! The interface of the readers of text formats.

use super::problem::{Place, Problem, Why};
use super::splitter::{RawRecord, RecordSplitter, SplitRecord};
use super::tally::Tally;
use packscope_core::error::Error;
use std::fmt::Debug;

pub(super) trait Decoder<const K: usize>: Debug {
    /// Counts the records that end in the next bytes.
    fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>);

    /// Counts a last record without a terminator.
    fn finish(&mut self, tally: &mut Tally<K>);
}

/// A reader of the records of a format.
pub(super) trait RecordSink<const K: usize>: Debug {
    fn take(&mut self, place: Place, raw: RawRecord<'_>, tally: &mut Tally<K>);

    /// Counts the remaining records at the end.
    fn end(&mut self, _: &mut Tally<K>) {}
}

/// A format whose records are cut first.
#[derive(Debug)]
pub(super) struct SplitDecoder<T> {
    pub cut: RecordSplitter,
    pub of: T,
}

impl<const K: usize, T: RecordSink<K>> Decoder<K> for SplitDecoder<T> {
    fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>) {
        // Borrowed apart: the closure takes `of` while `cut` is in use.
        let Self { cut, of } = self;
        cut.push(bytes, |found| take(of, found, tally));
    }

    fn finish(&mut self, tally: &mut Tally<K>) {
        let Self { cut, of } = self;
        cut.finish(|found| take(of, found, tally));
        // Some readers, such as edge lists, know their items only now.
        of.end(tally);
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
