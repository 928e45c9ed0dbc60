//! Numbers under the names of lengths that are no lengths: totals of packs, shards and steps, records of a training, the
//! total of a run. Multiplying them by a number of documents, or counting them as sequences, is wrong without a word.

use crate::ingest_columns::{are_read, are_refused};
use packscope_core::histogram::Histogram;
use packscope_files::ingest::{self, Column, Counts, Options};
use proptest::prelude::*;

const TOTAL: &str = "seems to be the total";

/// Rows of packs: a name before each, a number of things, and their total, in no order.
fn packs(head: &str, sep: char) -> String {
    let rows = [
        (0, 6, 5861),
        (1, 8, 1659),
        (2, 5, 6982),
        (3, 8, 5244),
        (4, 1, 2725),
    ];
    let row = |(at, number, total): (u32, u32, u32)| format!("{at}{sep}{number}{sep}{total}\n");
    format!(
        "{}\n{}",
        head.replace(',', &sep.to_string()),
        rows.map(row).concat()
    )
}

#[test]
fn a_total_beside_the_number_of_what_it_adds_up_is_no_length() {
    let heads = [
        "bin,num_docs,tokens",
        "bin,docs,tokens",
        "step,num_sequences,num_tokens",
        "pack,count,total_length",
        "shard,num_docs,num_tokens",
        "rank,n_samples,n_tokens",
        "file,examples,total_tokens",
        "batch_idx,num_seqs,token_count",
        "worker,count,tokens",
        "id,num_docs,num_tokens",
        "microbatch,sequences,tokens",
    ];
    for head in heads {
        for sep in [',', ';', '\t'] {
            are_refused(&[(&packs(head, sep), TOTAL)]);
        }
        let names: Vec<&str> = head.split(',').collect();
        let record = |line: &str| {
            let fields = names
                .iter()
                .zip(line.split(','))
                .map(|(name, n)| format!("\"{name}\":{n}"));
            format!("{{{}}}\n", fields.collect::<Vec<_>>().join(","))
        };
        let lines: String = packs(head, ',').lines().skip(1).map(record).collect();
        are_refused(&[(&lines, TOTAL)]);
    }
    are_refused(&[
        ("num_docs,num_tokens\n100,50000\n3,90000\n7,4000\n", TOTAL),
        (
            "domain,num_docs,num_tokens\nwiki,100,50000\nbooks,3,90000\n",
            TOTAL,
        ),
        ("split,count,tokens\ntrain,100,50000\n", TOTAL),
    ]);
    let graphs =
        "batch,num_graphs,num_nodes,num_edges\n0,32,700,1500\n1,32,690,1401\n2,31,720,1533\n";
    let refused = ingest::read::<2>(graphs.as_bytes(), Options::default())
        .unwrap_err()
        .to_string();
    assert!(refused.contains(TOTAL), "{refused}");
}

#[test]
fn the_refusal_of_a_total_says_what_it_saw_and_names_the_mean() {
    let input = packs("bin,num_docs,tokens", ',');
    let refused = ingest::read::<1>(input.as_bytes(), Options::default())
        .unwrap_err()
        .to_string();
    for words in [
        "\"tokens\" seems to be the total of all that \"num_docs\" counts in a row, such as 5,861 in 6",
        "--length 'round(tokens / num_docs)' --count-column num_docs",
        "a row for each sequence",
    ] {
        assert!(refused.contains(words), "{refused}");
    }
    let read = |length: &str, count: &str| {
        let count = Some(if count.is_empty() {
            Counts::One
        } else {
            Counts::Column(Column::from(count))
        });
        let options = Options {
            sizes: vec![Column::from(length)],
            count,
            ..Options::default()
        };
        ingest::read::<1>(input.as_bytes(), options).map(|read| read.histogram)
    };
    let means = [(977, 6), (207, 8), (1396, 5), (656, 8), (2725, 1)];
    assert_eq!(
        read("round(tokens / num_docs)", "num_docs").unwrap(),
        Histogram::from_lengths(means).unwrap()
    );
    // Who names both columns has said what they are.
    assert_eq!(read("tokens", "").unwrap().items(), 5);
    assert_eq!(read("tokens", "num_docs").unwrap().items(), 28);
    // One name, or "each row is an item" alone, does not say that these are lengths.
    let one = [
        Options {
            sizes: vec![Column::from("tokens")],
            ..Options::default()
        },
        Options {
            count: Some(Counts::One),
            ..Options::default()
        },
        Options {
            count: Some(Counts::Column(Column::from("num_docs"))),
            ..Options::default()
        },
    ];
    for options in one {
        assert!(
            ingest::read::<1>(input.as_bytes(), options)
                .unwrap_err()
                .to_string()
                .contains(TOTAL)
        );
    }
}

