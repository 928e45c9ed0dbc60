//! Libraries of a kind in words and numbers: each figure is declared once, for tables, the page and the command line.

mod batches;
mod graphs;
mod sequences;

pub(super) use batches::SAMPLING;
pub(super) use graphs::LOADING;
pub(super) use sequences::PACKING;

use super::{LibraryAnswer, LibraryKind, Pass, Report};
use crate::metrics::Column;
use crate::metrics::FigureValue::{self, Real};
use crate::words::{count, mean, percent};
use serde::{Deserialize, Serialize};

/// The presentation of a kind of libraries: its figures, and the sentences and shares that only this kind has.
pub struct Presentation<K: Pass> {
    /// Every figure, in the order of the columns of tables.
    pub figures: &'static [LibraryFigure<K>],
    /// Returns the outcome in a sentence.
    pub title: fn(&AnswerContext<K>) -> String,
    /// Returns the share of the tokens, or graphs, that is not trained.
    pub lost: fn(&K::Figures) -> f64,
    /// Returns the share of computation beyond the best plan. Baselines, which are no libraries, have no details.
    pub excess: Excess<K>,
    /// Returns the place in the scatter plot of all libraries, to the right and upwards.
    pub place: fn(&K::Figures) -> Option<(f64, f64)>,
    /// Returns the number of items in the sample, if one was packed or batched in place of all.
    pub sample: fn(&K::Own) -> Option<u64>,
    /// Returns the smallest limits at which a library that refuses the data takes them, or no row exceeds them.
    pub least: fn(&K::Own) -> Option<LibraryKind>,
    /// Returns the share of the rows that are longer than the limit, and the longest in limits, if there are any.
    pub longer: fn(&AnswerContext<K>) -> Option<(f64, f64)>,
    /// Returns a sentence on what counts as lost, and on the plan of reference, without its beginning.
    pub losses: fn(K::RequestLimits) -> String,
}

type Excess<K> = fn(&Report<K>, Option<&<K as Pass>::Own>, &<K as Pass>::Figures) -> Option<f64>;

/// A figure of a kind of libraries: its column in tables, and its words on the page and in text.
pub struct LibraryFigure<K: Pass> {
    /// The value with its name, head and format; a line of words alone has none.
    column: Option<Column<K::Figures>>,
    is_tabulated: bool,
    page: Option<Placement<K>>,
    text: Option<Placement<K>>,
}

/// A figure in the list of the page or of the text.
struct Placement<K: Pass> {
    /// The place in the list, which rises; figures that exclude each other may have the same.
    place: u8,
    id: &'static str,
    name: &'static str,
    /// The format, if it is not that of the column.
    format: Option<fn(f64) -> String>,
    remark: Remark<K>,
}

/// Returns the words after a value; `None` where the figure is left out.
type Remark<K> = fn(&AnswerContext<K>) -> Option<String>;

impl<K: Pass> Placement<K> {
    const fn new(place: u8, id: &'static str, name: &'static str, remark: Remark<K>) -> Self {
        Self {
            place,
            id,
            name,
            format: None,
            remark,
        }
    }
}

impl<K: Pass> LibraryFigure<K> {
    /// A figure without a value that stands nowhere.
    const EMPTY: Self = Self {
        column: None,
        is_tabulated: false,
        page: None,
        text: None,
    };

    /// Creates a figure with a column in tables: its name in files, its head and its value.
    const fn new(
        id: &'static str,
        head: &'static str,
        get: fn(&K::Figures) -> Option<FigureValue>,
    ) -> Self {
        Self {
            column: Some(Column::new(id, head, get)),
            is_tabulated: true,
            ..Self::EMPTY
        }
    }

    /// Creates a figure without a column in tables.
    const fn untabulated(get: fn(&K::Figures) -> Option<FigureValue>) -> Self {
        Self {
            column: Some(Column::new("", "", get)),
            ..Self::EMPTY
        }
    }

    /// Creates a line of text without a value of its own.
    const fn line(place: u8, name: &'static str, words: Remark<K>) -> Self {
        Self::EMPTY.in_text(place, name, words)
    }

    /// Puts the figure on the page: its place, the element's identifier, its name, and the words below it.
    const fn on_page(
        mut self,
        place: u8,
        id: &'static str,
        name: &'static str,
        remark: Remark<K>,
    ) -> Self {
        self.page = Some(Placement::new(place, id, name, remark));
        self
    }

    /// Puts the figure into the text: its place, its name, and the words that follow the value.
    const fn in_text(mut self, place: u8, name: &'static str, remark: Remark<K>) -> Self {
        self.text = Some(Placement::new(place, "", name, remark));
        self
    }

    /// Sets the formats on the page and in text, where these differ from the column's.
    const fn formatted(
        mut self,
        page: Option<fn(f64) -> String>,
        text: Option<fn(f64) -> String>,
    ) -> Self {
        if let Some(placement) = &mut self.page {
            placement.format = page;
        }
        if let Some(placement) = &mut self.text {
            placement.format = text;
        }
        self
    }

