//! Input files, and the results and callbacks of reading them.

use super::{Description, Source};
use packscope_core::histogram::Sizes;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// An input file.
#[derive(Clone, Copy)]
pub struct File<'a> {
    /// Its name, by which files that belong together are found.
    pub name: &'a str,
    /// Its bytes.
    pub source: &'a dyn Source,
}

/// The contents of files, and a description of how they were read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Read {
    /// The sizes of the items of all files together.
    pub counted: Sizes,
    /// A description of the reading.
    pub description: Description,
    /// Those of each file by name, if there are several.
    pub each: Vec<(String, Sizes)>,
}

/// A callback that receives the bytes read and the bytes in total, and decides whether to go on. On a break the part
/// read so far is the result, labelled as a sample.
pub type ReadProgress<'p> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'p;

/// A callback for each record in the order of the input, with its size (one value per component) and its count.
pub type RecordVisitor<'p> = dyn FnMut(&[u32], u64) + 'p;
