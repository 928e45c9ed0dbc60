//! Files from public reports, and tables in the dialects of real tools: each is read correctly, or refused with a
//! remedy. `tests/data/reports.json` has values counted without Packscope; files without a number are refused.

use packscope_core::histogram::Sizes;
use packscope_files::ingest::{self, File, Options};
use std::ops::ControlFlow;

#[derive(serde::Deserialize)]
struct Report {
    name: String,
    text: Option<String>,
    base64: Option<String>,
    items: Option<u64>,
    tokens: Option<u64>,
}

fn bytes(report: &Report) -> Vec<u8> {
    match (&report.text, &report.base64) {
        (Some(text), _) => text.clone().into_bytes(),
        (None, Some(code)) => {
            base64::Engine::decode(&base64::prelude::BASE64_STANDARD, code).unwrap()
        }
        (None, None) => Vec::new(),
    }
}

/// Parts of a message that say what to do.
const WAYS: [&str; 13] = [
    "--length-column",
    "--count-column",
    "packscope tokens",
    "awk '",
    "jq ",
    "tr -s",
    "pandas",
    "numpy",
    "write ",
    "bring ",
    "expected ",
    "whole numbers from 1",
    "is never closed",
];

#[test]
fn every_report_is_read_right_or_refused_with_the_way_out() {
    let reports: Vec<Report> =
        serde_json::from_str(include_str!("../../../../tests/data/reports.json")).unwrap();
    assert!(reports.len() > 100, "{}", reports.len());
    let mut wrong = Vec::new();
    for report in &reports {
        let bytes = bytes(report);
        let files = [File {
            name: &report.name,
            source: &bytes.as_slice(),
        }];
        let read = ingest::parquet::open(&files, &Options::default(), false, &mut |_, _| {
            ControlFlow::Continue(())
        });
        let found = match &read {
            Ok(read) => match (&read.counted, read.description.doubt()) {
                (Sizes::Lengths(h), None) => Ok((h.items(), h.total()[0])),
                // Those who want lengths say of which.
                (Sizes::Graphs(_), None) if report.items.is_none() => {
                    Err("pairs: --length-column".to_owned())
                }
                (Sizes::Texts(h) | Sizes::Graphs(h), None) => Ok((h.items(), h.total()[0])),
                (_, Some(doubt)) => Err(format!("{doubt}; expected fewer")),
            },
            Err(error) => Err(error.to_string()),
        };
        // Of bins the tokens are not known.
        match (report.items.map(|items| (items, report.tokens)), &found) {
            (Some((items, tokens)), Ok(found))
                if items == found.0 && tokens.is_none_or(|tokens| tokens == found.1) => {}
            (None, Err(said)) if WAYS.iter().any(|way| said.contains(way)) => {}
            (want, _) => wrong.push(format!("{}: {found:?} instead of {want:?}", report.name)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn said(input: &[u8]) -> String {
    match ingest::read::<1>(input, Options::default()) {
        Ok(read) => panic!(
            "{:?} is read as {}",
            String::from_utf8_lossy(input),
            read.description.sentence()
        ),
        Err(error) => error.to_string(),
    }
}

#[test]
fn one_graph_is_refused_by_the_name_of_its_format() {
    let cases: [(&str, &str); 8] = [
        (
            "%%MatrixMarket matrix coordinate pattern symmetric\n40 40 135\n2 1\n",
            "MatrixMarket",
        ),
        ("# FromNodeId\tToNodeId\n1\t2\n1\t4\n", "SNAP"),
        ("c a remark\np edge 4 2\ne 1 2\ne 3 4\n", "DIMACS"),
        ("graph [\n  directed 0\n  node [\n    id 1\n  ]\n]\n", "GML"),
        ("*Vertices 3\n1 \"a\"\n2 \"b\"\n", "Pajek"),
        ("digraph g {\n  a -> b;\n}\n", "DOT"),
        ("3 2\n2\n1 3\n2\n", "METIS"),
        ("A_\nBw\nC~\n", "graph6"),
    ];
    for (input, name) in cases {
        let said = said(input.as_bytes());
        assert!(
            said.contains(name) && said.contains("nodes,edges"),
            "{input:?}: {said}"
        );
    }
}

#[test]
fn binary_files_are_refused_by_name_with_the_line_that_writes_lengths() {
    let lmdb = [&[0; 16][..], b"\xde\xc0\xef\xbe\x01\0\0\0"].concat();
    let cases: [(&[u8], &str, &str); 6] = [
        (&lmdb, "LMDB", "lmdb.open"),
        (b"\x3f\xa1\xb4\x46\xf0\x4f\x2e\xdd\0\0", "DGL", "num_nodes"),
        (b"\x89HDF\r\n\x1a\n\0", "HDF5", "h5py"),
        (b"SQLite format 3\0", "SQLite", "sqlite3"),
        (b"\x40\0\0\0\0\0\0\0{\"a\":{}}", "SafeTensors", "numpy.save"),
        (b"ccollections\nCounter\np0\n", "pickle", "to_csv"),
    ];
    for (input, name, way) in cases {
        let said = said(input);
        assert!(said.contains(name) && said.contains(way), "{said}");
    }
    assert!(said(&[0, 0, 1, 0, 2, 0]).contains("the .idx beside it"));
}

fn opened(files: &[(&str, &str)]) -> Result<u64, String> {
    let sources: Vec<&[u8]> = files.iter().map(|(_, text)| text.as_bytes()).collect();
    let files: Vec<File<'_>> = files
        .iter()
        .zip(&sources)
        .map(|((name, _), source)| File { name, source })
        .collect();
    let read = ingest::parquet::open(&files, &Options::default(), false, &mut |_, _| {
        ControlFlow::Continue(())
    });
    read.map(|read| read.description.items)
        .map_err(|error| error.to_string())
}

#[test]
fn folders_count_nothing_twice() {
    let table = "length\n5\n9\n";
    let twice = opened(&[
        ("a/train.csv", table),
        ("a/train.jsonl", "{\"length\":5}\n{\"length\":9}\n"),
    ]);
    assert!(twice.unwrap_err().contains("seem to hold the same"));
    assert_eq!(
        opened(&[
            ("a/train.csv", table),
            ("a/LICENSE", "All rights are reserved.\n")
        ]),
        Ok(2)
    );
    assert_eq!(
        opened(&[
            ("a/train.csv", table),
            ("b/train.csv", table),
            ("a/test.csv", table)
        ]),
        Ok(6)
    );
    let other = opened(&[("a/1.csv", table), ("a/2.csv", "n_tokens\n5\n")]);
    assert!(
        other
            .unwrap_err()
            .contains("its columns are others than those of a/1.csv")
    );
}
