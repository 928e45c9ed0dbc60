//! Pages, decompressed within bounds. The size and number of values that a page declares are not trusted: a few bytes
//! may claim gigabytes, and a few kilobytes of gzip hold them.

use super::SharedWindow;
use flate2::read::MultiGzDecoder;
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The maximum number of bytes of a decompressed page; writers make pages of about one megabyte.
const LARGEST: usize = 1 << 28;
/// The maximum number of list values in memory at once.
const VALUES: u64 = 1 << 24;

pub(super) struct Pages {
    /// The reader of the pages as they are in the file.
    packed: SerializedPageReader<super::Window>,
    packing: Compression,
    is_list: bool,
    /// Whether its values are bytes of any length.
    is_text: bool,
    /// The highest repetition and definition levels; there are none in its pages where that is 0.
    levels: [i16; 2],
    taken: ListValues,
}

/// List values in the pages read since the last request for rows: rows with more than a few values are held in memory
/// as a whole.
pub(super) type ListValues = Arc<AtomicU64>;

impl Pages {
    /// Opens the pages in this window.
    pub fn new(
        window: SharedWindow,
        meta: &ColumnChunkMetaData,
        rows: usize,
        taken: ListValues,
    ) -> Result<Self> {
        let packing = meta.compression();
        // Says that nothing is compressed, so that the library passes the pages on as they are, and
        // `unpack` below decompresses them within bounds.
        let plain = meta
            .clone()
            .into_builder()
            .set_compression(Compression::UNCOMPRESSED)
            .build()?;
        let packed = SerializedPageReader::new(window, &plain, rows, None)?;
        let column = meta.column_descr();
        Ok(Self {
            packed,
            packing,
            is_list: column.max_rep_level() > 0,
            is_text: column.physical_type() == Type::BYTE_ARRAY,
            levels: [column.max_rep_level(), column.max_def_level()],
            taken,
        })
    }

    /// Decompresses a page; in pages of version 2 the levels before the values are never compressed.
    fn unpack(&self, mut page: Page) -> Result<Page> {
        let levels = match &page {
            Page::DataPageV2 {
                is_compressed: false,
                ..
            } => return Ok(page),
            Page::DataPageV2 {
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => *def_levels_byte_len as usize + *rep_levels_byte_len as usize,
            Page::DataPage { .. } | Page::DictionaryPage { .. } => 0,
        };
        let (Page::DataPage { buf, .. }
        | Page::DataPageV2 { buf, .. }
        | Page::DictionaryPage { buf, .. }) = &mut page;
        if self.packing != Compression::UNCOMPRESSED {
            let (levels, values) = buf
                .split_at_checked(levels)
                .ok_or_else(|| wrong("the levels are longer than their page"))?;
            let mut plain = levels.to_vec();
            // Without values nothing is compressed, not even to the few bytes of an empty stream.
            if !values.is_empty() {
                unpack(self.packing, values, &mut plain)?;
            }
            *buf = plain.into();
        }
        Ok(page)
    }

    /// Checks that the texts of a page fill it, each after its length, and puts an end behind them: the library would read the
    /// length of one that is not there, and end the program.
    fn end_texts(&self, mut page: Page) -> Result<Page> {
        if !self.is_text || page.encoding() != Encoding::PLAIN {
            return Ok(page);
        }
        let mut rest = self.values(&page).unwrap_or_default();
        while !rest.is_empty() {
            let text = rest.split_first_chunk::<4>();
            let after =
                text.and_then(|(length, more)| more.get(u32::from_le_bytes(*length) as usize..));
            rest = after.ok_or_else(|| wrong("a text is longer than its page"))?;
        }
        let (Page::DataPage { buf, .. }
        | Page::DataPageV2 { buf, .. }
        | Page::DictionaryPage { buf, .. }) = &mut page;
        // A length that no page has, which the library refuses.
        *buf = [buf, &u32::MAX.to_le_bytes()[..]].concat().into();
        Ok(page)
    }

    /// Returns the values of a page, which follow its levels; `None` if it is shorter than these.
    fn values<'p>(&self, page: &'p Page) -> Option<&'p [u8]> {
        let mut rest: &[u8] = page.buffer();
        match page {
            Page::DictionaryPage { .. } => {}
            Page::DataPageV2 {
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                rest = rest.get(*def_levels_byte_len as usize + *rep_levels_byte_len as usize..)?;
            }
            Page::DataPage {
                num_values,
                rep_level_encoding,
                def_level_encoding,
                ..
            } => {
                let encodings = [rep_level_encoding, def_level_encoding];
                let levels = self.levels.into_iter().zip(encodings);
                for (highest, encoding) in levels.filter(|(highest, _)| *highest > 0) {
                    rest = after_levels(rest, (highest, *num_values), *encoding)?;
                }
            }
        }
        Some(rest)
    }

    fn check(&self, page: &Page) -> Result<()> {
        let values = page.num_values();
        // Each value of a dictionary takes a byte at least.
        if page.is_dictionary_page() && values as usize > page.buffer().len() {
            return Err(wrong("a dictionary has more values than bytes"));
        }
        // The library would take bytes that are not there, and end the program.
        if self.values(page).is_none() {
            return Err(wrong("the levels are longer than their page"));
        }
        // The library reserves memory for the number that the encoding states.
        if counts_values(page.encoding())
            && first_count(page, self).is_none_or(|n| n > u64::from(values))
        {
            return Err(wrong("a page has more values than it says"));
        }
        let all = self.taken.fetch_add(u64::from(values), Relaxed);
        if self.is_list && page.is_data_page() && all.max(u64::from(values)) > VALUES {
            return Err(wrong("a few rows have more than 16,777,216 elements"));
        }
        Ok(())
    }
}

