//! Bins as they are written: ranges such as `0-127` and `[0, 128)`.

use packscope_core::accepts;
use packscope_core::histogram::Bin;

/// The message for bins that cannot be read, with formats that can.
pub(super) const BINS: &str = "a histogram in bins; expected a count for each, in CSV or JSON such as \
                               bin_start,bin_end,count, or the lengths themselves";

/// The numbers between two ends, as written; not yet whole, nor at least 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BinRange {
    pub low: f64,
    pub high: f64,
    /// Whether each end is included.
    pub closed: [bool; 2],
    /// Whether brackets say which ends are included, as in `[0, 128)`.
    pub marked: bool,
}

impl BinRange {
    /// Returns the lengths in the range as a bin of `items` items; `None` if there are none: lengths begin at 1.
    pub fn bin(&self, items: u64) -> Option<Bin> {
        let low = if self.closed[0] {
            self.low.ceil()
        } else {
            self.low.floor() + 1.0
        };
        let high = if self.closed[1] {
            self.high.floor()
        } else {
            self.high.ceil() - 1.0
        };
        let (low, high) = (low.max(1.0), high.min(f64::from(u32::MAX)));
        (low <= high).then_some(Bin {
            low: low as u32,
            high: high as u32,
            items,
        })
    }
}

/// Parses a range: `0-127`, `0–127`, `0..127`, `0 to 127`, closed at one end, `[0, 128)`, `(0.5, 32.0]`, or open,
/// `<32`, `512+`.
pub(super) fn range(text: &[u8]) -> Option<BinRange> {
    let text = Some(text.trim_ascii()).filter(|text| text.len() <= 40)?;
    let text = std::str::from_utf8(text).ok()?;
    let number =
        |end: &str| accepts::number(end.trim().replace(['_', ','], "")).filter(|end| !end.is_nan());
    let below = [("<=", true), ("≤", true), ("<", false)];
    let above = [(">=", true), ("≥", true), (">", false)];
    let open = |marks: [(&str, bool); 3]| {
        marks
            .iter()
            .find_map(|(mark, closed)| Some((number(text.strip_prefix(mark)?)?, *closed)))
    };
    let range = |low, high, closed| BinRange {
        low,
        high,
        closed,
        marked: true,
    };
    if let Some((high, closed)) = open(below) {
        // Sizes are not negative, so an open lower end is 0.
        return Some(range(0.0, high, [true, closed]));
    }
    if let Some((low, closed)) =
        open(above).or_else(|| Some((number(text.strip_suffix('+')?)?, true)))
    {
        return Some(range(low, f64::INFINITY, [closed, false]));
    }
    let within = |from, to| text.strip_prefix(from)?.strip_suffix(to);
    // Closed at one end, which JSON arrays never are.
    let marked = [('[', ')', [true, false]), ('(', ']', [false, true])];
    let found = marked
        .iter()
        .find_map(|(from, to, closed)| Some((within(*from, *to)?, *closed)));
    let (ends, closed) = match found {
        Some((inner, closed)) => (inner.split_once([',', ';'])?, closed),
        // A number may begin with a sign, and a date has two dashes.
        None => {
            // " to " and ".." first: their ends may be negative or hold dashes.
            let ends = [" to ", "..", "–", "—", "-"]
                .iter()
                .find_map(|mark| text.split_once(mark))?;
            (ends, [true, true])
        }
    };
    // Of a date, the part after the first dash has a dash itself, and is no number.
    let (low, high) = (number(ends.0)?, number(ends.1)?);
    (low <= high).then_some(BinRange {
        low,
        high,
        closed,
        marked: found.is_some(),
    })
}

/// Whether a record has a list of bin edges at any depth.
pub(super) fn has_edges(record: &[u8]) -> bool {
    const KEY: &[u8] = b"\"bin_edges\"";
    record.windows(KEY.len()).enumerate().any(|(at, key)| {
        let after = record[at + KEY.len()..].trim_ascii_start();
        key == KEY
            && after
                .strip_prefix(b":")
                .is_some_and(|after| after.trim_ascii_start().starts_with(b"["))
    })
}
