//! Rows that are read without being cut into cells: nearly all lines of large tables of numbers.
//!
//! Such a row has all its cells, a length of at most nine digits, and nothing that needs a second look: no quote, no comment, no
//! letter beyond ASCII, no name that may be that of a mean. All other rows are left to [`RowSplitter`](super::rows::RowSplitter),
//! whose result these have, too.

/// A longer line is left to the reader of lines, which knows how long one may be.
const LONGEST: usize = 4096;
/// Nine digits are below 2^32.
const DIGITS: usize = 9;

/// The form of the rows of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlainRows {
    pub delimiter: u8,
    /// The number of cells.
    pub width: usize,
    /// The cell with the length, from 0.
    pub length: usize,
}

/// A row without anything that needs a second look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlainRow {
    pub length: u32,
    /// Whether another cell has letters, so that its text may be the name of a total.
    pub has_letters: bool,
    /// The bytes of the line and its end.
    pub read: usize,
}

impl PlainRows {
    /// Reads the row that these bytes begin with; `None` if it is not plain, or does not end here. Takes time linear in the row.
    pub fn first(self, bytes: &[u8]) -> Option<PlainRow> {
        // Comments, blank lines, rules and names left empty begin otherwise.
        if !bytes.first()?.is_ascii_alphanumeric() {
            return None;
        }
        let (mut cell, mut is_named, mut has_letters) = (0, false, false);
        let (mut length, mut digits) = (0_u64, 0);
        for (at, byte) in bytes.iter().take(LONGEST).enumerate() {
            let is_length = cell == self.length;
            match byte {
                b'0'..=b'9' if is_length => {
                    length = length.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                    digits += 1;
                }
                b'0'..=b'9' => {}
                b if *b == self.delimiter => {
                    cell += 1;
                    is_named = false;
                }
                b'\n' | b'\r' => {
                    // A lone CR ends a line, too, but is rare.
                    let end = if *byte == b'\n' { 1 } else { 2 };
                    let is_end = end == 1 || bytes.get(at + 1) == Some(&b'\n');
                    let is_plain = is_end && cell + 1 == self.width && length > 0;
                    return (is_plain && digits <= DIGITS).then_some(PlainRow {
                        length: length as u32,
                        has_letters,
                        read: at + end,
                    });
                }
                _ if is_length => return None,
                b'a'..=b'z' | b'A'..=b'Z' => {
                    // "mean", "average": the first letter of a cell tells them from nearly all names.
                    if !is_named && matches!(byte, b'a' | b'A' | b'm' | b'M') {
                        return None;
                    }
                    (is_named, has_letters) = (true, true);
                }
                b'"' | 0x80.. => return None,
                _ => {}
            }
        }
        None
    }
}
