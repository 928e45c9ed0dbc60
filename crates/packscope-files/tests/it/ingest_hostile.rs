//! Small files that claim, or expand to, far more than memory holds: each is refused with a message, and nothing of
//! that size is allocated.

use flate2::Compression;
use flate2::write::GzEncoder;
use packscope_core::error::Result;
use packscope_files::ingest::{self, File, Options, Read, Source};
use std::io::Write;
use std::ops::ControlFlow;

/// Numbers of Thrift's compact protocol, in which Parquet has its headers.
#[derive(Default)]
struct Thrift(Vec<u8>);

impl Thrift {
    fn varint(mut self, mut n: u64) -> Self {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
        self
    }

    /// A field that is a whole number, so many places after the one before.
    fn int(mut self, after: u8, n: i64) -> Self {
        self.0.push(after << 4 | 6);
        self.varint(((n << 1) ^ (n >> 63)) as u64)
    }

    fn small(mut self, after: u8, n: i64) -> Self {
        self.0.push(after << 4 | 5);
        self.varint((n << 1) as u64)
    }

    fn text(mut self, after: u8, text: &str) -> Self {
        self.0.push(after << 4 | 8);
        self = self.varint(text.len() as u64);
        self.0.extend(text.bytes());
        self
    }

    fn inside(mut self, after: u8, inner: Thrift) -> Self {
        self.0.push(after << 4 | 12);
        self.0.extend(inner.0);
        self.0.push(0);
        self
    }

    /// A list of structures.
    fn list(mut self, after: u8, items: Vec<Thrift>) -> Self {
        self.0.push(after << 4 | 9);
        self.0.push((items.len() as u8) << 4 | 12);
        for item in items {
            self.0.extend(item.0);
            self.0.push(0);
        }
        self
    }
}

/// How a column is: physical type, repetition (0 for one value a row, 2 for any number), packing.
#[derive(Clone, Copy)]
struct Column {
    kind: i64,
    repetition: i64,
    packing: i64,
}

const NUMBERS: Column = Column {
    kind: 1,
    repetition: 0,
    packing: 0,
};

/// The header of a page: its kind (0 data, 2 dictionary), what it says of its size, values and encoding.
fn page(kind: i64, unpacked: i64, values: i64, encoding: i64, bytes: &[u8]) -> Vec<u8> {
    let of = Thrift::default().small(1, values).small(1, encoding);
    let of = if kind == 0 {
        of.small(1, 3).small(1, 3)
    } else {
        of
    };
    let head = Thrift::default()
        .small(1, kind)
        .small(1, unpacked)
        .small(1, bytes.len() as i64);
    let mut page = head.inside(if kind == 0 { 2 } else { 4 }, of).0;
    page.push(0);
    page.extend(bytes);
    page
}

/// A file of one column, with two rows: numbers are lengths, lists are tokens.
fn parquet(column: Column, pages: &[Vec<u8>]) -> Vec<u8> {
    let Column {
        kind,
        repetition,
        packing,
    } = column;
    let name = if repetition == 2 { "tokens" } else { "length" };
    let pages = pages.concat();
    let mut about = Thrift::default().small(1, kind);
    about.0.extend([1 << 4 | 9, 1 << 4 | 5, 0]);
    about.0.extend([1 << 4 | 9, 1 << 4 | 8]);
    about = about.varint(6);
    about.0.extend(name.bytes());
    let length = pages.len() as i64;
    let about = about
        .small(1, packing)
        .int(1, 2)
        .int(1, length)
        .int(1, length)
        .int(2, 4);
    let chunk = Thrift::default().int(2, 4).inside(1, about);
    let group = Thrift::default()
        .list(1, vec![chunk])
        .int(1, length)
        .int(1, 2);
    let root = Thrift::default().text(4, "schema").small(1, 1);
    let leaf = Thrift::default()
        .small(1, kind)
        .small(2, repetition)
        .text(1, name);
    let mut contents = Thrift::default()
        .small(1, 1)
        .list(1, vec![root, leaf])
        .int(1, 2)
        .list(1, vec![group])
        .0;
    contents.push(0);
    let mut file = [&b"PAR1"[..], &pages, &contents].concat();
    file.extend((contents.len() as u32).to_le_bytes());
    file.extend(b"PAR1");
    file
}

