//! The cost of waiting in an epoch.

use super::Props;
use crate::components::explained::terms;
use crate::components::{cell, figure, tied, titled};
use packscope::words::{about_duration, about_percent, dollars, plural};
use packscope_page::state::ranks::findings;
use yew::prelude::*;

pub fn cost(props: &Props) -> Html {
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
                { cell("Without waiting", figure("seconds_working", cost.seconds / now, tied(&about_duration(cost.seconds / now))),
                    html! { "the bound of all dealing and waiting" }) }
                { cell("Paid for", hours("rank_hours", cost.hours), html! { "all ranks together" }) }
                { cell("Of these in waiting", hours("idle_hours", cost.hours * idle), html! { tied(&about_percent(idle)) }) }
                { cell("That is", figure("idle_money", cost.money * idle, dollars(cost.money * idle)),
                    html! { format!("at {} an hour", dollars(cost.price)) }) }
            </dl>
            <p class="small">{ terms(&cost.assumed) }</p>
        </section>
    }
}
