//! The list of chapters, and the links to the previous and the next.

use crate::browser;
use packscope_page::learn::{CHAPTERS, Chapter, PARTS, SHORT, TABLES};
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
                    { if SHORT.contains(&chapter.id) { ", short path" } else { "" } }
                    { if is_done { ", done" } else { "" } }
                </small>
            </li>
        }
    };
    let minutes = |is_on: fn(&Chapter) -> bool| -> u32 {
        let these = CHAPTERS.iter().filter(|c| is_on(c));
        these.map(|c| c.minutes).sum()
    };
    let mut rest = CHAPTERS;
    let part = |(name, n): (&'static str, usize)| {
        let (these, others) = rest.split_at(n.min(rest.len()));
        let first = CHAPTERS.len() - rest.len() + 1;
        rest = others;
        html! {
            <>
                <p class="part">{ name }</p>
                <ol start={first.to_string()}>{ for these.iter().map(line) }</ol>
            </>
        }
    };
    // On a phone (`--phone` in the style sheet) an open list would come before the chapter.
    let open = !browser::media("(max-width: 47.5em)");
    html! {
        <nav class="contents" aria-label="Chapters">
            <details {open}>
                <summary>{ "Chapters" }</summary>
                { for PARTS.into_iter().map(part) }
                <p class="part">{ "Tables to cite" }</p>
                <ul class="tables">{ for TABLES.iter().map(|table| html! {
                    <li>
                        <a
                            href={link(table, state)}
                            aria-current={(table.id == here.id).then_some("page")}
                        >
                            { table.title }
                        </a>
                    </li>
                }) }</ul>
                <p class="hint">
                    { format!(
                        "The short path takes {} minutes, all of it {}. {done} of {} done. This is kept in this browser only.",
                        minutes(|c| SHORT.contains(&c.id)),
                        minutes(|_| true),
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

/// Links to the previous chapter and the next, and to the next of the short path where that is another.
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
    let short = SHORT
        .iter()
        .skip_while(|id| **id != here.id)
        .nth(1)
        .map(|id| Chapter::named(id))
        .filter(|chapter| chapter.place() != here.place() + 1);
    html! {
        <nav class="turn" aria-label="Previous and next chapter">
            { to(at(here.place().checked_sub(1)), "previous", "Previous (P)") }
            { to(short, "next short", "On the short path") }
            { to(at(here.place().checked_add(1)), "next", "Next (N)") }
        </nav>
    }
}
