//! Computed lengths: formulae over the fields of tables, of JSON and of typed columns give the values computed here
//! from the same records, and values that are not lengths are reported with their record.

use packscope_core::error::Result;
use packscope_files::ingest::{
    self, Column, Counts, File, Format, Ingested, Note, Options, parquet,
};
use std::ops::ControlFlow;

fn sizes(formulae: &[&str]) -> Options {
    Options {
        sizes: formulae.iter().map(|text| Column::from(*text)).collect(),
        ..Options::default()
    }
}

fn read<const K: usize>(input: &str, formulae: &[&str]) -> Result<Ingested<K>> {
    ingest::read(input.as_bytes(), sizes(formulae))
}

fn lengths(read: &Ingested) -> Vec<(u32, u64)> {
    read.histogram.lengths()
}

fn of_file<const K: usize>(name: &str, options: &Options) -> Result<Ingested<K>> {
    let path = format!(
        "{}/tests/data/odd/{name}",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../..")
    );
    let bytes = std::fs::read(path).unwrap();
    let files = [File {
        name,
        source: &bytes.as_slice(),
    }];
    parquet::open_as(&files, options, &mut |_, _| ControlFlow::Continue(()))
}

#[test]
fn tables_json_and_json_lines_of_the_same_records_have_the_same_lengths() {
    let rows: Vec<(u32, u32, f64)> = (1..=200)
        .map(|i| (i * 7 % 91, i, f64::from(i) * 0.013 + 0.01))
        .collect();
    let table = |mark: &str| {
        let row = |(a, b, s): &(u32, u32, f64)| format!("{a}{mark}{b}{mark}{s}\n");
        format!("prompt_tokens{mark}b c{mark}duration\n")
            + &rows.iter().map(row).collect::<String>()
    };
    let object = |(a, b, s): &(u32, u32, f64)| {
        format!("{{\"prompt_tokens\":{a},\"b c\":{b},\"x\":{{\"duration\":{s}}},\"duration\":{s}}}")
    };
    let objects: Vec<String> = rows.iter().map(object).collect();
    let inputs = [
        table(","),
        table("\t"),
        table(";"),
        objects.join("\n"),
        format!("[{}]", objects.join(",")),
    ];
    let ceil = |a: u32| a.div_ceil(16);
    type Compute = Box<dyn Fn(u32, u32, f64) -> u32>;
    let cases: [(&str, Compute); 5] = [
        ("prompt_tokens + `b c`", Box::new(|a, b, _| a + b)),
        (
            "ceil(`b c` / 16) * (1 + ceil(prompt_tokens / 16))",
            Box::new(move |a, b, _| ceil(b) * (1 + ceil(a))),
        ),
        (
            "round(duration * 50)",
            Box::new(|_, _, s| (s * 50.0).round() as u32),
        ),
        (
            "max(prompt_tokens, `b c`) + 2",
            Box::new(|a, b, _| a.max(b) + 2),
        ),
        ("`b c` // 7 + 1", Box::new(|_, b, _| b / 7 + 1)),
    ];
    for (formula, compute) in cases {
        let all: Vec<u32> = rows.iter().map(|(a, b, s)| compute(*a, *b, *s)).collect();
        let mut want: Vec<u32> = all.iter().copied().filter(|n| *n > 0).collect();
        want.sort_unstable();
        for input in &inputs {
            let read: Ingested = read(input, &[formula]).unwrap();
            let found = lengths(&read)
                .into_iter()
                .flat_map(|(n, count)| std::iter::repeat_n(n, count as usize));
            assert_eq!(
                found.collect::<Vec<_>>(),
                want,
                "{formula}: {}",
                &input[..20]
            );
            assert_eq!(read.description.skipped, (all.len() - want.len()) as u64);
            let first = want_first(&all);
            assert!(
                read.description.notes.contains(&Note::Computed { first }),
                "{:?}",
                read.description.notes
            );
            // What the page asks for when something else is changed.
            let again: Ingested =
                ingest::read(input.as_bytes(), read.description.options()).unwrap();
            assert_eq!(again.histogram, read.histogram);
            assert_eq!(
                read.description.column(formula),
                Column::Name(formula.to_owned())
            );
        }
    }
    let nested: Ingested = read(&inputs[3], &["ceil(x.duration * 100)"]).unwrap();
    assert_eq!(lengths(&nested)[0], ((rows[0].2 * 100.0).ceil() as u32, 1));
}

fn want_first(all: &[u32]) -> Vec<Vec<u32>> {
    all.iter()
        .filter(|n| **n > 0)
        .take(10)
        .map(|n| vec![*n])
        .collect()
}

