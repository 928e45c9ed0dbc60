//! Lists of lengths as people have them: `128,256,512`, lines of a YAML list, JSON, settings of libraries.

use crate::error::{Error, Result};
use crate::words::is_hidden;

/// Lengths that a list may have.
const MOST: usize = 4096;

/// Returns the lengths of a list, ascending, each once. The list may be written with commas or spaces, as JSON, as the
/// lines of a YAML list, or as the setting of a library, such as `bucket_duration_bins=[128,256]`: then only what is
/// between the brackets counts. O(text).
///
/// # Errors
/// [`Error::Setting`] for lists in lists, for words that are no whole numbers from 1, and for a
/// list without lengths.
pub fn parse(text: &str) -> Result<Vec<u32>> {
    let refused = |given: &str| {
        let given: String = given.chars().filter(|c| !is_hidden(*c)).take(40).collect();
        Error::Setting {
            what: "list of lengths",
            given,
            expected: "whole numbers from 1, such as 128,256,512",
        }
    };
    let mut lengths = Vec::new();
    for word in words(text) {
        let length = length(word)
            .filter(|_| lengths.len() < MOST)
            .ok_or_else(|| refused(word))?;
        lengths.push(length);
    }
    if lengths.is_empty() {
        return Err(refused(text.trim()));
    }
    lengths.sort_unstable();
    lengths.dedup();
    Ok(lengths)
}

/// Returns the words of the list itself.
fn words(text: &str) -> Vec<&str> {
    let items: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("- "))
        .collect();
    let between = |text| {
        let (_, after): (&str, &str) = str::split_once(text, '[')?;
        Some(after.split_once(']').map_or(after, |(inside, _)| inside))
    };
    let of = |part| {
        let parts = str::split(part, |c: char| c.is_whitespace() || c == ',' || c == ';');
        parts
            .map(|word| word.trim_matches(['"', '\'']))
            .filter(|word| !word.is_empty())
    };
    match between(text) {
        Some(inside) => of(inside).collect(),
        None if !items.is_empty() => items.into_iter().flat_map(of).collect(),
        // `name=128,256` or `name: 128, 256`: the list follows the first of these signs.
        None => of(text.split_once(['=', ':']).map_or(text, |(_, list)| list)).collect(),
    }
}

/// Returns a length from 1; `512.0` is one, as YAML may have it.
fn length(word: &str) -> Option<u32> {
    let whole = word.split_once('.').map_or(word, |(whole, part)| {
        if part.bytes().all(|digit| digit == b'0') {
            whole
        } else {
            word
        }
    });
    whole.parse().ok().filter(|length| *length > 0)
}
