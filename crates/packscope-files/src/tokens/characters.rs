//! Lengths estimated from the characters of texts, for those who have no tokenizer at hand.
//!
//! Weights for kinds of characters were fitted to six tokenizers (GPT-2, GPT-4, GPT-4o, Llama 2, Llama 3, Mistral) on 1.2
//! million characters: English prose, Markdown, Rust, Python, JavaScript, JSON, and translations of the messages of Django
//! into 30 languages. On each of these kinds the totals of a tokenizer are within a tenth, except those of rare scripts.

use super::measure::TextMeasure;
use super::options::CountOptions;
use super::template::Template;
use crate::ingest::Note;
use std::cell::Cell;

/// Kinds of characters: letters of English, their words, digits, punctuation, line ends, other Latin letters, Greek and
/// Cyrillic, Chinese and Japanese, Korean, Arabic and Hebrew, scripts of South Asia, all others.
const KINDS: usize = 12;

/// Tokens of each kind, by tokenizer.
const WEIGHTS: [[f64; KINDS]; 6] = [
    // GPT-2, which has a token for each space of an indentation.
    [
        0.088, 0.750, 0.695, 0.749, 4.079, 2.474, 1.242, 1.335, 2.759, 1.257, 2.284, 3.000,
    ],
    // GPT-4; Qwen and Phi-4 are near.
    [
        0.123, 0.682, 0.925, 0.490, 0.559, 1.030, 0.564, 0.947, 1.018, 0.915, 1.315, 0.729,
    ],
    // GPT-4o and gpt-oss.
    [
        0.106, 0.711, 0.917, 0.483, 0.822, 0.097, 0.320, 0.656, 0.640, 0.363, 0.370, 0.972,
    ],
    // Llama 2.
    [
        0.155, 0.631, 1.381, 0.674, 1.486, 1.688, 0.483, 1.214, 2.015, 1.166, 1.297, 3.000,
    ],
    // Llama 3.
    [
        0.142, 0.615, 0.927, 0.491, 0.494, 0.221, 0.369, 0.646, 0.685, 0.446, 0.753, 1.260,
    ],
    // Mistral.
    [
        0.167, 0.587, 1.380, 0.671, 1.358, 1.877, 0.528, 1.067, 1.381, 1.157, 1.210, 2.278,
    ],
];

/// How far a total may be from that of the fit, on a kind of text that it has not seen.
const FIT: f64 = 0.08;

/// Tokens around a message: `<|im_start|>user`, line end, `<|im_end|>`, line end; as many in Llama 3.
const AROUND: u64 = 5;

/// Estimates lengths in tokens from the characters of texts: the median of what six tokenizers would give. The closing note
/// has the band of the total, which is wide: these tokenizers differ by a fifth on English, and by more on other languages.
#[derive(Debug, Default)]
pub struct Characters {
    around: u64,
    /// Tokens of all texts, by tokenizer.
    totals: Cell<[f64; WEIGHTS.len()]>,
}

impl Characters {
    /// Returns an estimate of plain texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an estimate of conversations, with what a usual chat template writes around each message.
    pub fn of_conversations() -> Self {
        Self {
            around: AROUND,
            ..Self::default()
        }
    }

    /// Returns the least and the most tokens that the tokenizers would give for all texts so far.
    pub fn band(&self) -> [u64; 2] {
        let totals = self.totals.get();
        let (least, most) = totals
            .iter()
            .fold((f64::MAX, 0.0_f64), |(least, most), total| {
                (least.min(*total), most.max(*total))
            });
        [least * (1.0 - FIT), most * (1.0 + FIT)].map(|total| total.round() as u64)
    }
}

impl TextMeasure for Characters {
    fn tokens_of(&self, text: &str, pair: Option<&str>, _special: bool) -> Result<u64, String> {
        let mut kinds = kinds(text);
        for (sum, more) in kinds
            .iter_mut()
            .zip(pair.map(self::kinds).unwrap_or_default())
        {
            *sum += more;
        }
        let mut tokens = WEIGHTS.map(|weights| {
            let each = weights
                .iter()
                .zip(&kinds)
                .map(|(weight, n)| weight * *n as f64);
            each.sum::<f64>()
        });
        let mut totals = self.totals.get();
        for (total, one) in totals.iter_mut().zip(&tokens) {
            *total += one;
        }
        self.totals.set(totals);
        tokens.sort_unstable_by(f64::total_cmp);
        let median = f64::midpoint(tokens[2], tokens[3]).round() as u64;
        // A text of one character rounds to nothing, and has a token all the same.
        let has_text = kinds.iter().any(|n| *n > 0);
        Ok(median.max(u64::from(has_text)))
    }

    fn pieces_of(
        &self,
        _text: &str,
        _pair: Option<&str>,
        _special: bool,
        _at_most: usize,
    ) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }

    fn tokens_around(&self, messages: u64) -> u64 {
        let tokens = self.around.saturating_mul(messages);
        self.totals
            .set(self.totals.get().map(|total| total + tokens as f64));
        tokens
    }

    fn opening_notes(&self, _: &str, _: &Template, _: &CountOptions) -> Vec<Note> {
        Vec::new()
    }

    fn closing_note(&self) -> Option<Note> {
        let [least, most] = self.band();
        Some(Note::Estimated {
            least,
            most,
            per_message: self.around,
        })
    }
}

/// Counts the characters of each kind.
fn kinds(text: &str) -> [u64; KINDS] {
    let mut kinds = [0; KINDS];
    let mut in_word = false;
    for c in text.chars() {
        let is_letter = c.is_ascii_alphabetic();
        let kind = match c {
            _ if is_letter => {
                kinds[1] += u64::from(!in_word);
                Some(0)
            }
            '0'..='9' => Some(2),
            ' ' => None,
            _ if c.is_ascii_whitespace() => Some(4),
            _ if c.is_ascii() => Some(3),
            '\u{80}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Some(5),
            '\u{370}'..='\u{58f}' | '\u{1f00}'..='\u{1fff}' => Some(6),
            '\u{590}'..='\u{8ff}' => Some(9),
            '\u{900}'..='\u{10ff}' | '\u{1780}'..='\u{17ff}' => Some(10),
            '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}' => Some(8),
            '\u{2e80}'..='\u{a4cf}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff00}'..='\u{ffef}'
            | '\u{20000}'..='\u{2ffff}' => Some(7),
            _ => Some(11),
        };
        kinds[kind.unwrap_or(KINDS - 1)] += u64::from(kind.is_some());
        in_word = is_letter;
    }
    kinds
}
