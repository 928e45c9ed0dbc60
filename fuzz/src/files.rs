//! Files by their names: packed ones, archives, NumPy, Parquet, TU folders, lists.

use crate::make::{byte, pick, split};
use crate::text::{is_told, options, pieces};
use flate2::Compression;
use flate2::write::GzEncoder;
use packscope::error::{Error, Result};
use packscope::histogram::Sizes;
use packscope::ingest::{self, Description, File, OpenResult, Options, Read, Source};
use std::io::{Cursor, Write};
use std::ops::ControlFlow;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Names that say what belongs together.
const NAMES: [&str; 16] = [
    "a",
    "a.csv",
    "b.txt",
    "a.npy",
    "b.npy",
    "T_A.txt",
    "T_graph_indicator.txt",
    "T_node_labels.txt",
    "S_A.txt.gz",
    "S_graph_indicator.txt.gz",
    "num-node-list.csv",
    "num-edge-list.csv",
    "README.md",
    "f/a.parquet",
    "__MACOSX/a",
    "é\u{202e}.json",
];

/// Files are of at most so many bytes.
const LONGEST: usize = 1 << 20;

struct Pieces<'a>(&'a [u8], usize);

impl Source for Pieces<'_> {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        self.0.read(at, length.min(self.1))
    }
}

/// How an input is packed before it is opened: what a fuzzer cannot do, because of checksums.
#[derive(Clone, Copy, PartialEq)]
enum Wrap {
    Not,
    Gzip,
    Twice,
    Stored,
    Deflated,
}

/// Several files, whole and in pieces, with Parquet and without: the same comes out, and it adds up.
pub fn files(bytes: &[u8]) {
    let (mut u, mut input) = split(&bytes[..bytes.len().min(LONGEST)]);
    let options = options(&mut u);
    let [piece, ends] = pieces(&mut u);
    let pairs = byte(&mut u) % 2 == 1;
    let wrap = pick(
        &mut u,
        &[
            Wrap::Not,
            Wrap::Gzip,
            Wrap::Stored,
            Wrap::Deflated,
            Wrap::Twice,
        ],
    );
    let parts = parts(&mut input);
    let packed = packed(&parts, wrap);
    let whole = opened(&packed, &options, pairs, usize::MAX);
    // A small piece of a large file takes long.
    let least = packed
        .iter()
        .map(|(_, bytes)| bytes.len())
        .max()
        .unwrap_or_default()
        >> 10;
    let in_pieces = opened(&packed, &options, pairs, piece.max(least));
    assert_eq!(
        placeless(&whole),
        placeless(&in_pieces),
        "whole and in pieces"
    );
    without_parquet(&packed, &options, pairs, &whole);
    ends_early(&packed, &options, pairs, ends, &whole);
    if let Ok(read) = &whole {
        adds_up(read);
    }
}

/// The same, but for the byte at which packed data are noticed to be damaged: it depends on how much is unpacked at once.
fn placeless<T: Clone>(opened: &Result<T>) -> Result<T> {
    match opened {
        Err(Error::Input { message, .. }) if message.starts_with("the packed data are damaged") => {
            Err(Error::Input {
                place: String::new(),
                message: message.clone(),
            })
        }
        other => other.clone(),
    }
}

/// The names and bytes of several files: behind each name but the last the number of its bytes.
fn parts<'a>(input: &mut &'a [u8]) -> Vec<(&'static str, &'a [u8])> {
    let mut next = || {
        let (first, rest) = input.split_first().unwrap_or((&0, &[]));
        *input = rest;
        *first
    };
    let files = next() % 4;
    let mut heads = Vec::new();
    for i in 0..=files {
        let name = NAMES[usize::from(next()) % NAMES.len()];
        let length = if i == files {
            usize::MAX
        } else {
            u16::from_le_bytes([next(), next()]).into()
        };
        heads.push((name, length));
    }
    let mut part = |(name, length): (&'static str, usize)| {
        let (part, rest) = input.split_at(length.min(input.len()));
        *input = rest;
        (name, part)
    };
    heads.into_iter().map(&mut part).collect()
}

