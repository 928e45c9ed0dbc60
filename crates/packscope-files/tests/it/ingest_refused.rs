//! Data without lengths: conversations, lists of lists. Each is refused with a description and a remedy; data that only
//! resemble them are read.

use crate::ingest_columns::{are_read, are_refused};
use packscope_files::ingest::{self, Column, Options};

/// Refused with the field named, too.
fn are_refused_when_named(cases: &[(&str, &str, &str)]) {
    for (input, field, want) in cases {
        are_refused(&[(input, want)]);
        let named = Options {
            sizes: vec![Column::from(*field)],
            ..Options::default()
        };
        let error = ingest::read::<1>(input.as_bytes(), named)
            .unwrap_err()
            .to_string();
        assert!(error.contains(want), "{input:?}: {error}");
    }
}

const CHAT: &str = "{\"messages\":[{\"role\":\"user\",\"content\":\"a b\"},{\"role\":\"x\",\"content\":\"c\"}]}\n\
                    {\"messages\":[{\"role\":\"user\",\"content\":\"d\"}]}\n";

#[test]
fn a_conversation_is_not_as_long_as_its_messages() {
    let chosen = "{\"prompt\":[{\"role\":\"user\",\"content\":\"a\"}],\"chosen\":[{\"role\":\"b\",\"content\":\"c\"}]}\n".repeat(2);
    // A template would take the place of the one beside the tokenizer.
    let line = "packscope tokens FILE --tokenizer tokenizer.json --format csv > lengths.csv";
    are_refused_when_named(&[
        (
            CHAT,
            "messages",
            "the field \"messages\" holds a list of objects",
        ),
        (CHAT, "messages", line),
        (
            "[{\"id\":\"x\",\"conversations\":[{\"from\":\"human\",\"value\":\"a\"},{\"from\":\"gpt\",\"value\":\"b\"}]}]",
            "conversations",
            line,
        ),
        (&chosen, "prompt", line),
        ("{\"a'$(b)\":[{\"text\":\"a\"}]}\n", "a'$(b)", line),
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
        (
            "{\"data\":[{\"length\":12}]}",
            "bring them: jq -c '..|.[\"data\"]?[]?' FILE",
        ),
        // What a shell would take for more than a name is quoted.
        (
            "{\"a'$(b)\":[{\"length\":12}]}",
            "bring them: jq -c '..|.[\"a'\\''$(b)\"]?[]?' FILE",
        ),
    ]);
    let pairs = "{\"prompt\":[{\"role\":\"a\",\"content\":\"b\"}],\"completion\":[{\"role\":\"a\",\"content\":\"b\"}]}\n";
    let pairs = pairs.repeat(3);
    let error = ingest::read::<2>(pairs.as_bytes(), Options::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("the field \"prompt\" holds a list of objects"),
        "{error}"
    );
    assert_eq!(
        ingest::components(pairs.as_bytes(), true, &Options::default()),
        1
    );
    // A text beside it is not its length.
    for text in ["do this and that", "sharegpt"] {
        let with = format!("{{\"source\":\"{text}\",\"tools\":[{{\"name\":\"f\"}}]}}\n");
        are_refused(&[(&with, "\"tools\" holds a list of objects")]);
    }
    // A length or a list of tokens beside it is read.
    are_read(&[
        (
            "{\"messages\":[{\"role\":\"a\",\"content\":\"b\"}],\"num_tokens\":12}\n",
            "12×1",
        ),
        (
            "{\"messages\":[{\"role\":\"a\",\"content\":\"b\"}],\"input_ids\":[5,6,7]}\n",
            "3×1",
        ),
        (
            "{\"tokens\":[\"a\",\"b\"]}\n{\"tokens\":[null,\"b\",\"c\"]}\n",
            "2×1 3×1",
        ),
    ]);
    // One of many records is skipped, and said.
    let mixed = "{\"input_ids\":[1,2]}\n".repeat(40) + "{\"input_ids\":[{\"a\":1}]}\n";
    let read: ingest::Ingested = ingest::read(mixed.as_bytes(), Options::default()).unwrap();
    assert_eq!((read.histogram.items(), read.description.skipped), (40, 1));
    assert!(
        read.description.problems[0]
            .to_string()
            .contains("list of objects")
    );
}

#[test]
fn a_list_of_lists_is_not_as_long_as_the_outer_one() {
    let lists = "{\"input_ids\":[[1,2,3],[4]]}\n{\"input_ids\":[[4,5],[6]]}\n";
    are_refused_when_named(&[
        (
            lists,
            "input_ids",
            "the field \"input_ids\" holds a list of lists",
        ),
        (
            lists,
            "input_ids",
            "jq '..|.[\"input_ids\"]?[]?|length' FILE",
        ),
    ]);
    // A batch of one is opened.
    are_read(&[(
        "{\"input_ids\":[[1,2,3]]}\n{\"input_ids\":[[4,5]]}\n",
        "2×1 3×1",
    )]);
    are_refused(&[(
        "[[1],[2]]\n[[3],[4],[5]]\n",
        "the record is a list of lists",
    )]);
    let named = Options {
        sizes: vec![Column::from("a.ids")],
        ..Options::default()
    };
    let error = ingest::read::<1>(b"[{\"a\":{\"ids\":[null,[4,5]]}}]", named)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("the field \"a.ids\" holds a list of lists"),
        "{error}"
    );
    are_read(&[
        ("[[1,2,3],[4,5]]", "2×1 3×1"),
        ("{\"input_ids\":[[1,2,3],[4]]}", "1×1 3×1"),
    ]);
}