    /// Returns the column of tables, if there is one.
    pub const fn column(&self) -> Option<&Column<K::Figures>> {
        match &self.column {
            Some(column) if self.is_tabulated => Some(column),
            _ => None,
        }
    }
}

/// A figure as people read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShownFigure {
    /// The identifier of the element on the page; empty in text.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// The value, not rounded; 0 for words alone.
    pub exact: f64,
    /// The value as people read it.
    pub shown: String,
    /// A remark beside it, such as its baseline or its unit.
    pub note: String,
}

/// An answer with its figures, the report that contains it, and the limits.
pub struct AnswerContext<'a, K: Pass> {
    report: &'a Report<K>,
    answer: &'a LibraryAnswer<K>,
    figures: &'a K::Figures,
    given: K::RequestLimits,
}

impl<'a, K: Pass> AnswerContext<'a, K> {
    /// Returns the context of an answer; `None` where the library refuses the data.
    pub fn new(
        report: &'a Report<K>,
        answer: &'a LibraryAnswer<K>,
        given: K::RequestLimits,
    ) -> Option<Self> {
        Some(Self {
            report,
            answer,
            figures: answer.figures.as_ref()?,
            given,
        })
    }

    /// Returns the figures that stand on the page, in its order.
    pub fn on_page(&self) -> Vec<ShownFigure> {
        self.shown(|figure| figure.page.as_ref())
    }

    /// Returns the figures that stand in the text, in its order; each note follows the value as it is.
    pub fn in_text(&self) -> Vec<ShownFigure> {
        self.shown(|figure| figure.text.as_ref())
    }

    fn shown(&self, list: fn(&LibraryFigure<K>) -> Option<&Placement<K>>) -> Vec<ShownFigure> {
        let mut listed: Vec<_> = K::PRESENTATION
            .figures
            .iter()
            .filter_map(|figure| Some((list(figure)?, &figure.column)))
            .collect();
        listed.sort_by_key(|(placement, _)| placement.place);
        let shown = |(placement, column): (&Placement<K>, &Option<Column<K::Figures>>)| {
            let (exact, shown) = match column {
                Some(column) => {
                    let value = (column.get)(self.figures)?;
                    let [_, usual] = value.read();
                    let exact = value.number();
                    (
                        exact,
                        placement.format.map_or(usual, |format| format(exact)),
                    )
                }
                None => (0.0, String::new()),
            };
            Some(ShownFigure {
                id: placement.id.to_owned(),
                name: placement.name.to_owned(),
                exact,
                shown,
                note: (placement.remark)(self)?,
            })
        };
        listed.into_iter().filter_map(shown).collect()
    }

    /// Returns the fewest and the most of a count over the runs.
    fn range(&self, of: fn(&K::Tally) -> u64) -> (u64, u64) {
        let runs = self.answer.runs.iter().map(|run| of(&run.tally));
        runs.fold((u64::MAX, 0), |(least, most), n| {
            (least.min(n), most.max(n))
        })
    }

    /// Returns the range over the orders of arrival; `None` if all are equal.
    fn by_order(&self, of: fn(&K::Tally) -> u64) -> Option<String> {
        let (least, most) = self.range(of);
        (least < most).then(|| format!("{} to {} by order", count(least), count(most)))
    }

    /// Returns the range over several seeds in brackets, and the sample that stands for all.
    fn over_seeds(&self, of: fn(&K::Tally) -> u64) -> Option<String> {
        let ((least, most), seeds) = (self.range(of), self.answer.runs.len());
        let [least, most] = [least, most].map(count);
        // Over one seed there is no spread.
        let spread = (seeds > 1).then(|| format!(" ({least} to {most} over {seeds} seeds)"));
        let sample = (K::PRESENTATION.sample)(&self.answer.own);
        let sample = sample.map(|n| format!(", as {} of the sequences have them", count(n)));
        Some(spread.unwrap_or_default() + &sample.unwrap_or_default())
    }
}

/// Returns a remark that is always the same.
fn always(words: &str) -> Option<String> {
    Some(words.to_owned())
}

fn share(value: f64) -> FigureValue {
    Real(value, percent)
}

fn signed(value: f64) -> FigureValue {
    Real(value, signed_share)
}

fn average(value: f64) -> FigureValue {
    Real(value, mean)
}

/// Returns a mean that has no fraction where there is none.
fn amount(value: f64) -> FigureValue {
    Real(value, |value| match value.fract() {
        0.0 => count(value as u64),
        _ => mean(value),
    })
}

/// Formats a number of rows or batches, without a fraction.
fn rounded(value: f64) -> String {
    count(value.round() as u64)
}

/// Formats a share of rows or batches above others, which rounding may make slightly negative.
pub fn signed_share(share: f64) -> String {
    // From where `percent` has digits: less is rounding.
    if share > -0.00005 {
        percent(share.max(0.0))
    } else {
        format!("−{}", percent(-share))
    }
}
