//! Converts a column of a batch into cells: numbers, lengths of lists, words of texts.

use super::super::cells::{CellColumn, Holds, real, signed};
use super::super::nested::Inner;
use super::super::typed_rows::FieldValue;
use super::super::value::Value;
use super::flat::Flat;
use packscope_core::error::Result;

/// The words for truths.
const TRUTHS: &str = "true and false";
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
    /// Truths of a bit.
    Bits,
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
            // Truths are no lengths.
            Self::Bits => NeededBuffers::None,
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
        let cell = |row: usize| -> Option<Value> {
            if !is_valid(valid, row) {
                return Some(Value::Null);
            }
            match self {
                Self::Whole(width, true) => {
                    Some(signed(extended(number(data, row, width)?, width)))
                }
                Self::Whole(width, false) => Some(Value::Whole(number(data, row, width)?)),
                Self::Real(width) => Some(real(float(data, row, width)?)),
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
                Self::Bits | Self::Other(_) => Some(Value::Missing),
            }
        };
        let least = match self {
            Self::Fixed(_) | Self::Bits | Self::Other(_) => rows.div_ceil(8),
            _ => rows,
        };
        is_claimed(rows, least, held).then_some(())?;
        (0..rows).map(cell).collect()
    }
}

impl ArrowType {
    /// Returns the number of a row, a truth as 1 or 0; `None` where it has none.
    fn number(self, row: usize, held: &[Vec<u8>]) -> Option<f64> {
        let [valid, data, ..] = held else {
            return None;
        };
        if !is_valid(valid, row) {
            return None;
        }
        match self {
            Self::Whole(width, true) => Some(extended(number(data, row, width)?, width) as f64),
            Self::Whole(width, false) => Some(number(data, row, width)? as f64),
            Self::Real(width) => float(data, row, width),
            Self::Bits => bit(data, row).map(|truth| f64::from(u8::from(truth))),
            _ => None,
        }
    }

    /// Returns the text of a row; `None` where it has none.
    fn text(self, row: usize, held: &[Vec<u8>]) -> Option<FieldValue> {
        let [valid, data, ..] = held else {
            return None;
        };
        if !is_valid(valid, row) {
            return None;
        }
        let text = match self {
            Self::Texts(width) => {
                let place = |row| usize::try_from(number(data, row, width)?).ok();
                held.get(2)?.get(place(row)?..place(row + 1)?)?
            }
            Self::Views => view(held, row)?,
            _ => return None,
        };
        Some(FieldValue::Text(text.to_vec()))
    }
}

/// Returns the lists of a column of this type, whose elements have another type; `None` if a buffer is too short.
fn lists(
    kind: ArrowType,
    rows: usize,
    own: &[Vec<u8>],
    (inner, elements): (ArrowType, &[Vec<u8>]),
) -> Option<Vec<FieldValue>> {
    is_claimed(rows, rows.div_ceil(8), own).then_some(())?;
    let (empty, bytes) = (Vec::new(), elements.get(1).map_or(0, Vec::len));
    let (valid, offsets) = (own.first().unwrap_or(&empty), own.get(1).unwrap_or(&empty));
    let list = |row: usize| {
        let (from, to) = match kind {
            ArrowType::Lists(width) => (
                number(offsets, row, width)?,
                number(offsets, row + 1, width)?,
            ),
            ArrowType::Fixed(n) => (
                (row as u64).checked_mul(n)?,
                (row as u64 + 1).checked_mul(n)?,
            ),
            _ => return None,
        };
        if !is_valid(valid, row) {
            return Some(FieldValue::Other);
        }
        // No element takes less than a bit: a damaged offset must not ask for all memory.
        let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
        if from > to || to > bytes.saturating_mul(8) {
            return None;
        }
        let element = |at: usize| inner.number(at, elements).unwrap_or(f64::NAN);
        Some(FieldValue::Numbers((from..to).map(element).collect()))
    };
    (0..rows).map(list).collect()
}

