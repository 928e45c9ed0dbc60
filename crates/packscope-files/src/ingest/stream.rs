//! The bytes of a source in order, decompressed if necessary.

use super::{HEAD, Source, wide_tables};
use flate2::bufread::MultiGzDecoder;
use packscope_core::error::{Error, Result};
use packscope_core::words::count;
use std::cell::Cell;
use std::io::{self, BufRead, Read, SeekFrom};
use std::rc::Rc;

/// The first bytes of gzip.
pub(super) const GZIP: &[u8] = b"\x1f\x8b";

/// Decompresses zstd: passed in, because not every program includes it.
pub(super) type Unpacker = for<'r> fn(Box<dyn BufRead + 'r>) -> Box<dyn Read + 'r>;

/// Whether these are the first bytes of zstd, or of a skippable frame.
pub(super) fn is_zstd(head: &[u8]) -> bool {
    // Little-endian 0x184D2A50 to 0x184D2A5F, by RFC 8878.
    head.starts_with(b"\x28\xb5\x2f\xfd") || matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// A range of a source as it is, with the position of its reader.
pub(super) struct RawRange<'a> {
    source: &'a dyn Source,
    at: u64,
    end: u64,
    buffer: Vec<u8>,
    used: usize,
    position: Rc<Cell<u64>>,
}

impl<'a> RawRange<'a> {
    /// Reads from `at` up to `end`.
    pub fn new(source: &'a dyn Source, at: u64, end: u64) -> Self {
        let position = Rc::new(Cell::new(at));
        Self {
            source,
            at,
            end: end.min(source.size()),
            buffer: Vec::new(),
            used: 0,
            position,
        }
    }

    /// Returns the position of the reader, in bytes of the source.
    pub fn position(&self) -> Rc<Cell<u64>> {
        Rc::clone(&self.position)
    }

    /// Moves to another position and returns it, unless it is out of range.
    pub fn go(&mut self, to: SeekFrom) -> Option<u64> {
        let to = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => self.end.checked_add_signed(by)?,
            SeekFrom::Current(by) => self.position.get().checked_add_signed(by)?,
        };
        // Moves within the buffer read nothing again: archives are searched from their end.
        let from = self.at - self.buffer.len() as u64;
        if (from..=self.at).contains(&to) {
            self.used = usize::try_from(to - from).ok()?;
        } else {
            self.buffer.clear();
            (self.used, self.at) = (0, to);
        }
        self.position.set(to);
        Some(to)
    }
}

impl BufRead for RawRange<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.buffer.len() && self.at < self.end {
            // Memory does not grow with the source.
            let most = self.source.at_once();
            let length = usize::try_from(self.end - self.at).map_or(most, |left| left.min(most));
            self.buffer = self
                .source
                .read(self.at, length)
                .map_err(io::Error::other)?;
            self.at += self.buffer.len() as u64;
            self.used = 0;
        }
        Ok(&self.buffer[self.used..])
    }

    fn consume(&mut self, amount: usize) {
        self.used = self.buffer.len().min(self.used + amount);
        self.position
            .set(self.at - (self.buffer.len() - self.used) as u64);
    }
}

impl Read for RawRange<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let from = self.fill_buf()?;
        let length = from.len().min(to.len());
        to[..length].copy_from_slice(&from[..length]);
        self.consume(length);
        Ok(length)
    }
}

/// The contents of a file, with its beginning buffered.
pub(crate) struct Stream<'a> {
    reader: Box<dyn Read + 'a>,
    position: Rc<Cell<u64>>,
    head: Vec<u8>,
    /// Bytes of the head already read.
    used: usize,
    complete: bool,
}