fn open(bytes: &[u8]) -> Result<Box<Read>> {
    let source: &dyn Source = &bytes;
    let files = [File { name: "a", source }];
    ingest::parquet::open(&files, &Options::default(), false, &mut |_, _| {
        ControlFlow::Continue(())
    })
}

fn refused(column: Column, pages: &[Vec<u8>]) -> String {
    let file = parquet(column, pages);
    assert!(file.len() < 400_000);
    let told = open(&file).unwrap_err().to_string();
    let (_, what) = told
        .split_once("it cannot be read (")
        .unwrap_or_else(|| panic!("{told}"));
    what.split_once("); expected").unwrap().0.to_owned()
}

/// An archive of stored files: each is a name with its place in the contents, and its bytes.
fn zip(contents: &[u8], files: &[(String, u32, &[u8])]) -> Vec<u8> {
    let (mut directory, mut count) = (Vec::new(), 0_u16);
    for (name, place, bytes) in files {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        directory.extend(b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0");
        directory.extend(
            [crc.sum(), bytes.len() as u32, bytes.len() as u32]
                .map(u32::to_le_bytes)
                .concat(),
        );
        directory.extend((name.len() as u16).to_le_bytes());
        directory.extend([0; 12]);
        directory.extend(place.to_le_bytes());
        directory.extend(name.as_bytes());
        count += 1;
    }
    let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
    end.extend([count, count].map(u16::to_le_bytes).concat());
    end.extend(
        [directory.len() as u32, contents.len() as u32]
            .map(u32::to_le_bytes)
            .concat(),
    );
    end.extend([0; 2]);
    [contents, &directory, &end].concat()
}

/// A file as it is stored in an archive.
fn stored(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    let mut file = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0".to_vec();
    file.extend(
        [crc.sum(), bytes.len() as u32, bytes.len() as u32]
            .map(u32::to_le_bytes)
            .concat(),
    );
    file.extend((name.len() as u16).to_le_bytes());
    file.extend([0; 2]);
    [&file, name.as_bytes(), bytes].concat()
}

#[test]
fn files_of_an_archive_that_overlap_are_refused() {
    let lengths = b"12\n40\n7\n";
    let contents = stored("0.txt", lengths);
    let one = |i: u32| (format!("{i}.txt"), 0, &lengths[..]);
    let read = open(&zip(&contents, &[one(0)])).unwrap();
    assert_eq!(
        read.description.sentence(),
        "3 sequences, 7–40 tokens, mean 19.7"
    );
    let all: Vec<_> = (0..2000).map(one).collect();
    let told = open(&zip(&contents, &all)).unwrap_err().to_string();
    assert!(told.contains("files in it overlap"), "{told}");
}

/// Counts what is read of it.
struct Counted(Vec<u8>, std::cell::Cell<usize>);

impl Source for Counted {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        self.1.set(self.1.get() + 1);
        self.0[..].read(at, length)
    }
}

/// In a browser each read of a file takes as long as a large part of it.
#[test]
fn very_many_small_files_take_few_reads() {
    let (mut contents, mut files) = (Vec::new(), Vec::new());
    for i in 0..3000_u32 {
        let name = format!("{i}.txt");
        files.push((name.clone(), contents.len() as u32, &b"12\n40\n7\n"[..]));
        contents.extend(stored(&name, b"12\n40\n7\n"));
    }
    let source = ingest::Ahead::new(Counted(zip(&contents, &files), std::cell::Cell::new(0)));
    let read = {
        let files = [File {
            name: "a.zip",
            source: &source,
        }];
        ingest::parquet::open(&files, &Options::default(), false, &mut |_, _| {
            ControlFlow::Continue(())
        })
        .unwrap()
    };
    assert_eq!(read.description.items, 9000);
    let reads = source.inner().1.get();
    assert!(reads < 30, "{reads}");
    // What is read does not depend on it.
    let bytes = &source.inner().0;
    for (at, length) in [
        (0, 10),
        (5, 100_000),
        (90_000, 10),
        (bytes.len() - 3, 10),
        (bytes.len(), 1),
        (7, 400_000),
    ] {
        assert_eq!(
            source.read(at as u64, length),
            bytes[..].read(at as u64, length),
            "{at} {length}"
        );
    }
}

