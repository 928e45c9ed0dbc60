//! An assignment written while the items are read.

use super::assigner::{AssignedItem, Assigner};
use super::document::Document;
use super::parse::components;
use crate::error::{Error, Result, named};
use crate::histogram::{Overlong, Size};
use crate::ingest::RecordVisitor;
use serde::{Deserialize, Serialize};
use std::io::Write;

/// The format of a written assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// `item,pack,place`, then offset and size of each component (`offset,length`, or
    /// `nodes_offset,edges_offset,nodes,edges`); a line for each piece, in the order of the items.
    Csv,
    /// A NumPy array (format 1.0) of shape (items,): the pack of each item, −1 for dropped ones; `<i4`, or `<i8` above
    /// 2^31 − 1 packs. Not for split items.
    Npy,
}

impl Form {
    /// Every form, in the order in which errors list them.
    pub const ALL: [Self; 2] = [Self::Csv, Self::Npy];

    /// Returns the name on the command line, and the extension of the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Npy => "npy",
        }
    }
}

impl std::str::FromStr for Form {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self> {
        named("format", s, &Self::ALL, Self::name)
    }
}

/// Counts of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignmentCounts {
    /// Items that were read, dropped ones included.
    pub items: u64,
    /// Pieces of these items in packs.
    pub pieces: u64,
    /// Items above a limit that were left out.
    pub dropped: u64,
    /// Packs, every one as full as planned.
    pub packs: u64,
}

/// Bytes are handed on once this many have been collected.
const PIECE: usize = 1 << 16;

/// The receiver of the bytes, piece by piece.
type Out<'o> = dyn FnMut(&[u8]) + 'o;

/// Takes items in their order and hands on the bytes as they are written, so memory does not grow with the items.
pub struct AssignmentWriter<'o, const K: usize> {
    assigner: Assigner<K>,
    form: Form,
    wide: bool,
    packs: u64,
    /// The announced number of items, for a format that states it first.
    items: u64,
    buffer: Vec<u8>,
    out: Box<Out<'o>>,
    /// The first error: readers call back without a result, so that it waits here for `check`.
    fault: Option<Error>,
}

impl<const K: usize> std::fmt::Debug for AssignmentWriter<'_, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AssignmentWriter")
            .field("assigner", &self.assigner)
            .finish_non_exhaustive()
    }
}

impl<'o, const K: usize> AssignmentWriter<'o, K> {
    /// Starts the assignment of `items` items; `out` receives the bytes. A seed shuffles the numbers of the packs.
    ///
    /// # Errors
    /// As [`Assigner::new`]; [`Error::Input`] for an array of packs if items are split.
    pub fn new(
        plan: &Document<K>,
        form: Form,
        seed: Option<u64>,
        items: u64,
        out: impl FnMut(&[u8]) + 'o,
    ) -> Result<Self> {
        if form == Form::Npy && plan.about.overlong == Overlong::Split {
            return Err(Error::Input {
                place: "the format".to_owned(),
                message: "npy has one pack for each item, and these are split; choose csv"
                    .to_owned(),
            });
        }
        let (assigner, packs) = (Assigner::new(plan, seed)?, plan.packs());
        // Signed numbers, since −1 stands for a dropped item.
        let wide = packs > i32::MAX as u64;
        let buffer = match form {
            Form::Csv => head(&plan.about.components),
            Form::Npy => npy_head(wide, items),
        };
        Ok(Self {
            assigner,
            form,
            wide,
            packs,
            items,
            buffer,
            out: Box::new(out),
            fault: None,
        })
    }

    /// Draws by a seed which of the items of one size gets which slot: see [`Assigner::with_redraw`].
    #[must_use]
    pub fn with_redraw(mut self, seed: u64) -> Self {
        self.assigner = self.assigner.with_redraw(seed);
        self
    }

    /// Takes `count` items of one size. After an error, further items are ignored: see [`check`](Self::check).
    pub fn take(&mut self, size: &[u32], count: u64) {
        let Ok(size) = size.try_into() else {
            self.fault.get_or_insert(Error::Components {
                limits: K,
                components: size.len(),
            });
            return;
        };
        for _ in 0..count {
            if self.fault.is_some() {
                return;
            }
            self.fault = self.one(size).err();
            if self.buffer.len() >= PIECE {
                self.flush();
            }
        }
    }

    /// Returns the first error; there is no use in reading on after it.
    ///
    /// # Errors
    /// As [`Assigner::place`].
    pub fn check(&self) -> Result<()> {
        self.fault.clone().map_or(Ok(()), Err)
    }

