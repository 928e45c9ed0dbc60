//! Odd and damaged files in every format: each gives a located message or a stated result, never a wrong histogram.
//! `tests/data/odd/make.py` makes the files, and `outcomes.json` has the expected outcome of each; a folder is a set of
//! files that are opened together.

use packscope_core::error::{Error, Result};
use packscope_core::histogram::Sizes;
use packscope_files::ingest::{self, File, OpenResult, Options, Read, Source};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Bytes that come in pieces of at most so many.
struct Pieces(Vec<u8>, usize);

impl Source for Pieces {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        self.0.as_slice().read(at, length.min(self.1))
    }
}

fn folder() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tests/data/odd")
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    files
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

/// Opens files that come in such pieces.
fn open<T>(paths: &[PathBuf], piece: usize, how: impl FnOnce(&[File<'_>]) -> T) -> T {
    let sources: Vec<(String, Pieces)> = paths
        .iter()
        .map(|p| (name(p), Pieces(std::fs::read(p).unwrap(), piece)))
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

/// What came of it: the sentence, the histogram, notes and problems; or the error.
fn outcome(read: &Result<Box<Read>, Error>) -> Vec<String> {
    let read = match read {
        Ok(read) => read,
        Err(error) => return vec![format!("error: {error}")],
    };
    let entries: Vec<String> = match &read.counted {
        Sizes::Lengths(h) => h
            .entries()
            .iter()
            .map(|([n], count)| format!("{n}×{count}"))
            .collect(),
        Sizes::Texts(h) | Sizes::Graphs(h) => h
            .entries()
            .iter()
            .map(|([a, b], count)| format!("{a}:{b}×{count}"))
            .collect(),
    };
    let described = &read.description;
    let mut lines = vec![described.sentence(), entries.join(" ")];
    lines.extend(described.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(
        described
            .problems
            .iter()
            .map(|problem| format!("problem: {problem}")),
    );
    lines
}

fn cases() -> Vec<(String, Vec<PathBuf>)> {
    let all = listed(&folder()).into_iter();
    let cases = all.filter(|p| !["make.py", "outcomes.json"].contains(&name(p).as_str()));
    cases
        .map(|p| (name(&p), if p.is_dir() { listed(&p) } else { vec![p] }))
        .collect()
}

#[test]
fn every_odd_file_has_the_expected_outcome_whole_and_in_pieces() {
    let expected = std::fs::read(folder().join("outcomes.json")).unwrap();
    let mut expected: BTreeMap<String, Vec<String>> = serde_json::from_slice(&expected).unwrap();
    let cases = cases();
    assert!(cases.len() >= 220, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for (name, paths) in &cases {
        let want = expected.remove(name);
        for piece in [usize::MAX, 7, 1] {
            let read = open(paths, piece, |files| {
                ingest::parquet::open(files, &Options::default(), false, &mut go_on)
            });
            let found = outcome(&read);
            if Some(&found) != want.as_ref() {
                wrong.push(format!(
                    "{name}, {piece} bytes at once: {found:#?} instead of {want:#?}"
                ));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(expected.is_empty(), "no such files: {:?}", expected.keys());
}

#[test]
fn without_the_part_for_parquet_it_is_asked_for_and_all_else_is_the_same() {
    for (name, paths) in &cases() {
        let [all, less] = [true, false].map(|all| {
            open(paths, usize::MAX, |files| match all {
                true => ingest::parquet::open(files, &Options::default(), true, &mut go_on)
                    .map(OpenResult::Read),
                false => ingest::open(files, &Options::default(), true, &mut go_on),
            })
        });
        if less != Ok(OpenResult::Needs) {
            assert_eq!(less, all, "{name}");
        } else {
            // Parquet, Arrow, zstd, and what zstd skips.
            let begins: [&[u8]; 4] = [b"PAR", b"ARROW1", b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18"];
            let is_left = |path: &PathBuf| {
                let bytes = std::fs::read(path).unwrap();
                begins.iter().any(|begin| bytes.starts_with(begin))
            };
            assert!(paths.iter().any(is_left), "{name}");
        }
    }
}

#[test]
fn some_bytes_may_be_missing_or_another_without_a_panic() {
    spoil_a_byte_in(331);
}

#[test]
#[ignore = "outer circle: half a minute; some bytes are in the inner circle"]
fn every_byte_may_be_missing_or_another_without_a_panic() {
    spoil_a_byte_in(11);
}

/// Changes, then leaves out, one byte in `step` of each odd binary file.
fn spoil_a_byte_in(step: usize) {
    let odd = |name: &str| {
        ["parquet", "npz", "zip-", "zstd"]
            .iter()
            .any(|begin| name.starts_with(begin))
    };
    let small = cases()
        .into_iter()
        .filter(|(name, paths)| odd(name) && paths.len() == 1);
    for (_, paths) in small {
        let bytes = std::fs::read(&paths[0]).unwrap();
        for at in (0..bytes.len()).step_by(step) {
            let mut other = bytes.clone();
            other[at] ^= 0x41;
            for bytes in [other, bytes[..at].to_vec()] {
                let source = Pieces(bytes, usize::MAX);
                let files = [File {
                    name: "a",
                    source: &source,
                }];
                // Whatever comes of it: here it only has to come to an end.
                let _ = ingest::parquet::open(&files, &Options::default(), false, &mut go_on);
            }
        }
    }
}
