//! A chapter on a full screen: one picture at a time, its knobs, and arrow keys that move them.

use super::ChapterScene;
use super::parts::part;
use super::prose::{number, prose};
use crate::components::stage::Stage;
use packscope_page::learn::{CHAPTERS, ChapterView, Screen, screens};
use yew::prelude::*;

/// The place of the picture on screen; `None` while no screen is filled.
type Place = UseStateHandle<Option<usize>>;

/// The button that fills the screen.
pub fn button(at: &Place) -> Html {
    let set = at.setter();
    let onclick = Callback::from(move |_: MouseEvent| set.set(Some(0)));
    html! {
        <button
            type="button"
            class="word to-full"
            aria-haspopup="dialog"
            aria-keyshortcuts="f"
            {onclick}
        >
            { "Full screen (F)" }
        </button>
    }
}

/// The picture that fills the screen, if one does.
pub fn full(scene: &ChapterScene<'_>, view: &ChapterView, at: &Place) -> Html {
    let Some(place) = **at else {
        return Html::default();
    };
    let all = screens(scene.chapter, view, |name| scene.hides(name));
    // Another chapter, or other knobs, may have fewer.
    let place = place.min(all.len().saturating_sub(1));
    let Some(screen) = all.get(place) else {
        return Html::default();
    };
    let go = |to: Option<usize>| {
        let set = at.setter();
        let to = to.filter(|to| *to < all.len());
        (
            to.is_none(),
            Callback::from(move |()| {
                if let Some(to) = to {
                    set.set(Some(to));
                }
            }),
        )
    };
    let (previous, next) = (go(place.checked_sub(1)), go(Some(place + 1)));
    let onkey = {
        let (back, on, step) = (previous.1.clone(), next.1.clone(), stepping(screen, scene));
        Callback::from(move |e: KeyboardEvent| {
            match e.key().as_str() {
                "ArrowRight" => step.emit(1),
                "ArrowLeft" => step.emit(-1),
                "ArrowDown" | "PageDown" => on.emit(()),
                "ArrowUp" | "PageUp" => back.emit(()),
                _ => return,
            }
            e.prevent_default();
        })
    };
    let onclose = {
        let set = at.setter();
        Callback::from(move |()| set.set(None))
    };
    let turn = |words: &str, (ends, go): (bool, Callback<()>)| {
        html! {
            <button type="button" class="word" disabled={ends} onclick={go.reform(|_: MouseEvent| ())}>
                { words.to_owned() }
            </button>
        }
    };
    let knob = screen.stepped.and_then(|by| scene.chapter.knob(by.knob));
    let foot = html! {
        <>
            if !scene.chapter.is_table() {
                <span>{ format!("Chapter {} of {} (P, N)", scene.chapter.place() + 1, CHAPTERS.len()) }</span>
            }
            if all.len() > 1 {
                <span>{ format!("Picture {} of {}", place + 1, all.len()) }</span>
                { turn("Previous (↑)", previous) }
                { turn("Next (↓)", next) }
            }
            if let Some(knob) = knob {
                <span>{ format!("← → {}", knob.label) }</span>
            }
        </>
    };
    let label = format!("{}, full screen", scene.chapter.title);
    let content = format!("{} {place}", scene.chapter.id);
    html! {
        <Stage {label} {content} {onkey} holds={screen.stepped.is_none()} {onclose} {foot}>
            <div data-chapter={scene.chapter.id}>
                <h1>{ prose(&screen.heading, scene) }</h1>
                if !screen.numbers.is_empty() {
                    <div class="knobs">
                        { for screen.numbers.iter().map(|name| labelled(name, scene)) }
                    </div>
                }
                { for screen.parts.iter().map(|p| part(p, scene)) }
            </div>
        </Stage>
    }
}

/// A number to drag, with its label.
fn labelled(name: &'static str, scene: &ChapterScene<'_>) -> Html {
    let label = scene.chapter.knob(name).map_or("", |knob| knob.label);
    html! { <span>{ label }{ " " }{ number(name, scene) }</span> }
}

/// Returns the callback of arrow keys: steps of the knob to the right.
fn stepping(screen: &Screen, scene: &ChapterScene<'_>) -> Callback<i32> {
    let Some(by) = screen.stepped else {
        return Callback::noop();
    };
    let (from, moves) = (scene.here.number(by.knob), scene.moves.clone());
    Callback::from(move |steps| {
        let to = by.moved(from, steps);
        if to != from {
            moves.emit((by.knob, vec![to]));
        }
    })
}
