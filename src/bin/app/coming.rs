//! Loading of built-in data, of which later ones replace those on their way.

use crate::browser;
use crate::due;
use crate::lazy::Loading;
use crate::watch::SILENCE;
use packscope::histogram::{Histogram, Preset};
use packscope::part;
use packscope::state::{Action, Source, graphs};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;
use yew::Callback;

thread_local! {
    /// Data on their way.
    static COMING: Cell<u32> = const { Cell::new(0) };
}

/// Whether data are on their way.
pub fn is_coming() -> bool {
    COMING.get() > 0
}

/// The destination of loaded data.
#[derive(Clone, Copy)]
pub enum Place {
    /// The view of sequences, and batches.
    Sequences,
    /// The view of graphs.
    Graphs,
    /// The pinned result of sequences.
    PinnedSequences,
    /// The pinned result of graphs.
    PinnedGraphs,
}

thread_local! {
    /// Loads per [`Place`], so that of two data sets chosen quickly the later one stays.
    static LOADS: [Cell<u64>; 4] = const { [const { Cell::new(0) }; 4] };
}

/// Loads built-in sequences, with the limit to start from.
pub fn load(preset: &'static Preset, limit: Option<u32>, dispatch: Callback<Action>) {
    let loaded = move |h| Action::Loaded(Source::Preset(preset), h, limit);
    load_into(Place::Sequences, Action::Absent(Some(preset)), dispatch, file(preset), loaded);
}

/// Loads built-in graphs; `start` marks the limits that start from the largest graph.
pub fn load_graphs(preset: &'static Preset, start: [bool; 2], dispatch: Callback<Action>) {
    let loaded = move |h| Action::Graphs(graphs::Action::Loaded(Source::Preset(preset), h, start));
    load_into(Place::Graphs, Action::Absent(Some(preset)), dispatch, some_graphs(preset), loaded);
}

part! { graphs:
    /// Generates the graphs of a set that has no file.
    fn generate(preset: &'static Preset) -> Loading<Option<Histogram<2>>> {
        Ok(preset.generate())
    }
}

/// Returns the graphs of a set, from its file or generated.
pub async fn some_graphs(preset: &'static Preset) -> Option<Histogram<2>> {
    match preset.generated {
        Some(_) => generate(preset).await.ok().flatten(),
        None => file(preset).await,
    }
}

/// Returns the histogram of a built-in set's file.
pub async fn file<const K: usize>(preset: &'static Preset) -> Option<Histogram<K>> {
    Histogram::from_built_in(&fetch(preset.id).await?)
}

/// Loads data into a place, unless others are asked for meanwhile; `absent` is dispatched where they do not come.
pub fn load_into<const K: usize>(
    place: Place,
    absent: Action,
    dispatch: Callback<Action>,
    histogram: impl Future<Output = Option<Histogram<K>>> + 'static,
    loaded: impl FnOnce(Rc<Histogram<K>>) -> Action + 'static,
) {
    let coming = Coming::new();
    let loads = move || LOADS.with(|loads| loads[place as usize].get());
    let load = loads() + 1;
    LOADS.with(|loads| loads[place as usize].set(load));
    if matches!(absent, Action::Absent(_)) {
        dispatch.emit(Action::Absent(None));
    }
    // A host that stays silent counts as gone; an answer that still comes later is shown.
    let late = {
        let (dispatch, absent) = (dispatch.clone(), absent.clone());
        due::aside(SILENCE as u32, move || {
            if loads() == load {
                dispatch.emit(absent);
            }
        })
    };
    due::load(async move {
        let histogram = histogram.await;
        late.cancel();
        drop(coming);
        if loads() == load {
            dispatch.emit(histogram.map_or(absent, |histogram| loaded(Rc::new(histogram))));
        }
    });
}

/// Data on their way: the address is not written while there are any.
pub struct Coming;

impl Coming {
    /// Counts until it is dropped.
    pub fn new() -> Self {
        COMING.set(COMING.get() + 1);
        Self
    }
}

impl Drop for Coming {
    fn drop(&mut self) {
        COMING.set(COMING.get().saturating_sub(1));
    }
}

async fn fetch(id: &str) -> Option<String> {
    let request = browser::window().fetch_with_str(&format!("datasets/{id}.csv"));
    let response: Response = JsFuture::from(request).await.ok()?.dyn_into().ok()?;
    JsFuture::from(response.text().ok().filter(|_| response.ok())?).await.ok()?.as_string()
}
