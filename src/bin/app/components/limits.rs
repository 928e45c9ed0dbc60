//! Sequences against the limit: a plot of lost tokens, time and memory, and, folded, a ledger of
//! the losses of each policy. A press on a limit applies it.

use super::explained::terms;
use super::figure::{Figure, Keys, drawn};
use super::fold::Folded;
use super::titled;
use crate::plot::{IN_VIEW, use_in_view};
use crate::shared::Props;
use packscope::api::limits::AtLimit;
use packscope::cost::Estimate;
use packscope::cost::calibrated::band;
use packscope::histogram::Overlong;
use packscope::words::{about_factor, factor};
use packscope_chart::limits::{Input, LimitQuantity, Measure};
use packscope_page::state::speedup::findings;
use packscope_page::state::{Action, AppState, Data};
use std::rc::Rc;
use yew::prelude::*;

#[component]
pub fn Limits(props: &Props) -> Html {
    let node = use_node_ref();
    // Nothing is asked about limits before they have been in view.
    use_in_view(&node, IN_VIEW, props.dispatch.reform(Action::LimitsInView));
    let state = &props.state;
    let present = state.sequences.settings.limit;
    let points = Rc::new(state.at_limits());
    let unit = state.sequences.unit();
    let drawing = input(state, &points);
    // The input is small, so it is its own key.
    let chart = use_memo(drawing, Input::clone);
    let onpick = {
        let (points, dispatch) = (Rc::clone(&points), props.dispatch.clone());
        Callback::from(move |[at, _]: [u32; 2]| {
            points
                .get(at as usize)
                .into_iter()
                .for_each(|p| dispatch.emit(Action::Limit(p.limit)));
        })
    };
    let title = state
        .of_limits()
        .unwrap_or_else(|| "What other limits would lose".to_owned());
    let label = format!(
        "Lost {unit}, time and memory against the limit, at {} limits. {title}.",
        points.len()
    );
    html! {
        <section
            class="limits"
            id="other-limits"
            tabindex="-1"
            ref={node}
            data-state={stage(&points, state)}
        >
            <h2>{ titled(&title) }</h2>
            <p class="caption">
                { "a press takes a limit; dashed: limits that hold 95, 99 and 100 % of the sequences whole" }
            </p>
            <Figure
                name="along-limits"
                title={title.clone()}
                theme={state.theme}
                class={if state.supervised().is_some() { "taller-choice" } else { "tall-choice" }}
                {label}
                chart={drawn(&chart)}
                keys={Keys::Pick}
                {onpick}
            />
            <Folded
                id="limits-ledger"
                title={html! {
                    { format!("All {} limits, by policy for longer sequences", points.len()) }
                }}
            >
                { ledger(props, &points, present) }
            </Folded>
        </section>
    }
}

/// Returns whether the limits are known, requested, or not wanted yet.
fn stage(points: &[AtLimit], state: &AppState) -> &'static str {
    match (points.is_empty(), state.limits_wanted()) {
        (false, _) => "current",
        (true, Some(_)) => "computing",
        (true, None) => "none",
    }
}

/// Units of time, ascending: seconds, and the name.
const TIMES: [(f64, &str); 4] = [(1.0, "s"), (60.0, "min"), (3600.0, "h"), (86_400.0, "days")];
/// Shares of the sequences whose limits are marked.
const HELD: [(&str, f64); 3] = [("95 %", 0.95), ("99 %", 0.99), ("100 %", 1.0)];

/// Returns the plot: tokens lost under the present policy, time of an epoch, memory.
fn input(state: &AppState, points: &[AtLimit]) -> Input {
    let (sequences, priced) = (&state.sequences, state.priced_at(points));
    let unit = sequences.unit();
    // `None` where the policy leaves nothing to train on.
    let lost = points.iter().map(|p| {
        p.under(sequences.settings.overlong)
            .map(|kept| kept.lost_share())
    });
    let most = priced
        .estimates
        .iter()
        .map(|e| e.seconds)
        .fold(0.0, f64::max);
    let (time, name) = TIMES
        .into_iter()
        .rfind(|(time, _)| most >= 1.5 * time)
        .unwrap_or(TIMES[0]);
    let quantity = |name: String, values, measure| LimitQuantity {
        name: name.into(),
        values,
        measure,
    };
    let mut quantities = vec![quantity(
        format!("{unit} lost"),
        lost.collect(),
        Measure::Share,
    )];
    if let Some(found) = state.supervised() {
        let (curves, overlong) = (&found.curves.0, sequences.settings.overlong);
        let share = |of: &dyn Fn(u32) -> f64| points.iter().map(|p| Some(of(p.limit))).collect();
        let lost = share(&|limit| curves.lost_share(limit, overlong));
        quantities.push(quantity(
            format!("supervised {unit} lost"),
            lost,
            Measure::Share,
        ));
        if overlong == Overlong::Truncate {
            let untrained = share(&|limit| curves.untrained_share(limit));
            let name = "sequences that train nothing".to_owned();
            quantities.push(quantity(name, untrained, Measure::Share));
        }
    }
    if !priced.estimates.is_empty() {
        // Where not one row fits the memory, no epoch takes place.
        let hours = |(p, e): (&AtLimit, &Estimate)| state.fit_at(p.limit).map(|_| e.seconds / time);
        let seconds = points.iter().zip(&priced.estimates).map(hours).collect();
        let memory = priced
            .memory
            .iter()
            .map(|memory| Some(memory.share))
            .collect();
        quantities.push(quantity(
            format!("epoch, estimated, {name}"),
            seconds,
            Measure::About,
        ));
        quantities.push(quantity(
            "memory of an accelerator".to_owned(),
            memory,
            Measure::AboutShare,
        ));
    }
    let quantile = |data: &Data, share| {
        if share < 1.0 {
            data.histogram.quantile(share)
        } else {
            data.histogram.max()[0]
        }
    };
    let marks = sequences
        .data
        .iter()
        .flat_map(|data| HELD.map(|(name, share)| (name, quantile(data, share))));
    Input {
        limits: points.iter().map(|p| p.limit).collect(),
        quantities,
        present: sequences.settings.limit,
        better: state.advised_limit(),
        marks: marks.collect(),
        unit: unit.to_owned(),
    }
}

