//! Plain text: each line is a sequence of words and punctuation marks.
//!
//! A substitute for a tokenizer. Words are split at white space; punctuation before and after a word is cut off. Each
//! mark is a token, and so is `...`, so that the marks among the stopwords of Nagarajan & Raghunathan (2023) occur.
//! Words keep contractions, hyphens and bytes that are not UTF-8; each Chinese or Japanese character is a word.

use super::component_names::OF_TEXT;
use super::decoder::RecordSink;
use super::problem::{Place, Why};
use super::splitter::RawRecord;
use super::stopwords::{StopwordIndex, Stopwords};
use super::tally::Tally;

/// The reader of text: words in the first component, stopwords in the second. O(bytes) time, memory for one line.
#[derive(Debug)]
pub(super) struct Text {
    index: StopwordIndex,
}

impl Text {
    pub fn new<const K: usize>(stopwords: &Stopwords, tally: &mut Tally<K>) -> Self {
        tally.description.components = OF_TEXT
            .iter()
            .take(K)
            .map(|name| (*name).to_owned())
            .collect();
        tally.description.stopwords = Some(stopwords.clone());
        Self {
            index: StopwordIndex::new(stopwords),
        }
    }
}

impl<const K: usize> RecordSink<K> for Text {
    fn take(&mut self, place: Place, raw: RawRecord<'_>, tally: &mut Tally<K>) {
        let RawRecord::Line(line) = raw else { return };
        if count_is_unknown(line) {
            return tally.problem(place, line, Why::NoSpaces);
        }
        let mut size = [0; K];
        tokens(line, &mut |token| {
            size[0] += 1;
            if K > 1 && self.index.contains(token) {
                size[1] += 1;
            }
        });
        if size[0] > 0 {
            tally.add(size, 1);
        }
    }
}

/// The most bytes of a word in a text without spaces: longer ones are sequences of letters, such as
/// proteins.
const LONGEST_WORD: usize = 60;

/// Counts words and marks; `None` for a text without spaces that is too long to be a word.
pub(super) fn count(text: &[u8]) -> Option<u64> {
    let mut words = 0;
    // Several words have no limit: only a single one may be letters.
    tokens(text, &mut |_| words += 1);
    (words != 1 || text.trim_ascii().len() <= LONGEST_WORD).then_some(words)
}

/// Whether a text is not a sentence but a number, possibly with a unit, a date, a list or a record.
pub(super) fn is_data(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let (Some(first), Some(last)) = (text.first(), text.last()) else {
        return false;
    };
    let pairs = [(b'[', b']'), (b'{', b'}'), (b'(', b')'), (b'<', b'>')];
    let few = || {
        text.split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .count()
            < 3
    };
    let is_list = || {
        text.iter()
            .any(|b| b.is_ascii_digit() || matches!(b, b',' | b'"' | b'='))
    };
    pairs.contains(&(*first, *last)) && is_list()
        // A sign or a point may come before the digit.
        || matches!(first, b'0'..=b'9' | b'-' | b'+' | b'.') && first_digit(text) && few()
}

/// Whether there is a digit within the first three bytes.
fn first_digit(text: &[u8]) -> bool {
    text.iter().take(3).any(u8::is_ascii_digit)
}

/// Whether a line is a sequence of letters rather than words.
fn count_is_unknown(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.len() > LONGEST_WORD && !line.contains(&b' ') && count(line).is_none()
}

/// Calls `each` for each word and each mark of a line.
fn tokens(line: &[u8], each: &mut impl FnMut(&[u8])) {
    if line.is_ascii() {
        // The same white space as `char::is_whitespace`, which the other branch uses.
        let is_space = |b: &u8| matches!(b, b' ' | 0x09..=0x0d);
        return line
            .split(is_space)
            .filter(|piece| !piece.is_empty())
            .for_each(|piece| ascii(piece, each));
    }
    for piece in String::from_utf8_lossy(line).split_whitespace() {
        if piece.is_ascii() {
            ascii(piece.as_bytes(), each)
        } else {
            unicode(piece, each)
        }
    }
}

/// Splits a piece between spaces that is ASCII.
fn ascii(piece: &[u8], each: &mut impl FnMut(&[u8])) {
    let is_word = |b: &u8| !b.is_ascii_punctuation();
    let begin = piece.iter().position(is_word).unwrap_or(piece.len());
    let end = piece
        .iter()
        .rposition(is_word)
        .map_or(begin, |last| last + 1);
    ascii_marks(&piece[..begin], each);
    if begin < end {
        each(&piece[begin..end]);
    }
    ascii_marks(&piece[end..], each);
}

fn ascii_marks(mut marks: &[u8], each: &mut impl FnMut(&[u8])) {
    while !marks.is_empty() {
        // Three points are one token, as in the paper's list of stopwords.
        let (mark, rest) = marks.split_at(if marks.starts_with(b"...") { 3 } else { 1 });
        each(mark);
        marks = rest;
    }
}

/// Splits a piece between spaces that is not ASCII.
fn unicode(piece: &str, each: &mut impl FnMut(&[u8])) {
    let from_word = piece.trim_start_matches(is_mark);
    let word = from_word.trim_end_matches(is_mark);
    marks(&piece[..piece.len() - from_word.len()], each);
    apart(word, each);
    marks(&from_word[word.len()..], each);
}

/// Calls `each` for a word, or for each character of a script that has no spaces.
fn apart(mut word: &str, each: &mut impl FnMut(&[u8])) {
    while let Some(first) = word.chars().next() {
        let end = if is_ideograph(first) {
            first.len_utf8()
        } else {
            word.find(is_ideograph).unwrap_or(word.len())
        };
        let (one, rest) = word.split_at(end);
        each(one.as_bytes());
        word = rest;
    }
}

/// Whether a character is Chinese or Japanese, which is written without spaces.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{323af}')
}

fn marks(mut marks: &str, each: &mut impl FnMut(&[u8])) {
    while let Some(first) = marks.chars().next() {
        let (mark, rest) = marks.split_at(if marks.starts_with("...") {
            3
        } else {
            first.len_utf8()
        });
        each(mark.as_bytes());
        marks = rest;
    }
}

/// Whether a character is punctuation, or a symbol used beside words in the same way (`$`, `%`, `°`). The standard
/// library has no property for Unicode punctuation, so its blocks are listed; emoji are words.
fn is_mark(c: char) -> bool {
    match c {
        '\0'..='\u{7f}' => c.is_ascii_punctuation(),
        // A soft hyphen is not a mark, and these blocks also contain letters and digits.
        '\u{ad}' => false,
        '\u{a1}'..='\u{bf}' | '×' | '÷' => !c.is_alphanumeric(),
        '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{20a0}'..='\u{20cf}' => true,
        '\u{3001}'..='\u{3030}' | '\u{ff01}'..='\u{ff65}' => !c.is_alphanumeric(),
        // Arabic and Devanagari, Armenian.
        '،' | '؛' | '؟' | '۔' | '।' | '॥' | '։' => true,
        _ => false,
    }
}
