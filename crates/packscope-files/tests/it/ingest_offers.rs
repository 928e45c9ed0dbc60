//! Lengths that no column holds: a file asks, and the formulae that it offers are read when they are chosen.

use crate::ingest_columns::{are_read, are_refused};
use packscope_core::error::{ChoiceNeeded, Error};
use packscope_files::ingest::{self, Column, Ingested, Options};

fn chosen(input: &str, length: &str) -> Result<Ingested, Error> {
    let sizes = if length.is_empty() {
        Vec::new()
    } else {
        vec![Column::from(length)]
    };
    let options = Options {
        sizes,
        ..Options::default()
    };
    ingest::read::<1>(input.as_bytes(), options)
}

/// Returns the number of items and their total.
fn sums(input: &str, length: &str) -> (u64, u128) {
    let read = chosen(input, length).unwrap_or_else(|error| panic!("{input:?}: {error}"));
    assert_eq!(read.description.skipped, 0, "{input:?}");
    (read.histogram.items(), read.histogram.total()[0].into())
}

fn asked(input: &str) -> (String, ChoiceNeeded) {
    match chosen(input, "") {
        Ok(read) => panic!("{input:?} is read as {}", read.description.sentence()),
        Err(Error::Unclear { message, asked, .. }) => (message, (*asked).clone()),
        Err(error) => panic!("{input:?} asks nothing: {error}"),
    }
}

/// Each input with the first formula that it offers, and what that reads. The message names all as flags, and all are read.
fn are_offered(cases: &[(&str, &str, (u64, u128))]) {
    for (input, first, want) in cases {
        let (message, asked) = asked(input);
        assert_eq!(
            asked.lengths.first().map(String::as_str),
            Some(*first),
            "{input:?}: {message}"
        );
        assert_eq!(sums(input, first), *want, "{input:?}");
        for formula in asked
            .lengths
            .iter()
            .filter(|l| l.contains(['+', '-', '*', '/', '$']))
        {
            let flag = format!("--length {}", packscope_core::words::shell_word(formula));
            assert!(message.contains(&flag), "{input:?}: {flag} in {message}");
            assert_eq!(sums(input, formula).0, want.0, "{input:?}: {formula}");
        }
    }
}

#[test]
fn a_prompt_and_its_response_are_offered_as_one_sequence() {
    are_offered(&[
        (
            "prompt_tokens,completion_tokens\n10,20\n12,30\n100,5\n",
            "prompt_tokens + completion_tokens",
            (3, 177),
        ),
        (
            "{\"timestamp\":0,\"input_length\":6758,\"output_length\":500}\n{\"timestamp\":9,\"input_length\":758,\"output_length\":50}\n",
            "input_length + output_length",
            (2, 8066),
        ),
        (
            "Timestamp,Model,Request tokens,Response tokens,Total tokens\n5,A,472,18,490\n45,B,1087,230,1317\n",
            "`Request tokens` + `Response tokens`",
            (2, 1807),
        ),
        (
            "TIMESTAMP,ContextTokens,GeneratedTokens\na,374,44\nb,396,109\n",
            "ContextTokens + GeneratedTokens",
            (2, 923),
        ),
    ]);
    assert_eq!(
        sums(
            "Request tokens,Response tokens\n472,18\n1087,230\n",
            "Request tokens + Response tokens"
        ),
        (2, 1807)
    );
    // Pairs that an encoder and a decoder read are two sequences.
    let (message, asked) = asked("src_tokens,tgt_tokens\n10,20\n12,30\n");
    assert_eq!(asked.lengths, ["1", "2"], "{message}");
}

#[test]
fn lists_of_lengths_are_computed_element_by_element() {
    let batches = "{\"prompt_lens\":[5,7],\"response_lens\":[20,30],\"pad_len\":2}\n{\"prompt_lens\":[9],\"response_lens\":[1],\"pad_len\":2}\n";
    are_offered(&[(batches, "prompt_lens + response_lens", (3, 72))]);
    assert_eq!(sums(batches, "prompt_lens + pad_len"), (3, 27));
    let uneven = "{\"prompt_lens\":[5,7],\"response_lens\":[20,30,40]}\n".repeat(2);
    let refused = chosen(&uneven, "prompt_lens + response_lens").unwrap_err();
    assert!(
        refused.to_string().contains("different lengths"),
        "{refused}"
    );
}

