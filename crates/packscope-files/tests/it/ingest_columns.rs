//! The choice of the columns of lengths and counts: tables as people and their tools write them are read correctly, or
//! refused with a remedy, but never read as a wrong histogram.

use packscope_core::error::{ChoiceNeeded, ColumnOffer, Error};
use packscope_files::ingest::{self, Column, Counts, Format, Ingested, Note, Options};

fn entries(read: &Ingested) -> String {
    let one = |([length], count): &([u32; 1], u64)| format!("{length}×{count}");
    read.histogram
        .entries()
        .iter()
        .map(one)
        .collect::<Vec<_>>()
        .join(" ")
}

fn read(input: &str) -> Result<Ingested, String> {
    ingest::read(input.as_bytes(), Options::default()).map_err(|error| error.to_string())
}

/// All inputs with the entries that they have.
pub fn are_read(cases: &[(&str, &str)]) {
    for (input, want) in cases {
        let read = read(input).unwrap_or_else(|error| panic!("{input:?}: {error}"));
        assert_eq!(
            (entries(&read).as_str(), read.description.skipped),
            (*want, 0),
            "{input:?}"
        );
        let again: Ingested = ingest::read(input.as_bytes(), read.description.options()).unwrap();
        assert_eq!(entries(&again), *want, "{input:?}, read again as it was");
    }
}

/// All inputs with a part of the message that refuses them.
pub fn are_refused(cases: &[(&str, &str)]) {
    for (input, want) in cases {
        match read(input) {
            Ok(read) => panic!("{input:?} is read as {}", entries(&read)),
            Err(error) => assert!(error.contains(want), "{input:?}: {error}"),
        }
    }
}

#[test]
fn counts_are_known_by_the_names_that_databases_and_people_give_them() {
    let names = [
        "count",
        "Counts",
        "count_star()",
        "count(*)",
        "COUNT(*)",
        "count(1)",
        "COUNT(length)",
        "count_1",
        "f0_",
        "cnt",
        "freq",
        "Frequency",
        "num_examples",
        "n_sequences",
        "num_docs",
        "doc_count",
        "Anzahl",
        "occurrences",
        "number_of_graphs",
        "_count",
    ];
    for name in names {
        // Known names are counts even where a length comes twice.
        are_read(&[
            (&format!("length,{name}\n5,1000\n9,1\n5,7\n"), "5×1007 9×1"),
            (
                &format!("\"{name}\";\"length\"\n1000;5\n1;9\n"),
                "5×1000 9×1",
            ),
            (&format!("bin,{name}\n5,1000\n9,1\n"), "5×1000 9×1"),
            (
                &format!("[{{\"length\":5,\"{name}\":1000}},{{\"length\":9,\"{name}\":1}}]"),
                "5×1000 9×1",
            ),
            (
                &format!("{{\"{name}\":1000,\"length\":5}}\n{{\"{name}\":1,\"length\":9}}\n"),
                "5×1000 9×1",
            ),
        ]);
    }
}

#[test]
fn distinct_lengths_with_one_other_column_are_pairs() {
    let names = ["n", "num", "items", "size", "samples", "0"];
    for name in names {
        let input = format!("length,{name}\n5,1000\n9,1\n12,3\n");
        are_read(&[(&input, "5×1000 9×1 12×3")]);
        let notes = read(&input).unwrap().description.notes;
        assert_eq!(
            notes,
            [Note::Counted {
                name: name.to_owned()
            }],
            "{input:?}"
        );
    }
    // A name that nobody knows is a question, whichever number it is.
    for name in [
        "total",
        "records",
        "zahl",
        "how many",
        "Häufig",
        "loss_sum",
        "stars",
        "num_sentences",
        "num_rows",
    ] {
        are_refused(&[(
            &format!("length,{name}\n5,1000\n9,1\n12,3\n"),
            "may be the count",
        )]);
    }
    // Also beside shares, or numbers of rows.
    are_read(&[
        ("length,n,share\n5,30,0.6\n9,20,0.4\n", "5×30 9×20"),
        (",length,n\n0,5,30\n1,9,20\n", "5×30 9×20"),
        (
            "\"\",\"Var1\",\"Freq\"\n\"1\",5,30\n\"2\",9,20\n",
            "5×30 9×20",
        ),
        (",count\n5,30\n9,20\n", "5×30 9×20"),
        ("length,n\n5,1000\n", "5×1000"),
    ]);
    let graphs: Ingested<2> = ingest::read(
        b"nodes,edges,cnt\n2,2,5\n30,64,1\n2,4,7\n",
        Options::default(),
    )
    .unwrap();
    assert_eq!(
        graphs.histogram.entries(),
        [([2, 2], 5), ([2, 4], 7), ([30, 64], 1)]
    );
    let zahl = ingest::read::<2>(
        b"nodes,edges,zahl\n2,2,5\n30,64,1\n2,4,7\n",
        Options::default(),
    );
    assert!(
        zahl.unwrap_err()
            .to_string()
            .contains("\"zahl\" may be the count")
    );
}

