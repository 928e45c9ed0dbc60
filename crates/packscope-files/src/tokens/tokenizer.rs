//! A tokenizer, and the tokens of texts.

use super::counting::Pieces;
use super::files;
use super::measure::TextMeasure;
use super::options::{CountOptions, TokenizerDescription};
use super::template::Template;
use super::trust;
use crate::ingest::Note;
use packscope_core::error::Result;
use packscope_core::words::plural;
use std::ops::Range;
use tokenizers::models::ModelWrapper;
use tokenizers::{EncodeInput, Encoding};

/// The tokenizer of a model, from its `tokenizer.json`.
#[derive(Debug, Clone)]
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    about: TokenizerDescription,
    pieces: Pieces,
    /// Whether the length of a text, or pair, is the sum of its texts' lengths and the special tokens: true unless the
    /// file has a custom template.
    adds_up: bool,
    /// How much longer its steps may make a text.
    growth: u64,
}

impl Tokenizer {
    /// Loads a tokenizer from the bytes of its file. O(bytes) time.
    ///
    /// # Errors
    /// [`Input`](packscope_core::error::Error::Input) if the bytes are not a `tokenizer.json`; the message names other formats.
    pub fn load(bytes: &[u8]) -> Result<Self> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let growth = trust::growth(bytes).map_err(|why| files::refused(bytes, &why))?;
        let parsed = tokenizers::Tokenizer::from_bytes(bytes);
        let mut inner = parsed.map_err(|error| files::refused(bytes, &error.to_string()))?;
        // Before any count: truncation would hide the lengths that packing is about.
        let switched_off = switch_off(&mut inner)?;
        let about = TokenizerDescription {
            model: kind(inner.get_model()).to_owned(),
            vocabulary: inner.get_vocab_size(true) as u64,
            added: 0,
            added_to_pair: 0,
            switched_off,
        };
        let mut tokenizer = Self {
            inner,
            about,
            pieces: Pieces::new(),
            adds_up: false,
            growth,
        };
        let refused = |error: String| files::unusable(&error);
        // In this order: `sum` needs the numbers of special tokens, and `does_add_up` compares with
        // it.
        (tokenizer.about.added, tokenizer.about.added_to_pair) =
            tokenizer.added().map_err(refused)?;
        tokenizer.adds_up = tokenizer.does_add_up().map_err(refused)?;
        Ok(tokenizer)
    }

    /// Returns the description that was made at loading.
    pub fn about(&self) -> &TokenizerDescription {
        &self.about
    }

    /// Returns the number of tokens of a text, or of a pair of texts.
    ///
    /// # Errors
    /// The message of the tokenizer if it fails.
    pub fn count(&self, text: &str, pair: Option<&str>, special: bool) -> Result<u64, String> {
        // Counting without encoding where that was found to give the same.
        if self.adds_up {
            self.sum(text, pair, special)
        } else {
            self.encoded(text, pair, special)
        }
    }

    /// Returns the number of tokens by encoding, as a reference for [`count`](Self::count).
    fn encoded(&self, text: &str, pair: Option<&str>, special: bool) -> Result<u64, String> {
        trust::text(text, self.growth)?;
        trust::text(pair.unwrap_or_default(), self.growth)?;
        let encoding = self.inner.encode_fast(input(text, pair), special);
        encoding
            .map(|e| e.len() as u64)
            .map_err(|error| error.to_string())
    }

    fn sum(&self, text: &str, pair: Option<&str>, special: bool) -> Result<u64, String> {
        let count = |text| {
            trust::text(text, self.growth)?;
            self.pieces
                .count(&self.inner, text)
                .map_err(|error| error.to_string())
        };
        let added = match pair {
            _ if !special => 0,
            Some(_) => self.about.added_to_pair,
            None => self.about.added,
        };
        Ok(count(text)? + pair.map_or(Ok(0), count)? + added)
    }

    fn does_add_up(&self) -> Result<bool, String> {
        // Letters, digits and marks, alone and in pairs: a template that does more than add tokens
        // differs in one of these.
        for (text, pair) in [
            ("a", None),
            ("a b! 12 c", None),
            ("a b! 12 c", Some("d")),
            ("a", Some("b, 3 e")),
        ] {
            for special in [true, false] {
                if self.sum(text, pair, special)? != self.encoded(text, pair, special)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Returns the first tokens, at most `at_most`, as they are in the text; special tokens by their names.
    ///
    /// # Errors
    /// The message of the tokenizer if it fails.
    pub fn pieces(
        &self,
        text: &str,
        pair: Option<&str>,
        special: bool,
        at_most: usize,
    ) -> Result<Vec<String>, String> {
        trust::text(text, self.growth)?;
        trust::text(pair.unwrap_or_default(), self.growth)?;
        let encoding = self
            .inner
            .encode(input(text, pair), special)
            .map_err(|error| error.to_string())?;
        let shown = encoding.len().min(at_most);
        Ok((0..shown)
            .map(|i| piece(&encoding, i, text, pair))
            .collect())
    }

    /// Returns the tokens of a text, without special tokens around it, and those of spans of its characters: from the token
    /// of the first character of each to that of its last, as transformers maps `{% generation %}` to masks.
    ///
    /// # Errors
    /// The message of the tokenizer if it fails.
    pub fn spans(
        &self,
        text: &str,
        spans: &[Range<usize>],
    ) -> Result<(u64, Vec<Range<u32>>), String> {
        trust::text(text, self.growth)?;
        let encoding = self
            .inner
            .encode_char_offsets(input(text, None), false)
            .map_err(|error| error.to_string())?;
        let offsets = encoding.get_offsets();
        let mut all: Vec<Range<u32>> = Vec::new();
        for span in spans.iter().filter(|span| !span.is_empty()) {
            // Tokens are in the order of the text, and several may be of one character: the first is the one.
            let token_of = |character: usize| {
                let at = offsets.partition_point(|(_, end)| *end <= character);
                offsets
                    .get(at)
                    .filter(|(start, _)| *start <= character)
                    .map(|_| at)
            };
            let Some(start) = token_of(span.start) else {
                continue;
            };
            let end = token_of(span.end - 1).map_or(offsets.len(), |last| last + 1);
            // Fewer than the bytes of a text, of which there are at most half a gibibyte.
            let [start, end] = [start, end].map(|at| at as u32);
            match all.last_mut() {
                Some(last) if last.end >= start => last.end = last.end.max(end),
                _ => all.push(start..end),
            }
        }
        Ok((encoding.len() as u64, all))
    }

    /// Returns the tokens of a text, and those of them that come after all that it has in common with the tokens of its
    /// beginning.
    ///
    /// # Errors
    /// The message of the tokenizer if it fails.
    pub fn after(
        &self,
        beginning: &str,
        text: &str,
        special: bool,
    ) -> Result<(u64, Vec<Range<u32>>), String> {
        let ids = |text: &str| {
            trust::text(text, self.growth)?;
            let encoding = self.inner.encode_fast(input(text, None), special);
            encoding.map_err(|error| error.to_string())
        };
        let [first, all] = [ids(beginning)?, ids(text)?];
        let same = first
            .get_ids()
            .iter()
            .zip(all.get_ids())
            .take_while(|(a, b)| a == b);
        let (same, tokens) = (same.count() as u32, all.len() as u32);
        let after = (same < tokens).then_some(same..tokens);
        Ok((u64::from(tokens), after.into_iter().collect()))
    }

    /// Returns the number of special tokens added to a text, and to a pair.
    fn added(&self) -> Result<(u64, u64), String> {
        let added = |pair: Option<&str>| {
            let [with, without] = [true, false].map(|special| self.encoded("a", pair, special));
            Ok::<_, String>(with?.saturating_sub(without?))
        };
        Ok((added(None)?, added(Some("b"))?))
    }
}

impl TextMeasure for Tokenizer {
    fn tokens_of(&self, text: &str, pair: Option<&str>, special: bool) -> Result<u64, String> {
        self.count(text, pair, special)
    }

    fn pieces_of(
        &self,
        text: &str,
        pair: Option<&str>,
        special: bool,
        at_most: usize,
    ) -> Result<Vec<String>, String> {
        self.pieces(text, pair, special, at_most)
    }

    fn opening_notes(&self, name: &str, template: &Template, options: &CountOptions) -> Vec<Note> {
        let about = &self.about;
        let counted = Note::Tokens {
            tokenizer: format!("{name} ({about})"),
            texts: template.words(),
            special: options.special,
        };
        let switched_off = (!about.switched_off.is_empty()).then(|| Note::SwitchedOff {
            what: about.switched_off.clone(),
        });
        std::iter::once(counted).chain(switched_off).collect()
    }
}

fn input<'s>(text: &'s str, pair: Option<&'s str>) -> EncodeInput<'s> {
    match pair {
        Some(pair) => (text, pair).into(),
        None => text.into(),
    }
}

/// Returns the text of a token, or its name if it has none.
fn piece(encoding: &Encoding, i: usize, text: &str, pair: Option<&str>) -> String {
    let name = || encoding.get_tokens().get(i).cloned().unwrap_or_default();
    let of = match encoding.token_to_sequence(i) {
        Some(0) => text,
        Some(_) => pair.unwrap_or_default(),
        None => return name(),
    };
    let (from, to) = encoding.get_offsets().get(i).copied().unwrap_or_default();
    of.get(from..to)
        // An added token has no text of its own, and an offset may lie within a character.
        .filter(|slice| !slice.is_empty())
        .map_or_else(name, str::to_owned)
}

fn kind(model: &ModelWrapper) -> &'static str {
    match model {
        ModelWrapper::BPE(_) => "BPE",
        ModelWrapper::WordPiece(_) => "WordPiece",
        ModelWrapper::WordLevel(_) => "WordLevel",
        ModelWrapper::Unigram(_) => "Unigram",
    }
}

/// Switches off settings that would change lengths, and returns their descriptions.
fn switch_off(tokenizer: &mut tokenizers::Tokenizer) -> Result<Vec<String>> {
    let mut off = Vec::new();
    if let Some(truncation) = tokenizer.get_truncation() {
        off.push(format!(
            "truncation to {}",
            plural(truncation.max_length as u64, "token")
        ));
    }
    if tokenizer.get_padding().is_some() {
        off.push("padding".to_owned());
    }
    let undone = tokenizer.with_truncation(None);
    undone
        .map_err(|error| files::unusable(&error.to_string()))?
        .with_padding(None);
    if let ModelWrapper::BPE(bpe) = tokenizer.get_model()
        && bpe.dropout.is_some_and(|share| share > 0.0)
    {
        // Dropout is random: the same text would have another length each time.
        let mut bpe = bpe.clone();
        bpe.dropout = None;
        tokenizer.with_model(bpe);
        off.push("dropout of merges".to_owned());
    }
    Ok(off)
}
