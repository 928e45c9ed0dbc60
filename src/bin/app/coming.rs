//! Loading of built-in data; a later load into the same place replaces an earlier one that is still pending.

use crate::browser;
use crate::due;
use crate::lazy::PartLoad;
use crate::watchdog::SILENCE;
use packscope::histogram::{Histogram, Preset};
use packscope_page::part;
use packscope_page::state::{Action, Source, graphs};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;
use yew::Callback;

thread_local! {
    static COMING: Cell<u32> = const { Cell::new(0) };
}

pub fn is_coming() -> bool {
    COMING.get() > 0
}

#[derive(Clone, Copy)]
pub enum LoadingPlace {
    /// The view of sequences, and that of batches.
    Sequences,
    Graphs,
    PinnedSequences,
    PinnedGraphs,
}

thread_local! {
    /// Counts loads per [`LoadingPlace`], so that of two data sets chosen in quick succession the
    /// later one stays.
    static LOADS: [Cell<u64>; 4] = const { [const { Cell::new(0) }; 4] };
    /// The newest load per place while it is pending: the address need not wait for one that was replaced.
    static NEWEST: [Cell<Option<LoadingMark>>; 4] = const { [const { Cell::new(None) }; 4] };
}

/// Loads built-in sequences, with the limit to start from.
pub fn load(preset: &'static Preset, limit: Option<u32>, dispatch: Callback<Action>) {
    let loaded = move |h| Action::Loaded(Source::Preset(preset), h, limit);
    load_into(
        LoadingPlace::Sequences,
        Action::Absent(Some(preset)),
        dispatch,
        file(preset),
        loaded,
    );
}

/// Loads built-in graphs; `start` marks the limits that start from the largest graph.
pub fn load_graphs(preset: &'static Preset, start: [bool; 2], dispatch: Callback<Action>) {
    let loaded = move |h| Action::Graphs(graphs::Action::Loaded(Source::Preset(preset), h, start));
    load_into(
        LoadingPlace::Graphs,
        Action::Absent(Some(preset)),
        dispatch,
        some_graphs(preset),
        loaded,
    );
}

part! { graphs:
    /// Generates the graphs of a set that has no file.
    fn generate(preset: &'static Preset) -> PartLoad<Option<Histogram<2>>> {
        Ok(preset.generate())
    }
}

/// Returns the graphs of a set, read from its file or generated.
pub async fn some_graphs(preset: &'static Preset) -> Option<Histogram<2>> {
    match preset.generated {
        Some(_) => generate(preset).await.ok().flatten(),
        None => file(preset).await,
    }
}

/// Returns the histogram of a built-in set's file.
pub async fn file<const K: usize>(preset: &'static Preset) -> Option<Histogram<K>> {
    Histogram::from_built_in(&fetch(&format!("datasets/{}.csv", preset.id)).await?)
}

/// Loads data into a place, unless another load into it begins meanwhile; dispatches `absent` if they cannot be loaded.
pub fn load_into<const K: usize>(
    place: LoadingPlace,
    absent: Action,
    dispatch: Callback<Action>,
    histogram: impl Future<Output = Option<Histogram<K>>> + 'static,
    loaded: impl FnOnce(Rc<Histogram<K>>) -> Action + 'static,
) {
    NEWEST.with(|newest| newest[place as usize].set(Some(LoadingMark::new())));
    let loads = move || LOADS.with(|loads| loads[place as usize].get());
    let load = loads() + 1;
    LOADS.with(|loads| loads[place as usize].set(load));
    // A message about an earlier set that did not load goes away. The message about a pinned result
    // is another action, and stays.
    if matches!(absent, Action::Absent(_)) {
        dispatch.emit(Action::Absent(None));
    }
    // A host that does not answer in time counts as unreachable; an answer that arrives later is still shown.
    let late = {
        let (dispatch, absent) = (dispatch.clone(), absent.clone());
        // Not work of the page: it must not appear busy for as long as a host is silent.
        due::aside(SILENCE as u32, move || {
            if loads() == load {
                dispatch.emit(absent);
            }
        })
    };
    due::load(async move {
        let histogram = histogram.await;
        late.cancel();
        if loads() == load {
            NEWEST.with(|newest| newest[place as usize].take());
            dispatch.emit(histogram.map_or(absent, |histogram| loaded(Rc::new(histogram))));
        }
    });
}

/// Marks data as loading while it lives: the address is not written meanwhile.
pub struct LoadingMark;

impl LoadingMark {
    /// Counts a load until the value is dropped.
    pub fn new() -> Self {
        COMING.set(COMING.get() + 1);
        Self
    }
}

impl Drop for LoadingMark {
    fn drop(&mut self) {
        COMING.set(COMING.get().saturating_sub(1));
    }
}

/// Returns the text of a file of the page's own host, by its address from the page.
pub async fn fetch(file: &str) -> Option<String> {
    let request = browser::window().fetch_with_str(file);
    let response: Response = JsFuture::from(request).await.ok()?.dyn_into().ok()?;
    JsFuture::from(response.text().ok().filter(|_| response.ok())?)
        .await
        .ok()?
        .as_string()
}
