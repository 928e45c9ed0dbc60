//! The words of a question about files, as the page asks it.

/// Returns the problem with files without its clauses for the command line, whose answers are beside
/// it on the page as buttons and lists.
pub fn on_page(problem: &str) -> String {
    // Where it was found is the place of a question about all records.
    let problem = PLACES.iter().fold(problem.to_owned(), |told, place| {
        told.replacen(place, ": ", 1)
    });
    let clauses = problem.split("; ");
    let kept: Vec<&str> = clauses
        .enumerate()
        .filter_map(|(at, clause)| kept(clause, at == 0))
        .collect();
    kept.join("; ") + "."
}

/// Returns what is left of a clause, of the first of which something is always left.
fn kept(clause: &str, is_first: bool) -> Option<&str> {
    let clause = clause.trim_end_matches('.');
    if !is_first && LISTS.iter().any(|list| clause.starts_with(list)) {
        return None;
    }
    if !clause.contains(" --") {
        return Some(clause);
    }
    // What may be seconds is said; the flags with rates are not.
    let before = clause.split_once(", which ").map(|(before, _)| before);
    match before {
        Some(before) if !before.contains(" --") => Some(before),
        _ => is_first.then_some(clause),
    }
}

/// Places of what is found in the first record.
const PLACES: [&str; 4] = [
    ": line 1: ",
    ": line 1, column 1: ",
    ": the fields: ",
    ": the first records: ",
];

/// Beginnings of clauses that list the columns, which stand in a list of the page.
const LISTS: [&str; 2] = ["the columns are:", "the fields are:"];
