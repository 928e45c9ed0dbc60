//! The address says which data and settings, and follows them; built-in data are loaded from here.

use crate::app::Shared;
use crate::browser;
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use packscope::histogram::{Histogram, Preset};
use packscope::learn::data::lengths;
use packscope::state::graphs;
use packscope::state::{Action, AppState, DataName, Source, View, data_of, has, view_of};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{HashChangeEvent, Response};
use yew::prelude::*;

/// Milliseconds without a change before the address follows: browsers limit how often it may change.
const REST: u32 = 200;

/// What the address says, with the first data if they are the ones it names.
pub fn first() -> AppState {
    let hash = browser::hash();
    let mut state = AppState::default().reduce(Action::Navigate(hash.clone()));
    let named = named(&hash);
    if named.is_none_or(|p| p == Preset::FIRST)
        && let Ok(histogram) = Histogram::from_lengths(lengths(Preset::FIRST.id))
    {
        let limit = limit_of(&hash, Preset::FIRST);
        state = state.reduce(Action::Loaded(Source::Preset(Preset::FIRST), Rc::new(histogram), limit));
    }
    let unknown = match state.view {
        View::Sequences | View::Batches | View::Learn => named.is_none(),
        View::Graphs => named_graphs(&hash).is_none(),
    };
    let shown = if state.view == View::Graphs { View::Graphs } else { View::Sequences };
    match data_of(&hash, shown) {
        DataName::Own => state.reduce(Action::Unreadable(OWN.to_owned())),
        DataName::Named(_) if unknown => state.reduce(Action::Unreadable(UNKNOWN.to_owned())),
        _ => state,
    }
}

const OWN: &str = "This link was made with a file of its sender, which does not travel in the link. These are the \
                   settings of the link, on the data that the page opens on.";
const UNKNOWN: &str = "This link names data that this page does not have. These are its settings, on the data that \
                       the page opens on.";

fn named(hash: &str) -> Option<&'static Preset> {
    match data_of(hash, View::Sequences) {
        DataName::Named(name) => Preset::find(name),
        // Batches are made for sets like this one; whoever comes from the sequences keeps theirs.
        DataName::Absent if view_of(hash) == View::Batches => Preset::find("glue_sst2"),
        _ => None,
    }
}

fn named_graphs(hash: &str) -> Option<&'static Preset> {
    match data_of(hash, View::Graphs) {
        DataName::Named(name) => Preset::find_graphs(name),
        _ => None,
    }
}

/// The usual limit of the data, where the hash names none.
fn limit_of(hash: &str, preset: &Preset) -> Option<u32> {
    (!has(hash, View::Sequences, "limit")).then_some(preset.limit())
}

/// Which limits start from the largest graph: those that the hash does not name.
fn starts(hash: &str) -> [bool; 2] {
    graphs::LIMITS.map(|name| !has(hash, View::Graphs, name))
}

thread_local! {
    /// Counts loads of each view, so that of two data sets chosen quickly the later one stays.
    static LOADS: [Cell<u64>; 2] = const { [Cell::new(0), Cell::new(0)] };
}

/// Loads built-in sequences, with the limit to start from.
pub fn load(preset: &'static Preset, limit: Option<u32>, dispatch: Callback<Action>) {
    load_into(0, preset, dispatch, move |h| Action::Loaded(Source::Preset(preset), h, limit));
}

/// Loads built-in graphs; which limits start from the largest one.
pub fn load_graphs(preset: &'static Preset, start: [bool; 2], dispatch: Callback<Action>) {
    let loaded = move |h| Action::Graphs(graphs::Action::Loaded(Source::Preset(preset), h, start));
    match preset.generate() {
        Some(histogram) => dispatch.emit(loaded(Rc::new(histogram))),
        None => load_into(1, preset, dispatch, loaded),
    }
}

fn load_into<const K: usize>(
    view: usize,
    preset: &'static Preset,
    dispatch: Callback<Action>,
    loaded: impl FnOnce(Rc<Histogram<K>>) -> Action + 'static,
) {
    let loads = move || LOADS.with(|loads| loads[view].get());
    LOADS.with(|loads| loads[view].set(loads[view].get() + 1));
    let load = loads();
    wasm_bindgen_futures::spawn_local(async move {
        let text = fetch(preset.id).await;
        if loads() == load {
            let gone = || format!("{} could not be loaded; is the connection gone?", preset.title);
            dispatch.emit(match text.as_deref().and_then(Histogram::from_built_in) {
                Some(histogram) => loaded(Rc::new(histogram)),
                None => Action::Unreadable(gone()),
            });
        }
    });
}

async fn fetch(id: &str) -> Option<String> {
    let request = browser::window().fetch_with_str(&format!("datasets/{id}.csv"));
    let response: Response = JsFuture::from(request).await.ok()?.dyn_into().ok()?;
    JsFuture::from(response.text().ok().filter(|_| response.ok())?).await.ok()?.as_string()
}

/// State → address, address → state.
#[hook]
pub fn use_address(state: &Shared, dispatch: &Rc<Callback<Action>>) {
    let there = match state.view {
        View::Sequences | View::Batches => state.data.is_some(),
        View::Graphs => state.graphs.data.is_some(),
        View::Learn => true,
    };
    use_effect_with(there.then(|| state.hash()), |hash| {
        let timer = hash.clone().map(|hash| Timeout::new(REST, move || browser::set_hash(&hash)));
        move || drop(timer)
    });
    let dispatch = Rc::clone(dispatch);
    use_effect_with((), move |()| {
        let load_named = {
            let dispatch = (*dispatch).clone();
            move |hash: &str, first: bool| {
                if let Some(preset) = named(hash).filter(|p| !first || *p != Preset::FIRST) {
                    load(preset, limit_of(hash, preset), dispatch.clone());
                }
                if let Some(preset) = named_graphs(hash) {
                    load_graphs(preset, starts(hash), dispatch.clone());
                }
            }
        };
        load_named(&browser::hash(), true);
        // Only for addresses typed or followed: our own changes do not raise this event.
        let listener = EventListener::new(&browser::window(), "hashchange", move |e| {
            // As it was followed: by now the page may have written its own over it.
            let followed = e.unchecked_ref::<HashChangeEvent>().new_url();
            let hash = followed.split_once('#').map_or_else(String::new, |(_, hash)| hash.to_owned());
            dispatch.emit(Action::Navigate(hash.clone()));
            load_named(&hash, false);
        });
        move || drop(listener)
    });
}

/// Graphs are loaded when their view is opened, unless the address has named some.
#[hook]
pub fn use_graphs(state: &Shared, dispatch: &Rc<Callback<Action>>) {
    let dispatch = Rc::clone(dispatch);
    let wanted = state.view == View::Graphs && state.graphs.data.is_none();
    use_effect_with(wanted, move |wanted| {
        let hash = browser::hash();
        if *wanted && named_graphs(&hash).is_none() {
            load_graphs(graphs::FIRST, starts(&hash), (*dispatch).clone());
        }
    });
}
