//! Export: a plan as a file, items assigned to its packs, tables, and lines to paste into a training.
//!
//! Everything is text or bytes handed to the caller piece by piece: nothing here opens a file, and a plan of sixteen
//! million items is assigned in the memory of its strategies.

mod assigner;
pub mod certificate;
mod document;
mod lengths;
pub mod libraries;
mod parse;
pub mod shapes;
mod shuffle;
pub mod snippet;
mod table;
mod tables;
#[cfg(feature = "files")]
mod writing;

pub use assigner::{AssignedItem, Assigner};
pub use document::{Document, FORMAT, PlanHeader, VERSION, file_name};
pub use lengths::lengths;
pub use parse::components;
pub use table::{Cell, Table, TableBuilder};
pub use tables::{
    add_batches, algorithms, dealings, figures, graph_algorithms, methods, ranks, samplers, sweep,
};
#[cfg(feature = "files")]
pub use writing::{AssignmentCounts, AssignmentWriter, Form, assign, over};
