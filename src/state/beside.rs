//! Data in a file beside the page: `data=./opened/lengths.csv` in an address, as `packscope open` writes it, and as any
//! host of the page may link to tables of its own.
//!
//! The file is a table of sizes with their counts, as the built-in sets are: a line of names, the last of which is that
//! of the counts, then a line for each size.

use super::custom::Custom;
use packscope::histogram::{Histogram, Sizes};
use std::rc::Rc;

/// The beginning of the address of a file.
const HERE: &str = "./";
/// The name of a column of lengths that says nothing about their unit.
const LENGTH: &str = "length";

/// Whether a value of the address is the address of a file in the folder of the page, or in one below it.
pub fn is_beside(value: &str) -> bool {
    value
        .strip_prefix(HERE)
        .is_some_and(|path| path.split('/').all(is_segment))
}

/// Whether a part of a path is a plain name. A browser takes `%2e` for a dot, and so would leave the folder.
fn is_segment(part: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.~%".contains(c);
    let coded = part.to_ascii_lowercase();
    !part.is_empty()
        && part.chars().all(plain)
        && !part.chars().all(|c| c == '.')
        && !["%2e", "%2f", "%5c"].iter().any(|c| coded.contains(c))
}

/// Reads a table of sizes with their counts, of graphs or of sequences. Returns `None` for anything else, such as a "not
/// found" page, and for a table that was cut short.
pub fn read(name: String, csv: &str, graphs: bool) -> Option<Custom> {
    let sizes = if graphs {
        Sizes::Graphs(Rc::new(Histogram::from_built_in(csv)?))
    } else {
        Sizes::Lengths(Rc::new(Histogram::from_built_in(csv)?))
    };
    let mut components: Vec<String> = csv
        .lines()
        .next()?
        .split(',')
        .map(|name| name.trim().to_owned())
        .collect();
    // The column of the counts.
    components.pop();
    components.retain(|name| name != LENGTH);
    Some(Custom {
        name,
        components,
        sizes,
    })
}