#[test]
fn times_are_offered_with_the_rates_of_frames_and_samples() {
    let nemo = "{\"audio_filepath\":\"a.wav\",\"duration\":1.5,\"text\":\"hello you\"}\n{\"audio_filepath\":\"b.wav\",\"duration\":2.25,\"text\":\"a b\"}\n";
    let lhotse = "{\"id\":\"c\",\"start\":0.0,\"duration\":1.5,\"channel\":0,\"supervisions\":[{\"id\":\"s\",\"start\":0.0}],\"recording\":{\"id\":\"r\",\"duration\":9.5}}\n";
    let brain = "{\"utt:1\": {\"wav\": \"a.wav\", \"duration\": 1.5, \"words\": \"a b c\"},\n\"utt:2\": {\"wav\": \"b.wav\", \"duration\": 2.25, \"words\": \"a\"}}";
    are_offered(&[
        (
            "path,duration\na.wav,1.5\nb.wav,2.25\n",
            "round(duration * 100)",
            (2, 375),
        ),
        (
            "path,duration_ms\na.wav,1500\nb.wav,2250\n",
            "round(duration_ms / 10)",
            (2, 375),
        ),
        (
            "path,duration\na.wav,1500\nb.wav,2250\n",
            "round(duration / 10)",
            (2, 375),
        ),
        (nemo, "round(duration * 100)", (2, 375)),
        (lhotse, "round(duration * 100)", (1, 150)),
        (brain, "round(duration * 100)", (2, 375)),
        ("utt1 1.5\nutt2 2.25\n", "round($2 * 100)", (2, 375)),
        ("path,frames\na,150\nb,225\n", "frames", (2, 375)),
        (
            "{\"id\":\"a\",\"duration\":1.5,\"features\":{\"num_frames\":150,\"frame_shift\":0.01}}\n{\"id\":\"b\",\"duration\":2.25,\"features\":{\"num_frames\":225,\"frame_shift\":0.01}}\n",
            "features.num_frames",
            (2, 375),
        ),
        (
            "id,start,end\na,0.0,1.5\nb,3.5,5.75\n",
            "round((end - start) * 100)",
            (2, 375),
        ),
        (
            "id,start,end\na,0,350\nb,350,925\n",
            "end - start",
            (2, 925),
        ),
        (
            "chr1\t100\t600\nchr1\t700\t950\nchr2\t5\t105\n",
            "$3 - $2",
            (3, 850),
        ),
    ]);
    // Large whole numbers may be either.
    let (_, large) = asked("path,duration\na.wav,1500\nb.wav,2250\n");
    assert!(large.lengths.contains(&"round(duration * 100)".to_owned()));
    // When something ran is no length.
    are_refused(&[(
        "id,start,end\na,1690000000,1690000100\nb,1690000200,1690000900\n",
        "no column is known to be a length",
    )]);
}

#[test]
fn pictures_are_offered_in_patches() {
    are_offered(&[(
        "file,width,height\na.jpg,640,480\nb.jpg,300,200\n",
        "ceil(width / 14) * ceil(height / 14)",
        (2, 46 * 35 + 22 * 15),
    )]);
}

#[test]
fn words_and_a_number_parted_by_spaces_are_read_by_the_place_of_the_number() {
    are_offered(&[
        ("a 12 foo\nb 15 bar, baz\nc 33 so it goes\n", "$2", (3, 60)),
        (
            "0.mp4: 194 frames\n1.mp4: 183 frames\n2.mp4: 283 frames\n",
            "$2",
            (3, 660),
        ),
        (
            "name dur note\na 12 foo\nb 15 bar\nc 33 baz\n",
            "$2",
            (3, 60),
        ),
        (
            "train0 /data/0.flac 145.80 olive jade\ntrain1 /data/1.flac 445.10 willow\n",
            "round($3 / 10)",
            (2, 60),
        ),
        (
            "SPEAKER r 1 0.50 3.20 <NA> <NA> spk1 <NA> <NA>\nSPEAKER r 1 3.90 2.20 <NA> <NA> spk2 <NA> <NA>\n",
            "round($5 * 100)",
            (2, 540),
        ),
        (
            "r 1 spk 0.50 3.32 <o> hello you\nr 1 spk 3.90 5.22 <o> you\n",
            "round(($5 - $4) * 100)",
            (2, 414),
        ),
        (
            "r 1 0.50 0.32 hello\nr 1 0.90 0.22 you\n",
            "round($4 * 100)",
            (2, 54),
        ),
        (
            "u1 r1 0.00 3.52\nu2 r1 3.52 9.10\nu3 r2 1.00 4.25\n",
            "round(($4 - $3) * 100)",
            (3, 1235),
        ),
    ]);
    // By a name of the header, too.
    assert_eq!(
        sums("name dur note\na 12 foo\nb 15 bar\n", "dur * 2"),
        (2, 54)
    );
    // Numbers that count the lines, and lines of several numbers, are not offered.
    for input in [
        "part 10 of\npart 20 of\npart 30 of\n",
        "-rw-r--r-- 1 root root 2652 Nov 28 18:31 a\n-rw-r--r-- 1 root root 470 Nov 28 18:31 b\n",
    ] {
        assert!(asked(input).1.lengths.is_empty(), "{input:?}");
    }
    // A line with fewer words ends the reading.
    assert!(chosen("a 12 foo\nb 15 bar\nc\n", "$2").is_err());
}

