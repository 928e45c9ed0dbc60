//! Sequences against the limit: a plot of padding and lost tokens, and a ledger of the losses of each policy. A press
//! on a limit applies it.

use super::explained::terms;
use super::figure::{Figure, Keys, drawn};
use super::titled;
use crate::plot::{IN_VIEW, use_in_view};
use crate::shared::Props;
use packscope::api::limits::AtLimit;
use packscope::chart::lines::{Input, Line, Quantity};
use packscope::chart::{Look, Scale};
use packscope::cost::calibrated::band;
use packscope::state::speedup::findings;
use packscope::state::{Action, AppState};
use packscope::words::{about_factor, count, factor, tick_percent};
use std::rc::Rc;
use yew::prelude::*;

#[component]
pub fn Limits(props: &Props) -> Html {
    let node = use_node_ref();
    use_in_view(&node, IN_VIEW, props.dispatch.reform(Action::LimitsInView));
    let state = &props.state;
    let present = state.sequences.settings.limit;
    let points = Rc::new(state.at_limits());
    let unit = state.sequences.unit();
    let key = (Rc::clone(&points), present, unit.to_owned());
    let chart = use_memo(key, |(points, present, unit)| input(points, *present, unit));
    let onpick = {
        let (points, dispatch) = (Rc::clone(&points), props.dispatch.clone());
        Callback::from(move |[at, _]: [u32; 2]| {
            points.get(at as usize).into_iter().for_each(|p| dispatch.emit(Action::Limit(p.limit)));
        })
    };
    let title = state.of_limits().unwrap_or_else(|| "What other limits would lose".to_owned());
    let label = format!("Padding and lost {unit} against the limit, at {} limits. {title}.", points.len());
    html! {
        <section class="limits" id="other-limits" tabindex="-1" ref={node} data-state={stage(&points, state)}>
            <h2>{ titled(&title) }</h2>
            <div class="pair even">
                <div>
                    <p class="caption">{ format!("share of the slots, or of the {unit}, by limit") }</p>
                    <Figure name="along-limits" title={title.clone()} theme={state.theme} class="tall-limits" {label} chart={drawn(&chart)} keys={Keys::Pick} {onpick} />
                </div>
                { ledger(props, &points, present) }
            </div>
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

/// Returns the plot, whose axis shows binary logarithms of limits.
fn input(points: &[AtLimit], present: u32, unit: &str) -> Input {
    let x = |p: &AtLimit| f64::from(p.limit).log2();
    let line = |name: &'static str, look, y: &dyn Fn(&AtLimit) -> Option<f64>| {
        let points = points.iter().filter_map(|p| Some((x(p), y(p)?))).collect();
        Line { name: name.into(), points, look }
    };
    let lines = vec![
        line("padding", Look::Accent, &|p| Some(1.0 - p.truncated.efficiency(p.limit))),
        line("cut off", Look::Ink, &|p| Some(p.truncated.lost_share())),
        line("dropped", Look::Dashed(1), &|p| p.dropped.map(|kept| kept.lost_share())),
    ];
    let most = lines.iter().flat_map(|l| &l.points).map(|(_, y)| *y).fold(0.05, f64::max);
    let range = [points.first().map_or(0.0, x), points.last().map_or(1.0, x).max(1.0)];
    Input {
        x: Quantity::doubling(format!("limit, {unit}").into(), range),
        y: Quantity { name: "".into(), range: [0.0, most], scale: Scale::Linear, label: tick_percent },
        lines,
        needle: Some((f64::from(present).log2(), format!("limit {}", count(u64::from(present))))),
        dots: Vec::new(),
    }
}

/// The ledger: the losses of each policy for longer sequences, at each limit.
fn ledger(props: &Props, points: &[AtLimit], present: u32) -> Html {
    let times = props.state.times_at(points);
    let items = props.state.sequences.data.as_ref().map_or(1, |d| d.histogram.items());
    let row = |(at, p): (usize, &AtLimit)| {
        let limit = p.limit;
        let time = times.get(at).copied();
        let onclick = props.dispatch.reform(move |_| Action::Limit(limit));
        let chosen = limit == present;
        let [name, whole, rows, padding, cut, dropped, split] = p.shown(items);
        html! {
            <tr class={classes!(chosen.then_some("chosen"))} data-limit={limit.to_string()} onclick={onclick.clone()}>
                <th scope="row"><button type="button" class="name" aria-pressed={chosen.to_string()} {onclick}>{ name }</button></th>
                <td class="whole">{ whole }</td>
                <td data-figure="packs" data-value={p.truncated.packs.to_string()}>{ rows }</td>
                <td>{ padding }</td>
                if let Some(time) = time { <td data-figure="time" data-value={time.to_string()}>{ about_factor(time) }</td> }
                <td data-figure="cut" data-value={p.truncated.lost.to_string()}>{ cut }</td>
                <td data-figure="dropped">{ dropped }</td>
                <td class="extra" data-figure="split" data-value={p.split.packs.to_string()}>{ split }</td>
            </tr>
        }
    };
    let [low, high] = band(&props.state.speedup.assumptions().training);
    html! {
        <div class="scroll">
        <table class="compare of-limits">
            <thead><tr>
                <th>{ "Limit" }</th><th class="whole">{ "Whole" }</th><th>{ terms("Rows") }</th><th>{ terms("Padding") }</th>if !times.is_empty() { <th>{ "Time" }</th> }
                <th>{ "Cut off" }</th><th>{ "Dropped" }</th><th class="extra">{ "Split" }</th>
            </tr></thead>
            <tbody>{ for points.iter().enumerate().map(row) }</tbody>
        </table>
        <p class="small">{ "Whole: sequences that the limit holds. Cut off and dropped: shares of all that was counted, if longer sequences are cut off or dropped; split they lose none, and go on in another row: so many rows. Rows, padding and time are of cut sequences." }
            if !times.is_empty() {
                { format!(" Time: an epoch of rows with a mask on {}, {}, against the present limit; estimated, as in Speed-up, where four of five measurements lay between {} and {} of the estimate. A limit that cuts tokens off also trains on fewer.",
                    findings::crew(&props.state), findings::model_name(&props.state), factor(low), factor(high)) }
            }
        </p>
        </div>
    }
}
