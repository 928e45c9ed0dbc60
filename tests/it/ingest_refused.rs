//! What looks like data and has no lengths: conversations, lists of lists, bins, what is printed. Each is refused with what
//! it is and the way out; what only looks like them is read.

use crate::ingest_columns::{are_read, are_refused};
use packscope::ingest::{self, Column, Options};

/// Refused in the page too, where questions are asked, and with the field named.
fn are_refused_when_named(cases: &[(&str, &str, &str)]) {
    for (input, field, want) in cases {
        are_refused(&[(input, want)]);
        let named = Options { sizes: vec![Column::from(*field)], ..Options::default() };
        let guess = Options { guess: true, ..Options::default() };
        for options in [named, guess] {
            let error = ingest::read::<1>(input.as_bytes(), options).unwrap_err().to_string();
            assert!(error.contains(want), "{input:?}: {error}");
        }
    }
}

const CHAT: &str = "{\"messages\":[{\"role\":\"user\",\"content\":\"a b\"},{\"role\":\"x\",\"content\":\"c\"}]}\n\
                    {\"messages\":[{\"role\":\"user\",\"content\":\"d\"}]}\n";

#[test]
fn a_conversation_is_not_as_long_as_its_messages() {
    let chosen = "{\"prompt\":[{\"role\":\"user\",\"content\":\"a\"}],\"chosen\":[{\"role\":\"b\",\"content\":\"c\"}]}\n".repeat(2);
    let line = "packscope tokens FILE --tokenizer tokenizer.json --template";
    are_refused_when_named(&[
        (CHAT, "messages", "the field \"messages\" holds a list of objects"),
        (CHAT, "messages", &format!("{line} \"{{messages[].content}}\" --format csv > lengths.csv")),
        (
            "[{\"id\":\"x\",\"conversations\":[{\"from\":\"human\",\"value\":\"a\"},{\"from\":\"gpt\",\"value\":\"b\"}]}]",
            "conversations",
            &format!("{line} \"{{conversations[].value}}\""),
        ),
        (&chosen, "prompt", &format!("{line} \"{{prompt[].content}}\"")),
        // What a shell would take for more than a name is not in a line to be copied.
        ("{\"a'$(b)\":[{\"text\":\"a\"}]}\n", "a'$(b)", &format!("{line} \"{{…[].text}}\"")),
    ]);
    are_refused(&[
        (
            "[{\"role\":\"user\",\"content\":\"a\"}]\n[{\"role\":\"user\",\"content\":\"b\"}]\n",
            "the record is a list of objects",
        ),
        (
            "{\"shards\":[{\"samples\":8100}],\"version\":2}",
            "the field \"shards\" holds a list of objects, whose number",
        ),
        ("{\"data\":[{\"length\":12}]}", "bring them: jq -c '..|.[\"data\"]?[]?' FILE"),
    ]);
    let pairs = "{\"prompt\":[{\"role\":\"a\",\"content\":\"b\"}],\"completion\":[{\"role\":\"a\",\"content\":\"b\"}]}\n";
    let pairs = pairs.repeat(3);
    let error = ingest::read::<2>(pairs.as_bytes(), Options::default()).unwrap_err().to_string();
    assert!(error.contains("the field \"prompt\" holds a list of objects"), "{error}");
    assert_eq!(ingest::components(pairs.as_bytes(), true, &Options::default()), 1);
    // In the page a text beside it is read, with a question, if it is one; a word is none.
    let with = |text: &str| format!("{{\"source\":\"{text}\",\"tools\":[{{\"name\":\"f\"}}]}}\n");
    let guess = |text: &str| {
        let options = Options { guess: true, ..Options::default() };
        ingest::read::<1>(with(text).as_bytes(), options).map(|read| read.histogram.max())
    };
    assert_eq!(guess("do this and that"), Ok([4]));
    assert!(guess("sharegpt").unwrap_err().to_string().contains("\"tools\" holds a list of objects"));
    // A length or a list of tokens beside it is read.
    are_read(&[
        ("{\"messages\":[{\"role\":\"a\",\"content\":\"b\"}],\"num_tokens\":12}\n", "12×1"),
        ("{\"messages\":[{\"role\":\"a\",\"content\":\"b\"}],\"input_ids\":[5,6,7]}\n", "3×1"),
        ("{\"tokens\":[\"a\",\"b\"]}\n{\"tokens\":[null,\"b\",\"c\"]}\n", "2×1 3×1"),
    ]);
    // One of many records is skipped, and said.
    let mixed = "{\"input_ids\":[1,2]}\n".repeat(40) + "{\"input_ids\":[{\"a\":1}]}\n";
    let read: ingest::Ingested = ingest::read(mixed.as_bytes(), Options::default()).unwrap();
    assert_eq!((read.histogram.items(), read.description.skipped), (40, 1));
    assert!(read.description.problems[0].to_string().contains("list of objects"));
}

