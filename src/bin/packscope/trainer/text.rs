//! Answers as text and tables.

use packscope::api::trainer::{About, Advice, Answer, Curve, Point};
use packscope::export::libraries::{self, in_one_look, sequences};
use packscope::export::{Cell, Table};
use packscope::trainer::{Field, Kind, Library, Read, Sequences};
use packscope::words::{count, mean, percent, plural};

/// Returns what one library that packs does.
pub fn one(answer: &Answer) -> String {
    let limit = Some(format!("limit {}", count(u64::from(answer.own.limit))));
    lines_of::<Sequences>(&answer.about, limit, figures(answer), &answer.advice)
}

fn line(name: &str, words: &str) -> String {
    format!("{name:<13}{words}")
}

/// Returns a title with the version that was read, which may not be the one that is used.
fn as_read(title: &str, read: &Read) -> String {
    format!("{title} ({read}, read on {})", read.date)
}

/// Returns what one library of any kind does; `limit` stands before its settings, where it is a limit for each row.
pub fn lines_of<K: Kind>(
    about: &About,
    limit: Option<String>,
    figures: Vec<(&'static str, String)>,
    advice: &Option<Advice>,
) -> String {
    let library = Library::<K>::find(&about.library).ok();
    let source = library.map_or_else(|| about.title.clone(), |library| as_read(&about.title, &library.read));
    let field = |field: &Field| format!("{}={}", field.name, field.value);
    let settings: Vec<String> = limit.into_iter().chain(about.settings.iter().map(field)).collect();
    let mut lines = vec![line("library", &source), line("settings", &settings.join(", "))];
    if !about.algorithm.is_empty() {
        lines.push(line("algorithm", &about.algorithm));
    }
    lines.extend(about.refused.iter().map(|refused| line("refused", refused)));
    lines.extend(figures.iter().map(|(name, words)| line(name, words)));
    lines.extend(advice.iter().flat_map(|advice| [String::new(), advice.sentence.clone()]));
    let note = library.map_or("", |library| library.note);
    lines.extend([String::new(), note.to_owned(), String::new(), about.lines.trim_end().to_owned()]);
    lines.join("\n")
}

/// Returns the figures with their names.
fn figures(answer: &Answer) -> Vec<(&'static str, String)> {
    let Some(figures) = &answer.figures else { return Vec::new() };
    let spread = match &answer.own.spread {
        Some(spread) if answer.runs.len() > 1 => {
            let (least, most) = spread.rows;
            format!(" ({} to {} over {} seeds)", count(least), count(most), answer.runs.len())
        }
        _ => String::new(),
    };
    let sample = answer
        .own
        .sample
        .map_or_else(String::new, |n| format!(", as {} of the sequences have them", count(n)));
    let mut lines = vec![("rows", format!("{}{spread}{sample}", mean(figures.rows)))];
    // Single sequences without padding waste nothing that packing would save.
    let alone = !answer.own.padded && figures.most <= 1.0;
    if let (Some(above), Some(best), false) = (figures.above_best, &answer.own.reference, alone) {
        let of = best.algorithm.as_deref().unwrap_or("rows without room");
        lines.push((
            "above best",
            format!("{} ({of}: {}, bound {})", libraries::above(above), count(best.rows), count(best.bound)),
        ));
    }
    if let Some(above) = figures.computed_above {
        lines.push((
            "computed",
            format!("{} more slots than the best plan for as many tokens", percent(above)),
        ));
    }
    lines.push(("steps", format!("{} on one device, without accumulation", mean(figures.steps))));
    let padding =
        if answer.own.padded { "of the slots" } else { "of the slots in rows; none of it is computed" };
    lines.push(("padding", format!("{} {padding}", percent(figures.padding_share))));
    lines.push(("truncated", format!("{} of the tokens", percent(figures.truncated_share))));
    let sequences = plural(figures.dropped_sequences.round() as u64, "sequence");
    lines.push(("dropped", format!("{} of the tokens, {sequences}", percent(figures.dropped_share))));
    let pieces = match figures.mean_pieces {
        0.0 => String::new(),
        pieces => {
            let cut = plural(figures.cut_sequences.round() as u64, "sequence");
            format!(" of the tokens: {cut} in {pieces:.1} pieces each")
        }
    };
    lines.push(("cut apart", format!("{}{pieces}", percent(figures.cut_share))));
    lines.push((
        "context",
        format!(
            "{} tokens of its own sequence that a token sees, on average; {} in whole sequences",
            mean(figures.mean_context),
            mean(figures.whole_context)
        ),
    ));
    lines
}

/// Returns a row for each library.
pub fn table<'a>(answers: impl IntoIterator<Item = &'a Answer>) -> Table {
    sequences::table(answers.into_iter().map(sequences::of_answer))
}

/// Returns a line for each library that refuses the data, with the reason.
pub fn refusals<'a>(abouts: impl Iterator<Item = &'a About>) -> String {
    let refused = abouts.filter_map(|about| Some((&about.library, about.refused.as_ref()?)));
    refused.map(|(library, why)| format!("\n{library}: {why}")).collect()
}

/// Returns the fewest and the most batches over several seeds, in brackets.
pub fn spread(batches: &[u64]) -> String {
    match (batches.iter().min(), batches.iter().max()) {
        (Some(least), Some(most)) if batches.len() > 1 => {
            format!(" ({} to {} over {} seeds)", count(*least), count(*most), batches.len())
        }
        _ => String::new(),
    }
}

/// Returns a table as CSV, without the end of its last line.
pub fn csv(table: &Table) -> String {
    table.csv().trim_end().to_owned()
}

/// Returns all libraries side by side, in one look, after a sentence on the one that is used most.
pub fn side(headline: &str, table: Table, notes: &str, refused: &str) -> String {
    let table = in_one_look(table).text_of_words();
    format!(
        "{headline}.\n\n{table}\n\nloses: {notes} computes more: slots than the best plan, for the same; what is not padded \
         computes none in vain.\nchange this: the one setting that gains most; the list begins with the most. --format csv has \
         all settings and figures.{refused}"
    )
}

/// Returns all libraries that pack, side by side.
pub fn all(answers: &[Answer]) -> String {
    let looks = answers.iter().map(|answer| sequences::of_answer(answer).0);
    let headline = sequences::headline(looks, answers.first().map_or(0, |answer| answer.own.limit));
    let sample = answers.iter().find_map(|answer| answer.own.sample).map_or_else(String::new, |sample| {
        format!(
            "\nMany sequences: {} of them, in proportion, stand for all where each is looked at.",
            count(sample)
        )
    });
    let notes = "tokens that are cut off, dropped, or left over at the end.";
    side(&headline, table(answers), notes, &(refusals(answers.iter().map(|answer| &answer.about)) + &sample))
}

/// Returns the points of a curve.
pub fn curve(curve: &Curve) -> Table {
    let mut table =
        Table::new("", [("size", curve.of.as_str()), ("rows", "rows"), ("above_best", "above best")]);
    let row = |point: &Point| {
        let cells = [(point.size as f64, count(point.size)), (point.rows as f64, count(point.rows))];
        let above = (point.above_best, libraries::above(point.above_best));
        cells.into_iter().chain([above]).map(|(exact, shown)| Cell::new(exact, shown)).collect()
    };
    table.rows = curve.points.iter().map(row).collect();
    table
}

/// Returns the same with what is enough.
pub fn curve_in_words(curve: &Curve, table: &Table) -> String {
    format!(
        "{}\n\nabove best: {}.\n{}. The settings have {}.",
        table.text(),
        curve.compared(),
        curve.sentence(),
        count(curve.now)
    )
}
