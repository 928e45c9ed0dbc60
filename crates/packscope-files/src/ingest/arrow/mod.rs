//! Arrow IPC, as a file or as a stream, as written by `save_to_disk` of Hugging Face and `write_ipc` of Polars. Memory
//! for one batch of each column read. Source: <https://arrow.apache.org/docs/format/Columnar.html>.

mod column;
mod flat;

use super::Source;
use super::cells::{Cells, Layout, RowSink};
use super::formats::Format;
use super::set::{ARROW as MAGIC, MESSAGE, Part};
use super::source::whole;
use super::typed_rows::{FieldValue, TypedRows};
use super::value::Value;
use column::{ArrowColumn, ReadBuffers};
use flat::Flat;
use packscope_core::error::{Error, Result};
use packscope_core::words::count;

// Six bytes of magic, padded to eight.
const BEGIN: u64 = 8;
/// The most bytes of metadata, and of a buffer: a damaged length must not ask for all memory.
const MOST: u64 = 1 << 30;

const SCHEMA: u8 = 1;
const BATCH: u8 = 3;

pub(super) struct Arrow<'a> {
    source: &'a dyn Source,
    /// The offset of the messages after the schema, or, in a file, of each of its batches.
    batches: Batches,
    columns: Vec<ArrowColumn>,
    layout: Layout,
}

enum Batches {
    /// One after the other, from here on.
    From(u64),
    /// Listed in the footer of a file.
    Listed(Vec<Block>),
}

/// The place of a batch, the bytes of its metadata, and those of its body.
#[derive(Debug, Clone, Copy)]
struct Block {
    at: u64,
    head: u64,
    body: u64,
}

struct Message {
    head: Vec<u8>,
    body: u64,
    end: u64,
}

fn wrong(byte: u64, message: &str) -> Error {
    Error::Input {
        place: format!("byte {}", count(byte + 1)),
        message: format!("the Arrow data cannot be read ({message}); is the file complete?"),
    }
}

/// Reads the message at a place; `None` at the end.
fn message(source: &dyn Source, at: u64) -> Result<Option<Message>> {
    let begin = whole(source, at, 8)?;
    // Fewer than four bytes are left: a stream may end without its end mark.
    let Some((mark, length)) = begin.split_first_chunk::<4>() else {
        return Ok(None);
    };
    if mark != MESSAGE {
        // The footer of a file follows the messages.
        return Ok(None);
    }
    let length: [u8; 4] = length
        .try_into()
        .map_err(|_| wrong(at, "it ends inside a message"))?;
    let length = u64::from(u32::from_le_bytes(length));
    // The mark of the end.
    if length == 0 {
        return Ok(None);
    }
    let body = at + 8 + length;
    if length > MOST || body > source.size() {
        return Err(wrong(at, "a message is longer than the file"));
    }
    let head = whole(source, at + 8, usize::try_from(length).unwrap_or(0))?;
    // Slot 3 of a message is the length of its body.
    let long = Flat::root(&head)
        .map(|flat| flat.long(3).unwrap_or(0))
        .and_then(|long| u64::try_from(long).ok());
    let long = long.ok_or_else(|| wrong(at, "a message is damaged"))?;
    let end = body.checked_add(long).filter(|end| *end <= source.size());
    Ok(Some(Message {
        head,
        body,
        end: end.ok_or_else(|| wrong(at, "it ends inside a batch"))?,
    }))
}

/// Reads the message of a batch listed in the footer. Some writers leave out the prefix of its metadata.
fn listed(source: &dyn Source, block: Block) -> Result<Message> {
    let body = block.at.checked_add(block.head);
    let end = body
        .and_then(|body| body.checked_add(block.body))
        .filter(|end| *end <= source.size());
    let (Some(body), Some(end)) = (body, end.filter(|_| block.head <= MOST)) else {
        return Err(wrong(block.at, "a batch lies outside of the file"));
    };
    let mut head = whole(source, block.at, usize::try_from(block.head).unwrap_or(0))?;
    // Marks of continuation and length, or the length alone as before Arrow 0.15, or neither.
    let before = match head.get(..4) {
        Some(MESSAGE) => 8,
        Some(length)
            if u64::from(u32::from_le_bytes([
                length[0], length[1], length[2], length[3],
            ])) + 4
                == block.head =>
        {
            4
        }
        _ => 0,
    };
    head.drain(..before.min(head.len()));
    Ok(Message { head, body, end })
}

