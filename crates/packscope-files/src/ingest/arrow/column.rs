//! Converts a column of a batch into cells: numbers, lengths of lists, words of texts.

use super::super::cells::{CellColumn, Holds, real, signed};
use super::super::nested::Inner;
use super::super::value::Value;
use super::flat::Flat;

/// Columns may be nested so deep; a damaged or hostile schema must not exhaust the stack.
const DEEPEST: usize = 64;

pub(super) struct ArrowColumn {
    name: String,
    pub kind: ArrowType,
    /// Number of its own buffers. Those of a batch are numbered through all columns, nested ones
    /// included.
    buffers: usize,
    /// Whether a batch may have more buffers of it, in a number of its own
    /// (`variadicBufferCounts`).
    views: bool,
    inner: Vec<ArrowColumn>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum ArrowType {
    /// Whole numbers of this many bytes.
    Whole(usize, bool),
    /// Floats of this many bytes.
    Real(usize),
    /// Lists with offsets of this many bytes.
    Lists(usize),
    /// Lists of this many elements.
    Fixed(u64),
    /// Texts with offsets of this many bytes.
    Texts(usize),
    /// Texts in views of 16 bytes: inline, or in other buffers.
    Views,
    Other(&'static str),
}

/// The buffers of a column that are read.
pub(super) enum NeededBuffers {
    None,
    Buffers(usize),
    Views,
}

impl ArrowType {
    pub fn needs(self) -> NeededBuffers {
        match self {
            Self::Whole(..) | Self::Real(_) | Self::Lists(_) => NeededBuffers::Buffers(2),
            Self::Texts(_) => NeededBuffers::Buffers(3),
            Self::Fixed(_) => NeededBuffers::Buffers(1),
            Self::Views => NeededBuffers::Views,
            Self::Other(_) => NeededBuffers::None,
        }
    }

    /// Returns the cells of `rows` rows; `None` if a buffer is too short.
    pub fn cells(self, rows: usize, held: &[Vec<u8>]) -> Option<Vec<Value>> {
        let empty = Vec::new();
        let (valid, data) = (
            held.first().unwrap_or(&empty),
            held.get(1).unwrap_or(&empty),
        );
        // The bitmap is left out if all values are valid.
        let is_valid = |row: usize| {
            valid.is_empty()
                || valid
                    .get(row / 8)
                    .is_some_and(|byte| byte >> (row % 8) & 1 == 1)
        };
        let cell = |row: usize| -> Option<Value> {
            if !is_valid(row) {
                return Some(Value::Null);
            }
            match self {
                Self::Whole(width, is_signed) => {
                    let bits = number(data, row, width)?;
                    // Moves the sign bit to the top and back, which extends it to 64 bits.
                    let unused = 64 - 8 * width as u32;
                    let n = (bits << unused) as i64 >> unused;
                    Some(if is_signed {
                        signed(n)
                    } else {
                        Value::Whole(bits)
                    })
                }
                Self::Real(4) => Some(real(f32::from_bits(number(data, row, 4)? as u32).into())),
                Self::Real(_) => Some(real(f64::from_bits(number(data, row, 8)?))),
                Self::Lists(width) => {
                    let (from, to) = (number(data, row, width)?, number(data, row + 1, width)?);
                    Some(Value::Elements(to.checked_sub(from)?))
                }
                Self::Fixed(elements) => Some(Value::Elements(elements)),
                Self::Texts(width) => {
                    let place = |row| usize::try_from(number(data, row, width)?).ok();
                    Some(Value::of_text(
                        held.get(2)?.get(place(row)?..place(row + 1)?)?,
                    ))
                }
                Self::Views => Some(Value::of_text(view(held, row)?)),
                Self::Other(_) => Some(Value::Missing),
            }
        };
        // Rows that take no bytes may be claimed in any number: such claims end at a million rows.
        let least = match self {
            Self::Fixed(_) | Self::Other(_) => rows.div_ceil(8),
            _ => rows,
        };
        let bytes: usize = held.iter().map(Vec::len).sum();
        (least <= bytes || rows <= 1 << 20).then_some(())?;
        (0..rows).map(cell).collect()
    }
}

/// Returns the little-endian number of a row.
fn number(data: &[u8], row: usize, width: usize) -> Option<u64> {
    let begin = row.checked_mul(width)?;
    let bytes = data.get(begin..begin.checked_add(width)?)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |n, byte| n << 8 | u64::from(*byte)),
    )
}

/// Returns a text of at most 12 bytes in its view, or a longer one in the buffer that it names.
fn view(held: &[Vec<u8>], row: usize) -> Option<&[u8]> {
    // Layout of a view: length, then 12 bytes inline; or 4 of the beginning, number of the buffer,
    // offset in it. Validity and views come before the other buffers, hence + 2.
    let view = held.get(1)?.get(row.checked_mul(16)?..)?.get(..16)?;
    let part =
        |at: usize| Some(u32::from_le_bytes(view.get(at..at + 4)?.try_into().ok()?) as usize);
    match part(0)? {
        length @ 0..=12 => view.get(4..4 + length),
        length => held
            .get(part(8)?.checked_add(2)?)?
            .get(part(12)?..)?
            .get(..length),
    }
}

