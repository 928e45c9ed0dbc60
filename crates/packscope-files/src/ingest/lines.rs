//! Splits chunks into lines and pieces; pieces cut by the border of a chunk are joined, up to a limit.

use memchr::memchr2;

/// The longest piece (line, cell, JSON element) that is read; a longer one is skipped and reported.
/// It bounds the memory of a damaged file.
pub(super) const LONGEST: usize = 16 << 20;

/// Bytes kept of a longer piece, for display.
const SHOWN: usize = 256;

/// A piece of the input, whole unless it is overlong.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinePiece<'a> {
    pub text: &'a [u8],
    pub overlong: bool,
}

/// The beginning of a piece that the border of a chunk cut.
#[derive(Debug, Default)]
pub(super) struct Carry {
    kept: Vec<u8>,
    overlong: bool,
    done: bool,
}

impl Carry {
    /// Keeps the part before the border of a chunk.
    pub fn keep(&mut self, part: &[u8]) {
        self.renew();
        // The part may be longer than the room left; `kept` may have been cut to SHOWN already.
        self.overlong |= part.len() > LONGEST - self.kept.len().min(LONGEST);
        if !self.overlong {
            return self.kept.extend_from_slice(part);
        }
        let room = SHOWN.saturating_sub(self.kept.len()).min(part.len());
        self.kept.extend_from_slice(&part[..room]);
        self.kept.truncate(SHOWN);
        // Frees the megabytes that were collected before the piece turned out too long.
        self.kept.shrink_to_fit();
    }

    /// Returns the piece that ends with this part.
    pub fn complete<'a>(&'a mut self, part: &'a [u8]) -> LinePiece<'a> {
        self.renew();
        // The usual case: a line within one chunk is not copied.
        if self.kept.is_empty() && part.len() <= LONGEST {
            return LinePiece {
                text: part,
                overlong: false,
            };
        }
        self.keep(part);
        // The text is borrowed from `kept`, so it can only be cleared at the next call (`renew`).
        self.done = true;
        LinePiece {
            text: &self.kept,
            overlong: self.overlong,
        }
    }

    /// Whether a piece has begun.
    pub fn is_begun(&self) -> bool {
        !self.done && !self.kept.is_empty()
    }

    fn renew(&mut self) {
        if self.done {
            self.kept.clear();
            (self.overlong, self.done) = (false, false);
        }
    }
}

/// Lines that end with LF, CR LF or a lone CR.
#[derive(Debug, Default)]
pub(super) struct Lines {
    carry: Carry,
    number: u64,
    after_cr: bool,
}

impl Lines {
    /// Calls `each` for each line that ends in the chunk, with its number from 1 and without its terminator.
    pub fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(u64, LinePiece<'_>)) {
        // CR and LF of one break may lie in two chunks.
        if self.after_cr && !bytes.is_empty() {
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            self.after_cr = false;
        }
        while let Some(end) = memchr2(b'\n', b'\r', bytes) {
            self.number += 1;
            each(self.number, self.carry.complete(&bytes[..end]));
            bytes = self.skip_break(&bytes[end..]);
        }
        if !bytes.is_empty() {
            self.carry.keep(bytes);
        }
    }

    fn skip_break<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        // Only a CR that ends the chunk may have its LF in the next one.
        self.after_cr = bytes == b"\r";
        bytes.strip_prefix(b"\r\n").unwrap_or(&bytes[1..])
    }

    /// Returns the number of lines if no other is begun.
    pub fn passed(&self) -> Option<u64> {
        (!self.carry.is_begun() && !self.after_cr).then_some(self.number)
    }

    /// Counts so many lines more.
    pub fn begin_behind(&mut self, lines: u64) {
        self.number += lines;
    }

    /// Calls `each` for a last line without a terminator.
    pub fn finish(&mut self, mut each: impl FnMut(u64, LinePiece<'_>)) {
        if self.carry.is_begun() {
            self.number += 1;
            each(self.number, self.carry.complete(&[]));
        }
    }
}

/// Whether a line carries no data: blank, a comment, a rule of a printed table, or the delimiter declaration of a
/// spreadsheet, `sep=;`, which is detected anyway.
pub(super) fn is_silent(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), None | Some(b'#'))
        || line
            .strip_prefix(b"sep=")
            .is_some_and(|rest| rest.len() == 1)
        || is_rule(line.trim_ascii())
}

/// Whether a line is a rule of a table printed by databases or Markdown, or the number of rows below one.
fn is_rule(line: &[u8]) -> bool {
    let rows = || {
        line.strip_prefix(b"(")
            .and_then(|rest| rest.strip_suffix(b" rows)").or(rest.strip_suffix(b" row)")))
    };
    match line.first() {
        Some(b'+' | b'-' | b'|' | b':') => {
            line.windows(2).any(|two| two == b"--")
                && line
                    .iter()
                    .all(|b| matches!(b, b'+' | b'-' | b'|' | b':' | b'=' | b' '))
        }
        Some(b'(') => rows().is_some_and(|rows| rows.iter().all(u8::is_ascii_digit)),
        _ => false,
    }
}

/// Returns the text of a cell that may not be UTF-8.
pub(super) fn lossy(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell.trim_ascii()).into_owned()
}
