//! Bytes into a histogram: every defined outcome, with its message and its place.

use packscope_core::error::Error;
use packscope_core::histogram::{Generated, Histogram, Preset};
use packscope_files::ingest::{self, Column, Counts, Delimiter, Format, Ingested, Options, Reader};
use proptest::prelude::*;
use std::collections::BTreeSet;

const LENGTH: &str = "is not a length; lengths are whole numbers from 1 to 4,294,967,295";
const COUNT: &str = "is not a count; counts are whole numbers from 0 to 18,446,744,073,709,551,615";
const JSON: &str = "is not valid JSON; expected a number, a string, an array or an object";
const UTF8: &str = "is not UTF-8 text; save the file as UTF-8";
const TRAILING: &str =
    "follows the end of the JSON value; choose JSON Lines for one value per line";

fn read(input: impl AsRef<[u8]>) -> Result<Ingested, Error> {
    ingest::read(input.as_ref(), Options::default())
}

/// Entries as `12×5 16×2`.
fn entries(read: &Ingested) -> String {
    let entries = read
        .histogram
        .entries()
        .iter()
        .map(|([length], count)| format!("{length}×{count}"));
    entries.collect::<Vec<_>>().join(" ")
}

fn by(length: &str) -> Options {
    Options {
        sizes: vec![length.into()],
        ..Options::default()
    }
}

fn pairs() -> Options {
    Options {
        count: Some(Counts::Column("2".into())),
        ..by("1")
    }
}

