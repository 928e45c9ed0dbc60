//! Converts a chunk of a column into cells: numbers, lengths of lists, words of texts.

use super::super::cells::{real, signed};
use super::super::typed_rows::FieldValue;
use super::super::value::Value;
use super::pages::{ListValues, Pages};
use super::{SharedWindow, Window, kinds};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::Result;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::schema::types::ColumnDescPtr;
use std::sync::atomic::Ordering::Relaxed;

pub(super) struct ColumnChunk {
    reader: ColumnReader,
    descriptor: ColumnDescPtr,
    taken: ListValues,
    /// Its end, as an offset in the file.
    pub end: u64,
}

/// The definition and repetition levels of some rows.
#[derive(Default)]
struct Levels {
    defined: Vec<i16>,
    repeated: Vec<i16>,
}

impl ColumnChunk {
    /// Opens a chunk whose bytes begin at the offset `start` of the file.
    pub fn open(
        start: u64,
        bytes: Vec<u8>,
        meta: &ColumnChunkMetaData,
        rows: usize,
    ) -> Result<Self> {
        let end = start + bytes.len() as u64;
        let window = SharedWindow::new(Window {
            start,
            bytes: bytes.into(),
        });
        let taken = ListValues::default();
        let pages = Box::new(Pages::new(window, meta, rows, ListValues::clone(&taken))?);
        let descriptor = meta.column_descr_ptr();
        Ok(Self {
            reader: get_column_reader(descriptor.clone(), pages),
            descriptor,
            taken,
            end,
        })
    }

    /// Whether its cells are lists.
    pub fn is_list(&self) -> bool {
        self.descriptor.max_rep_level() > 0
    }

    /// Returns the cells of the next rows.
    pub fn read(&mut self, rows: usize) -> Result<Vec<Value>> {
        // The limit of list values is one of each request, not of the whole chunk.
        self.taken.store(0, Relaxed);
        let column = &self.descriptor;
        let unsigned = kinds::is_unsigned(column);
        let (is_decimal, scale) = (kinds::is_decimal(column), kinds::decimals(column));
        match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => {
                cells(reader, column, rows, |_| Value::Missing)
            }
            ColumnReader::Int32ColumnReader(reader) if unsigned => {
                // Unsigned numbers are stored with the bits of signed ones.
                cells(reader, column, rows, |n| Value::Whole((*n as u32).into()))
            }
            ColumnReader::Int32ColumnReader(reader) => {
                cells(reader, column, rows, |n| scaled((*n).into(), scale))
            }
            ColumnReader::Int64ColumnReader(reader) if unsigned => {
                cells(reader, column, rows, |n| Value::Whole(*n as u64))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                cells(reader, column, rows, |n| scaled(*n, scale))
            }
            ColumnReader::Int96ColumnReader(reader) => {
                cells(reader, column, rows, |_| Value::Missing)
            }
            ColumnReader::FloatColumnReader(reader) => {
                cells(reader, column, rows, |x| real((*x).into()))
            }
            ColumnReader::DoubleColumnReader(reader) => cells(reader, column, rows, |x| real(*x)),
            ColumnReader::ByteArrayColumnReader(reader) if is_decimal => {
                cells(reader, column, rows, |bytes| decimal(bytes.data(), scale))
            }
            ColumnReader::ByteArrayColumnReader(reader) => cells(reader, column, rows, words),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                cells(reader, column, rows, |bytes| decimal(bytes.data(), scale))
            }
        }
    }
}

impl ColumnChunk {
    /// Returns the values of the next rows, with all elements of their lists.
    pub fn values(&mut self, rows: usize) -> Result<Vec<FieldValue>> {
        self.taken.store(0, Relaxed);
        let column = &self.descriptor;
        let unsigned = kinds::is_unsigned(column);
        let is_number = kinds::decimals(column) == 0;
        let number = |x: f64| match is_number {
            true => FieldValue::Number(x),
            false => FieldValue::Other,
        };
        match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => values(reader, column, rows, |truth| {
                FieldValue::Number(f64::from(u8::from(*truth)))
            }),
            ColumnReader::Int32ColumnReader(reader) if unsigned => {
                values(reader, column, rows, |n| number((*n as u32).into()))
            }
            ColumnReader::Int32ColumnReader(reader) => {
                values(reader, column, rows, |n| number((*n).into()))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                values(reader, column, rows, |n| number(*n as f64))
            }
            ColumnReader::FloatColumnReader(reader) => {
                values(reader, column, rows, |x| number((*x).into()))
            }
            ColumnReader::DoubleColumnReader(reader) => {
                values(reader, column, rows, |x| number(*x))
            }
            ColumnReader::ByteArrayColumnReader(reader) => values(reader, column, rows, |bytes| {
                FieldValue::Text(bytes.data().to_vec())
            }),
            ColumnReader::Int96ColumnReader(reader) => {
                values(reader, column, rows, |_| FieldValue::Other)
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                values(reader, column, rows, |_| FieldValue::Other)
            }
        }
    }
}

