//! The link to the result on screen, and what is made of it: code that embeds the page, a card, the picture on a full
//! screen. All but the button is loaded when it is pressed.

mod card;
mod contents;
mod hero;

use crate::browser;
use crate::due;
use crate::lazy::{DrawPart, LazyPart, PartLoad, missing, use_part};
use crate::shared::{Props, SharedState};
use packscope_page::part;
use packscope_page::state::{Action, AppState};
use web_sys::HtmlDialogElement;
use yew::prelude::*;

static PARTS: LazyPart<Parts> = LazyPart::new(|| Box::pin(load_share()));

#[derive(Clone, Copy)]
struct Parts {
    contents: DrawPart<ContentsProps>,
    hero: DrawPart<HeroProps>,
}

part! { share:
    fn load_share() -> PartLoad<Parts> {
        Ok(Parts {
            contents: |props| html! { <contents::Contents ..props /> },
            hero: |props| html! { <hero::Hero ..props /> },
        })
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct ContentsProps {
    state: SharedState,
    said: UseStateSetter<&'static str>,
    /// Shows the picture on the full screen.
    fill: Callback<()>,
}

#[derive(Clone, PartialEq, Properties)]
pub struct HeroProps {
    state: SharedState,
    dispatch: Callback<Action>,
    onclose: Callback<()>,
}

/// Milliseconds for which "copied" is shown.
const SAID: u32 = 2500;

/// A button that copies the link and opens a dialog.
#[component]
pub fn Share(props: &Props) -> Html {
    let (dialog, open) = (use_node_ref(), use_state_eq(|| false));
    let (said, full) = (use_state_eq(|| ""), use_state_eq(|| false));
    let parts = use_part(&PARTS, *open);
    let show = {
        let (dialog, open, said, state) = (
            dialog.clone(),
            open.setter(),
            said.setter(),
            props.state.clone(),
        );
        Callback::from(move |_: MouseEvent| {
            // The address follows with a delay. Written now, it is the link that is copied.
            crate::address::write(&state.hash(), &state.landmark());
            open.set(true);
            copy(address(&state.link()), "Link copied", said.clone());
            // `showModal` throws for a dialog that is open.
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>().filter(|d| !d.open()) {
                let _ = dialog.show_modal();
            }
        })
    };
    let onclose = {
        // Esc closes the dialog too, and raises the same event.
        let open = open.setter();
        Callback::from(move |_: Event| open.set(false))
    };
    let fill = {
        let (dialog, full) = (dialog.clone(), full.setter());
        Callback::from(move |()| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
            full.set(true);
        })
    };
    let filled = match &parts {
        Ok(parts) if *full => (parts.hero)(HeroProps {
            state: props.state.clone(),
            dispatch: props.dispatch.clone(),
            onclose: {
                let full = full.setter();
                Callback::from(move |()| full.set(false))
            },
        }),
        _ => Html::default(),
    };
    html! {
        <>
            <button type="button" class="word" aria-haspopup="dialog" onclick={show}>
                { "Share" }
            </button>
            <dialog ref={dialog} class="paste share" aria-label="Share" {onclose}>
                // A link with large data takes a moment to encode, so it is encoded only when the
                // dialog opens.
                if *open {
                    { match parts {
                        Ok(parts) => (parts.contents)(ContentsProps {
                            state: props.state.clone(),
                            said: said.setter(),
                            fill,
                        }),
                        Err(absent) => missing(absent),
                    } }
                }
                <form method="dialog" class="line">
                    <span role="status" class="needle">{ *said }</span>
                    <button class="solid">{ "Done" }</button>
                </form>
            </dialog>
            { filled }
        </>
    }
}

fn address(hash: &str) -> String {
    let here = browser::window().location().href().unwrap_or_default();
    let page = here.split('#').next().unwrap_or_default();
    format!("{page}#{hash}")
}

fn copy(text: String, done: &'static str, said: UseStateSetter<&'static str>) {
    due::load(async move {
        said.set(if browser::copy(&text).await {
            done
        } else {
            "Copy it from the field"
        });
        due::aside(SAID, move || said.set("")).forget();
    });
}

/// The line above an embedded page: its name, and a link to the full page.
pub fn embedded(state: &AppState) -> Html {
    html! {
        <p class="embedded">
            <b>{ "Packscope" }</b>
            { " · " }
            <a href={format!("#{}", state.link())} target="_blank" rel="noopener">
                { "open in full" }
            </a>
        </p>
    }
}
