//! Code to paste into a training script, by tool.

use super::save::{Copy, save_button};
use super::subject::{ExportSubject, with_context};
use crate::components::sheets::use_chosen;
use crate::shared::SharedState;
use packscope::export::snippet::{self, Snippet, Tool};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
}

/// The tools, and the code for the chosen one: at first that of the visitor's library.
#[component]
pub fn Lines(props: &Props) -> Html {
    // No tool: the lines of the library, where there are any, or those of the first tool.
    let chosen = use_state_eq(|| None::<Tool>);
    let (opened, is_current) = use_chosen(&props.state);
    let about = opened.first().map(|sheet| &sheet.about);
    let library = about.filter(|about| is_current && !about.lines.is_empty());
    let all = with_context(&props.state, snippet::snippets).unwrap_or_default();
    // The lines of the library have all of its settings, so that they replace the general ones.
    let id = props
        .state
        .libraries(props.state.view)
        .choice
        .library
        .as_deref()
        .filter(|_| library.is_some());
    // Tools that count have a panel of their own, below.
    let is_told = |snippet: &Snippet| !snippet.tool.counts() && Some(snippet.tool.name()) != id;
    let all: Vec<Snippet> = all.into_iter().filter(is_told).collect();
    let Some(first) = all.first() else {
        return html! {};
    };
    let shown = all.iter().find(|snippet| Some(snippet.tool) == *chosen);
    let shown = if library.is_some() {
        shown
    } else {
        shown.or(Some(first))
    };
    let file = |of| {
        ExportSubject::new(&props.state)
            .map(|subject| subject.file(&file_of(of)))
            .unwrap_or_default()
    };
    html! {
        <div class="panel use">
            <h3 id="lines" tabindex="-1">{ "Use it" }</h3>
            { tools(
                "Tool",
                &all,
                shown.map(|snippet| snippet.tool),
                library.map(|about| &*about.title),
                &chosen,
            ) }
            if let Some(shown) = shown {
                { snippet_html(shown, file(shown)) }
            } else if let Some(about) = library {
                <p class="actions">
                    <Copy
                        text={about.lines.clone()}
                        label={format!("the lines for {}", about.title)}
                    />
                </p>
                <pre
                    class="snippet"
                    tabindex="0"
                    data-snippet={about.library.clone()}
                    aria-label={format!("Lines for {}", about.title)}
                >
                    <code>{ &about.lines }</code>
                </pre>
            }
        </div>
    }
}

fn file_of(snippet: &Snippet) -> String {
    let extension = match snippet.language {
        "python" => "py",
        "yaml" => "yml",
        "shell" => "sh",
        other => other,
    };
    format!("{}.{extension}", snippet.tool.name())
}

/// The choice of a tool; `first` names what is shown if none is chosen.
pub fn tools(
    label: &'static str,
    all: &[Snippet],
    shown: Option<Tool>,
    first: Option<&str>,
    chosen: &UseStateHandle<Option<Tool>>,
) -> Html {
    let button = |tool: Option<Tool>, name: &str, title: String| {
        let set = chosen.setter();
        let onclick = Callback::from(move |_: MouseEvent| set.set(tool));
        html! {
            <button
                type="button"
                class="word"
                data-tool={name.to_owned()}
                aria-pressed={(tool == shown).to_string()}
                {onclick}
            >
                { title }
            </button>
        }
    };
    html! {
        <p class="choice tools" role="group" aria-label={label}>
            if let Some(first) = first {
                { button(None, "library", first.to_owned()) }
            }
            { for all.iter().map(|snippet| button(
                Some(snippet.tool),
                snippet.tool.name(),
                snippet.tool.title().to_owned(),
            )) }
        </p>
    }
}

/// The notes on a snippet, then its code.
pub fn snippet_html(snippet: &Snippet, file: String) -> Html {
    let text = snippet.text.clone();
    let how = match snippet.executed {
        true => "Lines like these are executed in Packscope's tests, and judged by what comes out.",
        false => {
            "Settings of a tool that does it by itself: in Packscope's tests their names are checked against it, where it \
             can be installed."
        }
    };
    html! {
        <>
            <ul class="small">
                { for snippet.notes.iter().map(|note| html! { <li>{ note }</li> }) }
                <li>{ how }</li>
            </ul>
            <p class="actions">
                <Copy
                    text={snippet.text.clone()}
                    label={format!("the lines for {}", snippet.tool.title())}
                />
                { save_button("Save", file, move || text.clone()) }
            </p>
            <pre
                class="snippet"
                tabindex="0"
                data-snippet={snippet.tool.name()}
                aria-label={format!("Lines for {}", snippet.tool.title())}
            >
                <code>{ &snippet.text }</code>
            </pre>
        </>
    }
}
