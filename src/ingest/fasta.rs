//! FASTA: sequences of letters, over several lines, each behind a line that begins with `>`.

use super::decoder::Decoder;
use super::lines::{self, Lines, Piece};
use super::note::Note;
use super::number::Fault;
use super::problem::{Place, Why};
use super::tally::Tally;

/// The reader of FASTA. O(bytes) time, memory for one line.
#[derive(Debug)]
pub(super) struct Fasta {
    lines: Lines,
    /// The place of the present sequence, and its letters.
    present: Option<(Place, u64)>,
}

impl Fasta {
    pub fn new<const K: usize>(tally: &mut Tally<K>) -> Self {
        tally.note(Note::Letters);
        tally.unit("letters");
        Self { lines: Lines::default(), present: None }
    }
}

impl<const K: usize> Decoder<K> for Fasta {
    fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>) {
        let Self { lines, present } = self;
        lines.push(bytes, |number, piece| line(present, number, piece, tally));
    }

    fn finish(&mut self, tally: &mut Tally<K>) {
        let Self { lines, present } = self;
        lines.finish(|number, piece| line(present, number, piece, tally));
        end(present, tally);
    }
}

fn line<const K: usize>(
    present: &mut Option<(Place, u64)>,
    number: u64,
    piece: Piece<'_>,
    tally: &mut Tally<K>,
) {
    let place = Place::line(number, 1);
    match (piece.text.first(), present.as_mut()) {
        (Some(b'>'), _) => {
            end(present, tally);
            *present = Some((place, 0));
        }
        (Some(b';'), _) => {}
        _ if piece.overlong => tally.problem(place, piece.text, Why::LongLine),
        (_, Some((_, letters))) => {
            let letter = |b: &&u8| !b.is_ascii_whitespace() && **b != b'*';
            *letters += piece.text.iter().filter(letter).count() as u64;
        }
        (_, None) if lines::is_silent(piece.text) => {}
        (_, None) => tally.problem(place, piece.text, Why::NotFasta),
    }
}

fn end<const K: usize>(present: &mut Option<(Place, u64)>, tally: &mut Tally<K>) {
    let Some((place, letters)) = present.take() else { return };
    match u32::try_from(letters) {
        Ok(0) => tally.problem(place, b"", tally.wrong(0, Fault::Missing)),
        // Only lengths come without columns, so there is one component.
        Ok(letters) => tally.add([letters; K], 1),
        Err(_) => tally.problem(place, letters.to_string().as_bytes(), tally.wrong(0, Fault::Wrong)),
    }
}

/// Whether lines are FASTA: a line that begins with `>`, and one of letters.
pub(super) fn is_fasta(lines: &[&[u8]]) -> bool {
    let letters = |line: &[u8]| {
        let line = line.trim_ascii();
        !line.is_empty() && line.iter().all(|b| b.is_ascii_alphabetic() || matches!(b, b'*' | b'-' | b'.'))
    };
    match lines {
        [first, second, ..] => first.starts_with(b">") && first.len() > 1 && letters(second),
        _ => false,
    }
}
