//! Controls that a reader moves.

/// One or several numbers that the reader moves. The name is part of the address: `scene.NAME=3.5.7`.
#[derive(Debug, Clone, Copy)]
pub struct Knob {
    /// The name in prose, in the address, and in `hide=`.
    pub name: &'static str,
    /// The accessible label: "Maximum length, tokens".
    pub label: &'static str,
    pub kind: KnobKind,
    /// The initial numbers: one, or one for each thing to move.
    pub start: &'static [u32],
}

/// The kind and range of the numbers of a knob.
#[derive(Debug, Clone, Copy)]
pub enum KnobKind {
    /// One number, to be dragged inside a sentence.
    Number {
        /// The minimum.
        least: u32,
        /// The maximum.
        most: u32,
        /// The step of an arrow key.
        step: u32,
        shown: fn(u32) -> String,
    },
    /// An index into these words.
    Words(&'static [&'static str]),
    /// As many numbers as [`Knob::start`] has, each in this range: lengths to drag, or packs to choose (0 for none).
    Numbers {
        /// The minimum.
        least: u32,
        /// The maximum.
        most: u32,
    },
}

impl Knob {
    /// Creates a knob for one whole number, in steps of 1.
    pub const fn number(
        name: &'static str,
        label: &'static str,
        range: [u32; 2],
        start: &'static [u32],
    ) -> Self {
        let [least, most] = range;
        Self {
            name,
            label,
            kind: KnobKind::Number {
                least,
                most,
                step: 1,
                shown: plain,
            },
            start,
        }
    }

    pub fn range(&self) -> [u32; 2] {
        match self.kind {
            KnobKind::Number { least, most, .. } | KnobKind::Numbers { least, most } => {
                [least, most]
            }
            KnobKind::Words(words) => [0, (words.len() as u32).saturating_sub(1)],
        }
    }

    /// Clamps numbers from an address to the range and moves them to the nearest step; returns the initial ones if their
    /// number differs.
    pub(super) fn fit(&self, numbers: Option<&[u32]>) -> Vec<u32> {
        let [least, most] = self.range();
        let step = if let KnobKind::Number { step, .. } = self.kind {
            step.max(1)
        } else {
            1
        };
        let numbers = numbers
            .filter(|n| n.len() == self.start.len())
            .unwrap_or(self.start);
        // Clamped before the subtraction, which would wrap below `least`; rounding up may pass
        // `most`, hence `min` below.
        let at = |n: &u32| least + ((*n).clamp(least, most) - least + step / 2) / step * step;
        numbers.iter().map(|n| at(n).min(most)).collect()
    }
}

fn plain(number: u32) -> String {
    packscope::words::count(u64::from(number))
}
