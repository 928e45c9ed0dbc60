//! The panel "Count tokens".

use super::counter::CounterHandle;
use super::shown;
use crate::components::figure;
use crate::shared::Same;
use packscope::words::plural;
use packscope_page::state::tokens::{Action, LoadedTokenizer, Panel, Progress, Stage, TokensState};
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The choices, and the progress.
    pub state: TokensState,
    pub counter: Same<CounterHandle>,
    pub act: Callback<Action>,
}

/// The tokenizer, and the file whose tokens are counted.
#[component]
pub fn CountTokens(props: &Props) -> Html {
    let TokensState {
        reading,
        tokenizer: kept,
        panel,
        chat: _,
    } = &props.state;
    let Some(kept) = kept else {
        // The first tokenizer is still being read.
        return reading.as_deref().map_or_else(Html::default, being_read);
    };
    html! {
        <section class="tokens" aria-label="Count tokens" data-panel="tokens">
            { tokenizer(props, kept) }
            { for reading.as_deref().map(being_read) }
            {
                match panel {
                    Some(panel) => match panel.stage {
                        Stage::Counted(progress) => folded(props, panel, &progress),
                        _ => open(props, panel),
                    },
                    None => html! {
                        <p class="hint">
                            { "Drop a text, JSON Lines, CSV or TSV file to count its tokens." }
                        </p>
                    },
                }
            }
        </section>
    }
}

fn being_read(name: &str) -> Html {
    html! { <p class="hint" role="status">{ "Reading the tokenizer " }{ name }</p> }
}

/// Returns a callback that calls `act` with the [`CounterHandle`].
fn press(props: &Props, act: impl Fn(&CounterHandle) + 'static) -> Callback<MouseEvent> {
    let counter = props.counter.clone();
    Callback::from(move |_| act(&counter))
}

fn tokenizer(props: &Props, kept: &LoadedTokenizer) -> Html {
    let added = |n: u64| match n {
        0 => "no special tokens".to_owned(),
        n => plural(n, "special token"),
    };
    let about = format!(
        ": {}; adds {} to a text",
        kept.about,
        added(kept.about.added)
    );
    let vocabulary = kept.about.vocabulary.to_string();
    html! {
        <p class="kept" data-tokenizer={vocabulary}>
            <b>{ "Tokenizer " }{ &kept.name }</b>
            { about }
            <button type="button" class="word" onclick={press(props, CounterHandle::remove)}>
                { "Remove the tokenizer" }
            </button>
        </p>
    }
}

/// The result of the count, with a button to count in another way.
fn folded(props: &Props, panel: &Panel, counted: &Progress) -> Html {
    html! {
        <p>
            { format!("{}: ", panel.file) }
            { figure("counted_tokens", counted.tokens, plural(counted.tokens, "token")) }
            { format!(" in {}. ", plural(counted.records, "record")) }
            <button type="button" class="word" onclick={props.act.reform(|_| Action::Choosing)}>
                { "Count another way" }
            </button>
        </p>
    }
}

fn open(props: &Props, panel: &Panel) -> Html {
    let chat = props
        .state
        .chat
        .as_ref()
        .filter(|_| props.state.writes_conversations());
    let counting = matches!(panel.stage, Stage::Counting(_));
    html! {
        <>
            <h2>{ "Count the tokens of " }{ &panel.file }</h2>
            // A wrong template is reported before the reader has answered: it is not asked about
            // one.
            if panel.looked.is_none() && panel.problem().is_none() {
                <p class="hint" role="status">{ "Looking at it" }</p>
            } else {
                // One attribute disables every choice in it while tokens are counted.
                <fieldset class="choices" disabled={counting}>
                    if let Some((name, _)) = chat {
                        <p class="hint" data-chat="written">
                            { "These are conversations, counted as " }
                            <code>{ name }</code>
                            { " writes them for the model, with its roles and special tokens. " }
                            <button
                                type="button"
                                class="word"
                                onclick={props.act.reform(|_| Action::Chat(None, 0))}
                            >
                                { "Count the texts alone" }
                            </button>
                        </p>
                    } else {
                        { fields(props, panel) }
                        if panel.looked.as_ref().is_some_and(|looked| looked.are_conversations()) {
                            <p class="hint" data-chat="">
                                { "These are conversations. Drop the " }
                                <code>{ "tokenizer_config.json" }</code>
                                { " or " }
                                <code>{ "chat_template.jinja" }</code>
                                { " of the model here too: what its chat template adds to each message is missing so far." }
                            </p>
                        }
                        { templates(props, panel) }
                    }
                    { switches(props, panel, chat.is_some()) }
                </fieldset>
                { shown::preview(panel) }
                if let Stage::Counting(progress) = panel.stage {
                    { shown::progress(
                        &progress,
                        press(props, |counter| counter.stop(true)),
                        press(props, |counter| counter.stop(false)),
                    ) }
                } else {
                    { buttons(props, panel) }
                }
            }
        </>
    }
}

