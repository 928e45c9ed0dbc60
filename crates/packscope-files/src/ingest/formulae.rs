//! Formulae that may be the length where no column is it: of a prompt with its response, of seconds, of where items begin
//! and end, of pictures. Each is offered and none is chosen: the rate and the size of patches are the model's.

use super::column_choice::{Question, Unclear};
use super::column_stats::{Cell, ColumnStats, Holds};
use super::component_names;
use super::names;
use super::nested::Inner;
use super::problem::shorten;
use crate::formula::{self, quoted};
use packscope_core::words::{shell_word, visible};

/// Formulae that may be the length, likeliest first, and the words that name them as flags.
struct Offer {
    words: String,
    formulae: Vec<String>,
}

/// Adds the formulae over these columns to a choice of the length that is unclear.
pub(super) fn offered(unclear: Unclear, columns: &[ColumnStats], components: usize) -> Unclear {
    let have_names = columns.iter().any(|column| !column.name.is_empty());
    let offer = if have_names {
        offer(columns)
    } else {
        of_numbered(columns)
    };
    let (Some(offer), 1) = (offer, components) else {
        return unclear;
    };
    let question = match unclear {
        Unclear::Refused(_) => return unclear,
        // Which column is the count is another question, which a formula does not answer.
        Unclear::Question(question) if have_names && question.lengths.len() < 2 => {
            return Unclear::Question(question);
        }
        // A column that is no length by itself is not the first guess.
        Unclear::Question(question) if !have_names => Question {
            lengths: Vec::new(),
            ..question
        },
        Unclear::Question(question) => question,
        Unclear::NoSizes => Question {
            words: "no name is known to be that of a length".to_owned(),
            ..Question::default()
        },
    };
    Unclear::Question(Question {
        words: format!("{}; {}", question.words, offer.words),
        formulae: offer.formulae,
        ..question
    })
}

/// Returns the formulae over columns that have no names: of seconds behind a name, and of where items begin and end.
fn of_numbered(columns: &[ColumnStats]) -> Option<Offer> {
    let is_text = |column: &ColumnStats| column.holds == Holds::Texts;
    match columns {
        [name, time] if is_text(name) && time.holds == Holds::Numbers && !time.is_whole() => {
            Some(times("the second", "$2", &[time]))
        }
        [name, from, to, ..] if is_text(name) && from.is_whole() && to.is_whole() => {
            let mut rows = from.cells.iter().zip(&to.cells);
            let begins_before = |(from, to): (&Cell, &Cell)| {
                from.whole().zip(to.whole()).is_some_and(|(a, b)| a < b)
            };
            rows.all(begins_before).then(|| {
                let difference = "$3 - $2".to_owned();
                Offer {
                    words: format!(
                        "if each begins at the second and ends at the third, as BED has it, lengths are {}",
                        flag(&difference)
                    ),
                    formulae: vec![difference],
                }
            })
        }
        _ => None,
    }
}

fn offer(columns: &[ColumnStats]) -> Option<Offer> {
    let can = |column: &&ColumnStats| {
        // A name of a column is copied into a shell and a terminal.
        let is_plain = column.name.len() < 200 && column.name.chars().all(|c| visible(c) == c);
        let is_number = column.holds == Holds::Numbers || are_lists(column);
        is_number && !column.name.is_empty() && is_plain
    };
    let mut all: Vec<&ColumnStats> = columns.iter().filter(can).collect();
    // The duration of a cut comes before that of the recording within it.
    all.sort_by_key(|column| column.name.matches('.').count());
    conversation(&all)
        .or_else(|| frames_and_duration(&all))
        .or_else(|| interval(&all))
        .or_else(|| picture(&all))
}

fn are_lists(column: &ColumnStats) -> bool {
    column.holds == Holds::Other(Inner::Lengths.words())
}

fn flag(formula: &str) -> String {
    format!("--length {}", shell_word(formula))
}

fn named(column: &ColumnStats) -> String {
    format!("\"{}\"", shorten(column.name.as_bytes()))
}

/// A prompt and its response are one sequence to most trainings.
fn conversation(columns: &[&ColumnStats]) -> Option<Offer> {
    // Of each prompt of a batch, lists are added element by element.
    let can = |column: &&&ColumnStats| {
        // A number of prompts is not the length of one.
        (column.is_whole() && !names::is_number_of_items(&column.name)) || are_lists(column)
    };
    let whole: Vec<&&ColumnStats> = columns.iter().filter(can).collect();
    let find = |name: fn(&str) -> &str| {
        let names: Vec<&str> = whole.iter().map(|column| name(&column.name)).collect();
        component_names::prompt_and_response(&names)
    };
    // Of fields within fields the last name counts, as in `usage.prompt_tokens`.
    let of = find(|name| name).or_else(|| find(names::last_name))?;
    let of = of.map(|at| whole[at]);
    let sum = of.map(|column| quoted(&column.name)).join(" + ");
    let [prompt, response] = of.map(|column| named(column));
    Some(Offer {
        words: format!("{prompt} and {response} in one sequence are {}", flag(&sum)),
        formulae: vec![sum],
    })
}

