//! Training libraries as sheets of words and numbers, and side by side as tables that show at a glance what to change.
//! A [`Sheet`] is displayed in the same way for every kind of library.

mod batches;
mod graphs;
mod sequences;
mod words;

pub use words::{Words, off};

use super::{Cell, Table};
use crate::api::trainer::{
    Advice, Basis, LibraryAnswer, LibraryAtSettings, LibraryKind, LibraryQuery, Pass, Report,
    WindowCurve,
};
use crate::error::{Error, Result};
use crate::metrics::Column;
use crate::metrics::FigureValue::Real;
use crate::packing::Progress;
use crate::trainer::{Library, SettingValue};
use crate::words::{count, factor, mean, percent};
use serde::{Deserialize, Serialize};

/// The outcome of one library in words and numbers, as page and tables show it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// The library with its settings; a baseline, which is no library, has no title.
    pub about: LibraryAtSettings,
    /// Its outcome on the data in a sentence, with its limits and the baseline.
    pub title: String,
    /// Share of the tokens, or graphs, that is not trained; `None` where it refuses the data.
    pub lost: Option<f64>,
    /// Share of computation beyond the best plan for the same tokens or graphs.
    pub above: Option<f64>,
    /// Its cost, in a sentence, with the single change that helps most; or why the library refuses the data.
    pub advice: String,
    /// The change: a setting and its new value.
    pub change: Option<SettingValue>,
    /// The lines to paste with the change; empty without one.
    pub changed: String,
    /// The smallest limits at which a library that refuses the data takes them, or no row is longer than the limit.
    pub least: Option<LibraryKind>,
    /// The share of the rows that are longer than the limit, and the longest in limits, if there are any.
    pub longer: Option<(f64, f64)>,
    /// The gain of the change, in words.
    pub gain: String,
    /// The gain in one number, by which tables are sorted.
    pub worth: f64,
    /// Figures; none where the library refuses the data.
    pub figures: Vec<Figure>,
    /// Its cells in the columns of its kind; none where it refuses the data.
    pub cells: Vec<Cell>,
    /// Its place in the scatter plot of all libraries, to the right and upwards.
    pub place: Option<(f64, f64)>,
    /// Number of sequences in the sample that was packed in place of all, if there are many.
    pub sample: Option<u64>,
    /// The cost against its window, if requested.
    pub curve: Option<WindowCurve>,
}

/// A figure with its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The identifier of the element on the page.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// The value, not rounded.
    pub exact: f64,
    /// The value as people read it.
    pub shown: String,
    /// A remark beside it, such as its baseline or its unit.
    pub note: String,
}

/// An answer with its figures, the report that contains it, and the limits.
pub struct LibrarySheetRow<'a, K: Pass> {
    report: &'a Report<K>,
    answer: &'a LibraryAnswer<K>,
    figures: &'a K::Figures,
    given: K::RequestLimits,
}

/// A kind of libraries that can be presented as sheets.
pub trait LibraryReport: Pass {
    /// Returns the limits with their kind.
    fn given(given: Self::RequestLimits) -> LibraryKind;

    /// Returns the share that is not trained, and the share of computation beyond the best plan.
    fn look(of: &LibrarySheetRow<Self>) -> (f64, Option<f64>);

    /// Returns the cells of the columns of this kind alone.
    const COLUMNS: &'static [Column<Self::Figures>];

    /// Returns the outcome in a sentence.
    fn title(of: &LibrarySheetRow<Self>) -> String;

    /// Returns the figures for the page.
    fn figures(of: &LibrarySheetRow<Self>) -> Vec<Figure>;

    /// Returns the place in the scatter plot of all libraries.
    fn place(figures: &Self::Figures) -> Option<(f64, f64)>;

    /// Returns the number of sequences in the sample, if one was packed.
    fn sample(_: &LibraryAnswer<Self>) -> Option<u64> {
        None
    }

    /// Returns the smallest limits at which a library that refuses the data takes them, or no row exceeds them.
    fn least(_: &LibraryAnswer<Self>) -> Option<LibraryKind> {
        None
    }

