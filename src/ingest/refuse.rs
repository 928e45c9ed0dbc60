//! Formats that cannot be read, known by their first bytes: each is refused with the way out.

use super::held;
use super::layouts;
use crate::error::{Error, Result};

/// Magic bytes of unsupported files, and their names.
const KNOWN: [(&[u8], &str); 33] = [
    (b"ORC", "an ORC file"),
    (b"\x3f\xa1\xb4\x46\xf0\x4f\x2e\xdd", "a file of DGL"),
    (b"ccollections\n", "a Python pickle"),
    (b"Obj\x01", "an Avro file"),
    (b"FEA1", "an old Feather file"),
    (b"\x04\x22\x4d\x18", "lz4-compressed data"),
    (b"RDX", "an R object"),
    (b"X\n\0\0\0", "an R object"),
    (b"(lp0\n", "a Python pickle"),
    (b"(dp0\n", "a Python pickle"),
    (b"\xff\xfe\0\0", "UTF-32 text"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
    (b"\x1f\x8b", "gzip-compressed data"),
    (b"PK\x03\x04", "a ZIP archive (or a spreadsheet)"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed data"),
    (b"BZh", "bzip2-compressed data"),
    (b"\xfd7zXZ\0", "xz-compressed data"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF", "an HDF5 file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"%PDF-", "a PDF document"),
    (b"\x80\x02", "a Python pickle"),
    (b"\x80\x03", "a Python pickle"),
    (b"\x80\x04", "a Python pickle"),
    (b"\x80\x05", "a Python pickle"),
    (b"\x7fELF", "a program"),
    (b"\x89PNG", "an image"),
];

/// Rejects files of other formats, with the line that converts them.
pub(super) fn refuse_binary(text: &[u8]) -> Result<()> {
    let by_magic = KNOWN.iter().find(|(magic, _)| text.starts_with(magic)).map(|(_, what)| *what);
    let known = by_magic.or_else(|| by_shape(text)).map(|what| (0, what));
    let zero = memchr::memchr(0, text).map(|at| (at, "binary data (a zero byte)"));
    let Some((at, what)) = known.or(zero) else {
        return Ok(());
    };
    let cure = cure(what);
    Err(Error::Input { place: format!("byte {}", at + 1), message: format!("this is {what}; {cure}") })
}

/// Returns the way out for what cannot be read.
fn cure(what: &str) -> &'static str {
    match what {
        _ if what.starts_with("UTF-") => "save it as UTF-8",
        "zstd-compressed data" => "unpack it first: zstd -d FILE",
        "bzip2-compressed data" => "unpack it first: bunzip2 FILE",
        "xz-compressed data" => "unpack it first: unxz FILE",
        "lz4-compressed data" => "unpack it first: lz4 -d FILE",
        "a 7-Zip archive" | "a RAR archive" => "unpack it first, and bring the files in it",
        "a tar archive" => {
            "unpack it first, and bring the files in it: tar -xf FILE; of a WebDataset, its records: \
             tar -xOf FILE --wildcards \"*.json\" > records.jsonl"
        }
        "TFRecord" => {
            "print the counts in Python, and bring what is printed: collections.Counter(len(tf.train.Example.FromString(r\
             .numpy()).features.feature[\"input_ids\"].int64_list.value) for r in tf.data.TFRecordDataset(\"…\"))"
        }
        "an Avro file" => "write it as Parquet: polars.read_avro(\"…\").write_parquet(\"….parquet\")",
        "an old Feather file" => {
            "write it anew: pyarrow.feather.write_feather(pyarrow.feather.read_table(\"…\"), \"….arrow\")"
        }
        "an R object" => {
            "save the lengths in R: write.csv(data.frame(length = lengths), \"lengths.csv\", row.names = FALSE)"
        }
        "a Python pickle" => {
            "save lengths instead: pandas.Series(lengths).to_csv(\"lengths.csv\", index=False)"
        }
        "an old Office document" => "save the sheet as CSV",
        "an ORC file" => {
            "write it as Parquet: pyarrow.parquet.write_table(pyarrow.orc.read_table(\"…\"), \"….parquet\")"
        }
        "an HDF5 file" => "save the lengths: numpy.save(\"lengths.npy\", h5py.File(\"…\")[\"…\"][:])",
        "a file of DGL" => {
            "write a table: pandas.DataFrame({\"nodes\": [g.num_nodes() for g in graphs], \"edges\": [g.num_edges() for g in graphs]}).to_csv(\"graphs.csv\")"
        }
        "an LMDB database" => {
            "write the lengths in Python: with lmdb.open(\"…\", subdir=False).begin() as t: [len(pickle.loads(v)) for _, v in t.cursor()], \
             one a line"
        }
        "binary data (a zero byte)" => {
            "of tokens as .bin, bring the .idx beside it, or write the lengths; of an array, numpy.save(\"lengths.npy\", lengths); of \
             shards of MDS, [len(x[\"tokens\"]) for x in StreamingDataset(local=\"…\")], one a line; expected text, or NumPy, Parquet \
             or Arrow"
        }
        "an SQLite database" => {
            "write a table: sqlite3 -csv -header FILE \"SELECT length, count(*) FROM … GROUP BY 1\""
        }
        "SafeTensors" => "save the lengths: numpy.save(\"lengths.npy\", lengths)",
        _ => "expected text: CSV, numbers, JSON or JSON Lines",
    }
}

/// Returns what binary data are that no first byte gives away.
fn by_shape(head: &[u8]) -> Option<&'static str> {
    let is_tar = head.get(257..262) == Some(b"ustar");
    let is_records = head.get(..12).is_some_and(|bytes| {
        let (length, sum) = bytes.split_at(8);
        sum == masked_sum(length).to_le_bytes()
    });
    // The length of a header in JSON, of 64 bits.
    let is_lmdb = head.get(16..20) == Some(&b"\xde\xc0\xef\xbe"[..]);
    let is_tensors = head.get(5..10).is_some_and(|bytes| bytes.starts_with(&[0, 0, 0, b'{']));
    match () {
        () if is_tar => Some("a tar archive"),
        () if is_lmdb => Some("an LMDB database"),
        () if is_records => Some("TFRecord"),
        () if is_tensors => Some("SafeTensors"),
        () => None,
    }
}

