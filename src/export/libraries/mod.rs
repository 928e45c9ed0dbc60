//! Training libraries side by side as tables, which say in one look what to change, and one of them as a sheet of figures.
//!
//! Both are words and numbers, so that a page that shows them knows nothing of what they mean.

pub mod batches;
pub mod graphs;
pub mod sequences;

use super::{Cell, Table};
use crate::api::trainer::{About, Advice, Wanted};
use crate::error::{Error, Result};
use crate::trainer::Field;
use crate::trainer::Kind;
use crate::words::{count, mean, percent};
use serde::{Deserialize, Serialize};

/// The outcome of one library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// Its outcome on the data in a sentence, with its limits and the baseline.
    pub title: String,
    /// The algorithm that the settings give, in words; empty where the library refuses the settings.
    pub algorithm: String,
    /// Its cost, in a sentence, with the single change that helps most; or why the library refuses the data.
    pub advice: String,
    /// That change: a setting and its new value.
    pub change: Option<Field>,
    /// Figures; none where the library refuses the data.
    pub figures: Vec<Figure>,
    /// The settings as lines to paste.
    pub lines: String,
}

/// A figure with its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The name of the field in reports.
    pub id: String,
    /// The displayed name.
    pub name: String,
    /// The value.
    pub exact: f64,
    /// The value as people read it.
    pub shown: String,
    /// A remark beside it, such as its baseline or its unit.
    pub note: String,
}

/// All libraries of a kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// A row for each.
    pub table: Table,
    /// The library that is used most, in a sentence; empty where it was not asked about.
    pub headline: String,
    /// Two figures of each against one another.
    pub picture: Picture,
}

/// Libraries by two figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// The name of the figure to the right.
    pub x: String,
    /// The name of the figure upwards, a share.
    pub y: String,
    /// Whether the figure to the right is a share.
    pub shares: bool,
    /// The libraries.
    pub places: Vec<Place>,
    /// The range between the libraries, in a sentence.
    pub sentence: String,
}

/// The place of a library in a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// The library.
    pub library: String,
    /// Its displayed name.
    pub title: String,
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

/// The answer to a page's question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Shown {
    /// One library.
    One(Box<Sheet>),
    /// All of them.
    All(Box<Side>),
}

impl Shown {
    /// Returns what a page shows of a report. A library or a setting that does not exist gives a sheet that says so.
    fn new<R>(
        wanted: &Wanted,
        report: Result<R>,
        side: impl Fn(&R) -> Side,
        sheet: impl Fn(&R) -> Sheet,
    ) -> Result<Self> {
        Ok(match (report, &wanted.library) {
            (Ok(report), None) => Self::All(Box::new(side(&report))),
            (Ok(report), Some(_)) => Self::One(Box::new(sheet(&report))),
            (Err(error @ (Error::UnknownName { .. } | Error::Input { .. })), Some(_)) => {
                Self::One(Box::new(Sheet::none(&error.to_string())))
            }
            (Err(error), _) => return Err(error),
        })
    }
}

impl Sheet {
    fn new(about: &About, advice: Option<&Advice>, title: String, figures: Vec<Figure>) -> Self {
        let change = advice.and_then(Advice::field);
        let refused = about.refused.as_ref();
        Self {
            title: refused.map_or(title, |_| format!("{} refuses these data", about.title)),
            algorithm: about.algorithm.clone(),
            advice: advice.map(|advice| advice.sentence.clone()).unwrap_or_else(|| {
                refused.map_or_else(String::new, |why| format!("It refuses these data: {why}."))
            }),
            change,
            figures,
            lines: about.lines.clone(),
        }
    }

    /// A sheet about a library or settings that there are not.
    fn none(why: &str) -> Self {
        Self {
            title: "These settings cannot be had".to_owned(),
            algorithm: String::new(),
            advice: format!("{why}."),
            change: None,
            figures: Vec::new(),
            lines: String::new(),
        }
    }
}

fn figure(id: &str, name: &str, exact: f64, shown: String, note: String) -> Figure {
    Figure { id: id.to_owned(), name: name.to_owned(), exact, shown, note }
}

/// Formats a mean: without a fraction where there is none.
fn number(value: f64) -> String {
    if value.fract() == 0.0 { count(value as u64) } else { mean(value) }
}

/// The columns that are seen in one look, for machines and for people, and those behind them.
const FIRST: [(&str, &str); 5] = [
    ("library", "library"),
    ("lost_share", "loses"),
    ("computed_above", "computes more"),
    ("change", "change this"),
    ("gain", "gain"),
];
const BEHIND: [(&str, &str); 3] = [("worth", "worth"), ("algorithm", "algorithm"), ("settings", "settings")];

/// The losses of a library, the slots that it computes in vain, and the setting to change.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The library.
    pub library: String,
    /// Its displayed name.
    pub title: String,
    /// The algorithm, in words.
    pub algorithm: String,
    /// All its settings.
    pub settings: Vec<Field>,
    /// Share of the tokens, or graphs, that is not trained; `None` where it refuses the data.
    pub lost: Option<f64>,
    /// Share by which more is computed than in the best plan for the same.
    pub above: Option<f64>,
    /// The single change that helps most.
    pub change: Option<Field>,
    /// Its gain, in words, and in one number.
    pub gain: (String, f64),
}

