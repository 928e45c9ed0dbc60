//! Tokens and attention as the two components of the view of graphs: of the sequences on screen, or of groups of responses
//! that share the prompt of a pair.

use super::graphs::Action as Graphs;
use super::{Action, AppState, Source, Tab, View, trainer};
use packscope::error::Result;
use packscope::histogram::{Computation, ComputedSizes};
use std::rc::Rc;

impl AppState {
    /// Returns the actions that open the loaded sequences as packs under two limits: the limit of sequences, which their
    /// policy has cut them to, and one of attention that evens packs out. Or the action that says why not; none before
    /// data are loaded. O(distinct log distinct).
    pub fn attention(&self) -> Vec<Action> {
        let (Some(data), s) = (&self.sequences.data, &self.sequences.settings) else {
            return Vec::new();
        };
        let fitted = data.histogram.fit([s.limit], s.overlong);
        let computed = fitted.and_then(|fitted| Computation::Attention.compute(&fitted.histogram));
        self.opened(
            computed,
            format!("{}: tokens and attention", data.source.title()),
            Some(s.limit),
        )
    }

    /// Returns the actions that open groups of this many responses, which share the prompt of a
    /// pair, packed to the tokens of the largest group, as [`attention`](Self::attention) does;
    /// none unless [pairs](super::GraphState::are_pairs) are loaded.
    pub fn groups(&self, responses: u32) -> Vec<Action> {
        let Some(data) = self
            .graphs
            .data
            .as_ref()
            .filter(|_| self.graphs.are_pairs())
        else {
            return Vec::new();
        };
        let name = format!(
            "{}: groups of {responses} that share their prompt",
            data.source.title()
        );
        self.opened(
            Computation::SharedPrompt(responses).compute(&data.histogram),
            name,
            None,
        )
    }

    fn opened(
        &self,
        computed: Result<ComputedSizes>,
        name: String,
        tokens: Option<u32>,
    ) -> Vec<Action> {
        let computed = match computed {
            Ok(computed) => computed,
            Err(error) => return vec![Action::Unreadable(format!("{name}: {error}"))],
        };
        // All rooms stay on screen.
        let room = if self.room == Tab::All {
            Tab::All
        } else {
            Tab::Answer
        };
        let tokens = tokens.unwrap_or_else(|| computed.histogram.max()[0]).max(1);
        let limits = [tokens, computed.limit(tokens)];
        let source = Source::Kept {
            name,
            components: computed.names().into(),
        };
        // In this order: the address opens the view with depth and policy, the data bring limits of
        // their own, and the last action sets those that are wanted.
        vec![
            Action::Navigate(format!(
                "view=graphs&room={}&depth=unlimited&overlong=drop",
                room.name()
            )),
            // Libraries load graphs.
            Action::Trainer(View::Graphs, trainer::Action::Choose(None)),
            Action::Graphs(Graphs::Loaded(
                source,
                Rc::new(computed.histogram),
                [true; 2],
            )),
            Action::Graphs(Graphs::Limits(limits)),
        ]
    }
}