/// Returns the checksum by which TFRecord protects the length of a record: CRC-32C, rotated and moved.
fn masked_sum(bytes: &[u8]) -> u32 {
    let bit = |sum: u32, _| if sum & 1 == 1 { (sum >> 1) ^ 0x82f6_3b78 } else { sum >> 1 };
    let sum = !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), bit));
    sum.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Rejects text that is not the data, such as a server's error page or a pointer to a file, from the first lines that are not
/// blank and from all.
pub(super) fn refuse_others(lines: &[&[u8]], all: &[&[u8]]) -> Result<()> {
    let line = |i: usize| lines.get(i).copied().unwrap_or_default().trim_ascii();
    let begins = |word: &[u8]| line(0).get(..word.len()).is_some_and(|from| from.eq_ignore_ascii_case(word));
    let is_json = matches!(line(1).first(), Some(b'[' | b'{'));
    let what = match () {
        () if begins(b"<!doctype html") || begins(b"<html") => "an HTML page; expected the file itself",
        () if begins(b"<?xml") => "XML; expected CSV, numbers, JSON or JSON Lines",
        () if begins(b"version https://git-lfs") => {
            "what stands for a file in Git LFS; fetch the file itself"
        }
        () if (begins(b"//") || begins(b"/*")) && is_json => {
            "JSON behind a comment, which JSON has not; remove it"
        }
        () if begins(b"<")
            && lines.iter().filter(|line| line.trim_ascii_start().starts_with(b"<")).count()
                > lines.len() / 2 =>
        {
            "markup; write the table in it as CSV: pandas.read_html(\"…\")[0].to_csv(\"lengths.csv\")"
        }
        () => match held::refused(lines, all).or_else(|| layouts::known(lines, all)) {
            Some(what) => what,
            None => return Ok(()),
        },
    };
    Err(Error::Input { place: "line 1".to_owned(), message: format!("this is {what}") })
}

/// Rejects control characters that do not occur in text.
pub(super) fn refuse_controls(text: &[u8]) -> Result<()> {
    let is_odd = |b: &u8| *b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0x1b);
    let Some(at) = text.iter().position(is_odd) else { return Ok(()) };
    let message =
        "this is binary data (a control character); expected text: CSV, numbers, JSON or JSON Lines";
    Err(Error::Input { place: format!("byte {}", at + 1), message: message.to_owned() })
}