#[test]
fn a_component_may_be_computed_beside_one_that_is_read() {
    let inputs = [
        "w,h,n\n33,16,5\n16,47,2\n",
        "{\"w\":33,\"h\":16,\"n\":5}\n{\"w\":16,\"h\":47,\"n\":2}\n",
    ];
    for input in inputs {
        let read: Ingested<2> = read(input, &["ceil(w/16) * ceil(h/16)", "n"]).unwrap();
        assert_eq!(
            read.histogram.entries(),
            [([3, 2], 1), ([3, 5], 1)],
            "{input}"
        );
        // The second component may be 0, the first not.
        let read: Ingested<2> = self::read(input, &["n - 2", "n - 2"]).unwrap();
        assert_eq!(
            (read.histogram.entries(), read.description.skipped),
            (&[([3, 3], 1)][..], 1)
        );
        assert!(
            read.description.problems[0]
                .message()
                .contains("\"0\" is not a size; sizes in n - 2")
        );
    }
}

#[test]
fn columns_of_parquet_and_numpy_are_computed_with_too() {
    type Lengths = &'static [(u32, u64)];
    let cases: [(&str, &str, Lengths); 6] = [
        (
            "parquet-count.parquet",
            "length * 2 + count",
            &[(28, 1), (29, 1)],
        ),
        ("parquet-lists.parquet", "input_ids + 2", &[(2, 1), (5, 1)]),
        (
            "parquet-struct.parquet",
            "meta.length + 1",
            &[(13, 1), (14, 1)],
        ),
        ("npz-several.npz", "lengths + labels", &[(12, 2), (14, 1)]),
        ("npz-stored.npz", "$1 * 2", &[(24, 2), (26, 1)]),
        ("npy-2d-two.npy", "$1 + $2", &[]),
    ];
    for (name, formula, want) in cases {
        let read: Ingested =
            of_file(name, &sizes(&[formula])).unwrap_or_else(|e| panic!("{name}: {e}"));
        if want.is_empty() {
            let pairs: Ingested<2> = of_file(name, &Options::default()).unwrap();
            let sums: u64 = pairs.histogram.total().iter().sum();
            assert_eq!(read.histogram.total(), [sums], "{name}");
        } else {
            assert!(
                want.iter().all(|pair| lengths(&read).contains(pair)),
                "{name}: {:?}",
                lengths(&read)
            );
        }
        assert_eq!(read.description.sizes, [Column::from(formula)]);
        assert!(
            !read
                .description
                .columns
                .iter()
                .flatten()
                .any(|column| column == formula)
        );
    }
    let counted = Options {
        count: Some(Counts::Column("count".into())),
        ..sizes(&["length + 100"])
    };
    let read: Ingested = of_file("npz-count.npz", &counted).unwrap();
    assert_eq!(lengths(&read), [(112, 5), (113, 2)]);
    let error = of_file::<1>("parquet-text-label.parquet", &sizes(&["text + label"]))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("\"text\" is no number to compute with"),
        "{error}"
    );
}

#[test]
fn a_name_that_a_column_has_is_no_formula() {
    let read: Ingested = self::read("end - start,end,start\n7,9,1\n", &["end - start"]).unwrap();
    assert_eq!(lengths(&read), [(7, 1)]);
    let read: Ingested =
        self::read("{\"n-tokens\":7,\"n\":1,\"tokens\":3}\n", &["n-tokens"]).unwrap();
    assert_eq!(lengths(&read), [(7, 1)]);
    // A name between backticks is that name.
    let read: Ingested =
        self::read("end - start,end,start\n7,9,1\n", &["`end - start` + 1"]).unwrap();
    assert_eq!(lengths(&read), [(8, 1)]);
}

#[test]
fn columns_without_names_are_taken_by_their_numbers() {
    let read: Ingested = self::read("a,3.42,7\nb,1.5,8\n", &["round($2 * 100) + $3"]).unwrap();
    assert_eq!(lengths(&read), [(158, 1), (349, 1)]);
    let error = self::read::<1>("a,3.42\nb,1.5\n", &["$3 + 1"])
        .unwrap_err()
        .to_string();
    assert!(error.contains("there is no column 3"), "{error}");
}

#[test]
fn what_a_length_is_computed_from_is_no_count() {
    // Distinct lengths beside a column that may be a count: not where it is a part of them.
    let read: Ingested = self::read("size,n\n12,4\n16,8\n", &["size + n"]).unwrap();
    assert_eq!(
        (lengths(&read), read.description.count),
        (vec![(16, 1), (24, 1)], None)
    );
    let read: Ingested = self::read("size,pad,count\n12,4,3\n16,8,2\n", &["size + pad"]).unwrap();
    assert_eq!(lengths(&read), [(16, 3), (24, 2)]);
    assert_eq!(read.description.unread_columns(), Vec::<String>::new());
}

