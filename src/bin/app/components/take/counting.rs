//! For data too large for a browser: code that computes the table of sizes where the data are
//! stored.

use super::lines::{snippet_html, tools};
use crate::components::{filtered, list};
use packscope::export::snippet::{self, DataLocation, SizeColumn, Tool};
use packscope_page::state::View;
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The view, which decides what the code counts.
    pub view: View,
}

#[derive(Clone, PartialEq)]
struct TypedFields {
    path: String,
    kind: SizeKind,
    columns: [String; 2],
}

/// The size of each item in the data: see [`SizeColumn`].
#[derive(Clone, Copy, PartialEq)]
enum SizeKind {
    Ids,
    Length,
    Text,
    Graph,
}

impl SizeKind {
    const SEQUENCES: [Self; 3] = [Self::Ids, Self::Length, Self::Text];

    fn words(self) -> &'static str {
        match self {
            Self::Ids => "a column of token ids",
            Self::Length => "a column of lengths",
            Self::Text => "a column of text, and a tokenizer",
            Self::Graph => "columns of nodes and edges",
        }
    }

    fn labels(self) -> [Option<&'static str>; 2] {
        match self {
            Self::Ids | Self::Length => [Some("Column"), None],
            Self::Text => [Some("Column"), Some("Tokenizer")],
            Self::Graph => [Some("Nodes"), Some("Edges")],
        }
    }

    fn usual(self) -> [String; 2] {
        match self {
            Self::Ids => ["input_ids", ""],
            Self::Length => ["length", ""],
            Self::Text => ["text", "tokenizer.json"],
            Self::Graph => ["num_nodes", "num_edges"],
        }
        .map(str::to_owned)
    }
}

impl TypedFields {
    fn new(view: View) -> Self {
        let kind = if view == View::Graphs {
            SizeKind::Graph
        } else {
            SizeKind::Ids
        };
        Self {
            path: DataLocation::default().path,
            kind,
            columns: kind.usual(),
        }
    }

    fn lives(&self) -> DataLocation {
        let [first, second] = self.columns.clone();
        let column = match self.kind {
            SizeKind::Ids => SizeColumn::Ids(first),
            SizeKind::Length => SizeColumn::Length(first),
            SizeKind::Text => SizeColumn::Text(first, second),
            SizeKind::Graph => SizeColumn::Graph(first, second),
        };
        DataLocation {
            path: self.path.clone(),
            column,
        }
    }
}

/// The fields, the engines, and the code for the chosen engine.
#[component]
pub fn Counting(props: &Props) -> Html {
    let typed = use_state_eq(|| TypedFields::new(props.view));
    let tool = use_state_eq(|| None::<Tool>);
    {
        let set = typed.setter();
        // Graphs are counted by other columns than sequences.
        use_effect_with(props.view == View::Graphs, {
            let view = props.view;
            move |_| set.set(TypedFields::new(view))
        });
    }
    let all = snippet::counts(&typed.lives());
    let Some(first) = all.first() else {
        return html! {};
    };
    let shown = all
        .iter()
        .find(|snippet| Some(snippet.tool) == *tool)
        .unwrap_or(first);
    let extension = if shown.language == "sql" { "sql" } else { "py" };
    html! {
        <div class="panel use">
            <h3>{ "Data too large for a browser" }</h3>
            <p class="small">
                { "These lines make the table of sizes where the data live. Open the table here; apply the plan there with the lines above." }
            </p>
            <p class="fields">
                { field(
                    "take-path",
                    "Files",
                    &typed,
                    |typed, text| typed.path = text,
                    typed.path.clone(),
                ) }
                if props.view != View::Graphs {
                    { kinds(&typed) }
                }
                {
                    for typed
                        .kind
                        .labels()
                        .into_iter()
                        .enumerate()
                        .filter_map(|(i, label)| Some(column(i, label?, &typed)))
                }
            </p>
            { tools("Engine", &all, Some(shown.tool), None, &tool) }
            { snippet_html(shown, format!("{}.{extension}", shown.tool.name())) }
        </div>
    }
}

fn column(i: usize, label: &'static str, typed: &UseStateHandle<TypedFields>) -> Html {
    let set = move |typed: &mut TypedFields, text: String| {
        if let Some(column) = typed.columns.get_mut(i) {
            *column = text;
        }
    };
    let now = typed.columns.get(i).cloned().unwrap_or_default();
    field(
        if i == 0 { "take-first" } else { "take-second" },
        label,
        typed,
        set,
        now,
    )
}

fn field(
    id: &'static str,
    label: &'static str,
    typed: &UseStateHandle<TypedFields>,
    set: impl Fn(&mut TypedFields, String) + 'static,
    value: String,
) -> Html {
    let typed = typed.clone();
    let oninput = Callback::from(move |e: InputEvent| {
        let mut next = (*typed).clone();
        set(
            &mut next,
            e.target_dyn_into::<HtmlInputElement>()
                .map(|i| i.value())
                .unwrap_or_default(),
        );
        typed.set(next);
    });
    html! {
        <span>
            <label for={id}>{ label }</label>
            <input {id} class="field" type="text" spellcheck="false" {value} {oninput} />
        </span>
    }
}

fn kinds(typed: &UseStateHandle<TypedFields>) -> Html {
    let set = {
        let typed = typed.clone();
        Callback::from(move |kind: SizeKind| {
            typed.set(TypedFields {
                kind,
                // Columns of another kind have other usual names.
                columns: kind.usual(),
                path: typed.path.clone(),
            })
        })
    };
    let named = |words: String| {
        SizeKind::SEQUENCES
            .into_iter()
            .find(|kind| kind.words() == words)
    };
    let all = SizeKind::SEQUENCES
        .map(|kind| (kind.words().into(), kind.words().into(), kind == typed.kind));
    html! {
        <span>
            <label for="take-kind">{ "They have" }</label>
            { list("take-kind", all, &filtered(&set, named)) }
        </span>
    }
}
