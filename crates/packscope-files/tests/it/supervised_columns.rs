//! Which tokens bear loss, of Parquet and Arrow as pyarrow writes them. `tests/data/supervised/make.py` makes the files, each
//! beside the same records in JSON Lines.

use packscope_core::error::Result;
use packscope_files::ingest::{File, Problem};
use packscope_files::tokens::supervised::{
    self, Labels, ReadOptions, SupervisedRecord, found_in_columns, read_columns,
};
use std::ops::Range;

/// The files, by the one that says in JSON Lines what they hold.
const FILES: [(&str, &[&str]); 3] = [
    (
        "records.jsonl",
        &[
            "labels.parquet",
            "labels-v2.parquet",
            "labels-plain.parquet",
            "mask.parquet",
            "labels.arrow",
            "labels-stream.arrow",
            "mask.arrow",
        ],
    ),
    ("fixed.jsonl", &["fixed.arrow", "fixed.parquet"]),
    (
        "pairs.jsonl",
        &["pairs.parquet", "pairs.arrow", "lists.arrow"],
    ),
];

type Items = Vec<(u32, Vec<Range<u32>>, Option<String>)>;

fn bytes(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/supervised");
    std::fs::read(format!("{folder}/{name}")).unwrap()
}

fn item(record: SupervisedRecord<'_>) -> (u32, Vec<Range<u32>>, Option<String>) {
    (
        record.tokens,
        record.spans.to_vec(),
        record.source.map(str::to_owned),
    )
}

/// The records of JSON Lines, with the number of those that are left out.
fn of_lines(name: &str) -> (Items, u64) {
    let bytes = bytes(name);
    let source = &bytes.as_slice();
    let options = ReadOptions {
        source: supervised::source_field(source, &ReadOptions::default()).unwrap(),
        ..ReadOptions::default()
    };
    let labels = supervised::found(source, &options).unwrap().unwrap();
    let mut items = Items::new();
    let read = supervised::read(
        source,
        &options,
        &labels,
        None,
        &mut supervised::go_on,
        &mut |record| {
            items.push(item(record));
            Ok(())
        },
    );
    (items, read.unwrap().description.skipped)
}

/// The rows of columns, with those that are left out.
fn of_columns(bytes: &[u8], sample: Option<u64>) -> Result<(Labels, Items, Vec<Problem>)> {
    let files = [File {
        name: "file",
        source: &bytes,
    }];
    let (labels, source) = found_in_columns(&files)?.unwrap_or((Labels::Texts, None));
    let options = ReadOptions {
        source,
        sample,
        ..ReadOptions::default()
    };
    let mut items = Items::new();
    let read = read_columns(
        &files,
        &options,
        &labels,
        &mut supervised::go_on,
        &mut |record| {
            items.push(item(record));
            Ok(())
        },
    )?;
    Ok((labels, items, read.description.problems))
}

#[test]
fn every_form_of_columns_says_what_the_lines_beside_it_say() {
    for (lines, files) in FILES {
        let (expected, skipped) = of_lines(lines);
        assert!(expected.len() > 2, "{lines}");
        for name in files {
            let (_, items, problems) = of_columns(&bytes(name), None).unwrap();
            assert_eq!(items, expected, "{name}");
            assert_eq!(problems.len() as u64, skipped, "{name}");
        }
    }
}

#[test]
fn the_column_that_tells_is_named_and_a_sample_ends_early() {
    let told = |name: &str| of_columns(&bytes(name), None).unwrap().0.to_string();
    assert_eq!(told("labels.arrow"), "\"labels\", where it is not −100");
    assert_eq!(told("mask.parquet"), "\"loss_mask\", where it is not 0");
    assert_eq!(
        told("lists.arrow"),
        "\"completion_ids\" after \"prompt_ids\""
    );
    let (expected, _) = of_lines("records.jsonl");
    for name in ["labels.parquet", "labels.arrow"] {
        let (_, items, _) = of_columns(&bytes(name), Some(3)).unwrap();
        assert_eq!(items[..3], expected[..3], "{name}");
    }
    let (_, _, problems) = of_columns(&bytes("labels.parquet"), None).unwrap();
    assert_eq!(problems[0].place(), "row 6");
}

#[test]
fn several_files_are_read_one_after_the_other() {
    let all = [bytes("labels.parquet"), bytes("labels.arrow")];
    let sources: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
    let files = [0, 1].map(|at| File {
        name: ["a", "b"][at],
        source: &sources[at],
    });
    let (labels, source) = found_in_columns(&files).unwrap().unwrap();
    let options = ReadOptions {
        source,
        ..ReadOptions::default()
    };
    let (mut items, mut positions) = (Items::new(), Vec::new());
    read_columns(
        &files,
        &options,
        &labels,
        &mut |at, of| {
            positions.push((at, of));
            supervised::go_on(at, of)
        },
        &mut |record| {
            items.push(item(record));
            Ok(())
        },
    )
    .unwrap();
    let (expected, _) = of_lines("records.jsonl");
    assert_eq!(items, [expected.clone(), expected].concat());
    let size: u64 = all.iter().map(|file| file.len() as u64).sum();
    assert!(positions.is_sorted() && positions.iter().all(|(at, of)| at <= of && *of == size));
}

#[test]
fn texts_and_numbers_alone_tell_nothing() {
    let odd = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/odd");
        std::fs::read(format!("{folder}/{name}")).unwrap()
    };
    for name in [
        "parquet-chat.parquet",
        "parquet-count.parquet",
        "csv-bom.csv",
    ] {
        let bytes = odd(name);
        let files = [File {
            name,
            source: &bytes.as_slice(),
        }];
        assert_eq!(found_in_columns(&files).unwrap(), None, "{name}");
    }
}

/// A changed byte is another file: it may be refused, or say something else, but not end the program.
#[test]
fn a_damaged_file_is_refused_or_read() {
    let mut refused = 0;
    for name in FILES.iter().flat_map(|(_, files)| *files) {
        let whole = bytes(name);
        for at in 0..whole.len() {
            for value in [0u8, 0xff, whole[at].wrapping_add(1)] {
                let mut damaged = whole.clone();
                damaged[at] = value;
                refused += u32::from(of_columns(&damaged, None).is_err());
            }
            refused += u32::from(of_columns(&whole[..at], None).is_err());
        }
    }
    assert!(refused > 10_000, "{refused}");
}
