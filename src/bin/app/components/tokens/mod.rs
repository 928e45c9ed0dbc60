//! Exact lengths: a tokenizer and a file of texts are dropped, fields are chosen, tokens are
//! counted.

mod beside;
mod counter;
mod panel;
mod shown;

pub use counter::{CountedFile, CounterHandle};
pub use panel::{CountTokens, Props as PanelProps};

use crate::files::{DroppedFiles, OpenFiles};
use crate::lazy::{DrawPart, LazyPart, PartLoad, missing, use_part};
use crate::shared::{FileCallbacks, Same};
use crate::watchdog::Watch;
use packscope::tokens::CountOptions;
use packscope_page::part;
use packscope_page::state::tokens::{Action, Stage, TokensState, are_words};
use packscope_page::state::{self, AppState, Source, View};
use std::rc::Rc;
use yew::prelude::*;

static TOKENS: LazyPart<DrawPart<PanelProps>> = LazyPart::new(|| Box::pin(load_tokens()));

part! { own:
    fn load_tokens() -> PartLoad<DrawPart<PanelProps>> {
        Ok(|props| html! { <CountTokens ..props /> })
    }
}

/// The panel's state as a reducer: a type of this program, since both the state and Yew's trait are
/// of other crates.
#[derive(Default, PartialEq)]
pub struct TokensStore(TokensState);

impl Reducible for TokensStore {
    type Action = Action;
    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(Self(self.0.reduce(action)))
    }
}

/// The panel's state and its [`CounterHandle`], for the page.
#[derive(Clone)]
pub struct Tokens {
    store: UseReducerHandle<TokensStore>,
    counter: Rc<CounterHandle>,
    act: Callback<Action>,
}

impl Tokens {
    /// The panel, which includes the tokenizer.
    pub fn panel(&self) -> Html {
        html! {
            <Counting
                state={self.store.0.clone()}
                counter={Same(Rc::clone(&self.counter))}
                act={self.act.clone()}
            />
        }
    }

    /// Returns the file of this name, if its tokens were all counted.
    pub fn counted_file(&self, name: &str) -> Option<CountedFile> {
        self.counter.counted_file(name)
    }

    /// Returns a callback that cancels the counting and discards its lengths.
    pub fn cancel(&self) -> Callback<()> {
        let counter = Rc::clone(&self.counter);
        let counting = matches!(
            self.store.0.panel.as_ref().map(|p| p.stage),
            Some(Stage::Counting(_))
        );
        Callback::from(move |()| {
            if counting {
                counter.stop(false);
            }
        })
    }
}

/// The panel, loaded once there is a tokenizer.
#[component]
fn Counting(props: &PanelProps) -> Html {
    let wanted = props.state.tokenizer.is_some();
    match use_part(&TOKENS, wanted) {
        Ok(draw) => draw(props.clone()),
        Err(absent) if wanted => missing(absent),
        Err(_) => Html::default(),
    }
}

/// Returns the panel's state and its [`CounterHandle`]; requests a preview whenever the choices
/// change.
#[hook]
pub fn use_tokens(dispatch: &Callback<state::Action>, watch: &Watch) -> Tokens {
    let store = use_reducer_eq(TokensStore::default);
    let act = {
        let dispatcher = store.dispatcher();
        use_memo((), |()| {
            Callback::from(move |action| dispatcher.dispatch(action))
        })
    };
    let counter = {
        let (act, dispatch, watch) = ((*act).clone(), dispatch.clone(), watch.clone());
        // One for the life of the page: it holds the files and the worker.
        use_memo((), |()| CounterHandle::new(act, dispatch, &watch))
    };
    {
        let counter = Rc::clone(&counter);
        use_effect_with(wanted(&store.0), move |wanted| {
            if let Some((.., options, chat)) = wanted {
                counter.look(options.clone(), chat.is_some());
            }
        });
    }
    Tokens {
        store,
        counter,
        act: (*act).clone(),
    }
}

/// Returns the preview to request: version of the tokenizer, number of the file, options, and the number of the chat template
/// that writes conversations.
fn wanted(state: &TokensState) -> Option<(u64, u64, CountOptions, Option<u64>)> {
    let tokenizer = state
        .tokenizer
        .as_ref()
        .filter(|_| state.reading.is_none())?;
    let panel = state
        .panel
        .as_ref()
        .filter(|panel| panel.stage == Stage::Choosing)?;
    let chat = state.chat.as_ref().filter(|_| state.writes_conversations());
    let options = panel.options().ok()?;
    Some((
        tokenizer.version,
        panel.number,
        options,
        chat.map(|(_, number)| *number),
    ))
}

/// Returns the callbacks for files of a view, whose `open` first picks out tokenizers, and texts
/// once there is a tokenizer: also those on screen, whose words were counted or whose tokens
/// estimated, and those that were refused as they have no lengths.
#[hook]
pub fn use_opening(tokens: &Tokens, files: FileCallbacks, state: &AppState) -> FileCallbacks {
    let counter = Rc::clone(&tokens.counter);
    let words = match state.sequences.data.as_ref().map(|data| &data.source) {
        Some(Source::Own { name, description })
            if are_words(&description.notes) || description.is_estimated() =>
        {
            Some(name.clone())
        }
        _ => None,
    };
    let last = files.last.clone();
    let opening = use_memo(
        (state.view, words, files.open.clone()),
        |(view, words, plain)| {
            let (view, words, plain) = (*view, words.clone(), plain.clone());
            Callback::from(move |files: DroppedFiles| match view {
                // Graphs have no tokens.
                View::Graphs => plain.emit(files),
                _ => {
                    let is_text = |last: &OpenFiles| {
                        Some(&last.name) == words.as_ref() || last.asked.texts.is_some()
                    };
                    let shown = last.emit(()).filter(is_text);
                    counter.open(
                        files,
                        shown.map_or_else(Vec::new, |shown| shown.files),
                        &plain,
                    );
                }
            })
        },
    );
    FileCallbacks {
        open: (*opening).clone(),
        ..files
    }
}

/// A hint to count tokens, if the data are texts; else nothing.
pub fn invitation(are_texts: bool) -> Html {
    if !are_texts {
        return Html::default();
    }
    html! {
        <p class="hint">
            { "For exact lengths, drop the " }
            <code>{ packscope::tokens::TOKENIZER }</code>
            { " of the model here too." }
        </p>
    }
}