#[test]
fn tables_of_lengths_and_counts_are_still_read() {
    are_read(&[
        ("num_tokens,num_docs\n5,1000\n9,30\n", "5×1000 9×30"),
        ("tokens,count\n512,3\n100,40\n7,9\n", "7×9 100×40 512×3"),
        (
            "num_tokens,num_docs\n512,3\n600,2\n900,1\n",
            "512×3 600×2 900×1",
        ),
        (
            "index,num_tokens,count\n0,512,3\n1,600,2\n2,900,1\n",
            "512×3 600×2 900×1",
        ),
        (
            ",tokens,count\n0,900,3\n1,600,2\n2,700,1\n",
            "600×2 700×1 900×3",
        ),
        (
            "split,length,count\ntrain,900,3\ntest,600,2\n",
            "600×2 900×3",
        ),
        (
            "shard,length,count\n0,900,3\n0,600,2\n1,900,1\n",
            "600×2 900×4",
        ),
        ("id,num_tokens\na,900\nb,600\n", "600×1 900×1"),
    ]);
}

#[test]
fn a_log_of_a_training_has_totals_so_far() {
    let log: String = (1..9)
        .map(|step| format!("{{\"current_steps\":{step},\"loss\":1.5,\"lr\":0.0001,\"epoch\":0.0{step},\"total_tokens\":{}}}\n", step * 48960))
        .collect();
    are_refused(&[
        (&log, "total so far"),
        (
            "step,loss,num_tokens\n1,2.5,8000\n2,2.4,7990\n3,2.3,8100\n",
            "of a training log",
        ),
        (
            "step,total_tokens\n10,8000\n20,16000\n30,24100\n",
            "total so far",
        ),
        (
            "step,num_input_tokens_seen\n10,8000\n20,16000\n30,24100\n",
            "known to be a length",
        ),
        (
            "{\"log_history\":[{\"step\":1}],\"num_input_tokens_seen\":3276800}",
            "the state of a training",
        ),
        (
            "{'loss': 1.3889, 'num_tokens': 81920.0}\n{'loss': 1.3, 'num_tokens': 163840.0}\n",
            "as Python prints them",
        ),
        (
            "[2025-03-04 09:28:15,294] [INFO] total_num_tokens: 8_407_290\n[2025-03-04 09:28:16,294] [INFO] a: [1, 2]\n",
            "lines of a log",
        ),
    ]);
    // The flag that an earlier refusal named.
    let options = Options {
        count: Some(Counts::One),
        ..Options::default()
    };
    let advised = ingest::read::<1>(log.as_bytes(), options)
        .unwrap_err()
        .to_string();
    assert!(advised.contains("total so far"), "{advised}");
    // The loss of each text is no log.
    are_read(&[(
        "id,num_tokens,loss\na,512,1.25\nb,100,2.5\nc,7,2.5\nd,12,2.5\n",
        "7×1 12×1 100×1 512×1",
    )]);
}

#[test]
fn the_total_of_a_run_and_lengths_of_shards_are_no_lengths() {
    are_refused(&[
        (
            "{\"total_tokens\": 51279835, \"model\": \"m\"}",
            "seems to be a total",
        ),
        (
            "model,num_tokens\na,51279835\nb,200\n",
            "more tokens than any model reads",
        ),
        (
            "{\"splits\": {\"train\": {\"num_examples\": 18000, \"shard_lengths\": [9000, 9000]}}, \"version\": 1}",
            "known to be a length",
        ),
    ]);
}

/// Each of these was read as something else.
#[test]
fn what_is_unread_is_a_question() {
    are_refused(&[
        ("619\n24\n1,519\n173\n", "may part thousands"),
        ("619 24 1,519 173\n", "may part thousands"),
        ("619;24;1,519;173\n", "may part thousands"),
        (
            "{\"100000\": 100, \"100007\": 100, \"100014\": 12}",
            "names of items",
        ),
        ("[[\"12\", 5], [\"16\", 2]]", "--count-column"),
        ("[[\"a\", 5], [\"b\", 2]]", "--count-column"),
        ("[[5, 2, 1], [0, 13, 17, 64]]", "--input-format histogram"),
        ("length,repeat\n12,3\n", "may be the count"),
        ("length,times\n12,3\n", "may be the count"),
        (
            "{\"length\": 5}\n{\"length\": 7}\n{\"length\": 9, \"count\": 3}\n",
            "stands in some of the records only",
        ),
        (
            "{\"length\": 5}\n{\"length\": 7}\n{\"n_tokens\": 9}\n",
            "may be the length",
        ),
        (
            "split,length\na,619\nb,24\nc,173\ntotal,816\n",
            "called a total",
        ),
        ("split,length\na,619\nb,24\nc,173\nTotal:,575,010\n", ""),
        (
            "kind,length,count\na,619,2\nb,24,3\nall,700,5\n",
            "called a total",
        ),
    ]);
    are_read(&[
        (
            "{\"data\": {\"length\": [12, 16], \"count\": [5, 2]}}",
            "12×5 16×2",
        ),
        ("[[5, 2, 1], [9, 13, 17, 4]]", "3×1 4×1"),
        ("1,519 24 1519\n", "1×1 24×1 519×1 1519×1"),
        (
            "{\"1024\": 3, \"2048\": 1, \"4096\": 2}",
            "1024×3 2048×1 4096×2",
        ),
        ("word,length\ntotal,5\nsum,3\nother,4\n", "3×1 4×1 5×1"),
    ]);
    let said = Options {
        format: Some(ingest::Format::Histogram),
        ..Options::default()
    };
    assert_eq!(
        ingest::read::<1>(b"[[5, 2, 1], [0, 13, 17, 64]]", said)
            .unwrap()
            .histogram
            .items(),
        8
    );
}

