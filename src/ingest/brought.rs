//! Input files, and the results and callbacks of reading them.

use super::{Description, Source};
use crate::histogram::Histogram;
use std::ops::ControlFlow;

/// An input file.
#[derive(Clone, Copy)]
pub struct File<'a> {
    /// Its name, by which files that belong together are found.
    pub name: &'a str,
    /// Its bytes.
    pub source: &'a dyn Source,
}

/// A histogram of the input, by kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Counted {
    /// Lengths of sequences.
    Lengths(Histogram<1>),
    /// Words and stopwords of texts.
    Texts(Histogram<2>),
    /// Nodes and edges of graphs, or other sizes in pairs.
    Graphs(Histogram<2>),
}

/// The contents of files, and a description of how they were read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The histogram of all files together.
    pub counted: Counted,
    /// A description of the reading.
    pub description: Description,
    /// The histogram of each file by name, when there are several.
    pub each: Vec<(String, Counted)>,
}

/// A callback that receives the bytes read and the bytes in total, and decides whether to go on. On a break the part
/// read so far is the result, labelled as a sample.
pub type Progress<'p> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'p;

/// A callback for each record in the order of the input, with its size (one value per component) and its count.
pub type Each<'p> = dyn FnMut(&[u32], u64) + 'p;
