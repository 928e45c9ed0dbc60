//! Lines that messages suggest to be pasted into a shell: a name from a file stays one word there, whatever is in it, and
//! the formula with it parses. Names of files and columns never reach a terminal or a document with controls in them.

use packscope_core::words::{capped, literal, shell_word, visible};
use packscope_files::formula::{Formula, Operand, quoted, split};
use packscope_files::ingest::{self, Options};
use std::process::Command;

/// Names that a shell, a formula, jq or a terminal would read otherwise.
const NAMES: [&str; 32] = [
    "length';touch P;: '",
    "'",
    "''",
    "a'b",
    "a`b",
    "`",
    "``",
    "`touch P`",
    "$(touch P)",
    "${HOME}",
    "$HOME",
    "a\"b",
    "\"; touch P; \"",
    "a\\b",
    "\\",
    "a\\'b",
    "a;b",
    "a|b",
    "a&b",
    "a>P",
    "a<b",
    "a*",
    "?",
    "~",
    "!!",
    "#a",
    "-n",
    "--help",
    "a b  c",
    "länge (s)",
    "\u{1b}[31mred",
    "\u{202e}htgnel",
];

/// Returns what a shell makes of a line of words: each on a line of its own, behind a mark.
fn words(line: &str) -> Vec<String> {
    let script = format!("printf '<%s>\\n' {line}");
    let folder = std::env::temp_dir().join(format!("packscope-suggested-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let out = Command::new("sh")
        .args(["-c", &script])
        .current_dir(&folder)
        .output()
        .unwrap();
    let made = std::fs::read_dir(&folder).unwrap().count();
    assert!(
        out.status.success() && made == 0,
        "{line}: {out:?}, {made} files"
    );
    let text = String::from_utf8(out.stdout).unwrap();
    text.split_terminator(">\n")
        .map(|word| word.strip_prefix('<').unwrap().to_owned())
        .collect()
}

/// Returns the word of a shell at the beginning of a text.
fn first_word(text: &str) -> &str {
    let (mut quoted, mut escaped) = (false, false);
    let end = text.find(|c: char| {
        let is_escape = !quoted && !escaped && c == '\\';
        quoted ^= c == '\'' && !escaped;
        let ends = !quoted && !escaped && !is_escape && (c.is_whitespace() || c == ',');
        escaped = is_escape;
        ends
    });
    &text[..end.unwrap_or(text.len())]
}

/// Returns the words that a message suggests behind a flag or a program.
fn suggested(message: &str, before: &str) -> Vec<String> {
    let lines: Vec<&str> = message
        .match_indices(before)
        .map(|(at, _)| first_word(&message[at + before.len()..]))
        .collect();
    assert!(!lines.is_empty(), "no {before} in {message}");
    words(&lines.join(" "))
}

fn refused(input: &str) -> String {
    match ingest::read::<1>(input.as_bytes(), Options::default()) {
        Ok(read) => panic!("{input:?} is read as {}", read.description.sentence()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn any_text_is_one_word_of_a_shell() {
    let line = NAMES.map(shell_word).join(" ");
    assert_eq!(words(&line), NAMES);
    assert_eq!(
        [shell_word("a.b-c_2/d"), shell_word(""), shell_word("a b")],
        ["a.b-c_2/d", "''", "'a b'"]
    );
}

#[test]
fn any_name_is_a_field_of_the_formula_that_quotes_it() {
    for name in NAMES {
        let formula = Formula::parse(&format!("round({} * 2) + x", quoted(name)))
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(formula.fields()[0], Operand::Name(name.to_owned()));
        let list = format!("{},x", quoted(name));
        assert_eq!(split(&list), [quoted(name).as_str(), "x"], "{list}");
    }
    assert!(Formula::parse("``").is_err() && Formula::parse("`a``").is_err());
}

#[test]
fn formulae_for_seconds_are_words_of_a_shell_that_parse() {
    for name in NAMES {
        let head = format!("\"length {}\"", name.replace('"', "\"\""));
        let message = refused(&format!("{head}\n0.5\n1.25\n7.5\n"));
        for formula in suggested(&message, "--length ") {
            let parsed =
                Formula::parse(&formula).unwrap_or_else(|error| panic!("{formula}: {error}"));
            let shown: String = format!("length {name}")
                .trim()
                .chars()
                .map(visible)
                .collect();
            assert_eq!(parsed.fields(), [Operand::Name(shown)], "{formula}");
        }
    }
    let rounded = Formula::parse("`a'b` * 2").unwrap().rates();
    assert_eq!(suggested(&rounded, "--length ")[..1], ["ceil(`a'b` * 2)"]);
}

#[test]
fn the_mean_of_totals_is_one_word_of_a_shell() {
    for name in NAMES.iter().filter(|name| !name.contains(['"', 'l'])) {
        let input = format!("bin,\"{name} docs\",tokens\n0,6,5861\n1,8,1659\n2,5,6982\n");
        let message = refused(&input);
        assert_eq!(
            suggested(&message, "--count-column "),
            [format!("{name} docs")]
        );
        let formula = Formula::parse(&suggested(&message, "--length ")[0]).unwrap();
        assert_eq!(formula.fields()[1], Operand::Name(format!("{name} docs")));
    }
}

#[test]
fn names_of_fields_are_strings_of_jq_and_words_of_a_shell() {
    // "-n" is a usual name of lengths, of which other lines are suggested.
    for name in NAMES
        .iter()
        .filter(|name| !name.contains("length") && **name != "-n")
    {
        let record =
            |value: &str| format!("{{{}: {value}}}\n", serde_json::Value::from(*name)).repeat(2);
        let objects = suggested(&refused(&record("[{\"a\": 1}, {\"a\": 2}]")), "jq -c ");
        let lists = suggested(&refused(&record("[[1, 2], [3]]")), "jq ");
        for program in [&objects[0], &lists[0]] {
            let string = program
                .strip_prefix("..|.[")
                .and_then(|rest| rest.split_once("]?[]?"))
                .unwrap()
                .0;
            // The last part of a path is the name.
            let read: String = serde_json::from_str(string).unwrap();
            assert_eq!(read, name.rsplit('.').next().unwrap(), "{program}");
            assert!(program.chars().all(|c| visible(c) == c), "{program:?}");
        }
        let texts = refused(&record("\"some words of text\""));
        if !name.contains(['{', '}']) {
            // To count tokens, and to estimate them.
            assert_eq!(
                suggested(&texts, "--template "),
                [format!("{{{name}}}"), format!("{{{name}}}")]
            );
        }
    }
}

#[test]
fn what_a_terminal_obeys_is_replaced_and_long_texts_are_cut() {
    let text = "a\u{1b}[31m\r\u{202e}b\u{9b}\u{0}\tc\nd";
    assert_eq!(
        text.chars().map(visible).collect::<String>(),
        "a\u{fffd}[31m\u{fffd}\u{fffd}b\u{fffd}\u{fffd}\tc\nd"
    );
    assert_eq!([capped("abcd", 4), capped("abcde", 4)], ["abcd", "abc…"]);
    assert_eq!(literal("a\u{202e}\u{1b}\""), "\"a\\u202e\\u001b\\\"\"");
}
