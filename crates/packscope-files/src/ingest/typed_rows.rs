//! Rows of typed columns, with all that their lists hold: for readers of whole records.

use super::cells::Layout;
use packscope_core::error::Result;
use std::ops::ControlFlow;

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

/// Receives rows in order.
pub(crate) trait TypedRowSink {
    /// Receives the values of the next row, in the order of the columns that are asked for; decides whether to go on.
    ///
    /// # Errors
    /// Those of the receiver, with which the reading ends.
    fn row(&mut self, values: &[FieldValue]) -> Result<ControlFlow<()>>;
    /// Receives the position in bytes of the file; decides whether to go on.
    fn reached(&mut self, position: u64) -> ControlFlow<()>;
}

/// A file of typed columns.
pub(crate) trait TypedRows {
    /// Returns the format and the columns.
    fn table(&self) -> &Layout;

    /// Passes the values of all rows of these columns to `to`, in memory for one group of rows.
    ///
    /// # Errors
    /// Those of `to`; when the bytes are malformed.
    fn typed_rows(&mut self, wanted: &[usize], to: &mut dyn TypedRowSink) -> Result<()>;
}

/// Returns whether a reading goes on that may have reached its end.
pub(super) fn flow(has_ended: bool) -> ControlFlow<()> {
    match has_ended {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}
