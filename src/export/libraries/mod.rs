//! Samplers and loaders of training libraries side by side as tables, and one of them as a sheet of figures.
//!
//! Both are words and numbers, so that a page that shows them knows nothing of what they mean.

pub mod batches;
pub mod graphs;

use super::{Cell, Table};
use crate::api::trainer::{About, Advice, Wanted};
use crate::error::{Error, Result};
use crate::trainer::Field;
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
    /// The columns that a page has room for, after that of the library.
    pub few: Vec<u32>,
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
        let change = advice
            .and_then(|advice| Some(Field { name: advice.setting.clone()?, value: advice.value.clone()? }));
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

/// Returns the row of a library, of so many columns: name, algorithm and settings, then its figures, or dashes where it
/// refuses the data.
pub fn row(about: &About, figures: Option<Vec<Cell>>, columns: usize) -> Vec<Cell> {
    let algorithm = if figures.is_some() { about.algorithm.as_str() } else { "refuses the data" };
    let mut cells = vec![Cell::words(&about.library), Cell::words(algorithm), settings(&about.settings)];
    cells.extend(figures.unwrap_or_else(|| (3..columns).map(|_| Cell::new("", "–")).collect()));
    cells
}

/// Returns the cell of a library's settings, for machines only.
fn settings(settings: &[Field]) -> Cell {
    let all = settings.iter().map(|field| format!("{}={}", field.name, field.value));
    Cell::new(all.collect::<Vec<_>>().join(" "), "")
}

/// Formats a share of rows or batches above others; what is left over makes it a hair less than nothing.
pub fn above(share: f64) -> String {
    if share > -0.00005 { percent(share.max(0.0)) } else { format!("−{}", percent(-share)) }
}

/// Puts a figure of rows that are not padded into brackets: their room costs nothing.
pub fn of_rows(padded: bool, figure: String) -> String {
    if padded { figure } else { format!("({figure})") }
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
