//! The address bar, kept in sync with data and settings; loading of the data that it names.

use crate::browser;
use crate::coming::{self, LoadingMark, load, load_graphs};
use crate::due::{self, PendingKind};
use crate::shared::SharedState;
use crate::storage;
use crate::zip;
use gloo_events::EventListener;
use packscope::api::Settings;
use packscope::histogram::{Histogram, Preset, Sizes};
use packscope::words::is_hidden;
use packscope_page::learn::data;
use packscope_page::state::beside;
use packscope_page::state::custom::{Custom, Damage};
use packscope_page::state::graphs;
use packscope_page::state::{Action, AppState, DataName, Source, Tab, View, data_of, has, view_of};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HashChangeEvent;
use yew::prelude::*;

/// Milliseconds without a change before the address is updated: browsers limit how often it may change.
const REST: u32 = 200;
/// Milliseconds before the next attempt after the browser refused: some allow a hundred changes in half a minute.
const REFUSED: u32 = 5000;

thread_local! {
    /// The address as the page has read or written it last.
    static KNOWN: RefCell<String> = const { RefCell::new(String::new()) };
    /// The landmark of the current history entry; `None` on opening, and after going back or following a link.
    static LANDMARK: RefCell<Option<String>> = const { RefCell::new(None) };
    /// The view and room of the current history entry; `None` after going back or following a link, until the state is that
    /// of its address.
    static PLACE: Cell<Option<(View, Tab)>> = const { Cell::new(None) };
    /// The address that was opened or followed last, whose data [`load_named`] loads: no address that the page wrote.
    static FOLLOWED_ADDRESS: RefCell<String> = const { RefCell::new(String::new()) };
    /// The number of links followed and history steps taken.
    static FOLLOWED: Cell<u32> = const { Cell::new(0) };
}

pub enum AddressUpdate {
    /// The address is right, or another one was followed.
    Done,
    /// Data that the address names are loading: it stays until they are there.
    Waits,
    Refused,
}

/// Writes a hash into the address: as a new history entry if the landmark has changed. An address that was just
/// navigated to, whose `hashchange` event is pending, is not overwritten: going back would then change nothing and raise
/// no event.
pub fn write(hash: &str, landmark: &str) -> AddressUpdate {
    // Only its event makes a new address known: until then this function may be called more than once.
    if KNOWN.with_borrow(|known| *known != browser::hash()) {
        return AddressUpdate::Done;
    }
    if coming::is_coming() {
        return AddressUpdate::Waits;
    }
    if put(hash, landmark, is_new(landmark)) {
        AddressUpdate::Done
    } else {
        AddressUpdate::Refused
    }
}

/// Writes a hash as a new history entry, even while data that it names are loading. Returns whether it was written.
fn push_entry(hash: &str, landmark: &str) -> bool {
    KNOWN.with_borrow(|known| *known == browser::hash()) && put(hash, landmark, true)
}

/// Writes a hash unless it is there. Returns whether it is there then.
fn put(hash: &str, landmark: &str, new: bool) -> bool {
    let put = hash == browser::hash() || browser::set_hash(hash, new);
    if put {
        LANDMARK.set(Some(landmark.to_owned()));
        KNOWN.set(browser::hash());
    }
    put
}

/// Whether the landmark differs from that of the current history entry, so that it needs an entry of its own.
fn is_new(landmark: &str) -> bool {
    LANDMARK.with_borrow(|before| before.as_ref().is_some_and(|before| before != landmark))
}

/// Begins a history entry as soon as the state is in another view or room, so that going back right after a press finds it:
/// a busy machine may render later. Called after each action.
pub fn begin_entry(state: &AppState) {
    let place = (state.view, state.room);
    let before = PLACE.replace(Some(place));
    if before.is_some_and(|before| before != place) {
        // Where it cannot be written now, it is written after a rest.
        push_entry(&state.hash(), &state.landmark());
    }
}