    /// Returns the share of the rows that are longer than the limit, and the longest in limits, if there are any.
    fn longer(_: &LibrarySheetRow<Self>) -> Option<(f64, f64)> {
        None
    }

    /// Returns the baselines that the libraries are compared with.
    fn compared(_: &Report<Self>) -> Vec<Sheet> {
        Vec::new()
    }
}

fn cells<K: LibraryReport>(figures: &K::Figures) -> Vec<Cell> {
    K::COLUMNS
        .iter()
        .map(|column| (column.get)(figures).into())
        .collect()
}

/// Returns a sheet for each answer, then for each baseline.
pub fn sheets<K: LibraryReport>(report: &Report<K>, given: K::RequestLimits) -> Vec<Sheet> {
    let one = |answer: &LibraryAnswer<K>| {
        let mut sheet = Sheet::new(&answer.about, answer.advice.as_ref());
        (sheet.sample, sheet.least) = (K::sample(answer), K::least(answer));
        sheet.changed = sheet
            .change
            .as_ref()
            .and_then(|to| changed::<K>(answer, to, given))
            .unwrap_or_default();
        if let Some(least) = sheet.least {
            let limits = words::limits(least);
            sheet.advice += &match answer.figures {
                // The reason for the refusal can name the same limit.
                None if sheet.advice.contains(&limits) => String::new(),
                None => format!(" It takes them at {limits}."),
                Some(_) => format!(" At {limits} no row is longer."),
            };
        }
        if let Some(figures) = &answer.figures {
            let of = LibrarySheetRow {
                report,
                answer,
                figures,
                given,
            };
            let (lost, above) = K::look(&of);
            (sheet.lost, sheet.above, sheet.place) = (Some(lost), above, K::place(figures));
            sheet.longer = K::longer(&of);
            (sheet.title, sheet.figures, sheet.cells) =
                (K::title(&of), K::figures(&of), cells::<K>(figures));
        }
        sheet
    };
    report
        .answers
        .iter()
        .map(one)
        .chain(K::compared(report))
        .collect()
}

/// Returns the lines to paste after a change; `None` where they contain a number that only packing
/// finds.
fn changed<K: LibraryReport>(
    answer: &LibraryAnswer<K>,
    to: &SettingValue,
    given: K::RequestLimits,
) -> Option<String> {
    let about = &answer.about;
    let library = Library::<K>::find(&about.library).ok()?;
    let mut chosen = library.with(K::limits(given), &about.settings).ok()?;
    // A loader of graphs has a number in its lines that packing found, which the change may alter.
    let is_known = chosen.lines() == about.lines;
    chosen.set(&to.name, &to.value).ok()?;
    is_known.then(|| chosen.lines())
}

/// Answers a page's question about these data: the sheet of the library, then the sheets of the baselines. If the
/// library or a setting does not exist, the sheet says so.
///
/// # Errors
/// [`Error::Cancelled`]; limits of 0.
pub fn answer_query<K: LibraryReport>(
    asked: &LibraryQuery,
    given: K::RequestLimits,
    data: &K::Data,
    progress: &mut Progress,
) -> Result<Vec<Sheet>> {
    let request = asked.request::<K>(given);
    let made = request.on(data, progress).and_then(|report| {
        let mut sheets = sheets(&report, given);
        if let Some(sheet) = sheets
            .first_mut()
            .filter(|sheet| asked.thorough && sheet.lost.is_some())
        {
            sheet.curve = request.curve_on(data, progress)?;
        }
        Ok(sheets)
    });
    match made {
        // An address can name a library or a value that is no longer there: the page says so in
        // place of the sheet.
        Err(error @ (Error::UnknownName { .. } | Error::Input { .. })) => {
            Ok(vec![Sheet::refused_sheet(&error)])
        }
        made => made,
    }
}