/// Returns the values of the next rows; lists have numbers, and NaN for all else.
fn values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    column: &ColumnDescPtr,
    rows: usize,
    value: impl Fn(&T::T) -> FieldValue,
) -> Result<Vec<FieldValue>> {
    let (mut levels, mut read) = (Levels::default(), Vec::new());
    let (records, ..) = reader.read_records(
        rows,
        Some(&mut levels.defined),
        Some(&mut levels.repeated),
        &mut read,
    )?;
    let (whole, mut read) = (column.max_def_level(), read.iter());
    if whole == 0 {
        return Ok(read.map(value).collect());
    }
    let mut next = |level: i16| match level == whole {
        true => read.next().map_or(FieldValue::Other, &value),
        false => FieldValue::Other,
    };
    if column.max_rep_level() == 0 {
        let defined = levels.defined.iter().take(records);
        return Ok(defined.map(|level| next(*level)).collect());
    }
    // The levels are those of `lists`, below.
    let filled = column.repeated_ancestor_def_level();
    let mut all: Vec<FieldValue> = Vec::new();
    for (defined, repeated) in levels.defined.iter().zip(&levels.repeated) {
        if *repeated == 0 {
            all.push(match *defined + 1 >= filled {
                true => FieldValue::Numbers(Vec::new()),
                false => FieldValue::Other,
            });
        }
        if *defined >= filled
            && let Some(FieldValue::Numbers(list)) = all.last_mut()
        {
            list.push(match next(*defined) {
                FieldValue::Number(x) => x,
                _ => f64::NAN,
            });
        }
    }
    Ok(all)
}

/// Returns a decimal number from its unscaled value.
fn scaled(n: i64, scale: i32) -> Value {
    if scale == 0 {
        signed(n)
    } else {
        real(n as f64 / 10f64.powi(scale))
    }
}

/// Returns a decimal number from big-endian bytes.
fn decimal(bytes: &[u8], scale: i32) -> Value {
    if bytes.is_empty() || bytes.len() > 16 {
        return Value::Missing;
    }
    // Two's complement of any width: the sign fills the bytes above.
    let sign = if bytes[0] & 0x80 == 0 { 0 } else { 0xff };
    let mut wide = [sign; 16];
    wide[16 - bytes.len()..].copy_from_slice(bytes);
    let n = i128::from_be_bytes(wide);
    i64::try_from(n).map_or_else(|_| real(n as f64 / 10f64.powi(scale)), |n| scaled(n, scale))
}

fn words(bytes: &ByteArray) -> Value {
    Value::of_text(bytes.data())
}

fn cells<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    column: &ColumnDescPtr,
    rows: usize,
    cell: impl Fn(&T::T) -> Value,
) -> Result<Vec<Value>> {
    let (mut levels, mut values) = (Levels::default(), Vec::new());
    let (records, ..) = reader.read_records(
        rows,
        Some(&mut levels.defined),
        Some(&mut levels.repeated),
        &mut values,
    )?;
    if column.max_rep_level() > 0 {
        return Ok(lists(&levels, column));
    }
    if column.max_def_level() == 0 {
        return Ok(values.iter().map(cell).collect());
    }
    let mut values = values.iter();
    let whole = column.max_def_level();
    // `values` has only those that are defined; the levels say where the others are missing.
    let defined = levels.defined.iter().take(records);
    Ok(defined
        .map(|level| {
            if *level == whole {
                values.next().map_or(Value::Null, &cell)
            } else {
                Value::Null
            }
        })
        .collect())
}

/// Returns the number of elements of each list, including elements without a value.
fn lists(levels: &Levels, column: &ColumnDescPtr) -> Vec<Value> {
    // Dremel levels: from this one on a list has elements; one below, it is empty; below that, it
    // is null.
    let filled = column.repeated_ancestor_def_level();
    let mut cells: Vec<Value> = Vec::new();
    for (defined, repeated) in levels.defined.iter().zip(&levels.repeated) {
        match cells.last_mut() {
            // A repetition level of 0 begins a new row.
            Some(Value::Elements(n)) if *repeated > 0 => *n += 1,
            _ if *defined >= filled => cells.push(Value::Elements(1)),
            _ if *defined + 1 == filled => cells.push(Value::Elements(0)),
            _ => cells.push(Value::Null),
        }
    }
    cells
}
