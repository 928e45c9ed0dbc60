//! Stopwords: words of little meaning, which TokenDrop may drop.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The most words of a custom list; later ones are left out.
const MOST: usize = 10_000;

/// The pronouns, with which the list begins.
const PRONOUNS: &str = "i me my myself we our ours ourselves you you're you've you'll you'd your yours yourself \
    yourselves he him his himself she she's her hers herself it it's its itself they them their theirs themselves \
    what which who whom this that that'll these those";

/// The rest of the list.
const OTHERS: &str = "am is are was were be been being have has had having do does did doing a an the and but if or \
    because as until while of at by for with about against between into through during before after above below to \
    from up down in out on off over under again further then once here there when where why how all any both each \
    few more most other some such only own so than too very can will just should should've now - : ; ... ( )";

/// The stopwords of a text. The default is the list of Nagarajan & Raghunathan (2023), "TokenDrop + BucketSampler",
/// Appendix A, with its pronouns.
///
/// Words are compared in any case, and typographic signs with plain ones (`’` with `'`, `…` with `...`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopwords {
    /// Whether pronouns are stopwords. The paper removes them from its list for tasks about them (WNLI); here they are
    /// removed from a custom list, too.
    pub pronouns: bool,
    /// A list in place of the paper's, in lower case and without duplicates.
    own: Option<Vec<String>>,
}

impl Default for Stopwords {
    fn default() -> Self {
        Self {
            pronouns: true,
            own: None,
        }
    }
}

impl Stopwords {
    /// Parses a custom list: words separated by white space or commas, at most 10,000. Pronouns are stopwords if the
    /// list has them. The list of the paper, in its order, is equal to the default.
    ///
    /// A word that begins or ends with a punctuation mark, other than a mark alone, never matches, because such marks
    /// are tokens of their own in a text.
    pub fn parse(text: &str) -> Self {
        let mut seen = BTreeSet::new();
        let words = text
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty());
        let new = words.map(plain).filter(|word| seen.insert(word.clone()));
        let own: Vec<String> = new.take(MOST).collect();
        // The paper's list, written out, equals the default and is not called a custom one.
        let is_own = !published().eq(own.iter().map(String::as_str));
        Self {
            own: is_own.then_some(own),
            ..Self::default()
        }
    }

    /// Returns the same list, with or without its pronouns.
    pub fn with_pronouns(self, pronouns: bool) -> Self {
        Self { pronouns, ..self }
    }

    /// Returns the whole list, including pronouns even if [`pronouns`](Self::pronouns) is false, separated by spaces:
    /// the inverse of [`parse`](Self::parse).
    pub fn text(&self) -> String {
        self.list().join(" ")
    }

    /// Returns the stopwords, in the order of the list.
    pub fn words(&self) -> Vec<&str> {
        let is_in =
            |word: &&str| self.pronouns || !PRONOUNS.split(' ').any(|pronoun| pronoun == *word);
        self.list().into_iter().filter(is_in).collect()
    }

    /// Whether the list is a custom one, not that of the paper.
    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    fn list(&self) -> Vec<&str> {
        match &self.own {
            Some(own) => own.iter().map(String::as_str).collect(),
            None => published().collect(),
        }
    }
}

fn published() -> impl Iterator<Item = &'static str> {
    PRONOUNS.split(' ').chain(OTHERS.split(' '))
}

/// Returns a word in the form in which words are compared.
fn plain(word: &str) -> String {
    let mut bytes = Vec::with_capacity(word.len());
    simplify(word, &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn simplify(word: &str, to: &mut Vec<u8>) {
    for c in word.chars() {
        match c {
            '’' => to.push(b'\''),
            '…' => to.extend_from_slice(b"..."),
            c => c
                .to_lowercase()
                .for_each(|c| to.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes())),
        }
    }
}

/// The maximum number of bytes of a word that is compared as one number.
const SHORT: usize = 16;

/// Groups of short words; most hold none or one.
const GROUPS: usize = 1 << 12;

/// An index that looks up stopwords without allocation. Short ones are sorted by group and compared as numbers, since a
/// look-up must take only a few nanoseconds.
#[derive(Debug)]
pub(super) struct StopwordIndex {
    short: Vec<u128>,
    /// The start of each group, and the end of the last one.
    starts: Vec<usize>,
    long: BTreeSet<Vec<u8>>,
    word: Vec<u8>,
}

impl StopwordIndex {
    pub fn new(stopwords: &Stopwords) -> Self {
        let words = stopwords
            .words()
            .into_iter()
            .map(|word| plain(word).into_bytes());
        let (short, long): (BTreeSet<_>, _) = words.partition(|word| word.len() <= SHORT);
        let mut short: Vec<u128> = short.iter().map(|word| key(word)).collect();
        short.sort_unstable_by_key(|key| (group(*key), *key));
        let starts = (0..=GROUPS)
            .map(|g| short.partition_point(|key| group(*key) < g))
            .collect();
        Self {
            short,
            starts,
            long,
            word: Vec::new(),
        }
    }

    pub fn contains(&mut self, word: &[u8]) -> bool {
        // The usual case: ASCII needs no copy, as `key` lowers its letters.
        if word.is_ascii() && word.len() <= SHORT {
            return self.has(key(word));
        }
        self.word.clear();
        simplify(&String::from_utf8_lossy(word), &mut self.word);
        match self.word.len() {
            0..=SHORT => self.has(key(&self.word)),
            _ => self.long.contains(&self.word),
        }
    }

    fn has(&self, key: u128) -> bool {
        let group = group(key);
        self.short[self.starts[group]..self.starts[group + 1]].contains(&key)
    }
}

/// Returns a short word in lower case, padded with a byte that occurs in no UTF-8 text.
fn key(word: &[u8]) -> u128 {
    // Words of different lengths differ, since no word has the byte 0xff.
    let mut bytes = [0xff; SHORT];
    for (to, from) in bytes.iter_mut().zip(word) {
        *to = from.to_ascii_lowercase();
    }
    u128::from_le_bytes(bytes)
}

/// Returns the group of a key: the upper bits of a product that mixes all bytes of both halves.
fn group(key: u128) -> usize {
    let mixed = (key as u64) ^ ((key >> 64) as u64).rotate_left(31);
    // 2^64 divided by the golden ratio: Fibonacci hashing, whose upper bits are the best mixed.
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - GROUPS.ilog2())) as usize
}