fn fields(props: &Props, panel: &Panel) -> Html {
    let looked = panel.looked.iter();
    let fields: Vec<_> = looked
        .flat_map(|l| &l.fields)
        // Plain text has a field without a name.
        .filter(|field| !field.name.is_empty())
        .collect();
    if fields.is_empty() {
        return html! { <p class="hint">{ "Each line is a sequence." }</p> };
    }
    html! {
        <fieldset class="fields">
            <legend>{ "Fields" }</legend>
            { for fields.into_iter().enumerate().map(|(i, field)| {
                let (id, name) = (format!("text-field-{i}"), field.name.clone());
                let onchange = props.act.reform(
                    move |e: Event| Action::Field(name.clone(), shown::is_checked(&e)),
                );
                html! {
                    <label for={id.clone()}>
                        <input
                            {id}
                            type="checkbox"
                            data-why=""
                            aria-description={field.example.clone()}
                            data-field={field.name.clone()}
                            checked={panel.has(&field.name)}
                            {onchange}
                        />
                        { &field.name }
                    </label>
                }
            }) }
        </fieldset>
    }
}

fn templates(props: &Props, panel: &Panel) -> Html {
    let typed = |action: fn(String) -> Action| {
        props.act.reform(move |e: InputEvent| {
            action(
                e.target_dyn_into::<HtmlInputElement>()
                    .map(|i| i.value())
                    .unwrap_or_default(),
            )
        })
    };
    html! {
        <>
            <label for="text-template">{ "Template" }</label>
            <input
                id="text-template"
                class="field"
                type="text"
                spellcheck="false"
                value={panel.text.clone()}
                oninput={typed(Action::Text)}
            />
            <label for="pair-template">{ "As a pair with" }</label>
            <input
                id="pair-template"
                class="field"
                type="text"
                spellcheck="false"
                value={panel.pair.clone()}
                placeholder="none, or such as {context}"
                oninput={typed(Action::Pair)}
            />
        </>
    }
}

/// The switches; `is_written`: by a chat template, which decides on special tokens.
fn switches(props: &Props, panel: &Panel, is_written: bool) -> Html {
    let switch = |id: &'static str, words: &'static str, on: bool, action: fn(bool) -> Action| {
        let onchange = props
            .act
            .reform(move |e: Event| action(shown::is_checked(&e)));
        html! {
            <label for={id}>
                <input {id} type="checkbox" checked={on} {onchange} />
                { words }
            </label>
        }
    };
    // What the reader has found comes before what was set, which may be about no table.
    let header = panel
        .looked
        .as_ref()
        .and_then(|looked| looked.header)
        .or(panel.header)
        .unwrap_or(true);
    let onsample = props.act.reform(|e: Event| {
        let value = e
            .target_dyn_into::<HtmlInputElement>()
            .map(|i| i.value())
            .unwrap_or_default();
        // An empty field is the least that it accepts.
        Action::Sample(value.parse().unwrap_or(1))
    });
    html! {
        <div class="switches">
            if !is_written {
                { switch("special-tokens", "Special tokens counted", panel.special, Action::Special) }
            }
            if panel.is_table() {
                { switch("texts-header", "First row names the columns", header, Action::Header) }
            }
            { switch("sampled", "Only the first records", panel.sampled, Action::Sampled) }
            if panel.sampled {
                <input
                    id="sample"
                    class="field"
                    type="number"
                    min="1"
                    aria-label="Records of the sample"
                    value={panel.sample.to_string()}
                    onchange={onsample}
                />
            }
        </div>
    }
}

fn buttons(props: &Props, panel: &Panel) -> Html {
    let options = panel
        .options()
        .ok()
        // There is no template before the reader has looked at the file.
        .filter(|options| options.template.is_some());
    let disabled = options.is_none();
    let counter = props.counter.clone();
    let chat = props.state.writes_conversations();
    let count = Callback::from(move |_: MouseEvent| {
        if let Some(options) = &options {
            counter.count(options.clone(), chat);
        }
    });
    html! {
        <div class="line">
            <button type="button" class="word" onclick={props.act.reform(|_| Action::Closed)}>
                { "Close" }
            </button>
            <button type="button" class="word" onclick={press(props, CounterHandle::read_plainly)}>
                { "Read without the tokenizer" }
            </button>
            <button type="button" class="solid" onclick={count} {disabled}>
                { "Count tokens" }
            </button>
        </div>
    }
}
