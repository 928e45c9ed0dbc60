//! Lines of words that spaces part, of which the first are columns: lists of recordings, of speakers, of words in time, of
//! whatever has a number behind its name. They have no header, and a text may follow, so that a column is read once it is
//! chosen by its number.

use super::dialect::Dialect;
use super::formats::Delimiter;
use super::lines;
use super::names;
use super::number;
use super::options::{Column, Counts, Options};
use super::spaced::{cells, has_mark, is_bare, outside, spaced, words};
use crate::formula::{self, Formula, Operand};
use packscope_core::error::{ChoiceNeeded, Error, Result};
use packscope_core::words::shell_word;
use std::sync::Arc;

/// Returns the number of words of each line that are columns, if the options choose among them.
pub(super) fn chosen(lines: &[&[u8]], options: &Options) -> Option<usize> {
    // A table with spaces between its cells is known by all of its rows.
    if options.delimiter.is_some() || spaced(lines).is_some() {
        return None;
    }
    let most = options.sizes.iter().map(|column| last(column, lines));
    let count = match &options.count {
        Some(Counts::Column(column)) => Some(last(column, lines)),
        _ => None,
    };
    let most = most.chain(count).collect::<Option<Vec<usize>>>()?;
    let most = most.into_iter().max()?;
    let have_words = lines.iter().all(|line| words(line).count() >= most.max(2));
    (have_words && !are_parted(lines, most)).then_some(most)
}

/// Whether a mark other than spaces parts all lines into equally many cells, two and so many at least.
fn are_parted(lines: &[&[u8]], least: usize) -> bool {
    let by = |by: Delimiter| {
        let of = |line: &&[u8]| cells(&outside(line), by);
        let first = lines.first().map_or(0, of);
        first > 1 && first >= least && lines.iter().all(|line| of(line) == first)
    };
    [
        Delimiter::Comma,
        Delimiter::Semicolon,
        Delimiter::Tab,
        Delimiter::Pipe,
    ]
    .into_iter()
    .any(by)
}

/// Returns the last word that a column needs: of a name, or a formula over names, all of the first line, if the others have
/// as many.
fn last(column: &Column, lines: &[&[u8]]) -> Option<usize> {
    let header: Vec<&[u8]> = words(lines.first()?).collect();
    let are_rows = || lines.iter().all(|line| words(line).count() == header.len());
    let of_name = |name: &str| {
        let is_there = header.contains(&name.as_bytes());
        (is_there && are_rows()).then_some(header.len())
    };
    match column {
        Column::Number(n) => Some(*n as usize),
        Column::Name(name) if of_name(name).is_some() || !Formula::is_meant(name) => of_name(name),
        Column::Name(text) => {
            let formula = Formula::parse(text).ok()?;
            let of = formula.fields().iter().map(|field| match field {
                Operand::Number(n) => Some(*n as usize),
                Operand::Name(name) => of_name(name),
            });
            of.collect::<Option<Vec<_>>>()?.into_iter().max()
        }
    }
}

/// Whether the first line has a number at the last place that is read, and so names nothing.
// "tokens: 12" begins with the name of a length, and is a row all the same.
pub(super) fn has_no_header(dialect: &Dialect, head: &[u8]) -> bool {
    let mut lines = head
        .split(|b| *b == b'\n')
        .filter(|line| !lines::is_silent(line));
    let last = |count: usize| {
        let word = words(lines.next()?).nth(count.checked_sub(1)?)?;
        Some(is_bare(word))
    };
    dialect.words.and_then(last).unwrap_or(false)
}

/// Formulae over the words of lines, with the sentence that names them.
struct Offer {
    words: String,
    formulae: Vec<String>,
}

/// Asks about lines of a kind that is known by the form of all of them, unless a column is chosen.
pub(super) fn ask_by_kind(lines: &[&[u8]], options: &Options) -> Result<()> {
    let all: Vec<Vec<&[u8]>> = lines.iter().map(|line| words(line).collect()).collect();
    let are = |is: fn(&[&[u8]]) -> bool| all.len() > 1 && all.iter().all(|line| is(line));
    let times = |what: &str, field: &str| {
        let (listed, formulae) = formula::rated(field, 1.0);
        let words = format!("{what}, whose seconds are lengths with a rate: {listed}");
        Some(Offer { words, formulae })
    };
    let offer = match () {
        () if are(is_recording) => Some(recordings()),
        () if are(is_speaker) => times("turns of speakers, as RTTM has them", "$5"),
        () if are(is_transcript) => times("transcripts, as STM has them", "($5 - $4)"),
        () if are(is_word) => times("words in time, as CTM has them", "$4"),
        () if are(is_segment) => times("segments of recordings, as of Kaldi", "($4 - $3)"),
        () => None,
    };
    offer.map_or(Ok(()), |offer| {
        asked(format!("this is {}", offer.words), offer.formulae, options)
    })
}

/// Asks whether the only number of each line is the length, where spaces part it from words, unless a column is chosen.
pub(super) fn ask(lines: &[&[u8]], options: &Options) -> Result<()> {
    let Some(at) = number(lines) else {
        return Ok(());
    };
    let field = format!("${}", at + 1);
    let words = format!(
        "spaces part words from a number in each line, and nothing says what it counts; if it is the length: --length {}",
        shell_word(&field)
    );
    asked(words, vec![field], options)
}