/// Reads the footer of a file: its columns and batches.
fn footer(source: &dyn Source) -> Result<(Vec<ArrowColumn>, Vec<Block>)> {
    let size = source.size();
    let ends = || wrong(size, "it does not end as Arrow does");
    let tail = MAGIC.len() as u64 + 4;
    let from = size
        .checked_sub(tail)
        .filter(|from| *from > BEGIN)
        .ok_or_else(ends)?;
    let bytes = whole(source, from, MAGIC.len() + 4)?;
    let Some((length, MAGIC)) = bytes.split_first_chunk::<4>() else {
        return Err(ends());
    };
    let length = u64::from(u32::from_le_bytes(*length));
    let begin = from
        .checked_sub(length)
        .filter(|begin| *begin >= BEGIN && length <= MOST)
        .ok_or_else(ends)?;
    let bytes = whole(source, begin, usize::try_from(length).unwrap_or(0))?;
    let damaged = || wrong(begin, "the footer is damaged");
    let flat = Flat::root(&bytes).ok_or_else(damaged)?;
    // Slots of the footer: 1 schema, 3 batches, each a struct of three numbers of 64 bits.
    let columns = flat.table(1).and_then(schema).ok_or_else(damaged)?;
    let blocks = flat.longs(3, 3).ok_or_else(damaged)?;
    let block = |block: &[i64]| {
        // The length of the metadata has 32 bits, followed by 32 bits of padding.
        let head = u64::from(block[1] as u32);
        Some(Block {
            at: block[0].try_into().ok()?,
            head,
            body: block[2].try_into().ok()?,
        })
    };
    let blocks = blocks
        .chunks_exact(3)
        .map(block)
        .collect::<Option<_>>()
        .ok_or_else(damaged)?;
    Ok((columns, blocks))
}

impl<'a> Arrow<'a> {
    /// Opens a file or a stream.
    ///
    /// # Errors
    /// When the schema is damaged.
    pub fn open(part: &Part<'a>) -> Result<Self> {
        let source = part.source();
        let is_file = whole(source, 0, MAGIC.len())? == MAGIC;
        // The footer of a pipe cannot be reached, as its size is unknown (`u64::MAX`). It is read
        // like the stream that a file contains.
        let (columns, batches) = if is_file && source.size() < u64::MAX {
            let (columns, blocks) = footer(source)?;
            (columns, Batches::Listed(blocks))
        } else {
            let begin = if is_file { BEGIN } else { 0 };
            let Some(first) = message(source, begin)? else {
                return Err(wrong(begin, "there is no schema"));
            };
            let columns =
                columns(&first.head).ok_or_else(|| wrong(begin, "the schema is damaged"))?;
            (columns, Batches::From(first.end))
        };
        let fields = columns.iter().map(ArrowColumn::field).collect();
        let layout = Layout {
            format: Format::Arrow,
            fields,
            size: source.size(),
            named: true,
        };
        Ok(Self {
            source,
            batches,
            columns,
            layout,
        })
    }

