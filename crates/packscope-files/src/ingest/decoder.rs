//! The interface of the readers of text formats.

use super::problem::{Place, Problem, Why};
use super::raw::{Cut, Found, Raw};
use super::tally::Tally;
use packscope_core::error::Error;
use std::fmt::Debug;

/// The reader of a text format.
pub(super) trait Decoder<const K: usize>: Debug {
    /// Counts the records that end in the next bytes.
    fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>);

    /// Counts a last record without a terminator.
    fn finish(&mut self, tally: &mut Tally<K>);
}

/// A reader of the records of a format.
pub(super) trait Take<const K: usize>: Debug {
    /// Counts a record.
    fn take(&mut self, place: Place, raw: Raw<'_>, tally: &mut Tally<K>);

    /// Counts the remaining records at the end.
    fn end(&mut self, _: &mut Tally<K>) {}
}

/// A format whose records are cut first.
#[derive(Debug)]
pub(super) struct Over<T> {
    pub cut: Cut,
    pub of: T,
}

impl<const K: usize, T: Take<K>> Decoder<K> for Over<T> {
    fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>) {
        let Self { cut, of } = self;
        cut.push(bytes, |found| take(of, found, tally));
    }

    fn finish(&mut self, tally: &mut Tally<K>) {
        let Self { cut, of } = self;
        cut.finish(|found| take(of, found, tally));
        of.end(tally);
    }
}

/// Counts a record, or reports why it is invalid; an unclosed quote affects the following records, too.
fn take<const K: usize>(of: &mut impl Take<K>, (place, found): Found<'_>, tally: &mut Tally<K>) {
    match found {
        Ok(raw) => of.take(place, raw, tally),
        Err((text, why @ (Why::Quote | Why::OpenQuote))) => {
            let message = Problem::new(place, text, why).message();
            tally.fail(Error::Input { place: format!("line {}", place.line), message });
        }
        Err((text, why)) => tally.problem(place, text, why),
    }
}
