//! Histograms as input, in bins or printed: each is read, or refused with a remedy.

use crate::ingest_columns::{are_read, are_refused};
use packscope_core::histogram::{Bin, Bins, Histogram, Sizes};
use packscope_files::ingest::{self, Column, File, Format, Ingested, OpenResult, Options};
use std::ops::ControlFlow;
use std::rc::Rc;

fn read(input: &str) -> Ingested {
    ingest::read(input.as_bytes(), Options::default())
        .unwrap_or_else(|error| panic!("{input:?}: {error}"))
}

/// An input, and its bins: first and last length, and items.
type Case<'a> = (&'a str, &'a [(u32, u32, u64)]);

/// The bins that are read, as `low-high×items`, and those of one length, which are no bins, among the items.
#[track_caller]
fn are_bins(cases: &[Case]) {
    for (input, want) in cases {
        let read = read(input);
        let wide = want.iter().filter(|(low, high, _)| low < high);
        let bins: Vec<Bin> = wide
            .map(|&(low, high, items)| Bin { low, high, items })
            .collect();
        assert_eq!(read.description.bins, bins, "{input:?}");
        assert_eq!(
            read.histogram.items(),
            want.iter().map(|(_, _, items)| items).sum::<u64>(),
            "{input:?}"
        );
        assert_eq!(
            (read.description.format, read.description.skipped),
            (Format::Histogram, 0),
            "{input:?}"
        );
        let again: Ingested = ingest::read(input.as_bytes(), read.description.options()).unwrap();
        assert_eq!(
            again.histogram, read.histogram,
            "{input:?}, read again as it was"
        );
        // Where it is cut matters to nobody.
        let mut reader = ingest::Reader::<1>::new(Options::default());
        input
            .as_bytes()
            .chunks(7)
            .for_each(|chunk| reader.push(chunk).unwrap());
        assert_eq!(
            reader.finish().unwrap().histogram,
            read.histogram,
            "{input:?}"
        );
        assert_eq!(
            ingest::components(input.as_bytes(), true, &Options::default()),
            1,
            "{input:?}"
        );
    }
}

#[test]
fn edges_and_counts_in_json_are_bins() {
    are_bins(&[
        (
            "{\"hist\":[2260,4512],\"bin_edges\":[6,29,52]}",
            &[(6, 28, 2260), (29, 52, 4512)],
        ),
        // Floats of NumPy: the last edge is in the last bin, others begin the next.
        (
            "{\n \"bin_edges\" : [6.0, 28.5, 51.0],\n \"hist\": [5, 7]\n}",
            &[(6, 28, 5), (29, 51, 7)],
        ),
        (
            "{\"bins\":[0,100,200,300],\"counts\":[5,7,3]}",
            &[(1, 99, 5), (100, 199, 7), (200, 300, 3)],
        ),
        (
            "{\"_type\":\"histogram\",\"values\":[5,7],\"bins\":[0,100,200]}",
            &[(1, 99, 5), (100, 200, 7)],
        ),
        (
            "{\"len\":{\"_type\":\"histogram\",\"values\":[5,7],\"packedBins\":{\"min\":16,\"size\":16,\"count\":2}}}",
            &[(16, 31, 5), (32, 48, 7)],
        ),
        ("{\"0-127\":5,\"128-255\":7}", &[(1, 127, 5), (128, 255, 7)]),
        (
            "{\"(0.0, 32.0]\":5,\"(32.0, 64.0]\":7}",
            &[(1, 32, 5), (33, 64, 7)],
        ),
        (
            "[{\"range\":\"0-127\",\"count\":5},{\"range\":\"128-255\",\"count\":7}]",
            &[(1, 127, 5), (128, 255, 7)],
        ),
        (
            "{\"bin\":\"[0, 8)\",\"n\":5}\n{\"bin\":\"[8, 16)\",\"n\":7}\n",
            &[(1, 7, 5), (8, 15, 7)],
        ),
        // One length wide: nothing is open.
        (
            "{\"hist\":[3,4,1],\"bin_edges\":[5,6,7,7]}",
            &[(5, 5, 3), (6, 6, 4), (7, 7, 1)],
        ),
    ]);
    are_refused(&[
        (
            "{\"bins\":[0,100,200],\"counts\":[5,7,3]}",
            "3 edges of bins and 3 counts; expected one edge more",
        ),
        (
            "{\"hist\":[0.25,0.75],\"bin_edges\":[0,10,20]}",
            "0.25 is no count of items: shares and densities",
        ),
        (
            "{\"hist\":[5,7],\"bin_edges\":[0,20,10]}",
            "the edges of bins do not ascend",
        ),
        (
            "{\"hist\":[5,7],\"bin_edges\":[10.2,10.4,10.6]}",
            "no whole length is from 10.2 to 10.4, but 5 items are",
        ),
    ]);
    let pairs = ingest::read::<2>(
        b"{\"hist\":[5,7],\"bin_edges\":[0,10,20]}",
        Options::default(),
    );
    assert!(
        pairs
            .unwrap_err()
            .to_string()
            .contains("histograms in bins are of one size, not of 2")
    );
}

