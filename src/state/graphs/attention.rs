//! Attention in the view: its unit, how even packs can be, and what groups save that share a prompt.

use super::GraphState;
use packscope::error::Result;
use packscope::histogram::{Attention, Computation, FREE, Work};
use packscope::words::{count, factor, percent};

impl GraphState {
    /// Whether the data may be pairs of prompt and response: any but built-in graphs and computed components.
    pub fn are_pairs(&self) -> bool {
        self.data.is_some() && !self.is_published() && self.words().attention.is_none()
    }

    /// Returns a sentence on what groups of this many responses save by sharing the prompt of a
    /// pair.
    ///
    /// # Errors
    /// Those of [`Computation::shared_and_apart`].
    pub fn saving(&self, responses: u32) -> Result<String> {
        let Some(data) = &self.data else {
            return Ok(String::new());
        };
        let [shared, apart] =
            Computation::SharedPrompt(responses).shared_and_apart(&data.histogram)?;
        let saved =
            |of: fn(&Work) -> u128| percent(1.0 - of(&shared) as f64 / of(&apart).max(1) as f64);
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
            unit => format!(
                "{of} pairs of tokens in attention; a unit is {} of them.",
                count(unit)
            ),
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
        let data = self
            .data
            .as_ref()
            .filter(|_| self.words().attention.is_some())?;
        let [tokens, attention] = data.histogram.total();
        // The product of a total and a limit may exceed 64 bits; `FREE` would be no limit at all.
        let full = u128::from(attention) * u128::from(self.limits()[0]) / u128::from(tokens.max(1));
        Some(u32::try_from(full).unwrap_or(FREE).clamp(1, FREE - 1))
    }
}