impl ArrowColumn {
    /// Reads a field of the schema; `None` if it is damaged.
    pub fn new(field: Flat<'_>, depth: usize) -> Option<Self> {
        if depth > DEEPEST {
            return None;
        }
        // Slots of the table `Field` in Arrow's Schema.fbs: 0 name, 2 and 3 the type, 4 dictionary,
        // 5 children.
        let inner: Option<Vec<Self>> = field
            .tables(5)?
            .into_iter()
            .map(|inner| Self::new(inner, depth + 1))
            .collect();
        let name = field.text(0).unwrap_or_default().to_owned();
        let (kind, buffers, views) = match field.table(4) {
            Some(_) => (ArrowType::Other("values of a dictionary"), 2, false),
            None => kind(field.byte(2)?, field.table(3)),
        };
        // The values of a dictionary are in other messages.
        let inner = if field.table(4).is_some() {
            Vec::new()
        } else {
            inner?
        };
        let is_list: fn(&ArrowType) -> bool =
            |kind| matches!(kind, ArrowType::Lists(_) | ArrowType::Fixed(_));
        let holds = |is: fn(&ArrowType) -> bool| {
            is_list(&kind) && inner.iter().any(|inner| is(&inner.kind))
        };
        // A chosen column of these must not be read as lengths: how many lists there are is no
        // length in tokens.
        let kind = match () {
            () if holds(is_list) => ArrowType::Other(Inner::Lists.words()),
            () if holds(|kind| matches!(kind, ArrowType::Other("objects"))) => {
                ArrowType::Other(Inner::Objects.words())
            }
            () => kind,
        };
        Some(Self {
            name,
            kind,
            buffers,
            views,
            inner,
        })
    }

    /// Returns the name and contents of the column, for choosing columns.
    pub fn field(&self) -> CellColumn {
        let holds = match self.kind {
            ArrowType::Whole(..) | ArrowType::Real(_) => Holds::Numbers,
            ArrowType::Lists(_) | ArrowType::Fixed(_) => Holds::Lists,
            ArrowType::Texts(_) | ArrowType::Views => Holds::Texts,
            ArrowType::Other(what) => Holds::Other(what),
        };
        CellColumn::new(self.name.clone(), holds)
    }

    /// Counts the buffers of this column and of its nested columns, and how many numbers of further
    /// buffers they use.
    pub fn skip(&self, buffers: &mut usize, seen: &mut usize, views: &[i64]) {
        *buffers += self.buffers;
        if self.views {
            *buffers += usize::try_from(views.get(*seen).copied().unwrap_or(0)).unwrap_or(0);
            *seen += 1;
        }
        self.inner
            .iter()
            .for_each(|inner| inner.skip(buffers, seen, views));
    }
}

/// Returns the contents of a type, its number of buffers, and whether a batch may have more of
/// them.
// Numbers of the union `Type` in Arrow's Schema.fbs. How many buffers each has is said by the table
// of buffer layouts in Columnar.html; a wrong number shifts all columns after it.
fn kind(named: u8, about: Option<Flat<'_>>) -> (ArrowType, usize, bool) {
    let int = |field: usize| about.and_then(|about| about.int(field)).unwrap_or(0);
    match named {
        1 => (ArrowType::Other("nothing"), 0, false),
        2 => {
            let is_signed = about.and_then(|about| about.byte(1)).unwrap_or(0) != 0;
            match int(0) {
                width @ (8 | 16 | 32 | 64) => {
                    (ArrowType::Whole(width as usize / 8, is_signed), 2, false)
                }
                _ => (ArrowType::Other("numbers of another width"), 2, false),
            }
        }
        3 => match about.and_then(|about| about.short(0)).unwrap_or(0) {
            1 => (ArrowType::Real(4), 2, false),
            2 => (ArrowType::Real(8), 2, false),
            _ => (ArrowType::Other("floats of 16 bits"), 2, false),
        },
        4 | 19 => (ArrowType::Other("raw bytes"), 3, false),
        5 => (ArrowType::Texts(4), 3, false),
        20 => (ArrowType::Texts(8), 3, false),
        6 => (ArrowType::Other("true and false"), 2, false),
        7 => (ArrowType::Other("decimals"), 2, false),
        8..=11 | 18 => (ArrowType::Other("dates or times"), 2, false),
        12 => (ArrowType::Lists(4), 2, false),
        21 => (ArrowType::Lists(8), 2, false),
        17 => (ArrowType::Other("maps"), 2, false),
        13 => (ArrowType::Other("objects"), 1, false),
        // A sparse union has a buffer of types alone, a dense one also the place of each value.
        14 => {
            let is_dense = about.and_then(|about| about.short(0)).unwrap_or(0) == 1;
            let buffers = if is_dense { 2 } else { 1 };
            (ArrowType::Other("unions"), buffers, false)
        }
        15 => (ArrowType::Other("raw bytes"), 2, false),
        16 => (
            ArrowType::Fixed(u64::try_from(int(0)).unwrap_or(0)),
            1,
            false,
        ),
        23 => (ArrowType::Other("raw bytes"), 2, true),
        24 => (ArrowType::Views, 2, true),
        25 | 26 => (ArrowType::Other("views of lists"), 3, false),
        _ => (ArrowType::Other("what is not known here"), 0, false),
    }
}
