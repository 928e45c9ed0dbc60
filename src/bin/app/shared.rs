//! Types shared by the page and its parts.

use crate::files::{DroppedFiles, OpenFiles};
use packscope::ingest::Options;
use packscope::packing::Algorithm;
use packscope_page::state::{Action, AppState};
use std::rc::Rc;
use yew::prelude::*;

/// A shared value that equals only itself, compared by address: a dependency of a drawing or of a part of the page.
pub struct Same<T: ?Sized>(pub Rc<T>);

impl<T: ?Sized> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T: ?Sized> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: ?Sized> std::ops::Deref for Same<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// The state as parts of the page receive it, compared by address: every action makes a new one, and comparing plans
/// item by item would take longer than drawing them.
pub type SharedState = Same<AppState>;

impl SharedState {
    pub fn same_answer(&self, other: &Self) -> bool {
        // Cloning copies a reference: answers are compared by address, and are replaced, never
        // changed.
        self.sequences.answer.clone().map(Same) == other.sequences.answer.clone().map(Same)
    }

    /// Returns in words whether the optimum at the current depth is proven; this changes when a search ends, without a
    /// change of any row.
    fn proof(&self) -> Option<&'static str> {
        self.sequences
            .proof((Algorithm::Optimal, self.sequences.settings.depth))
    }

    /// Whether both hold the same comparison, with the same algorithm chosen.
    pub fn same_comparison(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.sequences.comparison, &other.sequences.comparison)
            // A change of other settings brings a new comparison; depth and algorithm only choose
            // the row that is marked.
            && self.sequences.settings.depth == other.sequences.settings.depth
            && self.sequences.settings.algorithm == other.sequences.settings.algorithm
            && self.sequences.is_compared() == other.sequences.is_compared()
            && self.proof() == other.proof()
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
}

/// Properties of parts that depend only on the answer and the colours, and so ignore a moved slider until it is answered:
/// what such a part shows besides must be compared in `eq`.
#[derive(Clone, Properties)]
pub struct AnswerProps {
    pub state: SharedState,
}

impl PartialEq for AnswerProps {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.state, &other.state);
        a.same_answer(b)
            && a.sequences
                .pins
                .iter()
                .map(Rc::as_ptr)
                .eq(b.sequences.pins.iter().map(Rc::as_ptr))
            && a.theme == b.theme
            && a.sequences.searching() == b.sequences.searching()
            // A proof may come with a later answer to another question, without a change of this
            // one.
            && a.sequences.is_search_over() == b.sequences.is_search_over()
            && a.baselines() == b.baselines()
    }
}

/// Properties of parts that depend only on the comparison.
#[derive(Clone, Properties)]
pub struct CompareProps {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
}

impl PartialEq for CompareProps {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.state, &other.state);
        a.same_comparison(b)
            && a.theme == b.theme
            && a.log_padding == b.log_padding
            && a.background.on == b.background.on
            && a.baselines() == b.baselines()
    }
}

#[derive(Clone, PartialEq)]
pub struct FileCallbacks {
    pub open: Callback<DroppedFiles>,
    pub reread: Callback<Options>,
    /// Returns the files that were read last, even if they were refused.
    pub last: Callback<(), Option<OpenFiles>>,
    /// Reads those files with other options.
    pub again: Callback<Options>,
    /// Estimates the lengths of the texts in those files.
    pub estimate: Callback<()>,
}

#[derive(Clone, Properties)]
pub struct ViewProps {
    /// The state, in which the assumptions of Speed-up may be out of date.
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    pub files: FileCallbacks,
    pub notices: Html,
    /// The loss of tokens that train at the limit, and the panel about them; empty where they are not known, and on other
    /// views.
    pub supervision: [Html; 2],
    pub speedup: Html,
}

impl PartialEq for ViewProps {
    /// Always false, as markup cannot be compared: a view is always rendered, its parts compare their properties.
    fn eq(&self, _: &Self) -> bool {
        false
    }
}
