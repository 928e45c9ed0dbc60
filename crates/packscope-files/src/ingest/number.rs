//! Parses sizes and counts: whole numbers, also written as `12.0` or `1e3`.

use super::problem::Why;
use packscope_core::accepts;

/// The reason why a text is not a number of the kind that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Missing,
    Wrong,
    NotUtf8,
}

/// Parses a size from the bytes of a cell.
pub(super) fn size(bytes: &[u8], least: u32) -> Result<u32, Fault> {
    match whole(bytes) {
        Some(n) => narrow(n, least).ok_or(Fault::Wrong),
        None => Err(fault(bytes)),
    }
}

pub(super) fn count(bytes: &[u8]) -> Result<u64, Why> {
    whole(bytes).ok_or_else(|| match fault(bytes) {
        Fault::Missing => Why::NoCount,
        Fault::Wrong => Why::Count,
        Fault::NotUtf8 => Why::NotUtf8,
    })
}

pub(super) fn narrow(n: u64, least: u32) -> Option<u32> {
    u32::try_from(n).ok().filter(|n| *n >= least)
}

/// Returns the value of a float that is a whole number.
pub(super) fn integral(x: f64) -> Option<u64> {
    // 2^64 itself is the first float that does not fit.
    (x >= 0.0 && x < u64::MAX as f64 && x.fract() == 0.0).then_some(x as u64)
}

/// Whether the bytes are a number of any kind, even one that cannot be a length: `-1`, `NaN`, `1e300`, `1,234`.
pub(super) fn is_number(bytes: &[u8]) -> bool {
    real(bytes).is_some() || grouped(bytes.trim_ascii()).is_some()
}

pub(super) fn real(bytes: &[u8]) -> Option<f64> {
    accepts::number(bytes.trim_ascii())
}

/// Whether a number has groups of three digits after commas or points: thousands, or decimals.
pub(super) fn is_in_thousands(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii();
    let mut groups = bytes.split(|b| matches!(b, b',' | b'.'));
    let first = groups.next().unwrap_or_default();
    let digits = |group: &[u8]| group.iter().all(u8::is_ascii_digit);
    (1..=3).contains(&first.len())
        && digits(first)
        && groups.all(|group| group.len() == 3 && digits(group))
}

/// Whether the commas in a list may separate thousands: each is within a number such as 1,519, other marks part the
/// numbers, and none of 1,000 or more is without a comma.
pub(super) fn may_be_thousands(lines: &[&[u8]]) -> bool {
    // A comma is no border here: the question is whether it may be within a number.
    let parts = |b: &u8| b.is_ascii_whitespace() || *b == b';';
    let all = || {
        lines
            .iter()
            .flat_map(|line| line.split(parts))
            .filter(|piece| !piece.is_empty())
    };
    let is_grouped = |piece: &[u8]| piece.contains(&b',');
    let is_small = |piece: &[u8]| piece.len() < 4 && piece.iter().all(u8::is_ascii_digit);
    let (grouped, bare) = (
        all().filter(|piece| is_grouped(piece)).count(),
        all().filter(|piece| !is_grouped(piece)).count(),
    );
    grouped > 0 && bare > 0 && all().all(|piece| grouped_or(piece, is_small))
}

/// Whether a piece is a number with commas between its thousands, or satisfies `other` without commas.
fn grouped_or(piece: &[u8], other: impl Fn(&[u8]) -> bool) -> bool {
    if piece.contains(&b',') {
        grouped(piece).is_some()
    } else {
        other(piece)
    }
}

/// Whether a number has its thousands separated by points, or is a fraction with three digits.
pub(super) fn is_in_points(bytes: &[u8]) -> bool {
    bytes.contains(&b'.') && !bytes.contains(&b',') && is_in_thousands(bytes)
}

/// The message for a number with a point before three digits.
pub(super) const POINTS: &str = "this may be a number with a point between its thousands, or a fraction; write numbers without points";

/// Parses a whole number with separated thousands: `1,234`, `1 234`, `1'234`, `1_234`.
fn grouped(bytes: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mark = text.chars().find(|c| !c.is_ascii_digit())?;
    if !matches!(
        mark,
        ',' | ' ' | '\'' | '_' | '\u{a0}' | '\u{202f}' | '\u{2009}'
    ) {
        return None;
    }
    let mut groups = text.split(mark);
    let first = groups.next()?;
    let digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let mut all = first.to_owned();
    for group in groups {
        if group.len() != 3 || !digits(group) {
            return None;
        }
        all += group;
    }
    // "0,123" is a fraction with a decimal comma, not a number in thousands.
    let is_number = (1..=3).contains(&first.len()) && digits(first) && !first.starts_with('0');
    is_number.then(|| all.parse().ok()).flatten()
}

/// Splits a line at white space, commas and semicolons.
pub(super) fn pieces(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|b| b.is_ascii_whitespace() || matches!(b, b',' | b';'))
        .filter(|t| !t.is_empty())
}

fn whole(bytes: &[u8]) -> Option<u64> {
    let bytes = bytes.trim_ascii();
    // 20 digits may still fit 64 bits; `unusual` parses these.
    if bytes.is_empty() || bytes.len() > 19 || !bytes.iter().all(u8::is_ascii_digit) {
        return unusual(bytes);
    }
    // Nineteen digits stay below 2^64. This is the inner loop for ten million lines.
    Some(
        bytes
            .iter()
            .fold(0, |n, digit| 10 * n + u64::from(digit - b'0')),
    )
}

fn unusual(bytes: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(bytes).ok()?;
    // A float that is 0 may be a number too small for floats.
    let number = |x: f64| integral(x).filter(|n| *n > 0 || !is_rounded(text));
    text.parse()
        .ok()
        .or_else(|| accepts::number(text).map_or_else(|| grouped(bytes), number))
}

/// Whether a text for which the nearest float is 0 is another number, such as 1e-400.
fn is_rounded(text: &str) -> bool {
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    digits.bytes().any(|b| matches!(b, b'1'..=b'9'))
}

fn fault(bytes: &[u8]) -> Fault {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.trim_ascii().is_empty() => Fault::Missing,
        Ok(_) => Fault::Wrong,
        Err(_) => Fault::NotUtf8,
    }
}

/// Whether a line without a comma, which is no number, stands above numbers of which some have commas as those of thousands.
pub(super) fn are_thousands_below(lines: &[&[u8]]) -> bool {
    let Some((header, below)) = lines.split_first() else {
        return false;
    };
    let has_comma = |line: &[u8]| line.contains(&b',');
    let is_whole = |line: &&[u8]| {
        let mut parts = line.trim_ascii().split(|b| *b == b',');
        let are_digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        let first = parts.next().unwrap_or_default();
        are_digits(first)
            && (first.len() < 4 || !has_comma(line))
            && parts.all(|part| part.len() == 3 && are_digits(part))
    };
    !has_comma(header)
        && !is_number(header)
        && below.iter().any(|line| has_comma(line))
        && below.iter().all(is_whole)
}