/// Returns the state that the address describes, with its data, or the first built-in data if those are unknown.
pub fn initial_state() -> AppState {
    let hash = browser::hash();
    KNOWN.set(hash.clone());
    FOLLOWED_ADDRESS.set(hash.clone());
    // A tab opened in the background gets no `visibilitychange` event until it is shown, so the
    // state is told here.
    let seen = Action::Visible(browser::is_visible());
    let mut state = AppState::default()
        .reduce(seen)
        .reduce(Action::Navigate(hash.clone()));
    let named = named(&hash);
    if !matches!(carried(&hash, View::Sequences), Some(Ok(_)))
        && !is_fetched(&hash, View::Sequences)
        && named.is_none_or(|p| p == Preset::FIRST)
        // This set is compiled into the program, so that the page opens with an answer before
        // anything is fetched.
        && let Ok(histogram) = Histogram::from_lengths(data::opening_lengths())
    {
        let limit = limit_of(&hash, Preset::FIRST);
        state = state.reduce(Action::Loaded(
            Source::Preset(Preset::FIRST),
            Rc::new(histogram),
            limit,
        ));
    }
    let state = unpack(&hash)
        .into_iter()
        .chain(missing(&hash))
        .fold(state, |state, action| state.reduce(action));
    begin_entry(&state);
    state
}

/// Returns the actions that load the data contained in an address.
fn unpack(hash: &str) -> Vec<Action> {
    let unpacked = [View::Sequences, View::Graphs].map(|view| {
        Some(match carried(hash, view)? {
            Ok(custom) => take(hash, custom),
            Err(damage) => Action::Unreadable(format!("{damage}. {INSTEAD}")),
        })
    });
    unpacked.into_iter().flatten().collect()
}

/// Returns the message about data that an address names but does not contain.
fn missing(hash: &str) -> Option<Action> {
    let shown = if view_of(hash) == View::Graphs {
        View::Graphs
    } else {
        View::Sequences
    };
    let unknown = match shown {
        View::Graphs => named_graphs(hash).is_none(),
        _ => named(hash).is_none(),
    };
    // Data in storage and beside the page are looked up elsewhere, which reports them if they are missing.
    match data_of(hash, shown) {
        DataName::Own => Some(Action::Unreadable(format!("{OWN} {INSTEAD}"))),
        DataName::Named(_) if unknown => Some(Action::Unreadable(format!("{UNKNOWN} {INSTEAD}"))),
        _ => None,
    }
}

/// Decodes the data that an address contains for a view.
fn carried(hash: &str, view: View) -> Option<Result<Custom, Damage>> {
    match data_of(hash, view) {
        DataName::Carried(value) => Some(Custom::read(value).and_then(|custom| {
            // This page writes no lengths under the name of graphs.
            // An edited or foreign link may say anything, so the kind of the data is checked
            // against the name that carries them.
            let are_graphs = matches!(custom.sizes, Sizes::Graphs(_));
            if are_graphs == (view == View::Graphs) {
                Ok(custom)
            } else {
                Err(Damage::Damaged)
            }
        })),
        _ => None,
    }
}

/// Returns the action that loads the data of an address, with the limits of the address where it has some.
fn take(hash: &str, custom: Custom) -> Action {
    let source = Source::Kept {
        name: custom.name,
        components: custom.components,
    };
    // Addresses of the other views omit the default limit.
    let usual = |longest| match view_of(hash) {
        View::Sequences | View::Batches | View::Ranks => longest,
        View::Graphs | View::Learn => Settings::default().limit,
    };
    let limit = |longest| (!has(hash, View::Sequences, "limit")).then(|| usual(longest));
    let limit = custom.sizes.longest().and_then(limit);
    Action::loaded(source, custom.sizes, limit, starts(hash))
}

const OWN: &str =
    "This link was made with a file of its sender, which is too large to travel in a link.";
const GONE: &str = "This address names data that were too large for it, and were stored in the browser that read them: \
    this one does not have them (any more).";
const ABSENT: &str = "This address names a file beside the page which is not there (any more), or which is no table of sizes with \
    their counts.";
const UNKNOWN: &str = "This link names data that this page does not have.";
const UNREAD: &str = "The part of the page that reads the data of this link could not be loaded; is the connection gone? \
    Reload the page to try again. Until then it shows the data from before.";
const INSTEAD: &str = "These are the settings of the link, on the data that the page opens on.";

fn named(hash: &str) -> Option<&'static Preset> {
    match data_of(hash, View::Sequences) {
        DataName::Named(name) => Preset::find(name),
        // These sets are typical for batches and for ranks; a visitor who comes from the sequences keeps theirs.
        DataName::Absent => match view_of(hash) {
            View::Batches => Preset::find("glue_sst2"),
            View::Ranks => Preset::find("sharegpt_8k_llama2"),
            _ => None,
        },
        _ => None,
    }
}

fn named_graphs(hash: &str) -> Option<&'static Preset> {
    match data_of(hash, View::Graphs) {
        DataName::Named(name) => Preset::find_graphs(name),
        _ => None,
    }
}

/// Whether an address names no sequences, and so stands for the default ones.
fn is_opening(hash: &str) -> bool {
    named(hash).is_none() && data_of(hash, View::Sequences) == DataName::Absent
}