/// The statistics of the dataset viewer, with a histogram for each of these columns (name, type).
fn statistics(columns: &[(&str, &str)]) -> String {
    let column = |(name, kind): &(&str, &str)| {
        format!(
            "{{\"column_name\":\"{name}\",\"column_type\":\"{kind}\",\"column_statistics\":{{\"nan_count\":0,\"min\":6,\
             \"max\":52,\"histogram\":{{\"hist\":[2260,4512],\"bin_edges\":[6,29,52]}}}}}}"
        )
    };
    let columns: Vec<String> = columns.iter().map(column).collect();
    format!(
        "{{\"num_examples\":6772,\"statistics\":[{}],\"partial\":false}}",
        columns.join(",")
    )
}

#[test]
fn the_viewer_has_a_histogram_for_each_column() {
    let one = statistics(&[
        ("idx", "int"),
        ("sentence", "string_text"),
        ("score", "float"),
    ]);
    are_bins(&[(&one, &[(6, 28, 2260), (29, 52, 4512)])]);
    let description = read(&one).description;
    assert_eq!(description.unit(), "characters");
    assert_eq!(description.sizes, [Column::from("sentence")]);
    assert_eq!(description.choices(), ["idx", "sentence", "score"]);
    let two = statistics(&[("question", "string_text"), ("answer", "string_text")]);
    are_refused(&[
        (
            &two,
            "may be that of lengths: question, answer; say which: --length-column",
        ),
        (
            &statistics(&[("score", "int")]),
            "may be that of lengths: score; say which: --length-column",
        ),
    ]);
    let named = |name: &str| Options {
        sizes: vec![Column::from(name)],
        ..Options::default()
    };
    let answer: Ingested = ingest::read(two.as_bytes(), named("answer")).unwrap();
    assert_eq!(answer.histogram.items(), 6772);
    let error = ingest::read::<1>(two.as_bytes(), named("text"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("no histogram has this name; there are: question, answer"),
        "{error}"
    );
    // Lists are as long as their elements are many.
    assert_eq!(
        read(&statistics(&[("input_ids", "list")]))
            .description
            .unit(),
        "tokens"
    );
    // Longer than what is looked at first.
    let many: Vec<String> = (0..600).map(|n| format!("score_{n}")).collect();
    let many: Vec<(&str, &str)> = many
        .iter()
        .map(|name| (name.as_str(), "float"))
        .chain([("text", "string_text")])
        .collect();
    assert_eq!(read(&statistics(&many)).histogram.items(), 6772);
}

#[test]
fn ranges_with_counts_are_bins() {
    are_bins(&[
        (
            "range,count\n0-127,5\n128-255,7\n",
            &[(1, 127, 5), (128, 255, 7)],
        ),
        // An end that begins the next is in the next.
        (
            "range,count\n0–128,5\n128–256,7\n",
            &[(1, 127, 5), (128, 256, 7)],
        ),
        (
            "range,size\n\"[0, 128)\",5\n\"[128, 256)\",7\n",
            &[(1, 127, 5), (128, 255, 7)],
        ),
        (
            ",count\n\"(11.499, 112.0]\",48\n\"(412.0, 512.0]\",7\n\"(112.0, 212.0]\",0\n",
            &[(12, 112, 48), (413, 512, 7)],
        ),
        (
            "index,length\n\"(0, 32]\",5\n\"(32, 64]\",7\n",
            &[(1, 32, 5), (33, 64, 7)],
        ),
        (
            "length;count\n0-127;5\n128-255;7\n",
            &[(1, 127, 5), (128, 255, 7)],
        ),
        (
            "split,bin,count\na,0-127,5\na,128-255,7\nb,0-127,5\nb,128-255,2\n",
            &[(1, 127, 5), (1, 127, 5), (128, 255, 7), (128, 255, 2)],
        ),
        (
            "bin_start,bin_end,count\n0,100,5\n100,200,7\n200,300,3\n",
            &[(1, 99, 5), (100, 199, 7), (200, 300, 3)],
        ),
        (
            "left\tright\tcount\n0\t99\t5\n100\t199\t7\n",
            &[(1, 99, 5), (100, 199, 7)],
        ),
        ("0-127,5\n128-255,7\n", &[(1, 127, 5), (128, 255, 7)]),
        (
            "range,count\n\"1,000-1,999\",5\n\"2,000-2,999\",\"1,007\"\n",
            &[(1000, 1999, 5), (2000, 2999, 1007)],
        ),
        (
            "[0, 128),48\n[128, 600),7\n",
            &[(1, 127, 48), (128, 599, 7)],
        ),
        (
            "length\n(0, 32]     5\n(32, 64]    7\nName: count, dtype: int64\n",
            &[(1, 32, 5), (33, 64, 7)],
        ),
        ("length,count\n<32,5\n32-63,7\n", &[(1, 31, 5), (32, 63, 7)]),
        (
            "┌───────────┬───────┐\n│ bin       ┆ count │\n│ ---       ┆ ---   │\n│ cat       ┆ u32   │\n\
             ╞═══════════╪═══════╡\n│ (0, 32]   ┆ 7     │\n│ (32, 128] ┆ 41    │\n└───────────┴───────┘\n",
            &[(1, 32, 7), (33, 128, 41)],
        ),
    ]);
    are_refused(&[
        (
            "0-127\n128-255\n256-383\n",
            "a histogram in bins; expected a count for each",
        ),
        (
            "range,count\n0-127,5\n128-255,0.5\n",
            "0.5 is no count of items",
        ),
        (
            "range,count\n0-127,5\n128-255,many\n",
            "\"many\" is no count of items",
        ),
    ]);
    let open = read("length,count\n0-511,5\n512+,7\n").description;
    assert!(
        open.problems[0]
            .to_string()
            .contains("7 items above 512 have no upper edge")
    );
    assert!(open.doubt().is_some());
    // Ranges beside lengths: pages overlap, and seasons come more than once. A bin that is named is a length.
    are_read(&[
        ("pages,n_tokens\n1-12,900\n3-20,700\n", "700×1 900×1"),
        (
            "season,length\n2019-2020,9\n2020-2021,7\n2019-2020,7\n",
            "7×2 9×1",
        ),
        ("date,length\n2023-11-16,9\n2023-11-17,7\n", "7×1 9×1"),
        ("length,bin_edges_of\n12,1\n13,1\n", "12×1 13×1"),
    ]);
    let named = Options {
        sizes: vec![Column::from("bin")],
        ..Options::default()
    };
    let read: Ingested = ingest::read(b"bin,count\n1,5\n2,7\n", named).unwrap();
    assert_eq!(read.histogram.entries(), [([1], 5), ([2], 7)]);
}

const METRICS: &str = "# HELP vllm:request_prompt_tokens Number of prefill tokens processed.\n\
                       # TYPE vllm:request_prompt_tokens histogram\n\
                       vllm:request_prompt_tokens_sum{model_name=\"m\"} 3250.0\n\
                       vllm:request_prompt_tokens_bucket{le=\"1.0\",model_name=\"m\"} 0.0\n\
                       vllm:request_prompt_tokens_bucket{le=\"2.0\",model_name=\"m\"} 3.0\n\
                       vllm:request_prompt_tokens_bucket{le=\"5.0\",model_name=\"m\"} 12.0\n\
                       vllm:request_prompt_tokens_bucket{le=\"10.0\",model_name=\"m\"} 20.0\n\
                       vllm:request_prompt_tokens_bucket{le=\"+Inf\",model_name=\"m\"} 20.0\n\
                       vllm:e2e_request_latency_seconds_bucket{le=\"0.3\"} 4.0\n\
                       vllm:e2e_request_latency_seconds_bucket{le=\"+Inf\"} 20.0\n";

/// What a file is, is looked for in its first 64 KiB.
#[test]
fn many_bins_are_bins() {
    let bins = || (0..8000u32).map(|at| (10 * at + 1, 10 * at + 10, u64::from(1 + at % 3)));
    let all: Vec<(u32, u32, u64)> = bins().collect();
    // The end of the last one is in it.
    let edge = |high: u32| high + u32::from(high < 80_000);
    let edges = bins()
        .map(|(low, high, n)| format!("{low},{},{n}\n", edge(high)))
        .collect::<String>();
    let ranges = bins()
        .map(|(low, high, items)| format!("{low}-{high}\t{items}\n"))
        .collect::<String>();
    let row = |(low, _, items): (u32, u32, u64)| format!("│ {low} │ {items} │\n");
    let boxed = format!(
        "┌───┬───┐\n│ length ┆ count │\n{}└───┴───┘\n",
        bins().map(row).collect::<String>()
    );
    assert!(
        [&edges, &ranges, &boxed]
            .iter()
            .all(|text| text.len() > 64 << 10)
    );
    are_bins(&[
        (&format!("bin_start,bin_end,count\n{edges}"), &all),
        (&format!("range\tcount\n{ranges}"), &all),
    ]);
    let read = read(&boxed);
    let items: u64 = all.iter().map(|(.., items)| items).sum();
    assert_eq!(
        (read.histogram.items(), read.histogram.max()),
        (items, [79_991])
    );
    // A table of lengths is not taken for one of bins, however long it is.
    let table = bins()
        .map(|(low, high, items)| format!("{low}-{high},{high},{items}\n"))
        .collect::<String>();
    let error = ingest::read::<1>(
        format!("pages,length,n\n{table}").as_bytes(),
        Options::default(),
    );
    assert_ne!(
        error.map(|read| read.description.format),
        Ok(Format::Histogram)
    );
}

#[test]
fn buckets_of_prometheus_are_cumulative() {
    are_bins(&[
        (METRICS, &[(2, 2, 3), (3, 5, 9), (6, 10, 8)]),
        // Two models: one histogram after the other.
        (
            "t_tokens_bucket{le=\"8\",m=\"a\"} 5\nt_tokens_bucket{le=\"8\",m=\"b\"} 2\nt_tokens_bucket{le=\"16\",m=\"a\"} 6\n",
            &[(1, 8, 5), (1, 8, 2), (9, 16, 1)],
        ),
    ]);
    assert_eq!(
        read(METRICS).description.sizes,
        [Column::from("vllm:request_prompt_tokens")]
    );
    let both = METRICS.to_owned() + "vllm:request_generation_tokens_bucket{le=\"8\"} 5\n";
    let above = METRICS.replace(
        "\"+Inf\",model_name=\"m\"} 20.0",
        "\"+Inf\",model_name=\"m\"} 23.0",
    );
    let falling = METRICS.replace(
        "10.0\",model_name=\"m\"} 20.0",
        "10.0\",model_name=\"m\"} 11.0",
    );
    are_refused(&[
        (
            &both,
            "vllm:request_generation_tokens, vllm:request_prompt_tokens; say which: --length-column",
        ),
        (
            &falling,
            "11 items are up to 10, but 12 up to 5: expected cumulative counts",
        ),
        (
            "x_seconds_bucket{le=\"1\"} 5\n",
            "may be that of lengths: x_seconds",
        ),
    ]);
    let read = read(&above);
    assert_eq!((read.histogram.items(), read.description.skipped), (20, 1));
    assert!(
        read.description.problems[0]
            .to_string()
            .contains("3 items above 10 have no upper edge")
    );
    assert!(read.description.doubt().is_some());
}

fn lengths(input: &str) -> Vec<(u32, u64)> {
    read(input).histogram.lengths()
}

#[test]
fn counts_are_read_as_they_are_printed() {
    let want = [(12, 5), (16, 2), (100, 40)];
    for input in [
        "Counter({100: 40, 12: 5, 16: 2})",
        "Counter({np.int64(100): 40, np.int64(12): 5, np.int64(16): 2})\n",
        "OrderedDict([(12, 5), (16, 2), (100, 40)])\n",
        "OrderedDict({12: 5, 16: 2, 100: 40})",
        "defaultdict(<class 'int'>, {12: 5, 16: 2, 100: 40})\n",
        "[(100, 40), (12, 5), (16, 2)]\n",
        "dict_items([(100, 40), (12, 5), (16, 2)])\n",
        "{12=5, 16=2, 100=40}\n",
        "histogram(length)\n\"{12=5, 16=2, 100=40}\"\n",
        "Dict{Int64, Int64} with 3 entries:\n  12 => 5\n  16 => 2\n  100 => 40\n",
        "length\n100    40\n12      5\n16      2\nName: count, dtype: int64\n",
        "shape: (3, 2)\n┌────────┬───────┐\n│ length ┆ count │\n│ ---    ┆ ---   │\n│ i64    ┆ u32   │\n╞════════╪═══════╡\n\
         │ 12     ┆ 5     │\n│ 16     ┆ 2     │\n│ 100    ┆ 40    │\n└────────┴───────┘\n",
        "┌────────┬───────┐\n│ length │ count │\n│ int64  │ int64 │\n├────────┼───────┤\n│     12 │     5 │\n│     16 │     2 │\n\
         │    100 │    40 │\n└────────┴───────┘\n",
        "{\"model\":\"m\",\"seqlens\":{\"12\":5,\"16\":2,\"100\":40}}",
    ] {
        assert_eq!(lengths(input), want, "{input:?}");
    }
}

#[test]
fn what_is_printed_may_be_cut() {
    let cut = "a printed table from which rows are left out";
    let summary = "a summary, as of describe()";
    are_refused(&[
        (
            "250     1200\n       ... \n512       12\nName: input_ids, Length: 80, dtype: int64\n",
            cut,
        ),
        (
            "shape: (548, 2)\n┌────────┬───────┐\n│ length ┆ count │\n│ ---    ┆ ---   │\n╞════════╪═══════╡\n│ 14     ┆ 1     │\n│ …      ┆ …     │\n└────────┴───────┘\n",
            cut,
        ),
        (
            "     length  count\n0        14      1\n..      ...    ...\n\n[548 rows x 2 columns]\n",
            cut,
        ),
        ("{12=5, 16=2, ..., 100=40}", cut),
        (
            "Dict{Int64, Int64} with 3 entries:\n  12 => 5\n  ⋮  => ⋮\n",
            cut,
        ),
        // Lengths behind their rows, or counts as older releases print them.
        (
            "100    40\n12      5\nName: length, dtype: int64\n",
            "a printed pandas Series, of lengths or of counts",
        ),
        (
            "420    207\n60      94\ndtype: int64",
            "a printed pandas Series, of lengths or of counts",
        ),
        (
            "0    420\n1     60\nName: length, dtype: int64\n",
            "a printed pandas Series, of lengths or of counts",
        ),
        (
            "count    8792.0\nmean      161.2\nstd 62.1\nmin 44.0\nName: length, dtype: float64\n",
            summary,
        ),
        (
            "count    8792.000000\nmean      161.2\nstd        62.1\nmin        44.0\n25%       119.0\n",
            summary,
        ),
        (
            ",num_tokens\ncount,1003.0\nmean,324.1\nstd,310.5\nmin,3.0\n25%,65.0\nmax,9722.0\n",
            summary,
        ),
        (
            "┌────────────┬────────┐\n│ statistic  ┆ length │\n│ ---        ┆ ---    │\n│ str        ┆ f64    │\n╞════════════╪════════╡\n\
             │ count      ┆ 10.0   │\n│ mean       ┆ 3.5    │\n│ std        ┆ 1.0    │\n│ min        ┆ 1.0    │\n└────────────┴────────┘\n",
            summary,
        ),
    ]);
    // A text that quotes it is a text.
    let quoted = "This is what it prints.\nName: count, dtype: int64\nAnd then we see, at last, that it is so.\n";
    assert_eq!(
        ingest::read::<1>(quoted.as_bytes(), Options::default())
            .unwrap()
            .histogram
            .items(),
        3
    );
}

fn notes(input: &str) -> String {
    read(input)
        .description
        .notes
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}

#[test]
fn counts_by_length_begin_at_zero() {
    let want = [(2, 5), (3, 7), (5, 3)];
    for input in [
        "tensor([0, 0, 5, 7, 0, 3])",
        "array([0, 0, 5, 7, 0, 3])\n",
        "[0, 0, 5, 7, 0, 3]",
        "0\n0\n5\n7\n0\n3\n",
    ] {
        assert_eq!(lengths(input), want, "{input:?}");
        assert!(
            notes(input).contains("counts by length from 0"),
            "{input:?}"
        );
    }
    // Items without a token are in no batch.
    let some = Options {
        format: Some(Format::Histogram),
        ..Options::default()
    };
    let read: Ingested = ingest::read(b"[2, 0, 5, 7, 0, 3]", some.clone()).unwrap();
    assert_eq!(read.histogram.lengths(), want);
    let said = |note: &ingest::Note| note.to_string().contains("2 items of length 0: left out");
    assert!(read.description.notes.iter().any(said));
    assert!(notes("{0: 12, 128: 40, 256: 9}").contains("12 items of length 0: left out"));
    assert_eq!(
        lengths("{0.0: 12, 128.0: 40, 256.0: 9}"),
        [(128, 40), (256, 9)]
    );
    // One zero among many may be an empty text, or the length 0 that no item has.
    let dense = format!("0 {}", "4 5 6 7 3 ".repeat(40).trim()).replace(' ', "\n");
    are_refused(&[(
        &dense,
        "--input-format numbers, or --input-format histogram",
    )]);
    let read: Ingested = ingest::read(dense.as_bytes(), some).unwrap();
    assert_eq!(
        (read.histogram.items(), read.histogram.max()),
        (1000, [200])
    );
    let numbers = Options {
        format: Some(Format::Numbers),
        ..Options::default()
    };
    let read: Ingested = ingest::read(dense.as_bytes(), numbers).unwrap();
    assert_eq!((read.histogram.items(), read.description.skipped), (200, 1));
}

/// An array of NumPy of one dimension.
fn npy(numbers: &[i64]) -> Vec<u8> {
    let header = format!(
        "{{'descr': '<i8', 'fortran_order': False, 'shape': ({},), }}\n",
        numbers.len()
    );
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
    bytes
}

fn open(
    name: &str,
    bytes: &[u8],
    format: Option<Format>,
) -> Result<(Histogram<1>, ingest::Description), String> {
    let options = Options {
        format,
        ..Options::default()
    };
    let files = [File {
        name,
        source: &bytes,
    }];
    match ingest::open(&files, &options, false, &mut |_, _| {
        ControlFlow::Continue(())
    }) {
        Ok(OpenResult::Read(read)) => match read.counted {
            Sizes::Lengths(lengths) => Ok((Rc::unwrap_or_clone(lengths), read.description)),
            other => panic!("{other:?}"),
        },
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn arrays_of_numpy_are_histograms_where_they_say_so() {
    let path = format!(
        "{}/tests/data/held/hist.npz",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../..")
    );
    let (lengths, description) = open("h.npz", &std::fs::read(path).unwrap(), None).unwrap();
    assert_eq!(
        (lengths.items(), description.format),
        (15, Format::Histogram)
    );
    assert_eq!(
        description.bins,
        [(1, 99, 5), (100, 199, 7), (200, 300, 3)].map(|(low, high, items)| Bin {
            low,
            high,
            items
        })
    );
    let (lengths, description) = open("a.npy", &npy(&[0, 0, 5, 7, 0, 3]), None).unwrap();
    assert_eq!(lengths.lengths(), [(2, 5), (3, 7), (5, 3)]);
    assert!(description.notes[0].to_string().contains("numpy.bincount"));
    let dense: Vec<i64> = (0..200)
        .map(|at| if at == 0 { 0 } else { 3 + at % 5 })
        .collect();
    let error = open("a.npy", &npy(&dense), None).unwrap_err();
    assert!(
        error.contains("--input-format numbers, or --input-format histogram"),
        "{error}"
    );
    let (lengths, _) = open("a.npy", &npy(&dense), Some(Format::Histogram)).unwrap();
    assert_eq!(
        (lengths.items(), lengths.max()),
        (dense.iter().sum::<i64>() as u64, [199])
    );
    let (lengths, _) = open("a.npy", &npy(&dense), Some(Format::Numbers)).unwrap();
    assert_eq!((lengths.items(), lengths.max()), (199, [7]));
    let (lengths, _) = open("a.npy", &npy(&[12, 0, 16]), None).unwrap();
    assert_eq!(lengths.lengths(), [(12, 1), (16, 1)]);
}

#[test]
fn several_files_of_bins_and_lengths_are_one() {
    let bins: &[u8] = b"range,count\n1-100,40\n101-200,10\n";
    let known: &[u8] = b"length,count\n50,7\n";
    let files = [
        File {
            name: "a.csv",
            source: &bins,
        },
        File {
            name: "b.csv",
            source: &known,
        },
    ];
    let read: Ingested = ingest::open_as(&files, &Options::default(), &mut |_, _| {
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(
        (read.histogram.items(), read.description.bins.len()),
        (57, 2)
    );
    let all = Bins::new(&read.histogram, &read.description.bins).unwrap();
    let [total] = all.bands(512, false, |lengths| Some([lengths.total()[0] as f64]));
    assert_eq!(total, [40.0 + 1010.0 + 350.0, 4000.0 + 2000.0 + 350.0]);
}
