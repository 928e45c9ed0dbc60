//! Lessons: how padding waste arises, and what to do about it, in short chapters that one reads with one's hands.
//!
//! A [`Chapter`] is data and three pure functions: what its scene looks like for the numbers that the reader has moved
//! ([`Chapter::show`]), what it asks of the engine ([`Chapter::asks`]), and what it hands to the tool
//! ([`Chapter::opens`]). It says all it shows with the few [`Part`]s of this module, which the page knows how to draw,
//! move by hand and by keyboard, and read out. So a chapter is one file in `chapters/` and a line in [`CHAPTERS`].
//!
//! Prose is written in the markup of [`prose`]: numbers to drag stand inside sentences, terms explain themselves.

mod chapter;
mod chapters;
pub mod data;
pub mod glossary;
mod knob;
mod papers;
mod part;
pub mod prose;
mod titles;

pub use chapter::{Chapter, Here, Opens, Shown};
pub use chapters::CHAPTERS;
pub use knob::{Kind, Knob};
pub use papers::{Cited, Paper};
pub use part::{End, Ends, Figure, Item, Move, Packs, Part, Press, Step, Table};
pub use titles::{TITLES, title};
