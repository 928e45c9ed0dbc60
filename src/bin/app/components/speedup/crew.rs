//! Speed-up over the number of accelerators; a press or a drag chooses the number.

use super::PricedProps;
use crate::components::figure::{Figure, Keys, drawn, use_hover};
use crate::components::titled;
use packscope::cost::Estimate;
use packscope_chart::Chart;
use packscope_chart::crew::{Input, MethodCurve};
use packscope_page::state::AppState;
use packscope_page::state::speedup::findings::{self, baseline, short_name_of};
use packscope_page::state::speedup::{Action, PricedEstimates};
use yew::prelude::*;

#[component]
pub fn Crew(props: &PricedProps) -> Html {
    let state = &props.state;
    let (hover, onhover) = use_hover();
    let chart = use_memo(input(state, &props.along), Clone::clone);
    let onpick = props
        .dispatch
        .reform(|[n, _]: [u32; 2]| Action::Set("accelerators", f64::from(n)));
    let ondrag = {
        let (onhover, onpick) = (onhover.clone(), onpick.clone());
        Callback::from(move |(_, to)| {
            // A drag does not hover, so its reading is set here.
            onhover.emit(Some(to));
            onpick.emit(to);
        })
    };
    let title = findings::of_crew(state, &props.along).unwrap_or_default();
    let label = format!("{} {title}.", chart.summary());
    let under = hover.map_or_else(
        || "A press sets the number of accelerators.".to_owned(),
        |at| chart.reading(at).unwrap_or_default(),
    );
    html! {
        <section class="crew">
            <h2>{ titled(&title) }</h2>
            <div class="caption">
                <p>
                    { format!(
                        "speed-up against {}, estimated, over accelerators",
                        baseline(state)
                    ) }
                </p>
            </div>
            <Figure
                name="accelerators"
                {title}
                theme={state.theme}
                class="tall-crew"
                {label}
                chart={drawn(&chart)}
                keys={Keys::Pick}
                {hover}
                {onhover}
                {onpick}
                {ondrag}
            >
                <p class="small told">{ under }</p>
            </Figure>
        </section>
    }
}

fn input(state: &AppState, along: &[(u32, PricedEstimates)]) -> Input {
    let first = along.first().map_or(&[][..], |(_, at)| &at.estimates);
    // Methods that the accelerator does not support are left out, as is the first one, which is the
    // line at 1.
    let usual = first.first().map(|e| e.method);
    let drawn = |e: &Estimate| e.possible && Some(e.method) != usual;
    let possible = || first.iter().enumerate().filter(|(_, e)| drawn(e));
    let curve = |(i, e): (usize, &Estimate)| {
        let at = || along.iter().filter_map(|(_, at)| at.estimates.get(i));
        MethodCurve {
            name: short_name_of(e.method, state.view),
            values: at().map(|e| e.speedup).collect(),
            // The relative error of the speed-up equals that of the time.
            errors: at().map(|e| e.speedup * e.error / e.seconds).collect(),
        }
    };
    let chosen = state.speedup_chosen();
    Input {
        curves: possible().map(curve).collect(),
        chosen: possible().position(|(_, e)| e.method == chosen),
        accelerators: state.speedup.assumptions().accelerators,
        baseline: baseline(state),
    }
}
