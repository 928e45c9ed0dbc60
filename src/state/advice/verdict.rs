//! The judge's verdict on the chosen library: what it does now, and the change that is worth making.

use crate::query::{Answer, Query};
use crate::state::trainer::{Action as Trained, Choice};
use crate::state::{Action, AppState, CachedAnswer, View};
use packscope::advice::{Case, Hardware, Outcome, Verdict};
use std::rc::Rc;

impl AppState {
    /// Returns the question about the chosen library as it is set; `None` on other views than that of sequences, without a
    /// library, and before there are data.
    fn verdict_query(&self) -> Option<Query> {
        let Choice { library, settings } = &self.libraries(View::Sequences).choice;
        let library = library.as_ref().filter(|_| self.view == View::Sequences)?;
        self.sequences.data.as_ref()?;
        let of = &self.sequences.settings;
        Some(Query::Advice(Box::new(Case {
            library: Some(library.clone()),
            settings: settings.clone(),
            limit: of.limit,
            hardware: Hardware {
                assumptions: *self.speedup.assumptions(),
                overhead: of.overhead,
            },
            batch_tokens: None,
            seed: of.seed,
        })))
    }

    fn known_verdict(&self) -> Option<&CachedAnswer> {
        self.answers
            .get(self.sequences.version(), &self.verdict_query()?)
    }

    /// Returns the question for a verdict that is not known yet.
    pub(in crate::state) fn verdict_wanted(&self) -> Vec<Query> {
        let query = self.verdict_query();
        let unknown = query.filter(|_| self.known_verdict().is_none());
        unknown.into_iter().collect()
    }

    /// Returns the verdict on the chosen library as it is set, or why there is none; `None` until it is known.
    pub fn verdict(&self) -> Option<Result<&Rc<Verdict>, &str>> {
        match &self.known_verdict()?.answered.outcome {
            Ok(Answer::Advice(verdict)) => Some(Ok(verdict)),
            Ok(_) => None,
            Err(why) => Some(Err(why)),
        }
    }

    /// Returns the actions that set the chosen library and the limit as an outcome has them.
    pub fn applied(&self, then: &Outcome) -> Vec<Action> {
        let set = |field| Action::Trainer(View::Sequences, Trained::Set(field));
        let limit = then.limit.first().copied();
        let limit = limit.filter(|limit| *limit != self.sequences.settings.limit);
        limit
            .map(Action::Limit)
            .into_iter()
            .chain(then.change.settings.iter().cloned().map(set))
            .collect()
    }
}