impl Sheet {
    /// Creates a sheet without figures, for a library that refuses the data.
    fn new(about: &LibraryAtSettings, advice: Option<&Advice>) -> Self {
        let why = about
            .refused
            .as_ref()
            .map_or_else(String::new, |why| format!("It refuses these data: {why}."));
        Self {
            about: about.clone(),
            title: format!("{} refuses these data", about.title),
            advice: advice.map_or(why, |advice| advice.sentence.clone()),
            change: advice.and_then(Advice::field),
            gain: advice.map_or_else(String::new, |advice| advice.gain.clone()),
            worth: advice.map_or(0.0, |advice| advice.worth),
            ..Self::default()
        }
    }

    /// Creates a sheet for a library or settings that do not exist.
    fn refused_sheet(why: &Error) -> Self {
        let (title, advice) = ("These settings cannot be had".to_owned(), format!("{why}."));
        Self {
            title,
            advice,
            ..Self::default()
        }
    }

    fn row(&self, columns: usize) -> Vec<Cell> {
        let share = |share: Option<f64>| Cell::from(share.map(|share| Real(share, signed_share)));
        let equals = |field: &SettingValue| format!("{}={}", field.name, field.value);
        let change = self
            .change
            .as_ref()
            .map(|field| (equals(field), format!("{}: {}", field.name, field.value)));
        let refused = self.lost.is_none();
        let least = self.least.map(|least| match least {
            LibraryKind::Graphs(limits) => {
                let [nodes, edges] = limits.map(|limit| count(u64::from(limit)));
                (
                    format!("limits={},{}", limits[0], limits[1]),
                    format!("limits {nodes} × {edges}"),
                )
            }
            LibraryKind::Sequences(room) | LibraryKind::Batches(room) => (
                format!("limit={}", room.limit),
                format!("limit {}", count(u64::from(room.limit))),
            ),
        });
        let gain = match (self.least, self.longer) {
            (_, Some((share, longest))) => {
                format!(
                    "{} of the rows exceed this one, up to {}",
                    percent(share),
                    factor(longest)
                )
            }
            (Some(LibraryKind::Graphs(_)), _) => "takes all, with a node for padding".to_owned(),
            (Some(_), _) if change.is_none() => "takes all".to_owned(),
            _ => self.gain.clone(),
        };
        // A change that makes the library take the data goes before a larger limit.
        let keeps = matches!(self.least, Some(LibraryKind::Sequences(_))) && self.longer.is_none();
        let (change, words) = if keeps {
            change.or(least)
        } else {
            least.or(change)
        }
        .unwrap_or_default();
        let algorithm = if refused {
            "refuses the data"
        } else {
            &self.about.algorithm
        };
        let settings: Vec<String> = self.about.settings.iter().map(equals).collect();
        let lost = if refused {
            Cell::new("", "refuses")
        } else {
            share(self.lost)
        };
        let mut cells = vec![
            Cell::words(&self.about.library),
            lost,
            share(self.above),
            Cell::new(change, words),
        ];
        cells.extend([
            Cell::words(gain),
            Cell::new(self.worth, percent(self.worth)),
        ]);
        cells.extend([Cell::words(algorithm), Cell::words(settings.join(" "))]);
        cells.extend(self.cells.iter().cloned());
        // Sheets of refusals have no figures: the row is filled up to the table's width.
        cells.resize(FIRST.len() + BEHIND.len() + columns, Cell::new("", "–"));
        cells
    }

    /// Returns a sentence with the outcome at a limit, and with what to change.
    fn headline(&self, words: &Words, limit: &str) -> String {
        // "Hugging Face, LengthGroupedSampler": the library, without its class.
        let name = self.about.title.split(',').next().unwrap_or_default();
        let with = match self.about.basis {
            Basis::Defaults => format!("With {name}’s defaults"),
            Basis::Packing => format!("With {name}’s defaults and packing"),
            Basis::Own => format!("With {name} as set here"),
        };
        let Some(lost) = self.lost else {
            return format!("{name} refuses these data at {limit}");
        };
        let above = self.above.unwrap_or(0.0);
        // As in the row of the table: every share that is not 0 there is named here.
        let lost =
            (lost > 0.0).then(|| format!("{} of the {} are lost", percent(lost), words.nouns));
        let above = (above > 0.0).then(|| {
            format!(
                "{} more slots are computed than the best plan of the same tokens needs",
                percent(above)
            )
        });
        let does = match (lost, above) {
            (None, None) => "nothing is lost, and nothing computed in vain".to_owned(),
            (Some(lost), Some(above)) => format!("{lost}, and {above}"),
            (lost, above) => lost.or(above).unwrap_or_default(),
        };
        let next = self.change.as_ref().map_or_else(String::new, |change| {
            format!("; {}: {} gives {}", change.name, change.value, self.gain)
        });
        format!("{with}, {does} at {limit}{next}")
    }
}

