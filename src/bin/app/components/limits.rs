//! Sequences against the limit: padding and lost tokens as a plot, and what each policy loses as a ledger; a press on a
//! limit takes it.

use super::explained::terms;
use super::titled;
use crate::plot::{Draw, IN_VIEW, Plot, Room, further, use_in_view};
use crate::shared::Props;
use packscope::api::limits::{AtLimit, Kept};
use packscope::chart::lines::{self, Input, Line, Quantity};
use packscope::chart::{Frame, Look, Scale};
use packscope::cost::calibrated::band;
use packscope::state::speedup::findings;
use packscope::state::{Action, AppState};
use packscope::words::{about_factor, count, factor, percent, tick_percent};
use std::rc::Rc;
use yew::prelude::*;

/// The plot and the ledger.
#[component]
pub fn Limits(props: &Props) -> Html {
    let node = use_node_ref();
    use_in_view(&node, IN_VIEW, props.dispatch.reform(Action::LimitsInView));
    let state = &props.state;
    let present = state.sequences.settings.limit;
    let points = Rc::new(state.at_limits());
    let axis: Rc<str> = format!("limit, {}", state.sequences.unit()).into();
    let draw: Rc<Draw> =
        use_memo((Rc::clone(&points), present, Rc::clone(&axis)), |(points, present, axis)| {
            let (points, present, axis) = (Rc::clone(points), *present, Rc::clone(axis));
            let draw: Draw = Rc::new(move |frame: &Frame| {
                with(&points, present, &axis, |input| lines::scene(input, frame).0)
            });
            draw
        });
    let take = {
        let (points, dispatch) = (Rc::clone(&points), props.dispatch.clone());
        move |at: usize| points.get(at).into_iter().for_each(|p| dispatch.emit(Action::Limit(p.limit)))
    };
    let onpress = {
        let (points, take) = (Rc::clone(&points), take.clone());
        Callback::from(move |(x, _, room): (f64, f64, Room)| {
            take(with(&points, present, &axis, |input| {
                nearest(&points, lines::layout(input, &room.measure()).value(x))
            }));
        })
    };
    let onstep = {
        let points = Rc::clone(&points);
        Callback::from(move |[right, up]: [i32; 2]| {
            let at = points.iter().position(|p| p.limit == present).unwrap_or(0);
            further(at, right + up, points.len()).into_iter().for_each(&take);
        })
    };
    let title = state.of_limits().unwrap_or_else(|| "What other limits would lose".to_owned());
    let label = format!(
        "Padding and lost {} against the limit, at {} limits. {title}.",
        state.sequences.unit(),
        points.len()
    );
    html! {
        <section class="limits" id="other-limits" tabindex="-1" ref={node} data-state={stage(&points, state)}>
            <h2>{ titled(&title) }</h2>
            <div class="pair even">
                <div>
                    <p class="caption">{ format!("share of the slots, or of the {}, by limit", state.sequences.unit()) }</p>
                    <Plot name="along-limits" title={title.clone()} theme={state.theme} class="tall-limits" {label} draw={(*draw).clone()} {onpress} {onstep} />
                </div>
                { ledger(props, &points, present) }
            </div>
        </section>
    }
}

/// Returns whether the limits are known, asked for, or not wanted yet.
fn stage(points: &[AtLimit], state: &AppState) -> &'static str {
    match (points.is_empty(), state.limits_wanted()) {
        (false, _) => "current",
        (true, Some(_)) => "computing",
        (true, None) => "none",
    }
}

/// Returns the index of the limit nearest to a place on the axis.
fn nearest(points: &[AtLimit], at: f64) -> usize {
    let distance = |i: &usize| (f64::from(points[*i].limit).log2() - at).abs();
    (0..points.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
}

/// Calls `f` with the plot's input; `axis` names limits and their unit. The axis has the binary logarithm of the limit.
fn with<T>(points: &[AtLimit], present: u32, axis: &str, f: impl FnOnce(&Input) -> T) -> T {
    let x = |p: &AtLimit| f64::from(p.limit).log2();
    let line = |name, look, y: &dyn Fn(&AtLimit) -> Option<f64>| {
        let points = points.iter().filter_map(|p| Some((x(p), y(p)?))).collect();
        Line { name, points, look }
    };
    let all = vec![
        line("padding", Look::Accent, &|p| Some(1.0 - p.truncated.efficiency(p.limit))),
        line("cut off", Look::Ink, &|p| Some(p.truncated.lost_share())),
        line("dropped", Look::Dashed(1), &|p| p.dropped.map(|kept| kept.lost_share())),
    ];
    let most = all.iter().flat_map(|l| &l.points).map(|(_, y)| *y).fold(0.05, f64::max);
    let range = [points.first().map_or(0.0, x), points.last().map_or(1.0, x).max(1.0)];
    f(&Input {
        x: Quantity {
            name: axis,
            range,
            scale: Scale::Linear,
            // Between powers of two a tick has no number.
            label: |v| if v.fract() == 0.0 { count(v.exp2() as u64) } else { String::new() },
        },
        y: Quantity { name: "", range: [0.0, most], scale: Scale::Linear, label: tick_percent },
        lines: all,
        needle: Some((f64::from(present).log2(), format!("limit {}", count(u64::from(present))))),
        dots: Vec::new(),
    })
}

/// The ledger: what each policy for longer sequences loses at each limit.
fn ledger(props: &Props, points: &[AtLimit], present: u32) -> Html {
    let times = props.state.times_at(points);
    let row = |(at, p): (usize, &AtLimit)| {
        let limit = p.limit;
        let time = times.get(at).copied();
        let onclick = props.dispatch.reform(move |_| Action::Limit(limit));
        let whole = 1.0
            - p.above as f64 / props.state.sequences.data.as_ref().map_or(1, |d| d.histogram.items()) as f64;
        let lost =
            |kept: Option<&Kept>| kept.map_or_else(|| "all".to_owned(), |kept| percent(kept.lost_share()));
        let chosen = limit == present;
        html! {
            <tr class={classes!(chosen.then_some("chosen"))} data-limit={limit.to_string()} onclick={onclick.clone()}>
                <th scope="row"><button type="button" class="name" aria-pressed={chosen.to_string()} {onclick}>{ count(u64::from(limit)) }</button></th>
                <td class="whole">{ percent(whole) }</td>
                <td data-figure="packs" data-value={p.truncated.packs.to_string()}>{ count(p.truncated.packs) }</td>
                <td>{ percent(1.0 - p.truncated.efficiency(limit)) }</td>
                if let Some(time) = time { <td data-figure="time" data-value={time.to_string()}>{ about_factor(time) }</td> }
                <td data-figure="cut" data-value={p.truncated.lost.to_string()}>{ lost(Some(&p.truncated)) }</td>
                <td data-figure="dropped">{ lost(p.dropped.as_ref()) }</td>
                <td class="extra" data-figure="split" data-value={p.split.packs.to_string()}>{ count(p.split.packs) }</td>
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
