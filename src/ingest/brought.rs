//! What visitors bring, and what is told of it.

use super::{Description, Source};
use crate::histogram::Histogram;
use std::ops::ControlFlow;

/// A file that was brought.
#[derive(Clone, Copy)]
pub struct File<'a> {
    /// Its name, which says what belongs together.
    pub name: &'a str,
    /// Its bytes.
    pub source: &'a dyn Source,
}

/// What was counted.
#[derive(Debug, Clone, PartialEq)]
pub enum Counted {
    /// Lengths of sequences.
    Lengths(Histogram<1>),
    /// Words and stopwords of texts.
    Texts(Histogram<2>),
    /// Nodes and edges of graphs, or other sizes in pairs.
    Graphs(Histogram<2>),
}

/// What files hold, and how they were understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// All of them together.
    pub counted: Counted,
    /// How they were read.
    pub description: Description,
    /// Each by its name, when there are several.
    pub each: Vec<(String, Counted)>,
}

/// What is told how many bytes were read of how many, and decides whether the reading goes on. When it does not, what
/// was read so far is the result, labelled as a sample.
pub type Progress<'p> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'p;

/// Is told of each record in the order of the input: its size, with as many components as it has, and its count.
pub type Each<'p> = dyn FnMut(&[u32], u64) + 'p;
