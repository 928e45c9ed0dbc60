//! The comparison of A and B, figure by figure and setting by setting.

use super::Pin;
use crate::state::Data;
use crate::state::caption::CaptionEntry;
use packscope::api::ranks;
use packscope::metrics::{Apart, Column, FigureValue, Figures, PinnedColumn};
use packscope::words::{count, factor, percent};

/// The judgement of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// B is better.
    Better,
    /// A is better.
    Worse,
    /// Both are equally good.
    Same,
    /// They differ by less than is shown.
    Alike,
    /// The results are about different data: no judgement.
    Other,
    /// One of the results ignores a limit: no judgement.
    Limits,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Same => "the same",
            Self::Alike => "about the same",
            Self::Other => "other data",
            Self::Limits => "other limits",
        }
    }
}

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
    /// B against A: a number or percentage points with their sign, or a ratio.
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

/// Returns B against A in words, no finer than both are shown; `None` if they show no difference.
fn words(apart: Apart, [a, b]: [f64; 2], shown: &[String; 2]) -> Option<String> {
    let (sign, by) = (if b < a { "−" } else { "+" }, (b - a).abs());
    // A difference that is written with zeros alone is not seen.
    let differs = |number: &str| number.contains(|c: char| ('1'..='9').contains(&c));
    match apart {
        Apart::Number => Some(count(by as u64))
            .filter(|by| differs(by))
            .map(|by| format!("{sign}{by}")),
        Apart::Points => {
            // The coarser of the two: a figure written as 1.2 % has no hundredths to compare.
            let places = shown
                .iter()
                .filter_map(|shown| places(shown))
                .min()
                .unwrap_or(1);
            let points = format!("{:.places$}", by * 100.0);
            differs(&points).then(|| format!("{sign}{points} points"))
        }
        // Two decimals, as `factor` has, would hide such a difference.
        Apart::Ratio if (b / a - 1.0).abs() < 0.1 => {
            Some(format!("{:.3}×", b / a)).filter(|ratio| ratio != "1.000×")
        }
        Apart::Ratio => Some(factor(b / a)),
    }
}

/// Returns the words for values that show no difference.
fn no_difference(apart: Apart) -> &'static str {
    match apart {
        Apart::Number => "0",
        Apart::Points => "0 points",
        Apart::Ratio => "1×",
    }
}

/// Returns the decimal places of a number in words: 2 for `1.19 %`; `None` without any.
fn places(shown: &str) -> Option<usize> {
    let (_, behind) = shown.split_once('.')?;
    Some(behind.chars().take_while(char::is_ascii_digit).count())
}

/// The share of the time in which ranks are idle.
const IDLE: Column<ranks::Figures> = Column::new("idle", "Idle", |f| {
    Some(FigureValue::Real(ranks::idle(f.factor), percent))
});
/// The time of a step ÷ the mean work of a rank.
const STEP: Column<ranks::Figures> = Column::new("factor", "Time of a step", |f| {
    Some(FigureValue::Real(f.factor, factor))
});
/// The lower bound on the time of a step ÷ the mean work of a rank.
const BOUND: Column<ranks::Figures> = Column::new("bound", "Best possible", |f| {
    Some(FigureValue::Real(f.bound, factor))
});
/// The work of the heaviest unit ÷ the mean work of a rank.
const LONGEST: Column<ranks::Figures> = Column::new("longest", "Heaviest unit", |f| {
    Some(FigureValue::Real(f.longest, factor))
});
pub(super) const RANKS: &[PinnedColumn<ranks::Figures>] = &[
    PinnedColumn::less(IDLE, IDLE.head, Apart::Points),
    PinnedColumn::less(STEP, STEP.head, Apart::Ratio),
    PinnedColumn::less(BOUND, BOUND.head, Apart::Ratio),
    PinnedColumn::less(LONGEST, LONGEST.head, Apart::Ratio),
];

/// Returns the figures that both results have.
fn differences<F>(all: &[PinnedColumn<F>], a: &F, b: &F, same_data: bool) -> Vec<Difference> {
    let difference = |pinned: &PinnedColumn<F>| {
        let Column { id, get, .. } = pinned.column;
        let both = [get(a)?, get(b)?];
        let values = both.map(FigureValue::number);
        let shown = both.map(|value| value.read()[1].clone());
        let words = words(pinned.apart, values, &shown);
        let verdict = match values[1] - values[0] {
            // Figures of the same plan are equal to the last bit.
            0.0 => Verdict::Same,
            _ if words.is_none() => Verdict::Alike,
            // The number of packs differs with the data, whatever the algorithm.
            _ if !same_data && id == Figures::PACKS.id => Verdict::Other,
            by if (by < 0.0) == pinned.less_is_better => Verdict::Better,
            _ => Verdict::Worse,
        };
        let words = words.unwrap_or_else(|| no_difference(pinned.apart).to_owned());
        Some(Difference {
            figure: id,
            label: pinned.label,
            values,
            shown,
            words,
            verdict,
        })
    };
    all.iter().filter_map(difference).collect()
}

#[derive(Debug, Clone, PartialEq)]
pub struct PinComparison {
    /// The names of the data; that of A is `None` until its data are loaded.
    pub data: [Option<String>; 2],
    pub same_data: bool,
    /// Settings that differ: name, A, B.
    pub settings: Vec<(&'static str, [String; 2])>,
    /// The figures; empty until both are known.
    pub figures: Vec<Difference>,
}

pub(super) fn differing(
    a: Vec<CaptionEntry>,
    b: Vec<CaptionEntry>,
) -> Vec<(&'static str, [String; 2])> {
    // Both lists are of all settings, in the order of the table.
    let pairs = a.into_iter().zip(b).filter(|(a, b)| a.1 != b.1);
    pairs.map(|((name, a), (_, b))| (name, [a, b])).collect()
}

pub(super) fn compared<S, const K: usize, F>(
    all: &[PinnedColumn<F>],
    pin: &Pin<S, K, F>,
    now: Option<&Data<K>>,
    figures: Option<&F>,
    settings: Vec<(&'static str, [String; 2])>,
) -> PinComparison {
    let title = |data: &Data<K>| data.source.title().to_owned();
    let same_data = pin
        .data
        .as_ref()
        .zip(now)
        .is_some_and(|(then, now)| then.is_same(now));
    let both = pin.figures.as_ref().zip(figures);
    PinComparison {
        data: [pin.data.as_ref().map(title), now.map(title)],
        same_data,
        settings,
        figures: both.map_or_else(Vec::new, |(a, b)| differences(all, a, b, same_data)),
    }
}
