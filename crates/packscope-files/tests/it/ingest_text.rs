//! Plain text into lengths: words, marks and stopwords counted by hand, and the recognition of text.

use crate::ingest::in_chunks;
use packscope_core::error::Error;
use packscope_files::ingest::{self, Description, Format, Ingested, Options, Reader, Stopwords};
use proptest::prelude::*;

const NOTE: &str = "lengths are counted in words and punctuation marks, not in the tokens of a model; a tokenizer \
                    would count more";

fn text() -> Options {
    Options {
        format: Some(Format::Text),
        ..Options::default()
    }
}

fn with(stopwords: Stopwords) -> Options {
    Options {
        stopwords,
        ..text()
    }
}

fn own(list: &str) -> Options {
    with(Stopwords::parse(list))
}

/// Words and stopwords of a single line.
fn pair(line: &str, options: Options) -> [u32; 2] {
    let read =
        ingest::read::<2>(line.as_bytes(), options).unwrap_or_else(|e| panic!("{line:?}: {e}"));
    assert_eq!(
        (read.histogram.items(), read.description.skipped),
        (1, 0),
        "{line:?}"
    );
    read.histogram.max()
}

/// Entries as `3×2 5×1`.
fn lengths(input: impl AsRef<[u8]>, options: Options) -> String {
    let read = ingest::read::<1>(input.as_ref(), options).unwrap();
    let entries = read
        .histogram
        .entries()
        .iter()
        .map(|([length], count)| format!("{length}×{count}"));
    entries.collect::<Vec<_>>().join(" ")
}

