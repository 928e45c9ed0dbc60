//! Bytes into a histogram: every defined outcome, with its words and its place.

use packscope::error::Error;
use packscope::ingest::{self, Column, Counts, Delimiter, Format, Ingested, Options, Reader};
use proptest::prelude::*;

const LENGTH: &str = "is not a length; lengths are whole numbers from 1 to 4,294,967,295";
const COUNT: &str = "is not a count; counts are whole numbers from 0 to 18,446,744,073,709,551,615";
const JSON: &str = "is not valid JSON; expected a number, a string, an array or an object";
const UTF8: &str = "is not UTF-8 text; save the file as UTF-8";
const TRAILING: &str = "follows the end of the JSON value; choose JSON Lines for one value per line";

fn read(input: impl AsRef<[u8]>) -> Result<Ingested, Error> {
    ingest::read(input.as_ref(), Options::default())
}

/// Entries as `12×5 16×2`.
fn entries(read: &Ingested) -> String {
    let entries = read.histogram.entries().iter().map(|([length], count)| format!("{length}×{count}"));
    entries.collect::<Vec<_>>().join(" ")
}

fn by(length: &str) -> Options {
    Options { length: Some(length.into()), ..Options::default() }
}

fn pairs() -> Options {
    Options { count: Some(Counts::Column("2".into())), ..by("1") }
}

