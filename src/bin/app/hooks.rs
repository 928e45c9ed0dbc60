//! Hooks of the whole page: questions to workers, files, keys and the theme.

use crate::browser;
use crate::coming::is_coming;
use crate::components::learn::hand;
use crate::components::tokens::Tokens;
use crate::due::{self, PendingKind};
use crate::engine::{Engine, sweep};
use crate::files::{AssignRequest, DroppedFiles, OpenFiles};
use crate::shared::{FileCallbacks, SharedState};
use gloo_events::EventListener;
use packscope::api::PackingSettings;
use packscope::ingest::{Note, Options};
use packscope_page::learn::{Opens, title};
use packscope_page::query::Request;
use packscope_page::state::graphs::Action as Graphs;
use packscope_page::state::{Action, AppState, Source, Theme, View};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use yew::prelude::*;

/// Milliseconds after which a missing answer is shown as pending.
const SLOW: u32 = 250;
/// Milliseconds without a change before a sweep starts by itself.
const SWEEP_REST: u32 = 500;

#[hook]
pub fn use_files(engine: &Rc<Engine>, view: View) -> FileCallbacks {
    let files = use_memo(view, |view| {
        // Kept by view: callbacks compare by address, and new ones in each rendering would render
        // all controls.
        let (view, [opens, rereads, lasts, agains, estimates]) =
            (*view, std::array::from_fn(|_| Rc::clone(engine)));
        let open = Callback::from(move |files: DroppedFiles| {
            opens.open(files.into(), Options::default(), view)
        });
        FileCallbacks {
            open,
            reread: Callback::from(move |options| rereads.reopen(options, view)),
            last: Callback::from(move |()| lasts.last_read()),
            again: Callback::from(move |options| {
                if let Some(files) = agains.last_read() {
                    agains.open(files.without_estimate(), options, view);
                }
            }),
            estimate: Callback::from(move |()| {
                if let Some(files) = estimates.last_read() {
                    let files = OpenFiles {
                        estimate: true,
                        ..files
                    };
                    estimates.open(files, Options::default(), view);
                }
            }),
        }
    });
    (*files).clone()
}

/// Returns a callback that assigns the items of the files on screen to packs; `None` unless they are loaded and their
/// order is known, which it is not for tables of counts. Texts whose tokens were counted are tokenised again.
#[hook]
pub fn use_assigning(
    engine: &Rc<Engine>,
    tokens: &Tokens,
    state: &AppState,
) -> Option<Callback<AssignRequest>> {
    let view = state.view;
    let source = match view {
        View::Sequences => state.sequences.data.as_ref().map(|d| &d.source),
        View::Graphs => state.graphs.data.as_ref().map(|d| &d.source),
        View::Batches | View::Ranks | View::Learn => None,
    };
    let Some(Source::Own { name, description }) = source else {
        return None;
    };
    if description
        .notes
        .iter()
        .any(|note| matches!(note, Note::Tokens { .. }))
    {
        let (engine, texts) = (Rc::clone(engine), tokens.counted_file(name)?);
        return Some(Callback::from(move |asked| {
            engine.assign_texts(asked, texts.clone())
        }));
    }
    // A plan of estimates is no plan of the texts: some of them will not fit.
    if description.count.is_some() || description.is_estimated() || !engine.has(view, name) {
        return None;
    }
    let (engine, description) = (Rc::clone(engine), Rc::clone(description));
    Some(Callback::from(move |asked| {
        engine.assign(asked, description.options(), view)
    }))
}

/// Returns the callbacks with which a chapter sends requests to the engine and opens its data in the tool.
#[hook]
pub fn use_lesson(
    engine: &Rc<Engine>,
    dispatch: &Callback<Action>,
) -> (Callback<Vec<(String, Request)>>, Callback<Opens>) {
    let ask = {
        let engine = Rc::clone(engine);
        use_memo((), |()| {
            Callback::from(move |asked| engine.ask_lesson(asked))
        })
    };
    let dispatch = dispatch.clone();
    (
        (*ask).clone(),
        Callback::from(move |opens: Opens| hand(&opens, &dispatch)),
    )
}

/// Starts and stops sweeps to match the state.
#[hook]
pub fn use_sweeping(engine: &Rc<Engine>, state: &SharedState) {
    let (engine, state) = (Rc::clone(engine), state.clone());
    let course = &state.graphs.course;
    let course = (
        course.run,
        course.running,
        Rc::clone(&course.doubtful),
        state.may_check(),
        // Loading the part that shows sweeps changes no state.
        sweep::is_enabled(),
    );
    use_effect_with(course, move |_| engine.follow_sweep(&state));
}

/// Starts a sweep after a pause, if it is little work and background work is allowed.
#[hook]
pub fn use_sweep(state: &SharedState, dispatch: &Rc<Callback<Action>>) {
    let (graphs, dispatch) = (&state.graphs, Rc::clone(dispatch));
    let due = state.view == View::Graphs && state.background.works() && graphs.is_sweep_due();
    use_effect_with(
        (due, graphs.ranges(), graphs.settings.deciding()),
        move |(due, ..)| {
            let start = move || dispatch.emit(Action::Graphs(Graphs::Start));
            let timer = due.then(|| due::after(PendingKind::Pausing, SWEEP_REST, start));
            move || drop(timer)
        },
    );
}

#[hook]
pub fn use_visible(dispatch: &Rc<Callback<Action>>) {
    let dispatch = Rc::clone(dispatch);
    use_effect_with((), move |()| {
        let listener = EventListener::new(&browser::document(), "visibilitychange", move |_| {
            dispatch.emit(Action::Visible(browser::is_visible()));
        });
        move || drop(listener)
    });
}

