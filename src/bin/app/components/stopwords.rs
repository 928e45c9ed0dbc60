//! The list of stopwords of a text.

use super::exact::{text, use_typed};
use super::settings::switch;
use packscope::ingest::{Description, Options, Stopwords};
use packscope::words::plural;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub description: Rc<Description>,
    pub stopwords: Stopwords,
    pub reread: Callback<Options>,
}

/// The editable list; a button reads the text again with it.
#[component]
pub fn StopwordList(props: &Props) -> Html {
    let now = &props.stopwords;
    // Lists of the same words are equal, whatever their order and separators.
    let (typed, take) = use_typed(&now.text(), |a, b| {
        Stopwords::parse(a) == Stopwords::parse(b)
    });
    let read = {
        let description = Rc::clone(&props.description);
        props.reread.reform(move |stopwords| Options {
            stopwords,
            ..description.options()
        })
    };
    let pronouns = now.pronouns;
    let used = {
        let wanted = Stopwords::parse(&typed).with_pronouns(pronouns);
        read.reform(move |_: MouseEvent| wanted.clone())
    };
    let paper = {
        let take = take.clone();
        let read = read.reform(move |_: MouseEvent| Stopwords::default().with_pronouns(pronouns));
        Callback::from(move |e| {
            // Typed words would else go on standing in the field, over the list that is read.
            take.emit(None);
            read.emit(e);
        })
    };
    let set = {
        let now = now.clone();
        read.reform(move |pronouns| now.clone().with_pronouns(pronouns))
    };
    let oninput = Callback::from(move |e: InputEvent| take.emit(text(&e)));
    let words = now.words().len() as u64;
    let title = if now.is_own() {
        "Own stopwords"
    } else {
        "Stopwords of TokenDrop"
    };
    html! {
        <div class="stopwords">
            { switch("pronouns", "Pronouns are stopwords", "", pronouns, &set) }
            <details class="source">
                <summary data-figure="stopwords" data-value={words.to_string()}>
                    { format!("{title}: {}", plural(words, "word")) }
                </summary>
                <textarea
                    class="field lines"
                    rows="8"
                    spellcheck="false"
                    aria-label="Stopwords, with spaces or commas between them"
                    value={typed}
                    {oninput}
                />
                <p>
                    <button type="button" class="word" onclick={used}>{ "Use these" }</button>
                    if now.is_own() {
                        { " or " }
                        <button type="button" class="word" onclick={paper}>
                            { "those of TokenDrop" }
                        </button>
                    }
                    { "." }
                </p>
            </details>
        </div>
    }
}
