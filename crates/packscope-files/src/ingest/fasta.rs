//! FASTA: sequences of letters over several lines, each after a line that begins with `>`.

use super::decoder::RecordSink;
use super::notes::Note;
use super::number::Fault;
use super::problem::{Place, Why};
use super::splitter::RawRecord;
use super::tally::Tally;

/// The reader of FASTA. O(bytes) time, memory for one line.
#[derive(Debug)]
pub(super) struct Fasta {
    /// The place of the current sequence, and its number of letters.
    present: Option<(Place, u64)>,
}

impl Fasta {
    pub fn new<const K: usize>(tally: &mut Tally<K>) -> Self {
        tally.note(Note::Letters);
        tally.unit("letters");
        Self { present: None }
    }
}

impl<const K: usize> RecordSink<K> for Fasta {
    fn take(&mut self, place: Place, raw: RawRecord<'_>, tally: &mut Tally<K>) {
        let RawRecord::Line(line) = raw else { return };
        match (line.first(), self.present.as_mut()) {
            (Some(b'>'), _) => {
                end(&mut self.present, tally);
                self.present = Some((place, 0));
            }
            // Comments of the original FASTA format.
            (Some(b';'), _) => {}
            (_, Some((_, letters))) => {
                // `*` marks the end of a protein, and is no residue.
                let letter = |b: &&u8| !b.is_ascii_whitespace() && **b != b'*';
                *letters += line.iter().filter(letter).count() as u64;
            }
            (_, None) => tally.problem(place, line, Why::NotFasta),
        }
    }

    fn end(&mut self, tally: &mut Tally<K>) {
        end(&mut self.present, tally);
    }
}

fn end<const K: usize>(present: &mut Option<(Place, u64)>, tally: &mut Tally<K>) {
    let Some((place, letters)) = present.take() else {
        return;
    };
    match u32::try_from(letters) {
        Ok(0) => tally.problem(place, b"", tally.wrong(0, Fault::Missing)),
        // Only lengths come without columns, so there is one component.
        Ok(letters) => tally.add([letters; K], 1),
        Err(_) => tally.problem(
            place,
            letters.to_string().as_bytes(),
            tally.wrong(0, Fault::Wrong),
        ),
    }
}

/// Whether lines are FASTA: a line that begins with `>`, and one of letters.
pub(super) fn is_fasta(lines: &[&[u8]]) -> bool {
    let letters = |line: &[u8]| {
        let line = line.trim_ascii();
        !line.is_empty()
            && line
                .iter()
                .all(|b| b.is_ascii_alphabetic() || matches!(b, b'*' | b'-' | b'.'))
    };
    match lines {
        [first, second, ..] => first.starts_with(b">") && first.len() > 1 && letters(second),
        _ => false,
    }
}
