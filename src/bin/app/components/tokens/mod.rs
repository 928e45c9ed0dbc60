//! Exact lengths: a tokenizer and a file of texts are dropped, fields are chosen, tokens are counted.

mod hand;
mod panel;
mod shown;

pub use hand::Hand;
pub use panel::{CountTokens, Props as PanelProps};

use crate::files::Brought;
use crate::lazy::{Draw, Loading, Part, missing, use_part};
use crate::shared::{Files, Same};
use crate::watch::Watch;
use packscope::part;
use packscope::state::tokens::{Action, Stage, TokensState};
use packscope::state::{self, View, tokens};
use packscope::tokens::Options;
use std::rc::Rc;
use yew::prelude::*;

/// Counting tokens.
static TOKENS: Part<Draw<PanelProps>> = Part::new(|| Box::pin(load_tokens()));

part! { own:
    fn load_tokens() -> Loading<Draw<PanelProps>> {
        Ok(|props| html! { <CountTokens ..props /> })
    }
}

/// The state as a reducer.
#[derive(Default, PartialEq)]
pub struct Store(TokensState);

impl Reducible for Store {
    type Action = Action;
    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(Self(self.0.reduce(action)))
    }
}

/// What the page has of it.
#[derive(Clone)]
pub struct Tokens {
    store: UseReducerHandle<Store>,
    hand: Rc<Hand>,
    act: Callback<Action>,
}

impl Tokens {
    /// The panel, and the tokenizer that is kept.
    pub fn panel(&self) -> Html {
        html! { <Counting state={self.store.0.clone()} hand={Same(Rc::clone(&self.hand))} act={self.act.clone()} /> }
    }

    /// Ends the counting, as whatever takes long is ended.
    pub fn cancel(&self) -> Callback<()> {
        let hand = Rc::clone(&self.hand);
        let counting = matches!(self.store.0.panel.as_ref().map(|p| p.stage), Some(Stage::Counting(_)));
        Callback::from(move |()| {
            if counting {
                hand.stop(false);
            }
        })
    }
}

/// The panel, which is loaded when a tokenizer is at hand.
#[component]
fn Counting(props: &PanelProps) -> Html {
    let wanted = props.state.tokenizer.is_some();
    match use_part(&TOKENS, wanted) {
        Ok(draw) => draw(props.clone()),
        Err(absent) if wanted => missing(absent),
        Err(_) => Html::default(),
    }
}

/// The panel's state and its hand; looks at the file whenever something else is chosen.
#[hook]
pub fn use_tokens(dispatch: &Callback<state::Action>, watch: &Watch) -> Tokens {
    let store = use_reducer_eq(Store::default);
    let act = {
        let dispatcher = store.dispatcher();
        use_memo((), |()| Callback::from(move |action| dispatcher.dispatch(action)))
    };
    let hand = {
        let (act, dispatch, watch) = ((*act).clone(), dispatch.clone(), watch.clone());
        use_memo((), |()| Hand::new(act, dispatch, &watch))
    };
    {
        let hand = Rc::clone(&hand);
        use_effect_with(wanted(&store.0), move |wanted| {
            if let Some((.., options)) = wanted {
                hand.look(options.clone());
            }
        });
    }
    Tokens { store, hand, act: (*act).clone() }
}

/// What is to be looked at: the tokenizer, the file, and how.
fn wanted(state: &TokensState) -> Option<(u64, u64, Options)> {
    let tokenizer = state.tokenizer.as_ref().filter(|_| state.reading.is_none())?;
    let panel = state.panel.as_ref().filter(|panel| panel.stage == Stage::Choosing)?;
    Some((tokenizer.version, panel.number, panel.options().ok()?))
}

/// Files as a view opens them: those of tokenizers, and texts when there is one, are taken out.
#[hook]
pub fn use_opening(tokens: &Tokens, files: Files, view: View) -> Files {
    let hand = Rc::clone(&tokens.hand);
    let opening = use_memo((view, files.open.clone()), |(view, plain)| {
        let (view, plain) = (*view, plain.clone());
        Callback::from(move |files: Brought| match view {
            // Graphs have no tokens.
            View::Graphs => plain.emit(files),
            _ => hand.open(files, &plain),
        })
    });
    Files { open: (*opening).clone(), reread: files.reread }
}

/// What a text whose words were counted invites to.
pub fn invitation(notes: &[packscope::ingest::Note]) -> Html {
    if !tokens::are_words(notes) {
        return Html::default();
    }
    html! {
        <p class="hint">{ "For exact lengths, drop the " }<code>{ packscope::tokens::TOKENIZER }</code>{ " of the model, then this file again." }</p>
    }
}
