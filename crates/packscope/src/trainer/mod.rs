//! Packing as training libraries do it today: their settings, their algorithms, and the cost on given data.
//!
//! A [`Library`] is data: its settings under their own names, where its code was read, and the [`Recipe`] that they
//! give: a [`Block`], one of a dozen algorithms that all libraries are built of (one algorithm, one file in `block`),
//! with its parameters. [`Recipe::run`] draws the items in an order and returns what becomes of their tokens
//! ([`RowTally`]). Samplers that make batches ([`batches`]) and loaders of graphs ([`graphs`]) are libraries
//! of other [`LibraryFamily`]s: settings are alike, recipes are their own.

pub mod batches;
mod block;
mod cost;
mod counts;
pub mod graphs;
mod libraries;
mod library;
mod order;
mod recipe;
mod rows;
mod run;
mod sample;
mod setting;
mod tally;

pub use crate::accepts::Accepts;
pub use cost::PassCost;
pub use libraries::LIBRARIES;
pub use library::{
    Language, Library, LibraryFamily, LibrarySettings, PackingLibraries, Read, Source, names,
};
pub use order::Order;
pub use recipe::{Block, DeviceStep, Fit, Last, Recipe, Window};
pub use rows::RowsSetting;
pub use sample::sampled;
pub use setting::{Setting, SettingValue};
pub use tally::RowTally;
