//! Figures as columns: each is declared once, and used in tables, files, comparisons and the page.

use super::{EpochFigures, Figures};
use crate::words::{about_factor, count, efficiency, factor, gap, mean, percent, seconds};
use FigureValue::{Real, Whole};

/// A figure of `T`.
#[derive(Debug)]
pub struct Column<T: 'static> {
    /// The name in reports, in files and on the page.
    pub id: &'static str,
    /// The head of its column.
    pub head: &'static str,
    /// A description in a few words; may be empty.
    pub why: &'static str,
    /// Returns the value; `None` if it is unknown.
    pub get: fn(&T) -> Option<FigureValue>,
}

/// The value of a figure.
#[derive(Debug, Clone, Copy)]
pub enum FigureValue {
    /// A count.
    Whole(u64),
    /// A number, and the function that formats it.
    Real(f64, fn(f64) -> String),
}

impl FigureValue {
    /// Returns the value as a number.
    pub fn number(self) -> f64 {
        match self {
            Whole(n) => n as f64,
            Real(x, _) => x,
        }
    }

    /// Returns the exact value, and the formatted one.
    pub fn read(self) -> [String; 2] {
        match self {
            Whole(n) => [n.to_string(), count(n)],
            Real(x, shown) => [x.to_string(), shown(x)],
        }
    }
}

impl<T> Column<T> {
    /// Creates a figure from its name in reports and its head.
    pub const fn new(
        id: &'static str,
        head: &'static str,
        get: fn(&T) -> Option<FigureValue>,
    ) -> Self {
        Self {
            id,
            head,
            why: "",
            get,
        }
    }
}

/// The form of a difference between two values.
#[derive(Debug, Clone, Copy)]
pub enum Apart {
    /// A number with its sign.
    Number,
    /// Percentage points with their sign.
    Points,
    /// A ratio.
    Ratio,
}

/// A figure by which pinned results are compared.
#[derive(Debug)]
pub struct PinnedColumn<T: 'static> {
    /// The figure.
    pub column: Column<T>,
    /// The name that people read.
    pub label: &'static str,
    /// Whether the smaller of two values is the better one.
    pub less_is_better: bool,
    /// The form of a difference.
    pub apart: Apart,
}

impl<T: 'static> PinnedColumn<T> {
    /// Creates a figure of which less is better.
    pub const fn less(column: Column<T>, label: &'static str, apart: Apart) -> Self {
        Self {
            column,
            label,
            less_is_better: true,
            apart,
        }
    }

    /// Creates a figure of which more is better.
    pub const fn more(column: Column<T>, label: &'static str, apart: Apart) -> Self {
        Self {
            column,
            label,
            less_is_better: false,
            apart,
        }
    }
}

/// Seconds that a packing or an epoch took.
pub const SECONDS: Column<f64> = Column::new("seconds", "time", |s| Some(Real(*s, seconds)));

/// Declares the figures of a type: name in reports, head, description, and a value or an option of one.
macro_rules! columns {
    ($($name:ident: $id:literal, $head:literal, $why:literal, |$f:ident| $value:expr;)+) => {
        $(
            #[doc = $why]
            pub const $name: Column<Self> =
                // A value or an option of one: `into` makes an option of both.
                Column { id: $id, head: $head, why: $why, get: |$f: &Self| ($value).into() };
        )+

        /// Every column.
        pub const COLUMNS: &[Column<Self>] = &[$(Self::$name),+];
    };
}

const PADDING: PinnedColumn<Figures> =
    PinnedColumn::less(Figures::PADDING, "Padding", Apart::Points);
/// The share of the tokens that the limit costs; of graphs, of their nodes.
const LOST: PinnedColumn<Figures> =
    PinnedColumn::less(Figures::LOST, "Cut off or dropped", Apart::Points);
const FACTOR: PinnedColumn<Figures> =
    PinnedColumn::more(Figures::FACTOR, "Packing factor", Apart::Ratio);
const SPEEDUP: PinnedColumn<Figures> =
    PinnedColumn::more(Figures::SPEEDUP, "Speed-up by slots", Apart::Ratio);

/// Figures as columns; with several components, those of the first. `FACTOR_ALONE` is `FACTOR` in another format, for
/// tables whose other columns have no sign: the same figure, and so the same name.
impl Figures {
    columns! {
        ITEMS: "items", "items", "items placed", |f| Whole(f.items);
        PACKS: "packs", "packs", "packs they are placed in", |f| Whole(f.packs);
        FACTOR: "packing_factor", "packing factor", "items / packs", |f| Real(f.packing_factor, factor);
        FACTOR_ALONE: "packing_factor", "packing factor", "items / packs, without a sign", |f| Real(f.packing_factor, |x| format!("{x:.3}"));
        REAL: "real_tokens", "real", "{} trained on", |f| first_component(&f.real_tokens).map(Whole);
        SLOTS: "slots", "slots", "slots of all packs", |f| first_component(&f.slots).map(Whole);
        EMPTY: "padding_tokens", "empty", "slots that carry nothing", |f| first_component(&f.padding_tokens).map(Whole);
        PADDING: "padding_share", "padding", "padding / slots", |f| Real(f.padding_share(), percent);
        BEFORE: "baseline_padding_share", "before", "the same with one item a pack", |f| Real(f.baseline_padding_share(), percent);
        EFFICIENCY: "efficiency", "efficiency", "real / slots", |f| first_component(&f.efficiency).map(|e| Real(e, efficiency));
        HARMONIC: "efficiency_harmonic", "harmonic mean", "harmonic mean of the efficiencies", |f| Real(f.efficiency_harmonic, efficiency);
        WASTE: "waste_tokens", "waste", "thrown away, never part of padding", |f| first_component(&f.waste_tokens).map(Whole);
        LOST: "waste_share", "cut off or dropped", "waste / all", |f| first_component(&f.waste_tokens).zip(first_component(&f.real_tokens)).map(lost);
        BOUND: "lower_bound", "bound", "packs that no plan can go below", |f| f.lower_bound.map(Whole);
        GAP: "gap", "gap to bound", "(packs − bound) / bound", |f| f.gap.map(|g| Real(g, gap));
        STRATEGIES: "strategies", "strategies", "shapes of packs", |f| f.strategies.map(Whole);
        DEPTH: "max_depth", "deepest", "items in the deepest pack", |f| Whole(f.max_depth);
        COMPUTED: "computed_slots", "computed", "slots × (1 + overhead)", |f| first_component(&f.slots).zip(f.overhead).map(|(slots, o)| Whole((slots as f64 * (1.0 + o)).round() as u64));
        OVERHEAD: "overhead", "overhead", "what keeping items apart costs", |f| f.overhead.map(|o| Real(o, percent));
        SPEEDUP: "realised_speedup", "speed-up", "packing factor / (1 + overhead)", |f| f.realised_speedup.map(|s| Real(s, factor));
    }

