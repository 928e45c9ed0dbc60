//! JSON: values in one array or object, or one after the other; and JSON Lines, a value on each line.

use super::decoder::Decoder;
use super::first::First;
use super::lines::{self, Lines, Piece};
use super::options::Options;
use super::problem::{Place, Why};
use super::records::Records;
use super::split::{Shape, Splitter};
use super::tally::Tally;

/// The reader of JSON. O(bytes) time, memory for one element.
#[derive(Debug)]
pub(super) struct Json {
    shape: Shape,
    splitter: Splitter,
    records: Records,
}

impl Json {
    /// Creates a reader for an input that begins with `head`, which is all of it if `complete`.
    pub fn new<const K: usize>(
        shape: Shape,
        (head, complete): (&[u8], bool),
        options: &Options,
        tally: &mut Tally<K>,
    ) -> Self {
        let first = First::of_json(shape, head, complete);
        Self { shape, splitter: Splitter::new(shape), records: Records::new(options, first, tally) }
    }
}

impl<const K: usize> Decoder<K> for Json {
    fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>) {
        let Self { shape, splitter, records } = self;
        splitter.push(bytes, |element| records.element(*shape, element, tally));
    }

    fn finish(&mut self, tally: &mut Tally<K>) {
        let Self { shape, splitter, records } = self;
        splitter.finish(|element| records.element(*shape, element, tally));
    }
}

/// The reader of JSON Lines. O(bytes) time, memory for one line.
#[derive(Debug)]
pub(super) struct JsonLines {
    lines: Lines,
    records: Records,
}

impl JsonLines {
    /// Creates a reader for an input that begins with `head`, which is all of it if `complete`.
    pub fn new<const K: usize>(
        (head, complete): (&[u8], bool),
        options: &Options,
        tally: &mut Tally<K>,
    ) -> Self {
        let first = First::of_lines(head, complete);
        Self { lines: Lines::default(), records: Records::new(options, first, tally) }
    }
}

impl<const K: usize> Decoder<K> for JsonLines {
    fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>) {
        let Self { lines, records } = self;
        lines.push(bytes, |number, piece| line(records, number, piece, tally));
    }

    fn finish(&mut self, tally: &mut Tally<K>) {
        let Self { lines, records } = self;
        lines.finish(|number, piece| line(records, number, piece, tally));
    }
}

fn line<const K: usize>(records: &mut Records, number: u64, piece: Piece<'_>, tally: &mut Tally<K>) {
    let place = Place::line(number, 1);
    if piece.overlong {
        tally.problem(place, piece.text, Why::TooLong);
    } else if !lines::is_silent(piece.text) {
        records.record(piece.text, place, tally);
    }
}
