//! Plain numbers between white space, commas and semicolons.

use super::tally::{Tally, Why, length};
use super::{Description, Format};

/// A number longer than this is none.
const LONGEST: usize = 256;

/// Reads one number after the other.
#[derive(Debug)]
pub(super) struct Numbers {
    token: Vec<u8>,
    line: u64,
    column: u64,
    comment: bool,
    carriage_return: bool,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { token: Vec::new(), line: 1, column: 0, comment: false, carriage_return: false }
    }
}

impl Numbers {
    pub fn push(&mut self, bytes: &[u8], tally: &mut Tally) {
        for &byte in bytes {
            match byte {
                b'\n' | b'\r' => self.end_line(byte, tally),
                _ if self.comment => {}
                b' ' | b'\t' | b',' | b';' => {
                    self.end(tally);
                    self.column += 1;
                }
                b'#' if self.token.is_empty() => self.comment = true,
                _ => {
                    if self.token.len() < LONGEST {
                        self.token.push(byte);
                    }
                    self.column += 1;
                }
            }
            self.carriage_return = byte == b'\r';
        }
    }

    /// `\r\n` is one end of a line, `\r` and `\n` alone are too.
    fn end_line(&mut self, byte: u8, tally: &mut Tally) {
        if byte == b'\n' && self.carriage_return {
            return;
        }
        self.end(tally);
        self.line += 1;
        self.column = 0;
        self.comment = false;
    }

    fn end(&mut self, tally: &mut Tally) {
        if self.token.is_empty() {
            return;
        }
        match length(&self.token) {
            Ok(length) => tally.add(length, 1),
            Err(why) => {
                let why = if self.token.len() == LONGEST { Why::NotANumber } else { why };
                let start = (self.column + 1).saturating_sub(self.token.len() as u64);
                tally.skip(self.line, start, &self.token, why);
            }
        }
        self.token.clear();
    }

    pub fn finish(mut self, tally: &mut Tally) -> Description {
        self.end(tally);
        let mut description = Description::new(Format::Numbers);
        description.notes.push("every number is the length of one sequence".to_owned());
        description
    }
}