impl<'a> Stream<'a> {
    /// Reads from `reader`, whose position is `position`. Decompresses gzip, whatever the file's name, and zstd if a
    /// decompressor is given.
    ///
    /// # Errors
    /// When the bytes cannot be read, or are damaged.
    pub fn new(
        mut reader: Box<dyn BufRead + 'a>,
        position: Rc<Cell<u64>>,
        zstd: Option<Unpacker>,
    ) -> Result<Self> {
        // `read_to_end` of a `take`: a source may return fewer bytes at a time.
        let mut magic = Vec::new();
        let peeked = reader.by_ref().take(4).read_to_end(&mut magic);
        peeked.map_err(|e| damage(e, position.get()))?;
        let (is_gzip, zstd) = (magic.starts_with(GZIP), zstd.filter(|_| is_zstd(&magic)));
        let whole = io::Cursor::new(magic).chain(reader);
        let mut reader: Box<dyn Read + 'a> = match zstd {
            Some(unpack) => unpack(Box::new(whole)),
            None if is_gzip => Box::new(MultiGzDecoder::new(whole)),
            None => Box::new(whole),
        };
        // UTF-16 shows only after unpacking.
        let mut first = Vec::new();
        let peeked = reader.by_ref().take(4).read_to_end(&mut first);
        peeked.map_err(|e| damage(e, position.get()))?;
        let (is_wide, big) = (wide_tables::is_wide(&first), first.starts_with(b"\xfe"));
        let whole = io::Cursor::new(first).chain(reader);
        let reader: Box<dyn Read + 'a> = if is_wide {
            Box::new(wide_tables::Wide::new(whole, big))
        } else {
            Box::new(whole)
        };
        let mut stream = Self {
            reader,
            position,
            head: Vec::new(),
            used: 0,
            complete: false,
        };
        stream.peek()?;
        Ok(stream)
    }

    /// Reads all of a source.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn open(source: &'a dyn Source, zstd: Option<Unpacker>) -> Result<Self> {
        let raw = RawRange::new(source, 0, source.size());
        let position = raw.position();
        Self::new(Box::new(raw), position, zstd)
    }

    fn peek(&mut self) -> Result<()> {
        let read = self
            .reader
            .by_ref()
            .take(HEAD as u64)
            .read_to_end(&mut self.head);
        read.map_err(|e| damage(e, self.position.get()))?;
        // Fewer bytes than HEAD: the end was reached.
        self.complete = self.head.len() < HEAD;
        Ok(())
    }

    /// Returns the beginning, even if it has been read.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Whether the head is the whole file.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns the position of the reading, in bytes of the source.
    pub fn position(&self) -> u64 {
        // While the head is read out, the reader is ahead of the caller. A small file is held as a
        // whole in the head, and its end is the right position.
        if self.used < self.head.len() && !self.complete {
            0
        } else {
            self.position.get()
        }
    }

    /// Reads the next bytes and returns their number, 0 at the end.
    ///
    /// # Errors
    /// When the bytes cannot be read, or are damaged gzip.
    pub fn next(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.read(buffer)
            .map_err(|e| damage(e, self.position.get()))
    }

    /// Reads as many bytes as the buffer holds and returns their number; fewer only at the end.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.next(&mut buffer[filled..])? {
                0 => break,
                more => filled += more,
            }
        }
        Ok(filled)
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let ahead = &self.head[self.used..];
        if ahead.is_empty() {
            return if self.complete {
                Ok(0)
            } else {
                self.reader.read(to)
            };
        }
        let length = ahead.len().min(to.len());
        to[..length].copy_from_slice(&ahead[..length]);
        self.used += length;
        Ok(length)
    }
}

pub(crate) fn damage(error: io::Error, position: u64) -> Error {
    let place = format!("byte {}", count(position + 1));
    let message = match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            "the packed data end too early; is the file complete?".to_owned()
        }
        // An error of ours that passed through `io::Error`, as that of a source, is already in
        // words.
        _ => match error.downcast::<Error>() {
            Ok(ours) => return ours,
            Err(other) => {
                format!(
                    "the packed data are damaged ({other}); expected a file that can be unpacked"
                )
            }
        },
    };
    Error::Input { place, message }
}
