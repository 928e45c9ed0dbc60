//! Types shared by the page and its parts.

use crate::files::{Brought, Opened};
use packscope::ingest::Options;
use packscope::packing::Algorithm;
use packscope::state::{Action, AppState};
use std::rc::Rc;
use yew::prelude::*;

/// A shared value that is equal only to itself: a dependency of a drawing or of a part of the page.
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

/// The state as parts of the page receive it: every action makes a new one, and comparing plans item by item would take
/// longer than drawing them.
pub type Shared = Same<AppState>;

impl Shared {
    /// Whether both hold the same answer.
    pub fn same_answer(&self, other: &Self) -> bool {
        self.sequences.answer.clone().map(Same) == other.sequences.answer.clone().map(Same)
    }

    /// Returns whether the optimum at the present depth is proven, in words; it changes with the end of a search, and no row does.
    fn proof(&self) -> Option<&'static str> {
        self.sequences.proof((Algorithm::Optimal, self.sequences.settings.depth))
    }

    /// Whether both hold the same comparison, with the same algorithm chosen.
    pub fn same_comparison(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.sequences.comparison, &other.sequences.comparison)
            && self.sequences.settings.depth == other.sequences.settings.depth
            && self.sequences.settings.algorithm == other.sequences.settings.algorithm
            && self.sequences.is_compared() == other.sequences.is_compared()
            && self.proof() == other.proof()
    }
}

/// Properties of every part of the page.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub state: Shared,
    /// Changes it.
    pub dispatch: Callback<Action>,
}

/// Properties of parts that depend only on the answer and the colours: a moved slider alone does not render them.
#[derive(Clone, Properties)]
pub struct AnswerProps {
    /// The state.
    pub state: Shared,
}

impl PartialEq for AnswerProps {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.state, &other.state);
        a.same_answer(b)
            && a.sequences.pins.iter().map(Rc::as_ptr).eq(b.sequences.pins.iter().map(Rc::as_ptr))
            && a.theme == b.theme
            && a.sequences.searching() == b.sequences.searching()
            && a.sequences.is_proven() == b.sequences.is_proven()
            && a.baselines() == b.baselines()
    }
}

/// Properties of parts that depend only on the comparison.
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
            && a.baselines() == b.baselines()
    }
}

/// Callbacks for files that visitors open.
#[derive(Clone, PartialEq)]
pub struct Files {
    /// Reads a file.
    pub open: Callback<Brought>,
    /// Reads the loaded file with other options.
    pub reread: Callback<Options>,
    /// Returns the files that were read last, even in vain.
    pub last: Callback<(), Option<Opened>>,
    /// Reads them with other options.
    pub again: Callback<Options>,
}

/// Properties of a view.
#[derive(Clone, Properties)]
pub struct ViewProps {
    /// The state, perhaps with older assumptions of Speed-up.
    pub state: Shared,
    /// Changes it.
    pub dispatch: Callback<Action>,
    /// Reads files.
    pub files: Files,
    /// Messages about failures and progress.
    pub notices: Html,
    /// The Speed-up part.
    pub speedup: Html,
}

impl PartialEq for ViewProps {
    /// Always false, as markup cannot be compared: a view is rendered each time, and its parts decide for themselves.
    fn eq(&self, _: &Self) -> bool {
        false
    }
}
