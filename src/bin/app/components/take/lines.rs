//! Code to paste into a training script, by tool.

use super::save::{Copy, save_button};
use super::subject::{Subject, with_context};
use crate::shared::Shared;
use packscope::export::snippet::{self, Snippet, Tool};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: Shared,
}

/// The tools, and the code for the chosen one.
#[component]
pub fn Lines(props: &Props) -> Html {
    let chosen = use_state_eq(|| None::<Tool>);
    let all = with_context(&props.state, snippet::all).unwrap_or_default();
    let all: Vec<Snippet> = all.into_iter().filter(|snippet| !snippet.tool.counts()).collect();
    let Some(first) = all.first() else { return html! {} };
    let shown = all.iter().find(|snippet| Some(snippet.tool) == *chosen).unwrap_or(first);
    let file = Subject::new(&props.state).map(|subject| subject.file(&file_of(shown))).unwrap_or_default();
    html! {
        <div class="panel use">
            <h3 id="lines" tabindex="-1">{ "Use it" }</h3>
            { tools("Tool", &all, shown.tool, &chosen) }
            { snippet_html(shown, file) }
        </div>
    }
}

fn file_of(snippet: &Snippet) -> String {
    let extension = match snippet.language {
        "python" => "py",
        "yaml" => "yml",
        other => other,
    };
    format!("{}.{extension}", snippet.tool.name())
}

pub fn tools(
    label: &'static str,
    all: &[Snippet],
    shown: Tool,
    chosen: &UseStateHandle<Option<Tool>>,
) -> Html {
    html! {
        <p class="choice tools" role="group" aria-label={label}>
            { for all.iter().map(|snippet| {
                let (tool, set) = (snippet.tool, chosen.setter());
                let onclick = Callback::from(move |_: MouseEvent| set.set(Some(tool)));
                html! {
                    <button type="button" class="word" data-tool={tool.name()} aria-pressed={(tool == shown).to_string()} {onclick}>{ tool.title() }</button>
                }
            }) }
        </p>
    }
}

/// The notes on a snippet, then its code.
pub fn snippet_html(snippet: &Snippet, file: String) -> Html {
    let text = snippet.text.clone();
    let how = match snippet.executed {
        true => "Lines like these are executed in Packscope's tests, and judged by what comes out.",
        false => {
            "Settings of a tool that packs by itself: in Packscope's tests their names are checked against it."
        }
    };
    html! { <>
        <ul class="small">
            { for snippet.notes.iter().map(|note| html! { <li>{ note }</li> }) }
            <li>{ how }</li>
        </ul>
        <p class="actions">
            <Copy text={snippet.text.clone()} label={format!("the lines for {}", snippet.tool.title())} />
            { save_button("Save", file, move || text.clone()) }
        </p>
        <pre class="snippet" tabindex="0" data-snippet={snippet.tool.name()} aria-label={format!("Lines for {}", snippet.tool.title())}><code>{ &snippet.text }</code></pre>
    </> }
}
