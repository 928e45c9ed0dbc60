//! The ways to find the length of a text: counted by a tokenizer, or estimated.

use super::options::CountOptions;
use super::template::Template;
use crate::ingest::Note;

/// A way to find the length of a text in tokens: a [`Tokenizer`](super::Tokenizer) counts,
/// [`Characters`](super::Characters) estimates.
pub trait TextMeasure {
    /// Returns the number of tokens of a text, or of a pair of texts, with or without special tokens.
    ///
    /// # Errors
    /// The reason why this text cannot be measured.
    fn tokens_of(&self, text: &str, pair: Option<&str>, special: bool) -> Result<u64, String>;

    /// Returns the first tokens as texts, at most `at_most`; none if they are not known.
    ///
    /// # Errors
    /// The reason why this text cannot be measured.
    fn pieces_of(
        &self,
        text: &str,
        pair: Option<&str>,
        special: bool,
        at_most: usize,
    ) -> Result<Vec<String>, String>;

    /// Returns the tokens that stand around so many messages of a conversation, beside their texts.
    fn tokens_around(&self, messages: u64) -> u64 {
        let _ = messages;
        0
    }

    /// Returns the notes on how texts are measured, by what is called `name`.
    fn opening_notes(&self, name: &str, template: &Template, options: &CountOptions) -> Vec<Note>;

    /// Returns the note on all texts that were measured, if there is one.
    fn closing_note(&self) -> Option<Note> {
        None
    }
}