#[test]
fn records_are_found_within_one_object() {
    are_read(&[
        (
            "{\"version\": 1, \"data\": [{\"id\": \"a\", \"n_tokens\": 12}, {\"id\": \"b\", \"n_tokens\": 15}]}",
            "12×1 15×1",
        ),
        (
            "{\"a\": {\"n_tokens\": 12, \"x\": \"t\"}, \"b\": {\"n_tokens\": 15, \"x\": \"u\"}, \"c\": {\"n_tokens\": 12, \"x\": \"v\"}}",
            "12×2 15×1",
        ),
    ]);
    are_refused(&[
        // Splits are of many sequences each.
        (
            "{\"train\": {\"tokens\": 500, \"docs\": 9}, \"test\": {\"tokens\": 70, \"docs\": 3}}",
            "known to be a length",
        ),
        // One record, of a prompt and its response.
        (
            "{\"prompt\": {\"tokens\": 5, \"chars\": 9}, \"response\": {\"tokens\": 7, \"chars\": 30}}",
            "prompt.tokens + response.tokens",
        ),
        (
            "{\"id\": 1, \"messages\": [{\"role\": \"user\", \"content\": \"a b\", \"n\": 1}, {\"role\": \"user\", \"content\": \"a\", \"n\": 2}]}",
            "messages of a conversation",
        ),
        (
            "{\"x\":{\"tokens\":5,\"chars\":9},\"y\":{\"tokens\":7,\"chars\":3}}\n{\"x\":{\"tokens\":5,\"chars\":9},\"y\":{\"tokens\":7,\"chars\":3}}\n",
            "known to be a length",
        ),
    ]);
}

#[test]
fn files_beside_a_tokenizer_or_a_model_are_called_by_their_names() {
    are_refused(&[
        (
            "{\n \"bos_token\": \"<s>\",\n \"chat_template\": \"{{ messages }}\",\n \"model_max_length\": 4096\n}",
            "this is a tokenizer_config.json",
        ),
        (
            "{\"bos_token\": \"<s>\", \"chat_template\": \"{{ messages }}\", \"pad_token\": null}",
            "this is a tokenizer_config.json",
        ),
        (
            "{\"bos_token\": {\"content\": \"<s>\"}, \"eos_token\": \"</s>\"}",
            "this is a special_tokens_map.json",
        ),
        (
            "{\"architectures\": [\"X\"], \"max_position_embeddings\": 4096}",
            "this is the config.json",
        ),
        (
            "{\"added_tokens\": [], \"model\": {\"vocab\": {\"a\": 0}}}",
            "this is a tokenizer.json",
        ),
        (
            "{%- if messages[0]['role'] == 'system' -%}\n{{ messages[0]['content'] }}\n{%- endif -%}\n",
            "the template of a chat",
        ),
        (
            "{\"builder_name\": \"parquet\", \"splits\": {\"train\": {\"num_examples\": 9000, \"shard_lengths\": [4500, 4500]}}}",
            "dataset_info.json",
        ),
        (
            "{\"utts\": {\"u\": {\"input\": [{\"shape\": [300, 83]}]}}}",
            "'.utts[].input[0].shape[0]'",
        ),
    ]);
    // Columns with such names are no settings.
    are_read(&[("eos_token,n_tokens\n1,5\n1,9\n", "5×1 9×1")]);
}

#[test]
fn lines_of_other_kinds_are_called_by_their_names() {
    are_refused(&[
        (
            "step=1 length=120\nstep=2 length=340\n",
            "(^|[ ,;])length=[0-9]+",
        ),
        (
            "length=120, step=1\nlength=340, step=2\n",
            "(^|[ ,;])length=[0-9]+",
        ),
        ("a=1 b=120\na=2 b=340\n", "where NAME is one of a, b"),
        ("H\tVN:Z:1.0\nS\t1\tACGT\nL\t1\t+\t1\t-\t2M\n", "GFA"),
        ("S\t1\tACGTACGT\tLN:i:8\nS\t2\t*\tLN:i:30\n", "GFA"),
        (
            "r1\t0\tchr1\t100\t60\t8M\t*\t0\t0\tACGTACGT\tIIIIIIII\n",
            "SAM",
        ),
        (
            "r0\t4047\t10\t480\t+\tchr1\t248956422\t0\t470\t450\t480\t60\n",
            "PAF",
        ),
        (
            "##fileformat=VCFv4.2\n#CHROM\tPOS\nchr1\t100\nchr1\t200\n",
            "VCF",
        ),
        (
            "chr1\ts\tgene\t100\t900\t.\t+\t.\tID=g1\nchr1\ts\tgene\t1000\t1900\t.\t+\t.\tID=g2\n",
            "GFF",
        ),
        (
            "HEADER    X\nATOM      1  N   MET A   1      27.340  24.430   2.614  1.00  9.67           N\n",
            "PDB",
        ),
    ]);
}