/// PyTorch Geometric and the graphs of Hugging Face have edges as two rows of their ends.
#[test]
fn an_edge_index_has_as_many_edges_as_a_row_of_it() {
    let lines = "{\"edge_index\":[[0,1,1],[1,0,2]],\"num_nodes\":3,\"y\":[1]}\n\
                 {\"edge_index\":[[],[]],\"num_nodes\":1,\"y\":[0]}\n";
    let array = format!("[{}]", lines.trim().replace('\n', ","));
    for input in [lines, &array] {
        let read = ingest::read::<2>(input.as_bytes(), Options::default()).unwrap();
        assert_eq!(
            (read.histogram.entries(), read.description.skipped),
            (&[([1, 0], 1), ([3, 3], 1)][..], 0)
        );
        assert_eq!(
            ingest::components(input.as_bytes(), true, &Options::default()),
            2
        );
    }
    // What is no such pair of rows is skipped, not counted.
    let flat =
        "{\"edge_index\":[[0],[0]],\"num_nodes\":3}\n{\"edge_index\":[0,1,1,0],\"num_nodes\":3}\n";
    let read = ingest::read::<2>(flat.as_bytes(), Options::default()).unwrap();
    assert_eq!(
        (read.histogram.entries(), read.description.skipped),
        (&[([3, 1], 1)][..], 1)
    );
}

/// What chance found: marks within quotes were taken for those between cells, and quoted numbers for words.
#[test]
fn what_is_in_quotes_parts_no_cells() {
    are_read(&[
        (
            "\"len\"\t\"n\"\n\"7,345\"\t\"113\"\n\"5,862\"\t\"1,335,199\"\n\"334\"\t\"4\"\n",
            "334×4 5862×1335199 7345×113",
        ),
        (
            "\"n_atoms\" \"freq\" \"share\"\n\"613\" \"2\" \"0.2\"\n\"900\" \"8\" \"0.8\"\n",
            "613×2 900×8",
        ),
        (
            "\"length\" \"count(*)\"\n\"433\" \"3\"\n\"648\" \"1\"\n",
            "433×3 648×1",
        ),
    ]);
}

/// What chance found: the last columns have no names, and were not looked at.
#[test]
fn columns_without_names_at_the_end_are_columns() {
    are_read(&[
        // Without anything in them they are none.
        ("length,,\n5,,\n9,,\n9,,\n", "5×1 9×2"),
    ]);
    are_refused(&[
        (
            "size,,\n331,926953,0\n1046,746979,1\n1275,55,2\n",
            "may be the count",
        ),
        ("length,\n5,1000\n9,1\n", "may be the length, or how often"),
    ]);
}