/// Whether results are to be dimmed: those of other data at once, others if the answer has been missing for [`SLOW`]:
/// shorter waits show nothing, so that the page does not flicker.
#[hook]
pub fn use_slow(current: bool, state: &AppState) -> bool {
    let slow = use_state_eq(|| false);
    let set = slow.setter();
    use_effect_with(current, move |current| {
        let timer = if *current {
            set.set(false);
            None
        } else {
            Some(due::after(PendingKind::Pausing, SLOW, move || {
                set.set(true)
            }))
        };
        move || drop(timer)
    });
    use_until_drawn(*slow || is_coming() || state.is_of_other_data())
}

/// Returns whether results are still to be dimmed: until the new ones are drawn. A busy browser draws in several frames,
/// the page before its parts, so that a frame would show old results as if they were those of new data.
#[hook]
fn use_until_drawn(now: bool) -> bool {
    let shown = use_state_eq(|| now);
    let set = shown.setter();
    // Effects run after all parts are drawn.
    use_effect_with(now, move |now| set.set(*now));
    now || *shown
}

/// Whether `now` has ever been true.
#[hook]
pub fn use_once(now: bool) -> bool {
    let ever = use_mut_ref(|| false);
    let mut ever = ever.borrow_mut();
    *ever |= now;
    *ever
}

/// Returns the state at the last pause, for parts far down the page that need not keep up with a slider: the newest one
/// whose comparison was complete.
#[hook]
pub fn use_rested(state: &SharedState) -> SharedState {
    let kept = use_mut_ref(|| state.clone());
    if state.sequences.is_compared() || kept.borrow().sequences.answer.is_none() {
        *kept.borrow_mut() = state.clone();
    }
    kept.borrow().clone()
}

/// Accepts files dropped anywhere on the page.
#[hook]
pub fn use_drop(open: Callback<DroppedFiles>, dragging: UseStateSetter<bool>) {
    use_effect_with(open, move |open| {
        let open = open.clone();
        let options = gloo_events::EventListenerOptions::enable_prevent_default();
        let on = |name, f: Box<dyn Fn(&web_sys::DragEvent)>| {
            EventListener::new_with_options(&browser::window(), name, options, move |e| {
                // Without it `dragover` refuses the drop, and `drop` lets the browser open the file
                // in place of the page.
                e.prevent_default();
                f(e.unchecked_ref());
            })
        };
        let (over, leave, end) = (dragging.clone(), dragging.clone(), dragging);
        let listeners = [
            on("dragover", Box::new(move |_| over.set(true))),
            on("dragleave", Box::new(move |_| leave.set(false))),
            on(
                "drop",
                Box::new(move |e| {
                    end.set(false);
                    let files = browser::files(e.data_transfer().and_then(|d| d.files()));
                    if !files.is_empty() {
                        open.emit(files);
                    }
                }),
            ),
        ];
        move || drop(listeners)
    });
}

/// On Esc closes the drawer, or cancels, unless Esc closes a dialog; on Enter says what a field accepts, if it is
/// something else.
#[hook]
pub fn use_keys(cancel: Callback<()>) {
    use_effect_with((), move |()| {
        let listener = EventListener::new(&browser::window(), "keydown", move |e| {
            let dialog = || {
                browser::document()
                    .query_selector("dialog[open]")
                    .ok()
                    .flatten()
            };
            let drawer = || {
                browser::document()
                    .query_selector("#take[open]")
                    .ok()
                    .flatten()
            };
            let field = || e.target()?.dyn_into::<web_sys::HtmlInputElement>().ok();
            match e.unchecked_ref::<web_sys::KeyboardEvent>().key().as_str() {
                // The browser itself closes a dialog on Escape, and one key press must not also
                // cancel the work behind it.
                "Escape" if !e.default_prevented() && dialog().is_none() => match drawer() {
                    Some(drawer) => _ = drawer.remove_attribute("open"),
                    None => cancel.emit(()),
                },
                "Enter" => {
                    if let Some(field) =
                        // The browser shows its message about a wrong number only when a form is
                        // sent, and these fields are in none.
                        field().filter(|f| f.matches(":out-of-range").unwrap_or(false))
                    {
                        field.report_validity();
                    }
                }
                _ => {}
            }
        });
        move || drop(listener)
    });
}

/// Removes the static opening once the page has the answer.
#[hook]
pub fn use_opened(shown: bool) {
    use_effect_with(shown, |shown| {
        if *shown {
            browser::end_opening();
        }
    });
}

#[hook]
pub fn use_looks(state: &AppState) {
    use_theme(state.theme);
    use_title(state);
}

/// Sets the theme as an attribute of the root element; the style sheet does the rest.
#[hook]
fn use_theme(theme: Theme) {
    use_effect_with(theme, |theme| {
        let _ = browser::root().set_attribute("data-theme", theme.name());
    });
}

/// Sets the title of the window, which is also the name of a bookmark.
#[hook]
fn use_title(state: &AppState) {
    let about = match state.view {
        View::Sequences => "Packscope: how much of your training is padding",
        View::Graphs => "Graphs in packs · Packscope",
        View::Batches => "Batches of like lengths · Packscope",
        View::Ranks => "Load balance of ranks · Packscope",
        View::Learn => title(&state.learn.chapter),
    };
    let chapter = state.view == View::Learn;
    use_effect_with((about, chapter), move |(about, chapter)| {
        let title = if *chapter {
            format!("{about} · Packscope")
        } else {
            (*about).to_owned()
        };
        browser::document().set_title(&title);
    });
}
