//! Numbers separated by white space, commas or semicolons: each is one length.

use super::decoder::Decoder;
use super::lines::Carry;
use super::number::{self, Fault};
use super::problem::{Cursor, Place};
use super::tally::Tally;
use packscope_core::error::Error;

/// The reader of plain numbers. O(bytes) time, memory for one number.
#[derive(Debug)]
pub(super) struct NumberReader {
    carry: Carry,
    cursor: Cursor,
    /// Start of the current number.
    begun: Place,
    line_has_number: bool,
    comment: bool,
    after_comma: bool,
}

impl NumberReader {
    pub fn new() -> Self {
        let cursor = Cursor::new();
        let begun = cursor.place();
        let carry = Carry::default();
        Self {
            carry,
            cursor,
            begun,
            line_has_number: false,
            comment: false,
            after_comma: false,
        }
    }
}

impl<const K: usize> Decoder<K> for NumberReader {
    fn push(&mut self, mut bytes: &[u8], tally: &mut Tally<K>) {
        while let Some(end) = bytes.iter().position(|b| is_separator(*b)) {
            self.begin(&bytes[..end]);
            self.number(&bytes[..end], tally);
            self.separate(bytes[end], tally);
            bytes = &bytes[end + 1..];
        }
        self.begin(bytes);
        if !self.comment {
            self.carry.keep(bytes);
        }
    }

    fn finish(&mut self, tally: &mut Tally<K>) {
        self.number(&[], tally);
    }
}

impl NumberReader {
    /// Begins a number, or continues one that the border of a chunk cut.
    fn begin(&mut self, part: &[u8]) {
        // A number cut by a chunk keeps the place where it began.
        if !part.is_empty() && !self.comment && !self.carry.is_begun() {
            self.begun = self.cursor.place();
            // `#` begins a comment only before the first number of a line.
            self.comment = !self.line_has_number && part[0] == b'#';
            self.line_has_number = true;
        }
        self.cursor.skip(part.len());
    }

    /// Counts the number that ends with this part.
    fn number<const K: usize>(&mut self, part: &[u8], tally: &mut Tally<K>) {
        if self.comment || (part.is_empty() && !self.carry.is_begun()) {
            return;
        }
        let text = self.carry.complete(part).text;
        match number::size(text, 1) {
            // Only lengths come without columns, so there is one component.
            Ok(length) => tally.add([length; K], 1),
            Err(_) if number::is_in_points(text) => {
                let place = format!("line {}", self.begun.line);
                tally.fail(Error::Input {
                    place,
                    message: number::POINTS.to_owned(),
                });
            }
            Err(fault) => tally.problem(self.begun, text, tally.wrong(0, fault)),
        }
        self.after_comma = false;
    }

    fn separate<const K: usize>(&mut self, byte: u8, tally: &mut Tally<K>) {
        match byte {
            b'\n' | b'\r' => {
                (self.line_has_number, self.comment, self.after_comma) = (false, false, false)
            }
            b',' | b';' if !self.comment => {
                // Two commas in a row: a length is missing between them.
                if self.after_comma {
                    tally.problem(self.cursor.place(), b"", tally.wrong(0, Fault::Missing));
                }
                self.after_comma = true;
            }
            _ => {}
        }
        self.cursor.advance(byte);
    }
}

fn is_separator(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b',' | b';' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c
    )
}
