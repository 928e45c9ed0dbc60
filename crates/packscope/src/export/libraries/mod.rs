//! Training libraries as sheets of words and numbers, and side by side as tables that show at a glance what to change.
//! A [`Sheet`] is displayed in the same way for every kind of library.

mod judged;
mod words;

pub use judged::{JudgedLibrary, judged_table};
pub use words::{PictureWords, Words, off};

use super::{Cell, Table};
use crate::api::trainer::{
    Advice, AnswerContext, Basis, LibraryAnswer, LibraryAtSettings, LibraryFigure, LibraryKind,
    LibraryQuery, Pass, Report, ShownFigure, WindowCurve, signed_share,
};
use crate::error::{Error, Result};
use crate::histogram::Histogram;
use crate::metrics::FigureValue::Real;
use crate::packing::Progress;
use crate::sampler::Sampler;
use crate::trainer::batches::LibraryLimits;
use crate::trainer::{Library, PackingLibraries, SettingValue};
use crate::words::{count, factor, percent};
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
    pub figures: Vec<ShownFigure>,
    /// Its cells in the columns of its kind; none where it refuses the data.
    pub cells: Vec<Cell>,
    /// Its place in the scatter plot of all libraries, to the right and upwards.
    pub place: Option<(f64, f64)>,
    /// Number of sequences in the sample that was packed in place of all, if there are many.
    pub sample: Option<u64>,
    /// The cost against its window, if requested.
    pub curve: Option<WindowCurve>,
}

/// Returns a sheet for each answer, then for each baseline.
pub fn sheets<K: Pass>(report: &Report<K>, given: K::RequestLimits) -> Vec<Sheet> {
    let answers = report.answers.iter();
    let answers = answers.map(|answer| Sheet::of(report, answer, given));
    let baselines = report.beside.iter();
    let baselines = baselines.map(|(of, figures)| Sheet::baseline(report, *of, figures));
    answers.chain(baselines).collect()
}

/// Returns the cells of the columns of this kind alone.
fn cells<K: Pass>(figures: &K::Figures) -> Vec<Cell> {
    let columns = K::PRESENTATION.figures.iter();
    columns
        .filter_map(LibraryFigure::column)
        .map(|column| (column.get)(figures).into())
        .collect()
}

