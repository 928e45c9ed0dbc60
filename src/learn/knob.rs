//! What a reader can move.

/// A number, or several, that the reader moves. Its name is the one in the address: `scene.NAME=3.5.7`.
#[derive(Debug, Clone, Copy)]
pub struct Knob {
    /// The name in prose, in the address, and in `hide=`.
    pub name: &'static str,
    /// What it is, for those who cannot see where it stands: "Maximum length, tokens".
    pub label: &'static str,
    /// What numbers it takes.
    pub kind: Kind,
    /// Where it stands at first: one number, or as many as there are things to move.
    pub start: &'static [u32],
}

/// What numbers a knob takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// One number, to be dragged inside a sentence.
    Number {
        /// The least.
        least: u32,
        /// The most.
        most: u32,
        /// How much an arrow key moves it.
        step: u32,
        /// How it is written.
        shown: fn(u32) -> String,
    },
    /// One of these words, by its place.
    Words(&'static [&'static str]),
    /// As many numbers as at first, each in this range: lengths to drag, packs to put items in (0 for none).
    Numbers {
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
}

impl Knob {
    /// A plain whole number.
    pub const fn number(
        name: &'static str,
        label: &'static str,
        range: [u32; 2],
        start: &'static [u32],
    ) -> Self {
        let [least, most] = range;
        Self { name, label, kind: Kind::Number { least, most, step: 1, shown: plain }, start }
    }

    /// The least and the most of its numbers.
    pub fn range(&self) -> [u32; 2] {
        match self.kind {
            Kind::Number { least, most, .. } | Kind::Numbers { least, most } => [least, most],
            Kind::Words(words) => [0, (words.len() as u32).saturating_sub(1)],
        }
    }

    /// Numbers as they may come from an address, made to fit; those at first where they are not as many.
    pub(super) fn fit(&self, numbers: Option<&[u32]>) -> Vec<u32> {
        let [least, most] = self.range();
        let numbers = numbers.filter(|n| n.len() == self.start.len()).unwrap_or(self.start);
        numbers.iter().map(|n| (*n).clamp(least, most)).collect()
    }
}

fn plain(number: u32) -> String {
    crate::words::count(u64::from(number))
}
