//! Converts UTF-16 into UTF-8; spreadsheets save it as "Unicode text".

use std::io::{self, Read};

/// The first bytes of UTF-16, little-endian and big-endian.
const MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Whether text begins with the byte order mark of UTF-16, and not of UTF-32.
pub(super) fn is_wide(head: &[u8]) -> bool {
    // UTF-32, little-endian, begins with the same two bytes.
    MARKS.iter().any(|mark| head.starts_with(mark)) && !head.starts_with(b"\xff\xfe\0\0")
}

/// A reader of UTF-16 with a byte order mark.
pub(super) struct Wide<R> {
    reader: R,
    big: bool,
    /// Bytes not decoded yet: the first of two, or the first half of a surrogate pair.
    rest: Vec<u8>,
    ready: Vec<u8>,
    used: usize,
}

impl<R: Read> Wide<R> {
    /// Creates a reader; `big` if the bytes are big-endian. The mark is converted as well.
    pub fn new(reader: R, big: bool) -> Self {
        Self {
            reader,
            big,
            rest: Vec::new(),
            ready: Vec::new(),
            used: 0,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        let mut bytes = vec![0; 1 << 15];
        let read = self.reader.read(&mut bytes)?;
        let is_end = read == 0;
        self.rest.extend_from_slice(&bytes[..read]);
        let big = self.big;
        let unit = |two: &[u8]| {
            let two = [two[0], two[1]];
            if big {
                u16::from_be_bytes(two)
            } else {
                u16::from_le_bytes(two)
            }
        };
        let mut units: Vec<u16> = self.rest.chunks_exact(2).map(unit).collect();
        // The other half of the pair comes with the next bytes, unless the text ends here.
        let cut = units
            .last()
            .is_some_and(|last| (0xd800..0xdc00).contains(last))
            && !is_end;
        units.truncate(units.len() - usize::from(cut));
        self.rest.drain(..2 * units.len());
        let text: String = char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        (self.ready, self.used) = (text.into_bytes(), 0);
        if is_end && !self.rest.is_empty() {
            // A single byte is left: the text is cut.
            self.rest.clear();
            self.ready.extend_from_slice("\u{fffd}".as_bytes());
        }
        Ok(())
    }
}

impl<R: Read> Read for Wide<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.used == self.ready.len() {
            let before = self.rest.len();
            self.fill()?;
            // Neither text nor a new byte: the end. A byte alone is waiting for its second.
            if self.ready.is_empty() && self.rest.len() == before {
                return Ok(0);
            }
        }
        let length = to.len().min(self.ready.len() - self.used);
        to[..length].copy_from_slice(&self.ready[self.used..self.used + length]);
        self.used += length;
        Ok(length)
    }
}