#[test]
fn what_only_later_records_or_the_last_row_say_is_not_left_out() {
    let records: String = (0..30_000)
        .map(|i| format!("{{\"id\":\"{i}\",\"length\":{}}}\n", 5 + i % 7))
        .collect();
    are_refused(&[
        (
            &format!("{records}{{\"id\":\"x\",\"num_tokens\":9}}\n"),
            "\"num_tokens\" may be the length instead",
        ),
        (
            &format!("{records}{{\"length\":9,\"count\":50}}\n"),
            "\"count\" may be the count",
        ),
        ("name,tokens\na,619\nb,24\nc,173\n,816\n", "has no name"),
    ]);
    are_read(&[
        (
            "{\"length\":5,\"t\":\"a \\\"count\\\": 3\"}\n{\"length\":7,\"t\":\"b\"}\n",
            "5×1 7×1",
        ),
        (
            "name,tokens\na,619\nb,24\n,643\nd,9\n",
            "9×1 24×1 619×1 643×1",
        ),
    ]);
}

#[test]
fn numbers_in_quotes_are_lengths_and_counts_under_their_names() {
    are_read(&[
        (
            "[{\"length\": \"12\", \"count\": \"5\"}, {\"length\": \"16\", \"count\": \"2\"}]",
            "12×5 16×2",
        ),
        (
            "{\"id\": \"7\", \"num_tokens\": \"12\"}\n{\"id\": \"9\", \"num_tokens\": \"16\"}\n",
            "12×1 16×1",
        ),
    ]);
    let options = Options {
        sizes: vec![Column::Number(1)],
        count: Some(ingest::Counts::Column(Column::Number(2))),
        ..Options::default()
    };
    let read = ingest::read::<1>(b"[[\"12\", 5], [\"16\", 2]]", options).unwrap();
    assert_eq!(read.histogram.entries(), [([12], 5), ([16], 2)]);
}

#[test]
fn rows_that_follow_from_others_and_commas_in_numbers_are_asked_for() {
    for name in ["Total", "GESAMT", "Grand Total", "Σ", "subtotal", "sum:"] {
        are_refused(&[(
            &format!("split,length\na,619\nb,24\nc,173\n{name},816\n"),
            "leave it out",
        )]);
    }
    for name in ["mean", "Average", "avg."] {
        are_refused(&[(
            &format!("split,length\na,619\nb,24\nc,173\n{name},272\n"),
            "leave it out",
        )]);
    }
    are_refused(&[
        ("length\n1,519\n24\n2,300\n", "may part thousands"),
        (
            "[[\"length\",\"count\"],[12,5],[16,2]]",
            "the first list has names",
        ),
        ("len: 12\nlen: 16\n", "the last number of each line"),
        (
            "INFO:root:tokens 120\nINFO:root:tokens 340\n",
            "the last number of each line",
        ),
        (
            "epoch 1 loss 1.2 tokens 81920\nepoch 2 loss 1.1 tokens 163840\n",
            "lines of a log",
        ),
        (
            "step=10 loss=1.2 tokens=81920\nstep=20 loss=1.1 tokens=163840\n",
            "lines of a log",
        ),
    ]);
    // Its own name, or another number.
    are_read(&[
        ("split,length\na,619\nmean,24\nc,173\n", "24×1 173×1 619×1"),
        ("length,n\n12,3\n15,4\n", "12×3 15×4"),
        // As NumPy prints an array.
        (
            "[ 12  16 120\n  13  14   7]\n",
            "7×1 12×1 13×1 14×1 16×1 120×1",
        ),
    ]);
    are_offered(&[
        (
            "sample 0 has 120 tokens\nsample 1 has 340 tokens\nsample 2 has 7 tokens\n",
            "$4",
            (3, 467),
        ),
        (
            "tokens: 12 words: 10\ntokens: 16 words: 15\n",
            "$2",
            (2, 28),
        ),
    ]);
}