#[test]
fn bins_that_spread_over_very_many_lengths_are_refused() {
    let bins = |bins: u32, wide: u32| {
        let rows =
            (0..bins).map(|i| format!("{},{},{}\n", i * wide + 1, (i + 1) * wide, 1_000_000_000));
        format!("bin_start,bin_end,count\n{}", rows.collect::<String>())
    };
    assert!(open(bins(100, 1_000_000).as_bytes()).is_ok());
    let told = open(bins(4000, 1_000_000).as_bytes())
        .unwrap_err()
        .to_string();
    assert!(
        told.contains(
            "its 4,000 bins spread over 65,536,000 lengths, and at most 2,097,152 are read"
        ),
        "{told}"
    );
}

#[test]
fn the_files_made_here_are_parquet() {
    let two = [12u32, 7].map(u32::to_le_bytes).concat();
    let read = open(&parquet(NUMBERS, &[page(0, 8, 2, 0, &two)])).unwrap();
    assert_eq!(
        read.description.sentence(),
        "2 sequences, 7–12 tokens, mean 9.5"
    );
}

#[test]
fn a_page_that_claims_two_gigabytes_is_refused() {
    let snappy = Column {
        packing: 1,
        ..NUMBERS
    };
    let claim = [0xff, 0xff, 0xff, 0xff, 0x07, 0, 0];
    let told = refused(snappy, &[page(0, i64::from(i32::MAX), 2, 0, &claim)]);
    assert_eq!(told, "a page says that it is much longer than it can be");
}

#[test]
fn a_page_that_holds_more_than_it_says_is_refused() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    (0..257).for_each(|_| gzip.write_all(&zeros).unwrap());
    let packed = gzip.finish().unwrap();
    let told = refused(
        Column {
            packing: 2,
            ..NUMBERS
        },
        &[page(0, 8, 2, 0, &packed)],
    );
    assert_eq!(told, "a page has more than 256 MiB");
}

#[test]
fn a_dictionary_that_claims_two_thousand_million_values_is_refused() {
    let dictionary = page(2, 4, i64::from(i32::MAX), 0, &[12, 0, 0, 0]);
    let indices = page(0, 3, 2, 8, &[1, 4, 0]);
    assert_eq!(
        refused(NUMBERS, &[dictionary, indices]),
        "a dictionary has more values than bytes"
    );
}

#[test]
fn a_list_of_two_thousand_million_elements_is_refused() {
    // Levels of one bit: runs of so many ones, as how often and what.
    let run = [&[6, 0, 0, 0][..], &[0xfe, 0xff, 0xff, 0xff, 0x0f, 1]].concat();
    let first = [&[2, 0, 0, 0][..], &[2, 0]].concat();
    let lists = Column {
        repetition: 2,
        ..NUMBERS
    };
    let dictionary = page(2, 4, 1, 0, &[12, 0, 0, 0]);
    let begin = page(
        0,
        0,
        1,
        8,
        &[&first[..], &[2, 0, 0, 0, 2, 1], &[0, 2]].concat(),
    );
    let rest = [&run[..], &run, &[0, 0xfe, 0xff, 0xff, 0xff, 0x0f]].concat();
    let rest = page(0, 0, i64::from(i32::MAX), 8, &rest);
    assert_eq!(
        refused(lists, &[dictionary, begin, rest]),
        "a few rows have more than 16,777,216 elements"
    );
}

#[test]
fn texts_that_claim_two_thousand_million_lengths_are_refused() {
    let texts = Column { kind: 6, ..NUMBERS };
    // Block of 128, four parts, so many values, the first of them.
    let delta = [0x80, 0x01, 0x04, 0xff, 0xff, 0xff, 0xff, 0x07, 0x00];
    let file = parquet(texts, &[page(0, 0, 2, 6, &delta)]);
    let options = Options {
        sizes: vec!["length".into()],
        ..Options::default()
    };
    let bytes: &[u8] = &file;
    let files = [File {
        name: "a",
        source: &bytes,
    }];
    let read =
        ingest::parquet::open_as::<1>(&files, &options, &mut |_, _| ControlFlow::Continue(()));
    let told = read.unwrap_err().to_string();
    // Raw bytes are no texts unless the file says so.
    assert!(
        told.contains("a page has more values than it says") || told.contains("holds raw bytes"),
        "{told}"
    );
}
