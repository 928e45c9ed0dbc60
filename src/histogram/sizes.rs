//! Sizes of sequences or of graphs, shared by reference counting.

use super::Histogram;
use std::rc::Rc;

/// Sizes of items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sizes {
    /// Lengths of sequences.
    Lengths(Rc<Histogram<1>>),
    /// (length, stopwords) of sequences.
    Texts(Rc<Histogram<2>>),
    /// (nodes, edges) of graphs.
    Graphs(Rc<Histogram<2>>),
}

impl Sizes {
    /// Whether these are the same sizes in memory.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Lengths(a), Self::Lengths(b)) => Rc::ptr_eq(a, b),
            (Self::Texts(a), Self::Texts(b)) | (Self::Graphs(a), Self::Graphs(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}