#[test]
fn numbers_of_rows_are_neither_lengths_nor_counts() {
    let rows: String = (0..300)
        .map(|i| format!("{{\"n\":{i},\"length\":{}}}\n", 5 + i % 2))
        .collect();
    are_read(&[
        ("n,length\n1,12\n2,16\n3,14\n", "12×1 14×1 16×1"),
        (
            "id,token_length,label\n1,12,0\n2,16,1\n3,12,0\n",
            "12×2 16×1",
        ),
        (
            "id,token_length,label\n1,12,0\n2,16,1\n3,14,0\n",
            "12×1 14×1 16×1",
        ),
        (
            "\"\",\"nchar\"\n\"1\",12\n\"2\",16\n\"3\",12\n",
            "12×2 16×1",
        ),
        ("Unnamed: 0,len\n0,12\n1,16\n", "12×1 16×1"),
        ("idx,prompt_len\n7,12\n9,16\n", "12×1 16×1"),
        ("tokenLength,label\n12,0\n16,1\n", "12×1 16×1"),
        (rows.as_str(), "5×150 6×150"),
    ]);
}

#[test]
fn two_plausible_readings_are_a_question() {
    let flags = "--count-column";
    are_refused(&[
        ("length,n\n5,1000\n9,1\n5,3\n", flags),
        ("split,length,n\ntrain,5,1000\ntest,5,3\n", flags),
        ("length,n\n5,1\n6,2\n7,3\n", flags),
        ("length,n,total\n5,1000,7\n9,3,8\n", flags),
        ("prompt_len,answer_len\n5,1000\n9,3\n", "may be the length"),
        ("12,5\n16,2\n", flags),
        ("5,12\n5,16\n7,12\n", flags),
        ("1,12\n2,16\n3,9\n", flags),
        ("[[5,3],[5,4],[6,1]]", flags),
        ("[[5,1000],[9,1]]", flags),
        ("[5,1000]\n[9,1]\n", flags),
        (
            "alpha,beta\n12,5\n16,2\n",
            "no column is known to be a length",
        ),
        ("length,share\n5,0.6\n9,0.4\n", "shares"),
        ("length,proportion\n5,0.6\n9,0.4\n", "shares"),
        ("length,freq\n5,0.6\n9,0.4\n", "shares"),
        ("{\"0\":12,\"1\":16,\"2\":5}", "number the values"),
    ]);
}

/// What an input asks instead of being read.
fn asked(input: &str) -> ChoiceNeeded {
    match ingest::read::<1>(input.as_bytes(), Options::default()) {
        Err(Error::Unclear { asked, .. }) => std::sync::Arc::unwrap_or_clone(asked),
        other => panic!("{input:?}: {other:?}"),
    }
}

fn names(of: &[&str]) -> Vec<String> {
    of.iter().map(|name| (*name).to_owned()).collect()
}

/// Each question says among which columns it is, and each of them reads the input without a question.
#[test]
fn a_question_has_its_answers() {
    let cases: [(&str, &[&str], &[&str]); 10] = [
        ("length,n\n5,1000\n9,1\n5,3\n", &["1"], &["2"]),
        ("length,zahl\n5,1\n6,2\n7,9\n", &["1"], &["2"]),
        ("n_tokens,len\n12,5\n16,2\n", &["1", "2"], &[]),
        (",length\n12,5\n16,2\n", &["2", "1"], &["2"]),
        (
            "length,n,cnt,freq\n5,30,7,9\n9,20,8,1\n",
            &["1"],
            &["3", "4"],
        ),
        (
            "{\"length\":5,\"zahl\":1}\n{\"length\":9,\"zahl\":7}\n",
            &["length"],
            &["zahl"],
        ),
        (
            "{\"n_tokens\":12,\"len\":5}\n{\"n_tokens\":16,\"len\":2}\n",
            &["n_tokens", "len"],
            &[],
        ),
        (
            "{\"text\":\"a b\",\"duration\":2.5}\n",
            &[
                "round(duration * 100)",
                "round(duration * 80)",
                "round(duration * 50)",
                "round(duration * 25)",
                "round(duration * 16000)",
                "text",
                "duration",
            ],
            &[],
        ),
        ("utt1 1234\nutt2 987\nutt3 55\n", &["2"], &[]),
        (
            "duration\n1.5\n2.25\n",
            &[
                "round(duration * 100)",
                "round(duration * 80)",
                "round(duration * 50)",
                "round(duration * 25)",
                "round(duration * 16000)",
            ],
            &[],
        ),
    ];
    for (input, lengths, counts) in cases {
        let chosen = if input.starts_with("duration") {
            Options {
                sizes: vec![Column::from("duration")],
                ..Options::default()
            }
        } else {
            Options::default()
        };
        let Err(Error::Unclear { asked, .. }) = ingest::read::<1>(input.as_bytes(), chosen) else {
            panic!("{input:?} asks nothing")
        };
        assert_eq!(
            (&asked.lengths, &asked.counts),
            (&names(lengths), &names(counts)),
            "{input:?}"
        );
        for length in lengths.iter().filter(|length| **length != "duration") {
            for count in counts
                .iter()
                .map(|name| Counts::Column(Column::from(*name)))
                .chain([Counts::One])
            {
                let is_same =
                    matches!(&count, Counts::Column(column) if *column == Column::from(*length));
                let options = Options {
                    sizes: vec![Column::from(*length)],
                    count: Some(count),
                    ..Options::default()
                };
                let read = ingest::read::<1>(input.as_bytes(), options);
                assert!(is_same || read.is_ok(), "{input:?}, {length}: {read:?}");
            }
        }
    }
}

