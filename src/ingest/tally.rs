//! Lengths counted as they come, and what could not be used.

use super::Description;
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Problems that are kept to be shown; all are counted.
const SHOWN: usize = 20;
/// Characters of a value that are kept.
const TEXT: usize = 40;
/// Lengths below this are counted in an array, which is faster.
const DENSE: usize = 1 << 16;

/// Why a value was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Why {
    /// Nothing there.
    Empty,
    /// Zero: an item without content.
    Zero,
    /// Below zero.
    Negative,
    /// Not a whole number.
    Fraction,
    /// Above 4,294,967,295.
    TooLarge,
    /// No number at all, NaN and infinity included.
    NotANumber,
    /// The count beside the length is no whole number of at least 0.
    Count,
    /// The row ends before the column, or the object lacks the field.
    Missing,
    /// Not JSON.
    NotJson,
    /// Longer than a line or an element may be.
    TooLong,
}

/// A value that was left out, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Line, from 1.
    pub line: u64,
    /// In tables the number of the cell, else the character in the line, from 1.
    pub column: u64,
    /// The value, shortened; what is no UTF-8 is replaced.
    pub text: String,
    /// Why.
    pub why: Why,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        let text = &self.text;
        match self.why {
            Why::Empty => write!(f, "nothing there"),
            Why::Zero => write!(f, "a length of 0"),
            Why::Negative => write!(f, "“{text}” is negative"),
            Why::Fraction => write!(f, "“{text}” is not whole"),
            Why::TooLarge => write!(f, "“{text}” is above 4,294,967,295"),
            Why::NotANumber => write!(f, "“{text}” is not a number"),
            Why::Count => write!(f, "“{text}” is not a count"),
            Why::Missing => write!(f, "there is no length in “{text}”"),
            Why::NotJson => write!(f, "“{text}” is not JSON"),
            Why::TooLong => write!(f, "a line or element of more than 16 MiB"),
        }
    }
}

/// What would have been accepted.
const ACCEPTED: &str = "accepted are lengths from 1 to 4,294,967,295: a table with columns length,count, \
                        one length a line, numbers between commas, a JSON array, or JSON Lines";

/// Counts by length.
#[derive(Debug)]
pub(super) struct Tally {
    dense: Vec<u64>,
    sparse: BTreeMap<u32, u64>,
    skipped: u64,
    problems: Vec<Problem>,
    overflow: bool,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            dense: vec![0; DENSE],
            sparse: BTreeMap::new(),
            skipped: 0,
            problems: Vec::new(),
            overflow: false,
        }
    }
}

impl Tally {
    /// `count` items of `length`, which is at least 1.
    pub fn add(&mut self, length: u32, count: u64) {
        let slot = match self.dense.get_mut(length as usize) {
            Some(slot) => slot,
            None => self.sparse.entry(length).or_default(),
        };
        match slot.checked_add(count) {
            Some(sum) => *slot = sum,
            None => self.overflow = true,
        }
    }

    /// Leaves a value out.
    pub fn skip(&mut self, line: u64, column: u64, text: &[u8], why: Why) {
        self.skipped += 1;
        if self.problems.len() < SHOWN {
            let text = String::from_utf8_lossy(&text[..text.len().min(4 * TEXT)]);
            let mut short: String = text.trim().chars().take(TEXT).collect();
            if short.len() < text.trim().len() {
                short.push('…');
            }
            self.problems.push(Problem { line, column, text: short, why });
        }
    }

    /// Everything counted.
    pub fn into_histogram(self, description: &mut Description) -> Result<Histogram<1>> {
        if self.overflow {
            return Err(Error::TooLarge { what: "the number of items" });
        }
        let dense = self.dense.iter().enumerate().map(|(l, n)| ([l as u32], *n));
        let sparse = self.sparse.iter().map(|(l, n)| ([*l], *n));
        description.skipped = self.skipped;
        match Histogram::from_counts(dense.chain(sparse)) {
            Err(Error::Empty) => Err(self.nothing()),
            other => {
                description.problems = self.problems;
                other
            }
        }
    }

    fn nothing(&self) -> Error {
        let (place, found) = match self.problems.first() {
            None => ("the data".to_owned(), "nothing but white space".to_owned()),
            Some(problem) => {
                let words = problem.to_string();
                let (place, found) = words.split_once(": ").unwrap_or(("", &words));
                (place.to_owned(), found.to_owned())
            }
        };
        Error::Input { place, message: format!("{found}, and no length anywhere; {ACCEPTED}") }
    }
}

/// A length from the text of a cell: a whole number, which may be written `12.0` or `1e3`.
pub(super) fn length(text: &[u8]) -> Result<u32, Why> {
    let n = whole(text)?;
    match u32::try_from(n) {
        Ok(0) => Err(Why::Zero),
        Ok(n) => Ok(n),
        Err(_) => Err(Why::TooLarge),
    }
}

/// A count from the text of a cell.
pub(super) fn count(text: &[u8]) -> Result<u64, Why> {
    whole(text).map_err(|_| Why::Count)
}

fn whole(text: &[u8]) -> Result<u64, Why> {
    let text = text.trim_ascii();
    if !text.is_empty() && text.len() < 19 && text.iter().all(u8::is_ascii_digit) {
        return Ok(text.iter().fold(0, |n, digit| n * 10 + u64::from(digit - b'0')));
    }
    let text = std::str::from_utf8(text).map_err(|_| Why::NotANumber)?;
    if text.is_empty() {
        return Err(Why::Empty);
    }
    if let Ok(n) = text.parse::<u64>() {
        return Ok(n);
    }
    whole_of(text.parse().map_err(|_| Why::NotANumber)?)
}

/// A whole number that is written as a fraction or with an exponent.
pub(super) fn whole_of(x: f64) -> Result<u64, Why> {
    match x {
        x if !x.is_finite() => Err(Why::NotANumber),
        x if x < 0.0 => Err(Why::Negative),
        // Beyond 2^53 fractions cannot be told any more.
        x if x > 9_007_199_254_740_992.0 => Err(Why::TooLarge),
        x if x.fract() != 0.0 => Err(Why::Fraction),
        x => Ok(x as u64),
    }
}
