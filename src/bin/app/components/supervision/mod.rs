//! Which tokens of the visitor's sequences train: asked of a worker once their file is on screen, shown below the answer.

mod ask;
mod panel;
mod sources;
mod weights;

use crate::components::tokens::Tokens;
use crate::engine::Engine;
use crate::lazy::{LazyPart, PartLoad, use_part};
use crate::lazy_style;
use crate::shared::{Props, SharedState};
use crate::watchdog::Watch;
use packscope_page::part;
use packscope_page::state::{Action, Tab, View};
use std::rc::Rc;
use yew::prelude::*;

/// The part that asks a worker, and draws what it finds.
#[derive(Clone, Copy)]
struct Supervision {
    ask: fn(&ask::Question),
    said: fn(&Props) -> Html,
    draw: fn(Props) -> Html,
}

static SUPERVISION: LazyPart<Supervision> = LazyPart::new(|| Box::pin(load_supervision()));

part! { supervision:
    fn load_supervision() -> PartLoad<Supervision> {
        lazy_style::adopt(include_str!("../../../../../static/style/lazy/supervision.css"));
        Ok(Supervision {
            ask: ask::ask,
            said: panel::said,
            draw: |props| html! { <panel::Panel ..props /> },
        })
    }
}

/// Asks which tokens of the sequences bear loss, where they are of a file of the visitor's; returns the sentence
/// about what the limit loses of them, and the panel, both for the view of sequences.
#[hook]
pub fn use_supervision(
    engine: &Rc<Engine>,
    tokens: &Tokens,
    state: &SharedState,
    dispatch: &Callback<Action>,
    watch: &Watch,
) -> [Html; 2] {
    let wanted = state.supervision_wanted();
    let is_known = state.supervised().is_some();
    let part = use_part(&SUPERVISION, wanted.is_some() || is_known).ok();
    {
        let question = ask::Question {
            wanted,
            state: state.clone(),
            engine: Rc::clone(engine),
            tokens: tokens.clone(),
            dispatch: dispatch.clone(),
            watch: watch.clone(),
        };
        use_effect_with((wanted, part.is_some()), move |_| {
            if let Some(part) = part {
                (part.ask)(&question);
            }
        });
    }
    let is_shown = is_known && state.view == View::Sequences && state.room.shows(Tab::Answer);
    let props = Props {
        state: state.clone(),
        dispatch: dispatch.clone(),
    };
    part.filter(|_| is_shown)
        .map_or_else(Default::default, |part| {
            [(part.said)(&props), (part.draw)(props)]
        })
}
