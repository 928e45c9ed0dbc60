//! Libraries that pack sequences into rows.

use super::{Look, above, most_used};
use crate::api::trainer::{Answer, Figures, Shown};
use crate::export::{Cell, Table};
use crate::trainer::{Field, Library, Sequences};
use crate::words::{count, mean, percent};

/// (name in CSV, name for people), after the columns of one look.
const COLUMNS: [(&str, &str); 7] = [
    ("rows", "rows"),
    ("steps", "steps"),
    ("above_best", "above best"),
    ("padding_share", "padding"),
    ("truncated_share", "truncated"),
    ("dropped_share", "dropped"),
    ("cut_share", "cut apart"),
];

/// Returns a row for each library.
pub fn table<'a>(rows: impl Iterator<Item = (Look, Option<&'a Figures>)>) -> Table {
    super::table(&COLUMNS, rows.map(|(look, figures)| (look, figures.map(cells))))
}

fn cells(f: &Figures) -> Vec<Cell> {
    let share = |share: f64| Cell::new(share, percent(share));
    let mut cells = vec![Cell::new(f.rows, mean(f.rows)), Cell::new(f.steps, mean(f.steps))];
    cells.push(Cell::maybe(f.above_best, above));
    cells.extend([f.padding_share, f.truncated_share, f.dropped_share, f.cut_share].map(share));
    cells
}

/// Returns what an answer says in one look, and its figures.
pub fn of_answer(answer: &Answer) -> (Look, Option<&Figures>) {
    let figures = answer.figures.as_ref();
    let lost = figures.map(Figures::lost_share);
    let look = Look::new(&answer.about, answer.advice.as_ref(), lost, figures.and_then(|f| f.computed_above));
    (look, figures)
}

/// Returns the same of what a page shows of a library at these settings.
pub fn of_shown<'a>(library: &Library, settings: &[Field], shown: &'a Shown) -> (Look, Option<&'a Figures>) {
    let figures = shown.figures.as_ref();
    let look = Look {
        library: library.id.to_owned(),
        title: library.title.to_owned(),
        algorithm: shown.algorithm.clone(),
        settings: settings.to_vec(),
        lost: figures.map(Figures::lost_share),
        above: figures.and_then(|f| f.computed_above),
        change: shown.change.clone(),
        gain: shown.gain.clone(),
    };
    (look, figures)
}

/// Returns the library that is used most, in a sentence; empty where it is not among these.
pub fn headline(looks: impl Iterator<Item = Look>, limit: u32) -> String {
    let limit = format!("a limit of {}", count(u64::from(limit)));
    most_used::<Sequences>(looks).map_or_else(String::new, |look| look.headline("tokens", &limit, true))
}
