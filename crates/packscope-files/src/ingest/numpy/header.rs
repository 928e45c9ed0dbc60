//! The header of an array: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.

use super::super::cells::Holds;
use super::super::problem::shorten;
use super::super::set::NUMPY;
use super::super::stream::Stream;
use packscope_core::error::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementType {
    Unsigned,
    Signed,
    Float,
    /// A type that cannot be a size.
    Other(&'static str),
}

#[derive(Debug, Clone)]
pub(super) struct Header {
    pub kind: ElementType,
    /// Bytes of an element.
    pub width: usize,
    /// Whether the bytes are big-endian.
    pub big: bool,
    /// Whether the array is in column-major order.
    pub fortran: bool,
    pub rows: u64,
    pub columns: u64,
    /// Number of sides of the array; 0 for a single number.
    dimensions: usize,
    /// The offset of the elements.
    pub begin: u64,
}

/// The remedy for two long rows, as in the edges of a single graph of PyTorch Geometric.
const EDGES: &str = "this array has two long rows; expected a row for each item, so transpose it: numpy.save(\"…\", array.T). \
                     Of the edge_index of graphs, this line writes the sizes in Python: pandas.DataFrame({\"nodes\": [g.num_nodes for g in dataset], \"edges\": \
                     [g.num_edges for g in dataset]}).to_csv(\"graphs.csv\", index=False)";

impl Header {
    /// Reads the header at the beginning of a stream.
    ///
    /// # Errors
    /// [`Error::Input`] when it is damaged or its version is unknown.
    pub fn read(stream: &Stream<'_>) -> Result<Self> {
        let head = stream.head();
        let short = || {
            wrong(
                head.len(),
                "the header of the array is not complete; is the file?".to_owned(),
            )
        };
        if !head.starts_with(NUMPY) {
            return Err(wrong(0, "this is no NumPy array; expected .npy".to_owned()));
        }
        // Byte 6 is the version; the length of the header has two bytes in version 1, four later.
        let (begin, length): (usize, usize) = match head.get(6..12).ok_or_else(short)? {
            [1, _, a, b, ..] => (10, usize::from(*a) | usize::from(*b) << 8),
            [2 | 3, _, a, b, c, d] => (12, u32::from_le_bytes([*a, *b, *c, *d]) as usize),
            [] => return Err(short()),
            [version, ..] => {
                return Err(wrong(
                    6,
                    format!("version {version} of NumPy's format is not known; expected 1, 2 or 3"),
                ));
            }
        };
        let text = head
            .get(begin..begin.saturating_add(length))
            .ok_or_else(short)?;
        let text = std::str::from_utf8(text).unwrap_or_default();
        Self::parse(text, (begin + length) as u64).ok_or_else(|| {
            let shown = shorten(text.as_bytes());
            wrong(
                begin,
                format!(
                    "\"{shown}\" is no header of an array; expected descr, fortran_order and shape"
                ),
            )
        })
    }

    fn parse(text: &str, begin: u64) -> Option<Self> {
        // The header is a Python dictionary, written by NumPy in one form; no parser of Python is
        // needed.
        let after = |key: &str| {
            let at = text.find(&format!("'{key}'"))? + key.len() + 2;
            text[at..]
                .trim_start()
                .strip_prefix(':')
                .map(str::trim_start)
        };
        let fortran = match after("fortran_order")? {
            rest if rest.starts_with("True") => true,
            rest if rest.starts_with("False") => false,
            _ => return None,
        };
        let (big, kind, width) = element(after("descr")?)?;
        let (inside, _) = after("shape")?.strip_prefix('(')?.split_once(')')?;
        let sides = inside
            .split(',')
            .map(str::trim)
            .filter(|side| !side.is_empty());
        let sides: Vec<u64> = sides.map(|side| side.parse().ok()).collect::<Option<_>>()?;
        let (rows, columns) = match sides[..] {
            [] => (1, 1),
            [rows] => (rows, 1),
            [rows, columns, ..] => (rows, columns),
        };
        // No file is longer than 64 bits can say. Sides of 0 count as 1, so that the others are
        // checked.
        let bytes = sides.iter().try_fold(width as u64, |bytes, side| {
            bytes.checked_mul((*side).max(1))
        })?;
        begin
            .checked_add(bytes)
            .filter(|end| i64::try_from(*end).is_ok())?;
        Some(Self {
            kind,
            width,
            big,
            fortran,
            rows,
            columns,
            dimensions: sides.len(),
            begin,
        })
    }

    /// Returns the contents of this array as one column.
    pub fn holds(&self) -> Holds {
        match self.kind {
            ElementType::Other(what) => Holds::Other(what),
            _ if self.dimensions == 1 || (self.dimensions == 2 && self.columns == 1) => {
                Holds::Numbers
            }
            _ if self.dimensions == 0 => Holds::Other("a single number"),
            _ => Holds::Other("an array of several dimensions"),
        }
    }

    /// Refuses an array that is neither a list nor a table of numbers.
    ///
    /// # Errors
    /// [`Error::Input`] with a description of the array.
    pub fn refuse(&self) -> Result<()> {
        let what = match (self.kind, self.dimensions) {
            (ElementType::Other(what), _) => what.to_owned(),
            (_, 2) if self.rows == 2 && self.columns > 4 => return Err(wrong(0, EDGES.to_owned())),
            (_, 1 | 2) if self.columns > 0 => return Ok(()),
            (_, 0) => "a single number".to_owned(),
            (_, 1 | 2) => "nothing: it has no columns".to_owned(),
            (_, n) => format!("numbers in {n} dimensions"),
        };
        let objects = "write the lengths: numpy.save(\"lengths.npy\", [len(x[\"input_ids\"]) for x in numpy.load(\"…\", \
                       allow_pickle=True)])";
        let expected =
            "expected whole numbers in one dimension, or in two with a column for each size";
        let way = if what == "Python objects" {
            objects
        } else {
            expected
        };
        Err(wrong(0, format!("this array holds {what}; {way}")))
    }
}

/// Parses the byte order, kind and width of an element, such as `<i8`.
fn element(text: &str) -> Option<(bool, ElementType, usize)> {
    // A structured array: a list of fields in place of the code.
    if text.starts_with('[') {
        return Some((false, ElementType::Other("records of several fields"), 1));
    }
    let mut code = text.strip_prefix('\'')?.split('\'').next()?.chars();
    let big = match code.next()? {
        '<' | '|' | '=' => false,
        '>' => true,
        _ => return None,
    };
    let letter = code.next()?;
    let width = code.as_str();
    let known = matches!(width, "1" | "2" | "4" | "8");
    let kind = match letter {
        'u' if known => ElementType::Unsigned,
        'i' if known => ElementType::Signed,
        'f' if matches!(width, "4" | "8") => ElementType::Float,
        // Half floats hold whole numbers exactly only up to 2,048.
        'f' => ElementType::Other(
            "floats of 16 bits or of an unusual width, in which lengths above 2,048 are rounded",
        ),
        'b' => ElementType::Other("true and false"),
        'c' => ElementType::Other("complex numbers"),
        'O' => ElementType::Other("Python objects"),
        'S' | 'U' | 'a' => ElementType::Other("text"),
        'M' | 'm' => ElementType::Other("dates or times"),
        'V' => ElementType::Other("raw bytes"),
        _ => return None,
    };
    let width = match kind {
        // Such elements are never read; their width only has to pass the check of the size.
        ElementType::Other(_) => 1,
        _ => width.parse().ok()?,
    };
    Some((big, kind, width))
}

fn wrong(byte: usize, message: String) -> Error {
    Error::Input {
        place: format!("byte {}", packscope_core::words::count(byte as u64 + 1)),
        message,
    }
}