#[test]
fn a_count_that_is_rounded_to_nothing_is_no_count() {
    for count in ["1e-400", "0.0000001e-320"] {
        are_refused(&[(
            &format!("length,count\n5,{count}\n"),
            "holds no whole numbers",
        )]);
    }
    are_read(&[("length,count\n5,0e0\n9,1\n", "9×1")]);
}

#[test]
fn half_a_pair_of_surrogates_leaves_the_numbers_beside_it() {
    are_read(&[
        (
            "{\"t\":\"a\\ud800b\",\"length\":5}\n{\"t\":\"\\ud83d\\ude00 \\\\ud800\",\"length\":7}\n",
            "5×1 7×1",
        ),
        ("[{\"length\":5,\"t\":\"\\uDFFF\"}]", "5×1"),
    ]);
}

#[test]
fn names_are_listed_however_many_there_are() {
    let fields: Vec<String> = (0..20_000).map(|i| format!("\"f{i}\":{i}")).collect();
    are_refused(&[(
        &format!("{{{}}}\n", fields.join(",")),
        "name one of: f0 (numbers)",
    )]);
    let header: Vec<String> = (0..70_000).map(|i| format!("c{i}")).collect();
    are_refused(&[(
        &format!("{}\n", header.join(",")),
        "the row that begins with \"c0\" has more than 65,536 cells",
    )]);
}

fn table(lengths: &[u32], counts: &[u64]) -> String {
    let rows = lengths
        .iter()
        .zip(counts)
        .map(|(length, count)| format!("{length},{count}\n"));
    format!("length,count\n{}", rows.collect::<String>())
}

#[test]
fn counts_that_happen_to_rise_are_counts() {
    are_read(&[
        (
            "length,count\n64,1\n68,1\n72,1\n76,1\n80,1\n90,2\n100,2\n120,3\n",
            "64×1 68×1 72×1 76×1 80×1 90×2 100×2 120×3",
        ),
        // A heap at the limit.
        (
            "length,count\n64,1\n68,1\n72,1\n76,1\n80,1\n90,1\n100,2\n128,400\n",
            "64×1 68×1 72×1 76×1 80×1 90×1 100×2 128×400",
        ),
    ]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn small_histograms_are_read_and_their_running_totals_refused(
        rows in prop::collection::btree_map(1..3000u32, prop_oneof![3 => 1..4u64, 1 => 1..400u64], 1..40),
    ) {
        let (lengths, counts): (Vec<u32>, Vec<u64>) = rows.into_iter().unzip();
        let read = ingest::read::<1>(table(&lengths, &counts).as_bytes(), Options::default());
        prop_assert_eq!(read.map(|read| read.histogram.items()), Ok(counts.iter().sum()));
        let sums: Vec<u64> = counts.iter().scan(0, |sum, count| { *sum += count; Some(*sum) }).collect();
        // Fewer rows say too little.
        if sums.len() > 7 && 2 * sums[0] < sums[sums.len() - 1] {
            let read = ingest::read::<1>(table(&lengths, &sums).as_bytes(), Options::default());
            prop_assert!(read.is_err_and(|error| error.to_string().contains("never falls")));
        }
    }
}

/// Counts that never fall, as the heavy lengths are the last.
#[test]
fn few_heavy_lengths_after_light_ones_are_counts() {
    let (lengths, counts) = ([1, 2, 3, 4, 5, 6, 7, 2236], [1, 1, 1, 1, 1, 1, 41, 80]);
    let read = ingest::read::<1>(table(&lengths, &counts).as_bytes(), Options::default());
    assert_eq!(read.map(|read| read.histogram.items()), Ok(127));
}

/// Running totals in bins of one width do not rise where no item is.
#[test]
fn running_totals_in_bins_are_refused() {
    let sums = [
        2789u64, 4090, 4560, 4745, 4859, 4923, 4949, 4964, 4972, 4985, 4986, 4991, 4991, 4991,
        4991, 4991, 5000, 5000, 5000, 5000,
    ];
    let lengths: Vec<u32> = (1..=sums.len() as u32).map(|n| 1000 * n).collect();
    are_refused(&[(&table(&lengths, &sums), "never falls")]);
}