/// Frames that are counted, and those of a duration beside them.
fn frames_and_duration(columns: &[&ColumnStats]) -> Option<Offer> {
    match (frames(columns), duration(columns)) {
        (Some(counted), Some(of_time)) => Some(Offer {
            words: format!("{}; {}", counted.words, of_time.words),
            formulae: [counted.formulae, of_time.formulae].concat(),
        }),
        (counted, of_time) => counted.or(of_time),
    }
}

/// A number of frames, unless it is that of pictures: their sides count, too.
fn frames(columns: &[&ColumnStats]) -> Option<Offer> {
    let has = |word: &str| {
        columns
            .iter()
            .any(|column| names::words(&column.name).iter().any(|known| known == word))
    };
    let are_frames = |column: &&&ColumnStats| column.is_whole() && names::are_frames(&column.name);
    let counted = columns.iter().find(are_frames).filter(|_| !has("width"))?;
    let formula = quoted(&counted.name);
    Some(Offer {
        words: format!(
            "{} is a length in frames: {}",
            named(counted),
            flag(&formula)
        ),
        formulae: vec![formula],
    })
}

fn duration(columns: &[&ColumnStats]) -> Option<Offer> {
    let time = columns
        .iter()
        .find(|column| names::is_duration(&column.name))?;
    Some(times(&named(time), &quoted(&time.name), &[time]))
}

/// The formulae for a time in seconds or milliseconds, computed by `formula` from these columns.
fn times(what: &str, formula: &str, of: &[&ColumnStats]) -> Offer {
    let cells = || of.iter().flat_map(|column| &column.cells);
    let is_whole = !cells().any(|cell| matches!(cell, Cell::Real(_)));
    // A quarter of an hour is long for a recording, and short for milliseconds.
    let is_large = cells().any(|cell| matches!(cell, Cell::Whole(1000..)));
    let in_ms = of
        .iter()
        .any(|column| names::is_in_milliseconds(&column.name));
    let [short, long] = [1000.0, 1.0].map(|per_second| formula::rated(formula, per_second));
    let is = |unit: &str, (listed, formulae): (String, Vec<String>)| Offer {
        words: format!("{what} may be {unit}, which are lengths with a rate: {listed}"),
        formulae,
    };
    match () {
        () if in_ms => is("milliseconds", short),
        () if is_whole && is_large => {
            let mut both = is("milliseconds", short);
            both.words = format!("{}; or seconds: {}", both.words, long.0);
            both.formulae.extend(long.1);
            both
        }
        () => is("seconds", long),
    }
}

/// Where items begin and end: their difference, of seconds with a rate.
fn interval(columns: &[&ColumnStats]) -> Option<Offer> {
    let end_of = |start: &ColumnStats| {
        let ends = names::ends_of(&start.name);
        columns
            .iter()
            .copied()
            .find(|end| ends.contains(&names::words(&end.name)))
    };
    let (start, end) = columns
        .iter()
        .find_map(|start| Some((*start, end_of(start)?)))?;
    let real = |cell: &Cell| match cell {
        Cell::Whole(n) => Some(*n as f64),
        Cell::Real(x) => Some(*x),
        Cell::Text(_) | Cell::Else => None,
    };
    let mut rows = start.cells.iter().zip(&end.cells);
    // Seconds since 1970 are when something ran, and their difference is no length.
    let is_row = |(from, to): (&Cell, &Cell)| {
        real(from)
            .zip(real(to))
            .is_none_or(|(from, to)| from <= to && from < 1e9)
    };
    if !rows.all(is_row) {
        return None;
    }
    let difference = format!("{} - {}", quoted(&end.name), quoted(&start.name));
    let between = format!("what is between {} and {}", named(start), named(end));
    let of = [start, end];
    let is_time = of.iter().any(|column| {
        names::is_in_milliseconds(&column.name)
            || column
                .cells
                .iter()
                .any(|cell| matches!(cell, Cell::Real(_)))
    });
    if is_time {
        return Some(times(&between, &format!("({difference})"), &of));
    }
    Some(Offer {
        words: format!("{between} is {}", flag(&difference)),
        formulae: vec![difference],
    })
}

/// Pixels of the patches of vision models; of those that merge four patches of 14 into a token, 28.
const PATCHES: [u32; 3] = [14, 16, 28];

fn picture(columns: &[&ColumnStats]) -> Option<Offer> {
    let find = |word: &str| {
        columns.iter().find(|column| {
            column.is_whole() && names::words(&column.name).contains(&word.to_owned())
        })
    };
    let (width, height) = (find("width")?, find("height")?);
    let patches = |side: u32| {
        let [across, down] =
            [width, height].map(|of| format!("ceil({} / {side})", quoted(&of.name)));
        format!("{across} * {down}")
    };
    let formulae = PATCHES.map(patches);
    let listed: Vec<String> = PATCHES
        .iter()
        .zip(&formulae)
        .map(|(side, formula)| format!("of {side} pixels {}", flag(formula)))
        .collect();
    Some(Offer {
        words: format!(
            "{} and {} are lengths in patches: {}",
            named(width),
            named(height),
            listed.join(", ")
        ),
        formulae: formulae.to_vec(),
    })
}
