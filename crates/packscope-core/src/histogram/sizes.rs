//! Sizes of sequences or of graphs, shared by reference counting.

use super::{Histogram, Size};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::rc::Rc;

/// Sizes of items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sizes {
    /// Lengths of sequences.
    Lengths(Rc<Histogram<1>>),
    /// (length, stopwords) of sequences.
    Texts(Rc<Histogram<2>>),
    /// (nodes, edges) of graphs.
    Graphs(Rc<Histogram<2>>),
}

impl Sizes {
    /// Returns the lengths of sequences; `None` for graphs.
    pub fn lengths(&self) -> Option<Rc<Histogram<1>>> {
        match self {
            Self::Lengths(lengths) => Some(Rc::clone(lengths)),
            // A new histogram each time: two calls are not the same for `is_same`.
            Self::Texts(texts) => texts.marginal(0).map(Rc::new),
            Self::Graphs(_) => None,
        }
    }

    /// Returns the length of the longest sequence; `None` for graphs.
    pub fn longest(&self) -> Option<u32> {
        match self {
            Self::Lengths(lengths) => Some(lengths.max()[0]),
            Self::Texts(texts) => Some(texts.max()[0]),
            Self::Graphs(_) => None,
        }
    }

    /// Whether both are one histogram in memory. O(1), where equality compares all entries.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Lengths(a), Self::Lengths(b)) => Rc::ptr_eq(a, b),
            (Self::Texts(a), Self::Texts(b)) | (Self::Graphs(a), Self::Graphs(b)) => {
                Rc::ptr_eq(a, b)
            }
            _ => false,
        }
    }
}

/// Written as [`Histogram::entries`].
impl<const K: usize> Serialize for Histogram<K>
where
    Size<K>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.entries.serialize(serializer)
    }
}

/// Read by [`Histogram::from_counts`].
impl<'de, const K: usize> Deserialize<'de> for Histogram<K>
where
    Size<K>: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // By `from_counts`: a message may come from another version, and the invariants must hold.
        let counts: Vec<(Size<K>, u64)> = Deserialize::deserialize(deserializer)?;
        Self::from_counts(counts).map_err(D::Error::custom)
    }
}
