//! The answers of `packscope trainer` as text and tables.

use packscope::api::trainer::{
    AnswerContext, CurvePoint, LibraryAnswer, LibraryKind, Pass, Report, WindowCurve, signed_share,
};
use packscope::export::Table;
use packscope::export::libraries::{self, Sheet, headline, in_one_look, table};
use packscope::metrics::Column;
use packscope::metrics::FigureValue::{Real, Whole};
use packscope::trainer::{Library, Read, SettingValue};
use packscope::words::count;

fn line(name: &str, words: &str) -> String {
    format!("{name:<13}{words}")
}

/// Returns a title with the version that was read, which may differ from the installed one.
fn as_read(title: &str, read: &Read) -> String {
    format!("{title} ({read}, read on {})", read.date)
}

pub fn describe_answer<K: Pass>(
    report: &Report<K>,
    answer: &LibraryAnswer<K>,
    sheet: &Sheet,
    given: K::RequestLimits,
) -> String {
    let about = &answer.about;
    // The answer names a library that the engine knows, so this finds it.
    let library = Library::<K>::find(&about.library).ok();
    let source = library.map_or_else(
        || about.title.clone(),
        |library| as_read(&about.title, &library.read),
    );
    // Only libraries that pack have the limit apart; for others it is among the settings.
    let limit = match K::kind(given) {
        LibraryKind::Sequences(room) => Some(format!("limit {}", count(u64::from(room.limit)))),
        LibraryKind::Batches(_) | LibraryKind::Graphs(_) => None,
    };
    let field = |field: &SettingValue| format!("{}={}", field.name, field.value);
    let settings: Vec<String> = limit
        .into_iter()
        .chain(about.settings.iter().map(field))
        .collect();
    let mut lines = vec![
        format!("{}.", sheet.title),
        String::new(),
        line("library", &source),
    ];
    lines.push(line("settings", &settings.join(", ")));
    if !about.algorithm.is_empty() {
        lines.push(line("algorithm", &about.algorithm));
    }
    if let Some(of) = AnswerContext::new(report, answer, given) {
        let figures = of.in_text().into_iter();
        lines.extend(figures.map(|figure| line(&figure.name, &(figure.shown + &figure.note))));
    }
    if !sheet.advice.is_empty() {
        lines.extend([String::new(), sheet.advice.clone()]);
    }
    let note = library.map_or("", |library| library.note);
    lines.extend([
        String::new(),
        note.to_owned(),
        String::new(),
        about.lines.trim_end().to_owned(),
    ]);
    lines.join("\n")
}

/// Returns a table as CSV, without the last line break.
pub fn csv(table: &Table) -> String {
    table.csv().trim_end().to_owned()
}

/// Returns all libraries side by side in a short table, after a sentence about the most used one.
pub fn table_of_libraries<K: Pass>(
    report: &Report<K>,
    sheets: &[Sheet],
    given: K::RequestLimits,
) -> String {
    let headline = headline(K::kind(given), sheets);
    let table = in_one_look(table(K::kind(given).words(), sheets)).text_of_words();
    let abouts = report.answers.iter().map(|answer| &answer.about);
    let refused = abouts.filter_map(|about| Some((&about.library, about.refused.as_ref()?)));
    let refused: String = refused
        .map(|(library, why)| format!("\n{library}: {why}"))
        .collect();
    let off = libraries::off::<K>();
    let off = if off.is_empty() {
        off
    } else {
        format!("\n{off} --library NAME begins at its defaults.")
    };
    let sample = sheets.iter().find_map(|sheet| sheet.sample).map_or_else(String::new, |sample| {
        format!(
            "\nMany sequences: {} of them, in proportion, stand for all where each is looked at.",
            count(sample)
        )
    });
    format!(
        "{headline}.\n\n{table}\n\nloses: {} computes more: slots than the best plan, for the same; what is not padded \
         computes none in vain.\nfewest slots by: the one setting that saves most, with which the list begins; `packscope advise` weighs what is worth changing. --format csv has \
         all settings and figures.{off}{refused}{sample}",
        (K::PRESENTATION.losses)(given)
    )
}

pub fn curve(curve: &WindowCurve) -> Table {
    const ROWS: [Column<CurvePoint>; 2] = [
        Column::new("rows", "rows", |point| Some(Whole(point.rows))),
        Column::new("above_best", "above best", |point| {
            Some(Real(point.above_best, signed_share))
        }),
    ];
    let table = Table::of("", &curve.points);
    table
        .column(("size", &curve.of), |point| Some(Whole(point.size)).into())
        .figures(&ROWS, |point| point)
        .table
}

/// Returns the points of a curve in words, with the number that suffices.
pub fn curve_in_words(curve: &WindowCurve, table: &Table) -> String {
    format!(
        "{}\n\nabove best: {}.\n{}. The settings have {}.",
        table.text(),
        curve.compared(),
        curve.sentence(),
        count(curve.now)
    )
}