/// The ledger: the losses of each policy for longer sequences, at each limit.
fn ledger(props: &Props, points: &[AtLimit], present: u32) -> Html {
    let seconds: Vec<f64> = props
        .state
        .priced_at(points)
        .estimates
        .iter()
        .map(|e| e.seconds)
        .collect();
    let fits = |limit: u32| props.state.fit_at(limit).is_some();
    // Times are relative to the present limit, and missing where not one row of it fits.
    let here = points
        .iter()
        .position(|p| p.limit == present && fits(present));
    let here = here.and_then(|at| seconds.get(at).copied());
    let times: Vec<f64> =
        here.map_or_else(Vec::new, |here| seconds.iter().map(|s| s / here).collect());
    let items = props
        .state
        .sequences
        .data
        .as_ref()
        .map_or(1, |d| d.histogram.items());
    let row = |(at, p): (usize, &AtLimit)| {
        let limit = p.limit;
        let time = times.get(at).copied();
        let onclick = props.dispatch.reform(move |_| Action::Limit(limit));
        let chosen = limit == present;
        let [name, whole, rows, padding, cut, dropped, split] = p.in_words(items);
        html! {
            <tr
                class={classes!(chosen.then_some("chosen"))}
                data-limit={limit.to_string()}
                onclick={onclick.clone()}
            >
                <th scope="row">
                    <button type="button" class="name" aria-pressed={chosen.to_string()} {onclick}>
                        { name }
                    </button>
                </th>
                <td class="whole">{ whole }</td>
                <td data-figure="packs" data-value={p.truncated.packs.to_string()}>{ rows }</td>
                <td>{ padding }</td>
                if let Some(time) = time {
                    if fits(limit) {
                        <td data-figure="time" data-value={time.to_string()}>
                            { about_factor(time) }
                        </td>
                    } else {
                        <td data-figure="time">{ "does not fit" }</td>
                    }
                }
                <td data-figure="cut" data-value={p.truncated.lost.to_string()}>
                    { cut }
                </td>
                <td data-figure="dropped">{ dropped }</td>
                <td class="extra" data-figure="split" data-value={p.split.packs.to_string()}>
                    { split }
                </td>
            </tr>
        }
    };
    let assumed = props.state.speedup.assumptions();
    let [low, high] = band(assumed, assumed.transformer.parameters());
    html! {
        <div class="scroll">
            <table class="compare of-limits">
                <thead>
                    <tr>
                        <th>{ "Limit" }</th>
                        <th class="whole">{ "Whole" }</th>
                        <th>{ terms("Rows") }</th>
                        <th>{ terms("Padding") }</th>
                        if !times.is_empty() {
                            <th>{ "Time" }</th>
                        }
                        <th>
                            { "Cut off" }
                        </th>
                        <th>{ "Dropped" }</th>
                        <th class="extra">{ "Split" }</th>
                    </tr>
                </thead>
                <tbody>{ for points.iter().enumerate().map(row) }</tbody>
            </table>
            <p class="small">
                { "Whole: sequences that the limit holds. Cut off and dropped: shares of all that was counted, if longer sequences are cut off or dropped; split they lose none, and go on in another row: so many rows. Rows, padding and time are of cut sequences." }
                if !times.is_empty() {
                    { format!(
                        " Time: an epoch of packed rows on {}, {}, against the present limit; estimated, as in Speed-up, with a band from {} to {} of the estimate. A limit that cuts tokens off also trains on fewer.",
                        findings::crew(&props.state),
                        findings::model_name(&props.state),
                        factor(low),
                        factor(high)
                    ) }
                }
            </p>
        </div>
    }
}
