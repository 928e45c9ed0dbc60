//! The chapters, in reading order: by what each needs of those before it. Graphs are a branch at the end.

mod accelerators;
mod apart;
mod bounds;
mod buckets;
mod by_hand;
mod equal_work;
mod few_shapes;
mod graphs;
mod histograms;
mod limits;
mod mixes;
mod optimiser;
mod quality;
mod rectangle;
mod skew;
mod sorting;
mod trainer;
mod watch;
mod weights;
mod which_train;
mod yours;

use super::{Chapter, TABLE_TITLES};
use crate::state;

/// Lists the chapters, and their names for code that only names them.
macro_rules! in_order {
    ($($chapter:ident),+ $(,)?) => {
        /// Every chapter, in reading order.
        pub const CHAPTERS: &[&Chapter] = &[$(&$chapter::CHAPTER),+];

        /// Name in the address and title of each chapter, in reading order. They take no chapter into the program: chapters
        /// are loaded when they are read.
        pub const TITLES: [(&str, &str); CHAPTERS.len()] =
            // Constants, whose values are copied here: a reference to `CHAPTERS` would bring every
            // chapter's code along.
            [$(($chapter::CHAPTER.id, $chapter::CHAPTER.title)),+];
    };
}

in_order![
    rectangle,
    skew,
    sorting,
    buckets,
    few_shapes,
    by_hand,
    watch,
    bounds,
    histograms,
    apart,
    optimiser,
    quality,
    accelerators,
    equal_work,
    trainer,
    which_train,
    weights,
    mixes,
    yours,
    graphs,
    limits,
];

/// The parts of the course, each with the number of its chapters.
pub const PARTS: [(&str, usize); 7] = [
    ("Padding", 3),
    ("Batches of like lengths", 2),
    ("Packing", 4),
    ("What the model sees", 3),
    ("Machines that wait", 2),
    ("Your training", 5),
    ("A branch: graphs", 2),
];

/// The names of the chapters of the short path, which takes half an hour.
pub const SHORT: [&str; 6] = [
    "rectangle",
    "skew",
    "by-hand",
    "apart",
    "trainer",
    state::learn::YOURS,
];

/// Returns the title of the chapter or the table of this name, or of the first chapter if there is none.
pub fn title(id: &str) -> &'static str {
    TITLES
        .iter()
        .chain(&TABLE_TITLES)
        .find(|(name, _)| *name == id)
        .unwrap_or(&TITLES[0])
        .1
}
