//! One step, rank by rank, and the time of many steps.

use super::Props;
use crate::components::figure::{Figure, Keys, drawn, use_hover};
use crate::components::{hues, titled};
use packscope_chart::{Chart, ranks, steps};
use packscope_page::state::ranks::findings;
use yew::prelude::*;

/// The work of each rank in one step, the one with the median time.
#[component]
pub fn Bars(props: &Props) -> Html {
    let (hover, onhover) = use_hover();
    let Props {
        state,
        settings,
        report,
        ..
    } = props;
    let key = (report.clone(), state.sequences.version());
    let chart = use_memo(key, |(report, _)| ranks::Input {
        works: report.rank_bars.clone(),
        longest: report.rank_longest.clone(),
        tokens: report.rank_tokens.clone(),
        waiting: settings.waiting,
        hues: hues(&state.sequences, settings.limit),
        unit: state.sequences.unit().to_owned(),
    });
    let title = findings::of_bars(report, settings.waiting);
    let hint = "Each column is a rank, from its first micro-batch up; colour is the longest sequence, hatched is idle.";
    let under = hover.and_then(|at| chart.reading(at));
    html! {
        <section class="bars-of-ranks" id="one-step" tabindex="-1">
            <h2>{ titled(&title) }</h2>
            <div class="caption">
                <p>{ under.unwrap_or_else(|| hint.to_owned()) }</p>
            </div>
            <Figure
                name="ranks"
                {title}
                theme={state.theme}
                class="tall-ranks"
                chart={drawn(&chart)}
                keys={Keys::Point}
                {hover}
                {onhover}
            />
        </section>
    }
}

/// The time of every simulated step.
#[component]
pub fn Steps(props: &Props) -> Html {
    let (hover, onhover) = use_hover();
    let Props { state, report, .. } = props;
    let chart = use_memo(report.clone(), |report| steps::Input {
        factors: report.factors.clone(),
        mean: report.factor,
        bound: report.bound,
    });
    let title = findings::of_steps(report);
    let hint = "Steps, by their time ÷ the mean rank’s work.";
    let under = hover.and_then(|at| chart.reading(at));
    html! {
        <section class="times-of-steps">
            <h2>{ titled(&title) }</h2>
            <div class="caption">
                <p>{ under.unwrap_or_else(|| hint.to_owned()) }</p>
            </div>
            <Figure
                name="steps"
                {title}
                theme={state.theme}
                class="tall-ranks"
                chart={drawn(&chart)}
                keys={Keys::Point}
                {hover}
                {onhover}
            />
        </section>
    }
}
