//! The section on speed-up: time and cost saved on accelerators, on every view, for the answer on
//! screen.

mod assumptions;
mod bill;
mod choose;
mod crew;
mod field;
mod formulae;
mod measured;
mod optimiser;
mod parts;
mod table;

use crate::components::unseen::Announce;
use crate::components::{tied, trainer};
use crate::due::{self, PendingKind};
use crate::shared::{Same, SharedState};
use packscope::api::speedup::Case;
use packscope::cost::Estimate;
use packscope::cost::waiting::ACCELERATORS;
use packscope::metrics::Figures;
use packscope_page::state::speedup::words::{self, Items};
use packscope_page::state::speedup::{Action, PricedEstimates, WaitingQuestions, findings};
use packscope_page::state::{self, AppState, Baseline, Ticket, View};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<state::Action>,
    /// Requests the simulated waiting of accelerators from a worker.
    pub ask: Callback<Rc<WaitingQuestions>>,
}

#[derive(Clone, PartialEq, Properties)]
pub struct PartProps {
    pub state: SharedState,
    /// The work of every method, counted once per answer.
    pub cases: Same<Vec<Case>>,
    pub dispatch: Callback<Action>,
}

/// Properties of charts and table: all methods with their estimates.
#[derive(Clone, PartialEq, Properties)]
pub struct PricedProps {
    pub state: SharedState,
    /// The estimates at the chosen number of accelerators.
    pub now: Same<PricedEstimates>,
    /// The estimates at each of [`ACCELERATORS`].
    pub along: Same<Vec<(u32, PricedEstimates)>>,
    /// Whether the simulated waiting is that of these settings.
    pub waited: bool,
    pub dispatch: Callback<Action>,
}

/// Milliseconds without another answer before the section is updated: far down the page, it need
/// not keep up with a slider. Changes of assumptions show at once.
const REST: u32 = 300;

/// The section, for the answer on screen at the last pause of input.
#[component]
pub fn SpeedUp(props: &Props) -> Html {
    let Props { dispatch, ask, .. } = props.clone();
    match use_rested(&props.state) {
        Some(state) => html! { <Section {state} {dispatch} {ask} /> },
        None => html! { <section class="speedup" id="speedup" tabindex="-1" /> },
    }
}

/// The section, rendered when the answer or an assumption changes.
#[component]
fn Section(props: &Props) -> Html {
    let state = &props.state;
    let cases = use_cases(state);
    let waited = use_waiting(state, &cases, &props.ask);
    let now = state.priced(&cases, state.speedup.assumptions().accelerators);
    let title = findings::of_epoch(state, &now.estimates).unwrap_or_default();
    // The methods are plans of Packscope's own, beside those of a library.
    let title = match trainer::chosen(state) {
        Some(library) if !title.is_empty() => format!("Without {library}: {title}"),
        _ => title,
    };
    let key = (
        *state.speedup.assumptions(),
        state.rows_of_batch(),
        state.view,
        waited,
    );
    // Holds the title of the rendering in which an assumption last changed: this one, if it equals
    // the title of now.
    let changed = use_memo(key, |_| title.clone());
    // The title is announced only if an assumption has changed; if the answer has, the headline is
    // announced instead.
    let announced = if *changed == title {
        (*changed).clone()
    } else {
        String::new()
    };
    let dispatch = {
        let dispatch = props.dispatch.clone();
        use_memo((), |()| {
            Callback::from(move |action| dispatch.emit(state::Action::SpeedUp(action)))
        })
    };
    let dispatch = (*dispatch).clone();
    // Early returns begin here, behind all hooks.
    if let Some([title, words]) = findings::of_queries(state) {
        return html! {
            <section
                class="speedup"
                id="speedup"
                tabindex="-1"
                aria-labelledby="speedup-title"
                data-state="current"
            >
                <h2 id="speedup-title">{ tied(&title) }</h2>
                <p class="small">{ words }</p>
            </section>
        };
    }
    if cases.is_empty() {
        return html! { <section class="speedup" id="speedup" tabindex="-1" /> };
    }
    if let Some(title) = state.of_unfit() {
        return does_not_fit(&title, props);
    }
    // Thirteen numbers, each O(cases): nothing is packed or simulated here.
    let along = ACCELERATORS.map(|r| (r, state.priced(&cases, r))).to_vec();
    // New addresses: the parts are drawn whenever the section is, which is only when a figure may
    // differ.
    let (now, along) = (Same(Rc::new(now)), Same(Rc::new(along)));
    let priced = PricedProps {
        state: state.clone(),
        now,
        along,
        waited,
        dispatch: dispatch.clone(),
    };
    let parts = PartProps {
        state: state.clone(),
        cases,
        dispatch,
    };
    html! {
        <section
            class="speedup"
            id="speedup"
            tabindex="-1"
            aria-labelledby="speedup-title"
            data-state={if waited { "current" } else { "computing" }}
        >
            // Read out when an assumption was changed; other changes are announced by the headline.
            <Announce words={announced} />
            <h2 id="speedup-title">{ tied(&title) }</h2>
            { note_on_units(state) }
            { notes(state, &priced.now.estimates) }
            <choose::Choose state={state.clone()} dispatch={props.dispatch.clone()} />
            <div class="pair">
                <parts::Parts ..priced.clone() />
                <crew::Crew ..priced.clone() />
            </div>
            <div class="pair folds">
                <table::Table ..priced />
                <Panels ..parts />
            </div>
        </section>
    }
}

