//! The part that all Web Workers share: each is a program of its own that receives questions and sends replies.

mod assign;
mod blob;
mod part;
mod post;

pub use assign::assign;
pub use blob::{BlobSource, files, serve};
pub use part::PartError;
pub use post::{listen, milliseconds, send, ticks};
