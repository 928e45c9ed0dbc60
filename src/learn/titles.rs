//! Titles of the chapters, for code that only names them: the chapters themselves are loaded when they are read.

/// Name in the address and title of each chapter, in reading order.
pub const TITLES: [(&str, &str); 13] = [
    ("rectangle", "A batch is a rectangle"),
    ("skew", "Skew"),
    ("sorting", "Sorting, and why it is not free"),
    ("by-hand", "Pack by hand"),
    ("watch", "Watch an algorithm"),
    ("histograms", "Histograms instead of items"),
    ("apart", "Keeping packed sequences apart"),
    ("optimiser", "What the optimiser sees"),
    ("graphs", "Graphs have two budgets"),
    ("limits", "Choosing limits"),
    ("buckets", "Buckets"),
    ("accelerators", "Many accelerators"),
    ("bounds", "How good can it get?"),
];

/// Returns the title of the chapter of this name, or of the first if there is none.
pub fn title(id: &str) -> &'static str {
    TITLES.iter().find(|(name, _)| *name == id).unwrap_or(&TITLES[0]).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::CHAPTERS;

    #[test]
    fn titles_are_those_of_the_chapters() {
        assert!(TITLES.iter().copied().eq(CHAPTERS.iter().map(|c| (c.id, c.title))));
    }
}