/// Returns the lines to paste after a change; `None` where they contain a number that only packing
/// finds.
fn changed<K: Pass>(
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

/// As [`answer_query`], of a library that packs; with as many rows in a batch as the memory holds, if the question says how
/// much that is. Then the title names them.
///
/// # Errors
/// As [`answer_query`].
pub fn packing_sheets(
    asked: &LibraryQuery,
    given: LibraryLimits,
    data: &Histogram<1>,
    progress: &mut Progress,
) -> Result<Vec<Sheet>> {
    let Some((lowered, words)) = lowered(asked, given, data) else {
        return answer_query::<PackingLibraries>(asked, given, data, progress);
    };
    let mut sheets = answer_query::<PackingLibraries>(&lowered, given, data, progress)?;
    if let Some(sheet) = sheets.first_mut().filter(|sheet| sheet.lost.is_some()) {
        let title = sheet.about.title.clone();
        sheet.title = sheet.title.replacen(&title, &format!("{title}{words},"), 1);
    }
    Ok(sheets)
}

/// Returns the question about a library with as many rows as fit, and words that name them; `None` where all of its rows
/// fit.
fn lowered(
    asked: &LibraryQuery,
    given: LibraryLimits,
    data: &Histogram<1>,
) -> Option<(LibraryQuery, String)> {
    let set = asked.at_limits(given).ok()?;
    let slots = asked.most_slots? as f64;
    let fits = set.clone().within_memory(data.max()[0], slots);
    let [own, fit] = [&set, &fits].map(|set| set.rows_setting().map(|set| set.rows));
    let (own, fit) = own.zip(fit).filter(|(own, fit)| fit < own)?;
    let defaults = asked.settings.is_empty() && !asked.packing && !set.library.packing().is_empty();
    let installed = if defaults { " as installed" } else { "" };
    let [fit, own] = [fit, own].map(|rows| count(u64::from(rows)));
    let lowered = LibraryQuery {
        settings: fits.fields(),
        ..asked.clone()
    };
    Some((
        lowered,
        format!("{installed}, {fit} of its {own} rows at a time"),
    ))
}

/// Answers a page's question about these data: the sheet of the library, then the sheets of the baselines. If the
/// library or a setting does not exist, the sheet says so.
///
/// # Errors
/// [`Error::Cancelled`]; limits of 0.
pub fn answer_query<K: Pass>(
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
    /// Creates the sheet of an answer.
    fn of<K: Pass>(report: &Report<K>, answer: &LibraryAnswer<K>, given: K::RequestLimits) -> Self {
        let (about, advice) = (&answer.about, answer.advice.as_ref());
        let shown = K::PRESENTATION;
        let refused = about.refused.as_ref();
        let why = || refused.map(|why| format!("It refuses these data: {why}."));
        let change = advice.and_then(Advice::field);
        let mut sheet = Self {
            about: about.clone(),
            title: format!("{} refuses these data", about.title),
            advice: advice
                .map_or_else(why, |advice| Some(advice.sentence.clone()))
                .unwrap_or_default(),
            changed: change
                .as_ref()
                .and_then(|to| changed::<K>(answer, to, given))
                .unwrap_or_default(),
            change,
            gain: advice.map_or_else(String::new, |advice| advice.gain.clone()),
            worth: advice.map_or(0.0, |advice| advice.worth),
            sample: (shown.sample)(&answer.own),
            least: (shown.least)(&answer.own),
            ..Self::default()
        };
        if let Some(least) = sheet.least {
            let limits = least.limits();
            sheet.advice += &match answer.figures {
                // The reason for the refusal can name the same limit.
                None if sheet.advice.contains(&limits) => String::new(),
                None => format!(" It takes them at {limits}."),
                Some(_) => format!(" At {limits} no row is longer."),
            };
        }
        let figures = answer.figures.as_ref();
        let Some((figures, of)) = figures.zip(AnswerContext::new(report, answer, given)) else {
            return sheet;
        };
        Self {
            title: (shown.title)(&of),
            lost: Some((shown.lost)(figures)),
            above: (shown.excess)(report, Some(&answer.own), figures),
            place: (shown.place)(figures),
            longer: (shown.longer)(&of),
            figures: of.on_page(),
            cells: cells::<K>(figures),
            ..sheet
        }
    }

    /// Creates the sheet of a baseline: under the name of its sampler, and without a title, which puts it last in the
    /// table.
    fn baseline<K: Pass>(report: &Report<K>, sampler: Sampler, figures: &K::Figures) -> Self {
        Self {
            about: LibraryAtSettings {
                library: format!("packscope {}", sampler.name()),
                algorithm: "to compare with".to_owned(),
                ..LibraryAtSettings::default()
            },
            lost: Some((K::PRESENTATION.lost)(figures)),
            above: (K::PRESENTATION.excess)(report, None, figures),
            cells: cells::<K>(figures),
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

    /// Returns the change to make: of a setting, or of the limits.
    fn change_cell(&self) -> Cell {
        let change = self
            .change
            .as_ref()
            .map(|field| Cell::new(equals(field), format!("{}: {}", field.name, field.value)));
        let least = self.least.map(|least| match least {
            LibraryKind::Graphs(limits) => {
                let [nodes, edges] = limits.map(|limit| count(u64::from(limit)));
                let exact = format!("limits={},{}", limits[0], limits[1]);
                Cell::new(exact, format!("limits {nodes} × {edges}"))
            }
            LibraryKind::Sequences(LibraryLimits { limit, .. })
            | LibraryKind::Batches(LibraryLimits { limit, .. }) => {
                let shown = format!("limit {}", count(u64::from(limit)));
                Cell::new(format!("limit={limit}"), shown)
            }
        });
        // A change that makes the library take the data goes before a larger limit.
        let keeps = matches!(self.least, Some(LibraryKind::Sequences(_))) && self.longer.is_none();
        let first = if keeps {
            change.or(least)
        } else {
            least.or(change)
        };
        first.unwrap_or_else(|| Cell::words(""))
    }

    /// Returns the gain of that change.
    fn gain_cell(&self) -> Cell {
        Cell::words(match (self.least, self.longer) {
            (_, Some((share, longest))) => format!(
                "{} of the rows exceed this one, up to {}",
                percent(share),
                factor(longest)
            ),
            (Some(LibraryKind::Graphs(_)), _) => "takes all, with a node for padding".to_owned(),
            (Some(_), _) if self.change.is_none() => "takes all".to_owned(),
            _ => self.gain.clone(),
        })
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

/// A column that libraries of all kinds have: its name in files, its head, and its cell.
type SheetColumn = (&'static str, &'static str, fn(&Sheet) -> Cell);

const COLUMNS: [SheetColumn; 8] = [
    ("library", "library", |sheet| {
        Cell::words(&sheet.about.library)
    }),
    ("lost_share", "loses", |sheet| match sheet.lost {
        None => Cell::new("", "refuses"),
        lost => share(lost),
    }),
    ("computed_above", "computes more", |sheet| {
        share(sheet.above)
    }),
    ("change", "fewest slots by", Sheet::change_cell),
    ("gain", "gain", Sheet::gain_cell),
    ("worth", "worth", |sheet| {
        Cell::new(sheet.worth, percent(sheet.worth))
    }),
    ("algorithm", "algorithm", |sheet| match sheet.lost {
        None => Cell::words("refuses the data"),
        Some(_) => Cell::words(&sheet.about.algorithm),
    }),
    ("settings", "settings", |sheet| {
        let settings: Vec<String> = sheet.about.settings.iter().map(equals).collect();
        Cell::words(settings.join(" "))
    }),
];

fn share(share: Option<f64>) -> Cell {
    share.map(|share| Real(share, signed_share)).into()
}

fn equals(field: &SettingValue) -> String {
    format!("{}={}", field.name, field.value)
}

/// Returns a row for each library, by falling gain, then for libraries that refuse the data, then for the baselines:
/// the columns of all kinds, then those of this one.
pub fn table(words: &Words, sheets: &[Sheet]) -> Table {
    let mut sorted: Vec<&Sheet> = sheets.iter().collect();
    let last = |sheet: &Sheet| (sheet.about.title.is_empty(), sheet.lost.is_none());
    // A stable sort: libraries of equal gain stand in the order of their list.
    sorted.sort_by(|a, b| last(a).cmp(&last(b)).then(b.worth.total_cmp(&a.worth)));
    let mut table = Table::of("", &sorted);
    for (name, head, cell) in COLUMNS {
        table = table.column((name, head), |sheet| cell(sheet));
    }
    for (at, head) in words.columns.iter().enumerate() {
        // Sheets of refusals have no figures.
        let cell = |sheet: &&Sheet| sheet.cells.get(at).cloned();
        table = table.column(*head, |sheet| {
            cell(sheet).unwrap_or_else(|| Cell::new("", "–"))
        });
    }
    table.table
}

/// Returns the columns of that table to see at a glance. Where libraries cut sequences, the share that is cut apart is
/// one of them: it is the price of losing nothing.
pub fn in_one_look(table: Table) -> Table {
    const NAMES: [&str; 6] = [
        "library",
        "lost_share",
        "computed_above",
        "cut_share",
        "change",
        "gain",
    ];
    let place = |name| table.columns.iter().position(|(other, _)| other == name);
    let places: Vec<usize> = NAMES.into_iter().filter_map(place).collect();
    fn some<T: Clone>(of: &[T], places: &[usize]) -> Vec<T> {
        places
            .iter()
            .filter_map(|at| of.get(*at).cloned())
            .collect()
    }
    Table {
        columns: some(&table.columns, &places),
        rows: table.rows.iter().map(|row| some(row, &places)).collect(),
        title: table.title,
    }
}

/// Returns a sentence on the most used library; empty if it is not among these.
pub fn headline(given: LibraryKind, sheets: &[Sheet]) -> String {
    let words = given.words();
    let first = sheets
        .iter()
        .find(|sheet| sheet.about.library == words.first);
    first.map_or_else(String::new, |sheet| sheet.headline(words, &given.limits()))
}
