//! Tokens and attention as the two components of the view: of the sequences on screen, or of groups of responses that share
//! the prompt of a pair.

use super::Action;
use crate::error::Result;
use crate::histogram::{Computation, Histogram, Work};
use crate::state::{AppState, Source};
use crate::words::percent;
use std::rc::Rc;

/// Data to be computed from those on screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    computation: Computation,
    /// The name of the data that it is computed from.
    title: String,
    /// Tokens of a pack; `None` for the tokens of the largest item.
    tokens: Option<u32>,
}

impl Offer {
    /// Computes the data; returns the events that load them with limits to begin with.
    ///
    /// # Errors
    /// Those of [`Computation::of`].
    fn events<const K: usize>(&self, data: &Histogram<K>) -> Result<[Action; 2]> {
        let computed = self.computation.of(data)?;
        let [largest, _] = computed.histogram.max();
        let tokens = self.tokens.unwrap_or(largest).max(1);
        let limits = [tokens, computed.limit(tokens)];
        let name = format!("{}: tokens and attention", self.title);
        let source = Source::Kept { name, components: computed.names().into() };
        Ok([Action::Loaded(source, Rc::new(computed.histogram), [false; 2]), Action::Limits(limits)])
    }
}

impl AppState {
    /// Returns the name of the sequences whose tokens and attention can be two components, and the events that load them;
    /// `None` while no sequences are loaded. The limit of tokens is that of the sequences. O(distinct log distinct).
    pub fn attention(&self) -> Option<(&str, Result<[Action; 2]>)> {
        let data = self.sequences.data.as_ref()?;
        let (title, tokens) = (data.source.title(), Some(self.sequences.settings.limit));
        let offer = Offer { computation: Computation::Attention, title: title.to_owned(), tokens };
        Some((title, offer.events(&data.histogram)))
    }

    /// Whether the items on screen are pairs, such as prompts and responses.
    pub fn are_pairs(&self) -> bool {
        let components = self.graphs.data.as_ref().map_or_else(Vec::new, |data| data.source.components());
        // Components that were computed are no pairs.
        !self.graphs.words().are_graphs()
            && components.get(1).is_some_and(|name| !name.starts_with("attention"))
    }

    /// Returns what groups of so many responses save that share the prompt of a pair, in words, and the events that load
    /// their tokens and attention; `None` unless pairs are on screen. O(distinct log distinct).
    pub fn groups(&self, responses: u32) -> Option<Result<(String, [Action; 2])>> {
        let data = self.graphs.data.as_ref().filter(|_| self.are_pairs())?;
        let computation = Computation::SharedPrompt(responses);
        let title = format!("{} × {responses}", data.source.title());
        let offer = Offer { computation, title, tokens: None };
        let all =
            || Ok((saving(computation.shared_and_apart(&data.histogram)?), offer.events(&data.histogram)?));
        Some(all())
    }
}

fn saving([shared, apart]: [Work; 2]) -> String {
    let saved = |shared: u128, apart: u128| percent(1.0 - shared as f64 / apart.max(1) as f64);
    format!(
        "Sharing saves {} of the tokens and {} of the attention of separate sequences, where all responses of a group have the \
         second size of the pair.",
        saved(shared.tokens, apart.tokens),
        saved(shared.pairs, apart.pairs)
    )
}