/// Whether so many rows may be in these buffers. Rows that take no bytes may be claimed in any number: such claims end at a
/// million rows.
fn is_claimed(rows: usize, least: usize, held: &[Vec<u8>]) -> bool {
    let bytes: usize = held.iter().map(Vec::len).sum();
    least <= bytes || rows <= 1 << 20
}

/// Whether a row has a value; the bitmap is left out if all have.
fn is_valid(bitmap: &[u8], row: usize) -> bool {
    bitmap.is_empty() || bit(bitmap, row) == Some(true)
}

fn bit(bitmap: &[u8], row: usize) -> Option<bool> {
    Some(bitmap.get(row / 8)? >> (row % 8) & 1 == 1)
}

/// Returns a number of this many bytes with its sign.
fn extended(bits: u64, width: usize) -> i64 {
    // Moves the sign bit to the top and back, which extends it to 64 bits.
    let unused = 64 - 8 * width as u32;
    (bits << unused) as i64 >> unused
}

fn float(data: &[u8], row: usize, width: usize) -> Option<f64> {
    Some(match width {
        4 => f32::from_bits(number(data, row, 4)? as u32).into(),
        _ => f64::from_bits(number(data, row, 8)?),
    })
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

/// Reads buffers of a column in a batch, by their numbers from that of the column on.
pub(super) struct ReadBuffers<'b> {
    pub read: &'b dyn Fn(usize) -> Result<Vec<u8>>,
    /// The buffers of texts in views.
    pub views: usize,
}

impl ReadBuffers<'_> {
    fn held(&self, needs: NeededBuffers) -> Result<Vec<Vec<u8>>> {
        let needed = match needs {
            NeededBuffers::None => 0,
            NeededBuffers::Buffers(n) => n,
            NeededBuffers::Views => 2 + self.views,
        };
        (0..needed).map(self.read).collect()
    }
}

impl ArrowColumn {
    /// Returns the cells of the rows of a batch; `None` if a buffer is too short.
    ///
    /// # Errors
    /// When a buffer lies outside of the batch.
    pub fn cells(&self, rows: usize, buffers: &ReadBuffers<'_>) -> Result<Option<Vec<Value>>> {
        Ok(self.kind.cells(rows, &buffers.held(self.kind.needs())?))
    }

    /// Returns the values of the rows of a batch, with all elements of their lists; `None` if a buffer is too short.
    ///
    /// # Errors
    /// When a buffer lies outside of the batch.
    pub fn values(
        &self,
        rows: usize,
        buffers: &ReadBuffers<'_>,
    ) -> Result<Option<Vec<FieldValue>>> {
        if let (ArrowType::Lists(_) | ArrowType::Fixed(_), [inner]) = (self.kind, &self.inner[..]) {
            let own = buffers.held(self.kind.needs())?;
            // The buffers of the elements follow those of the lists.
            let of_elements = |nth: usize| (buffers.read)(self.buffers + nth);
            if matches!(
                inner.kind,
                ArrowType::Whole(..) | ArrowType::Real(_) | ArrowType::Bits
            ) {
                let elements = [of_elements(0)?, of_elements(1)?];
                return Ok(lists(self.kind, rows, &own, (inner.kind, &elements)));
            }
        }
        let (held, is_text) = match self.kind {
            ArrowType::Bits => (vec![(buffers.read)(0)?, (buffers.read)(1)?], false),
            kind => (
                buffers.held(kind.needs())?,
                matches!(kind, ArrowType::Texts(_) | ArrowType::Views),
            ),
        };
        if !is_claimed(rows, rows.div_ceil(8), &held) {
            return Ok(None);
        }
        let value = |row: usize| match is_text {
            true => self.kind.text(row, &held),
            false => self.kind.number(row, &held).map(FieldValue::Number),
        };
        Ok(Some(
            (0..rows)
                .map(|row| value(row).unwrap_or(FieldValue::Other))
                .collect(),
        ))
    }

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
            ArrowType::Bits => Holds::Other(TRUTHS),
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
        6 => (ArrowType::Bits, 2, false),
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