#[test]
fn words_and_marks_are_counted_as_by_hand() {
    let cases = [
        // the, was
        ("The movie was not good.", [6, 2]),
        // you're, the, to, the
        ("You're the best, don't listen to THE rest!", [10, 4]),
        // ... once is one mark; four dots are "..." and "."
        ("well ... so", [3, 2]),
        ("Wait....", [3, 1]),
        // ( it's - : ; )
        ("(it's) - : ;", [6, 6]),
        // the typographic apostrophe, within and after a word
        ("you’re the dogs’ friend", [5, 2]),
        // “ A ” , … — are marks; a, …
        ("“A” quote, … — end", [8, 2]),
        // inner marks split nothing; and, in
        ("state-of-the-art U.S. and/or 3.14 in 50% $5", [10, 1]),
        // - - are stopwords of their own
        ("so--called --", [3, 2]),
        ("C++ e.g., #tag @me", [10, 1]),
        // other scripts; a soft hyphen, an emoji and a combining accent are parts of words
        ("¿Qué? Élan über 😀 cafe\u{301} co\u{ad}op", [8, 0]),
        ("日本語。 «ну» ؟", [8, 0]),
        // white space of all kinds
        ("\ta\u{b}the\u{a0}is\u{3000}dog \u{c}", [4, 3]),
    ];
    let mut wrong = Vec::new();
    for (line, want) in cases {
        let (found, alone) = (
            pair(line, text()),
            ingest::read::<1>(line.as_bytes(), text()).unwrap(),
        );
        assert_eq!(alone.histogram.max(), [found[0]], "{line:?}");
        if found != want {
            wrong.push((line, found, want));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn the_default_list_is_the_published_one() {
    let list = Stopwords::default();
    let (words, text) = (list.words(), list.text());
    // Counted in the paper: 44 pronouns, 84 other words, 6 marks.
    assert_eq!(
        (
            words.len(),
            Stopwords::default().with_pronouns(false).words().len()
        ),
        (134, 90)
    );
    assert_eq!(
        (words[0], words[43], words[44], words[133]),
        ("i", "those", "am", ")")
    );
    for word in [
        "you're",
        "she's",
        "that'll",
        "should've",
        "-",
        ":",
        ";",
        "...",
        "(",
        ")",
    ] {
        assert!(words.contains(&word), "{word}");
    }
    for word in ["not", "no", "nor", "don't", "same", ",", "."] {
        assert!(!words.contains(&word), "{word}");
    }
    assert_eq!(Stopwords::parse(&text), Stopwords::default());
    assert!(!Stopwords::parse(&text).is_own());
}

#[test]
fn pronouns_can_be_taken_off_every_list() {
    let line = "He said that it was hers, which the others knew.";
    // he, that, it, was, hers, which, the; without pronouns: was, the
    assert_eq!(pair(line, text()), [12, 7]);
    assert_eq!(
        pair(line, with(Stopwords::default().with_pronouns(false))),
        [12, 2]
    );
    assert_eq!(pair(line, own("he knew")), [12, 2]);
    assert_eq!(
        pair(line, with(Stopwords::parse("he knew").with_pronouns(false))),
        [12, 1]
    );
}

#[test]
fn an_own_list_is_read_compared_and_written() {
    let list = Stopwords::parse(" Foo,bar\n\tÜBER  foo Don’t\r\n,,… ");
    assert_eq!(
        (list.text().as_str(), list.is_own()),
        ("foo bar über don't ...", true)
    );
    assert_eq!(Stopwords::parse(&list.text()), list);
    let line = "FOO the bar? Über don't DON’T über... …";
    assert_eq!(pair(line, with(list)), [10, 8]);
    // An empty list is a list: nothing is a stopword. So is a list of words that are in no text.
    assert_eq!(
        (
            pair(line, own(""))[1],
            Stopwords::parse(" , ").words().len()
        ),
        (0, 0)
    );
    assert_eq!(pair("e.g. K", own("e.g. k")), [3, 1]);
    let many: String = (0..10_100).map(|n| format!("w{n} w{n},")).collect();
    let many = Stopwords::parse(&many);
    assert_eq!((many.words().len(), many.words()[9_999]), (10_000, "w9999"));
    assert_eq!(pair("w0 w9999 w10000 w5000 w", with(many)), [5, 3]);
    let options = own("a b").stopwords.with_pronouns(false);
    let back: Stopwords = serde_json::from_str(&serde_json::to_string(&options).unwrap()).unwrap();
    assert_eq!(back, options);
}

fn described<const K: usize>(input: &str) -> Description {
    ingest::read::<K>(input.as_bytes(), Options::default())
        .unwrap()
        .description
}

#[test]
fn the_description_says_that_words_were_counted() {
    let input = "A fine film.\n\nNot so fine, and far too long.\n";
    let (one, two) = (described::<1>(input), described::<2>(input));
    assert_eq!(one.sentence(), "2 sequences, 4–9 words, mean 6.5");
    let words = "2 sequences, 4–9 words (mean 6.5), 1–3 stopwords (mean 2.0)";
    assert_eq!(two.sentence(), words);
    assert_eq!(
        described::<1>("One line").sentence(),
        "1 sequence, 2 words each"
    );
    assert_eq!(
        (&one.components[..], &two.components[..]),
        (
            &["words".into()][..],
            &["words".into(), "stopwords".into()][..]
        )
    );
    for description in [one, two] {
        assert_eq!(
            (description.format, description.records, description.skipped),
            (Format::Text, 2, 0)
        );
        assert_eq!(
            description
                .notes
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
            [NOTE]
        );
        let back: Description =
            serde_json::from_str(&serde_json::to_string(&description).unwrap()).unwrap();
        assert_eq!(back, description);
        assert_eq!(description.as_pairs(), None);
    }
    let read = ingest::read::<2>(input.as_bytes(), own("fine")).unwrap();
    assert_eq!(
        ingest::sentence(&read.histogram, &["words", "stopwords"]),
        read.description.sentence()
    );
    assert_eq!(read.histogram.entries(), [([4, 1], 1), ([9, 1], 1)]);
    let again = ingest::read::<2>(input.as_bytes(), read.description.options()).unwrap();
    assert_eq!(again, read);
    let three = ingest::read::<3>(input.as_bytes(), Options::default())
        .unwrap_err()
        .to_string();
    assert_eq!(
        three,
        "the input: plain text is read as words, or as words and stopwords, not as sizes of 3 components; expected a \
         table, JSON or JSON Lines"
    );
}

#[test]
fn lines_end_in_every_way_and_blank_ones_are_none() {
    assert_eq!(
        lengths("a\r\nb c\rd\n\r\n \t\n\u{a0}\u{3000}\ne f g", text()),
        "1×2 2×1 3×1"
    );
    assert_eq!(lengths("\u{feff}a b\r\n", text()), "2×1");
    // A mark at the beginning is no comment in text.
    assert_eq!(lengths("# a b\n", text()), "3×1");
    // Latin-1: what is not UTF-8 is part of words.
    assert_eq!(lengths(b"caf\xe9 cr\xe8me, \xff.", text()), "5×1");
    for empty in ["", "\n \r\n"] {
        let error = ingest::read::<2>(empty.as_bytes(), text())
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("the input: "), "{error}");
    }
    let zero = ingest::read::<1>(b"a\0b", text()).unwrap_err().to_string();
    assert!(zero.contains("binary data"), "{zero}");
}

#[test]
fn a_line_of_20_mb_is_skipped_and_the_rest_is_read() {
    let mut reader = Reader::<2>::new(text());
    reader.push(b"the first\n").unwrap();
    for _ in 0..20 {
        reader.push("word ".repeat(200_000).as_bytes()).unwrap();
    }
    reader.push(b"\nthe very last\n").unwrap();
    let Ingested {
        histogram,
        description,
    } = reader.finish().unwrap();
    assert_eq!(histogram.entries(), [([2, 1], 1), ([3, 2], 1)]);
    assert_eq!((description.skipped, description.records), (1, 3));
    let problem = description.problems[0].to_string();
    assert!(
        problem.starts_with("line 2, column 1: \"word word"),
        "{problem}"
    );
    assert!(
        problem.ends_with("is longer than 16 MiB; text has one sequence on each line"),
        "{problem}"
    );
}

#[test]
fn prose_is_text() {
    let prose = [
        "One sentence.",
        "hide new secretions from the parental units\ncontains no wit , only labored gags\n",
        "He came, he saw.\nShe left, he stayed.\n",
        "ItemWords, he said, are no tokens.\nNobody, of course, listened.\nSo it goes.\n",
        "\"Hello,\" she said.\n\"A quote that\nnothing closes, he thought.\n",
        "In 1984, he left.\nHe had 5 apples.\nNobody knew why.\n",
        "He is 5 now\nShe was six too\n",
        "# A title\n\nSome words below it.\n",
        "Was it?\r\n\r\nIt was.\r\n",
        "\u{feff}¿Qué es?\nNo es nada.\n",
    ];
    for input in prose {
        assert_eq!(described::<1>(input).format, Format::Text, "{input:?}");
        assert_eq!(described::<2>(input).format, Format::Text, "{input:?}");
        for complete in [true, false] {
            assert!(
                ingest::is_text(input.as_bytes(), complete, &Options::default()),
                "{input:?}"
            );
            assert_eq!(
                ingest::components(input.as_bytes(), complete, &Options::default()),
                1,
                "{input:?}"
            );
            assert_eq!(
                ingest::components_among_pairs(input.as_bytes(), complete, &Options::default()),
                1
            );
        }
    }
    let long = prose[1].repeat(10_000);
    assert!(ingest::is_text(long.as_bytes(), false, &Options::default()));
    assert_eq!(described::<1>(&long).items, 20_000);
}

#[test]
fn what_was_a_table_or_numbers_or_json_is_no_text() {
    let others = [
        "",
        "name\nalice\nbob\n",
        "learning rate = high\nwarm up = low\n",
        "# only this\n",
        "length\n",
        "length\nx\n",
        "\"length\"\nx\n",
        "id,Seq-Len\na,x\n",
        "source,target\nx,y\n",
        "a,b\nx,y\n",
        "sentence\tlabel\nno wit , only gags\t0\nhe said , she said\t1\n",
        "text,label\n\"a, b\",3\n\"c, d, e\",4\n",
        "text,label\n\"never closed ,3\nb,4\n",
        "title\nx\ny\n12\n",
        "title\nx 12\n1 2\n",
        "12 tokens,5\n13 tokens,6\n",
        "row id tokens used\nrow a 12\nrow b 13\nrow c 14\n",
        "row a 12\nrow b 13\nrow c 14\n",
        "7 x y 1000\n",
        "12\nabc\n",
        "[12, x]",
        "{\"length\": x}\n",
        "\"one\"\n\"three\"\n",
        "PAR1",
    ];
    for input in others {
        assert!(
            !ingest::is_text(input.as_bytes(), true, &Options::default()),
            "{input:?}"
        );
        let read = ingest::read::<1>(input.as_bytes(), Options::default());
        assert!(
            read.is_err() || read.unwrap().description.format != Format::Text,
            "{input:?}"
        );
    }
    // A number far down, but within what is looked at.
    let late = "words, of a kind\nwithout a number\n".repeat(1_000) + "12\n";
    assert!(!ingest::is_text(late.as_bytes(), true, &Options::default()));
    // Who speaks of columns means a table.
    let asked = [
        Options {
            header: Some(true),
            ..Options::default()
        },
        Options {
            sizes: vec!["1".into()],
            ..Options::default()
        },
        Options {
            format: Some(Format::Table),
            ..Options::default()
        },
    ];
    for options in asked {
        assert!(
            !ingest::is_text(b"One sentence.", true, &options),
            "{options:?}"
        );
        match ingest::read::<1>(b"a film\nOne sentence.", options) {
            Ok(read) => assert_eq!(read.description.format, Format::Table),
            Err(Error::Input { place, .. } | Error::Unclear { place, .. }) => {
                assert!(place.starts_with("line "), "{place}")
            }
            Err(other) => panic!("{other}"),
        }
    }
    // What is chosen is read, whatever it looks like.
    assert!(ingest::is_text(b"length,count\n12,5\n", true, &text()));
    assert_eq!(lengths("length,count\n12,5\n[1, 2]\n", text()), "1×2 5×1");
}

/// Pieces that the reader treats specially, some of them damaged.
fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let pieces = "a The is, not ... .. . - ( ) ’ don’t don't … 😀 é İ ß \u{301} 12 , # \" word";
    let mut pieces: Vec<&[u8]> = pieces.split(' ').map(str::as_bytes).collect();
    pieces.extend([
        b" ",
        b" ",
        b"\t",
        b"\n",
        b"\n",
        b"\r",
        b"\r\n",
        b"\xc2\xa0",
        b"\xe2\x80",
        b"\xff",
        b"\xef\xbb\xbf",
    ] as [&[u8]; 11]);
    prop::collection::vec(prop::sample::select(pieces), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    #[ignore = "outer circle: a thousand generated files"]
    fn chunks_change_nothing_and_stopwords_are_among_the_words(
        rest in nasty(),
        cuts in prop::collection::vec(1usize..9, 1..6),
        late in any::<bool>(),
        forced in any::<bool>(),
    ) {
        // More than what is looked at before the format is decided, or nothing.
        let start = if late { "so it goes, and on.\n".repeat(3_300) } else { String::new() };
        let options = if forced { text() } else { Options::default() };
        let bytes = [start.as_bytes(), &rest].concat();
        let whole = ingest::read::<2>(&bytes, options.clone());
        prop_assert_eq!(&in_chunks(start.as_bytes(), &rest, &cuts, options.clone()), &whole);
        if let Ok(Ingested { histogram, description }) = whole && description.format == Format::Text {
            prop_assert!(histogram.entries().iter().all(|([words, stopwords], _)| stopwords <= words));
            prop_assert!(ingest::is_text(&bytes, true, &options));
            let alone = ingest::read::<1>(&bytes, options).unwrap();
            prop_assert_eq!(alone.histogram.total()[0], histogram.total()[0]);
        }
    }
}
