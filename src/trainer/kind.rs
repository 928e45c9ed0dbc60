//! Kinds of libraries, by their products: rows of sequences, batches of sequences, or batches of graphs.

use super::library::{Chosen, Library};

/// A kind of library: what is asked of all of its kind, and what their settings give.
pub trait Kind: Sized + Clone + std::fmt::Debug + 'static {
    /// The limits that every library is given.
    type Limits: Copy + std::fmt::Debug;
    /// The recipe that settings of a library give.
    type Recipe: std::fmt::Debug;
    /// Every library of this kind.
    const ALL: &'static [&'static Library<Self>];

    /// Whether a limit is 0.
    fn is_zero(limits: Self::Limits) -> bool;

    /// Returns the words that stand for numbers in values of settings, and in braces in lines to paste.
    fn words(chosen: &Chosen<Self>) -> Vec<(&'static str, u64)>;
}

/// Libraries that pack sequences into rows of a limit.
#[derive(Debug, Clone)]
pub enum Sequences {}

impl Kind for Sequences {
    type Limits = u32;
    type Recipe = super::Recipe;
    const ALL: &'static [&'static Library<Self>] = super::LIBRARIES;

    fn is_zero(limit: u32) -> bool {
        limit == 0
    }

    fn words(chosen: &Chosen) -> Vec<(&'static str, u64)> {
        vec![("limit", u64::from(chosen.limit))]
    }
}
