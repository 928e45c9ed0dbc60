//! The table of contents of ZIP archives; the contents are read as ranges of the source (`stream`).

use super::Source;
use super::problem::shorten;
use super::stream::RawRange;
use flate2::Crc;
use packscope_core::error::{Error, Result};
use packscope_core::words::count;
use std::io::{self, Read, Seek, SeekFrom};
use zip::{CompressionMethod, ZipArchive};

/// The first bytes of an archive with files, and of one without.
pub(super) const MAGIC: &[u8] = b"PK\x03\x04";
pub(super) const EMPTY: &[u8] = b"PK\x05\x06";

/// A file in every Office document.
pub(super) const SPREADSHEET: &str = "[Content_Types].xml";

/// The most files in an archive that are read as one data set.
const MOST: usize = 10_000;

/// The place of a file in an archive, and its compression.
#[derive(Debug, Clone)]
pub(super) struct ArchiveEntry {
    pub start: u64,
    pub length: u64,
    pub deflated: bool,
    sum: u32,
}

impl ArchiveEntry {
    /// Returns a reader of the unpacked bytes that fails at their end if their checksum is wrong.
    pub fn checked<R: Read>(&self, reader: R) -> impl Read + use<R> {
        ChecksummedReader {
            reader,
            crc: Crc::new(),
            sum: self.sum,
        }
    }
}

struct ChecksummedReader<R> {
    reader: R,
    crc: Crc,
    sum: u32,
}

impl<R: Read> Read for ChecksummedReader<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(to)?;
        self.crc.update(&to[..length]);
        // A read into an empty buffer returns 0 as well, before the end.
        if length == 0 && !to.is_empty() && self.crc.sum() != self.sum {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the checksum does not match",
            ));
        }
        Ok(length)
    }
}

impl Seek for RawRange<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.go(to)
            .ok_or_else(|| io::ErrorKind::InvalidInput.into())
    }
}

/// Lists the files in an archive, without folders and files that operating systems add.
///
/// # Errors
/// [`Error::Input`] when the archive is damaged, or a file in it is encrypted or compressed by a method other than
/// deflate.
pub(super) fn list(source: &dyn Source) -> Result<Vec<(String, ArchiveEntry)>> {
    let damaged = |what: String| Error::Input {
        place: "the archive".to_owned(),
        message: format!("it cannot be read ({what}); expected a ZIP file that can be unpacked"),
    };
    let mut archive = ZipArchive::new(RawRange::new(source, 0, source.size()))
        .map_err(|e| damaged(e.to_string()))?;
    if archive.len() > MOST {
        return Err(damaged(format!(
            "{} files in it",
            count(archive.len() as u64)
        )));
    }
    let mut files = Vec::new();
    for i in 0..archive.len() {
        // Raw, without unpacking: this pass only lists.
        let file = archive
            .by_index_raw(i)
            .map_err(|e| damaged(e.to_string()))?;
        let name = file
            .name()
            .map_err(|e| damaged(e.to_string()))?
            .into_owned();
        let is_hidden = name
            .split('/')
            // `..` begins a path to a parent folder, not a hidden name.
            .any(|piece| piece.starts_with('.') && !piece.starts_with(".."));
        // Markers such as _SUCCESS.
        let is_mark = name
            .rsplit('/')
            .next()
            .is_some_and(|last| last.starts_with('_') || last.ends_with(".crc"));
        if name.ends_with('/') || is_hidden || is_mark || name.starts_with("__MACOSX/") {
            continue;
        }
        let name = shorten(name.as_bytes());
        let refuse = |message: &str| Error::Input {
            place: name.clone(),
            message: message.to_owned(),
        };
        if file.encrypted() {
            return Err(refuse(
                "it is encrypted; expected an archive without a password",
            ));
        }
        let deflated = match file.compression() {
            CompressionMethod::Stored => false,
            CompressionMethod::Deflated => true,
            other => {
                return Err(refuse(&format!(
                    "it is packed by {other}; expected deflate"
                )));
            }
        };
        let start = file
            .data_start()
            .ok_or_else(|| damaged("a file has no place".to_owned()))?;
        files.push((
            name,
            ArchiveEntry {
                start,
                length: file.compressed_size(),
                deflated,
                sum: file.crc32(),
            },
        ));
    }
    let mut places: Vec<(u64, u64)> = files
        .iter()
        .map(|(_, file)| (file.start, file.length))
        .collect();
    places.sort_unstable();
    // Many files in one place unpack to far more than any archive of this size holds: 9,999 of them
    // were read without end.
    if places
        .windows(2)
        .any(|two| two[0].0.saturating_add(two[0].1) > two[1].0)
    {
        return Err(damaged("files in it overlap".to_owned()));
    }
    match files.is_empty() {
        true => Err(damaged("nothing is in it".to_owned())),
        false => Ok(files),
    }
}
