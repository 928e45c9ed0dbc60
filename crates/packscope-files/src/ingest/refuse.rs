//! Formats that cannot be read, recognised by their first bytes and refused with the remedy.

use super::histograms;
use super::layouts;
use packscope_core::error::{Error, Result};
use std::borrow::Cow;

/// A format that cannot be read, and the remedy.
type RefusedFormat = (&'static str, &'static str);

const EXPECTED: &str = "expected text: CSV, numbers, JSON or JSON Lines";
const PICKLE: RefusedFormat = (
    "a Python pickle",
    "save lengths instead: pandas.Series(lengths).to_csv(\"lengths.csv\", index=False)",
);
const R: RefusedFormat = (
    "an R object",
    "save the lengths in R: write.csv(data.frame(length = lengths), \"lengths.csv\", row.names = FALSE)",
);
const UNPACK: &str = "unpack it first, and bring the files in it";
const UTF8: &str = "save it as UTF-8";

/// Magic bytes of files that cannot be read as text. The first that fits counts, so UTF-32 stands
/// before UTF-16, with which it begins. Formats that `open` reads are here too: for readers of
/// bytes alone, and for files packed twice.
const KNOWN: [(&[u8], RefusedFormat); 33] = [
    (
        b"ORC",
        (
            "an ORC file",
            "write it as Parquet: pyarrow.parquet.write_table(pyarrow.orc.read_table(\"…\"), \"….parquet\")",
        ),
    ),
    (
        b"\x3f\xa1\xb4\x46\xf0\x4f\x2e\xdd",
        (
            "a file of DGL",
            "write a table: pandas.DataFrame({\"nodes\": [g.num_nodes() for g in graphs], \"edges\": [g.num_edges() for g in graphs]}).to_csv(\"graphs.csv\")",
        ),
    ),
    (
        b"Obj\x01",
        (
            "an Avro file",
            "write it as Parquet: polars.read_avro(\"…\").write_parquet(\"….parquet\")",
        ),
    ),
    (
        b"FEA1",
        (
            "an old Feather file",
            "write it anew: pyarrow.feather.write_feather(pyarrow.feather.read_table(\"…\"), \"….arrow\")",
        ),
    ),
    (
        b"\x89HDF",
        (
            "an HDF5 file",
            "save the lengths: numpy.save(\"lengths.npy\", h5py.File(\"…\")[\"…\"][:])",
        ),
    ),
    (
        b"SQLite format 3",
        (
            "an SQLite database",
            "write a table: sqlite3 -csv -header FILE \"SELECT length, count(*) FROM … GROUP BY 1\"",
        ),
    ),
    (b"ccollections\n", PICKLE),
    (b"(lp0\n", PICKLE),
    (b"(dp0\n", PICKLE),
    (b"\x80\x02", PICKLE),
    (b"\x80\x03", PICKLE),
    (b"\x80\x04", PICKLE),
    (b"\x80\x05", PICKLE),
    (b"RDX", R),
    (b"X\n\0\0\0", R),
    (
        b"\x04\x22\x4d\x18",
        ("lz4-compressed data", "unpack it first: lz4 -d FILE"),
    ),
    (
        b"\x28\xb5\x2f\xfd",
        ("zstd-compressed data", "unpack it first: zstd -d FILE"),
    ),
    (
        b"\xfd7zXZ\0",
        ("xz-compressed data", "unpack it first: unxz FILE"),
    ),
    (
        b"BZh",
        ("bzip2-compressed data", "unpack it first: bunzip2 FILE"),
    ),
    (b"7z\xbc\xaf", ("a 7-Zip archive", UNPACK)),
    (b"Rar!\x1a\x07", ("a RAR archive", UNPACK)),
    (b"\xff\xfe\0\0", ("UTF-32 text", UTF8)),
    (b"\xff\xfe", ("UTF-16 text", UTF8)),
    (b"\xfe\xff", ("UTF-16 text", UTF8)),
    (
        b"\xd0\xcf\x11\xe0",
        ("an old Office document", "save the sheet as CSV"),
    ),
    (b"\x1f\x8b", ("gzip-compressed data", EXPECTED)),
    (
        b"PK\x03\x04",
        ("a ZIP archive (or a spreadsheet)", EXPECTED),
    ),
    (b"PAR1", ("a Parquet file", EXPECTED)),
    (b"ARROW1", ("an Arrow file", EXPECTED)),
    (b"\x93NUMPY", ("a NumPy array", EXPECTED)),
    (b"%PDF-", ("a PDF document", EXPECTED)),
    (b"\x7fELF", ("a program", EXPECTED)),
    (b"\x89PNG", ("an image", EXPECTED)),
];

const ZERO: RefusedFormat = (
    "binary data (a zero byte)",
    "of tokens as .bin, bring the .idx beside it, or write the lengths; of an array, numpy.save(\"lengths.npy\", lengths); of \
     shards of MDS, [len(x[\"tokens\"]) for x in StreamingDataset(local=\"…\")], one a line; expected text, or NumPy, Parquet \
     or Arrow",
);

