//! Sizes of sequences and graphs, and what every crate of packscope has in common.
//!
//! | | |
//! |---|---|
//! | [`histogram`] | the number of items of each size; statistics, policies for items above a limit, seeded draws, built-in sets |
//! | [`rng`] | the random generator: portable, seeded |
//! | [`error`] | the error type: the place of a fault, and what would be accepted |
//! | [`accepts`] | the values that a setting accepts, and how a number is read |
//! | [`names`] | one table of names beside an enum |
//! | [`words`] | numbers in words, as people read them |
//! | [`order`] | the sort and the map for short lists |
//!
//! [`packscope`](https://docs.rs/packscope) has all of it under the same names.

#![warn(missing_docs)]

pub mod accepts;
pub mod error;
pub mod histogram;
pub mod names;
pub mod order;
pub mod rng;
pub mod words;

#[doc(inline)]
pub use error::{Error, Result};
#[doc(inline)]
pub use histogram::{Histogram, Overlong};
