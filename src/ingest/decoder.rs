//! The interface of the readers of text formats.

use super::tally::Tally;
use std::fmt::Debug;

/// The reader of a text format.
pub(super) trait Decoder<const K: usize>: Debug {
    /// Counts the records that end in the next bytes.
    fn push(&mut self, bytes: &[u8], tally: &mut Tally<K>);

    /// Counts a last record without a terminator.
    fn finish(&mut self, tally: &mut Tally<K>);
}
