//! Several files opened at once: shown together, and each by itself.

use super::{Action, AppState, Source};
use packscope::api::limits::practical;
use packscope::histogram::{Histogram, Summary};
use std::rc::Rc;

/// Sequences of several files.
#[derive(Debug, Clone, PartialEq)]
pub struct FileGroup {
    /// The name of all files together.
    pub name: String,
    /// Name and lengths of each.
    pub each: Vec<(String, Rc<Histogram<1>>)>,
    /// The action that shows all files together.
    pub all: Box<Action>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FileRow {
    /// The name of the file, or of all files together.
    pub name: String,
    /// The lengths at the present limit.
    pub summary: Summary,
    /// Whether these sequences are on screen.
    pub shown: bool,
    pub show: Action,
}

impl FileGroup {
    /// Returns a row for all files together, then one for each file.
    fn rows(&self, state: &AppState) -> Vec<FileRow> {
        let row = |name: &str, histogram: &Histogram<1>, show: Action| FileRow {
            name: name.to_owned(),
            summary: histogram.summary(state.sequences.settings.limit),
            shown: state
                .sequences
                .data
                .as_ref()
                .is_some_and(|data| data.source.title() == name),
            show,
        };
        let all = match &*self.all {
            Action::Loaded(_, lengths, _) => Some(Rc::clone(lengths)),
            Action::LoadedTexts(_, texts, _) => texts.marginal(0).map(Rc::new),
            _ => None,
        };
        let all = all.map(|all| row(&self.name, &all, (*self.all).clone()));
        let each = self.each.iter().map(|(name, histogram)| {
            let source = Source::Kept {
                name: name.clone(),
                components: Vec::new(),
            };
            // At the limit at which the file would open by itself.
            let opens = practical(histogram);
            row(
                name,
                histogram,
                Action::Loaded(source, Rc::clone(histogram), Some(opens)),
            )
        });
        all.into_iter().chain(each).collect()
    }
}

impl AppState {
    /// Returns the rows of the files opened together, if one of them or all are on screen; else nothing.
    pub fn side_by_side(&self) -> Vec<FileRow> {
        let rows = self
            .files
            .as_ref()
            .map_or_else(Vec::new, |group| group.rows(self));
        if rows.iter().any(|row| row.shown) {
            rows
        } else {
            Vec::new()
        }
    }
}