/// Returns the default limit of the data, or `None` if the hash names a limit.
fn limit_of(hash: &str, preset: &Preset) -> Option<u32> {
    (!has(hash, View::Sequences, "limit")).then_some(preset.limit())
}

/// Returns which limits start from the largest graph: those not named in the hash.
fn starts(hash: &str) -> [bool; 2] {
    graphs::LIMITS.map(|name| !has(hash, View::Graphs, name))
}

/// Loads a built-in set after a failure, with the settings of the link that names it.
pub fn load_again(preset: &'static Preset, state: &AppState, dispatch: Callback<Action>) {
    let hash = browser::hash();
    if Preset::find(preset.id) == Some(preset) {
        let limit = state
            .sequences
            .data
            .as_ref()
            .map_or_else(|| limit_of(&hash, preset), |_| Some(preset.limit()));
        // With data on screen the address describes those, so its limit does not belong to this
        // set.
        load(preset, limit, dispatch);
    } else {
        let start = state
            .graphs
            .data
            .as_ref()
            .map_or_else(|| starts(&hash), |_| [true; 2]);
        load_graphs(preset, start, dispatch);
    }
}

/// Whether an address names data of a view that are stored in the browser, or in a file beside the page.
fn is_fetched(hash: &str, view: View) -> bool {
    matches!(
        data_of(hash, view),
        DataName::Stored(_) | DataName::Beside(_)
    )
}

/// Returns the data of a file beside the page, under its name; `None` if they cannot be had.
async fn beside_page(file: &str, view: View) -> Option<Custom> {
    let csv = coming::fetch(file).await?;
    let name = file.rsplit('/').next().unwrap_or(file);
    let name = js_sys::decode_uri_component(name).map_or_else(|_| name.to_owned(), String::from);
    // Shown, and put into links: see `browser::files`.
    let name = name.chars().filter(|c| !is_hidden(*c)).collect();
    beside::read(name, &csv, view == View::Graphs)
}

/// Loads data that an address names by their storage key, or by a file beside the page. If they are not there, dispatches
/// a message, and on opening (`first`) loads the default data of the view.
fn load_fetched(hash: &str, view: View, dispatch: &Callback<Action>, first: bool) {
    let (place, is_file) = match data_of(hash, view) {
        DataName::Stored(key) => (key.to_owned(), false),
        DataName::Beside(file) => (file.to_owned(), true),
        _ => return,
    };
    let (hash, dispatch, coming) = (hash.to_owned(), dispatch.clone(), LoadingMark::new());
    due::load(async move {
        let custom = if is_file {
            beside_page(&place, view).await
        } else {
            storage::get(&place).await
        };
        // Without it the size of these data in a link is unknown, but they can still be shown.
        let _ = zip::load().await;
        // The data are here, or will not come: the mark must not keep the address from being
        // written.
        drop(coming);
        let fits =
            |custom: &Custom| matches!(custom.sizes, Sizes::Graphs(_)) == (view == View::Graphs);
        match custom.filter(fits) {
            Some(custom) => dispatch.emit(take(&hash, custom)),
            None => {
                match view {
                    View::Graphs if first => {
                        load_graphs(graphs::FIRST, starts(&hash), dispatch.clone())
                    }
                    View::Sequences if first => load(
                        Preset::FIRST,
                        limit_of(&hash, Preset::FIRST),
                        dispatch.clone(),
                    ),
                    _ => {}
                }
                let missing = if is_file { ABSENT } else { GONE };
                dispatch.emit(Action::Unreadable(format!("{missing} {INSTEAD}")));
            }
        }
    });
}

/// Loads the data that an address names. `first`: the page opens with it, so the default data are already there.
fn load_named(hash: &str, first: bool, dispatch: &Callback<Action>) {
    // On opening, `initial_state` has put the first set into the state already.
    if let Some(preset) = named(hash).filter(|p| !first || *p != Preset::FIRST) {
        load(preset, limit_of(hash, preset), dispatch.clone());
    }
    if let Some(preset) = named_graphs(hash) {
        load_graphs(preset, starts(hash), dispatch.clone());
    }
    load_fetched(hash, View::Sequences, dispatch, first);
    load_fetched(hash, View::Graphs, dispatch, first);
    // A history entry without a name for the sequences stands for the default ones.
    if !first && browser::is_ours() && is_opening(hash) {
        load(
            Preset::FIRST,
            limit_of(hash, Preset::FIRST),
            dispatch.clone(),
        );
    }
}

