//! SMILES: a molecule on each line, perhaps with its name behind it, measured by the tokens that models of chemistry
//! use: each atom, bond, branch and ring is one (Schwaller et al. 2019, *Molecular Transformer*).

use super::decoder::Decoder;
use super::detect::{Beginning, cells};
use super::lines::{self, Lines, Piece};
use super::note::Note;
use super::problem::{Place, Why};
use super::tally::Tally;

/// The reader of SMILES. O(bytes) time, memory for one line.
#[derive(Debug, Default)]
pub(super) struct Smiles {
    lines: Lines,
}

impl Smiles {
    pub fn new<const K: usize>(tally: &mut Tally<K>) -> Self {
        tally.note(Note::Smiles);
        Self::default()
    }
}

impl<const K: usize> Decoder<K> for Smiles {
    fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>) {
        self.lines.push(bytes, |number, piece| line(number, piece, tally));
    }

    fn finish(&mut self, tally: &mut Tally<K>) {
        self.lines.finish(|number, piece| line(number, piece, tally));
    }
}

fn line<const K: usize>(number: u64, piece: Piece<'_>, tally: &mut Tally<K>) {
    if lines::is_silent(piece.text) {
        return;
    }
    let tokens = count(molecule(piece.text)).and_then(|tokens| u32::try_from(tokens).ok());
    match tokens.filter(|_| !piece.overlong) {
        // Only lengths come without columns, so there is one component.
        Some(tokens) => tally.add([tokens; K], 1),
        None if number == 1 => {}
        None => tally.problem(Place::line(number, 1), piece.text, Why::NotSmiles),
    }
}

/// Returns the first word of a line.
fn molecule(line: &[u8]) -> &[u8] {
    line.trim_ascii().split(u8::is_ascii_whitespace).next().unwrap_or_default()
}

/// Counts the tokens of a molecule; `None` for what is no SMILES.
fn count(mut text: &[u8]) -> Option<u64> {
    let (mut tokens, mut open) = (0, 0i64);
    while let Some(first) = text.first() {
        let length = match first {
            b'[' => text.iter().position(|b| *b == b']')? + 1,
            b'%' => text.get(1..3)?.iter().all(u8::is_ascii_digit).then_some(3)?,
            b'B' if text.starts_with(b"Br") => 2,
            b'C' if text.starts_with(b"Cl") => 2,
            b'B' | b'C' | b'N' | b'O' | b'P' | b'S' | b'F' | b'I' | b'*' => 1,
            b'b' | b'c' | b'n' | b'o' | b'p' | b's' => 1,
            b'(' | b')' | b'0'..=b'9' | b'-' | b'=' | b'#' | b'$' | b':' | b'/' | b'\\' | b'.' | b'~' => 1,
            _ => return None,
        };
        open += i64::from(*first == b'(') - i64::from(*first == b')');
        if open < 0 {
            return None;
        }
        tokens += 1;
        text = &text[length..];
    }
    (tokens > 0 && open == 0).then_some(tokens)
}

/// Whether an input is molecules, a line each; options about columns rule that out.
pub(super) fn are_molecules(beginning: &Beginning<'_>) -> bool {
    let Beginning { lines, delimiter, options, .. } = beginning;
    let asked = !options.sizes.is_empty() || options.count.is_some() || options.header.is_some();
    !asked && lines.iter().all(|line| cells(line, *delimiter) == 1) && are_smiles(lines)
}

/// Whether lines are molecules, perhaps behind a header: all but the first are SMILES, and half of them have a bond, a
/// branch or a ring, which words have not.
fn are_smiles(lines: &[&[u8]]) -> bool {
    let is_molecule = |line: &&[u8]| count(molecule(line)).is_some();
    let has_mark = |line: &&[u8]| {
        let molecule = molecule(line);
        molecule.iter().any(u8::is_ascii_alphabetic)
            && molecule.iter().any(|b| matches!(b, b'(' | b'=' | b'#' | b'[') || b.is_ascii_digit())
    };
    let rest = match lines {
        [first, rest @ ..] if !rest.is_empty() && !is_molecule(first) => rest,
        all => all,
    };
    rest.len() > 1
        && rest.iter().all(is_molecule)
        && 2 * rest.iter().filter(|l| has_mark(l)).count() >= rest.len()
}
