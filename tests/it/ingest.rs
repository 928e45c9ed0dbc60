//! Reading: every layout, every defined outcome, and any bytes in any pieces.

use crate::common::built_in;
use packscope::histogram::Preset;
use packscope::ingest::{Format, Ingested, Options, Reader, read};
use proptest::prelude::*;

fn ok(text: &str) -> Ingested {
    read(text.as_bytes(), Options::default()).unwrap_or_else(|e| panic!("{text:?}: {e}"))
}

fn counts(read: &Ingested) -> Vec<(u32, u64)> {
    read.histogram.entries().iter().map(|&([l], n)| (l, n)).collect()
}

fn refused(bytes: &[u8]) -> String {
    read(bytes, Options::default()).unwrap_err().to_string()
}

#[test]
fn every_built_in_file_is_read_as_a_plain_parser_reads_it() {
    for preset in Preset::ALL {
        let path = format!("{}/static/datasets/{}.csv", env!("CARGO_MANIFEST_DIR"), preset.id);
        let read = read(&std::fs::read(path).unwrap(), Options::default()).unwrap();
        assert_eq!(read.histogram, built_in(preset.id), "{}", preset.id);
        assert_eq!((read.description.skipped, read.description.format), (0, Format::Csv));
        assert_eq!(read.description.count.as_deref(), Some("count"));
    }
}

#[test]
fn layouts_are_recognised() {
    use Format::{Csv, Json, JsonLines, Numbers, Semicolons, Tsv};
    let three = vec![(3, 1), (5, 2)];
    for (text, format, want) in [
        ("length,count\n3,1\n5,2\n", Csv, &three),
        ("3,1\n5,2\n", Csv, &three),
        ("length\tcount\r\n3\t1\r\n5\t2", Tsv, &three),
        ("Count;Length\n1;3\n2;5\n", Semicolons, &three),
        ("id,text,n_tokens\n1,\"a, b\nc\",3\n2,x,5\n3,y,5\n", Csv, &three),
        ("# provenance\nlen\n3\n5\n5\n", Csv, &three),
        ("3\n5\n5\n", Numbers, &three),
        ("3, 5, 5", Numbers, &three),
        ("3 5\t5.0\r5e0", Numbers, &vec![(3, 1), (5, 3)]),
        ("[3, 5, 5]", Json, &three),
        ("[\n  3,\n  5, 5\n]\n", Json, &three),
        ("{\"3\": 1, \"5\": 2}", Json, &three),
        ("{\"lengths\": [3, 5, 5]}\n", JsonLines, &vec![(3, 1)]),
        ("[[1,2,3],[1,2,3,4,5],\"abcde\"]", Json, &three),
        ("[{\"len\": 3}, {\"len\": 5, \"x\": [1]}, {\"len\": 5}]", Json, &three),
        ("{\"length\": 3, \"count\": 1}\n{\"length\": 5, \"count\": 2}\n", JsonLines, &three),
        (
            "{\"input_ids\": [1,2,3]}\n\n{\"input_ids\": [1,2,3,4,5]}\n{\"input_ids\":[0,0,0,0,0]}",
            JsonLines,
            &three,
        ),
        (
            "{\"id\":\"a\",\"text\":\"äöü\"}\n{\"id\":\"b\",\"text\":\"12345\"}\n",
            JsonLines,
            &vec![(3, 1), (12345, 1)],
        ),
        ("\u{feff}length,count\n3,1\n5,2\n", Csv, &three),
        ("\u{feff}3\n5\n5\n", Numbers, &three),
    ] {
        let read = ok(text);
        assert_eq!((&counts(&read), read.description.format), (want, format), "{text:?}");
        assert_eq!(read.description.skipped, 0, "{text:?}: {:?}", read.description.problems);
    }
}

