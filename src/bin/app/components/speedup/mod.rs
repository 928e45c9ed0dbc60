//! Speed-up: what it saves on accelerators. Stands on every view, about the answer on screen.

use crate::app::{Same, Shared};
use packscope::api::speedup::Case;
use packscope::state::speedup::{Action, Asked};
use packscope::state::{self, View};
use std::rc::Rc;
use yew::prelude::*;

/// What the section is given.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The state.
    pub state: Shared,
    /// Changes it.
    pub dispatch: Callback<state::Action>,
    /// Asks a worker how long accelerators wait.
    pub ask: Callback<Rc<Asked>>,
}

/// What every part of the section is given.
#[expect(dead_code, reason = "until there are parts")]
#[derive(Clone, PartialEq, Properties)]
pub struct PartProps {
    /// The state.
    pub state: Shared,
    /// The work of every method, counted once for each answer.
    pub cases: Same<Vec<Case>>,
    /// Changes assumptions.
    pub dispatch: Callback<Action>,
}

/// The section.
#[component]
pub fn SpeedUp(props: &Props) -> Html {
    let state = &props.state;
    let cases = use_cases(state);
    use_waiting(state, &cases, &props.ask);
    if cases.is_empty() {
        return html! {};
    }
    let priced = state.priced(&cases, state.speedup.assumptions().accelerators);
    html! {
        <section class="speedup" id="speedup">
            <h2>{ "What it saves on an accelerator, estimated" }</h2>
            <ul>
                { for priced.estimates.iter().map(|e| html! {
                    <li>{ format!("{}: {:.1} s, {:.2}×", e.method.name(), e.seconds, e.speedup) }</li>
                }) }
            </ul>
        </section>
    }
}

/// The work of every method on the view, counted again only when the answer is another.
#[hook]
fn use_cases(state: &Shared) -> Same<Vec<Case>> {
    let key = match state.view {
        View::Sequences => (state.version(), state.answer.clone().map(Same), None, None, 0),
        View::Graphs => (state.graphs.version(), None, state.graphs.answer.clone().map(Same), None, 0),
        View::Batches => {
            let report = state.batch_report(state.batch_row()).cloned().map(Same);
            (state.version(), None, None, report, state.shown_epoch())
        }
    };
    let cases = use_memo((state.view, state.settings.batch, key), |_| state.speedup_cases());
    Same(cases)
}

/// Asks a worker whenever what accelerators draw, or what a draw costs in relation to others, has changed.
#[hook]
fn use_waiting(state: &Shared, cases: &Same<Vec<Case>>, ask: &Callback<Rc<Asked>>) {
    let a = *state.speedup.assumptions();
    // Times are told in relation to their mean: only what changes that is asked about again.
    let asked = {
        let state = state.clone();
        let key = (cases.clone(), state.relative_rates(), a.accumulation, a.rows, state.settings.batch);
        use_memo((key, state.settings.seed), move |((cases, ..), _)| Rc::new(state.speedup_asked(cases)))
    };
    let ask = ask.clone();
    let known = state.is_waited(&asked);
    use_effect_with((Same(Rc::clone(&asked)), known), move |(asked, known)| {
        if !known {
            ask.emit(Rc::clone(&asked.0));
        }
    });
}
