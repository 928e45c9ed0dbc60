//! What the page and its parts hand each other.

use crate::files::Brought;
use packscope::ingest::Options;
use packscope::state::{Action, AppState};
use std::rc::Rc;
use yew::prelude::*;

/// Something shared that is equal only to itself: what a drawing or a part of the page depends on.
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

/// The state as parts of the page are given it: whatever happens makes another, and comparing plans item
/// by item would take longer than drawing them.
pub type Shared = Same<AppState>;

impl Shared {
    /// Whether both show the same answer.
    pub fn same_answer(&self, other: &Self) -> bool {
        self.sequences.answer.clone().map(Same) == other.sequences.answer.clone().map(Same)
    }

    /// Whether both compare the same algorithms, with the same one chosen.
    pub fn same_comparison(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.sequences.comparison, &other.sequences.comparison)
            && self.sequences.settings.depth == other.sequences.settings.depth
            && self.sequences.settings.algorithm == other.sequences.settings.algorithm
            && self.sequences.is_compared() == other.sequences.is_compared()
    }
}

/// What every part of the page is given.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub state: Shared,
    /// Changes it.
    pub dispatch: Callback<Action>,
}

/// Given to parts that only the answer and the colours change: a moved slider alone does not render them.
#[derive(Clone, Properties)]
pub struct AnswerProps {
    /// The state.
    pub state: Shared,
}

impl PartialEq for AnswerProps {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.state, &other.state);
        a.same_answer(b)
            && a.sequences.pin.clone().map(Same) == b.sequences.pin.clone().map(Same)
            && a.theme == b.theme
            && a.sequences.searching() == b.sequences.searching()
            && a.sequences.is_proven() == b.sequences.is_proven()
    }
}

/// Given to parts that only the comparison changes.
#[derive(Clone, Properties)]
pub struct CompareProps {
    /// The state.
    pub state: Shared,
    /// Changes it.
    pub dispatch: Callback<Action>,
}

impl PartialEq for CompareProps {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.state, &other.state);
        a.same_comparison(b)
            && a.theme == b.theme
            && a.log_padding == b.log_padding
            && a.background.on == b.background.on
    }
}

/// Files that visitors open.
#[derive(Clone, PartialEq)]
pub struct Files {
    /// Reads a file.
    pub open: Callback<Brought>,
    /// Reads the file at hand another way.
    pub reread: Callback<Options>,
}

/// What a view is given.
#[derive(Clone, Properties)]
pub struct ViewProps {
    /// The state, perhaps with older assumptions of Speed-up.
    pub state: Shared,
    /// Changes it.
    pub dispatch: Callback<Action>,
    /// Reads files.
    pub files: Files,
    /// What went wrong, and what is waited for.
    pub notices: Html,
    /// What it saves on accelerators.
    pub speedup: Html,
}

impl PartialEq for ViewProps {
    /// Markup cannot be compared: a view is gone through each time, and its parts say whether they have changed.
    fn eq(&self, _: &Self) -> bool {
        false
    }
}