#[test]
fn the_reading_can_be_changed() {
    let text = "a,b\n1,10\n2,20\n";
    let with = |length: &str, count: &str| {
        let options =
            Options { length: Some(length.into()), count: Some(count.into()), ..Options::default() };
        counts(&read(text.as_bytes(), options).unwrap())
    };
    assert_eq!(with("b", ""), [(10, 1), (20, 1)]);
    assert_eq!(with("b", "a"), [(10, 1), (20, 2)]);
    assert_eq!(with("2", "1"), [(10, 1), (20, 2)]);
    let numbers = Options { format: Some(Format::Numbers), ..Options::default() };
    assert_eq!(counts(&read(b"3,1\n5,2\n", numbers).unwrap()), [(1, 1), (2, 1), (3, 1), (5, 1)]);
    let headless = Options { header: Some(false), format: Some(Format::Csv), ..Options::default() };
    let read_on = read(b"x\n4\n", headless).unwrap();
    assert_eq!((counts(&read_on), read_on.description.skipped), (vec![(4, 1)], 1));
    let deep = Options { length: Some("meta.tokens".into()), ..Options::default() };
    assert_eq!(
        counts(&read(b"{\"meta\":{\"tokens\":7}}\n{\"meta\":{\"tokens\":9}}\n", deep).unwrap()),
        [(7, 1), (9, 1)]
    );
}

#[test]
fn what_was_taken_for_granted_is_said() {
    let two = ok("3,1\n5,2\n");
    assert_eq!(two.description.notes, ["two columns without names: read as length and count"]);
    let text = ok("{\"text\":\"abc\"}\n{\"text\":\"abcd\"}\n");
    assert!(text.description.notes[0].contains("characters, not of tokens"), "{:?}", text.description.notes);
    assert_eq!(text.description.length.as_deref(), Some("text"));
}

#[test]
fn what_cannot_be_used_is_located_and_the_rest_is_kept() {
    for (text, problem) in [
        ("length,count\n3,1\n0,4\n", "line 3, column 1: a length of 0"),
        ("length,count\r\n3,1\r\n-2,4\r\n", "line 3, column 1: “-2” is negative"),
        ("length,count\n\n3,1\nNaN,1\n", "line 4, column 1: “NaN” is not a number"),
        ("length,count\n3,1\n1e300,1\n", "line 3, column 1: “1e300” is above 4,294,967,295"),
        ("length,count\n3,1\n4294967296,1\n", "line 3, column 1: “4294967296” is above 4,294,967,295"),
        ("length,count\n3,1\n2.5,1\n", "line 3, column 1: “2.5” is not whole"),
        ("length,count\n3,1\nabc,1\n", "line 3, column 1: “abc” is not a number"),
        ("length,count\n3,1\n,1\n", "line 3, column 1: nothing there"),
        ("length,count\n3,1\n7,x\n", "line 3, column 2: “x” is not a count"),
        ("length,count\n3,1\n7,-1\n", "line 3, column 2: “-1” is not a count"),
        ("id,length\n1,3\n2\n", "line 3, column 2: there is no length in “2”"),
        ("id,text,length\n1,\"two\nlines\",3\n2,x,bad\n", "line 4, column 3: “bad” is not a number"),
        ("3 4\n3 inf 4\n", "line 2, column 3: “inf” is not a number"),
        ("3\r\n3\r\nx\r\n", "line 3, column 1: “x” is not a number"),
        ("[3, 0, 4]", "line 1, column 5: a length of 0"),
        ("[3,\n  tru, 4]", "line 2, column 3: “tru” is not JSON"),
        ("{\"3\": 1, \"x\": 2}", "line 1, column 10: “\"x\": 2” is not a number"),
        ("{\"len\":3}\n{\"len\":4\n", "line 2, column 8: “{\"len\":4” is not JSON"),
        ("{\"len\":3}\n{\"n\":4}\n", "line 2, column 1: there is no length in “{\"n\":4}”"),
        ("{\"len\":3}\n{\"len\":null}\n", "line 2, column 1: nothing there"),
    ] {
        let read = ok(text);
        assert_eq!(read.description.skipped, 1, "{text:?}: {:?}", read.description.problems);
        assert_eq!(read.description.problems[0].to_string(), problem, "{text:?}");
        assert!(read.histogram.items() > 0);
    }
}

#[test]
fn a_count_of_zero_adds_nothing_and_is_no_problem() {
    let read = ok("length,count\n3,1\n9,0\n");
    assert_eq!((counts(&read), read.description.skipped), (vec![(3, 1)], 0));
}

