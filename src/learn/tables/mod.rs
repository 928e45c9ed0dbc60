//! Tables to cite: pages with an address that stays, whose figures are computed where they are read, by the code of the
//! tool.

mod datasets;
mod libraries;

use super::{Chapter, ChapterPart, ChapterTable, Notes};
use packscope::export::Table;

/// Every table, in the order of the list beside the chapters.
pub const TABLES: &[&Chapter] = &[&libraries::PAGE, &datasets::PAGE];

/// Name in the address and title of each table, which take none of them into the program.
pub const TABLE_TITLES: [(&str, &str); TABLES.len()] = [
    (libraries::PAGE.id, libraries::PAGE.title),
    (datasets::PAGE.id, datasets::PAGE.title),
];

/// A page has nothing to teach with, as it has no exercise.
const NO_NOTES: Notes = Notes {
    aim: "",
    usual: "",
    exam: "",
};

/// Removes the signs of markup from words that are not ours.
fn plain(text: &str) -> String {
    text.replace(['{', '}', '[', ']', '<', '>', '*', '~', '`'], "")
}

/// Returns a table as a chapter shows it, with the columns of these names.
fn shown(table: &Table, columns: &[&str], label: &str) -> ChapterTable {
    let places: Vec<usize> = columns
        .iter()
        .filter_map(|name| table.columns.iter().position(|(other, _)| other == name))
        .collect();
    let cells = |row: &Vec<packscope::export::Cell>| {
        let cell = |at: &usize| row.get(*at).map_or_else(String::new, |c| plain(&c.shown));
        places.iter().map(cell).collect()
    };
    ChapterTable {
        label: label.to_owned(),
        head: places
            .iter()
            .map(|at| table.columns[*at].1.clone())
            .collect(),
        rows: table.rows.iter().map(cells).collect(),
        chosen: None,
    }
}

/// Returns how to cite a page, and its table as a file.
fn cited(page: &Chapter, table: &Table, complete: bool) -> Vec<ChapterPart> {
    let mut parts = vec![ChapterPart::Text(format!(
        "**How to cite.** Packscope {}, “{}”, at the address of this page, which ends in #{}. The address stays. The figures \
         are computed in the browser that shows them, by the version named: the same version finds the same ones.",
        env!("CARGO_PKG_VERSION"),
        page.title,
        page.address(),
    ))];
    if complete {
        parts.push(ChapterPart::Code(
            "The whole table as CSV, with exact values",
            table.csv(),
            false,
        ));
    }
    parts
}
