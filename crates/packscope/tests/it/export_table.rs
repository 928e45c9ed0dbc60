//! Tables as they are saved: cells of CSV and Markdown, and columns of text; lengths in a random order.

use packscope::export::{Cell, Table, lengths};
use packscope::histogram::Histogram;

/// A cell as it is written in CSV, below its heading.
fn quoted(text: &str) -> String {
    let csv = Table::of_words(["x"], [vec![text.to_owned()]]).csv();
    csv.strip_prefix("x\n")
        .and_then(|csv| csv.strip_suffix('\n'))
        .unwrap()
        .to_owned()
}

/// A cell as it is written in Markdown, below its heading.
fn escaped(text: &str) -> String {
    let markdown = Table::of_words(["x"], [vec![text.to_owned()]]).markdown();
    let row = markdown.lines().nth(2).unwrap();
    row.strip_prefix("| ")
        .and_then(|row| row.strip_suffix(" |"))
        .unwrap()
        .to_owned()
}

#[test]
fn no_name_is_a_formula() {
    let of = quoted;
    assert_eq!(of("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
    assert_eq!(of("@SUM(1,2)"), "\"'@SUM(1,2)\"");
    assert_eq!([of("+1+1"), of("-a"), of("\tx")], ["'+1+1", "'-a", "'\tx"]);
    assert_eq!(
        [of("-0.25"), of("1e-9"), of("a=b"), of("")],
        ["-0.25", "1e-9", "a=b", ""]
    );
}

#[test]
fn no_name_breaks_out_of_its_cell() {
    let table = Table::of("of a|b", &["x,\"y\"\n|<b>"]).words("name", |name| (*name).to_owned());
    let table = table.column(("n", "number"), |_| None.into()).table;
    assert_eq!(table.csv(), "name,n\n\"x,\"\"y\"\"\n|<b>\",\n");
    assert_eq!(
        table.markdown(),
        "**of a\\|b**\n\n| name | number |\n|---|---:|\n| x,\"y\" \\|\\<b> | – |\n"
    );
}

#[test]
fn only_markup_is_escaped() {
    assert_eq!(
        escaped("a *b* `c` [d] <e> \\|"),
        "a \\*b\\* \\`c\\` \\[d] \\<e> \\\\\\|"
    );
    assert_eq!(
        ["< 0.01", "packed *", "2 * 3"].map(escaped),
        ["< 0.01", "packed *", "2 * 3"]
    );
}

#[test]
fn text_has_aligned_columns() {
    let rows = [["é", "10"], ["long", "5"]].map(|row| row.map(str::to_owned).to_vec());
    let mut table = Table::of_words(["of", "n"], rows);
    table.rows.push(vec![Cell::words("a|b")]);
    assert_eq!(table.text(), "of     n\né     10\nlong   5\na|b ");
    assert_eq!(table.text_of_words(), "of    n\né     10\nlong  5\na|b");
    assert!(
        table
            .markdown()
            .starts_with("| of | n |\n|---|---:|\n| é | 10 |\n")
    );
    assert!(table.markdown().ends_with("\n| a\\|b |\n"));
}

/// The lengths as they are saved in the order of a seed.
fn shuffled(n: u32, seed: u64) -> Vec<u32> {
    let h = Histogram::from_lengths((1..=n).map(|length| (length, 1))).unwrap();
    let mut text = String::new();
    lengths(&h, seed, &mut |line| text += line);
    text.lines()
        .skip(1)
        .map(|line| line.parse().unwrap())
        .collect()
}

#[test]
fn every_length_is_saved_once_in_an_order_of_its_own() {
    for n in [1, 2, 3, 4, 5, 63, 64, 65, 1000, 4097] {
        for seed in [0, 7] {
            let mut all = shuffled(n, seed);
            all.sort_unstable();
            assert!(all.into_iter().eq(1..=n), "{n}, {seed}");
        }
    }
    let order = |seed| shuffled(1000, seed);
    assert!(order(1) != order(2) && order(1) != (1..=1000).collect::<Vec<_>>());
}
