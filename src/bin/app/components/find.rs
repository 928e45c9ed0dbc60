//! A box that finds settings, libraries, questions, chapters and terms by the names that people type. A press, `/` or
//! Ctrl+K opens it.

use super::keys::is_typed;
use crate::browser;
use crate::jump;
use crate::lazy::{DrawPart, LazyPart, PartLoad, use_part};
use crate::shared::{Props as Shown, SharedState};
use gloo_events::{EventListener, EventListenerOptions};
use packscope_page::finder::{Hit, Place, find};
use packscope_page::part;
use packscope_page::state::trainer::Action as Trained;
use packscope_page::state::{Action, AppState, Tab, View};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

static BOX: LazyPart<DrawPart<BoxProps>> = LazyPart::new(|| Box::pin(load_finder()));

part! { finder:
    fn load_finder() -> PartLoad<DrawPart<BoxProps>> {
        Ok(|props| html! { <FindBox ..props /> })
    }
}

/// The button in the top line, and the box once it has been opened.
#[component]
pub fn Find(props: &Shown) -> Html {
    let opened = use_state_eq(|| 0u32);
    let open = {
        let opened = opened.clone();
        move || opened.set(*opened + 1)
    };
    {
        let open = open.clone();
        use_effect_with(*opened, move |_| {
            // The browser's own use of these keys is prevented.
            let options = EventListenerOptions::enable_prevent_default();
            let window = browser::window();
            let listener = EventListener::new_with_options(&window, "keydown", options, move |e| {
                let key = e.unchecked_ref::<KeyboardEvent>();
                let command = (key.ctrl_key() || key.meta_key()) && key.key() == "k";
                let slash = key.key() == "/" && !key.ctrl_key() && !key.meta_key() && !is_typed(e);
                if command || slash {
                    e.prevent_default();
                    open();
                }
            });
            move || drop(listener)
        });
    }
    let shown = use_part(&BOX, *opened > 0);
    html! {
        <>
            <button
                type="button"
                class="word"
                aria-haspopup="dialog"
                aria-keyshortcuts="/ Control+K"
                onclick={Callback::from(move |_: MouseEvent| open())}
            >
                { "Find" }
            </button>
            if let Ok(draw) = shown {
                { draw(BoxProps {
                    state: props.state.clone(),
                    dispatch: props.dispatch.clone(),
                    opened: *opened,
                }) }
            }
        </>
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct BoxProps {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    /// How often the box was opened: another number opens it.
    pub opened: u32,
}

/// Goes to what was found.
fn go(state: &AppState, dispatch: &Callback<Action>, place: Place) {
    match place {
        Place::Part(view, room, id) => {
            if state.view != view {
                dispatch.emit(Action::View(view));
            }
            if state.room != Tab::All && state.room != room {
                dispatch.emit(Action::Room(room));
            }
            jump::go_to(id);
        }
        Place::Library(view, id) => {
            if state.view != view {
                dispatch.emit(Action::View(view));
            }
            let chosen = Trained::Choose(Some(id.to_owned()));
            dispatch.emit(Action::Trainer(view, chosen));
            jump::go_to("main");
        }
        Place::Chapter(id) => {
            let address = format!("view={}&chapter={id}", View::Learn.name());
            dispatch.emit(Action::Navigate(address));
            jump::go_to("main");
        }
    }
}

#[component]
fn FindBox(props: &BoxProps) -> Html {
    let (dialog, field) = (use_node_ref(), use_node_ref());
    let (typed, at) = (use_state_eq(String::new), use_state_eq(|| 0usize));
    {
        let (dialog, field) = (dialog.clone(), field.clone());
        use_effect_with(props.opened, move |_| {
            // `showModal` throws for a dialog that is open.
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>().filter(|d| !d.open()) {
                let _ = dialog.show_modal();
            }
            if let Some(field) = field.cast::<HtmlInputElement>() {
                field.select();
            }
        });
    }
    // The box is drawn again with every change of the state, once it was opened.
    let all = use_memo((*typed).clone(), |typed| find(typed));
    let take = {
        let (props, dialog) = (props.clone(), dialog.clone());
        Callback::from(move |found: Hit| {
            // Closed first: the browser gives the focus back to what had it before.
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
            go(&props.state, &props.dispatch, found.place);
        })
    };
    let oninput = {
        let (typed, at) = (typed.setter(), at.setter());
        Callback::from(move |e: InputEvent| {
            typed.set(e.target_unchecked_into::<HtmlInputElement>().value());
            at.set(0);
        })
    };
    let onkeydown = {
        let (all, set, take, now) = (Rc::clone(&all), at.setter(), take.clone(), *at);
        Callback::from(move |e: KeyboardEvent| {
            let last = all.len().saturating_sub(1);
            match e.key().as_str() {
                "ArrowDown" => set.set((now + 1).min(last)),
                "ArrowUp" => set.set(now.saturating_sub(1)),
                "Enter" => all.get(now).into_iter().for_each(|f| take.emit(f.clone())),
                _ => return,
            }
            e.prevent_default();
        })
    };
    let row = |(place, found): (usize, &Hit)| {
        let (take, taken) = (take.clone(), found.clone());
        let onclick = Callback::from(move |_: MouseEvent| take.emit(taken.clone()));
        html! {
            <li role="option" id={format!("found-{place}")} aria-selected={(place == *at).to_string()}>
                <button type="button" tabindex="-1" {onclick}>
                    <b>{ &found.title }</b>
                    <span>{ &found.about }</span>
                </button>
            </li>
        }
    };
    let active = (!all.is_empty()).then(|| format!("found-{}", *at));
    html! {
        <dialog ref={dialog} class="paste find" aria-label="Find">
            <input
                ref={field}
                type="search"
                role="combobox"
                aria-expanded="true"
                aria-controls="found"
                aria-activedescendant={active}
                aria-label="A setting, a library, a question"
                placeholder="pad_to_multiple_of, group_by_length, OOM …"
                autocomplete="off"
                spellcheck="false"
                value={(*typed).clone()}
                {oninput}
                {onkeydown}
            />
            <ul role="listbox" id="found" aria-label="Found">
                { for all.iter().enumerate().map(row) }
            </ul>
            if all.is_empty() && !typed.trim().is_empty() {
                <p class="small" role="status">{ "Nothing of that name. Try a setting of your trainer, or a word of the question." }</p>
            }
            <form method="dialog">
                <button class="word">{ "Close" }</button>
            </form>
        </dialog>
    }
}
