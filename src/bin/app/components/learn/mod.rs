//! The view of lessons: the list of chapters, and the open one.

mod contents;
mod ends;
mod exercise;
mod figure;
mod full;
mod guess;
mod pack;
mod packs;
mod parts;
mod player;
mod prose;
mod scrub;
mod teach;

pub use exercise::hand;

use crate::browser;
use crate::coming;
use crate::due;
use crate::lazy_style;
use crate::shared::SharedState;
use crate::watchdog::SILENCE;
use gloo_events::EventListener;
use packscope::histogram::{Histogram, Preset};
use packscope_page::learn::{CHAPTERS, Chapter, ChapterContext, Move, Opens};
use packscope_page::query::Request;
use packscope_page::state::learn::{Action as Learn, BuiltInLengths, Prediction};
use packscope_page::state::{Action, LearnState, Theme};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use yew::prelude::*;

/// The key of the progress in local storage.
const KEPT: &str = "packscope.learned";

/// Adds the style of lessons.
pub fn adopt_style() {
    lazy_style::adopt(include_str!("../../../../../static/style/lazy/learn.css"));
    super::stage::adopt_style();
}

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    pub ask: Callback<Vec<(String, Request)>>,
    pub open: Callback<Opens>,
    pub notices: Html,
}

#[derive(Clone, Copy)]
pub struct ChapterScene<'a> {
    chapter: &'static Chapter,
    here: ChapterContext<'a>,
    state: &'a LearnState,
    theme: Theme,
    moves: &'a Callback<Move>,
    predicts: &'a Callback<NamedPrediction>,
}

/// The id of a question of the chapter, and the reader's prediction; `None` asks the question again.
type NamedPrediction = (&'static str, Option<Prediction>);

impl ChapterScene<'_> {
    /// Whether a teacher's link hides a knob or a part.
    fn hides(&self, name: &str) -> bool {
        self.state.hidden.contains_key(name)
    }
}

#[component]
pub fn Lessons(props: &Props) -> Html {
    let state = &props.state.learn;
    let chapter = Chapter::named(&state.chapter);
    let here = chapter.context(state);
    // Pure, so it can run in every rendering.
    let shown = (chapter.show)(&here);
    use_data(chapter, state, &props.dispatch);
    use_answers(chapter, &here, &props.ask);
    use_done(chapter, shown.is_done(), state, &props.dispatch);
    use_kept(state, &props.dispatch);
    let filled = use_state_eq(|| None::<usize>);
    use_turning(chapter, filled.setter());
    {
        let filled = filled.clone();
        // A chapter begins with its first picture.
        use_effect_with(chapter.id, move |_| {
            if filled.is_some() {
                filled.set(Some(0));
            }
        });
    }
    let top = use_start(chapter);
    let moves = {
        let dispatch = props.dispatch.clone();
        Callback::from(move |(knob, numbers)| {
            dispatch.emit(Action::Learn(Learn::Set(knob, numbers)))
        })
    };
    let predicts = props
        .dispatch
        .reform(|(question, prediction)| Action::Learn(Learn::Predict(question, prediction)));
    let scene = ChapterScene {
        chapter,
        here,
        state,
        theme: props.state.theme,
        moves: &moves,
        predicts: &predicts,
    };
    html! {
        <>
            { contents::contents(chapter, state) }
            <article class="chapter" data-chapter={chapter.id} data-done={shown.is_done().to_string()}>
                { props.notices.clone() }
                <p class="kicker">{ kicker(chapter) }{ full::button(&filled) }</p>
                <h1 ref={top} tabindex="-1">{ prose::prose(&shown.finding, &scene) }</h1>
                { parts::parts(&shown.parts, &scene) }
                if !chapter.is_table() {
                    { exercise::exercise(&shown, &scene, &props.dispatch) }
                }
                { exercise::leads(&scene, &props.open) }
                if !chapter.is_table() {
                    { teach::teach(&scene, &props.dispatch) }
                    { contents::turn(chapter, state) }
                }
            </article>
            { full::full(&scene, &shown, &filled) }
        </>
    }
}

/// Returns the line above the title.
fn kicker(chapter: &Chapter) -> String {
    if chapter.is_table() {
        return "A table to cite, computed here".to_owned();
    }
    format!(
        "Chapter {} of {} · {} minutes, with the exercise",
        chapter.place() + 1,
        CHAPTERS.len(),
        chapter.minutes
    )
}

#[hook]
fn use_answers(
    chapter: &'static Chapter,
    here: &ChapterContext<'_>,
    ask: &Callback<Vec<(String, Request)>>,
) {
    // Compared with those of the last rendering: requests on their way are not sent again.
    let asked = chapter.unanswered(here);
    let ask = ask.clone();
    use_effect_with(asked, move |asked| {
        if !asked.is_empty() {
            ask.emit(
                asked
                    .iter()
                    .map(|(name, request)| ((*name).to_owned(), request.clone()))
                    .collect(),
            );
        }
    });
}

