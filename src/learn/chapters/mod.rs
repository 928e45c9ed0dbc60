//! The chapters, in reading order.

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
mod optimiser;
mod quality;
mod rectangle;
mod skew;
mod sorting;
mod trainer;
mod watch;

use super::Chapter;

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
    by_hand,
    watch,
    histograms,
    apart,
    trainer,
    optimiser,
    quality,
    graphs,
    limits,
    buckets,
    few_shapes,
    accelerators,
    equal_work,
    bounds,
];

/// Returns the title of the chapter of this name, or of the first if there is none.
pub fn title(id: &str) -> &'static str {
    TITLES
        .iter()
        .find(|(name, _)| *name == id)
        .unwrap_or(&TITLES[0])
        .1
}