/// The columns to see at a glance, for machines and for people, and the columns after them.
const FIRST: [(&str, &str); 5] = [
    ("library", "library"),
    ("lost_share", "loses"),
    ("computed_above", "computes more"),
    ("change", "change this"),
    ("gain", "gain"),
];
/// The place of the change among them.
const CHANGE: usize = 3;
const BEHIND: [(&str, &str); 3] = [
    ("worth", "worth"),
    ("algorithm", "algorithm"),
    ("settings", "settings"),
];

/// Returns a row for each library, by falling gain, then for libraries that refuse the data, then for the baselines:
/// the columns to see at a glance, then the others.
pub fn table(words: &Words, sheets: &[Sheet]) -> Table {
    let mut sorted: Vec<&Sheet> = sheets.iter().collect();
    let last = |sheet: &Sheet| (sheet.about.title.is_empty(), sheet.lost.is_none());
    // A stable sort: libraries of equal gain stand in the order of their list.
    sorted.sort_by(|a, b| last(a).cmp(&last(b)).then(b.worth.total_cmp(&a.worth)));
    let columns = FIRST.iter().chain(&BEHIND).chain(words.columns);
    Table {
        title: String::new(),
        columns: columns
            .map(|(name, words)| ((*name).to_owned(), (*words).to_owned()))
            .collect(),
        rows: sorted
            .into_iter()
            .map(|sheet| sheet.row(words.columns.len()))
            .collect(),
    }
}

/// Returns the same table with only the columns to see at a glance. Where libraries cut sequences,
/// the share that is cut apart is one of them: it is the price of losing nothing.
pub fn in_one_look(mut table: Table) -> Table {
    let cut = table
        .columns
        .iter()
        .position(|(name, _)| name == "cut_share");
    if let Some(cut) = cut {
        // To the place behind the first columns, then by rotation in front of the change.
        table.columns.swap(FIRST.len(), cut);
        table.columns[CHANGE..=FIRST.len()].rotate_right(1);
        for row in &mut table.rows {
            row.swap(FIRST.len(), cut);
            row[CHANGE..=FIRST.len()].rotate_right(1);
        }
    }
    let columns = FIRST.len() + usize::from(cut.is_some());
    table.columns.truncate(columns);
    table.rows.iter_mut().for_each(|row| row.truncate(columns));
    table
}

/// Returns a sentence on the most used library; empty if it is not among these.
pub fn headline(given: LibraryKind, sheets: &[Sheet]) -> String {
    let words = given.words();
    let first = sheets
        .iter()
        .find(|sheet| sheet.about.library == words.first);
    first.map_or_else(String::new, |sheet| {
        sheet.headline(words, &words::limits(given))
    })
}

fn figure(id: &str, name: &str, exact: f64, shown: fn(f64) -> String, note: String) -> Figure {
    Figure {
        id: id.to_owned(),
        name: name.to_owned(),
        exact,
        shown: shown(exact),
        note,
    }
}

/// Formats a number of rows or batches, without a fraction.
fn rounded(value: f64) -> String {
    count(value.round() as u64)
}

/// Formats a mean: without a fraction where there is none.
fn number(value: f64) -> String {
    if value.fract() == 0.0 {
        count(value as u64)
    } else {
        mean(value)
    }
}

/// Returns the range over the orders of arrival; `None` if all are equal.
fn spread(each: impl Iterator<Item = u64> + Clone) -> Option<String> {
    let (least, most) = (each.clone().min()?, each.max()?);
    (least < most).then(|| format!("{} to {} by order", count(least), count(most)))
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
