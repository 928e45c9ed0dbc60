//! Data in an address: `data=own1.…`, sizes with their counts in as few characters as possible.
//!
//! The characters encode in base64url: a byte for the kind of data and for compression (deflate), a
//! CRC-32 of the kind and the plain bytes, and these bytes. Plain bytes are LEB128 numbers, column
//! by column: name, names of the components, number of sizes, each component as the difference from
//! the size before, counts. Columns of like numbers deflate better than rows. The checksum detects
//! links that were cut or changed on their way, so that nobody sees the wrong data.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use crc::{CRC_32_ISO_HDLC, Crc};
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use fnv::FnvHasher;
use packscope::histogram::{Histogram, Sizes};
use packscope::words::is_hidden;
use std::hash::Hasher;
use std::io::Read;
use std::rc::Rc;
use std::sync::OnceLock;

/// Maximum characters of data in an address.
pub const LINK: usize = 30_000;
/// Maximum plain bytes of data in an address, after inflating.
const PLAIN: usize = 1 << 18;
/// Maximum bytes of data that a browser stores: 10⁷ distinct sizes.
const STORED: usize = 1 << 28;
/// The prefix of the name under which a browser stores data that are too large for an address.
const STORE: &str = "own-";
/// Maximum characters of a name.
const NAME: usize = 60;
/// The prefix of data of this version; other versions have another number before the dot.
const VERSION: &str = "own1.";
const DEFLATED: u8 = 0x80;
/// The checksum of gzip, with a table of 1 kB: flate2 is faster, but its table of 16 kB does not compress.
const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// The functions that compress data in addresses. A page loaded in parts gets them from a part, by [`bring`].
#[derive(Debug, Clone, Copy)]
pub struct Zip {
    deflate: fn(&[u8]) -> Option<Vec<u8>>,
    inflate: fn(&[u8]) -> Option<Vec<u8>>,
}

impl Zip {
    /// Returns the functions that compress and decompress: a program that calls this contains their code.
    pub const fn new() -> Self {
        Self {
            deflate: deflated,
            inflate: inflated,
        }
    }
}

impl Default for Zip {
    fn default() -> Self {
        Self::new()
    }
}

static ZIP: OnceLock<Zip> = OnceLock::new();

/// Hands over the compression in a page that is loaded in parts. Until then data are written uncompressed, and
/// compressed data are read as [`Damage::Damaged`].
pub fn bring(zip: Zip) {
    // A second time changes nothing: the functions are the same.
    let _ = ZIP.set(zip);
}

/// Returns the compression, which a program in one piece has from the beginning.
#[cfg(not(all(feature = "split", not(debug_assertions))))]
fn zip() -> Option<Zip> {
    Some(ZIP.get().copied().unwrap_or_default())
}

// In parts, naming `Zip::default` here would put the code of deflate into the first download.
#[cfg(all(feature = "split", not(debug_assertions)))]
fn zip() -> Option<Zip> {
    ZIP.get().copied()
}

/// The visitor's own data, as a link carries them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Custom {
    /// The name of the data. Shown as text, never as markup.
    pub name: String,
    /// The names of the components, where the file has any.
    pub components: Vec<String>,
    pub sizes: Sizes,
}

/// Data encoded for a link.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkData {
    /// The value in the address; `None` if it would be too long.
    pub value: Option<Rc<str>>,
    /// The size in bytes: compressed, unless the data are too large to try, or [`bring`] is still to come.
    pub bytes: usize,
    /// A hash of the data, by which a browser finds them again; 0 for built-in sets.
    key: u64,
}

impl LinkData {
    /// Returns the name under which a browser stores these data; `None` where the address has them.
    pub fn stored_as(&self) -> Option<String> {
        (self.value.is_none() && self.key != 0).then(|| format!("{STORE}{:016x}", self.key))
    }
}

/// Whether a value of the address is the name of data that a browser has stored.
pub fn is_stored(value: &str) -> bool {
    let key = value.strip_prefix(STORE);
    key.is_some_and(|key| key.len() == 16 && key.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The reason why the data of a link cannot be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Missing or changed characters.
    #[error(
        "The data in this link are damaged: a part is missing or was changed on the way. Ask for the link again"
    )]
    Damaged,
    /// Data written by a later version of the page.
    #[error(
        "The data in this link were written by a newer Packscope than this one. Reload the page to get it"
    )]
    Newer,
    /// More characters than a link may have.
    #[error("The data in this link are longer than links of this page can be, 30,000 characters")]
    TooLong,
}