#[test]
fn every_format_is_detected_and_read() {
    use Format::{Json, JsonLines, Numbers, Table};
    let cases: &[(&str, Format, &str)] = &[
        // Tables: names in any case, any order, any delimiter, any end of line, quotes, comments, spaces.
        ("length,count\n12,5\n16,2\n", Table, "12×5 16×2"),
        ("Count;Seq-Len\n5;12\n2;16", Table, "12×5 16×2"),
        ("id\tn_tokens\na\t12\nb\t12", Table, "12×2"),
        ("\u{feff}\"length\",\"count\"\r\n\"12\",\"5\"\r\n\r\n", Table, "12×5"),
        ("length,count\r12,5\r16,2\r", Table, "12×5 16×2"),
        ("# source: somewhere, 2024\n\nlength,count\n# half\n 12 , 5,\n", Table, "12×5"),
        ("length\n12\n12.0\n1e1\n+7\n", Table, "7×1 10×1 12×2"),
        ("note,length\n\"two\nlines\",12\n", Table, "12×1"),
        ("\"length\"\n\"12\"\n", Table, "12×1"),
        ("length,count\n12,0\n13,1\n", Table, "13×1"),
        ("seq,freq\n12,5\n", Table, "12×5"),
        ("12,5\n16,2\n", Table, "12×5 16×2"),
        // Numbers.
        ("12\n13\r\n12\r\r14", Numbers, "12×2 13×1 14×1"),
        ("12, 13,12,\n14 15;16\t17", Numbers, "12×2 13×1 14×1 15×1 16×1 17×1"),
        ("# made by hand\n  # still\n12 4294967295", Numbers, "12×1 4294967295×1"),
        ("12,\n13,\n", Numbers, "12×1 13×1"),
        // JSON.
        ("[12, 13,\n12.0,]", Json, "12×2 13×1"),
        ("# comment\n[[1,2,3],[7]]", Json, "1×1 3×1"),
        (r#"["née", "a\"],b"]"#, Json, "3×1 5×1"),
        (r#"[{"id":0,"length":12},{"length":13}]"#, Json, "12×1 13×1"),
        (r#"{"12": 5, "13": 7}"#, Json, "12×5 13×7"),
        ("{\n  \"length\": 12\n}\n{\n  \"length\": 13\n}", Json, "12×1 13×1"),
        // JSON Lines.
        ("{\"len\":12,\"count\":3}\n\n{\"count\":2,\"len\":13}", JsonLines, "12×3 13×2"),
        ("{\"input_ids\":[1,2,3],\"n\":9}\r\n{\"input_ids\":[4]}", JsonLines, "1×1 3×1"),
        ("{\"text\":\"né\"}", JsonLines, "2×1"),
        ("[1,2]\n[3]\n", JsonLines, "1×1 2×1"),
        ("\"one\"\n\"three\"\n", JsonLines, "3×1 5×1"),
    ];
    for (input, format, want) in cases {
        let read = read(input).unwrap_or_else(|e| panic!("{input:?}: {e}"));
        assert_eq!((entries(&read).as_str(), read.description.format), (*want, *format), "{input:?}");
        assert_eq!((&read.description.problems[..], read.description.skipped), (&[][..], 0), "{input:?}");
        assert_eq!(read.description.bytes, input.len() as u64);
    }
}

#[test]
fn a_bad_record_is_skipped_and_its_place_is_told() {
    let not = |text: &str, what: &str| format!("\"{text}\" {what}");
    let missing = "the length is missing; lengths are whole numbers from 1 to 4,294,967,295".to_owned();
    let mut cases: Vec<(Vec<u8>, &str, String)> = Vec::new();
    let bad = ["0", "-3", "12.5", "NaN", "inf", "1e300", "abc", "4294967296", "99999999999999999999", "0x1f"];
    for text in bad {
        cases.push((format!("length,count\n7,1\n{text},1").into(), "line 3, column 1", not(text, LENGTH)));
        cases.push((format!("7 8\r\n 7  {text} 9").into(), "line 2, column 5", not(text, LENGTH)));
        cases.push((format!("length\n7\n{text}").into(), "line 3, column 1", not(text, LENGTH)));
    }
    for text in ["-1", "0.5", "x", "18446744073709551616"] {
        cases.push((format!("7,1\n7,{text}\n").into(), "line 2, column 2", not(text, COUNT)));
        cases.push((format!("length,count\n7,1\n7,{text}").into(), "line 3, column 2", not(text, COUNT)));
    }
    let long = "a".repeat(50);
    let short = format!("{}…", &long[..39]);
    let more: &[(&[u8], &str, String)] = &[
        (b"count,length\n1,7\n1,\n", "line 3, column 2", missing.clone()),
        (
            b"length,count\n7,1\n9\n",
            "line 3, column 2",
            COUNT.replace("is not a count", "the count is missing"),
        ),
        (b"7\r8\nx", "line 3, column 1", not("x", LENGTH)),
        (b"7,,8,9\n", "line 1, column 3", missing.clone()),
        (b"length\n7\n\xff8\n", "line 3, column 1", not("\u{fffd}8", UTF8)),
        (b"length\n7\na\x1b\x07\n", "line 3, column 1", not("a\u{fffd}\u{fffd}", LENGTH)),
        (b"note,length\n\"a\nb\",x\nc,7", "line 2, column 2", not("x", LENGTH)),
        (b"length\n7\n\"12\n13\n", "line 3, column 1", "the quote before \"12 13\" is never closed".into()),
        (format!("length\n7\n{long}").leak().as_bytes(), "line 3, column 1", not(&short, LENGTH)),
        (b"[7, NaN, 8]", "line 1, column 5", not("NaN", JSON)),
        (b"[7,\n  -0.5]", "line 2, column 3", not("-0.5", LENGTH)),
        (b"[7, null]", "line 1, column 5", not("null", LENGTH)),
        (b"[7, []]", "line 1, column 5", not("[]", LENGTH)),
        (b"[7, \"\"]", "line 1, column 5", not("an empty string", LENGTH)),
        (b"[7, {\"a\":1}]", "line 1, column 5", "no field is known to be a length; name one of: a".into()),
        (b"[7,,8]", "line 1, column 4", missing.clone()),
        (b"[,7]", "line 1, column 2", missing.clone()),
        (b"[7, 8 9]", "line 1, column 5", not("8 9", JSON)),
        (b"[7, \"\xff\"]", "line 1, column 5", not("\"\u{fffd}\"", UTF8)),
        (b"[7, 12", "line 1, column 5", "the input ends inside \"12\"".into()),
        (b"[7,\n", "line 2, column 1", "the input ends before the closing bracket".into()),
        (b"[7] x", "line 1, column 5", not("x", TRAILING)),
        (b"{\"7\":1,\r\"a\":2}", "line 2, column 1", not("a", LENGTH)),
        (b"{\"7\":1, \"8\":-2}", "line 1, column 9", not("-2", COUNT)),
        (b"{\"7\":1, 8}", "line 1, column 9", not("8", JSON)),
        (b"{\"length\":7}\n{\"length\":\n", "line 2, column 1", not("{\"length\":", JSON)),
        (
            b"{\"len\":7}\r\n{\"a\":8,\"x\":1}",
            "line 2, column 1",
            "there is no field \"len\"; found: a, x".into(),
        ),
        (b"{\"length\":7}\r\r{\"length\":\"\"}", "line 3, column 1", not("an empty string", LENGTH)),
    ];
    cases.extend(more.iter().map(|(input, place, message)| (input.to_vec(), *place, message.clone())));
    for (input, place, message) in cases {
        let shown = String::from_utf8_lossy(&input);
        let read = read(&input).unwrap_or_else(|e| panic!("{shown:?}: {e}"));
        let problems: Vec<String> = read.description.problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, [format!("{place}: {message}")], "{shown:?}");
        assert_eq!(read.description.skipped, 1, "{shown:?}");
        assert!(entries(&read).contains("7×"), "{shown:?}");
    }
}

#[test]
fn an_input_without_a_length_is_an_error_that_says_what_would_do() {
    let expected = "expected lengths as a table, as numbers, as JSON or as JSON Lines";
    let text = "expected text: CSV, numbers, JSON or JSON Lines";
    let cases: &[(&[u8], String)] = &[
        (b"", format!("the input: it is empty; {expected}")),
        (b" \n# only this\n", format!("the input: no record was found in it; {expected}")),
        (b"length,count\n", format!("the input: no record was found in it; {expected}")),
        (b"[]", format!("the input: no record was found in it; {expected}")),
        (b"7,0\n8,0\n", format!("the input: every count in it is 0; {expected}")),
        (b"length\nx\n", format!("line 2, column 1: \"x\" {LENGTH}")),
        (
            b"{\"a\":1,\"b\":2}\n",
            "line 1, column 1: no field is known to be a length; name one of: a, b".into(),
        ),
        (b"\xff\xfe1\0", "byte 1: this is UTF-16 text; save it as UTF-8".into()),
        (b"\xfe\xff\x001", "byte 1: this is UTF-16 text; save it as UTF-8".into()),
        (b"\x1f\x8b\x08\0", format!("byte 1: this is gzip-compressed data; {text}")),
        (b"PAR1\x15", format!("byte 1: this is a Parquet file; {text}")),
        (b"1\x002\0", format!("byte 2: this is binary data (a zero byte); {text}")),
    ];
    for (input, message) in cases {
        let shown = String::from_utf8_lossy(input);
        assert_eq!(read(input).unwrap_err().to_string(), *message, "{shown:?}");
    }
}

#[test]
fn totals_beyond_64_bits_are_an_error() {
    let items = read("length,count\n1,18446744073709551615\n1,1\n").unwrap_err();
    assert_eq!(items.to_string(), "the data are too large: the number of items exceeds 2^64 − 1");
    let tokens = read("length,count\n2,18446744073709551615\n").unwrap_err();
    assert_eq!(tokens.to_string(), "the data are too large: the number of tokens exceeds 2^64 − 1");
}

#[test]
fn options_overrule_detection() {
    let none = Options::default;
    let one = Options { count: Some(Counts::One), ..none() };
    let format = |format| Options { format: Some(format), ..none() };
    let table = "a,b,c\n1,2,3\n4,5,6";
    let cases: &[(&str, Options, &str)] = &[
        (table, by("b"), "2×1 5×1"),
        (table, Options { count: Some(Counts::Column("c".into())), ..by("A") }, "1×3 4×6"),
        (table, by("3"), "3×1 6×1"),
        ("7,1\n8,2", one.clone(), "7×1 8×1"),
        ("7,1\n8,2", format(Format::Numbers), "1×1 2×1 7×1 8×1"),
        ("7,1\n8,2", Options { header: Some(true), ..by("1") }, "8×1"),
        ("7;1\n8;2", Options { delimiter: Some(Delimiter::Semicolon), ..one }, "7×1 8×1"),
        ("1 2\n3 4", format(Format::Numbers), "1×1 2×1 3×1 4×1"),
        ("[[12,5],[13,7]]", none(), "2×2"),
        ("[[12,5],[13,7]]", pairs(), "12×5 13×7"),
        ("[12,5]\n[13,7]", pairs(), "12×5 13×7"),
        ("[1,2]\n[3]", format(Format::JsonLines), "1×1 2×1"),
        ("12\n13", format(Format::JsonLines), "12×1 13×1"),
        ("12, 13", format(Format::Json), "12×1 13×1"),
        (r#"{"a":{"b":[1,2]},"a.c":9}"#, by("a.b"), "2×1"),
        (r#"{"a":{"b":[1,2]},"a.c":9}"#, by("a.c"), "9×1"),
        (r#"{"x":"text","length":9}"#, by("x"), "4×1"),
    ];
    for (input, options, want) in cases {
        let read =
            ingest::read(input.as_bytes(), options.clone()).unwrap_or_else(|e| panic!("{input:?}: {e}"));
        assert_eq!(entries(&read), *want, "{input:?} {options:?}");
    }
    let error = |input: &str, options| ingest::read(input.as_bytes(), options).unwrap_err().to_string();
    assert_eq!(error(table, by("d")), "line 1: there is no column \"d\"; the columns are: a, b, c");
    assert_eq!(error(table, by("4")), "line 1: there is no column 4; the columns are: a, b, c");
    assert_eq!(error("1,2", by("0")), "line 1: there is no column 0; the table has no header and 2 columns");
}

#[test]
fn the_description_says_what_was_assumed() {
    let cases = [
        ("7,1\n8,2", "two columns of whole numbers without a header: read as length,count"),
        ("7 1\n8 2", "several numbers on a line without a header: each is read as a length"),
        ("a,b\n1,2\n", "no column is known to be a length: \"a\" is read as the length"),
        ("seq,count\n8,2", "no column is known to be a length: \"seq\" is read as the length"),
        ("{\"7\":1}", "an object with numbers as keys: read as length: count"),
        ("[[7]]", "the length of an array is the number of its elements"),
        ("[\"7\"]", "the length of a string is the number of its Unicode characters, which are not tokens"),
        ("{\"len\":7}", "the field \"len\" is read as the length"),
    ];
    for (input, note) in cases {
        let notes = read(input).unwrap().description.notes;
        assert_eq!(notes.iter().map(ToString::to_string).collect::<Vec<_>>(), [note], "{input}");
    }
    let table = Options { format: Some(Format::Table), ..Options::default() };
    let read = ingest::read(b"1,2,3", table).unwrap().description;
    assert_eq!(read.notes[0].to_string(), "3 columns without a header: the first is read as the length");
    assert_eq!((read.length, read.count, read.columns), (Some(Column::Number(1)), None, None));
}

#[test]
fn the_sentence_reads_like_one() {
    let sentence = |input: &str| read(input).unwrap().description.sentence();
    assert_eq!(sentence("length,count\n36,80000\n384,8641"), "88,641 sequences, 36–384 tokens, mean 69.9");
    assert_eq!(sentence("length\n7"), "1 sequence, 7 tokens each");
    assert_eq!(sentence("7 x y 1000"), "2 sequences, 7–1,000 tokens, mean 503.5; 2 values skipped");
    let many = read("length\n7\n".to_owned() + &"x\n".repeat(1000)).unwrap().description;
    assert_eq!((many.problems.len(), many.skipped, many.records), (20, 1000, 1001));
    let back: ingest::Description = serde_json::from_str(&serde_json::to_string(&many).unwrap()).unwrap();
    assert_eq!(back, many);
}

#[test]
fn the_datasets_equal_a_naive_reading() {
    let folder = format!("{}/static/datasets", env!("CARGO_MANIFEST_DIR"));
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "csv") {
            continue;
        }
        files += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let rows = text.lines().skip(1).map(|l| l.split_once(',').unwrap());
        let rows: Vec<([u32; 1], u64)> =
            rows.map(|(l, c)| ([l.parse().unwrap()], c.parse().unwrap())).collect();
        let read = read(&text).unwrap();
        assert_eq!((read.histogram.entries(), read.description.skipped), (&rows[..], 0), "{path:?}");
    }
    assert_eq!(files, 20);
}

/// Ten million records made a chunk at a time, each length from 1 to 1,000 equally often.
fn ten_million(header: &str, line: impl Fn(u64) -> String) -> Ingested {
    let chunk: String = (1..=1000).map(line).collect();
    let mut reader = Reader::new(Options::default());
    reader.push(header.as_bytes()).unwrap();
    for _ in 0..10_000 {
        reader.push(chunk.as_bytes()).unwrap();
    }
    reader.finish().unwrap()
}

#[test]
fn ten_million_records_are_read_without_being_held() {
    let all = [
        ten_million("", |n| format!("{n}\n")),
        ten_million("length,count\n", |n| format!("{n},1\n")),
        ten_million("[7", |n| format!(",{n}")),
        ten_million("", |n| format!("{{\"length\":{n}}}\n")),
    ];
    for (read, (extra, skipped)) in all.iter().zip([(0, 0), (0, 0), (1, 1), (0, 0)]) {
        assert_eq!(read.histogram.items() + skipped, 10_000_000 + extra);
        assert!(read.histogram.entries().iter().all(|(_, count)| (9_999..=10_001).contains(count)));
        assert_eq!((read.histogram.distinct(), read.description.skipped), (1000, skipped));
    }
}

/// Reads `start` at once and `rest` in chunks of the lengths in `cuts`, over and over.
fn in_chunks(start: &[u8], mut rest: &[u8], cuts: &[usize], options: Options) -> Result<Ingested, Error> {
    let mut reader = Reader::new(options);
    reader.push(start)?;
    for cut in cuts.iter().cycle().take(rest.len()) {
        let (chunk, later) = rest.split_at(rest.len().min(*cut));
        reader.push(chunk)?;
        rest = later;
    }
    reader.finish()
}

/// Nothing, or the start of an input of each kind, filled up so that what follows is decoded in chunks:
/// up to 64 KiB are held back until the format is decided.
fn starts() -> impl Strategy<Value = Vec<u8>> {
    let mut starts = vec!["7\n", "7;1\n7;1\n", "length\n7\n", "length\n7\n\"", "[7,\n", "{\"7\":1,\n"];
    starts.extend(["{\"length\":7}\n", "{\n\"length\":7}\n", "[1]\n[2]\n", "\"ab\"\n\"cd\"\n", "7\n# "]);
    let long = prop::sample::select(starts).prop_map(|start| {
        let mut bytes = start.as_bytes().to_vec();
        bytes.resize(65_530, b' ');
        bytes
    });
    prop_oneof![Just(Vec::new()), long]
}

/// Text from an alphabet that has everything the readers treat specially.
fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let pieces = "0 1 9 12 7,1 , ; : \" ' { } [ ] . - + e E # \\ NaN é length count \"length\": {\"len\":3} [1,2] null";
    let mut pieces: Vec<&str> = pieces.split(' ').collect();
    pieces.extend([" ", "\t", "\n", "\n", "\r", "\r\n", "\u{feff}"]);
    prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|p| p.concat().into_bytes())
}

fn any_options() -> impl Strategy<Value = Options> {
    let format = prop::sample::select(vec![None, None, Some(0), Some(1), Some(2), Some(3)]);
    let length = prop::sample::select(vec![None, None, Some("1"), Some("0"), Some("length"), Some("a.b")]);
    let count = prop::sample::select(vec![None, None, Some("2"), Some("count")]);
    (format, length, count, prop::option::of(any::<bool>())).prop_map(|(format, length, count, header)| {
        Options {
            format: format.map(|f: usize| Format::ALL[f]),
            length: length.map(Column::from),
            count: count.map(|c| Counts::Column(c.into())),
            header,
            delimiter: None,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn nothing_panics_and_chunks_change_nothing(
        start in starts(),
        rest in prop_oneof![4 => nasty(), 1 => prop::collection::vec(any::<u8>(), 0..60)],
        cuts in prop::collection::vec(1usize..9, 1..6),
        options in any_options(),
    ) {
        let whole = ingest::read(&[&start[..], &rest].concat(), options.clone());
        prop_assert_eq!(&in_chunks(&start, &rest, &cuts, options.clone()), &whole);
        prop_assert_eq!(&in_chunks(&start, &rest, &[1], options), &whole);
        if let Ok(Ingested { histogram, description }) = whole {
            prop_assert_eq!(description.items, histogram.items());
            prop_assert_eq!(description.problems.len() as u64, description.skipped.min(20));
            prop_assert!(description.skipped < description.records);
        }
    }
}
