//! The view on screen, and its colours.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// Packs of sequences: one limit.
    #[default]
    Sequences,
    /// Packs of graphs: a limit for nodes and one for edges.
    Graphs,
    /// Batches of the same sequences, by many samplers.
    Batches,
    /// Ranks that train on the same sequences, and wait for each other.
    Ranks,
    /// Chapters with exercises.
    Learn,
}

/// A part of a view that is on screen by itself, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tab {
    /// The answer, with the pictures that explain it.
    #[default]
    Answer,
    /// Algorithms, depths, limits and libraries side by side.
    Compare,
    /// Time, money and the optimiser on accelerators.
    Cost,
    /// Every room, one below the other.
    All,
}

impl Tab {
    /// The rooms, in the order in which they are read.
    pub const EACH: [Self; 3] = [Self::Answer, Self::Compare, Self::Cost];

    /// Returns the name in the URL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Compare => "compare",
            Self::Cost => "cost",
            Self::All => "all",
        }
    }

    /// Whether the contents of a room are on screen.
    pub fn shows(self, room: Self) -> bool {
        self == room || self == Self::All
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::EACH
            .into_iter()
            .chain([Self::All])
            .find(|room| room.name() == name)
    }
}

/// Light, dark, or the setting of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// The setting of the system.
    #[default]
    System,
    Light,
    Dark,
}

impl View {
    /// Every view, in the order of the tabs.
    pub const ALL: [Self; 5] = [
        Self::Sequences,
        Self::Graphs,
        Self::Batches,
        Self::Ranks,
        Self::Learn,
    ];

    /// Returns the view that a digit opens from this one. In lessons digits are numbers of packs, and open none.
    pub fn by_key(self, key: &str) -> Option<Self> {
        // Keys are counted from 1; 0 opens nothing.
        let place = key.parse::<usize>().ok()?.checked_sub(1)?;
        Self::ALL
            .get(place)
            .copied()
            .filter(|_| self != Self::Learn)
    }

    /// Returns the name in the URL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequences => "sequences",
            Self::Graphs => "graphs",
            Self::Batches => "batches",
            Self::Ranks => "ranks",
            Self::Learn => "learn",
        }
    }

    // With the dot, so that a prefix never ends within a word.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Sequences => "sequences.",
            Self::Graphs => "graphs.",
            Self::Batches => "batches.",
            Self::Ranks => "ranks.",
            Self::Learn => "learn.",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|v| v.name() == name)
    }
}

impl Theme {
    pub(super) const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// Returns the name in the URL and on the page's root element.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }
}