#[test]
fn a_list_of_lists_is_not_as_long_as_the_outer_one() {
    let lists = "{\"input_ids\":[[1,2,3],[4]]}\n{\"input_ids\":[[4,5],[6]]}\n";
    are_refused_when_named(&[
        (lists, "input_ids", "the field \"input_ids\" holds a list of lists"),
        (lists, "input_ids", "jq '..|.[\"input_ids\"]?[]?|length' FILE"),
    ]);
    // A batch of one is opened.
    are_read(&[("{\"input_ids\":[[1,2,3]]}\n{\"input_ids\":[[4,5]]}\n", "2×1 3×1")]);
    are_refused(&[("[[1],[2]]\n[[3],[4],[5]]\n", "the record is a list of lists")]);
    let named = Options { sizes: vec![Column::from("a.ids")], ..Options::default() };
    let error = ingest::read::<1>(b"[{\"a\":{\"ids\":[null,[4,5]]}}]", named).unwrap_err().to_string();
    assert!(error.contains("the field \"a.ids\" holds a list of lists"), "{error}");
    are_read(&[("[[1,2,3],[4,5]]", "2×1 3×1"), ("{\"input_ids\":[[1,2,3],[4]]}", "1×1 3×1")]);
}

#[test]
fn nodes_and_edges_may_be_objects_or_pairs() {
    let graphs = "{\"nodes\":[{\"id\":0},{\"id\":1},{\"id\":2}],\"edges\":[[0,1],[1,2]]}\n\
                  {\"nodes\":[{\"id\":0}],\"edges\":[]}\n";
    let read: ingest::Ingested<2> = ingest::read(graphs.as_bytes(), Options::default()).unwrap();
    assert_eq!(read.histogram.entries(), [([1, 0], 1), ([3, 2], 1)]);
    // A single record of lists that are equally long could be columns.
    let features =
        "{\"x\":[[0,1],[1,0]],\"node_feat\":[[1],[2]],\"edge_index\":[[0,1,1],[1,0,0]]}\n".repeat(2);
    for nodes in ["x", "node_feat"] {
        let sizes = [nodes, "edge_index"].map(Column::from).to_vec();
        let read: ingest::Ingested<2> =
            ingest::read(features.as_bytes(), Options { sizes, ..Options::default() }).unwrap();
        assert_eq!(read.histogram.entries(), [([2, 3], 2)]);
    }
}

#[test]
fn each_number_of_a_list_of_lengths_is_one() {
    are_read(&[
        ("{\"row\":0,\"lengths\":[1024]}\n{\"row\":1,\"lengths\":[512,300]}\n", "300×1 512×1 1024×1"),
        ("{\"seq_lengths\":[1024]}\n{\"seq_lengths\":[512,300]}\n", "300×1 512×1 1024×1"),
        ("{\"lens\":[7]}\n{\"lens\":[5,3]}\n", "3×1 5×1 7×1"),
        ("{\"model\":\"x\",\"lengths\":[5,9,9]}", "5×1 9×2"),
        ("{\"lengths\":[5,9,9]}", "5×1 9×2"),
        // Beside a list of tokens it is about that.
        (
            "{\"input_ids\":[1,2,3],\"seq_lengths\":[1,2]}\n{\"input_ids\":[1],\"seq_lengths\":[1]}\n",
            "1×1 3×1",
        ),
    ]);
    let named = Options { sizes: vec![Column::from("a.seq_lengths")], ..Options::default() };
    let input =
        b"{\"a\":{\"seq_lengths\":[5,0,9]},\"length\":2}\n{\"a\":{\"seq_lengths\":[]},\"length\":2}\n";
    let read: ingest::Ingested = ingest::read(input, named).unwrap();
    assert_eq!((read.histogram.entries(), read.description.skipped), (&[([5], 1), ([9], 1)][..], 2));
    are_refused(&[
        ("{\"counts\":[5,9]}\n{\"counts\":[7]}\n", "holds a list of lengths, by its name"),
        ("{\"cu_seqlens\":[0,5,9]}\n{\"cu_seqlens\":[0,7]}\n", "no field is known to be a length"),
    ]);
}

const BINS: &str = "a histogram in bins, which has no lengths; bring the lengths themselves, or a table of how often each comes: length,count";

