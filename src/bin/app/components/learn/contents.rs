//! The list of chapters, and the links to the previous and the next.

use crate::browser;
use packscope_page::learn::{CHAPTERS, Chapter};
use packscope_page::state::LearnState;
use yew::prelude::*;

/// All chapters, each with its duration in minutes and whether its exercise is done.
pub fn contents(here: &'static Chapter, state: &LearnState) -> Html {
    let done = CHAPTERS
        .iter()
        .filter(|c| state.done.contains_key(c.id))
        .count();
    let line = |chapter: &&'static Chapter| {
        let current = (chapter.id == here.id).then_some("page");
        let is_done = state.done.contains_key(chapter.id);
        html! {
            <li data-chapter={chapter.id} data-done={is_done.to_string()}>
                <a href={link(chapter, state)} aria-current={current}>{ chapter.title }</a>
                <small>
                    { format!("{} min", chapter.minutes) }
                    { if is_done { ", done" } else { "" } }
                </small>
            </li>
        }
    };
    // On a phone (`--phone` in the style sheet) an open list would come before the chapter.
    let open = !browser::media("(max-width: 47.5em)");
    html! {
        <nav class="contents" aria-label="Chapters">
            <details {open}>
                <summary>{ "Chapters" }</summary>
                <ol>{ for CHAPTERS.iter().map(line) }</ol>
                <p class="hint">
                    { format!(
                        "{done} of {} done. This is kept in this browser only.",
                        CHAPTERS.len()
                    ) }
                </p>
            </details>
        </nav>
    }
}

/// The address of a chapter, which keeps the parts hidden by a teacher.
fn link(chapter: &Chapter, state: &LearnState) -> String {
    let hidden = state
        .hiding()
        .map(|hide| format!("&{hide}"))
        .unwrap_or_default();
    format!("#{}{hidden}", chapter.address())
}

/// Links to the previous chapter and the next.
pub fn turn(here: &'static Chapter, state: &LearnState) -> Html {
    let at = |place: Option<usize>| place.and_then(|p| CHAPTERS.get(p).copied());
    let to = |chapter: Option<&'static Chapter>, class: &'static str, way: &str| {
        chapter.map(|c| {
            html! {
                <a {class} href={link(c, state)}>
                    <small>{ way }</small>
                    { c.title }
                </a>
            }
        })
    };
    html! {
        <nav class="turn" aria-label="Previous and next chapter">
            { to(at(here.place().checked_sub(1)), "previous", "Previous (P)") }
            { to(at(here.place().checked_add(1)), "next", "Next (N)") }
        </nav>
    }
}