/// Returns the place of the only word that is a whole number in all lines but perhaps the first. Numbers that rise by equal
/// steps count the lines, or the steps of a log.
pub(super) fn number(lines: &[&[u8]]) -> Option<usize> {
    let below = lines.get(1..).filter(|below| !below.is_empty())?;
    if are_parted(lines, 2) || lines.iter().any(|line| line.contains(&b'\t')) {
        return None;
    }
    let least = lines.iter().map(|line| words(line).count()).min()?;
    let word = |line: &[u8], at: usize| words(line).nth(at).unwrap_or_default().to_vec();
    let are_numbers = |at: &usize| below.iter().all(|line| is_bare(&word(line, *at)));
    let places: Vec<usize> = (0..least).filter(are_numbers).collect();
    let at = match places[..] {
        [only] if least > 1 => only,
        // Of several numbers, the only one beside a word that means a length.
        [_, _, ..] => {
            let only = |is: fn(&str) -> bool| {
                let mut named = places.iter().filter(|at| is_named(lines, **at, is));
                named.next().filter(|_| named.next().is_none()).copied()
            };
            only(|name| names::is_length(name) || names::are_frames(name))
                .or_else(|| only(names::is_in_tokens))?
        }
        _ => return None,
    };
    // A text may follow with any marks, but none stands before the number.
    if lines
        .iter()
        .any(|line| words(line).take(at + 1).any(has_mark))
    {
        return None;
    }
    let whole: Vec<Option<u64>> = lines
        .iter()
        .map(|line| number::count(&word(line, at)).ok())
        .collect();
    // The first line may be a header.
    let below: Vec<u64> = whole[1..].iter().copied().collect::<Option<_>>()?;
    let all: Vec<u64> = whole[0].into_iter().chain(below).collect();
    let step = |two: &[u64]| two[1].checked_sub(two[0]).filter(|step| *step > 0);
    let first = all.get(..2).and_then(step);
    let is_counted = first.is_some_and(|first| {
        (all.len() > 2 || first == 1) && all.windows(2).all(|two| step(two) == Some(first))
    });
    (!is_counted).then_some(at)
}

/// Whether a number stands before or behind such a word, the same in all lines, none of which is of a training.
fn is_named(lines: &[&[u8]], at: usize, is: fn(&str) -> bool) -> bool {
    let word = |line: &[u8], at: usize| {
        let word = words(line).nth(at).unwrap_or_default();
        String::from_utf8_lossy(word)
            .trim_matches([':', '=', ',', '.'])
            .to_owned()
    };
    let are_all = |at: usize| {
        let name = lines.first().map(|line| word(line, at)).unwrap_or_default();
        is(&name) && lines.iter().all(|line| word(line, at) == name)
    };
    let is_of_training = |line: &&[u8]| {
        words(line).any(|word| names::is_of_training(&String::from_utf8_lossy(word)))
    };
    !lines.iter().any(is_of_training) && (are_all(at + 1) || at.checked_sub(1).is_some_and(are_all))
}

fn asked(message: String, lengths: Vec<String>, options: &Options) -> Result<()> {
    if !options.sizes.is_empty() || options.count.is_some() || options.delimiter.is_some() {
        return Ok(());
    }
    let asked = Arc::new(ChoiceNeeded {
        lengths,
        ..ChoiceNeeded::default()
    });
    Err(Error::Unclear {
        place: "line 1".to_owned(),
        message,
        asked,
    })
}

/// wav2letter takes milliseconds; lists that were made for other tools have seconds.
fn recordings() -> Offer {
    let [(short, mut formulae), (long, of_seconds)] =
        [1000.0, 1.0].map(|per_second| formula::rated("$3", per_second));
    formulae.extend(of_seconds);
    let words = format!(
        "recordings with file, duration and words, as of wav2letter; of milliseconds, {short}; of seconds, {long}"
    );
    Offer { words, formulae }
}

/// Whether a line has a name, a file, a duration and words.
fn is_recording(words: &[&[u8]]) -> bool {
    matches!(words, [name, file, duration, _, ..] if !is_bare(name) && file.contains(&b'/') && is_bare(duration))
}

fn is_speaker(words: &[&[u8]]) -> bool {
    matches!(words, [kind, _, _, start, duration, ..] if *kind == b"SPEAKER" && is_bare(start) && is_bare(duration))
}

fn is_transcript(words: &[&[u8]]) -> bool {
    matches!(words, [_, channel, speaker, start, end, ..] if is_channel(channel) && !is_bare(speaker) && is_time(start, end))
}

fn is_word(words: &[&[u8]]) -> bool {
    let is_fraction = |word: &[u8]| is_bare(word) && word.contains(&b'.');
    matches!(words, [name, channel, start, duration, word, ..]
        if !is_bare(name) && is_channel(channel) && is_fraction(start) && is_fraction(duration) && !is_bare(word))
}

fn is_segment(words: &[&[u8]]) -> bool {
    matches!(words, [name, recording, start, end] if !is_bare(name) && !is_bare(recording) && is_time(start, end))
}

fn is_channel(word: &[u8]) -> bool {
    matches!(word, b"A" | b"B" | b"0" | b"1" | b"2")
}

/// Whether words are where something begins and ends, one of them with a fraction.
fn is_time(start: &[u8], end: &[u8]) -> bool {
    let real = |word: &[u8]| number::real(word);
    [start, end].iter().all(|word| is_bare(word))
        && [start, end].iter().any(|word| word.contains(&b'.'))
        && real(start)
            .zip(real(end))
            .is_some_and(|(start, end)| start <= end)
}