/// Returns the bytes after levels in a page of version 1; `None` if it is shorter than these.
fn after_levels(rest: &[u8], (highest, values): (i16, u32), encoding: Encoding) -> Option<&[u8]> {
    #[expect(deprecated, reason = "old files have it")]
    if encoding == Encoding::BIT_PACKED {
        let bits = u64::from(highest.unsigned_abs().ilog2() + 1);
        let bytes = (u64::from(values) * bits).div_ceil(8);
        return rest.get(usize::try_from(bytes).ok()?..);
    }
    // Each kind of level is preceded by its length.
    let (length, more) = rest.split_first_chunk::<4>()?;
    more.get(u32::from_le_bytes(*length) as usize..)
}

/// Whether the values of a page begin with their number.
fn counts_values(encoding: Encoding) -> bool {
    matches!(
        encoding,
        Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY
    )
}

/// Returns the number of values in a delta encoding: its third number, after the levels.
fn first_count(page: &Page, pages: &Pages) -> Option<u64> {
    let mut rest = pages.values(page)?;
    // A page without values may have no bytes for them.
    if rest.is_empty() {
        return Some(0);
    }
    // Block size, number of miniblocks, number of values.
    (0..3).map(|_| varint(&mut rest)).last()?
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, more) = rest.split_first()?;
        *rest = more;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn unpack(packing: Compression, packed: &[u8], plain: &mut Vec<u8>) -> Result<()> {
    // One byte more than allowed, so that a page that is too large shows.
    let room = LARGEST as u64 + 1;
    let mut rest = packed;
    match packing {
        Compression::SNAPPY => {
            let length = snap::raw::decompress_len(packed).map_err(outside)?;
            // Three bytes expand to 64 at most.
            if length > LARGEST || length > packed.len().saturating_mul(64) {
                return Err(wrong("a page says that it is much longer than it can be"));
            }
            plain.extend(
                snap::raw::Decoder::new()
                    .decompress_vec(packed)
                    .map_err(outside)?,
            );
        }
        Compression::GZIP(_) => {
            MultiGzDecoder::new(packed)
                .take(room)
                .read_to_end(plain)
                .map_err(outside)?;
        }
        Compression::ZSTD(_) => {
            while !rest.is_empty() && plain.len() <= LARGEST {
                let frame = StreamingDecoder::new(&mut rest).map_err(outside)?;
                frame.take(room).read_to_end(plain).map_err(outside)?;
            }
        }
        #[cfg(feature = "brotli")]
        Compression::BROTLI(_) => {
            let unpacked = brotli_decompressor::Decompressor::new(packed, 1 << 16);
            unpacked.take(room).read_to_end(plain).map_err(outside)?;
        }
        #[cfg(not(feature = "brotli"))]
        Compression::BROTLI(_) => {
            return Err(wrong(
                "it is packed by brotli, which the command line reads",
            ));
        }
        Compression::LZ4_RAW => lz4(packed, plain)?,
        Compression::LZ4 => hadoop(packed, plain)?,
        other => return Err(wrong(&format!("it is packed by {other}"))),
    }
    if plain.len() > LARGEST {
        return Err(wrong("a page has more than 256 MiB"));
    }
    Ok(())
}

/// Decompresses a block of LZ4, whose decompressed length is unknown.
fn lz4(packed: &[u8], plain: &mut Vec<u8>) -> Result<()> {
    // A byte expands to 255 at most.
    let most = packed.len().saturating_mul(255).min(LARGEST);
    // The length is not stored: room for four times as much, and twice that after each failure.
    let mut room = (4 * packed.len() + 64).min(most.max(64));
    loop {
        match lz4_flex::block::decompress(packed, room) {
            Ok(unpacked) => {
                plain.extend(unpacked);
                return Ok(());
            }
            Err(_) if room < most => room = (2 * room).min(most),
            Err(error) => return Err(outside(error)),
        }
    }
}

/// Decompresses LZ4 as written by Hadoop: blocks after their lengths, decompressed and compressed; or a bare block.
fn hadoop(packed: &[u8], plain: &mut Vec<u8>) -> Result<()> {
    let begun = plain.len();
    let mut rest = packed;
    while let Some((lengths, after)) = rest.split_first_chunk::<8>() {
        let length = |at: usize| {
            u32::from_be_bytes([
                lengths[at],
                lengths[at + 1],
                lengths[at + 2],
                lengths[at + 3],
            ]) as usize
        };
        let (unpacked, taken) = (length(0), length(4));
        // Lengths that cannot be mean that it is a bare block.
        let block = after
            .get(..taken)
            .filter(|_| unpacked <= LARGEST && unpacked <= taken.saturating_mul(255));
        let Some(Ok(block)) = block.map(|block| lz4_flex::block::decompress(block, unpacked))
        else {
            break;
        };
        plain.extend(block);
        rest = &after[taken..];
        if plain.len() > LARGEST {
            return Ok(());
        }
    }
    if rest.is_empty() {
        return Ok(());
    }
    // What was taken for Hadoop's blocks was not.
    plain.truncate(begun);
    lz4(packed, plain)
}

fn outside(error: impl std::error::Error + Send + Sync + 'static) -> ParquetError {
    ParquetError::External(Box::new(error))
}

fn wrong(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        loop {
            let Some(page) = self.packed.get_next_page()? else {
                return Ok(None);
            };
            // Some writers begin with an empty page, which would end the reading.
            if page.is_data_page() && page.num_values() == 0 {
                continue;
            }
            let page = self.unpack(page)?;
            self.check(&page)?;
            return self.end_texts(page).map(Some);
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.packed.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.packed.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.packed.at_record_boundary()
    }
}