    /// The headline as a table to save: figures of packs, those of each component, and others of packs.
    pub const HEADLINE: [&[Column<Self>]; 3] = [
        &[Self::ITEMS, Self::PACKS, Self::FACTOR],
        &[
            Self::REAL,
            Self::SLOTS,
            Self::EMPTY,
            Self::PADDING,
            Self::BEFORE,
            Self::EFFICIENCY,
            Self::WASTE,
        ],
        &[
            Self::BOUND,
            Self::GAP,
            Self::STRATEGIES,
            Self::DEPTH,
            Self::OVERHEAD,
            Self::SPEEDUP,
        ],
    ];

    /// The comparison of algorithms on the command line, but for time and bound.
    pub const COMPARED: &[Column<Self>] = &[
        Self::PACKS,
        Self::PADDING,
        Self::EFFICIENCY,
        Self::FACTOR_ALONE,
        Self::OVERHEAD,
        Self::SPEEDUP,
    ];

    /// The comparison of algorithms as a table to save, but for time.
    pub const SAVED: &[Column<Self>] = &[
        Self::PACKS,
        Self::PADDING,
        Self::EFFICIENCY,
        Self::FACTOR,
        Self::SPEEDUP,
        Self::GAP,
    ];

    /// The comparison of pinned packs of sequences.
    pub const PINNED: &[PinnedColumn<Self>] = &[
        PADDING,
        LOST,
        PinnedColumn::less(Self::PACKS, "Rows", Apart::Number),
        PinnedColumn::more(Self::EFFICIENCY, "Efficiency", Apart::Points),
        FACTOR,
        // A speed-up over padded rows would grow with the limit that they are padded to.
        PinnedColumn::less(Self::COMPUTED, "Slots, with the overhead", Apart::Ratio),
    ];

    /// The comparison of pinned packs of graphs.
    pub const PINNED_GRAPHS: &[PinnedColumn<Self>] = &[
        PinnedColumn::less(Self::PACKS, "Packs", Apart::Number),
        PinnedColumn::more(Self::HARMONIC, "Harmonic efficiency", Apart::Points),
        PADDING,
        LOST,
        FACTOR,
        SPEEDUP,
    ];

    /// Returns the figures with the entries of only one component.
    pub fn of(&self, k: usize) -> Self {
        fn one<T: Copy>(all: &[T], k: usize) -> Vec<T> {
            all.get(k).copied().into_iter().collect()
        }
        Self {
            real_tokens: one(&self.real_tokens, k),
            slots: one(&self.slots, k),
            padding_tokens: one(&self.padding_tokens, k),
            waste_tokens: one(&self.waste_tokens, k),
            efficiency: one(&self.efficiency, k),
            baseline_efficiency: one(&self.baseline_efficiency, k),
            ..self.clone()
        }
    }
}

fn first_component<T: Copy>(each: &[T]) -> Option<T> {
    each.first().copied()
}

fn lost((lost, kept): (u64, u64)) -> FigureValue {
    let (lost, kept) = (lost as f64, kept as f64);
    Real(
        if lost > 0.0 {
            lost / (lost + kept)
        } else {
            0.0
        },
        percent,
    )
}

/// Figures of an epoch as columns.
impl EpochFigures {
    columns! {
        PADDING: "padding_share", "padding", "padding / slots", |e| Real(e.padding_share, percent);
        BATCHES: "batches", "batches", "batches, or steps", |e| Whole(e.batches);
        SEQUENCES: "sequences_per_step", "sequences a step", "sequences in a batch, on average", |e| Real(e.sequences_per_step, mean);
        TOKENS: "tokens_per_step", "tokens a step", "real tokens in a batch, on average", |e| Real(e.tokens_per_step, mean);
        LARGEST: "largest_slots", "slots of the largest batch", "what memory is needed for", |e| Whole(e.largest_slots);
        DROPPED: "dropped_tokens", "dropped tokens", "stopwords dropped", |e| Whole(e.dropped_tokens);
        SPEEDUP: "estimated_speedup", "estimated speed-up", "estimated, against random batches", |e| Real(e.estimated_speedup, about_factor);
        RANDOM: "random_speedup", "of random batches as large", "what a larger step alone gives", |e| e.same_size.map(|same| Real(same.random_speedup, about_factor));
        SORTED: "sorted_speedup", "of sorted batches as large", "the least padding at that size", |e| e.same_size.map(|same| Real(same.sorted_speedup, about_factor));
    }
}