/// Refuses files of other formats, with the command that converts them.
pub(super) fn refuse_binary(text: &[u8]) -> Result<()> {
    let by_magic = KNOWN
        .iter()
        .find(|(magic, _)| text.starts_with(magic))
        .map(|(_, refused)| *refused);
    let known = by_magic
        .or_else(|| by_shape(text))
        .map(|refused| (0, refused));
    let zero = memchr::memchr(0, text).map(|at| (at, ZERO));
    // A known format has a better answer than its zero bytes.
    match known.or(zero) {
        None => Ok(()),
        Some((at, (what, cure))) => Err(Error::Input {
            place: format!("byte {}", at + 1),
            message: format!("this is {what}; {cure}"),
        }),
    }
}

/// Recognises binary data without magic bytes.
fn by_shape(head: &[u8]) -> Option<RefusedFormat> {
    // TFRecord begins with the length of a record and the checksum of that length.
    let is_records = head.get(..12).is_some_and(|bytes| {
        let (length, sum) = bytes.split_at(8);
        sum == masked_sum(length).to_le_bytes()
    });
    // Offsets after the formats: tar's header has "ustar" at 257, LMDB its magic at 16.
    match () {
        () if head.get(257..262) == Some(b"ustar") => Some((
            "a tar archive",
            "unpack it first, and bring the files in it: tar -xf FILE; of a WebDataset, its records: \
             tar -xOf FILE --wildcards \"*.json\" > records.jsonl",
        )),
        () if head.get(16..20) == Some(&b"\xde\xc0\xef\xbe"[..]) => Some((
            "an LMDB database",
            "write the lengths in Python: with lmdb.open(\"…\", subdir=False).begin() as t: [len(pickle.loads(v)) for _, v in t.cursor()], \
             one a line",
        )),
        () if is_records => Some((
            "TFRecord",
            "print the counts in Python, and bring what is printed: collections.Counter(len(tf.train.Example.FromString(r\
             .numpy()).features.feature[\"input_ids\"].int64_list.value) for r in tf.data.TFRecordDataset(\"…\"))",
        )),
        // SafeTensors begins with the length of a header in JSON, in 64 bits; the upper bytes are
        // 0.
        () if head
            .get(5..)
            .is_some_and(|bytes| bytes.starts_with(&[0, 0, 0, b'{'])) =>
        {
            Some((
                "SafeTensors",
                "save the lengths: numpy.save(\"lengths.npy\", lengths)",
            ))
        }
        () => None,
    }
}

/// Returns the checksum by which TFRecord protects the length of a record: CRC-32C, masked as
/// TensorFlow's `crc32c.h` does.
fn masked_sum(bytes: &[u8]) -> u32 {
    // The polynomial of CRC-32C (Castagnoli), reversed; without a table, as it is run once.
    let bit = |sum: u32, _| {
        if sum & 1 == 1 {
            (sum >> 1) ^ 0x82f6_3b78
        } else {
            sum >> 1
        }
    };
    let sum = !bytes
        .iter()
        .fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), bit));
    sum.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Refuses text that is not the data, such as a server's error page or a pointer to a file, judged by the first lines
/// that are not blank, and by all.
pub(super) fn refuse_others(lines: &[&[u8]], all: &[&[u8]]) -> Result<()> {
    let line = |i: usize| lines.get(i).copied().unwrap_or_default().trim_ascii();
    let begins = |word: &[u8]| {
        line(0)
            .get(..word.len())
            .is_some_and(|from| from.eq_ignore_ascii_case(word))
    };
    let is = |what: &str| {
        Err(Error::Input {
            place: "line 1".to_owned(),
            message: format!("this is {what}"),
        })
    };
    let is_json = matches!(line(1).first(), Some(b'[' | b'{'));
    let what = match () {
        () if begins(b"<!doctype html") || begins(b"<html") => {
            "an HTML page; expected the file itself"
        }
        () if begins(b"<?xml") => "XML; expected CSV, numbers, JSON or JSON Lines",
        () if begins(b"version https://git-lfs") => {
            "what stands for a file in Git LFS; fetch the file itself"
        }
        () if (begins(b"//") || begins(b"/*")) && is_json => {
            "JSON behind a comment, which JSON has not; remove it"
        }
        () if begins(b"<")
            && lines
                .iter()
                .filter(|line| line.trim_ascii_start().starts_with(b"<"))
                .count()
                > lines.len() / 2 =>
        {
            "markup; write the table in it as CSV: pandas.read_html(\"…\")[0].to_csv(\"lengths.csv\")"
        }
        () => {
            let found = histograms::refused(lines, all).map(Cow::from);
            return match found.or_else(|| layouts::known_layout(lines, all)) {
                Some(what) => is(&what),
                None => Ok(()),
            };
        }
    };
    is(what)
}

/// Refuses control characters that do not occur in text.
pub(super) fn refuse_controls(text: &[u8]) -> Result<()> {
    let is_odd = |b: &u8| *b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0x1b);
    let Some(at) = text.iter().position(is_odd) else {
        return Ok(());
    };
    let message = "this is binary data (a control character); expected text: CSV, numbers, JSON or JSON Lines";
    Err(Error::Input {
        place: format!("byte {}", at + 1),
        message: message.to_owned(),
    })
}