fn packed(parts: &[(&'static str, &[u8])], wrap: Wrap) -> Vec<(String, Vec<u8>)> {
    let method = match wrap {
        Wrap::Stored => CompressionMethod::Stored,
        Wrap::Deflated => CompressionMethod::Deflated,
        _ => {
            return parts
                .iter()
                .map(|(name, bytes)| ((*name).to_owned(), gzip(bytes, wrap)))
                .collect();
        }
    };
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        // Names that are there twice are refused: those stay out.
        if archive
            .start_file(
                *name,
                SimpleFileOptions::default().compression_method(method),
            )
            .is_ok()
        {
            let _ = archive.write_all(bytes);
        }
    }
    let bytes = archive.finish().map(Cursor::into_inner).unwrap_or_default();
    vec![("a.zip".to_owned(), bytes)]
}

fn gzip(bytes: &[u8], wrap: Wrap) -> Vec<u8> {
    if wrap == Wrap::Not {
        return bytes.to_vec();
    }
    let at = if wrap == Wrap::Twice {
        bytes.len() / 2
    } else {
        0
    };
    let members = [&bytes[..at], &bytes[at..]].map(|part| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        let _ = encoder.write_all(part);
        encoder.finish().unwrap_or_default()
    });
    members.concat()
}

fn with<T>(packed: &[(String, Vec<u8>)], piece: usize, how: impl FnOnce(&[File<'_>]) -> T) -> T {
    let sources: Vec<(&str, Pieces<'_>)> = packed
        .iter()
        .map(|(name, bytes)| (name.as_str(), Pieces(bytes, piece)))
        .collect();
    let files: Vec<File<'_>> = sources
        .iter()
        .map(|(name, source)| File { name, source })
        .collect();
    how(&files)
}

fn go_on(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn opened(
    packed: &[(String, Vec<u8>)],
    options: &Options,
    pairs: bool,
    piece: usize,
) -> Result<Box<Read>> {
    let (mut items, mut largest) = (0u64, 0u32);
    let read = with(packed, piece, |files| {
        ingest::parquet::open_telling(files, options, pairs, &mut go_on, &mut |size, n| {
            items = items.saturating_add(n);
            largest = largest.max(size.first().copied().unwrap_or_default());
        })
    });
    if let Ok(read) = &read {
        assert_eq!(items, read.description.items, "what was told");
        assert!(largest >= read.description.largest[0], "what was told");
    }
    read
}

fn without_parquet(
    packed: &[(String, Vec<u8>)],
    options: &Options,
    pairs: bool,
    whole: &Result<Box<Read>>,
) {
    match with(packed, usize::MAX, |files| {
        ingest::open(files, options, pairs, &mut go_on)
    }) {
        Ok(OpenResult::Needs) => {}
        Ok(OpenResult::Read(read)) => assert_eq!(Ok(&read), whole.as_ref(), "without Parquet"),
        Err(error) => assert_eq!(Err(&error), whole.as_ref(), "without Parquet"),
    }
}

/// A reading that the visitor ends has no more than one that goes on.
fn ends_early(
    packed: &[(String, Vec<u8>)],
    options: &Options,
    pairs: bool,
    mut steps: usize,
    whole: &Result<Box<Read>>,
) {
    let read = with(packed, usize::MAX, |files| {
        ingest::parquet::open(files, options, pairs, &mut |_, _| {
            steps = steps.saturating_sub(1);
            if steps == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    });
    if let (Ok(read), Ok(whole)) = (read, whole) {
        assert!(
            read.description.items <= whole.description.items,
            "a part has no more than the whole"
        );
    }
}

fn adds_up(read: &Read) {
    counted(&read.counted, &read.description);
    let items = |counted: &Sizes| match counted {
        Sizes::Lengths(h) => h.items(),
        Sizes::Texts(h) | Sizes::Graphs(h) => h.items(),
    };
    if !read.each.is_empty() {
        let sum: u64 = read.each.iter().map(|(_, counted)| items(counted)).sum();
        assert_eq!(sum, items(&read.counted), "each file and all together");
    }
    is_told(&read.description);
}

fn counted(counted: &Sizes, d: &Description) {
    let (items, total, largest) = match counted {
        Sizes::Lengths(h) => (h.items(), h.total().to_vec(), h.max().to_vec()),
        Sizes::Texts(h) | Sizes::Graphs(h) => (h.items(), h.total().to_vec(), h.max().to_vec()),
    };
    assert_eq!((items, &total, &largest), (d.items, &d.total, &d.largest));
}

/// The input of some files, as [`files`] takes it; for those who make seeds.
pub fn input(parts: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0; 16];
    bytes.push(parts.len().saturating_sub(1) as u8);
    for (i, (name, part)) in parts.iter().enumerate() {
        bytes.push(*name);
        if i + 1 < parts.len() {
            bytes.extend((part.len() as u16).to_le_bytes());
        }
    }
    parts.iter().for_each(|(_, part)| bytes.extend(*part));
    bytes
}
