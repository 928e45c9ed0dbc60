//! NumPy: `.npy`, one array, and `.npz`, an archive of several.

mod header;

use super::cells::{CellColumn, Cells, Holds, Layout, RowSink, real, signed};
use super::formats::Format;
use super::set::Part;
use super::stream::{Stream, damage};
use super::value::Value;
use header::{ElementType, Header};
use packscope_core::error::{Error, Result};
use packscope_core::words::{count, plural};
use std::io::{self, BufRead, BufReader, Read};

/// Rows between checks for an early end.
const STEP: u64 = 1 << 16;

/// Columns of one or several arrays.
pub(super) struct Arrays<'a> {
    arrays: Vec<(Part<'a>, Header)>,
    layout: Layout,
}

impl<'a> Arrays<'a> {
    /// Opens one array, whose columns are numbered.
    ///
    /// # Errors
    /// When the header is damaged or the array holds no numbers.
    pub fn open_array(part: &Part<'a>) -> Result<Self> {
        let header = Header::read(&part.stream()?)?;
        header.refuse()?;
        let name = |i: u64| CellColumn {
            name: (i + 1).to_string(),
            holds: Holds::Numbers,
        };
        // A header may claim any number of columns without a byte of them.
        let fields = (0..header.columns.min(1 << 16)).map(name).collect();
        Ok(Self::new(vec![(part.clone(), header)], fields, false))
    }

    /// Opens several arrays, each a column named as in the archive.
    ///
    /// # Errors
    /// When a header is damaged.
    pub fn several(parts: &[Part<'a>]) -> Result<Self> {
        let mut arrays = Vec::new();
        let mut fields = Vec::new();
        for part in parts {
            let header = Header::read(&part.stream()?).map_err(|error| part.named(error))?;
            let name = part.name().trim_end_matches(".npy").to_owned();
            fields.push(CellColumn {
                name,
                holds: header.holds(),
            });
            arrays.push((part.clone(), header));
        }
        Ok(Self::new(arrays, fields, true))
    }

    fn new(arrays: Vec<(Part<'a>, Header)>, fields: Vec<CellColumn>, named: bool) -> Self {
        // All arrays of an archive share its source.
        let size = arrays.first().map_or(0, |(part, _)| part.source().size());
        Self {
            arrays,
            layout: Layout {
                format: Format::Array,
                fields,
                size,
                named,
            },
        }
    }

    fn strided(&self, i: usize) -> Result<StridedReader<'a>> {
        let (array, column) = if self.layout.named {
            (i, 0)
        } else {
            (0, i as u64)
        };
        let (part, header) = &self.arrays[array];
        StridedReader::new(part, header, column)
    }
}

impl Cells for Arrays<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn rows(&mut self, wanted: &[usize], to: &mut dyn RowSink<Value>) -> Result<()> {
        let mut columns = wanted
            .iter()
            .map(|i| self.strided(*i))
            .collect::<Result<Vec<_>>>()?;
        let rows = columns.first().map_or(0, |column| column.rows);
        if let Some((i, other)) = columns
            .iter()
            .enumerate()
            .find(|(_, column)| column.rows != rows)
        {
            let (first, this) = (
                &self.layout.fields[wanted[0]].name,
                &self.layout.fields[wanted[i]].name,
            );
            return Err(Error::Input {
                place: format!("the array \"{this}\""),
                message: format!(
                    "it has {}, but \"{first}\" has {}; expected as many",
                    plural(other.rows, "element"),
                    count(rows)
                ),
            });
        }
        let mut cells = vec![Value::Missing; columns.len()];
        for row in 1..=rows {
            for (cell, column) in cells.iter_mut().zip(&mut columns) {
                *cell = column.next()?;
            }
            let is_enough = to.row(&cells);
            // `rows` may be 10 million, so that the position is only asked for now and then.
            if is_enough || (row % STEP == 0 && to.reached(columns[0].position())) {
                return Ok(());
            }
        }
        columns.iter_mut().try_for_each(StridedReader::end)?;
        // At the end of a file it is too late to stop for a sample, so the answer is ignored.
        let _ = columns
            .first()
            .is_some_and(|column| to.reached(column.position()));
        Ok(())
    }
}