#[test]
fn every_format_is_detected_and_read() {
    use Format::{Json, JsonLines, Numbers, Table};
    let cases: &[(&str, Format, &str)] = &[
        // Tables: names in any case, any order, any delimiter, any end of line, quotes, comments, spaces.
        ("length,count\n12,5\n16,2\n", Table, "12×5 16×2"),
        ("Count;Seq-Len\n5;12\n2;16", Table, "12×5 16×2"),
        ("id\tn_tokens\na\t12\nb\t12", Table, "12×2"),
        (
            "\u{feff}\"length\",\"count\"\r\n\"12\",\"5\"\r\n\r\n",
            Table,
            "12×5",
        ),
        ("length,count\r12,5\r16,2\r", Table, "12×5 16×2"),
        (
            "# source: somewhere, 2024\n\nlength,count\n# half\n 12 , 5,\n",
            Table,
            "12×5",
        ),
        ("length\n12\n12.0\n1e1\n+7\n", Table, "7×1 10×1 12×2"),
        ("note,length\n\"two\nlines\",12\n", Table, "12×1"),
        ("\"length\"\n\"12\"\n", Table, "12×1"),
        ("length,count\n12,0\n13,1\n", Table, "13×1"),
        ("bin,freq\n12,5\n", Table, "12×5"),
        // Numbers.
        ("12\n13\r\n12\r\r14", Numbers, "12×2 13×1 14×1"),
        (
            "12, 13;12,\t14\n15 16\n17",
            Numbers,
            "12×2 13×1 14×1 15×1 16×1 17×1",
        ),
        (
            "# made by hand\n  # still\n12 4294967295",
            Numbers,
            "12×1 4294967295×1",
        ),
        ("12,\n13,\n", Numbers, "12×1 13×1"),
        // JSON.
        ("[12, 13,\n12.0,]", Json, "12×2 13×1"),
        ("# comment\n[[1,2,3],[7]]", Json, "1×1 3×1"),
        (r#"["née", "a \"],b"]"#, Json, "1×1 5×1"),
        (r#"[{"id":0,"length":12},{"length":13}]"#, Json, "12×1 13×1"),
        (r#"{"12": 5, "13": 7}"#, Json, "12×5 13×7"),
        (
            "{\n  \"length\": 12\n}\n{\n  \"length\": 13\n}",
            Json,
            "12×1 13×1",
        ),
        // JSON Lines.
        (
            "{\"len\":12,\"count\":3}\n\n{\"count\":2,\"len\":13}",
            JsonLines,
            "12×3 13×2",
        ),
        (
            "{\"input_ids\":[1,2,3],\"n\":9}\r\n{\"input_ids\":[4]}",
            JsonLines,
            "1×1 3×1",
        ),
        ("{\"text\":\"né, x\"}", JsonLines, "3×1"),
        ("[1,2]\n[3]\n", JsonLines, "1×1 2×1"),
        ("\"one\"\n\"three are\"\n", JsonLines, "1×1 2×1"),
    ];
    for (input, format, want) in cases {
        let read = read(input).unwrap_or_else(|e| panic!("{input:?}: {e}"));
        assert_eq!(
            (entries(&read).as_str(), read.description.format),
            (*want, *format),
            "{input:?}"
        );
        assert_eq!(
            (&read.description.problems[..], read.description.skipped),
            (&[][..], 0),
            "{input:?}"
        );
        assert_eq!(read.description.bytes, input.len() as u64);
    }
}

#[test]
fn a_bad_record_is_skipped_and_its_place_is_told() {
    let not = |text: &str, what: &str| format!("\"{text}\" {what}");
    let missing =
        "the length is missing; lengths are whole numbers from 1 to 4,294,967,295".to_owned();
    let mut cases: Vec<(Vec<u8>, &str, String)> = Vec::new();
    let bad = [
        "0",
        "-3",
        "12.5",
        "NaN",
        "inf",
        "1e300",
        "abc",
        "4294967296",
        "99999999999999999999",
        "0x1f",
    ];
    for text in bad {
        cases.push((
            format!("length,count\n7,1\n{text},1").into(),
            "line 3, column 1",
            not(text, LENGTH),
        ));
        cases.push((
            format!("7 8 9 9\r\n 7  {text} 9").into(),
            "line 2, column 5",
            not(text, LENGTH),
        ));
        cases.push((
            format!("length\n7\n{text}").into(),
            "line 3, column 1",
            not(text, LENGTH),
        ));
    }
    for text in ["-1", "0.5", "x", "18446744073709551616"] {
        cases.push((
            format!("length,count\n7,1\n7,{text}").into(),
            "line 3, column 2",
            not(text, COUNT),
        ));
    }
    let long = "a".repeat(50);
    let short = format!("{}…", &long[..39]);
    let more: &[(&[u8], &str, String)] = &[
        (
            b"count,length\n1,7\n1,\n",
            "line 3, column 2",
            missing.clone(),
        ),
        (b"7\r8\nx", "line 3, column 1", not("x", LENGTH)),
        (b"7,,8,9\n", "line 1, column 3", missing.clone()),
        (
            b"length\n7\n\xff8\n",
            "line 3, column 1",
            not("\u{fffd}8", UTF8),
        ),
        (
            b"length\n7\na\x1b\x07\n",
            "line 3, column 1",
            not("a\u{fffd}\u{fffd}", LENGTH),
        ),
        (
            b"note,length\n\"a\nb\",x\nc,7",
            "line 2, column 2",
            not("x", LENGTH),
        ),
        (
            format!("length\n7\n{long}").leak().as_bytes(),
            "line 3, column 1",
            not(&short, LENGTH),
        ),
        (b"[7, NaN, 8]", "line 1, column 5", not("NaN", JSON)),
        (b"[7,\n  -0.5]", "line 2, column 3", not("-0.5", LENGTH)),
        (b"[7, null]", "line 1, column 5", not("null", LENGTH)),
        (b"[7, []]", "line 1, column 5", not("[]", LENGTH)),
        (
            b"[7, \"\"]",
            "line 1, column 5",
            not("an empty string", LENGTH),
        ),
        (
            b"[7, {\"a\":1}]",
            "line 1, column 5",
            "no field is known to be a length; name one of: a (numbers): --length-column".into(),
        ),
        (b"[7,,8]", "line 1, column 4", missing.clone()),
        (b"[,7]", "line 1, column 2", missing.clone()),
        (b"[7, 8 9]", "line 1, column 5", not("8 9", JSON)),
        (
            b"[7, \"\xff\"]",
            "line 1, column 5",
            not("\"\u{fffd}\"", UTF8),
        ),
        (
            b"[7, 12",
            "line 1, column 5",
            "the input ends inside \"12\"".into(),
        ),
        (
            b"[7,\n",
            "line 2, column 1",
            "the input ends before the closing bracket".into(),
        ),
        (b"[7] x", "line 1, column 5", not("x", TRAILING)),
        (b"{\"7\":1,\r\"a\":2}", "line 2, column 1", not("a", LENGTH)),
        (b"{\"7\":1, \"8\":-2}", "line 1, column 9", not("-2", COUNT)),
        (b"{\"7\":1, 8}", "line 1, column 9", not("8", JSON)),
        (
            b"{\"length\":7}\n{\"length\":\n",
            "line 2, column 1",
            not("{\"length\":", JSON),
        ),
        (
            b"{\"len\":7}\r\n{\"a\":8,\"x\":1}",
            "line 2, column 1",
            "there is no field \"len\"; found: a, x".into(),
        ),
        (
            b"{\"length\":7}\r\r{\"length\":\"\"}",
            "line 3, column 1",
            not("an empty string", LENGTH),
        ),
    ];
    cases.extend(
        more.iter()
            .map(|(input, place, message)| (input.to_vec(), *place, message.clone())),
    );
    for (input, place, message) in cases {
        let shown = String::from_utf8_lossy(&input);
        let read = read(&input).unwrap_or_else(|e| panic!("{shown:?}: {e}"));
        let problems: Vec<String> = read
            .description
            .problems
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(problems, [format!("{place}: {message}")], "{shown:?}");
        assert_eq!(read.description.skipped, 1, "{shown:?}");
        assert!(entries(&read).contains("7×"), "{shown:?}");
    }
}

#[test]
fn an_input_without_a_length_is_an_error_that_says_what_would_do() {
    let expected = "expected lengths as a table, as numbers, as JSON or as JSON Lines";
    let text = "expected text: CSV, numbers, JSON or JSON Lines";
    let cells = "expected as many: a cell with a comma in it stands in quotes, as pandas and csv.writer write it";
    let cases: &[(&[u8], String)] = &[
        (b"", format!("the input: it is empty; {expected}")),
        (b" \n# only this\n", format!("the input: no record was found in it; {expected}")),
        (b"length,count\n", format!("the input: no record was found in it; {expected}")),
        (b"[]", format!("the input: no record was found in it; {expected}")),
        (b"length,count\n7,0\n8,0\n", format!("the input: every count in it is 0; {expected}")),
        (b"length\nx\n", format!("line 2, column 1: \"x\" {LENGTH}")),
        (
            b"{\"a\":1,\"b\":2}\n",
            "line 1, column 1: no field is known to be a length; name one of: a (numbers), b (numbers): \
             --length-column"
                .into(),
        ),
        (b"\xff\xfe1\0", "byte 1: this is UTF-16 text; save it as UTF-8".into()),
        (b"\xfe\xff\x001", "byte 1: this is UTF-16 text; save it as UTF-8".into()),
        (b"\x1f\x8b\x08\0", format!("byte 1: this is gzip-compressed data; {text}")),
        (b"PAR1\x15", format!("byte 1: this is a Parquet file; {text}")),
        (b"length,count\n7,1\n9\n", "line 3: this row has 1 cell, and the first has 2; ".to_owned() + cells),
        (
            b"length,count\n7,1\n9,1,2\n",
            "line 3: this row has 3 cells, and the first has 2; ".to_owned() + cells,
        ),
        (b"length\n7\n\"12\n13\n", "line 3: the quote before \"12 13\" is never closed".into()),
    ];
    for (input, message) in cases {
        let shown = String::from_utf8_lossy(input);
        assert_eq!(read(input).unwrap_err().to_string(), *message, "{shown:?}");
    }
}

#[test]
fn totals_beyond_64_bits_are_an_error() {
    let items = read("length,count\n1,18446744073709551615\n1,1\n").unwrap_err();
    assert_eq!(
        items.to_string(),
        "the data are too large: the number of items exceeds 2^64 − 1"
    );
    let tokens = read("length,count\n2,18446744073709551615\n").unwrap_err();
    assert_eq!(
        tokens.to_string(),
        "the data are too large: the number of tokens exceeds 2^64 − 1"
    );
}

#[test]
fn options_overrule_detection() {
    let none = Options::default;
    let one = Options {
        count: Some(Counts::One),
        ..none()
    };
    let format = |format| Options {
        format: Some(format),
        ..none()
    };
    let table = "a,b,c\n1,2,3\n4,5,6";
    let cases: &[(&str, Options, &str)] = &[
        (table, by("b"), "2×1 5×1"),
        (
            table,
            Options {
                count: Some(Counts::Column("c".into())),
                ..by("A")
            },
            "1×3 4×6",
        ),
        (table, by("3"), "3×1 6×1"),
        (
            "7,1\n8,2",
            Options {
                sizes: vec![Column::Number(1)],
                ..one.clone()
            },
            "7×1 8×1",
        ),
        ("7,1\n8,2", format(Format::Numbers), "1×1 2×1 7×1 8×1"),
        (
            "7,1\n8,2",
            Options {
                header: Some(true),
                ..by("1")
            },
            "8×1",
        ),
        // Titles stay above a table whose header is chosen, as they are where it is found; a header of one name does not.
        (
            "May\nlength,count\n7,1\n8,2",
            Options {
                header: Some(true),
                ..none()
            },
            "7×1 8×2",
        ),
        (
            "May\n7,1\n8,2",
            Options {
                header: Some(false),
                ..pairs()
            },
            "7×1 8×2",
        ),
        (
            "may\n1,7\n2,8",
            Options {
                header: Some(true),
                ..by("may")
            },
            "7×1 8×1",
        ),
        ("may\n1,7\n2,8", by("may"), "7×1 8×1"),
        (
            "7;1\n8;2",
            Options {
                delimiter: Some(Delimiter::Semicolon),
                ..by("1")
            },
            "7×1 8×1",
        ),
        ("1 2\n3 4", format(Format::Numbers), "1×1 2×1 3×1 4×1"),
        ("[[12,5],[13,7]]", one.clone(), "2×2"),
        ("[[12,5],[13,7]]", pairs(), "12×5 13×7"),
        ("[12,5]\n[13,7]", pairs(), "12×5 13×7"),
        ("[1,2]\n[3]", format(Format::JsonLines), "1×1 2×1"),
        ("12\n13", format(Format::JsonLines), "12×1 13×1"),
        ("12, 13", format(Format::Json), "12×1 13×1"),
        (r#"{"a":{"b":[1,2]},"a.c":9}"#, by("a.b"), "2×1"),
        (r#"{"a":{"b":[1,2]},"a.c":9}"#, by("a.c"), "9×1"),
        (r#"{"x":"a text","length":9}"#, by("x"), "2×1"),
    ];
    for (input, options, want) in cases {
        let read = ingest::read(input.as_bytes(), options.clone())
            .unwrap_or_else(|e| panic!("{input:?}: {e}"));
        assert_eq!(entries(&read), *want, "{input:?} {options:?}");
    }
    let error = |input: &str, options| {
        ingest::read::<1>(input.as_bytes(), options)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error(table, by("d")),
        "line 1: there is no column \"d\"; the columns are: a (numbers), b (numbers), c (numbers)"
    );
    assert_eq!(
        error(table, by("4")),
        "line 1: there is no column 4; the columns are: a (numbers), b (numbers), c (numbers)"
    );
    assert_eq!(
        error("1,2", by("0")),
        "line 1: there is no column 0; the table has no header and 2 columns"
    );
}

#[test]
fn the_description_says_what_was_assumed() {
    let cases = [
        (
            "7 1 3\n8 2",
            "several numbers on a line without a header: each is read as a length",
        ),
        (
            "{\"7\":1}",
            "an object with numbers as keys: read as length: count",
        ),
        (
            "[[7],[8,9]]",
            "the length of an array is the number of its elements",
        ),
        (
            "[\"seven\"]",
            "lengths are counted in words and punctuation marks, not in the tokens of a model; a tokenizer would count more",
        ),
        ("{\"len\":7}", "the field \"len\" is read as the length"),
    ];
    for (input, note) in cases {
        let notes = read(input).unwrap().description.notes;
        assert_eq!(
            notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [note],
            "{input}"
        );
    }
    let table = Options {
        count: Some(Counts::One),
        ..Options::default()
    };
    // Nothing is assumed of columns that nobody has named.
    let error = ingest::read::<1>(b"1,2\n7,8", table.clone())
        .unwrap_err()
        .to_string();
    assert!(error.contains("two columns without names"), "{error}");
    let read = ingest::read::<1>(
        b"1,2\n7,8",
        Options {
            sizes: vec![Column::Number(1)],
            ..table
        },
    );
    let read = read.unwrap().description;
    assert_eq!(
        (read.sizes, read.count, read.columns),
        (vec![Column::Number(1)], None, None)
    );
    assert_eq!(read.notes, []);
}

#[test]
fn the_sentence_reads_like_one() {
    let sentence = |input: &str| read(input).unwrap().description.sentence();
    assert_eq!(
        sentence("length,count\n36,80000\n384,8641"),
        "88,641 sequences, 36–384 tokens, mean 69.9"
    );
    assert_eq!(sentence("length\n7"), "1 sequence, 7 tokens each");
    assert_eq!(
        sentence("7 x y 1000"),
        "2 sequences, 7–1,000 tokens, mean 503.5; 2 values skipped"
    );
    let many = read("length\n7\n".to_owned() + &"x\n".repeat(1000))
        .unwrap()
        .description;
    assert_eq!(
        (many.problems.len(), many.skipped, many.records),
        (20, 1000, 1001)
    );
    let back: ingest::Description =
        serde_json::from_str(&serde_json::to_string(&many).unwrap()).unwrap();
    assert_eq!(back, many);
}

/// A built-in file, read by the parser of built-in files, which knows nothing but commas, and by the readers.
fn naive_and_read<const K: usize>(preset: &Preset) -> (Histogram<K>, Ingested<K>) {
    let path = format!(
        "{}/static/datasets/{}.csv",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../.."),
        preset.id
    );
    let text = std::fs::read_to_string(path).unwrap();
    let read = ingest::read(text.as_bytes(), Options::default()).unwrap();
    (Histogram::from_built_in(&text).unwrap(), read)
}

#[test]
fn the_datasets_equal_a_naive_reading() {
    for preset in Preset::ALL {
        let (naive, read) = naive_and_read::<1>(preset);
        assert_eq!(
            (&read.histogram, read.description.skipped),
            (&naive, 0),
            "{}",
            preset.id
        );
    }
    for preset in Preset::GRAPHS.iter().filter(|p| p.generated.is_none()) {
        let (naive, read) = naive_and_read::<2>(preset);
        assert_eq!(
            (&read.histogram, read.description.skipped),
            (&naive, 0),
            "{}",
            preset.id
        );
        assert_eq!(read.histogram.max()[..], *preset.limits, "{}", preset.id);
    }
    let folder = format!(
        "{}/static/datasets",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../..")
    );
    let provenance = std::fs::read_to_string(format!("{folder}/PROVENANCE.md")).unwrap();
    let paths = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path());
    let names = paths.filter(|path| path.extension().is_some_and(|e| e == "csv"));
    let files: BTreeSet<String> = names
        .map(|p| p.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let listed = Preset::ALL
        .iter()
        .chain(Preset::GRAPHS)
        .filter(|p| p.generated.is_none());
    assert_eq!(
        files,
        listed.map(|p| p.id.to_owned()).collect(),
        "files, and the sets listed"
    );
    assert!(files.len() > 30);
    for id in &files {
        let rows = provenance
            .lines()
            .filter(|line| line.starts_with(&format!("| {id}.csv |")))
            .count();
        if rows == 0 && std::env::var_os("PACKSCOPE_README").is_some_and(|way| way == "write") {
            write_provenance(id);
            continue;
        }
        assert_eq!(
            rows, 1,
            "rows of {id} in PROVENANCE.md; PACKSCOPE_README=write puts one in"
        );
    }
}

/// Puts a row for a set into the table of provenance, from its entry and its counts.
fn write_provenance(id: &str) {
    let file = concat!(
        concat!(env!("CARGO_MANIFEST_DIR"), "/../.."),
        "/static/datasets/PROVENANCE.md"
    );
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let preset = Preset::find(id)
        .or_else(|| Preset::find_graphs(id))
        .unwrap();
    let (items, most) = if preset.components.len() == 1 {
        let read = naive_and_read::<1>(preset).0;
        (read.items(), read.max()[0].to_string())
    } else {
        let read = naive_and_read::<2>(preset).0;
        (
            read.items(),
            read.max().map(|most| most.to_string()).join(" / "),
        )
    };
    let row = format!(
        "| {id}.csv | {} | {items} | {} | {most} | see the source | - |",
        preset.source, preset.about
    );
    let last = lines
        .iter()
        .rposition(|line| line.starts_with('|'))
        .unwrap();
    lines.insert(last + 1, &row);
    std::fs::write(file, lines.join("\n") + "\n").unwrap();
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
#[ignore = "outer circle: a gigabyte in few megabytes is in the inner circle"]
fn ten_million_records_are_read_without_being_held() {
    let all = [
        ten_million("", |n| format!("{n}\n")),
        ten_million("length,count\n", |n| format!("{n},1\n")),
        ten_million("[7", |n| format!(",{n}")),
        ten_million("", |n| format!("{{\"length\":{n}}}\n")),
    ];
    for (read, (extra, skipped)) in all.iter().zip([(0, 0), (0, 0), (1, 1), (0, 0)]) {
        assert_eq!(read.histogram.items() + skipped, 10_000_000 + extra);
        assert!(
            read.histogram
                .entries()
                .iter()
                .all(|(_, count)| (9_999..=10_001).contains(count))
        );
        assert_eq!(
            (read.histogram.distinct(), read.description.skipped),
            (1000, skipped)
        );
    }
}

/// Reads `start` at once and `rest` in chunks of the lengths in `cuts`, over and over.
pub fn in_chunks<const K: usize>(
    start: &[u8],
    mut rest: &[u8],
    cuts: &[usize],
    options: Options,
) -> Result<Ingested<K>, Error> {
    let mut reader = Reader::new(options);
    reader.push(start)?;
    for cut in cuts.iter().cycle().take(rest.len()) {
        let (chunk, later) = rest.split_at(rest.len().min(*cut));
        reader.push(chunk)?;
        rest = later;
    }
    reader.finish()
}

#[test]
fn sizes_of_two_and_three_components_are_read_from_every_format() {
    let two = [
        // Tables: by names of every kind, in any order, with and without counts.
        ("nodes,edges,count\n12,26,3\n7,14,1\n", "7:14×1 12:26×3"),
        (
            "Num_Edges;id;Num-Nodes\n26;a;12\n14;b;7\n",
            "7:14×1 12:26×1",
        ),
        ("n_node\tn_edge\tfreq\n12\t26\t2\n", "12:26×2"),
        ("bonds,atoms\n26,12\n", "12:26×1"),
        ("edge_count,node_count\n26,12\n", "12:26×1"),
        ("nodes,edges,triplets\n12,26,60\n", "12:26×1"),
        (
            "source,target,source_length,target_length\na,b,12,26\n",
            "12:26×1",
        ),
        ("decoder,encoder,items\n26,12,5\n", "12:26×5"),
        (
            "TIMESTAMP,ContextTokens,GeneratedTokens\nx,12,26\n",
            "12:26×1",
        ),
        ("input_length,output_length\n12,0\n", "12:0×1"),
        ("prompt_tokens,num_completion_tokens\n12,26\n", "12:26×1"),
        ("num_prefill_tokens,num_decode_tokens\n12,26\n", "12:26×1"),
        // Without names.
        ("12,26\n7,14\n7,14\n", "7:14×2 12:26×1"),
        ("12,26,3\n7,14,2\n", "7:14×2 12:26×3"),
        ("12;26;3;9\n7;0;2;9\n", "7:0×1 12:26×1"),
        ("12,26", "12:26×1"),
        // JSON and JSON Lines.
        ("[[12,26],[7,0]]", "7:0×1 12:26×1"),
        ("[12,26,3]\n[7,14,2]\n", "7:14×2 12:26×3"),
        (
            r#"[{"id":1,"num_nodes":12,"num_edges":26},{"num_edges":14,"num_nodes":7}]"#,
            "7:14×1 12:26×1",
        ),
        (r#"{"nodes":12,"edges":26.0,"count":3}"#, "12:26×3"),
        (
            "{\"nodes\":[1,2,3],\"edges\":[]}\n{\"nodes\":[1],\"edges\":[[0,0]]}",
            "1:1×1 3:0×1",
        ),
        (
            r#"{"prompt":"text","completion":"other","prompt_len":12,"completion_len":26}"#,
            "12:26×1",
        ),
        // Beyond what is counted in a vector.
        (
            "nodes,edges\n255,70000\n256,0\n255,70000\n255,255\n",
            "255:255×1 255:70000×2 256:0×1",
        ),
    ];
    for (input, want) in two {
        let read = read_sizes::<2>(input).unwrap_or_else(|e| panic!("{input:?}: {e}"));
        assert_eq!(
            (shown(&read.histogram).as_str(), read.description.skipped),
            (want, 0),
            "{input:?}"
        );
    }
    let three = [
        ("triplets,nodes,edges,count\n60,12,26,3\n", "12:26:60×3"),
        ("12,26,60\n7,14,0\n", "7:14:0×1 12:26:60×1"),
        ("12,26,60,3\n40,0,0,1\n", "12:26:60×3 40:0:0×1"),
        ("[12,26,60]\n[7,14,0]\n", "7:14:0×1 12:26:60×1"),
        ("[[12,26,60,3]]", "12:26:60×3"),
        (
            r#"{"num_nodes":12,"num_edges":26,"num_triplets":60}"#,
            "12:26:60×1",
        ),
    ];
    for (input, want) in three {
        let read = read_sizes::<3>(input).unwrap_or_else(|e| panic!("{input:?}: {e}"));
        assert_eq!(
            (shown(&read.histogram).as_str(), read.description.skipped),
            (want, 0),
            "{input:?}"
        );
    }
}

#[test]
fn columns_of_sizes_can_be_chosen() {
    let table = "a,b,c\n12,26,3\n7,14,2\n";
    let json = r#"[{"g":{"n":12,"e":26},"c":3}]"#;
    let none = chosen(&[], None);
    let cases = [
        (table, chosen(&["c", "a"], None), "2:7×1 3:12×1"),
        (table, chosen(&["1", "2"], Some("3")), "7:14×2 12:26×3"),
        ("12,26,3\n", chosen(&["3", "1"], None), "3:12×1"),
        (
            "12,26,3\n",
            Options {
                count: Some(Counts::One),
                ..none.clone()
            },
            "12:26×1",
        ),
        (
            "12,26\n",
            Options {
                count: Some(Counts::Column("2".into())),
                ..none
            },
            "12:26×1",
        ),
        (json, chosen(&["g.n", "g.e"], Some("c")), "12:26×3"),
        (
            "[3,26,12]\n[1,2,3]",
            chosen(&["3", "2"], Some("1")),
            "3:2×1 12:26×3",
        ),
    ];
    for (input, options, want) in cases {
        let read = ingest::read::<2>(input.as_bytes(), options.clone()).unwrap();
        assert_eq!(shown(&read.histogram), want, "{input:?} {options:?}");
    }
    let one = ingest::read::<2>(table.as_bytes(), chosen(&["a"], None)).unwrap_err();
    assert_eq!(
        one.to_string(),
        "the choice of columns: 1 column for sizes of 2 components"
    );
    let absent = ingest::read::<2>(table.as_bytes(), chosen(&["a", "d"], None)).unwrap_err();
    assert_eq!(
        absent.to_string(),
        "line 1: there is no column \"d\"; the columns are: a (numbers), b (numbers), c (numbers)"
    );
}

#[test]
fn a_bad_size_is_skipped_and_its_component_is_named() {
    const SIZES: &str = "are whole numbers from";
    let cases = [
        (
            "nodes,edges\n7,14\n0,3\n",
            format!("line 3, column 1: \"0\" is not a size; sizes in nodes {SIZES} 1 to 4,294,967,295"),
        ),
        (
            "num_edges,num_nodes\n14,7\n-3,7\n",
            format!("line 3, column 1: \"-3\" is not a size; sizes in edges {SIZES} 0 to 4,294,967,295"),
        ),
        (
            "7,14\n7,x\n",
            format!("line 2, column 2: \"x\" is not a size; sizes in column 2 {SIZES} 0 to 4,294,967,295"),
        ),
        ("nodes,edges,count\n7,14,1\n7,14,x\n", format!("line 3, column 3: \"x\" {COUNT}")),
        (
            "[[7,14],[7,[1]]]",
            format!("line 1, column 9: \"[…]\" is not a size; sizes in column 2 {SIZES} 0 to 4,294,967,295"),
        ),
        (
            "[7,[7,14]]",
            "line 1, column 2: \"7\" does not hold 2 sizes; expected an object with fields such as nodes and edges, \
             or an array of 2 numbers, or of 3 with a count"
                .to_owned(),
        ),
        (
            "{\"nodes\":7,\"edges\":14}\n{\"nodes\":7}\n",
            "line 2, column 1: there is no field \"edges\"; found: nodes".to_owned(),
        ),
        (
            "{\"a\":1}\n{\"nodes\":7,\"edges\":14}\n",
            "line 1, column 1: no 2 fields are known to be sizes; found: a; choose them, or name them nodes and \
             edges, source and target, encoder and decoder, input and output, or prompt and completion"
                .to_owned(),
        ),
    ];
    for (input, problem) in cases {
        let read = read_sizes::<2>(input).unwrap_or_else(|e| panic!("{input:?}: {e}"));
        let problems: Vec<String> = read
            .description
            .problems
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(problems, [problem], "{input:?}");
        assert_eq!(shown(&read.histogram), "7:14×1", "{input:?}");
    }
}

#[test]
fn where_sizes_cannot_be_told_the_error_says_what_would_do() {
    let names = "choose them, or name them nodes and edges, source and target, encoder and decoder, input and \
                 output, or prompt and completion";
    let flags = "say which: --length-column or --size-columns, and --count-column, which is empty if there is none; the columns \
                 are: ";
    let cases = [
        (
            "nodes,label\n7,x\n",
            "line 1: no column is known to hold edges; name or choose one; ".to_owned() + flags + "nodes (numbers), label (text)",
        ),
        (
            "id,n_bonds\n7,3\n",
            "line 1: no column is known to hold nodes; name or choose one; ".to_owned() + flags + "id (numbers), n_bonds (numbers)",
        ),
        (
            "length,count\n7,3\n",
            format!("line 1: no 2 columns are known to hold sizes; {names}; {flags}length (numbers), count (numbers)"),
        ),
        (
            "7\n8\n",
            "the input: numbers without columns are lengths, one for each item; expected a table with columns \
             separated by commas, semicolons or tabs, JSON or JSON Lines"
                .to_owned(),
        ),
        (
            "",
            "the input: it is empty; expected sizes as a table, as JSON or as JSON Lines".to_owned(),
        ),
    ];
    for (input, message) in cases {
        assert_eq!(
            read_sizes::<2>(input).unwrap_err().to_string(),
            message,
            "{input:?}"
        );
    }
    let narrow =
        "line 1: sizes of 3 components take 3 columns, or 4 with a count; the table has 2 columns";
    assert_eq!(read_sizes::<3>("7,8\n").unwrap_err().to_string(), narrow);
}

#[test]
fn what_is_said_of_sizes() {
    let cases = [
        (
            "nodes,edges\n2,0\n30,64\n",
            "2 graphs, 2–30 nodes (mean 16.0), 0–64 edges (mean 32.0)",
            "",
        ),
        (
            "atoms,bonds,n\n1,1,1\n0,1,1\n",
            "1 graph, 1 node each, 1 edge each; 1 line skipped",
            "",
        ),
        (
            "src,tgt\n5,9\n1500,9\n",
            "2 pairs, 5–1,500 in src (mean 752.5), 9 each in tgt",
            "",
        ),
        (
            "5,9\n7,9\n",
            "2 pairs, 5–7 in column 1 (mean 6.0), 9 each in column 2",
            "2 columns without a header: all are read as sizes, one item each time",
        ),
        (
            "5,9,1\n7,9,2\n",
            "3 pairs, 5–7 in column 1 (mean 6.3), 9 each in column 2",
            "3 columns without a header: the first 2 are read as sizes, the next as the count",
        ),
        (
            "[[5,9,1,0]]",
            "1 pair, 5 each in column 1, 9 each in column 2",
            "arrays of 4 numbers: the first 2 are read as sizes, one item each time",
        ),
        (
            r#"{"n_nodes":2,"n_edges":4}"#,
            "1 graph, 2 nodes each, 4 edges each",
            "the fields \"n_nodes\", \"n_edges\" are read as sizes",
        ),
    ];
    for (input, sentence, note) in cases {
        let description = read_sizes::<2>(input).unwrap().description;
        let notes: Vec<String> = description.notes.iter().map(ToString::to_string).collect();
        assert_eq!(
            (description.sentence().as_str(), notes.join("; ").as_str()),
            (sentence, note),
            "{input}"
        );
        let back: ingest::Description =
            serde_json::from_str(&serde_json::to_string(&description).unwrap()).unwrap();
        assert_eq!(back, description);
    }
    let three = read_sizes::<3>("nodes,edges,triplets\n2,4,6\n3,4,0\n")
        .unwrap()
        .description;
    assert_eq!(
        three.sentence(),
        "2 graphs, 2–3 nodes (mean 2.5), 4 edges each, 0–6 triplets (mean 3.0)"
    );
    assert_eq!(three.components, ["nodes", "edges", "triplets"]);
    let (_, molhiv) = naive_and_read::<2>(&Preset::GRAPHS[0]);
    let sentence = "32,901 graphs, 2–222 nodes (mean 25.3), 2–502 edges (mean 54.1)";
    assert_eq!(molhiv.description.sentence(), sentence);
    assert_eq!(
        ingest::sentence(&molhiv.histogram, &["nodes", "edges"]),
        sentence
    );
    let (_, wikipedia) = naive_and_read::<1>(Preset::FIRST);
    assert_eq!(
        ingest::sentence(&wikipedia.histogram, &[]),
        wikipedia.description.sentence()
    );
}

#[test]
fn numbers_without_names_are_pairs_for_who_expects_them() {
    let cases = [
        ("3,4\n5,6\n", 2),
        ("3;4;10\n5;6;2\n", 2),
        ("3,4\nx,6\n", 2),
        ("[[12,26],[7,14]]", 2),
        ("[12,26,3]\n[7,14,1]\n", 2),
        // More numbers are lists of lengths, and lists of tokens.
        ("3,4,5,6\n7,8,9,1\n", 1),
        ("[1,2,3,4,5]\n[7,14]\n", 1),
        ("12\n13\n", 1),
        ("length,count\n12,26\n", 1),
        ("length,when,size\n12,26,3\n", 1),
        ("nodes,edges\n12,26\n", 2),
        // Damaged pairs are refused, not read as lengths.
        ("3,x", 2),
    ];
    for (input, components) in cases {
        let found = ingest::components_among_pairs(input.as_bytes(), true, &Options::default());
        assert_eq!(found, components, "{input:?}");
    }
    let options = chosen(&["1"], None);
    assert_eq!(
        ingest::components_among_pairs(b"3,4\n", true, &options),
        1,
        "a choice decides"
    );
    // Damaged graphs are graphs still: they are refused, not read as lengths.
    assert_eq!(
        ingest::components(b"nodes,edges\n3,x\n", true, &Options::default()),
        2
    );
}

#[test]
fn a_table_can_be_read_again_by_other_columns() {
    let pairs = |csv: &str, options: Options| {
        let read = ingest::read::<1>(csv.as_bytes(), options)
            .unwrap()
            .description;
        read.as_pairs().map(|o| o.sizes)
    };
    let names = |names: [&str; 2]| Some(names.map(Column::from).to_vec());
    // What belongs together, wherever it stands; else the next column that is no count.
    let trace = "when,ContextTokens,GeneratedTokens\n5,3,4\n";
    let asked = pairs(trace, chosen(&["ContextTokens"], None));
    assert_eq!(asked, names(["ContextTokens", "GeneratedTokens"]));
    assert_eq!(
        pairs("a,length,count,b\n5,3,4,1\n", Options::default()),
        names(["length", "b"])
    );
    assert_eq!(pairs("3,4\n5,6\n", chosen(&["1"], None)), names(["1", "2"]));
    assert_eq!(pairs("length\n5\n", Options::default()), None);
    // Of a wide table the first hundred columns are on offer; the one that is read may be another. (Found by fuzzing.)
    assert_eq!(
        pairs(&format!("{}1\n", "1,".repeat(119)), chosen(&["110"], None)),
        None
    );
    // Reading with the options of a description is reading the same way.
    let first = ingest::read::<2>(trace.as_bytes(), Options::default()).unwrap();
    let again = ingest::read::<2>(trace.as_bytes(), first.description.options()).unwrap();
    assert_eq!(again, first);
    assert_eq!(
        first.description.choices(),
        ["when", "ContextTokens", "GeneratedTokens"]
    );
    // Long names are shortened for people, and can be chosen all the same.
    let long = format!("{},b\n3,4\n", "a".repeat(60));
    let options = ingest::read::<1>(long.as_bytes(), chosen(&["1"], None));
    let options = options.unwrap().description.as_pairs();
    assert_eq!(
        ingest::read::<2>(long.as_bytes(), options.unwrap())
            .unwrap()
            .histogram
            .max(),
        [3, 4]
    );
    let unnamed = ingest::read::<2>(b"3,4,1\n", Options::default())
        .unwrap()
        .description;
    assert_eq!(
        (unnamed.choices(), unnamed.width),
        (vec!["1".to_owned(), "2".into(), "3".into()], 3)
    );
}

#[test]
fn an_input_says_how_many_components_it_offers() {
    let cases = [
        ("nodes,edges,count\n12,26,3\n", 2),
        ("ContextTokens,GeneratedTokens\n12,26\n", 2),
        ("{\"num_nodes\":12,\"num_edges\":26}\n", 2),
        ("[{\"source_len\":12,\"target_len\":26},{\"sour", 2),
        ("nodes,edges\nx,26\n12,26\n12,2", 2),
        ("nodes,triplets\n12,26\n", 1),
        ("length,count\n12,26\n", 1),
        // Texts are no sizes, nor are numbers that nobody named.
        ("source,target,length\na,b,12\n", 1),
        ("{\"prompt\":\"a\",\"completion\":\"b\"}\n", 1),
        ("12,26\n7,14\n", 1),
        ("12,26,3\n7,14,2\n", 1),
        ("[[12,26],[7,14]]", 1),
        ("12\n13\n", 1),
        ("PAR1", 1),
        ("", 1),
    ];
    for (input, components) in cases {
        for complete in [true, false] {
            let found = ingest::components(input.as_bytes(), complete, &Options::default());
            assert_eq!(found, components, "{input:?} {complete}");
        }
    }
    // Wherever the beginning ends: in the first column, at the comma, in the second.
    let long = "num_nodes,num_edges\n".to_owned() + &"12,26\n7,14\n".repeat(20_000);
    for end in 65_500..65_520 {
        let (found, all) = [&long.as_bytes()[..end], long.as_bytes()]
            .map(|head| ingest::components(head, false, &Options::default()))
            .into();
        assert_eq!((found, all), (2, 2), "{end}");
    }
    assert_eq!(
        ingest::components(b"1,2,3\n", true, &chosen(&["1", "2"], None)),
        2
    );
}

#[test]
fn a_built_in_file_that_is_damaged_is_refused() {
    assert_eq!(
        shown(&Histogram::<2>::from_built_in("nodes,edges,count\n3,0,2\n").unwrap()),
        "3:0×2"
    );
    for damaged in [
        "",
        "length,count\n",
        "length,count\n3,x\n",
        "length,count\n3\n",
        "length,count\n3,4",
        "a,b,c\n3,4,5\n",
        "<html>",
    ] {
        assert!(
            Histogram::<1>::from_built_in(damaged).is_none(),
            "{damaged:?}"
        );
    }
}

/// Items, distinct sizes, nodes, edges and the largest of each, counted once by other means.
#[test]
fn the_built_in_graphs_are_complete() {
    let known = [
        ("ogbg_molhiv", 32_901, 795, [830_936, 1_779_606], [222, 502]),
        ("mol_muv", 93_127, 187, [2_256_729, 4_894_162], [46, 104]),
        (
            "mol_zinc250k",
            249_456,
            162,
            [5_775_257, 12_424_046],
            [38, 90],
        ),
        ("mol_qm9", 133_879, 37, [1_177_577, 2_516_492], [9, 28]),
        (
            "mol_qm9_allatoms_graph",
            133_879,
            120,
            [2_410_774, 4_982_886],
            [29, 56],
        ),
        ("tu_mutag", 188, 39, [3_371, 7_442], [28, 66]),
        ("tu_proteins", 1_113, 665, [43_471, 162_088], [620, 2_098]),
        ("tu_dd", 1_178, 1_166, [334_925, 1_686_092], [5_748, 28_534]),
        (
            "tu_collab",
            5_000,
            3_939,
            [372_474, 24_574_995],
            [492, 80_239],
        ),
        (
            "tu_reddit_binary",
            2_000,
            1_865,
            [859_254, 1_991_016],
            [3_782, 8_142],
        ),
        (
            "cpython311_function_ast",
            16_539,
            587,
            [1_109_598, 1_093_059],
            [2_511, 2_510],
        ),
    ];
    let files: Vec<&Preset> = Preset::GRAPHS
        .iter()
        .filter(|p| p.generated.is_none())
        .collect();
    assert_eq!(
        files.iter().map(|p| p.id).collect::<Vec<_>>(),
        known.map(|k| k.0)
    );
    for (preset, (id, items, distinct, total, max)) in files.into_iter().zip(known) {
        let h = naive_and_read::<2>(preset).1.histogram;
        assert_eq!(
            (h.items(), h.distinct(), h.total(), h.max()),
            (items, distinct, total, max),
            "{id}"
        );
    }
}

#[test]
fn every_set_of_graphs_has_words_a_source_and_limits_that_cut_nothing() {
    for preset in Preset::GRAPHS {
        assert!(
            preset.about.ends_with('.') && preset.source.ends_with('.'),
            "{}",
            preset.id
        );
        assert_eq!(
            (preset.components.len(), Preset::find_graphs(preset.id)),
            (2, Some(preset))
        );
        assert!(
            Preset::find(preset.id).is_none(),
            "{} is the name of two sets",
            preset.id
        );
        let made = preset.generate().map(|h| h.max());
        assert_eq!(
            made,
            preset.generated.and(preset.limits.try_into().ok()),
            "{}",
            preset.id
        );
        assert_eq!(
            preset.generated.is_some(),
            preset.title.ends_with("(generated)"),
            "{}",
            preset.id
        );
    }
    let groups: Vec<&str> = Preset::GRAPHS.iter().map(|p| p.group).collect();
    let mut runs = groups.clone();
    runs.dedup();
    assert!(
        runs.iter()
            .all(|g| runs.iter().filter(|r| *r == g).count() == 1),
        "a group comes twice: {runs:?}"
    );
}

fn mean(h: &Histogram<2>, k: usize) -> f64 {
    h.total()[k] as f64 / h.items() as f64
}

#[test]
fn the_generated_sets_are_what_they_say() {
    let code = Generated::Code.histogram().unwrap();
    assert_eq!(
        (code.items(), code.distinct(), code.max()),
        (407_976, 2_099, [36_123, 36_122])
    );
    assert!(
        code.entries()
            .iter()
            .all(|([nodes, edges], _)| edges + 1 == *nodes)
    );
    assert!(
        (124.5..125.5).contains(&mean(&code, 0)),
        "{}",
        mean(&code, 0)
    );
    let top = code.entries().iter().map(|(_, count)| *count).max();
    let falls = code
        .entries()
        .iter()
        .skip_while(|(_, count)| Some(*count) != top)
        .map(|(_, count)| *count);
    assert!(falls.clone().zip(falls.skip(1)).all(|(a, b)| a >= b));

    let ppa = Generated::Ppa.histogram().unwrap();
    assert_eq!(
        (ppa.items(), ppa.distinct(), ppa.max()),
        (78_200, 35_981, [300, 36_138])
    );
    assert!(ppa.entries().iter().any(|(size, _)| *size == [300, 36_138]));
    let capped: u64 = ppa
        .entries()
        .iter()
        .filter(|(size, _)| size[0] == 300)
        .map(|(_, count)| count)
        .sum();
    assert_eq!(capped, 78_200 * 54 / 100);
    let means = [0, 1].map(|k| mean(&ppa, k));
    assert!(
        (243.0 - means[0]).abs() < 1.0 && (4_500.0 - means[1]).abs() < 50.0,
        "{means:?}"
    );
    assert!(
        ppa.entries()
            .iter()
            .all(|([nodes, edges], _)| edges % 2 == 0 && *edges >= 2 * (nodes - 1))
    );

    let pairs = Generated::Summaries.histogram().unwrap();
    assert_eq!((pairs.items(), pairs.max()), (20_000, [512, 128]));
    let (x, y) = (mean(&pairs, 0), mean(&pairs, 1));
    let moment = |f: &dyn Fn(f64, f64) -> f64| {
        let each = pairs
            .entries()
            .iter()
            .map(|([a, b], n)| f(f64::from(*a) - x, f64::from(*b) - y) * *n as f64);
        each.sum::<f64>()
    };
    let correlation =
        moment(&|a, b| a * b) / (moment(&|a, _| a * a) * moment(&|_, b| b * b)).sqrt();
    assert!((0.4..0.8).contains(&correlation), "{correlation}");
}

fn read_sizes<const K: usize>(input: &str) -> Result<Ingested<K>, Error> {
    ingest::read(input.as_bytes(), Options::default())
}

fn chosen(sizes: &[&str], count: Option<&str>) -> Options {
    let sizes = sizes.iter().map(|name| Column::from(*name)).collect();
    Options {
        sizes,
        count: count.map(|c| Counts::Column(c.into())),
        ..Options::default()
    }
}

/// Entries as `12:26×3 7:14×1`.
fn shown<const K: usize>(histogram: &Histogram<K>) -> String {
    let entries = histogram
        .entries()
        .iter()
        .map(|(size, count)| format!("{}×{count}", size.map(|s| s.to_string()).join(":")));
    entries.collect::<Vec<_>>().join(" ")
}

/// Nothing, or the start of an input of each kind, filled up so that what follows is decoded in chunks:
/// up to 64 KiB are held back until the format is decided.
fn starts() -> impl Strategy<Value = Vec<u8>> {
    let mut starts = vec![
        "7\n",
        "7;1\n7;1\n",
        "length\n7\n",
        "length\n7\n\"",
        "[7,\n",
        "{\"7\":1,\n",
    ];
    starts.extend([
        "{\"length\":7}\n",
        "{\n\"length\":7}\n",
        "[1]\n[2]\n",
        "\"ab\"\n\"cd\"\n",
        "7\n# ",
    ]);
    let long = prop::sample::select(starts).prop_map(|start| {
        let mut bytes = start.as_bytes().to_vec();
        bytes.resize(65_530, b' ');
        bytes
    });
    prop_oneof![Just(Vec::new()), long]
}

/// Text from an alphabet that has everything the readers treat specially.
fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let pieces = "0 1 9 12 7,1 , ; : \" ' { } [ ] . - + e E # \\ NaN é length count \"length\": {\"len\":3} [1,2] \
                  nodes,edges {\"nodes\":3,\"edges\":0} 7,1,2 [1,2,3] null";
    let mut pieces: Vec<&str> = pieces.split(' ').collect();
    pieces.extend([" ", "\t", "\n", "\n", "\r", "\r\n", "\u{feff}"]);
    prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|p| p.concat().into_bytes())
}

fn any_options() -> impl Strategy<Value = Options> {
    let format = prop::sample::select(vec![
        None,
        None,
        Some(0),
        Some(1),
        Some(2),
        Some(3),
        Some(4),
    ]);
    let length = prop::sample::select(vec![
        None,
        None,
        Some("1"),
        Some("0"),
        Some("length"),
        Some("a.b"),
    ]);
    let count = prop::sample::select(vec![None, None, Some("2"), Some("count")]);
    (format, length, count, prop::option::of(any::<bool>())).prop_map(
        |(format, length, count, header)| Options {
            format: format.map(|f: usize| Format::ALL[f]),
            sizes: length.map(Column::from).into_iter().collect(),
            count: count.map(|c| Counts::Column(c.into())),
            header,
            ..Options::default()
        },
    )
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
        let bytes = [&start[..], &rest].concat();
        let whole = ingest::read::<1>(&bytes, options.clone());
        prop_assert_eq!(&in_chunks(&start, &rest, &cuts, options.clone()), &whole);
        prop_assert_eq!(&in_chunks(&start, &rest, &[1], options.clone()), &whole);
        if let Ok(Ingested { histogram, description }) = whole {
            prop_assert_eq!(description.items, histogram.items());
            prop_assert_eq!(description.problems.len() as u64, description.skipped.min(20));
            prop_assert!(description.skipped < description.records);
        }
        // The same for two components; a choice of columns must fit them.
        let sizes = options.sizes.iter().flat_map(|c| [c.clone(), Column::from("2")]).collect();
        let options = Options { sizes, ..options };
        let whole = ingest::read::<2>(&bytes, options.clone());
        prop_assert_eq!(&in_chunks(&start, &rest, &cuts, options.clone()), &whole);
        prop_assert!((1..=2).contains(&ingest::components(&bytes, true, &options)));
        if let Ok(Ingested { histogram, description }) = whole {
            prop_assert_eq!((description.items, &description.total[..]), (histogram.items(), &histogram.total()[..]));
            prop_assert!(description.skipped < description.records);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Lines without quotes are cut at their delimiters, others are parsed: the same cells are read alike.
    #[test]
    fn cells_in_quotes_are_read_as_those_without(
        rows in proptest::collection::vec(
            proptest::collection::vec(
                proptest::sample::select(vec!["7", "12", "0", "", "x", " 3", "1.5", "\u{feff}5", "300000"]),
                3,
            ),
            1..12,
        ),
        end in proptest::sample::select(vec!["\n", "\r\n", "\r"]),
        quoted in proptest::collection::vec(any::<bool>(), 12),
    ) {
        let table = |is_quoted: &dyn Fn(usize) -> bool| -> String {
            let lines = rows.iter().enumerate().map(|(at, row)| {
                let cells: Vec<String> = row
                    .iter()
                    .map(|cell| match is_quoted(at) {
                        true => format!("\"{cell}\""),
                        false => (*cell).to_owned(),
                    })
                    .collect();
                cells.join(",") + end
            });
            // The header decides the width.
            std::iter::once(format!("length,a,b{end}")).chain(lines).collect()
        };
        let options = Options {
            format: Some(Format::Table),
            delimiter: Some(Delimiter::Comma),
            header: Some(true),
            allow_skipped: true,
            ..Options::default()
        };
        let read = |text: &str| {
            let read = ingest::read::<1>(text.as_bytes(), options.clone());
            read.map(|read| (read.histogram, read.description.records, read.description.skipped))
                .map_err(|error| error.to_string())
        };
        prop_assert_eq!(read(&table(&|_| false)), read(&table(&|at| quoted[at])));
    }
}
