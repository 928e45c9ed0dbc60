//! Buttons that save a file, or copy a text.

use crate::browser;
use crate::due;
use crate::files::save_text;
use yew::prelude::*;

/// A button that saves a file; `text` is called when it is pressed.
pub fn save_button(words: &str, name: String, text: impl Fn() -> String + 'static) -> Html {
    let label = if words == "Save" {
        format!("Save {name}")
    } else {
        format!("Save as {words}: {name}")
    };
    let file = name.clone();
    let onclick = Callback::from(move |_: MouseEvent| save_text(&name, &text()));
    html! {
        <button type="button" class="word" aria-label={label} data-file={file} {onclick}>
            { words }
        </button>
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct CopyProps {
    pub text: AttrValue,
    /// The accessible name of the text.
    pub label: AttrValue,
    /// The words of the button.
    #[prop_or(AttrValue::Static("Copy"))]
    pub words: AttrValue,
    #[prop_or("word")]
    pub class: &'static str,
}

/// A button that copies a text, and announces that.
#[component]
pub fn Copy(props: &CopyProps) -> Html {
    let said = use_state_eq(|| "");
    let onclick = {
        let (text, said) = (props.text.clone(), said.setter());
        Callback::from(move |_: MouseEvent| {
            let (text, said) = (text.clone(), said.clone());
            due::load(async move {
                said.set(if browser::copy(&text).await {
                    "Copied"
                } else {
                    "Not allowed: select and copy"
                });
                // No work of the page: nobody has to wait until the word is gone.
                due::aside(2500, move || said.set("")).forget();
            });
        })
    };
    html! {
        <>
            <button
                type="button"
                class={props.class}
                aria-label={format!("Copy {}", props.label)}
                {onclick}
            >
                { if said.is_empty() { &*props.words } else { *said } }
            </button>
            <span class="unseen" role="status">{ *said }</span>
        </>
    }
}
