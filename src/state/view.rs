//! The view on screen, and its colours.

/// A view of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum View {
    /// Packs of sequences: one limit.
    #[default]
    Sequences,
    /// Packs of graphs: a limit for nodes and one for edges.
    Graphs,
    /// Batches of the same sequences, by many samplers.
    Batches,
    /// Chapters with exercises.
    Learn,
}

/// Light, dark, or the setting of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// The setting of the system.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl View {
    /// Every view, in the order of the tabs.
    pub const ALL: [Self; 4] = [Self::Sequences, Self::Graphs, Self::Batches, Self::Learn];

    /// Returns the name in the URL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequences => "sequences",
            Self::Graphs => "graphs",
            Self::Batches => "batches",
            Self::Learn => "learn",
        }
    }

    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Sequences => "sequences.",
            Self::Graphs => "graphs.",
            Self::Batches => "batches.",
            Self::Learn => "learn.",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|v| v.name() == name)
    }
}

impl Theme {
    /// Returns the name in the URL and on the page's root element.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::System, Self::Light, Self::Dark].into_iter().find(|t| t.name() == name)
    }
}
