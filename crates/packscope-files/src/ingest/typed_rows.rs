//! Rows of typed columns, with all that their lists hold: for readers of whole records.

use super::cells::{Layout, RowSink};
use packscope_core::error::Result;

/// The value of a column in a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FieldValue {
    /// A number, or a truth as 1 or 0.
    Number(f64),
    /// The numbers of a list, NaN for an element without a value.
    Numbers(Vec<f64>),
    /// A text, which need not be UTF-8.
    Text(Vec<u8>),
    /// Nothing, or what is none of these.
    Other,
}

/// A file of typed columns.
pub(crate) trait TypedRows {
    /// Returns the format and the columns.
    fn table(&self) -> &Layout;

    /// Passes the values of all rows of these columns to `to`, in memory for one group of rows.
    ///
    /// # Errors
    /// When the bytes are malformed.
    fn typed_rows(&mut self, wanted: &[usize], to: &mut dyn RowSink<FieldValue>) -> Result<()>;
}