/// Dispatches [`Learn::Done`] when the exercise is done for the first time.
#[hook]
fn use_done(
    chapter: &'static Chapter,
    done: bool,
    state: &LearnState,
    dispatch: &Callback<Action>,
) {
    let dispatch = dispatch.clone();
    let fresh = done && !state.done.contains_key(chapter.id);
    use_effect_with((chapter.id, fresh), move |(id, fresh)| {
        if *fresh {
            dispatch.emit(Action::Learn(Learn::Done(id)));
        }
    });
}

/// Loads progress from local storage and stores it there, if the browser allows that.
#[hook]
fn use_kept(state: &LearnState, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let kept = browser::stored_text(KEPT);
        let known = |id: &&str| CHAPTERS.iter().any(|c| c.id == *id);
        let done = kept.split(' ').filter(known).map(str::to_owned).collect();
        dispatch.emit(Action::Learn(Learn::Remembered(done)));
    });
    use_effect_with(state.done.clone(), move |done| {
        // Before the progress is loaded, none must be stored over it.
        if !done.is_empty() {
            browser::keep(KEPT, &done.keys().cloned().collect::<Vec<_>>().join(" "));
        }
    });
}

/// Opens the next chapter on N and the previous on P, and fills the screen on F, except in fields to type into.
#[hook]
fn use_turning(chapter: &'static Chapter, fill: UseStateSetter<Option<usize>>) {
    use_effect_with(chapter.id, move |_| {
        let place = chapter.place();
        let listener = EventListener::new(&browser::window(), "keydown", move |e| {
            let key = e.unchecked_ref::<web_sys::KeyboardEvent>();
            if super::keys::is_typed(e) || key.ctrl_key() || key.alt_key() || key.meta_key() {
                return;
            }
            let to = match key.key().as_str() {
                "f" => return fill.set(Some(0)),
                // Tables have no place among the chapters.
                _ if chapter.is_table() => None,
                "n" => place.checked_add(1),
                "p" => place.checked_sub(1),
                _ => None,
            };
            if let Some(chapter) = to.and_then(|to| CHAPTERS.get(to)) {
                // By the address, so that Back returns to this chapter.
                let _ = browser::window().location().set_hash(&chapter.address());
            }
        });
        move || drop(listener)
    });
}

/// Scrolls to the title of a newly opened chapter and focuses it, for screen readers.
#[hook]
fn use_start(chapter: &'static Chapter) -> NodeRef {
    let top = use_node_ref();
    let last = use_mut_ref(|| None::<&'static str>);
    let title = top.clone();
    use_effect_with(chapter.id, move |id| {
        // The first chapter is no turn: the focus stays where a page that opens has it.
        let turned = last
            .borrow_mut()
            .replace(*id)
            .is_some_and(|before| before != *id);
        if turned && let Some(title) = title.cast::<web_sys::HtmlElement>() {
            browser::window().scroll_to_with_x_and_y(0.0, 0.0);
            let _ = title.focus();
        }
    });
    top
}

/// Returns a callback that moves one knob; `numbers` returns its new values, or `None` to leave it.
fn mover<T: 'static>(
    moves: &Callback<Move>,
    knob: &'static str,
    numbers: impl Fn(T) -> Option<Vec<u32>> + 'static,
) -> Callback<T> {
    let moves = moves.clone();
    let numbers = Rc::new(numbers);
    Callback::from(move |value| {
        if let Some(numbers) = numbers(value) {
            moves.emit((knob, numbers));
        }
    })
}

/// Fetches the built-in sets that the chapter needs and that are not loaded yet: they are too large for the program.
#[hook]
fn use_data(chapter: &'static Chapter, state: &LearnState, dispatch: &Callback<Action>) {
    let dispatch = dispatch.clone();
    use_effect_with(chapter.missing(state), move |missing| {
        for &set in missing {
            fetch_lengths(set, dispatch.clone());
        }
    });
}

fn fetch_lengths(set: &'static str, dispatch: Callback<Action>) {
    let loaded = move |lengths: Option<BuiltInLengths>| {
        dispatch.emit(Action::Learn(Learn::Loaded(set, lengths)))
    };
    // A host that does not answer in time counts as unreachable; an answer that arrives later is still shown.
    let late = {
        let loaded = loaded.clone();
        due::aside(SILENCE as u32, move || loaded(None))
    };
    due::load(async move {
        let histogram: Option<Histogram<1>> = match Preset::find(set) {
            Some(preset) => coming::file(preset).await,
            None => None,
        };
        late.cancel();
        loaded(histogram.map(|histogram| Rc::new(histogram.lengths())));
    });
}