/// Whether a value of the address is data rather than the name of a data set.
pub fn is_carried(value: &str) -> bool {
    // Of any version, so that data of a later one are told from names of sets.
    let version = value
        .strip_prefix("own")
        .and_then(|rest| rest.split_once('.'))
        .map(|(version, _)| version);
    version.is_some_and(|v| !v.is_empty() && v.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether an address has data in it.
pub fn carries(hash: &str) -> bool {
    hash.contains(VERSION)
}

impl Custom {
    /// Encodes the data as a value in the address. O(distinct sizes).
    pub fn carried(&self) -> LinkData {
        let (kind, body) = self.plain();
        // 0 stands for data without a key.
        let key = fnv(&body).max(1);
        // Too long for a link even if they were compressed, so that the page does not try.
        if body.len() > PLAIN {
            return LinkData {
                value: None,
                bytes: body.len(),
                key,
            };
        }
        let deflated = zip()
            .and_then(|zip| (zip.deflate)(&body))
            .filter(|d| d.len() < body.len());
        // Few sizes are shorter without compression.
        let (flags, bytes) = deflated.map_or((kind, body.clone()), |d| (kind | DEFLATED, d));
        let mut packed = vec![flags];
        packed.extend(checksum(kind, &body));
        packed.extend(bytes);
        let value = VERSION.to_owned() + &URL_SAFE_NO_PAD.encode(&packed);
        LinkData {
            value: (value.len() <= LINK).then(|| value.into()),
            bytes: packed.len(),
            key,
        }
    }

    /// Encodes the data for storage in the browser: as for an address, without a limit and without compression.
    /// O(distinct sizes).
    pub fn stored(&self) -> Vec<u8> {
        let (kind, body) = self.plain();
        let mut packed = vec![kind];
        packed.extend(checksum(kind, &body));
        packed.extend(body);
        packed
    }

    /// Decodes data from storage.
    ///
    /// # Errors
    /// [`Damage::Damaged`] for bytes not written by [`stored`](Self::stored).
    pub fn from_stored(bytes: &[u8]) -> Result<Self, Damage> {
        Self::unpacked(bytes, STORED).ok_or(Damage::Damaged)
    }

    /// Returns the kind of the sizes, and the plain bytes.
    fn plain(&self) -> (u8, Vec<u8>) {
        let mut out = Vec::new();
        put_text(&mut out, &cleaned(&self.name));
        put(&mut out, self.components.len().min(2) as u64);
        for component in self.components.iter().take(2) {
            put_text(&mut out, &cleaned(component));
        }
        let kind = match &self.sizes {
            Sizes::Lengths(lengths) => {
                put_sizes(&mut out, lengths);
                0
            }
            Sizes::Texts(texts) => {
                put_sizes(&mut out, texts);
                1
            }
            Sizes::Graphs(graphs) => {
                put_sizes(&mut out, graphs);
                2
            }
        };
        (kind, out)
    }

    /// Decodes a value in the address. Memory is bounded by a small multiple of the largest data that a link can carry.
    ///
    /// # Errors
    /// [`Damage`] for any value not written by [`carried`](Self::carried), and for compressed ones before [`bring`].
    pub fn read(value: &str) -> Result<Self, Damage> {
        let text = match value.strip_prefix(VERSION) {
            // Before decoding, which takes memory for as long a value as there is.
            Some(_) if value.len() > LINK => return Err(Damage::TooLong),
            Some(text) => text,
            None if is_carried(value) => return Err(Damage::Newer),
            None => return Err(Damage::Damaged),
        };
        let packed = URL_SAFE_NO_PAD.decode(text).map_err(|_| Damage::Damaged)?;
        Self::unpacked(&packed, PLAIN).ok_or(Damage::Damaged)
    }

    /// Decodes at most `most` plain bytes.
    fn unpacked(packed: &[u8], most: usize) -> Option<Self> {
        let (flags, rest) = packed.split_first()?;
        let (sum, bytes) = rest.split_first_chunk::<4>()?;
        let kind = flags & !DEFLATED;
        let body = if flags & DEFLATED == 0 {
            bytes.to_vec()
        } else {
            (zip()?.inflate)(bytes)?
        };
        // Length and sum are checked before anything is read, and of the plain bytes, so that a
        // fault in either is found.
        if body.len() > most || checksum(kind, &body) != *sum {
            return None;
        }
        let mut rest = body.as_slice();
        let name = take_text(&mut rest)?;
        let names = take(&mut rest).filter(|names| *names <= 2)?;
        let components = (0..names)
            .map(|_| take_text(&mut rest))
            .collect::<Option<_>>()?;
        let sizes = match kind {
            0 => Sizes::Lengths(Rc::new(take_sizes(&mut rest)?)),
            1 => Sizes::Texts(Rc::new(take_sizes(&mut rest)?)),
            2 => Sizes::Graphs(Rc::new(take_sizes(&mut rest)?)),
            _ => return None,
        };
        // Bytes that are left over were not written by this version.
        rest.is_empty().then_some(Self {
            name,
            components,
            sizes,
        })
    }
}

/// Returns at most [`NAME`] characters of a name, without hidden ones, which could change the display of other words.
fn cleaned(name: &str) -> String {
    name.chars().filter(|c| !is_hidden(*c)).take(NAME).collect()
}

fn fnv(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

fn checksum(kind: u8, body: &[u8]) -> [u8; 4] {
    let mut digest = CRC.digest();
    digest.update(&[kind]);
    digest.update(body);
    digest.finalize().to_le_bytes()
}

fn deflated(body: &[u8]) -> Option<Vec<u8>> {
    let mut packed = Vec::new();
    // At most 256 kB, for which even the slowest level is quick.
    DeflateEncoder::new(body, Compression::best())
        .read_to_end(&mut packed)
        .ok()?;
    Some(packed)
}

/// Inflates to at most a byte more than is accepted; `None` if input bytes are left over.
fn inflated(packed: &[u8]) -> Option<Vec<u8>> {
    let (mut plain, mut decoder) = (Vec::new(), DeflateDecoder::new(packed));
    decoder
        .by_ref()
        .take(PLAIN as u64 + 1)
        .read_to_end(&mut plain)
        .ok()?;
    (decoder.total_in() == packed.len() as u64).then_some(plain)
}

/// Writes a LEB128 number: seven bits in each byte, the lowest first.
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (byte, more) = rest.split_first()?;
        *rest = more;
        let bits = u64::from(byte & 0x7f);
        // Bits beyond the 64th would be lost in silence.
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend(text.as_bytes());
}

fn take_text(rest: &mut &[u8]) -> Option<String> {
    let length = usize::try_from(take(rest)?).ok()?;
    let (text, more) = rest.split_at_checked(length)?;
    *rest = more;
    std::str::from_utf8(text).ok().map(cleaned)
}

/// Returns the base of a component's difference: the size before, if all earlier components are the same; else 0.
fn base<const K: usize>(size: &[u32; K], before: &[u32; K], k: usize) -> u32 {
    if size[..k] == before[..k] {
        before[k]
    } else {
        0
    }
}

fn put_sizes<const K: usize>(out: &mut Vec<u8>, histogram: &Histogram<K>) {
    let entries = histogram.entries();
    put(out, entries.len() as u64);
    for k in 0..K {
        let mut before = [0; K];
        for (size, _) in entries {
            // Entries ascend: where this component falls, an earlier one has grown, and the base is
            // 0.
            put(out, u64::from(size[k] - base(size, &before, k)));
            before = *size;
        }
    }
    entries.iter().for_each(|(_, count)| put(out, *count));
}

fn take_sizes<const K: usize>(rest: &mut &[u8]) -> Option<Histogram<K>> {
    // Each number takes at least a byte, which bounds the memory for malicious data by their length.
    let distinct = usize::try_from(take(rest)?)
        .ok()
        .filter(|n| *n <= rest.len() / (K + 1))?;
    let mut entries = vec![([0u32; K], 0u64); distinct];
    for k in 0..K {
        let mut before = [0; K];
        for (size, _) in &mut entries {
            let step = u32::try_from(take(rest)?).ok()?;
            size[k] = base(size, &before, k).checked_add(step)?;
            before = *size;
        }
    }
    for (_, count) in &mut entries {
        *count = take(rest).filter(|count| *count > 0)?;
    }
    // `from_counts` takes any order and sums equal sizes, but `put_sizes` writes neither.
    let ascending = entries.windows(2).all(|pair| pair[0].0 < pair[1].0);
    ascending
        .then(|| Histogram::from_counts(entries).ok())
        .flatten()
}
