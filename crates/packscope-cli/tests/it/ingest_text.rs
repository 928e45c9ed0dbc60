//! Texts, on the command line.

const NOTE: &str = "lengths are counted in words and punctuation marks, not in the tokens of a model; a tokenizer \
                    would count more";

#[test]
fn the_command_line_counts_words_and_stopwords() {
    use crate::cli::packscope;
    let input = "The movie was not good.\nHe liked it.\n";
    let figures = |args: &[&str]| {
        let args = [
            &["describe", "-", "--components", "2", "--format", "json"],
            args,
        ]
        .concat();
        let out = packscope(&args, input);
        assert!(String::from_utf8_lossy(&out.stderr).ends_with(&format!("-: {NOTE}\n")));
        let all: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        let of = |k: usize| {
            let component = &all["components"][k];
            (
                component["name"].as_str().unwrap().to_owned(),
                component["total"].as_u64().unwrap(),
            )
        };
        assert_eq!(of(0), ("words".to_owned(), 10));
        assert_eq!(of(1).0, "stopwords");
        of(1).1
    };
    // the, was, He, it
    assert_eq!((figures(&[]), figures(&["--pronouns", "drop"])), (4, 2));
    let list = std::env::temp_dir().join(format!("packscope-stopwords-{}.txt", std::process::id()));
    std::fs::write(&list, "movie, liked\nhe").unwrap();
    let file = list.to_str().unwrap();
    assert_eq!(figures(&["--stopwords", file, "--input-format", "text"]), 3);
    assert_eq!(figures(&["--stopwords", file, "--pronouns", "drop"]), 2);
    std::fs::remove_file(&list).unwrap();
    let absent = packscope(&["describe", "-", "--stopwords", "no-such-list.txt"], input);
    assert_eq!(absent.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&absent.stderr).contains("no-such-list.txt: "));
    let one = packscope(&["describe", "-"], input);
    let shown = String::from_utf8_lossy(&one.stdout).into_owned();
    assert!(
        shown.contains("read as      text") && shown.contains("2 sequences, 4–6 words, mean 5.0"),
        "{shown}"
    );
}