#[test]
fn what_is_no_length_is_told_with_its_record_and_value() {
    let table = "a,b\n4,2\n3,2\n,2\nx,2\n2,2\n9007199254740993,1\n8,1\n8,1\n8,1\n";
    let read: Ingested = self::read(table, &["a / b"]).unwrap();
    let said: Vec<String> = read
        .description
        .problems
        .iter()
        .map(ToString::to_string)
        .collect();
    let want = [
        "line 3, column 1: \"1.5\" is not a length; lengths are whole numbers from 1 to 4,294,967,295",
        "line 4, column 1: \"a\" is missing; it is a number in the formula of the length",
        "line 5, column 1: \"x\" in \"a\" is no number that a length can be computed from",
        "line 7, column 1: \"9007199254740993\" in \"a\" is no number that a length can be computed from",
    ];
    assert_eq!(said, want);
    let lines = "{\"a\":5,\"b\":3}\n{\"a\":5}\n{\"a\":\"x y\",\"b\":1}\n{\"a\":3,\"b\":5}\n{\"a\":3,\"b\":3}\n\
                 {\"a\":[1,2],\"b\":1}\n{\"a\":1e300,\"b\":1}\n";
    let read: Ingested = self::read(lines, &["a - b"]).unwrap();
    assert_eq!(lengths(&read), [(1, 1), (2, 1)]);
    let said: Vec<String> = read
        .description
        .problems
        .iter()
        .map(ToString::to_string)
        .collect();
    let parts = [
        "line 2, column 1: \"b\" is missing",
        "\"a string\" in \"a\" is no number",
        "\"-2\"",
        "\"0\"",
        "\"1e300\"",
    ];
    for (said, part) in said.iter().zip(parts) {
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(said.len(), parts.len());
}

#[test]
fn what_is_no_formula_is_refused_with_its_place() {
    for (input, format) in [
        ("a,b\n1,2\n", Format::Table),
        ("{\"a\":1,\"b\":2}\n", Format::JsonLines),
    ] {
        let cases = [
            ("a +", "understood up to its end"),
            ("(a + b", "understood up to its end"),
            ("a * sqrt(b)", "there is no function sqrt"),
            ("2 * 3", "names no field"),
        ];
        for (formula, want) in cases {
            let error = self::read::<1>(input, &[formula]).unwrap_err().to_string();
            assert!(error.contains(want), "{format:?} {formula}: {error}");
        }
    }
    let error = self::read::<1>(">a\nACGT\n", &["length + 2"])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("which has no columns to compute with"),
        "{error}"
    );
    let error = self::read::<1>("a,b\n1,2\n", &["a + c"])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("there is no \"c\"; the columns are: a, b"),
        "{error}"
    );
}

#[test]
fn seconds_ask_for_a_rate_with_the_formula_of_each() {
    let frames = |of: &str| {
        format!(
            "for frames of 10 ms --length 'round({of} * 100)', of 12.5 ms --length 'round({of} * 80)', of 20 ms --length \
             'round({of} * 50)', of 40 ms --length 'round({of} * 25)', for samples of 16 kHz --length 'round({of} * 16000)'"
        )
    };
    let table =
        "ID,duration,start,end\na,14.482,0.5,3.25\nb,0.954,1.25,9.5\nc,3,1.5,2.5\nd,8.25,1,2.5\n";
    let lines = "{\"duration\":14.482}\n{\"duration\":0.954}\n{\"duration\":3}\n";
    let cases = [
        (table, "duration", "line 2, column 2", frames("duration")),
        (
            table,
            "end - start",
            "line 2, column 4",
            frames("(end - start)"),
        ),
        (lines, "duration", "line 1, column 1", frames("duration")),
        (
            "{\"a b\":0.5}\n",
            "a b",
            "line 1, column 1",
            frames("`a b`"),
        ),
        ("u,3.42\nv,1.7\n", "2", "line 1, column 2", frames("$2")),
    ];
    for (input, chosen, place, want) in cases {
        let error = self::read::<1>(input, &[chosen]).unwrap_err().to_string();
        assert!(
            error.contains(&want) && error.starts_with(place),
            "{chosen}: {error}"
        );
    }
    // Each of the formulae reads the same file.
    let read: Ingested = self::read(table, &["round(duration * 80)"]).unwrap();
    assert_eq!(lengths(&read), [(76, 1), (240, 1), (660, 1), (1159, 1)]);
    let error = self::read::<1>("w,h\n17,3\n33,3\n", &["w / 16"])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("round it: --length 'ceil(w / 16)'"),
        "{error}"
    );
    // A few fractions among lengths are faults of these records.
    let read: Ingested = self::read("length\n4\n5\n5.5\n", &["length"]).unwrap();
    assert_eq!(
        (lengths(&read), read.description.skipped),
        (vec![(4, 1), (5, 1)], 1)
    );
}