/// Whatever the reason, what there is to choose from is said, with what it holds.
#[test]
fn what_is_refused_lists_its_fields() {
    let shown = |input: &str| {
        let one = |field: ColumnOffer| {
            format!(
                "{} {} {} {}",
                field.choice,
                field.name,
                field.holds,
                field.first.join("/")
            )
        };
        asked(input).fields.into_iter().map(one).collect::<Vec<_>>()
    };
    assert_eq!(
        shown("alpha,beta\n12,5.5\n16,2\n"),
        ["1 alpha numbers 12/16", "2 beta numbers 5.5/2"]
    );
    assert_eq!(
        shown("12,5\n16,2\n"),
        ["1 column 1 numbers 12/16", "2 column 2 numbers 5/2"]
    );
    assert_eq!(
        shown("length,count\nabc,3\n"),
        ["1 length numbers ", "2 count numbers 3"]
    );
    assert_eq!(
        shown(
            "{\"say\":\"it now\",\"of\":{\"tokens\":7},\"weighs\":12,\"ok\":true}\n{\"weighs\":3}\n"
        ),
        [
            "say say text ",
            "of.tokens of.tokens numbers 7",
            "weighs weighs numbers 12/3",
            "ok ok true and false "
        ]
    );
    assert_eq!(shown("[[5,1000],[9,1]]"), ["1 1 numbers ", "2 2 numbers "]);
    let rows = Options {
        sizes: vec![Column::Number(1)],
        count: Some(Counts::Column(Column::Number(2))),
        ..Options::default()
    };
    assert_eq!(
        entries(&ingest::read(b"[[5,1000],[9,1]]", rows).unwrap()),
        "5×1000 9×1"
    );
    let whole = Options {
        count: Some(Counts::One),
        ..Options::default()
    };
    assert_eq!(
        entries(&ingest::read(b"[[5,1000],[9,1]]", whole).unwrap()),
        "2×2"
    );
    // Lines of numbers are known by their layout, and then ask for their columns.
    assert_eq!(
        asked("5 1000\n9 1\n7 12 3\n").layouts,
        names(&["numbers", "spaces"])
    );
}

#[test]
fn the_length_of_two_columns_is_the_one_that_is_not_the_count() {
    for (count, want) in [(1, "5×12 9×3"), (2, "3×9 12×5")] {
        let options = Options {
            count: Some(Counts::Column(Column::Number(count))),
            ..Options::default()
        };
        assert_eq!(
            entries(&ingest::read(b"12,5\n3,9\n", options).unwrap()),
            want
        );
    }
    // That there is no count does not say which is the length.
    let none = Options {
        count: Some(Counts::One),
        ..Options::default()
    };
    assert!(ingest::read::<1>(b"12,5\n3,9\n", none).is_err());
}