impl Look {
    fn new(about: &About, advice: Option<&Advice>, lost: Option<f64>, above: Option<f64>) -> Self {
        Self {
            library: about.library.clone(),
            title: about.title.clone(),
            algorithm: about.algorithm.clone(),
            settings: about.settings.clone(),
            lost,
            above,
            change: advice.and_then(Advice::field),
            gain: advice.map_or((String::new(), 0.0), |advice| (advice.gain.clone(), advice.worth)),
        }
    }

    fn cells(&self) -> Vec<Cell> {
        let share = |share: Option<f64>| Cell::maybe(share, above);
        let equals = |field: &Field| format!("{}={}", field.name, field.value);
        let change =
            self.change.as_ref().map(|field| (equals(field), format!("{}: {}", field.name, field.value)));
        let (change, words) = change.unwrap_or_default();
        let refused = self.lost.is_none();
        let algorithm = if refused { "refuses the data" } else { &self.algorithm };
        let settings: Vec<String> = self.settings.iter().map(equals).collect();
        let lost = if refused { Cell::new("", "refuses") } else { share(self.lost) };
        let gain = self.gain.0.as_str();
        let next =
            [Cell::new(change, words), Cell::words(gain), Cell::new(self.gain.1, percent(self.gain.1))];
        let mut cells = vec![Cell::words(&self.library), lost, share(self.above)];
        cells.extend(next);
        cells.extend([Cell::words(algorithm), Cell::words(settings.join(" "))]);
        cells
    }

    /// Returns the first library in a sentence; `limit` are the words for the limit.
    fn headline(&self, nouns: &str, limit: &str, packs: bool) -> String {
        let name = self.title.split(',').next().unwrap_or_default();
        let packing = if packs { " and packing" } else { "" };
        let Some(lost) = self.lost else { return format!("{name} refuses these data at {limit}") };
        let above = self.above.unwrap_or(0.0);
        let does = match (lost >= 0.0005, above >= 0.0005) {
            (false, false) => "nothing is lost, and nothing computed in vain".to_owned(),
            (true, false) => format!("{} of the {nouns} are lost", percent(lost)),
            (false, true) => format!("{} more is computed than in the best plan", percent(above)),
            (true, true) => format!(
                "{} of the {nouns} are lost, and {} more is computed than in the best plan",
                percent(lost),
                percent(above)
            ),
        };
        let next = self.change.as_ref().map_or_else(String::new, |change| {
            format!("; {}: {} gives {}", change.name, change.value, self.gain.0)
        });
        format!("With {name}’s defaults{packing}, {does} at {limit}{next}")
    }
}

/// Returns a row for each library, sorted by what can be gained, those last that refuse the data: the columns of one look,
/// and more behind them.
fn table(more: &[(&str, &str)], rows: impl Iterator<Item = (Look, Option<Vec<Cell>>)>) -> Table {
    let mut table = Table::new("", FIRST.iter().chain(&BEHIND).chain(more).copied());
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by(|(a, _), (b, _)| {
        a.lost.is_none().cmp(&b.lost.is_none()).then(b.gain.1.total_cmp(&a.gain.1))
    });
    let none = || more.iter().map(|_| Cell::new("", "–")).collect();
    let cells = |(look, cells): (Look, Option<Vec<Cell>>)| {
        look.cells().into_iter().chain(cells.unwrap_or_else(none)).collect()
    };
    table.rows = rows.into_iter().map(cells).collect();
    table
}

/// Returns the same table with the columns of one look only.
pub fn in_one_look(mut table: Table) -> Table {
    table.columns.truncate(FIRST.len());
    table.rows.iter_mut().for_each(|row| row.truncate(FIRST.len()));
    table
}

/// Returns the library that is named first: the one that is used most.
fn most_used<K: Kind>(mut looks: impl Iterator<Item = Look>) -> Option<Look> {
    let first = K::ALL.first().map(|library| library.id);
    looks.find(|look| Some(look.library.as_str()) == first)
}

/// Formats a share of rows or batches above others; what is left over makes it a hair less than nothing.
pub fn above(share: f64) -> String {
    if share > -0.00005 { percent(share.max(0.0)) } else { format!("−{}", percent(-share)) }
}

impl Place {
    fn new(about: &About, x: f64, y: f64) -> Self {
        Self { library: about.library.clone(), title: about.title.clone(), x, y }
    }
}

/// Returns the least and the most of the figure upwards, with their libraries; `None` without any.
fn ends(places: &[Place]) -> Option<String> {
    let least = places.iter().min_by(|a, b| a.y.total_cmp(&b.y))?;
    let most = places.iter().max_by(|a, b| a.y.total_cmp(&b.y))?;
    Some(format!("from {} ({}) to {} ({})", percent(least.y), least.title, percent(most.y), most.title))
}
