//! Lessons: how padding waste arises and how to avoid it, in short interactive chapters.
//!
//! A [`Chapter`] is data and three pure functions: the scene for the current positions of its knobs
//! ([`Chapter::show`]), its requests to the engine ([`Chapter::asks`]), and the data and settings that it opens in the
//! tool ([`Chapter::opens`]). A scene consists of the few kinds of [`ChapterPart`] in this module, which the page knows how to
//! draw, to operate by pointer and keyboard, and to read out. A new chapter is one file in `chapters/` and two words in
//! `chapters/mod.rs`.
//!
//! Prose is written in the markup of [`prose`]: draggable numbers inside sentences, and terms with explanations.

mod bars;
mod chapter;
mod chapters;
pub mod data;
pub mod glossary;
mod guess;
mod knob;
mod papers;
mod part;
pub mod prose;
mod screen;
mod tables;

pub use chapter::{Chapter, ChapterContext, ChapterView, Condition, Notes, Opens};
pub use chapters::{CHAPTERS, PARTS, SHORT, TITLES, title};
pub use guess::{Guess, PREDICTIONS};
pub use knob::{Knob, KnobKind};
pub use papers::{Citation, Paper};
pub use part::{ArrowStep, ChapterPart, ChapterTable, End, Ends, Figure, Item, Move, Packs, Press};
pub use screen::{Screen, Stepped, screens};
pub use tables::{TABLE_TITLES, TABLES};