#[test]
fn fields_of_json_are_listed_with_what_they_hold() {
    let records = "{\"id\":1,\"prompt\":\"one two\",\"meta\":{\"tokens\":12,\"ok\":true},\"ids\":[1,2]}\n\
                   {\"id\":2,\"prompt\":\"three\",\"late\":null,\"meta\":{\"tokens\":7,\"ok\":true},\"ids\":[3]}\n\
                   {\"id\":3,\"prompt\":\"four\",\"late\":5,\"ids\":[4,5,6]}\n";
    let description = read(records).unwrap().description;
    let listed = ["id", "prompt", "meta.tokens", "meta.ok", "ids", "late"];
    assert_eq!(
        description.columns.as_deref(),
        Some(listed.map(str::to_owned).as_slice())
    );
    assert_eq!(
        listed.map(|name| description.holds(name).unwrap().word()),
        [
            "number",
            "text",
            "number",
            "neither number, list nor text",
            "list",
            "number"
        ]
    );
    // What cannot be measured cannot be chosen, and each choice is read as it says.
    assert_eq!(
        description.choices(),
        ["id", "prompt", "meta.tokens", "ids", "late"]
    );
    assert_eq!(
        description.unread_columns(),
        ["id", "prompt", "meta.tokens", "meta.ok", "late"]
    );
    for (name, want) in [
        ("meta.tokens", "7×1 12×1"),
        ("ids", "1×1 2×1 3×1"),
        ("prompt", "1×2 2×1"),
    ] {
        let options = Options {
            sizes: vec![Column::from(name)],
            ..description.options()
        };
        let again = ingest::read(records.as_bytes(), options).unwrap();
        assert_eq!(entries(&again), want, "{name}");
        assert_eq!(again.description.columns, description.columns);
    }
    // An array of records, and pandas' columns, list theirs too.
    for input in [
        "[{\"length\":3,\"of\":{\"a\":1}}]",
        "{\"length\":{\"0\":3,\"1\":4},\"of\":{\"0\":\"a\",\"1\":\"b\"}}",
    ] {
        let listed = read(input).unwrap().description.choices();
        assert!(
            listed.len() == 2 && listed[0] == "length" && listed[1].starts_with("of"),
            "{listed:?}"
        );
    }
}

#[test]
fn an_unknown_field_is_asked_for() {
    for input in [
        "{\"instruction\":\"say it now\",\"output\":\"so it is said now\",\"id\":7}\n",
        "{\"name\":\"a\",\"row_id\":1,\"weighs\":12}\n",
        "{\"data\":{\"tree\":[1,2,3]},\"weighs\":12}\n",
        "{\"id\":1,\"weighs\":12.0}\n",
        "{\"id\":3,\"count\":5}",
    ] {
        are_refused(&[(input, "no field is known to be a length; name one of: ")]);
        assert!(!asked(input).fields.is_empty());
    }
    // A text with a number in it is said to be none.
    are_refused(&[(
        "{\"length\":\"12 tokens\",\"text_of\":\"a b c d\"}",
        "holds no number",
    )]);
}

#[test]
fn a_choice_answers_every_question() {
    let by = |length: &str, count: Counts| Options {
        sizes: vec![Column::from(length)],
        count: Some(count),
        ..Options::default()
    };
    let count = |name: &str| Counts::Column(Column::from(name));
    let cases = [
        (
            "length,n\n5,1000\n9,1\n5,3\n",
            by("length", count("n")),
            "5×1003 9×1",
        ),
        (
            "length,n\n5,1000\n9,1\n5,3\n",
            by("length", Counts::One),
            "5×2 9×1",
        ),
        ("1,12\n2,16\n3,9\n", by("2", Counts::One), "9×1 12×1 16×1"),
        ("1,12\n2,16\n3,9\n", by("1", count("2")), "1×12 2×16 3×9"),
        ("[[5,3],[5,4],[6,1]]", by("1", count("2")), "5×7 6×1"),
    ];
    for (input, options, want) in cases {
        let read = ingest::read(input.as_bytes(), options).unwrap();
        assert_eq!(entries(&read), want, "{input:?}");
    }
}

#[test]
fn a_length_that_comes_twice_later_is_noticed() {
    let mut table = "length,n\n".to_owned();
    // More rows than are looked at before the columns are chosen.
    (1..20_000).for_each(|length| table += &format!("{length},7\n"));
    assert_eq!(read(&table).unwrap().histogram.items(), 7 * 19_999);
    table += "5,7\n";
    are_refused(&[(&table, "comes twice")]);
}

