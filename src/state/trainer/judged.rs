//! Libraries that pack side by side: the judge's verdict on each.

use super::library_names;
use crate::query::{Answer, Query};
use crate::state::{AppState, CachedAnswer, View};
use packscope::advice::{Case, Verdict};
use packscope::export::libraries::JudgedLibrary;
use std::rc::Rc;

impl AppState {
    /// Returns the question for the verdict on a library: on the chosen one at its settings, on others as installed.
    fn judge_query(&self, library: &str) -> Option<Query> {
        let chosen = &self.trainer.choice;
        let settings = match chosen.library.as_deref() == Some(library) {
            true => chosen.settings.clone(),
            false => Vec::new(),
        };
        let case = self.case_of(Some(library.to_owned()), settings)?;
        Some(Query::Advice(Box::new(case)))
    }

    /// Returns the training with a library as it is installed, on the data and the hardware on screen.
    pub fn case_as_installed(&self, library: &str) -> Option<Case> {
        self.case_of(Some(library.to_owned()), Vec::new())
    }

    fn judged(&self, library: &str) -> Option<&CachedAnswer> {
        self.answers
            .get(self.sequences.version(), &self.judge_query(library)?)
    }

    /// Returns the libraries that stand side by side and have no verdict yet.
    pub fn unjudged(&self) -> Vec<&str> {
        let beside = self.trainer.beside.iter().map(String::as_str);
        beside
            .filter(|library| self.judged(library).is_none())
            .collect()
    }

    /// Returns the question for the next verdict of a comparison.
    pub(super) fn next_verdict(&self) -> Option<Query> {
        self.unjudged()
            .first()
            .and_then(|library| self.judge_query(library))
    }

    /// Returns the libraries that stand side by side with their verdicts, in the order of the list, which begins with the
    /// most used.
    pub fn judged_libraries(&self) -> Vec<(&'static str, Result<Rc<Verdict>, String>)> {
        let beside = &self.trainer.beside;
        let names = library_names(View::Sequences).iter();
        let one = |id: &'static str| {
            let outcome = match &self.judged(id)?.answered.outcome {
                Ok(Answer::Advice(verdict)) => Ok(Rc::clone(verdict)),
                Ok(_) => return None,
                Err(why) => Err(why.clone()),
            };
            Some((id, outcome))
        };
        names
            .filter(|(id, _)| beside.iter().any(|other| other == id))
            .filter_map(|(id, _)| one(id))
            .collect()
    }
}

/// Returns libraries with their verdicts as tables take them.
pub fn as_rows<'a>(
    judged: &'a [(&'static str, Result<Rc<Verdict>, String>)],
) -> Vec<JudgedLibrary<'a>> {
    let row = |(id, verdict): &'a (&'static str, Result<Rc<Verdict>, String>)| JudgedLibrary {
        id,
        verdict: verdict.as_deref().map_err(String::as_str),
    };
    judged.iter().map(row).collect()
}
