//! The comparison of A and B, figure by figure and setting by setting.

use super::Pin;
use crate::metrics::{Column, Figures, Value};
use crate::state::Data;
use crate::state::caption::Named;
use crate::words::{count, significant};

/// The judgement of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// B is better.
    Better,
    /// A is better.
    Worse,
    /// Both are equally good.
    Same,
    /// The results are about different data: no judgement.
    Other,
}

impl Verdict {
    /// Returns the verdict in words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Same => "the same",
            Self::Other => "other data",
        }
    }
}

/// A figure of A and B.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The name of the figure in the report.
    pub figure: &'static str,
    /// The name that people read.
    pub label: &'static str,
    /// A and B.
    pub values: [f64; 2],
    /// The values as people read them.
    pub shown: [String; 2],
    /// B − A, with its sign and unit.
    pub words: String,
    /// The judgement of B against A.
    pub verdict: Verdict,
}

impl Difference {
    /// Returns B − A.
    pub fn value(&self) -> f64 {
        self.values[1] - self.values[0]
    }
}

/// Returns a number with its sign: `+1,234`, `−0.12`, `0`.
fn signed(difference: f64, write: impl Fn(f64) -> String) -> String {
    let sign = match difference {
        d if d > 0.0 => "+",
        d if d < 0.0 => "−",
        _ => "",
    };
    format!("{sign}{}", write(difference.abs()))
}

/// A compared figure: the name that people read, whether less is better, and the form of a difference.
pub(super) type Compared = (Column<Figures>, &'static str, bool, fn(f64) -> String);

fn points(x: f64) -> String {
    format!("{} points", significant(x * 100.0, 3))
}

fn times(x: f64) -> String {
    format!("{}×", significant(x, 3))
}

fn whole(x: f64) -> String {
    count(x as u64)
}

const PADDING: Compared = (Figures::PADDING, "Padding", true, points);
/// The share of the tokens that the limit costs; of graphs, of their nodes.
const WASTE: Compared = (Figures::LOST, "Cut off or dropped", true, points);
const FACTOR: Compared = (Figures::FACTOR, "Packing factor", false, times);
const SPEEDUP: Compared = (Figures::SPEEDUP, "Speed-up by slots", false, times);
const ROWS: Compared = (Figures::PACKS, "Rows", true, whole);
const PACKS: Compared = (Figures::PACKS, "Packs", true, whole);
const EFFICIENCY: Compared = (Figures::EFFICIENCY, "Efficiency", false, points);
const HARMONIC: Compared = (Figures::HARMONIC, "Harmonic efficiency", false, points);
pub(super) const SEQUENCES: [Compared; 6] = [PADDING, WASTE, ROWS, EFFICIENCY, FACTOR, SPEEDUP];
pub(super) const GRAPHS: [Compared; 6] = [PACKS, HARMONIC, PADDING, WASTE, FACTOR, SPEEDUP];

/// Returns the figures that both results have.
fn differences(all: &[Compared], a: &Figures, b: &Figures, same_data: bool) -> Vec<Difference> {
    let one = |(Column { id, get, .. }, label, less, apart): &Compared| {
        let both = [get(a)?, get(b)?];
        let values = both.map(Value::number);
        let by = values[1] - values[0];
        let verdict = match by {
            0.0 => Verdict::Same,
            // The number of packs differs with the data, whatever the algorithm.
            _ if !same_data && *id == Figures::PACKS.id => Verdict::Other,
            by if (by < 0.0) == *less => Verdict::Better,
            _ => Verdict::Worse,
        };
        let shown = both.map(|value| value.read()[1].clone());
        Some(Difference { figure: id, label, values, shown, words: signed(by, apart), verdict })
    };
    all.iter().filter_map(one).collect()
}

/// The comparison of A and B.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The names of the data; that of A is `None` until its data are loaded.
    pub data: [Option<String>; 2],
    /// Whether both are about the same data.
    pub same_data: bool,
    /// Settings that differ: name, A, B.
    pub settings: Vec<(&'static str, [String; 2])>,
    /// The figures; empty until both are known.
    pub figures: Vec<Difference>,
}

pub(super) fn differing(a: Vec<Named>, b: Vec<Named>) -> Vec<(&'static str, [String; 2])> {
    let pairs = a.into_iter().zip(b).filter(|(a, b)| a.1 != b.1);
    pairs.map(|((name, a), (_, b))| (name, [a, b])).collect()
}

pub(super) fn compared<S, const K: usize>(
    all: &[Compared],
    pin: &Pin<S, K>,
    now: Option<&Data<K>>,
    figures: Option<&Figures>,
    settings: Vec<(&'static str, [String; 2])>,
) -> Comparison {
    let title = |data: &Data<K>| data.source.title().to_owned();
    let same_data = pin.data.as_ref().zip(now).is_some_and(|(then, now)| then.is_same(now));
    let both = pin.figures.as_ref().zip(figures);
    Comparison {
        data: [pin.data.as_ref().map(title), now.map(title)],
        same_data,
        settings,
        figures: both.map_or_else(Vec::new, |(a, b)| differences(all, a, b, same_data)),
    }
}
