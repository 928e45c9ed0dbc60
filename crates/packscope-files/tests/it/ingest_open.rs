//! Several files, samples, and callbacks for each record.

use packscope_core::error::Result;
use packscope_core::histogram::Sizes;
use packscope_files::ingest::{self, File, Ingested, Note, OpenResult, Options, Read};
use std::ops::ControlFlow;

fn go_on(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The bytes of a file.
struct Bytes<'a>(&'a [u8]);

impl ingest::Source for Bytes<'_> {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, at: u64, length: usize) -> Result<Vec<u8>> {
        self.0.read(at, length)
    }
}

fn with<T>(all: &[(&str, &str)], f: impl FnOnce(&[File<'_>]) -> T) -> T {
    let bytes: Vec<(&str, Bytes<'_>)> = all
        .iter()
        .map(|(name, t)| (*name, Bytes(t.as_bytes())))
        .collect();
    let files: Vec<File<'_>> = bytes
        .iter()
        .map(|(name, source)| File { name, source })
        .collect();
    f(&files)
}

fn read(all: &[(&str, &str)], options: &Options) -> Read {
    let opened = with(all, |files| ingest::open(files, options, false, &mut go_on));
    match opened {
        Ok(OpenResult::Read(read)) => *read,
        other => panic!("{other:?}"),
    }
}

fn lengths(counted: &Sizes) -> Vec<(u32, u64)> {
    match counted {
        Sizes::Lengths(histogram) => histogram.lengths(),
        other => panic!("{other:?}"),
    }
}

const TWO: [(&str, &str); 2] = [
    ("a.csv", "length,count\n12,5\n7,1\n"),
    ("b.txt", "12\n13\n14\n"),
];

#[test]
fn several_files_are_one_histogram_and_each_is_at_hand() {
    let read = read(&TWO, &Options::default());
    assert_eq!(lengths(&read.counted), [(7, 1), (12, 6), (13, 1), (14, 1)]);
    let each: Vec<_> = read
        .each
        .iter()
        .map(|(name, counted)| (name.as_str(), lengths(counted)))
        .collect();
    assert_eq!(
        each,
        [
            ("a.csv", vec![(7, 1), (12, 5)]),
            ("b.txt", vec![(12, 1), (13, 1), (14, 1)])
        ]
    );
    assert_eq!(
        read.description.notes.last(),
        Some(&Note::Files { files: 2 })
    );
    assert_eq!((read.description.records, read.description.items), (5, 9));
}

#[test]
fn a_sample_says_that_it_is_one() {
    let sample = |records| Options {
        sample: Some(records),
        ..Options::default()
    };
    // In the order of the files, as many records as asked for.
    let cases = [
        (1, vec![(12, 5)], true),
        (2, vec![(7, 1), (12, 5)], true),
        (3, vec![(7, 1), (12, 6)], true),
        (5, vec![(7, 1), (12, 6), (13, 1), (14, 1)], false),
        (99, vec![(7, 1), (12, 6), (13, 1), (14, 1)], false),
    ];
    for (records, want, is_sample) in cases {
        let read = read(&TWO, &sample(records));
        assert_eq!(lengths(&read.counted), want, "{records}");
        let said = read
            .description
            .sentence()
            .contains("; a sample: the first ");
        assert_eq!(
            said,
            is_sample,
            "{records}: {}",
            read.description.sentence()
        );
        assert_eq!(
            read.description.notes.contains(&Note::First { records }),
            is_sample,
            "{records}"
        );
    }
    let one = read(&TWO[..1], &sample(1)).description.sentence();
    assert_eq!(
        one,
        "5 sequences, 12 tokens each; a sample: the first 1 record"
    );
    // A record that is skipped is one of them.
    let two = read(&[("a", "length\nx\n12\n13\n")], &sample(2)).description;
    assert_eq!(
        two.sentence(),
        "1 sequence, 12 tokens each; 1 line skipped; a sample: the first 2 records"
    );
}

#[test]
fn a_reading_that_is_ended_keeps_what_it_has_without_the_record_that_was_cut() {
    let text = "length\n".to_owned() + &"1234567\n".repeat(600_000);
    let all = [("a.csv", text.as_str())];
    let mut told = Vec::new();
    let opened = with(&all, |files| {
        ingest::open(files, &Options::default(), false, &mut |done, of| {
            told.push((done, of));
            if told.len() < 2 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })
    });
    let Ok(OpenResult::Read(read)) = opened else {
        panic!("{opened:?}")
    };
    assert!(
        told.iter()
            .all(|(done, of)| done <= of && *of == text.len() as u64),
        "{told:?}"
    );
    let [(length, count)] = lengths(&read.counted)[..] else {
        panic!("{:?}", read.counted)
    };
    assert_eq!(length, 1_234_567);
    assert!(count > 1000 && count < 600_000, "{count}");
    let Some(Note::Sample { read: bytes, of }) = read.description.notes.last() else {
        panic!("{:?}", read.description.notes)
    };
    assert_eq!(*of, text.len() as u64);
    assert!(*bytes < *of && count * 8 < *bytes, "{bytes}");
    let sentence = read.description.sentence();
    assert!(
        sentence.contains("tokens each; a sample: the first ")
            && sentence.ends_with(" % of the input")
    );
}

/// Sizes with their counts.
type Records<'a> = &'a [(&'a [u32], u64)];

#[test]
fn every_record_is_told_in_the_order_of_the_input() {
    let graphs = [
        ("T_A.txt", "1, 2\n3, 3\n"),
        ("T_graph_indicator.txt", "1\n1\n2\n"),
    ];
    let lines = "{\"length\": 7}\n{\"length\": \"x\"}\n{\"length\": 9}\n";
    let cases: [(&[(&str, &str)], Records<'_>); 3] = [
        (
            &TWO,
            &[(&[12], 5), (&[7], 1), (&[12], 1), (&[13], 1), (&[14], 1)],
        ),
        (&graphs, &[(&[2, 1], 1), (&[1, 1], 1)]),
        (&[("a.jsonl", lines)], &[(&[7], 1), (&[9], 1)]),
    ];
    for (all, want) in cases {
        let mut told: Vec<(Vec<u32>, u64)> = Vec::new();
        let each = &mut |size: &[u32], count| told.push((size.to_vec(), count));
        let opened = with(all, |files| {
            ingest::open_telling(files, &Options::default(), false, &mut go_on, each)
        });
        assert!(opened.is_ok(), "{opened:?}");
        let told: Vec<(&[u32], u64)> = told
            .iter()
            .map(|(size, count)| (&size[..], *count))
            .collect();
        assert_eq!(told, want);
    }
}

#[test]
fn columns_of_binary_files_are_chosen_as_those_of_tables() {
    let path = format!(
        "{}/tests/data/odd/npz-unknown.npz",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../..")
    );
    let bytes = std::fs::read(path).unwrap();
    let source = Bytes(&bytes);
    let files = [File {
        name: "a.npz",
        source: &source,
    }];
    let options = Options {
        sizes: vec!["arr_1".into()],
        ..Options::default()
    };
    let one: Ingested = ingest::open_as(&files, &options, &mut go_on).unwrap();
    assert_eq!(one.histogram.lengths(), [(12, 2), (13, 1)]);
    assert_eq!(one.description.choices(), ["arr_0", "arr_1"]);
    assert_eq!(one.description.sizes, ["arr_1".into()]);
    let options = Options {
        sizes: vec!["arr_0".into(), "2".into()],
        ..Options::default()
    };
    let two: Ingested<2> = ingest::open_as(&files, &options, &mut go_on).unwrap();
    assert_eq!(two.histogram.entries(), [([12, 12], 2), ([13, 13], 1)]);
    // What was read is read again in the same way.
    let again: Ingested<2> =
        ingest::open_as(&files, &two.description.options(), &mut go_on).unwrap();
    assert_eq!(again, two);
    let options = Options {
        sizes: vec!["arr_9".into()],
        ..Options::default()
    };
    let error = ingest::open_as::<1>(&files, &options, &mut go_on)
        .unwrap_err()
        .to_string();
    let listed = "the columns are: arr_0 (numbers), arr_1 (numbers)";
    assert_eq!(
        error,
        format!("the columns: there is no column \"arr_9\"; {listed}")
    );
}

/// What a fuzzer found: an edge list was told by three columns, which are no choice, so that its graphs could not be
/// assigned to packs.
#[test]
fn an_edge_list_is_read_again_as_it_was() {
    let edges = [("edges.csv", "graph_id,source,target\n0,0,1\n0,1,2\n1,0,1\n")];
    let first = read(&edges, &Options::default());
    let again = read(&edges, &first.description.options());
    assert_eq!(again, first);
    assert_eq!(first.description.sizes.len(), 3);
}