struct StridedReader<'a> {
    reader: BufReader<Stream<'a>>,
    kind: ElementType,
    width: usize,
    big: bool,
    rows: u64,
    read: u64,
    /// Bytes between two elements, and after the last one.
    gap: u64,
    tail: u64,
}

impl<'a> StridedReader<'a> {
    fn new(part: &Part<'a>, header: &Header, column: u64) -> Result<Self> {
        let width = header.width as u64;
        // Column-major: a column lies in one piece. Row-major: an element of each row.
        let (lead, gap, tail) = match header.fortran {
            true => (
                column * header.rows * width,
                0,
                (header.columns - 1 - column) * header.rows * width,
            ),
            false => (
                column * width,
                (header.columns - 1) * width,
                (header.columns - 1 - column) * width,
            ),
        };
        let reader = BufReader::with_capacity(1 << 16, part.stream()?);
        let mut strided = Self {
            reader,
            kind: header.kind,
            width: header.width,
            big: header.big,
            rows: header.rows,
            read: 0,
            gap,
            tail,
        };
        // Without rows there is nothing before or after the elements either.
        if header.rows > 0 {
            strided.skip(header.begin + lead)?;
        } else {
            strided.skip(header.begin)?;
        }
        Ok(strided)
    }

    fn position(&self) -> u64 {
        self.reader.get_ref().position()
    }

    fn skip(&mut self, bytes: u64) -> Result<()> {
        let skipped = io::copy(&mut self.reader.by_ref().take(bytes), &mut io::sink());
        match skipped.map_err(|e| damage(e, self.position()))? {
            n if n == bytes => Ok(()),
            _ => Err(self.short()),
        }
    }

    fn next(&mut self) -> Result<Value> {
        if self.read > 0 && self.gap > 0 {
            self.skip(self.gap)?;
        }
        let mut bytes = [0; 8];
        match self.reader.read_exact(&mut bytes[..self.width]) {
            Ok(()) => {}
            Err(error)
                // An error of our own has a cause within; only the bare one means the end of the
                // file.
                if error.kind() == io::ErrorKind::UnexpectedEof && error.get_ref().is_none() =>
            {
                return Err(self.short());
            }
            Err(error) => return Err(damage(error, self.position())),
        }
        self.read += 1;
        // The bytes above the width stay 0, as `value` expects.
        if self.big {
            bytes[..self.width].reverse();
        }
        Ok(self.kind.value(bytes, self.width))
    }

    fn short(&self) -> Error {
        Error::Input {
            place: format!("row {}", count(self.read + 1)),
            message: format!(
                "the array ends here, but its header says {}; is the file complete?",
                plural(self.rows, "row")
            ),
        }
    }

    /// Checks that nothing follows the array.
    fn end(&mut self) -> Result<()> {
        if self.rows > 0 {
            self.skip(self.tail)?;
        }
        let more = self.reader.fill_buf().map_err(|e| damage(e, 0))?;
        if more.is_empty() {
            return Ok(());
        }
        Err(Error::Input {
            place: format!("row {}", count(self.rows + 1)),
            message: format!(
                "something follows the last of the {} that the header says; expected one array",
                plural(self.rows, "row")
            ),
        })
    }
}

impl ElementType {
    /// Decodes a number from little-endian bytes that are 0 above its width.
    fn value(self, bytes: [u8; 8], width: usize) -> Value {
        let whole = u64::from_le_bytes(bytes);
        let unused = 64 - 8 * width as u32;
        match self {
            Self::Unsigned => Value::Whole(whole),
            Self::Signed => signed((whole << unused) as i64 >> unused),
            Self::Float if width == 8 => real(f64::from_bits(whole)),
            Self::Float => real(f32::from_bits(whole as u32).into()),
            Self::Other(_) => Value::Missing,
        }
    }
}
