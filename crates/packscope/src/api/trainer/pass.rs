//! The differences between kinds of libraries: their data, and the outcome of a pass.

use super::figures::References;
use super::presentation::Presentation;
use super::{LibrariesRequest, LibraryAnswer, LibraryKind, WindowCurve};
use crate::error::Result;
use crate::packing::Progress;
use crate::sampler::Sampler;
use crate::trainer::{LibraryFamily, LibrarySettings, Order, PassCost};
use serde::{Serialize, de::DeserializeOwned};
use std::borrow::Cow;
use std::fmt::Debug;

/// The nouns for losses, and for contents of slots.
pub type Nouns = (&'static str, &'static str);

/// A plain value that crosses a shell.
pub trait PlainValue: Debug + Clone + PartialEq + Serialize + DeserializeOwned {}

impl<T: Debug + Clone + PartialEq + Serialize + DeserializeOwned> PlainValue for T {}

/// A kind of libraries with the data that they take.
pub trait Pass: LibraryFamily + PartialEq {
    /// The size of an item: tokens, or nodes and edges.
    type Item: PlainValue + Copy;
    /// The histogram of the items.
    type Data: Clone;
    /// The limits that a request gives to every library.
    type RequestLimits: PlainValue + Copy;
    /// The part of an answer that only this kind has.
    type Own: PlainValue;
    /// The figures of this kind, as means over runs.
    type Figures: PlainValue;
    /// The account of the items of a run.
    type Tally: PlainValue;
    /// The nouns for losses, and for contents of slots.
    const NOUNS: Nouns;
    /// The largest ratio of batches, after to before, at which a change of a setting is still advised.
    const MORE: f64;
    /// Its figures in tables, on the page and in text, with its sentences.
    const PRESENTATION: &'static Presentation<Self>;

    /// Returns the limits in the form that libraries take.
    fn limits(given: Self::RequestLimits) -> Self::Limits;

    /// Returns the kind with these limits.
    fn kind(given: Self::RequestLimits) -> LibraryKind;

    /// Returns the histogram of (size, number of items).
    ///
    /// # Errors
    /// Errors of [`Histogram::from_counts`](crate::histogram::Histogram::from_counts).
    fn data(counts: impl Iterator<Item = (Self::Item, u64)>) -> Result<Self::Data>;

    /// Returns the data, or a sample if there are many.
    fn few(data: &Self::Data) -> Cow<'_, Self::Data>;

    /// Returns the part of an answer that only this kind has, before a pass.
    fn own(chosen: &LibrarySettings<Self>) -> Self::Own;

    /// Returns the algorithm of a recipe, in words.
    fn algorithm(recipe: &Self::Recipe) -> String;

    /// Runs the recipe of the settings with each seed, and records the outcome; `list`: with rows or batches of one
    /// run.
    ///
    /// # Errors
    /// Errors of a library that refuses the data; [`Error::Cancelled`](crate::error::Error::Cancelled).
    fn pass(
        task: &PassTask<Self>,
        at: (&LibrarySettings<Self>, &Self::Recipe),
        list: bool,
        answer: &mut LibraryAnswer<Self>,
        progress: &mut Progress,
    ) -> Result<()>;

    /// Notes limits that the library would take, where it refuses the data.
    fn refused(_: &PassTask<Self>, _: &LibrarySettings<Self>, _: &mut LibraryAnswer<Self>) {}

    /// Returns the cost of the present settings, comparable with [`cost`](Self::cost); `None` if data are refused.
    ///
    /// # Errors
    /// As [`pass`](Self::pass).
    fn now(
        task: &PassTask<Self>,
        recipe: &Self::Recipe,
        answer: &LibraryAnswer<Self>,
        progress: &mut Progress,
    ) -> Result<Option<PassCost>>;

    /// Returns the cost of a recipe with the first seed.
    ///
    /// # Errors
    /// As [`pass`](Self::pass).
    fn cost(
        task: &PassTask<Self>,
        recipe: &Self::Recipe,
        progress: &mut Progress,
    ) -> Result<PassCost>;

    /// Returns the cost of the present settings, as parts of a sentence.
    fn parts(recipe: &Self::Recipe, answer: &LibraryAnswer<Self>) -> Option<Vec<String>>;

    /// Returns the cost against the window, or the open rows; `None` if there is neither.
    ///
    /// # Errors
    /// As [`pass`](Self::pass).
    fn curve(
        _: &PassTask<Self>,
        _: &LibrarySettings<Self>,
        _: &mut Progress,
    ) -> Result<Option<WindowCurve>> {
        Ok(None)
    }

    /// Returns samplers as baselines.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::error::Error::Cancelled).
    fn beside(_: &PassTask<Self>, _: &mut Progress) -> Result<Vec<(Sampler, Self::Figures)>> {
        Ok(Vec::new())
    }
}

/// The data of a request.
pub struct PassTask<'a, K: Pass> {
    pub(super) data: &'a K::Data,
    /// The data, or a sample of many if the order is unknown.
    pub(super) few: Cow<'a, K::Data>,
    pub(super) request: &'a LibrariesRequest<K>,
    pub(super) references: References,
}

impl<'a, K: Pass> PassTask<'a, K> {
    pub(super) fn new(data: &'a K::Data, request: &'a LibrariesRequest<K>) -> Self {
        // A sample has no order: of given sequences all are packed.
        let few = if request.order.is_empty() {
            K::few(data)
        } else {
            Cow::Borrowed(data)
        };
        Self {
            data,
            few,
            request,
            references: References::default(),
        }
    }

    /// Returns the order drawn with a seed, or the given order.
    pub(super) fn order(&self, seed: u64) -> Order<'_, K::Item> {
        if self.request.order.is_empty() {
            Order::Seed(seed)
        } else {
            Order::Given(&self.request.order)
        }
    }

    /// Returns the seeds: only one if the order is given or `one` is set.
    pub(super) fn seeds(&self, one: bool) -> impl Iterator<Item = u64> + use<K> {
        let LibrariesRequest {
            seed, seeds, order, ..
        } = self.request;
        let (first, one) = (*seed, one || !order.is_empty());
        // Consecutive: trials within a run change the upper half of a seed, and never meet these.
        (0..if one { 1 } else { u64::from(*seeds).max(1) }).map(move |at| first.wrapping_add(at))
    }
}
