//! Items of several origins: what each is of the whole, and how they are mixed.
//!
//! A mix is set by weights, which libraries mean in two ways: of documents (HF `interleave_datasets`, whose probabilities
//! draw the next example), or of tokens (Megatron's blends of sequences of one length). The same numbers are another mix
//! where documents of the sources differ in length. [`Mix`] says what either comes to.

use super::curves::{CurveBuilder, Curves, share};
use super::{Span, Truncation};
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// The most sources that are told apart; further ones are one more, named [`OTHERS`].
pub const MOST_SOURCES: usize = 64;
/// The name of all sources beyond.
pub const OTHERS: &str = "(others)";

/// Makes the curves of each source.
#[derive(Debug, Clone)]
pub struct BySource {
    truncation: Truncation,
    sources: BTreeMap<String, CurveBuilder>,
}

impl BySource {
    /// Creates a builder for items that are cut in this way.
    pub fn new(truncation: Truncation) -> Self {
        Self {
            truncation,
            sources: BTreeMap::new(),
        }
    }

    /// Adds an item of a source.
    ///
    /// # Errors
    /// Those of [`CurveBuilder::add`].
    pub fn add(&mut self, source: &str, tokens: u32, spans: &[Span], count: u64) -> Result<()> {
        let is_known = self.sources.contains_key(source);
        let name = if is_known || self.sources.len() < MOST_SOURCES {
            source
        } else {
            OTHERS
        };
        let builder = match self.sources.get_mut(name) {
            Some(builder) => builder,
            None => self
                .sources
                .entry(name.to_owned())
                .or_insert_with(|| CurveBuilder::new(self.truncation)),
        };
        builder.add(tokens, spans, count)
    }

    /// Returns each source with its curves, that of most tokens first.
    pub fn finish(self) -> Vec<(String, Curves)> {
        let finished = self.sources.into_iter();
        let mut all: Vec<(String, Curves)> = finished
            .map(|(name, builder)| (name, builder.finish()))
            .collect();
        all.sort_by(|(a, of_a), (b, of_b)| of_b.tokens().cmp(&of_a.tokens()).then(a.cmp(b)));
        all
    }
}

/// The shares of the sources in a training, in the order in which they were given.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Mix {
    /// Shares of the documents: the probabilities of HF `interleave_datasets`.
    pub documents: Vec<f64>,
    /// Shares of the tokens that are computed, which are those of rows where sequences are packed: the weights of Megatron's
    /// blends.
    pub tokens: Vec<f64>,
    /// Shares of the supervised tokens: what the loss consists of.
    pub supervised: Vec<f64>,
    /// Epochs of each source in a training of as many documents as there are.
    pub epochs: Vec<f64>,
}

/// Whether weights of a mix are of documents or of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighted {
    /// Of documents.
    Documents,
    /// Of tokens.
    Tokens,
}

impl Mix {
    /// Returns the mix of weights for each source at a limit, at which longer documents are cut off.
    ///
    /// # Errors
    /// [`Error::Setting`] unless there is a weight of 0 or more for each source, and one above 0; [`Error::Empty`] without
    /// documents.
    pub fn new(sources: &[&Curves], weights: &[f64], by: Weighted, limit: u32) -> Result<Self> {
        let wrong = |given: String| Error::Setting {
            what: "weights of a mix",
            given,
            expected: "a weight of 0 or more for each source, one of them above 0",
        };
        let total: f64 = weights.iter().sum();
        let are_weights =
            weights.iter().all(|w| w.is_finite() && *w >= 0.0) && total > 0.0 && total.is_finite();
        if weights.len() != sources.len() || !are_weights {
            return Err(wrong(format!("{weights:?} for {} sources", sources.len())));
        }
        if sources.iter().any(|of| of.items() == 0) {
            return Err(Error::Empty);
        }
        let mean = |of: &Curves| share(of.tokens_kept(limit), of.items());
        let documents = normal(sources.iter().zip(weights).map(|(of, weight)| match by {
            Weighted::Documents => *weight,
            Weighted::Tokens => weight / mean(of).max(f64::MIN_POSITIVE),
        }));
        let of_documents = |each: &dyn Fn(&Curves) -> f64| {
            normal(
                sources
                    .iter()
                    .zip(&documents)
                    .map(|(of, share)| share * each(of)),
            )
        };
        let items: u64 = sources.iter().map(|of| of.items()).sum();
        Ok(Self {
            tokens: of_documents(&mean),
            supervised: of_documents(&|of| share(of.kept(limit), of.items())),
            epochs: sources
                .iter()
                .zip(&documents)
                .map(|(of, share)| share * items as f64 / of.items() as f64)
                .collect(),
            documents,
        })
    }

    /// Returns the mix of all documents, each once.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn as_they_are(sources: &[&Curves], limit: u32) -> Result<Self> {
        let weights: Vec<f64> = sources.iter().map(|of| of.items() as f64).collect();
        Self::new(sources, &weights, Weighted::Documents, limit)
    }
}

/// Returns shares that add up to 1, or zeros.
fn normal(weights: impl Iterator<Item = f64>) -> Vec<f64> {
    let weights: Vec<f64> = weights.collect();
    let total: f64 = weights.iter().sum();
    let each = |weight: &f64| if total > 0.0 { weight / total } else { 0.0 };
    weights.iter().map(each).collect()
}