#[test]
fn bins_are_no_lengths() {
    let viewer = "{\"num_examples\":55,\"statistics\":[{\"column_name\":\"text\",\"column_statistics\":{\"min\":12,\
                  \"histogram\":{\"hist\":[8,40,7],\"bin_edges\":[12,112,412,512]}}}],\"partial\":false}";
    let inputs = [
        viewer,
        "{\n \"hist\": [2260, 4512],\n \"bin_edges\" : [6, 29, 52]\n}",
        "{\"bins\":[0,100,200,300],\"counts\":[5,7,3]}",
        "{\"bins\":[0,100,200],\"counts\":[5,7,3]}",
        "{\"_type\":\"histogram\",\"values\":[5,7,3],\"bins\":[0,100,200,300]}",
        "{\"0-127\":5,\"128-255\":7}",
        "{\"(0.0, 32.0]\":5,\"(32.0, 64.0]\":7}",
        "[{\"range\":\"0-127\",\"count\":5},{\"range\":\"128-255\",\"count\":7}]",
        "range,count\n0-127,5\n128-255,7\n",
        "range,count\n0–127,5\n128–255,7\n",
        "range,size\n\"[0, 128)\",5\n\"[128, 256)\",7\n",
        ",count\n\"(11.499, 112.0]\",48\n\"(412.0, 512.0]\",7\n\"(112.0, 212.0]\",0\n",
        "index,length\n\"(0, 32]\",5\n\"(32, 64]\",7\n",
        "length,count\n0-127,5\n128-255,7\n",
        "split,bin,count\na,0-127,5\na,128-255,7\nb,0-127,5\nb,128-255,2\n",
        "bin_start,bin_end,count\n0,100,5\n100,200,7\n200,300,3\n",
        "0-127,5\n128-255,7\n",
        "range,count\n\"1,000-1,999\",5\n\"2,000-2,999\",7\n",
        "0-127\n128-255\n256-383\n",
        "[0, 128),48\n[128, 600),7\n",
        "length\n(0, 32]     5\n(32, 64]    7\n",
    ];
    for input in inputs {
        for guess in [false, true] {
            let read = ingest::read::<1>(input.as_bytes(), Options { guess, ..Options::default() });
            let error = read.map(|read| read.description.sentence()).unwrap_err().to_string();
            assert!(error.contains(BINS), "{input:?}: {error}");
        }
    }
    // Ranges beside lengths: pages overlap, and seasons come more than once. A bin that is named is a length.
    are_read(&[
        ("pages,n_tokens\n1-12,900\n3-20,700\n", "700×1 900×1"),
        ("season,length\n2019-2020,9\n2020-2021,7\n2019-2020,7\n", "7×2 9×1"),
        ("date,length\n2023-11-16,9\n2023-11-17,7\n", "7×1 9×1"),
        ("length,bin_edges_of\n12,1\n13,1\n", "12×1 13×1"),
    ]);
    let named = Options { sizes: vec![Column::from("bin")], ..Options::default() };
    let read: ingest::Ingested = ingest::read(b"bin,count\n1,5\n2,7\n", named).unwrap();
    assert_eq!(read.histogram.entries(), [([1], 5), ([2], 7)]);
}

#[test]
fn what_is_printed_may_be_cut() {
    let series = "printed pandas Series, as of value_counts()";
    let table = "a printed table, which may leave rows out";
    are_refused(&[
        ("length\n420    207\n60      94\nName: count, dtype: int64\n", series),
        ("420    207\n60      94\ndtype: int64", series),
        ("250     1200\n       ... \n512       12\nName: input_ids, Length: 80, dtype: int64\n", series),
        ("count    8792.0\nmean      161.2\nName: length, dtype: float64\n", series),
        (
            "shape: (548, 2)\n┌────────┬───────┐\n│ length ┆ count │\n│ ---    ┆ ---   │\n╞════════╪═══════╡\n│ 14     ┆ 1     │\n│ …      ┆ …     │\n└────────┴───────┘\n",
            table,
        ),
        (
            "┌────────┬───────┐\n│ length │ count │\n├────────┼───────┤\n│     14 │     1 │\n└────────┴───────┘\n",
            table,
        ),
        (
            "     length  count\n0        14      1\n1        17      2\n..      ...    ...\n\n[548 rows x 2 columns]\n",
            table,
        ),
    ]);
    // A text that quotes it is a text.
    let quoted =
        "This is what it prints.\nName: count, dtype: int64\nAnd then we see, at last, that it is so.\n";
    assert_eq!(ingest::read::<1>(quoted.as_bytes(), Options::default()).unwrap().histogram.items(), 3);
}