    /// Ends the items and writes the rest.
    ///
    /// # Errors
    /// As [`check`](Self::check) and [`Assigner::finish`].
    pub fn finish(&mut self) -> Result<AssignmentCounts> {
        self.check()?;
        self.assigner.finish()?;
        let (items, pieces) = (self.assigner.items(), self.assigner.pieces());
        // The head with their number is written already, and perhaps handed on.
        if self.form == Form::Npy && items != self.items {
            let message = format!(
                "there are {items} items; expected {}, as before",
                self.items
            );
            return Err(Error::Input {
                place: "the end".to_owned(),
                message,
            });
        }
        self.flush();
        Ok(AssignmentCounts {
            items,
            pieces,
            dropped: self.assigner.dropped(),
            packs: self.packs,
        })
    }

    fn one(&mut self, size: Size<K>) -> Result<()> {
        let Self {
            assigner,
            form,
            wide,
            buffer,
            ..
        } = self;
        let item = assigner.items();
        let mut placed = None;
        assigner.place(size, &mut |piece| {
            if *form == Form::Csv {
                line(buffer, item, &piece);
            }
            placed = Some(piece.pack as i64);
        })?;
        if *form == Form::Npy {
            let pack = placed.unwrap_or(-1);
            match wide {
                true => buffer.extend(pack.to_le_bytes()),
                false => buffer.extend((pack as i32).to_le_bytes()),
            }
        }
        Ok(())
    }

    fn flush(&mut self) {
        (self.out)(&self.buffer);
        self.buffer.clear();
    }
}

/// Returns the header: two columns for each component, its offset and its size.
fn head(components: &[String]) -> Vec<u8> {
    let one = match components {
        [_] => "offset,length".to_owned(),
        many => {
            // Names come from the data: what would need quotes becomes `_`, as simple readers split
            // at every comma.
            let name = |n: &String| super::table::quoted(&n.replace([',', '"', '\n', '\r'], "_"));
            let offsets = many.iter().map(|n| format!("{}_offset", name(n)));
            offsets
                .chain(many.iter().map(name))
                .collect::<Vec<_>>()
                .join(",")
        }
    };
    format!("item,pack,place,{one}\n").into_bytes()
}

fn line<const K: usize>(buffer: &mut Vec<u8>, item: u64, piece: &AssignedItem<K>) {
    let sizes = piece.size.iter().map(|size| u64::from(*size));
    let rest = [piece.pack, piece.place]
        .into_iter()
        .chain(piece.offset)
        .chain(sizes);
    // Writing to memory cannot fail.
    let _ = write!(buffer, "{item}");
    for number in rest {
        let _ = write!(buffer, ",{number}");
    }
    buffer.push(b'\n');
}

/// Returns the header of NumPy's format, version 1.0: magic, length, a dictionary, padded to a multiple of 64 bytes.
fn npy_head(wide: bool, items: u64) -> Vec<u8> {
    let kind = if wide { "<i8" } else { "<i4" };
    let mut words = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({items},), }}");
    // Magic and version have eight bytes, the length of the dictionary two.
    let before = 10;
    let whole = (before + words.len() + 1).next_multiple_of(64);
    words.extend(std::iter::repeat_n(' ', whole - before - words.len() - 1));
    words.push('\n');
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    head.extend((words.len() as u16).to_le_bytes());
    head.extend(words.bytes());
    head
}

/// A source that reads the items once more and calls back for each.
pub type ItemSource<'a> = dyn FnMut(&mut RecordVisitor<'_>) -> Result<()> + 'a;

/// Reads items once more, and writes their assignment.
///
/// # Errors
/// Errors of the reader, of [`AssignmentWriter::check`] and of [`AssignmentWriter::finish`].
pub fn over<const K: usize>(
    mut writing: AssignmentWriter<'_, K>,
    items: &mut ItemSource<'_>,
) -> Result<AssignmentCounts> {
    // Sizes of texts have their stopwords after the length; packs do not count them.
    items(&mut |size, count| writing.take(size.get(..K).unwrap_or(size), count))?;
    writing.finish()
}

/// Assigns items to a written plan with one component or two, for a worker.
///
/// # Errors
/// Errors of [`Document::parse`], [`AssignmentWriter::new`] and [`over`]; [`Error::Components`] for more than two components.
pub fn assign(
    plan: &str,
    (form, seed, count): (Form, Option<u64>, u64),
    items: &mut ItemSource<'_>,
    out: impl FnMut(&[u8]),
) -> Result<AssignmentCounts> {
    match components(plan)? {
        1 => over(
            AssignmentWriter::new(&Document::<1>::parse(plan)?, form, seed, count, out)?,
            items,
        ),
        2 => over(
            AssignmentWriter::new(&Document::<2>::parse(plan)?, form, seed, count, out)?,
            items,
        ),
        limits => Err(Error::Components {
            limits,
            components: 2,
        }),
    }
}