#[test]
fn thousands_are_read_and_decimals_are_not_taken_for_them() {
    are_read(&[
        (
            "length,count\n\"1,234\",5\n16,\"12,345\"\n",
            "16×12345 1234×5",
        ),
        ("length\tcount\n1 234\t5\n16\t12'345\n", "16×12345 1234×5"),
        ("length,count\n1_234,5\n16,12\u{a0}345\n", "16×12345 1234×5"),
    ]);
    // Where semicolons part the cells, a comma may be that of decimals.
    for cell in ["1,234", "1.234", "12,000", "12.000"] {
        let read = read(&format!("length;count\n{cell};5\n16;2\n")).unwrap();
        assert_eq!(
            (entries(&read).as_str(), read.description.skipped),
            ("16×2", 1),
            "{cell}"
        );
        assert!(read.description.doubt().is_some());
    }
}

#[test]
fn titles_rules_and_boxes_are_not_data() {
    are_read(&[
        (
            "Lengths of my data\nlength,count\n5,1000\n9,1\n",
            "5×1000 9×1",
        ),
        (
            "Report\nof today\n\nlength;count\n5;1000\n9;1\n",
            "5×1000 9×1",
        ),
        (
            "+--------+----------+\n| length | COUNT(*) |\n+--------+----------+\n|      5 |     1000 |\n|      9 |        1 |\n+--------+----------+\n",
            "5×1000 9×1",
        ),
        (
            " length | count \n--------+-------\n      5 |  1000\n      9 |     1\n(2 rows)\n",
            "5×1000 9×1",
        ),
        (
            "| length | count |\n|-------:|------:|\n| 5 | 1000 |\n| 9 | 1 |\n",
            "5×1000 9×1",
        ),
        ("length count\n5 1000\n9 1\n", "5×1000 9×1"),
        ("   1000 5\n      1 9\n", "5×1000 9×1"),
        ("1000000000 5\n      1 9\n", "5×1000000000 9×1"),
        ("Counter({5: 1000, 9: 1})\n", "5×1000 9×1"),
        ("{5: 1000, 9: 1}\n", "5×1000 9×1"),
    ]);
    are_refused(&[
        (
            " [1] 5 6 7\n [4] 5 8\n",
            "a vector as R prints it; write it: writeLines",
        ),
        ("[1] 5\n", "a vector as R prints it; write it: writeLines"),
    ]);
}

#[test]
fn json_in_columns_is_read_as_its_records() {
    are_read(&[
        (
            "{\"length\":{\"0\":5,\"1\":9,\"10\":7},\"count\":{\"0\":1000,\"1\":1,\"10\":3}}",
            "5×1000 7×3 9×1",
        ),
        (
            "{\"0\":{\"length\":5,\"count\":1000},\"1\":{\"length\":9,\"count\":1}}",
            "5×1000 9×1",
        ),
        (
            "{\"columns\":[\"length\",\"count\"],\"index\":[0,1],\"data\":[[5,1000],[9,1]]}",
            "5×1000 9×1",
        ),
        (
            "{\"schema\":{},\"data\":[{\"index\":0,\"length\":5,\"count\":1000},{\"index\":1,\"length\":9,\"count\":1}]}",
            "5×1000 9×1",
        ),
        ("{\"length\":[5,9],\"count\":[1000,1]}", "5×1000 9×1"),
        (
            "{\"input_ids\":[[1,2,3],[4],[5]],\"attention_mask\":[[1,1,1],[1],[1]]}",
            "1×2 3×1",
        ),
        (
            "{\"0\":{\"length\":5,\"items\":1000},\"1\":{\"length\":9,\"items\":1}}",
            "5×1000 9×1",
        ),
        // One record of three tokens.
        ("{\"input_ids\":[1,2,3],\"attention_mask\":[1,1,1]}", "3×1"),
    ]);
}