/// Draws how far the estimates may be off, and what they keep where the judge keeps something else.
fn notes(state: &AppState, estimates: &[Estimate]) -> Html {
    let kept = state
        .regimes()
        .and_then(|r| words::of_step(&r, &Items::new(state), state.rows_of_batch()));
    let notes = [findings::of_doubt(state, estimates), kept];
    let notes: Vec<_> = notes.into_iter().flatten().collect();
    if notes.is_empty() {
        return Html::default();
    }
    html! { <p class="small">{ notes.join(" ") }</p> }
}

/// In place of estimates: why there are none, and the choices that would mend it.
fn does_not_fit(title: &str, props: &Props) -> Html {
    html! {
        <section
            class="speedup"
            id="speedup"
            tabindex="-1"
            aria-labelledby="speedup-title"
            data-state="unfit"
        >
            <h2 id="speedup-title">{ tied(title) }</h2>
            <p>
                { "So no time is estimated. Lower the limit, or choose another model, another accelerator or more of them." }
            </p>
            <choose::Choose state={props.state.clone()} dispatch={props.dispatch.clone()} />
        </section>
    }
}

/// A note for lengths that are not counted in tokens, as models process tokens.
fn note_on_units(state: &AppState) -> Html {
    let unit = state.sequences.unit();
    if state.view == View::Graphs || unit == "tokens" {
        return Html::default();
    }
    html! {
        <p class="small">
            { format!("The lengths are of {unit}; the estimates take each for a token.") }
        </p>
    }
}

/// Names the accelerators and their number, for times.
fn on(state: &AppState) -> String {
    format!("on {}, estimated", findings::crew(state))
}

/// The subject of the section; while it stays equal, only assumptions have changed. An answer is
/// identified by its ticket and results, so that a new estimate for it leaves the subject equal.
#[derive(Clone, Copy, PartialEq)]
struct CostSubject {
    view: View,
    /// The rows that the methods are compared with, and so the first of them.
    baseline: Baseline,
    batch: u32,
    data: u64,
    /// The ticket, with the numbers of packs and strategies, or with the epoch and 0.
    answer: Option<(Ticket, u64, u64)>,
}

impl CostSubject {
    fn new(state: &AppState) -> Self {
        let of = |ticket, figures: &Figures| {
            (
                ticket,
                figures.packs,
                figures.strategies.unwrap_or_default(),
            )
        };
        let graphs = &state.graphs;
        let (data, answer) = match state.view {
            View::Sequences => (
                state.sequences.version(),
                state
                    .sequences
                    .answer
                    .as_ref()
                    .map(|a| of(a.ticket, &a.report.figures)),
            ),
            View::Graphs => (
                graphs.version(),
                graphs
                    .answer
                    .as_ref()
                    .map(|a| of(a.ticket, &a.report.figures)),
            ),
            View::Batches => {
                let batched = state.batched(state.batch_row());
                (
                    state.sequences.version(),
                    batched.map(|b| (b.ticket, u64::from(state.shown_epoch()), 0)),
                )
            }
            View::Ranks | View::Learn => (0, None),
        };
        Self {
            view: state.view,
            baseline: state.baseline,
            batch: state.rows_of_batch(),
            data,
            answer,
        }
    }
}

/// Returns the state if its [`CostSubject`] has not changed for [`REST`]; else the last state for
/// which that was true.
#[hook]
fn use_rested(state: &SharedState) -> Option<SharedState> {
    let kept = use_state(|| None::<SharedState>);
    let now = CostSubject::new(state);
    {
        let (kept, state) = (kept.setter(), state.clone());
        use_effect_with(now, move |_| {
            // Dropped, and so cancelled, when the subject changes again.
            let timer = due::after(PendingKind::Pausing, REST, move || kept.set(Some(state)));
            move || drop(timer)
        });
    }
    // A change of assumptions leaves the subject equal, and is shown without waiting.
    let is_rested = kept
        .as_ref()
        .is_some_and(|kept| CostSubject::new(kept) == now);
    if is_rested {
        Some(state.clone())
    } else {
        (*kept).clone()
    }
}

/// Returns the work of every method on the view, recomputed only when the answer changes.
#[hook]
fn use_cases(state: &SharedState) -> Same<Vec<Case>> {
    Same(use_memo(CostSubject::new(state), |_| state.speedup_cases()))
}

/// Requests the simulated waiting from a worker whenever the batches of accelerators or their
/// relative costs change. Returns whether the answer has arrived.
#[hook]
fn use_waiting(
    state: &SharedState,
    cases: &Same<Vec<Case>>,
    ask: &Callback<Rc<WaitingQuestions>>,
) -> bool {
    let a = state.assumed();
    // Only relative times matter to waiting: changes of the mean are not requested again.
    let asked = {
        let state = state.clone();
        let key = (
            cases.clone(),
            state.relative_rates(),
            a.accumulation,
            a.rows,
            state.rows_of_batch(),
        );
        use_memo(
            (key, state.sequences.settings.seed),
            move |((cases, ..), _)| Rc::new(state.speedup_asked(cases)),
        )
    };
    let ask = ask.clone();
    let known = state.is_waited(&asked);
    // Asked again, too, once another answer has replaced this one.
    use_effect_with((Same(Rc::clone(&asked)), known), move |(asked, known)| {
        if !known {
            ask.emit(Rc::clone(&asked.0));
        }
    });
    known
}

/// The panels below the estimates: optimiser, bill, assumptions, formulae, measurements.
#[component]
pub fn Panels(props: &PartProps) -> Html {
    html! {
        <>
            <optimiser::Optimiser ..props.clone() />
            <bill::Bill ..props.clone() />
            <assumptions::Assumptions ..props.clone() />
            <formulae::Formulae ..props.clone() />
            <measured::Measured />
        </>
    }
}
