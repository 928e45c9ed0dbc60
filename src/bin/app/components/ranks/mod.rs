//! The view of ranks: how long they wait for each other, the bottleneck, and the one setting to change.

mod answer;
mod bars;
mod controls;
mod libraries;
mod limits;
mod table;
mod ways;
mod weights;

use crate::components::explained::terms;
use crate::components::{advice, case, cell, figure, list, pin, rooms, tied, titled};
use crate::shared::{Same, SharedState, ViewProps};
use packscope::api::fields::ranks::{DEALING, LIBRARY};
use packscope::api::ranks::{Dealing, Report, Scheduler, Settings};
use packscope::words::{about_duration, about_percent, dollars, plural};
use packscope_page::state::ranks::findings;
use packscope_page::state::trainer::Action as Trained;
use packscope_page::state::{Action, Tab, View};
use std::rc::Rc;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    pub state: SharedState,
    pub dispatch: Callback<Action>,
    /// The settings of the report, which may be those before the last change.
    pub settings: Same<Settings>,
    pub report: Same<Report>,
}

impl Props {
    /// Returns a callback that changes a setting of ranks, given as text.
    fn set(&self, id: &'static str) -> Callback<String> {
        set(&self.dispatch, id)
    }
}

/// Returns a callback that changes a setting of ranks, given as text.
fn set(dispatch: &Callback<Action>, id: &'static str) -> Callback<String> {
    dispatch.reform(move |text| Action::Ranks(id, text))
}

#[component]
pub fn Ranks(props: &ViewProps) -> Html {
    let ViewProps {
        state,
        dispatch,
        files,
        notices,
        speedup,
        ..
    } = props.clone();
    let (room, pick) = (state.room, case::use_pick(&dispatch));
    let apart = pin::use_apart(&state);
    // Compared by address: parts are drawn again for another report alone.
    let settings = state.ranked().map(|ranked| ranked.settings.clone());
    let settings = use_memo(settings, |settings| settings.clone().unwrap_or_default());
    let report = state.ranked().map(|ranked| Same(Rc::clone(ranked.report)));
    let table = state.dealings().map(|table| Same(Rc::clone(table)));
    let ways = ways::Props {
        state: state.clone(),
        dispatch: dispatch.clone(),
        table,
    };
    // For the headline and for the advice.
    let verdict = state.ranks_verdict();
    let shown = report.map(|report| Props {
        state: state.clone(),
        dispatch: dispatch.clone(),
        settings: Same(settings),
        report,
    });
    html! {
        <>
            { case::case(&state, &dispatch, html! {
                <>
                    { case::lengths(&state, &files, pick) }
                    { scheduler(&state, &dispatch) }
                </>
            }) }
            { answer::headline(shown.as_ref(), verdict.as_ref(), apart) }
            <controls::Controls ..ways.clone() />
            <div class="body">
                { rooms::line(&state, &dispatch) }
                { notices }
                <pin::Pins state={state.clone()} dispatch={dispatch.clone()} />
                { advice::printed(&state) }
                if let Some(shown) = shown {
                    if room.shows(Tab::Answer) {
                        { advice::of_ranks(verdict.as_ref(), &state, &dispatch) }
                        <div class="pair">
                            <bars::Bars ..shown.clone() />
                            <bars::Steps ..shown.clone() />
                        </div>
                    }
                    if room.shows(Tab::Compare) {
                        <ways::Ways ..ways.clone() />
                        <div class="pair even">
                            { libraries::libraries(&ways) }
                            { weights::weights(&shown) }
                        </div>
                    }
                    if room.shows(Tab::Cost) {
                        { cost(&shown) }
                        { limits::limits(&shown) }
                    }
                }
                { speedup }
            </div>
        </>
    }
}

/// The libraries by how they assign sequences to ranks.
fn scheduler(state: &SharedState, dispatch: &Callback<Action>) -> Html {
    let set = dispatch.reform(|name: String| match name.as_str() {
        // A way of one's own takes the place of a library's.
        "" => Action::Ranks(DEALING.value.id, Dealing::default().name().to_owned()),
        _ => Action::Ranks(LIBRARY.value.id, name),
    });
    let now = state.ranks_settings().library;
    let none = ("".into(), "no library".into(), now.is_none());
    let all =
        Scheduler::ALL.map(|one| (one.name().into(), one.long_name().into(), now == Some(one)));
    html! {
        <div class="control">
            <label for="scheduler">{ "You train with" }</label>
            { list("scheduler", std::iter::once(none).chain(all), &set) }
            if let Some((id, title)) = state.library_of_scheduler() {
                { to_sequences(dispatch, id, title) }
            }
        </div>
    }
}

/// The way to the view of sequences, which has the library of this scheduler too.
fn to_sequences(dispatch: &Callback<Action>, id: &'static str, title: &str) -> Html {
    let chosen = Trained::Choose(Some(id.to_owned()));
    let setting = Action::Trainer(View::Sequences, chosen);
    let words = format!("What {title} pads and cuts →");
    rooms::to_view(View::Sequences, setting, &words, dispatch)
}

/// The cost of waiting in an epoch.
fn cost(props: &Props) -> Html {
    let Props {
        state,
        settings,
        report,
        ..
    } = props;
    let Some(cost) = state.ranks_cost(settings, report) else {
        return Html::default();
    };
    let title = findings::of_cost(report, cost.hours);
    let now = findings::factor_of(report);
    let idle = findings::idle(now);
    let hours = |name, hours: f64| figure(name, hours, tied(&about_duration(hours * 3600.0)));
    html! {
        <section class="caps" id="cost" tabindex="-1">
            <h2>{ titled(&title) }</h2>
            <dl class="figures">
                { cell("An epoch", figure("seconds", cost.seconds, tied(&about_duration(cost.seconds))),
                    html! { format!("on {}, {}", plural(u64::from(settings.ranks), "rank"), cost.of) }) }
                { cell("Were none idle", figure("seconds_working", cost.seconds / now, tied(&about_duration(cost.seconds / now))),
                    html! { "the best possible" }) }
                { cell("Paid for", hours("rank_hours", cost.hours), html! { "all ranks together" }) }
                { cell("Of these idle", hours("idle_hours", cost.hours * idle), html! { tied(&about_percent(idle)) }) }
                { cell("That is", figure("idle_money", cost.money * idle, dollars(cost.money * idle)),
                    html! { format!("at {} an hour", dollars(cost.price)) }) }
            </dl>
            <p class="small">{ terms(&cost.assumed) }</p>
        </section>
    }
}