/// Keeps the address and the state in sync, in both directions.
#[hook]
pub fn use_address(state: &SharedState, dispatch: &Rc<Callback<Action>>) {
    let there = match state.view {
        View::Sequences | View::Batches | View::Ranks => state.sequences.data.is_some(),
        View::Graphs => state.graphs.data.is_some(),
        View::Learn => true,
    };
    let (refused, late) = (use_state_eq(|| 0), use_state_eq(|| 0));
    let (hash, landmark) = (state.hash(), state.landmark());
    use_effect_with(
        (hash, there, landmark, *refused, *late),
        move |(hash, there, landmark, times, tries)| {
            let (times, tries, landmark, followed) =
                (*times, *tries, landmark.clone(), FOLLOWED.get());
            let rest = if times == 0 { REST } else { REFUSED };
            // An address that is there already, as after `begin_entry` or a history step, only has its landmark kept.
            let is_written = *there
                && *hash == browser::hash()
                && matches!(write(hash, &landmark), AddressUpdate::Done);
            let later = (*there && !(is_written && times == 0)).then(|| hash.clone());
            let timer = later.map(|hash| {
                due::after(PendingKind::Address, rest, move || {
                    // After a history step this hash would overwrite another entry.
                    if FOLLOWED.get() == followed {
                        match write(&hash, &landmark) {
                            AddressUpdate::Done => refused.set(0),
                            // The state may be the same when the data are there.
                            AddressUpdate::Waits => late.set(tries + 1),
                            AddressUpdate::Refused => refused.set(times + 1),
                        }
                    }
                })
            });
            // Dropping the timer cancels it: of a row of changes only the last one writes the
            // address.
            move || drop(timer)
        },
    );
    use_followed(dispatch);
}

/// Loads the data of the first address, and follows addresses that are typed, or steps of the history.
#[hook]
fn use_followed(dispatch: &Rc<Callback<Action>>) {
    let dispatch = Rc::clone(dispatch);
    use_effect_with((), move |()| {
        load_named(&browser::hash(), true, &dispatch);
        // Only for addresses typed or followed: changes by the page itself do not raise this event.
        let listener = EventListener::new(&browser::window(), "hashchange", move |e| {
            // The address at the time of the event: the current one may be another by now.
            let followed = e.unchecked_ref::<HashChangeEvent>().new_url();
            let hash = followed
                .split_once('#')
                .map_or_else(String::new, |(_, hash)| hash.to_owned());
            let turn = FOLLOWED.get().wrapping_add(1);
            FOLLOWED.set(turn);
            let dispatch = Rc::clone(&dispatch);
            zip::before(&hash.clone(), move |readable| {
                match readable {
                    // Another link was followed while the decoder was loading.
                    _ if FOLLOWED.get() != turn => return,
                    // The address stays, so that reloading the page opens it.
                    false => return dispatch.emit(Action::Unreadable(UNREAD.to_owned())),
                    true => {}
                }
                KNOWN.set(hash.clone());
                FOLLOWED_ADDRESS.set(hash.clone());
                // Without a landmark, `is_new` is false: the next write completes this entry
                // instead of adding one.
                LANDMARK.set(None);
                PLACE.set(None);
                // An entry that this page wrote omits settings at their defaults, so it starts from
                // these; a link changes what it names and leaves the rest.
                let go = if browser::is_ours() {
                    Action::Restore
                } else {
                    Action::Navigate
                };
                dispatch.emit(go(hash.clone()));
                load_named(&hash, false, &dispatch);
                unpack(&hash)
                    .into_iter()
                    .for_each(|action| dispatch.emit(action));
            });
        });
        move || drop(listener)
    });
}

/// Loads the default graphs when their view opens, unless the address names some. Must be called before
/// [`use_address`], which loads those.
#[hook]
pub fn use_graphs(state: &SharedState, dispatch: &Rc<Callback<Action>>) {
    let dispatch = Rc::clone(dispatch);
    let wanted = state.view == View::Graphs && state.graphs.data.is_none();
    use_effect_with(wanted, move |wanted| {
        // The entry that the press wrote names the default graphs, which nobody else loads.
        let hash = FOLLOWED_ADDRESS.with_borrow(String::clone);
        let others = named_graphs(&hash).is_some()
            || matches!(carried(&hash, View::Graphs), Some(Ok(_)))
            || is_fetched(&hash, View::Graphs);
        if *wanted && !others {
            load_graphs(graphs::FIRST, starts(&hash), (*dispatch).clone());
        }
    });
}
