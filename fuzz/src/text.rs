//! Text in every format as a stream.

use crate::make::{byte, maybe, pick, split};
use arbitrary::Unstructured;
use packscope::error::Result;
use packscope::ingest::{
    self, Column, Counts, Delimiter, Description, Format, Ingested, Note, Options, Reader,
    Stopwords,
};
use std::cell::Cell;
use std::rc::Rc;

/// Names that columns may have, and numbers.
const COLUMNS: [&str; 12] = [
    "1",
    "2",
    "3",
    "0",
    "4294967295",
    "length",
    "count",
    "nodes",
    "edges",
    "a.b",
    "text",
    "é",
];

/// Bytes that are read before a format is decided on.
const HEAD: usize = 64 << 10;

/// Options as a visitor may choose them.
pub fn options(u: &mut Unstructured<'_>) -> Options {
    let column = |u: &mut Unstructured<'_>| Column::from(pick(u, &COLUMNS));
    Options {
        format: maybe(u, &Format::ALL),
        delimiter: maybe(u, &Delimiter::ALL),
        header: maybe(u, &[false, true]),
        sizes: (0..byte(u) % 4).map(|_| column(u)).collect(),
        count: match byte(u) % 3 {
            0 => None,
            1 => Some(Counts::One),
            _ => Some(Counts::Column(column(u))),
        },
        stopwords: match byte(u) % 4 {
            0 => Stopwords::default(),
            1 => Stopwords::default().with_pronouns(false),
            2 => Stopwords::parse("the, a ’ I"),
            _ => Stopwords::parse(""),
        },
        sample: maybe(u, &[0, 1, 2, 7, u64::MAX]),
        allow_skipped: byte(u) % 2 == 1,
    }
}

/// Lengths of pieces.
pub fn pieces(u: &mut Unstructured<'_>) -> [usize; 2] {
    [0, 0].map(|_| pick(u, &[1, 2, 3, 7, 64, 1000, HEAD, 5_000_000]))
}

/// Bytes as a stream, whole and in pieces of any size, as sizes of one to three components: the same comes out, it adds
/// up, and what was found out reads it again.
pub fn text(bytes: &[u8]) {
    let (mut u, input) = split(bytes);
    let options = options(&mut u);
    let pieces = pieces(&mut u);
    // Beyond the head the format is decided.
    let long = byte(&mut u) == 7 && !pieces.contains(&1);
    let input = input.repeat(if long {
        HEAD / input.len().max(1) + 2
    } else {
        1
    });
    for pairs in [false, true] {
        let of = if pairs {
            ingest::components_among_pairs
        } else {
            ingest::components
        };
        assert!(of(&input, true, &options) >= 1);
        of(&input, false, &options);
    }
    ingest::is_text(&input, true, &options);
    of::<1>(&input, &options, pieces);
    of::<2>(&input, &options, pieces);
    of::<3>(&input, &options, pieces);
}

fn of<const K: usize>(input: &[u8], options: &Options, pieces: [usize; 2]) {
    let whole = ingest::read::<K>(input, options.clone());
    let told = Rc::new(Cell::new(0u64));
    let to = Rc::clone(&told);
    let reader =
        Reader::new(options.clone()).telling(move |_, n| to.set(to.get().saturating_add(n)));
    let cut = in_pieces::<K>(reader, input, pieces, false);
    assert_eq!(whole, cut, "whole and in pieces");
    let ended = in_pieces::<K>(Reader::new(options.clone()), input, pieces, true);
    let Ok(read) = whole else { return };
    adds_up(&read, input.len());
    assert_eq!(told.get(), read.histogram.items(), "what was told");
    if let Ok(ended) = ended
        && input.len() > HEAD
    {
        // Of a shorter one the rest might have decided on another format.
        assert!(
            ended.histogram.items() <= read.histogram.items(),
            "a part has no more than the whole"
        );
    }
    let described = &read.description;
    let is_sample = described
        .notes
        .iter()
        .any(|note| matches!(note, Note::First { .. }));
    // Where JSON has records of several kinds, a field that is chosen leaves out those that have none.
    let is_mixed =
        matches!(described.format, Format::Json | Format::JsonLines) && !described.sizes.is_empty();
    if !is_sample && !is_mixed {
        let again = ingest::read::<K>(input, read.description.options());
        assert_eq!(
            again.map(|again| again.histogram),
            Ok(read.histogram),
            "read again as it was read"
        );
    }
    if let Some(pairs) = read.description.as_pairs() {
        let _ = ingest::read::<2>(input, pairs);
    }
}

fn in_pieces<const K: usize>(
    mut reader: Reader<K>,
    mut input: &[u8],
    pieces: [usize; 2],
    ended: bool,
) -> Result<Ingested<K>> {
    for length in pieces.into_iter().cycle() {
        if input.is_empty() {
            break;
        }
        let (piece, rest) = input.split_at(length.min(input.len()));
        reader.push(piece)?;
        input = rest;
    }
    if ended { reader.cut() } else { reader.finish() }
}

/// The description says what the histogram has.
fn adds_up<const K: usize>(read: &Ingested<K>, bytes: usize) {
    let Ingested {
        histogram,
        description,
    } = read;
    let entries = histogram.entries();
    let items: u128 = entries.iter().map(|(_, n)| u128::from(*n)).sum();
    assert_eq!(items, u128::from(description.items));
    for k in 0..K {
        let total: u128 = entries
            .iter()
            .map(|(size, n)| u128::from(size[k]) * u128::from(*n))
            .sum();
        assert_eq!(total, u128::from(description.total[k]));
        let sizes = || entries.iter().map(|(size, _)| size[k]);
        assert_eq!(sizes().max(), Some(description.largest[k]));
        assert_eq!(sizes().min(), Some(description.smallest[k]));
    }
    assert_eq!(description.bytes, bytes as u64);
    is_told(description);
}

/// Asserts the properties of every description, and that it can be put into words.
pub fn is_told(description: &Description) {
    assert!(
        description.skipped <= description.records,
        "{description:?}"
    );
    assert!(
        description.problems.len() as u64 <= description.skipped.min(20),
        "{description:?}"
    );
    assert!(!description.sentence().is_empty());
    let words = description.notes.iter().map(ToString::to_string);
    assert!(
        words
            .chain(description.problems.iter().map(ToString::to_string))
            .all(|said| !said.is_empty())
    );
    assert!(description.choices().len() <= 100);
}