#[test]
fn nodes_and_edges_may_be_objects_or_pairs() {
    let graphs = "{\"nodes\":[{\"id\":0},{\"id\":1},{\"id\":2}],\"edges\":[[0,1],[1,2]]}\n\
                  {\"nodes\":[{\"id\":0}],\"edges\":[]}\n";
    let read: ingest::Ingested<2> = ingest::read(graphs.as_bytes(), Options::default()).unwrap();
    assert_eq!(read.histogram.entries(), [([1, 0], 1), ([3, 2], 1)]);
    // A single record of lists that are equally long could be columns.
    let features =
        "{\"x\":[[0,1],[1,0]],\"node_feat\":[[1],[2]],\"edge_index\":[[0,1,1],[1,0,0]]}\n"
            .repeat(2);
    for nodes in ["x", "node_feat"] {
        let sizes = [nodes, "edge_index"].map(Column::from).to_vec();
        let read: ingest::Ingested<2> = ingest::read(
            features.as_bytes(),
            Options {
                sizes,
                ..Options::default()
            },
        )
        .unwrap();
        assert_eq!(read.histogram.entries(), [([2, 3], 2)]);
    }
}

#[test]
fn each_number_of_a_list_of_lengths_is_one() {
    are_read(&[
        (
            "{\"row\":0,\"lengths\":[1024]}\n{\"row\":1,\"lengths\":[512,300]}\n",
            "300×1 512×1 1024×1",
        ),
        (
            "{\"seq_lengths\":[1024]}\n{\"seq_lengths\":[512,300]}\n",
            "300×1 512×1 1024×1",
        ),
        ("{\"lens\":[7]}\n{\"lens\":[5,3]}\n", "3×1 5×1 7×1"),
        ("{\"model\":\"x\",\"lengths\":[5,9,9]}", "5×1 9×2"),
        ("{\"lengths\":[5,9,9]}", "5×1 9×2"),
        // Beside a list of tokens it is about that.
        (
            "{\"input_ids\":[1,2,3],\"seq_lengths\":[1,2]}\n{\"input_ids\":[1],\"seq_lengths\":[1]}\n",
            "1×1 3×1",
        ),
    ]);
    let named = Options {
        sizes: vec![Column::from("a.seq_lengths")],
        ..Options::default()
    };
    let input =
        b"{\"a\":{\"seq_lengths\":[5,0,9]},\"length\":2}\n{\"a\":{\"seq_lengths\":[]},\"length\":2}\n";
    let read: ingest::Ingested = ingest::read(input, named).unwrap();
    assert_eq!(
        (read.histogram.entries(), read.description.skipped),
        (&[([5], 1), ([9], 1)][..], 2)
    );
    are_refused(&[
        (
            "{\"counts\":[5,9]}\n{\"counts\":[7]}\n",
            "holds a list of lengths, by its name",
        ),
        (
            "{\"cu_seqlens\":[0,5,9]}\n{\"cu_seqlens\":[0,7]}\n",
            "no field is known to be a length",
        ),
    ]);
}

/// The longest line that is read, in bytes.
const LONGEST: usize = 16 << 20;

fn in_chunks(start: &str, filler: &str, end: &str) -> ingest::Ingested<1> {
    let filler = filler.repeat(LONGEST / filler.len() + 1);
    let bytes = [start, &filler, end].concat().into_bytes();
    let mut reader = ingest::Reader::new(Options::default());
    bytes
        .chunks(1 << 16)
        .for_each(|chunk| reader.push(chunk).unwrap());
    reader.finish().unwrap()
}

#[test]
fn what_is_too_long_is_skipped_and_the_rest_is_read() {
    let lines = format!("{}\n", "x".repeat(1 << 16));
    let cases = [
        ("{\"length\":3}\n\"", "x", "\"\n{\"length\":4}\n", 1),
        ("[3,\n\"", "x", "\",4]", 1),
        ("3\n", "x", "\n4", 1),
        ("length\n3\n", "x", "\n4\n", 1),
        ("length\n3\n\"", &lines, "4\n", 1),
        ("length,count\n3,1\n5,0\n", ",", "\n4,1\n", 1),
    ];
    for (start, filler, end, skipped) in cases {
        let read = in_chunks(start, filler, end);
        assert_eq!(read.histogram.entries(), [([3], 1), ([4], 1)], "{start:?}");
        assert_eq!(read.description.skipped, skipped, "{start:?}");
    }
}