#[test]
fn nothing_usable_is_an_error_with_a_place_and_what_would_be_accepted() {
    for (bytes, start) in [
        (&b""[..], "the data: nothing but white space"),
        (b"  \n\r\n", "the data: nothing but white space"),
        (b"hello world\nfoo\n", "line 2, column 1: \u{201c}foo\u{201d} is not a number"),
        (b"length,count\n", "line 1, column 1: \u{201c}length,count\u{201d} is not a number"),
        (b"0\n0\n", "line 1, column 1: a length of 0"),
        (b"\xff\xfea\0", "the first bytes: this is a UTF-16 text file"),
        (b"\x1f\x8b\x08rest", "the first bytes: this is a gzip file"),
        (b"PAR1....", "the first bytes: this is a Parquet file"),
        (b"\x00\x01\x02", "line 1, column 1:"),
    ] {
        let why = refused(bytes);
        assert!(why.starts_with(start), "{why}");
        assert!(why.contains("accepted are") || why.contains("expected UTF-8 text"), "{why}");
    }
}

#[test]
fn cells_that_are_no_text_are_shown_and_skipped() {
    let read = read(b"length\n\xff\xfe7\n9\n", Options::default()).unwrap();
    assert_eq!(counts(&read), [(9, 1)]);
    assert_eq!(
        read.description.problems[0].to_string(),
        "line 2, column 1: “\u{fffd}\u{fffd}7” is not a number"
    );
}

#[test]
fn totals_beyond_64_bits_are_refused() {
    let why = refused(b"length,count\n5,18446744073709551615\n5,1\n");
    assert_eq!(why, "the data are too large: the number of items exceeds 2^64 \u{2212} 1");
}

/// Ten million lines in pieces: read in a moment, held nowhere.
#[test]
fn ten_million_lines() {
    let piece: String = (0..100_000).map(|i| format!("{}\n", i % 500 + 1)).collect();
    let mut reader = Reader::new(Options::default());
    (0..100).for_each(|_| reader.push(piece.as_bytes()));
    let read = reader.finish().unwrap();
    assert_eq!((read.histogram.items(), read.histogram.distinct()), (10_000_000, 500));
    assert_eq!(read.description.bytes, 100 * piece.len() as u64);
}

/// Many problems are counted; only the first are kept.
#[test]
fn a_million_problems_take_no_room() {
    let mut reader = Reader::new(Options::default());
    reader.push(b"length\n1\n");
    (0..1000).for_each(|_| reader.push("bad\n".repeat(1000).as_bytes()));
    let read = reader.finish().unwrap();
    assert_eq!((read.description.skipped, read.description.problems.len()), (1_000_000, 20));
}

fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let alphabet = "0123456789,;\t\n\r\"'{}[]:.-+eE# \\Naé\u{feff}";
    let text = prop::collection::vec(prop::sample::select(alphabet.chars().collect::<Vec<_>>()), 0..80)
        .prop_map(|chars| chars.into_iter().collect::<String>().into_bytes());
    prop_oneof![text, prop::collection::vec(any::<u8>(), 0..80)]
}

fn formats() -> impl Strategy<Value = Option<Format>> {
    prop_oneof![Just(None), prop::sample::select(Format::ALL.to_vec()).prop_map(Some)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn pieces_of_any_size_give_the_same(bytes in nasty(), format in formats(), cuts in prop::collection::vec(1..20usize, 1..20)) {
        let options = Options { format, ..Options::default() };
        let whole = read(&bytes, options.clone());
        let mut reader = Reader::new(options);
        let (mut rest, mut cuts) = (&bytes[..], cuts.iter().cycle());
        while !rest.is_empty() {
            let (piece, after) = rest.split_at((*cuts.next().unwrap()).min(rest.len()));
            reader.push(piece);
            rest = after;
        }
        prop_assert_eq!(whole, reader.finish());
    }
}

/// The same beyond the bytes that decide about the layout, where pieces go straight to the parser.
#[test]
fn pieces_of_a_long_file_give_the_same() {
    let rows: String = (0..20_000).map(|i| format!("{i},\"a\r\nb\",{}\r\n", i % 97)).collect();
    let text = format!("id,text,length\r\n{rows}");
    let whole = read(text.as_bytes(), Options::default());
    for size in [1, 7, 4096, 65_536] {
        let mut reader = Reader::new(Options::default());
        text.as_bytes().chunks(size).for_each(|piece| reader.push(piece));
        assert_eq!(whole, reader.finish(), "pieces of {size}");
    }
}