#[test]
fn records_by_their_numbers_may_be_of_two_sizes() {
    let input = "{\"0\":{\"nodes\":5,\"edges\":8},\"1\":{\"nodes\":9,\"edges\":7}}";
    let read: Ingested<2> = ingest::read(input.as_bytes(), Options::default()).unwrap();
    let again: Ingested<2> = ingest::read(input.as_bytes(), read.description.options()).unwrap();
    for read in [read, again] {
        assert_eq!(read.histogram.entries(), [([5, 8], 1), ([9, 7], 1)]);
        assert_eq!(
            read.description
                .notes
                .iter()
                .filter(|note| **note == Note::Map)
                .count(),
            0
        );
    }
}

#[test]
fn texts_have_one_unit_in_every_format() {
    are_read(&[
        (
            "{\"text\":\"two words\"}\n{\"text\":\"not three words\"}\n",
            "2×1 3×1",
        ),
        ("[\"two words\",\"not three words\"]", "2×1 3×1"),
        ("text\ntwo words\nnot three words\n", "2×1 3×1"),
        ("label,text\n0,two words\n1,not three words\n", "2×1 3×1"),
    ]);
    for input in [
        "{\"text\":\"two words\"}",
        "text\ntwo words\n",
        "a,nchar\nx,2\ny,5\n",
        "[[1,2,3],[7]]",
    ] {
        let sentence = read(input).unwrap().description.sentence();
        let unit = if input.contains("nchar") {
            "characters"
        } else if input.contains("[[") {
            "tokens"
        } else {
            "words"
        };
        assert!(sentence.contains(unit), "{input:?}: {sentence}");
    }
}

#[test]
fn sequences_of_letters_are_not_words() {
    let protein = "MKVL".repeat(30);
    let fasta = format!(
        ">one of them\n{}\n{}\n>two\nMKV*\n",
        &protein[..60],
        &protein[60..]
    );
    let read = read(&fasta).unwrap();
    assert_eq!(
        (entries(&read).as_str(), read.description.format),
        ("3×1 120×1", Format::Fasta)
    );
    assert_eq!(
        read.description.sentence(),
        "2 sequences, 3–120 letters, mean 61.5"
    );
    are_refused(&[
        (
            "CCO\nC1=CC=CC=C1\nC[C@H](N)C(=O)O name\nClCCBr\n",
            "molecules as SMILES, one a line; count their tokens: packscope tokens FILE",
        ),
        (&format!("{protein}\n{protein}\n"), "without a space"),
        (&format!("{{\"text\":\"{protein}\"}}\n"), "without a space"),
        (
            &format!("id,text\n1,{protein}\n2,{protein}\n"),
            "without a space",
        ),
    ]);
}

/// An index of FASTA has five columns; records of JSON may have five fields, one of which is never a number.
#[test]
fn records_with_a_field_of_nulls_are_no_index() {
    let records = "{\"a\":\"x\",\"b\":5,\"c\":null,\"d\":3,\"e\":4}\n".repeat(2);
    are_refused(&[(&records, "no field is known to be a length")]);
}

#[test]
fn what_was_read_is_said() {
    let read = read("split,length,count_star()\na,5,1000\nb,9,1\nc,7,x\n").unwrap();
    let account = read.description.account();
    assert_eq!(
        account.to_string(),
        "read as table: length from \"length\", count from \"count_star()\"; left: \"split\"; 3 records, 1 skipped (33.3 %)"
    );
    let json = serde_json::to_value(&account).unwrap();
    assert_eq!(json["left"], serde_json::json!(["split"]));
    assert_eq!(
        (&json["unit"], &json["records"], &json["skipped"]),
        (&"tokens".into(), &3.into(), &1.into())
    );
    assert_eq!(
        read.description.doubt().unwrap(),
        "1 line of a table of counts cannot be read, and one may stand for most items"
    );
}

#[test]
fn a_few_damaged_records_of_many_are_no_doubt() {
    let lengths = |bad: usize| {
        let mut table = "length\n".to_owned();
        (0..100).for_each(|i| table += if i < bad { "x\n" } else { "7\n" });
        read(&table).unwrap().description.doubt()
    };
    assert_eq!((lengths(0), lengths(5)), (None, None));
    assert_eq!(lengths(6).unwrap(), "6 lines of 100 (6.0 %) cannot be read");
}