    /// Returns the cells of some columns of a batch, as `cells` has them of a column; `None` for what is no batch.
    fn batch<C>(
        &self,
        message: &Message,
        wanted: &[usize],
        cells: impl Fn(&ArrowColumn, usize, &ReadBuffers<'_>) -> Result<Option<Vec<C>>>,
    ) -> Result<Option<Vec<Vec<C>>>> {
        let damaged = |what: &str| wrong(message.body, what);
        let root = Flat::root(&message.head).ok_or_else(|| damaged("a message is damaged"))?;
        // Slots of a message: 1 kind, 2 contents. Dictionaries and later schemas are left out.
        if root.byte(1) != Some(BATCH) {
            return Ok(None);
        }
        let batch = root.table(2).ok_or_else(|| damaged("a batch is damaged"))?;
        if batch.table(3).is_some() {
            return Err(Error::Input {
                place: format!("byte {}", count(message.body + 1)),
                message: "its batches are packed; write it with compression=\"uncompressed\", or as Parquet"
                    .to_owned(),
            });
        }
        let rows = batch.long(0).and_then(|rows| usize::try_from(rows).ok());
        // Slots of a batch: 0 rows, 2 buffers, 3 compression, 4 numbers of further buffers.
        let parts = (rows, batch.longs(2, 2), batch.longs(4, 1));
        let (Some(rows), Some(buffers), Some(views)) = parts else {
            return Err(damaged("a batch is damaged"));
        };
        let places = places(&self.columns, &views);
        let read = wanted.iter().map(|i| {
            let read = |nth: usize| self.buffer(message, &buffers, places[*i] + nth);
            let views =
                usize::try_from(views.get(places.views(*i)).copied().unwrap_or(0)).unwrap_or(0);
            let buffers = ReadBuffers { read: &read, views };
            cells(&self.columns[*i], rows, &buffers)?
                .ok_or_else(|| damaged("a column is shorter than its batch"))
        });
        read.collect::<Result<_>>().map(Some)
    }

    /// Passes the rows of all batches to `to`, as `cells` has them of a column.
    fn pass<C>(
        &self,
        wanted: &[usize],
        cells: impl Fn(&ArrowColumn, usize, &ReadBuffers<'_>) -> Result<Option<Vec<C>>>,
        to: &mut dyn RowSink<C>,
    ) -> Result<()> {
        self.each_message(&mut |message| {
            if let Some(read) = self.batch(message, wanted, &cells)? {
                let rows = read.iter().map(Vec::len).min().unwrap_or(0);
                let mut columns: Vec<_> = read.into_iter().map(Vec::into_iter).collect();
                let mut row = Vec::with_capacity(columns.len());
                for _ in 0..rows {
                    row.clear();
                    row.extend(columns.iter_mut().filter_map(Iterator::next));
                    if to.row(&row) {
                        return Ok(true);
                    }
                }
            }
            Ok(to.reached(message.end))
        })
    }

    /// Passes on the messages, one after the other, until `each` wants no more.
    fn each_message(&self, each: &mut dyn FnMut(&Message) -> Result<bool>) -> Result<()> {
        match &self.batches {
            Batches::From(begin) => {
                let mut at = *begin;
                while let Some(message) = message(self.source, at)? {
                    at = message.end;
                    if each(&message)? {
                        break;
                    }
                }
            }
            Batches::Listed(blocks) => {
                for block in blocks {
                    if each(&listed(self.source, *block)?)? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn buffer(&self, message: &Message, buffers: &[i64], nth: usize) -> Result<Vec<u8>> {
        let damaged = || wrong(message.body, "a buffer lies outside of its batch");
        let (Some(offset), Some(length)) = (buffers.get(2 * nth), buffers.get(2 * nth + 1)) else {
            return Err(damaged());
        };
        let (Ok(offset), Ok(length)) = (u64::try_from(*offset), u64::try_from(*length)) else {
            return Err(damaged());
        };
        let begin = message.body.checked_add(offset);
        let is_inside = begin
            .and_then(|begin| begin.checked_add(length))
            .is_some_and(|end| end <= message.end);
        match begin.filter(|_| is_inside && length <= MOST) {
            Some(begin) => whole(self.source, begin, usize::try_from(length).unwrap_or(0)),
            None => Err(damaged()),
        }
    }
}

/// The first buffer of each column, and the index of its number of further buffers.
struct Places(Vec<(usize, usize)>);

impl std::ops::Index<usize> for Places {
    type Output = usize;
    fn index(&self, column: usize) -> &usize {
        &self.0[column].0
    }
}

impl Places {
    fn views(&self, column: usize) -> usize {
        self.0[column].1
    }
}

fn places(columns: &[ArrowColumn], views: &[i64]) -> Places {
    let (mut buffers, mut seen) = (0, 0);
    let mut places = Vec::with_capacity(columns.len());
    for column in columns {
        places.push((buffers, seen));
        column.skip(&mut buffers, &mut seen, views);
    }
    Places(places)
}

fn columns(head: &[u8]) -> Option<Vec<ArrowColumn>> {
    let root = Flat::root(head)?;
    if root.byte(1) != Some(SCHEMA) {
        return None;
    }
    schema(root.table(2)?)
}

fn schema(schema: Flat<'_>) -> Option<Vec<ArrowColumn>> {
    // Slot 0 is the byte order. Big-endian machines are not supported: hardly any are left.
    if schema.short(0).unwrap_or(0) != 0 {
        return None;
    }
    schema
        .tables(1)?
        .into_iter()
        .map(|field| ArrowColumn::new(field, 0))
        .collect()
}

impl Cells for Arrow<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn rows(&mut self, wanted: &[usize], to: &mut dyn RowSink<Value>) -> Result<()> {
        self.pass(wanted, ArrowColumn::cells, to)
    }
}

impl TypedRows for Arrow<'_> {
    fn table(&self) -> &Layout {
        &self.layout
    }

    fn typed_rows(&mut self, wanted: &[usize], to: &mut dyn RowSink<FieldValue>) -> Result<()> {
        self.pass(wanted, ArrowColumn::values, to)
    }
}
