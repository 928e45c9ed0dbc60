//! FASTQ: reads of a sequencer, each a line that begins with `@`, its letters, a line that begins with `+`, and as many
//! scores as letters. Letters and scores may take several lines.

use super::decoder::Take;
use super::note::Note;
use super::number::Fault;
use super::problem::{Place, Why};
use super::raw::Raw;
use super::tally::Tally;

/// The reader of FASTQ. O(bytes) time, memory for one line.
#[derive(Debug)]
pub(super) struct Fastq {
    within: Within,
}

/// The part of a read that the next line belongs to.
#[derive(Debug, Clone, Copy)]
enum Within {
    /// None: another read begins.
    Outside,
    /// The letters of the read at this place, and how many there are so far.
    Letters(Place, u64),
    /// Its scores: the letters, and how many of them have no score yet.
    Scores(Place, u64, u64),
}

impl Fastq {
    pub fn new<const K: usize>(tally: &mut Tally<K>) -> Self {
        tally.note(Note::Letters);
        tally.unit("letters");
        Self { within: Within::Outside }
    }
}

impl<const K: usize> Take<K> for Fastq {
    fn take(&mut self, place: Place, raw: Raw<'_>, tally: &mut Tally<K>) {
        let Raw::Line(line) = raw else { return };
        let line = line.trim_ascii();
        self.within = match (self.within, line.first()) {
            (Within::Outside, Some(b'@')) => Within::Letters(place, 0),
            (Within::Outside, Some(_)) => {
                tally.problem(place, line, Why::Refused(NO_READ.to_owned()));
                Within::Outside
            }
            (Within::Outside, None) => Within::Outside,
            (Within::Letters(began, 0), Some(b'+')) => {
                tally.problem(began, b"", tally.wrong(0, Fault::Missing));
                Within::Outside
            }
            (Within::Letters(began, letters), Some(b'+')) => Within::Scores(began, letters, letters),
            (Within::Letters(began, letters), _) => Within::Letters(began, letters + line.len() as u64),
            (Within::Scores(began, letters, left), _) => match left.checked_sub(line.len() as u64) {
                Some(0) => {
                    add(began, letters, tally);
                    Within::Outside
                }
                Some(left) => Within::Scores(began, letters, left),
                None => {
                    tally.problem(began, line, Why::Refused(format!("{letters} letters have more scores")));
                    Within::Outside
                }
            },
        };
    }

    fn end(&mut self, tally: &mut Tally<K>) {
        if let Within::Letters(began, _) | Within::Scores(began, ..) = self.within {
            tally.problem(began, b"", Why::Refused("the input ends within this read".to_owned()));
        }
    }
}

const NO_READ: &str = "this line is in no read; expected a line that begins with @";

fn add<const K: usize>(began: Place, letters: u64, tally: &mut Tally<K>) {
    match u32::try_from(letters) {
        // Only lengths come without columns, so there is one component.
        Ok(letters) => tally.add([letters; K], 1),
        Err(_) => tally.problem(began, letters.to_string().as_bytes(), tally.wrong(0, Fault::Wrong)),
    }
}

/// Whether lines are FASTQ: a read of four lines.
pub(super) fn is_fastq(lines: &[&[u8]]) -> bool {
    // Scores can look like comments, so that all lines count.
    let [name, letters, plus, scores, ..] = lines else { return false };
    let [letters, scores] = [letters, scores].map(|line| line.trim_ascii());
    let are_letters = !letters.is_empty() && letters.iter().all(u8::is_ascii_alphabetic);
    name.starts_with(b"@") && plus.starts_with(b"+") && are_letters && letters.len() == scores.len()
}
