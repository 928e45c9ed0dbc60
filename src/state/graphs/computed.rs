//! Tokens and attention as the two components of the view: of the sequences on screen, or of groups of responses that
//! share the prompt of a pair.

use super::{Action as Graphs, GraphState};
use crate::error::Result;
use crate::histogram::{Attention, Computation, Computed, FREE, Work};
use crate::state::{Action, AppState, Source, View, trainer};
use crate::words::{count, factor, percent};
use std::rc::Rc;

impl AppState {
    /// Returns the actions that open the loaded sequences as packs under two limits: the limit of sequences, which their
    /// policy has cut them to, and one of attention that evens packs out. Or the action that says why not; none before
    /// data are loaded. O(distinct log distinct).
    pub fn attention(&self) -> Vec<Action> {
        let (Some(data), s) = (&self.sequences.data, &self.sequences.settings) else { return Vec::new() };
        let fitted = data.histogram.fit([s.limit], s.overlong);
        let computed = fitted.and_then(|fitted| Computation::Attention.of(&fitted.histogram));
        opened(computed, format!("{}: tokens and attention", data.source.title()), Some(s.limit))
    }

    /// Returns the actions that open groups of so many responses that share the prompt of a pair, packed to the tokens of
    /// the largest group, as [`attention`](Self::attention) does; none unless [pairs](GraphState::are_pairs) are loaded.
    pub fn groups(&self, responses: u32) -> Vec<Action> {
        let Some(data) = self.graphs.data.as_ref().filter(|_| self.graphs.are_pairs()) else {
            return Vec::new();
        };
        let name = format!("{}: groups of {responses} that share their prompt", data.source.title());
        opened(Computation::SharedPrompt(responses).of(&data.histogram), name, None)
    }
}

fn opened(computed: Result<Computed>, name: String, tokens: Option<u32>) -> Vec<Action> {
    let computed = match computed {
        Ok(computed) => computed,
        Err(error) => return vec![Action::Unreadable(format!("{name}: {error}"))],
    };
    let tokens = tokens.unwrap_or_else(|| computed.histogram.max()[0]).max(1);
    let limits = [tokens, computed.limit(tokens)];
    let source = Source::Kept { name, components: computed.names().into() };
    vec![
        Action::Navigate("view=graphs&depth=unlimited&overlong=drop".to_owned()),
        // Libraries load graphs.
        Action::Trainer(View::Graphs, trainer::Action::Choose(None)),
        Action::Graphs(Graphs::Loaded(source, Rc::new(computed.histogram), [true; 2])),
        Action::Graphs(Graphs::Limits(limits)),
    ]
}

impl GraphState {
    /// Whether the data may be pairs of prompt and response: any but built-in graphs and computed components.
    pub fn are_pairs(&self) -> bool {
        self.data.is_some() && !self.is_published() && self.words().attention.is_none()
    }

    /// Returns what groups of so many responses save that share the prompt of a pair.
    ///
    /// # Errors
    /// Those of [`Computation::shared_and_apart`].
    pub fn saving(&self, responses: u32) -> Result<String> {
        let Some(data) = &self.data else { return Ok(String::new()) };
        let [shared, apart] = Computation::SharedPrompt(responses).shared_and_apart(&data.histogram)?;
        let saved = |of: fn(&Work) -> u128| percent(1.0 - of(&shared) as f64 / of(&apart).max(1) as f64);
        Ok(format!(
            "Sharing saves {} of the tokens and {} of the attention of sequences with a prompt each, where all responses of \
             a group are as long as the pair’s.",
            saved(|work| work.tokens),
            saved(|work| work.pairs)
        ))
    }

    /// Returns the unit of attention in words, how even packs can be, and the limits that even them out; `None` for
    /// components with slots. O(distinct).
    pub fn of_attention(&self) -> Option<(String, [u32; 2])> {
        let (words, [tokens, _]) = (self.words(), self.limits());
        let (unit, data) = (words.attention?.unit, self.data.as_ref()?);
        let of = match words.item {
            "group" => "A prompt of P tokens with G responses of R has P² + G·((P + R)² − P²)",
            _ => "A sequence of L tokens has L²",
        };
        let mut said = match unit {
            1 => format!("{of} pairs of tokens in attention, each a unit."),
            unit => format!("{of} pairs of tokens in attention; a unit is {} of them.", count(unit)),
        };
        let bound = Attention::bound(&data.histogram, tokens);
        if bound > 1.0 {
            said += &format!(
                " One {} has {} the attention of a full pack: packs are no more even than that.",
                words.item,
                factor(bound)
            );
        }
        Some((said, [tokens, Attention::limit(&data.histogram, tokens)]))
    }

    /// Returns the mean attention of packs full of tokens; `None` for components with slots.
    pub(super) fn full(&self) -> Option<u32> {
        let data = self.data.as_ref().filter(|_| self.words().attention.is_some())?;
        let [tokens, attention] = data.histogram.total();
        let full = u128::from(attention) * u128::from(self.limits()[0]) / u128::from(tokens.max(1));
        Some(u32::try_from(full).unwrap_or(FREE).clamp(1, FREE - 1))
    }
}
